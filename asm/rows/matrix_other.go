//go:build !amd64 || purego

package rows

import (
	"unsafe"

	"github.com/lanes-go/lanes/internal/base/arguments"
)

func matMulOfPath(dst, a, w *float64, rows, inner, width, rowStep, termStep int) {
	last := (rows-1)*rowStep + (inner-1)*termStep
	Paths[path.Load()].Wide.MatMul(unsafe.Slice(arguments.NoEscape(dst), rows*width), unsafe.Slice(arguments.NoEscape(a), last+1), unsafe.Slice(arguments.NoEscape(w), inner*width),
		rows, inner, width, rowStep, termStep)
}

func matMulFew(dst, a, w *float64, rows, inner, width, _, _, rowStep, termStep int) {
	matMulOfPath(dst, a, w, rows, inner, width, rowStep, termStep)
}
