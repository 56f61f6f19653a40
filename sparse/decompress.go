package sparse

import (
	"bufio"
	"fmt"
	"io"
)

// Decompress returns a reader of what r holds plain or compressed by gzip, bzip2, xz or
// zstd, as its first bytes say, and a function that frees the decompressor's resources.
func Decompress(r io.Reader) (io.Reader, func(), error) {
	buffered := bufio.NewReaderSize(r, 1<<16)
	f := sniff(buffered)
	out, free, err := decompressor(f, buffered, 1)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f, err)
	}
	return out, free, nil
}
