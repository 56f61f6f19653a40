package vector_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	kernels "github.com/lanes-go/lanes/asm/vector"
	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/operands"
	"github.com/lanes-go/lanes/kernels/vector"
)

// TestImports: the package needs asm, dispatch, the checks of arguments, and x/sys. Elsewhere than
// on amd64 dispatch asks cpuid for the sizes of caches.
func TestImports(t *testing.T) {
	command, err := exec.LookPath("go")
	if err != nil {
		t.Skipf("needs the go command: %v", err)
	}
	list := exec.Command(command, "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".")
	list.Env = append(os.Environ(), "GOARCH=amd64", "GOOS=linux")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/lanes-go/lanes/"
	for name := range strings.FieldsSeq(string(out)) {
		switch inside, own := strings.CutPrefix(name, module); {
		case own && (strings.HasPrefix(inside, "asm") || inside == "dispatch" || inside == "kernels/vector" || inside == "internal/base/arguments"):
		case strings.HasPrefix(name, "golang.org/x/sys/"):
		default:
			t.Errorf("kernels/vector needs %s", name)
		}
	}
}

func fill(random *rand.Rand, kind, n int) []float32 {
	x := make([]float32, n)
	operands.Random{Rand: random, Kind: kind}.Fill(x)
	return x
}

// near tells whether a is within some units of b.
func near(a float32, b, units float64) bool {
	return math.Abs(float64(a)-b) <= units*0x1p-24*math.Max(math.Abs(b), 0x1p-126) || float64(a) == b || a != a && b != b
}

// TestComposed holds what is made of sums against float64.
func TestComposed(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3))
	for n := range 150 {
		x, y := fill(random, 0, n), fill(random, 0, n)
		xy, xx, yy, dd := 0.0, 0.0, 0.0, 0.0
		for i := range x {
			a, b := float64(x[i]), float64(y[i])
			xy, xx, yy, dd = xy+a*b, xx+a*a, yy+b*b, dd+(a-b)*(a-b)
		}
		distance, err := vector.Distance(x, y)
		if err != nil || !near(distance, math.Sqrt(dd), 8) {
			t.Errorf("distance of %d elements: %v, %v, want %v", n, distance, err, math.Sqrt(dd))
		}
		if norm := vector.Norm(x); !near(norm, math.Sqrt(xx), 8) {
			t.Errorf("norm of %d elements: %v, want %v", n, norm, math.Sqrt(xx))
		}
		cosine, err := vector.Cosine(x, y)
		want := 0.0
		if n > 0 {
			want = xy / math.Sqrt(xx*yy)
		}
		if err != nil || math.Abs(float64(cosine)-want) > 20*0x1p-24 {
			t.Errorf("cosine of %d elements: %v, %v, want %v", n, cosine, err, want)
		}
		for i, v := range x {
			y[i] = 3 * v
		}
		if cosine, err := vector.Cosine(x, y); err != nil || cosine > 1 || n > 0 && cosine < 1-0x1p-20 {
			t.Errorf("cosine of %d elements and their multiple: %v, %v", n, cosine, err)
		}
		unit := make([]float32, n)
		norm, err := vector.Normalize(unit, x)
		if err != nil || norm != vector.Norm(x) {
			t.Errorf("norm of %d elements: %v, %v", n, norm, err)
		}
		for i, v := range unit {
			if v != float32(float64(x[i])/float64(norm)) {
				t.Errorf("element %d of %d over the norm: %v", i, n, v)
			}
		}
		if _, err := vector.Normalize(x, x); err != nil || !slices.Equal(x, unit) {
			t.Errorf("%d elements in place: %v", n, err)
		}
	}
}

