package input

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
)

// loading is how far the reading of a file is.
type loading struct {
	name        string
	total       int64 // bytes of the file, 0 where unknown
	bytes, rows atomic.Int64

	stage sync.Mutex
	doing string // what is done in this pass
	start time.Time
	from  int64 // bytes of the passes before
}

func newLoading(path string) *loading {
	l := &loading{name: filepath.Base(path), doing: "reading", start: time.Now()}
	if path == "-" {
		l.name = "standard input"
	} else {
		for _, file := range Files([]string{path}) {
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
				l.total += info.Size()
			}
		}
	}
	if l.name = console.Printable(l.name, ""); len(l.name) > 24 {
		l.name = strings.ToValidUTF8(l.name[:21], "") + "..."
	}
	return l
}

// The reader calls record.
func (l *loading) record(bytes, rows int64) {
	l.bytes.Store(bytes)
	l.rows.Store(rows)
}

// begin begins another pass over the file.
func (l *loading) begin(doing string) {
	l.stage.Lock()
	defer l.stage.Unlock()
	l.doing, l.start, l.from = doing, time.Now(), l.bytes.Load()
	l.rows.Store(0)
}

func (l *loading) line(width int) string {
	l.stage.Lock()
	defer l.stage.Unlock()
	elapsed := time.Since(l.start)
	bytes, rows := l.bytes.Load()-l.from, l.rows.Load()
	size := megabytes(bytes)
	left := math.Inf(1)
	if l.total > 0 {
		size = fmt.Sprintf("%s of %s", size, megabytes(l.total))
		if bytes > 0 {
			left = float64(elapsed) * (float64(l.total)/float64(bytes) - 1)
		}
	}
	parts := []console.Phrase{console.NewPhrase(0, l.doing+" "+l.name), console.NewPhrase(1, size), console.NewPhrase(3, fmt.Sprintf("%d rows", rows))}
	if bytes > 0 {
		parts = append(parts, console.NewPhrase(4, megabytes(int64(float64(bytes)/elapsed.Seconds()))+"/s"))
	}
	return console.Fitted(width, append(parts, console.NewPhrase(5, console.Short(elapsed)), console.Remaining(2, left)))
}

func megabytes(v int64) string { return fmt.Sprintf("%.1f MB", float64(v)/1e6) }
