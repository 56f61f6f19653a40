package lanes

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// mostNamed is the number of columns that a note names.
const mostNamed = 3

// separate looks for a direction that separates the rows, and says so.
func (p *Problem) separate(q *erm.Problem, r *solvers.Result, z []float64, targets ...[]float64) bool {
	v := certificate.Separation(q, z, targets...)
	if v == nil {
		return false
	}
	r.Status = solvers.NoMinimum
	sizes := make([]float64, len(v))
	for i := range q.X.Rows() {
		for j, x := range q.X.Row(i) {
			sizes[j] += float64(x * x)
		}
	}
	for j := range sizes {
		sizes[j] = math.Sqrt(sizes[j]) * math.Abs(v[j])
	}
	n := notes.Note{Kind: notes.Separable, WayOut: "add a penalty by {Penalty}"}
	by := "the rows are separable by "
	if !q.Loss.Labels() {
		by = "only rows of target 0 change with "
	}
	n.Then = "no minimum: " + by + largest(sizes, p.columnNames())
	p.found.Set(n)
	return true
}

// sayCollinear says that weights are not unique.
func (p *Problem) sayCollinear(sums []certificate.Sum, dependent int) {
	if len(sums) == 0 {
		return
	}
	var texts []string
	name := p.columnNames()
	for _, sum := range sums[:min(len(sums), mostNamed)] {
		texts = append(texts, name(sum.Column)+" is a sum of "+largest(sum.Factors, name))
	}
	n := notes.Note{Kind: notes.Collinear, Then: "the weights are not unique: " + strings.Join(texts, "; ")}
	if more := dependent - len(texts); more > 0 {
		n.Then += fmt.Sprintf("; and %d more", more)
	}
	n.WayOut = "a penalty by {Penalty} makes them unique"
	p.found.Set(n)
}

// sayUnchecked says what the method unpenalised would look for, of rows in a file or of several processes.
func (p *Problem) sayUnchecked(q *erm.Problem, s solvers.Settings, r *solvers.Result) {
	if !ended(s, r) {
		return
	}
	n := notes.Note{Kind: notes.Unchecked, Then: "not checked: that no other weights are as good", WayOut: "a penalty by {Penalty} makes them unique"}
	if !q.Loss.Attained() {
		n.Then, n.WayOut = "not checked: that a minimum exists, and that no other weights are as good", "with a penalty by {Penalty} both hold"
	}
	p.found.Set(n)
}

// largest names the columns of the largest sizes, the largest first.
func largest(sizes []float64, name func(j int) string) string {
	list := make([]int, 0, len(sizes))
	for j, v := range sizes {
		if v != 0 {
			list = append(list, j)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(math.Abs(sizes[b]), math.Abs(sizes[a])) })
	var names []string
	for _, j := range list[:min(len(list), mostNamed)] {
		names = append(names, name(j))
	}
	text := strings.Join(names, ", ")
	if more := len(list) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// columnNames returns what a column is called: its name, or its number as the text of the data has
// it.
func (p *Problem) columnNames() func(j int) string {
	e, _ := p.encoder()
	return func(j int) string {
		switch {
		case j >= p.columns:
			return "the intercept"
		case e != nil && j < e.Width():
			return e.Name(j)
		case p.o.FeatureNames != nil && p.o.FeatureNames[j] != "":
			return p.o.FeatureNames[j]
		case p.o.ZeroBased:
			return "column " + strconv.Itoa(j)
		}
		return "column " + strconv.Itoa(j+1)
	}
}
