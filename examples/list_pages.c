/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the pages of a Nanite resource and what each needs: list_pages FILE.cnanite */
#include "tell.h"

#include <cellscope/pages.h>

static void print_pages(const struct cs_model *model)
{
	for (size_t i = 0; i < model->n_pages; i++) {
		uint32_t first = model->dependency_first[i], end = model->dependency_first[i + 1];
		printf("page %zu  %u bytes  needs", i, model->pages[i].disk_bytes);
		for (uint32_t k = first; k < end; k++)
			printf(" %u", model->dependencies[k]);
		printf("%s\n", first < end ? "" : " nothing");
	}
}

int main(int argc, char **argv)
{
	struct cs_model *model;
	if (argc != 2) {
		fprintf(stderr, "usage: list_pages FILE.cnanite\n");
		return 2;
	}
	struct cs_error *error = cs_model_open(argv[1], NULL, &model);
	if (!error) {
		print_pages(model);
		cs_model_free(model);
	}
	return tell(error);
}
