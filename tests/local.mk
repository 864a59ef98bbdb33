# SPDX-License-Identifier: Apache-2.0
# Unit tests link the static library, so that they reach what is not exported.

check_DATA =
# What works through many numbers to hold a figure or a rule, or builds other programs: a sanitizer
# sees the same code in the tests beside them.
long_unit_tests = \
	%D%/unit/nanite/nanite_build \
	%D%/unit/nanite/nanite_closed \
	%D%/unit/nanite/nanite_meshes \
	%D%/unit/nanite/nanite_models \
	%D%/unit/nanite/nanite_promises \
	%D%/unit/cook/placement_twin \
	%D%/unit/stream/stream_day
long_scripts = %D%/front/answers.sh %D%/front/built.sh %D%/words/examples.sh %D%/front/forms.sh \
	%D%/front/inspected.sh %D%/front/planted_runs.sh %D%/words/typos.sh %D%/folders.sh \
	%D%/house.sh %D%/house_bites.sh
# clang's libomp ends a process that may write no files, as some hosts of a fleet may not
long_scripts += %D%/farm/fleet.sh
# The longest come first, so that all processors end together.
unit_tests = $(long_unit_tests) \
	%D%/unit/stream/stream_walk_grid \
	%D%/unit/stream/stream_walk_set \
	%D%/unit/cook/cook \
	%D%/unit/nanite/nanite_kinds \
	%D%/unit/nanite/nanite_crossing \
	%D%/unit/world/actor_rows \
	%D%/unit/front/argument_values \
	%D%/unit/cook/assets \
	%D%/unit/core/base \
	%D%/unit/core/cage \
	%D%/unit/nanite/camera_file \
	%D%/unit/cook/cell_identity \
	%D%/unit/cook/cell_names \
	%D%/unit/stream/cited_rules \
	%D%/unit/compare/compare \
	%D%/unit/cook/cook_memory \
	%D%/unit/cook/cook_phases \
	%D%/unit/cook/cook_rules \
	%D%/unit/query/chart \
	%D%/unit/runs/real_runs \
	%D%/unit/runs/real_follow \
	%D%/unit/format/columns \
	%D%/unit/format/container_forms \
	%D%/unit/stream/csv_profile \
	%D%/unit/core/errors \
	%D%/unit/mesh/distances \
	%D%/unit/cook/explain \
	%D%/unit/farm/farm \
	%D%/unit/farm/farm_cache \
	%D%/unit/farm/farm_run \
	%D%/unit/format/file \
	%D%/unit/query/halts \
	%D%/unit/cook/hlod \
	%D%/unit/core/invariants \
	%D%/unit/core/large_pages \
	%D%/unit/core/large_scratch \
	%D%/unit/core/reserve_test \
	%D%/unit/front/lexer \
	%D%/unit/cluster/level_edges \
	%D%/unit/core/long_work \
	%D%/unit/core/options \
	%D%/unit/front/output \
	%D%/unit/query/map \
	%D%/unit/query/map_console \
	%D%/unit/mesh/mesh \
	%D%/unit/mesh/mesh_files \
	%D%/unit/mesh/polygons \
	%D%/unit/mesh/awkward \
	%D%/unit/mesh/mesh_gltf \
	%D%/unit/mesh/mesh_lightmap \
	%D%/unit/mesh/mesh_prepare \
	%D%/unit/mesh/mesh_sections \
	%D%/unit/mesh/mesh_tangents \
	%D%/unit/nanite/nanite_check \
	%D%/unit/nanite/nanite_codec \
	%D%/unit/nanite/nanite_compared \
	%D%/unit/nanite/nanite_damage \
	%D%/unit/nanite/nanite_dense \
	%D%/unit/nanite/nanite_dense_damage \
	%D%/unit/nanite/nanite_encode \
	%D%/unit/nanite/nanite_far \
	%D%/unit/nanite/nanite_model \
	%D%/unit/nanite/nanite_paging \
	%D%/unit/nanite/nanite_pool \
	%D%/unit/nanite/nanite_resource \
	%D%/unit/nanite/nanite_rules \
	%D%/unit/nanite/nanite_several \
	%D%/unit/nanite/page_graph \
	%D%/unit/mesh/patches \
	%D%/unit/cook/placement \
	%D%/unit/core/public \
	%D%/unit/mesh/quadrics \
	%D%/unit/query/query \
	%D%/unit/query/query_parts \
	%D%/unit/query/query_reads \
	%D%/unit/cluster/refining \
	%D%/unit/mesh/simplifying \
	%D%/unit/stream/stream_added \
	%D%/unit/stream/stream_answers \
	%D%/unit/stream/stream_kept \
	%D%/unit/stream/stream_layers \
	%D%/unit/stream/stream_levels \
	%D%/unit/stream/stream_parts \
	%D%/unit/stream/stream_rules \
	%D%/unit/stream/stream_time \
	%D%/unit/cook/sub_partitions \
	%D%/unit/compare/sums \
	%D%/unit/ue/ue_blocks \
	%D%/unit/ue/ue_containers \
	%D%/unit/mesh/thinning \
	%D%/unit/query/text_functions \
	%D%/unit/format/text_parts \
	%D%/unit/core/two_sessions \
	%D%/unit/ue/ue_abuse \
	%D%/unit/ue/ue_check \
	%D%/unit/ue/ue_verify \
	%D%/unit/ue/ue_cooked \
	%D%/unit/ue/ue_nanite \
	%D%/unit/ue/ue_nanite_rules \
	%D%/unit/ue/ue_oodle \
	%D%/unit/ue/ue_recipes \
	%D%/unit/ue/ue_defaults \
	%D%/unit/ue/ue_descriptor \
	%D%/unit/ue/ue_summary \
	%D%/unit/ue/ue_engine \
	%D%/unit/ue/ue_values \
	%D%/unit/ue/ue_directory \
	%D%/unit/ue/ue_places \
	%D%/unit/ue/ue_plugins \
	%D%/unit/ue/ue_strings \
	%D%/unit/ue/ue_hostile \
	%D%/unit/ue/ue_intact \
	%D%/unit/ue/ue_log \
	%D%/unit/ue/ue_oracle \
	%D%/unit/ue/ue_project \
	%D%/unit/ue/ue_report \
	%D%/unit/ue/ue_rows \
	%D%/unit/ue/ue_window \
	%D%/unit/ue/ue_world_rows \
	%D%/unit/ue/usmap \
	%D%/unit/format/verbs \
	%D%/unit/format/verify_rows \
	%D%/unit/compare/whatif \
	%D%/unit/world/world
