package experiments

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFormOf(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	packed := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	write("traces/0", "0 init\n")
	for i, c := range []struct {
		text string
		want fileForm
	}{
		{"<?xml version='1.0'?>\n<platform/>", formPlatform},
		{"\ufeff\n  <platform version=\"4.1\">", formPlatform},
		{"<!-- mine -->", formPlatform},
		{"<html>", formUnknown},
		{"# c\n0 init\n", formTI},
		{"12\tcompute 5\r\n", formTI},
		{packed("3 recv 1 0 5\n"), formTI},
		{"0: init\n", formUnknown},
		{"0 1 2\n", formUnknown},
		{"// by hand\nnum_ranks 4\n", formGOAL},
		{packed("num_ranks 4\n"), formGOAL},
		{"num_ranks: 4\n", formUnknown},
		{"n, Processes ,\"time [s]\"\n", formCSV},
		{"processes,threads\n", formUnknown},
		{"traces/0\ntraces/1\n", formTIList},
		{"traces\n", formUnknown},
		{"machine: sunwulf\n", formUnknown},
		{strings.Repeat("x", 2*sniffed), formUnknown},
		{strings.Repeat("\n", 2*sniffed) + "0 init", formUnknown}, // too far down
		{"\x1f\x8bno gzip", formUnknown},
		{"", formUnknown},
	} {
		if got := formOf(write("file", c.text)); got != c.want {
			t.Errorf("%d: %.40q: %q, want %q", i, c.text, got, c.want)
		}
	}
	for path, want := range map[string]fileForm{
		filepath.Join(dir, "traces"):  formTIFolder,
		filepath.Join(dir, "none"):    formUnknown,
		os.DevNull:                    formUnknown,
		"../examples/cluster.xml":     formPlatform,
		"../examples/ring.ti":         formTI,
		"../examples/ring.goal":       formGOAL,
		"../examples/sunwulf-ge.yaml": formUnknown,
	} {
		if formOf(path) != want {
			t.Errorf("%s: %q, want %q", path, formOf(path), want)
		}
	}
}

// A file of the form that was wanted keeps its error, and so does one of which
// nothing is known.
func TestOrOtherForm(t *testing.T) {
	own := errors.New("line 3 is wrong")
	if got := orOtherForm("../examples/ring.ti", own, "a trace", formTI); got != own {
		t.Errorf("got %v", got)
	}
	if got := orOtherForm(filepath.Join(t.TempDir(), "none"), own, "a trace", formTI); got != own {
		t.Errorf("got %v", got)
	}
	if got := orOtherForm("../examples/ring.ti", nil, "a platform", formPlatform); got != nil {
		t.Errorf("got %v", got)
	}
	got := orOtherForm("../examples/ring.ti", own, "a platform", formPlatform)
	if got == nil || !IsInputError(got) || !HasPosition(got) || !strings.Contains(got.Error(), "expected a platform; 'isoscale replay --ti") {
		t.Errorf("got %v", got)
	}
}

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
