package variants

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// otherProgram finds the command line of another program that rewrites the file.
var otherProgram = regexp.MustCompile(`iconv -f \S+ -t UTF-8 |jq -c |tr '\\r' '\\n'`)

var flagInText = regexp.MustCompile(`--([a-z][a-z0-9-]*)(?:[= ]([^\s,;:()]+|[,;]))?`)

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
