/* Prints the result of a training: ./hash rows FILE OPTIONS, or ./hash table FILE OPTIONS TARGET. */
#include <stdio.h>
#include <string.h>

#include "lanes.h"

static char text[4000], out[1 << 20];
static lanes_text message = {text, sizeof text, 0}, result = {out, sizeof out, 0};

static int failed(lanes_status status) {
	if (status) fprintf(stderr, "status %d: %s\n", (int)status, text);
	return status != LANES_OK;
}

int main(int argc, char **argv) {
	if (argc < 4) return 2;
	lanes_rows rows = {0};
	lanes_model model;
	if (!strcmp(argv[1], "rows")) {
		if (failed(lanes_matrix_read(argv[2], (lanes_model){0}, &rows.matrix, &message))) return 1;
	} else {
		lanes_encoder encoder;
		char options[200];
		snprintf(options, sizeof options, "{\"target\":\"%s\"}", argv[4]);
		if (failed(lanes_encoder_fit(argv[2], NULL, 0, options, &encoder, &message)) ||
		    failed(lanes_encoder_encode(encoder, argv[2], NULL, 0, NULL, &rows.matrix, NULL, &message))) return 1;
	}
	if (failed(lanes_train(&rows, NULL, (lanes_model){0}, argv[3], NULL, NULL, &model, &result, &message))) return 1;
	puts(out);
	return 0;
}
