package replay

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/goalsim"
	"github.com/isoscale/isoscale/workloads/goal"
)

// GOALResult is the outcome of replaying a GOAL schedule; its JSON form is a
// contract (docs/formats/json.md).
type GOALResult struct {
	Makespan   goalsim.Nanoseconds   `json:"makespan_ns"`
	HostFinish []goalsim.Nanoseconds `json:"host_finish_ns"`
	Messages   int64                 `json:"messages"`
	Parameters string                `json:"loggops"`
	Warnings   []string              `json:"warnings"`
	Provenance input.Provenance      `json:"provenance"`
}

// GOAL replays a GOAL schedule, plain or gzipped, under LogGOPS with
// parameters in the form of "L=2500,o=1500", in nanoseconds; "" means
// LogGOPSim's defaults.
func GOAL(ctx context.Context, path, parameters string) (*GOALResult, error) {
	p, err := goalsim.ParseParameters(parameters)
	if err != nil {
		return nil, input.Errorf("--loggops: %v", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, input.Errorf("%s: cannot read: %v; expected a GOAL schedule", path, input.Reason(err))
	}
	// Closing a file that was only read cannot lose data.
	defer f.Close()
	sum := sha256.New()
	schedule, err := goal.ReadMax(path, io.TeeReader(f, sum), input.MemoryLimit())
	if err != nil {
		return nil, input.OrOtherForm(path, &input.Error{Msg: err.Error(), Placed: true}, "a GOAL schedule", input.FormGOAL)
	}
	need := units.Bytes(goalsim.Memory(schedule.Shape()))
	if err := input.CheckMemory(fmt.Sprintf("replaying %s", path), need, "a smaller schedule"); err != nil {
		return nil, err
	}
	inputs := []input.Input{input.NewInput(path, sum.Sum(nil), path)}
	stop := input.Stopwatch("replay --goal", inputs, nil, 0)
	res, err := goalsim.Run(ctx, schedule, p)
	if err != nil {
		if _, ok := errors.AsType[*goalsim.OverflowError](err); ok {
			return nil, input.Errorf("%v", err)
		}
		return nil, err
	}
	r := &GOALResult{Makespan: res.Makespan, HostFinish: res.HostFinish, Messages: res.Messages, Parameters: p.String(), Warnings: []string{}}
	if res.Unreceived > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d messages were sent but never received", res.Unreceived, res.Messages))
	}
	r.Provenance.Simulations, r.Provenance.Events = 1, res.Events
	stop(&r.Provenance)
	return r, nil
}
