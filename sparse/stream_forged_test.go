package sparse

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/base/stamp"
)

// forge sets four bytes at a place of b so that the CRC-32C of b becomes sum. The checksum is linear
// in the bits of b, so these bits solve 32 linear equations.
func forge(b []byte, at int, sum uint32) {
	binary.LittleEndian.PutUint32(b[at:], 0)
	zero := crc32.Checksum(b, castagnoli)
	var rows [32]uint64 // sums in the low half, the bits that make them in the high half
	for k := range rows {
		binary.LittleEndian.PutUint32(b[at:], 1<<k)
		rows[k] = uint64(crc32.Checksum(b, castagnoli)^zero) | 1<<(32+k)
	}
	want := uint64(zero ^ sum)
	for k := range rows {
		pivot := rows[k]
		low := uint(bits.TrailingZeros32(uint32(pivot)))
		for i := range rows {
			if i != k && rows[i]>>low&1 != 0 {
				rows[i] ^= pivot
			}
		}
		if want>>low&1 != 0 {
			want ^= pivot
		}
	}
	binary.LittleEndian.PutUint32(b[at:], uint32(want>>32))
}

// TestStreamForgedGroup: a group that was loaded before is checked again. A program may rewrite it,
// keep its checksums and set the date back. Its indices then reach no kernel, even if the system
// does not tell that the file has changed. If the system tells, values are checked as well.
func TestStreamForgedGroup(t *testing.T) {
	for _, layout := range []rows.Layout{rows.I32F64, rows.I32F32} {
		whole := cacheBytes(t, mixedData(t, layout))
		path := filepath.Join(t.TempDir(), "cache")
		for what, c := range map[string]struct {
			change func(b []byte, g *cacheGroup)
			want   string
		}{
			"beyond": {func(b []byte, g *cacheGroup) {
				at := g.indices(0) + 11*int64(g.values(0)-int(g.indices(0)))/int64(g.entries)
				binary.LittleEndian.PutUint32(b[at:], 0xfffffff0)
			}, "columns"},
			"descending": {func(b []byte, g *cacheGroup) { clear(b[g.values(0)-4 : g.values(0)]) }, "columns must ascend"},
			"lengths":    {func(b []byte, g *cacheGroup) { binary.LittleEndian.PutUint32(b[groupHeader:], 13) }, "entries"},
			"long":       {func(b []byte, g *cacheGroup) { binary.LittleEndian.PutUint32(b[groupHeader:], math.MaxUint32) }, "entries"},
			"label": {func(b []byte, g *cacheGroup) {
				binary.LittleEndian.PutUint64(b[groupHeader+4*g.rows:], math.Float64bits(math.NaN()))
			}, "the label of row"},
			"value": {func(b []byte, g *cacheGroup) {
				if end := len(b); valueBytes(g.layout) == 8 {
					binary.LittleEndian.PutUint64(b[end-8:], math.Float64bits(math.Inf(1)))
				} else if valueBytes(g.layout) == 4 {
					binary.LittleEndian.PutUint32(b[end-4:], math.Float32bits(float32(math.Inf(1))))
				}
			}, "holds +Inf"},
		} {
			if err := os.WriteFile(path, whole, 0o666); err != nil {
				t.Fatal(err)
			}
			s, err := OpenStream(context.Background(), path)
			if err != nil {
				t.Fatal(err)
			}
			group := new(StreamGroup)
			changed := bytes.Clone(whole)
			skip := func(g *cacheGroup) bool { // 16 bits name a column of the 90000
				return what == "value" && valueBytes(g.layout) == 0 || what == "beyond" && g.layout >= rows.I16F64
			}
			for k := range s.Groups() {
				if err := s.Load(group, k); err != nil {
					t.Fatal(err)
				}
				g := &s.groups[k]
				if skip(g) {
					continue
				}
				own := changed[s.offset[k]:][:g.size(0)]
				head := make([]byte, 8, 8+len(own))
				binary.LittleEndian.PutUint64(head, uint64(k))
				message := append(head, own[:len(own)-4]...)
				c.change(message[8:], g)
				// The last label, or the first value, takes the bits that keep the checksum.
				if what == "value" {
					forge(message, 8+g.values(0), g.sum)
				} else {
					forge(message[:8+g.values(0)], 8+groupHeader+4*g.rows+8*(g.rows-1), groupSum(int64(k), own[:g.values(0)]))
				}
				if groupSum(int64(k), message[8:]) != g.sum {
					t.Fatalf("%s: the checksum of group %d was not kept", what, k)
				}
				copy(own, message[8:])
			}
			date := time.Unix(0, s.pieces[0].stamp.Written)
			file, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err == nil {
				_, err = file.WriteAt(changed, 0)
				err = errors.Join(err, file.Close(), os.Chtimes(path, date, date))
			}
			if err != nil {
				t.Fatal(err)
			}
			if what != "value" { // as a system would that does not tell
				if s.pieces[0].stamp, err = stamp.Of(s.pieces[0].file); err != nil {
					t.Fatal(err)
				}
			}
			for k := range s.Groups() {
				if skip(&s.groups[k]) {
					continue
				}
				err := s.Load(group, k)
				if format := (*FormatError)(nil); !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s, group %d of layout %d: error %v, want %s", what, k, s.groups[k].layout, err, c.want)
				}
			}
			s.Close()
		}
	}
}
