package fuzz

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm"
)

// filler returns a function that makes n numbers of every step-th of some values, again and again:
// bytes for all of them are more than a fuzzer gives.
func (in *input) filler() func(n, step int) []float64 {
	values := append(in.floats(37), 1)
	return func(n, step int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = values[i*step%len(values)]
		}
		return x
	}
}

// FuzzMatMul compares the products of dense matrices of every path with the portable twin.
func FuzzMatMul(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		rows, inner, width := in.below(40), 1+in.below(160), 1+in.below(60)
		fill := in.filler()
		dst, a, w := fill(rows*width, 1), fill(rows*inner, 3), fill(inner*width, 5)
		for _, steps := range [][2]int{{inner, 1}, {1, rows}} {
			want := slices.Clone(dst)
			asm.Generic.Rows.Wide.MatMul(want, a, w, rows, inner, width, steps[0], steps[1])
			eachPath(func(k *asm.Table) {
				got := slices.Clone(dst)
				k.Rows.Wide.MatMul(got, a, w, rows, inner, width, steps[0], steps[1])
				requireEqual(t, k.Path+" MatMul", got, want)
			})
		}
	})
}

// FuzzGram compares the Gram matrices of every path with the portable twin, and sees that nothing
// above the diagonal is written.
func FuzzGram(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		terms, high := in.below(300), 1+in.below(90)
		low := in.below(high)
		stride, next := high+in.below(9), high+in.below(9)
		fill := in.filler()
		dst, x, c := fill((high-low)*next, 1), fill(terms*stride, 3), fill(terms, 5)
		want := slices.Clone(dst)
		asm.Generic.Rows.Wide.Gram(want, next, x, stride, c, low, high)
		eachPath(func(k *asm.Table) {
			got := slices.Clone(dst)
			k.Rows.Wide.Gram(got, next, x, stride, c, low, high)
			requireEqual(t, k.Path+" Gram", got, want)
		})
	})
}

// FuzzFull compares the products of full rows of every path with the portable twins.
func FuzzFull(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		n, d := in.below(20), 1+in.below(40)
		fill := in.filler()
		x, w, c := fill(n*d, 3), fill(d, 5), fill(n, 1)
		single := make([]float32, len(x))
		for i, v := range x {
			single[i] = float32(v)
		}
		dots := func(k *asm.Table) []float64 {
			out := make([]float64, 2*n)
			k.Rows.Full.Dot(out[:n], x, w)
			k.Rows.Full.Dot32(out[n:], single, w)
			return out
		}
		sums := func(k *asm.Table) []float64 {
			out := append(slices.Clone(w), w...)
			k.Rows.Full.Add(out[:d], x, c)
			k.Rows.Full.Add32(out[d:], single, c)
			return out
		}
		squares := func(k *asm.Table) []float64 {
			out := append(slices.Clone(w), w...)
			k.Rows.Full.Squares(out[:d], x, c)
			k.Rows.Full.Squares32(out[d:], single, c)
			return out
		}
		eachPath(func(k *asm.Table) {
			requireEqual(t, k.Path+" Full.Dot", dots(k), dots(asm.Generic))
			requireEqual(t, k.Path+" Full.Squares", squares(k), squares(asm.Generic))
			requireEqual(t, k.Path+" Full.Add", sums(k), sums(asm.Generic))
		})
	})
}

// FuzzWideRows compares the products of rows with matrices of every path with the
// portable twin.
func FuzzWideRows(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		m, n, cols := in.rows()
		list, first := in.list(n), 0
		count := len(list)
		if in.byte()%2 == 0 && n > 0 {
			list, first = nil, in.below(n)
			count = n - first
		}
		width := 1 + in.below(255)
		fill := in.filler()
		w, c := fill(cols*width, 1), fill(count*width, 1)
		run := func(k *asm.Table) (product, sum []float64) {
			product, sum = slices.Clone(c), slices.Clone(w)
			k.Rows.Wide.MulRows(product, m, list, first, width, w)
			k.Rows.Wide.AddRows(sum, m, list, first, width, c)
			return product, sum
		}
		product, sum := run(asm.Generic)
		eachPath(func(k *asm.Table) {
			gotProduct, gotSum := run(k)
			requireEqual(t, k.Path+" MulRows", gotProduct, product)
			requireEqual(t, k.Path+" AddRows", gotSum, sum)
		})
	})
}
