/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of CSV profiles of the engine: each form that they have, what is refused, and runs that
 * take their frames. Lengths, places and loads are worked out by hand; a twin steps the same frames
 * with sim.FrameTime and moves its source by hand.
 */
#include "stream/stream_inside.h"
#include "tests/samples/folder.h"
#include "tests/unit/stream/stream_test.h"

#include "format/byte_source.h"
#include "format/save.h"

#include <cellscope/cooked_values.h>
#include <cellscope/runs.h>
#include <unistd.h>
#include <zlib.h>

static char file[4096];

static void name_file(const char *extension)
{
	const char *out = test_folder();
	snprintf(file, sizeof(file), "%s/profile.%ld%s", out, (long)getpid(), extension);
}

static struct cs_error *read_bytes(
	const void *bytes, size_t size, const char *extension, struct cs_path **path)
{
	name_file(extension);
	must(cs_save_whole(file, bytes, size));
	struct cs_error *error = cs_path_read(file, path);
	unlink(file);
	return error;
}

static struct cs_error *read_text(const char *text, struct cs_path **path)
{
	return read_bytes(text, strlen(text), ".csv", path);
}

#define VIEW   "View/PosX,View/PosY,View/PosZ,View/ForwardX,View/ForwardY,View/ForwardZ"
#define PAIRS  "[platform],Windows,[config],Development,[engineversion],5.5.4,"
#define SECRET "[commandline],\"Game -user=ada, -token=hunter2\"\n"

/* Five frames of 10, 40, 5, 100 and 10 ms, in which the source runs along x. */
static const char plain[] =
	"EVENTS,FrameTime,Other," VIEW ",Exclusive/GameThread/UpdateLevelStreaming\n"
	",10,x,0,0,100,1,0,0,0.5\n"
	"Map/Load;GC,40,x,1000,0,100,0,1,0,2\n"
	",5,x,2000,0,100,0,0,1,3\n"
	"\"a, b\",100,x,3000,0,100,-1,0,0,4\n"
	",10,,4000,0,100,0,0,0\n" PAIRS SECRET;

/*
 * The same frames, with the names once more at the end, columns in another order that grew during
 * the run, and blanks around values.
 */
static const char at_end[] =
	"EVENTS,FrameTime," VIEW "\r\n"
	",10,0,0,100,1,0,0\r\n"
	"Map/Load;GC \t,40\t , 1000,0,100,0,1,0 \r\n"
	",5,2000,0,100,0,0,1,3\r\n"
	"\"a, b\",100,3000,0,100,-1,0,0,4,64\r\n"
	",10,4000,0,100\r\n"
	"EVENTS,FrameTime," VIEW
	",Exclusive/GameThread/UpdateLevelStreaming,FileIO/QueuedPackagesQueueDepth\r\n"
	"[platform],Windows,[HasHeaderRowAtEnd],1,[config],Test," SECRET;

static const double lengths[] = {10, 40, 5, 100, 10};
enum { FRAMES = 5 };

static void check_frames(const struct cs_path *path, const char *form)
{
	static const double yaw[] = {0, 90, 0, 180, 180}, pitch[] = {0, 0, 90, 0, 0};
	const struct cs_path_key *keys;
	const struct cs_path_frame *frames = cs_path_frames(path);
	bool sound = cs_path_keys(path, &keys) == FRAMES && frames;
	double end = 0;
	for (int i = 0; sound && i < FRAMES; i++) {
		end += lengths[i];
		sound = frames[i].length_ns == (uint64_t)(lengths[i] * 1e6) &&
			fabs(keys[i].time * 1e3 - end) < 1e-9 && keys[i].position.x == i * 1000 &&
			keys[i].position.z == 100 && fabs(keys[i].rotation.yaw - yaw[i]) < 1e-9 &&
			fabs(keys[i].rotation.pitch - pitch[i]) < 1e-9;
	}
	ok(sound, "%s: lengths, places and directions of five frames", form);
	ok(frames && !frames[0].events && frames[1].events &&
			strcmp(frames[1].events, "Map/Load;GC") == 0 &&
			strcmp(frames[3].events, "a, b") == 0,
		"%s: events", form);
	ok(frames && frames[3].values[CS_RECORDED_LEVEL_STREAMING] == 4 &&
			frames[4].values[CS_RECORDED_LEVEL_STREAMING] == 0 &&
			isnan(frames[0].values[CS_RECORDED_CONSIDERED]),
		"%s: what a row lacks is 0, what all lack is unknown", form);
}

