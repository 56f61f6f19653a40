package variants

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// otherProgram finds the command line of another program that rewrites the file.
var otherProgram = regexp.MustCompile(`iconv -f \S+ -t UTF-8 |jq -c |tr '\\r' '\\n'`)

var flagInText = regexp.MustCompile(`(?:^|[ (])--([a-z][a-z0-9-]*)(?:[= ]('[^']*'|[^\s,;:()]+|[,;]))?`)

// refusal judges an error on a file that could have been read: some flag that the message names
// must lead to the right reading.
func (j *judge) refusal(o outcome) Result {
	seen := o.step + ": " + o.message
	honest := func(o outcome) bool {
		return j.c.Else != nil && hasAll(o.message, j.c.Else) || otherProgram.MatchString(o.message)
	}
	if honest(o) {
		return Result{Refused, "the clean reading", seen}
	}
	var tried []string
	for _, flags := range j.waysOut(o.message) {
		c := j.c
		if o.step == "predict" {
			c.NewFlags = slices.Concat(c.NewFlags, flags)
		} else {
			c.Flags = slices.Concat(c.Flags, flags)
		}
		again := c.read(j.run, j.dir)
		shown := strings.Join(flags, " ")
		if again.step != "" && honest(again) {
			return Result{Refused, "the clean reading", seen + " (" + shown + ": " + again.message + ")"}
		}
		if again.step != "" {
			tried = append(tried, shown+" is refused by "+again.step)
			continue
		}
		differences := j.differences(again)
		if len(differences) == 0 || j.telling(again, differences) != nil {
			return Result{Refused, "the clean reading", seen + " (" + shown + " helps)"}
		}
		tried = append(tried, shown+": "+differences[0].text)
	}
	return Result{Helpless, "an error with a flag that helps", fmt.Sprintf("%s (tried: %s)", seen, strings.Join(tried, "; "))}
}

// againstOther finds errors that name another flag of the case, which the new flag is given in place of.
var againstOther = regexp.MustCompile("names this column too: name it once|--target .* say --header")

// deadEnd judges the flags that grave notes of train name: train takes each with its value, and does not
// repeat the note.
func (j *judge) deadEnd(said []note) *Result {
	for _, n := range graveOnly(said) {
		for _, found := range flagInText.FindAllStringSubmatch(n.Text, -1) {
			value := strings.Trim(found[2], "'")
			if value == strings.ToUpper(value) && strings.ToLower(value) != value && value != n.Column { // as COLUMNS: the reader's choice
				continue
			}
			flag := "--" + found[1]
			if found[2] != "" && !strings.HasSuffix(flag, "header") {
				flag += "=" + value
			}
			c := j.c
			c.Flags = append(slices.Clone(c.Flags), flag)
			var o outcome
			if !c.call(j.dir).train(j.run, &o, filepath.Join(j.dir, "other-model")) && !againstOther.MatchString(o.message) {
				return &Result{Helpless, "a note names a flag that is taken", n.Text + " (" + flag + ": " + o.message + ")"}
			}
			if slices.Contains(o.said, n) {
				return &Result{Helpless, "a note names a flag that changes something", n.Text + " (after " + flag + ")"}
			}
		}
	}
	return nil
}

// waysOut returns the flags that a message names, with values that a person would give: one by
// one, then all together.
func (j *judge) waysOut(message string) [][]string {
	var each [][]string
	var all []string
	seen := map[string]bool{"target": true, "help": true}
	for _, found := range flagInText.FindAllStringSubmatch(message, -1) {
		name, next := found[1], strings.Trim(found[2], `".'`)
		if seen[name+" "+next] || seen[name] {
			continue
		}
		seen[name+" "+next] = true
		values := slices.Concat(j.c.Answers["--"+name], []string{next})
		if len(values) == 1 {
			values = []string{"", next}
		}
		for k, value := range values {
			flag := "--" + name
			if value != "" {
				flag += "=" + value
			} else if k > 0 {
				continue
			}
			each = append(each, []string{flag})
			if k == len(values)-1 || values[len(values)-1] == "" {
				all = append(all, flag)
			}
		}
	}
	if len(all) > 1 {
		each = append(each, all)
	}
	return each
}
