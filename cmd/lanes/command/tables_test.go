package command

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// people are rows of a generated table, the names of its columns first.
func people(rows int) [][]string {
	random := rand.New(rand.NewPCG(7, 11))
	list := [][]string{{"person", "age", "city", "note", "since", "pay", "importance"}}
	cities := []string{"Oslo", "Rome, IT", `"Bern"`, "Lima"}
	words := []string{"late", "early", "kind", "angry", "line\nbreak", "comma, word", "quiet", "loud"}
	for i := range rows {
		age, city := 20+random.IntN(50), random.IntN(len(cities))
		score := float64(age-45)/10 + []float64{2, -1, 0, -2}[city]
		var note []string
		for range 8 {
			w := random.IntN(len(words))
			score += float64(w%2) - 0.5
			note = append(note, words[w])
		}
		pay := "<=50K"
		if score+random.NormFloat64() > 0 {
			pay = ">50K"
		}
		years := strconv.Itoa(age)
		if random.IntN(20) == 0 {
			years = ""
		}
		list = append(list, []string{
			fmt.Sprintf("P%05d", i), years, cities[city], strings.Join(note, " "),
			fmt.Sprintf("20%02d-%02d-%02d", random.IntN(20), 1+random.IntN(12), 1+random.IntN(28)), pay, strconv.Itoa(1 + random.IntN(3)),
		})
	}
	return list
}

