//lint:file-ignore U1000 the assembly of amd64 calls these functions

package element

import (
	"sync/atomic"
	"unsafe"

	"github.com/lanes-go/lanes/internal/base/arguments"
)

// The entry points of package kernels, as in package dense: they check, and call the kernels of the
// active path. These Go functions define what they do. On amd64 assembly does it, and calls these
// functions if the active path is the portable one or a check may have failed.

// path is the index in Paths of the kernels that the entry points call. The assembly reads it.
var path atomic.Uint32

// Use makes the entry points call the kernels of Paths[i], from their next call on.
func Use(i int) { path.Store(uint32(i)) }

func active() *Kernels { return Paths[path.Load()] }

func expDoor(dst, x *float64, n, nx int) error {
	return mapDoor("Exp", active().Exp, dst, x, n, nx)
}

func logDoor(dst, x *float64, n, nx int) error {
	return mapDoor("Log", active().Log, dst, x, n, nx)
}

func log1pDoor(dst, x *float64, n, nx int) error {
	return mapDoor("Log1p", active().Log1p, dst, x, n, nx)
}

func sigmoidDoor(dst, x *float64, n, nx int) error {
	return mapDoor("Sigmoid", active().Sigmoid, dst, x, n, nx)
}

func softplusDoor(dst, x *float64, n, nx int) error {
	return mapDoor("Softplus", active().Softplus, dst, x, n, nx)
}

func tanhDoor(dst, x *float64, n, nx int) error {
	return mapDoor("Tanh", active().Tanh, dst, x, n, nx)
}

func mapDoor(name string, kernel func(dst, x []float64), dst, x *float64, n, nx int) error {
	to, from := unsafe.Slice(dst, n), unsafe.Slice(x, nx)
	if err := arguments.Pair(name, "dst", to, "x", from); err != nil {
		return err
	}
	kernel(to, from)
	return nil
}