/* Packs the text with zlib itself, in two members. */
static size_t pack(const char *text, unsigned char *ret, size_t room)
{
	size_t half = strlen(text) / 2, n = 0;
	for (int i = 0; i < 2; i++) {
		z_stream z = {0};
		if (deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) != Z_OK)
			abort();
		z.next_in = (unsigned char *)text + (i ? half : 0);
		z.avail_in = (unsigned)(i ? strlen(text) - half : half);
		z.next_out = ret + n;
		z.avail_out = (unsigned)(room - n);
		if (deflate(&z, Z_FINISH) != Z_STREAM_END)
			abort();
		n = (size_t)(z.next_out - ret);
		deflateEnd(&z);
	}
	return n;
}

static void test_forms(void)
{
	struct cs_path *path;
	unsigned char packed[4096];
	const struct cs_path_frame *frames;
	must(read_text(plain, &path));
	check_frames(path, "plain");
	cs_path_free(path);
	must(read_text(at_end, &path));
	check_frames(path, "header at the end");
	frames = cs_path_frames(path);
	ok(frames[2].values[CS_RECORDED_QUEUED] == 0 && frames[3].values[CS_RECORDED_QUEUED] == 64,
		"header at the end: a column that came late");
	cs_path_free(path);
	must(read_bytes(packed, pack(at_end, packed, sizeof(packed)), ".csv.gz", &path));
	check_frames(path, "gzip");
	cs_path_free(path);
}

/* A path begins with the first frame that has a position, whose columns may come late. */
static void test_late_position(void)
{
	static const char text[] =
		"EVENTS,FrameTime\n,20\n,30,5,6,7\nEVENTS,FrameTime,View/PosX,View/PosY,"
		"View/PosZ\n[HasHeaderRowAtEnd],1\n";
	struct cs_path *path;
	const struct cs_path_key *keys;
	must(read_text(text, &path));
	ok(cs_path_keys(path, &keys) == 1 && keys[0].position.x == 5 &&
			cs_path_frames(path)[0].length_ns == 30000000,
		"frames before the position are left out");
	cs_path_free(path);
}

/* Compares the X and Z axes of a rotator with those of UE's rotation matrix. */
static void test_directions(void)
{
	static const double turns[][3] = {
		{0, 0, 0}, {30, 40, 50}, {-60, 170, -120}, {10, -90, 180}, {89, 5, 3}};
	const double radians = acos(-1.0) / 180;
	for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++) {
		double sp = sin(turns[i][0] * radians), cp = cos(turns[i][0] * radians);
		double sy = sin(turns[i][1] * radians), cy = cos(turns[i][1] * radians);
		double sr = sin(turns[i][2] * radians), cr = cos(turns[i][2] * radians);
		struct cs_path *path;
		const struct cs_path_key *keys;
		char text[1024];
		snprintf(text, sizeof(text),
			"EVENTS,FrameTime," VIEW ",View/UpX,View/UpY,View/UpZ\n"
			",1,0,0,0,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n[platform],x\n",
			cp * cy, cp * sy, sp, -(cr * sp * cy + sr * sy), cy * sr - cr * sp * sy,
			cr * cp);
		must(read_text(text, &path));
		cs_path_keys(path, &keys);
		const struct cs_rotator r = keys[0].rotation;
		ok(fabs(r.pitch - turns[i][0]) < 1e-9 && fabs(r.yaw - turns[i][1]) < 1e-9 &&
				fabs(remainder(r.roll - turns[i][2], 360)) < 1e-9,
			"directions: %g %g %g", turns[i][0], turns[i][1], turns[i][2]);
		cs_path_free(path);
	}
}

