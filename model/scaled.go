package model

import (
	"fmt"
	"slices"
)

// Scaled returns a model whose scores are slope s + intercept of the scores s of m, with one slope and
// one intercept for each score of a row, as log odds: its probabilities are those of the logistic loss, or
// the softmax. It has a bias of 1 where m has none. It is an error if there are not Width finite numbers of
// each, or if m is not sound. It costs a copy of the weights.
func (m *Linear) Scaled(slopes, intercepts []float64) (*Linear, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if len(slopes) != m.Width() || len(intercepts) != m.Width() {
		return nil, fmt.Errorf("model: Scaled: %d slopes and %d intercepts for %d scores of a row", len(slopes), len(intercepts), m.Width())
	}
	scaled := *m
	scaled.SolverType, scaled.Weights = "L2R_LR", nil
	if m.Meta != nil {
		meta := *m.Meta
		meta.WeightsHash, meta.Checksum, meta.Gap = "", "", nil
		scaled.Meta = &meta
	}
	if m.Bias == 0 {
		scaled.Bias = 1
	}
	columns := m.Columns()
	for k := range m.Width() {
		w := slices.Clone(m.Weights[k*columns : (k+1)*columns])
		for j := range w {
			w[j] *= slopes[k]
		}
		if m.Bias == 0 {
			w = append(w, intercepts[k])
		} else {
			w[m.Features] += intercepts[k] / m.Bias
		}
		scaled.Weights = append(scaled.Weights, w...)
	}
	if err := scaled.Check(); err != nil {
		return nil, err
	}
	return &scaled, nil
}
