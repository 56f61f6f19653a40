package console

import "testing"

// TestOfCommand: messages of the command name flags, and no fields of Go.
func TestOfCommand(t *testing.T) {
	for text, want := range map[string]string{
		"read quotes as ordinary characters by --quotes=false (Options.Quotes)":                 "read quotes as ordinary characters by --quotes=false",
		"name a file with a label for each row (ReadOptions.Labels / --labels FILE), or":        "name a file with a label for each row (--labels FILE), or",
		"vocabularies may take 1 GB (Wanted.MaxMemory); hash them with --hash 22 (Wanted.Hash)": "vocabularies may take 1 GB; hash them with --hash 22",
		"a file (options.csv) has 3 (Options) rows":                                             "a file (options.csv) has 3 (Options) rows",
	} {
		if got := ofCommand(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
