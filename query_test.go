package lanes

import (
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
)

// TestQueryNote: a training that does not use query ids says so; folds use them.
func TestQueryNote(t *testing.T) {
	data, err := sparse.Read(t.Context(), strings.NewReader("1 qid:1 1:1.5 3:2\n0 qid:1 2:1\n1 qid:2 1:1\n0 qid:2 2:2 3:1\n"), "rows", sparse.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	noted := func(f *Fitted, err error) bool {
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(f.Notes, func(n notes.Note) bool { return n.Kind == notes.NoQuery && n.Count == 4 })
	}
	if !noted(Train(t.Context(), data, Options{})) {
		t.Error("the qid of four rows is dropped without a note")
	}
	if noted(CrossValidate(t.Context(), data, Search{Folds: 2})) || noted(For(t.Context(), data, LogLoss, 2, Options{})) {
		t.Error("folds use the qid, and a note says that it is not used")
	}
}
