package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/report"
)

// answer is an answer with a chart.
type answer struct {
	Time float64 `json:"time_s"`
}

func (answer) Report() *report.Document {
	c := &report.LineChart{Title: "Times", X: report.Axis{Title: "n", Unit: report.Dimensionless}, Y: report.Axis{Title: "time", Unit: "s"},
		Series: []report.Series{{Name: "a", X: []float64{1, 2}, Y: []float64{3, 4}}}}
	return &report.Document{Title: "Answer", Sections: []report.Section{{Heading: "Times", Blocks: []report.Block{c}}}}
}

// answering executes a command that answers, with the flags of most commands.
func answering(args ...string) (string, error) {
	var (
		overrides overrideFlag
		jobs      jobsFlag
		asked     answerFlags
		policy    = oneOf("easy", "fcfs")
		out       bytes.Buffer
	)
	cmd := &cobra.Command{Use: "x", Args: exactArgs(1, "one file"), SilenceUsage: true, SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := asked.Outputs(cmd, args)
			if err != nil {
				return err
			}
			return emit(files, answer{7}, asked, func(p *printer, r answer) { p.Line("%v s, %v, %v, %v", r.Time, overrides, &jobs, &policy) })
		}}
	overrides.AddTo(cmd, "n=1")
	jobs.AddTo(cmd, "all cores")
	asked.AddLongTo(cmd)
	cmd.Flags().Var(&policy, "policy", policy.List())
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	err := cmd.Execute()
	return out.String(), err
}

func TestFlags(t *testing.T) {
	dir := t.TempDir()
	page, figures := filepath.Join(dir, "a.html"), filepath.Join(dir, "figures")
	for _, tt := range []struct{ args, want string }{
		{"f --set n=4 --set m=a=b --jobs 3 --policy fcfs", "7 s, [{n 4} {m a=b}], 3, fcfs\n"},
		{"f --json", "{\n  \"time_s\": 7\n}\n"},
		{"f --json --charts", `"charts": [`},
		{"f --report " + page + " --title Other --static --figures " + figures + " --format svg,csv", "\nwrote " + page + "\n\nwrote " + figures + "\n"},
	} {
		if got, err := answering(strings.Fields(tt.args)...); err != nil || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %v\n%swant %q", tt.args, err, got, tt.want)
		}
	}
	text, err := os.ReadFile(page)
	if drawn, _ := filepath.Glob(filepath.Join(figures, "*")); err != nil || !strings.Contains(string(text), "<h1>Other</h1>") || len(drawn) != 2 {
		t.Errorf("%v, figures %q, page\n%.500s", err, drawn, text)
	}
	for _, tt := range []struct{ args, want string }{
		{"", "takes one file, got 0 arguments"},
		{"f --set n", "expected path=value"},
		{"f --jobs -1", "a number of simulations at a time"},
		{"f --policy none", "expected easy or fcfs"},
		{"f --format gif --figures d", "gif"},
		{"f --title T", "--title: no report is written"},
		{"f --json --report -", "both are standard output"},
		{"f --report=", "expected the name of a file"},
	} {
		if _, err := answering(strings.Fields(tt.args)...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; want %q", tt.args, err, tt.want)
		}
	}
	if err := atMostOneArg("kind")(&cobra.Command{Use: "x"}, []string{"a", "b"}); err == nil || !strings.Contains(err.Error(), "at most one kind") {
		t.Error(err)
	}
}
