package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// crossedRows is the number of rows of a crossed table.
const crossedRows = 37

// crossedColumn is a column as the file holds it, and as it is meant: plain decimals, words or ISO
// times, "" for a missing value.
type crossedColumn struct {
	name        string
	cells, mean []string
	numeric     bool // JSON and Parquet hold numbers
}

// crossedTable is a table of the levels of a case.
type crossedTable struct {
	level      map[string]string
	columns    []crossedColumn
	flags      []string // of info, train and convert
	target     []string // flags of train alone
	regression bool
	random     uint64
}

// next returns a random whole number below n.
func (c *crossedTable) next(n int) int {
	c.random = c.random*6364136223846793005 + 1442695040888963407
	return int(c.random >> 33 % uint64(n))
}

func (c *crossedTable) add(name string, numeric bool, cell func(i int) (cell, mean string)) *crossedColumn {
	column := crossedColumn{name: name, numeric: numeric}
	for i := range crossedRows {
		text, mean := cell(i)
		column.cells, column.mean = append(column.cells, text), append(column.mean, mean)
	}
	c.columns = append(c.columns, column)
	return &c.columns[len(c.columns)-1]
}

// say adds a flag that names a column, with what comes behind its name.
func (c *crossedTable) say(flag, column, behind string) {
	c.flags = append(c.flags, flag, c.called(column)+behind)
}

// called is the name by which the command knows a column.
func (c *crossedTable) called(column string) string {
	if c.level["head"] != "headless" || c.typed() {
		return column
	}
	k := slices.IndexFunc(c.columns, func(o crossedColumn) bool { return o.name == column })
	return strconv.Itoa(k + 1)
}

// typed tells whether the file has types of its own.
func (c *crossedTable) typed() bool {
	return c.level["form"] == "jsonl" || c.level["form"] == "parquet"
}

func grouped(v float64, places int, thousands, decimal string) string {
	text := strconv.FormatFloat(v, 'f', places, 64)
	whole, rest, _ := strings.Cut(text, ".")
	if len(whole) > 3 {
		whole = whole[:len(whole)-3] + thousands + whole[len(whole)-3:]
	}
	if places == 0 {
		return whole
	}
	return whole + decimal + rest
}

// amounts adds the column amount.
func (c *crossedTable) amounts() {
	level := c.level["amount"]
	if c.typed() && slices.Contains([]string{"comma", "thousands", "points", "dollar", "euro", "percent", "spaces", "either", "named"}, level) {
		level, c.level["amount"] = "plain", "plain"
	}
	numeric := level != "codes" && level != "long"
	column := c.add("amount", numeric, func(i int) (string, string) {
		v := float64(c.next(90000)+1000) / 10
		plain := strconv.FormatFloat(v, 'f', 1, 64)
		switch level {
		case "comma":
			return strings.ReplaceAll(plain, ".", ","), plain
		case "thousands":
			return grouped(v, 1, ",", "."), plain
		case "points":
			return grouped(v, 2, ".", ","), plain
		case "dollar":
			return "$" + grouped(v, 2, ",", "."), plain
		case "euro":
			return grouped(v, 2, ".", ",") + " EUR", plain
		case "percent":
			plain = strconv.Itoa(c.next(100))
			return plain + "%", plain
		case "spaces":
			return grouped(v, 1, " ", ","), plain
		case "either": // thousands or decimals
			n := 1000 + c.next(9000)
			return grouped(float64(n), 0, ",", ""), strconv.Itoa(n)
		case "named":
			n := 1000 + c.next(9000)
			return grouped(float64(n), 0, ",", ""), fmt.Sprintf("%d.%03d", n/1000, n%1000)
		case "whole":
			plain = strconv.Itoa(1 + c.next(7))
		case "codes":
			plain = "00" + strconv.Itoa(1+c.next(7))
		case "long":
			plain = "900719925474099" + strconv.Itoa(1+c.next(7))
		}
		return plain, plain
	})
	if level == "named" {
		c.say("--decimal", "amount", "=,")
	}
	// Cells that are no numbers: the first stands in row 5.
	stray := map[string][]string{
		"word": {"bad"}, "words": {"bad", "worse", "worst"}, "same": {"bad", "bad", "bad", "bad"}, "missing": {"NA", "null", "-", "?"},
		"infinite": {"inf", "-Infinity"}, "empty": {"", ""}, "asked": {"-200", "-200.0", "gone"},
	}[c.level["stray"]]
	if !numeric && c.level["stray"] != "empty" {
		stray, c.level["stray"] = nil, "none"
	}
	for k, word := range stray {
		column.cells[5+4*k], column.mean[5+4*k] = word, ""
	}
	if c.level["stray"] == "asked" {
		c.flags = append(c.flags, "--missing", "-200,gone")
	}
}

