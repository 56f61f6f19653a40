// Command ranking compares the solvers of average precision, or of partial AUC, with
// nothing tuned, with logistic regression, and the speed of one with plain Go:
//
//	cd bench && go run ./ranking -for pauc -data ../../shared/data
//
// The parts are defaults and speed. Data sets that are absent are generated. The figures
// and tables of the papers are those of bench/papers.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/dispatch"
)

func main() {
	folder := flag.String("data", "../../shared/data", "folder of the data sets")
	what := flag.String("for", "ap", "ap or pauc")
	parts := flag.String("part", "defaults,speed", "parts to run")
	names := flag.String("sets", "mushrooms,a9a,w8a,ijcnn1,dorothea", "data sets of the defaults")
	seeds := flag.Int("seeds", 5, "runs of each method")
	only := flag.String("only", "", "one method")
	set := flag.String("set", "", "parameters of every method, as in \"positives=20 negatives=20\"")
	flag.Parse()
	f := families[*what]
	parameters := map[string]string{}
	for _, s := range strings.Fields(*set) {
		name, value, _ := strings.Cut(s, "=")
		parameters[name] = value
	}
	if f == nil || *seeds < 1 {
		fail(fmt.Errorf("-for is ap or pauc, and -seeds 1 at least"))
	}
	fmt.Printf("CPU path %s. Areas are normalised: divided by the width of their range.\n", dispatch.Current())
	for _, part := range strings.Split(*parts, ",") {
		begun := time.Now()
		switch part {
		case "defaults":
			var sets []*datasets.Split
			for _, name := range strings.Split(*names, ",") {
				s, err := datasets.Load(*folder, name)
				check(err)
				sets = append(sets, s)
			}
			check(f.defaults(sets, *seeds, *only, parameters))
		case "speed":
			check(f.speed(*folder, min(3, *seeds)))
		default:
			fail(fmt.Errorf("there is no part %q", part))
		}
		fmt.Fprintf(os.Stderr, "ranking: %s took %.0f s\n", part, time.Since(begun).Seconds())
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "ranking:", err)
	os.Exit(1)
}

func check(err error) {
	if err != nil {
		fail(err)
	}
}
