/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts assimp's scene into one mesh in two passes: the first lists the instances (node
 * transform, mesh) and adds up their sizes, the second fills the arrays.
 */
#include "import/import_parts.h"

#include "core/job.h"
#include "core/search.h"
#include "core/vec.h"
#include "import/gate.h"
#include "mesh/vector.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/metadata.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the scene as a list of instances ---- */

struct instance {
	const struct aiMesh *mesh;
	struct aiMatrix4x4 to_world;
};

struct pending {
	const struct aiNode *node;
	struct aiMatrix4x4 to_world; /* transform from the node's parent to the world */
};

/* A node of a glTF file, which may move vertices of a skin. */
struct joint {
	uint32_t name; /* offset of the node's name in flattener.names */
	struct aiMatrix4x4 to_world;
};

struct flattener {
	const struct aiScene *scene;
	const char *path; /* of the file, for errors */
	const struct cs_job *job;
	CS_VEC(struct instance) instances;
	CS_VEC(struct pending) pending;
	struct cs_mesh_size size;
	struct cs_mesh_report report;
	struct cs_strings fine;      /* names X of nodes X_LOD0 that have meshes (see_fine) */
	struct cs_strings names;     /* names of nodes, if meshes have skins */
	CS_VEC(struct joint) joints; /* all nodes, in the order of their names in `names` */
	struct aiMatrix4x4 to_world; /* transform from the root node's parent to the world */
	bool is_fbx, is_stl;
	bool opaque; /* as in struct cs_mesh_file */
	/* for each of our materials, the index of the material in assimp's scene */
	uint32_t material_of[CS_MESH_MATERIALS];
	uint32_t n_materials;
};

/* Counts the triangles among the faces; the other faces are points and lines. */
static uint64_t faces_of_three(const struct aiMesh *mesh)
{
	uint64_t n = 0;
	for (unsigned i = 0; i < mesh->mNumFaces; i++)
		n += mesh->mFaces[i].mNumIndices == 3;
	return n;
}

/*
 * Returns whether assimp kept the last polygon of an FBX geometry: each corner has a vertex of its
 * own, so some face must have the last vertex. assimp leaves out a polygon whose last corner is not
 * marked as the last. It also leaves out parts of polygons that cross themselves, but logs that.
 */
static bool is_ended(const struct aiMesh *mesh)
{
	for (unsigned i = mesh->mNumFaces; i-- > 0;)
		for (unsigned k = 0; k < mesh->mFaces[i].mNumIndices; k++)
			if (mesh->mFaces[i].mIndices[k] + 1 == mesh->mNumVertices)
				return true;
	return mesh->mNumVertices == 0;
}

static struct cs_error *add_instance(
	struct flattener *flattener, const struct aiMesh *mesh, const struct aiMatrix4x4 *to_world)
{
	uint32_t uvs = 0;
	while (uvs < AI_MAX_NUMBER_OF_TEXTURECOORDS && mesh->mTextureCoords[uvs])
		uvs++;
	const uint32_t more = uvs > CS_MESH_UVS ? uvs - CS_MESH_UVS : 0;
	flattener->report.more_uvs += more;
	uvs -= more;
	flattener->size.uvs = uvs > flattener->size.uvs ? uvs : flattener->size.uvs;
	flattener->size.colors = flattener->size.colors || mesh->mColors[0];
	flattener->size.vertices += mesh->mNumVertices;
	const uint64_t triangles = faces_of_three(mesh);
	flattener->size.triangles += triangles;
	flattener->report.lines += mesh->mNumFaces - triangles;
	if (flattener->is_fbx && flattener->report.polygons == 0 && !is_ended(mesh))
		return cs_error_at(CS_E_MESH, flattener->path, CS_NO_OFFSET,
			"the last polygon of the mesh %s is not complete: export or copy the file "
			"again",
			mesh->mName.data);
	uint64_t most = cs_job_limits(flattener->job).records;
	if (flattener->instances.n >= most)
		return cs_error_at(CS_E_LIMIT, flattener->path, CS_NO_OFFSET,
			"the scene has more mesh instances than the limit of %llu",
			(unsigned long long)most);
	return cs_vec_push(&flattener->instances, (struct instance){mesh, *to_world})
		       ? NULL
		       : cs_error_nomem();
}

