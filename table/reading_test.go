package table

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// What Options said of the training's table is the default of later ones, also behind JSON; other
// options of theirs win.
func TestReadingIsRemembered(t *testing.T) {
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	fit := func(text string, o Options) *Encoder {
		s, err := Open(write("train", text), o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		e, _ := madeOf(t, s, Wanted{Target: "y"})
		text2, err := e.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		read, err := ReadEncoder(text2)
		if err != nil {
			t.Fatal(err)
		}
		return read
	}
	const bars = "a|b,c|y\nx|1|0\nz|2|1\nx|3|0\nz|4|1\n"
	e := fit(bars, Options{Separator: '|', Quotes: NoQuotes, Encoding: "windows-1252"})
	o := e.Suit(Options{})
	if o.Separator != '|' || o.Quotes != NoQuotes || o.Encoding != "windows-1252" || o.Header != WithHeader {
		t.Errorf("%+v", o)
	}
	if o := e.Suit(Options{Separator: ';', Quotes: WithQuotes, Encoding: "utf-8"}); o.Separator != ';' || o.Quotes != WithQuotes || o.Encoding != "utf-8" {
		t.Errorf("%+v", o)
	}
	s, err := Open(write("new", "a|b,c\nx|1\n"), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for block, err := range e.Blocks(context.Background(), s, BlockOptions{NoTarget: true}) {
		if err != nil || block.X.Rows() != 1 || block.Unseen[0] != 0 {
			t.Errorf("%+v: %v", block, err)
		}
	}
	if e := fit(bars, Options{Separator: '|'}); e.Recipe().Reading.Encoding != "" || e.Recipe().Reading.Separator != "|" {
		t.Errorf("%+v", e.Recipe().Reading)
	}
	if e := fit("a,y\n1,0\n2,1\n3,0\n4,1\n", Options{Encoding: "UTF-8", Separator: ',', Quotes: WithQuotes, Header: WithHeader}); e.Recipe().Reading != nil {
		t.Errorf("%+v", e.Recipe().Reading)
	}
	bad := e.Recipe()
	if bad.Reading.Separator = "||"; bad.Check() == nil {
		t.Error("a separator of two bytes")
	}
}
