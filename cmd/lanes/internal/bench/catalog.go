package bench

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/element"
	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/asm/vector"
	"github.com/lanes-go/lanes/dispatch"
)

// A family are the kernels that work on operands of one kind.
type family struct {
	work func() map[string]work
	// sizes returns the sizes to measure.
	sizes func(o *Options, w work, most int) []Size
	// demand is the work of a call.
	demand func(kernel, variant string, w work, s Size) demand
	// call returns what repeats a call of f, a kernel of any path; nil where its
	// signature is new here.
	call func(kernel, variant string, f any, in *operands) func(n int)
}

// families are all: TestEveryKernelIsMeasured holds their works to the fields of asm.Table.
// A new kernel is a line there, and a case of its family's call where no other has its
// signature.
var families = []*family{&vectorFamily, &batchFamily, &pairFamily, &rowFamily, &sparseFamily, &addedFamily, &wideFamily}

var (
	vectorFamily = family{vectorWorks, vectorSizes, func(_, _ string, w work, s Size) demand { return vectorDemand(w, float64(s.Length)) }, vectorCall}
	batchFamily  = family{batchWorks, batchSizes, batchDemand, batchCall}
	pairFamily   = family{listed(pairWork), pairSizes, pairDemand, pairCall}
	rowFamily    = family{listed(rowWork), rowSizes, rowDemand, rowCall}
	sparseFamily = family{listed(sparseWork), sparseSizes, sparseDemand, sparseCall}
	addedFamily  = family{addedWorks, sparseSizes, addedDemand, addedCall}
	wideFamily   = family{listed(wideWork), wideSizes, wideDemand, wideCall}
)

// listed returns works as a function.
func listed(works map[string]work) func() map[string]work {
	return func() map[string]work { return works }
}

// Works of described kernels are made when they are needed: other commands start without them.
var (
	vectorWorks = sync.OnceValue(func() map[string]work {
		works := described(vector.Vectors)
		maps.Copy(works, vectorWork)
		return works
	})
	batchWorks = sync.OnceValue(func() map[string]work { return described(vector.Batch) })
	addedWorks = sync.OnceValue(func() map[string]work { return described(vector.Sparse) })
)

// Streams are float64, so that 0.5 is one of 32 bits; an operation in 32 bits is half a one.
var vectorWork = map[string]work{
	"dense.Dot":             {reads: 2, operations: 2, sums: 32, fused: true},
	"dense.SquaredNorm":     {reads: 1, operations: 2, sums: 32, fused: true},
	"dense.SquaredDistance": {reads: 2, operations: 3, sums: 32, fused: true},
	"dense.Sum":             {reads: 1, operations: 1, sums: 32},
	"dense.MaxAbs":          {reads: 1, operations: 2},
	"dense.Axpy":            {reads: 1, updates: 1, operations: 2},
	"dense.ScaleAdd":        {reads: 2, writes: 1, operations: 3},
	"dense.Scale":           {reads: 1, writes: 1, operations: 1},
	"dense.AddScalar":       {reads: 1, writes: 1, operations: 1},
	"dense.Mul":             {reads: 2, writes: 1, operations: 1},
	"dense.SoftThreshold":   {reads: 1, writes: 1, operations: 2},
	"dense.Box":             {reads: 1, writes: 1, operations: 2},
	"dense.Adam":            {reads: 1, updates: 3, operations: 14, divisions: 1, roots: 1},
	"dense.Momentum":        {reads: 1, updates: 2, operations: 6},

	"rows.Descents32": {reads: 0.5, operations: 0.5},
	"rows.Descents16": {reads: 0.25, operations: 0.25},

	"single.Dot":         {reads: 1, operations: 2, sums: 32, fused: true},
	"single.SquaredNorm": {reads: 0.5, operations: 2, sums: 32, fused: true},
	"single.Sum":         {reads: 0.5, operations: 1, sums: 32},

	"element.Exp":                     {reads: 1, writes: 1, operations: 44},
	"element.Log":                     {reads: 1, writes: 1, operations: 43, divisions: 1, positive: true},
	"element.Log1p":                   {reads: 1, writes: 1, operations: 53, divisions: 1, positive: true},
	"element.Sigmoid":                 {reads: 1, writes: 1, operations: 59, divisions: 1},
	"element.Softplus":                {reads: 1, writes: 1, operations: 93, divisions: 1},
	"element.Tanh":                    {reads: 1, writes: 1, operations: 60, divisions: 1},
	"element.ExpSum":                  {reads: 1, writes: 1, operations: 46, sums: 8},
	"element.Extreme.Max":             {reads: 1, operations: 2},
	"element.Extreme.First":           {reads: 1, operations: 1},
	"element.Grad logistic":           {reads: 2, writes: 1, operations: 109, divisions: 2, sums: 8},
	"element.Grad squared":            {reads: 2, writes: 1, operations: 4, sums: 8},
	"element.Grad squared-hinge":      {reads: 2, writes: 1, operations: 7, sums: 8},
	"element.Grad huber":              {reads: 2, writes: 1, operations: 7, sums: 8},
	"element.Sum logistic":            {reads: 2, operations: 95, divisions: 1, sums: 8},
	"element.Sum squared":             {reads: 2, operations: 4, sums: 8},
	"element.Sum squared-hinge":       {reads: 2, operations: 6, sums: 8},
	"element.Sum huber":               {reads: 2, operations: 7, sums: 8},
	"element.Curvature logistic":      {reads: 1, writes: 2, operations: 54, divisions: 1},
	"element.Curvature squared":       {writes: 2},
	"element.Curvature squared-hinge": {reads: 2, writes: 2, operations: 4},
	"element.Curvature huber":         {reads: 2, writes: 2, operations: 2},

	"element.PairBlock.Exponents":   {reads: 1, writes: 1, operations: 46},
	"element.PairBlock.SigmoidOne":  {reads: 1, updates: 1, operations: 32.5, divisions: 0.5, sums: 8},
	"element.PairBlock.SoftplusOne": {reads: 1, operations: 49, divisions: 0.5, sums: 8},

	"element.Threshold.Count": {reads: 1, operations: 1},
	"element.Threshold.Kth":   {reads: 1, operations: 1, longest: 128},
	"element.Threshold.Above": {reads: 1, writes: 0.5, operations: 1},
	"element.Threshold.Below": {reads: 1, writes: 0.5, operations: 1},
}

