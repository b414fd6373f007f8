package lines_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/internal/lines"
)

func Example() {
	in := lines.NewReader(strings.NewReader("one\r\ntwo\n\nfour"), 4096, 1<<20)
	for {
		line, err := in.Next()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%q\n", line)
	}
	// Output:
	// "one"
	// "two"
	// ""
	// "four"
	// EOF
}

// A mark that arrives byte by byte is recognized; the beginning of a mark alone is text.
func TestByteOrderMark(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"\ufeffa\n", lines.ErrByteOrderMark.Error()},
		{"\ufeff", lines.ErrByteOrderMark.Error()},
		{"\xff\xfea\x00", lines.ErrByteOrderMark.Error()},
		{"\xef\xbb", io.EOF.Error()},
		{"a\ufeff\n", io.EOF.Error()},
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(c.text),
			"byte by byte": iotest.OneByteReader(strings.NewReader(c.text))} {
			expect.Equal(t, read(r, 16, 100).Err, c.want, "error of %q, %s", c.text, name)
		}
	}
}

// outcome is the lines that a text was cut into, and the error at the end.
type outcome struct {
	Lines []string
	Err   string
}

// cut cuts a text as documented, without a buffer.
func cut(text string, longest int) outcome {
	var o outcome
	for _, mark := range []string{"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"} {
		if strings.HasPrefix(text, mark) {
			return outcome{Err: lines.ErrByteOrderMark.Error()}
		}
	}
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		if len(line) > longest {
			o.Err = lines.ErrTooLong.Error()
			return o
		}
		o.Lines = append(o.Lines, strings.TrimSuffix(line, "\r"))
		text = rest
	}
	o.Err = io.EOF.Error()
	return o
}

func read(r io.Reader, size, longest int) outcome {
	var o outcome
	in := lines.NewReader(r, size, longest)
	for {
		line, err := in.Next()
		if err != nil {
			o.Err = err.Error()
			if _, again := in.Next(); again != err {
				o.Err += ", then " + again.Error()
			}
			return o
		}
		o.Lines = append(o.Lines, string(line))
	}
}

// readWhole cuts the texts of Whole. The wrong line is either among them or reported
// after them.
func readWhole(r io.Reader, size, longest int) outcome {
	in := lines.NewReader(r, size, longest)
	var text []byte
	for {
		before := len(text)
		var err error
		text, err = in.Whole(text)
		if err == nil && len(text) == before {
			return outcome{Err: "nothing, and no error"}
		}
		if err != nil {
			o := outcome{Err: err.Error()}
			for len(text) > 0 {
				var line []byte
				if line, text, err = lines.Cut(text, longest); err != nil {
					o.Err = err.Error()
					return o
				}
				o.Lines = append(o.Lines, string(line))
			}
			return o
		}
	}
}

func TestReader(t *testing.T) {
	for _, c := range []struct {
		text    string
		longest int
		want    outcome
	}{
		{"", 4, outcome{nil, "EOF"}},
		{"a", 4, outcome{[]string{"a"}, "EOF"}},
		{"a\n", 4, outcome{[]string{"a"}, "EOF"}},
		{"a\nb", 4, outcome{[]string{"a", "b"}, "EOF"}},
		{"\n\r\n\n", 4, outcome{[]string{"", "", ""}, "EOF"}},
		{"a\rb\r\r\n", 5, outcome{[]string{"a\rb\r"}, "EOF"}},
		{"\r", 4, outcome{[]string{""}, "EOF"}},
		{"1234\n1234\r\n", 5, outcome{[]string{"1234", "1234"}, "EOF"}},
		{"1234\n12345\n", 4, outcome{[]string{"1234"}, "line too long"}},
		{"1234\n12345", 4, outcome{[]string{"1234"}, "line too long"}},
		{"1234\n1234", 4, outcome{[]string{"1234", "1234"}, "EOF"}},
		{"\xef\xbb\xbfa\n", 4, outcome{nil, "byte order mark"}},
		{"\xfe\xff", 4, outcome{nil, "byte order mark"}},
		{"\xff\xfe\xff\xff\xff", 2, outcome{nil, "byte order mark"}},
		{"\xef\xbb", 4, outcome{[]string{"\xef\xbb"}, "EOF"}},
		{"\xef\xbba\n", 4, outcome{[]string{"\xef\xbba"}, "EOF"}},
		{"a\n\xff\xfe\n", 4, outcome{[]string{"a", "\xff\xfe"}, "EOF"}},
	} {
		got := cut(c.text, c.longest)
		expect.That(t, cmp.Equal(got, c.want), "%q: the reference gives %+v, want %+v", c.text, got, c.want)
		checkReaders(t, c.text, c.longest)
	}
}