/* A number that is not finite costs a frame its length or its place, but changes no other frame. */
static void test_not_finite(void)
{
	static const char text[] =
		"EVENTS,FrameTime,GameThreadTime," VIEW ",View/UpX,View/UpY,View/UpZ\n"
		",10,1,5,6,7,0,1,0,0,0,1\n,-nan(ind),1,6,6,7,0,1,0,0,0,1\n"
		",20,1.#IND,9,inf,7,NaN,1,0,0,0,1\n,40,1,8,8,8,0,-1,0,-Inf,0,1\n[platform],x\n";
	struct cs_path *path;
	must(read_text(text, &path));
	const struct cs_path_view view = cs_path_view(path);
	ok(view.n == 3 && view.unknown_frames == 2 && view.frames[1].length_ns == 20000000,
		"not finite: the frame without length is left out, and both are counted");
	ok(view.keys[1].position.x == 6 && view.keys[1].position.y == 6 &&
			fabs(view.keys[1].rotation.yaw - 90) < 1e-9 &&
			isnan(view.frames[1].values[CS_RECORDED_GAME_THREAD]),
		"not finite: place and direction stay, a measured time is unknown");
	ok(view.keys[2].position.x == 8 && fabs(view.keys[2].rotation.yaw + 90) < 1e-9 &&
			view.keys[2].rotation.roll == 0 && fabs(view.keys[2].time - 0.07) < 1e-9,
		"not finite: the frame behind has its own");
	cs_path_free(path);
}

/* ---- what is refused ---- */

static void refused(const char *text, enum cs_code code)
{
	struct cs_path *path = NULL;
	fails(read_text(text, &path), code, "refused: %.50s", text);
}

#define HEAD "EVENTS,FrameTime,View/PosX,View/PosY,View/PosZ\n"

static void test_refused(void)
{
	struct cs_path *path = NULL;
	refused("Name,Salary\nAda,1\n", CS_E_SETTING);
	refused("a,b,c,d\n1,2,3,4\n", CS_E_SETTING);
	refused("EVENTS,FrameTime\n,16\n[platform],x\n", CS_E_MISSING);
	refused("EVENTS,View/PosX,View/PosY,View/PosZ\n,1,2,3\n[platform],x\n", CS_E_MISSING);
	refused(HEAD "[platform],x\n", CS_E_MISSING);
	refused(HEAD, CS_E_TRUNCATED);
	refused(HEAD ",16,1,2,3\n", CS_E_TRUNCATED);
	refused(HEAD ",16,1,2,3\n[platform]", CS_E_TRUNCATED);
	refused(HEAD ",16,1,2,3\n[commandline],\"-token=hunt", CS_E_TRUNCATED);
	refused(HEAD ",16,1,2,3\n[HasHeaderRowAtEnd],1\n", CS_E_TRUNCATED);
	refused(HEAD ",16,1,2,3,4\n[platform],x\n", CS_E_SETTING);
	refused(HEAD ",-1,1,2,3\n[platform],x\n", CS_E_SETTING);
	refused(HEAD ",1e9,1,2,3\n[platform],x\n", CS_E_SETTING);
	refused(HEAD "\"say \"\"a\nb\"\"\",16,1,2,3\n[platform],x\n", CS_E_SETTING);
	refused(HEAD ",16,nix,2,3\n[platform],x\n", CS_E_SETTING);
	refused(HEAD ",16,nan,2,3\n[platform],x\n", CS_E_MISSING);
	refused(HEAD ",16,1,2,3\n[platform],x\n" HEAD ",16,4,5,6\n[platform],x\n", CS_E_SETTING);
	refused(HEAD ",16,1,2,3\n" HEAD ",16,4,5,6\n[platform],x\n", CS_E_SETTING);
	refused(HEAD ",16,1,2,3\nEVENTS,View/PosX,FrameTime,View/PosY,View/PosZ\n,4,16,5,6\n"
		     "[platform],x\n",
		CS_E_SETTING);
	refused(HEAD ",16,1e300,2,3\n[platform],x\n", CS_E_SETTING);
	fails(read_bytes(plain, strlen(plain), ".csv.bin", &path), CS_E_FEATURE,
		"refused: .csv.bin, by its name");
	struct cs_error *error = read_bytes("\xff\xfet\0,\0", 6, ".csv", &path);
	ok(error && strstr(error->message, "UTF-16"), "refused: UTF-16, which is not binary");
	cs_error_free(error);
	fails(read_bytes("CSVB\0\1\2\3", 8, ".csv", &path), CS_E_FEATURE,
		"refused: .csv.bin, by its bytes");
}

