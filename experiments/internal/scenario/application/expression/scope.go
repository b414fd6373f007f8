package expression

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
)

// Scope is the names that expressions may use at a place in a file.
type Scope struct {
	names   *Names
	indices []string // of the loops around the place; "" for one without a name
	loops   int      // around the place
	peers   bool     // from and to have a meaning
	inTasks bool     // task has one
}

// Scope returns the scope of what stands outside of the program.
func (n *Names) Scope() *Scope { return &Scope{names: n} }

// Loop returns the scope inside a loop, whose index has a name or "".
func (s *Scope) Loop(name string) *Scope {
	inner := *s
	inner.indices = append(slices.Clip(s.indices), name)
	inner.loops++
	return &inner
}

// Peers returns a scope in which from and to have a meaning: the processes that a
// block of a collective operation comes from and goes to.
func (s *Scope) Peers() *Scope {
	inner := *s
	inner.peers = true
	return &inner
}

// Tasks returns a scope in which task has a meaning: the number of a task.
func (s *Scope) Tasks() *Scope {
	inner := *s
	inner.inTasks = true
	return &inner
}

// InLoop reports whether there is a loop around the place.
func (s *Scope) InLoop() bool { return s.loops > 0 }

// Number compiles an expression with a number as value. Errors are [formula.Error], or
// [Error] where the text is a formula.
func (s *Scope) Number(text string) (*Expression, error) { return compile(text, s, false) }

// Condition compiles an expression that is true or false.
func (s *Scope) Condition(text string) (*Expression, error) { return compile(text, s, true) }

// Names of what every expression may use.
const (
	processes = "p"
	everybody = "all" // as an axis
)

// AllAxes is the number of the axis along which all processes are.
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
	_, _, known := s.lookup(name)
	isFunction := functions[name] != nil
	switch {
	case name == "" || len(name) > 64:
		return "the name has " + fmt.Sprint(len(name)) + " characters", "1 to 64 characters"
	case slices.Contains(reserved, name):
		return fmt.Sprintf("the name %s has a meaning in all applications", name), "another name"
	case isFunction || formula.IsWord(name):
		return fmt.Sprintf("%s is a word of the language of expressions", name), "another name"
	case known || slices.ContainsFunc(s.names.Distributions, func(d *Distribution) bool { return d.Name == name }):
		return fmt.Sprintf("the name %s is defined twice", name), "another name"
	}
	return "", ""
}

// lookup returns the instruction for a name, and what the value depends on.
func (s *Scope) lookup(name string) (step, dependence, bool) {
	switch name {
	case processes:
		return step{op: global, a: 0}, onProcesses, true
	case "rank":
		return step{op: rank}, onRank, true
	case "speed":
		return step{op: speed}, onRank, true
	case "from", "to":
		op := from
		if name == "to" {
			op = to
		}
		return step{op: op}, onPeer, s.peers
	case "task":
		return step{op: task}, onTask, s.inTasks
	}
	for i := len(s.indices) - 1; i >= 0; i-- {
		if s.indices[i] == name && name != "" {
			return step{op: index, a: int32(i)}, onIndex, true
		}
	}
	for i, v := range s.names.names {
		if v.name == name {
			return s.names.names[i].at, s.names.names[i].on, true
		}
	}
	return step{}, 0, false
}

// known are the names that an expression here may use.
func (s *Scope) known() []string {
	names := []string{processes, "rank", "speed"}
	if s.peers {
		names = append(names, "from", "to")
	}
	if s.inTasks {
		names = append(names, "task")
	}
	for _, i := range s.indices {
		if i != "" {
			names = append(names, i)
		}
	}
	for _, v := range s.names.names {
		names = append(names, v.name)
	}
	slices.Sort(names)
	return names
}

// unknown reports a name that is not known.
func (s *Scope) unknown(c *compiler, n *formula.Node) {
	name := n.Text
	switch {
	case name == "from" || name == "to":
		c.fail(n, name+" has a meaning only in the size of a collective operation", "one of "+strings.Join(s.known(), ", "))
	case name == "task":
		c.fail(n, name+" has a meaning only in tasks", "one of "+strings.Join(s.known(), ", "))
	case slices.ContainsFunc(s.names.Distributions, func(d *Distribution) bool { return d.Name == name }):
		c.fail(n, name+" is a distribution", fmt.Sprintf("share(%s), owner(%s, i) or after(%s, i)", name, name, name))
	default:
		c.unknown(n, "unknown name "+name, s.known())
	}
}
