package sparse

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"io"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/mikelolasagasti/xz"
)

// maxWindow bounds the memory that a compressed stream may ask for: that of
// zstd --long and of twice xz -9.
const maxWindow = 1 << 27

// format is what the first bytes of a stream say that it holds.
type format string

const (
	formatText  format = "text"
	formatCache format = "lanes cache"
	formatGzip  format = "gzip"
	formatBzip2 format = "bzip2"
	formatXZ    format = "xz"
	formatZstd  format = "zstd"
)

func sniff(r *bufio.Reader) format {
	head, _ := r.Peek(8)
	switch {
	case bytes.HasPrefix(head, []byte(cacheMagic)):
		return formatCache
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return formatGzip
	case bytes.HasPrefix(head, []byte("BZh")):
		return formatBzip2
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		return formatXZ
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}),
		len(head) >= 4 && head[0]&0xf0 == 0x50 && bytes.Equal(head[1:4], []byte{0x2a, 0x4d, 0x18}):
		return formatZstd
	}
	return formatText
}

// decompressor returns a reader of what r holds compressed, and a function that
// frees its resources.
func decompressor(f format, r io.Reader, workers int) (io.Reader, func(), error) {
	switch f {
	case formatGzip:
		z, err := gzip.NewReader(r)
		return z, func() {}, err
	case formatBzip2:
		return bzip2.NewReader(r), func() {}, nil
	case formatXZ:
		z, err := xz.NewReader(r, maxWindow)
		return z, func() {}, err
	case formatZstd:
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(workers), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}
	return r, func() {}, nil
}

// rawReader counts the bytes of a stream and remembers its failure, which is no
// fault of what the stream holds.
type rawReader struct {
	r        io.Reader
	consumed atomic.Int64 // decompressors read ahead in goroutines of their own
	err      error
}

func (r *rawReader) Read(b []byte) (int, error) {
	n, err := r.r.Read(b)
	r.consumed.Add(int64(n))
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}
