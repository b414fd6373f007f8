package queue

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/workloads/swf"
)

// ReadLog reads a log in the Standard Workload Format, plain or compressed by gzip.
func ReadLog(path string) (*swf.Log, input.Input, error) {
	const want = "a log in the Standard Workload Format"
	f, err := os.Open(path)
	if err != nil {
		return nil, input.Input{}, input.Errorf("%s: cannot read: %v; expected %s", path, input.Reason(err), want)
	}
	// Closing a file that was only read cannot lose data.
	defer f.Close()
	sum := sha256.New()
	log, err := swf.Read(path, io.TeeReader(f, sum), input.MemoryLimit())
	if err != nil {
		err = &input.Error{Msg: err.Error(), Placed: true}
		// A bad line of a log can look like one of a trace, so the name comes first.
		if input.FormOfName(path) != input.FormBatchLog {
			err = input.OrOtherForm(path, err, want, input.FormBatchLog)
		}
		return nil, input.Input{}, err
	}
	return log, input.NewInput(path, sum.Sum(nil), path), nil
}

// logNodes returns the number of nodes of the machine of a log: those that the user
// gave or, if it is 0, those of the log.
func logNodes(path string, log *swf.Log, given int) (int, error) {
	for _, n := range []int{given, log.Header.MaxProcs, log.Header.MaxNodes} {
		if n > 0 {
			return n, nil
		}
	}
	return 0, input.Errorf("%s does not say how large the machine is (MaxProcs or MaxNodes); expected --nodes N", path)
}

// fromLog returns the jobs of a log that a machine of so many nodes can run, their
// numbers, and how many it cannot.
func fromLog(log *swf.Log, nodes int) (jobs []batchqueue.Job, numbers []int64, tooLarge int) {
	jobs, numbers = make([]batchqueue.Job, 0, len(log.Jobs)), make([]int64, 0, len(log.Jobs))
	for _, j := range log.Jobs {
		if j.Processors > nodes {
			tooLarge++
			continue
		}
		estimate := j.Requested
		if estimate == 0 {
			estimate = j.Run
		}
		jobs = append(jobs, batchqueue.Job{Submit: j.Submit, Nodes: j.Processors, Run: j.Run, Estimate: estimate})
		numbers = append(numbers, j.Number)
	}
	return jobs, numbers, tooLarge
}

// leftOut lists the jobs of a log that are not simulated, by reason.
func leftOut(log *swf.Log, tooLarge, nodes int) []LeftOut {
	all := []LeftOut{}
	for _, l := range log.LeftOut {
		all = append(all, LeftOut(l))
	}
	if tooLarge > 0 {
		all = append(all, LeftOut{Reason: fmt.Sprintf("more processors than the %d nodes of the machine", nodes), Jobs: tooLarge})
	}
	return all
}
