package swf

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/isoscale/isoscale/model/units"
)

// Log is a log that has been read.
type Log struct {
	Header  Header
	Jobs    []Job // in the order of the log
	LeftOut []LeftOut
}

// Header is what the comments at the top say; fields may be missing.
type Header struct {
	Computer, Installation string
	MaxNodes, MaxProcs     int // 0: not given
}

// Job is a job that can be simulated.
type Job struct {
	Number     int64         // as in the log, which may have the same number twice
	Submit     units.Seconds // from the start of the log
	Run        units.Seconds // what it took
	Requested  units.Seconds // what the user asked for; 0 if the log does not say
	Processors int           // requested or, if the log does not say that, allocated
}

// LeftOut counts jobs that are left out for one reason.
type LeftOut struct {
	Reason string
	Jobs   int
	Line   int // of the first
}

// The reasons for which a job is left out, as the end of "3 jobs: ...".
const (
	noSubmission = "no submission time"
	noProcessors = "no processors, neither requested nor allocated"
	noRunTime    = "no run time, as for jobs that were cancelled while they waited"
	partial      = "a part of a job that the log also has as a whole (status 2, 3 or 4)"
)

// leaveOut counts a job on a line.
func (l *Log) leaveOut(reason string, line int) {
	for i := range l.LeftOut {
		if l.LeftOut[i].Reason == reason {
			l.LeftOut[i].Jobs++
			return
		}
	}
	l.LeftOut = append(l.LeftOut, LeftOut{Reason: reason, Jobs: 1, Line: line})
}

// longestText is how many bytes of a text of the header are kept.
const longestText = 200

// read reads a comment at the top of a log, such as "MaxProcs: 128". Comments are free
// text, so others are ignored. The first of several values counts.
func (h *Header) read(comment []byte) {
	key, value, ok := strings.Cut(string(comment), ":")
	if !ok {
		return
	}
	value = strings.TrimSpace(value)
	switch strings.ToLower(strings.TrimSpace(key)) {
	case "computer":
		setText(&h.Computer, value)
	case "installation":
		setText(&h.Installation, value)
	case "maxnodes":
		setCount(&h.MaxNodes, value)
	case "maxprocs":
		setCount(&h.MaxProcs, value)
	}
}

func setText(text *string, value string) {
	if *text == "" && utf8.ValidString(value) && len(value) <= longestText {
		*text = value
	}
}

// setCount reads the number at the beginning of a value, which a remark often follows.
func setCount(count *int, value string) {
	first, _, _ := strings.Cut(value, " ")
	if n, err := strconv.Atoi(strings.TrimRight(first, ",;")); err == nil &&
		*count == 0 && n >= 1 && n <= maxProcessors {
		*count = n
	}
}
