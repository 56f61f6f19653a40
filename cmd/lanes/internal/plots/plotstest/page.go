package plotstest

import (
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"testing"
)

// Page is what a test reads in a page.
type Page struct {
	IDs      []string // in their order
	Headings []string
	Elements map[string]int // how often each is there
	Text     string         // without the style
}

// ParsePage reads a page that is well-formed and needs nothing else: neither a script nor
// another file.
func ParsePage(t *testing.T, text string) Page {
	t.Helper()
	p := Page{Elements: make(map[string]int)}
	var all strings.Builder
	in := xml.NewDecoder(strings.NewReader(text))
	var open []string
	for {
		token, err := in.Token()
		if err == io.EOF {
			p.Text = all.String()
			for _, bad := range []string{"NaN", "Inf", "<nil>", "%!", "ZgotmplZ"} {
				if strings.Contains(p.Text, bad) || strings.Contains(text, "ZgotmplZ") {
					t.Errorf("the page says %s", bad)
				}
			}
			return p
		}
		if err != nil {
			t.Fatalf("the page is no page: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			p.Elements[name]++
			open = append(open, name)
			if slices.Contains([]string{"script", "img", "link", "iframe", "object", "a", "form"}, name) {
				t.Errorf("the page has an element %s", name)
			}
			if name == "h1" || name == "h2" || name == "h3" {
				p.Headings = append(p.Headings, name+" ")
			}
			for _, a := range token.Attr {
				switch local := strings.ToLower(a.Name.Local); {
				case local == "id":
					p.IDs = append(p.IDs, a.Value)
				case strings.HasPrefix(local, "on"), local == "src", local == "href", strings.Contains(a.Value, "url("):
					t.Errorf("the element %s has %s=%q", name, local, a.Value)
				}
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if slices.Contains(open, "style") {
				continue
			}
			all.Write(token)
			if last := len(open) - 1; last >= 0 && strings.HasPrefix(open[last], "h") && len(open[last]) == 2 {
				p.Headings[len(p.Headings)-1] += string(token)
			}
		}
	}
}
