package asm

// Sigmoid is the Sigmoid kernel for one number, bit for bit.
func Sigmoid(x float64) float64 { return sigmoid(x) }

// Exp is the Exp kernel for one number, bit for bit.
func Exp(x float64) float64 { return exp(x) }

// Log is the Log kernel for one number, bit for bit.
func Log(x float64) float64 { return log(x) }

var lossScalar = [Losses]lossFunc{Logistic: logistic, Squared: squared, SquaredHinge: squaredHinge, Huber: huber}

// LossAt returns phi(z, y) and its derivative in z, as Grad computes them.
func LossAt(l Loss, z, y, delta float64) (phi, slope float64) { return lossScalar[l](z, y, delta) }

// Log1p is the Log1p kernel for one number, bit for bit.
func Log1p(x float64) float64 { return log1p(x) }
