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
	"3791e0922489398347387fb673ee05ec48f5b5a43ae2e3031dba11f58eee744a",
	"3a775a44b1763114b9a757547cd4799a1155a546f7b270afe55dc5a80b851b31",
	"1a7c713cc48cebf4b68707d300fca8bb4b591da65a9233fac9d076912774eca5",
	"d664c75d04e61d0aab49262e388db165138435be85f76a5cd772c7fca55a18ea",
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
