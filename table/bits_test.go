package table

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/pathtest"
)

// encodedBits are the SHA-256 sums of what TestEncodedBits encodes. They change only where encoders change.
var encodedBits = []string{
	"5d49b9c892c59fbe7ab3b247acc0ffd985e38405b7bd73afd67762cb4a0e2031",
	"1d1634ee52612989f3a7387c2e4fe23bb484196156e5d3c8cbabafc0df471e4e",
	"01c0362b89d2101f2d2e3fe6a60d5a0c5aa169ce3059d3e97067ea465712e262",
	"9d5af821e449b615cc8ed5dad6fcda82f8c5afe11de472206106c8581e22e938",
}

// Learned columns and encoded rows have the same bits on every CPU path and every architecture.
func TestEncodedBits(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	words := []string{"red", "green", "Blue", "ÜBER", "x1", "dog", "Cat", "run", "late", "early"}
	var rows [][]string
	for i := range 3000 {
		text := ""
		for range r.IntN(12) {
			text += words[r.IntN(1+r.IntN(len(words)))] + " "
		}
		number := fmt.Sprintf("%d.%03d", r.IntN(1+r.IntN(1000))-100, r.IntN(1000))
		if i%17 == 3 {
			number = "?"
		}
		rows = append(rows, []string{
			number, fmt.Sprintf("c%d", r.IntN(1+r.IntN(300))), text, fmt.Sprintf("20%02d-%02d-%02d %02d:%02d:07.25", r.IntN(30), 1+r.IntN(12), 1+r.IntN(28), r.IntN(24), r.IntN(60)),
			[]string{"no", "yes"}[r.IntN(2)], fmt.Sprint(1 + r.IntN(4)), fmt.Sprintf("%de-3", r.IntN(4000)-2000), fmt.Sprintf("%de%d", r.IntN(2000)-1000, r.IntN(20)-10),
		})
	}
	names := []string{"n", "c", "t", "when", "y", "w", "o", "wide"}
	for path := range pathtest.Paths(t) {
		for k, w := range []Wanted{
			{}, {Scale: ScaleLog1p, Words: Words{NGrams: 2, MinDF: 2}, MinCount: 5}, {Scale: ScaleMinMax, Hash: 9, Crosses: [][2]string{{"c", "n"}, {"c", "wide"}}}, {Bins: 13, Words: Words{Counts: true}},
		} {
			w.Target, w.Weight, w.Offset, w.Texts, w.Categories, w.Numbers = "y", "w", "o", []string{"t"}, []string{"c"}, []string{"n", "wide"}
			e, data := madeOf(t, cellsSource(names, rows, 401, Options{}), w)
			sum := sha256.New()
			text, err := e.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			sum.Write(text)
			begin, columns, values := data.X.CSR()
			for _, part := range []any{begin, columns, values, data.Y, data.Weight, data.Offset} {
				if err := binary.Write(sum, binary.LittleEndian, part); err != nil {
					t.Fatal(err)
				}
			}
			if got := fmt.Sprintf("%x", sum.Sum(nil)); got != encodedBits[k] {
				t.Errorf("%s, encoder %d: bits %s, want %s", path, k, got, encodedBits[k])
			}
		}
	}
}
