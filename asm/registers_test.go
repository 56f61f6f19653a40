package asm

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

var (
	wideRegister = regexp.MustCompile(`\b[YZ](\d|1[0-5])\b`)
	jump         = regexp.MustCompile(`^\s+(\d+)$`)
)

// TestUpperHalvesAreCleared goes every way from the entry of every amd64 kernel to a
// return: VZEROUPPER must stand between the last use of a wide register and the
// return. Without it the results are right, and what follows in SSE code is slow.
func TestUpperHalvesAreCleared(t *testing.T) {
	repeat.Skip(t)
	wide := 0
	for _, room := range rooms {
		for name, program := range assemble(t, room, "amd64") {
			used, at := leavesDirty(t, program.code)
			if used {
				wide++
			}
			if at != "" {
				t.Errorf("%s leaves at %s with the upper halves of registers in use", name, at)
			}
		}
	}
	if wide < 130 {
		t.Errorf("the listing shows only %d kernels with wide registers", wide)
	}
}

// leavesDirty tells whether the program uses a wide register at all, and where it
// returns, or jumps to another, without having cleared the upper halves.
func leavesDirty(t *testing.T, program []instruction) (used bool, at string) {
	position := map[int]int{} // of the first instruction listed at an offset
	for i := len(program) - 1; i >= 0; i-- {
		position[program[i].offset] = i
	}
	type state struct {
		i     int
		dirty bool
	}
	seen, open := map[state]bool{}, []state{{0, false}}
	for len(open) > 0 {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		if seen[s] {
			continue
		}
		seen[s] = true
		in := program[s.i]
		switch {
		case in.op == "VZEROUPPER" || in.op == "VZEROALL":
			s.dirty = false
		case wideRegister.MatchString(in.operand):
			s.dirty, used = true, true
		}
		left := in.op == "JMP" && (elsewhere.MatchString(in.operand) || in.operand == "\t(BX)(AX*8)") // an entry, to the kernel of a layout
		if in.op == "RET" || left {
			if s.dirty {
				at = in.where
			}
			continue
		}
		if strings.HasPrefix(in.op, "J") {
			m := jump.FindStringSubmatch(in.operand)
			if m == nil {
				t.Fatalf("%s: %s%s leaves the kernel", in.where, in.op, in.operand)
			}
			target, err := strconv.Atoi(m[1])
			if _, known := position[target]; err != nil || !known {
				t.Fatalf("%s: no instruction at %s", in.where, m[1])
			}
			open = append(open, state{position[target], s.dirty})
		}
		if in.op != "JMP" && s.i+1 < len(program) {
			open = append(open, state{s.i + 1, s.dirty})
		}
	}
	return used, at
}
