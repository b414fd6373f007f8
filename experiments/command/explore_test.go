package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A program with the explorer in it writes it, and one without says how to make it.
func TestExplore(t *testing.T) {
	before := explorerPage
	defer func() { explorerPage = before }()
	file := filepath.Join(t.TempDir(), "class.html")
	explorerPage = []byte("<!DOCTYPE html>")
	var stdout, stderr bytes.Buffer
	if status := execute(context.Background(), []string{"explore", "-o", file}, &stdout, &stderr); status != exitOK {
		t.Fatalf("status %d\n%s", status, stderr.String())
	}
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, explorerPage) {
		t.Errorf("%q, %v; want the page", got, err)
	}
	explorerPage = nil
	if status := execute(context.Background(), []string{"explore", "-o", file}, &stdout, &stderr); status != exitInput || !strings.Contains(stderr.String(), makeExplorerCommand) {
		t.Errorf("without the page: status %d\n%s", status, stderr.String())
	}
}
