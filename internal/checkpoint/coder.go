package checkpoint

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc64"
	"io"
	"math"
	"strconv"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/solvers"
)

// A checkpoint file is little-endian: magic, version, the run's identity, the
// state in the order in which State visits it, CRC-64 of all before.
const (
	checkpointMagic   = "lanesrun"
	checkpointVersion = 9
)

var crcTable = crc64.MakeTable(crc64.ECMA)

// Coder saves or restores state: every State method visits its variables in one
// fixed order, and the Coder saves each, which only reads it, or overwrites it. The first
// error sticks.
type Coder struct {
	w    *bufio.Writer // nil when restoring
	rest []byte        // what is left to restore
	err  error
	word [8]byte
}

// Restoring tells whether variables are being overwritten.
func (c *Coder) Restoring() bool { return c.w == nil }

// Fail records an error: a restored value that cannot be right.
func (c *Coder) Fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// Err returns the first error.
func (c *Coder) Err() error { return c.err }

var errShort = errors.New("the state ends too early")

// Uint64 visits v.
func (c *Coder) Uint64(v *uint64) {
	if c.err != nil {
		return
	}
	if c.w != nil {
		binary.LittleEndian.PutUint64(c.word[:], *v)
		_, c.err = c.w.Write(c.word[:])
		return
	}
	if len(c.rest) < 8 {
		c.err = errShort
		return
	}
	*v, c.rest = binary.LittleEndian.Uint64(c.rest), c.rest[8:]
}

// Int64 visits v.
func (c *Coder) Int64(v *int64) {
	u := uint64(*v)
	if c.Uint64(&u); c.Restoring() {
		*v = int64(u)
	}
}

// Int visits v.
func (c *Coder) Int(v *int) {
	u := int64(*v)
	if c.Int64(&u); int64(int(u)) != u {
		c.Fail(fmt.Errorf("the number %d, which does not fit into the %d bits of this machine", u, strconv.IntSize))
	} else if c.Restoring() {
		*v = int(u)
	}
}

// Bounds of what is restored.
const (
	MostCount    = math.MaxInt / 4 // more than any run counts, and far from where sums overflow
	MostPrepared = 1 << 16         // more passes than preparations take: starting points, constants
)

// Count visits v, which counts something from 0 to most.
func (c *Coder) Count(v *int, most int) {
	u := *v
	if c.Int(&u); u < 0 || u > most {
		c.Fail(fmt.Errorf("a count of %d, which should be 0 to %d", u, most))
	} else if c.Restoring() {
		*v = u
	}
}

// Count64 visits v, which counts what may be more than an int holds.
func (c *Coder) Count64(v *int64) {
	const most = math.MaxInt64 / 4
	u := *v
	if c.Int64(&u); u < 0 || u > most {
		c.Fail(fmt.Errorf("a count of %d, which should be 0 to %d", u, int64(most)))
	} else if c.Restoring() {
		*v = u
	}
}

// Status visits s.
func (c *Coder) Status(s *solvers.Status) {
	u := int(*s)
	if c.Count(&u, int(solvers.Stationary)); c.Restoring() {
		*s = solvers.Status(u)
	}
}

// Bool visits v.
func (c *Coder) Bool(v *bool) {
	u := uint64(0)
	if *v {
		u = 1
	}
	if c.Uint64(&u); c.Restoring() {
		*v = u != 0
	}
}

// Float64 visits v.
func (c *Coder) Float64(v *float64) {
	u := math.Float64bits(*v)
	if c.Uint64(&u); c.Restoring() {
		*v = math.Float64frombits(u)
	}
}

func (c *Coder) length(n int) bool {
	saved := n
	c.Int(&saved)
	if c.err == nil && saved != n {
		c.err = fmt.Errorf("a vector of %d elements where there should be %d", saved, n)
	}
	return c.err == nil
}

// Floats visits the elements of v, whose length must be what was saved.
func (c *Coder) Floats(v []float64) {
	if !c.length(len(v)) {
		return
	}
	for i := range v {
		c.Float64(&v[i])
	}
}

// Records visits the elements of v, whose length must be what was saved.
func (c *Coder) Records(v []matrix.Record) {
	if !c.length(len(v)) {
		return
	}
	for i := range v {
		c.Float64(&v[i].W)
		c.Float64(&v[i].U)
		c.Float64(&v[i].Last)
		c.Float64(&v[i].S)
	}
}

// Uint32s visits the elements of v, whose length must be what was saved.
func (c *Coder) Uint32s(v []uint32) {
	if !c.length(len(v)) {
		return
	}
	for i := range v {
		u := uint64(v[i])
		if c.Uint64(&u); c.Restoring() {
			v[i] = uint32(u)
		}
	}
}

