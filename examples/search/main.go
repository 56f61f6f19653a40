// Search finds the embeddings most similar to a query among all rows of a flat array, exactly. It
// prints its time beside a plain Go loop's.
//
//	go run ./examples/search -rows 100000 -n 768
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"time"

	"github.com/lanes-go/lanes/kernels/vector"
)

func main() {
	count := flag.Int("rows", 100_000, "number of embeddings")
	n := flag.Int("n", 768, "numbers of each")
	flag.Parse()
	random := rand.New(rand.NewPCG(1, 1))
	rows := make([]float32, *count**n)
	for i := range rows {
		rows[i] = float32(random.NormFloat64())
	}
	for i := 0; i < len(rows); i += *n { // rows of norm 1: an inner product is a cosine
		if _, err := vector.Normalize(rows[i:i+*n], rows[i:i+*n]); err != nil {
			log.Fatal(err)
		}
	}
	query := rows[*count/2**n:][:*n] // its own row comes first
	scores, best := make([]float32, *count), make([]uint32, 10)

	begun := time.Now()
	found, err := search(best, scores, query, rows)
	took := time.Since(begun)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range found {
		fmt.Printf("row %6d  %7.4f\n", row, scores[row])
	}
	begun = time.Now()
	plain(scores, query, rows)
	fmt.Printf("the search took %v; a plain loop takes %v for the scores alone\n", took.Round(time.Microsecond), time.Since(begun).Round(time.Microsecond))
}

// search writes the score of each row, and returns the rows of the best scores, the best first.
func search(best []uint32, scores, query, rows []float32) ([]uint32, error) {
	if err := vector.DotRows(scores, query, rows, len(query), nil); err != nil {
		return nil, err
	}
	k, err := vector.TopK(best, scores)
	return best[:k], err
}

func plain(scores, query, rows []float32) {
	for k := range scores {
		sum := float32(0)
		for i, v := range rows[k*len(query):][:len(query)] {
			sum += float32(query[i] * v)
		}
		scores[k] = sum
	}
}
