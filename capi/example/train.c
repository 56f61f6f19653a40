/* Trains a model on 1,000 rows of five columns, scores a row, and saves the model to the file that the
 * argument of the program names, or to train.model.
 *
 *   cc train.c -I.. -L../../bin -llanes -o train && LD_LIBRARY_PATH=../../bin ./train
 */
#include <stdio.h>
#include <stdlib.h>

#include "lanes.h"

enum { rows = 1000, columns = 5 };

static char text[1000];
static lanes_text message = {text, sizeof text, 0};

static void check(lanes_status status) {
	if (status != LANES_OK) {
		fprintf(stderr, "status %d: %s\n", (int)status, text);
		exit(1);
	}
}

static int progress(const lanes_point *point, void *context) {
	(void)context;
	printf("%6.1f passes  objective %.6f  gap %.1e\n", point->passes, point->objective, point->gap);
	return 0; /* go on */
}

int main(int count, char **arguments) {
	static double values[rows][columns], labels[rows];
	unsigned state = 1;
	for (int i = 0; i < rows; i++) {
		double sum = 0;
		for (int j = 0; j < columns; j++) {
			state = state * 1103515245u + 12345u;
			values[i][j] = (double)(state >> 16 & 1023) / 1023 - 0.5;
			sum += (j - 2) * values[i][j];
		}
		labels[i] = sum > 0 ? 1 : -1;
	}

	lanes_matrix matrix;
	check(lanes_matrix_from_dense(rows, columns, values, LANES_FLOAT64, columns, 1, &matrix, &message));

	lanes_rows data = {.matrix = matrix, .labels = labels, .length = rows};
	lanes_model model;
	char report[10000];
	lanes_text result = {report, sizeof report, 0};
	check(lanes_train(&data, NULL, (lanes_model){0},
		"{\"intercept\": \"free\", \"penalty\": {\"c\": 1}, \"settings\": {\"gap_tolerance\": 1e-9}}",
		progress, NULL, &model, &result, &message));
	printf("%s\n", report);

	double coefficients[columns], intercept;
	check(lanes_model_coefficients(model, coefficients, columns, &intercept, 1, &message));
	for (int j = 0; j < columns; j++) printf("%9.4f", coefficients[j]);
	printf("  and %.4f\n", intercept);

	int64_t which[] = {0, 3};
	double row[] = {0.25, -0.5}, score;
	check(lanes_score_row(model, which, row, 2, &score, 1, &message));
	printf("score of a row: %.6f\n", score);

	check(lanes_model_write(model, count > 1 ? arguments[1] : "train.model", &message));
	check(lanes_model_free(model, &message));
	check(lanes_matrix_free(matrix, &message));
	return 0;
}
