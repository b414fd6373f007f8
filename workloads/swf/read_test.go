package swf_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/swf"
)

func Example() {
	text := `; Computer: IBM SP2
; MaxProcs: 128
1   0  -1  100   4 -1 -1   8  3600 -1 1 -1 -1 -1 -1 -1 -1 -1
2  60  -1   -1  -1 -1 -1   8  3600 -1 5 -1 -1 -1 -1 -1 -1 -1
`
	log, err := swf.Read("sp2.swf", strings.NewReader(text), math.MaxInt64)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%+v\n%+v\n%+v\n", log.Header, log.Jobs, log.LeftOut)
	// Output:
	// {Computer:IBM SP2 Installation: MaxNodes:0 MaxProcs:128}
	// [{Number:1 Submit:0 s Run:100 s Requested:3600 s Processors:8}]
	// [{Reason:no run time, as for jobs that were cancelled while they waited Jobs:1 Line:4}]
}

// job is a line with a job number, submit time, run time, allocated processors,
// requested processors, requested time and status.
func job(number, submit, run, allocated, processors, time, status any) string {
	return fmt.Sprint(number, " ", submit, " -1 ", run, " ", allocated, " -1 -1 ", processors, " ", time, " -1 ", status, " -1 -1 -1 -1 -1 -1 -1\n")
}

func read(text string) (*swf.Log, error) {
	return swf.Read("log.swf", strings.NewReader(text), math.MaxInt64)
}

