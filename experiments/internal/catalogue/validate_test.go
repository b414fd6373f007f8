package catalogue

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// To check a long trace can be interrupted.
func TestValidateIsInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.ti")
	if err := os.WriteFile(path, []byte(strings.Repeat("0 compute 1\n", 1<<17)), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := Validate(ctx, path, nil); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := Validate(ctx, path, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}
