/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines the tables about page streaming: the cameras, and a record of every frame; and columns of
 * other tables that show the current state of pages, clusters and groups. Without a run only root
 * pages are resident, and the two tables are empty.
 */
#include "core/search.h"
#include "nanite/paging/pager_inside.h"
#include "query/tables/table_nanite.h"

#include <cellscope/paging.h>

static const struct cs_pager *pager_of(const struct cs_row *row)
{
	return ((const struct cs_nanite_source *)row->source)->pager;
}

/* ---- columns of other tables about the run ---- */

enum { LONG_AGO = 0 };

static struct cs_value frame_value(uint64_t frame)
{
	return frame > LONG_AGO ? cs_integer((int64_t)frame) : cs_null();
}

void cs_nanite_page_state(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct cs_pager *pager = pager_of(row);
	const struct cs_model_page *page = row->record;
	*ret = cs_null();
	if (!pager) {
		if (column->argument == CS_PAGE_COLUMN_STATE)
			*ret = cs_text(cs_word(
				CS_WORDS_PAGE_STATE, page->root ? CS_PAGE_ROOT : CS_PAGE_ABSENT)
					       ->name);
		return;
	}
	const struct cs_page_status status = cs_pager_page(pager, row->index);
	const struct cs_value values[CS_PAGE_COLUMNS] = {
		[CS_PAGE_COLUMN_STATE] = cs_text(cs_word(CS_WORDS_PAGE_STATE, status.state)->name),
		[CS_PAGE_COLUMN_SINCE] = frame_value(status.since),
		[CS_PAGE_COLUMN_USED] = frame_value(status.last_used),
		[CS_PAGE_COLUMN_PRIORITY] =
			status.requests ? cs_number((double)status.priority) : cs_null(),
		[CS_PAGE_COLUMN_REQUESTS] = cs_integer(status.requests),
		[CS_PAGE_COLUMN_INSTALLS] = cs_integer(status.installs),
		[CS_PAGE_COLUMN_EVICTIONS] = cs_integer(status.evictions),
		[CS_PAGE_COLUMN_STRANDED] =
			cs_bool(status.state == CS_PAGE_RESIDENT && status.stranded),
	};
	*ret = values[column->argument];
}

void cs_nanite_cluster_drawn(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	static const char *const names[] = {"hidden", "drawn", "coarse"};
	const struct cs_pager *pager = pager_of(row);
	(void)column;
	*ret = pager ? cs_text(names[cs_pager_cluster(pager, row->index)]) : cs_null();
}

CS_READER(cs_nanite_group_loaded,
	pager_of(row) ? cs_bool(cs_pager_group(pager_of(row), row->index)) : cs_null())

/* ---- the table of cameras ---- */

static size_t camera_count(const void *source)
{
	const struct cs_pager *pager = ((const struct cs_nanite_source *)source)->pager;
	return pager ? cs_pager_view(pager).n_cameras : 0;
}

static const void *camera_row(const void *source, size_t index)
{
	return cs_pager_camera(((const struct cs_nanite_source *)source)->pager, index);
}

static const char *camera_kind(const struct cs_camera *at)
{
	static const char *const names[] = {"fixed", "orbit", "path", "follow"};
	return names[at->kind];
}

CS_GETTER(get_camera_name, cs_camera, cs_text(at->name))
CS_GETTER(get_camera_kind, cs_camera, cs_text(camera_kind(at)))
CS_GETTER(get_camera_near, cs_camera, at->near > 0 ? cs_number(at->near) : cs_null())
CS_GETTER(get_camera_period, cs_camera, at->period > 0 ? cs_number(at->period) : cs_null())
CS_GETTER(get_camera_leader, cs_camera, *at->leader ? cs_text(at->leader) : cs_null())

static void get_camera_place(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct cs_camera_key place = cs_pager_camera_place(pager_of(row), row->index);
	*ret = cs_vec3_value(column->argument ? place.target : place.eye);
}

static const struct cs_column camera_columns[] = {
	CS_VALUE("name", TEXT, get_camera_name, "name of the camera", CS_SHORT_KEY),
	CS_VALUE("kind", TEXT, get_camera_kind, "fixed, orbit, path or follow", CS_SHORT),
	CS_VALUE("eye", VEC3, get_camera_place, "position of the camera now", CS_SHORT),
	CS_VALUE("target", VEC3, get_camera_place, "point that the camera looks at now",
		.argument = 1, CS_SHORT),
	CS_COLUMN("fov", cs_camera, fov, NUMBER, f64, "vertical field of view", .unit = "degrees",
		CS_SHORT),
	CS_COLUMN("height", cs_camera, height, NUMBER, f64, "height of the picture",
		.unit = "pixels", CS_SHORT),
	CS_COLUMN("aspect", cs_camera, aspect, NUMBER, f64,
		"width of the picture divided by its height"),
	CS_VALUE("near", NUMBER, get_camera_near,
		"least distance that counts; none: 1/1000 of the diagonal of each mesh"),
	CS_VALUE("follows", TEXT, get_camera_leader, "streaming source that the camera follows"),
	CS_VALUE("period", NUMBER, get_camera_period, "duration of one orbit or of the path",
		.unit = "seconds"),
};

