package variants

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Tally counts verdicts by family.
type Tally map[string]map[Verdict]int

// Table prints a line for each family with the number of cases of each verdict.
func (t Tally) Table(w io.Writer) {
	fmt.Fprintf(w, "%-10s %5s", "family", "cases")
	for _, v := range Verdicts {
		fmt.Fprintf(w, " %*s", max(len(v), 5), v)
	}
	fmt.Fprintln(w)
	total := map[Verdict]int{}
	line := func(name string, counts map[Verdict]int) {
		cases := 0
		for _, n := range counts {
			cases += n
		}
		fmt.Fprintf(w, "%-10s %5d", name, cases)
		for _, v := range Verdicts {
			fmt.Fprintf(w, " %*d", max(len(v), 5), counts[v])
		}
		fmt.Fprintln(w)
	}
	seen := map[string]bool{}
	for _, v := range All() {
		counts := t[v.Family]
		if counts == nil || seen[v.Family] {
			continue
		}
		seen[v.Family] = true
		line(v.Family, counts)
		for verdict, n := range counts {
			total[verdict] += n
		}
	}
	line("all", total)
}

// Bad returns how many cases had a verdict that is not good.
func (t Tally) Bad() int {
	bad := 0
	for _, counts := range t {
		for v, n := range counts {
			if !v.Good() {
				bad += n
			}
		}
	}
	return bad
}

var noWord = regexp.MustCompile(`[^A-Za-z0-9.,=-]+`)

// Try makes the case of a variant and judges it in a folder of its own below keep, which it
// creates. It removes the folder after a good verdict. A bad verdict prints one line, with the
// folder of the files.
func (t Tally) Try(w io.Writer, run Run, v Variant, seed uint64, keep string) (Result, error) {
	dir := filepath.Join(keep, fmt.Sprintf("%s-%s-%d", v.Family, noWord.ReplaceAllString(v.Name, "_"), seed))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return Result{}, err
	}
	r, err := Judge(run, v.Case(seed), dir)
	if err != nil {
		return r, fmt.Errorf("%v, seed %d: %w", v, seed, err)
	}
	if t[v.Family] == nil {
		t[v.Family] = map[Verdict]int{}
	}
	t[v.Family][r.Verdict]++
	if r.Verdict.Good() {
		return r, os.RemoveAll(dir)
	}
	seen := strings.ReplaceAll(strings.ReplaceAll(r.Seen, dir+string(filepath.Separator), ""), "\n", " ")
	fmt.Fprintf(w, "%-10s %s, seed %d: want %s; got %s; %s\n", r.Verdict, v, seed, r.Wanted, seen, dir)
	return r, nil
}
