/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of what is typed as a value: what each type takes, what it makes of it, and that everything
 * else is an error which names the argument.
 */
#include "src/language/argument_values.h"

#include "tests/samples/tap.h"

static const char *const words[] = {"state", "start", "actors", "act", NULL};
static struct argument value;
static bool is_error = true; /* all that failed did so as it should */

/* Returns whether the type accepts the text; `value` becomes what it made of the text. */
static bool takes(argument_value *check, const char *text)
{
	static const struct argument_spec spec = {.name = "THIS", .choices = words};
	value = (struct argument){.given = true};
	struct cs_error *error = check(&spec, text, &value);
	if (!error)
		return true;
	is_error = is_error && error->code == CS_E_USAGE && strstr(error->message, "THIS");
	cs_error_free(error);
	return false;
}

static bool is_range(const char *text, uint64_t first, uint64_t last, bool closed)
{
	return takes(value_range, text) && value.range.first == first && value.range.last == last &&
	       value.range.closed == closed;
}

static void test_ranges(void)
{
	static const char *const wrong[] = {"", "..x", "x", "-1..2", "1..-2", "5..3", "1...2",
		"1..2..3", "1 ..2", "0x1..2", "1.5..2", "+1..2", "9223372036854775808..",
		"..99999999999999999999"};
	ok(is_range("12..40", 12, 40, true), "a range has two ends");
	ok(is_range("12..", 12, RANGE_END, false) && is_range("..40", 0, 40, false) &&
			is_range("..", 0, RANGE_END, false),
		"each of which may be open");
	ok(is_range("7", 7, 7, false), "a number is a range of one");
	ok(is_range("0..9223372036854775807", 0, RANGE_END, true), "as far as SQL counts");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ok(!takes(value_range, wrong[i]), "no range: '%s'", wrong[i]);
}

static void test_choices(void)
{
	static const struct {
		const char *text;
		size_t choice;
	} choices[] = {{"state", 0}, {"STAT", 0}, {"star", 1}, {"acto", 2}, {"act", 3}, {"Act", 3}};
	static const char *const wrong[] = {"", "sta", "ac", "states", "x"};
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
		ok(takes(value_choice, choices[i].text) && value.choice == choices[i].choice,
			"a word or a beginning of one: %s", choices[i].text);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ok(!takes(value_choice, wrong[i]), "no word: '%s'", wrong[i]);
}

static void test_lengths(void)
{
	static const struct {
		const char *text;
		double first, last;
	} lengths[] = {{"1m..500m", 100, 50000}, {"10cm..2km", 10, 200000}, {"5mm..1", .5, 1},
		{".5..1e2m", .5, 10000}};
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		ok(takes(value_lengths, lengths[i].text) &&
				value.lengths.first == lengths[i].first &&
				value.lengths.last == lengths[i].last,
			"lengths: %s", lengths[i].text);
	static const char *const no_lengths[] = {"", "1m", "..", "1m..", "..1m", "2m..1m", "1m..1m",
		"0..1m", "-1..1", "1ft..2ft", "m..km", "1m..2m..3m", "1..nan", "1..1e30km"};
	for (size_t i = 0; i < sizeof(no_lengths) / sizeof(no_lengths[0]); i++)
		ok(!takes(value_lengths, no_lengths[i]), "no lengths: '%s'", no_lengths[i]);
}

static void test_sweeps(void)
{
	static const char *const wrong[] = {"", "=1..2", "a", "a=", "a=1", "a=1..", "a=..2",
		"a=2..1", "a=1..1", "a=1..2x", "a=x..2", "a=nan..2", "..a=1", "a=1..inf"};
	char longest[MOST_SWEEP_NAME + 8];
	ok(takes(value_sweep, "Grid.size=6400..51200") && value.sweep.first == 6400 &&
			value.sweep.last == 51200 && value.sweep.name_length == 9,
		"a sweep is a name and two numbers");
	ok(takes(value_sweep, "a=-.5..1e3") && value.sweep.first == -.5 && value.sweep.last == 1000,
		"which need not be whole");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ok(!takes(value_sweep, wrong[i]), "no sweep: '%s'", wrong[i]);
	memset(longest, 'a', sizeof(longest));
	memcpy(longest + MOST_SWEEP_NAME - 1, "=1..2", 6);
	ok(takes(value_sweep, longest), "a name has room");
	memset(longest, 'a', sizeof(longest));
	memcpy(longest + MOST_SWEEP_NAME, "=1..2", 6);
	ok(!takes(value_sweep, longest), "up to an end");
}

static void test_pairs(void)
{
	ok(takes(value_extent, "80x24") && value.pair.first == 80 && value.pair.second == 24,
		"an extent has columns and rows");
	ok(takes(value_spot, "10,5") && value.pair.first == 10 && value.pair.second == 5,
		"a spot is a column and a row");
	ok(!takes(value_spot, "10") && !takes(value_spot, "-1,5") && !takes(value_spot, "1,2,3") &&
			!takes(value_spot, "1x2") && !takes(value_extent, "80x") &&
			!takes(value_extent, "1x2147483648"),
		"neither has less, more or what an int does not hold");
}

static void test_sources(void)
{
	ok(takes(value_colour, "ff8000") && value.colour == 0xff8000, "a colour is RRGGBB");
	ok(takes(value_colour, "FF") && value.colour == 0xff,
		"of which zeros in front may be left out");
	ok(!takes(value_colour, "") && !takes(value_colour, "red") &&
			!takes(value_colour, "1000000") && !takes(value_colour, "-1"),
		"what is not hexadecimal, or too long, is none");
	ok(takes(value_priority, "255") && value.count == 255 && takes(value_priority, "Normal") &&
			value.count == 128,
		"a priority is a number or a name");
	ok(!takes(value_priority, "256") && !takes(value_priority, "-1") &&
			!takes(value_priority, "") && !takes(value_priority, "urgent"),
		"up to 255");
	for (size_t i = 0; priority_name(i); i++)
		ok(takes(value_priority, priority_name(i)), "%s is one", priority_name(i));
}

int main(void)
{
	test_ranges();
	test_choices();
	test_lengths();
	test_sweeps();
	test_pairs();
	test_sources();
	ok(is_error, "each error is E_USAGE and names the argument");
	return done();
}
