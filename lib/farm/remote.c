/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache of results on an HTTP server with the protocol of bazel-remote, common in build farms.
 *
 *	PUT and GET URL/cas/SHA256 OF THE BYTES     an entry, as in the folder (farm/cache.c)
 *	PUT and GET URL/ac/SHA256 OF THE KEY        the SHA-256 and size of the key's entry: message
 *	                                            ActionResult of the Remote Execution API
 *
 * The entry is stored before the message that refers to it, so that no message refers to missing
 * bytes. Received bytes are checked by their SHA-256 here, and by key and checksum in the caller; a
 * server that sends wrong bytes counts as not having the entry. After MOST_FAILURES consecutive
 * failures the server is not used any more.
 *
 * libcurl is loaded only when an address is given, because it loads thirty other libraries, which
 * would delay every start of the program. It is not part of the keys of steps, because no step
 * loads it.
 */
#include "farm/cache.h"

#include "config.h"
#include "core/job.h"
#include "core/vec.h"

#include <ctype.h>
#include <stdio.h>

#ifdef HAVE_CURL_CURL_H

#include <curl/curl.h>
#include <dlfcn.h>
#include <openssl/evp.h>

enum {
	MOST_FAILURES = 3,
	PATIENCE = 30,  /* seconds until a slow transfer is aborted; connecting gets a third */
	SLOWEST = 4096, /* bytes per second; a transfer below this is slow */
};
enum { HASH_TEXT = 65, LARGEST_ANSWER = 1 << 16 };

struct http_server {
	struct farm_remote calls;
	char *url; /* address of the server, without a slash at the end */
	void *library;
	CURL *curl;
	int failures; /* number of consecutive failures */
	__typeof__(&curl_easy_init) init;
	__typeof__(&curl_easy_cleanup) cleanup;
	__typeof__(&curl_easy_reset) reset;
	__typeof__(&curl_easy_setopt) set;
	__typeof__(&curl_easy_perform) perform;
	__typeof__(&curl_easy_getinfo) info;
	__typeof__(&curl_easy_strerror) problem;
};

static bool find_functions(struct http_server *server)
{
	const struct {
		const char *name;
		void **to;
	} functions[] = {
		{"curl_easy_init", (void **)&server->init},
		{"curl_easy_cleanup", (void **)&server->cleanup},
		{"curl_easy_reset", (void **)&server->reset},
		{"curl_easy_setopt", (void **)&server->set},
		{"curl_easy_perform", (void **)&server->perform},
		{"curl_easy_getinfo", (void **)&server->info},
		{"curl_easy_strerror", (void **)&server->problem},
	};
	server->library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0; i < CS_COUNT_OF(functions) && server->library; i++)
		if (!(*functions[i].to = dlsym(server->library, functions[i].name)))
			return false;
	return server->library != NULL;
}

/* ---- one HTTP request ---- */

struct transfer {
	CS_VEC(unsigned char) got;
	const unsigned char *put; /* body of a PUT; NULL = GET */
	/* in bytes: size of `put`, how much of it was sent, maximum size of the response */
	size_t size, done, most;
	bool no_memory;
	const struct cs_job *job;
};

static size_t http_take_answer(char *bytes, size_t one, size_t n, void *context)
{
	struct transfer *to = context;
	if (n * one > to->most - to->got.n)
		return 0;
	if (!cs_vec_append(&to->got, (const unsigned char *)bytes, n * one)) {
		to->no_memory = true;
		return 0;
	}
	return n * one;
}

static size_t http_give_body(char *room, size_t one, size_t n, void *context)
{
	struct transfer *from = context;
	size_t left = from->size - from->done, some = n * one < left ? n * one : left;
	memcpy(room, from->put + from->done, some);
	from->done += some;
	return some;
}

static int look_up_from_work(
	void *context, curl_off_t total, curl_off_t done, curl_off_t up_total, curl_off_t up)
{
	(void)total, (void)done, (void)up_total, (void)up;
	return cs_job_interrupted(((struct transfer *)context)->job);
}

