/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the pages of a Nanite resource and what each needs: list_pages FILE.cnanite */
#include "examples/tell.h"

#include <cellscope/nanite.h>

static void print_pages(const struct cs_nanite *resource)
{
	size_t n_pages, n_dependencies;
	const struct cs_nanite_page_state *pages = cs_nanite_page_states(resource, &n_pages);
	const uint32_t *dependencies = cs_nanite_dependencies(resource, &n_dependencies);
	for (size_t i = 0; i < n_pages; i++) {
		printf("page %zu  %u bytes  needs", i, pages[i].page_size);
		for (uint32_t k = 0; k < pages[i].n_dependencies; k++)
			printf(" %u", dependencies[pages[i].first_dependency + k]);
		printf("%s\n", pages[i].n_dependencies ? "" : " nothing");
	}
}

int main(int argc, char **argv)
{
	struct cs_nanite *resource;
	if (argc != 2) {
		fprintf(stderr, "usage: list_pages FILE.cnanite\n");
		return 2;
	}
	struct cs_error *error = cs_nanite_open(argv[1], CS_FILE_STRICT, NULL, &resource);
	if (!error) {
		print_pages(resource);
		cs_nanite_free(resource);
	}
	return tell(error);
}
