package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// Whatever plan.json holds: no panic, and what is accepted as a plan is written and read again unchanged.
func FuzzPlan(f *testing.F) {
	d := mustCreate(f, samplePlan(20, 3))
	f.Add(read(f, planName(d.path)))
	for _, spec := range []string{`[1, 2.50, 1e400, null]`, `{"a": "\ud800", "a": 1}`, `"é<"`} {
		d := mustCreate(f, withSpec(spec))
		f.Add(read(f, planName(d.path)))
	}
	f.Add(`{"format": 1}`)
	f.Add(`{"format": 1, "points": 1, "shards": 1, "columns": [{"name": "a"}]}`)
	f.Add(strings.Repeat("[", 20_000))
	f.Fuzz(func(t *testing.T, text string) {
		// The hash protects everything else from the fuzzer, so check and hash are also tried without it.
		p, err := readPlan("dir", []byte(text))
		var plan *PlanError
		if errors.As(err, &plan) && plan.Field == "hash" {
			text = strings.Replace(text, plan.Existing, plan.Wanted, 1)
			p, err = readPlan("dir", []byte(text))
		}
		if err != nil {
			expect.That(t, strings.Contains(err.Error(), "plan.json: "), "the error does not name the file: %v", err)
			return
		}
		again := expect.Value(encode(p, "  "))(t)
		q, err := readPlan("dir", again)
		expect.Need(t, err == nil, "%v in %s", err, again)
		expect.That(t, q.Hash == p.Hash && difference("dir", p, q) == nil, "%+v became %+v", p, q)
	})
}

// Whatever a part holds: no panic, only good rows are adopted, and the shard can
// be completed and read. sealed gives each line the checksum that it should have.
func FuzzPart(f *testing.F) {
	clean, finals := undisturbed(f, samplePlan(9, 2))
	_, rows, _ := strings.Cut(finals[0], "\n")
	f.Add(rows, false)
	f.Add(rows[:len(rows)-1], false)
	f.Add("0,a,b\n2,\"a\"\"b\",\n4,a\"b,c\n6,\"a,b\n", true)
	f.Add("0,,,\n", true)
	f.Add("0,\r,\x00\n2,a,\r\n", true)
	f.Add("\n,\n,,,,,,,,,,,,,\n", false)
	f.Add(strings.Repeat("0", 3*maxLine), false)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, rows string, sealed bool) {
		if sealed {
			var out []byte
			for line := range strings.Lines(rows) {
				body := []byte(strings.TrimSuffix(line, "\n"))
				out = append(appendChecksum(append(out, body...), body), '\n')
			}
			rows = string(out)
		}
		path := expect.Value(os.MkdirTemp(dir, ""))(t)
		defer os.RemoveAll(path)
		d := &Dir{path: path, plan: clean.plan, sys: withoutSyncs(realSystem)}
		write(t, filepath.Join(path, partPrefix(0)+"x"), d.plan.header(0)+"\n"+rows)
		a := expect.Value(d.Begin(0, nil))(t)
		expect.That(t, a.Adopted() <= strings.Count(rows, "\n"),
			"%d rows adopted from %d lines", a.Adopted(), strings.Count(rows, "\n"))
		rest(t, a)
		compute(t, d)
		check := func(strict bool) {
			point := 0
			for row, err := range d.Rows() {
				switch {
				case err != nil && !strict && strings.Contains(err.Error(), "; remove the file and rerun"): // it is damaged
				case err != nil:
					t.Errorf("after %d rows: %v", point, err)
				case row.Point != point || len(row.Cells) != 2:
					t.Errorf("got point %d with %q, want point %d", row.Point, row.Cells, point)
				default:
					point++
				}
			}
			expect.That(t, !strict || point == 9, "%d rows", point)
		}
		// A line with the right checksum that is no CSV is found when it is read.
		check(!sealed)
		// The same as the file of a complete shard.
		write(t, d.shardName(0), d.plan.header(0)+"\n"+rows)
		check(false)
	})
}

func FuzzParseRanges(f *testing.F) {
	for _, text := range []string{"", "7,25,38-39", "0-99999", "1-", "99999999999-1", "0,0,0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		numbers, err := ParseRanges(text)
		if err != nil {
			return
		}
		again, err := ParseRanges(Ranges(numbers))
		expect.That(t, err == nil && Ranges(again) == Ranges(numbers) && len(again) == len(numbers),
			"%q: %v became %v, %v", text, numbers, again, err)
	})
}
