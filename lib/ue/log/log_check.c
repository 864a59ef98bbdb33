/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects truncated logs. A log does not contain its length, so signs of truncation are looked for:
 * a last line without newline, announced content that is missing, spatially loaded actors that are
 * in no cell, actors in more than one cell. Complete logs may have some of these for other reasons
 * (such as an actor filter), so they are only warnings. So is a cell that is described twice, as
 * two cooks leave it that wrote into one log at the same time.
 */
#include "ue/log/log.h"

#include "core/guid.h"
#include "core/job.h"
#include "core/search.h"
#include "core/sort.h"
#include "core/text.h"

#include <string.h>

static void warn_cut(const struct cs_job *job, const char *name, const char *what)
{
	cs_job_log(job, CS_LOG_WARNING, "%s: %s: the log is truncated", name, what);
}

/* ---- described actors that no cell lists ---- */

static bool has_guid(const struct cs_guid *guids, size_t n, struct cs_guid guid)
{
	size_t at = cs_lower_bound(0, n, i, cs_guid_compare(guids[i], guid) < 0);
	return at < n && cs_guid_compare(guids[at], guid) == 0;
}

static bool has_name(const char *const *names, size_t n, const char *name)
{
	size_t at = cs_lower_bound(0, n, i, strcmp(names[i], name) < 0);
	return at < n && strcmp(names[at], name) == 0;
}

/*
 * Returns whether an actor should be in a cell: it is in the main container, spatially loaded, not
 * editor-only and no level instance.
 */
static bool belongs_in_a_cell(const struct cs_ue_log_desc *desc)
{
	return desc->container == 0 && desc->flags & CS_ACTOR_OWN_SPATIAL &&
	       !(desc->flags & CS_ACTOR_EDITOR_ONLY) &&
	       !strstr(desc->native_class, "LevelInstance");
}

/* Stores in `names` the actors that the log lists without a GUID, and returns their number. */
static size_t list_names(const struct cs_ue_log_data *data, const char **names)
{
	size_t n = 0;
	for (size_t i = 0; i < data->always_loaded.n; i++)
		names[n++] = cs_object_name(data->always_loaded.at[i].path);
	for (size_t i = 0; i < data->actors.n; i++)
		if (cs_guid_is_zero(data->actors.at[i].instance))
			names[n++] = cs_object_name(data->actors.at[i].path);
	return n;
}

static size_t count_missing(const struct cs_ue_log_data *data, const struct cs_guid *guids,
	const char *const *names, size_t n_names)
{
	size_t missing = 0;
	for (size_t i = 0; i < data->descs.n; i++) {
		const struct cs_ue_log_desc *desc = &data->descs.at[i];
		missing += belongs_in_a_cell(desc) &&
			   !has_guid(guids, data->actors.n, desc->guid) &&
			   !has_name(names, n_names, desc->name);
	}
	return missing;
}

/* Counts the GUIDs that occur more than once in a sorted list. Zero GUIDs are ignored. */
static size_t count_listed_again(const struct cs_guid *guids, size_t n)
{
	size_t twice = 0;
	for (size_t i = 1; i < n; i++)
		twice += cs_guid_compare(guids[i], guids[i - 1]) == 0 &&
			 !cs_guid_is_zero(guids[i]) &&
			 (i < 2 || cs_guid_compare(guids[i - 2], guids[i]) != 0);
	return twice;
}

static struct cs_error *check_actors(
	const struct cs_ue_log_data *data, const struct cs_job *job, const char *name)
{
	struct cs_guid *guids = malloc((data->actors.n + 1) * sizeof(*guids));
	const char **names = malloc((data->always_loaded.n + data->actors.n + 1) * sizeof(*names));
	const size_t n_names = names ? list_names(data, names) : 0;
	for (size_t i = 0; guids && i < data->actors.n; i++)
		guids[i] = data->actors.at[i].instance;
	bool good = guids && names &&
		    cs_sort(guids, data->actors.n, sizeof(*guids), cs_compare_guids, NULL) &&
		    cs_sort(names, n_names, sizeof(*names), cs_compare_texts, NULL);
	size_t missing = good ? count_missing(data, guids, names, n_names) : 0;
	size_t twice = good ? count_listed_again(guids, data->actors.n) : 0;
	free(guids);
	free(names);
	if (twice)
		cs_job_log(job, CS_LOG_WARNING,
			"%s: %zu actor%s more than one cell: the log contradicts itself", name,
			twice, twice == 1 ? " is listed in" : "s are listed in");
	if (missing)
		cs_job_log(job, CS_LOG_WARNING,
			"%s: %zu spatially loaded actor%s described but in no cell: the log is "
			"truncated, or the cook left them out",
			name, missing, missing == 1 ? " is" : "s are");
	return good ? NULL : cs_error_nomem();
}

static struct cs_error *check_repeated_cells(
	const struct cs_ue_log_data *data, const struct cs_job *job, const char *name)
{
	const size_t n = data->cells.n;
	const char **names = malloc((n + 1) * sizeof(*names));
	size_t twice = 0;
	for (size_t i = 0; names && i < n; i++)
		names[i] = data->cells.at[i].name;
	const bool good = names && cs_sort(names, n, sizeof(*names), cs_compare_texts, NULL);
	for (size_t i = 1; good && i < n; i++)
		twice += strcmp(names[i], names[i - 1]) == 0;
	free(names);
	if (twice)
		cs_job_log(job, CS_LOG_WARNING,
			"%s: %zu cell%s described more than once, as if two cooks wrote into the "
			"log at the same time",
			name, twice, twice == 1 ? " is" : "s are");
	return good ? NULL : cs_error_nomem();
}

struct cs_error *cs_ue_log_check_end(const struct cs_ue_log_data *data,
	const struct cs_source_file *source, bool ended, const struct cs_job *job)
{
	if (!ended)
		warn_cut(job, source->name, "the file ends in the middle of a line");
	if (data->cells.n == 0 && data->always_loaded.n == 0) {
		warn_cut(job, source->name, "the file describes actors, but no cell");
		return NULL;
	}
	if (data->packages.n == 0)
		cs_job_log(job, CS_LOG_WARNING,
			"%s: the log describes no containers, so actors have no properties: it lacks "
			"its beginning",
			source->name);
	struct cs_error *error = check_repeated_cells(data, job, source->name);
	return error ? error : check_actors(data, job, source->name);
}
