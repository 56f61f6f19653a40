// Command release does with a checkout what a release does, before there is one.
//
//	release check ROOT VERSION        installs, imports and runs it as a stranger would.
//	release dist ROOT VERSION FOLDER  builds archives for all systems, with checksums.
//	release notices ROOT              writes NOTICES, the licences of all that is linked.
//
// The first two pack the last commit of ROOT into a folder that the go command takes for a module proxy.
// So they try and ship what a user gets by VERSION.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

const modulePath = "github.com/lanes-go/lanes"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "notices":
		text, err := notices(args[1])
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(args[1], "NOTICES"), []byte(text), 0o666)
	case len(args) == 3 && args[0] == "check":
		return packed(args[1], args[2], check)
	case len(args) == 4 && args[0] == "dist":
		folder, err := filepath.Abs(args[3])
		if err != nil {
			return err
		}
		return packed(args[1], args[2], func(s *stranger) error { return dist(s, folder) })
	}
	return fmt.Errorf("usage: release check ROOT VERSION, release dist ROOT VERSION FOLDER, or release notices ROOT")
}

// stranger is somebody with Go, an empty folder and the name of the module.
type stranger struct {
	root, version string
	work          string // empty but for the proxy and what the go command keeps
	env           []string
}

// packed packs the last commit and calls use.
func packed(root, version string, use func(*stranger) error) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	if dirty, err := output(root, nil, "git", "status", "--porcelain"); err != nil {
		return err
	} else if dirty != "" {
		fmt.Fprintf(os.Stderr, "release: what is not committed is left out:\n%s\n", dirty)
	}
	work, err := os.MkdirTemp("", "lanes-release-")
	if err != nil {
		return err
	}
	s := &stranger{root: root, version: version, work: work}
	defer s.clean()
	at := filepath.Join(work, "proxy", filepath.FromSlash(modulePath), "@v")
	if err := os.MkdirAll(at, 0o777); err != nil {
		return err
	}
	tree := filepath.Join(work, "tree")
	if err := os.Mkdir(tree, 0o777); err != nil {
		return err
	}
	if _, err := output(root, nil, "git", "archive", "--output", tree+".tar", "HEAD"); err != nil {
		return err
	}
	if _, err := output(tree, nil, "tar", "-xf", tree+".tar"); err != nil {
		return err
	}
	var zip bytes.Buffer
	if err := modzip.CreateFromDir(&zip, module.Version{Path: modulePath, Version: version}, tree); err != nil {
		return fmt.Errorf("packing %s: %w", root, err)
	}
	when, err := output(root, nil, "git", "log", "-1", "--format=%cI")
	if err != nil {
		return err
	}
	mod, err := output(root, nil, "git", "show", "HEAD:go.mod")
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"list": version + "\n", version + ".mod": mod + "\n", version + ".zip": zip.String(),
		version + ".info": fmt.Sprintf("{\"Version\":%q,\"Time\":%q}\n", version, when),
	} {
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	fmt.Printf("packed %s@%s: %d bytes\n", modulePath, version, zip.Len())

	// What this machine has already downloaded serves as a proxy too; the module
	// itself must not come from there.
	cache, err := output(root, nil, "go", "env", "GOMODCACHE")
	if err != nil {
		return err
	}
	proxies, err := output(root, nil, "go", "env", "GOPROXY")
	if err != nil {
		return err
	}
	s.env = append(os.Environ(),
		"GOWORK=off", "GOFLAGS=-modcacherw -trimpath", "GONOSUMDB="+modulePath, "GONOPROXY=", "GOPRIVATE=",
		"GOPATH="+filepath.Join(work, "go"), "GOMODCACHE="+filepath.Join(work, "modules"),
		"GOBIN=", "GOPROXY=file://"+filepath.Join(work, "proxy")+",file://"+filepath.Join(cache, "cache", "download")+","+proxies)
	return use(s)
}

func (s *stranger) clean() { os.RemoveAll(s.work) }

// do runs a command in a folder of the stranger's, and shows it.
func (s *stranger) do(folder string, env []string, name string, args ...string) (string, error) {
	dir := filepath.Join(s.work, folder)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	fmt.Printf("$ %s %s\n", filepath.Base(name), strings.Join(args, " "))
	return output(dir, append(s.env, env...), name, args...)
}

func output(dir string, env []string, name string, args ...string) (string, error) {
	var out, trouble bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, &out, io.MultiWriter(&trouble)
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, out.String(), trouble.String())
	}
	return strings.TrimRight(out.String(), "\n"), nil
}
