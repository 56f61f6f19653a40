package fuzz

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

func seedBytes(f *testing.F) {
	f.Add([]byte{})
	for seed := range byte(24) {
		b := make([]byte, 900)
		state := uint32(seed)*2654435761 + 1
		for i := range b {
			state = state*1664525 + 1013904223
			b[i] = byte(state >> 24)
		}
		b[0] = seed
		f.Add(b)
	}
}

// FuzzRows compares the row-batch kernels of every path with the portable twin.
func FuzzRows(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		m, n, cols := in.rows()
		list := in.list(n)
		count := len(list)
		first := 0
		if in.byte()%2 == 0 && n > 0 {
			list, first = nil, in.below(n)
			count = n - first
		}
		w1, w2, c := in.floats(cols), in.floats(cols), in.floats(count)
		run := func(k *asm.Table) (out [4][]float64) {
			out = [4][]float64{make([]float64, count), make([]float64, count), make([]float64, count), slices.Clone(w1)}
			k.Rows.Dot(out[0], m, list, first, w1)
			k.Rows.Dot2(out[1], out[2], m, list, first, w1, w2)
			k.Rows.Add(out[3], m, list, first, c)
			return out
		}
		want := run(asm.Generic)
		requireEqual(t, "Dot2 against Dot", want[1], want[0])
		eachPath(func(k *asm.Table) {
			got := run(k)
			for i, name := range []string{"Dot", "Dot2 first", "Dot2 second", "Add"} {
				requireEqual(t, k.Path+" "+name, got[i], want[i])
			}
		})
	})
}

// FuzzDescents compares the counts of every path with the portable twin's, on any indices.
func FuzzDescents(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		idx32, idx16 := make([]uint32, len(data)/4), make([]uint16, len(data)/2)
		for e := range idx16 {
			idx16[e] = uint16(in.byte()) | uint16(in.byte())<<8
		}
		for e := range idx32 {
			idx32[e] = uint32(idx16[2*e]) | uint32(idx16[2*e+1])<<16
		}
		want32, want16 := asm.Generic.Rows.Descents32(idx32), asm.Generic.Rows.Descents16(idx16)
		eachPath(func(k *asm.Table) {
			if got32, got16 := k.Rows.Descents32(idx32), k.Rows.Descents16(idx16); got32 != want32 || got16 != want16 {
				t.Errorf("%s: %d and %d descents, want %d and %d", k.Path, got32, got16, want32, want16)
			}
		})
	})
}

// FuzzLazy compares the lazy-record kernels of every path with the portable
// twin, records of any content included.
func FuzzLazy(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		m, n, cols := in.rows()
		list := in.list(n)
		if list == nil {
			return
		}
		records := make([]rows.Record, cols)
		for j := range records {
			records[j] = rows.Record{W: in.float(), U: in.float(), Last: float64(in.below(9)), S: in.float()}
		}
		now := float64(8 + in.below(8))
		table := make([][4]float64, 16)
		for k := range table {
			table[k] = [4]float64(in.floats(4))
		}
		c := in.floats(len(list))
		run := func(k *asm.Table) (out [7][]float64) {
			for i := range 6 {
				out[i] = make([]float64, len(list))
			}
			rec := slices.Clone(records)
			k.Rows.Lazy.Fetch(m, list)
			k.Rows.Lazy.Dot(out[0], out[1], m, list, list, rec, now)
			k.Rows.Lazy.AddS(out[2], m, list, rec, c)
			k.Rows.Lazy.AddU(out[3], m, list, rec, c)
			k.Rows.Lazy.AddW(m, list, rec, c)
			k.Rows.Lazy.MoveAddU(out[5], m, list, rec, c, now+1)
			k.Rows.Lazy.DotMap(out[4], m, list, rec, min(now+1, 15), table)
			for _, r := range rec {
				out[6] = append(out[6], r.W, r.U, r.Last, r.S)
			}
			return out
		}
		want := run(asm.Generic)
		eachPath(func(k *asm.Table) {
			got := run(k)
			for i, name := range []string{"Dot W", "Dot U", "AddS", "AddU", "DotMap", "MoveAddU", "records"} {
				requireEqual(t, k.Path+" "+name, got[i], want[i])
			}
		})
	})
}
