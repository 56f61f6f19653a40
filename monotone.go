package lanes

import (
	"bytes"
	"math"
	"strings"

	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/table"
)

// monotoneOf returns the monotone columns of a table's encoding, "" for none.
func monotoneOf(encoding []byte, encoder func() (*table.Encoder, error)) (string, error) {
	if !bytes.Contains(encoding, []byte(`"monotone"`)) {
		return "", nil
	}
	e, err := encoder()
	if err != nil {
		return "", err
	}
	return strings.Join(e.Recipe().Directions(), ", "), nil
}

// suitsMonotone refuses what would let the effect of a monotone column turn, or cannot bound weights.
func (p *Problem) suitsMonotone() error {
	o := &p.o
	why := ""
	switch {
	case p.monotone == "":
		return nil
	case o.Kind == OneVsRest || o.Kind == Softmax:
		why = "several classes have a score each, and not all can rise: name one class as {Positive}"
	case p.inFile || o.Settings.Shards > 0:
		why = inMemory
	case o.Normalize == model.NormalizeUnit:
		why = "{Normalize} unit divides a row by its length, so one number changes all columns: leave it out"
	default:
		return nil
	}
	return badOption("Monotone", p.monotone, "%s, or leave {Monotone} out", why)
}

// directed are the bounds of weights of a sign: 1 for weights of 0 or more, -1 for weights of 0 or less.
func directed(sign int) Interval {
	if sign < 0 {
		return Interval{math.Inf(-1), 0}
	}
	return NotNegative()
}

// direct bounds the weights of monotone columns.
func (p *Problem) direct() error {
	if p.monotone == "" {
		return nil
	}
	e, err := p.encoder()
	if err != nil {
		return err
	}
	if p.bounds == nil {
		p.bounds = p.noBounds()
	}
	signs := e.Monotone()
	for j := range p.columns {
		b := &p.bounds[j]
		given := *b
		if sign := signs[j]; sign != 0 {
			own := directed(sign)
			*b = Interval{math.Max(b.Lower, own.Lower), math.Min(b.Upper, own.Upper)}
		}
		if b.Lower > b.Upper {
			return badOption("Bounds", p.o.boundText(), "the weight of %s is to be within %v, and {Monotone} (%s) has no such one: leave one of the two out", e.Name(j), given, p.monotone)
		}
	}
	return nil
}