// checkReaders compares with the reference, with buffers smaller than a line and larger
// than the text, and with sources that return little at a time, or the end together
// with the last bytes.
func checkReaders(t *testing.T, text string, longest int) {
	t.Helper()
	want := cut(text, longest)
	for _, size := range []int{1, 3, 64 << 10} {
		for name, source := range map[string]func() io.Reader{
			"all at once":       func() io.Reader { return strings.NewReader(text) },
			"byte by byte":      func() io.Reader { return iotest.OneByteReader(strings.NewReader(text)) },
			"end with the data": func() io.Reader { return iotest.DataErrReader(strings.NewReader(text)) },
		} {
			got := read(source(), size, longest)
			expect.That(t, cmp.Equal(got, want), "%q, buffer %d, %s: %+v, want %+v", text, size, name, got, want)
			got = readWhole(source(), size, longest)
			expect.That(t, cmp.Equal(got, want), "%q, buffer %d, %s: whole lines: %+v, want %+v", text, size, name, got, want)
		}
	}
}

// An error of the source comes after the whole lines before it; an incomplete line
// before it is not returned.
func TestErrorsOfTheSource(t *testing.T) {
	broken := errors.New("broken")
	source := func() io.Reader {
		return io.MultiReader(strings.NewReader("a\nb\nhalf"), iotest.ErrReader(broken))
	}
	for _, size := range []int{1, 4096} {
		got, want := read(source(), size, 100), (outcome{[]string{"a", "b"}, "broken"})
		expect.That(t, cmp.Equal(got, want), "buffer %d: %+v, want %+v", size, got, want)
		in := lines.NewReader(source(), size, 100)
		var text []byte
		var err error
		for err == nil {
			text, err = in.Whole(text)
		}
		expect.That(t, string(text) == "a\nb\n" && err == broken, "buffer %d: whole lines %q, %v", size, text, err)
	}
}

// The reader gives up on a source that returns neither data nor an error.
func TestNoProgress(t *testing.T) {
	got := read(silent{}, 16, 100)
	expect.That(t, got.Err == io.ErrNoProgress.Error(), "%+v, want %v", got, io.ErrNoProgress)
}

type silent struct{}

func (silent) Read([]byte) (int, error) { return 0, nil }

// Lines cost no memory of their own.
func TestNextAllocatesNothing(t *testing.T) {
	text := bytes.Repeat([]byte("0 send 1 17 123456\n"), 10000)
	source := bytes.NewReader(text)
	in := lines.NewReader(source, 4096, 100)
	expect.Value(in.Next())(t)
	n := testing.AllocsPerRun(5000, func() {
		expect.Value(in.Next())(t)
	})
	expect.That(t, n == 0, "%v allocations for a line, want 0", n)
}

func FuzzReader(f *testing.F) {
	for _, text := range []string{"", "a\n", "\r\n\r", "one\ntwo\r\nthree", strings.Repeat("x", 20) + "\n1"} {
		f.Add(text, uint8(5))
	}
	f.Fuzz(func(t *testing.T, text string, longest uint8) {
		if len(text) > 1<<12 {
			t.Skip("longer texts say no more")
		}
		checkReaders(t, text, int(longest))
	})
}

func BenchmarkNext(b *testing.B) {
	const n = 100_000
	text := strings.Repeat("12345 send 6789 17 123456\n", n)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		in := lines.NewReader(strings.NewReader(text), 64<<10, 1<<20)
		count := 0
		for {
			if _, err := in.Next(); err != nil {
				break
			}
			count++
		}
		expect.Need(b, count == n, "%d lines, want %d", count, n)
	}
}
