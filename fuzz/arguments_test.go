package fuzz

import (
	"bytes"
	"context"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/returns"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/solvers/compositional"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/pauc"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/solvers/sdca"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// implementers are what interfaces are given beside nil and what calls returned.
var implementers = []any{
	erm.Newton{}, erm.SVRG{}, erm.SARAH{}, erm.Adam{}, erm.SGD{}, erm.AISARAH{}, sdca.Prox{}, sdca.Hybrid{}, sdca.DualFree{}, sdca.Adaptive{}, sdca.Minibatch{},
	ap.SOAP{}, ap.SOAPAdam{}, ap.SOAPAMSGrad{}, ap.MOAPV1{}, ap.MOAPV2{}, ap.ADAP{}, ap.ADAPAdaGrad{}, ap.ADAPAMSGrad{}, ap.ADAPAdaBound{}, ap.SmoothAP{},
	pauc.AGDSBCD{}, pauc.DCA{}, pauc.ProxDCA{}, pauc.SoRRAGD{}, pauc.SoRRDCA{}, pauc.SoRRProxDCA{}, pauc.SVMTight{}, pauc.MiniBatch{}, pauc.AUCMargin{},
	compositional.SCVRG{}, compositional.AGD{}, compositional.VRSCPG{}, compositional.SCGD{}, compositional.ASCPG{},
	penalty.L1{}, penalty.Ball{}, &penalty.Simplex{}, score.Linear{}, new(solvers.Trace),
	mat.NewDense(2, 3, []float64{1, 0, -2, 0, 0.5, 0}), mat.NewDiagDense(2, []float64{1, math.NaN()}),
}

var words = []string{"", "logistic", "auc", "pauc:0,0.5", "pauc:nan,2", "onehot:n=20,d=5", "text:n=-1", "newton", "svrg", "soap", "dca", "2,3", "-1", "nan", "drop", "no such file"}

// sizes are whole numbers as arguments: what fits, what is a little wrong, and what
// wraps round. Between, numbers would be legitimate sizes that no memory holds.
func (c *caller) whole() int64 {
	if c.calm {
		return []int64{0, 1, 2, 3, int64(c.n), int64(c.d), int64(c.common), int64(c.common)}[c.in.below(8)]
	}
	list := []int64{0, 1, 2, 3, -1, int64(c.n), int64(c.d), int64(c.d + 1), int64(c.n * c.d), 7, 40, math.MinInt64, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64 + 1, -1 << 31, -1 << 32, 1 << 62}
	return list[c.in.below(len(list))]
}

func (c *caller) length() int {
	if c.calm && c.in.byte() >= 16 {
		return c.common
	}
	list := []int{c.n, c.d, c.n, c.d, c.d + 1, c.n * c.d, 0, 1, 2, c.in.below(24)}
	return list[c.in.below(len(list))]
}

func (c *caller) value(t reflect.Type, depth int) reflect.Value {
	if kept := c.kept[t]; len(kept) > 0 && c.in.byte()%4 != 0 {
		return kept[c.in.below(len(kept))]
	}
	v := reflect.New(t).Elem()
	if depth > 4 {
		return v
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(c.in.byte()&1 != 0)
	case reflect.Int, reflect.Int64:
		if whole := c.whole(); t.Kind() == reflect.Int && int64(int(whole)) != whole {
			v.SetInt(int64(math.MaxInt) * (1 | whole>>63))
		} else {
			v.SetInt(whole)
		}
	case reflect.Int8, reflect.Int16, reflect.Int32:
		v.SetInt(int64(int8(c.in.byte())))
	case reflect.Uint8, reflect.Uint16:
		v.SetUint(uint64(c.in.byte() % 12))
	case reflect.Uint, reflect.Uint32:
		if c.calm {
			v.SetUint(uint64(c.in.below(max(c.common, 1))))
			break
		}
		v.SetUint([]uint64{0, 1, 2, uint64(c.n), uint64(c.d), uint64(max(c.n, 1) - 1), 5, math.MaxUint32, 1 << 31}[c.in.below(9)])
	case reflect.Uint64:
		v.SetUint([]uint64{0, 1, 2, uint64(c.n), 1 << 32, 1 << 63, math.MaxUint64}[c.in.below(7)])
	case reflect.Float32, reflect.Float64:
		if c.in.byte()%2 == 0 || c.calm {
			v.SetFloat(float64(c.in.below(9)) / 4)
		} else {
			v.SetFloat(c.in.float())
		}
	case reflect.String:
		v.SetString(words[c.in.below(len(words))])
	case reflect.Slice:
		c.slice(v, depth)
	case reflect.Map:
		if c.in.byte()%2 == 0 {
			v.Set(reflect.MakeMap(t))
			v.SetMapIndex(c.value(t.Key(), depth+1), c.value(t.Elem(), depth+1))
		}
	case reflect.Pointer:
		if c.in.byte()%6 != 0 && !slices.Contains(constructed, t.Elem()) {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(c.value(t.Elem(), depth+1))
		}
	case reflect.Struct:
		if slices.Contains(constructed, t) {
			return v
		}
		for i := range t.NumField() {
			if t.Field(i).IsExported() {
				v.Field(i).Set(c.value(t.Field(i).Type, depth+1))
			}
		}
		c.tame(v)
	case reflect.Func:
		if c.in.byte()%3 != 0 {
			v.Set(reflect.MakeFunc(t, func([]reflect.Value) (out []reflect.Value) {
				for i := range t.NumOut() {
					out = append(out, reflect.Zero(t.Out(i)))
				}
				return out
			}))
		}
	case reflect.Interface:
		c.implement(v)
	}
	return v
}

func (c *caller) slice(v reflect.Value, depth int) {
	t, n := v.Type(), c.length()
	if c.in.byte()%8 == 0 && !c.calm {
		return
	}
	v.Set(reflect.MakeSlice(t, n, n))
	signs := c.in.byte()%2 == 0
	for i := range n {
		switch e := v.Index(i); {
		case t.Elem().Kind() == reflect.Float64 && signs:
			e.SetFloat(float64(c.in.byte()&1)*2 - 1)
		case t.Elem().Kind() == reflect.Float64:
			e.SetFloat(float64(int8(c.in.byte())) / 16)
			if c.in.byte()%16 == 0 && !c.calm {
				e.SetFloat(c.in.float())
			}
		default:
			e.Set(c.value(t.Elem(), depth+1))
		}
	}
}

// implement gives an interface nil, something that was kept, or one of implementers.
func (c *caller) implement(v reflect.Value) {
	t := v.Type()
	if c.in.byte()%8 == 0 {
		return
	}
	switch t {
	case reflect.TypeFor[context.Context]():
		switch c.in.byte() % 4 {
		case 0, 1:
			v.Set(reflect.ValueOf(context.Background()))
		case 2:
			done, cancel := context.WithCancel(context.Background())
			cancel()
			v.Set(reflect.ValueOf(done))
		}
		return
	case reflect.TypeFor[io.Reader]():
		v.Set(reflect.ValueOf(strings.NewReader([]string{"1 1:1\n-1 2:0.5\n", "", "x", "{}", "solver_type L2R_LR\n", "\x28\xb5\x2f\xfd", "19260701, 1, 2\n"}[c.in.below(7)])))
		return
	case reflect.TypeFor[io.Writer]():
		v.Set(reflect.ValueOf(new(bytes.Buffer)))
		return
	case reflect.TypeFor[any]():
		v.Set(reflect.ValueOf(c.in.float()))
		return
	}
	var fit []reflect.Value
	for _, x := range implementers {
		if x := reflect.ValueOf(x); x.Type().Implements(t) {
			fit = append(fit, x)
		}
	}
	for _, kind := range slices.SortedFunc(maps.Keys(c.kept), func(a, b reflect.Type) int { return strings.Compare(a.String(), b.String()) }) {
		if kind.Implements(t) {
			fit = append(fit, c.kept[kind]...)
		}
	}
	if len(fit) == 0 {
		return
	}
	x := fit[c.in.below(len(fit))]
	if x.Kind() == reflect.Struct && c.in.byte()%2 == 0 { // with other parameters
		x = c.value(x.Type(), 2)
	}
	if x.Type().Implements(t) {
		v.Set(x)
	}
}

// tame bounds what would be a legitimate wish for a long run or much memory.
func (c *caller) tame(v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *solvers.Settings:
		if c.in.byte()%4 != 0 {
			*x = solvers.Settings{Seed: x.Seed, Recorder: x.Recorder, GradientTolerance: 1e-3}
		}
		x.Checkpoint, x.Resume = "", ""
		x.Workers = min(x.Workers, 2)
		x.MaxIterations = min(max(x.MaxIterations, -1), 30)
		if x.MaxIterations == 0 {
			x.MaxIterations = 30
		}
		if !(x.MaxEpochs < 3) {
			x.MaxEpochs = 3
		}
		if x.MaxTime > 20*time.Millisecond || x.MaxTime == 0 {
			x.MaxTime = 20 * time.Millisecond
		}
	case *synthetic.Shape:
		x.N, x.D = min(x.N, 200), min(x.D, 200)
		x.Name = []string{"onehot", "text", "wide", "dense", "imbalanced", ""}[c.in.below(6)]
	case *synthetic.Clicks:
		x.Rows = min(x.Rows, 200)
	case *sparse.ReadOptions:
		x.Columns = min(x.Columns, 1000)
	case *returns.Market:
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Int {
				f.SetInt(min(f.Int(), 40))
			}
		}
	case *compositional.Chain:
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Int {
				f.SetInt(min(f.Int(), 12))
			}
		}
	case *score.Network:
		x.Features = min(x.Features, 1000)
		for k := range x.Hidden {
			x.Hidden[k] = min(x.Hidden[k], 20)
		}
	}
}
