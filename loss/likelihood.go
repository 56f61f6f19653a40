package loss

// Likelihood is a Loss that is minus a logarithm of a likelihood, divided by a dispersion, but for
// terms that do not depend on the margin: that of a generalised linear model (McCullagh, Nelder 1989,
// "Generalized linear models", chapter 2). It is 0 where it is least, so that twice its sum is the
// deviance. The weights of rows divide the dispersion. What follows has relative errors of some 1e-14;
// its bits may differ between machines.
type Likelihood interface {
	Loss
	// Information sets h[i] to s_i times the expected second derivative at the margin z_i: what the
	// targets would be in the mean if z_i were their true margin. It is the variance of the slope for a
	// dispersion of 1. s is nil for ones. h may be z.
	Information(h, z, s []float64)
	// Dispersed tells whether the dispersion is not known, so that the targets have to tell it.
	Dispersed() bool
	// LogLikelihood returns the terms of some rows in the logarithm of the likelihood of all targets. All rows
	// decide what the dispersion is, where it is not known. It is NaN where there is no formula. Rows of weight 0
	// count as none.
	LogLikelihood(z, y, s []float64, all Totals) float64
}

// Totals are sums over all rows: the deviance, the weights, and the number of rows whose weight is above 0.
type Totals struct{ Deviance, Weight, Rows float64 }

// LikelihoodOf returns a loss as a Likelihood, or a LacksError.
func LikelihoodOf(l Loss) (Likelihood, error) {
	if likely, is := l.(Likelihood); is {
		return likely, nil
	}
	return nil, &LacksError{l, "likelihood"}
}

// weighAll multiplies h[i] by s_i, 0 where s_i is 0.
func weighAll(h, s []float64) {
	for i, weight := range s {
		if weight == 0 {
			h[i] = 0
		}
		h[i] *= weight
	}
}