# What waits for a terminal comes first, so that it does not wait alone at the end, with the longest
# scripts, so that all processors end together.
first_scripts = %D%/screen/tui.sh %D%/front/limits.sh %D%/words/examples.sh %D%/faults/process.sh \
	%D%/faults/disk.sh %D%/front/agree.sh %D%/front/planted_runs.sh %D%/farm/farm.sh %D%/house_bites.sh \
	%D%/front/status.sh %D%/front/fields.sh %D%/front/run_fields.sh %D%/front/csv.sh
front_tests = %D%/front/hostile %D%/screen/tui_colours %D%/screen/tui_keys \
	%D%/screen/tui_failures %D%/screen/tui_matrix %D%/screen/tui_walk %D%/screen/tui_ground %D%/front/fatal_ends %D%/front/cook_says
check_PROGRAMS += %D%/screen/pty $(unit_tests) $(front_tests) %D%/samples/make_samples %D%/samples/spoil_resources %D%/samples/spoil_fields %D%/samples/spoil_runs
TESTS += $(first_scripts) %D%/screen/pty $(front_tests) $(unit_tests)

# Worlds damaged behind right sums, and everything done to them.
damaged_worlds = %D%/samples/damaged_file.c %D%/samples/damaged_file.h %D%/samples/use_world.c %D%/samples/use_world.h
tests_unit_format_columns_SOURCES = %D%/unit/format/columns_test.c
tests_unit_format_container_forms_SOURCES = %D%/unit/format/container_forms.c %D%/samples/damaged_file.c %D%/samples/damaged_file.h
tests_unit_format_file_SOURCES = %D%/unit/format/file.c %D%/samples/damaged_file.c %D%/samples/damaged_file.h
tests_unit_core_base_SOURCES = %D%/unit/core/base_test.c
tests_unit_farm_farm_SOURCES = %D%/unit/farm/farm_test.c
tests_unit_world_actor_rows_SOURCES = %D%/unit/world/actor_rows_test.c
farm_yard = %D%/unit/farm/farm_yard.c %D%/unit/farm/farm_yard.h
tests_unit_farm_farm_run_SOURCES = %D%/unit/farm/farm_run.c $(farm_yard)
tests_unit_farm_farm_cache_SOURCES = %D%/unit/farm/farm_cache.c $(farm_yard)
tests_unit_query_query_parts_SOURCES = %D%/unit/query/query_parts.c %D%/unit/cook/cooking.c %D%/unit/cook/cooking.h
tests_unit_query_query_reads_SOURCES = %D%/unit/query/query_reads.c %D%/unit/cook/cooking.c %D%/unit/cook/cooking.h
tests_unit_front_argument_values_SOURCES = %D%/unit/front/argument_values_test.c
tests_unit_front_lexer_SOURCES = %D%/unit/front/lexer_test.c
tests_unit_mesh_mesh_SOURCES = %D%/unit/mesh/mesh_test.c
tests_unit_nanite_nanite_paging_SOURCES = %D%/unit/nanite/nanite_paging_test.c
tests_unit_core_options_SOURCES = %D%/unit/core/options_test.c
tests_unit_query_text_functions_SOURCES = %D%/unit/query/text_functions_test.c
tests_unit_ue_ue_cooked_SOURCES = %D%/unit/ue/ue_cooked_test.c
tests_unit_world_world_SOURCES = %D%/unit/world/world_test.c
tests_unit_format_verbs_SOURCES = %D%/unit/format/verbs.c %D%/unit/cook/cooking.c %D%/unit/cook/cooking.h $(damaged_worlds)
tests_unit_compare_compare_SOURCES = %D%/unit/compare/compare_test.c %D%/unit/ue/ue_world.h \
	%D%/unit/cook/cooking.c %D%/unit/cook/cooking.h
tests_unit_cook_cell_names_SOURCES = %D%/unit/cook/cell_names.c %D%/unit/cook/cooking.c %D%/unit/cook/cooking.h
tests_unit_cook_cook_SOURCES = %D%/unit/cook/cook_test.c %D%/unit/cook/cooking.c %D%/unit/cook/cooking.h
tests_unit_compare_whatif_SOURCES = %D%/unit/compare/whatif_test.c %D%/unit/cook/cooking.c %D%/unit/cook/cooking.h
tests_unit_cook_cook_phases_SOURCES = %D%/unit/cook/cook_phases.c %D%/unit/cook/cooking.c %D%/unit/cook/cooking.h
tests_unit_cook_cook_memory_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
tests_unit_compare_sums_SOURCES = %D%/unit/compare/sums.c %D%/unit/cook/cooking.c %D%/unit/cook/cooking.h
tests_unit_cook_sub_partitions_SOURCES = %D%/unit/cook/sub_partitions.c %D%/unit/cook/cooking.c %D%/unit/cook/cooking.h \
	%D%/samples/damaged_file.c %D%/samples/damaged_file.h
