package sim

import "github.com/isoscale/isoscale/model/units"

// Result is the outcome of a simulation.
type Result struct {
	Makespan    units.Seconds // when the last rank finished
	Ranks       []RankResult  // by rank, if Config.Ranks asks for them
	Work        units.Flops   // performed in Compute operations, all ranks together
	Messages    int64         // sent; protocol messages of rendezvous do not count
	Bytes       units.Bytes   // payload of Messages
	Collectives int64         // calls of measured collectives, one for the whole group
	Operations  int64         // taken from the program, all ranks together
	Events      int64         // operations and arrivals of messages, protocol messages too
	Warnings    []string      // doubts about the run that its reader should know
}

// RankResult is the outcome for one rank.
type RankResult struct {
	Finish units.Seconds
	Failed bool // Finish is when its node failed: see Control.Fail
	Breakdown
}

// Breakdown says where the time of a rank went. The parts add up to its finish
// time (but for rounding).
type Breakdown struct {
	Compute        units.Seconds // Compute operations
	Delay          units.Seconds // Delay operations
	SendOverhead   units.Seconds // the core's part in sending
	RecvOverhead   units.Seconds // the core's part in receiving
	CollectiveCost units.Seconds // the given cost of measured collectives
	WaitMessage    units.Seconds // waiting for a message to arrive
	WaitSend       units.Seconds // waiting for a rendezvous message to leave
	WaitCollective units.Seconds // waiting for others to enter a measured collective
	WaitEvent      units.Seconds // waiting for an event
	Stopped        units.Seconds // its node was stopped in the midst of something
}

// Overhead is the time that the rank was busy with something other than
// computation.
func (b Breakdown) Overhead() units.Seconds {
	return b.Delay + b.SendOverhead + b.RecvOverhead + b.CollectiveCost
}

// Wait is the time that the rank was idle before its end.
func (b Breakdown) Wait() units.Seconds {
	return b.WaitMessage + b.WaitSend + b.WaitCollective + b.WaitEvent + b.Stopped
}
