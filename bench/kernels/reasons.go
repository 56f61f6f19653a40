package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// A cell is one that lanes lost.
type cell struct {
	task        string
	n           int
	path, other string
	ratio       float64
	rounding    bool // a plain loop that rounds as lanes does is not as quick as the other
}

// A reason is what binds some kernels at some lengths, in a word that RESULTS.md explains.
// But for one they are known from counts of instructions and bytes and from trials, not by
// this program.
type reason struct {
	word        string
	tasks       *regexp.Regexp
	least, most int
}

// The first that fits counts.
var reasons = []reason{
	{roundedOnce, regexp.MustCompile(`^$`), 0, 0}, // seen by the program itself
	{"arguments", regexp.MustCompile(`^(Dot|Squared.*|Sum|MaxAbs|Mul|Scale.*|AddScalar.*|SoftThreshold|Box|Loss(Gradient|Sum|Curvature), .*|.*Above|MaxIndex.*|Axpy.*)$`), 1, 8},
	{"checks", regexp.MustCompile(`.`), 1, 4},
	{"lanes", regexp.MustCompile(`^(Dot|SparseDot(Ones)?, .*|SquaredNorm|SquaredDistance|Sum)$`), 5, 64},
	{"memory", regexp.MustCompile(`.`), 1 << 20, 1 << 23},
	{"placement", regexp.MustCompile(`.`), 0, 1 << 62},
}

// roundedOnce is the word for what plain Go leaves out: it rounds a product before it adds it.
const roundedOnce = "fused"

func (c cell) reason() string {
	if c.rounding && c.other != fused {
		return roundedOnce
	}
	for _, r := range reasons {
		if r.tasks.MatchString(c.task) && r.least <= c.n && c.n <= r.most {
			return r.word
		}
	}
	return ""
}

// byReason writes the cells that lanes lost, a line for each reason.
func byReason(w io.Writer, lost []cell) {
	fmt.Fprint(w, "\n| what binds | cells | which |\n|---|---|---|\n")
	for _, r := range reasons {
		// Cells of one task and length beside one another: all of them are in that order.
		var list []string
		cells, last := 0, ""
		for _, c := range lost {
			if c.reason() != r.word {
				continue
			}
			cells++
			place := fmt.Sprintf("%s of %d", c.task, c.n)
			text := fmt.Sprintf("%s %s %.2f", c.path, c.other, c.ratio)
			if place == last {
				list[len(list)-1] += ", " + text
			} else {
				list = append(list, place+": "+text)
			}
			last = place
		}
		if cells > 0 {
			fmt.Fprintf(w, "| %s | %d | %s |\n", r.word, cells, strings.Join(list, "; "))
		}
	}
}
