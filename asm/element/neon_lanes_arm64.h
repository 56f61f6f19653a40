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

// The last N < 8 elements, two at a time and then one: TWO(d, vd) and ONE(d, vd) treat
// them with the lanes in register d.
#define LAST(N, TWO, ONE) \
	CBZ  N, done                   \
	CMP  $2, N                     \
	BLT  one0                      \
	TWO(0, V0.D2)                  \
	SUBS $2, N                     \
	BEQ  done                      \
	CMP  $2, N                     \
	BLT  one1                      \
	TWO(1, V1.D2)                  \
	SUBS $2, N                     \
	BEQ  done                      \
	CMP  $2, N                     \
	BLT  one2                      \
	TWO(2, V2.D2)                  \
	SUBS $2, N                     \
	BEQ  done                      \
	ONE(3, V3.D2)                  \
	B    done                      \
one0:                                  \
	ONE(0, V0.D2)                  \
	B    done                      \
one1:                                  \
	ONE(1, V1.D2)                  \
	B    done                      \
one2:                                  \
	ONE(2, V2.D2)                  \
done:
