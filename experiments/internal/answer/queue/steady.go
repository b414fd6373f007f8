package queue

import (
	"math"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/model/units"
)

// A MeanWait is an estimate of the mean wait in the long run: it is from Low to High with a
// confidence of 95 %, unless the queue may grow without end.
type MeanWait struct {
	Mean, Low, High units.Seconds
	Grows           bool // the later jobs are submitted, the longer they wait
}

// Half is the longer half of the interval.
func (w MeanWait) Half() units.Seconds { return max(w.High-w.Mean, w.Mean-w.Low) }

// Sharp reports whether the mean is known to within a tenth.
func (w MeanWait) Sharp() bool { return w.Half() <= w.Mean/10 }

// Text is the mean with its interval in the same unit: "31.0 s (28.0 s to 34.0 s)".
func (w MeanWait) Text() string {
	if w.High == 0 {
		return Span(w.Mean)
	}
	u := unitFor(w.Mean)
	return Span(w.Mean) + " (" + spanIn(u, w.Low) + " to " + spanIn(u, w.High) + ")"
}

// WarmUp is the number of first jobs that find a machine that is still filling: about a tenth,
// the initial data that [Law2015, section 9.5.1] says to leave out. (MSER-5, which determines the
// part from the waits, also cuts off periods of long waits.) The remaining jobs divide into batches
// of equal size.
func WarmUp(jobs int) int { return jobs - (jobs-jobs/10)/batches*batches }

const (
	batches = 20

	// growing is the correlation of batch means with time above which waits are taken to grow. In 40 runs of 5000 jobs,
	// the queue M/M/4 exceeds it in none at a load of 0.95 and in two at 0.99; first come first served does in 32 at
	// 1.04 times the load that it can handle and in all at 1.1 times.
	growing = 0.9

	// fewestJobs leave one job for each batch after the warm-up.
	fewestJobs = 23
)

// student is the 97.5 % quantile of Student's t with 1, 2, ... degrees of freedom.
var student = [batches - 1]float64{12.706, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
	2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930}

// meanOf returns the mean of waits in the order of submission, without the warm-up, and its
// interval by batch means. x are the means of k batches of equal size; m, s2, g and r are the
// mean, variance, skewness and correlation of neighbours of x:
//
//	A    (1 + r)/(1 - r)                            variance of m over s2/k
//	b    g/(6 sqrt(k/A))
//	G(z) ((1 + 6 b (z - b))^(1/3) - 1)/(2 b)        z where b is 0
//	m - G(t) sqrt(A s2/k) to m - G(-t) sqrt(A s2/k) t: 97.5 % quantile of Student's t
//
// Source: [Tafazzoli2011]. Deviations: the batches are not made longer until their means are
// independent. Instead t has the degrees of freedom of k/A batches, at least 3, and r is raised by
// 2/k and limited to 0 to 0.9: without a correlation, r is too low by 1/k, and because jobs are doubled
// until the interval is short, intervals that are short by chance would be taken. No bound is below 0.
// REQUIRES: at least fewestJobs.
func meanOf(waits []units.Seconds) MeanWait {
	waits = waits[WarmUp(len(waits)):]
	size := len(waits) / batches
	var x [batches]float64
	m := 0.0
	for i := range x {
		for _, w := range waits[i*size : (i+1)*size] {
			x[i] += float64(w)
		}
		x[i] /= float64(size)
		m += x[i] / batches
	}
	var s2, s3, neighbours, rise float64 // sums
	for i := range x {
		d := x[i] - m
		s2 += float64(d * d)
		s3 += float64(d * d * d)
		rise += float64(d * (float64(i) - (batches-1)/2.))
		if i > 0 {
			neighbours += float64(d * (x[i-1] - m))
		}
	}
	if s2 == 0 {
		return MeanWait{units.Seconds(m), units.Seconds(m), units.Seconds(m), false}
	}
	const k = batches
	r := min(max(neighbours/s2+2./k, 0), 0.9)
	independent := max(k*(1-r)/(1+r), 3)
	scale := math.Sqrt(s2 / (k - 1) / k * (1 + r) / (1 - r))
	s := math.Sqrt(s2 / k)
	b := s3 / k / (s * s * s) * math.Sqrt(k*(k-1)) / (k - 2) / (6 * math.Sqrt(independent))
	end := func(z float64) units.Seconds {
		if math.Abs(b) > 1e-9 {
			z = (math.Cbrt(1+float64(6*b*(z-b))) - 1) / (2 * b)
		}
		return units.Seconds(max(0, m-float64(z*scale)))
	}
	t := student[int(independent)-2]
	return MeanWait{units.Seconds(m), end(t), end(-t), rise > growing*math.Sqrt(s2*k*(k*k-1)/12)}
}

// Simulate draws the jobs of a mix, has them started, and estimates their mean wait. It doubles the number of
// jobs until waits do not grow and enough says that the estimate is good, or there would be more jobs than most.
// An estimate that is known to within a hundredth of a run time is always good enough. From fewer than
// fewestJobs there is no estimate.
func (m Mix) Simulate(most int, start func([]batchqueue.Job, []int32) ([]units.Seconds, error),
	enough func(MeanWait) bool) (jobs Submitted, starts []units.Seconds, mean *MeanWait, err error) {
	for {
		jobs = m.Draw()
		if starts, err = start(jobs.Jobs, jobs.Kinds); err != nil || len(starts) < fewestJobs {
			return jobs, starts, nil, err
		}
		run := units.Seconds(0)
		waits := make([]units.Seconds, len(starts))
		for i, j := range jobs.Jobs {
			waits[i] = starts[i] - j.Submit
			run += j.Run
		}
		w := meanOf(waits)
		if 2*len(starts) > most || enough(w) && !w.Grows || w.Half() <= run/units.Seconds(100*len(starts)) {
			return jobs, starts, &w, nil
		}
		m.Years, m.Submissions = 0, 2*len(starts)
	}
}
