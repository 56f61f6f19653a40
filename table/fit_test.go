package table

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"slices"
	"strings"
)

// textSource is a source of cells that stand in memory: rows of CSV below the names of the columns.
// A part has a few rows. No format reads it.
type textSource struct {
	rows    [][]string
	columns []int
	at, n   int
}

// sourceOf returns a source of CSV text, in parts of n rows.
func sourceOf(text string, workers, n int) *Source {
	in := csv.NewReader(strings.NewReader(text))
	rows, err := in.ReadAll()
	if err != nil {
		panic(err)
	}
	s := &Source{files: []file{{name: "table.csv"}}, names: rows[0], lines: true, format: FormatCSV, options: Options{Workers: workers}}
	s.begin = func(_ context.Context, _ int, columns []int) (format, error) {
		return &textSource{rows: rows[1:], columns: slices.Clone(columns), n: n}, nil
	}
	return s
}

func (s *textSource) take(p *part) error {
	if s.at == len(s.rows) {
		return io.EOF
	}
	end := min(s.at+s.n, len(s.rows))
	p.first, p.last, p.places = int64(s.at), int64(end), int64(end-s.at)
	s.at = end
	return nil
}

func (s *textSource) cells(p *part, b *block) error {
	var text bytes.Buffer
	for i := p.first; i < p.last; i++ {
		for _, k := range s.columns {
			from := text.Len()
			text.WriteString(s.rows[i][k])
			b.at = append(b.at, uint32(from), uint32(text.Len()))
			text.WriteByte(',')
		}
		b.places = append(b.places, uint32(i-p.first))
		b.rows++
	}
	b.text = append(text.Bytes(), make([]byte, pad)...)
	return nil
}

func (s *textSource) close() error { return nil }
