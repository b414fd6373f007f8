package yamldoc

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// parseLength stands for a parser of model/units: metres.
func parseLength(s string) (float64, error) {
	var v float64
	var unit string
	if _, err := fmt.Sscanf(s, "%g %s", &v, &unit); err != nil || unit != "m" {
		return 0, fmt.Errorf("%q is not a length", s)
	}
	return v, nil
}

func TestDecoderErrors(t *testing.T) {
	oneToTen := func(d *Decoder, n *Node) { d.Int(n, 1, 10, "") }
	share := func(d *Decoder, n *Node) {
		d.Float(n, "a share from 0 to 1", func(f float64) bool { return f >= 0 && f <= 1 })
	}
	flag := func(d *Decoder, n *Node) { d.Bool(n) }
	text := func(d *Decoder, n *Node) { d.String(n, "a name") }
	length := func(r Range) func(d *Decoder, n *Node) {
		return func(d *Decoder, n *Node) { Quantity(d, n, parseLength, r, "a length such as 3 m") }
	}
	list := func(d *Decoder, n *Node) { d.Sequence(n, "systems") }
	thing := func(d *Decoder, n *Node) { d.Mapping(n, "a workload") }
	name := func(d *Decoder, n *Node) { d.OneOf(n, []string{"matmul", "gauss", "jacobi"}, "workload") }

	// The value starts at column 4 of the only line.
	cases := []struct {
		value string
		read  func(*Decoder, *Node)
		want  string // after "f.yaml:1:4: k: "
	}{
		{"ten", oneToTen, `found the text "ten"; expected an integer from 1 to 10`},
		{"1e1", oneToTen, `found the number 1e1, write 10; expected an integer from 1 to 10`},
		{"10.0", oneToTen, `found the number 10.0, write 10; expected an integer from 1 to 10`},
		{"2.5", oneToTen, `found the number 2.5; expected an integer from 1 to 10`},
		{"1e300", oneToTen, `found the number 1e300; expected an integer from 1 to 10`},
		{"1_0", oneToTen, `found the text "1_0", write 10; expected an integer from 1 to 10`},
		{"010", oneToTen, `found the text "010"; expected an integer from 1 to 10`},
		{"0x10", oneToTen, `found the text "0x10"; expected an integer from 1 to 10`},
		{"'10'", oneToTen, `found the quoted text "10", write 10 without quotes; expected an integer from 1 to 10`},
		{"0", oneToTen, `0 is less than 1; expected an integer from 1 to 10`},
		{"11", oneToTen, `11 is more than 10; expected an integer from 1 to 10`},
		{"99999999999999999999", oneToTen, `99999999999999999999 is more than 10; expected an integer from 1 to 10`},
		{"true", oneToTen, `found true; expected an integer from 1 to 10`},
		{"~", oneToTen, `found no value; expected an integer from 1 to 10`},
		{"{}", oneToTen, `found a mapping; expected an integer from 1 to 10`},
		{"x", func(d *Decoder, n *Node) { d.Int(n, 0, math.MaxInt, "") }, `found the text "x"; expected an integer of at least 0`},
		{"x", func(d *Decoder, n *Node) { d.Int(n, math.MinInt, 0, "") }, `found the text "x"; expected an integer of at most 0`},
		{"x", func(d *Decoder, n *Node) { d.Int(n, math.MinInt, math.MaxInt, "") }, `found the text "x"; expected an integer`},
		{"99999999999999999999", func(d *Decoder, n *Node) { d.Int(n, 0, math.MaxInt, "") },
			`99999999999999999999 does not fit in 64 bits; expected an integer of at least 0`},
		{"0", func(d *Decoder, n *Node) { d.Int(n, 1, 4, "a number of processes") }, `0 is less than 1; expected a number of processes`},

		{"1.5", share, `1.5 is out of range; expected a share from 0 to 1`},
		{".nan", share, `found the text ".nan"; expected a share from 0 to 1`},
		{".inf", share, `found the text ".inf"; expected a share from 0 to 1`},
		{"NaN", share, `found the text "NaN"; expected a share from 0 to 1`},
		{"1e999", share, `1e999 is out of range; expected a share from 0 to 1`},
		{"'0.5'", share, `found the quoted text "0.5", write it without quotes; expected a share from 0 to 1`},
		{"[]", share, `found a sequence; expected a share from 0 to 1`},

		{"yes", flag, `found the text "yes", write true; expected true or false`},
		{"OFF", flag, `found the text "OFF", write false; expected true or false`},
		{"'true'", flag, `found the quoted text "true", write true; expected true or false`},
		{"1", flag, `found the number 1; expected true or false`},
		{"~", flag, `found no value; expected true or false`},

		{"~", text, `found no value; expected a name`},
		{"[a]", text, `found a sequence; expected a name`},

		{"3 feet", length(Any), `"3 feet" is not a length; expected a length such as 3 m`},
		{"-3 m", length(NonNegative), `-3 m is negative; expected a length such as 3 m`},
		{"-3 m", length(Positive), `-3 m is negative; expected a length such as 3 m`},
		{"0 m", length(Positive), `0 m is zero; expected a length such as 3 m`},
		{"NaN m", length(Any), `NaN m is not a finite number; expected a length such as 3 m`},
		{"Inf m", length(Any), `Inf m is not a finite number; expected a length such as 3 m`},
		{"{a: 1}", length(Any), `found a mapping; expected a length such as 3 m`},

		{"C2", list, `found the text "C2"; expected a sequence of systems`},
		{"gauss", thing, `found the text "gauss"; expected a mapping that describes a workload`},
		{"~", thing, `found no value; expected a mapping that describes a workload`},

		{"gaus", name, `unknown workload "gaus"; expected one of gauss, jacobi, matmul; did you mean "gauss"?`},
		{"fft", name, `unknown workload "fft"; expected one of gauss, jacobi, matmul`},
		{"[]", name, `found a sequence; expected the name of a workload: one of gauss, jacobi, matmul`},
		{"'" + strings.Repeat("x", 100) + "'", oneToTen, `found the quoted text "` + strings.Repeat("x", 60) + `..."; expected an integer from 1 to 10`},
	}
	for _, c := range cases {
		t.Run(c.value, func(t *testing.T) {
			var d Decoder
			c.read(&d, mustParse(t, "k: "+c.value).Value("k"))
			err := d.Err()
			expect.Need(t, err != nil, "no problem; want %s", c.want)
			expect.Same(t, err.Error(), "f.yaml:1:4: k: "+c.want, "what is read")
		})
	}
}

