package expression

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/internal/each"
)

// Scope is the names that expressions may use at a place in a file.
type Scope struct {
	names   *Names
	indices []string // of the loops around the place; "" for one without a name
	loops   int      // around the place
	peers   []string // those of from and to that have a meaning
	inTasks bool     // task has a meaning
	program bool     // source and received have a meaning, unless the file defines them
}

// Scope returns the scope of what stands outside of the program.
func (n *Names) Scope() *Scope { return &Scope{names: n} }

// Loop returns the scope inside a loop, whose index has that name; "": no name.
func (s Scope) Loop(name string) *Scope {
	s.indices = append(slices.Clip(s.indices), name)
	s.loops++
	return &s
}

// Peers returns a scope in which these of from and to have a meaning: the processes that a
// block of a collective operation comes from and goes to.
func (s Scope) Peers(names ...string) *Scope {
	s.peers = names
	return &s
}

// Tasks returns a scope in which task has a meaning: the number of a task.
func (s Scope) Tasks() *Scope {
	s.inTasks = true
	return &s
}

// Program returns a scope in which source and received have a meaning: who has sent the
// message that the process has received last, and its size.
func (s Scope) Program() *Scope {
	s.program = true
	return &s
}

// InLoop reports whether there is a loop around the place.
func (s *Scope) InLoop() bool { return s.loops > 0 }

// Number compiles an expression with a number as value. Errors are [formula.Error].
func (s *Scope) Number(text string) (*Expression, error) { return s.compile(text, formula.IsNumber) }

// Condition compiles an expression that is true or false.
func (s *Scope) Condition(text string) (*Expression, error) { return s.compile(text, formula.IsTruth) }

func (s *Scope) compile(text string, kind formula.Kind) (*Expression, error) {
	e, err := formula.Compile(text, s, kind)
	if err != nil {
		return nil, err
	}
	return &Expression{*e}, nil
}

// Names of what every expression may use.
const (
	processes = "p"
	everybody = "all" // as an axis
)

// AllAxes stands for an axis along which all processes are.
const AllAxes int32 = -1

// reserved are names that a file cannot define: those of every expression, and words
// that say how something is divided or who takes part.
var reserved = []string{processes, "rank", "speed", "from", "to", "task", everybody, "any", "auto"}

// CheckName returns what is wrong with a name that a file defines: "" if nothing is.
func (s *Scope) CheckName(name string) (problem, expected string) {
	valid := func(i int, r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || i > 0 && r >= '0' && r <= '9'
	}
	const form = "a name of letters, digits and underscores, such as rows"
	for i, r := range name {
		if !valid(i, r) {
			return fmt.Sprintf("%q is not a name", name), form
		}
	}
	outside := *s
	outside.program = false // what a file defines goes before source and received
	_, known := outside.Lookup(name)
	switch {
	case name == "" || len(name) > 64:
		return "the name has " + fmt.Sprint(len(name)) + " characters", "1 to 64 characters"
	case slices.Contains(reserved, name):
		return fmt.Sprintf("the name %s has a meaning in all applications", name), "another name"
	case formula.IsWord(name) || slices.Contains(functionNames(), name):
		return fmt.Sprintf("%s is a word of the language of expressions", name), "another name"
	case known || slices.ContainsFunc(s.names.Distributions, func(d *Distribution) bool { return d.Name == name }):
		return fmt.Sprintf("the name %s is defined twice", name), "another name"
	}
	return "", ""
}

// Lookup implements [formula.Scope]. All names are in base units.
func (s *Scope) Lookup(name string) (formula.Meaning, bool) {
	load := func(op formula.Step, needs uint8) formula.Meaning { return formula.Meaning{Load: op, Needs: needs} }
	switch name {
	case processes:
		return load(formula.Step{Op: formula.Global}, onProcesses), true
	case "rank":
		return load(formula.Step{Op: formula.Row}, onRank), true
	case "speed":
		return load(formula.Step{Op: formula.Extern0, Code: speed}, onRank), true
	case "from":
		return load(formula.Step{Op: formula.Local, A: From}, onPeer), slices.Contains(s.peers, name)
	case "to":
		return load(formula.Step{Op: formula.Local, A: To}, onPeer), slices.Contains(s.peers, name)
	case "task":
		return load(formula.Step{Op: formula.Local, A: Task, V: -1}, onTask), s.inTasks
	}
	for i := len(s.indices) - 1; i >= 0; i-- {
		if s.indices[i] == name && name != "" {
			return load(formula.Step{Op: formula.Counter, A: int32(i)}, onIndex), true
		}
	}
	for _, v := range s.names.names {
		if v.name == name {
			return load(v.at, v.needs), true
		}
	}
	switch {
	case !s.program:
	case name == "source":
		return load(formula.Step{Op: formula.Local, A: source}, onMessage), true
	case name == "received":
		return load(formula.Step{Op: formula.Extern0, Code: messageSize}, onMessage), true
	}
	return formula.Meaning{}, false
}

// known are the names that an expression here may use.
func (s *Scope) known() []string {
	names := append([]string{processes, "rank", "speed"}, s.peers...)
	if s.inTasks {
		names = append(names, "task")
	}
	if s.program {
		names = append(names, "source", "received")
	}
	names = each.Where(names, s.indices, func(i string) bool { return i != "" })
	names = each.Append(names, s.names.names, func(v name) string { return v.name })
	slices.Sort(names)
	return slices.Compact(names)
}

func (s *Scope) Unknown(n *formula.Node) *formula.Error {
	name := n.Text
	e := &formula.Error{Character: n.Character, Expected: "one of " + strings.Join(s.known(), ", ")}
	switch {
	case n.Kind == formula.Call:
		e.Unknown, e.Known = name, functionNames()
		e.Problem, e.Expected = "unknown function "+name, "one of "+strings.Join(e.Known, ", ")
	case name == "from" || name == "to":
		e.Problem = name + " has a meaning only in the size of " +
			map[string]string{"from": "a gather, allgather or alltoall", "to": "a scatter, reducescatter or alltoall"}[name]
	case name == "task":
		e.Problem = name + " has a meaning only in tasks"
	case slices.ContainsFunc(s.names.Distributions, func(d *Distribution) bool { return d.Name == name }):
		e.Problem, e.Expected = name+" is a distribution", fmt.Sprintf("share(%s), owner(%s, i) or after(%s, i)", name, name, name)
	default:
		e.Problem, e.Unknown, e.Known = "unknown name "+name, name, s.known()
	}
	return e
}
