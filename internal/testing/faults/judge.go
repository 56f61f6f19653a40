package faults

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// patience is how long a run may take.
const patience = 60 * time.Second

// A Judge runs cases and judges them.
type Judge struct {
	dir  string
	kit  *kit
	refs map[string]*reference
}

// reference is what undisturbed runs make of the same inputs.
type reference struct {
	run     *Run
	changed string // the input that was changed before
	kind    Kind

	status         int
	calls          []Call
	stdout, stderr template
	files          map[string]*template
}

// NewJudge makes a judge that works in a folder.
func NewJudge(dir string) (*Judge, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	k, err := newKit(filepath.Join(dir, "kit"))
	return &Judge{dir, k, map[string]*reference{}}, err
}

// folder is where the runs are.
func (j *Judge) folder() string { return filepath.Join(j.dir, "run") }

func oldContent(name string) string { return "what " + name + " held before\n" }

// oldMode is not what the system gives to new files.
const oldMode = 0o640

// prepare makes the folder of a run anew.
func (j *Judge) prepare(r *Run, old bool) error {
	dir := j.folder()
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for _, name := range []string{inputs, outputs, temporary} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			return err
		}
	}
	for _, name := range r.files(inputs) {
		content, err := os.ReadFile(filepath.Join(j.kit.first, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, inputs, name), content, 0o666)
		}
		if err != nil {
			return err
		}
	}
	if old {
		for _, name := range r.files(outputs) {
			path := filepath.Join(dir, outputs, name)
			if err := os.WriteFile(path, []byte(oldContent(name)), oldMode); err != nil {
				return err
			}
			if err := os.Chmod(path, oldMode); err != nil {
				return err
			}
		}
	}
	return nil
}

// run executes the command in the folder of runs, and looks at what it leaves.
func (j *Judge) run(args []string, fault Fault) (*outcome, error) {
	o, err := execute(j.folder(), args, fault, func(name string, kind Kind) error { return j.kit.change(j.folder(), name, kind) })
	if err != nil {
		return nil, err
	}
	o.files = map[string]file{}
	for _, folder := range []string{outputs, temporary} {
		entries, err := os.ReadDir(filepath.Join(j.folder(), folder))
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			path := filepath.Join(j.folder(), folder, e.Name())
			info, err := os.Stat(path)
			if err != nil {
				return nil, err
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			name := e.Name()
			if folder == temporary {
				name = filepath.Join(folder, name)
			}
			o.files[name] = file{string(content), info.Mode().Perm()}
		}
	}
	return o, nil
}

// repeats is how often a run is made to find out which numbers are times. Some of them have few
// digits: more runs follow where an outcome differs.
const repeats = 3

// reference runs undisturbed, with an input changed before.
func (j *Judge) reference(r *Run, changed string, kind Kind) (*reference, error) {
	key := fmt.Sprintln(r.Name, changed, kind)
	if ref := j.refs[key]; ref != nil {
		return ref, nil
	}
	ref := &reference{run: r, changed: changed, kind: kind, files: map[string]*template{}}
	for range repeats {
		if err := j.learn(ref); err != nil {
			return nil, err
		}
	}
	j.refs[key] = ref
	return ref, nil
}

// learn makes the run of a reference once more.
func (j *Judge) learn(ref *reference) error {
	r := ref.run
	if err := j.prepare(r, false); err != nil {
		return err
	}
	if ref.kind != None {
		if err := j.kit.change(j.folder(), ref.changed, ref.kind); err != nil {
			return err
		}
	}
	o, err := j.run(r.Args, Fault{})
	if err != nil {
		return err
	}
	if o.status < 0 || ref.kind == None && o.status != 0 {
		return fmt.Errorf("%s: undisturbed, the exit status is %d: %s", r.Name, o.status, o.stderr)
	}
	ref.status, ref.calls = o.status, o.calls
	ref.stdout.learn(o.stdout)
	ref.stderr.learn(o.stderr)
	for name, file := range o.files {
		if ref.files[name] == nil {
			ref.files[name] = new(template)
		}
		ref.files[name].learn(file.content)
	}
	for _, name := range r.files(outputs) {
		if ref.kind == None && o.files[name].content == "" {
			return fmt.Errorf("%s: undisturbed, %s is not written", r.Name, name)
		}
	}
	return nil
}

// Judge runs a case, and says what is wrong with what it leaves, "" for nothing. hit tells whether
// the run came to the fault.
func (j *Judge) Judge(c Case) (wrong string, hit bool, err error) {
	first, err := j.reference(c.Run, "", None)
	if err != nil {
		return "", false, err
	}
	if err := j.prepare(c.Run, c.Old); err != nil {
		return "", false, err
	}
	o, err := j.run(c.Run.Args, c.Fault)
	if err != nil {
		return "", false, err
	}
	var resumed []string
	if err := j.resume(c, first, func(format string, args ...any) { resumed = append(resumed, fmt.Sprintf(format, args...)) }); err != nil {
		return "", false, err
	}
	right := []*reference{first}
	if slices.Contains(changes, c.Fault.Kind) && len(o.hit) > 0 {
		kind := c.Fault.Kind
		if kind == Dated || kind == Replaced {
			kind = Changed
		}
		second, err := j.reference(c.Run, strings.TrimPrefix(o.hit[0].Path, inputs+"/"), kind)
		if err != nil {
			return "", false, err
		}
		right = append(right, second)
	}
	list := judge(c, o, right)
	for more := 0; len(list) > 0 && more < 2*repeats; more++ {
		for _, ref := range right {
			if err := j.learn(ref); err != nil {
				return "", false, err
			}
		}
		list = judge(c, o, right)
	}
	list = append(list, resumed...)
	if len(list) > 0 {
		list = append(list, "hit "+fmt.Sprint(o.hit), strings.TrimSpace("stderr: "+cut(o.stderr)))
	}
	return strings.Join(list, "\n\t"), len(o.hit) > 0 || c.Fault.Kind == Limited, nil
}

