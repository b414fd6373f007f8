package command

import (
	_ "embed" // the cases
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/catalogue"
	"github.com/isoscale/isoscale/experiments/internal/file/schema/schematest"
	"github.com/isoscale/isoscale/internal/expect"
)

//go:embed testdata/badinput.cases
var badInputs string

// What is wrong in a file is reported with its place and what was expected.
// The cases, which replace one line of a good scenario, are in testdata/badinput.cases.
func TestBadInputIsReportedWithItsPlace(t *testing.T) {
	scenario := []string{
		"machine: sunwulf",
		"nodes: {server: 1, blade: 2}",
		"placement: {server: 2}",
		"network: hockney",
		"workload: {name: gauss, n: 50}",
		"seed: 1",
	}
	const inline = "machine: {node_types: {w: {cores: 2, marked_speed: 1 Mflop/s}}, nodes: [{type: w, count: 4}], network: {latency: 1 us, bandwidth: 1 GB/s}}"
	change := func(old, new string) string {
		expect.Need(t, strings.Contains(inline, old), "%q is not in the machine", old)
		return strings.Replace(inline, old, new, 1)
	}
	s := expect.Value(catalogue.Schema("scenario"))(t)
	form := schematest.Compile(t, s)
	escaped := strings.NewReplacer(`\x00`, "\x00", `\xff`, "\xff")
	messages := strings.NewReplacer("$networks", named(t, "networks"), "$workloads", named(t, "workloads"))
	for _, tt := range strings.Split(strings.TrimSpace(badInputs), "\n\n")[1:] {
		rows := strings.Split(tt, "\n")
		number, name, _ := strings.Cut(rows[0], " ")
		line, err := strconv.Atoi(number)
		expect.Need(t, err == nil && len(rows) == 3, "%q; expected three lines, the first with a number", tt)
		text, want := escaped.Replace(rows[1]), messages.Replace(rows[2])
		if part, ok := strings.CutPrefix(text, "change "); ok {
			before, after, _ := strings.Cut(part, " => ")
			text = change(before, after)
		}
		t.Run(name, func(t *testing.T) {
			lines := append([]string(nil), scenario...)
			if strings.HasPrefix(text, "machine: {") {
				lines[1], lines[2] = "", "" // the types are those of another machine
			}
			place, column := 1, strings.Index(text, "^")
			if column >= 0 {
				place = line
			} else {
				column = 0 // the scenario as a whole
			}
			lines[line-1] = strings.Replace(text, "^", "", 1)
			text := strings.Join(lines, "\n") + "\n"
			path := expect.File(t, "bad.yaml", text)
			for _, command := range []string{"run", "validate"} {
				args := []string{command, path}
				o := isoscale(args...)
				for _, b := range breaches(args, o) {
					t.Error(b)
				}
				var reader error
				if o.status != exitOK {
					reader = errors.New(o.stderr)
				}
				expect.Success(t, form.AgreeText(text, reader))
				if want == "-" {
					expect.That(t, o.status == exitOK, "%s: exit status %d\n%s", command, o.status, o.stderr)
					continue
				}
				expect.That(t, o.status == exitInput && o.stdout == "",
					"%s: exit status %d and output %q, want %d and none", command, o.status, o.stdout, exitInput)
				prefix := fmt.Sprintf("%s:%d:%d: ", path, place, column+1)
				first, more, _ := strings.Cut(o.stderr, "\n")
				expect.That(t, strings.HasPrefix(first, prefix) && strings.Contains(first, want),
					"%s: got\n%swant\n%s%s", command, o.stderr, prefix, want)
				expect.That(t, more == "", "%s: one mistake gives more than one message:\n%s", command, o.stderr)
			}
		})
	}
}

// named lists the names of a section of the catalogue as messages do.
func named(t *testing.T, section string) string {
	t.Helper()
	sections := expect.Value(catalogue.List())(t)
	var names []string
	for _, s := range sections {
		if s.Kind == section {
			for _, e := range s.Entries {
				names = append(names, e.Name)
			}
		}
	}
	expect.Need(t, len(names) != 0, "the catalogue has no %s", section)
	slices.Sort(names)
	return strings.Join(names, ", ")
}
