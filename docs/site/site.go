package main

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

//go:embed page.html style.css
var assets embed.FS

var (
	layout   = template.Must(template.ParseFS(assets, "page.html"))
	markdown = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
)

// page is one Markdown file. Paths use slashes and count from the root of the repository.
type page struct {
	chapter, title string
	file, url      string
	source         []byte
	root           ast.Node
	headings       map[string]bool
	body           template.HTML
}

// site is the pages in the order of the menu, and the files that they link to.
type site struct {
	root  string
	pages []*page
	files []string
}

// address returns the path of the page of a Markdown file in the site.
func address(file string) string {
	if file == "README.md" {
		return "index.html"
	}
	return strings.TrimSuffix(file, ".md") + ".html"
}

// add parses the files of a chapter.
func (s *site) add(c chapter) error {
	for _, file := range c.files {
		source, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(file)))
		if err != nil {
			return err
		}
		s.pages = append(s.pages, parse(c.title, file, source))
	}
	return nil
}

// parse returns the page of Markdown text, with its title and its headings.
func parse(chapter, file string, source []byte) *page {
	p := &page{chapter: chapter, file: file, url: address(file), source: source, headings: map[string]bool{}}
	p.root = markdown.Parser().Parse(text.NewReader(source))
	_ = ast.Walk(p.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			if id, ok := h.AttributeString("id"); ok {
				p.headings[string(id.([]byte))] = true
			}
			if p.title == "" {
				p.title = plain(h, source)
			}
		}
		return ast.WalkContinue, nil
	})
	return p
}

// plain returns the text of a node without its markup.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// addHelp makes a page of the help of each command and topic that 'lanes help' completes.
func (s *site) addHelp(lanes string) error {
	names, err := exec.Command(lanes, "__complete", "help", "").Output()
	if err != nil {
		return fmt.Errorf("%s: %w", lanes, err)
	}
	for line := range strings.Lines(string(names)) {
		name, about, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		help, err := exec.Command(lanes, "help", name).Output()
		if err != nil {
			return fmt.Errorf("%s help %s: %w", lanes, name, err)
		}
		chapter, command := "The command", "lanes "+name
		if !bytes.Contains(help, []byte("\nUsage: "+command)) {
			chapter, command = "Topics of help", "lanes help "+name
		}
		source := fmt.Sprintf("# %s\n\n%s.\n\n```\n%s```\n", command, about, help)
		s.pages = append(s.pages, parse(chapter, "help/"+name+".md", []byte(source)))
	}
	return nil
}

// check resolves every relative link and picture, points links between Markdown files at their
// pages, and returns a line for each that leads nowhere.
func (s *site) check() (wrong []string) {
	byFile := map[string]*page{}
	for _, p := range s.pages {
		byFile[p.file] = p
	}
	linked := map[string]bool{}
	for _, p := range s.pages {
		_ = ast.Walk(p.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			switch n := n.(type) {
			case *ast.Link:
				n.Destination = s.resolve(p, n.Destination, byFile, linked, &wrong)
			case *ast.Image:
				n.Destination = s.resolve(p, n.Destination, byFile, linked, &wrong)
			}
			return ast.WalkContinue, nil
		})
	}
	return wrong
}

func (s *site) resolve(p *page, destination []byte, byFile map[string]*page, linked map[string]bool, wrong *[]string) []byte {
	link := string(destination)
	if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
		return destination
	}
	target, heading, _ := strings.Cut(link, "#")
	file := p.file
	if target != "" {
		file = path.Join(path.Dir(p.file), target)
	}
	if to := byFile[file]; to != nil {
		if heading != "" && !to.headings[heading] {
			*wrong = append(*wrong, fmt.Sprintf("%s: link %q: %s has no heading #%s", p.file, link, file, heading))
		}
		target = relative(p.url, to.url)
		if heading != "" {
			target += "#" + heading
		}
		return []byte(target)
	}
	info, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(file)))
	switch {
	case err != nil || strings.HasPrefix(file, ".."):
		*wrong = append(*wrong, fmt.Sprintf("%s: link %q: there is no file %s", p.file, link, file))
	case info.IsDir():
		*wrong = append(*wrong, fmt.Sprintf("%s: link %q is a directory: link a page or a file in it", p.file, link))
	case !linked[file]:
		linked[file] = true
		s.files = append(s.files, file)
	}
	return []byte(relative(p.url, file))
}

// relative returns the link from one page of the site to another file of it.
func relative(from, to string) string {
	up := strings.Repeat("../", strings.Count(from, "/"))
	return up + to
}

// write renders all pages to out, and copies the files that they link to.
func (s *site) write(out string) error {
	for _, p := range s.pages {
		var b bytes.Buffer
		if err := markdown.Renderer().Render(&b, p.source, p.root); err != nil {
			return fmt.Errorf("%s: %w", p.file, err)
		}
		p.body = template.HTML(b.String())
		var whole bytes.Buffer
		if err := layout.Execute(&whole, s.view(p)); err != nil {
			return fmt.Errorf("%s: %w", p.file, err)
		}
		if err := put(out, p.url, whole.Bytes()); err != nil {
			return err
		}
	}
	for _, file := range s.files {
		content, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(file)))
		if err != nil {
			return err
		}
		if err := put(out, file, content); err != nil {
			return err
		}
	}
	style, err := assets.ReadFile("style.css")
	if err != nil {
		return err
	}
	return put(out, "style.css", style)
}

// put writes content to a path below a folder.
func put(folder, name string, content []byte) error {
	name = filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, content, 0o666)
}

// view is what the layout shows of a page.
type view struct {
	Title, Style string
	Menu         []menu
	Body         template.HTML
}

// menu is a chapter with links that count from the page that shows them.
type menu struct {
	Title string
	Links []link
}

type link struct {
	Title, URL string
	Here       bool
}

func (s *site) view(p *page) view {
	v := view{Title: p.title, Style: relative(p.url, "style.css"), Body: p.body}
	for _, q := range s.pages {
		if len(v.Menu) == 0 || v.Menu[len(v.Menu)-1].Title != q.chapter {
			v.Menu = append(v.Menu, menu{Title: q.chapter})
		}
		m := &v.Menu[len(v.Menu)-1]
		m.Links = append(m.Links, link{q.title, relative(p.url, q.url), q == p})
	}
	return v
}
