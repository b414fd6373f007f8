package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/isoscale/isoscale/experiments"
)

// overrideFlag collects --set path=value.
type overrideFlag []experiments.Override

var _ pflag.Value = (*overrideFlag)(nil)

func (o *overrideFlag) String() string { return "" }
func (o *overrideFlag) Type() string   { return "path=value" }

func (o *overrideFlag) Set(s string) error {
	path, value, ok := strings.Cut(s, "=")
	if !ok || path == "" {
		return fmt.Errorf("expected path=value, such as workload.n=800")
	}
	*o = append(*o, experiments.Override{Path: path, Value: value})
	return nil
}

func (o *overrideFlag) addTo(cmd *cobra.Command) {
	cmd.Flags().Var(o, "set", "override a field of the file, as in --set workload.n=800 (repeatable)")
}

// printJSON writes one JSON document.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// writeReport writes a report file whole or not at all: it appears under its
// name only when it is complete.
func writeReport(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".isoscale-report-*")
	if err != nil {
		return &usageError{fmt.Errorf("cannot write report %s: %w", path, reason(err)), ""}
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		f.Close()
		return fmt.Errorf("report %s: %w", path, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("report %s: %w", path, err)
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return fmt.Errorf("report %s: %w", path, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return &usageError{fmt.Errorf("cannot write report %s: %w", path, reason(err)), ""}
	}
	return nil
}

// reason drops the name of the temporary file from an error.
func reason(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}