tests_unit_cook_assets_SOURCES = %D%/unit/cook/assets_test.c %D%/unit/cook/cooking.c %D%/unit/cook/cooking.h
tests_unit_cook_cook_rules_SOURCES = %D%/unit/cook/cook_rules.c %D%/unit/cook/cooking.c %D%/unit/cook/cooking.h
tests_unit_query_query_SOURCES = %D%/unit/query/query_test.c %D%/samples/sample.c %D%/samples/sample.h
tests_unit_cook_explain_SOURCES = %D%/unit/cook/explain_test.c %D%/unit/cook/cooking.c %D%/unit/cook/cooking.h
tests_unit_cook_hlod_SOURCES = %D%/unit/cook/hlod_test.c %D%/unit/cook/cooking.c %D%/unit/cook/cooking.h
tests_unit_query_text_functions_LDADD = $(LDADD) -lsqlite3
tests_unit_ue_ue_defaults_SOURCES = %D%/unit/ue/ue_defaults.c %D%/unit/ue/ue_world.h
# What the engine's cooker writes, written here.
nanite_files = %D%/samples/engine_mesh.c %D%/samples/engine_nanite.c %D%/samples/engine_nanite.h %D%/samples/engine_static_mesh.c
engine_files = %D%/samples/engine_container.c %D%/samples/engine_container.h %D%/samples/engine_cook.c %D%/samples/engine_cook.h \
	%D%/samples/engine_package.c %D%/samples/engine_package.h %D%/samples/engine_values.c %D%/samples/engine_values.h
tests_unit_ue_ue_abuse_SOURCES = %D%/unit/ue/ue_abuse.c $(engine_files)
tests_unit_ue_ue_abuse_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc
tests_unit_ue_ue_check_SOURCES = %D%/unit/ue/ue_check.c %D%/unit/cook/cooking.c %D%/unit/cook/cooking.h $(engine_files)
tests_unit_ue_ue_verify_SOURCES = %D%/unit/ue/ue_verify.c $(engine_files)
tests_unit_ue_ue_nanite_SOURCES = %D%/unit/ue/ue_nanite.c $(used_models) $(engine_files) $(nanite_files)
tests_unit_ue_ue_containers_SOURCES = %D%/unit/ue/ue_containers.c $(engine_files)
tests_unit_ue_ue_oodle_SOURCES = %D%/unit/ue/ue_oodle.c $(engine_files)
tests_unit_ue_ue_nanite_rules_SOURCES = %D%/unit/ue/ue_nanite_rules.c $(engine_files) $(nanite_files)
tests_unit_ue_ue_engine_SOURCES = %D%/unit/ue/ue_engine.c $(engine_files)
tests_unit_ue_ue_values_SOURCES = %D%/unit/ue/ue_values.c $(engine_files)
tests_unit_ue_ue_directory_SOURCES = %D%/unit/ue/ue_directory.c $(engine_files)
tests_unit_ue_ue_places_SOURCES = %D%/unit/ue/ue_places.c $(engine_files)
tests_unit_format_verify_rows_SOURCES = %D%/unit/format/verify_rows.c %D%/samples/damaged_file.c %D%/samples/damaged_file.h
tests_unit_ue_usmap_SOURCES = %D%/unit/ue/usmap_test.c
tests_unit_ue_ue_world_rows_SOURCES = %D%/unit/ue/ue_world_rows.c $(engine_files)
ue_checks = %D%/samples/ue_bytes.c %D%/samples/ue_bytes.h
tests_unit_ue_ue_hostile_SOURCES = %D%/unit/ue/ue_hostile.c %D%/unit/ue/ue_world.h $(ue_checks)
tests_unit_ue_ue_intact_SOURCES = %D%/unit/ue/ue_intact.c %D%/unit/ue/ue_world.h
tests_unit_ue_ue_log_SOURCES = %D%/unit/ue/ue_log_test.c %D%/unit/ue/ue_world.h $(ue_checks)
tests_unit_ue_ue_plugins_SOURCES = %D%/unit/ue/ue_plugins.c %D%/unit/ue/ue_world.h
tests_unit_ue_ue_oracle_SOURCES = %D%/unit/ue/ue_oracle.c %D%/unit/ue/ue_world.h \
	%D%/unit/cook/cooking.c %D%/unit/cook/cooking.h
tests_unit_ue_ue_project_SOURCES = %D%/unit/ue/ue_project.c %D%/unit/ue/ue_world.h
tests_unit_ue_ue_report_SOURCES = %D%/unit/ue/ue_report.c %D%/unit/ue/ue_world.h \
	%D%/unit/cook/cooking.c %D%/unit/cook/cooking.h
tests_unit_ue_ue_rows_SOURCES = %D%/unit/ue/ue_rows.c %D%/unit/ue/ue_world.h

