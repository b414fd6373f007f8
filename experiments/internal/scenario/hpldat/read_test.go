package hpldat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/hpldat"
	"github.com/isoscale/isoscale/internal/expect"
)

// file is an HPL.dat with one element per line.
var file = []string{
	"HPLinpack benchmark input file", "for the tests", "HPL.out      output file name (if any)", "6 device out",
	"3            # of problems sizes (N)", "1000 2000\t3000 Ns",
	"2            # of NBs", "64 128       NBs",
	"1            PMAP",
	"2            # of process grids (P x Q)", "2 4          Ps", "8 4          Qs",
	"16.0         threshold",
	"3            # of panel fact", "0 1 2        PFACTs",
	"2            # of recursive stopping criterium", "2 4          NBMINs",
	"1            # of panels in recursion", "2            NDIVs",
	"1            # of recursive panel fact.", "1            RFACTs",
	"6            # of broadcast", "0 1 2 3 4 5  BCASTs",
	"2            # of lookahead depth", "0 1          DEPTHs",
	"0            SWAP", "32           swapping threshold",
	"0            L1", "1            U", "1            Equilibration", "8 memory alignment in double (> 0)",
}

// with returns the text of the file with one line replaced.
func with(line int, text string) string {
	lines := append([]string(nil), file...)
	lines[line-1] = text
	return strings.Join(lines, "\n") + "\n"
}

func TestRead(t *testing.T) {
	text := strings.Join(file, "\n")
	for name, text := range map[string]string{
		"unix":          text + "\n",
		"no last end":   text,
		"windows":       strings.ReplaceAll(text, "\n", "\r\n") + "\r\n",
		"lines of HPCC": text + "\n##### This line (no. 32) is ignored #####\n0 sizes for PTRANS\n",
	} {
		root, err := hpldat.Read("HPL.dat", []byte(text))
		expect.Need(t, err == nil, "%s: %v", name, err)
		want := map[string]any{
			"n": []any{int64(1000), int64(2000), int64(3000)}, "nb": []any{int64(64), int64(128)},
			"order": []any{"column-major"}, "rows": []any{int64(2), int64(4)}, "columns": []any{int64(8), int64(4)},
			"bcast": []any{"1ring", "1ringM", "2ring", "2ringM", "long", "longM"},
			"depth": []any{int64(0), int64(1)}, "swap": []any{"bin-exch"}, "threshold": []any{int64(32)},
		}
		got := root.Plain()
		expect.That(t, fmt.Sprint(got) == fmt.Sprint(want), "%s: %v; expected %v", name, got, want)
	}
}

// TestPositions expects errors of later readers to name the line and the column.
func TestPositions(t *testing.T) {
	root := expect.Value(hpldat.Read("HPL.dat", []byte(with(6, "1000 2000\t3000 Ns"))))(t)
	var d yamldoc.Decoder
	m := d.Mapping(root, "values")
	for key, want := range map[string]string{"n": "HPL.dat:6:6", "rows": "HPL.dat:11:3", "bcast": "HPL.dat:23:3"} {
		expect.Equal(t, d.Sequence(m.Take(key), "values")[1].Pos().String(), want, "the second %s is at", key)
	}
}

// TestReadValues counts 3 sizes, 2 blocks, 2 grids, 6 broadcasts and 2 depths.
func TestReadValues(t *testing.T) {
	all, combinations, err := hpldat.ReadValues("HPL.dat", []byte(strings.Join(file, "\n")))
	expect.Success(t, err)
	expect.Equal(t, combinations, 3*2*2*6*2, "combinations")
	expect.Equal(t, all[0], input.Parameter{Name: "n", Value: "1000, 2000, 3000"}, "problem sizes")
}

