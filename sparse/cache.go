package sparse

import (
	"errors"
	"io"
)

const cacheMagic = "LANESCSR"

func readCache(r io.Reader, name string, options *ReadOptions) (*Data, error) {
	return nil, errors.New("not yet")
}
