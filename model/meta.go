package model

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/sparse"
)

// Meta says where a model comes from and how rows are prepared for it. It is safe for
// concurrent use, as its model is.
type Meta struct {
	Program      string         `json:"program"`
	Solver       string         `json:"solver"`
	Loss         string         `json:"loss"`
	LossDelta    float64        `json:"loss_delta,omitempty"`
	Lambda       float64        `json:"lambda"`
	L1           float64        `json:"l1,omitempty"`
	Groups       int            `json:"groups,omitempty"`   // of columns, whose norms L1 weighs; 0 for single weights
	AtBound      []int          `json:"at_bound,omitempty"` // the weights that a bound holds, by their place among all
	Intercept    bool           `json:"intercept,omitempty"`
	Softmax      bool           `json:"softmax,omitempty"`  // probabilities are the softmax of the scores
	Isotonic     *Isotonic      `json:"isotonic,omitempty"` // makes scores probabilities; nil but for such a calibration
	Smear        float64        `json:"smear,omitempty"`    // above 0: predictions are Smear exp(score), of targets learned as logarithms
	Rows         int            `json:"rows"`
	Seed         uint64         `json:"seed"`
	Status       string         `json:"status"`
	Epochs       float64        `json:"passes"`
	Objective    float64        `json:"objective"`
	GradientNorm float64        `json:"gradient_norm"`
	Gap          *float64       `json:"duality_gap"`      // nil without a gap
	Labels       []float64      `json:"labels,omitempty"` // positive, negative; or Classes
	Rest         bool           `json:"rest,omitempty"`
	Calibration  string         `json:"calibration,omitempty"` // how scores became log odds; "" for the training itself
	Normalize    string         `json:"normalize"`             // none, unit, minmax or std
	Scaler       *sparse.Scaler `json:"scaler,omitempty"`
	// ZeroBased says that the indices of the training text started at 0.
	ZeroBased bool `json:"zero_based,omitempty"`
	// LabelNames are the words that Labels stand for; nil where labels are numbers.
	LabelNames []string `json:"label_names,omitempty"`
	// FeatureNames are the names of the columns, "" for one that is not known; nil where
	// columns have none.
	FeatureNames []string `json:"feature_names,omitempty"`
	// Table is the compact JSON of the encoder of package table that made the rows; nil elsewhere.
	Table       json.RawMessage `json:"table,omitempty"`
	WeightsHash string          `json:"weights_sha256"`
	// Checksum is what Sum returned when the file was written.
	Checksum string `json:"sha256,omitempty"`
}

// The ways in which rows are prepared: see sparse.Matrix.NormalizeUnit, sparse.FitMinMax and
// sparse.FitStd.
const (
	NormalizeNone   = "none"
	NormalizeUnit   = "unit"
	NormalizeMinMax = "minmax"
	NormalizeStd    = "std"
)

// Sum returns the SHA-256, in hexadecimal digits, of head and of all of m but its
// Checksum, as JSON: with the WeightsHash in it, of all that predictions depend on. head
// says what m does not: the kind of model and its shape.
func (m *Meta) Sum(head string) (string, error) {
	bare := *m
	bare.Checksum = ""
	text, err := json.Marshal(&bare)
	if err != nil {
		return "", fmt.Errorf("the metadata hold a number that is not finite: %w", err)
	}
	sum := sha256.Sum256(append([]byte(head+"\n"), text...))
	return hex.EncodeToString(sum[:]), nil
}

// Verify compares m with its Checksum, which has to be there.
func (m *Meta) Verify(head string) error {
	sum, err := m.Sum(head)
	if err == nil && m.Checksum != sum {
		err = fmt.Errorf("the file is damaged, or of a newer program: its metadata do not have the checksum that it gives")
	}
	return err
}

// scales tells whether rows are prepared by a scaler of columns.
func (m *Meta) scales() bool { return m.Normalize == NormalizeMinMax || m.Normalize == NormalizeStd }

// Prepare returns x with its rows normalised like the training rows. A nil m changes nothing.
func (m *Meta) Prepare(x *sparse.Matrix) (*sparse.Matrix, error) {
	switch {
	case m == nil:
	case m.Normalize == NormalizeUnit:
		return x.NormalizeUnit(), nil
	case m.scales() && m.Scaler == nil:
		return nil, fmt.Errorf("model: normalize %s needs a scaler", m.Normalize)
	case m.scales():
		return m.Scaler.Apply(x)
	}
	return x, nil
}

// Check says what is wrong with how m prepares rows of that many columns, if anything.
func (m *Meta) Check(features int) error {
	if m == nil {
		return nil
	}
	switch s := m.Scaler; m.Normalize {
	case NormalizeNone, NormalizeUnit:
		if s != nil {
			return fmt.Errorf("normalize %s goes with no scaler", m.Normalize)
		}
	case NormalizeMinMax, NormalizeStd:
		if s == nil {
			return fmt.Errorf("normalize %s needs a scaler", m.Normalize)
		}
		if len(s.Shift) != features || len(s.Width) != features {
			return fmt.Errorf("the scaler has %d shifts and %d widths for %d columns", len(s.Shift), len(s.Width), features)
		}
		for j, width := range s.Width {
			if !(width >= 0) || !isFinite(width) || !isFinite(s.Shift[j]) {
				return fmt.Errorf("the scaler's column %d has width %v and shift %v", j+1, width, s.Shift[j])
			}
		}
	default:
		return fmt.Errorf("normalize %q is not none, unit, minmax or std", m.Normalize)
	}
	if m.LabelNames != nil && len(m.LabelNames) != len(m.Labels) {
		return fmt.Errorf("%d names of %d labels", len(m.LabelNames), len(m.Labels))
	}
	if !(m.Smear >= 0) || !isFinite(m.Smear) {
		return fmt.Errorf("predictions are %v times exp(score), which is no number above 0", m.Smear)
	}
	if err := cmp.Or(checkTable(m.Table), m.Isotonic.check()); err != nil {
		return err
	}
	for k, name := range m.LabelNames {
		if name == "" || !isName(name) || slices.Contains(m.LabelNames[:k], name) {
			return fmt.Errorf("%q cannot be the name of label %d", name, k+1)
		}
	}
	return CheckNames(m.FeatureNames, features)
}

func isFinite(x float64) bool { return x-x == 0 }

// Normalizations lists the ways in which rows are prepared.
func Normalizations() []string {
	return []string{NormalizeNone, NormalizeUnit, NormalizeMinMax, NormalizeStd}
}