/*
 * A profile that is cut anywhere is read whole, or gives a named error in which no secret of its
 * user is quoted.
 */
static void test_cuts(void)
{
	bool sound = true, quiet = true;
	size_t whole = 0;
	char text[sizeof(at_end)];
	for (size_t n = 1; n < sizeof(at_end); n++) {
		struct cs_path *path = NULL;
		memcpy(text, at_end, n);
		struct cs_error *error = read_bytes(text, n, ".csv", &path);
		whole += !error;
		sound = sound &&
			(!error || error->code == CS_E_TRUNCATED || error->code == CS_E_SETTING);
		quiet = quiet && !(error && (strstr(error->message, "hunter") ||
						    strstr(error->message, "=ada")));
		cs_error_free(error);
		cs_path_free(path);
	}
	ok(sound, "cuts: every one has its name");
	ok(quiet, "cuts: the command line is in no message");
	ok(whole < 80, "cuts: only in the pairs behind the frames may one pass (%zu)", whole);
}

static void test_gzip(void)
{
	unsigned char packed[4096], damaged[4096];
	size_t size = pack(plain, packed, sizeof(packed)), whole = 0;
	bool sound = true;
	struct cs_path *path = NULL;
	for (size_t n = 2; n < size; n++) {
		struct cs_error *error = read_bytes(packed, n, ".csv.gz", &path);
		sound = sound && error && error->code == CS_E_TRUNCATED;
		cs_error_free(error);
	}
	ok(sound, "gzip: every cut is told");
	for (size_t i = 10; i < size; i++) {
		memcpy(damaged, packed, size);
		damaged[i] ^= 4;
		struct cs_error *error = read_bytes(damaged, size, ".csv.gz", &path);
		if (!error)
			cs_path_free(path);
		whole += !error;
		cs_error_free(error);
	}
	ok(whole <= 10, "gzip: damage is told, but in the header of a member (%zu)", whole);
	memcpy(packed + size, "more", 4);
	fails(read_bytes(packed, size + 4, ".csv.gz", &path), CS_E_TRAILING,
		"gzip: more behind it");
}

/* ---- runs ---- */

/* Opens a row of cells with one actor each, along x from 0 on; a load takes 45 ms. */
static void open_row(struct bench *b)
{
	worlds_init(&b->w, "5.4");
	uint32_t grid = worlds_partition(&b->w, "MainGrid", CS_PARTITION_LHGRID, 1000, 1500);
	worlds_square(&b->w, grid, 0, -2, -1, 8, 1, 1);
	start(b, NULL);
	set_load_frames(b->s, 1);
	set(b->s, "sim.Latency", "45");
	set(b->s, "sim.ShowPerActor", "1");
	set(b->s, "wp.Runtime.UpdateStreaming.LocationQuantization", "0");
	add_source(b->s, "P", 0, 0);
}

static void follow(struct bench *b, const char *text, bool loop)
{
	struct cs_path *path;
	must(read_text(text, &path));
	must(cs_stream_source_follow(b->s, "P", path, loop));
	cs_path_free(path);
}

static const struct cs_stream_frame *frame_of(const struct bench *b, uint64_t number)
{
	return cs_stream_frame(b->s, number);
}