/* Returns the length of X in a node's name X_LOD3, and the 3 in *ret, or 0 for other names. */
static size_t lod_of(const struct aiNode *node, int *ret)
{
	const char *name = node->mName.data;
	const size_t n = strlen(name);
	if (n < 6 || strncasecmp(name + n - 5, "_LOD", 4) != 0)
		return 0;
	*ret = name[n - 1] - '0';
	return *ret >= 0 && *ret <= 9 ? n - 5 : 0;
}

/*
 * Returns the counter for the triangles of a node that is left out as a collision shape or coarse
 * LOD, or NULL for other nodes.
 */
static uint64_t *where_left_out(struct flattener *flattener, const struct aiNode *node)
{
	int lod = 0;
	const size_t n = lod_of(node, &lod);
	if (cs_mesh_is_collision(node->mName.data, strlen(node->mName.data)))
		return &flattener->report.collision;
	return n > 0 && lod > 0 && cs_strings_find(&flattener->fine, node->mName.data, n) != CS_NONE
		       ? &flattener->report.coarse_lods
		       : NULL;
}

/* Adds the instances of a node's meshes. */
static struct cs_error *visit(struct flattener *flattener, struct pending at)
{
	struct cs_error *error = NULL;
	uint64_t *left_out = where_left_out(flattener, at.node);
	for (unsigned i = 0; i < at.node->mNumMeshes && !error; i++) {
		const struct aiMesh *mesh = flattener->scene->mMeshes[at.node->mMeshes[i]];
		if (left_out)
			*left_out += faces_of_three(mesh);
		else
			error = add_instance(flattener, mesh, &at.to_world);
	}
	return error;
}

/* Stores the name X of a node X_LOD0, so that nodes X_LOD1 and so on are left out. */
static struct cs_error *see_fine(struct flattener *flattener, struct pending at)
{
	int lod = 0;
	const size_t n = lod_of(at.node, &lod);
	if (n > 0 && lod == 0 && at.node->mNumMeshes > 0 &&
		cs_strings_add(&flattener->fine, at.node->mName.data, n) == CS_NONE)
		return cs_error_nomem();
	return NULL;
}

/* Calls `see` for each node of the scene with its transform to the world, parents first. */
static struct cs_error *each_node(struct flattener *flattener,
	struct cs_error *(*see)(struct flattener *flattener, struct pending at))
{
	struct pending at = {flattener->scene->mRootNode, flattener->to_world};
	struct cs_error *error = cs_vec_push(&flattener->pending, at) ? NULL : cs_error_nomem();
	while (flattener->pending.n && !error) {
		at = flattener->pending.at[--flattener->pending.n];
		aiMultiplyMatrix4(&at.to_world, &at.node->mTransformation);
		error = see(flattener, at);
		for (unsigned i = at.node->mNumChildren; i-- > 0 && !error;)
			if (!cs_vec_push(&flattener->pending,
				    (struct pending){at.node->mChildren[i], at.to_world}))
				error = cs_error_nomem();
	}
	return error;
}

/* ---- skins of a glTF file ---- */

static struct cs_error *see_joint(struct flattener *flattener, struct pending at)
{
	const struct joint joint = {
		cs_strings_add_z(&flattener->names, at.node->mName.data), at.to_world};
	if (joint.name == CS_NONE)
		return cs_error_nomem();
	/* a new name gets the highest offset, so a name at a lower one is already listed */
	if (flattener->joints.n > 0 &&
		joint.name <= flattener->joints.at[flattener->joints.n - 1].name)
		return NULL;
	return cs_vec_push(&flattener->joints, joint) ? NULL : cs_error_nomem();
}

static const struct joint *find_joint(const struct flattener *flattener, const char *name)
{
	const uint32_t text = cs_strings_find(&flattener->names, name, strlen(name));
	const struct joint *joints = flattener->joints.at;
	const size_t i = cs_lower_bound(0, flattener->joints.n, k, joints[k].name < text);
	return text != CS_NONE && i < flattener->joints.n && joints[i].name == text ? &joints[i]
										    : NULL;
}

