/* lanes.h: linear models on sparse data, from C.
 *
 * Every function returns a lanes_status, 0 for success. On any other status the last argument,
 * message, holds a sentence that says what is wrong and what to do.
 *
 * Handles (lanes_matrix, lanes_model, lanes_encoder) are numbers that stand for objects of the library. A
 * handle that was freed, or that nobody made, is LANES_BAD_ARGUMENT. Free what you made.
 *
 * Arrays are borrowed for the call: the library copies what it keeps, but for
 * lanes_matrix_borrow_dense, and writes to no array but the outputs. Lengths are numbers of elements. A NULL where an array is needed is
 * LANES_BAD_ARGUMENT; other wrong addresses cannot be found out. Sizes are compared with the free
 * memory before an array is read.
 *
 * All functions may be called from any number of threads at once, also with the same handles.
 *
 * The library holds the Go runtime, which cannot serve a process after fork(): a child process
 * has to load the library itself, after exec. It installs handlers of signals with SA_ONSTACK
 * and passes on signals that are not Go's, as "go doc os/signal" says of c-shared libraries.
 */
#ifndef LANES_H
#define LANES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t lanes_status;
enum {
	LANES_OK = 0,
	LANES_BAD_ARGUMENT = 1, /* a NULL, a wrong length or number, a handle that is none */
	LANES_BAD_OPTION = 2,   /* options that cannot be; the message names the field of the JSON */
	LANES_BAD_DATA = 3,     /* rows or labels that cannot be used; the message names the row */
	LANES_BAD_FILE = 4,     /* a file that cannot be read or written */
	LANES_NO_MEMORY = 5,    /* a call would take more memory than is free, or than it may */
	LANES_CANCELLED = 6,    /* the progress function ended the run; there may be a model */
	LANES_NOT_BEGUN = 7,    /* a run ended before there was any model */
	LANES_INTERNAL = 8      /* a mistake of the library: please report the message */
};

/* A text in memory of the caller. The library writes at most size bytes to data, the last one
 * a 0, and sets length to the length of the whole text: if length >= size, the text was cut.
 * data may be NULL if size is 0. */
typedef struct {
	char *data;
	size_t size;
	size_t length;
} lanes_text;

/* Rows of numbers. */
typedef struct { uint64_t id; } lanes_matrix;

/* A trained model. */
typedef struct { uint64_t id; } lanes_model;

/* What was learned of the columns of a table, which makes rows of tables. */
typedef struct { uint64_t id; } lanes_encoder;

/* The types of elements of arrays. */
typedef int32_t lanes_type;
enum {
	LANES_NONE = 0, /* no array: every value is 1 */
	LANES_INT32 = 1,
	LANES_INT64 = 2,
	LANES_FLOAT32 = 3,
	LANES_FLOAT64 = 4
};

/* Rows with their labels, for training and for measuring. */
typedef struct {
	lanes_matrix matrix;
	const double *labels;  /* one a row; NULL for the labels of the file */
	const double *weights; /* one a row, not negative; NULL for 1 */
	const double *offsets; /* one a row, added to its score in training; NULL for 0 */
	int64_t length;        /* of each of these arrays: the number of rows */
} lanes_rows;

/* A point of a run. */
typedef struct {
	int32_t fit;      /* the number of the fit of several, from 0 on */
	int32_t nonzeros; /* weights that are not 0, where an L1 norm makes them few */
	double passes;    /* over the rows, so far */
	double seconds;
	double objective, gradient_norm;
	double gap;       /* a bound on the distance to the minimum; NaN if there is no bound */
	double metric;    /* on validation rows; NaN without any */
} lanes_point;

/* A function that is told of the last point of a run ten times a second. The run ends if it
 * returns another number than 0. A thread of the library calls it, one call at a time, never the
 * thread that trains. It must not call lanes_train. */
typedef int (*lanes_progress)(const lanes_point *point, void *context);

#ifndef LANES_TYPES

/* Sets version to the version of the library. */
lanes_status lanes_version(lanes_text *version, lanes_text *message);

/* Makes a matrix of compressed rows: row i has the entries begin[i] to begin[i+1]-1 of indices
 * and values. begin has rows+1 elements of begin_type, indices begin[rows] elements of
 * index_type; both types are LANES_INT32 or LANES_INT64. indices are columns, which count from 0
 * and differ within a row; they may come in any order. values are LANES_FLOAT32, LANES_FLOAT64, or
 * NULL with LANES_NONE. Values are finite. */
lanes_status lanes_matrix_from_csr(int64_t rows, int64_t columns,
	const void *begin, lanes_type begin_type, const void *indices, lanes_type index_type,
	const void *values, lanes_type value_type, lanes_matrix *matrix, lanes_text *message);