func TestExtremes(t *testing.T) {
	large, tiny, inf := []float32{3e38, 3e38}, []float32{1e-30, -1e-30}, float32(math.Inf(1))
	ask := func(what string, got float32, err error, want float32) {
		t.Helper()
		if err != nil || got != want && (got == got || want == want) {
			t.Errorf("%s: %v, %v, want %v", what, got, err, want)
		}
	}
	ask("norm of large elements", vector.Norm(large), nil, inf)
	ask("norm of tiny elements", vector.Norm(tiny), nil, 0)
	nan := float32(math.NaN())
	for _, c := range []struct {
		x, y []float32
		want float32
	}{
		{nil, nil, 0}, {[]float32{0, 0}, []float32{1, 2}, 0}, {[]float32{1, 2}, []float32{0, 0}, 0}, {tiny, []float32{1, 2}, 0},
		{large, large, nan}, {[]float32{inf, 1}, []float32{1, 1}, nan}, {[]float32{nan, 1}, []float32{1, 1}, nan},
		{[]float32{3, 4}, []float32{3, 4}, 1}, {[]float32{3, 4}, []float32{-3, -4}, -1}, {[]float32{1e19, 0}, []float32{1e19, 0}, 1},
	} {
		got, err := vector.Cosine(c.x, c.y)
		ask("cosine", got, err, c.want)
	}
	for _, x := range [][]float32{large, {inf}, {nan, 1}} {
		dst := make([]float32, len(x))
		if _, err := vector.Normalize(dst, x); err == nil || dst[0] != 0 {
			t.Errorf("%v has a norm: %v", x, dst)
		}
	}
	dst := []float32{5, 5}
	if norm, err := vector.Normalize(dst, tiny); err != nil || norm != 0 || !slices.Equal(dst, tiny) {
		t.Errorf("a norm of 0: %v, %v, %v", dst, norm, err)
	}
	array := make([]float32, 5)
	if _, err := vector.Normalize(array[1:], array[:4]); err == nil {
		t.Error("dst overlaps x")
	}
	if _, err := vector.Normalize(array[:3], array[:4]); err == nil {
		t.Error("dst is short")
	}
	for name, f := range map[string]func(x, y []float32) (float32, error){
		"Dot": vector.Dot, "SquaredDistance": vector.SquaredDistance, "Distance": vector.Distance, "Cosine": vector.Cosine,
	} {
		if _, err := f(array[:3], array[:4]); err == nil || !strings.Contains(err.Error(), "vector."+name+": x has 3 elements and y has 4") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Of an empty query every row is empty.
	if err := vector.DotRows(dst, nil, nil, 1, nil); err != nil || dst[0] != 0 || dst[1] != 0 {
		t.Errorf("rows of an empty query: %v, %v", dst, err)
	}
}

// TestTopK compares with a stable sort.
func TestTopK(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 5))
	for range 3000 {
		n, k := random.IntN(40), random.IntN(45)
		scores, whole := make([]float32, n), make([]int32, n)
		for i := range scores {
			whole[i] = int32(random.IntN(8)) - 4
			scores[i] = float32(whole[i])
			switch random.IntN(30) {
			case 0:
				scores[i] = float32(math.NaN())
			case 1:
				scores[i] = float32(math.Inf(-1))
			case 2:
				scores[i] = float32(math.Copysign(0, -1))
			}
		}
		top(t, k, scores, vector.TopK[float32], func(a, b float32) int { return cmp.Compare(b, a) }) // for cmp NaN is the least
		top(t, k, scores, vector.BottomK[float32], func(a, b float32) int {
			if (a == a) != (b == b) {
				return cmp.Compare(b, a)
			}
			return cmp.Compare(a, b)
		})
		top(t, k, whole, vector.TopK[int32], func(a, b int32) int { return cmp.Compare(b, a) })
		top(t, k, whole, vector.BottomK[int32], cmp.Compare[int32])
	}
}

// TestTopKOfMany has more scores than 16 bits count.
func TestTopKOfMany(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 6))
	scores := make([]int32, 70_000)
	for i := range scores {
		scores[i] = int32(random.IntN(100_000)) + int32(i/4)
	}
	top(t, 1000, scores, vector.TopK[int32], func(a, b int32) int { return cmp.Compare(b, a) })
	slices.Reverse(scores)
	top(t, 1000, scores, vector.BottomK[int32], cmp.Compare[int32])
	top(t, len(scores), scores, vector.TopK[int32], func(a, b int32) int { return cmp.Compare(b, a) })
}

func top[S vector.Score](t *testing.T, k int, scores []S, f func([]uint32, []S) (int, error), order func(a, b S) int) {
	t.Helper()
	want := make([]uint32, len(scores))
	for i := range want {
		want[i] = uint32(i)
	}
	slices.SortStableFunc(want, func(a, b uint32) int { return order(scores[a], scores[b]) })
	want = want[:min(k, len(want))]
	dst := make([]uint32, k)
	if n, err := f(dst, scores); err != nil || !slices.Equal(dst[:n], want) {
		t.Fatalf("the first %d of %v: %v, %v, want %v", k, scores, dst[:n], err, want)
	}
}

