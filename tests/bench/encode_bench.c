/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Benchmark of Nanite resources: bytes on disk by triangle of the mesh, against LZ4 of the plain
 * arrays; speed of encoding, decoding and verifying on 1 and 2 threads, against LZ4 and memcpy of
 * the same pages, which no encoder or decoder of them can pass; bytes as the library packs them.
 * One thread is measured by its CPU, two by the clock. What C7 asks of encoded pages is checked,
 * and fails it: rules deep and shallow, and the same bytes from 1 and 2 threads and from what was
 * decoded.
 *
 *	encode [MESH ...]     a file, or KIND:TRIANGLES of the generator
 */
#include "cluster/build.h"
#include "nanite/decode/decode.h"
#include "nanite/encode/encode.h"
#include "nanite/format/contents.h"
#include "nanite/format/resource.h"
#include "nanite/verify/verify_resource.h"
#include "tests/bench/meshes.h"
#include "tests/samples/nanite_contents.h"
#include "tests/samples/tap.h"

#include <lz4.h>
#include <lz4hc.h>

enum { ROUNDS = 3 };

/* ---- peers and limits ---- */

static size_t lz4_size(const void *bytes, size_t n)
{
	int bound = LZ4_compressBound((int)n);
	char *to = malloc((size_t)bound);
	int size = LZ4_compress_default(bytes, to, (int)n, bound);
	free(to);
	return size > 0 ? (size_t)size : n;
}

/* Positions, normals, UVs, colours and indices as they lie in memory. */
static void print_arrays(const struct cs_mesh_view *mesh)
{
	size_t v = mesh->n_vertices, t = mesh->n_triangles;
	size_t raw = v * 24 + t * 12, packed = lz4_size(mesh->positions, v * 12) +
					       lz4_size(mesh->normals, v * 12) +
					       lz4_size(mesh->indices, t * 12);
	for (uint32_t uv = 0; uv < mesh->n_uvs; uv++) {
		raw += v * 8;
		packed += lz4_size(mesh->uvs[uv], v * 8);
	}
	if (mesh->colors) {
		raw += v * 4;
		packed += lz4_size(mesh->colors, v * 4);
	}
	printf("  plain arrays   %8.2f bytes a triangle, with LZ4 %.2f (level 0 alone)\n",
		(double)raw / (double)t, (double)packed / (double)t);
}

/* Seconds to compress, to decompress and to copy as many bytes as the pages have, in their sizes.
 */
struct limits {
	double compress, decompress, copy;
	double raw, quick, thorough; /* bytes of pages before LZ4, and as the library packs them */
};

static void lower(double *best, double seconds)
{
	*best = *best == 0 || seconds < *best ? seconds : *best;
}

static struct limits measure_limits(const struct cs_nanite *r)
{
	struct limits best = {0};
	enum { MOST = 1 << 18 };
	static unsigned char raw[MOST], copy[MOST], packed[LZ4_COMPRESSBOUND(MOST)];
	for (int round = 0; round < ROUNDS; round++) {
		double compress = 0, decompress = 0, copied = 0;
		best.raw = best.quick = best.thorough = 0;
		for (size_t i = 0; i < r->n_pages; i++) {
			const struct cs_nanite_page_state *page = &r->pages[i];
			const unsigned char *blob =
				(i < r->info->root_pages ? r->root_bytes : r->stream_bytes) +
				page->bulk_offset;
			uint16_t head[3];
			memcpy(head, blob, sizeof(head));
			size_t chunk = 8 + (size_t)head[1] * 16 + (size_t)head[2] * 8;
			double start = bench_cpu();
			int n = LZ4_decompress_safe((const char *)blob + chunk, (char *)raw,
				(int)(page->bulk_size - chunk), (int)page->page_size);
			decompress += bench_cpu() - start;
			if (n <= 0)
				exit(3);
			best.raw += n;
			start = bench_cpu();
			best.quick += LZ4_compress_default(
				(const char *)raw, (char *)packed, n, sizeof(packed));
			compress += bench_cpu() - start;
			if (round == ROUNDS - 1)
				best.thorough += LZ4_compress_HC((const char *)raw, (char *)packed,
					n, sizeof(packed), LZ4HC_CLEVEL_MAX);
			start = bench_cpu();
			memcpy(copy, raw, (size_t)n);
			copied += bench_cpu() - start;
		}
		lower(&best.compress, compress);
		lower(&best.decompress, decompress);
		lower(&best.copy, copied);
	}
	return best;
}