// Of a pair: a positive and an element of the sample. Half of the pairs are above.
var pairWork = map[string]work{
	"element.PairBlock.Hinge":         {writes: 1, operations: 5},
	"element.PairBlock.Logistic":      {writes: 1, operations: 65, divisions: 1},
	"element.PairBlock.Odds":          {writes: 1, operations: 7, divisions: 1},
	"element.PairBlock.Add":           {reads: 1, operations: 2},
	"element.PairBlock.SigmoidAbove":  {operations: 32.5, divisions: 0.5},
	"element.PairBlock.SoftplusAbove": {operations: 49, divisions: 0.5},
	"element.PairBlock.SlopeAbove":    {operations: 27.5, divisions: 0.5},
	"element.PairBlock.SlopeOdds":     {operations: 5.5, divisions: 0.5},
}

// Of a non-zero, beside its index and its value; writes and updates are of a row. Where
// no values are stored, a product less is needed.
var rowWork = map[string]work{
	"rows.Dot":           {writes: 1, operations: 2, loads: 1},
	"rows.Dot2":          {writes: 2, operations: 4, loads: 2},
	"rows.Add":           {reads: 1, operations: 2, stores: 1},
	"rows.DotMix":        {writes: 1, operations: 2, loads: 1}, // of rows with one value
	"rows.Lazy.Dot":      {writes: 2, operations: 7, stores: 1},
	"rows.Lazy.DotMap":   {writes: 1, operations: 11, stores: 1},
	"rows.Lazy.AddW":     {reads: 1, operations: 2, stores: 1},
	"rows.Lazy.AddU":     {reads: 1, writes: 1, operations: 5, stores: 1},
	"rows.Lazy.MoveAddU": {reads: 1, writes: 1, operations: 8, stores: 1},
	"rows.Lazy.AddS":     {reads: 1, writes: 1, operations: 5, stores: 1},
	"rows.Lazy.Fetch":    {},
}

var sparseWork = map[string]work{
	"rows.Vector.Dot": {operations: 2, loads: 1, sums: 8, fused: true},
}

// Of a non-zero with an element of the row of the matrix that it names.
var wideWork = map[string]work{
	"rows.Wide.MulRows":   {reads: 1, operations: 2},
	"rows.Wide.AddRows":   {updates: 1, operations: 2},
	"rows.Wide.MatMul":    {reads: 1. / 8, operations: 2}, // of 64 rows with 64 terms, eight rows a tile
	"rows.Full.Dot":       {reads: 1, operations: 2},      // of 4096 full rows
	"rows.Full.Dot32":     {reads: 0.5, operations: 2},
	"rows.Full.Add":       {reads: 1, operations: 2},
	"rows.Full.Add32":     {reads: 0.5, operations: 2},
	"rows.Full.Squares":   {reads: 1, operations: 3},
	"rows.Full.Squares32": {reads: 0.5, operations: 3},
	"rows.Wide.Gram":      {reads: 1. / 8, operations: 2}, // of as many columns as the matrix has, and rows for as many products
}