static void prepare_request(struct http_server *server, struct transfer *transfer, const char *url)
{
	CURL *curl = server->curl;
	server->reset(curl);
	server->set(curl, CURLOPT_URL, url);
	server->set(curl, CURLOPT_NOSIGNAL, 1L);
	server->set(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	server->set(curl, CURLOPT_CONNECTTIMEOUT, (long)PATIENCE / 3);
	server->set(curl, CURLOPT_LOW_SPEED_LIMIT, (long)SLOWEST);
	server->set(curl, CURLOPT_LOW_SPEED_TIME, (long)PATIENCE);
	const size_t size = transfer->put ? transfer->size : transfer->most;
	server->set(curl, CURLOPT_TIMEOUT, (long)(PATIENCE + size / SLOWEST));
	server->set(curl, CURLOPT_WRITEFUNCTION, http_take_answer);
	server->set(curl, CURLOPT_WRITEDATA, transfer);
	server->set(curl, CURLOPT_XFERINFOFUNCTION, look_up_from_work);
	server->set(curl, CURLOPT_XFERINFODATA, transfer);
	server->set(curl, CURLOPT_NOPROGRESS, 0L);
	if (!transfer->put)
		return;
	server->set(curl, CURLOPT_UPLOAD, 1L);
	server->set(curl, CURLOPT_EXPECT_100_TIMEOUT_MS, 1L);
	server->set(curl, CURLOPT_READFUNCTION, http_give_body);
	server->set(curl, CURLOPT_READDATA, transfer);
	server->set(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)transfer->size);
}

/* Returns the address for messages, without user name and password. */
static const char *shown_address(const struct http_server *server)
{
	const char *host = strstr(server->url, "://") + 3;
	const char *at = memrchr(host, '@', strcspn(host, "/"));
	return at ? at + 1 : server->url;
}

static void http_tell_failure(struct http_server *server, const struct cs_job *job, const char *why)
{
	server->failures++;
	cs_job_log(job, CS_LOG_WARNING, "cache server %s: %s%s", shown_address(server), why,
		server->failures < MOST_FAILURES ? "" : "; the server is not used from now on");
}

/* Counts a failed HTTP status, or resets the count on success. A missing entry is no failure. */
static void http_judge_answer(
	struct http_server *server, const struct transfer *transfer, long status)
{
	char why[64];
	if ((status >= 200 && status < 300) || (status == 404 && !transfer->put)) {
		server->failures = 0;
		return;
	}
	snprintf(why, sizeof(why), "it does not %s a result (HTTP status %ld)",
		transfer->put ? "take" : "give", status);
	http_tell_failure(server, transfer->job, why);
}

/* Returns the HTTP status of a request for URL/KIND/NAME, such as 200, or 0 without a response. */
static long http_ask(
	struct http_server *server, const char *kind, const char *name, struct transfer *transfer)
{
	char *url;
	long status = 0;
	if (server->failures >= MOST_FAILURES)
		return 0;
	if (asprintf(&url, "%s/%s/%s", server->url, kind, name) < 0) {
		transfer->no_memory = true;
		return 0;
	}
	prepare_request(server, transfer, url);
	CURLcode code = server->perform(server->curl);
	free(url);
	if (code == CURLE_OK) {
		server->info(server->curl, CURLINFO_RESPONSE_CODE, &status);
		http_judge_answer(server, transfer, status);
	} else if (!cs_job_interrupted(transfer->job) && !transfer->no_memory) {
		http_tell_failure(server, transfer->job, server->problem(code));
	}
	return status;
}

/* ---- names of entries on the server ---- */

static bool sha256_text(const void *bytes, size_t n, char ret[HASH_TEXT])
{
	unsigned char hash[EVP_MAX_MD_SIZE];
	unsigned length;
	if (!EVP_Digest(bytes, n, hash, &length, EVP_sha256(), NULL))
		return false;
	for (unsigned i = 0; i < length; i++)
		snprintf(ret + 2 * i, 3, "%02x", hash[i]);
	return true;
}

/* Makes the server's name for a key: its SHA-256, because servers require 64 digits. */
static bool name_of_key(struct cs_farm_key key, char ret[HASH_TEXT])
{
	char text[CS_FARM_KEY_TEXT];
	cs_farm_key_format(key, text);
	return sha256_text(text, strlen(text), ret);
}

