package main

import "testing"

func TestReplaced(t *testing.T) {
	page := "# Results\n\n<!-- begin a -->\nold\n<!-- end a -->\n\n<!-- begin b -->\nkept\n<!-- end b -->\n"
	got := replaced(page, "a", "new\n")
	if want := "# Results\n\n<!-- begin a -->\nnew\n<!-- end a -->\n\n<!-- begin b -->\nkept\n<!-- end b -->\n"; got != want {
		t.Errorf("%q", got)
	}
	if again := replaced(got, "a", "new\n"); again != got {
		t.Errorf("a second time: %q", again)
	}
	if added := replaced(page, "c", "more\n"); added != page+"\n<!-- begin c -->\nmore\n<!-- end c -->\n" {
		t.Errorf("%q", added)
	}
}
