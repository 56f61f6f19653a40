package sparse

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// benchTexts are a few megabytes in the three usual looks of LIBSVM text.
func benchTexts() map[string]string {
	random := rand.New(rand.NewPCG(9, 10))
	look := func(rows, entries, step int, value func() string) string {
		var b strings.Builder
		for range rows {
			b.WriteString("-1")
			j := 0
			for range entries {
				j += 1 + random.IntN(step)
				fmt.Fprintf(&b, " %d:%s", j, value())
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	return map[string]string{
		"tf-idf":    look(2000, 160, 680, func() string { return fmt.Sprintf("%.5f", random.Float64()) }),
		"one-hot":   look(40000, 14, 16, func() string { return "1" }),
		"signed":    look(20000, 13, 2, func() string { return fmt.Sprintf("%.6f", random.Float64()*2-1) }),
		"17 digits": look(10000, 13, 90, func() string { return fmt.Sprint(random.Float64()) }),
	}
}

func BenchmarkReadText(b *testing.B) {
	for name, text := range benchTexts() {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if _, err := Read(context.Background(), strings.NewReader(text), "text", ReadOptions{Workers: workers}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkReadCache(b *testing.B) {
	for name, text := range benchTexts() {
		data, err := Read(context.Background(), strings.NewReader(text), "text", ReadOptions{})
		if err != nil {
			b.Fatal(err)
		}
		cache := cacheBytes(b, data)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(cache)))
			for b.Loop() {
				if _, err := Read(context.Background(), bytes.NewReader(cache), "cache", ReadOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
