package main

import "math"

//go:noinline
func plainExp(dst, x []float64) {
	for i, v := range x {
		dst[i] = math.Exp(v)
	}
}

//go:noinline
func plainLog(dst, x []float64) {
	for i, v := range x {
		dst[i] = math.Log(v)
	}
}

//go:noinline
func plainLog1p(dst, x []float64) {
	for i, v := range x {
		dst[i] = math.Log1p(v)
	}
}

//go:noinline
func plainTanh(dst, x []float64) {
	for i, v := range x {
		dst[i] = math.Tanh(v)
	}
}

//go:noinline
func plainSigmoid(dst, x []float64) {
	for i, v := range x {
		dst[i] = 1 / (1 + math.Exp(-v))
	}
}

//go:noinline
func plainSoftplus(dst, x []float64) {
	for i, v := range x {
		dst[i] = max(v, 0) + math.Log1p(math.Exp(-math.Abs(v)))
	}
}

//go:noinline
func plainLogisticGradient(coef, z, y []float64) float64 {
	s := 0.0
	for i, zi := range z {
		m := y[i] * zi
		e := math.Exp(-math.Abs(m))
		q := 1 / (1 + e)
		if m > 0 {
			q = e / (1 + e)
		}
		coef[i] = -y[i] * q
		s += max(0, -m) + math.Log1p(e)
	}
	return s
}

//go:noinline
func plainLogisticSum(z, y []float64) float64 {
	s := 0.0
	for i, zi := range z {
		m := y[i] * zi
		s += max(0, -m) + math.Log1p(math.Exp(-math.Abs(m)))
	}
	return s
}

//go:noinline
func plainLogisticCurvature(h, t, z []float64) {
	for i, zi := range z {
		s := 1 / (1 + math.Exp(-zi))
		h[i] = s * (1 - s)
		t[i] = h[i] * (1 - 2*s)
	}
}

//go:noinline
func plainSquaredGradient(coef, z, y []float64) float64 {
	s := 0.0
	for i, zi := range z {
		r := zi - y[i]
		coef[i] = r
		s += 0.5 * r * r
	}
	return s
}

//go:noinline
func plainSquaredSum(z, y []float64) float64 {
	s := 0.0
	for i, zi := range z {
		r := zi - y[i]
		s += 0.5 * r * r
	}
	return s
}

//go:noinline
func plainSquaredCurvature(h, t []float64) {
	for i := range h {
		h[i], t[i] = 1, 0
	}
}

//go:noinline
func plainHingeGradient(coef, z, y []float64) float64 {
	s := 0.0
	for i, zi := range z {
		m := max(0, 1-y[i]*zi)
		coef[i] = -y[i] * m
		s += 0.5 * m * m
	}
	return s
}

//go:noinline
func plainHingeSum(z, y []float64) float64 {
	s := 0.0
	for i, zi := range z {
		m := max(0, 1-y[i]*zi)
		s += 0.5 * m * m
	}
	return s
}

//go:noinline
func plainHingeCurvature(h, t, z, y []float64) {
	for i, zi := range z {
		h[i], t[i] = 0, 0
		if 1-y[i]*zi > 0 {
			h[i] = 1
		}
	}
}

//go:noinline
func plainHuberGradient(coef, z, y []float64, delta float64) float64 {
	s := 0.0
	for i, zi := range z {
		r := zi - y[i]
		c := max(-delta, min(delta, r))
		coef[i] = c
		s += c * (r - 0.5*c)
	}
	return s
}

//go:noinline
func plainHuberSum(z, y []float64, delta float64) float64 {
	s := 0.0
	for i, zi := range z {
		r := zi - y[i]
		c := max(-delta, min(delta, r))
		s += c * (r - 0.5*c)
	}
	return s
}

//go:noinline
func plainHuberCurvature(h, t, z, y []float64, delta float64) {
	for i, zi := range z {
		h[i], t[i] = 0, 0
		if math.Abs(zi-y[i]) <= delta {
			h[i] = 1
		}
	}
}