/* ---- what is measured ---- */

struct times {
	double encode, decode, verify;
};

static void ignore(void *context, const struct cs_finding *finding)
{
	(void)context;
	(void)finding;
}

static void count_serious(void *context, const struct cs_finding *finding)
{
	uint64_t *n = context;
	*n += finding->severity == CS_ERROR;
}

static double now_on(int threads)
{
	return threads == 1 ? bench_cpu() : bench_now();
}

static struct times measure(const struct cs_dag *dag, const struct cs_nanite *r, int threads)
{
	const struct cs_job job = {.threads = threads};
	struct times best = {0, 0, 0};
	for (int round = 0; round < ROUNDS; round++) {
		struct cs_nanite *made;
		struct cs_nanite_contents *contents;
		size_t n;
		double start = now_on(threads);
		bench_need(cs_nanite_encode(dag, NULL, &job, &made));
		lower(&best.encode, now_on(threads) - start);
		cs_nanite_free(made);
		start = now_on(threads);
		bench_need(cs_nanite_decode(r, &job, &contents));
		lower(&best.decode, now_on(threads) - start);
		cs_nanite_contents_free(contents);
		start = now_on(threads);
		bench_need(cs_nanite_check(r, false, &job, ignore, NULL, &n));
		lower(&best.verify, now_on(threads) - start);
	}
	return best;
}

static void print_sizes(const struct cs_nanite *r, const struct cs_nanite_summary *sums)
{
	unsigned char *bytes;
	size_t size;
	double n = r->info->input_triangles;
	bench_need(cs_nanite_bytes(r, NULL, &bytes, &size));
	free(bytes);
	printf("  file           %8.2f bytes a triangle: pages %.2f, fixups %.2f, around them %.2f\n",
		(double)size / n, (double)(sums->disk_bytes - sums->fixup_bytes) / n,
		(double)sums->fixup_bytes / n, ((double)size - (double)sums->disk_bytes) / n);
	printf("  pages          %8zu, filled to %.1f %%, %.2f bytes by one with LZ4, %.1f %% of"
	       " vertices are references\n",
		r->n_pages,
		100 * (double)sums->gpu_bytes / ((double)r->n_pages * CS_PAGE_GPU_BYTES),
		(double)sums->page_bytes / (double)(sums->disk_bytes - sums->fixup_bytes),
		100 * (double)sums->references / r->info->vertices);
}

static void print_times(const struct cs_nanite *r, const struct times *t, int threads)
{
	double triangles = r->info->triangles / 1e6, input = r->info->input_triangles / 1e6;
	printf("  %d thread%s      encode %.1f, decode %.1f, verify %.1f million stored triangles a"
	       " second; encode %.1f of the mesh\n",
		threads, threads == 1 ? " " : "s", triangles / t->encode, triangles / t->decode,
		triangles / t->verify, input / t->encode);
}

/* Returns whether two resources are the same file. */
static bool same_bytes(const struct cs_nanite *a, const struct cs_nanite *b)
{
	unsigned char *bytes_a, *bytes_b;
	size_t size_a, size_b;
	bench_need(cs_nanite_bytes(a, NULL, &bytes_a, &size_a));
	bench_need(cs_nanite_bytes(b, NULL, &bytes_b, &size_b));
	bool same = size_a == size_b && memcmp(bytes_a, bytes_b, size_a) == 0;
	free(bytes_a);
	free(bytes_b);
	return same;
}

static bool check(const struct cs_mesh *mesh, const struct cs_nanite *r,
	const struct cs_nanite_contents *contents)
{
	const struct cs_nanite_options options = nanite_options_of(r);
	const struct cs_job one_thread = {.threads = 1};
	struct cs_nanite *again, *alone;
	uint64_t serious = 0;
	size_t n = 0;
	bench_need(cs_nanite_check(r, true, NULL, count_serious, &serious, &n));
	bench_need(encode_again(contents, &options, &again));
	bench_need(cs_nanite_build(mesh, NULL, &one_thread, NULL, &alone));
	bool recoded = same_bytes(r, again), repeated = same_bytes(r, alone);
	cs_nanite_free(again);
	cs_nanite_free(alone);
	printf("  checks         %llu faults, %llu remarks; decoded and encoded again: %s; on 1 and 2"
	       " threads: %s\n",
		(unsigned long long)serious, (unsigned long long)(n - serious),
		recoded ? "same bytes" : "OTHER BYTES", repeated ? "same bytes" : "OTHER BYTES");
	return serious == 0 && recoded && repeated;
}

