package command

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestCost: decisions by costs follow from the probabilities that predict prints, in eval and in
// predict, of rows and of tables, for isotonic probabilities too.
func TestCost(t *testing.T) {
	t.Chdir(t.TempDir())
	table, rows := "x,k,y\n", ""
	for i := range 300 {
		x, y := (i*37)%101, 0
		if (i*i+7*i)%113 < x/3 {
			y = 1
		}
		table += fmt.Sprintf("%d,%c,%d\n", x, "abc"[i%3], y)
		rows += fmt.Sprintf("%d 1:%d 2:1\n", y, x)
	}
	for name, text := range map[string]string{"t.csv": table, "rows": rows} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"t.csv --target y", "t.csv --target y --calibrate isotonic", "rows", "rows --positive 0"} {
		done(t, "train "+line+" --quiet --model m")
		data, _, _ := strings.Cut(line, " ")
		var labels []float64
		for text := range strings.Lines(map[string]string{"t.csv": strings.TrimPrefix(table, "x,k,y\n"), "rows": rows}[data]) {
			text = strings.TrimSpace(text)
			if label, _, cut := strings.Cut(text, " "); cut {
				text = label
			}
			v, err := strconv.ParseFloat(text[strings.LastIndexByte(text, ',')+1:], 64)
			if err != nil {
				t.Fatal(err)
			}
			labels = append(labels, v)
		}
		positive := 1.0
		if strings.Contains(line, "positive") {
			positive = 0
		}
		probabilities := strings.Fields(done(t, "predict m "+data+" --probability --quiet").out)
		if len(probabilities) != len(labels) {
			t.Fatalf("%s: %d probabilities of %d rows", line, len(probabilities), len(labels))
		}
		for _, costs := range [][2]float64{{1, 1}, {1, 5}, {5, 1}} {
			flag := fmt.Sprintf(" --cost fp=%v,fn=%v --quiet", costs[0], costs[1])
			predicted := strings.Fields(done(t, "predict m "+data+" --labels"+flag).out)
			price := func(threshold float64) (cost float64) {
				for i, text := range probabilities {
					p, _ := strconv.ParseFloat(text, 64)
					switch {
					case p > threshold && labels[i] != positive:
						cost += costs[0]
					case p <= threshold && labels[i] == positive:
						cost += costs[1]
					}
				}
				return cost / float64(len(labels))
			}
			own := costs[0] / (costs[0] + costs[1])
			least := min(price(-1), price(1))
			for i, text := range probabilities {
				p, _ := strconv.ParseFloat(text, 64)
				least = min(least, price(p))
				if label, _ := strconv.ParseFloat(predicted[i], 64); (label == positive) != (p > own) {
					t.Fatalf("%s%s: a row of probability %v is called %v", line, flag, p, label)
				}
			}
			v := object(t, done(t, "eval m "+data+flag+" --json").out)
			for name, want := range map[string]float64{"cost": price(own), "base_cost": min(price(-1), price(1)), "least_cost": least} {
				if got, is := v[name].(float64); !is || math.Abs(got-want) > 1e-12 {
					t.Errorf("%s%s: %s is %v, not %v", line, flag, name, v[name], want)
				}
			}
			c := v["confusion"].(map[string]any)
			if wrong := c["false_positive"].(float64) + c["false_negative"].(float64); math.Abs(1-wrong/300-v["accuracy"].(float64)) > 1e-12 {
				t.Errorf("%s%s: an accuracy of %v beside %v wrong rows", line, flag, v["accuracy"], wrong)
			}
			if data == "t.csv" {
				for i, record := range readCSV(t, done(t, "predict m "+data+flag).out)[1:] {
					if record[len(record)-1] != predicted[i] {
						t.Fatalf("%s%s: row %d of CSV is called %s, not %s", line, flag, i, record[len(record)-1], predicted[i])
					}
				}
			}
		}
	}
}