static void test_run(void)
{
	struct bench b;
	open_row(&b);
	follow(&b, plain, false);
	step(&b, FRAMES + 2);
	static const uint64_t ends[] = {10, 50, 55, 155, 165, 175, 185};
	bool times = true, records = true;
	for (int i = 0; i < FRAMES + 2; i++) {
		const struct cs_stream_frame *frame = frame_of(&b, (uint64_t)i + 1);
		times = times && frame->time_ns == ends[i] * 1000000;
		records = records && (frame->recorded != NULL) == (i < FRAMES);
	}
	ok(times, "run: frames are as long as they were, then sim.FrameTime again");
	ok(records, "run: the record stands beside its frames alone");
	is_int(frame_of(&b, 2)->recorded->values[CS_RECORDED_LEVEL_STREAMING], 2,
		"run: what was measured in the second frame");
	ok(frame_of(&b, 1)->loads > 0 && frame_of(&b, 2)->loaded == 0 &&
			frame_of(&b, 3)->loaded == frame_of(&b, 1)->loads,
		"run: what begins at 10 ms and takes 45 is there at 55, in the third frame");
	ok(cs_stream_source_at(b.s, 0).source->location.x == 4000, "run: it ends at the last row");
	finish(&b);
}

/* A run whose source is moved by hand equals one whose source follows the record. */
static void test_twin(void)
{
	struct bench b, twin;
	const struct cs_path_key *keys;
	bool same = true;
	open_row(&b);
	open_row(&twin);
	follow(&b, at_end, true);
	cs_path_keys(b.s->sources.paths.at[0], &keys);
	for (int i = 0; i < 40; i++) {
		char text[32];
		snprintf(text, sizeof(text), "%g", lengths[i % FRAMES]);
		set(twin.s, "sim.FrameTime", text);
		must(cs_stream_source_move(twin.s, "P", (struct cs_vec3){i % FRAMES * 1000, 0, 100},
			keys[i % FRAMES].rotation));
		step(&b, 1);
		step(&twin, 1);
		struct cs_stream_frame left = *frame_of(&b, (uint64_t)i + 1),
				       right = *frame_of(&twin, (uint64_t)i + 1);
		left.recorded = right.recorded = NULL;
		same = same && left.time_ns == right.time_ns && left.loads == right.loads &&
		       left.loaded == right.loaded && left.shows == right.shows &&
		       left.unloads == right.unloads && left.work_ns == right.work_ns &&
		       left.waiting == right.waiting && left.length_ns == right.length_ns &&
		       left.cells_visible == right.cells_visible;
	}
	ok(same, "twin: forty frames of a loop equal those that were set by hand");
	finish(&b);
	finish(&twin);
}

static void test_back(void)
{
	struct bench b, again;
	uint64_t hashes[31];
	bool same = true;
	uint32_t point;
	open_row(&b);
	open_row(&again);
	step(&b, 3);
	step(&again, 3);
	follow(&b, plain, true);
	follow(&again, plain, true);
	must(cs_stream_checkpoint(b.s, &point));
	for (int i = 3; i <= 30; i++) {
		hashes[i] = hash_of(&b);
		same = same && hashes[i] == hash_of(&again);
		step(&b, 1);
		step(&again, 1);
	}
	ok(same, "back: a second run has the same hashes");
	for (int i = 30; i >= 3; i -= 4) {
		must(cs_stream_goto(b.s, (uint64_t)i));
		same = same && hash_of(&b) == hashes[i];
	}
	ok(same, "back: and so has every frame that is gone back to");
	const struct cs_path_frame *recorded = frame_of(&b, 5) ? frame_of(&b, 5)->recorded : NULL;
	must(cs_stream_goto(b.s, 30));
	ok(!recorded || recorded == frame_of(&b, 5)->recorded, "back: with its record");
	must(cs_stream_restart(b.s, point));
	step(&b, 4);
	is_int(hash_of(&b) == hashes[7], true, "back: and from a checkpoint");
	finish(&b);
	finish(&again);
}

/* A wait of the simulation skips no rows of the record. */
static void test_wait(void)
{
	struct bench b;
	open_row(&b);
	follow(&b, plain, false);
	must(cs_stream_block(b.s));
	step(&b, 2);
	const struct cs_stream_frame *first = frame_of(&b, 1), *second = frame_of(&b, 2);
	ok(first->stall_ns >= 45000000 && second->length_ns == 40000000 &&
			second->time_ns == first->time_ns + 40000000,
		"wait: the frame behind it is the second of the record");
	is_int(cs_stream_source_at(b.s, 0).source->location.x, 1000, "wait: at its place");
	finish(&b);
}

