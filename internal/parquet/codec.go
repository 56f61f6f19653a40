package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"github.com/lanes-go/lanes/internal/base/memory"
)

// Blocks of Snappy and LZ4 grow by these factors at most.
const (
	snappyRatio = 32
	lz4Ratio    = 256
)

// decompress returns the size bytes that b holds. It allocates no more than b can
// stand for, and returns a *memory.ShortError where there is less memory than that.
func decompress(codec format.CompressionCodec, b []byte, size int) ([]byte, error) {
	if size == 0 || codec == format.Uncompressed {
		if codec == format.Uncompressed && len(b) != size {
			return nil, fmt.Errorf("the page has %d bytes in the place of %d", len(b), size)
		}
		return b[:min(size, len(b))], nil
	}
	// A buffer that grows holds up to three times what was read.
	if err := memory.Check("a page of Parquet", int64(size), 3); err != nil {
		return nil, err
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
	case format.Lz4:
		out, err = hadoopLZ4(b, size)
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

// hadoopLZ4 unpacks what Hadoop writes as LZ4: the unpacked length of a block in four bytes, then
// its pieces, each behind its packed length. Other programs wrote one block alone.
func hadoopLZ4(b []byte, size int) ([]byte, error) {
	if size > lz4Ratio*len(b) {
		return nil, fmt.Errorf("%d bytes cannot unpack to %d", len(b), size)
	}
	out := make([]byte, size)
	if framed(b, out) {
		return out, nil
	}
	n, err := lz4.UncompressBlock(b, out)
	return out[:max(n, 0)], err
}

// framed unpacks the blocks of Hadoop to all of out. It returns false where b is something else.
func framed(b, out []byte) bool {
	for len(b) >= 4 {
		left := int64(binary.BigEndian.Uint32(b))
		if b = b[4:]; left > int64(len(out)) {
			return false
		}
		for left > 0 {
			if len(b) < 4 || int64(binary.BigEndian.Uint32(b)) > int64(len(b)-4) {
				return false
			}
			packed := b[4 : 4+binary.BigEndian.Uint32(b)]
			n, err := lz4.UncompressBlock(packed, out[:left])
			if err != nil || n <= 0 {
				return false
			}
			b, out, left = b[4+len(packed):], out[n:], left-int64(n)
		}
	}
	return len(b) == 0 && len(out) == 0
}