tests_front_hostile_SOURCES = %D%/front/hostile.c %D%/samples/sample.c %D%/samples/sample.h
tests_front_cook_says_SOURCES = %D%/front/cook_says.c %D%/front/cook_twin.c %D%/front/cook_twin.h
tests_front_cook_says_LDADD = $(LDADD) -ljansson
tests_front_hostile_LDADD = src/libfront.la
tests_screen_tui_failures_LDADD = src/libfront.la
tests_screen_tui_walk_LDADD = src/libfront.la
tests_front_fatal_ends_LDADD = src/libfront.la -lutil
tests_screen_tui_ground_LDADD = $(LDADD) -lutil
tests_screen_tui_colours_LDADD = src/libfront.la -lm
tests_screen_tui_keys_LDADD = src/libfront.la
tests_screen_tui_matrix_LDADD = src/libfront.la -lxxhash
tests_screen_pty_LDADD = $(LDADD) -lutil
tests_unit_front_argument_values_LDADD = src/libfront.la
tests_unit_front_lexer_LDADD = src/libfront.la
# of the program only what the watcher is made of: with all of it races.sh takes half as long again
tests_unit_core_long_work_SOURCES = %D%/unit/core/long_work.c src/tui/terminal/work.c
tests_unit_front_output_SOURCES = %D%/unit/front/output_test.c %D%/samples/sample.c %D%/samples/sample.h
tests_unit_front_output_LDADD = src/libfront.la
tests_samples_make_samples_SOURCES = %D%/samples/make_samples.c %D%/samples/sample.c %D%/samples/sample.h $(engine_files) $(nanite_files)
# Worlds made by hand, for the tests of streaming.
test_worlds = %D%/unit/stream/worlds.c %D%/unit/stream/worlds.h %D%/unit/stream/stream_test.h
tests_unit_core_cage_SOURCES = %D%/unit/core/cage_test.c
tests_unit_nanite_camera_file_SOURCES = %D%/unit/nanite/camera_file_test.c
tests_unit_runs_real_follow_SOURCES = %D%/unit/runs/real_follow_test.c %D%/samples/trace_maker.c %D%/samples/trace_maker.h %D%/fuzz/seed_files.c %D%/fuzz/seed_files.h
tests_unit_runs_real_runs_SOURCES = %D%/unit/runs/real_runs.c %D%/samples/trace_maker.c %D%/samples/trace_maker.h %D%/fuzz/seed_files.c %D%/fuzz/seed_files.h
tests_unit_query_chart_SOURCES = %D%/unit/query/chart_test.c
tests_unit_stream_csv_profile_SOURCES = %D%/unit/stream/csv_profile_test.c $(test_worlds)
tests_unit_core_invariants_SOURCES = %D%/unit/core/invariants.c $(test_worlds)
tests_unit_query_map_SOURCES = %D%/unit/query/map_test.c %D%/unit/stream/worlds_town.c $(test_worlds) \
	%D%/unit/cook/cooking.c %D%/unit/cook/cooking.h
tests_unit_query_map_console_SOURCES = %D%/unit/query/map_console_test.c $(test_worlds)
tests_unit_query_halts_SOURCES = %D%/unit/query/halts.c %D%/unit/stream/worlds_town.c $(test_worlds)
tests_unit_stream_stream_answers_SOURCES = %D%/unit/stream/stream_answers.c $(test_worlds)
tests_unit_stream_stream_added_SOURCES = %D%/unit/stream/stream_added.c %D%/unit/stream/worlds_town.c $(test_worlds)
tests_unit_stream_stream_kept_SOURCES = %D%/unit/stream/stream_kept.c %D%/unit/stream/worlds_town.c $(test_worlds)
tests_unit_stream_stream_layers_SOURCES = %D%/unit/stream/stream_layers.c $(test_worlds)
tests_unit_stream_stream_levels_SOURCES = %D%/unit/stream/stream_levels.c $(test_worlds)
tests_unit_stream_stream_parts_SOURCES = %D%/unit/stream/stream_parts.c $(test_worlds)
tests_unit_stream_stream_rules_SOURCES = %D%/unit/stream/stream_rules.c $(test_worlds)
tests_unit_stream_stream_time_SOURCES = %D%/unit/stream/stream_time.c %D%/unit/stream/worlds_town.c $(test_worlds)
# The walk and its twin, once for each runtime hash.
test_walk = %D%/unit/stream/stream_walk.c %D%/unit/stream/twin.c %D%/unit/stream/twin.h %D%/unit/stream/twin_levels.c \
	%D%/unit/stream/twin_says.c %D%/unit/stream/walk_answers.c %D%/unit/stream/walk_answers.h \
	%D%/unit/stream/twin_parts.h %D%/unit/stream/twin_reach.c %D%/unit/stream/worlds_town.c $(test_worlds)
tests_unit_stream_stream_walk_grid_SOURCES = $(test_walk)
tests_unit_stream_stream_walk_grid_CPPFLAGS = $(AM_CPPFLAGS) -DWALK_CLASS=CS_HASH_SPATIAL
tests_unit_stream_stream_walk_set_SOURCES = $(test_walk)
tests_unit_stream_stream_walk_set_CPPFLAGS = $(AM_CPPFLAGS) -DWALK_CLASS=CS_HASH_SET

# From a mesh to a resource and back, with made up and with real meshes.
broken_resources = %D%/unit/nanite/nanite_breaks.c %D%/unit/nanite/nanite_breaks_dag.c %D%/unit/nanite/nanite_spoil.c \
	%D%/unit/nanite/nanite_spoil.h