func TestDecoderValues(t *testing.T) {
	root := mustParse(t, `
int: -10
float: 1e3
whole: 4
bool: true
name: 8
quoted: "3 m"
plain: 3 m
list: [a, b]
kind: gauss
`)
	var d Decoder
	m := d.Mapping(root, "a test")
	type values struct {
		Int                  int
		Float, Whole         float64
		Bool                 bool
		Name                 string
		Quoted, Plain        float64
		List                 []string
		Kind                 string
		AbsentInt            int
		AbsentFloat, AbsentQ float64
		AbsentBool           bool
		AbsentName, AbsentOf string
		AbsentList           []*Node
		AbsentKeys           []string
	}
	got := values{
		Int:         d.Int(m.Take("int"), -10, -10, ""),
		Float:       d.Float(m.Take("float"), "a number", nil),
		Whole:       d.Float(m.Take("whole"), "a number", func(f float64) bool { return f > 3 }),
		Bool:        d.Bool(m.Take("bool")),
		Name:        d.String(m.Take("name"), "a name"),
		Quoted:      Quantity(&d, m.Take("quoted"), parseLength, Positive, "a length"),
		Plain:       Quantity(&d, m.Require("plain", "a length"), parseLength, NonNegative, "a length"),
		Kind:        d.OneOf(m.Take("kind"), []string{"gauss"}, "workload"),
		AbsentInt:   d.Int(m.Take("no"), 1, 2, ""),
		AbsentFloat: d.Float(nil, "a number", func(float64) bool { return false }),
		AbsentQ:     Quantity(&d, nil, parseLength, Positive, "a length"),
		AbsentBool:  d.Bool(nil),
		AbsentName:  d.String(nil, "a name"),
		AbsentOf:    d.OneOf(nil, nil, "workload"),
		AbsentList:  d.Sequence(nil, "things"),
	}
	for _, n := range d.Sequence(m.Take("list"), "names") {
		got.List = append(got.List, d.String(n, "a name"))
	}
	absent := d.Mapping(nil, "a thing")
	absent.Require("key", "a value")
	got.AbsentKeys = absent.Keys()
	absent.Done()
	m.Done()
	expect.Success(t, d.Err())
	want := values{Int: -10, Float: 1000, Whole: 4, Bool: true, Name: "8", Quoted: 3, Plain: 3, List: []string{"a", "b"}, Kind: "gauss"}
	expect.Same(t, got, want, "what is read")
}

