package formula

import (
	"slices"

	"github.com/expr-lang/expr"
)

var conditions = kind{noun: "condition", result: expr.AsBool(), texts: true}

// Condition is an expression that is true or false. It is compiled once and
// evaluated any number of times, though not by two goroutines at a time.
type Condition struct {
	program *program
}

// NewCondition compiles a condition. Values have every name that it may use,
// none of them [IsWord], with any value of the type that the name has. The error
// is an [Error].
func NewCondition(text string, values Values) (*Condition, error) {
	p, err := conditions.compile(text, values)
	if err != nil {
		return nil, err
	}
	return &Condition{p}, nil
}

// Names returns the names in the condition, in order of their first use.
func (c *Condition) Names() []string { return slices.Clone(c.program.names) }

// Holds reports whether the condition is true. Values must have all [Condition.Names],
// of the types that they had for [NewCondition]. A condition without a value
// there, such as one with the logarithm of 0, is an [Error].
func (c *Condition) Holds(values Values) (bool, error) {
	v, err := c.program.run(values)
	if err != nil {
		return false, err
	}
	return v.(bool), nil
}
