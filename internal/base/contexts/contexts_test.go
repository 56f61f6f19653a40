package contexts

import (
	"context"
	"errors"
	"testing"
)

func TestErr(t *testing.T) {
	sentinel := errors.New("the sentinel")
	var none context.Context
	ctx, cancel := context.WithCancelCause(Given(none))
	if err := Err(ctx); err != nil {
		t.Error(err)
	}
	if cancel(sentinel); !errors.Is(Err(ctx), sentinel) || !errors.Is(Err(ctx), context.Canceled) || Err(ctx).Error() != "context canceled: the sentinel" {
		t.Error(Err(ctx))
	}
	plain, stop := context.WithCancel(context.Background())
	if stop(); Err(plain) != context.Canceled || Given(plain) != plain {
		t.Error(Err(plain))
	}
}