/* Makes a matrix of compressed columns: as lanes_matrix_from_csr, with begin of columns+1
 * elements, and indices of rows. */
lanes_status lanes_matrix_from_csc(int64_t rows, int64_t columns,
	const void *begin, lanes_type begin_type, const void *indices, lanes_type index_type,
	const void *values, lanes_type value_type, lanes_matrix *matrix, lanes_text *message);

/* Makes a matrix of a dense array: element (i, j) is values[i*row_stride + j*column_stride].
 * Strides count elements. Zeros are not stored. Values are finite. */
lanes_status lanes_matrix_from_dense(int64_t rows, int64_t columns,
	const void *values, lanes_type value_type, int64_t row_stride, int64_t column_stride,
	lanes_matrix *matrix, lanes_text *message);

/* As lanes_matrix_from_dense, for an array that stays as it is until the matrix is freed and no run
 * uses it. Values are not copied where the matrix needs them as they are: those of contiguous rows
 * without zeros, where each needs its float64 or is a float32. Other arrays are copied into the same
 * matrix. workers is the number of threads, 0 for one a core. */
lanes_status lanes_matrix_borrow_dense(int64_t rows, int64_t columns,
	const void *values, lanes_type value_type, int64_t row_stride, int64_t column_stride,
	int32_t workers, lanes_matrix *matrix, lanes_text *message);

/* Reads a file of rows with labels: LIBSVM text, plain or compressed, a cache, or scipy's .npz
 * of compressed rows. model is the model that will score the rows, or {0}. */
lanes_status lanes_matrix_read(const char *path, lanes_model model, lanes_matrix *matrix, lanes_text *message);

/* Sets the numbers of rows, columns and entries; any of the three may be NULL. */
lanes_status lanes_matrix_shape(lanes_matrix matrix, int64_t *rows, int64_t *columns, int64_t *entries, lanes_text *message);

/* Copies the labels of a matrix that was read from a file; length is the number of rows. Labels
 * that are words are places in lanes_matrix_words. */
lanes_status lanes_matrix_labels(lanes_matrix matrix, double *labels, int64_t length, lanes_text *message);

/* Copies the weights of the rows of a table; each is 1 without a column of weights. */
lanes_status lanes_matrix_weights(lanes_matrix matrix, double *weights, int64_t length, lanes_text *message);

/* Copies the entries of a matrix as lanes_matrix_from_csr takes them: begin has length = rows+1
 * elements, columns and values have entries elements each. */
lanes_status lanes_matrix_csr(lanes_matrix matrix, int64_t *begin, int64_t length, int32_t *columns, double *values, int64_t entries,
	lanes_text *message);

/* Sets words to a JSON array of the words that labels stand for, or null. */
lanes_status lanes_matrix_words(lanes_matrix matrix, lanes_text *words, lanes_text *message);

/* Frees a matrix. Runs that use it go on. */
lanes_status lanes_matrix_free(lanes_matrix matrix, lanes_text *message);

/* Learns the columns of a table: CSV, TSV, Parquet, JSON lines or VW text, plain or compressed.
 * path names the file, or by a pattern as "log-*.csv" several files. If path is NULL, the table is
 * the text of length bytes.
 *
 * options is NULL or a JSON object. Its fields are named after flags of "lanes train":
 *   reading   format, encoding, separator, header, quotes, max_columns, bad_rows,
 *             workers (bad_rows is a number, or a share as "1%")
 *   columns   target, weight, offset, exposure, group (a name each); number, category, text, time,
 *             ignore, id (arrays of names); cross (pairs of names, hashed beside hash); hash, scale, bins,
 *             min_count, min_df, ngrams, counts, missing, max_memory (bytes of vocabularies);
 *             decimal, thousands (arrays of marks, or of COLUMN=MARK); spline (an array of
 *             COLUMN=PIECES), monotone (an array of COLUMN=up or COLUMN=down)
 *   choose    options of lanes_train, by which folds choose the number of bins where bins is
 *             "auto", and of pieces where spline has COLUMN=auto: kind, loss, positive,
 *             class_weight, metric, folds of search, seed and workers of settings
 *   recipe    a recipe, as "lanes info TABLE --recipe" prints it, in the place of columns */
lanes_status lanes_encoder_fit(const char *path, const char *text, size_t length, const char *options,
	lanes_encoder *encoder, lanes_text *message);

/* Makes the encoder of a model that was trained on a table. */
lanes_status lanes_encoder_of(lanes_model model, lanes_encoder *encoder, lanes_text *message);
lanes_status lanes_encoder_free(lanes_encoder encoder, lanes_text *message);