var layoutNames = [rows.Layouts]string{
	rows.I32F64: "i32f64", rows.I32F32: "i32f32", rows.I32Ones: "i32ones",
	rows.I16F64: "i16f64", rows.I16F32: "i16f32", rows.I16Ones: "i16ones",
	rows.I32Decimals: "i32decimals", rows.I32Codes: "i32codes", rows.I16Decimals: "i16decimals", rows.I16Codes: "i16codes",
}

var lossNames = [element.Losses]string{
	element.Logistic: "logistic", element.Squared: "squared",
	element.SquaredHinge: "squared-hinge", element.Huber: "huber",
}

// A target is what is measured: a kernel in one of its variants, which are layouts or
// losses.
type target struct {
	Kernel, Variant string
	family          *family
	work            work
	// of returns the function of a path's table.
	of func(t *asm.Table) any
}

func (t *target) String() string {
	if t.Variant == "" {
		return t.Kernel
	}
	return t.Kernel + "/" + t.Variant
}

// targets lists the measurable kernels in the order of asm.Table. missing are the kernels without
// a work.
func targets() (list []target, missing []string) {
	for _, leaf := range leaves(reflect.TypeFor[asm.Table](), nil, nil) {
		t := target{Kernel: leaf.kernel, Variant: leaf.variant, of: func(t *asm.Table) any {
			return leaf.at(reflect.ValueOf(t).Elem()).Interface()
		}}
		for _, f := range families {
			if w, found := lookUp(f.work(), leaf.kernel, leaf.variant); found {
				t.family, t.work = f, w
			}
		}
		if t.family == nil {
			missing = append(missing, t.String())
			continue
		}
		list = append(list, t)
	}
	return list, missing
}

func lookUp(works map[string]work, kernel, variant string) (work, bool) {
	if w, found := works[kernel+" "+variant]; found {
		return w, true
	}
	w, found := works[kernel]
	return w, found
}

// A leaf is a function in asm.Table.
type leaf struct {
	kernel, variant string
	steps           []int // fields and elements on the way to it
}

func (l leaf) at(v reflect.Value) reflect.Value {
	for _, step := range l.steps {
		if v.Kind() == reflect.Array {
			v = v.Index(step)
		} else {
			v = v.Field(step)
		}
	}
	return v
}

// leaves lists the functions in a type. Elements of an array are variants, and so are
// fields with the name of a layout, and the layouts of a function of a matrix.
func leaves(t reflect.Type, names []string, steps []int) (list []leaf) {
	switch t.Kind() {
	case reflect.Func:
		l := leaf{steps: slices.Clone(steps)}
		for k, name := range names {
			switch {
			case k == 0: // a package of asm
				l.kernel = strings.ToLower(name)
			case slices.Contains(layoutNames[:], strings.ToLower(name)) || slices.Contains(lossNames[:], name):
				l.variant = strings.ToLower(name)
			default:
				l.kernel += "." + name
			}
		}
		takesMatrix := false
		for k := range t.NumIn() {
			takesMatrix = takesMatrix || t.In(k) == reflect.TypeFor[*rows.Matrix]()
		}
		if !takesMatrix {
			return []leaf{l}
		}
		for _, l.variant = range layoutNames {
			if l.kernel != "rows.DotMix" || strings.Contains(l.variant, "f") {
				list = append(list, l)
			}
		}
	case reflect.Struct:
		for k := range t.NumField() {
			list = append(list, leaves(t.Field(k).Type, append(names[:len(names):len(names)], t.Field(k).Name), append(steps[:len(steps):len(steps)], k))...)
		}
	case reflect.Array:
		for k := range t.Len() {
			name := fmt.Sprint(k)
			if t.Len() == len(lossNames) {
				name = lossNames[k]
			}
			list = append(list, leaves(t.Elem(), append(names[:len(names):len(names)], name), append(steps[:len(steps):len(steps)], k))...)
		}
	}
	return list
}

// runnable lists the paths that this CPU can run, in ascending preference.
func runnable() (tables []*asm.Table) {
	for k, p := range dispatch.Paths() {
		if p.Available {
			tables = append(tables, asm.Tables[k])
		}
	}
	return tables
}