// Encode returns what a function visits, for Decode: a state within another state. The function may
// fail only when it restores.
func Encode(state func(*Coder)) []byte {
	var out bytes.Buffer
	c := &Coder{w: bufio.NewWriter(&out)}
	if state(c); c.err == nil {
		c.err = c.w.Flush()
	}
	if c.err != nil {
		panic(c.err)
	}
	return out.Bytes()
}

// Decode has a function restore what it visits from what Encode returned, all of it.
func Decode(saved []byte, state func(*Coder)) error {
	c := &Coder{rest: saved}
	state(c)
	c.end()
	return c.err
}

// end fails where something is left to restore.
func (c *Coder) end() {
	if c.err == nil && len(c.rest) != 0 {
		c.err = fmt.Errorf("%d bytes too many", len(c.rest))
	}
}

// Random visits the state of a source of random numbers.
func (c *Coder) Random(source *random.Source) {
	pcg := &source.PCG
	b, err := pcg.MarshalBinary()
	if err != nil {
		c.Fail(err)
		return
	}
	for i := 4; i < len(b); i += 8 { // the four bytes "pcg:" stay
		word := binary.BigEndian.Uint64(b[i:])
		c.Uint64(&word)
		binary.BigEndian.PutUint64(b[i:], word)
	}
	if err := pcg.UnmarshalBinary(b); err != nil {
		c.Fail(err)
	}
}

func writeCheckpoint(file io.Writer, identity Identity, state func(*Coder)) error {
	sum := crc64.New(crcTable)
	c := &Coder{w: bufio.NewWriter(tee{file, sum})}
	if _, err := c.w.WriteString(checkpointMagic); err != nil {
		return err
	}
	version := uint64(checkpointVersion)
	c.Uint64(&version)
	identity.state(c)
	state(c)
	if c.err != nil {
		return c.err
	}
	if err := c.w.Flush(); err != nil {
		return err
	}
	_, err := file.Write(binary.LittleEndian.AppendUint64(nil, sum.Sum64()))
	return err
}

type tee struct {
	file io.Writer
	sum  hash.Hash64
}

func (t tee) Write(p []byte) (int, error) {
	t.sum.Write(p)
	return t.file.Write(p)
}

func readCheckpoint(data []byte, identity *Identity, state func(*Coder)) error {
	if len(data) < len(checkpointMagic)+16 || string(data[:len(checkpointMagic)]) != checkpointMagic {
		return errors.New("not a checkpoint")
	}
	body, trailer := data[:len(data)-8], data[len(data)-8:]
	if crc64.Checksum(body, crcTable) != binary.LittleEndian.Uint64(trailer) {
		return errors.New("the file is damaged or incomplete: its checksum does not fit")
	}
	c := &Coder{rest: body[len(checkpointMagic):]}
	version := uint64(0)
	c.Uint64(&version)
	if c.err == nil && version != checkpointVersion {
		return fmt.Errorf("checkpoint version %d; this program reads version %d", version, checkpointVersion)
	}
	identity.state(c)
	if c.err == nil {
		state(c)
	}
	c.end()
	return c.err
}

// Text visits s.
func (c *Coder) Text(s *string) {
	b := []byte(*s)
	n := len(b)
	c.Int(&n)
	if c.err != nil {
		return
	}
	if c.w != nil {
		_, c.err = c.w.Write(b)
		return
	}
	if n < 0 || n > len(c.rest) {
		c.err = errShort
		return
	}
	*s, c.rest = string(c.rest[:n]), c.rest[n:]
}

// VisitResult visits a result, whose weights must have the length that was saved.
func VisitResult(r *solvers.Result, c *Coder) {
	c.Floats(r.Weights)
	VisitPoint(&r.Point, c)
	c.Float64(&r.Total.Epochs)
	c.Count64(&r.Total.GradientEvaluations)
	c.Count64(&r.Total.Iterations)
	c.Float64(&r.Total.Seconds)
	c.Status(&r.Status)
	c.Text(&r.Solver)
	c.Uint64(&r.Seed)
	c.Int(&r.Workers)
	c.Text(&r.CPUPath)
	minimised := int(r.Minimised)
	if c.Count(&minimised, int(solvers.SparseLoss)); c.Restoring() {
		r.Minimised = solvers.Objective(minimised)
	}
}

// VisitPoint visits a point.
func VisitPoint(p *solvers.Point, k *Coder) {
	k.Float64(&p.Epochs)
	k.Int64(&p.GradientEvaluations)
	k.Int64(&p.Iterations)
	k.Count(&p.NonZeros, MostCount)
	for _, v := range []*float64{&p.Seconds, &p.Objective, &p.ObjectiveError, &p.GradientNorm, &p.Gap, &p.Metric} {
		k.Float64(v)
	}
}
