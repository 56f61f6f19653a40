// The kernels of losses that are the same for both widths. The includer defines their
// names, and GRAD_BEGIN to CURVATURE_END, between which z = V7, y = V8, the weights V9 and
// delta V13.

// func(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64
TEXT SQUARED_GRAD_NAME(SB), NOSPLIT, $0-64
	GRAD_BEGIN
	VSUBPD           V8, V7, V8
	TABLE_MUL(HALF, V8, V0)
	VMULPD           V8, V0, V0
	GRAD_END

// func(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64
TEXT SQUARED_HINGE_GRAD_NAME(SB), NOSPLIT, $0-64
	GRAD_BEGIN
	TABLE_FNMA213(ONE, V8, V7)
	VXORPD           V1, V1, V1
	VMAXPD           V7, V1, V7                  // NaN goes through
	VMULPD           V7, V8, V8
	TABLE_XOR(SIGN_BIT, V8, V8)
	TABLE_MUL(HALF, V7, V0)
	VMULPD           V7, V0, V0
	GRAD_END

// func(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64
TEXT HUBER_GRAD_NAME(SB), NOSPLIT, $0-64
	GRAD_BEGIN
	VSUBPD           V8, V7, V0                  // r
	VMINPD           V0, V13, V8                 // NaN goes through
	TABLE_XOR(SIGN_BIT, V13, V1)
	VMAXPD           V8, V1, V8                  // c
	TABLE_FNMA231(HALF, V8, V0)
	VMULPD           V8, V0, V0
	GRAD_END

// func(h, t, z, y, weight *float64, n int, delta float64)
TEXT LOGISTIC_CURVATURE_NAME(SB), NOSPLIT, $0-56
	CURVATURE_BEGIN
	EXP_NEGATIVE
	TABLE_LOAD(ONE, V4)
	VADDPD           V0, V4, V3
	VDIVPD           V3, V4, V3                  // inv
	VSUBPD           V0, V4, V4
	VSUBPD           V2, V4, V4
	VMULPD           V3, V4, V4                  // |1-2s|
	VMULPD           V3, V0, V0
	VMULPD           V3, V0, V0
	VMULPD           V4, V0, V1
	TABLE_LOAD(SIGN_BIT, V2)
	VANDNPD          V2, V7, V2
	VXORPD           V2, V1, V1                  // minus where z has no sign
	CURVATURE_END