static void add_matrix(struct aiMatrix4x4 *to, const struct aiMatrix4x4 *from, float scale)
{
	float *sum = &to->a1;
	const float *values = &from->a1;
	for (int i = 0; i < 16; i++)
		sum[i] += scale * values[i];
}

/*
 * Computes the transform of each vertex of a mesh with a skin, at rest: glTF places such a mesh by
 * its joints alone, whatever the transform of its node. A vertex without weights keeps that of the
 * node. *ret stays NULL for a mesh without a skin. The caller frees it.
 */
static struct cs_error *pose_skin(const struct flattener *flattener,
	const struct instance *instance, struct aiMatrix4x4 **ret)
{
	const struct aiMesh *mesh = instance->mesh;
	if (flattener->is_fbx || mesh->mNumBones == 0)
		return NULL;
	struct aiMatrix4x4 *sums = calloc((size_t)mesh->mNumVertices + 1, sizeof(*sums));
	if (!sums)
		return cs_error_nomem();
	for (unsigned b = 0; b < mesh->mNumBones; b++) {
		const struct aiBone *bone = mesh->mBones[b];
		const struct joint *joint = find_joint(flattener, bone->mName.data);
		if (!joint)
			continue;
		struct aiMatrix4x4 pose = joint->to_world;
		aiMultiplyMatrix4(&pose, &bone->mOffsetMatrix);
		for (unsigned i = 0; i < bone->mNumWeights; i++)
			if (bone->mWeights[i].mVertexId < mesh->mNumVertices)
				add_matrix(&sums[bone->mWeights[i].mVertexId], &pose,
					bone->mWeights[i].mWeight);
	}
	for (size_t v = 0; v < mesh->mNumVertices; v++) {
		const struct aiMatrix4x4 sum = sums[v];
		sums[v] = instance->to_world;
		if (!(sum.d4 > 0))
			continue;
		memset(&sums[v], 0, sizeof(sums[v]));
		add_matrix(&sums[v], &sum, 1 / sum.d4);
	}
	*ret = sums;
	return NULL;
}

static bool has_skins(const struct aiScene *scene)
{
	for (unsigned i = 0; i < scene->mNumMeshes; i++)
		if (scene->mMeshes[i]->mNumBones > 0)
			return true;
	return false;
}

/* ---- units and axes of an FBX file ---- */

/* Returns the value of a global setting of the file, or 0 if it is absent or not a number. */
static double scene_setting(const struct aiScene *scene, const char *name)
{
	const struct aiMetadata *settings = scene->mMetaData;
	for (unsigned i = 0; settings && i < settings->mNumProperties; i++) {
		const struct aiMetadataEntry *entry = &settings->mValues[i];
		if (strcmp(settings->mKeys[i].data, name) == 0)
			return entry->mType == AI_INT32   ? *(const int32_t *)entry->mData
			       : entry->mType == AI_FLOAT ? (double)*(const float *)entry->mData
							  : 0;
	}
	return 0;
}

/*
 * Makes the transform of an FBX file to the engine's centimetres with z up. assimp reads the file's
 * unit and axes but does not apply them. Without settings x is right, y up and z to the viewer. The
 * file's right axis becomes x, its up axis z, and its axis to the viewer -y: coordinates with z up
 * stay as they are, and coordinates with y up are rotated about x.
 */
static struct cs_error *see_axes(struct flattener *flattener)
{
	static const struct {
		const char *axis, *sign;
		int to;
	} axes[] = {{"CoordAxis", "CoordAxisSign", 1}, {"FrontAxis", "FrontAxisSign", -1},
		{"UpAxis", "UpAxisSign", 1}};
	const double unit = scene_setting(flattener->scene, "UnitScaleFactor");
	const double up = scene_setting(flattener->scene, "UpAxis");
	unsigned seen = 0;
	memset(&flattener->to_world, 0, sizeof(flattener->to_world));
	float *const rows[] = {
		&flattener->to_world.a1, &flattener->to_world.b1, &flattener->to_world.c1};
	for (size_t i = 0; i < 3; i++) {
		double axis = scene_setting(flattener->scene, axes[i].axis);
		int sign = scene_setting(flattener->scene, axes[i].sign) < 0 ? -1 : 1;
		if (i < 2 && axis == up) {
			/* only UpAxis is set, to this axis: use y, in a right-handed system */
			axis = 1;
			sign = scene_setting(flattener->scene, "UpAxisSign") < 0 ? 1 : -1;
		}
		if (!(axis >= 0 && axis <= 2) || (seen >> (unsigned)axis & 1))
			return cs_error_at(CS_E_MESH, flattener->path, CS_NO_OFFSET,
				"the global settings of the file do not name three different axes "
				"(UpAxis, FrontAxis, CoordAxis)");
		seen |= 1U << (unsigned)axis;
		rows[i][(unsigned)axis] = (float)(axes[i].to * sign * unit);
	}
	flattener->to_world.d4 = 1;
	return unit > 0 && isfinite(unit)
		       ? NULL
		       : cs_error_at(CS_E_MESH, flattener->path, CS_NO_OFFSET,
				 "the file declares a unit of %g cm, which must be above 0", unit);
}

