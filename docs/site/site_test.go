package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinks holds every relative link of the repository's pages.
func TestLinks(t *testing.T) {
	if err := build("../..", "", ""); err != nil {
		t.Fatal(err)
	}
}

// TestEveryPageIsListed finds Markdown files of docs that no chapter names.
func TestEveryPageIsListed(t *testing.T) {
	listed := map[string]bool{}
	for _, c := range contents {
		for _, f := range c.files {
			listed[f] = true
		}
	}
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md", "*.md"} {
		files, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			rel, err := filepath.Rel("../..", f)
			if err != nil {
				t.Fatal(err)
			}
			if !listed[filepath.ToSlash(rel)] {
				t.Errorf("%s is on no page of the site: name it in contents.go", rel)
			}
		}
	}
}

// TestBrokenLinksAreFound builds a small site whose links lead nowhere.
func TestBrokenLinksAreFound(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"README.md": "# One\n\n## Two words\n\n[a](b.md#here) [b](b.md#gone) [c](c.md) [d](#two-words) [e](sub) [f](x.txt) [g](https://example.org/none)\n",
		"b.md":      "# B\n\n### Here\n\n![p](p.png) [up](../out.md)\n",
		"x.txt":     "x",
		"sub/y.txt": "y",
	} {
		if err := put(root, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	s := &site{root: root}
	if err := s.add(chapter{"All", []string{"README.md", "b.md"}}); err != nil {
		t.Fatal(err)
	}
	wrong := strings.Join(s.check(), "\n")
	for _, want := range []string{"b.md has no heading #gone", "no file c.md", "sub\" is a directory", "no file p.png", "no file ../out.md"} {
		if !strings.Contains(wrong, want) {
			t.Errorf("no message with %q in:\n%s", want, wrong)
		}
	}
	if n := strings.Count(wrong, "\n") + 1; n != 5 {
		t.Errorf("%d messages for 5 broken links:\n%s", n, wrong)
	}
}

// TestWrittenSite reads the pages that a build writes.
func TestWrittenSite(t *testing.T) {
	out := t.TempDir()
	if err := build("../..", out, ""); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<title>lanes - lanes</title>", `href="docs/tutorials/from-liblinear.html"`, `href="docs/certificates.html"`, `src="docs/clicks.png"`} {
		if !strings.Contains(string(index), want) {
			t.Errorf("index.html lacks %s", want)
		}
	}
	deep, err := os.ReadFile(filepath.Join(out, "docs/tutorials/service.html"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(deep), `href="../../style.css"`) || !strings.Contains(string(deep), `href="../../capi/lanes.h"`) {
		t.Error("service.html does not link upwards")
	}
	if _, err := os.Stat(filepath.Join(out, "docs/clicks.png")); err != nil {
		t.Error(err)
	}
}
