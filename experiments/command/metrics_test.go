package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
)

// The text keeps to the width, whatever there is to show: tables are continued below.
func TestMetricsKeepToTheWidth(t *testing.T) {
	name := strings.Repeat("abcdefghij", 6)
	files := map[string]string{
		"all columns": "system,processes,n,work [Gflop],time [s],marked_speed [Gflop/s],power [Gflop/s],reference_time [s],cost [EUR]\n" +
			name + ",1,100000,1000,123.456,7.7,6.6,1.5,0.1234567\n" + name + ",1,100000,1000,223.456,7.7,6.6,1.5,0.1234567\n" +
			name + ",100000000,100000,1000,3.456e-7,7.7e6,6.6e6,150,12345.67\n" + name[:59] + "2,16,123456789,1e12,3.456e9,77,66,150,12345.67\n",
		"unknown columns": "processes,time [s]," + name + "," + name + "2\n1,1,,\n",
	}
	for what, content := range files {
		path := filepath.Join(t.TempDir(), "x.csv")
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		o := succeed(t, "metrics", path)
		for _, line := range strings.Split(o.stdout, "\n") {
			if n := utf8.RuneCountInString(line); n > terminal.Width {
				t.Errorf("%s: a line of %d columns: %q", what, n, line)
			}
		}
	}
}
