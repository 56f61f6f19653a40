package main

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// mostWords is the number of words above which a sentence is long.
const mostWords = 25

var (
	nounless = regexp.MustCompile(`(?i)\b(those of|that of|those that|so many|(there is|there are) none|is none|are none)\b`)
	// sentence matches the end of a sentence: not the stop of an abbreviation or a number.
	sentence = regexp.MustCompile(`[.!?:;][)"”]*(\s+|$)`)
	word     = regexp.MustCompile(`[\p{L}\p{N}]`)
	code     = regexp.MustCompile("(?s)```.*?```|<!--.*?-->|\\$\\$.*?\\$\\$")
)

// words counts sentences that a reader has to read twice.
type words struct {
	comments, nounless, long int
	page                     []int // words of every sentence of docs/*.md
	places                   []string
}

// source counts the comments of a file of code.
func (w *words) source(name, text string) {
	for _, c := range comments(name, text) {
		w.comments++
		if nounless.MatchString(c) {
			w.nounless++
			w.places = append(w.places, name+": "+c)
		}
		if slices.ContainsFunc(lengths(c), func(n int) bool { return n > mostWords }) {
			w.long++
		}
	}
}

// markdown counts the sentences of a page, without code, tables and headings.
func (w *words) markdown(text string) {
	for paragraph := range strings.SplitSeq(code.ReplaceAllString(text, "\n\n"), "\n\n") {
		var lines []string
		for line := range strings.Lines(paragraph) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "![") {
				lines = append(lines, strings.TrimLeft(line, "-*> "))
			}
		}
		w.page = append(w.page, lengths(strings.Join(lines, " "))...)
	}
}

// median returns the median number of words of a sentence in docs/*.md.
func (w *words) median() int {
	if len(w.page) == 0 {
		return 0
	}
	slices.Sort(w.page)
	return w.page[len(w.page)/2]
}

// comments returns the comments of a file: neighbouring lines of comment are one, and so is
// a comment behind code. Code in comments is left out.
func comments(name, text string) []string {
	mark := "//"
	if ext := path.Ext(name); ext == ".py" || ext == ".sh" {
		mark = "#"
	}
	var list []string
	open := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		before, comment, found := strings.Cut(line, mark)
		switch {
		case !found || before != "" && strings.Count(before, `"`)%2 == 1:
			open = false
			continue
		case path.Ext(name) == ".go" && before == "" && strings.HasPrefix(comment, "\t"):
			continue
		case open && before == "" && strings.TrimSpace(comment) != "":
			list[len(list)-1] += " " + strings.TrimSpace(comment)
		case strings.TrimSpace(comment) != "" && !strings.HasPrefix(comment, "go:"):
			list = append(list, strings.TrimSpace(comment))
		}
		open = before == "" && strings.TrimSpace(comment) != ""
	}
	return list
}

// lengths returns the number of words of every sentence of a text.
func lengths(text string) []int {
	var list []int
	for s := range slices.Values(sentence.Split(text, -1)) {
		n := 0
		for field := range strings.FieldsSeq(s) {
			if word.MatchString(field) {
				n++
			}
		}
		if n > 0 {
			list = append(list, n)
		}
	}
	return list
}
