//go:build linux && (amd64 || arm64)

package vector_test

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
	"github.com/lanes-go/lanes/asm/vector"
	"github.com/lanes-go/lanes/internal/testing/operands"
)

// untouched returns zeros that take no memory until they are written.
func untouched(t *testing.T, bytes int) []byte {
	t.Helper()
	memory, err := unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		t.Skipf("%d bytes of addresses: %v", bytes, err)
	}
	t.Cleanup(func() { unix.Munmap(memory) })
	return memory
}

// TestFarRows: a row beyond 4 GiB is the row that the number or the stride names.
func TestFarRows(t *testing.T) {
	const far = 4<<30 + 1<<20
	memory := untouched(t, far+1<<20)
	for _, k := range vector.List {
		if k.Shape != vector.Batch {
			continue
		}
		signature := operands.Of(k, &vector.Generic).Type()
		kind := signature.In(2)
		size := int(kind.Elem().Size())
		rows := reflect.NewAt(reflect.ArrayOf(len(memory)/size, kind.Elem()), unsafe.Pointer(&memory[0])).Elem().Slice(0, len(memory)/size)
		query := reflect.MakeSlice(kind, 5, 5)
		fill := func(v reflect.Value, from int) {
			numbers := map[reflect.Kind]any{
				reflect.Float32: []float32{1, -2, 3, -4, 5, -6, 7, -8, 9}, reflect.Int8: []int8{1, -2, 3, -4, 5, -6, 7, -8, 9},
				reflect.Uint64: []uint64{1, 3, 7, 15, 31, 63, 127, 255, 511},
			}[kind.Elem().Kind()]
			reflect.Copy(v, reflect.ValueOf(numbers).Slice(from, from+5))
		}
		fill(query, 1)
		for _, c := range []struct {
			stride int
			list   []uint32
		}{
			{far / size, nil},
			{far / size, []uint32{1, 0}},
			{2, []uint32{uint32(far / size / 2), 0}}, // of int8, more than 2^31
			{3, []uint32{70_000, 1<<16 - 1}},
		} {
			numbers := c.list
			if numbers == nil {
				numbers = []uint32{0, 1}
			}
			for i, number := range numbers {
				fill(rows.Slice(int(number)*c.stride, int(number)*c.stride+5), 3*i)
			}
			for _, p := range asmtest.Runnable(t, vector.Paths, func(k *vector.Kernels) string { return k.Path }) {
				dst := reflect.MakeSlice(signature.In(0), 2, 2)
				operands.Of(k, p).Call([]reflect.Value{dst, query, rows, reflect.ValueOf(c.stride), reflect.ValueOf(c.list)})
				for i, number := range numbers {
					row := rows.Slice(int(number)*c.stride, int(number)*c.stride+5)
					pair := reflect.ValueOf(p).Elem().FieldByName(strings.TrimSuffix(k.Name, "Rows"))
					if want := pair.Call([]reflect.Value{query, row})[0]; !dst.Index(i).Equal(want) || want.IsZero() {
						t.Errorf("%s %s: row %d at stride %d: %v, not %v", p.Path, k.Name, number, c.stride, dst.Index(i), want)
					}
				}
			}
			for _, number := range numbers {
				rows.Slice(int(number)*c.stride, int(number)*c.stride+5).Clear()
			}
		}
	}
}

// TestFarIndices: an index of 2^31 or more names its element.
func TestFarIndices(t *testing.T) {
	const most = 1<<31 + 100
	memory := untouched(t, 8*most)
	for _, k := range vector.List {
		if k.Shape != vector.Sparse || operands.Of(k, &vector.Generic).Type().In(1).Elem().Kind() != reflect.Uint32 {
			continue
		}
		signature := operands.Of(k, &vector.Generic).Type()
		last := signature.NumIn() - 1
		y := reflect.NewAt(reflect.ArrayOf(most, signature.In(last).Elem()), unsafe.Pointer(&memory[0])).Elem().Slice(0, most)
		for _, p := range asmtest.Runnable(t, vector.Paths, func(k *vector.Kernels) string { return k.Path }) {
			for n := range 14 {
				idx := make([]uint32, n)
				in := []reflect.Value{reflect.ValueOf(3).Convert(signature.In(0)), reflect.ValueOf(idx)}
				if last == 3 {
					in = append(in, reflect.MakeSlice(signature.In(2), n, n))
				}
				for e := range idx {
					idx[e] = uint32(1<<31 + 7*e)
					if last == 3 {
						in[2].Index(e).SetFloat(1)
					}
				}
				done := operands.Of(k, p).Call(append(in, y))[0].Bool()
				for e, j := range idx {
					if element := y.Index(int(j)); !done || element.Float() != 3 {
						t.Fatalf("%s %s: entry %d of %d: element %d is %v, not 3", p.Path, k.Name, e, n, j, element)
					}
					y.Index(int(j)).SetZero()
				}
			}
		}
	}
}