/* ---- message ActionResult: hash and size of an entry ---- */

/*
 * The message is ActionResult { output_files = 2: OutputFile { path = 1, digest = 2: Digest { hash
 * = 1, size_bytes = 2 } }, exit_code = 4 }, encoded as protocol buffers: the tag of a field is its
 * number times 8, plus 0 for an integer or 2 for bytes with a length; integers have 7 bits per
 * byte, the lowest first.
 */
enum {
	PATH = 1 << 3 | 2,
	DIGEST = 2 << 3 | 2,
	HASH = 1 << 3 | 2,
	SIZE = 2 << 3,
	FILES = DIGEST,
	EXIT = 4 << 3
};

struct message {
	unsigned char bytes[128];
	size_t n;
};

static void put_message_number(struct message *to, uint64_t number)
{
	for (; number > 127; number >>= 7)
		to->bytes[to->n++] = (unsigned char)(number | 128);
	to->bytes[to->n++] = (unsigned char)number;
}

static void put_message_bytes(struct message *to, unsigned char field, const void *bytes, size_t n)
{
	to->bytes[to->n++] = field;
	/* the length fits into one byte, because all lengths are below 128 */
	to->bytes[to->n++] = (unsigned char)n;
	memcpy(to->bytes + to->n, bytes, n);
	to->n += n;
}

static void make_action_result(const char *hash, size_t size, int status, struct message *ret)
{
	struct message digest = {.n = 0}, file = {.n = 0};
	put_message_bytes(&digest, HASH, hash, HASH_TEXT - 1);
	digest.bytes[digest.n++] = SIZE;
	put_message_number(&digest, size);
	put_message_bytes(&file, PATH, "result", 6);
	put_message_bytes(&file, DIGEST, digest.bytes, digest.n);
	ret->n = 0;
	put_message_bytes(ret, FILES, file.bytes, file.n);
	if (status) {
		ret->bytes[ret->n++] = EXIT;
		put_message_number(ret, (uint64_t)status);
	}
}

struct span {
	const unsigned char *at, *end;
};

static bool take_message_number(struct span *from, uint64_t *ret)
{
	*ret = 0;
	for (unsigned shift = 0; from->at < from->end && shift < 64; shift += 7) {
		unsigned char byte = *from->at++;
		*ret |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return true;
	}
	return false;
}

/* Finds the first field whose key (number * 8 + wire type) is `wanted`; false = none. */
static bool find_message_field(
	struct span from, uint64_t wanted, uint64_t *number_ret, struct span *ret)
{
	uint64_t field = 0, number = 0;
	while (take_message_number(&from, &field)) {
		uint64_t skipped = (field & 7) == 1 ? 8 : (field & 7) == 5 ? 4 : 0;
		bool is_bytes = (field & 7) == 2;
		if ((is_bytes || (field & 7) == 0) && !take_message_number(&from, &number))
			return false;
		if ((field & 7) > 2 && (field & 7) != 5)
			return false;
		skipped = is_bytes ? number : skipped;
		if (skipped > (uint64_t)(from.end - from.at))
			return false;
		if (field == wanted) {
			if (number_ret)
				*number_ret = number;
			*ret = (struct span){from.at, from.at + skipped};
			return true;
		}
		from.at += skipped;
	}
	return false;
}

/* Parses an ActionResult: hash and size of its first file; false for any other message. */
static bool read_action_result(struct span from, char hash[HASH_TEXT], uint64_t *size_ret)
{
	struct span file, digest, text, none;
	if (!find_message_field(from, FILES, NULL, &file) ||
		!find_message_field(file, DIGEST, NULL, &digest) ||
		!find_message_field(digest, HASH, NULL, &text) ||
		text.end - text.at != HASH_TEXT - 1 ||
		!find_message_field(digest, SIZE, size_ret, &none))
		return false;
	for (int i = 0; i < HASH_TEXT - 1; i++)
		if (!isxdigit(text.at[i]))
			return false;
	memcpy(hash, text.at, HASH_TEXT - 1);
	hash[HASH_TEXT - 1] = '\0';
	return true;
}

/* ---- getting and storing entries ---- */

