// What the NEON sweeps over rows share: eight lanes in scalar registers, or
// sixteen for two sums at once.

#define ZERO_LANES(a, b, c, d, e, f, g, h) \
	FMOVD ZR, a \
	FMOVD ZR, b \
	FMOVD ZR, c \
	FMOVD ZR, d \
	FMOVD ZR, e \
	FMOVD ZR, f \
	FMOVD ZR, g \
	FMOVD ZR, h

// a = ((a+e)+(c+g)) + ((b+f)+(d+h))
#define FOLD(a, b, c, d, e, f, g, h) \
	FADDD e, a, a \
	FADDD g, c, c \
	FADDD f, b, b \
	FADDD h, d, d \
	FADDD c, a, a \
	FADDD d, b, b \
	FADDD b, a, a
