package pauc

import (
	"github.com/lanes-go/lanes/internal/order"
	"github.com/lanes-go/lanes/kernels"
)

// sortedScores is a batch of scores by decreasing score, so that those above a
// threshold stand together.
type sortedScores struct {
	score, slope, z, work []float64
	order                 []order.Row
	sorter                order.Sorter

	// odds are exp(k (score - middle)), against those of the positives, exp(k (middle -
	// score)), where no product of two overflows: sigmoid(k (a-b)) = r/(1+r) with r the
	// product of the odds, so that a pair takes no exponential.
	odds, against []float64
	direct        bool // no odds
}

// newSortedScores returns a batch of n scores that are compared with up to that many
// positives.
func newSortedScores(positives, n int) sortedScores {
	all := make([]float64, 5*n+positives)
	return sortedScores{
		score: all[:n], slope: all[n : 2*n], z: all[2*n : 3*n], work: all[3*n : 4*n], odds: all[4*n : 5*n], against: all[5*n:],
		direct: true,
	}
}

// set sorts the scores and clears the slopes.
func (s *sortedScores) set(scores []float64) {
	s.order = s.sorter.Descending(scores)
	for k, v := range s.order {
		s.score[k] = scores[v.Index]
	}
	clear(s.slope)
}

// mostOdds bounds the exponents of odds.
const mostOdds = 300

// compare prepares the comparison with positives, after set.
func (s *sortedScores) compare(loss pairLoss, heads []float64) error {
	s.direct = true
	if loss.scale == 0 || len(heads) > len(s.against) {
		return nil
	}
	high, low := s.score[0], s.score[len(s.score)-1]
	for _, v := range heads {
		high, low = max(high, v), min(low, v)
	}
	middle := float64(0.5*high) + float64(0.5*low)
	if !(float64(loss.scale*(high-middle)) <= mostOdds && float64(loss.scale*(middle-low)) <= mostOdds) {
		return nil // also where a score is not a number
	}
	s.direct = false
	against := s.against[:len(heads)]
	for i, v := range heads {
		against[i] = float64(loss.scale * (middle - v))
	}
	for j, v := range s.score {
		s.odds[j] = float64(loss.scale * (v - middle))
	}
	if err := kernels.Exp(against, against); err != nil {
		return err
	}
	return kernels.Exp(s.odds, s.odds)
}

// above sums the slopes of the pairs of positive i above a threshold, and adds them to
// those of the scores.
func (s *sortedScores) above(loss pairLoss, heads []float64, i int, least float64) (number int, sum float64, err error) {
	head := heads[i]
	n, end := 0, len(s.score)
	for n < end {
		if middle := int(uint(n+end) / 2); s.score[middle]-head > least {
			n = middle + 1
		} else {
			end = middle
		}
	}
	if s.direct {
		z := s.z[:n]
		if err := kernels.AddScalar(z, -head, s.score[:n]); err != nil {
			return 0, 0, err
		}
		if err := loss.slopes(z, s.work); err != nil {
			return 0, 0, err
		}
		return n, kernels.Sum(z), kernels.Axpy(1, z, s.slope[:n])
	}
	against, slope := s.against[i], s.slope[:n]
	var odd float64
	for j, v := range s.odds[:n] {
		r := float64(v * against)
		t := 1 / (1 + r)
		g := float64(float64(float64(r*t)*t) * loss.scale)
		slope[j] += g
		sum, odd = odd, sum+g // two sums, in turn: one would wait for itself
	}
	return n, sum + odd, nil
}

// scatter writes the slopes in the order of the batch.
func (s *sortedScores) scatter(coef []float64) {
	for k, v := range s.order {
		coef[v.Index] = s.slope[k]
	}
}
