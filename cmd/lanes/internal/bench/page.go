package bench

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"sync"

	"github.com/lanes-go/lanes/cmd/lanes/internal/plots"
)

//go:embed page.html
var pageText string

var pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageText)) })

// WritePage writes a page that needs nothing else: the machine's limits, the kernels under
// their roofs, their curves over the length, and all results. With #roofline behind its
// address it shows the roofs alone.
func (r *Report) WritePage(out io.Writer) error {
	names, sizes := r.places()
	places := make([]map[string]any, len(names))
	for k, name := range names {
		places[k] = map[string]any{"name": name, "bytes": sizes[k], "at": at(r.Sizes, float64(sizes[k]))}
	}
	type limits struct {
		*Limits
		Peak float64 `json:"peak"` // operations a second
	}
	var all []limits
	for k := range r.Limits {
		all = append(all, limits{&r.Limits[k], 2 * r.Limits[k].MultiplyAdds})
	}
	return pageTemplate().Execute(out, map[string]any{
		"Style": plots.PageStyle(), "Title": fmt.Sprintf("Kernels of lanes on %s, %s", r.Machine.title(), r.Date.Format("2006-01-02")),
		"Facts": r.Facts(), "Warnings": r.Warnings, "Changes": r.Changes, "Against": r.Against,
		"Places": places, "Sizes": r.Sizes, "Limits": all, "Latencies": r.Latencies, "Paths": r.paths(), "Results": r.shown(),
	})
}

// shown are the results as the page wants them, without their samples.
func (r *Report) shown() (list []map[string]any) {
	for k := range r.Results {
		x := &r.Results[k]
		name := x.Kernel
		if x.Variant != "" {
			name += "/" + x.Variant
		}
		list = append(list, map[string]any{
			"kernel": x.Kernel, "variant": x.Variant, "name": name, "size": x.Size.String(), "length": x.Length, "columns": x.Columns, "path": x.Path,
			"t": x.Time, "median": x.Median, "elements": x.Elements, "bytes": x.Bytes, "operations": x.Operations,
			"place": x.Place, "limit": x.Limit, "least": x.LimitTime, "share": x.Share,
		})
	}
	return list
}