static struct cs_error *list_instances(struct flattener *flattener)
{
	if (!flattener->scene->mRootNode)
		return cs_error_at(CS_E_MESH, flattener->path, CS_NO_OFFSET,
			"the file contains no scene, so it contains no mesh");
	struct cs_error *error = flattener->is_fbx ? see_axes(flattener) : NULL;
	if (!error)
		error = each_node(flattener, see_fine);
	if (!error && !flattener->is_fbx && has_skins(flattener->scene))
		error = each_node(flattener, see_joint);
	return error ? error : each_node(flattener, visit);
}

/* ---- filling the arrays of the mesh ---- */

static struct cs_error *material_of(
	struct flattener *flattener, struct cs_mesh *mesh, uint32_t of_scene, uint8_t *ret)
{
	uint32_t i = 0;
	while (i < flattener->n_materials && flattener->material_of[i] != of_scene)
		i++;
	if (i == CS_MESH_MATERIALS)
		return cs_error_at(CS_E_MESH, flattener->path, CS_NO_OFFSET,
			"the triangles of the file use more than %d materials, the limit of a "
			"mesh: give faces the same material",
			CS_MESH_MATERIALS);
	if (i == flattener->n_materials) {
		struct aiString name = {0};
		flattener->material_of[flattener->n_materials++] = of_scene;
		if (of_scene < flattener->scene->mNumMaterials)
			aiGetMaterialString(
				flattener->scene->mMaterials[of_scene], AI_MATKEY_NAME, &name);
		mesh->names[i] = cs_strings_add(&mesh->strings, name.data, name.length);
		if (mesh->names[i] == CS_NONE)
			return cs_error_nomem();
	}
	*ret = (uint8_t)i;
	return NULL;
}

static double determinant(const struct aiMatrix4x4 *m)
{
	return (double)m->a1 * ((double)m->b2 * m->c3 - (double)m->b3 * m->c2) -
	       (double)m->a2 * ((double)m->b1 * m->c3 - (double)m->b3 * m->c1) +
	       (double)m->a3 * ((double)m->b1 * m->c2 - (double)m->b2 * m->c1);
}

/* Transforms and normalises a normal by the cofactor matrix of `m` (a scaled inverse transpose). */
static void turn_normal(const struct aiMatrix4x4 *m, const struct aiVector3D *n, float *ret)
{
	const float rows[3][3] = {
		{m->a1, m->a2, m->a3}, {m->b1, m->b2, m->b3}, {m->c1, m->c2, m->c3}};
	const double from[3] = {n->x, n->y, n->z};
	double sign = determinant(m) < 0 ? -1 : 1, length = 0, turned[3];
	for (int i = 0; i < 3; i++) {
		const float *p = rows[(i + 1) % 3], *q = rows[(i + 2) % 3];
		turned[i] = 0;
		for (int k = 0; k < 3; k++) {
			int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
			double cofactor = (double)p[k1] * q[k2] - (double)p[k2] * q[k1];
			turned[i] += sign * cofactor * from[k];
		}
		length += turned[i] * turned[i];
	}
	for (int i = 0; i < 3; i++)
		ret[i] = (float)(turned[i] / sqrt(length));
}

static uint8_t color_byte(float value)
{
	return value > 0 ? value < 1 ? (uint8_t)(value * 255.0f + 0.5f) : 255 : 0;
}

