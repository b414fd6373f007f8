package catalogue

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/internal/answer/lesson"
	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

var update = flag.Bool("update", false, "write the tables of the documentation anew")

// tables are the lists in the documentation that are made from the registries. In a page, each stands below the comment
// <!-- table NAME -->.
func tables() map[string]string {
	usual, super := len(system.OutcomesOfScenarios(system.More{})), system.OutcomesOfSuperPrograms(0)
	all := map[string]string{
		"workloads":                  workloadTable(),
		"outcomes of scenarios":      outcomeTable(system.OutcomesOfScenarios(system.More{Energy: true})),
		"outcomes of memory":         outcomeTable(system.OutcomesOfScenarios(system.More{Memory: true})[usual:]),
		"outcomes of super-programs": outcomeTable(super),
		"outcomes of level 1":        outcomeTable(system.OutcomesOfSuperPrograms(1)[len(super):]),
	}
	for _, x := range system.Explanations {
		var more system.More
		*x.Of(&more.Explained) = true
		all["outcomes of "+x.Key] = outcomeTable(system.OutcomesOfScenarios(more)[usual:])
	}
	all["algorithms of collective operations"] = algorithmTable()
	all["job mix"] = fieldTable(queue.Object.Fields())
	all["queue of a job mix"] = fieldTable(queue.Object.Field("queue").Type.(*schema.Object).Fields())
	all["kind of job"] = fieldTable(queue.Object.Field("jobs").Type.(schema.List).Of.(*schema.Object).Fields())
	all["functions"], all["functions of applications"] = functionTables()
	for name, fields := range lesson.Tables() {
		all[name] = fieldTable(fields)
	}
	said := map[string]string{} // the first network of the page that has a line
	for _, k := range networks.Kinds {
		if len(k.Parameters()) > 0 {
			all["network "+k.Name] = once(fieldTable(k.Parameters()), k.Name, said)
		}
	}
	return all
}

// once puts one line in place of those that earlier lists have.
func once(list, name string, said map[string]string) string {
	var b strings.Builder
	again, of := []string{}, ""
	for line := range strings.Lines(list) {
		if first := said[line]; first != "" {
			key, _, _ := strings.Cut(strings.TrimPrefix(line, "- "), " ")
			again, of = append(again, key), first
			continue
		}
		said[line] = name
		b.WriteString(line)
	}
	if len(again) > 0 {
		fmt.Fprintf(&b, "- %s: as of %s\n", strings.Join(again, ", "), of)
	}
	return b.String()
}

func fieldTable(fields []schema.Field) string {
	var b strings.Builder
	for _, f := range fields {
		fmt.Fprintf(&b, "- `%s` (%s%s): %s\n", f.Key, schema.Words(f.Type), otherwise(f), f.Meaning)
	}
	return b.String()
}

// otherwise says what is taken where a key is absent.
func otherwise(f schema.Field) string {
	switch {
	case f.Required:
		return "; required"
	case f.Default == "":
		return ""
	}
	return "; default " + f.Default
}

// workloadTable has the keys that all workloads have in common; isoscale describe prints
// those of each.
func workloadTable() string {
	fields := workload.Parameters(algorithm.Kinds[0])
	fields = fields[:len(fields)-len(algorithm.Kinds[0].Parameters)]
	for i := range fields {
		switch fields[i].Key {
		case "n":
			fields[i].Meaning = "problem size"
		case "element_size":
			fields[i].Default = "the workload's"
		}
	}
	return fieldTable(fields)
}

// functionTables list the functions of expressions: everywhere, and in applications.
func functionTables() (plain, applications string) {
	for _, f := range formula.Functions {
		plain += fmt.Sprintf("- `%s`: %s\n", f.Form, f.Meaning)
	}
	for _, f := range expression.Functions() {
		applications += fmt.Sprintf("- `%s`: %s\n", f.Form, f.Meaning)
	}
	return plain, applications
}

// algorithmTable names operations once, before their first algorithm.
func algorithmTable() string {
	var b strings.Builder
	for _, a := range algorithmDocs {
		fmt.Fprintf(&b, "- `%s` `%s`: %s (%s)\n", strings.ReplaceAll(a[0], " ", "`, `"), a[1], a[2], a[3])
	}
	return b.String()
}

func outcomeTable(outcomes []system.Outcome) string {
	var b strings.Builder
	for _, o := range outcomes {
		unit := o.Unit
		if unit == "" {
			unit = "1"
		}
		fmt.Fprintf(&b, "- `%s` (%s): %s\n", o.Name, unit, o.Meaning)
	}
	return b.String()
}

// The tables in the documentation are those of the registries.
func TestTablesOfTheDocumentation(t *testing.T) {
	all, seen := tables(), map[string]bool{}
	for _, page := range []string{"../../../docs/formats/expressions.md", "../../../docs/formats/lesson.md",
		"../../../docs/formats/queue.md", "../../../docs/formats/scenario.md", "../../../docs/formats/sweep.md",
		"../../../docs/models/collectives.md"} {
		data := expect.Value(os.ReadFile(page))(t)
		parts := strings.Split(string(data), "<!-- table ")
		made := parts[0]
		for _, part := range parts[1:] {
			name, rest, _ := strings.Cut(part, " -->\n")
			table := all[name]
			expect.That(t, table != "", "%s: no table %q", page, name)
			seen[name] = true
			for strings.HasPrefix(rest, "- ") {
				_, rest, _ = strings.Cut(rest, "\n")
			}
			made += "<!-- table " + name + " -->\n" + table + rest
		}
		if made == string(data) {
			continue
		}
		if *update {
			expect.Success(t, os.WriteFile(page, []byte(made), 0o644))
			continue
		}
		t.Errorf("%s: page -, registries + (go test ./experiments/internal/catalogue -update writes the page)\n%s", page, cmp.Diff(string(data), made))
	}
	for name := range all {
		expect.That(t, seen[name], "no page has the table %q", name)
	}
}