tests_unit_nanite_nanite_rules_SOURCES = %D%/unit/nanite/nanite_rules.c $(broken_resources)
tests_samples_spoil_resources_SOURCES = %D%/samples/spoil_resources.c $(broken_resources)
tests_samples_spoil_fields_SOURCES = %D%/samples/spoil_fields.c %D%/samples/damaged_file.c %D%/samples/damaged_file.h
tests_samples_spoil_runs_SOURCES = %D%/samples/spoil_runs.c %D%/samples/trace_maker.c %D%/samples/trace_maker.h
tests_unit_nanite_nanite_resource_SOURCES = %D%/unit/nanite/nanite_resource_test.c
tests_unit_nanite_nanite_resource_CPPFLAGS = $(AM_CPPFLAGS) -DOF_SHARED_DATA=false
tests_unit_nanite_nanite_models_SOURCES = %D%/unit/nanite/nanite_resource_test.c
tests_unit_nanite_nanite_models_CPPFLAGS = $(AM_CPPFLAGS) -DOF_SHARED_DATA=true

LDADD = %D%/libmake.la lib/libcellscope.la

# What tests make and no user needs, for them and as a program for scripts.
check_LTLIBRARIES = %D%/libmake.la
%C%_libmake_la_SOURCES = %D%/samples/dag_check.c %D%/samples/dag_check.h %D%/samples/dag_check_errors.c \
	%D%/samples/dag_check_seams.c %D%/make/generate_hard.c %D%/make/made.c %D%/make/made.h \
	%D%/make/made_actors.c %D%/make/make.h %D%/make/out.c %D%/make/out.h %D%/make/put.c \
	%D%/make/ue_write.c %D%/make/ue_write.h %D%/make/writes.h \
	%D%/make/write_actor.c %D%/make/write_project.c
check_PROGRAMS += %D%/gen
%C%_gen_SOURCES = %D%/make/gen.c

EXTRA_DIST += %D%/samples/folder.h %D%/unit/nanite/dag_test.h %D%/samples/tap.h %D%/samples/mesh_kinds.h %D%/samples/nanite_contents.h %D%/unit/nanite/nanite_copy.h %D%/unit/nanite/nanite_forms.h %D%/unit/nanite/soup_dag.h %D%/unit/nanite/torus_dag.h %D%/README.md

# ---- fuzz targets: with a driver of their own, or with libFuzzer (--enable-fuzzing, make fuzz) ----

fuzz_targets = \
	%D%/fuzz/cnanite \
	%D%/fuzz/cworld \
	%D%/fuzz/json_world \
	%D%/fuzz/mesh \
	%D%/fuzz/path \
	%D%/fuzz/real \
	%D%/fuzz/pattern \
	%D%/fuzz/program \
	%D%/fuzz/script \
	%D%/fuzz/sql \
	%D%/fuzz/ue_cooked \
	%D%/fuzz/ue_log \
	%D%/fuzz/ue_nanite \
	%D%/fuzz/ue_package
if FUZZING
EXTRA_PROGRAMS += $(fuzz_targets)
fuzz_driver = %D%/fuzz/libfuzzer.c %D%/fuzz/fuzz.h
fuzzer = -fsanitize=fuzzer
else
check_PROGRAMS += $(fuzz_targets)
TESTS += $(fuzz_targets)
fuzz_driver = %D%/fuzz/driver.c %D%/fuzz/mutate.c %D%/fuzz/mutate.h %D%/fuzz/fuzz.h
endif
fuzz_files = %D%/fuzz/seed_files.c %D%/fuzz/seed_files.h $(fuzz_driver)
fuzz_ldflags = $(AM_LDFLAGS) $(fuzzer)
used_models = %D%/samples/use_model.c %D%/samples/use_model.h
tests_fuzz_cnanite_SOURCES = %D%/fuzz/cnanite_fuzz.c %D%/samples/damaged_file.c $(used_models) $(fuzz_files)
tests_fuzz_cnanite_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_cworld_SOURCES = %D%/fuzz/cworld_fuzz.c $(damaged_worlds) $(fuzz_driver)
tests_fuzz_cworld_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_json_world_SOURCES = %D%/fuzz/json_world.c $(fuzz_files)
tests_fuzz_json_world_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_real_SOURCES = %D%/fuzz/real_fuzz.c %D%/samples/trace_maker.c %D%/samples/trace_maker.h $(fuzz_files)
tests_fuzz_real_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_path_SOURCES = %D%/fuzz/path_fuzz.c $(fuzz_files)
tests_fuzz_path_LDFLAGS = $(fuzz_ldflags)
# A process for each run of it, and of program.
tests_fuzz_mesh_SOURCES = %D%/fuzz/mesh_fuzz.c %D%/fuzz/mesh_seeds.c %D%/fuzz/mesh_seeds.h $(fuzz_driver)
tests_fuzz_mesh_CPPFLAGS = $(AM_CPPFLAGS) -DCOST=50
tests_fuzz_mesh_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_pattern_SOURCES = %D%/fuzz/pattern_fuzz.c $(fuzz_driver)
tests_fuzz_pattern_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_pattern_LDADD = src/libfront.la
tests_fuzz_program_SOURCES = %D%/fuzz/program.c $(fuzz_driver)
tests_fuzz_program_CPPFLAGS = $(AM_CPPFLAGS) -DCOST=50
tests_fuzz_program_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_sql_SOURCES = %D%/fuzz/sql.c $(fuzz_driver)
tests_fuzz_sql_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_script_SOURCES = %D%/fuzz/script_fuzz.c $(fuzz_driver)
tests_fuzz_script_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_script_LDADD = src/libfront.la
tests_fuzz_ue_cooked_SOURCES = %D%/fuzz/ue_cooked_fuzz.c $(engine_files) $(fuzz_driver)
tests_fuzz_ue_cooked_CPPFLAGS = $(AM_CPPFLAGS) -DCOST=6
tests_fuzz_ue_cooked_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_ue_log_SOURCES = %D%/fuzz/ue_log_fuzz.c $(ue_checks) $(fuzz_files)
tests_fuzz_ue_log_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_ue_nanite_SOURCES = %D%/fuzz/ue_nanite_fuzz.c $(engine_files) $(nanite_files) $(used_models) $(fuzz_driver)
tests_fuzz_ue_nanite_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_ue_package_SOURCES = %D%/fuzz/ue_package.c $(ue_checks) $(fuzz_driver)
tests_fuzz_ue_package_LDFLAGS = $(fuzz_ldflags)