/* ---- the fit ---- */

enum { FITTED = 40 };

static uint32_t actors_loaded(const struct bench *b, uint64_t frame)
{
	uint32_t n = 0;
	for (uint64_t i = 0; i < cs_stream_event_count(b->s); i++) {
		const struct cs_stream_event *event = cs_stream_event_at(b->s, i);
		n += event->frame == frame && cs_moment_of(event) == CS_MOMENT_CELL_LOADED;
	}
	return n; /* each cell has one */
}

/* Makes a record of the same run on a machine with known costs, which the fit must find. */
static struct cs_path *plant(struct bench *b)
{
	struct cs_path *path;
	open_row(b);
	set(b->s, "sim.HidePerActor", "0.5");
	must(cs_path_new(&path));
	for (uint64_t i = 1; i <= FITTED; i++) {
		const struct cs_path_key key = {.position = {(double)i * 150, 0, 100}};
		must(cs_stream_source_move(b->s, "P", key.position, key.rotation));
		step(b, 1);
		const struct cs_stream_frame *frame = frame_of(b, i);
		struct cs_path_frame row = {.length_ns = frame->length_ns};
		for (int k = 0; k < CS_RECORDED_COUNT; k++)
			row.values[k] = (double)NAN;
		row.values[CS_RECORDED_LEVEL_STREAMING] = 3e-6 * (double)frame->work_ns;
		row.values[CS_RECORDED_ASYNC_LOADING] = 0.5 * actors_loaded(b, i);
		row.values[CS_RECORDED_STREAMING] = 0.25 * frame->evaluated;
		row.values[CS_RECORDED_QUEUED] = 2.0 * frame->loading;
		must(cs_path_add_frame(path, &key, &row));
	}
	finish(b);
	return path;
}

static void test_fit(void)
{
	struct bench b;
	struct cs_fit fits[CS_FITS];
	struct cs_path *path = plant(&b);
	open_row(&b);
	set(b.s, "sim.HidePerActor", "0.5");
	fails(cs_fit_model(b.s, true, fits), CS_E_NOFRAME, "fit: without a record");
	must(cs_stream_source_follow(b.s, "P", path, false));
	step(&b, FITTED + 3);
	must(cs_fit_model(b.s, true, fits));
	static const double planted[] = {[CS_FIT_SHOW] = 3,
		[CS_FIT_HIDE] = 1.5,
		[CS_FIT_CREATE] = 0.5,
		[CS_FIT_UPDATE] = 0.25};
	for (int i = 0; i < CS_FIT_LATENCY; i++) {
		ok(fits[i].fitted && fits[i].frames == FITTED &&
				fabs(fits[i].after - planted[i]) < 1e-9,
			"fit: %s is what was planted (%g)", fits[i].variable, fits[i].after);
		ok(isnan(fits[i].goodness) || fabs(fits[i].goodness - 1) < 1e-9,
			"fit: %s meets every frame", fits[i].variable);
	}
	const struct cs_fit *latency = &fits[CS_FIT_LATENCY];
	ok(fabs(latency->after - 45 - latency->simulated) < 1e-9 &&
			fabs(latency->measured - 2 * latency->simulated) < 1e-9,
		"fit: twice the queue is twice the time of a load (%g)", latency->after);
	must(cs_fit_model(b.s, false, fits));
	is_int((int)cs_stream_variable(b.s, cs_stream_find_variable("sim.ShowPerActor")).number, 3,
		"fit: and the model has it");
	cs_path_free(path);
	finish(&b);
}

int main(void)
{
	test_forms();
	test_late_position();
	test_directions();
	test_not_finite();
	test_refused();
	test_cuts();
	test_gzip();
	test_run();
	test_twin();
	test_back();
	test_wait();
	test_fit();
	return done();
}