// TestNothingAllocates has operands on the stack, which functions must leave there.
func TestNothingAllocates(t *testing.T) {
	n := allocations.Count(10, func() {
		var x, y, dst [40]float32
		var list, numbers [3]uint32
		x[1], y[1] = 1, 2
		_, err1 := vector.Dot(x[:], y[:])
		_, err2 := vector.SquaredDistance(x[:], y[:])
		_, err3 := vector.Distance(x[:], y[:])
		_, err4 := vector.Cosine(x[:], y[:])
		_, err5 := vector.Normalize(dst[:], x[:])
		err6 := vector.DotRows(dst[:3], x[:10], y[:], 10, list[:])
		err7 := vector.SquaredDistanceRows(dst[:3], x[:10], y[:], 10, nil)
		_, err8 := vector.TopK(numbers[:], dst[:])
		err18, err19, err20 := vector.Scale(dst[:], 2, x[:]), vector.Add(dst[:], x[:], y[:]), vector.Sub(dst[:], x[:], y[:])
		err21, err22, err23 := vector.Mul(dst[:], x[:], y[:]), vector.MulAdd(dst[:], x[:], y[:], x[:]), vector.AddScaled(dst[:], 2, x[:], y[:])
		var x8, y8 [40]int8
		var xb, yb [40]uint64
		var counts [3]int32
		_, err9 := vector.DotInt8(x8[:], y8[:])
		_, err10 := vector.SquaredDistanceInt8(x8[:], y8[:])
		_, err11 := vector.CosineInt8(x8[:], y8[:])
		_, err12 := vector.Hamming(xb[:], yb[:])
		_, err13 := vector.Jaccard(xb[:], yb[:])
		err14 := vector.DotInt8Rows(counts[:], x8[:10], y8[:], 10, list[:])
		err15 := vector.SquaredDistanceInt8Rows(counts[:], x8[:10], y8[:], 10, nil)
		err16 := vector.HammingRows(counts[:], xb[:10], yb[:], 10, nil)
		err17 := vector.JaccardRows(dst[:3], xb[:10], yb[:], 10, nil)
		if err := cmp.Or(err1, err2, err3, err4, err5, err6, err7, err8, err9, err10, err11, err12, err13, err14, err15, err16, err17, err18, err19, err20, err21, err22, err23); err != nil || vector.Norm(x[:]) != 1 {
			t.Error(err)
		}
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestQueries compares each result with the call for one query.
func TestQueries(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	several(t, random, vector.DotRows)
	several(t, random, vector.SquaredDistanceRows)
	several(t, random, vector.CosineRows)
	several(t, random, vector.DotInt8Rows)
	several(t, random, vector.SquaredDistanceInt8Rows)
	several(t, random, vector.HammingRows)
	several(t, random, vector.JaccardRows)
}

func several[D vector.Score, T float32 | int8 | uint64](t *testing.T, random *rand.Rand, of func(dst []D, query, rows []T, stride int, list []uint32) error) {
	t.Helper()
	for _, size := range []int{1, 70, 600, 9000} { // of which a block takes many to one
		for _, listed := range []bool{false, true} {
			count, rows, stride := 1+random.IntN(60), 60, size+random.IntN(3)
			some, array := make([]T, size*random.IntN(4)), make([]T, (rows-1)*stride+size)
			from := operands.Random{Rand: random}
			from.Fill(some)
			from.Fill(array)
			var list []uint32
			for k := 0; listed && k < count; k++ {
				list = append(list, uint32(random.IntN(rows)))
			}
			q := len(some) / size
			got, want := make([]D, q*count), make([]D, q*count)
			err := vector.Queries(got, some, size, array, stride, list, of)
			for i := range q {
				err = cmp.Or(err, of(want[i*count:][:count], some[i*size:][:size], array, stride, list))
			}
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%d queries of %d elements: %v", q, size, err)
			}
		}
	}
}

// TestQueriesRefuses: nothing is written, also where the wrong row is the last.
func TestQueriesRefuses(t *testing.T) {
	rows, dst := make([]float32, 100*700), make([]float32, 200)
	queries := rows[:1400:1400]
	for i := range dst {
		dst[i] = 5
	}
	list := make([]uint32, 100)
	list[99] = 100
	refuse := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.HasPrefix(err.Error(), "vector.") {
			t.Errorf("%s: %v", what, err)
		}
		if slices.ContainsFunc(dst, func(v float32) bool { return v != 5 }) {
			t.Fatalf("%s: dst is changed", what)
		}
	}
	refuse("a row beyond", vector.Queries(dst, queries, 700, rows, 700, list, vector.DotRows))
	refuse("too few rows", vector.Queries(dst, queries, 700, rows[:99*700], 700, nil, vector.DotRows))
	refuse("a short list", vector.Queries(dst, queries, 700, rows, 700, list[:99], vector.DotRows))
	refuse("a query cut off", vector.Queries(dst, queries[:1399], 700, rows, 700, nil, vector.DotRows))
	refuse("a result too few", vector.Queries(dst[:199], queries, 700, rows, 700, nil, vector.DotRows))
	refuse("results of no query", vector.Queries(dst, nil, 700, rows, 700, nil, vector.DotRows))
	refuse("no elements", vector.Queries(dst, queries, 0, rows, 700, nil, vector.DotRows))
	refuse("no stride", vector.Queries(dst, queries, 700, rows, 0, nil, vector.DotRows))
	refuse("rows that are dst", vector.Queries(dst, dst[:2], 1, rows, 1, nil, vector.DotRows))
	refuse("queries that are dst", vector.Queries(dst[100:], rows[:100], 1, dst[:101], 1, nil, vector.DotRows))
	long := make([]int8, 131_072)
	if err := vector.Queries([]int32{0}, long, len(long), long, len(long), nil, vector.DotInt8Rows); err == nil {
		t.Error("a query that is too long")
	}
}

var update = flag.Bool("update", false, "write the table of docs/vectors.md")

// TestDocs: the page has a line a function of asm/vector.List.
func TestDocs(t *testing.T) {
	const page, head = "../../docs/vectors.md", "|---|---|---|\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var code []byte
	for _, file := range source {
		part, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code = append(code, part...)
	}
	before, after, found := strings.Cut(string(text), head)
	_, after, more := strings.Cut(after, "\n\n")
	if !found || !more {
		t.Fatal("no table")
	}
	var lines strings.Builder
	for _, k := range kernels.List {
		if bytes.Contains(code, []byte("\nfunc "+k.Name+"(")) {
			fmt.Fprintf(&lines, "| `%s` | %s | %v |\n", k.Name, k.About, k.Operations+k.Divisions)
		}
	}
	want := before + head + lines.String() + "\n" + after
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Errorf("the table of %s does not agree with vector.List: go test ./kernels/vector -run Docs -update", page)
	}
}

