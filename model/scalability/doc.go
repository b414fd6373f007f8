// Package scalability computes how well an algorithm and a machine scale
// together, from work, measured or simulated times and speeds.
//
// Which question each function answers:
//
//	how fast did it run                        AchievedSpeed
//	how fast is the machine by benchmark       SystemMarkedSpeed
//	what share of that speed was used          SpeedEfficiency
//	how long may W take at a held share        RequiredTime
//	how well does the pair scale               Point, IsospeedEfficiency, Ladder.Psi
//	the same for p equal processors            Isospeed
//	which losses took it, as POP names them    ParallelFactors
//	where did the time go                      Sequential.Time, Point.Overhead
//	what psi will be, from the lost times      Theorem1, Corollary2, Theorem2
//	how large a machine can hold the share     ReachLimit
//	which size N gives the wanted share        FitTrend, Trend.ReadOff
//
// And by other metrics than isospeed-efficiency:
//
//	how much faster than one processor         Speedup, Efficiency, IdealRatio
//	what fraction acts as if sequential        KarpFlatt
//	how far can a speedup go                   Amdahl, Gustafson, SunNi
//	which W holds S/p, equal processors        TotalOverhead, IsoefficiencyWork, SizeModel
//	the same, unequal processors               HeterogeneousEfficiency, HIsoefficiencySize
//	what is a set of processors worth          ReferenceFactor, ExtendedIsospeed
//	does growing cost time or latency          TimeScale, LatencyScale
//	which way is it best to grow               Satisfaction.Gradient
//	which update pays best                     UpdateEfficiency, EdgeScalability
//	how does a hierarchical cluster do         Levels.Log2Speedup, Level.Scalability
//	at least how well                          BoundsApply, SpeedupBound, EfficiencyBound
//	does growth return its cost                Service.Productivity, Service.Scalability
//
// docs/validation/metrics.md compares them, and `isoscale describe` says when each misleads.
//
// The main one is isospeed-efficiency, [Sun2005] and [Chen2008]: a machine of
// marked speed C does work W in time T at speed-efficiency E_s = W/(T C). Grow
// the machine to C' and the work to the W' that holds E_s; then
// psi(C, C') = C' W/(C W'). It is 1 when the work need only grow as the machine
// does, and less when it must grow faster.
//
// What it is not: it runs nothing. Finding the size that holds an efficiency takes a
// model or a simulator; here a size is only read off measured samples or solved for
// in functions that the caller gives. W(N) belongs to the workloads.
//
// Errors: numbers come from users, so each function returns an error and never
// panics on them. A number outside its domain gives a [*DomainError], and so
// does a result that leaves the range of float64. A machine that no amount of
// work can hold at the efficiency gives an [*UnreachableError], a range of sizes in
// which no efficiency rises to the one asked for a [*NotEnclosedError], amounts of
// different currencies a [*CurrencyError]. With a nil error
// the result is finite, except where a function says otherwise.
//
// Units: base SI in the types of model/units; efficiencies and psi are plain
// ratios. N is whatever the workload calls its size.
//
// Determinism: pure functions of their arguments, no state, arguments left
// unchanged. A trend line may differ in the last bits between CPU types, because
// gonum's kernels do.
//
// Layer: imports model/units and gonum only.
package scalability
