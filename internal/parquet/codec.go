package parquet

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// Blocks of Snappy and LZ4 grow by these factors at most.
const (
	snappyRatio = 32
	lz4Ratio    = 256
)

// decompress returns the size bytes that b holds. It allocates no more than b can stand for.
func decompress(codec format.CompressionCodec, b []byte, size int) ([]byte, error) {
	if size == 0 || codec == format.Uncompressed {
		if codec == format.Uncompressed && len(b) != size {
			return nil, fmt.Errorf("the page has %d bytes in the place of %d", len(b), size)
		}
		return b[:min(size, len(b))], nil
	}
	var out []byte
	var err error
	switch codec {
	case format.Snappy:
		n, bad := snappy.DecodedLen(b)
		if bad != nil || n != size || n > snappyRatio*len(b) {
			return nil, fmt.Errorf("the page has %d bytes in the place of %d", n, size)
		}
		out, err = snappy.Decode(nil, b)
	case format.Lz4Raw:
		if size > lz4Ratio*len(b) {
			return nil, fmt.Errorf("%d bytes cannot unpack to %d", len(b), size)
		}
		out = make([]byte, size)
		var n int
		n, err = lz4.UncompressBlock(b, out)
		out = out[:max(n, 0)]
	case format.Gzip:
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(b)); err == nil {
			out, err = readSize(z, size)
		}
	case format.Zstd:
		z := decoders.Get().(*zstd.Decoder)
		if err = z.Reset(bytes.NewReader(b)); err == nil {
			out, err = readSize(z, size)
		}
		decoders.Put(z)
	default:
		return nil, fmt.Errorf("compression %s, which lanes does not read: write the file with snappy or zstd", codec)
	}
	if err != nil {
		return nil, fmt.Errorf("the %s data: %w", codec, err)
	}
	if len(out) != size {
		return nil, fmt.Errorf("the page has %d bytes in the place of %d", len(out), size)
	}
	return out, nil
}

var decoders = sync.Pool{New: func() any {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		panic(err) // the options are valid
	}
	return z
}}

// readSize reads size bytes and one more where there is one. The memory grows with what is read.
func readSize(r io.Reader, size int) ([]byte, error) {
	var b bytes.Buffer
	_, err := io.CopyN(&b, r, int64(size)+1)
	if err == io.EOF {
		err = nil
	}
	return b.Bytes(), err
}