func TestBadFiles(t *testing.T) {
	for _, tt := range []struct {
		text, want string
	}{
		{"", "HPL.dat:1:1: the file ends here; expected the 31 lines of an HPL.dat"},
		{strings.Join(file[:30], "\n"), "HPL.dat:30:1: the file ends here; expected the 31 lines of an HPL.dat"},
		{strings.Join(file[:30], "\n") + "\n", "HPL.dat:30:1: the file ends here; expected the 31 lines of an HPL.dat"},
		{with(5, "no sizes"), `HPL.dat:5:1: number of problem sizes: found "no"; expected a number from 1 to 20`},
		{with(5, "0"), `HPL.dat:5:1: number of problem sizes: found "0"; expected a number from 1 to 20`},
		{with(5, "21"), `found "21"; expected a number from 1 to 20`},
		{with(5, ""), "HPL.dat:5:1: number of problem sizes: the line ends here; expected a number from 1 to 20"},
		{with(6, "1000 2000 Ns"), `HPL.dat:6:11: Ns: found "Ns"; expected a whole number of at least 1, value 3 of 3`},
		{with(6, "1000 2000"), "HPL.dat:6:10: Ns: the line ends here; expected a whole number of at least 1, value 3 of 3"},
		{with(6, "1000 2e3 3000"), `HPL.dat:6:6: Ns: found "2e3"; expected a whole number of at least 1, value 2 of 3`},
		{with(6, "1000 0 3000"), `found "0"; expected a whole number of at least 1`},
		{with(8, "-64 128"), `HPL.dat:8:1: NBs: found "-64"; expected a whole number of at least 1, value 1 of 2`},
		{with(9, "2 PMAP"), `HPL.dat:9:1: PMAP: found "2"; expected 0 (row-major) or 1 (column-major)`},
		{with(10, "x"), `HPL.dat:10:1: number of process grids: found "x"`},
		{with(11, "2 Ps"), `HPL.dat:11:3: Ps: found "Ps"; expected a whole number of at least 1, value 2 of 2`},
		{with(12, "8 0"), `HPL.dat:12:3: Qs: found "0"`},
		{with(13, "sixteen"), `HPL.dat:13:1: threshold: found "sixteen"; expected a number`},
		{with(15, "0 1 3"), `HPL.dat:15:5: PFACTs: found "3"; expected 0 (left), 1 (Crout) or 2 (right), value 3 of 3`},
		{with(17, "0 4"), `HPL.dat:17:1: NBMINs: found "0"; expected a whole number of at least 1`},
		{with(19, "1"), `HPL.dat:19:1: NDIVs: found "1"; expected a whole number of at least 2`},
		{with(21, "Crout"), `HPL.dat:21:1: RFACTs: found "Crout"; expected 0 (left), 1 (Crout) or 2 (right)`},
		{with(23, "0 1 2 3 4 6"), `HPL.dat:23:11: BCASTs: found "6"; expected 0 (1ring), 1 (1ringM), 2 (2ring), 3 (2ringM), 4 (long) or 5 (longM), value 6 of 6`},
		{with(25, "0 -1"), `HPL.dat:25:3: DEPTHs: found "-1"; expected a whole number of at least 0, value 2 of 2`},
		{with(26, "3"), `HPL.dat:26:1: SWAP: found "3"; expected 0 (bin-exch), 1 (long) or 2 (mix)`},
		{with(27, "64.5"), `HPL.dat:27:1: swapping threshold: found "64.5"`},
		{with(28, "L1"), `HPL.dat:28:1: L1: found "L1"; expected 0 (transposed) or 1 (not transposed)`},
		{with(30, "2"), `HPL.dat:30:1: Equilibration: found "2"; expected 0 (no) or 1 (yes)`},
		{with(31, "0"), `HPL.dat:31:1: memory alignment: found "0"; expected a whole number of at least 1`},
		{with(6, strings.Repeat("9", 60)), `Ns: found "9999999999999999999999999999999999999..."; expected`},
		{strings.Repeat("\n", 2<<20), "HPL.dat: larger than 1 MiB; expected an HPL.dat"},
	} {
		root, err := hpldat.Read("HPL.dat", []byte(tt.text))
		expect.That(t, err != nil && strings.Contains(err.Error(), tt.want) && root == nil,
			"error %v; expected %q", err, tt.want)
	}
	_, err := hpldat.Read("HPL.dat", []byte(strings.Replace(with(9, "7"), "\n3 ", "\nthree ", 1)))
	expect.That(t, err != nil && strings.Count(err.Error(), "\n") == 1,
		"error %v; expected one line for each of two problems", err)
}

func FuzzRead(f *testing.F) {
	f.Add(strings.Join(file, "\n"))
	f.Add(with(6, "1 2 3"))
	f.Add(with(5, "20"))
	f.Fuzz(func(t *testing.T, text string) {
		root, err := hpldat.Read("fuzz", []byte(text))
		expect.Need(t, (err == nil) == (root != nil), "root %v, error %v", root, err)
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				expect.Need(t, strings.HasPrefix(line, "fuzz") && strings.Contains(line, "; expected "),
					"error %q", line)
			}
			return
		}
		values, combinations, err := hpldat.ReadValues("fuzz", []byte(text))
		expect.Need(t, err == nil && combinations >= 1 && len(values) == len(hpldat.Parameters),
			"%v, %d combinations, error %v", values, combinations, err)
		for _, v := range values {
			expect.Need(t, v.Value != "" && strings.Count(v.Value, ", ") < 20, "%v", v)
		}
	})
}