// writeCSV writes rows with a separator.
func writeCSV(t *testing.T, name string, separator rune, rows [][]string) {
	t.Helper()
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	out := csv.NewWriter(file)
	out.Comma = separator
	if err := out.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// writeJSON writes rows as an object a line, with keys in the order of the columns. Cells of
// digits are numbers.
func writeJSON(t *testing.T, name string, rows [][]string) {
	t.Helper()
	var text strings.Builder
	for _, row := range rows[1:] {
		before := "{"
		for k, cell := range row {
			var value any = cell
			if v, err := strconv.ParseFloat(cell, 64); err == nil {
				value = v
			} else if cell == "" {
				value = nil
			}
			name, _ := json.Marshal(rows[0][k])
			shown, _ := json.Marshal(value)
			fmt.Fprintf(&text, "%s%s: %s", before, name, shown)
			before = ", "
		}
		text.WriteString("}\n")
	}
	if err := os.WriteFile(name, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// pack compresses a file by gzip.
func pack(t *testing.T, name, packed string) {
	t.Helper()
	file, err := os.Create(packed)
	if err != nil {
		t.Fatal(err)
	}
	out := gzip.NewWriter(file)
	out.Write([]byte(read(t, name)))
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	file.Close()
}

// readCSV reads a table that the command wrote.
func readCSV(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatalf("%v in %.300q", err, text)
	}
	return rows
}

// done runs a line of words that succeeds.
func done(t *testing.T, line string) outcome {
	t.Helper()
	o := inside(strings.Fields(line)...)
	if o.status != exitDone {
		t.Fatalf("lanes %s: exit status %d\n%s", line, o.status, o.stderr)
	}
	return o
}

// weightsOf trains and returns the hash of the weights.
func weightsOf(t *testing.T, line string) string {
	t.Helper()
	return object(t, done(t, line+" --json --quiet").out)["weights_sha256"].(string)
}

// TestTableFormats: the same table gives the same weights in every format, packed or not, in one
// file or several, for any number of workers.
func TestTableFormats(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := people(700)
	writeCSV(t, "t.csv", ',', rows)
	writeCSV(t, "semicolon.csv", ';', rows)
	writeCSV(t, "t.tsv", '\t', rows)
	writeCSV(t, "headless.csv", ',', rows[1:])
	pack(t, "t.csv", "t.csv.gz")
	if coder, err := zstd.NewWriter(nil); err != nil || os.WriteFile("t.csv.zst", coder.EncodeAll([]byte(read(t, "t.csv")), nil), 0o666) != nil {
		t.Fatal(err)
	}
	writeCSV(t, "part-1.csv", ',', rows[:301])
	writeCSV(t, "part-2.csv", ',', append(rows[:1:1], rows[301:]...))
	want := weightsOf(t, "train t.csv --target pay --ignore person")
	for _, data := range []string{"semicolon.csv", "t.tsv", "t.csv.gz", "t.csv.zst", "part-*.csv", "t.csv --workers 1", "t.csv --workers 3"} {
		if got := weightsOf(t, "train "+data+" --target pay --ignore person"); got != want {
			t.Errorf("%s: other weights", data)
		}
	}
	if got := weightsOf(t, "train headless.csv --no-header --target 6 --ignore 1"); got != want {
		t.Error("without a header: other weights")
	}
	var stdin strings.Builder
	stdin.WriteString(read(t, "t.csv"))
	o := invocation{args: strings.Fields("train - --target pay --ignore person --json --quiet"), stdin: strings.NewReader(stdin.String())}.run(t)
	if o.status != exitDone || object(t, o.out)["weights_sha256"] != want {
		t.Errorf("standard input: %s%s", o.out, o.stderr)
	}
	writeJSON(t, "t.jsonl", rows)
	if got := weightsOf(t, "train t.jsonl --target pay --ignore person"); got != want {
		t.Error("JSON lines: other weights")
	}
}

// TestTableScores: predictions stand beside the table, a row by itself is scored as in the table,
// and eval measures what the predictions say.
func TestTableScores(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := people(600)
	test := people(900)[601:]
	test = append([][]string{rows[0]}, test...)
	test[3][2] = "Paris"
	writeCSV(t, "t.csv", ',', rows)
	writeCSV(t, "new.csv", ',', test)
	done(t, "train t.csv --target pay --id person --text note --model m --quiet")
	o := done(t, "predict m new.csv --out scored.csv")
	for _, says := range []string{"column city: 1 value was not seen in training", "age:", "missing values"} {
		if !strings.Contains(o.stderr, says) {
			t.Errorf("the notes do not say %q: %s", says, o.stderr)
		}
	}
	// The counts are of all blocks of rows.
	many := [][]string{rows[0]}
	for range 31 {
		many = append(many, test[1:]...)
	}
	writeCSV(t, "many.csv", ',', many)
	missing := 0
	for _, row := range many[1:] {
		if row[1] == "" {
			missing++
		}
	}
	of := object(t, done(t, "predict m many.csv --out many-scored.csv --json --quiet").out)
	if got, unseen := fmt.Sprint(of["missing"]), fmt.Sprint(of["unseen"]); got != fmt.Sprintf("map[age:%d]", missing) || unseen != "map[city:31]" || of["n"] != float64(len(many)-1) {
		t.Errorf("%s missing and %s unseen values of %v rows, want %d and 31 of %d", got, unseen, of["n"], missing, len(many)-1)
	}
	scored := readCSV(t, read(t, "scored.csv"))
	if want := append(slices.Clone(rows[0]), "score", "probability", "label"); !slices.Equal(scored[0], want) || len(scored) != len(test) {
		t.Fatalf("%d rows of %v", len(scored), scored[0])
	}
	right := 0
	for i, row := range scored[1:] {
		if !slices.Equal(row[:len(rows[0])], test[i+1]) {
			t.Fatalf("row %d is %v, not %v", i, row, test[i+1])
		}
		score, _ := strconv.ParseFloat(row[7], 64)
		share, _ := strconv.ParseFloat(row[8], 64)
		if (score > 0) != (row[9] == ">50K") || (score > 0) != (share > 0.5) {
			t.Errorf("row %d: score %v, probability %v, label %s", i, score, share, row[9])
		}
		if row[9] == row[5] {
			right++
		}
	}
	v := object(t, done(t, "eval m new.csv --json").out)
	if share := float64(right) / float64(len(test)-1); v["accuracy"] != share || share < 0.8 {
		t.Errorf("accuracy %v, the predictions have %v", v["accuracy"], share)
	}
	// Columns in another order, without the target, and one more.
	var moved [][]string
	for i, row := range test {
		extra := "x"
		if i == 0 {
			extra = "score"
		}
		moved = append(moved, []string{extra, row[4], row[2], row[3], row[1], row[0], row[6]})
	}
	writeCSV(t, "moved.csv", ';', moved)
	again := readCSV(t, done(t, "predict m moved.csv --quiet").out)
	if again[0][7] != "predicted_score" {
		t.Errorf("the columns are %v", again[0])
	}
	named := readCSV(t, done(t, "predict m new.csv --id person --quiet").out)
	labels := strings.Fields(done(t, "predict m new.csv --labels --quiet").out)
	probabilities := strings.Fields(done(t, "predict m new.csv --probability --quiet").out)
	list := object(t, done(t, "predict m new.csv --json --quiet").out)["predictions"].([]any)
	for i, row := range scored {
		if !slices.Equal(again[i][8:], row[8:]) || i > 0 && again[i][7] != row[7] || len(named[i]) != 4 || !slices.Equal(named[i][1:], row[7:]) || named[i][0] != row[0] {
			t.Fatalf("row %d: %v, %v and %v", i, row, again[i], named[i])
		}
		if i > 0 && (labels[i-1] != row[9] || probabilities[i-1] != row[8] || strconv.FormatFloat(list[i-1].(float64), 'g', -1, 64) != row[7]) {
			t.Fatalf("row %d: %s %s %v, not %v", i, labels[i-1], probabilities[i-1], list[i-1], row)
		}
	}
	for i, row := range test[1:40] {
		writeCSV(t, "one.csv", ',', [][]string{test[0], row})
		if one := readCSV(t, done(t, "predict m one.csv --quiet --header").out); !slices.Equal(one[1], scored[i+1]) {
			t.Errorf("row %d alone is %v, in its table %v", i, one[1], scored[i+1])
		}
	}
}

// TestTableClasses: several classes and regressions have columns of their own beside a table.
func TestTableClasses(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := people(500)
	writeCSV(t, "t.csv", ',', rows)
	done(t, "train t.csv --target city --ignore person,note --multiclass softmax --model classes --quiet")
	scored := readCSV(t, done(t, "predict classes t.csv --quiet").out)
	if want := []string{`probability="Bern"`, "probability=Lima", "probability=Oslo", "probability=Rome, IT", "label"}; !slices.Equal(scored[0][7:], want) {
		t.Fatalf("the columns are %q", scored[0])
	}
	for i, row := range scored[1:] {
		best, total := 0, 0.0
		for k, cell := range row[7:11] {
			v, _ := strconv.ParseFloat(cell, 64)
			total += v
			if most, _ := strconv.ParseFloat(row[7+best], 64); v > most {
				best = k
			}
		}
		if total < 1-1e-12 || total > 1+1e-12 || "probability="+row[11] != scored[0][7+best] {
			t.Fatalf("row %d: %q sum to %v", i, row[7:], total)
		}
	}
	if v := object(t, done(t, "eval classes t.csv --json").out); v["accuracy"] == nil {
		t.Errorf("eval: %v", v)
	}
	for line, columns := range map[string][]string{
		"--target age --loss squared --ignore person": {"prediction"}, "--target pay --loss squared-hinge --ignore person": {"score", "label"},
	} {
		done(t, "train t.csv "+line+" --model m --quiet --bad-rows 100")
		if scored := readCSV(t, done(t, "predict m t.csv --quiet").out); !slices.Equal(scored[0][7:], columns) || len(scored) != 501 {
			t.Errorf("%s: %d rows of %v", line, len(scored), scored[0])
		}
	}
}

// namesOf lists the columns of the model that a line trains.
func namesOf(t *testing.T, line string) (names []string) {
	t.Helper()
	done(t, line+" --quiet --model names.model")
	top := object(t, done(t, "info names.model --top 100000 --json").out)["top"].([]any)[0].(map[string]any)
	for _, w := range top["weights"].([]any) {
		names = append(names, w.(map[string]any)["name"].(string))
	}
	slices.Sort(names)
	return names
}
