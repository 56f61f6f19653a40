/* Trains by the installed LIBLINEAR without the reading. Without an argument it prints the version.
   Usage: driver FILE, LIBSVM text with labels -1 and +1, which answers "ready"; then lines "SOLVER C
   TOLERANCE INTERCEPT WEIGHTS" on standard input, each of which is answered by the seconds of train(),
   of the processor and of the clock; the weights go to the file WEIGHTS, the intercept, which is not
   regularised, behind the others where there is one. Versions before 2.40 refuse an intercept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "linear.h"

static void quiet(const char *s) { (void)s; }

static double now(clockid_t clock) {
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
	if (argc == 1) return printf("%d\n", liblinear_version) < 0;
	if (argc != 2) return 2;
	FILE *f = fopen(argv[1], "r");
	if (!f) return 2;
	size_t rows = 0, room = 0, nodes = 0, space = 0;
	double *y = NULL;
	size_t *start = NULL;
	struct feature_node *node = NULL;
	int columns = 0;
	char *line = NULL;
	size_t length = 0;
	while (getline(&line, &length, f) > 0) {
		if (rows == room) {
			room = room ? 2 * room : 1024;
			y = realloc(y, room * sizeof *y);
			start = realloc(start, room * sizeof *start);
		}
		char *at;
		y[rows] = strtod(line, &at);
		start[rows++] = nodes;
		for (;;) {
			if (nodes + 3 > space) {
				space = space ? 2 * space : 4096;
				node = realloc(node, space * sizeof *node);
			}
			char *end;
			long index = strtol(at, &end, 10);
			if (end == at || *end != ':') break;
			node[nodes].index = (int)index;
			node[nodes++].value = strtod(end + 1, &at);
			if (index > columns) columns = (int)index;
		}
		/* room for the intercept's node */
		node[nodes++].index = -1;
		node[nodes++].index = -1;
	}
	fclose(f);
	struct feature_node **x = malloc((rows + 1) * sizeof *x);
	start = realloc(start, (rows + 1) * sizeof *start);
	start[rows] = nodes;
	for (size_t i = 0; i < rows; i++) x[i] = node + start[i];
	set_print_string_function(quiet);
	int solver, intercept;
	double C, tolerance;
	char file[4096];
	puts("ready");
	fflush(stdout);
	while (scanf("%d %lf %lf %d %4095s", &solver, &C, &tolerance, &intercept, file) == 5) {
		struct parameter parameter = {.solver_type = solver, .eps = tolerance, .C = C, .p = 0.1};
#if LIBLINEAR_VERSION >= 240
		parameter.regularize_bias = !intercept;
#else
		if (intercept) {
			puts("this LIBLINEAR regularises an intercept");
			fflush(stdout);
			continue;
		}
#endif
		for (size_t i = 0; i < rows; i++) {
			struct feature_node *last = node + start[i + 1] - 2;
			last->index = intercept ? columns + 1 : -1;
			last->value = 1;
		}
		struct problem problem = {(int)rows, columns + intercept, y, x, intercept ? 1 : -1};
		double clock = now(CLOCK_MONOTONIC), processor = now(CLOCK_PROCESS_CPUTIME_ID);
		struct model *model = train(&problem, &parameter);
		processor = now(CLOCK_PROCESS_CPUTIME_ID) - processor;
		clock = now(CLOCK_MONOTONIC) - clock;
		f = fopen(file, "wb");
		if (!f || fwrite(model->w, sizeof *model->w, (size_t)problem.n, f) != (size_t)problem.n || fclose(f)) return 2;
		free_and_destroy_model(&model);
		printf("%.9f %.9f\n", processor, clock);
		fflush(stdout);
	}
	return 0;
}
