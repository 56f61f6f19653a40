package receipt

import (
	"reflect"
	"strings"
	"testing"
)

// TestDamagedReceipts cuts a receipt everywhere and changes every byte of it. What is still
// read is the receipt that was written.
func TestDamagedReceipts(t *testing.T) {
	sum, number := strings.Repeat("0f", 32), 0.25
	whole := &Receipt{
		Format: Format, Repeatable: true, Data: Source{Name: "rows", Rows: 4, Columns: 3, NonZeros: 6, SHA256: sum},
		Valid: &Source{Name: "others", SHA256: sum}, Flags: []string{"generate=onehot:n=100", "passes=3", "set=step=0.1"}, Defaults: []string{"seed=1", "loss=logistic"},
		Used:   used{Solver: "svrg", Method: "svrg(step=0.1)", Lambda: 0.01, MaxEpochs: &number},
		Result: outcomes{Weights: sum, Status: "converged", Passes: 3, Objective: &number},
		By:     origin{Version: "v1", Go: "go1", OS: "linux", Arch: "amd64", CPUPath: "avx2", Workers: 2},
	}
	var text strings.Builder
	if err := whole.Write(&text); err != nil {
		t.Fatal(err)
	}
	good := strings.TrimSpace(text.String())
	if again, err := Read(strings.NewReader(good)); err != nil || !reflect.DeepEqual(again, whole) {
		t.Fatalf("%v was read again as %v, %v", whole, again, err)
	}
	for k := range len(good) {
		if _, err := Read(strings.NewReader(good[:k])); err == nil {
			t.Fatalf("%d bytes of %d are a receipt", k, len(good))
		}
		for _, b := range []byte{0, ' ', '"', '9', good[k] ^ 1, good[k] ^ 0x80} {
			if r, err := Read(strings.NewReader(good[:k] + string(b) + good[k+1:])); err == nil && !reflect.DeepEqual(r, whole) {
				t.Fatalf("byte %d as %q: another receipt was read, %+v", k, b, r)
			}
		}
	}
	for _, other := range []string{"", "null", "[]", "3", good + "x", good + good, `{"lanes_receipt":1}`, `{"lanes_receipt":1e99}`, strings.Repeat("[", 1<<19), strings.Repeat(" ", mostReceipt+1)} {
		if _, err := Read(strings.NewReader(other)); err == nil {
			t.Errorf("%.40q is a receipt", other)
		}
	}
}