static bool has_alpha(const struct aiMesh *from)
{
	for (size_t v = 0; from->mColors[0] && v < from->mNumVertices; v++)
		if (from->mColors[0][v].a > 0)
			return true;
	return false;
}

/* Fills the colours of an instance. With `opaque`, alpha is 1 where all alpha values are 0. */
static void fill_colors(struct cs_mesh *mesh, const struct aiMesh *from, bool opaque, size_t base)
{
	const bool alpha = !opaque || has_alpha(from);
	for (size_t v = 0; v < from->mNumVertices; v++) {
		uint8_t *to = mesh->colors + 4 * (base + v);
		if (!from->mColors[0]) {
			memset(to, 255, 4);
			continue;
		}
		const struct aiColor4D *color = &from->mColors[0][v];
		to[0] = color_byte(color->r);
		to[1] = color_byte(color->g);
		to[2] = color_byte(color->b);
		to[3] = alpha ? color_byte(color->a) : 255;
	}
}

/* Adds to `value` the difference of a morph target from the mesh, times the target's weight. */
static void add_difference(struct aiVector3D *value, float weight, const struct aiVector3D *target,
	const struct aiVector3D *mesh)
{
	value->x += weight * (target->x - mesh->x);
	value->y += weight * (target->y - mesh->y);
	value->z += weight * (target->z - mesh->z);
}

/* Moves a vertex of a glTF file by the morph targets that have a weight at rest. */
static void add_morph_targets(
	const struct aiMesh *from, size_t v, struct aiVector3D *position, struct aiVector3D *normal)
{
	for (unsigned i = 0; i < from->mNumAnimMeshes; i++) {
		const struct aiAnimMesh *target = from->mAnimMeshes[i];
		if (target->mWeight == 0 || target->mNumVertices != from->mNumVertices)
			continue;
		if (target->mVertices)
			add_difference(position, target->mWeight, &target->mVertices[v],
				&from->mVertices[v]);
		if (target->mNormals && from->mNormals)
			add_difference(
				normal, target->mWeight, &target->mNormals[v], &from->mNormals[v]);
	}
}

/* Fills the vertices of an instance. `skin` has a transform for each vertex, or is NULL. */
static void fill_vertices(struct cs_mesh *mesh, const struct instance *instance,
	const struct aiMatrix4x4 *skin, bool is_fbx, size_t base)
{
	const struct aiMesh *from = instance->mesh;
	for (size_t v = 0; v < from->mNumVertices; v++) {
		struct aiVector3D p = from->mVertices[v], normal = {0};
		const struct aiMatrix4x4 *to_world = skin ? &skin[v] : &instance->to_world;
		if (from->mNormals)
			normal = from->mNormals[v];
		if (!is_fbx) /* assimp always returns the weight 1 for a single target of FBX */
			add_morph_targets(from, v, &p, &normal);
		aiTransformVecByMatrix4(&p, to_world);
		float *to = mesh->positions + 3 * (base + v);
		to[0] = p.x;
		to[1] = p.y;
		to[2] = p.z;
		if (from->mNormals)
			turn_normal(to_world, &normal, mesh->normals + 3 * (base + v));
		for (uint32_t i = 0; i < mesh->n_uvs && from->mTextureCoords[i]; i++) {
			mesh->uvs[i][2 * (base + v)] = from->mTextureCoords[i][v].x;
			mesh->uvs[i][2 * (base + v) + 1] = from->mTextureCoords[i][v].y;
		}
	}
}

/* Copies the triangles of an instance, reversed if `mirrored`. Returns their number. */
static size_t fill_triangles(struct cs_mesh *mesh, const struct instance *instance, bool mirrored,
	size_t base, size_t first, uint8_t material)
{
	size_t n = first;
	for (unsigned i = 0; i < instance->mesh->mNumFaces; i++) {
		const struct aiFace *face = &instance->mesh->mFaces[i];
		if (face->mNumIndices != 3)
			continue;
		uint32_t *to = mesh->indices + 3 * n;
		for (int k = 0; k < 3; k++) {
			uint32_t corner = face->mIndices[mirrored ? 2 - k : k];
			to[k] = corner < instance->mesh->mNumVertices ? (uint32_t)base + corner
								      : CS_NONE;
		}
		mesh->materials[n++] = material;
	}
	return n - first;
}