func TestMapping(t *testing.T) {
	root := mustParse(t, "zeta: 1\nnet:\n  latancy: 50 us\n  colour: red\n")
	var d Decoder
	m := d.Mapping(root, "a scenario")
	expect.Same(t, m.Keys(), []string{"zeta", "net"}, "what is read")
	m.Take("zeta")
	net := d.Mapping(m.Take("net"), "a network")
	net.Take("latency")
	net.Take("latency")
	net.Require("bandwidth", "a rate such as 100 Mbit/s")
	net.Done()
	m.Done()
	want := `f.yaml:3:3: net: missing key "bandwidth"; expected a rate such as 100 Mbit/s
f.yaml:3:3: net: unknown key "latancy"; expected one of bandwidth, latency; did you mean "latency"?
f.yaml:4:3: net: unknown key "colour"; expected one of bandwidth, latency`
	expect.Same(t, fmt.Sprint(d.Err()), want, "what is read")

	// A wrong node gives one message, not one for every key.
	var e Decoder
	wrong := e.Mapping(root.Value("zeta"), "a network")
	wrong.Require("bandwidth", "a rate")
	wrong.Done()
	expect.Same(t, fmt.Sprint(e.Err()), `f.yaml:1:7: zeta: found the number 1; expected a mapping that describes a network`, "what is read")

	var f Decoder
	f.Mapping(root, "nothing").Done()
	got, want := f.Err().Error(), `f.yaml:1:1: unknown key "zeta"; expected none`
	expect.That(t, strings.HasPrefix(got, want), "got %s, want %s", got, want)
}

func TestProblems(t *testing.T) {
	err := new(Decoder).Err()
	expect.That(t, err == nil, "an unused decoder has the error %v", err)
	var d Decoder
	cause := errors.New("two\nlines")
	m := d.Mapping(mustParse(t, "a: 1\nb: 2\n"), "a test")
	Quantity(&d, m.Take("b"), func(string) (float64, error) { return 0, cause }, Any, "")
	d.Fail(m.Take("a"), "wrong", "right")
	d.Fail(nil, "nowhere", "")
	d.failAt(Position{"f.yaml", 1, 4}, "system.a", "wrong", "right") // the same place, read for something else
	err = d.Err()
	// Sorted: no position before line 1 before line 2; one line each.
	expect.Same(t, err.Error(), ": nowhere\nf.yaml:1:4: a: wrong; expected right\nf.yaml:2:4: b: two\\nlines", "what is read")
	var problems Problems
	expect.That(t, errors.As(err, &problems) && len(problems) == 3, "%T is not three Problems", err)
	var first *Error
	expect.That(t, errors.As(err, &first) && first.Msg == "nowhere", "the first problem is %v", first)
	expect.That(t, errors.Is(err, cause), "the cause is lost")
}
