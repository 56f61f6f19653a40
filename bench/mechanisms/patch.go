package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The switch of a mechanism lives in the environment. So the patched packages and this command,
// which is built in both trees, need not import one another.
const (
	off = "LANES_MECHANISM_OFF" // the mechanism that is switched off
	met = "LANES_MECHANISMS_MET"
)

// switchSource is the package that patched files import.
const switchSource = `package mechanism

import (
	"os"
	"strings"
	"sync"
)

var meeting sync.Mutex

// On notes that the condition of a mechanism was true, and returns it unless the mechanism is off.
func On(name string, condition bool) bool {
	if !condition {
		return false
	}
	meeting.Lock()
	defer meeting.Unlock()
	if list := os.Getenv("` + met + `"); !strings.Contains(list, "|"+name+"|") {
		os.Setenv("` + met + `", list+"|"+name+"|")
	}
	return os.Getenv("` + off + `") != name
}
`

// patch copies the files that git does not ignore from one tree to another. Every mechanism gets
// a switch.
func patch(from, to string) error {
	names, err := exec.Command("git", "-C", from, "ls-files", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for _, name := range strings.Fields(string(names)) {
		text, err := os.ReadFile(filepath.Join(from, name))
		if os.IsNotExist(err) {
			continue // removed, not committed yet
		}
		if err != nil {
			return err
		}
		if err := write(filepath.Join(to, name), string(text)); err != nil {
			return err
		}
	}
	if err := write(filepath.Join(to, "internal/mechanism/mechanism.go"), switchSource); err != nil {
		return err
	}
	for _, m := range mechanisms {
		for _, e := range m.edits {
			path := filepath.Join(to, e.file)
			text, err := os.ReadFile(path)
			if err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			edited, err := m.edit(string(text), e)
			if err != nil {
				return err
			}
			if err := write(path, edited); err != nil {
				return err
			}
		}
	}
	return nil
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// edit puts the switch of a mechanism into the text of a file, and the import that it needs.
func (m *mechanism) edit(text string, e edit) (string, error) {
	if count := strings.Count(text, e.old); count != 1 {
		return "", fmt.Errorf("%s: %s has %q %d times, not once: mend the list of mechanisms", m.name, e.file, e.old, count)
	}
	text = strings.Replace(text, e.old, strings.ReplaceAll(e.new, "ON(", fmt.Sprintf("mechanism.On(%q, ", m.name)), 1)
	const line = "import \"github.com/lanes-go/lanes/internal/mechanism\"\n"
	if strings.Contains(text, line) {
		return text, nil
	}
	at := strings.Index(text, "\npackage ") + 1
	if strings.HasPrefix(text, "package ") {
		at = 0
	}
	end := at + strings.Index(text[at:], "\n") + 1
	return text[:end] + "\n" + line + text[end:], nil
}