// kinds adds the column kind, a category.
func (c *crossedTable) kinds() {
	level := c.level["kind"]
	words := map[string][]string{
		"plain": {"Oslo", "Rome", "Lima"}, "empty": {"Oslo", "", "Lima"}, "NA": {"NA", "ZA", "BW"}, "accents": {"Zürich", "Genève", "Köln"},
		"marked": {"Rome, IT", "Bonn; DE", `"Oslo"`}, "codes": {"01", "02", "10"}, "whole": {"1", "2", "10"}, "truth": {"true", "false", "true"}, "blanks": {" Oslo", "Rome ", "New York"},
	}[level]
	c.add("kind", level == "whole", func(i int) (string, string) {
		word := words[(i+c.next(3))%3]
		if level == "blanks" && !c.typed() && c.level["head"] != "quoted" {
			return word, strings.TrimSpace(word)
		}
		return word, word
	})
	if level == "whole" {
		c.say("--category", "kind", "")
	}
}

// whens adds the column when, of times.
func (c *crossedTable) whens() {
	level := c.level["when"]
	if level == "none" {
		return
	}
	layout := map[string]string{"iso": "2006-01-02", "zone": "2006-01-02T15:04:05+02:00", "points": "02.01.2006 15:04", "either": "1/2/2006", "asked": "20060102", "format": "02|01|06", "month": "2-Jan-06", "stray": "2006-01-02"}[level]
	column := c.add("when", level == "asked" || level == "unix", func(i int) (string, string) {
		at := time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(c.next(900*24)) * time.Hour)
		switch level {
		case "iso", "asked", "format", "month", "stray":
			at = at.Truncate(24 * time.Hour)
		case "either":
			at = time.Date(2015, time.Month(1+c.next(12)), 1+c.next(12), 0, 0, 0, 0, time.UTC)
		case "unix":
			return strconv.FormatInt(at.Unix(), 10), at.Format("2006-01-02T15:04:05Z")
		case "zone":
			text := at.Format("2006-01-02T15:04:05") + "+02:00" // the hour of the zone
			return text, text
		}
		return at.Format(layout), at.Format("2006-01-02T15:04:05Z")
	})
	switch level {
	case "asked", "unix":
		c.say("--times", "when", "")
	case "format":
		c.say("--times", "when", "=%d|%m|%y")
	case "stray":
		column.cells[7], column.mean[7] = "soon", ""
	}
}

// extras adds a column that is left out, or of which something is said.
func (c *crossedTable) extras() {
	cell := map[string]func(i int) string{
		"constant": func(int) string { return "7" },
		"id":       func(i int) string { return fmt.Sprintf("p%02d", i*29%37) },
		"counter":  func(i int) string { return strconv.Itoa(i + 1) },
		"twin":     func(i int) string { return strconv.Itoa(i * i % 11) },
		"near":     func(i int) string { return strconv.Itoa(i * i % 11) },
		"void":     func(int) string { return "" },
		"text": func(i int) string {
			return strings.Join([]string{[]string{"late", "early"}[i%2], "parcels came", strconv.Itoa(i) + "th", "in the street of", []string{"roses", "lilies", "oaks"}[i%3]}, " ")
		},
		"ignored": func(i int) string { return strconv.Itoa(i % 4) },
	}[c.level["extra"]]
	if cell == nil {
		return
	}
	name := "extra"
	switch c.level["extra"] {
	case "twin":
		if name = "z"; c.typed() {
			name = "z.1"
		}
	case "near":
		name = "Z"
	}
	c.add(name, c.level["extra"] != "id" && c.level["extra"] != "text" && c.level["extra"] != "void", func(i int) (string, string) { return cell(i), cell(i) })
	if c.level["extra"] == "ignored" {
		c.say("--ignore", "extra", "")
	}
}

// roles adds a column that is not learned from.
func (c *crossedTable) roles() {
	switch role := c.level["role"]; role {
	case "weight", "offset", "group", "id":
		c.add(role, role != "id", func(i int) (string, string) {
			text := map[string]string{"weight": strconv.Itoa(1 + i%3), "offset": []string{"0.5", "-0.25"}[i%2], "group": strconv.Itoa(i / 3), "id": fmt.Sprintf("row%d", i)}[role]
			return text, text
		})
		c.say("--"+role, role, "")
	}
}

