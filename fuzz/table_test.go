package fuzz

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/table"
)

// encoderSeeds are encoders with columns of every kind.
var encoderSeeds = []string{
	`{"version":1,"missing":["","?"],"hash":4,"crosses":[["a","b"]],"columns":[
		{"name":"a","kind":"number","scale":"log1p","learned":{"rows":9,"missing":1,"shift":0.5,"width":2,"mean":1}},
		{"name":"b","kind":"category","min_count":2,"learned":{"rows":9,"missing":2,"values":["blue","red"],"counts":[3,2],"rare":1}},
		{"name":"c","kind":"text","words":{"ngrams":2},"learned":{"rows":9,"missing":0,"values":["no","no yes","yes"],"counts":[4,2,3]}},
		{"name":"d","kind":"time","learned":{"rows":9,"missing":0,"width":86400,"values":["hour=09","hour=10","month=02","weekday=Sun"]}},
		{"name":"y","kind":"target","learned":{"rows":9,"missing":0,"values":["ham","spam"]}}]}`,
	`{"version":1,"missing":[""],"hash":3,"columns":[
		{"name":"a","kind":"category","hashed":true,"learned":{"rows":1,"missing":0}},
		{"name":"b","kind":"number","bins":3,"learned":{"rows":1,"missing":1,"edges":[1,2]}},
		{"name":"c","kind":"text","hashed":true,"words":{"ngrams":3,"counts":true},"learned":{"rows":1,"missing":0}},
		{"name":"d","kind":"offset"},{"name":"e","kind":"weight"},{"name":"f","kind":"group"},
		{"name":"y","kind":"target","learned":{"rows":1,"missing":0}}]}`,
	`{"version":1,"missing":[],"hash":5,"columns":[{"name":"line","kind":"vw"},{"name":"tag","kind":"id"}]}`,
	`{"version":2,"columns":[
		{"name":"a","kind":"number","bins":3,"learned":{"rows":9,"missing":1,"edges":[1,2]}},
		{"name":"b","kind":"category","learned":{"rows":9,"missing":2,"values":["blue","red"],"counts":[4,3]}},
		{"name":"d","kind":"time","learned":{"rows":9,"missing":0,"width":86400,"values":["hour=09","hour=10","month=02","weekday=Sun"]}},
		{"name":"y","kind":"target","learned":{"rows":9,"missing":0,"values":["ham","spam"]}},
		{"name":"a*b","kind":"cross","of":["a","b"],"min_count":2,"learned":{"rows":9,"missing":0,"pairs":[[0,0],[2,1],[3,2]],"counts":[3,2,2],"rare":2}},
		{"name":"d.hour*b","kind":"cross","of":["d.hour","b"],"learned":{"rows":9,"missing":0,"pairs":[[0,0],[1,1]],"counts":[5,4]}}]}`,
}

var tableSeeds = []string{
	"a,b,c,d,e,f,y\n1,red,\"Yes, no!\",2020-02-02 09:30,1,7,ham\n?,blue,,2020-02-29T10:00:00Z,2,x,spam\n-1e3,green,no yes no,0,1,,ham\n",
	"a,b,c,d,e,f,y\nx,1,one two three,0.5,1,7,1\n,,,0,2,7,-1\n\xff,2.5,\xc3\x28 two,1,1,8,0\n",
	"line,tag\n1 2 't| a b:2 |n:0.5 c d=e\n-1 | a a a\n",
	"a,b,d,y\n1,red,2020-02-02 09:30,ham\n?,blue,2020-02-02 10:30,spam\n9,,2020-02-02 11:30,ham\n",
}

// FuzzTableEncoder: an encoder of any JSON is refused or comes back from its own JSON. Any table
// is refused, or the encoded rows have Width columns and finite values. They have the bits that
// the same rows have alone.
func FuzzTableEncoder(f *testing.F) {
	for k, encoder := range encoderSeeds {
		f.Add([]byte(encoder), []byte(tableSeeds[k]))
	}
	f.Fuzz(encodeTable)
}

func encodeTable(t *testing.T, text, cells []byte) {
	e, err := table.ReadEncoder(text)
	if err != nil {
		return
	}
	written, err := e.MarshalJSON()
	if err != nil {
		t.Fatalf("an encoder that was read cannot be written: %v", err)
	}
	again, err := table.ReadEncoder(written)
	if err != nil {
		t.Fatalf("an encoder that was written cannot be read: %v\n%s", err, written)
	}
	if twice, _ := again.MarshalJSON(); !bytes.Equal(twice, written) || again.Width() != e.Width() {
		t.Fatalf("%s came back as %s", written, twice)
	}
	for j := range min(e.Width(), 100) {
		if e.Name(j) == "" || e.Name(e.Width()-1-j) == "" {
			t.Fatalf("column %d or %d has no name\n%s", j, e.Width()-1-j, written)
		}
	}
	if len(cells) == 0 || e.Width() > 1<<16 {
		return
	}
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, cells, 0o666); err != nil {
		t.Fatal(err)
	}
	source, err := table.Open(path, table.Options{Format: table.FormatCSV, Separator: ',', Header: table.WithHeader, BadRows: 1 << 30, Workers: 2})
	if err != nil {
		return
	}
	defer source.Close()
	encodeAlone(t, e, source)
}

// encodeAlone compares the rows of a table with each row alone.
func encodeAlone(t *testing.T, e *table.Encoder, source *table.Source) {
	m := &model.Linear{Card: model.Card{Features: e.Width(), Positive: 1}, SolverType: "L2R_LR", Weights: make([]float64, e.Width())}
	for j := range m.Weights {
		m.Weights[j] = math.Sin(float64(j)) + 1.5
	}
	s := e.Scorer(m)
	for rows, err := range e.Blocks(context.Background(), source, table.BlockOptions{Rows: 2, Keep: s.Columns(), NoTarget: true}) {
		if err != nil {
			return
		}
		if rows.X.Cols() != e.Width() {
			t.Fatalf("rows of %d columns; want %d", rows.X.Cols(), e.Width())
		}
		scores, err := m.Scores(nil, nil, rows.X)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range scores {
			if rows.Offset != nil {
				want += rows.Offset[i]
			}
			got, err := s.Score(rows.Kept(i))
			if err != nil || got != want && (got == got || want == want) {
				t.Fatalf("row %q: score %v alone, %v in its table: %v", rows.Kept(i), got, want, err)
			}
		}
	}
}