func cut(text string) string {
	if len(text) > 1000 {
		return text[:1000] + " ..."
	}
	return text
}

// judge says what is wrong with an outcome, where the references are right.
func judge(c Case, o *outcome, right []*reference) (list []string) {
	bad := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	crash(o, bad)
	files(c, o, right, bad)
	if o.status == 0 {
		success(c, o, right, bad)
	} else {
		failure(c, o, right, bad)
	}
	return list
}

// crashed are the words of the runtime about a crash.
var crashed = regexp.MustCompile(`(?m)^panic:|^fatal error:|^goroutine \d+|runtime error:|SIG[A-Z]{3,}:`)

func crash(o *outcome, bad func(string, ...any)) {
	if o.hung {
		bad("did not end within %s", patience)
	}
	if o.status < 0 || crashed.MatchString(o.stderr) {
		bad("crashed, exit status %d", o.status)
	}
}

// files judges names: a file holds what it held before, or the whole new content, and nothing else
// is there.
func files(c Case, o *outcome, right []*reference, bad func(string, ...any)) {
	asked := c.Run.files(outputs)
	for _, name := range slices.Sorted(maps.Keys(o.files)) {
		file := o.files[name]
		switch {
		case !slices.Contains(asked, name):
			bad("%s is left", name)
		case c.Old && file.mode != oldMode:
			bad("%s has the permissions %o, not %o as before", name, file.mode, oldMode)
		}
		if !slices.Contains(asked, name) || c.Old && file.content == oldContent(name) || strings.HasSuffix(name, ".ckpt") {
			continue
		}
		if !slices.ContainsFunc(right, func(ref *reference) bool { return ref.has(name, file.content) }) {
			bad("%s holds neither what it held before nor what it should: %d bytes", name, len(file.content))
		}
	}
	for _, name := range asked {
		if _, there := o.files[name]; c.Old && !there {
			bad("%s is gone", name)
		}
	}
}

func (r *reference) has(name, content string) bool {
	t, is := r.files[name]
	return is && t.matches(content)
}

// success judges outputs together: all have to come from the same data.
func success(c Case, o *outcome, right []*reference, bad func(string, ...any)) {
	whole := slices.ContainsFunc(right, func(ref *reference) bool {
		for _, name := range c.Run.files(outputs) {
			if !strings.HasSuffix(name, ".ckpt") && !ref.has(name, o.files[name].content) {
				return false
			}
		}
		return ref.status == 0 && ref.stdout.matches(o.stdout)
	})
	if !whole {
		bad("exit status 0, and the output is not whole and right; it printed %q", cut(o.stdout))
	}
}

// failure judges the exit status and the message. A run on data that were bad before it began ends
// as it does undisturbed.
func failure(c Case, o *outcome, right []*reference, bad func(string, ...any)) {
	if slices.ContainsFunc(right, func(ref *reference) bool { return ref.status == o.status && ref.stderr.matches(o.stderr) }) {
		return
	}
	if o.status != 1 && o.status != 3 {
		bad("exit status %d, which has another meaning", o.status)
	}
	if len(o.hit) == 0 && c.Fault.Kind != Limited {
		bad("exit status %d, and nothing had happened", o.status)
	}
	if slices.Contains([]Kind{Again, Short}, c.Fault.Kind) {
		bad("%s is no failure", c.Fault.Kind)
	}
	subjects, spilled := map[string]bool{}, false
	for _, call := range o.hit {
		subjects[call.subject()] = true
		spilled = spilled || call.spills()
	}
	if c.Fault.Kind == Limited || spilled {
		for _, name := range append(c.Run.files(outputs), "standard output") {
			subjects[name] = true
		}
	}
	names := slices.Sorted(maps.Keys(subjects))
	if !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(o.stderr, name) }) {
		bad("the message does not name %v", names)
	}
	if slices.Contains(c.Run.Args, "--json") {
		if o.stdout != "" && !json.Valid([]byte(o.stdout)) && !right[0].stdout.begins(o.stdout) {
			bad("standard output is neither JSON nor the beginning of it")
		}
	} else if !slices.ContainsFunc(right, func(ref *reference) bool { return ref.stdout.begins(o.stdout) || ref.stdout.lacks(o.stdout) }) {
		bad("standard output holds other lines than it should: %q", cut(o.stdout))
	}
}

// resume goes on from the checkpoint that a run left.
func (j *Judge) resume(c Case, ref *reference, bad func(string, ...any)) error {
	if c.Run.resume == nil || slices.Contains(changes, c.Fault.Kind) {
		return nil
	}
	for _, name := range c.Run.files(outputs) {
		if !strings.HasSuffix(name, ".ckpt") {
			continue
		}
		content, err := os.ReadFile(filepath.Join(j.folder(), outputs, name))
		if os.IsNotExist(err) || string(content) == oldContent(name) {
			continue
		}
		o, err := j.run(c.Run.resume, Fault{})
		if err != nil {
			return err
		}
		for name, t := range ref.files {
			if !strings.HasSuffix(name, ".ckpt") && (o.status != 0 || !t.matches(o.files[name].content)) {
				bad("resumed, the exit status is %d, and %s is not what it should be: %s", o.status, name, o.stderr)
			}
		}
	}
	return nil
}
