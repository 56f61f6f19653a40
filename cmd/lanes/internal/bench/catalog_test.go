package bench

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/machine"
	"github.com/lanes-go/lanes/asm/rows"
)

// TestEveryKernelIsMeasured: every function of asm.Table has a work.
func TestEveryKernelIsMeasured(t *testing.T) {
	list, missing := targets()
	for _, name := range missing {
		t.Errorf("%s is not measured: it needs a line in catalog.go", name)
	}
	names := make(map[string]bool)
	for _, target := range list {
		if names[target.String()] {
			t.Errorf("%s is there twice", &target)
		}
		names[target.String()] = true
		names[target.Kernel+" "+target.Variant], names[target.Kernel] = true, true
	}
	for _, f := range families {
		for name := range f.work() {
			if !names[name] {
				t.Errorf("%s has a work, and is no kernel", name)
			}
		}
	}
}

// readLess are kernels that do not read some of their operands.
var readLess = []string{
	"element.Curvature/logistic", "element.Curvature/squared", // the labels, and all
	"element.Threshold.Above", "element.Threshold.Below", "element.Threshold.Positions", // half of the destination
}

// TestCallsReachTheirKernels replaces each kernel by a function that counts. The kernel's
// benchmark must call it as often as it is told to, with operands that it accepts. The operands
// must be as large as its work says.
func TestCallsReachTheirKernels(t *testing.T) {
	s := newStorage(1 << 10)
	list, _ := targets()
	for _, target := range list {
		for _, size := range target.family.sizes(&Options{Quick: true}, target.work, 1<<10) {
			if !fits(target.Variant, size) || size.NonZeros > 1<<14 {
				continue
			}
			for _, v := range [][]float64{s.base.a, s.base.b, s.base.c} {
				for i := range v {
					v[i] = 1.5
				}
			}
			clear(s.base.a32)
			clear(s.base.a8)
			clear(s.base.a16)
			called, streamed, written := 0, 0.0, 0.0
			count := func(f any) any {
				original := reflect.ValueOf(f)
				return reflect.MakeFunc(original.Type(), func(args []reflect.Value) []reflect.Value {
					if called++; called > 1 {
						return original.Call(args)
					}
					before := make([]any, len(args))
					for k, a := range args {
						if a.Kind() == reflect.Slice {
							before[k] = reflect.AppendSlice(reflect.MakeSlice(a.Type(), 0, a.Len()), a).Interface()
						}
					}
					results := original.Call(args)
					for k, a := range args {
						if before[k] == nil {
							continue
						}
						bytes := float64(a.Len()) * float64(a.Type().Elem().Size())
						if streamed += bytes; !reflect.DeepEqual(before[k], a.Interface()) {
							written += bytes
						}
					}
					return results
				}).Interface()
			}
			f := count(target.of(asm.Generic))
			in := s.of(&target, size)
			call := target.family.call(target.Kernel, target.Variant, f, in)
			if call == nil {
				t.Errorf("%s: calls.go has no case for %T", &target, target.of(asm.Generic))
				break
			}
			if target.work.positive && slices.Min(in.x) <= 0 {
				t.Errorf("%s: a source of %v", &target, slices.Min(in.x))
			}
			sinkTrue = true
			if call(3); called != 3 {
				t.Errorf("%s, %v: %d calls of 3", &target, size, called)
			}
			if !sinkTrue {
				t.Errorf("%s, %v: refused", &target, size)
			}
			d := target.family.demand(target.Kernel, target.Variant, target.work, size)
			if target.family == &vectorFamily && (d.streamed != streamed || d.write+d.update != written) && !slices.Contains(readLess, target.String()) {
				t.Errorf("%s, %v: operands of %v bytes, of which %v are written; its work says %v and %v", &target, size, streamed, written, d.streamed, d.write+d.update)
			}
			if d.elements <= 0 || d.bytes() < 0 || d.streamed > streamed+8*float64(size.NonZeros*size.Length) && target.family != &rowFamily {
				t.Errorf("%s, %v: operands of %v bytes, its work says %v", &target, size, streamed, d.streamed)
			}
		}
	}
}

// TestEveryPathHasLimits: the kernels that measure the machine have the paths of the kernels on rows.
func TestEveryPathHasLimits(t *testing.T) {
	for _, table := range asm.Tables {
		if !slices.ContainsFunc(machine.Paths, func(k *machine.Kernels) bool { return k.Path == table.Rows.Path }) {
			t.Errorf("no limits of %s", table.Path)
		}
	}
	if len(machine.Paths) != len(rows.Paths) {
		t.Errorf("%d paths with limits, %d with kernels on rows", len(machine.Paths), len(rows.Paths))
	}
}

// TestEveryPathIsCalled: on the tables of all paths, and not only on the portable one.
func TestEveryPathIsCalled(t *testing.T) {
	list, _ := targets()
	for _, table := range asm.Tables {
		for _, target := range list {
			if reflect.ValueOf(target.of(table)).IsNil() {
				t.Errorf("%s on %s: no kernel", &target, table.Path)
			}
		}
	}
	dot := slices.IndexFunc(list, func(t target) bool { return t.Kernel == "vector.DotInt8" })
	for k, table := range asm.Tables[1:] {
		if fmt.Sprint(list[dot].of(table)) == fmt.Sprint(list[dot].of(asm.Tables[k])) {
			t.Errorf("DotInt8 of %s is also DotInt8 of %s", table.Path, asm.Tables[k].Path)
		}
	}
}