// targets adds the column y, with a score that the columns tell in part.
func (c *crossedTable) targets() {
	level := c.level["target"]
	z := c.columns[slices.IndexFunc(c.columns, func(o crossedColumn) bool { return o.name == "z" })]
	var labels []string
	column := c.add("y", level != "words" && level != "three", func(i int) (string, string) {
		score, _ := strconv.ParseFloat(z.mean[i], 64)
		score += float64(c.next(21) - 10)
		one := 0
		if score > 0 {
			one = 1
		}
		third := min(2, max(0, int(score+12)/8))
		labels = map[string][]string{"words": {"no", "yes"}, "signs": {"-1", "1"}, "three": {"low", "mid", "top"}, "counts": {"1", "2", "3"}}[level]
		switch level {
		case "words", "signs":
			return labels[one], labels[one]
		case "three", "counts":
			return labels[third], labels[third]
		case "rare":
			return strconv.Itoa(max(0, 1-i%9)), strconv.Itoa(max(0, 1-i%9))
		case "points":
			return []string{"0", "1.0"}[one], strconv.Itoa(one)
		case "number":
			return strconv.FormatFloat(score/2, 'f', 1, 64), strconv.FormatFloat(score/2, 'f', 1, 64)
		case "decimals":
			plain := strconv.FormatFloat(score/4, 'f', 2, 64)
			if c.typed() {
				return plain, plain
			}
			return strings.ReplaceAll(plain, ".", ","), plain
		}
		return strconv.Itoa(one), strconv.Itoa(one)
	})
	c.regression = level == "number" || level == "decimals"
	if c.level["missing"] == "target" {
		for _, i := range []int{3, 11} {
			column.cells[i], column.mean[i] = "", ""
		}
	}
	switch {
	case c.regression:
		c.target = append(c.target, "--loss", "squared")
	case level == "three", level == "counts":
		c.target = append(c.target, "--multiclass")
		if c.level["multiclass"] == "softmax" {
			c.target[len(c.target)-1] += "=softmax"
		}
	case c.level["positive"] == "other":
		c.target = append(c.target, "--positive", column.mean[slices.IndexFunc(column.mean, func(s string) bool { return s != "" && s != labels1(level) })])
	}
	c.say("--target", "y", "")
}

// labels1 is the positive label of two where no flag names one.
func labels1(level string) string {
	if level == "words" {
		return "yes"
	}
	return "1"
}

// makeCrossed makes the table of a case, with its flags.
func makeCrossed(level map[string]string, seed uint64) *crossedTable {
	c := &crossedTable{level: level, random: seed}
	c.amounts()
	c.kinds()
	c.whens()
	c.add("z", true, func(i int) (string, string) {
		v := strconv.Itoa(c.next(19) - 9)
		return v, v
	})
	c.extras()
	c.roles()
	c.targets()
	switch level["extra"] {
	case "leak": // it tells the target
		y := c.columns[len(c.columns)-1]
		c.add("told", c.regression, func(i int) (string, string) {
			if v, err := strconv.ParseFloat(y.mean[i], 64); err == nil && c.regression {
				return strconv.FormatFloat(3*v+1, 'f', -1, 64), strconv.FormatFloat(3*v+1, 'f', -1, 64)
			}
			word := "a" + y.mean[i]
			return word, word
		})
	case "double": // it is a sum of others
		k := slices.IndexFunc(c.columns, func(o crossedColumn) bool { return o.name == "z" })
		c.add("double", true, func(i int) (string, string) {
			v, _ := strconv.Atoi(c.columns[k].mean[i])
			return strconv.Itoa(3 - 2*v), strconv.Itoa(3 - 2*v)
		})
	}
	switch level["learn"] {
	case "number":
		if level["amount"] == "codes" || level["amount"] == "long" {
			c.say("--number", "amount", "")
			for i, cell := range c.columns[0].mean {
				c.columns[0].mean[i] = strings.TrimLeft(cell, "0")
			}
		}
	case "bins":
		c.flags = append(c.flags, "--bins", "3")
	case "minmax":
		c.flags = append(c.flags, "--scale", "minmax")
	case "pool":
		c.flags = append(c.flags, "--min-count", "14")
	case "cross":
		c.flags = append(c.flags, "--cross", c.called("kind")+"*"+c.called("z"), "--hash", "6")
	case "category":
		c.say("--category", "z", "")
	}
	if level["encoding"] == "latin1" && !(level["form"] == "parquet") {
		c.flags = append(c.flags, "--encoding", "latin1")
	}
	return c
}
