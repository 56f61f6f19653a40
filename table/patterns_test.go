package table

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestMatches compares with regular expressions, for all patterns and names of a few letters.
func TestMatches(t *testing.T) {
	var texts func(letters string, n int) []string
	texts = func(letters string, n int) []string {
		if n == 0 {
			return []string{""}
		}
		list := []string{""}
		for _, rest := range texts(letters, n-1) {
			for _, c := range letters {
				list = append(list, string(c)+rest)
			}
		}
		return list
	}
	names := texts("ab", 5)
	for _, pattern := range texts("ab*", 4) {
		want := regexp.MustCompile("^" + strings.ReplaceAll(pattern, "*", ".*") + "$")
		for _, name := range names {
			if Matches(pattern, name) != want.MatchString(name) {
				t.Fatalf("%q matches %q: %t", pattern, name, Matches(pattern, name))
			}
		}
	}
}

func TestExpand(t *testing.T) {
	names := []string{"y", "price_old", "price_new", "when_a", "when_b", "x*", "xy"}
	numbers, texts, times := []string{"price*", "none*"}, []string{"*_new", "x*"}, []string{"when*=dmy", "when_b=ymd"}
	Expand(names, []string{"y"}, &numbers, &texts, &times)
	for _, c := range []struct{ got, want []string }{
		{numbers, []string{"price_old", "price_new", "none*"}}, {texts, []string{"price_new", "x*"}},
		{times, []string{"when_a=dmy", "when_b=ymd"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%q, not %q", c.got, c.want)
		}
	}
	all := []string{"*"}
	Expand(names, []string{"y", "xy"}, &all)
	if want := []string{"price_old", "price_new", "when_a", "when_b", "x*"}; !slices.Equal(all, want) {
		t.Errorf("%q, not %q", all, want)
	}
}
