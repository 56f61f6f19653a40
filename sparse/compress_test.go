package sparse

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// withDictionary gives an xz file of one block another size of its dictionary: bits as
// they stand in the file.
func withDictionary(t *testing.T, packed []byte, bits byte) []byte {
	t.Helper()
	const stream = 12
	b := bytes.Clone(packed)
	header := b[stream : stream+4*(int(b[stream])+1)]
	at := bytes.Index(header, []byte{0x21, 1}) // LZMA2, one byte of properties
	if at < 0 {
		t.Fatal("no LZMA2 in the block's header")
	}
	header[at+2] = bits
	body := header[:len(header)-4]
	binary.LittleEndian.PutUint32(header[len(body):], crc32.ChecksumIEEE(body))
	return b
}

// Streams that ask for large windows are read. Streams that ask for more than is allowed are
// refused by their size, before the memory is allocated.
func TestLargeWindows(t *testing.T) {
	repeat.Skip(t)
	text := []byte(strings.Repeat("1 1:0.5 7:2\n-1 3:0.25\n", 3000))
	want, err := Read(context.Background(), bytes.NewReader(text), "text", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var long bytes.Buffer
	w, err := zstd.NewWriter(&long, zstd.WithWindowSize(1<<29), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	w.Write(text[:600])
	w.Flush() // a stream of unknown length keeps its window
	w.Write(text[600:])
	w.Close()
	cases := map[string]struct {
		packed []byte
		size   string
	}{
		"zstd": {long.Bytes(), "537 MB"},
		"xz":   {withDictionary(t, packedWith(t, "xz", text), 32), "269 MB"},
	}
	for name, c := range cases {
		got, err := Read(context.Background(), bytes.NewReader(c.packed), name, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		requireSameData(t, got, want)
		taken := allocated(func() {
			_, err = Read(context.Background(), bytes.NewReader(c.packed), name, ReadOptions{window: 1 << 24, Workers: 1})
		})
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), "need a window of "+c.size) || !strings.Contains(err.Error(), "than the 17 MB that") ||
			!strings.Contains(err.Error(), "unpack the file first") || taken > 32<<20 {
			t.Errorf("%s: %d bytes taken, error %v", name, taken, err)
		}
	}
	if _, err := Read(context.Background(), bytes.NewReader(withDictionary(t, cases["xz"].packed, 40)), "xz", ReadOptions{}); err == nil || !strings.Contains(err.Error(), "a window of 4.3 GB") {
		t.Errorf("a dictionary of 4 GiB: error %v", err)
	}
	// A later frame may ask for more than the first one.
	var small bytes.Buffer
	w, _ = zstd.NewWriter(&small, zstd.WithWindowSize(1<<20))
	w.Write(text)
	w.Close()
	_, err = Read(context.Background(), bytes.NewReader(append(small.Bytes(), long.Bytes()...)), "two", ReadOptions{window: 1 << 24})
	if err == nil || !strings.Contains(err.Error(), "or need a window of more than the 17 MB") {
		t.Errorf("a second frame: error %v", err)
	}
}

// TestDecompressCloses: Close frees a decompressor and leaves its source open.
func TestDecompressCloses(t *testing.T) {
	var packed bytes.Buffer
	w, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("1 1:1\n"))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	packed.WriteString("rest")
	file := &closing{Reader: &packed}
	r, err := Decompress(file)
	if err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 6)
	if _, err := io.ReadFull(r, line); err != nil || string(line) != "1 1:1\n" {
		t.Errorf("%q, error %v", line, err)
	}
	if err := r.Close(); err != nil || file.closed {
		t.Errorf("error %v, source closed %t", err, file.closed)
	}
	if _, err := r.Read(line); !errors.Is(err, zstd.ErrDecoderClosed) {
		t.Errorf("error %v after Close", err)
	}
}

type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }
