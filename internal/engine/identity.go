package engine

import (
	"errors"
	"fmt"
	"strings"

	"github.com/lanes-go/lanes/solvers"
)

// Identity tells runs apart that cannot continue each other's checkpoints: it is
// equal, part by part, for those that can.
type Identity []Part

// Part is one thing that a run depends on, such as lambda.
type Part struct{ Name, Value string }

// With returns the identity with one more part, the value as %+v prints it.
func (id Identity) With(name string, value any) Identity {
	return append(id[:len(id):len(id)], Part{name, fmt.Sprintf("%+v", value)})
}

// startPart is the part that tells where a run began. All that follows from it is in the
// state: a run goes on without its starting point being given again, but not with another.
const startPart = "starting point"

// startingAt returns the identity of a run that begins at a point that was given, if one was.
func (id Identity) startingAt(w []float64) Identity {
	if w == nil {
		return id
	}
	return id.With(startPart, solvers.HashWeights(w))
}

var errAnother = errors.New("the checkpoint is of another run")

// mostParts bounds what a file may claim.
const mostParts = 1000

// state visits the identity; what is restored must be equal to it, and tells the starting
// point where that is not known.
func (p *Identity) state(c *Coder) {
	id := *p
	saved := id.parts(c)
	if c.Err() != nil || !c.Restoring() {
		return
	}
	start, begun := saved.value(startPart)
	if _, given := id.value(startPart); begun && !given {
		id = id.With(startPart, start)
		*p = id
	}
	if differing := saved.differing(id); len(differing) > 0 {
		c.Fail(fmt.Errorf("%w: %s", errAnother, strings.Join(differing, "; ")))
	}
}

// parts visits the parts, and returns those that are saved or restored.
func (id Identity) parts(c *Coder) Identity {
	count := len(id)
	c.Int(&count)
	if c.Err() == nil && (count < 0 || count > mostParts) {
		c.Fail(fmt.Errorf("an identity of %d parts", count))
	}
	saved := make(Identity, 0, len(id))
	for k := 0; k < count && c.Err() == nil; k++ {
		var part Part
		if !c.Restoring() {
			part = id[k]
		}
		c.Text(&part.Name)
		c.Text(&part.Value)
		saved = append(saved, part)
	}
	return saved
}

// differing says what is saved otherwise than it is now. Parts that only one of the
// two has are named where all others agree: another solver has parameters of its own.
func (id Identity) differing(now Identity) (list []string) {
	var missing []string
	for _, p := range id {
		value, found := now.value(p.Name)
		if !found {
			missing = append(missing, fmt.Sprintf("%s %s, here none", p.Name, p.Value))
		} else if value != p.Value {
			saved, here := apart(p.Value, value)
			list = append(list, fmt.Sprintf("%s %s, here %s", p.Name, saved, here))
		}
	}
	for _, p := range now {
		if _, found := id.value(p.Name); !found {
			missing = append(missing, fmt.Sprintf("%s is not in it, here %s", p.Name, p.Value))
		}
	}
	if len(list) == 0 {
		return missing
	}
	return list
}

func (id Identity) value(name string) (string, bool) {
	for _, p := range id {
		if p.Name == name {
			return p.Value, true
		}
	}
	return "", false
}

// apart leaves out what two lists of the same length have in common.
func apart(a, b string) (string, string) {
	first, second := strings.Fields(strings.Trim(a, "{}[]")), strings.Fields(strings.Trim(b, "{}[]"))
	if len(first) != len(second) || len(first) < 2 {
		return a, b
	}
	var left, right []string
	for k := range first {
		if first[k] != second[k] {
			left, right = append(left, first[k]), append(right, second[k])
		}
	}
	return strings.Join(left, " "), strings.Join(right, " ")
}