FUZZ_SECONDS = 20
.PHONY: fuzz
fuzz: $(fuzz_targets)
	@for target in $(fuzz_targets); do \
		echo "== $$target"; \
		mkdir -p $$target.corpus && \
		./$$target -max_total_time=$(FUZZ_SECONDS) -timeout=5 -rss_limit_mb=1024 \
			-print_final_stats=1 -verbosity=0 $$target.corpus || exit 1; \
	done

# ---- faults: no memory, a disk that fails, kills ----

check_PROGRAMS += %D%/faults/calls %D%/faults/memory %D%/faults/lines
TESTS += %D%/faults/calls %D%/faults/memory %D%/faults/lines
# The whole process: what is preloaded into it.
TESTS += %D%/faults/overrun.sh %D%/faults/short.sh
EXTRA_DIST += %D%/faults/overrun.sh %D%/faults/short.sh %D%/faults/failing.c %D%/faults/short.c %D%/faults/block_codec.c
preloaded = %D%/faults/failing.so %D%/faults/short.so %D%/faults/block_codec.so
check_DATA += $(preloaded)
CLEANFILES += $(preloaded)
$(preloaded): %D%/faults/failing.c %D%/faults/short.c %D%/faults/block_codec.c
	@$(MKDIR_P) %D%/faults
	$(AM_V_GEN)$(CC) -Wall -Wextra -O1 -fPIC -shared -o $@ $(srcdir)/$(@:.so=.c)
failing_calls = %D%/faults/failing_calls.c %D%/faults/failing_calls.h
tests_faults_memory_SOURCES = %D%/faults/no_memory.c %D%/faults/no_memory_farm.c \
	%D%/faults/no_memory_farm.h $(failing_calls) %D%/samples/trace_maker.c %D%/samples/trace_maker.h %D%/fuzz/seed_files.c %D%/fuzz/seed_files.h \
	$(engine_files) $(nanite_files)
wrapping = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=strndup
tests_faults_memory_LDFLAGS = $(wrapping)
tests_faults_calls_SOURCES = %D%/faults/calls.c
tests_faults_calls_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pread64,--wrap=fstat64,--wrap=write,--wrap=pwrite64 \
	-Wl,--wrap=pread,--wrap=fstat,--wrap=pwrite,--wrap=fsync,--wrap=close,--wrap=rename,--wrap=fchmod
tests_faults_lines_SOURCES = %D%/faults/no_memory_lines.c $(failing_calls)
tests_faults_lines_LDFLAGS = $(wrapping)
tests_faults_lines_LDADD = %D%/libmake.la src/libfront.la

# ---- transcripts: command files that check themselves ----

transcripts = \
	%D%/cmd/advice.cmd \
	%D%/cmd/answers.cmd \
	%D%/cmd/blocks.cmd \
	%D%/cmd/closed.cmd \
	%D%/cmd/compare.cmd \
	%D%/cmd/compare_views.cmd \
	%D%/cmd/console.cmd \
	%D%/cmd/cooked_mesh.cmd \
	%D%/cmd/lightmap.cmd \
	%D%/cmd/meshes.cmd \
	%D%/cmd/cooked.cmd \
	%D%/cmd/engine.cmd \
	%D%/cmd/engine_cook.cmd \
	%D%/cmd/nanite.cmd \
	%D%/cmd/paging.cmd \
	%D%/cmd/catalogue.cmd \
	%D%/cmd/partitions.cmd \
	%D%/cmd/places.cmd \
	%D%/cmd/recorded.cmd \
	%D%/cmd/frame_cost.cmd \
	%D%/cmd/project.cmd \
	%D%/cmd/promises.cmd \
	%D%/cmd/refused.cmd \
	%D%/cmd/screen.cmd \
	%D%/cmd/journeys.cmd \
	%D%/cmd/links.cmd \
	%D%/cmd/frame_view.cmd \
	%D%/cmd/map_view.cmd \
	%D%/cmd/screen_tutorial.cmd \
	%D%/cmd/tasks.cmd \
	%D%/cmd/views.cmd \
	%D%/cmd/nanite_view.cmd \
	%D%/cmd/sources.cmd \
	%D%/cmd/run.cmd \
	%D%/cmd/walk.cmd \
	%D%/cmd/whatif.cmd \
	%D%/cmd/world.cmd
