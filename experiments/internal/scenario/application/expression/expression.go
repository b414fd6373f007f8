package expression

import (
	"fmt"
	"math"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/model/units"
)

// Expression is an expression of an application. An absent one is nil.
type Expression struct{ formula.Expression }

// What the value of an expression depends on.
const (
	onProcesses uint8 = 1 << iota // how many there are and how they are arranged
	onRank                        // which process it is
	onIndex                       // the indices of loops
	onPeer                        // from, to
	onTask
	onDraw    // a random number
	onMessage // source, received
)

func constant(needs uint8) bool { return needs&^onProcesses == 0 }

// DependsOnProcesses reports whether the value depends on how many processes there are
// or on which of them it is for.
func (e *Expression) DependsOnProcesses() bool { return e.Needs()&(onProcesses|onRank) != 0 }

// Constant reports whether the value is the same for all processes at all times.
func (e *Expression) Constant() bool { return constant(e.Needs()) }

// Steady reports whether the value stays the same for a process.
func (e *Expression) Steady() bool { return e.Needs()&(onIndex|onPeer|onTask|onMessage) == 0 }

func (e *Expression) Draws() bool { return e.Needs()&onDraw != 0 }

// Varies reports whether the value depends on from or to.
func (e *Expression) Varies() bool { return e.Needs()&onPeer != 0 }

// Hears reports whether the value depends on the message that was received last.
func (e *Expression) Hears() bool { return e.Needs()&onMessage != 0 }

func Constant(v float64, text string) *Expression {
	return &Expression{*formula.Constant(v, text)}
}

// Frame is the place that an expression is evaluated at: its rows are processes, its
// counters the indices of loops, the outermost first.
type Frame struct{ formula.Env }

// The locals of a frame. Task is one more than the number of the task, 0 outside of tasks.
const (
	From = iota
	To
	Task
	source   // of the message that was received last
	received // the bits of its size
)

// Hears gives the frame the message that its process has received last.
func (f *Frame) Hears(from int32, size units.Bytes) {
	f.Locals[source], f.Locals[received] = int64(from), int64(math.Float64bits(float64(size)))
}

func (v *Values) At(rank int32) (f Frame) {
	v.Stand(&f, rank)
	return f
}

// Stand makes a frame without loops that of a process, in place.
func (v *Values) Stand(f *Frame, rank int32) { f.Data, f.Row = &v.data, rank }

// Eval returns the value of an expression. A function without a result, such as the
// logarithm of 0, gives NaN.
func (f *Frame) Eval(e *Expression) float64 { return f.Env.Eval(&e.Expression) }

// CheckAmount returns an error for a value that is not from 0 to [MaxValue].
func (f *Frame) CheckAmount(e *Expression) error {
	if v := f.Eval(e); !(v >= 0 && v <= MaxValue) {
		return outOfRange(e, v, "a number from 0 to 1e30")
	}
	return nil
}

// whole returns a value that must be a whole number from least to most.
func (f *Frame) whole(e *Expression, least, most int) (int, error) {
	v := f.Eval(e)
	if v != math.Trunc(v) || !(v >= float64(least) && v <= float64(most)) {
		return 0, outOfRange(e, v, fmt.Sprintf("a whole number from %d to %d", least, most))
	}
	return int(v), nil
}

// outOfRange is the error for the value of an expression.
func outOfRange(e *Expression, v float64, expected string) error {
	return fmt.Errorf("%s is %s; expected %s", e, strconv.FormatFloat(v, 'g', -1, 64), expected)
}
