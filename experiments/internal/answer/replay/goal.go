package replay

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/isoscale/isoscale/experiments/internal/answer/sections"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/goalsim"
	"github.com/isoscale/isoscale/sim/observe"
	"github.com/isoscale/isoscale/workloads/goal"
)

// GOALOptions are the input and options of a replay of a GOAL schedule.
type GOALOptions struct {
	Schedule   string // plain or gzipped
	Parameters string // of LogGOPS in the form of "L=2500,o=1500", in nanoseconds; "": LogGOPSim's defaults

	// AllRanks lists how every rank spends its time, which costs time.
	AllRanks bool

	watch.Wanted // what to record; each record costs time and memory
}

// GOALResult is the outcome of replaying a GOAL schedule; its JSON form is a
// contract (docs/formats/json.md).
type GOALResult struct {
	Makespan     goalsim.Nanoseconds   `json:"makespan_ns"`
	HostFinish   []goalsim.Nanoseconds `json:"host_finish_ns"`
	Messages     int64                 `json:"messages"`
	Parameters   string                `json:"loggops"`
	Ranks        []sections.Rank       `json:"ranks,omitempty"` // with GOALOptions.AllRanks
	CriticalPath *observe.Path         `json:"critical_path,omitempty"`
	Limits       []watch.Limit         `json:"limits,omitempty"` // causes on the critical path
	Warnings     []string              `json:"warnings"`
	Provenance   input.Provenance      `json:"provenance"`

	watch.Record // of what GOALOptions has asked for

	replay goalReplay
}

// GOAL replays a GOAL schedule under LogGOPS.
func GOAL(ctx context.Context, o GOALOptions) (*GOALResult, error) {
	path := o.Schedule
	p, err := goalsim.ParseParameters(o.Parameters)
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
	x := goalReplay{schedule: path, cores: schedule.CPUs(), ranks: make(timesOfRanks, schedule.Ranks()*schedule.CPUs())}
	recording := watch.Start(ctx, len(x.ranks), logGOPS(p), o.Wanted)
	defer recording.Stop()
	var res *goalsim.Result
	if o.Wanted == (watch.Wanted{}) && !o.AllRanks {
		res, err = goalsim.Run(ctx, schedule, p)
	} else {
		res, err = goalsim.Observe(recording.Context(), schedule, p, recording.Observer(x.ranks))
		err = recording.Check(err)
	}
	if err != nil {
		if _, ok := errors.AsType[*goalsim.OverflowError](err); ok {
			return nil, input.Errorf("%v", err)
		}
		return nil, err
	}
	r := &GOALResult{Makespan: res.Makespan, HostFinish: res.HostFinish, Messages: res.Messages, Parameters: p.String(), Warnings: []string{}, replay: x}
	r.Record = recording.Record(watch.Facts{End: inSeconds(res.Makespan), Ranks: len(x.ranks), Name: x.rankName})
	if o.AllRanks {
		r.Ranks = x.named()
	}
	if o.CriticalPath {
		r.CriticalPath, r.Limits = r.Path(), r.Causes()
	}
	if res.Unreceived > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d messages were sent but never received", res.Unreceived, res.Messages))
	}
	r.Provenance.Simulations, r.Provenance.Events = 1, res.Events
	stop(&r.Provenance)
	return r, nil
}

func inSeconds(t goalsim.Nanoseconds) units.Seconds { return units.Seconds(float64(t) / 1e9) }

// logGOPS returns the parameters in seconds, for what is computed of times that were
// observed.
func logGOPS(p goalsim.Parameters) network.LogGOPS {
	return network.LogGOPS{
		Latency: inSeconds(p.Latency), Overhead: inSeconds(p.Overhead), Gap: inSeconds(p.Gap),
		GapPerByte: inSeconds(p.GapPerByte), OverheadPerByte: inSeconds(p.OverheadPerByte),
		Synchronous: units.Bytes(p.EagerLimit),
	}
}
