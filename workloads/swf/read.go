package swf

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"unsafe"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/internal/lines"
)

// SyntaxError is a mistake in a text in the Standard Workload Format, with its place.
type SyntaxError = lines.SyntaxError

const (
	// maxLine is the longest line of a text, in bytes.
	maxLine = 64 << 10

	// maxTime is the largest submission or run time: some 30 000 years.
	maxTime units.Seconds = 1e12

	// maxProcessors is the largest number of processors of a job.
	maxProcessors = 1 << 30

	bufferSize = 256 << 10 // bytes of a text that are read at once
)

// The fields of a line that are used, from 0. The format has them from 1.
const (
	fieldNumber              = 0
	fieldSubmit              = 1
	fieldRun                 = 3
	fieldAllocatedProcessors = 4
	fieldRequestedProcessors = 7
	fieldRequestedTime       = 8
	fieldStatus              = 10
	fields                   = 18
)

// fieldNames are the fields in the words of the format.
var fieldNames = [fields]string{
	"the job number", "the submit time", "the wait time", "the run time",
	"the number of allocated processors", "the average CPU time", "the used memory",
	"the requested number of processors", "the requested time", "the requested memory",
	"the status", "the user", "the group", "the executable", "the queue", "the partition",
	"the preceding job", "the think time",
}

// Read reads a log, plain or compressed by gzip (told by its first two bytes). It gives
// up when the jobs take more than maxMemory bytes. The name is for messages only.
//
// Errors in the text are of type *SyntaxError.
func Read(name string, r io.Reader, maxMemory int64) (*Log, error) {
	text, err := lines.Decompress(r, 4<<10)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; expected a file compressed by gzip", name, err)
	}
	p := parser{name: name, log: &Log{}}
	in := lines.NewReader(text, bufferSize, maxLine)
	for {
		b, err := in.Next()
		p.line++
		what, expected, ofText := lines.Problem(err, maxLine)
		switch {
		case err == io.EOF && p.jobLines == 0:
			return nil, p.fail(0, "the log has no jobs", fmt.Sprintf("lines of %d numbers", fields))
		case err == io.EOF:
			return p.log, nil
		case ofText:
			return nil, p.fail(0, what, expected)
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := p.parse(b); err != nil {
			return nil, err
		}
		// A growing list exists twice for a moment.
		if need := 2 * int64(len(p.log.Jobs)) * int64(unsafe.Sizeof(Job{})); need > maxMemory {
			return nil, p.fail(0, fmt.Sprintf("the first %d jobs take more than the %d bytes of memory that are available", len(p.log.Jobs), maxMemory), "a shorter log")
		}
	}
}

// parser reads a log line by line.
type parser struct {
	name     string
	log      *Log
	line     int
	jobLines int
	values   [fields]float64
	columns  [fields]int
}

// fail is an error at a column, from 0.
func (p *parser) fail(column int, what, expected string) error {
	return &SyntaxError{File: p.name, Line: p.line, Column: column + 1, What: what, Expected: expected}
}

// failField is an error at a field.
func (p *parser) failField(field int, expected string) error {
	return p.fail(p.columns[field], fmt.Sprintf("%s (field %d) is %v", fieldNames[field], field+1, p.values[field]),
		expected)
}

func (p *parser) parse(b []byte) error {
	i := skipBlanks(b, 0)
	switch {
	case i == len(b):
		return nil
	case b[i] == ';':
		if p.jobLines == 0 {
			p.log.Header.read(b[i+1:])
		}
		return nil
	}
	p.jobLines++
	for field := range fields {
		i = skipBlanks(b, i)
		if i == len(b) {
			return p.fail(i, fmt.Sprintf("the line has %d fields", field), fmt.Sprintf("%d, the next is %s; -1 stands for what is unknown", fields, fieldNames[field]))
		}
		end := fieldEnd(b, i)
		value, ok := parseNumber(b[i:end])
		if !ok {
			return p.fail(i, fmt.Sprintf("%s (field %d) is %q", fieldNames[field], field+1, lines.Clip(b[i:end])),
				"a number; -1 stands for what is unknown")
		}
		p.values[field], p.columns[field] = value, i
		i = end
	}
	if i = skipBlanks(b, i); i < len(b) {
		return p.fail(i, fmt.Sprintf("unexpected %q", lines.Clip(b[i:fieldEnd(b, i)])),
			fmt.Sprintf("%d fields", fields))
	}
	return p.job()
}

// job keeps the job of the line, or leaves it out.
func (p *parser) job() error {
	v := &p.values
	for _, field := range []int{fieldNumber, fieldAllocatedProcessors, fieldRequestedProcessors, fieldStatus} {
		if v[field] != math.Trunc(v[field]) {
			return p.failField(field, "a whole number")
		}
	}
	for _, field := range []int{fieldAllocatedProcessors, fieldRequestedProcessors} {
		if v[field] < -1 || v[field] > maxProcessors {
			return p.failField(field, fmt.Sprintf("at most %d; -1 stands for what is unknown", maxProcessors))
		}
	}
	for _, field := range []int{fieldSubmit, fieldRun, fieldRequestedTime} {
		if v[field] < 0 && v[field] != unknown || v[field] > float64(maxTime) {
			return p.failField(field,
				fmt.Sprintf("seconds from 0 to %g; -1 stands for what is unknown", float64(maxTime)))
		}
	}
	processors := v[fieldRequestedProcessors]
	if processors < 1 {
		processors = v[fieldAllocatedProcessors]
	}
	switch status := v[fieldStatus]; {
	case status == 2 || status == 3 || status == 4:
		p.log.leaveOut(partial, p.line)
	case v[fieldSubmit] < 0:
		p.log.leaveOut(noSubmission, p.line)
	case processors < 1:
		p.log.leaveOut(noProcessors, p.line)
	case v[fieldRun] <= 0:
		p.log.leaveOut(noRunTime, p.line)
	default:
		p.log.Jobs = append(p.log.Jobs, Job{
			Number: int64(v[fieldNumber]), Submit: units.Seconds(v[fieldSubmit]), Run: units.Seconds(v[fieldRun]),
			Requested: units.Seconds(max(v[fieldRequestedTime], 0)), Processors: int(processors),
		})
	}
	return nil
}

// unknown stands for a value that the log does not have.
const unknown = -1

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// skipBlanks returns the index of the first byte from i on that is no blank.
func skipBlanks(b []byte, i int) int {
	for i < len(b) && isBlank(b[i]) {
		i++
	}
	return i
}

// fieldEnd returns the index after a field.
func fieldEnd(b []byte, i int) int {
	for i < len(b) && !isBlank(b[i]) {
		i++
	}
	return i
}

// exactDigits is how many decimal digits a float64 holds exactly.
const exactDigits = 15

// parseNumber reads a decimal number: digits with an optional sign, point and more
// digits. For short whole numbers, as most are, it is several times faster than package
// strconv.
func parseNumber(b []byte) (float64, bool) {
	digits := b
	if len(digits) > 0 && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	n, point, count := 0, false, 0
	for _, c := range digits {
		switch {
		case '0' <= c && c <= '9':
			if count < exactDigits {
				n = 10*n + int(c-'0')
			}
			count++
		case c == '.' && !point:
			point = true
		default:
			return 0, false
		}
	}
	switch {
	case count == 0:
		return 0, false
	case point || count > exactDigits:
		x, err := strconv.ParseFloat(string(b), 64)
		return x, err == nil
	case b[0] == '-':
		n = -n
	}
	return float64(n), true
}
