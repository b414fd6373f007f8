package application

import (
	"fmt"
	"math"
	"strconv"
)

// Frame is the place that an expression is evaluated at.
type Frame struct {
	values   *Values
	rank     int32
	from, to int32
	index    []int32 // of the loops, the outermost first
	task     int64
	inTask   bool // task has a meaning
}

// eval returns the value of an expression. It is not a number where a function has no
// result, such as the logarithm of 0.
func (f *Frame) eval(e *Expression) float64 {
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
			stack[top] = f.values.numbers[s.a]
		case table:
			top++
			stack[top] = f.values.tables[s.a][f.rank]
		case rank:
			top++
			stack[top] = float64(f.rank)
		case speed:
			top++
			stack[top] = float64(f.values.speeds[f.rank])
		case index:
			top++
			stack[top] = float64(f.index[s.a])
		case from:
			top++
			stack[top] = float64(f.from)
		case to:
			top++
			stack[top] = float64(f.to)
		case task:
			top++
			stack[top] = float64(f.task)
		case coordinate:
			top++
			stack[top] = float64(f.values.grid.at(f.rank, s.a))
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
			stack[top] = float64(f.values.bySpeed[s.a].share(int(f.values.grid.at(f.rank, f.values.names.splits[s.a].axis))))
		case portion:
			top++
			stack[top] = float64(f.values.divisions[s.a].share(f.place(s.a)))
		case owner:
			stack[top] = f.owner(s.a, stack[top])
		case after:
			stack[top] = f.after(s.a, stack[top])
		case of:
			stack[top] = f.of(s.a, stack[top])
		case neighbour:
			axes := len(f.values.grid.sides)
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
	p := len(f.values.speeds)
	if axis != allAxes {
		p = int(f.values.grid.sides[axis])
	}
	return float64(blocked{int(n), p}.share(int(f.values.grid.at(f.rank, axis))))
}

// place returns the number of the process in a distribution.
func (f *Frame) place(d int32) int {
	return int(f.values.grid.at(f.rank, f.values.names.Distributions[d].Along))
}

func (f *Frame) owner(d int32, item float64) float64 {
	if !(item >= 0 && item < float64(f.values.items[d])) {
		return float64(nobody)
	}
	return float64(f.values.divisions[d].owner(int(item)))
}

func (f *Frame) after(d int32, item float64) float64 {
	item = min(max(item, -1), float64(f.values.items[d]))
	if item != item {
		return item
	}
	return float64(f.values.divisions[d].after(f.place(d), int(item)))
}

func (f *Frame) of(t int32, process float64) float64 {
	values := f.values.tables[t]
	if !(process >= 0 && process < float64(len(values))) {
		return math.NaN()
	}
	return values[int(process)]
}

func (f *Frame) neighbour(distances []float64, around bool) float64 {
	r := f.rank
	for axis, d := range distances {
		if !(math.Abs(d) < 1<<40) || d != math.Trunc(d) {
			return math.NaN()
		}
		if r = f.values.grid.moved(r, int32(axis), int64(d), around); r == nobody {
			return float64(nobody)
		}
	}
	return float64(r)
}

// amount returns a value that must be a finite number of at least 0.
func (f *Frame) amount(e *Expression) (float64, error) {
	v := f.eval(e)
	if !(v >= 0 && v <= maxValue) {
		return 0, outOfRange(e, v, "a number from 0 to 1e30")
	}
	return v, nil
}

// whole returns a value that must be a whole number from least to most.
func (f *Frame) whole(e *Expression, least, most int) (int, error) {
	v := f.eval(e)
	if v != math.Trunc(v) || !(v >= float64(least) && v <= float64(most)) {
		return 0, outOfRange(e, v, fmt.Sprintf("a whole number from %d to %d", least, most))
	}
	return int(v), nil
}

// outOfRange is the error for the value of an expression.
func outOfRange(e *Expression, v float64, expected string) error {
	return fmt.Errorf("%s is %s; expected %s", e.text, strconv.FormatFloat(v, 'g', -1, 64), expected)
}
