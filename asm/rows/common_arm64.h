// Registers and shared pieces of the kernels of two sparse vectors on NEON.

#define X     R0 // what is left of the first vector: indices, values, entries
#define XV    R1
#define NX    R2
#define Y     R3 // and of the second one
#define YV    R4
#define NY    R5
#define I     R6
#define J     R7
#define UP_X  R8
#define UP_Y  R9
#define END_X R10
#define END_Y R11

// V3 = which of four indices of the first vector are among four of the second one,
// which are turned round once.
#define FOUR_BY_FOUR \
	FOUR_INDICES(X, V1)             \
	FOUR_INDICES(Y, V2)             \
	VEXT  $4, V2.B16, V2.B16, V4.B16  \
	VEXT  $8, V2.B16, V2.B16, V5.B16  \
	VEXT  $12, V2.B16, V2.B16, V6.B16 \
	VCMEQ V1.S4, V2.S4, V3.S4       \
	VCMEQ V1.S4, V4.S4, V4.S4       \
	VCMEQ V1.S4, V5.S4, V5.S4       \
	VCMEQ V1.S4, V6.S4, V6.S4       \
	VORR  V4.B16, V3.B16, V3.B16    \
	VORR  V6.B16, V5.B16, V5.B16    \
	VORR  V5.B16, V3.B16, V3.B16

// UP_X = 1 if I is not above J, else 0; UP_Y = 1 if J is not above I. It is nothing that
// a jump could foresee.
#define LOWER_MOVES \
	CMP  J, I     \
	CSET LS, UP_X \
	CSET HS, UP_Y

#define LAST_OF_FOUR \
	LOAD_INDEX (3<<INDEX_SHIFT)(X), I \
	LOAD_INDEX (3<<INDEX_SHIFT)(Y), J \
	LOWER_MOVES                       \
	LSL        $2, UP_X               \
	LSL        $2, UP_Y

#define MOVE_INDICES \
	ADD UP_X<<INDEX_SHIFT, X, X \
	ADD UP_Y<<INDEX_SHIFT, Y, Y \
	SUB UP_X, NX, NX            \
	SUB UP_Y, NY, NY

#define MOVE_ENTRIES \
	MOVE_INDICES                  \
	ADD UP_X<<VALUE_SHIFT, XV, XV \
	ADD UP_Y<<VALUE_SHIFT, YV, YV
