package workload

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/hpldat"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// fileFormats are the formats of files with values of parameters, by the names in [parameter.File].
var fileFormats = map[string]document.Format{"HPL.dat": {Want: "an HPL.dat", Parse: hpldat.Read}}

// isFile reports whether a parameter names a file with values of other parameters.
func isFile(p parameter.Parameter) bool {
	_, ok := p.Type.(parameter.File)
	return ok
}

// fileParameter returns the name of the parameter that names such a file, or "".
func fileParameter(k *algorithm.Kind) string {
	if i := slices.IndexFunc(k.Parameters, isFile); i >= 0 {
		return k.Parameters[i].Name
	}
	return ""
}

// valuesFile is a file with values of the parameters of a workload, a sequence for each. The zero value has none.
type valuesFile struct {
	name   string
	values map[string]*yamldoc.Node
	used   map[string]bool
	failed bool // it could not be read: its content is unknown
}

// readFileOf reads the file that the parameters of a workload name, if they name one. A study ignores its problem size.
func (x *reading) readFileOf(k *schema.Keys, kind *algorithm.Kind) {
	key := fileParameter(kind)
	if key == "" || k.Declaring() {
		return
	}
	n := k.Node(key)
	f := fileFormats[kind.Parameters[slices.IndexFunc(kind.Parameters, isFile)].Type.(parameter.File).Format]
	name := x.String(n, "the name of "+f.Want)
	if name == "" {
		x.file.failed = n != nil
		return
	}
	x.file = valuesFile{name: name, values: map[string]*yamldoc.Node{}, used: map[string]bool{}}
	root := x.ReadNamed(f, n, input.Resolve(x.base, name))
	if root == nil {
		x.file.failed = true
		return
	}
	x.Parameters = append(x.Parameters, input.Parameter{Name: key, Value: name, Note: "scenario"})
	m := x.Mapping(root, f.Want)
	for _, q := range kind.Parameters {
		x.file.values[q.Name] = m.Take(q.Name)
	}
	if n := m.Take("n"); x.sized {
		x.file.values["n"] = n
	}
	m.Done()
}

// elsewhere returns the file's value of a parameter that the scenario does not give; the file must have just one.
func (x *reading) elsewhere(name string) *yamldoc.Node {
	values := x.Sequence(x.file.values[name], "values")
	switch len(values) {
	case 0:
		return nil
	case 1:
		x.file.used[name] = true
		return values[0]
	}
	texts := each.Append(nil, values, (*yamldoc.Node).Text)
	x.Fail(values[1], fmt.Sprintf("%s has %s: %s", name, input.Plural(len(values), "value"), input.List(texts)),
		fmt.Sprintf("one; say which beside the name of the file, as in {dat: %s, %s: %s} or --set workload.%s=%s, or vary workload.%s in a sweep",
			x.file.name, name, texts[0], name, texts[0], name))
	x.file.failed = true
	return nil
}
