// Eight lanes of a sum in V0 to V3, two in each.

#define ZERO_SUM \
	VEOR V0.B16, V0.B16, V0.B16    \
	VEOR V1.B16, V1.B16, V1.B16    \
	VEOR V2.B16, V2.B16, V2.B16    \
	VEOR V3.B16, V3.B16, V3.B16

// F0 = the sum of the lanes.
#define FOLD_SUM \
	FADD2(2, 0, 0)                 \ // l[0]+l[4], l[1]+l[5]
	FADD2(3, 1, 1)                 \ // l[2]+l[6], l[3]+l[7]
	FADD2(1, 0, 0)                 \
	FADDP2(0, 0, 0)