/* Computes missing normals of an STL file's facets from their corners, which are not shared. */
static void fill_facet_normals(struct cs_mesh *mesh)
{
	for (size_t i = 0; i < mesh->n_triangles; i++) {
		const uint32_t *corners = mesh->indices + 3 * i;
		double at[3][3], normal[3], length = 0;
		if (corners[0] == CS_NONE || corners[1] == CS_NONE || corners[2] == CS_NONE)
			continue;
		for (size_t k = 0; k < 9; k++) {
			const size_t value = 3 * (size_t)corners[k / 3] + k % 3;
			at[k / 3][k % 3] = (double)mesh->positions[value];
			length += (double)fabsf(mesh->normals[value]);
		}
		cs_face_normal(at[0], at[1], at[2], normal);
		if (length > 0) /* a length of NAN means that the file has no normal */
			continue;
		length = sqrt(cs_dot(normal, normal));
		for (size_t k = 0; length > 0 && k < 9; k++)
			mesh->normals[3 * (size_t)corners[k / 3] + k % 3] =
				(float)(normal[k % 3] / length);
	}
}

static struct cs_error *scene_fill(struct flattener *flattener, struct cs_mesh *mesh)
{
	size_t vertices = 0, triangles = 0;
	for (size_t i = 0; i < flattener->instances.n; i++) {
		const struct instance *instance = &flattener->instances.at[i];
		uint8_t material = 0;
		struct cs_error *error =
			material_of(flattener, mesh, instance->mesh->mMaterialIndex, &material);
		if (error)
			return error;
		struct aiMatrix4x4 *skin = NULL;
		error = pose_skin(flattener, instance, &skin);
		if (error)
			return error;
		fill_vertices(mesh, instance, skin, flattener->is_fbx, vertices);
		if (mesh->colors)
			fill_colors(mesh, instance->mesh, flattener->opaque, vertices);
		const bool mirrored = determinant(skin ? &skin[0] : &instance->to_world) < 0;
		triangles +=
			fill_triangles(mesh, instance, mirrored, vertices, triangles, material);
		free(skin);
		vertices += instance->mesh->mNumVertices;
	}
	mesh->n_materials = flattener->n_materials ? flattener->n_materials : 1;
	if (flattener->is_stl)
		fill_facet_normals(mesh);
	return NULL;
}

static struct cs_error *scene_flatten(const struct aiScene *scene, const struct cs_mesh_file *file,
	const struct cs_job *job, struct cs_mesh_report *report, struct cs_mesh **ret)
{
	const char *dot = strrchr(file->name, '.'), *extension = dot ? dot : "";
	struct flattener flattener = {.scene = scene,
		.path = file->name,
		.opaque = file->opaque,
		.report = *report,
		.job = job,
		.is_fbx = cs_name_compare(extension, ".fbx") == 0,
		.is_stl = cs_name_compare(extension, ".stl") == 0};
	struct cs_mesh *mesh = NULL;
	aiIdentityMatrix4(&flattener.to_world);
	struct cs_error *error = list_instances(&flattener);
	if (!error)
		error = cs_mesh_new(&flattener.size, job, &mesh);
	if (!error)
		error = scene_fill(&flattener, mesh);
	cs_vec_free(&flattener.instances);
	cs_vec_free(&flattener.pending);
	cs_strings_deinit(&flattener.fine);
	cs_strings_deinit(&flattener.names);
	cs_vec_free(&flattener.joints);
	if (error)
		cs_mesh_free(mesh);
	else
		*ret = mesh;
	*report = flattener.report;
	return error;
}

/* ---- importing one file ---- */

/*
 * Makes the error of a failed import. assimp reports text, which may name an offset, and errno
 * tells if memory ran out.
 */
static struct cs_error *scene_refused(const char *name)
{
	static const char offset[] = "offset 0x";
	const char *why = aiGetErrorString(), *at = strstr(why, offset);
	if (errno == ENOMEM || strstr(why, "bad_alloc"))
		return cs_error_nomem();
	return cs_error_at(CS_E_MESH, name,
		at ? strtoull(at + strlen(offset), NULL, 16) : CS_NO_OFFSET,
		"the mesh cannot be read: %s", why);
}

