package experiments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

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
	Provenance Provenance            `json:"provenance"`
}

// ReplayGOAL replays a GOAL schedule, plain or gzipped, under LogGOPS with
// parameters in the form of "L=2500,o=1500", in nanoseconds; "" means
// LogGOPSim's defaults.
func ReplayGOAL(ctx context.Context, path, parameters string) (*GOALResult, error) {
	p, err := goalsim.ParseParameters(parameters)
	if err != nil {
		return nil, inputErrorf("--loggops: %v", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, inputErrorf("%s: cannot read: %v; expected a GOAL schedule", path, reason(err))
	}
	// Closing a file that was only read cannot lose data.
	defer f.Close()
	sum := sha256.New()
	schedule, err := goal.ReadMax(path, io.TeeReader(f, sum), memoryLimit())
	if err != nil {
		return nil, orOtherForm(path, &InputError{Msg: err.Error(), placed: true}, "a GOAL schedule", formGOAL)
	}
	need := units.Bytes(goalsim.Memory(schedule.Shape()))
	if err := checkMemory(fmt.Sprintf("replaying %s", path), need, "a smaller schedule"); err != nil {
		return nil, err
	}
	inputs := []Input{{File: filepath.ToSlash(path), SHA256: hex.EncodeToString(sum.Sum(nil))}}
	stop := Stopwatch("replay --goal", inputs, nil, 0)
	res, err := goalsim.Run(ctx, schedule, p)
	if err != nil {
		var overflow *goalsim.OverflowError
		if errors.As(err, &overflow) {
			return nil, inputErrorf("%v", err)
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

// memoryLimit returns how many bytes a schedule may take.
func memoryLimit() int64 {
	if have, known := availableMemory(); known {
		return int64(have)
	}
	return math.MaxInt64
}

// reason drops the operation and the path of a file error.
func reason(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
