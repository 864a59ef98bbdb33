/* SPDX-License-Identifier: Apache-2.0 */
/* Statements over the tables of a world: an answer or an error, within memory and time. */
#include "tests/fuzz/fuzz.h"

#include <cellscope/cook.h>
#include <cellscope/query.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

const char fuzz_name[] = "SQL";

enum { MEMORY = 32 << 20, PATIENCE = 2 };

void fuzz_seeds(void (*add)(const void *bytes, size_t size))
{
	static const char *const texts[] = {
		"SELECT count(*), max(bytes), group_concat(name, ',') FROM cells GROUP BY level",
		"SELECT c.name, a.label FROM cells c JOIN actors a ON a.cell = c.name WHERE a.x > 1e3 "
		"ORDER BY a.y DESC, c.level LIMIT 5 OFFSET 2",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 99) "
		"SELECT sum(i), hex(zeroblob(9)), printf('%08.3f|%s', i, 'x') FROM n",
		"SELECT cell(name, 'state'), replace(name, 'L0', substr(name, 2)) LIKE '%a_b%' FROM cells",
		"SELECT json_extract('{\"a\":[1,2]}', '$.a[1]'), value FROM json_each('[1,\"x\"]')",
		"SELECT rank() OVER (PARTITION BY level ORDER BY bytes), CASE WHEN level = 0 THEN 1 END "
		"FROM cells WHERE name GLOB 'L*' AND level IN (0, 1) AND bytes BETWEEN 1 AND 9e9",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		add(texts[i], strlen(texts[i]));
}

const char *const fuzz_words[] = {"SELECT", "FROM", "cells", "actors", "WHERE", "GROUP BY",
	"ORDER BY", "UNION ALL", "replace(", "printf('%9999999s'", "zeroblob(999999999)",
	"randomblob(9e9)", "hex(", "group_concat(", "LIKE '%_%_%_%'", "GLOB '*a*b*c*'",
	"WITH RECURSIVE n(i) AS (", "LIMIT -1", "cells, cells, cells", "json_each(", "json_array(",
	"quote(", "instr(", "substr(", "||", "OVER (ORDER BY 1)", "NULL", "CAST(", "AS", "(", ")",
	",", "*", "'", "--", ";", "?", NULL};

static struct cs_query *query_of_world(void)
{
	static unsigned char *bytes; /* outlive the world */
	const struct cs_world_recipe recipe = {CS_WORLD_CITY, 30, 1};
	struct cs_world *world;
	struct cs_cook *cook;
	struct cs_cooked *cooked;
	struct cs_query *query;
	size_t n;
	if (cs_world_generate(&recipe, NULL, &world) || cs_cook(world, NULL, NULL, &cook) ||
		cs_cook_bytes(cook, &bytes, &n) ||
		cs_cooked_open_bytes(bytes, n, "world", NULL, &cooked) || cs_query_new(&query) ||
		cs_query_add_cooked(query, cooked))
		abort();
	cs_cook_free(cook);
	cs_world_free(world);
	return query;
}

static bool is_late(void *context)
{
	return clock() > *(const clock_t *)context;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct cs_query *query;
	struct cs_limits limits = cs_limits_default();
	clock_t end = clock() + PATIENCE * CLOCKS_PER_SEC;
	const struct cs_job job = {.limits = &limits, .interrupted = is_late, .context = &end};
	struct cs_result *result;
	char *text = malloc(size + 1);
	limits.memory = MEMORY;
	if (!query)
		query = query_of_world();
	memcpy(text, bytes, size);
	text[size] = '\0';
	cs_query_set_job(query, &job);
	struct cs_error *error = cs_query_select(query, text, (struct cs_parameters){0}, &result);
	if (!error)
		cs_result_free(result);
	fuzz_note(error);
	cs_query_set_job(query, NULL);
	free(text);
	return 0;
}