/* What decoding fills for the vertices and triangles of all levels. */
static double decoded_bytes(const struct cs_nanite *r)
{
	double vertex =
		3 * sizeof(int32_t) + sizeof(uint32_t) + 4 + r->info->uvs * 2 * sizeof(float);
	return r->info->vertices * vertex + r->info->triangles * (3.0 + 1.0);
}

static double page_bytes(const struct cs_nanite *r)
{
	double n = 0;
	for (size_t i = 0; i < r->n_pages; i++)
		n += r->pages[i].page_size;
	return n;
}

static void bench_resource(
	const struct cs_dag *dag, const struct cs_nanite *r, const struct cs_nanite_summary *sums)
{
	const struct times one = measure(dag, r, 1), two = measure(dag, r, 2);
	const struct limits limits = measure_limits(r);
	print_times(r, &one, 1);
	print_times(r, &two, 2);
	const double n = r->info->input_triangles, gb = 1e-9;
	printf("  packed         %8.2f bytes a triangle of pages, LZ4 %.2f, its thorough way %.2f\n",
		(double)(sums->disk_bytes - sums->fixup_bytes) / n, limits.quick / n,
		limits.thorough / n);
	printf("  decoding       %8.2f GB/s of what is decoded, %.2f GB/s of pages; LZ4 %.1f GB/s of"
	       " what it packed, memcpy %.1f\n",
		decoded_bytes(r) / one.decode * gb, page_bytes(r) / one.decode * gb,
		limits.raw / limits.decompress * gb, limits.raw / limits.copy * gb);
	printf("  limits         encode takes %.1f times LZ4, decode %.1f times LZ4 and %.0f times"
	       " memcpy of its pages, on 1 thread\n",
		one.encode / limits.compress, one.decode / limits.decompress,
		one.decode / limits.copy);
}

/* Returns whether all checks hold. */
static bool bench_mesh(const char *name)
{
	struct cs_mesh *mesh = bench_load_mesh(name);
	const struct cs_mesh_view view = cs_mesh_view(mesh);
	const struct cs_job job = {.threads = 2};
	struct cs_nanite_contents *contents;
	struct cs_nanite *resource;
	struct cs_dag *dag;
	printf("%s: %u triangles, %u UV channels%s\n", name, view.n_triangles, view.n_uvs,
		view.colors ? ", colours" : "");
	bench_need(cs_nanite_build(mesh, NULL, &job, NULL, &resource));
	bench_need(cs_nanite_decode(resource, NULL, &contents));
	const struct cs_nanite_summary sums = sums_of_contents(contents);
	print_arrays(&view);
	print_sizes(resource, &sums);
	bool good = check(mesh, resource, contents);
	cs_nanite_contents_free(contents);
	bench_need(cs_dag_build(mesh, NULL, NULL, NULL, &dag));
	bench_resource(dag, resource, &sums);
	cs_dag_free(dag);
	cs_nanite_free(resource);
	cs_mesh_free(mesh);
	fflush(stdout);
	return good;
}

int main(int argc, char **argv)
{
	static const char *const files[] = {"stanford-bunny.obj", "nefertiti.obj", "igea.ply",
		"beast.obj", "spot.obj", "beetle-alt.obj", "fandisk.obj", "suzanne.obj"};
	static const char *const made[] = {"terrain:300000", "noise:300000", "foliage:300000",
		"flat:300000", "seams:300000", "islands:300000", "moebius:300000",
		"coincident:1000000"};
	bool good = true;
	for (int i = 1; i < argc; i++)
		good = bench_mesh(argv[i]) && good;
	if (argc > 1)
		return good ? 0 : 3;
	for (size_t i = 0; shared_data() && i < sizeof(files) / sizeof(*files); i++) {
		char path[4200];
		snprintf(path, sizeof(path), "%s/meshes/%s", shared_data(), files[i]);
		good = bench_mesh(path) && good;
	}
	for (size_t i = 0; i < sizeof(made) / sizeof(*made); i++)
		good = bench_mesh(made[i]) && good;
	return good ? 0 : 3;
}