func TestRead(t *testing.T) {
	text := "\n; a comment without a colon\n;  maxNodes:  64 (4 of them for tests)\n;MaxNodes: 65\n; Installation: KTH\n" +
		job(1, 0, 10, 2, -1, -1, 1) + // what is not requested is what was used
		"; MaxProcs: 1 is too late\n" +
		job(2, 5, 10, 2, 4, 60, 0) +
		" \t" + strings.ReplaceAll(job(2, "5.5", "+10.25", 0, 3, 0, -1), " ", " \t ") + // 0 is not given
		job(3, 6, 0, 2, 4, 60, 0) +
		job(4, 6, -1, 2, 4, 60, 5) +
		job(5, 6, 10, 0, -1, 60, 1) +
		job(6, -1, 10, 1, 1, 60, 1) +
		job(7, 6, 10, 1, 1, 60, 2) + job(7, 6, 10, 1, 1, 60, 3) + job(7, 6, 10, 1, 1, 60, 4)
	want := &swf.Log{
		Header: swf.Header{Installation: "KTH", MaxNodes: 64},
		Jobs: []swf.Job{
			{Number: 1, Run: 10, Processors: 2},
			{Number: 2, Submit: 5, Run: 10, Requested: 60, Processors: 4},
			{Number: 2, Submit: 5.5, Run: 10.25, Processors: 3},
		},
		LeftOut: []swf.LeftOut{
			{Reason: "no run time, as for jobs that were cancelled while they waited", Jobs: 2, Line: 10},
			{Reason: "no processors, neither requested nor allocated", Jobs: 1, Line: 12},
			{Reason: "no submission time", Jobs: 1, Line: 13},
			{Reason: "a part of a job that the log also has as a whole (status 2, 3 or 4)", Jobs: 3, Line: 14},
		},
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	expect.Value(io.WriteString(w, text))(t)
	expect.Success(t, w.Close())
	for _, text := range []string{
		text, strings.ReplaceAll(text, "\n", "\r\n"), strings.TrimSuffix(text, "\n"), zipped.String(),
	} {
		got := expect.Value(read(text))(t)
		d := cmp.Diff(want, got)
		expect.That(t, d == "", "%v", d)
	}
}

func TestReadRefuses(t *testing.T) {
	const start = "; MaxProcs: 8\n"
	good := job(1, 0, 10, 1, 1, 60, 1)
	for _, tt := range []struct{ line, want string }{
		{"1 2 3", `log.swf:2:6: the line has 3 fields; expected 18, the next is the run time; -1 stands for what is unknown`},
		{strings.TrimSpace(good) + "  7 8", `log.swf:2:51: unexpected "7"; expected 18 fields`},
		{job(1, "x", 10, 1, 1, 60, 1), `log.swf:2:3: the submit time (field 2) is "x"; expected a number; -1 stands for what is unknown`},
		{job(1, "NaN", 10, 1, 1, 60, 1), `log.swf:2:3: the submit time (field 2) is "NaN"; expected a number; -1 stands for what is unknown`},
		{job(1, 0, "1e5", 1, 1, 60, 1), `log.swf:2:8: the run time (field 4) is "1e5"; expected a number; -1 stands for what is unknown`},
		{job(1, 0, "0x5", 1, 1, 60, 1), `log.swf:2:8: the run time (field 4) is "0x5"; expected a number; -1 stands for what is unknown`},
		{job(1, 0, "1.2.3", 1, 1, 60, 1), `log.swf:2:8: the run time (field 4) is "1.2.3"; expected a number; -1 stands for what is unknown`},
		{job(1, 0, "--1", 1, 1, 60, 1), `log.swf:2:8: the run time (field 4) is "--1"; expected a number; -1 stands for what is unknown`},
		{job(1, 0, ".", 1, 1, 60, 1), `log.swf:2:8: the run time (field 4) is "."; expected a number; -1 stands for what is unknown`},
		{job(1, 0, strings.Repeat("9", 400), 1, 1, 60, 1), `log.swf:2:8: the run time (field 4) is "` + strings.Repeat("9", 37) + `..."; expected a number; -1 stands for what is unknown`},
		{job(1, -2, 10, 1, 1, 60, 1), `log.swf:2:3: the submit time (field 2) is -2; expected seconds from 0 to 1e+12; -1 stands for what is unknown`},
		{job(1, 0, 10, 1, 1, "2000000000000", 1), `log.swf:2:21: the requested time (field 9) is 2e+12; expected seconds from 0 to 1e+12; -1 stands for what is unknown`},
		{job(1, 0, 10, 1, "1.5", 60, 1), `log.swf:2:19: the requested number of processors (field 8) is 1.5; expected a whole number`},
		{job(1, 0, 10, -2, 1, 60, 1), `log.swf:2:11: the number of allocated processors (field 5) is -2; expected at most 1073741824; -1 stands for what is unknown`},
		{job(1, 0, 10, 1, "1073741825", 60, 1), `log.swf:2:19: the requested number of processors (field 8) is 1.073741825e+09; expected at most 1073741824; -1 stands for what is unknown`},
		{"; " + strings.Repeat("x", 65536), `log.swf:2:1: the line is longer than 65536 bytes; expected shorter lines`},
		{"", `log.swf:2:1: the log has no jobs; expected lines of 18 numbers`},
	} {
		_, err := read(start + tt.line)
		_, ok := errors.AsType[*swf.SyntaxError](err)
		expect.That(t, ok && err.Error() == tt.want, "%.60q:\n got %v\nwant %s", tt.line, err, tt.want)
	}
	for _, mark := range []string{"\ufeff", "\xff\xfe", "\xfe\xff"} {
		_, err := read(mark + start + good)
		const want = "log.swf:1:1: the text begins with a byte order mark; expected UTF-8 without one"
		expect.That(t, err != nil && err.Error() == want, "%q: %v, want %s", mark, err, want)
	}
	expect.Refusal(read("\x1f\x8b nothing"))(t, "log.swf: ")
	broken := errors.New("broken")
	_, err := swf.Read("log.swf", iotest.ErrReader(broken), math.MaxInt64)
	expect.That(t, errors.Is(err, broken), "%v, want %v", err, broken)
}

// A small compressed file cannot use up the memory.
func TestReadKeepsToTheMemory(t *testing.T) {
	text := strings.Repeat(job(1, 0, 10, 1, 1, 60, 1), 1000)
	_, err := swf.Read("log.swf", strings.NewReader(text), 8000) // 100 jobs of 40 bytes, twice
	const want = "log.swf:101:1: the first 101 jobs take more than the 8000 bytes of memory that are available; expected a shorter log"
	expect.That(t, err != nil && err.Error() == want, "%v, want %s", err, want)
}
