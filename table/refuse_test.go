package table

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
)

// padded returns a cell with the bytes that can be read behind it.
func padded(cell string) []byte { return append([]byte(cell), make([]byte, pad)...)[:len(cell)] }

func TestRefusals(t *testing.T) {
	none := newMissing([]string{"", "?"})
	later := (&Recipe{Version: 2, Missing: []string{"9"}}).missing()
	for _, c := range []struct {
		kind  Kind
		cell  string
		words bool
		want  string
	}{
		{Target, "NA", true, ""}, {Target, "NA", false, "the target is missing"}, {Target, "9.0", true, ""}, {Target, "9.0", false, "the target is missing"},
		{Target, "8", false, ""}, {Target, "x", false, ""}, {Target, "inf", false, ""}, {Target, " ", true, ""}, {Target, " ", false, "the target is missing"}, {Target, "9", true, "the target is missing"},
		{Weight, "n/a", false, "the weight is missing"}, {Weight, "9", false, "the weight is missing"}, {Offset, "-", false, "the offset is missing"}, {Weight, "-0", false, ""},
	} {
		if got := refusal(c.kind, padded(c.cell), nil, c.words, &later); got != c.want {
			t.Errorf("%s %q, words %t: %q, want %q", c.kind, c.cell, c.words, got, c.want)
		}
	}
	long := strings.Repeat("x", 39)
	for cell, want := range map[string]string{"a\"": `"a\""`, long + "y": `"` + long + `y"`, long + "yz": `"` + long + `y"...`, long + "é": `"` + long + `"...`} {
		if got := quoted([]byte(cell)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for _, c := range []struct {
		kind Kind
		cell string
		want string
	}{
		{Target, "a", ""}, {Target, "?", "the target is missing"},
		{Weight, "0", ""}, {Weight, "1.5", ""}, {Weight, "", "the weight is missing"},
		{Weight, "-1", `the weight "-1" is negative`}, {Weight, "inf", `the weight "inf" is not a number`},
		{Offset, "-1", ""}, {Offset, "?", "the offset is missing"}, {Offset, "x", `the offset "x" is not a number`},
		{Number, "1", ""}, {Number, "?", ""}, {Number, "x", ""},
		{Time, "2020-01-01", ""}, {Time, "1e9", ""}, {Time, "", ""}, {Time, "1 May", ""},
		{Category, "", ""}, {Text, "", ""}, {Group, "", ""},
	} {
		if got := refusal(c.kind, padded(c.cell), nil, true, &none); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.kind, c.cell, got, c.want)
		}
	}
}

func TestUnixTimesHaveUnitsBySize(t *testing.T) {
	for cell, want := range map[string]string{
		"0": "1970-01-01 00:00:00", "1510047015": "2017-11-07 09:30:15", "1510047015000": "2017-11-07 09:30:15",
		"1510047015000000": "2017-11-07 09:30:15", "1510047015000000000": "2017-11-07 09:30:15", "-86399": "1969-12-31 00:00:01",
	} {
		got, ok := unixCell(padded(cell), false)
		like, _ := timeOf([]byte(want))
		if !ok || got != like {
			t.Errorf("%s: %v, want %v", cell, got, like)
		}
	}
	if _, ok := unixCell(padded("1e20"), false); ok {
		t.Error("1e20 is a time")
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		at := time.Unix(random.Int64N(1e11)-2e10, 0).UTC()
		if at.Year() < 1 || at.Year() > 9999 {
			continue
		}
		got, ok := unixCell(padded(strconv.FormatInt(at.Unix(), 10)), false)
		if like, _ := timeOf([]byte(at.Format(time.DateTime))); !ok || got != like {
			t.Fatalf("%s: %v, want %v", at, got, like)
		}
	}
}