TESTS += $(transcripts)
script_tests = \
	%D%/words/checks.sh \
	%D%/front/ci.sh \
	%D%/words/codes.sh \
	%D%/front/damaged.sh \
	%D%/front/answers.sh %D%/front/built.sh %D%/front/forms.sh %D%/front/inspected.sh \
	%D%/front/import.sh \
	%D%/front/json.sh \
	%D%/front/logs.sh \
	%D%/farm/http_cache.sh \
	%D%/front/jsonl.sh \
	%D%/front/mcp.sh \
	%D%/words/manual.sh \
	%D%/front/nanite.sh \
	%D%/front/numbers.sh \
	%D%/words/readme.sh \
	%D%/front/report.sh \
	%D%/words/rules.sh \
	%D%/front/script.sh \
	%D%/words/tutorial.sh \
	%D%/words/typos.sh \
	%D%/words/words.sh %D%/front/worse.sh %D%/front/partial.sh \
	%D%/farm/fleet.sh \
	%D%/folders.sh \
	%D%/graph.sh \
	%D%/house.sh \
	%D%/install.sh \
	%D%/static.sh
TESTS += $(script_tests)
EXTRA_DIST += $(first_scripts) $(script_tests) %D%/clones.sh %D%/farm/fleet.py %D%/package.sh %D%/farm/cache_server.py %D%/front/log54.awk %D%/front/mcp_client.mjs %D%/front/svg_drawn.py %D%/front/svg_grid.py %D%/front/tap.sh %D%/front/sums.sh
EXTRA_DIST += %D%/front/answers.list %D%/front/built.list %D%/front/damaged.list %D%/front/inspected.list
EXTRA_DIST += $(transcripts) %D%/run-cmd

# The worlds they open.
check_DATA += %D%/out/sample.cworld %D%/out/project/Fixture.uproject
%D%/out/sample.cworld: %D%/samples/make_samples$(EXEEXT)
	@$(MKDIR_P) %D%/out
	$(AM_V_GEN)%D%/samples/make_samples$(EXEEXT) %D%/out && touch $@
%D%/out/project/Fixture.uproject: %D%/gen$(EXEEXT)
	@$(MKDIR_P) %D%/out && rm -rf %D%/out/project
	$(AM_V_GEN)%D%/gen ue %D%/out/project --engine 5.6 --actors 60 --seed 1 && touch $@
clean-local:
	rm -rf %D%/out demo-out

CMD_LOG_DRIVER = $(LOG_DRIVER)
CMD_LOG_COMPILER = $(SHELL) $(srcdir)/%D%/run-cmd
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = $(SHELL)

LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = \
	unset CI GITHUB_ACTIONS TF_BUILD TEAMCITY_VERSION; \
	CELLSCOPE_SOURCE='$(abs_top_srcdir)'; export CELLSCOPE_SOURCE; \
	CELLSCOPE_BUILD='$(abs_top_builddir)'; export CELLSCOPE_BUILD; \
	: "$${CELLSCOPE_DATA:=$(abs_top_srcdir)/../shared/data}"; export CELLSCOPE_DATA; \
	mkdir -p '$(abs_top_builddir)/tests/out'; \
	CELLSCOPE_OUT='$(abs_top_builddir)/tests/out'; export CELLSCOPE_OUT; \
	CELLSCOPE_IMPORT='$(abs_top_builddir)/cellscope-import'; export CELLSCOPE_IMPORT; \
	: "$${OMP_WAIT_POLICY:=passive}"; export OMP_WAIT_POLICY; \
	LSAN_OPTIONS='suppressions=$(abs_top_srcdir)/tests/lsan.supp:print_suppressions=0'; \
	export LSAN_OPTIONS; \
	ASAN_OPTIONS="intercept_tls_get_addr=0$${ASAN_OPTIONS:+:$$ASAN_OPTIONS}"; \
	export ASAN_OPTIONS; \
	XDG_CACHE_HOME="$$CELLSCOPE_OUT/caches"; export XDG_CACHE_HOME; \
	LC_ALL=C; export LC_ALL;

# For slow builds, without the long ones.
.PHONY: check-short
check-short: all
	@short=''; for test in $(TESTS); do \
		case ' $(long_unit_tests) $(long_scripts) ' in *" $$test "*) ;; *) short="$$short $$test" ;; esac; \
	done; $(MAKE) check TESTS="$$short"

# What reads bytes of others: the fuzz targets, the transcripts, and the tests that damage files. CI
# has sanitizers look at these; the nightly at all of check-short. Each test builds its own program;
# automake's rule would build those of all tests first.
hostile_tests = $(fuzz_targets) $(transcripts) %D%/front/damaged.sh %D%/front/fields.sh %D%/front/import.sh \
	%D%/front/json.sh %D%/front/hostile %D%/unit/nanite/nanite_damage %D%/unit/nanite/nanite_dense_damage \
	%D%/unit/format/verify_rows %D%/unit/ue/ue_abuse %D%/unit/ue/ue_hostile
.PHONY: check-hostile
check-hostile: all $(check_DATA) $(check_LTLIBRARIES) %D%/gen %D%/samples/make_samples %D%/samples/spoil_resources \
	%D%/samples/spoil_fields %D%/samples/spoil_runs
	@$(MAKE) check-local TESTS='$(hostile_tests)' check_PROGRAMS=

# What works on random worlds, at length: `make check` and CI take a part of them, the nightly all.
LONG_TESTS = CELLSCOPE_LONG=1 CELLSCOPE_WALK_FRAMES=75000 CELLSCOPE_TWIN_BOXES=1000000 CELLSCOPE_KINDS_TRIANGLES=3000 \
	CELLSCOPE_COOKS=10000 DISK_EVERY=1 FIELDS_EVERY=97 CELLSCOPE_FAULTS=100
.PHONY: check-long
check-long:
	@env $(LONG_TESTS) $(MAKE) check

# The last line of `make check` says how many test points passed.
check-local: check-TESTS
	@$(SHELL) $(top_srcdir)/tests/summary $(TEST_LOGS)
