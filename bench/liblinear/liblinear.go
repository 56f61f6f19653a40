//go:build cgo && liblinear

// Package liblinear calls LIBLINEAR in this process (Debian: liblinear-dev;
// build tag liblinear), so that its training can be timed without its reading.
package liblinear

/*
#cgo LDFLAGS: -llinear
#include <linear.h>
#include <stdlib.h>

static void quiet(const char *s) {}
static void silence(void) { set_print_string_function(quiet); }
*/
import "C"

import (
	"errors"
	"time"
	"unsafe"

	"github.com/lanes-go/lanes/sparse"
)

// Problem is a data set in LIBLINEAR's memory layout.
type Problem struct {
	problem C.struct_problem
	nodes   []C.struct_feature_node
	rows    []*C.struct_feature_node
	labels  []C.double
}

// NewProblem copies a matrix and labels -1 and +1. The first label is +1, so
// that LIBLINEAR's weights have the sign of ours.
func NewProblem(x *sparse.Matrix, y []float64) (*Problem, error) {
	C.silence()
	p := &Problem{}
	n := x.Rows()
	size := int(x.NNZ()) + n
	p.nodes = unsafe.Slice((*C.struct_feature_node)(C.malloc(C.size_t(size)*C.sizeof_struct_feature_node)), size)
	p.rows = unsafe.Slice((**C.struct_feature_node)(C.malloc(C.size_t(n)*C.size_t(unsafe.Sizeof(uintptr(0))))), n)
	p.labels = unsafe.Slice((*C.double)(C.malloc(C.size_t(n)*C.sizeof_double)), n)
	order := make([]int, 0, n)
	for i := range n {
		if y[i] > 0 {
			order = append(order, i)
			break
		}
	}
	if len(order) == 0 {
		return nil, errors.New("no positive row")
	}
	for i := range n {
		if i != order[0] {
			order = append(order, i)
		}
	}
	e := 0
	for k, i := range order {
		p.rows[k], p.labels[k] = &p.nodes[e], C.double(y[i])
		for j, v := range x.Row(i) {
			p.nodes[e] = C.struct_feature_node{index: C.int(j + 1), value: C.double(v)}
			e++
		}
		p.nodes[e] = C.struct_feature_node{index: -1}
		e++
	}
	p.problem = C.struct_problem{l: C.int(n), n: C.int(x.Cols()), y: &p.labels[0], x: &p.rows[0], bias: -1}
	return p, nil
}

// Free gives the memory back.
func (p *Problem) Free() {
	C.free(unsafe.Pointer(&p.nodes[0]))
	C.free(unsafe.Pointer(&p.rows[0]))
	C.free(unsafe.Pointer(&p.labels[0]))
}

// Train runs LIBLINEAR's solver (-s) at C and tolerance (-e) and returns the
// weights and the seconds it took.
func (p *Problem) Train(solver int, c, tolerance float64) (w []float64, seconds float64) {
	parameter := C.struct_parameter{solver_type: C.int(solver), eps: C.double(tolerance), C: C.double(c), p: 0.1}
	start := time.Now()
	model := C.train(&p.problem, &parameter)
	seconds = time.Since(start).Seconds()
	for _, v := range unsafe.Slice(model.w, int(p.problem.n)) {
		w = append(w, float64(v))
	}
	C.free_and_destroy_model(&model)
	return w, seconds
}

// Available tells that this build has LIBLINEAR.
const Available = true
