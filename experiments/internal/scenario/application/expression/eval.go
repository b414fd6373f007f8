package expression

import (
	"fmt"
	"math"
	"strconv"
)

// Frame is the place that an expression is evaluated at.
type Frame struct {
	Values   *Values
	Rank     int32
	From, To int32
	Index    []int32 // of the loops, the outermost first
	Task     int64
	InTask   bool // task has a meaning
}

// Eval returns the value of an expression. It is not a number where a function has no
// result, such as the logarithm of 0.
func (f *Frame) Eval(e *Expression) float64 {
	var stack [maxStack]float64
	top := -1
	code := e.code
	for i := 0; i < len(code); i++ {
		s := &code[i]
		switch s.op {
		case push:
			top++
			stack[top] = s.v
		case global:
			top++
			stack[top] = f.Values.numbers[s.a]
		case table:
			top++
			stack[top] = f.Values.tables[s.a][f.Rank]
		case rank:
			top++
			stack[top] = float64(f.Rank)
		case speed:
			top++
			stack[top] = float64(f.Values.speeds[f.Rank])
		case index:
			top++
			stack[top] = float64(f.Index[s.a])
		case from:
			top++
			stack[top] = float64(f.From)
		case to:
			top++
			stack[top] = float64(f.To)
		case task:
			top++
			stack[top] = float64(f.Task)
		case coordinate:
			top++
			stack[top] = float64(f.Values.Grid.at(f.Rank, s.a))
		case negate:
			stack[top] = -stack[top]
		case not:
			stack[top] = 1 - stack[top]
		case square:
			stack[top] *= stack[top]
		case cube:
			stack[top] *= stack[top] * stack[top]
		case add:
			top--
			stack[top] += stack[top+1]
		case subtract:
			top--
			stack[top] -= stack[top+1]
		case multiply:
			top--
			stack[top] *= stack[top+1]
		case divide:
			top--
			stack[top] /= stack[top+1]
		case power:
			top--
			stack[top] = math.Pow(stack[top], stack[top+1])
		case equal, unequal, less, lessEqual, greater, greaterEqual:
			top--
			stack[top] = compare(s.op, stack[top], stack[top+1])
		case call1:
			stack[top] = result(s.f(stack[top], 0))
		case call2:
			top--
			stack[top] = result(s.f(stack[top], stack[top+1]))
		case jump:
			i = int(s.a) - 1
		case jumpFalse:
			top--
			if stack[top+1] == 0 {
				i = int(s.a) - 1
			}
		case duplicate:
			top++
			stack[top] = stack[top-1]
		case drop:
			top--
		case share:
			stack[top] = f.share(stack[top], s.a)
		case speedShare:
			top++
			stack[top] = float64(f.Values.bySpeed[s.a].share(int(f.Values.Grid.at(f.Rank, f.Values.names.splits[s.a].axis))))
		case portion:
			top++
			stack[top] = float64(f.Values.divisions[s.a].share(f.place(s.a)))
		case owner:
			stack[top] = f.owner(s.a, stack[top])
		case after:
			stack[top] = f.after(s.a, stack[top])
		case of:
			stack[top] = f.of(s.a, stack[top])
		case neighbour:
			axes := len(f.Values.Grid.Sides)
			top -= axes - 1
			stack[top] = f.neighbour(stack[top:top+axes], s.a == 1)
		case uniform:
			top++
			stack[top] = f.Uniform(s.a, int(s.v))
		case gaussian:
			top++
			stack[top] = f.Normal(s.a, int(s.v))
		case exponent:
			top++
			stack[top] = f.Exponential(s.a, int(s.v))
		}
	}
	return stack[0]
}

func compare(op opcode, a, b float64) float64 {
	var holds bool
	switch op {
	case equal:
		holds = a == b
	case unequal:
		holds = a != b
	case less:
		holds = a < b
	case lessEqual:
		holds = a <= b
	case greater:
		holds = a > b
	default:
		holds = a >= b
	}
	if holds {
		return 1
	}
	return 0
}

// result is the value of a function, not a number if it has none.
func result(v float64, err error) float64 {
	if err != nil {
		return math.NaN()
	}
	return v
}

// share returns the equal part of n whole items that the process has along an axis.
func (f *Frame) share(n float64, axis int32) float64 {
	if !(n >= 0 && n <= 1<<53) || n != math.Trunc(n) {
		return math.NaN()
	}
	p := len(f.Values.speeds)
	if axis != AllAxes {
		p = int(f.Values.Grid.Sides[axis])
	}
	return float64(blocked{int(n), p}.share(int(f.Values.Grid.at(f.Rank, axis))))
}

// place returns the number of the process in a distribution.
func (f *Frame) place(d int32) int {
	return int(f.Values.Grid.at(f.Rank, f.Values.names.Distributions[d].Along))
}

func (f *Frame) owner(d int32, item float64) float64 {
	if !(item >= 0 && item < float64(f.Values.items[d])) {
		return float64(Nobody)
	}
	return float64(f.Values.divisions[d].owner(int(item)))
}

func (f *Frame) after(d int32, item float64) float64 {
	item = min(max(item, -1), float64(f.Values.items[d]))
	if item != item {
		return item
	}
	return float64(f.Values.divisions[d].after(f.place(d), int(item)))
}

func (f *Frame) of(t int32, process float64) float64 {
	values := f.Values.tables[t]
	if !(process >= 0 && process < float64(len(values))) {
		return math.NaN()
	}
	return values[int(process)]
}

func (f *Frame) neighbour(distances []float64, around bool) float64 {
	r := f.Rank
	for axis, d := range distances {
		if !(math.Abs(d) < 1<<40) || d != math.Trunc(d) {
			return math.NaN()
		}
		if r = f.Values.Grid.Moved(r, int32(axis), int64(d), around); r == Nobody {
			return float64(Nobody)
		}
	}
	return float64(r)
}

// Amount returns a value that must be a finite number of at least 0.
func (f *Frame) Amount(e *Expression) (float64, error) {
	v := f.Eval(e)
	if !(v >= 0 && v <= MaxValue) {
		return 0, outOfRange(e, v, "a number from 0 to 1e30")
	}
	return v, nil
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
	return fmt.Errorf("%s is %s; expected %s", e.text, strconv.FormatFloat(v, 'g', -1, 64), expected)
}
