package sparse

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Decompress returns a reader of what r holds, plain or compressed by gzip, bzip2, xz or
// zstd, as its first bytes say. Close frees the decompressor's resources and leaves r open. It
// refuses what needs a window larger than 2 GiB or than a quarter of the free memory; it takes up to
// three times the window.
func Decompress(r io.Reader) (io.ReadCloser, error) {
	if r == nil {
		return nil, errors.New("sparse: Decompress: there is nothing to read from")
	}
	buffered := bufio.NewReaderSize(r, 1<<16)
	f := sniff(buffered)
	out, free, err := decompressor(f, buffered, 1, windowLimit())
	if window := new(windowError); errors.As(err, &window) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f, err)
	}
	return unpacked{out, free}, nil
}

// unpacked is a decompressor that Close frees.
type unpacked struct {
	io.Reader
	free func()
}

func (u unpacked) Close() error {
	u.free()
	return nil
}
