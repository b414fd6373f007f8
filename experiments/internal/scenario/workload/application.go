package workload

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// catalogueApplication reads an application of the catalogue.
func catalogueApplication(name string) *algorithm.Kind {
	root, err := yamldoc.Parse("catalogue/"+name+".yaml", application.CatalogueFile(name))
	if err == nil {
		var d yamldoc.Decoder
		k := application.Read(&d, root).Kind()
		if err = d.Err(); err == nil && k.Name == name {
			return k
		}
	}
	panic(fmt.Sprintf("workload: application %s of the catalogue: %v", name, err)) // a file of the program itself, which tests read
}

// applicationObject is a workload whose application is in a file, which says what
// parameters there are.
var applicationObject = &schema.Object{
	What: "a workload, as in {application: heat3d.yaml, n: 1024}", Ref: "workload-application", Others: schema.Any,
	Fields: []schema.Field{
		{Key: "application", Type: document.FileType, Required: true, Meaning: "an application file; its parameters are keys beside it"},
	},
}

// fileObject is the declaration of a workload whose application has been read.
func fileObject(k *algorithm.Kind) *schema.Object {
	o := newObject(k)
	o.Fields[0] = applicationObject.Fields[0]
	return o
}

// FileParameters returns everything that a scenario may set of a workload whose
// application is in a file.
func FileParameters(k *algorithm.Kind) []schema.Field {
	return fileObject(k).Fields[1:]
}

// readApplication reads the application file that n names; nil after a problem.
func readApplication(r *document.Reader, n *yamldoc.Node, base string) *algorithm.Kind {
	const want = "the name of an application file, which ends in .yaml or contains a /"
	name := r.String(n, want)
	if name == "" {
		return nil
	}
	if !document.LooksLikeFile(name) {
		r.Fail(n, fmt.Sprintf("%q is no file name", name), want+"; one of the catalogue is given by name: "+name)
		return nil
	}
	return document.Once(r, name, func() *algorithm.Kind { return applicationFile(r, n, name, base) })
}

// applicationFile reads an application file; nil after a problem.
func applicationFile(r *document.Reader, n *yamldoc.Node, name, base string) *algorithm.Kind {
	path := input.Resolve(base, name)
	root, err := r.ReadFile(path)
	if err != nil {
		r.Fail(n, "application file: "+strings.TrimPrefix(err.Error(), path+": "), "") // the error says what was expected
		return nil
	}
	if kind := input.KindOf(root); kind != input.KindApplication {
		r.Fail(n, fmt.Sprintf("%s is a %s", path, kind), "an application, which begins with application: NAME")
		return nil
	}
	before := r.ProblemCount()
	a := application.Read(&r.Decoder, root)
	if r.ProblemCount() > before {
		return nil
	}
	return a.Kind()
}
