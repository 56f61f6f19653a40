package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// licence finds the files of a folder that say how it may be used.
var licence = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)`)

// remarks are what the licence of a module asks for beyond its text, and the file that is
// chosen where it offers several.
var remarks = map[string]struct{ chosen, text string }{
	"github.com/golang/freetype": {"licenses/ftl.txt",
		"Freetype-Go offers the FreeType License and the GNU General Public License. lanes takes the FreeType\nLicense: lanes is based in part of the work of the FreeType Team."},
	"github.com/ajstarks/svgo": {"",
		"SVGo is by Anthony Starks, https://github.com/ajstarks/svgo, under the Creative Commons Attribution 4.0\nInternational license, https://creativecommons.org/licenses/by/4.0/. lanes links it unchanged."},
}

// linked returns the folders of the packages that the programs of a checkout link, by module and
// version, with the folder of the module first.
func linked(root string) (map[string][]string, error) {
	modules := map[string][]string{}
	const format = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}\t{{.Dir}}"
	list := func(folder string, env []string, args ...string) error {
		text, err := output(filepath.Join(root, folder), append(os.Environ(), append(env, "GOWORK=off", "GOFLAGS=-mod=readonly")...), "go", append([]string{"list", "-deps", "-f", format}, args...)...)
		for line := range strings.Lines(text) {
			part := strings.Split(strings.TrimSpace(line), "\t")
			if len(part) < 3 || strings.HasPrefix(part[0], modulePath) {
				continue
			}
			for _, dir := range part[1:] {
				if !slices.Contains(modules[part[0]], dir) {
					modules[part[0]] = append(modules[part[0]], dir)
				}
			}
		}
		return err
	}
	for _, system := range systems {
		goos, goarch, _ := strings.Cut(system, "/")
		if err := list(".", []string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"}, "./cmd/lanes"); err != nil {
			return nil, err
		}
	}
	if err := list("capi", nil, "."); err != nil {
		return nil, err
	}
	return modules, list("distributed", nil, "-tags", "mpi", "./lanes-mpi")
}

// notices returns the licences of Go and of all modules that the command, the C library and the
// command on several processes link. A text that several modules have stands there once.
func notices(root string) (string, error) {
	modules, err := linked(root)
	if err != nil {
		return "", err
	}
	goroot, err := output(root, nil, "go", "env", "GOROOT")
	if err != nil {
		return "", err
	}
	modules["Go, its runtime and standard library"] = []string{goroot}
	owners := map[string][]string{} // by text
	for module, dirs := range modules {
		path, _, _ := strings.Cut(module, " ")
		files := map[string]bool{}
		if chosen := remarks[path].chosen; chosen != "" {
			files[filepath.Join(dirs[0], filepath.FromSlash(chosen))] = true
		}
		for _, dir := range dirs { // a licence is for its folder and the folders below
			for ; strings.HasPrefix(dir, dirs[0]); dir = filepath.Dir(dir) {
				entries, err := os.ReadDir(dir)
				if err != nil {
					return "", err
				}
				for _, e := range entries {
					if e.Type().IsRegular() && licence.MatchString(e.Name()) {
						files[filepath.Join(dir, e.Name())] = true
					}
				}
			}
		}
		if len(files) == 0 {
			return "", fmt.Errorf("%s: no licence is in %s", module, dirs[0])
		}
		for file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			within, _ := filepath.Rel(dirs[0], file)
			plain := strings.Trim(strings.ReplaceAll(asUTF8(text), "\r\n", "\n"), "\n")
			owners[plain] = append(owners[plain], module+": "+filepath.ToSlash(within))
		}
	}
	var texts []string
	for text := range owners {
		slices.Sort(owners[text])
		texts = append(texts, text)
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Compare(owners[a][0], owners[b][0]) })
	var out strings.Builder
	out.WriteString("The programs and libraries of lanes contain Go's runtime and standard library, and the modules below.\nlanes itself is under the licence in LICENSE. make notices writes this file.\n")
	for _, path := range slices.Sorted(maps.Keys(remarks)) {
		if slices.ContainsFunc(texts, func(text string) bool { return strings.HasPrefix(owners[text][0], path+" ") }) {
			fmt.Fprintf(&out, "\n%s\n", remarks[path].text)
		}
	}
	for _, text := range texts {
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(owners[text], "\n"), text)
	}
	return out.String(), nil
}

// asUTF8 returns text that is in UTF-8 or ISO 8859-1.
func asUTF8(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	var runes []rune
	for _, b := range text {
		runes = append(runes, rune(b))
	}
	return string(runes)
}
