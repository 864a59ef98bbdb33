/* SPDX-License-Identifier: Apache-2.0 */
/* The file kinds that the library reads and writes: .cworld and .cnanite, each with a schema. */
#include "format/fields.h"
#include "format/file_inside.h"

static const struct cs_schema *const schemas[] = {&cs_cworld_schema, &cs_cnanite_schema};

const struct cs_schema *const *cs_schemas(size_t *n_ret)
{
	*n_ret = CS_COUNT_OF(schemas);
	return schemas;
}

const struct cs_schema *cs_schema_of_kind(uint32_t kind)
{
	for (size_t i = 0; i < CS_COUNT_OF(schemas); i++)
		if (schemas[i]->kind == kind)
			return schemas[i];
	return NULL;
}
