package fitting

import (
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
)

// TestDiffers: processes of another version, with other settings or other rows differ from
// process 0.
func TestDiffers(t *testing.T) {
	mine := party{Version: "v1", Settings: []string{"C=1", "bias=true"}, Rows: 4, Columns: 3, NonZeros: 9, Data: "00ff"}
	for want, change := range map[string]func(p *party){
		"": func(p *party) {},
		"rank 0 runs lanes v1 and rank 3 lanes v2": func(p *party) { p.Version = "v2" },
		"which has bias=true":                      func(p *party) { p.Settings = []string{"C=1"} },
		"which has not l1=3":                       func(p *party) { p.Settings = append(p.Settings[:2:2], "l1=3") },
		"which has C=1":                            func(p *party) { p.Settings = []string{"C=2", "bias=true"} },
		"the checksum 0000 there":                  func(p *party) { p.Data = "0000" },
		"5 rows, 3 columns, 9 entries":             func(p *party) { p.Rows = 5 },
		"4 rows, 6 columns, 9 entries":             func(p *party) { p.Columns = 6 },
		"4 rows, 3 columns, 8 entries":             func(p *party) { p.NonZeros = 8 },
	} {
		other := mine
		change(&other)
		err := mine.differs(&other, 3, "x.lanes")
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || console.ExitStatus(err) < console.ExitUsage) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
