# SPDX-License-Identifier: Apache-2.0
# Programs on the library as others write them: public headers alone. `make check` compiles them
# against what is installed and runs them (tests/install.sh); libcellscope(3) quotes them.
exampledir = $(docdir)/examples
dist_example_DATA = %D%/tell.h %D%/run_log.h %D%/ask_sql.c %D%/cook_and_step.c %D%/list_pages.c %D%/write_mesh.c