/*
 * Returns an error if the scene has fewer triangles than the glTF file states, because assimp
 * leaves out triangles whose corners are no vertices.
 */
static struct cs_error *check_triangles_left(
	const struct cs_mesh_file *file, const struct aiScene *scene)
{
	uint64_t n = 0;
	for (unsigned m = 0; m < scene->mNumMeshes; m++)
		for (unsigned f = 0; f < scene->mMeshes[m]->mNumFaces; f++)
			n += scene->mMeshes[m]->mFaces[f].mNumIndices == 3;
	if (n >= file->triangles)
		return NULL;
	return cs_error_at(CS_E_MESH, file->name, CS_NO_OFFSET,
		"%llu of the %llu triangles name vertices that do not exist",
		(unsigned long long)(file->triangles - n), (unsigned long long)file->triangles);
}

/*
 * Messages of assimp about parts of an FBX file that it leaves out. If a model refers to a broken
 * part, a message about the part is followed by a message about the model. If there is only a
 * message about the part, the part draws nothing. If there is only a message about the model,
 * assimp does not know this kind of part. Lists of normals, UVs or colours that are left out have a
 * message of their own.
 */
struct scene_log {
	char reason[200];
	bool is_incomplete;  /* a model refers to a broken part, whose fault is `reason` */
	uint64_t attributes; /* number of lists of normals, UVs or colours that are left out */
	uint64_t polygons;   /* number of polygons that lost a part, as assimp's messages say */
};

static void hear_log(const char *message, char *user)
{
	struct scene_log *log = (struct scene_log *)(void *)user;
	const char *reason = strncmp(message, "Error", 5) == 0 ? strstr(message, "FBX-") : NULL;
	log->attributes += strstr(message, "FBX: ignoring vertex data channel") ||
			   strstr(message, "FBX: length of input data unexpected");
	log->polygons += strstr(message, "Failed to triangulate polygon") != NULL;
	if (log->is_incomplete)
		return;
	log->is_incomplete = *log->reason && strstr(message, "incoming Model link");
	if (!log->is_incomplete)
		snprintf(log->reason, sizeof(log->reason), "%.*s",
			reason ? (int)strcspn(reason, "\n") : 0, reason ? reason : "");
}

struct cs_error *cs_import_scene(const struct cs_mesh_file *file, const struct cs_job *job,
	struct cs_mesh_report *report, struct cs_mesh **ret)
{
	struct gate gate;
	gate_init(&gate, file);
	struct aiFileIO io = gate_io(&gate);
	struct aiPropertyStore *settings = aiCreatePropertyStore();
	if (!settings)
		return cs_error_nomem();
	aiSetImportPropertyInteger(settings, AI_CONFIG_IMPORT_FBX_READ_ANIMATIONS, 0);
	aiSetImportPropertyInteger(settings, AI_CONFIG_IMPORT_FBX_READ_CAMERAS, 0);
	aiSetImportPropertyInteger(settings, AI_CONFIG_IMPORT_FBX_READ_LIGHTS, 0);
	struct scene_log log = {.is_incomplete = false};
	const struct aiLogStream stream = {hear_log, (char *)&log};
	aiAttachLogStream(&stream);
	errno = 0;
	const struct aiScene *scene =
		aiImportFileExWithProperties(file->name, aiProcess_Triangulate, &io, settings);
	struct cs_error *error =
		scene ? check_triangles_left(file, scene) : scene_refused(file->name);
	if (!scene)
		error = cs_error_first(gate.refused, error);
	else
		cs_error_free(gate.refused);
	if (!error && log.is_incomplete)
		error = cs_error_at(CS_E_MESH, file->name, CS_NO_OFFSET,
			"a part of the file cannot be read: %s", log.reason);
	*report = (struct cs_mesh_report){.attributes = log.attributes, .polygons = log.polygons};
	if (!error)
		error = scene_flatten(scene, file, job, report, ret);
	aiReleaseImport(scene);
	aiDetachLogStream(&stream);
	aiReleasePropertyStore(settings);
	return error;
}
