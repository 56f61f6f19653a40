package main

import (
	"fmt"
	"math"
	"os"

	"gonum.org/v1/gonum/floats"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/element"
	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/sleef"
	"github.com/lanes-go/lanes/kernels"
)

const elements = 1024

func plainSigmoid(dst, x []float64) {
	for i, v := range x {
		dst[i] = 1 / (1 + math.Exp(-v))
	}
}

func plainSoftplus(dst, x []float64) {
	for i, v := range x {
		dst[i] = max(v, 0) + math.Log1p(math.Exp(-math.Abs(v)))
	}
}

func plainMap(f func(float64) float64) func(dst, x []float64) {
	return func(dst, x []float64) {
		for i, v := range x {
			dst[i] = f(v)
		}
	}
}

func plainLogistic(coef, z, y []float64) float64 {
	sum := 0.0
	for i, v := range z {
		t := -y[i] * v
		e := math.Exp(-math.Abs(t))
		s := 1 / (1 + e)
		if t < 0 {
			s = e / (1 + e)
		}
		coef[i] = -y[i] * s
		sum += max(t, 0) + math.Log1p(e)
	}
	return sum
}

func elementTables() {
	k := asm.Active()
	x, dst, y := randomVector(elements), make([]float64, elements), make([]float64, elements)
	positive := make([]float64, elements)
	for i := range x {
		y[i] = math.Copysign(1, x[len(x)-1-i])
		positive[i] = math.Abs(x[i])
		x[i] *= 4
	}
	table := contest.NewTable(os.Stdout, "Element-wise kernels, 1,024 elements, every one within 1 ulp", "an element", "lanes", "plain Go", "portable twin", "SLEEF 1.0 ulp")
	row := func(name string, source []float64, lanes, plain, twin func(dst, x []float64), peer func(dst, x []float64)) {
		contenders := []contest.Contender{
			{Name: "lanes", Run: func() { lanes(dst, source) }},
			{Name: "plain Go", Run: func() { plain(dst, source) }},
			{Name: "portable twin", Run: func() { twin(dst, source) }},
		}
		if peer != nil {
			contenders = append(contenders, contest.Contender{Name: "SLEEF 1.0 ulp", Run: func() { peer(dst, source) }})
		}
		table.Row(name, elements, contest.Run(contenders...))
	}
	g := asm.Generic.Element
	row("exp", x, k.Element.Exp, plainMap(math.Exp), g.Exp, sleef.Exp)
	row("log", positive, k.Element.Log, plainMap(math.Log), g.Log, sleef.Log)
	row("log1p", positive, k.Element.Log1p, plainMap(math.Log1p), g.Log1p, sleef.Log1p)
	row("sigmoid", x, k.Element.Sigmoid, plainSigmoid, g.Sigmoid, nil)
	row("softplus", x, k.Element.Softplus, plainSoftplus, g.Softplus, nil)
	row("tanh", x, k.Element.Tanh, plainMap(math.Tanh), g.Tanh, sleef.Tanh)
	table.Row("logistic gradient with loss", elements, contest.Run(
		contest.Contender{Name: "lanes", Run: func() { k.Element.Grad[element.Logistic](dst, x, y, nil, 0) }},
		contest.Contender{Name: "plain Go", Run: func() { plainLogistic(dst, x, y) }},
		contest.Contender{Name: "portable twin", Run: func() { g.Grad[element.Logistic](dst, x, y, nil, 0) }},
	))
}

func plainLogSumExp(x []float64) float64 {
	most := math.Inf(-1)
	for _, v := range x {
		most = max(most, v)
	}
	sum := 0.0
	for _, v := range x {
		sum += math.Exp(v - most)
	}
	return most + math.Log(sum)
}

func plainSoftmax(dst, x []float64) {
	most := math.Inf(-1)
	for _, v := range x {
		most = max(most, v)
	}
	sum := 0.0
	for i, v := range x {
		dst[i] = math.Exp(v - most)
		sum += dst[i]
	}
	for i := range dst {
		dst[i] /= sum
	}
}

func plainArgMax(x []float64) int {
	at := 0
	for i, v := range x {
		if v > x[at] {
			at = i
		}
	}
	return at
}

// softmaxTables time the public functions, as some vectors are short.
func softmaxTables() {
	for _, c := range []struct {
		title        string
		lanes, plain func(dst, x []float64)
		gonum        func(dst, x []float64)
	}{
		{"Log-sum-exp", func(_, x []float64) { sink = kernels.LogSumExp(x) }, func(_, x []float64) { sink = plainLogSumExp(x) },
			func(_, x []float64) { sink = floats.LogSumExp(x) }},
		{"Softmax", func(dst, x []float64) { _ = kernels.Softmax(dst, x) }, plainSoftmax, nil},
		{"Position of the largest element", func(_, x []float64) { sink = float64(kernels.ArgMax(x)) }, func(_, x []float64) { sink = float64(plainArgMax(x)) },
			func(_, x []float64) { sink = float64(floats.MaxIdx(x)) }},
	} {
		table := contest.NewTable(os.Stdout, c.title, "an element", "lanes", "plain Go", "gonum")
		for _, n := range []int{4, 20, 105, 1024, 1 << 20} {
			x, dst := randomVector(n), make([]float64, n)
			contenders := []contest.Contender{
				{Name: "lanes", Run: func() { c.lanes(dst, x) }}, {Name: "plain Go", Run: func() { c.plain(dst, x) }},
			}
			if c.gonum != nil {
				contenders = append(contenders, contest.Contender{Name: "gonum", Run: func() { c.gonum(dst, x) }})
			}
			table.Row(fmt.Sprintf("%d elements", n), n, contest.Run(contenders...))
		}
	}
}