static bool http_find_entry(struct http_server *server, struct cs_farm_key key,
	const struct cs_job *job, char hash[HASH_TEXT], uint64_t *size_ret)
{
	char name[HASH_TEXT];
	struct transfer answer = {.most = LARGEST_ANSWER, .job = job};
	bool found = name_of_key(key, name) && http_ask(server, "ac", name, &answer) == 200 &&
		     read_action_result((struct span){answer.got.at, answer.got.at + answer.got.n},
			     hash, size_ret);
	cs_vec_free(&answer.got);
	return found;
}

static struct cs_error *http_get(struct farm_remote *remote, struct cs_farm_key key,
	const struct cs_job *job, unsigned char **ret, size_t *size_ret)
{
	struct http_server *server = (struct http_server *)remote;
	char hash[HASH_TEXT], own[HASH_TEXT];
	uint64_t size;
	*ret = NULL;
	if (!http_find_entry(server, key, job, hash, &size) || size > cs_job_limits(job).file_bytes)
		return cs_job_check(job);
	struct transfer answer = {.most = (size_t)size, .job = job};
	bool whole = http_ask(server, "cas", hash, &answer) == 200 && answer.got.n == size &&
		     sha256_text(answer.got.at, answer.got.n, own) && strcmp(own, hash) == 0;
	if (whole) {
		*ret = answer.got.at;
		*size_ret = answer.got.n;
		return NULL;
	}
	cs_vec_free(&answer.got);
	return answer.no_memory ? cs_error_nomem() : cs_job_check(job);
}

static bool http_put_one(struct http_server *server, const char *kind, const char *name,
	const unsigned char *bytes, size_t size, const struct cs_job *job)
{
	struct transfer body = {.put = bytes, .size = size, .most = LARGEST_ANSWER, .job = job};
	long status = http_ask(server, kind, name, &body);
	cs_vec_free(&body.got);
	return status >= 200 && status < 300;
}

static void http_put(struct farm_remote *remote, struct cs_farm_key key, int status,
	const unsigned char *bytes, size_t size, const struct cs_job *job)
{
	struct http_server *server = (struct http_server *)remote;
	char hash[HASH_TEXT], name[HASH_TEXT];
	struct message result;
	if (!sha256_text(bytes, size, hash) || !name_of_key(key, name) ||
		!http_put_one(server, "cas", hash, bytes, size, job))
		return;
	make_action_result(hash, size, status, &result);
	http_put_one(server, "ac", name, result.bytes, result.n, job);
}

static void http_close(struct farm_remote *remote)
{
	struct http_server *server = (struct http_server *)remote;
	if (server->curl)
		server->cleanup(server->curl);
	if (server->library)
		dlclose(server->library);
	free(server->url);
	free(server);
}

static struct cs_error *http_open(const char *url, struct farm_remote **ret)
{
	struct http_server *server = calloc(1, sizeof(*server));
	if (!server || !(server->url = strdup(url))) {
		free(server);
		return cs_error_nomem();
	}
	server->calls = (struct farm_remote){http_close, http_get, http_put};
	for (size_t n = strlen(server->url); n > 0 && server->url[n - 1] == '/'; n--)
		server->url[n - 1] = '\0';
	if (!find_functions(server)) {
		http_close(&server->calls);
		return cs_error_new(CS_E_FEATURE,
			"a cache server (--http) needs libcurl.so.4, which is not installed");
	}
	server->curl = server->init();
	if (!server->curl) {
		http_close(&server->calls);
		return cs_error_nomem();
	}
	*ret = &server->calls;
	return NULL;
}

#endif

struct cs_error *farm_remote_open(const char *url, struct farm_remote **ret)
{
	if (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0)
		return cs_error_new(CS_E_USAGE,
			"the address '%.200s' of the cache server must begin with http:// or "
			"https://",
			url);
	const char host = strstr(url, "://")[3];
	if (host == '\0' || host == '/')
		return cs_error_new(CS_E_USAGE,
			"the address '%.200s' of the cache server contains no host name", url);
#ifdef HAVE_CURL_CURL_H
	return http_open(url, ret);
#else
	(void)ret;
	return cs_error_new(CS_E_FEATURE,
		"this cellscope was built without libcurl, so it cannot use a cache server "
		"(--http)");
#endif
}