/* Sets recipe to a JSON object: the recipe, with all that was learned of each column. */
lanes_status lanes_encoder_recipe(lanes_encoder encoder, lanes_text *recipe, lanes_text *message);

/* Sets names to a JSON array of the names of the columns of encoded rows. */
lanes_status lanes_encoder_names(lanes_encoder encoder, lanes_text *names, lanes_text *message);

/* Makes rows of a table, which is given as for lanes_encoder_fit. The matrix has the labels,
 * weights and offsets of the table, and a model that is trained on it remembers the encoder.
 * options is NULL or a JSON object: format, encoding, separator, header, quotes, max_columns,
 * bad_rows, workers, and
 *   no_target  true for rows without labels: the table may lack the target
 *   no_offset  true for rows without the offset and exposure that the recipe names: the table may
 *              lack them
 *   leaks      true looks for columns that tell the target by themselves
 * report, which may be NULL, is a JSON object: missing and unseen count the missing values, and the
 * values that the training had not, by the name of the column; leaks is an array of objects with
 * column, by and auc, the AUC of the column alone, above 0.999. Of several classes it is the mean AUC
 * of each against the rest. Targets that are numbers have r2 in its place: the share of their
 * variance that the column explains, above 0.999. notes lists what is not used as it stands: objects
 * with kind, class (lost, ambiguous or information), column, count, of, example, place, and text,
 * which names options as the JSON of options has them. */
lanes_status lanes_encoder_encode(lanes_encoder encoder, const char *path, const char *text, size_t length,
	const char *options, lanes_matrix *matrix, lanes_text *report, lanes_text *message);

/* Trains a model.
 *
 * options is a JSON object, or NULL for the recommendation. Its fields are the options that
 * receipts of the command hold (kind, loss, penalty, column_groups,
 * penalty_factors as {"age": 0} or by numbers from 1, bounds as {"age": [0, null]}, intercept,
 * ...), tolerance (relative; the tolerances of settings are absolute), and
 *   settings  max_passes, max_seconds, max_iterations, gap_tolerance, gradient_tolerance,
 *             batch_size, seed, workers, shards, record_every, checkpoint, checkpoint_seconds,
 *             overwrite, resume, patience
 *   search    {"path": true} or {"folds": 5}, weights, over_l1, one, one_standard_error
 *   for       {"metric": "ap", "folds": 5}: the way to train that is best for a metric
 *   feature_names  an array of texts
 *   trace     true for the points of the run in result: of more than 65536 every second one,
 *             fourth one and so on, and the last
 * The command has the seed 1 by default, this function 0.
 * validation may be NULL, initial {0}, progress NULL.
 *
 * model is set on LANES_OK, and on LANES_CANCELLED if there is a model; else it is {0}. result,
 * which may be NULL, is a JSON object: status, solver, objective, duality_gap, passes, seconds,
 * weights_sha256, metrics, fits where there are several, model (what lanes_model_about says of it),
 * and notes as lanes_encoder_encode has them. */
lanes_status lanes_train(const lanes_rows *rows, const lanes_rows *validation, lanes_model initial, const char *options,
	lanes_progress progress, void *context, lanes_model *model, lanes_text *result, lanes_text *message);

/* Reads a model from a file, and writes one. A model frees by lanes_model_free. */
lanes_status lanes_model_read(const char *path, lanes_model *model, lanes_text *message);
lanes_status lanes_model_write(lanes_model model, const char *path, lanes_text *message);
lanes_status lanes_model_free(lanes_model model, lanes_text *message);

/* Copies a model to memory as the text of its file, and reads it from there. */
lanes_status lanes_model_save(lanes_model model, lanes_text *file, lanes_text *message);
lanes_status lanes_model_load(const char *file, size_t length, lanes_model *model, lanes_text *message);

/* Sets about to a JSON object: features, regression, positive, negative, classes, words, logistic,
 * scores (of a row), linear, solver, status, weights_sha256. */
lanes_status lanes_model_about(lanes_model model, lanes_text *about, lanes_text *message);

/* Copies the coefficients of a linear model, for rows as they are given (scaling of columns is
 * in them): scores x features of them, row after row, and the intercepts, one a score. Either
 * may be NULL with length 0. */
lanes_status lanes_model_coefficients(lanes_model model, double *coefficients, int64_t length,
	double *intercepts, int64_t count, lanes_text *message);

/* Copies the coefficients of all points of a path, those of fits in the result of the lanes_train
 * that made the model: fits x scores x features of them, and fits x scores intercepts. Either may
 * be NULL with length 0. */
