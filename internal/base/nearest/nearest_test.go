package nearest

import (
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
	names := []string{"age", "income", "income-per-year", "Education", "sex", "sax", "six", "sux", "a1", "a2", "a3", "a4"}
	for typed, want := range map[string][]string{
		"incom": {"income", "income-per-year"}, "incme": {"income"}, "AGE": {"age"}, "education": {"Education"},
		"agee": {"age"}, "": nil, "zzz": nil, "sox": nil, "a": nil, "ncomee": {"income"}, "educatoin": {"Education"},
		"a very long name that is no column": nil, "x": nil,
	} {
		if got := Names(typed, names); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
	for pair, want := range map[[2]string]int{{"", ""}: 0, {"ab", "ba"}: 2, {"abc", "abd"}: 1, {"abc", "bc"}: 1, {"abc", "xabc"}: 1, {"a", "abcde"}: 3} {
		if got := distance(pair[0], pair[1]); got != want {
			t.Errorf("%q: %d, want %d", pair, got, want)
		}
	}
}

func TestSuggest(t *testing.T) {
	names := []string{"lambda", "lambdas", "l1", "C", "class-weight", "classes", "cv", "checkpoint", "sgd", "sarah"}
	for typed, want := range map[string]string{
		"lamda": "; did you mean lambda?", "LAMBDA": "; did you mean lambda?", "lambd": "; did you mean lambda or lambdas?",
		"l2": "; did you mean l1?", "c": "; did you mean C?", "class_weights": "; did you mean class-weight?", "cl": "; did you mean class-weight or classes?",
		"saga": "; did you mean sgd or sarah?",
		"":     "", "x": "", "k3": "", "alpha": "", "nothing": "",
	} {
		if got := Suggest(typed, "", names); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
	if got := Suggest("c", "", []string{"cv", "class", "check", "cut"}); got != "" {
		t.Errorf("four names are suggested: %s", got)
	}
}