const struct cs_table cs_nanite_cameras_table = {
	.name = "cameras",
	.row_name = "camera",
	.changes = true,
	.doc = "Cameras, which request pages.",
	CS_COLUMNS(camera_columns),
	.missing = CS_E_MISSING,
	CS_ROWS(camera),
};

/* ---- the table of frames ---- */

static uint64_t table_nanite_paging_first_frame(const struct cs_pager *pager)
{
	uint64_t end = cs_pager_view(pager).frame + 1;
	return cs_lower_bound(1, end, frame, !cs_pager_frame_at(pager, frame));
}

static size_t table_nanite_paging_frame_count(const void *source)
{
	const struct cs_pager *pager = ((const struct cs_nanite_source *)source)->pager;
	return pager ? (size_t)(cs_pager_view(pager).frame + 1 -
				table_nanite_paging_first_frame(pager))
		     : 0;
}

static const void *table_nanite_paging_frame_row(const void *source, size_t index)
{
	const struct cs_pager *pager = ((const struct cs_nanite_source *)source)->pager;
	return cs_pager_frame_at(pager, table_nanite_paging_first_frame(pager) + index);
}

CS_GETTER(get_hit_rate, cs_page_frame,
	at->pages ? cs_number((double)at->resident / at->pages) : cs_null())
CS_GETTER(get_time, cs_page_frame, cs_number((double)at->time / 1e9))

#define FRAME(key, member, type, reader, text, ...) \
	CS_MEMBER(key, cs_page_frame, member, type, reader, text, __VA_ARGS__)

static const struct cs_column frame_columns[] = {
	FRAME("frame", frame, INTEGER, u64, "number of the frame", CS_SHORT),
	CS_VALUE("time", NUMBER, get_time, "virtual time", .unit = "seconds"),
	FRAME("slots", slots, INTEGER, u32, "number of hierarchy slots that were visited"),
	FRAME("inner", inner, INTEGER, u32,
		"number of visited slots whose child node is visited too"),
	FRAME("leaves", leaves, INTEGER, u32,
		"number of visited slots whose part of a group is wanted"),
	FRAME("requests", requests, INTEGER, u32, "number of groups that were requested", CS_SHORT),
	FRAME("pages", pages, INTEGER, u32,
		"number of different pages whose requests take effect in this frame", CS_SHORT),
	FRAME("resident", resident, INTEGER, u32, "number of requested pages that were in memory",
		CS_SHORT),
	FRAME("missing", missing, INTEGER, u32, "number of requested pages that were not in memory",
		CS_SHORT),
	CS_VALUE("hit_rate", NUMBER, get_hit_rate, "resident divided by pages, 0..1"),
	FRAME("dropped", dropped, INTEGER, u32,
		"number of missing pages that were not read: the pool or the queue of "
		"reads was full"),
	FRAME("min_priority", min_priority, NUMBER, float,
		"smallest priority of a request: error divided by the threshold"),
	FRAME("max_priority", max_priority, NUMBER, float,
		"largest priority of a request; pages that other pages need have one more"),
	FRAME("used", used, INTEGER, u32, "number of slots of the pool in use", CS_SHORT),
	FRAME("issued", issued, INTEGER, u32, "number of reads that began"),
	FRAME("loading", loading, INTEGER, u32,
		"number of reads in progress at the end of the frame", CS_SHORT),
	FRAME("installed", installed, INTEGER, u32, "pages installed", CS_SHORT),
	FRAME("evicted", evicted, INTEGER, u32, "pages evicted", CS_SHORT),
	FRAME("thrash", thrash, INTEGER, u32,
		"number of pages read again within 60 frames after they were evicted"),
	FRAME("bytes_read", bytes_read, INTEGER, u64, "bytes of the reads that began"),
	FRAME("bytes_installed", bytes_installed, INTEGER, u64,
		"bytes of memory that installed pages filled"),
	FRAME("clusters", clusters, INTEGER, u32,
		"clusters drawn, once for each camera and instance", CS_SHORT),
	FRAME("triangles", triangles, INTEGER, u32, "triangles drawn"),
	FRAME("coarse", coarse, INTEGER, u32,
		"number of clusters drawn coarser than wanted, because no finer ones are "
		"loaded",
		CS_SHORT),
	CS_COLUMN("worst", cs_page_frame, worst, NUMBER, f64, "largest error of the drawn clusters",
		.unit = "pixels", CS_SHORT),
	FRAME("stranded", stranded, INTEGER, u32,
		"number of loaded pages with a group that is not usable"),
	FRAME("overlaps", overlaps, INTEGER, u32,
		"number of clusters that only the fixups draw (pool literal 1), not "
		"the exact rule"),
	FRAME("holes", holes, INTEGER, u32,
		"number of clusters that the exact rule draws, but not the fixups alone"),
	CS_COLUMN("quality", cs_page_frame, quality, NUMBER, f64,
		"number by which the threshold is divided; 1 = the threshold is as set"),
	FRAME("stable", stable, BOOL, flag, "all requested pages are loaded"),
};

const struct cs_table cs_nanite_frames_table = {
	.name = "page_frames",
	.row_name = "page_frame",
	.changes = true,
	.doc = "The last frames of page streaming, oldest first.",
	CS_COLUMNS(frame_columns),
	.missing = CS_E_NOFRAME,
	CS_ROWS(table_nanite_paging_frame),
};