// TestLongest has as many elements as a sum of 32 bits takes, of the largest size, and one more.
func TestLongest(t *testing.T) {
	least, most := make([]int8, 131_072), make([]int8, 131_072)
	for i := range least {
		least[i], most[i] = -128, 127
	}
	for name, c := range map[string]struct {
		f    func(x, y []int8) (int32, error)
		rows func(dst []int32, query, rows []int8, stride int, list []uint32) error
		y    []int8
		n    int
		want int32
	}{
		"DotInt8":             {vector.DotInt8, vector.DotInt8Rows, least, 131_071, 131_071 * 128 * 128},
		"SquaredDistanceInt8": {vector.SquaredDistanceInt8, vector.SquaredDistanceInt8Rows, most, 33_025, 33_025 * 255 * 255},
	} {
		dst := []int32{0}
		got, err := c.f(least[:c.n], c.y[:c.n])
		if err := cmp.Or(err, c.rows(dst, least[:c.n], c.y, c.n, nil)); err != nil || got != c.want || dst[0] != c.want {
			t.Errorf("%s: %v, %v, %v, want %v", name, got, dst, err, c.want)
		}
		if _, err := c.f(least[:c.n+1], c.y[:c.n+1]); err == nil {
			t.Errorf("%s takes %d elements", name, c.n+1)
		}
		if err := c.rows(dst, least[:c.n+1], c.y, c.n, nil); err == nil {
			t.Errorf("%s of rows takes %d elements", name, c.n+1)
		}
	}
	if cosine, err := vector.CosineInt8(least[:131_071], least[:131_071]); err != nil || cosine != 1 {
		t.Errorf("cosine of the longest: %v, %v", cosine, err)
	}
	if cosine, err := vector.CosineInt8([]int8{3, 4}, []int8{4, -3}); err != nil || cosine != 0 {
		t.Errorf("cosine of a right angle: %v, %v", cosine, err)
	}
	if cosine, err := vector.CosineInt8([]int8{1, 0}, []int8{100, 100}); err != nil || cosine != float32(math.Sqrt(0.5)) {
		t.Errorf("cosine of half a right angle: %v, %v", cosine, err)
	}
	if _, err := vector.CosineInt8(least, least); err == nil {
		t.Error("CosineInt8 takes 131,072 elements")
	}
	for _, n := range [][2]int{{1, 2}, {2, 1}, {0, 1}, {1, 0}} {
		if _, err := vector.CosineInt8(least[:n[0]], most[:n[1]]); err == nil || !strings.Contains(err.Error(), "lengths must be equal") {
			t.Errorf("CosineInt8 takes %d elements with %d: %v", n[0], n[1], err)
		}
	}
}
