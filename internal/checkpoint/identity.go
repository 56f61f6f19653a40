package checkpoint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"math"
	"strings"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Identity lists the properties that a run depends on. Two runs can continue each other's
// checkpoints if and only if all properties are equal.
type Identity []Property

// Property is one thing that a run depends on, such as lambda.
type Property struct{ Name, Value string }

// With returns the identity with one more property, the value as %+v prints it.
func (id Identity) With(name string, value any) Identity {
	return append(id[:len(id):len(id)], Property{name, fmt.Sprintf("%+v", value)})
}

// startProperty is the property that tells where a run began. The state holds all that follows
// from it. So a run resumes without its starting point, but not with another one.
const startProperty = "starting point"

// StartingAt returns the identity of a run that begins at a point that was given, if one was.
func (id Identity) StartingAt(w []float64) Identity {
	if w == nil {
		return id
	}
	return id.With(startProperty, solvers.HashWeights(w))
}

var errAnother = errors.New("the checkpoint is of another run")

// mostProperties bounds what a file may claim.
const mostProperties = 1000

// state visits the identity; what is restored must be equal to it, and tells the starting
// point where that is not known.
func (p *Identity) state(c *Coder) {
	id := *p
	saved := id.properties(c)
	if c.Err() != nil || !c.Restoring() {
		return
	}
	start, begun := saved.value(startProperty)
	if _, given := id.value(startProperty); begun && !given {
		id = id.With(startProperty, start)
		*p = id
	}
	if differing := saved.differing(id); len(differing) > 0 {
		c.Fail(fmt.Errorf("%w: %s", errAnother, strings.Join(differing, "; ")))
	}
}

// properties visits the properties, and returns the saved or restored ones.
func (id Identity) properties(c *Coder) Identity {
	count := len(id)
	c.Int(&count)
	if c.Err() == nil && (count < 0 || count > mostProperties) {
		c.Fail(fmt.Errorf("an identity of %d parts", count))
	}
	saved := make(Identity, 0, len(id))
	for k := 0; k < count && c.Err() == nil; k++ {
		var property Property
		if !c.Restoring() {
			property = id[k]
		}
		c.Text(&property.Name)
		c.Text(&property.Value)
		saved = append(saved, property)
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

// IdentityOf tells rows, labels and sample weights, which may be nil, from others: it
// covers every matrix entry through a product X'r with a random number for each row.
func IdentityOf(pool *matrix.Pool, x *sparse.Matrix, y, weight []float64) (Identity, error) {
	product, spread := make([]float64, x.Cols()), make([]float64, x.Rows())
	random := random.New(0)
	for i := range spread {
		spread[i] = random.Float64()
	}
	if err := x.AddTrans(pool, product, spread); err != nil {
		return nil, err
	}
	weights := "none"
	if weight != nil {
		weights = Checksum(weight)
	}
	return Identity{}.With("rows", x.Rows()).With("columns", x.Cols()).With("non-zeros", x.NNZ()).
		With("the labels' checksum", Checksum(y)).With("the sample weights' checksum", weights).
		With("the matrix's checksum", Checksum(product)), nil
}

// Checksum tells vectors apart by their bits.
func Checksum[T float64 | uint32](vector []T) string {
	sum := crc64.New(crcTable)
	var word [8]byte
	for _, v := range vector {
		switch v := any(v).(type) {
		case float64:
			binary.LittleEndian.PutUint64(word[:], math.Float64bits(v))
		case uint32:
			binary.LittleEndian.PutUint64(word[:], uint64(v))
		}
		sum.Write(word[:])
	}
	return fmt.Sprintf("%016x", sum.Sum64())
}

// RunIdentity returns the parts that tell any run of a solver from others: what the
// solver is, its parameters, and the seed.
func RunIdentity(s *solvers.Settings, solver string, parameters any) Identity {
	id := Identity{}.With("solver", solver).With("parameters of "+solver, parameters).With("seed", s.Seed)
	if s.Shards > 0 {
		id = id.With("shards", s.Shards)
	}
	return id
}
