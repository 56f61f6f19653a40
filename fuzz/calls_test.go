package fuzz

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/solvers/compositional"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/pauc"
	"github.com/lanes-go/lanes/solvers/sampling"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// caller makes arguments and keeps the results of calls as arguments of later ones.
type caller struct {
	in   *input
	n, d int // that many lengths are of
	kept map[reflect.Type][]reflect.Value
	path string // of the one file that calls may write

	// calm makes a call's arguments fit together, as far as lengths and tame numbers go. Calls
	// then get beyond the checks of their arguments; common is then their length.
	calm   bool
	common int
}

// start makes what most calls need: a matrix and what goes with it.
func (c *caller) start(t *testing.T) {
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: c.d})
	for range c.n {
		var columns []int
		var values []float64
		for j := range c.d {
			if c.in.byte()%3 == 0 {
				columns, values = append(columns, j), append(values, float64(int8(c.in.byte()))/16)
			}
		}
		if err := b.AddRow(columns, values); err != nil {
			t.Fatal(err)
		}
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if c.in.byte()%2 == 0 {
		m = m.WithBias(1)
	}
	y := make([]float64, c.n)
	for i := range y {
		y[i] = float64(i&1)*2 - 1
	}
	c.keep(reflect.ValueOf(m))
	c.keep(reflect.ValueOf(&erm.Problem{X: m, Y: y, Loss: []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{}}[c.in.below(4)], Penalty: penalty.Ridge{Lambda: 0.125}}))
	c.keep(reflect.ValueOf(&ap.Problem{X: m, Y: y, Lambda: 0.125}))
	c.keep(reflect.ValueOf(&pauc.Problem{X: m, Y: y, High: 0.5, Lambda: 0.125}))
	c.keep(reflect.ValueOf(&pauc.RangeProblem{X: m, Y: y, M: 0, N: 2, Lambda: 0.125}))
	c.keep(reflect.ValueOf(&sparse.Data{X: m.WithBias(0), Y: y}))
	c.keep(reflect.ValueOf(&sparse.Dense{Rows: c.n, Columns: c.d, RowStride: c.d, ColumnStride: 1, Float64: slices.Repeat([]float64{0.5, 0}, (c.n*c.d+1)/2)}))
	if folio, err := compositional.NewPortfolio(slices.Repeat([]float64{0.5, -0.25, 1, 0}, 3), 3, 4, 1); err == nil {
		c.keep(reflect.ValueOf(&compositional.Problem{F: folio}))
		c.keep(reflect.ValueOf(folio))
	}
	if policy, err := (compositional.Chain{States: 4, Samples: 5, Successors: 2}).Generate(); err == nil {
		c.keep(reflect.ValueOf(policy))
	}
	c.keep(reflect.ValueOf(sampling.NewRandom(1)))
	c.keep(reflect.ValueOf(sparse.NewBuilder(sparse.BuilderOptions{})))
	if block, err := kernels.NewPairBlock(3, 3); err == nil {
		c.keep(reflect.ValueOf(block))
	}
	tabled := &sparse.Data{X: m.WithBias(0), Y: make([]float64, c.n), Weight: slices.Repeat([]float64{2}, c.n), Offset: y, LabelNames: []string{">50K", "a b"}, Encoding: []byte(`{"version":1}`)}
	c.keep(reflect.ValueOf(tabled))
	var cache bytes.Buffer // written without WriteCacheFile, which waits for the disk
	if err := sparse.WriteCache(&cache, tabled); err == nil && c.n > 0 && os.WriteFile(c.path, cache.Bytes(), 0o666) == nil {
		if stream, err := sparse.OpenStream(context.Background(), c.path); err == nil {
			t.Cleanup(func() { stream.Close() })
			c.keep(reflect.ValueOf(stream))
			if group := new(sparse.StreamGroup); stream.Load(group, 0) == nil {
				c.keep(reflect.ValueOf(group))
			}
		}
	}
	c.keep(reflect.ValueOf(sampling.NewTree(c.n)))
	if alias, err := sampling.NewAlias([]float64{1, 2}); err == nil {
		c.keep(reflect.ValueOf(alias))
	}
	if net, err := score.NewPerceptron(m.WithBias(0), score.Network{Features: c.d, Hidden: []int{2}}); err == nil {
		c.keep(reflect.ValueOf(net))
	}
}

func (c *caller) keep(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Struct:
		if v.Kind() == reflect.Pointer && v.IsNil() || !strings.Contains(v.Type().String(), ".") {
			return
		}
		if kept := c.kept[v.Type()]; len(kept) < 4 {
			c.kept[v.Type()] = append(kept, v)
		}
	case reflect.Interface:
		if !v.IsNil() && !v.Type().Implements(reflect.TypeFor[error]()) {
			c.keep(v.Elem())
		}
	}
}

