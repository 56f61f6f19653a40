package pauc

// hardRows chooses the positives of a batch that count in a two-way partial AUC: the
// lowest-scored ones, the same share as of all positives, rounded up. So a batch of all
// positives has exactly the positives that count.
type hardRows struct {
	count             int
	places            []uint32 // all of them where all count
	scores, low, work []float64
}

func newHardRows(hard, lists, batch int) hardRows {
	h := hardRows{count: (hard*batch + lists - 1) / lists, places: make([]uint32, batch)}
	for k := range h.places {
		h.places[k] = uint32(k)
	}
	if h.count < batch {
		h.scores, h.low, h.work = make([]float64, batch), make([]float64, 0, batch), make([]float64, batch)
	}
	return h
}

// of returns the places in the batch of the positives that count, ascending, and their
// scores, from the scores of all positives of the batch.
func (h *hardRows) of(heads []float64) (places []uint32, scores []float64, err error) {
	if h.count == len(heads) {
		return h.places, heads, nil
	}
	h.places, h.low, err = lowest(h.places[:0], h.low[:0], heads, h.scores, h.work, h.count)
	return h.places, h.low, err
}

// lowest appends the places of the count lowest scores, ascending, and these scores. Of
// equal scores the first ones count. opposite and work are scratch of the same length.
func lowest(places []uint32, low, scores, opposite, work []float64, count int) ([]uint32, []float64, error) {
	for k, s := range scores {
		opposite[k] = -s
	}
	places, low, err := between(places, low, opposite[:len(scores)], work, 0, count)
	for k, s := range low {
		low[k] = -s
	}
	if err == nil && len(places) != count {
		err = errNotFinite
	}
	return places, low, err
}

// heads returns the rows of the positives that count, in their order, and their scores in
// c.all; no row and the score 0 for one list. It costs O(P).
func (c *common) heads() (rows []uint32, scores []float64, err error) {
	if len(c.positives) == 0 {
		return nil, make([]float64, 1), nil
	}
	scores = make([]float64, len(c.positives))
	for i, row := range c.positives {
		scores[i] = c.all[row]
	}
	if c.task.hard == len(scores) {
		return c.positives, scores, nil
	}
	rows, scores, err = lowest(nil, nil, scores, make([]float64, len(scores)), make([]float64, len(scores)), c.task.hard)
	for k, place := range rows {
		rows[k] = c.positives[place]
	}
	return rows, scores, err
}
