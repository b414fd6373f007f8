package application

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/internal/each"
)

// procedure is a block of statements with parameters. A call reads the block again, with
// its values instead of the names of the parameters: numbers, names of axes, requests or
// algorithms.
type procedure struct {
	name   string
	names  []string // of its parameters
	do     *yamldoc.Node
	at     *yamldoc.Node
	called bool
}

var procedureRecord = declarePart("a procedure, as in {parameters: [size], do: [{bcast: size}]}", func(k *schema.Keys, d *part[procedure]) {
	k.Optional("parameters", schema.Func(schema.List{Of: schema.Text}, func(n *yamldoc.Node) {
		for _, item := range k.Sequence(n, "names") {
			name := k.String(item, "a name")
			problem, expected := d.app.Scope().CheckName(name)
			if problem == "" && slices.Contains(d.of.names, name) {
				problem, expected = fmt.Sprintf("the name %s is defined twice", name), "another name"
			}
			if problem != "" {
				k.Fail(item, problem, expected)
			}
			d.of.names = append(d.of.names, name)
		}
	}), "names that its statements use for the values of a call")
	k.Required("do", schema.Func(blockType, func(n *yamldoc.Node) { d.of.do = n }).Wanted("a list of statements"), "its statements")
})

// define reads the procedures, whose statements are read where they are called.
func (r *reader) define(n *yamldoc.Node) {
	for name, v := range r.Entries(n, "procedures, as in {layer: {do: [{barrier: {}}]}}") {
		if !schema.IsName(name) {
			r.Fail(v, "not a name", "a name for the procedure, such as layer")
			continue
		}
		x := part[procedure]{r, procedure{name: name, at: v}}
		procedureRecord.Read(r.Decoder, v, &x)
		r.procedures = append(r.procedures, &x.of)
	}
}

// uncalled refuses procedures that nothing calls: nobody has read their statements.
func (r *reader) uncalled() {
	for _, p := range r.procedures {
		if !p.called && r.Err() == nil {
			r.Fail(p.at, "nothing calls the procedure "+p.name, "a statement call: "+p.name)
		}
	}
}

func callKeys(k *schema.Keys, x *placing) {
	var p *procedure
	k.Required("call", schema.Func(schema.Text, func(n *yamldoc.Node) {
		x.main = n
		names := each.Append(nil, x.procedures, func(one *procedure) string { return one.name })
		if i := slices.Index(names, k.OneOf(n, names, "procedure")); i >= 0 {
			p = x.procedures[i]
		}
	}), "")
	given := map[string]string{}
	k.Optional("with", schema.Func(schema.Map{Of: schema.Text}, func(n *yamldoc.Node) {
		for name, v := range k.Entries(n, "values of parameters, as in {size: 8 B}") {
			if given[name] = k.String(v, "a value"); p != nil && !slices.Contains(p.names, name) {
				k.Fail(v, fmt.Sprintf("the procedure %s has no parameter %s", p.name, name), oneOf(p.names))
			}
			if len(given[name]) > mostValue { // calls in calls might double it each time
				k.Fail(v, "the value is too long", fmt.Sprintf("at most %d characters", mostValue))
				given[name] = ""
			}
		}
	}), "values of its parameters, all of which must be given")
	x.every(k)
	if p == nil {
		return
	}
	for _, name := range p.names {
		if _, ok := given[name]; !ok {
			k.Fail(x.main, fmt.Sprintf("no value for the parameter %s of %s", name, p.name), "with: {"+name+": ...}")
			return
		}
	}
	if slices.Contains(x.calling, p.name) {
		k.Fail(x.main, "the procedure "+p.name+" calls itself: "+strings.Join(append(slices.Clone(x.calling), p.name), ", "),
			"a loop, or a block that ends")
		return
	}
	p.called = true
	x.calling = append(x.calling, p.name)
	do := x.block(p.do.Rewritten(func(n *yamldoc.Node) string { return put(n.Text(), given) }), x.scope)
	x.calling = x.calling[:len(x.calling)-1]
	x.Statement = func(b *builder, place Place) {
		if place.Every == nil {
			b.block(do)
			return
		}
		head := b.emit(place, instruction{op: branch, count: b.operand(expression.Constant(1, "1"))})
		b.block(do)
		b.code[head].jump = int32(len(b.code))
	}
}

// mostValue bounds the length of a value that a call gives.
const mostValue = 1000

func oneOf(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return "one of " + strings.Join(names, ", ")
}

// words are what a text consists of: numbers with their units, names, texts in quotes.
var words = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("[0-9.]+([eE][-+]?[0-9]+)?[ \\t]*[a-zA-Zµμ]*|[a-zA-Z_][a-zA-Z0-9_]*|'[^']*'|\"[^\"]*\"")
})

// single are values that need no brackets around them.
var single = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^[a-zA-Z0-9_.]+$") })

// put replaces names in a text by values.
func put(text string, values map[string]string) string {
	if v, ok := values[strings.TrimSpace(text)]; ok {
		return v
	}
	return words().ReplaceAllStringFunc(text, func(word string) string {
		v, ok := values[word]
		switch {
		case !ok:
			return word
		case single().MatchString(v):
			return v
		}
		return "(" + v + ")"
	})
}
