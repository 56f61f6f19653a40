/* Tests of the C library: ./test DIRECTORY [CALLS], which holds rows.txt. */
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lanes.h"

static int failures;

#define EXPECT(condition, ...) \
	do { \
		if (!(condition)) { \
			failures++; \
			printf("line %d: %s: ", __LINE__, #condition); \
			printf(__VA_ARGS__); \
			printf("\n"); \
		} \
	} while (0)

static char text[4000];
static lanes_text message = {text, sizeof text, 0};

static void want(lanes_status status, lanes_status got, const char *part, int line) {
	if (got != status || (part && !strstr(text, part))) {
		failures++;
		printf("line %d: status %d, want %d and \"%s\": %s\n", line, (int)got, (int)status, part ? part : "", text);
	}
}
#define OK(call) want(LANES_OK, call, NULL, __LINE__)
#define BAD(status, part, call) want(status, call, part, __LINE__)

enum { n = 200, d = 7 };
static double dense[n][d], labels[n];
static int32_t begin32[n + 1], index32[n * d];
static int64_t begin64[n + 1], index64[n * d];
static float value32[n * d];
static double value64[n * d];

static unsigned state = 7;
static unsigned next(void) { return (state = state * 1664525u + 1013904223u) >> 8; }

static void generate(void) {
	int entries = 0;
	for (int i = 0; i < n; i++) {
		double sum = 0.3;
		for (int j = 0; j < d; j++)
			if (next() % 3 == 0) {
				dense[i][j] = (int)(next() % 64) / 8.0 - 3.0625;
				sum += dense[i][j] * (j % 3 - 1);
				index32[entries] = j, index64[entries] = j;
				value32[entries] = (float)dense[i][j], value64[entries++] = dense[i][j];
			}
		begin32[i + 1] = entries, begin64[i + 1] = entries;
		labels[i] = sum + (int)(next() % 100) / 50.0 - 1 > 0 ? 1 : 0;
	}
}

static int calls;
static int count(const lanes_point *point, void *context) {
	calls++;
	return context && point->passes >= *(double *)context;
}

static void train(lanes_matrix matrix, const char *options, double *w, double *b, char *hash) {
	lanes_rows rows = {.matrix = matrix, .labels = labels, .length = n};
	lanes_model model;
	char out[100000];
	lanes_text result = {out, sizeof out, 0};
	OK(lanes_train(&rows, NULL, (lanes_model){0}, options, count, NULL, &model, &result, &message));
	OK(lanes_model_coefficients(model, w, d, b, 1, &message));
	char *found = strstr(out, "\"weights_sha256\":\"");
	EXPECT(found, "%s", out);
	if (found) memcpy(hash, found + 18, 64), hash[64] = 0;
	OK(lanes_model_free(model, &message));
}

/* The gradient is 0: sum s (p - y) x / n + w / n, and of the intercept without w. */
static void optimal(const double *w, double b, const double *weights, const double *offsets) {
	double g[d + 1] = {0};
	for (int i = 0; i < n; i++) {
		double score = b + (offsets ? offsets[i] : 0);
		for (int j = 0; j < d; j++) score += dense[i][j] * w[j];
		double p = (1 / (1 + exp(-score)) - labels[i]) * (weights ? weights[i] : 1);
		for (int j = 0; j < d; j++) g[j] += p * dense[i][j];
		g[d] += p;
	}
	for (int j = 0; j <= d; j++) EXPECT(fabs(g[j] + (j < d ? w[j] : 0)) < 1e-3, "gradient %d is %g", j, g[j]);
}

static void matrices(void) {
	const char *options = "{\"intercept\":\"free\",\"settings\":{\"gap_tolerance\":1e-12}}";
	lanes_matrix m[9];
	OK(lanes_matrix_from_csr(n, d, begin32, LANES_INT32, index32, LANES_INT32, value32, LANES_FLOAT32, &m[0], &message));
	OK(lanes_matrix_from_csr(n, d, begin64, LANES_INT64, index64, LANES_INT64, value64, LANES_FLOAT64, &m[1], &message));
	OK(lanes_matrix_from_dense(n, d, dense, LANES_FLOAT64, d, 1, &m[2], &message));
	double turned[d][n];
	int32_t begin[d + 1] = {0}, rows[n * d];
	double values[n * d];
	int entries = 0;
	for (int j = 0; j < d; begin[++j] = entries)
		for (int i = 0; i < n; i++) {
			turned[j][i] = dense[i][j];
			if (dense[i][j]) rows[entries] = i, values[entries++] = dense[i][j];
		}
	OK(lanes_matrix_from_dense(n, d, turned, LANES_FLOAT64, 1, n, &m[3], &message));
	OK(lanes_matrix_from_csc(n, d, begin, LANES_INT32, rows, LANES_INT32, values, LANES_FLOAT64, &m[4], &message));
	int64_t reversed[n * d]; /* each row in descending columns */
	double backward[n * d];
	for (int i = 0; i < n; i++)
		for (int64_t k = begin64[i], r = begin64[i + 1] - 1; k < begin64[i + 1]; k++, r--) reversed[k] = index64[r], backward[k] = value64[r];
	OK(lanes_matrix_from_csr(n, d, begin32, LANES_INT32, reversed, LANES_INT64, backward, LANES_FLOAT64, &m[5], &message));
	OK(lanes_matrix_borrow_dense(n, d, dense, LANES_FLOAT64, d, 1, 2, &m[6], &message));
	OK(lanes_matrix_borrow_dense(n, d, turned, LANES_FLOAT64, 1, n, 0, &m[7], &message));
	static float single[n][d];
	for (int i = 0; i < n; i++)
		for (int j = 0; j < d; j++) single[i][j] = dense[i][j];
	OK(lanes_matrix_borrow_dense(n, d, single, LANES_FLOAT32, d, 1, 1, &m[8], &message));
	double first[d], w[d], b0, b;
	char hash0[65], hash[65];
	for (int k = 0; k < 9; k++) {
		int64_t r, c, nnz;
		OK(lanes_matrix_shape(m[k], &r, &c, &nnz, &message));
		EXPECT(r == n && c == d && nnz == begin64[n], "%d: %d x %d, %d", k, (int)r, (int)c, (int)nnz);
		train(m[k], options, k ? w : first, k ? &b : &b0, k ? hash : hash0);
		if (k) EXPECT(!memcmp(w, first, sizeof w) && b == b0 && !strcmp(hash, hash0), "matrix %d has other weights", k);
		OK(lanes_matrix_free(m[k], &message));
		BAD(LANES_BAD_ARGUMENT, "no matrix", lanes_matrix_free(m[k], &message));
	}
	optimal(first, b0, NULL, NULL);
}

/* The arrays of a caller, whose columns are in no order, stay as they are, and the matrix is the same. */
static void unchanged(void) {
	static int32_t begin[n + 1], index[n * d], begin_was[n + 1], index_was[n * d];
	static double value[n * d], value_was[n * d], labels_was[n];
	for (int i = 0; i < n; i++) {
		begin[i + 1] = begin32[i + 1];
		for (int k = begin[i]; k < begin[i + 1]; k++) {
			int from = begin[i] + begin[i + 1] - 1 - k;
			index[k] = index32[from], value[k] = value64[from];
		}
	}
	memcpy(begin_was, begin, sizeof begin), memcpy(index_was, index, sizeof index), memcpy(value_was, value, sizeof value), memcpy(labels_was, labels, sizeof labels);
	lanes_matrix matrix, sorted;
	double w[d], b, first[d], b0;
	char hash[65], hash0[65];
	OK(lanes_matrix_from_csr(n, d, begin, LANES_INT32, index, LANES_INT32, value, LANES_FLOAT64, &matrix, &message));
	OK(lanes_matrix_from_csr(n, d, begin32, LANES_INT32, index32, LANES_INT32, value64, LANES_FLOAT64, &sorted, &message));
	train(matrix, NULL, w, &b, hash);
	train(sorted, NULL, first, &b0, hash0);
	EXPECT(!strcmp(hash, hash0), "columns in another order: %s, %s", hash, hash0);
	EXPECT(!memcmp(begin, begin_was, sizeof begin) && !memcmp(index, index_was, sizeof index) && !memcmp(value, value_was, sizeof value) && !memcmp(labels, labels_was, sizeof labels), "%s", "arrays have changed");
	OK(lanes_matrix_free(matrix, &message));
	OK(lanes_matrix_free(sorted, &message));
}

static void scores(void) {
	lanes_matrix matrix;
	OK(lanes_matrix_from_csr(n, d, begin32, LANES_INT32, index32, LANES_INT32, value32, LANES_FLOAT32, &matrix, &message));
	lanes_rows rows = {.matrix = matrix, .labels = labels, .length = n};
	lanes_model model, again;
	OK(lanes_train(&rows, NULL, (lanes_model){0}, NULL, NULL, NULL, &model, NULL, &message));
	double s[n], p[n], l[n], s2[n], w[d], b;
	OK(lanes_scores(model, matrix, 1, s, n, &message));
	OK(lanes_probabilities(model, matrix, 2, p, n, &message));
	OK(lanes_predict(model, matrix, 0, l, n, &message));
	OK(lanes_model_coefficients(model, w, d, &b, 1, &message));
	for (int i = 0; i < n; i++) {
		double score = b, one;
		for (int j = 0; j < d; j++) score += dense[i][j] * w[j];
		EXPECT(fabs(score - s[i]) < 1e-12, "%g, %g", score, s[i]);
		EXPECT(fabs(p[i] - 1 / (1 + exp(-s[i]))) < 1e-14, "%g", p[i]);
		EXPECT(l[i] == (s[i] > 0 ? 1 : 0), "%g", l[i]);
		OK(lanes_score_row(model, index64 + begin64[i], value64 + begin64[i], begin64[i + 1] - begin64[i], &one, 1, &message));
		EXPECT(one == s[i], "a row alone: %.17g, %.17g", one, s[i]);
		OK(lanes_score_row(model, NULL, dense[i], d, &one, 1, &message));
		EXPECT(one == s[i], "a dense row alone: %.17g, %.17g", one, s[i]);
		BAD(LANES_BAD_ARGUMENT, "the model has 7 columns", lanes_score_row(model, NULL, dense[i], d - 1, &one, 1, &message));
	}
	static double turned[d][n], gaps[n][2 * d + 1], ds[n], bad[n][d];
	static float single[n][d];
	for (int i = 0; i < n; i++)
		for (int j = 0; j < d; j++) turned[j][i] = gaps[i][2 * j] = single[i][j] = bad[i][j] = dense[i][j], gaps[i][2 * j + 1] = NAN;
	const struct { const void *values; lanes_type type; int64_t row, column; } arrays[] = {
		{dense, LANES_FLOAT64, d, 1}, {turned, LANES_FLOAT64, 1, n}, {gaps, LANES_FLOAT64, 2 * d + 1, 2}, {single, LANES_FLOAT32, d, 1}};
	for (int k = 0; k < 4; k++)
		for (int workers = 0; workers < 3; workers++) {
			OK(lanes_dense_scores(model, n, d, arrays[k].values, arrays[k].type, arrays[k].row, arrays[k].column, workers, ds, n, &message));
			EXPECT(!memcmp(s, ds, sizeof s), "array %d has other scores", k);
			OK(lanes_dense_probabilities(model, n, d, arrays[k].values, arrays[k].type, arrays[k].row, arrays[k].column, workers, ds, n, &message));
			EXPECT(!memcmp(p, ds, sizeof p), "array %d has other probabilities", k);
			OK(lanes_dense_predict(model, n, d, arrays[k].values, arrays[k].type, arrays[k].row, arrays[k].column, workers, ds, n, &message));
			EXPECT(!memcmp(l, ds, sizeof l), "array %d has other labels", k);
		}
	bad[n - 2][3] = INFINITY, bad[4][2] = NAN;
	BAD(LANES_BAD_DATA, "row 5: column 2 holds NaN", lanes_dense_scores(model, n, d, bad, LANES_FLOAT64, d, 1, 2, ds, n, &message));
	BAD(LANES_BAD_DATA, "column 3 holds +Inf", lanes_dense_predict(model, n - 5, d, bad[5], LANES_FLOAT64, d, 1, 1, ds, n - 5, &message));
	BAD(LANES_BAD_ARGUMENT, "values is NULL", lanes_dense_scores(model, n, d, NULL, LANES_FLOAT64, d, 1, 1, ds, n, &message));
	BAD(LANES_BAD_ARGUMENT, "strides are", lanes_dense_scores(model, n, d, dense, LANES_FLOAT64, -1, 1, 1, ds, n, &message));
	BAD(LANES_BAD_ARGUMENT, "the type of values", lanes_dense_scores(model, n, d, dense, LANES_INT32, d, 1, 1, ds, n, &message));
	BAD(LANES_BAD_ARGUMENT, "numbers are needed", lanes_dense_scores(model, n, d, dense, LANES_FLOAT64, d, 1, 1, ds, n - 1, &message));
	BAD(LANES_BAD_ARGUMENT, "addresses", lanes_dense_scores(model, n, d, dense, LANES_FLOAT64, (int64_t)1 << 40, (int64_t)1 << 40, 1, ds, n, &message));
	BAD(LANES_NO_MEMORY, "the scores", lanes_dense_predict(model, (int64_t)1 << 36, 1, dense, LANES_FLOAT64, 0, 0, 1, ds, (int64_t)1 << 36, &message));
	OK(lanes_dense_scores(model, 0, d, NULL, LANES_FLOAT64, d, 1, 0, NULL, 0, &message));
	OK(lanes_dense_scores(model, n, 0, NULL, LANES_FLOAT32, 0, 1, 0, ds, n, &message));
	EXPECT(ds[0] == b && ds[n - 1] == b, "a row without columns: %g", ds[0]);
	OK(lanes_dense_scores(model, n, d - 2, dense, LANES_FLOAT64, d, 1, 0, ds, n, &message)); /* the model has more columns */
	lanes_text size = {NULL, 0, 0};
	OK(lanes_model_save(model, &size, &message));
	char *file = malloc(size.length + 1);
	lanes_text whole = {file, size.length + 1, 0};
	OK(lanes_model_save(model, &whole, &message));
	EXPECT(whole.length == size.length && strlen(file) == whole.length, "%zu", strlen(file));
	OK(lanes_model_load(file, whole.length, &again, &message));
	OK(lanes_scores(again, matrix, 1, s2, n, &message));
	EXPECT(!memcmp(s, s2, sizeof s), "a model that was loaded has other scores");
	BAD(LANES_BAD_FILE, NULL, lanes_model_load(file, whole.length / 2, &again, &message));
	free(file);

	double value, below = 0, pairs = 0;
	OK(lanes_metric("roc_auc", labels, s, NULL, n, &value, &message));
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			if (labels[i] > labels[j]) pairs++, below += s[i] > s[j] ? 1 : s[i] == s[j] ? 0.5 : 0;
	EXPECT(fabs(value - below / pairs) < 1e-12, "%g, %g", value, below / pairs);
	double weights[n], offsets[n];
	for (int i = 0; i < n; i++) weights[i] = 1 + i % 3, offsets[i] = i % 2;
	OK(lanes_metric("roc_auc", labels, s, weights, n, &value, &message));
	below = pairs = 0;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			if (labels[i] > labels[j]) pairs += weights[i] * weights[j], below += weights[i] * weights[j] * (s[i] > s[j] ? 1 : s[i] == s[j] ? 0.5 : 0);
	EXPECT(fabs(value - below / pairs) < 1e-12, "%g, %g", value, below / pairs);
	char out[20000];
	lanes_text report = {out, sizeof out, 0};
	OK(lanes_evaluate(model, &rows, "{\"rates\":[0,0.1]}", &report, &message));
	EXPECT(strstr(out, "\"auroc\":"), "%s", out);
	/* Each option of lanes_evaluate changes the report. */
	char reports[4][20000];
	const char *measures[] = {"{\"rates\":[0,0.1]}", "{\"rates\":[0,0.6]}", "{\"rates\":[0,0.6],\"min_tpr\":0.5}", "{\"rates\":[0,0.1],\"positive\":\"0\"}"};
	for (int k = 0; k < 4; k++) {
		OK(lanes_evaluate(model, &rows, measures[k], &(lanes_text){reports[k], sizeof reports[k], 0}, &message));
		for (int j = 0; j < k; j++) EXPECT(strcmp(reports[j], reports[k]), "%s has the report of %s", measures[k], measures[j]);
	}
	/* Errors of weights: each option changes them, and a penalty or other rows are refused. */
	{
		lanes_model fit;
		OK(lanes_train(&rows, NULL, (lanes_model){0}, "{\"kind\":\"regression\",\"intercept\":\"free\",\"penalty\":{\"none\":true}}", NULL, NULL, &fit, NULL, &message));
		char groups[20000] = "{\"clusters\":[";
		for (int i = 0; i < n; i++) sprintf(groups + strlen(groups), "%s%d", i ? "," : "", i % 9);
		strcat(groups, "]}");
		const char *ways[] = {NULL, "{\"covariance\":\"hc3\",\"workers\":1}", "{\"level\":0.5}", groups};
		for (int k = 0; k < 4; k++) {
			OK(lanes_inference(fit, &rows, ways[k], &(lanes_text){reports[k], sizeof reports[k], 0}, &message));
			EXPECT(strstr(reports[k], "\"std_error\":"), "%s", reports[k]);
			for (int j = 0; j < k; j++) EXPECT(strcmp(reports[j], reports[k]), "%s has the errors of %s", ways[k], ways[j] ? ways[j] : "NULL");
		}
		BAD(LANES_BAD_OPTION, "no covariance", lanes_inference(fit, &rows, "{\"covariance\":\"hc9\"}", &report, &message));
		BAD(LANES_BAD_OPTION, "without a penalty", lanes_inference(model, &rows, NULL, &report, &message));
		OK(lanes_model_free(fit, &message));
	}
	OK(lanes_model_about(model, &report, &message));
	EXPECT(strstr(out, "\"features\":7"), "%s", out);

	/* Searches, weights, offsets, validation and a start. */
	rows.weights = weights;
	lanes_model other, third;
	static char path[200000];
	lanes_text result = {out, sizeof out, 0};
	OK(lanes_train(&rows, NULL, (lanes_model){0}, "{\"search\":{\"folds\":3}}", NULL, NULL, &other, &result, &message));
	EXPECT(strstr(out, "\"chosen\":"), "%s", out);
	OK(lanes_model_free(other, &message));
	OK(lanes_train(&rows, &rows, model, "{\"search\":{\"path\":true,\"over_l1\":true},\"metric\":\"auc\"}", NULL, NULL, &other, &(lanes_text){path, sizeof path, 0}, &message));
	int64_t points = 0, best = atoll(strstr(path, "\"best\":") + 7);
	for (const char *at = strstr(path, "\"fits\":["); at && (at = strstr(at, "\"weight\":")) && at < strstr(path, "\"gradient_norm\":"); at++) points++;
	EXPECT(points == 100, "%d points of a path", (int)points);
	double chosen[d], constant, all[100 * d], constants[100];
	OK(lanes_path_coefficients(other, all, points * d, constants, points, &message));
	OK(lanes_model_coefficients(other, chosen, d, &constant, 1, &message));
	EXPECT(!memcmp(chosen, all + best * d, sizeof chosen) && constant == constants[best], "the best point of a path is not its model");
	EXPECT(memcmp(all, all + d * (points - 1), sizeof chosen), "the ends of a path are equal");
	BAD(LANES_BAD_ARGUMENT, "coefficients", lanes_path_coefficients(other, all, d, NULL, 0, &message));
	BAD(LANES_BAD_ARGUMENT, "path", lanes_path_coefficients(model, all, d, NULL, 0, &message));
	OK(lanes_model_free(other, &message));
	OK(lanes_train(&rows, NULL, (lanes_model){0}, "{\"for\":{\"metric\":\"ap\",\"folds\":2}}", NULL, NULL, &other, &result, &message));
	OK(lanes_model_free(other, &message));
	rows.offsets = offsets;
	OK(lanes_train(&rows, NULL, (lanes_model){0}, "{\"intercept\":\"free\",\"settings\":{\"gap_tolerance\":1e-12}}", NULL, NULL, &other, &result, &message));
	OK(lanes_model_coefficients(other, w, d, &b, 1, &message));
	optimal(w, b, weights, offsets);
	EXPECT(!strstr(out, "\"valid_"), "%s", out);
	/* A run that begins at the optimum has nothing to do; one with validation rows measures them. */
	OK(lanes_model_free(other, &message));
	rows.offsets = NULL;
	OK(lanes_train(&rows, &rows, (lanes_model){0}, "{\"settings\":{\"gap_tolerance\":1e-9}}", NULL, NULL, &other, &result, &message));
	EXPECT(strstr(out, "\"valid_"), "%s", out);
	OK(lanes_train(&rows, NULL, other, "{\"settings\":{\"gap_tolerance\":1e-6}}", NULL, NULL, &third, &result, &message));
	EXPECT(strstr(out, "\"iterations\":0,"), "%s", out);
	OK(lanes_model_free(other, &message));
	OK(lanes_model_free(third, &message));
	char hashes[2][20000];
	for (int k = 0; k < 2; k++) {
		const char *seeds[] = {"{\"solver\":\"svrg\",\"settings\":{\"seed\":1,\"max_passes\":3}}", "{\"solver\":\"svrg\",\"settings\":{\"seed\":2,\"max_passes\":3}}"};
		OK(lanes_train(&rows, NULL, (lanes_model){0}, seeds[k], NULL, NULL, &other, &result, &message));
		snprintf(hashes[k], sizeof hashes[k], "%.90s", strstr(out, "\"weights_sha256\""));
		OK(lanes_model_free(other, &message));
	}
	EXPECT(strcmp(hashes[0], hashes[1]), "seeds 1 and 2: %s", hashes[0]);

	/* The caller ends a run. */
	rows.offsets = NULL;
	double enough = 3;
	calls = 0;
	BAD(LANES_CANCELLED, NULL, lanes_train(&rows, NULL, (lanes_model){0}, "{\"solver\":\"adam\",\"settings\":{\"max_passes\":1e9,\"gap_tolerance\":1e-300}}", count, &enough, &other, &result, &message));
	EXPECT(other.id && calls > 0, "%d calls, model %d", calls, (int)other.id);
	if (other.id) OK(lanes_model_free(other, &message));
	/* A time limit ends a run that has no other end. */
	OK(lanes_train(&rows, NULL, (lanes_model){0}, "{\"solver\":\"adam\",\"settings\":{\"max_seconds\":0.05,\"max_passes\":1e9,\"gap_tolerance\":1e-300}}", NULL, NULL, &other, &result, &message));
	EXPECT(strstr(out, "\"status\":\"time reached\""), "%s", out);
	OK(lanes_model_free(other, &message));
	OK(lanes_model_free(model, &message));
	OK(lanes_model_free(again, &message));
	OK(lanes_matrix_free(matrix, &message));
}

static void files(const char *directory) {
	char path[1000];
	snprintf(path, sizeof path, "%s/rows.txt", directory);
	lanes_matrix matrix;
	OK(lanes_matrix_read(path, (lanes_model){0}, &matrix, &message));
	int64_t r;
	OK(lanes_matrix_shape(matrix, &r, NULL, NULL, &message));
	double *y = calloc((size_t)r, sizeof *y);
	OK(lanes_matrix_labels(matrix, y, r, &message));
	char words[200];
	lanes_text list = {words, sizeof words, 0};
	OK(lanes_matrix_words(matrix, &list, &message));
	EXPECT(!strcmp(words, "[\"ham\",\"spam\"]"), "%s", words);
	lanes_rows rows = {.matrix = matrix};
	lanes_model model, again;
	OK(lanes_train(&rows, NULL, (lanes_model){0}, NULL, NULL, NULL, &model, NULL, &message));
	snprintf(path, sizeof path, "%s/written.model", directory);
	OK(lanes_model_write(model, path, &message));
	OK(lanes_model_read(path, &again, &message));
	OK(lanes_matrix_free(matrix, &message));
	snprintf(path, sizeof path, "%s/rows.txt", directory);
	OK(lanes_matrix_read(path, again, &matrix, &message));
	OK(lanes_predict(again, matrix, 1, y, r, &message));
	free(y);
	BAD(LANES_BAD_FILE, "no such", lanes_matrix_read("/nowhere/at all", (lanes_model){0}, &matrix, &message));
	BAD(LANES_BAD_FILE, NULL, lanes_model_read("/nowhere", &again, &message));
	BAD(LANES_BAD_FILE, NULL, lanes_model_write(model, "/nowhere/x.model", &message));
}

/* A table of two kinds of columns, and a target of words. */
static void tables(const char *directory) {
	char table[8000], one[] = "size,job\n3,cook\n", path[1000], out[20000];
	int length = snprintf(table, sizeof table, "size,job,pays\n");
	for (int i = 0; i < n; i++)
		length += snprintf(table + length, sizeof table - (size_t)length, "%d,%s,%s\n", i % 17, i % 3 ? "cook" : "smith", (i % 17 + i % 3) % 5 > 1 ? "yes" : "no");
	lanes_encoder encoder, again;
	lanes_matrix matrix, from_file, row;
	lanes_text room = {out, sizeof out, 0};
	OK(lanes_encoder_fit(NULL, table, (size_t)length, "{\"target\":\"pays\"}", &encoder, &message));
	OK(lanes_encoder_recipe(encoder, &room, &message));
	EXPECT(strstr(out, "\"kind\":\"category\"") && strstr(out, "\"kind\":\"number\""), "%s", out);
	OK(lanes_encoder_names(encoder, &room, &message));
	EXPECT(!strcmp(out, "[\"size\",\"job=cook\",\"job=smith\"]"), "%s", out);
	OK(lanes_encoder_encode(encoder, NULL, table, (size_t)length, NULL, &matrix, NULL, &message));
	snprintf(path, sizeof path, "%s/table.csv", directory);
	FILE *file = fopen(path, "w");
	EXPECT(file && fwrite(table, 1, (size_t)length, file) == (size_t)length, "%s", path);
	fclose(file);
	OK(lanes_encoder_encode(encoder, path, NULL, 0, "{\"workers\":2}", &from_file, NULL, &message));
	int64_t r, c;
	OK(lanes_matrix_shape(matrix, &r, &c, NULL, &message));
	EXPECT(r == n && c == 3, "%d x %d", (int)r, (int)c);
	double y[n], y2[n], s[n], s2[n], w[3];
	OK(lanes_matrix_labels(matrix, y, n, &message));
	OK(lanes_matrix_labels(from_file, y2, n, &message));
	EXPECT(!memcmp(y, y2, sizeof y), "labels of the file");
	lanes_rows rows = {.matrix = matrix};
	lanes_model model;
	OK(lanes_train(&rows, NULL, (lanes_model){0}, NULL, NULL, NULL, &model, NULL, &message));
	OK(lanes_model_coefficients(model, w, 3, NULL, 0, &message));
	EXPECT(fabs(w[1] + w[2]) < 1e-3, "%g and %g of a category beside an intercept", w[1], w[2]);
	OK(lanes_encoder_of(model, &again, &message));
	OK(lanes_encoder_encode(again, NULL, one, strlen(one), "{\"no_target\":true}", &row, NULL, &message));
	OK(lanes_scores(model, matrix, 1, s, n, &message));
	OK(lanes_scores(model, row, 1, s2, 1, &message));
	EXPECT(s2[0] == s[20], "a row alone: %g, %g", s2[0], s[20]); /* 20 % 17 is 3, 20 % 3 is 2 */
	BAD(LANES_BAD_ARGUMENT, "no labels", lanes_matrix_labels(row, y, 1, &message));
	/* The entries and weights of rows, and what was seen in a table. */
	int64_t begin[n + 1], entries;
	OK(lanes_matrix_shape(matrix, NULL, NULL, &entries, &message));
	int32_t columns[n * 3];
	double values[n * 3];
	OK(lanes_matrix_csr(matrix, begin, n + 1, columns, values, entries, &message));
	EXPECT(begin[0] == 0 && begin[n] == entries, "%d of %d", (int)begin[n], (int)entries);
	OK(lanes_matrix_csr(row, begin, 2, columns, values, 2, &message));
	EXPECT(begin[1] == 2 && columns[0] == 0 && columns[1] == 1 && values[1] == 1, "%d: %d, %d", (int)begin[1], columns[0], columns[1]);
	double mean = 0, square = 0;
	for (int i = 0; i < n; i++) mean += i % 17 / (double)n, square += (i % 17) * (i % 17) / (double)n;
	EXPECT(fabs(values[0] - (3 - mean) / sqrt(square - mean * mean)) < 1e-6, "%g", values[0]);
	BAD(LANES_BAD_ARGUMENT, "columns has 1", lanes_matrix_csr(row, begin, 2, columns, values, 1, &message));
	BAD(LANES_BAD_ARGUMENT, "begin has 1", lanes_matrix_csr(row, begin, 1, columns, values, 2, &message));
	OK(lanes_matrix_weights(matrix, s, n, &message));
	EXPECT(s[0] == 1 && s[n - 1] == 1, "%g", s[0]);
	OK(lanes_matrix_free(row, &message));
	static const char strange[] = "size,job\n,cook\n4,pilot\n5,pilot\n";
	OK(lanes_encoder_encode(again, NULL, strange, sizeof strange - 1, "{\"no_target\":true}", &row, &room, &message));
	EXPECT(!strncmp(out, "{\"missing\":{\"size\":1},\"unseen\":{\"job\":2},\"notes\":[", 50), "%s", out);
	EXPECT(strstr(out, "{\"kind\":\"unseen\",\"class\":\"lost\",\"column\":\"job\",\"count\":2,"), "%s", out);
	static const char leaky[] = "size,late,w,pays\n1,2,1,a\n2,7,2,b\n1,3,3,a\n2,9,4,b\n1,3,5,a\n5,8,6,b\n3,1,7,a\n2,9,8,b\n";
	lanes_encoder other;
	OK(lanes_encoder_fit(NULL, leaky, sizeof leaky - 1, "{\"target\":\"pays\",\"weight\":\"w\",\"number\":[\"size\",\"late\"]}", &other, &message));
	OK(lanes_matrix_free(row, &message));
	OK(lanes_encoder_encode(other, NULL, leaky, sizeof leaky - 1, "{\"leaks\":true}", &row, &room, &message));
	EXPECT(strstr(out, "\"leaks\":[{\"column\":\"late\",\"by\":\"its value\",\"auc\":1}]"), "%s", out);
	EXPECT(strstr(out, "\\\"ignore\\\": [\\\"late\\\"] leaves it out"), "%s", out);
	OK(lanes_matrix_weights(row, s, 8, &message));
	for (int i = 0; i < 8; i++) EXPECT(s[i] == i + 1, "weight %d is %g", i, s[i]);
	OK(lanes_encoder_free(other, &message));
	BAD(LANES_BAD_DATA, "pays", lanes_encoder_encode(again, NULL, one, strlen(one), NULL, &row, NULL, &message));
	BAD(LANES_BAD_DATA, "no column", lanes_encoder_fit(NULL, table, (size_t)length, "{\"target\":\"color\"}", &encoder, &message));
	BAD(LANES_BAD_OPTION, "unknown field", lanes_encoder_fit(NULL, table, (size_t)length, "{\"goal\":\"pays\"}", &encoder, &message));
	BAD(LANES_BAD_OPTION, "give a number of bins, or \"auto\"", lanes_encoder_fit(NULL, table, (size_t)length, "{\"target\":\"pays\",\"bins\":\"many\"}", &encoder, &message));
	BAD(LANES_BAD_OPTION, "loss", lanes_encoder_fit(NULL, table, (size_t)length, "{\"target\":\"pays\",\"bins\":\"auto\",\"choose\":{\"loss\":\"none\"}}", &encoder, &message));
	OK(lanes_encoder_fit(NULL, table, (size_t)length, "{\"target\":\"pays\",\"bins\":\"auto\",\"choose\":{\"search\":{\"folds\":3}}}", &other, &message));
	OK(lanes_encoder_recipe(other, &room, &message));
	EXPECT(strstr(out, "bins by folds"), "%s", out);
	OK(lanes_encoder_free(other, &message));
	BAD(LANES_BAD_OPTION, "separator", lanes_encoder_fit(NULL, table, (size_t)length, "{\"separator\":\"x\"}", &encoder, &message));
	BAD(LANES_BAD_ARGUMENT, "text is NULL", lanes_encoder_fit(NULL, NULL, 5, NULL, &encoder, &message));
	BAD(LANES_BAD_FILE, "no such", lanes_encoder_fit("/nowhere", NULL, 0, NULL, &encoder, &message));
	BAD(LANES_BAD_ARGUMENT, "standard input", lanes_encoder_fit("-", NULL, 0, NULL, &encoder, &message));
	BAD(LANES_BAD_FILE, NULL, lanes_encoder_fit(NULL, table, 0, NULL, &encoder, &message));
	BAD(LANES_BAD_ARGUMENT, "encoder is NULL", lanes_encoder_fit(NULL, table, (size_t)length, NULL, NULL, &message));
	BAD(LANES_BAD_ARGUMENT, "no encoder", lanes_encoder_names((lanes_encoder){99999}, &room, &message));
	OK(lanes_model_free(model, &message));
	OK(lanes_matrix_free(matrix, &message));
	OK(lanes_matrix_free(from_file, &message));
	OK(lanes_matrix_free(row, &message));
	OK(lanes_encoder_free(encoder, &message));
	OK(lanes_encoder_free(again, &message));
	BAD(LANES_BAD_ARGUMENT, "no encoder", lanes_encoder_free(again, &message));
}

static void wrong(void) {
	lanes_matrix m;
	int32_t falls[] = {0, 3, 1}, far[] = {0, 1, 7}, two[] = {0, 2}, same[] = {1, 1};
	double nan_value[] = {1, NAN};
	BAD(LANES_BAD_ARGUMENT, "rows is -1", lanes_matrix_from_csr(-1, 2, begin32, LANES_INT32, index32, LANES_INT32, NULL, LANES_NONE, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "begin is NULL", lanes_matrix_from_csr(2, 2, NULL, LANES_INT32, index32, LANES_INT32, NULL, LANES_NONE, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "less than", lanes_matrix_from_csr(2, 2, falls, LANES_INT32, index32, LANES_INT32, NULL, LANES_NONE, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "indices[2] is 7", lanes_matrix_from_csr(1, 7, (int32_t[]){0, 3}, LANES_INT32, far, LANES_INT32, NULL, LANES_NONE, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "indices[1] is 7", lanes_matrix_from_csr(1, 7, two, LANES_INT32, (int64_t[]){1, 7}, LANES_INT64, NULL, LANES_NONE, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "indices[0] is -1", lanes_matrix_from_csr(1, 7, two, LANES_INT32, (int64_t[]){-1, 7}, LANES_INT64, NULL, LANES_NONE, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "indices[0] is 4294967297", lanes_matrix_from_csr(1, 7, two, LANES_INT32, (int64_t[]){4294967297, 2}, LANES_INT64, NULL, LANES_NONE, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "type of begin", lanes_matrix_from_csr(2, 2, falls, LANES_FLOAT32, index32, LANES_INT32, NULL, LANES_NONE, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "values is NULL", lanes_matrix_from_csr(1, 7, two, LANES_INT32, far, LANES_INT32, NULL, LANES_FLOAT64, &m, &message));
	BAD(LANES_BAD_DATA, NULL, lanes_matrix_from_csr(1, 7, two, LANES_INT32, far, LANES_INT32, nan_value, LANES_FLOAT64, &m, &message));
	BAD(LANES_BAD_DATA, NULL, lanes_matrix_from_csr(1, 7, two, LANES_INT32, same, LANES_INT32, NULL, LANES_NONE, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "matrix is NULL", lanes_matrix_from_csr(1, 7, two, LANES_INT32, far, LANES_INT32, NULL, LANES_NONE, NULL, &message));
	OK(lanes_matrix_from_csr(n, d, begin32, LANES_INT32, index32, LANES_INT32, value32, LANES_FLOAT32, &m, &message));
	lanes_rows rows = {.matrix = m, .labels = labels, .length = n};
	lanes_model model;
#define TRAIN(options) lanes_train(&rows, NULL, (lanes_model){0}, options, NULL, NULL, &model, NULL, &message)
	BAD(LANES_BAD_OPTION, "unknown field", TRAIN("{\"lambda\": 1}"));
	BAD(LANES_BAD_OPTION, NULL, TRAIN("{"));
	BAD(LANES_BAD_OPTION, NULL, TRAIN("{} {}"));
	BAD(LANES_BAD_OPTION, "penalty.l1", TRAIN("{\"penalty\": {\"l1\": -1}}"));
	BAD(LANES_BAD_OPTION, "solver", TRAIN("{\"solver\": \"magic\"}"));
	BAD(LANES_BAD_OPTION, NULL, TRAIN("{\"kind\": \"sort of\"}"));
	BAD(LANES_BAD_OPTION, "GapTolerance", TRAIN("{\"settings\": {\"gap_tolerance\": -1}}"));
	BAD(LANES_BAD_ARGUMENT, "rows is NULL", lanes_train(NULL, NULL, (lanes_model){0}, NULL, NULL, NULL, &model, NULL, &message));
	BAD(LANES_BAD_ARGUMENT, "model is NULL", lanes_train(&rows, NULL, (lanes_model){0}, NULL, NULL, NULL, NULL, NULL, &message));
	BAD(LANES_BAD_ARGUMENT, "no model", lanes_train(&rows, NULL, (lanes_model){99999}, NULL, NULL, NULL, &model, NULL, &message));
	rows.length = n - 1;
	BAD(LANES_BAD_ARGUMENT, "length is", TRAIN(NULL));
	rows.length = n, rows.labels = NULL;
	BAD(LANES_BAD_ARGUMENT, "labels is NULL", TRAIN(NULL));
	double bad[n] = {0};
	rows.labels = bad;
	BAD(LANES_BAD_DATA, NULL, TRAIN(NULL));
	bad[3] = NAN;
	BAD(LANES_BAD_DATA, NULL, TRAIN(NULL));
	rows.labels = labels;
	OK(TRAIN(NULL));
	double s[n];
	BAD(LANES_BAD_ARGUMENT, "length is", lanes_scores(model, m, 1, s, n - 1, &message));
	BAD(LANES_BAD_ARGUMENT, "NULL", lanes_scores(model, m, 1, NULL, n, &message));
	int64_t descends[] = {3, 1};
	BAD(LANES_BAD_DATA, NULL, lanes_score_row(model, descends, NULL, 2, s, 1, &message));
	BAD(LANES_BAD_OPTION, NULL, lanes_metric("beauty", labels, labels, NULL, n, s, &message));
	/* A short message is cut, and says how long it was. */
	char small[8];
	lanes_text cut = {small, sizeof small, 0};
	lanes_status status = lanes_matrix_free((lanes_matrix){123456}, &cut);
	EXPECT(status == LANES_BAD_ARGUMENT && strlen(small) == 7 && cut.length > 30, "%d %s %zu", (int)status, small, cut.length);
	EXPECT(lanes_matrix_free((lanes_matrix){123456}, NULL) == LANES_BAD_ARGUMENT, "without a message");
}

/* Sizes beyond the memory, or beyond the addresses, are a status, and nothing is read before. */
static void huge(void) {
	lanes_matrix m;
	const int64_t most = (int64_t)INT32_MAX * 64, beyond = (int64_t)1 << 50;
	int64_t begin[4] = {0}, many[2] = {0, (int64_t)1 << 44};
	double value[4] = {1, 2, 3, 4};
	BAD(LANES_NO_MEMORY, "the rows of the matrix", lanes_matrix_from_csc(most, 3, begin, LANES_INT64, NULL, LANES_INT64, NULL, LANES_NONE, &m, &message));
	BAD(LANES_NO_MEMORY, "the rows of the matrix", lanes_matrix_from_csr(most, 3, begin, LANES_INT64, NULL, LANES_INT64, NULL, LANES_NONE, &m, &message));
	BAD(LANES_NO_MEMORY, "the rows of the matrix", lanes_matrix_from_csr(most, 3, begin, LANES_INT32, NULL, LANES_INT64, NULL, LANES_NONE, &m, &message));
	BAD(LANES_NO_MEMORY, "the entries of the matrix", lanes_matrix_from_csr(1, 3, many, LANES_INT64, begin, LANES_INT64, NULL, LANES_NONE, &m, &message));
	BAD(LANES_NO_MEMORY, "the entries of the matrix", lanes_matrix_from_csc(3, 1, many, LANES_INT64, begin, LANES_INT32, value, LANES_FLOAT64, &m, &message));
	double infinite[4] = {1, 2, 3, INFINITY};
	BAD(LANES_BAD_DATA, "row 1: column 1 holds +Inf", lanes_matrix_from_dense(2, 2, infinite, LANES_FLOAT64, 2, 1, &m, &message));
	BAD(LANES_BAD_DATA, "row 1: column 1 holds +Inf", lanes_matrix_borrow_dense(2, 2, infinite, LANES_FLOAT64, 1, 2, 1, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "matrix is NULL", lanes_matrix_borrow_dense(2, 2, value, LANES_FLOAT64, 1, 2, 1, NULL, &message));
	BAD(LANES_NO_MEMORY, "the rows", lanes_matrix_borrow_dense(most / 64, 1 << 20, value, LANES_FLOAT64, 0, 0, 1, &m, &message));
	for (int64_t columns = 0; columns <= 1; columns++)
		BAD(LANES_NO_MEMORY, "the rows of the matrix", lanes_matrix_from_dense(most, columns, value, LANES_FLOAT64, 0, 0, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "rows is", lanes_matrix_from_csc(beyond, 3, begin, LANES_INT64, NULL, LANES_INT64, NULL, LANES_NONE, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "rows is", lanes_matrix_from_csc(INT64_MAX, 3, begin, LANES_INT64, NULL, LANES_INT64, NULL, LANES_NONE, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "columns is", lanes_matrix_from_csc(3, INT64_MAX, begin, LANES_INT64, NULL, LANES_INT64, NULL, LANES_NONE, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "addresses", lanes_matrix_from_dense(1000, 1000, value, LANES_FLOAT64, (int64_t)1 << 40, 1, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "addresses", lanes_matrix_from_dense(1 << 20, 1 << 30, value, LANES_FLOAT32, 1 << 30, 1, &m, &message));
	many[1] = beyond;
	BAD(LANES_NO_MEMORY, "the entries of the matrix", lanes_matrix_from_csr(1, 3, many, LANES_INT64, begin, LANES_INT64, NULL, LANES_NONE, &m, &message));

	double out[4];
	BAD(LANES_BAD_ARGUMENT, "addresses", lanes_metric("auc", value, value, NULL, beyond, out, &message));
	BAD(LANES_BAD_ARGUMENT, "length", lanes_metric("auc", value, value, NULL, -1, out, &message));
	BAD(LANES_NO_MEMORY, "the metric", lanes_metric("auc", value, value, NULL, (int64_t)1 << 43, out, &message));
	BAD(LANES_NO_MEMORY, "the returns", lanes_portfolio(1 << 20, 1 << 20, value, NULL, out, NULL, &message));
	BAD(LANES_BAD_ARGUMENT, "addresses", lanes_portfolio(1 << 30, 1 << 30, value, NULL, out, NULL, &message));

	lanes_model model;
	lanes_encoder encoder;
	BAD(LANES_BAD_ARGUMENT, "length", lanes_model_load("lanes", (size_t)1 << 60, &model, &message));
	BAD(LANES_BAD_ARGUMENT, "length", lanes_encoder_fit(NULL, "a,b", (size_t)1 << 60, NULL, &encoder, &message));
	OK(lanes_matrix_from_csr(n, d, begin32, LANES_INT32, index32, LANES_INT32, value32, LANES_FLOAT32, &m, &message));
	BAD(LANES_BAD_ARGUMENT, "addresses", lanes_matrix_csr(m, begin, beyond, NULL, out, 1, &message));
	lanes_rows rows = {.matrix = m, .labels = labels, .length = beyond};
	BAD(LANES_BAD_ARGUMENT, "length is", TRAIN(NULL));
	rows.length = n;
	BAD(LANES_BAD_OPTION, "hidden", TRAIN("{\"hidden\": [1000000000]}"));
	const char *options[] = {"{\"settings\": {\"workers\": 2000000000}}", "{\"settings\": {\"shards\": 1073741824}}", "{\"settings\": {\"batch_size\": 4611686018427387904}}",
		"{\"search\": {\"folds\": 1000000000}}", "{\"for\": {\"metric\": \"auc\", \"folds\": 1000000000}}"};
	for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
		lanes_status status = TRAIN(options[k]);
		EXPECT(status < LANES_INTERNAL, "%s: status %d: %s", options[k], (int)status, text);
		if (status == LANES_OK) OK(lanes_model_free(model, &message));
	}
	const char *learning[] = {"{\"target\": \"b\", \"bins\": 1000000000}", "{\"target\": \"b\", \"ngrams\": 1000000000, \"text\": [\"a\"]}", "{\"target\": \"b\", \"hash\": 62, \"category\": [\"a\"]}",
		"{\"target\": \"b\", \"max_memory\": 9223372036854775807}", "{\"target\": \"b\", \"workers\": 1000000000}"};
	for (size_t k = 0; k < sizeof learning / sizeof *learning; k++) {
		lanes_status status = lanes_encoder_fit(NULL, "a,b\n1,x\n2,y\n3,x\n", 16, learning[k], &encoder, &message);
		EXPECT(status < LANES_INTERNAL, "%s: status %d: %s", learning[k], (int)status, text);
		if (status == LANES_OK) OK(lanes_encoder_free(encoder, &message));
	}
	OK(lanes_matrix_free(m, &message));
}

/* Calls with random wrong arguments: a status each time. */
static void fuzz(int times) {
	lanes_matrix m;
	lanes_model model;
	OK(lanes_matrix_from_csr(n, d, begin32, LANES_INT32, index32, LANES_INT32, value32, LANES_FLOAT32, &m, &message));
	lanes_rows rows = {.matrix = m, .labels = labels, .length = n};
	OK(lanes_train(&rows, NULL, (lanes_model){0}, NULL, NULL, NULL, &model, NULL, &message));
	lanes_encoder encoder;
	OK(lanes_encoder_fit(NULL, "a,b\n1,x\n2,y\n3,x\n", 16, "{\"target\":\"b\"}", &encoder, &message));
	const char *options[] = {NULL, "", "{", "[]", "null", "{\"penalty\":{\"l2\":-1}}", "{\"settings\":{\"max_passes\":\"x\"}}", "{\"settings\":{\"workers\":-5}}",
		"{\"solver\":\"soap\"}", "{\"kind\":\"softmax\"}", "{\"search\":{\"folds\":-2}}", "{\"search\":{\"weights\":[1,2]}}", "{\"for\":{\"metric\":\"x\"}}", "{\"rates\":[2,1]}",
		"{\"hidden\":[-1]}", "{\"settings\":{\"shards\":3}}", "{\"settings\":{\"batch_size\":-1}}", "{\"metric\":\"auc\"}", "{\"positive\":\"7\"}", "{\"feature_names\":[\"a\"]}"};
	int counts[9] = {0};
	for (int k = 0; k < times; k++) {
#define ANY(a, b) (next() % 3 ? (a) : (b))
#define LENGTH(right) (next() % 3 ? (right) : (int64_t)(next() % 5) - 2)
#define MATRIX (lanes_matrix){ANY(m.id, next() % 50 + 100000)}
#define MODEL (lanes_model){ANY(model.id, next() % 50 + 100000)}
		double out[n * 3], value, values_out[n * d];
		int64_t begin64_out[n + 1];
		int32_t begin[n + 1], index[n * d];
		memcpy(begin, begin32, sizeof begin);
		memcpy(index, index32, sizeof index);
		char room[64];
		lanes_text where = {ANY(room, NULL), sizeof room, 0};
		if (!where.data) where.size = 0;
		lanes_matrix made = {0};
		lanes_model trained = {0};
		lanes_status status = 0;
		lanes_rows r = {.matrix = MATRIX, .labels = ANY(labels, NULL), .weights = ANY(NULL, labels), .offsets = NULL, .length = LENGTH(n)};
		static const char csv[] = "a,b\n1,x\n2,y\n3,x\n", *const learned[] = {NULL, "{\"target\":\"b\"}", "{\"target\":7}", "{\"recipe\":{}}", "{\"hash\":-1}", "{\"bins\":1}", "{\"format\":\"x\"}"};
		lanes_encoder fitted = {0};
		switch (next() % 21) {
		case 0:
		case 1:
			if (next() % 2) begin[next() % (n + 1)] = (int32_t)next() % (int32_t)(begin32[n] + 1);
			if (begin[n] > begin32[n]) begin[n] = begin32[n];
			if (next() % 2) index[next() % begin32[n]] = (int32_t)next() - 5;
			status = lanes_matrix_from_csr(n, LENGTH(d), begin, ANY(LANES_INT32, (lanes_type)(next() % 9) ? LANES_INT32 : 9), index, LANES_INT32, ANY((void *)value32, NULL), ANY(LANES_FLOAT32, LANES_NONE), &made, &where);
			if (made.id) lanes_matrix_free(made, NULL);
			break;
		case 2: status = lanes_matrix_from_dense(LENGTH(n), LENGTH(d), ANY((void *)dense, NULL), ANY(LANES_FLOAT64, 17), LENGTH(d), LENGTH(1), &made, &where);
			if (made.id) lanes_matrix_free(made, NULL);
			break;
		case 3: status = lanes_train(&r, ANY(NULL, &r), (lanes_model){ANY(0, next())}, options[next() % (sizeof options / sizeof *options)], NULL, NULL, ANY(&trained, NULL), NULL, &where);
			if (trained.id) lanes_model_free(trained, NULL);
			break;
		case 4: status = lanes_scores(MODEL, MATRIX, (int32_t)next() % 3 - 1, ANY(out, NULL), LENGTH(n), &where); break;
		case 5: status = lanes_probabilities(MODEL, MATRIX, 1, ANY(out, NULL), LENGTH(n), &where); break;
		case 6: status = lanes_predict(MODEL, MATRIX, 1, ANY(out, NULL), LENGTH(n), &where); break;
		case 7: status = lanes_score_row(MODEL, ANY(index64, NULL), ANY(value64, NULL), LENGTH(begin32[1]), ANY(out, NULL), LENGTH(1), &where); break;
		case 8: status = lanes_metric(ANY("auc", ANY("ap", NULL)), ANY(labels, NULL), ANY(value64, NULL), NULL, LENGTH(n), ANY(&value, NULL), &where); break;
		case 9: status = lanes_evaluate(MODEL, ANY(&r, NULL), options[next() % 5], &where, &where); break;
		case 19: status = lanes_inference(MODEL, ANY(&r, NULL), options[next() % 5], &where, &where); break;
		case 10: status = lanes_model_coefficients(MODEL, ANY(out, NULL), LENGTH(d), ANY(&value, NULL), LENGTH(1), &where); break;
		case 11: status = lanes_encoder_fit(ANY(NULL, "/nowhere"), ANY(csv, NULL), next() % sizeof csv, learned[next() % (sizeof learned / sizeof *learned)], ANY(&fitted, NULL), &where);
			if (fitted.id) lanes_encoder_free(fitted, NULL);
			break;
		case 12: status = lanes_encoder_encode((lanes_encoder){ANY(encoder.id, next() % 50 + 100000)}, NULL, ANY(csv, NULL), next() % sizeof csv, ANY(NULL, learned[next() % 2]), ANY(&made, NULL), ANY(&where, NULL), &where);
			if (made.id) lanes_matrix_free(made, NULL);
			break;
		case 13: status = lanes_matrix_csr(MATRIX, ANY(begin64_out, NULL), LENGTH(n + 1), ANY(index, NULL), ANY(values_out, NULL), LENGTH(begin32[n]), &where); break;
		case 14: status = lanes_matrix_weights(MATRIX, ANY(out, NULL), LENGTH(n), &where); break;
		case 16: status = lanes_dense_scores(MODEL, LENGTH(n), LENGTH(d), ANY((void *)dense, NULL), ANY(LANES_FLOAT64, 17), LENGTH(d), LENGTH(1), (int32_t)next() % 3 - 1, ANY(out, NULL), LENGTH(n), &where); break;
		case 17: status = lanes_dense_probabilities(MODEL, LENGTH(n), LENGTH(d), ANY((void *)dense, NULL), ANY(LANES_FLOAT32, 0), LENGTH(d), LENGTH(1), 1, ANY(out, NULL), LENGTH(n), &where); break;
		case 18: status = lanes_dense_predict(MODEL, LENGTH(n), LENGTH(d), ANY((void *)dense, NULL), ANY(LANES_FLOAT64, 0), LENGTH(d), LENGTH(1), 1, ANY(out, NULL), LENGTH(n), &where); break;
		case 15: status = lanes_encoder_of(MODEL, ANY(&fitted, NULL), &where); break;
		default: status = lanes_model_load(ANY(text, NULL), next() % 20, &trained, &where);
			if (trained.id) lanes_model_free(trained, NULL);
		}
		EXPECT(status >= 0 && status < LANES_INTERNAL, "call %d: status %d: %s", k, (int)status, where.data ? room : "");
		if (status >= 0 && status < 9) counts[status]++;
	}
	printf("%d calls:", times);
	for (int k = 0; k < 9; k++) printf(" %d of status %d", counts[k], k);
	printf("\n");
	OK(lanes_encoder_free(encoder, &message));
	OK(lanes_model_free(model, &message));
	OK(lanes_matrix_free(m, &message));
}

/* Several threads train on the same rows to the same bits. */
static lanes_matrix shared;
static double weights[8][d];
static void *work(void *argument) {
	int k = (int)(size_t)argument;
	lanes_rows rows = {.matrix = shared, .labels = labels, .length = n};
	lanes_model model;
	for (int round = 0; round < 3; round++) {
		lanes_status status = lanes_train(&rows, NULL, (lanes_model){0}, "{\"settings\":{\"workers\":2}}", NULL, NULL, &model, NULL, NULL);
		status |= lanes_model_coefficients(model, weights[k], d, NULL, 0, NULL) | lanes_model_free(model, NULL);
		if (status) return argument;
	}
	return NULL;
}

static void threads(void) {
	OK(lanes_matrix_from_csr(n, d, begin32, LANES_INT32, index32, LANES_INT32, value32, LANES_FLOAT32, &shared, &message));
	pthread_t list[8];
	for (size_t k = 0; k < 8; k++) pthread_create(&list[k], NULL, work, (void *)k);
	for (int k = 0; k < 8; k++) {
		void *failed;
		pthread_join(list[k], &failed);
		EXPECT(!failed, "thread %d", k);
		EXPECT(!memcmp(weights[k], weights[0], sizeof weights[0]), "thread %d has other weights", k);
	}
	OK(lanes_matrix_free(shared, &message));
}

int main(int argc, char **argv) {
	if (argc < 2) return 2;
	generate();
	matrices();
	unchanged();
	scores();
	files(argv[1]);
	tables(argv[1]);
	wrong();
	huge();
	threads();
	fuzz(argc > 2 ? atoi(argv[2]) : 2000);
	printf(failures ? "%d failures\n" : "passed\n", failures);
	return failures != 0;
}