EXTRA_DIST += %D%/summary %D%/lsan.supp %D%/unused.awk

# ---- benchmarks: ratios against a peer or a limit, from one run; never part of check ----

benchmarks = \
	%D%/bench/cook \
	%D%/bench/encode \
	%D%/bench/day \
	%D%/bench/nanite \
	%D%/bench/pages \
	%D%/bench/stream \
	%D%/bench/tui \
	%D%/bench/ue
EXTRA_PROGRAMS += $(benchmarks)
CLEANFILES += $(benchmarks)
EXTRA_DIST += %D%/bench/bench.h %D%/bench/cdag.h %D%/bench/meshes.h %D%/bench/peer.h
tests_bench_cook_SOURCES = %D%/bench/cook_bench.c
tests_bench_encode_SOURCES = %D%/bench/encode_bench.c
tests_bench_nanite_SOURCES = %D%/bench/nanite_bench.c
tests_bench_pages_SOURCES = %D%/bench/pages_bench.c
tests_bench_ue_SOURCES = %D%/bench/ue_bench.c
tests_bench_cook_LDADD = src/libfront.la -lsqlite3 -ljansson
tests_bench_nanite_LDADD = src/libfront.la $(LDADD)
tests_bench_encode_LDADD = $(LDADD) -llz4
tests_bench_pages_LDADD = $(LDADD) -llz4
# The day of tests/unit, all 24 hours of it.
tests_bench_day_SOURCES = %D%/unit/stream/stream_day.c
tests_bench_day_CPPFLAGS = $(AM_CPPFLAGS) -DDAY_FRAMES=5184000
tests_bench_stream_SOURCES = %D%/bench/stream_bench.c %D%/unit/stream/worlds.c %D%/unit/stream/worlds.h
tests_bench_stream_LDADD = $(LDADD) -lsqlite3
tests_bench_tui_SOURCES = %D%/bench/tui.c %D%/unit/stream/worlds.c %D%/unit/stream/worlds.h
tests_bench_tui_LDADD = $(LDADD) -lutil

# The random walks at length: after each of a million frames the twin agrees, for both hashes.
# Invariants are looked at on the way, in a build of its own where this one leaves them out.
.PHONY: soak soak-here
if INVARIANTS
soak: soak-here
else
soak:
	rm -rf soak-build && $(MAKE) distdir distdir=soak-build
	cd soak-build && ./configure CC='$(CC)' CFLAGS='$(CFLAGS)' --disable-shared --enable-invariants
	cd soak-build && $(MAKE) all && $(MAKE) soak
endif
soak-here: %D%/unit/stream/stream_walk_set %D%/unit/stream/stream_walk_grid %D%/screen/tui_walk \
		%D%/unit/nanite/nanite_kinds
	@for walk in $^; do echo "== $$walk"; CELLSCOPE_WALK_FRAMES=1000000 \
		CELLSCOPE_WALK_KEYS=20000 CELLSCOPE_KINDS_TRIANGLES=40000 \
		CELLSCOPE_SOURCE='$(abs_top_srcdir)' ./$$walk || exit 1; done

# Faults put into the library by chance: how many the tests notice.
EXTRA_DIST += %D%/mutate.py %D%/mutants.txt
.PHONY: mutate
mutate:
	@: "$${CELLSCOPE_DATA:=$(abs_top_srcdir)/../shared/data}"; export CELLSCOPE_DATA; \
	python3 $(srcdir)/%D%/mutate.py

# What of the library the tests run; gates (tests/coverage.py).
EXTRA_DIST += %D%/coverage.py
.PHONY: coverage print-tests
coverage:
	python3 $(srcdir)/%D%/coverage.py
print-tests:
	@echo $(TESTS)

# What is too long for each change: hours (tests/nightly.sh).
EXTRA_DIST += %D%/architectures.sh %D%/compilers.sh %D%/corpora.sh %D%/exporters.py %D%/fuzz/corpora.list %D%/large_world.sh %D%/made.sh %D%/nightly.sh %D%/races.sh %D%/sanitizers.sh %D%/sweep_libomp.sh
.PHONY: nightly
nightly: all
	CELLSCOPE_SOURCE='$(abs_top_srcdir)' CELLSCOPE_BUILD='$(abs_top_builddir)' \
	bash $(srcdir)/%D%/nightly.sh

.PHONY: bench benchmarks
benchmarks: $(benchmarks)
bench: benchmarks
	@: "$${CELLSCOPE_DATA:=$(abs_top_srcdir)/../shared/data}"; export CELLSCOPE_DATA; \
	CELLSCOPE_IMPORT='$(abs_top_builddir)/cellscope-import'; export CELLSCOPE_IMPORT; \
	CELLSCOPE_BUILD='$(abs_top_builddir)'; export CELLSCOPE_BUILD; \
	for b in $(benchmarks); do echo "== $$b"; ./$$b || exit 1; done; \
	echo "== growth"; bash $(srcdir)/%D%/bench/growth_bench.sh; \
	echo "== farm"; $(SHELL) $(srcdir)/%D%/bench/farm_bench.sh

# ---- one plan by every engine that is here, and killed on the way ----

EXTRA_DIST += %D%/farm/farm_check.sh %D%/path.sh %D%/same.sh %D%/bench/farm_bench.sh %D%/bench/growth_bench.sh
.PHONY: farm-check
farm-check: all
	@$(AM_TESTS_ENVIRONMENT) $(SHELL) $(srcdir)/%D%/farm/farm_check.sh
