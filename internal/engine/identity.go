package engine

import (
	"fmt"
	"strings"
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

// mostParts bounds what a file may claim.
const mostParts = 1000

// state visits the identity; what is restored must be equal to it.
func (id Identity) state(c *Coder) {
	count := len(id)
	c.Int(&count)
	if c.Err() == nil && (count < 0 || count > mostParts) {
		c.Fail(fmt.Errorf("an identity of %d parts", count))
	}
	saved := make(Identity, 0, len(id))
	for k := 0; k < count && c.Err() == nil; k++ {
		var p Part
		if !c.Restoring() {
			p = id[k]
		}
		c.Text(&p.Name)
		c.Text(&p.Value)
		saved = append(saved, p)
	}
	if c.Err() != nil || !c.Restoring() {
		return
	}
	if differing := saved.differing(id); len(differing) > 0 {
		c.Fail(fmt.Errorf("the checkpoint is of another run: %s", strings.Join(differing, "; ")))
	}
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
