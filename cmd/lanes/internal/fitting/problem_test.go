package fitting

import (
	"testing"
	"time"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
)

// TestTimeLeftAfterReading: what came before the training is not there for it.
func TestTimeLeftAfterReading(t *testing.T) {
	t.Parallel()
	a := &console.App{Start: time.Now().Add(-time.Hour)}
	for limit, want := range map[time.Duration][2]time.Duration{
		0: {0, 0}, time.Minute: {1, 1}, 3 * time.Hour: {time.Hour, 2 * time.Hour},
	} {
		p := &Prepared{Problem: &lanes.Problem{}}
		p.Within(a, limit)
		if got := p.Settings().MaxTime; got < want[0] || got > want[1] {
			t.Errorf("an hour after the start, %v of %v are left", got, limit)
		}
	}
}
