package bench

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func writtenPage(t *testing.T) (*Report, string) {
	t.Helper()
	r, err := fewResults()
	if err != nil {
		t.Fatal(err)
	}
	own := *r
	own.Machine.Name = `A "CPU" </script><b>`
	own.Warnings = []string{"the machine is <noisy>"}
	own.Against, own.Changes = "old.json", []Change{{Name: "dense.Dot/8", Path: "generic", Old: 2, New: 3, Ratio: 1.5, Noise: 0.1}}
	var out bytes.Buffer
	if err := own.WritePage(&out); err != nil {
		t.Fatal(err)
	}
	return &own, out.String()
}

// TestPage: the page needs nothing else, and text is text.
func TestPage(t *testing.T) {
	_, page := writtenPage(t)
	if m := regexp.MustCompile(`(?i)(src|href)\s*=|https?://[^"]*|@import|url\(`).FindAllString(page, -1); len(m) != 1 || !strings.Contains(m[0], "www.w3.org/2000/svg") {
		t.Errorf("the page asks for %q", m)
	}
	if strings.Contains(page, "</script><b>") || strings.Contains(page, "<noisy>") || !strings.Contains(page, "&lt;noisy&gt;") {
		t.Error("text of the machine is taken for HTML")
	}
}

// TestPageInBrowser: a browser draws what is to be drawn, without an error.
func TestPageInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("no browser: install chromium")
	}
	r, page := writtenPage(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "page.html")
	if err := os.WriteFile(path, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-logging=stderr",
		"--user-data-dir="+filepath.Join(folder, "profile"), "--dump-dom", "file://"+path+"#roofline")
	var out, log bytes.Buffer
	c.Stdout, c.Stderr = &out, &log
	if err := c.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", browser, err, log.String())
	}
	if strings.Contains(log.String(), "Uncaught") {
		t.Errorf("the page fails: %s", log.String())
	}
	seen := out.String()
	last := r.Limits[len(r.Limits)-1]
	if !strings.Contains(seen, `data-drawn="yes"`) {
		t.Error("the page did not come to its end")
	}
	for what, c := range map[string]struct {
		pattern string
		least   int
	}{
		"kernels under the roofs": {`class="point"`, 10},
		"roofs":                   {`class="roof"`, 1 + len(places(r))},
		"curves":                  {`class="curve"`, 2*len(r.paths()) + 5 + 3},
		"rows of results":         {`<tr><td>`, min(500, len(r.Results))},
		"the peak":                {`multiply-add [\d.]+ Gop/s`, 1},
		"the path of choice":      {regexp.QuoteMeta(last.Path) + `</text>`, 1},
		"the title":               {`class="head">Roofline: Kernels of lanes on A "CPU"`, 1},
		"the change":              {`<td>1\.500</td>`, 1},
	} {
		if n := len(regexp.MustCompile(c.pattern).FindAllString(seen, -1)); n < c.least {
			t.Errorf("%d %s, want %d", n, what, c.least)
		}
	}
	if strings.Contains(seen, "NaN") || strings.Contains(seen, "Infinity") {
		t.Error("the page shows what is no number")
	}
	if !strings.Contains(seen, `class="only"`) {
		t.Error("#roofline does not leave the roofs alone")
	}
}

func places(r *Report) []string {
	names, _ := r.places()
	return names
}
