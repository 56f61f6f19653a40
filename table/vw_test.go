package table

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// vwSource is a source of lines, and vwEncoder its encoder.
func vwSource(lines ...string) *Source {
	var rows [][]string
	for _, line := range lines {
		rows = append(rows, []string{line})
	}
	return cellsSource([]string{vwLine}, rows, 2, Options{})
}

func vwEncoder(t testing.TB, bits int) *Encoder {
	t.Helper()
	e, err := newEncoder(&Recipe{Version: 1, Hash: bits, Columns: []Column{{Name: vwLine, Kind: VW}}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestVWIndices compares columns with the indices that Vowpal Wabbit prints with --audit, as its
// tutorial, its notes of version 8.9 and others have them.
func TestVWIndices(t *testing.T) {
	t.Parallel()
	e := vwEncoder(t, 18)
	for line, want := range map[string]map[int]float64{
		"0 | price:.23 sqft:.25 age:.05 2006":                    {229902: .23, 162853: .25, 165201: .05, 2006: 1},
		"1 2 'second_house | price:.18 sqft:.15 age:.35 1976":    {229902: .18, 162853: .15, 165201: .35, 1976: 1},
		"0 1 0.5 'third_house | price:.53 sqft:.32 age:.87 1924": {229902: .53, 162853: .32, 165201: .87, 1924: 1},
		"1 | myname:myvalue":                                     {112555: 1},
		"1 | 123456789 has_car |gender 男 |interest 篮球 |age 42":   {249109: 1, 36073: 1, 27805: 1, 61583: 1, 165243: 1},
	} {
		data, err := e.Encode(t.Context(), vwSource(line))
		if err != nil {
			t.Fatal(err)
		}
		got := map[int]float64{}
		for j, v := range data.X.Row(0) {
			got[j] = v
		}
		for j, v := range want {
			if got[j] != float64(float32(v)) {
				t.Errorf("%s: column %d holds %v, not %v", line, j, got[j], v)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %v, not %v", line, got, want)
		}
	}
	house := []string{"0 | price:.23", "1 2 'second_house | price:.18", "0 1 0.5 'third_house | price:.53"}
	data, err := e.Encode(t.Context(), vwSource(house...))
	if err != nil || !slices.Equal(data.Y, []float64{0, 1, 0}) || !slices.Equal(data.Weight, []float64{1, 2, 1}) || !slices.Equal(data.Offset, []float64{0, 0, 0.5}) {
		t.Errorf("labels %v, importance %v, base %v, %v", data.Y, data.Weight, data.Offset, err)
	}
	read := 0
	for rows, err := range e.Blocks(t.Context(), vwSource(house...), BlockOptions{Rows: 2, NoOffset: true}) {
		if err != nil || rows.Offset != nil || len(rows.Weight) != len(rows.Y) {
			t.Fatalf("without bases: %v, %v", rows, err)
		}
		read += len(rows.Y)
	}
	if read != len(house) {
		t.Errorf("%d lines were read without bases", read)
	}
	if data, err = e.Encode(t.Context(), vwSource(house[0], house[0])); err != nil || data.Weight != nil || data.Offset != nil {
		t.Errorf("without importance and base: %v, %v, %v", data.Weight, data.Offset, err)
	}
}

// plainVW reads a line by the words of Vowpal Wabbit's documentation: the label, importance, base and
// tag, and the sum of the values of each hash.
func plainVW(line string) (numbers []float64, tag string, sums map[uint32]float64) {
	head, rest, _ := strings.Cut(line, "|")
	words := strings.Fields(head)
	if n := len(words); n > 0 && (!strings.HasSuffix(head, " ") || words[n-1][0] == '\'') {
		tag, words = strings.TrimPrefix(words[n-1], "'"), words[:n-1]
	}
	for _, word := range words {
		v, _ := strconv.ParseFloat(word, 64)
		numbers = append(numbers, v)
	}
	digits := regexp.MustCompile(`^[0-9]+$`)
	hash := func(name string, seed uint32) uint32 {
		if digits.MatchString(name) {
			v, _ := strconv.ParseUint(name, 10, 64)
			return uint32(v) + seed
		}
		return murmur3([]byte(name), seed)
	}
	sums = map[uint32]float64{}
	for _, part := range strings.Split(rest, "|") {
		space, scale := uint32(0), 1.0
		words := strings.Fields(part)
		if part != "" && part[0] != ' ' {
			name, value, valued := strings.Cut(words[0], ":")
			if space = hash(name, 0); valued {
				scale, _ = strconv.ParseFloat(value, 64)
			}
			words = words[1:]
		}
		for _, word := range words {
			name, value, valued := strings.Cut(word, ":")
			place, v := hash(name, space), 1.0
			if valued {
				var err error
				if v, err = strconv.ParseFloat(value, 64); err != nil {
					place, v = hash(value, place), 1
				}
			}
			sums[place] += v * scale
		}
	}
	return numbers, tag, sums
}

// TestVWPlain compares lines at random with the plain definition.
func TestVWPlain(t *testing.T) {
	t.Parallel()
	const bits = 12
	e := vwEncoder(t, bits)
	random := rand.New(rand.NewPCG(7, 1))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	for range 3000 {
		line := pick("1", "-1", "0", "0.5", "+3e-2")
		if random.IntN(2) == 0 {
			line += pick(" ", "  ") + pick("1", "0", "2.5")
			if random.IntN(2) == 0 {
				line += " " + pick("0", "-0.75")
			}
		}
		line += pick(" ", " ", " 'tag ", " tag", "  'a'b", " '")
		for range random.IntN(4) {
			line += "|" + pick("", " ", "a", "space", "7", "a:2", "space:-0.5", "ä:0")
			for range random.IntN(6) {
				line += pick(" ", "  ") + pick("a", "b:2", "b:-1.5", "12", "12:3", "012", "city:paris", "city:1a", "x:0", "n:1e3", "名:2", "99999999999", "a=b", "4x:7", "-3", "1.5:2")
			}
			line += pick("", " ")
		}
		if !strings.Contains(line, "|") {
			line += "|"
		}
		numbers, _, sums := plainVW(line)
		data, err := e.Encode(t.Context(), vwSource(line))
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		want := map[int]float64{}
		for place, v := range sums {
			want[int(place&(1<<bits-1))] += v
		}
		row := map[int]float64{}
		for j, v := range data.X.Row(0) {
			row[j] = v
		}
		for j, v := range want {
			if float64(float32(v)) != row[j] {
				t.Fatalf("%q: column %d holds %v, not %v", line, j, row[j], v)
			}
			delete(row, j)
		}
		if len(row) > 0 {
			t.Fatalf("%q: %v is too many", line, row)
		}
		numbers = append(numbers, []float64{0, 1, 0}[len(numbers):]...)
		weight, offset := 1.0, 0.0
		if data.Weight != nil {
			weight = data.Weight[0]
		}
		if data.Offset != nil {
			offset = data.Offset[0]
		}
		if got := []float64{data.Y[0], weight, offset}; !slices.Equal(got, numbers) {
			t.Fatalf("%q: %v, not %v", line, got, numbers)
		}
	}
}

// TestVWRefuses: malformed lines say what is wrong, and at which byte.
func TestVWRefuses(t *testing.T) {
	t.Parallel()
	e := vwEncoder(t, 18)
	for line, says := range map[string]string{
		"1 a b":             "there is no |",
		"":                  "there is no |",
		"| a":               "no label",
		"1| a":              "no label (a word that touches the | is a tag",
		"'tag | a":          "no label",
		"spam | a":          `byte 1: the label "spam" is not a number`,
		"1 x | a":           `byte 3: the importance "x" is not a number`,
		"1 -2 | a":          "byte 3: the importance is -2",
		"1 1 y 'a | a":      `byte 5: the base "y" is not a number`,
		"1 1 1 1 | a":       "more than 3 words",
		"1 'tag 2 | a":      `byte 3: the importance "'tag" is not a number`,
		"nan | a":           "not a number",
		"1e999 | a":         "not a number",
		"1 | :2":            `byte 5: ":2": there is no name`,
		"1 | a b:":          `byte 7: "b:": there is no value`,
		"1 | a b:c:d":       `byte 7: "b:c:d": there are two colons`,
		"1 |s:x a":          `byte 6: the value "x" of a namespace`,
		"1 |:2 a":           `byte 4: ":2": there is no name`,
		"1 |s:1e300 a:1e99": `byte 12: "a:1e99" is too large`,
		"1 | a:1e300":       "too large",
	} {
		_, err := e.Encode(t.Context(), vwSource("1 | fine", line))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v; want %s", line, err, says)
		}
	}
	for _, line := range []string{"| a", "'tag |", "1 2 3 | a", "tag|s a"} {
		for rows, err := range e.Blocks(t.Context(), vwSource(line), BlockOptions{NoTarget: true}) {
			if err != nil || rows.Y[0] != 0 {
				t.Errorf("%q without a target: %v", line, err)
			}
		}
	}
}

// FuzzVW encodes any line, and compares it with the plain definition where it is one.
func FuzzVW(f *testing.F) {
	for _, line := range []string{"0 | price:.23 sqft:.25 age:.05 2006", "1 2 'second_house | price:.18", "1 1.0 zebra|MetricFeatures:3.28 height:1.5 length:2.0 |Says black with white stripes", "1 | city:paris a:b:c", "||| :", "\x00|\xff:1e308", "1e5 | \t a\t:"} {
		f.Add(line)
	}
	const bits = 6
	e := vwEncoder(f, bits)
	f.Fuzz(func(t *testing.T, line string) {
		text := append([]byte(line), make([]byte, pad)...)
		for _, bare := range []bool{false, true} {
			m := new(rowMaker)
			m.start(e, []int{0}, bare)
			b := &block{rows: 1, width: 1, text: text, at: []uint32{0, uint32(len(line))}, places: []uint32{0}}
			wrong := m.add(b, 0)
			if wrong == "" != (len(m.lengths) == 1) || len(m.columns) > 1<<bits || !slices.IsSorted(m.columns) {
				t.Fatalf("%q: %q, %v", line, wrong, m.columns)
			}
			if wrong != "" || bare || strings.ContainsAny(line, "\t\v\f\r\n\u0085\u00a0_") || strings.Contains(line, "\u3000") {
				continue
			}
			numbers, _, sums := plainVW(line)
			total, want := 0.0, 0.0
			for _, v := range m.values {
				total += v
			}
			for _, v := range sums {
				want += float64(float32(v))
			}
			if numbers[0] != m.labels[0] || len(sums) == 0 && total != 0 {
				t.Fatalf("%q: label %v, %v; %v, %v", line, m.labels[0], numbers, total, want)
			}
		}
		head, _, tag, bar := vwHead([]byte(line))
		if bar != strings.IndexByte(line, '|') || tag[0] > tag[1] || tag[1] > max(bar, 0) {
			t.Fatal(fmt.Sprint(line, head, tag, bar))
		}
	})
}
