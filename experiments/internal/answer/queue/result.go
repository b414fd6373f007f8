package queue

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/units"
)

// Result says how long the jobs of a queue waited; its JSON form is a contract
// (docs/formats/json.md).
type Result struct {
	Jobs        int     `json:"jobs"`
	Utilisation float64 `json:"utilisation"`
	Waits
	MeanLow     *float64         `json:"mean_wait_low_s"` // the interval of the mean in the long run
	MeanHigh    *float64         `json:"mean_wait_high_s"`
	Makespan    float64          `json:"makespan_s"`
	OfferedLoad *float64         `json:"offered_load"` // nil: all jobs are submitted at once
	Policy      string           `json:"policy"`
	Nodes       int              `json:"nodes"`
	LeftOut     []LeftOut        `json:"left_out"`
	Groups      []Group          `json:"groups"`
	Warnings    []string         `json:"warnings"`
	Provenance  input.Provenance `json:"provenance"`

	Notes []string `json:"-"` // what one should know before using the figures elsewhere

	name    string // of the file
	mix     *Mix   // nil: the jobs are those of a log
	mean    *MeanWait
	warm    int // the number of first jobs whose waits do not count
	jobs    []batchqueue.Job
	starts  []units.Seconds
	numbers []int64 // of the jobs in the log; nil for a mix
	kinds   []int32 // of the jobs of a mix
}

// Waits are the figures that the users of the jobs notice.
type Waits struct {
	MeanWait            float64 `json:"mean_wait_s"`
	P95Wait             float64 `json:"p95_wait_s"`
	MeanBoundedSlowdown float64 `json:"mean_bounded_slowdown"`
}

// Group is the jobs of one kind or of one class of sizes.
type Group struct {
	Name  string  `json:"name"`
	Jobs  int     `json:"jobs"`
	Share float64 `json:"share_of_work"` // of the node time of all jobs
	Waits
}

// LeftOut counts jobs of a log that are not simulated for one reason.
type LeftOut struct {
	Reason string `json:"reason"`
	Jobs   int    `json:"jobs"`
	Line   int    `json:"line,omitempty"` // of the first of them in the log
}

func (l LeftOut) String() string {
	s := fmt.Sprintf("%s: %s", input.Plural(l.Jobs, "job"), l.Reason)
	if l.Line > 0 {
		s += fmt.Sprintf("; the first is in line %d", l.Line)
	}
	return s
}

// Headline says in one line what was simulated.
func (r *Result) Headline() string {
	if r.mix != nil && r.mix.Title != "" {
		return strings.TrimSuffix(r.mix.Title, ".") + ": " + r.studied()
	}
	return r.studied()
}

// studied is the headline without the title of the file.
func (r *Result) studied() string {
	return fmt.Sprintf("%s on %s, %s", r.name, input.Plural(r.Nodes, "node"), PolicyTitle(r.Policy))
}

func PolicyTitle(policy string) string { return policies[policy].title }

// policies are the full names of the policies, and what they do.
var policies = map[string]struct{ title, text string }{
	batchqueue.FCFS.String(): {"first come first served",
		"First come first served: jobs start in the order of their submission. A job that does not fit holds up all jobs behind it."},
	batchqueue.EASY.String(): {"EASY backfilling",
		"EASY backfilling: the first waiting job has a reservation for the time at which enough nodes will be free, by the estimates of the running jobs. Jobs behind it start earlier if they do not delay it."},
	batchqueue.Conservative.String(): {"conservative backfilling",
		"Conservative backfilling: each waiting job has a reservation, made when it is submitted. Jobs start earlier if they delay no reservation."},
	batchqueue.ConservativeFull.String(): {"conservative backfilling in full",
		"Conservative backfilling in full: each waiting job has a reservation, made when it is submitted. Whenever nodes become free early all reservations move, however many there are."},
}

// Facts are the figures in words, with how to read them.
func (r *Result) Facts() (facts input.Facts) {
	facts.Add("jobs", r.Jobs)
	facts.Add("utilisation", percent(r.Utilisation), "of the node time up to the last end")
	if r.OfferedLoad != nil {
		facts.Add("offered load", percent(*r.OfferedLoad), "of the machine, up to the last submission")
	}
	facts.Add("mean wait", r.meanText())
	facts.Add("95 % wait", Span(units.Seconds(r.P95Wait)), "at most")
	facts.Add("mean bounded slow-down", fmt.Sprintf("%.4g", r.MeanBoundedSlowdown),
		"threshold "+batchqueue.SlowdownThreshold.String())
	facts.Add("makespan", Span(units.Seconds(r.Makespan)), "from the first submission to the last end")
	return facts
}

// meanText is the mean wait, with its interval if there is one.
func (r *Result) meanText() string {
	if r.mean == nil {
		return Span(units.Seconds(r.MeanWait))
	}
	return r.mean.Text()
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

func (r *Result) GroupTitle() string {
	if r.mix != nil {
		return "job"
	}
	return "nodes"
}

// GroupColumns are the heads of [Group.Cells] after the name.
var GroupColumns = []string{"jobs", "work", "mean wait", "95 % wait", "slow-down"}

// Cells are the figures of a group as text.
func (g *Group) Cells() []string {
	return []string{fmt.Sprint(g.Jobs), percent(g.Share), Span(units.Seconds(g.MeanWait)),
		Span(units.Seconds(g.P95Wait)), fmt.Sprintf("%.4g", g.MeanBoundedSlowdown)}
}

// WriteStarts writes when each job was submitted, started and ended, in seconds, as CSV. The
// jobs of a log are in its order, those of a mix in the order of submission, with their kinds.
func (r *Result) WriteStarts(w io.Writer) error {
	c := csv.NewWriter(w) // keeps the first error
	header := []string{"job", "submit", "start", "end"}
	if r.mix != nil {
		header = append(header, "kind")
	}
	c.Write(header)
	for i, j := range r.jobs {
		number := int64(i + 1)
		if r.numbers != nil {
			number = r.numbers[i]
		}
		row := []string{strconv.FormatInt(number, 10), seconds(j.Submit), seconds(r.starts[i]),
			seconds(r.starts[i] + j.Run)}
		if r.mix != nil {
			row = append(row, r.mix.Kinds[r.kinds[i]].Name)
		}
		c.Write(row)
	}
	c.Flush()
	return c.Error()
}

// seconds prints a time with all its digits.
func seconds(t units.Seconds) string { return strconv.FormatFloat(float64(t), 'f', -1, 64) }