lanes_status lanes_path_coefficients(lanes_model model, double *coefficients, int64_t length,
	double *intercepts, int64_t count, lanes_text *message);

/* Writes the scores of all rows of a matrix: scores of the model a row, row after row. A score is
 * x'w + b; for losses with a logarithmic link, as poisson, it is the logarithm of the prediction,
 * which lanes_predict writes. The offsets of a table's rows are added. workers is the number of threads, 0 for one a core. */
lanes_status lanes_scores(lanes_model model, lanes_matrix matrix, int32_t workers, double *scores, int64_t length, lanes_text *message);

/* As lanes_scores, with probabilities in place of scores: of the positive class, or of each. */
lanes_status lanes_probabilities(lanes_model model, lanes_matrix matrix, int32_t workers, double *probabilities, int64_t length, lanes_text *message);

/* Writes the label that is predicted for each row; for a regression the prediction: the score, but
 * exp(score) for counts. */
lanes_status lanes_predict(lanes_model model, lanes_matrix matrix, int32_t workers, double *labels, int64_t length, lanes_text *message);

/* As lanes_scores, lanes_probabilities and lanes_predict, for the rows of a dense array, which is as
 * for lanes_matrix_from_dense. No matrix is made: the array is read where it is, once. The numbers
 * are the same bits as for a matrix of the array. NaN and Inf are LANES_BAD_DATA; message names the
 * row, from 1 on, and the column, from 0 on. */
lanes_status lanes_dense_scores(lanes_model model, int64_t rows, int64_t columns,
	const void *values, lanes_type value_type, int64_t row_stride, int64_t column_stride,
	int32_t workers, double *scores, int64_t length, lanes_text *message);
lanes_status lanes_dense_probabilities(lanes_model model, int64_t rows, int64_t columns,
	const void *values, lanes_type value_type, int64_t row_stride, int64_t column_stride,
	int32_t workers, double *probabilities, int64_t length, lanes_text *message);
lanes_status lanes_dense_predict(lanes_model model, int64_t rows, int64_t columns,
	const void *values, lanes_type value_type, int64_t row_stride, int64_t column_stride,
	int32_t workers, double *labels, int64_t length, lanes_text *message);

/* Writes the scores of one row, as lanes_scores does: columns ascend from 0 on; values NULL means that all are 1. columns
 * NULL means that values has a number for each column of the model. */
lanes_status lanes_score_row(lanes_model model, const int64_t *columns, const double *values, int64_t entries,
	double *scores, int64_t length, lanes_text *message);

/* Measures a model on rows. options is NULL, or a JSON object: positive, rates, min_tpr, costs
 * ({"false_positive": 1, "false_negative": 5}), workers. report is a JSON object as "lanes eval --json" prints it. */
lanes_status lanes_evaluate(lanes_model model, const lanes_rows *rows, const char *options, lanes_text *report, lanes_text *message);

/* Estimates how far the weights of a model without a penalty may be off by chance, by the rows of its
 * training: standard errors, tests, intervals, deviance, AIC and BIC. options is NULL, or a JSON object:
 *   covariance  "fisher" (the usual one), "hc0", "hc1", "hc2", "hc3", or "cluster"
 *   clusters    an array with the group of each row, whole numbers; a table has groups of its own
 *   level       the share of samples whose intervals hold the true weight; 0.95
 *   workers     threads, 0 for one a core
 * table is a JSON object as "lanes info MODEL --inference DATA --json" prints it. */
lanes_status lanes_inference(lanes_model model, const lanes_rows *rows, const char *options, lanes_text *table, lanes_text *message);

/* Measures scores of two classes by a metric of the library, as "average_precision", "auroc",
 * "log_loss": labels are of two kinds, the larger one positive. weights may be NULL. */
lanes_status lanes_metric(const char *name, const double *labels, const double *scores, const double *weights, int64_t length,
	double *value, lanes_text *message);

/* Finds a portfolio: weights x of assets that minimise risk var(r'x) - mean(r'x) + l1 ||x||_1 over
 * |x_j| <= limit, or over x >= 0 with sum 1 if long_only. returns has a row of assets for each
 * period, weights one element an asset. options is NULL, or a JSON object: risk, l1, limit,
 * long_only, solver, parameters, gap_tolerance, max_passes, max_seconds, seed. result is a JSON
 * object: status, objective, duality_gap, passes, mean, variance, weights_sha256. */
lanes_status lanes_portfolio(int64_t periods, int64_t assets, const double *returns, const char *options,
	double *weights, lanes_text *result, lanes_text *message);

#endif /* LANES_TYPES */

#ifdef __cplusplus
}
#endif

#endif