// mostOfCall bounds the memory and patience the time of one call.
const (
	mostOfCall = 512 << 20
	patience   = 60 * time.Second
)

// call calls f with arguments of its types and fails on a panic, on much memory and on
// a long time.
func (c *caller) call(t *testing.T, name string, f reflect.Value, args []reflect.Value) {
	kind := f.Type()
	for i := len(args); i < kind.NumIn(); i++ {
		args = append(args, c.value(kind.In(i), 0))
		if strings.Contains(name, "File") && kind.In(i).Kind() == reflect.String {
			args[i] = reflect.ValueOf(c.path)
		}
	}
	var text string
	describe := func() string {
		if text == "" {
			var parts []string
			for _, a := range args {
				parts = append(parts, fmt.Sprintf("%.300s", fmt.Sprintf("%+v", a)))
			}
			text = strings.Join(parts, ", ")
		}
		return text
	}
	defer func() {
		if trouble := recover(); trouble != nil {
			t.Fatalf("%s panics: %v\nwith %s\n%s", name, trouble, describe(), debug.Stack())
		}
	}()
	watch := time.AfterFunc(patience, func() { panic(name + " hangs") })
	defer watch.Stop()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var results []reflect.Value
	if kind.IsVariadic() {
		results = f.CallSlice(args)
	} else {
		results = f.Call(args)
	}
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > mostOfCall {
		t.Fatalf("%s takes %d bytes with %s", name, taken, describe())
	}
	for _, r := range results {
		if r.Kind() == reflect.Func && !r.IsNil() && r.Type().NumIn() == 1 && r.Type().In(0).Kind() == reflect.Func { // a sequence
			for range 1 {
				r.Call([]reflect.Value{reflect.MakeFunc(r.Type().In(0), func([]reflect.Value) []reflect.Value { return []reflect.Value{reflect.ValueOf(true)} })})
			}
		}
		if pool, is := r.Interface().(*sparse.Pool); is {
			pool.Close()
			continue
		}
		c.keep(r)
	}
}

// callable is a function or a method of a type.
type callable struct {
	name     string
	function reflect.Value
	receiver reflect.Type // nil for a function
}

// takes tells whether a function has a parameter of a type.
func takes(f, parameter reflect.Type) bool {
	for i := range f.NumIn() {
		if f.In(i) == parameter {
			return true
		}
	}
	return false
}

func callables() (list []callable) {
	for name, f := range exportedFunctions {
		list = append(list, callable{name, reflect.ValueOf(f), nil})
	}
	for name, kind := range exportedTypes {
		pointer := reflect.PointerTo(kind)
		for i := range pointer.NumMethod() {
			if takes(pointer.Method(i).Type, reflect.TypeFor[*checkpoint.Coder]()) || takes(pointer.Method(i).Type, reflect.TypeFor[*run.Control]()) {
				continue // which nobody has outside of a run
			}
			list = append(list, callable{name + "." + pointer.Method(i).Name, pointer.Method(i).Func, pointer})
		}
	}
	slices.SortFunc(list, func(a, b callable) int { return strings.Compare(a.name, b.name) })
	return list
}

// FuzzCalls calls exported functions and methods one after the other, with what earlier
// calls returned, with zero values, nil and nonsense: none panics, hangs or takes much
// memory. Receivers are never nil pointers, nor the zero values of types that only
// constructors make: those panic as everywhere in Go.
func FuzzCalls(f *testing.F) {
	list := callables()
	addCalls(f, len(list), 2)
	path := filepath.Join(f.TempDir(), "file")
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		// The upper half of the numbers stands for calm calls.
		next := func() (op callable, bits byte) {
			low, high := in.byte(), in.byte()
			return list[(int(low)+int(high)<<8)%len(list)], high
		}
		op, bits := next()
		c := &caller{in: in, n: in.below(9), d: in.below(7), kept: map[reflect.Type][]reflect.Value{}, path: path}
		c.start(t)
		for k := 0; k < 6; k++ {
			if k > 0 {
				op, bits = next()
			}
			c.calm, c.common = bits >= 128, []int{c.n, c.d, c.n, 3}[bits>>5&3]
			var args []reflect.Value
			if op.receiver != nil {
				v := c.value(op.receiver, 0)
				if v.IsNil() && slices.Contains(constructed, op.receiver.Elem()) {
					continue
				}
				if v.IsNil() {
					v = reflect.New(op.receiver.Elem())
				}
				args = append(args, v)
			}
			c.call(t, op.name, op.function, args)
			if len(in.data) == 0 {
				break
			}
		}
	})
}
