package answer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/file/output"
)

// WriteFigures writes charts into a folder, which is created if needed.
func WriteFigures(files *output.Files, folder string, charts []chart.Named, formats []string, style chart.Style) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, c := range charts {
		for _, format := range formats {
			name := filepath.Join(folder, c.Name+chart.Extension(format))
			if err := files.Add(name); err != nil {
				return err
			}
			if err := files.Write(name, func(w io.Writer) error { return chart.Write(w, c.Block, format, style) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// withCharts returns the JSON of an answer with the data of its charts as its last
// field.
func withCharts(r any, charts []chart.Named) (json.RawMessage, error) {
	answer, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	drawn, err := json.Marshal(charts)
	if err != nil {
		return nil, err
	}
	body, ok := bytes.CutSuffix(answer, []byte("}"))
	if !ok {
		return nil, fmt.Errorf("the answer is no object")
	}
	return slices.Concat(body, []byte(`,"charts":`), drawn, []byte("}")), nil
}

// Formats are the formats of figures: --format LIST.
type Formats []string

var _ pflag.Value = (*Formats)(nil)

// AddTo adds the flag to a command.
func (f *Formats) AddTo(cmd *cobra.Command) {
	*f = Formats{"svg", "pdf"}
	cmd.Flags().Var(f, "format", "write figures as `LIST`: some of "+strings.Join(chart.Formats(), ","))
}

// String returns the formats with commas between them.
func (f *Formats) String() string { return strings.Join(*f, ",") }

// Type returns what help shows for the value.
func (f *Formats) Type() string { return "LIST" }

// Set takes formats with commas between them.
func (f *Formats) Set(s string) error {
	formats, err := chart.ParseFormats(s)
	if err == nil {
		*f = formats
	}
	return err
}
