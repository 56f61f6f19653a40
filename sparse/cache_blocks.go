package sparse

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// cacheBlocks yields the rows of a cache in blocks of about size bytes. The file has the
// given length.
func cacheBlocks(file io.ReaderAt, length int64, name string, options *ReadOptions, size int, yield func(*Data) bool) error {
	bad := func(format string, a ...any) error {
		return &FormatError{Name: name, Message: fmt.Sprintf(format, a...)}
	}
	var shape cacheShape
	message, err := shape.read(io.NewSectionReader(file, 0, length), options.MaxColumns)
	if err != nil {
		return cacheTrouble(name, err)
	}
	if message != "" {
		return bad("%s", message)
	}
	rows := uint64(0)
	give := func(arrays *cacheArrays, part *cacheShape) (goOn bool, err error) {
		data, message := arrays.data(context.Background(), part, options.Workers, int(rows))
		if message != "" {
			return false, bad("%s", message)
		}
		if err := data.suit(name, options); err != nil {
			return false, err
		}
		rows += part.n
		if options.Progress != nil {
			options.Progress(int64(float64(length)*(float64(rows)/float64(shape.n))), int64(rows))
		}
		return yield(data), nil
	}
	if uint64(length) != shape.length() {
		return bad("%s", cacheLength(length, shape.length()))
	}
	err = groupBlocks(file, &shape, size, give)
	if format := (*FormatError)(nil); err != nil && !errors.As(err, &format) {
		return cacheTrouble(name, err)
	}
	if err == nil && shape.n == 0 {
		return bad("the file holds no rows")
	}
	return err
}

// groupBlocks gives runs of groups, which are blocks as they are.
func groupBlocks(file io.ReaderAt, shape *cacheShape, size int, give func(*cacheArrays, *cacheShape) (bool, error)) error {
	groups, err := readIndex(file, shape)
	if err != nil {
		return err
	}
	offset := int64(cacheHeader)
	for from := 0; from < len(groups); {
		part, to, bytes := *shape, from, int64(0)
		for part.n, part.entries = 0, 0; to < len(groups) && (to == from || bytes < int64(size)); to++ {
			g := &groups[to]
			bytes += g.size(shape.flags&cacheQueries != 0)
			part.n, part.entries = part.n+uint64(g.rows), part.entries+uint64(g.entries)
		}
		arrays, buffer := new(cacheArrays), []byte(nil)
		arrays.reserve(&part, int(part.n), int(part.entries))
		if _, err := readRun(file, shape, groups, from, to, offset, arrays, &buffer); err != nil {
			return err
		}
		if goOn, err := give(arrays, &part); err != nil || !goOn {
			return err
		}
		from, offset = to, offset+bytes
	}
	return nil
}
