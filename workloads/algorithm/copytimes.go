package algorithm

import (
	"errors"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// CopyTimes are the times of [HPL] to copy one number, by the function of HPL that does.
type CopyTimes struct {
	Dlaswp01 units.Seconds // rows of the panel and own pivot rows into U
	Dlaswp02 units.Seconds // other pivot rows into a message
	Dlaswp03 units.Seconds // received rows into U
	Dlaswp04 units.Seconds // own pivot rows into a U that was received
	Dlatcpy  units.Seconds // U into the rows of the panel
	Dlacpy   units.Seconds // a panel into a message
}

// check reports every time that is out of range.
func (t CopyTimes) check(workload string) error {
	var problems []error
	for _, c := range []struct {
		name string
		time units.Seconds
	}{
		{"dlaswp01", t.Dlaswp01}, {"dlaswp02", t.Dlaswp02}, {"dlaswp03", t.Dlaswp03}, {"dlaswp04", t.Dlaswp04},
		{"dlatcpy", t.Dlatcpy}, {"dlacpy", t.Dlacpy},
	} {
		problems = append(problems, expect(c.time >= 0 && c.time <= 1, workload, "%s is %v; expected 0 s to 1 s", c.name, c.time))
	}
	return errors.Join(problems...)
}

// copying is a phase that copies some numbers.
func copying(each units.Seconds, numbers float64, k *int32, op *workloads.Op) bool {
	t := units.Seconds(each * units.Seconds(numbers))
	return t > 0 && single(workloads.Op{Kind: workloads.Delay, Time: t}, k, op)
}
