// Package pauc trains scores for a high partial area under the ROC curve, and for a low sum of a
// ranked range of losses. The paper is "Large-scale Optimization of Partial AUC in a Range of
// False Positive Rates". Comments of this package number its equations and algorithms. The
// problem is
//
//	minimise F(w) = f^n(w) - f^m(w), f^l(w) = (1/(P N)) sum_i phi_l(s_i1, ..., s_iN)
//
// over P positive rows i and N negative rows j. Here h are the scores,
// s_ij = log(1+exp(h_j-h_i)), phi_l is the sum of the l largest, and m/N and n/N are the range of
// false-positive rates. The paper has no 1/(P N). With it no parameter depends on the size of the
// data: Mu here is the paper's mu times P N, Step is its gamma/mu, and Inner its c.
//
// The sum of ranked range has one list of N losses, log(1+exp(-y_j h_j)): a partial
// AUC with one positive, whose score is 0, and negatives of the scores -y_j h_j.
//
// A two-way partial AUC counts only the p positives of the lowest scores: the sum over i
// takes the p largest of the sums phi_n(S_i), and the same positives in f^m. Each batch
// counts its own lowest-scored positives, the same share p/P.
//
// Differences from the paper: batches are drawn in shuffled passes, one over the positives and
// one over the negatives, without the rows that do not fill a last batch. The paper draws
// uniformly. Problem.Lambda adds a regulariser to f^n, which the paper lacks. Loops.Paper, Paper
// and PaperRange select the paper's setting. Otherwise AGDSBCD and MiniBatch have a sigmoid loss,
// the thresholds take smaller steps, and runs begin at a logistic fit. The result is then the
// best outer iterate, not the last.
//
// SVMTight, MiniBatch and AUCMargin are baselines of the paper. Its baseline cross entropy
// (CE) is logistic regression: package erm with kernels.Logistic. Every run here starts
// from such a fit.
package pauc

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/solvers/internal/ranking"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// Problem holds the rows to rank. Solving does not change it. Several runs may share it,
// except for its Model.
type Problem struct {
	// X has n rows. A bias column changes no ranking.
	X *sparse.Matrix
	// Y holds n labels, -1 or +1, both of which occur.
	Y []float64
	// Low and High bound the false-positive rates, 0 <= Low < High <= 1. At least
	// one negative row must lie between them.
	Low, High float64
	// MinTPR is the least true-positive rate of a two-way partial AUC, 0 <= MinTPR < 1.
	// 0 means a partial AUC; SVMTight takes no other.
	MinTPR float64
	// Lambda is the weight of the regulariser Lambda/2 ||w||^2 beside the mean loss of
	// the pairs that count, F P N/(p (n-m)); 0 or more, above 0 for SVMTight.
	Lambda float64
	// Model scores the rows of X; nil means score.Linear, which is the fast path.
	Model score.Model
}

// ranks returns m and n, the ranks of negatives between which losses count.
func ranks(low, high float64, negatives int) (m, n int) {
	return int(float64(low * float64(negatives))), int(math.Ceil(float64(high * float64(negatives))))
}

// counted returns p, the number of positives that count.
func counted(minTPR float64, positives int) int {
	return int(math.Ceil(float64((1 - minTPR) * float64(positives))))
}

// Check returns an error that says what is wrong with a problem, or nil.
func (p *Problem) Check() error {
	if p == nil {
		return errors.New("pauc: the problem has no matrix")
	}
	if err := ranking.Check(p.X, p.Y); err != nil {
		return fmt.Errorf("pauc: %w", err)
	}
	if !(p.Low >= 0 && p.Low < p.High && p.High <= 1) {
		return fmt.Errorf("pauc: the range of false-positive rates is [%v, %v]; it must lie in [0, 1] and not be empty", p.Low, p.High)
	}
	if !(p.MinTPR >= 0 && p.MinTPR < 1) {
		return fmt.Errorf("pauc: the least true-positive rate is %v; it must be 0 or more and below 1", p.MinTPR)
	}
	return checkLambda(p.Lambda)
}

func checkLambda(lambda float64) error {
	if !(lambda >= 0) || math.IsInf(lambda, 0) {
		return fmt.Errorf("pauc: lambda is %v; it must be 0 or more", lambda)
	}
	return nil
}

// task is the common form of the problems of this package: lists of losses of the
// negatives, one list for each positive.
type task struct {
	x     *sparse.Matrix
	y     []float64
	model score.Model
	// lambda is the problem's Lambda, regulariser the weight of 1/2 ||w||^2 beside F.
	lambda, regulariser float64
	// positives and negatives are rows. Without positives there is one list, of a
	// positive with score 0 that is no row.
	positives, negatives []uint32
	// sign holds the factor of each row's score; nil means 1.
	sign []float64
	m, n int
	// hard is the number of positives that count, the lowest-scored ones: 1 for one list.
	hard int
	// low and high bound false-positive rates, minTPR true-positive rates from below.
	low, high, minTPR float64
}

func modelOf(m score.Model, x *sparse.Matrix) score.Model {
	if m == nil {
		return score.Linear{X: x}
	}
	return m
}

func (p *Problem) task() *task {
	t := &task{x: p.X, y: p.Y, model: modelOf(p.Model, p.X), low: p.Low, high: p.High, minTPR: p.MinTPR, lambda: p.Lambda}
	t.positives, t.negatives = ranking.Split(p.Y)
	t.m, t.n = ranks(p.Low, p.High, len(t.negatives))
	t.hard = counted(p.MinTPR, len(t.positives))
	t.regulariser = float64(p.Lambda * t.share())
	return t
}

// lists is the number of lists of losses, P.
func (t *task) lists() int { return max(1, len(t.positives)) }

// hardShare is the share of the positives that count, p/P.
func (t *task) hardShare() float64 { return float64(t.hard) / float64(t.lists()) }

// share is the share of the pairs that count, p (n-m)/(P N).
func (t *task) share() float64 {
	return float64(float64(t.n-t.m)/float64(len(t.negatives))) * t.hardShare()
}

// signed multiplies scores or coefficients of rows with the signs of the rows.
func (t *task) signed(v []float64, rows []uint32) {
	if t.sign == nil {
		return
	}
	for k, row := range rows {
		v[k] = float64(v[k] * t.sign[row])
	}
}

// gradientRows is the number of rows whose gradients a nonlinear model adds at a time.
const gradientRows = 1024

// addGradient computes g += sum over k of c[k] grad h(x_rows[k]) at w.
func (t *task) addGradient(g []float64, rows []uint32, c, w []float64) error {
	if _, is := t.model.(score.Linear); is {
		return t.model.AddGradient(g, rows, c, w)
	}
	scores := make([]float64, min(gradientRows, len(rows)))
	for first := 0; first < len(rows); first += gradientRows {
		end := min(first+gradientRows, len(rows))
		part := rows[first:end]
		if err := t.model.Scores(scores[:len(part)], part, w); err != nil {
			return err
		}
		if err := t.model.AddGradient(g, part, c[first:end], w); err != nil {
			return err
		}
	}
	return nil
}
