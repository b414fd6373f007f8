package measured

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

// Limits of a file of measurements, so that no file exhausts memory.
const (
	maxMeasurementBytes = 16 << 20
	maxMeasurementRows  = 100_000
	maxFields           = 256
	maxNameLength       = 60
	maxProblems         = 10 // reported at once

	// Quantities are this far from what float64 can hold, so that no product or
	// quotient of a few of them overflows.
	leastQuantity, mostQuantity = 1e-30, 1e30
	mostProcesses               = 1_000_000_000
)

// A column is one that the reader understands.
type column int

const (
	colSystem column = iota
	colProcesses
	colTime
	colN
	colWork
	colMarkedSpeed
	colMarkedSpeedEach
	colPower
	colReferenceTime
	colCost
	colRepetition
	colSequential
	columnCount
)

// measurementColumns are the names in the header. Those with an example of a
// unit need one, in brackets behind the name or behind every number.
var measurementColumns = [columnCount]struct{ name, unit string }{
	colSystem:          {"system", ""},
	colProcesses:       {"processes", ""},
	colTime:            {"time", "s"},
	colN:               {"n", ""},
	colWork:            {"work", "flop"},
	colMarkedSpeed:     {"marked_speed", "Mflop/s"},
	colMarkedSpeedEach: {"marked_speed_per_process", "Mflop/s"},
	colPower:           {"power", "Mflop/s"},
	colReferenceTime:   {"reference_time", "s"},
	colCost:            {"cost", "EUR"},
	colRepetition:      {"repetition", ""},
	colSequential:      {"sequential", ""},
}

// A measurement is one row. A quantity of 0 was not given.
type measurement struct {
	line       int
	at         [columnCount]int32 // where its fields begin, for messages
	system     string
	processes  int
	sequential bool
	repetition string
	quantity   [columnCount]float64 // in base units; a cost in currency, or currency for a second
}

// Measurements are measured times as a file has them.
type Measurements struct {
	Rows     []measurement
	has      [columnCount]bool
	currency string
	costRate bool // costs are for a second instead of for a run
	notes    []string
	inputs   []input.Input
	file     string
}

// Read reads a file of measured times (docs/formats/measurements.md).
func Read(path string) (*Measurements, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, input.PlacedErrorf("%s: cannot read: %v; expected a CSV file of measured times", path, input.Reason(err))
	}
	// Closing a file that was only read cannot lose data.
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxMeasurementBytes+1))
	if err != nil {
		return nil, input.PlacedErrorf("%s: cannot read: %v; expected a CSV file of measured times", path, input.Reason(err))
	}
	m, err := parseMeasurements(path, data)
	if err != nil {
		return nil, input.OrOtherForm(path, err, "a CSV file of measured times", input.FormCSV)
	}
	sum := sha256.Sum256(data)
	m.inputs = []input.Input{{File: filepath.ToSlash(path), SHA256: hex.EncodeToString(sum[:])}}
	return m, nil
}

// measurementReader collects the problems of a file.
type measurementReader struct {
	file     string
	header   []headerField
	problems []string
}

// A headerField is one column of the file.
type headerField struct {
	column column // columnCount: not understood
	unit   string
	line   int
	at     int
	period units.Seconds // of a cost in EUR/h: an hour
}

func (r *measurementReader) fail(line, at int, what, want string) {
	if len(r.problems) == maxProblems {
		r.problems = append(r.problems, fmt.Sprintf("%s:%d:%d: more problems follow; expected these to be mended first", r.file, line, at))
	}
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, fmt.Sprintf("%s:%d:%d: %s; expected %s", r.file, line, at, what, want))
	}
}

func (r *measurementReader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	return input.PlacedErrorf("%s", strings.Join(r.problems, "\n"))
}

// parseMeasurements reads the content of a file.
func parseMeasurements(file string, data []byte) (*Measurements, error) {
	if len(data) > maxMeasurementBytes {
		return nil, input.PlacedErrorf("%s: larger than %v; expected a CSV file of measured times", file, units.Bytes(maxMeasurementBytes).Binary())
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if i := invalidText(data); i >= 0 {
		line := 1 + bytes.Count(data[:i], []byte("\n"))
		return nil, input.PlacedErrorf("%s:%d:%d: byte 0x%02x is no text; expected a text file in UTF-8", file, line, i-bytes.LastIndexByte(data[:i], '\n'), data[i])
	}
	in := csv.NewReader(bytes.NewReader(data))
	in.Comment, in.FieldsPerRecord, in.TrimLeadingSpace, in.ReuseRecord = '#', -1, true, true
	r := &measurementReader{file: file}
	m := &Measurements{file: file}
	for {
		fields, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			var bad *csv.ParseError
			if errors.As(err, &bad) {
				r.fail(bad.Line, bad.Column, bad.Err.Error(), `fields separated by commas, those with a comma or a quote in them between quotes (")`)
			}
			return nil, r.err()
		}
		line, _ := in.FieldPos(0)
		switch {
		case r.header == nil:
			r.readHeader(m, in, fields)
			if r.err() != nil {
				return nil, r.err()
			}
		case len(m.Rows) == maxMeasurementRows:
			return nil, input.PlacedErrorf("%s:%d:1: more than %d rows; expected fewer measurements", file, line, maxMeasurementRows)
		default:
			r.readRow(m, in, fields)
		}
		if len(r.problems) > maxProblems {
			return nil, r.err()
		}
	}
	if r.header == nil {
		return nil, input.PlacedErrorf("%s:1:1: the file has no header; expected a line with the names of columns, such as processes,n,time [s]", file)
	}
	if len(r.problems) == 0 && len(m.Rows) == 0 {
		r.fail(r.header[0].line, 1, "no row follows the header", "one row for each measured time")
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	return m, nil
}

// invalidText returns where the first byte is that is no UTF-8, or a NUL; -1: none.
func invalidText(data []byte) int {
	for i := 0; i < len(data); {
		c, size := utf8.DecodeRune(data[i:])
		if c == 0 || c == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

var headerPattern = regexp.MustCompile(`^([^\[\]]*?)\s*(?:\[([^\[\]]*)\])?\s*$`)

func (r *measurementReader) readHeader(m *Measurements, in *csv.Reader, fields []string) {
	line, _ := in.FieldPos(0)
	if len(fields) > maxFields {
		r.fail(line, 1, fmt.Sprintf("%d columns", len(fields)), fmt.Sprintf("at most %d", maxFields))
		return
	}
	var known []string
	for _, c := range measurementColumns {
		known = append(known, c.name)
	}
	for i, field := range fields {
		line, at := in.FieldPos(i)
		h := headerField{column: columnCount, line: line, at: at}
		parts := headerPattern.FindStringSubmatch(field)
		if parts == nil {
			r.fail(line, at, fmt.Sprintf("column %s is not a name with a unit in brackets", quoted(field)), "one such as time [s]")
			r.header = append(r.header, h)
			continue
		}
		name := strings.ToLower(strings.Join(strings.FieldsFunc(parts[1], func(c rune) bool { return c == ' ' || c == '-' || c == '_' }), "_"))
		if k := slices.Index(known, name); k >= 0 {
			h.column, h.unit = column(k), strings.TrimSpace(parts[2])
			if m.has[k] {
				r.fail(line, at, "second column "+name, "every column once")
			}
			m.has[k] = true
			r.headerUnit(m, &h)
		} else {
			note := fmt.Sprintf("column %s is ignored", quoted(strings.TrimSpace(field)))
			if near := yamldoc.Nearest(name, known); len(near) > 0 {
				note += "; did you mean " + near[0] + "?"
			}
			m.notes = append(m.notes, note)
		}
		r.header = append(r.header, h)
	}
	if m.has[colMarkedSpeed] && m.has[colMarkedSpeedEach] {
		r.fail(line, 1, "both marked_speed and marked_speed_per_process", "one of them")
	}
	if len(r.problems) > 0 {
		return // a column that is missing may be one that was not understood
	}
	for _, c := range []column{colProcesses, colTime} {
		if !m.has[c] {
			want := "columns processes and time [s] at least, separated by commas"
			if len(fields) == 1 && strings.ContainsAny(fields[0], ";\t") {
				want += ", not by semicolons or tabs"
			}
			r.fail(line, 1, "no column "+measurementColumns[c].name, want)
			return
		}
	}
}

// headerUnit checks the unit in a header once, so that a wrong one is reported there
// and not for every row.
func (r *measurementReader) headerUnit(m *Measurements, h *headerField) {
	c := measurementColumns[h.column]
	if h.column == colCost {
		currency, period, rate := strings.Cut(h.unit, "/")
		money, err := units.ParseMoney("1 " + currency)
		if err == nil && rate {
			h.period, err = units.ParseSeconds("1 " + period)
		}
		if err != nil {
			r.fail(h.line, h.at, fmt.Sprintf("unit %s of column cost is not a currency, nor one for a time", quoted(h.unit)), "cost [EUR] of a run, or cost [EUR/h] of the system")
			return
		}
		m.currency, m.costRate = money.Currency, rate
		return
	}
	isTime := h.column == colTime || h.column == colReferenceTime
	if c.unit == "" || h.unit == "" || isTime && h.unit == clockUnit {
		return
	}
	if _, err := h.column.parse("1 " + h.unit); err != nil {
		what := err.Error()
		var bad *units.ParseError
		if errors.As(err, &bad) {
			what = bad.Reason
		}
		r.fail(h.line, h.at, fmt.Sprintf("unit of column %s: %s", c.name, what), fmt.Sprintf("one such as %s [%s]", c.name, c.unit))
	}
}

// parse reads a quantity with its unit in base units.
func (c column) parse(text string) (float64, error) {
	switch c {
	case colTime, colReferenceTime:
		v, err := units.ParseSeconds(text)
		return float64(v), err
	case colWork:
		v, err := units.ParseFlops(text)
		return float64(v), err
	default:
		v, err := units.ParseFlopsPerSecond(text)
		return float64(v), err
	}
}

func (r *measurementReader) readRow(m *Measurements, in *csv.Reader, fields []string) {
	line, _ := in.FieldPos(0)
	if len(fields) != len(r.header) {
		_, at := in.FieldPos(min(len(fields), len(r.header)+1) - 1)
		r.fail(line, at, fmt.Sprintf("%d fields", len(fields)), fmt.Sprintf("%d, one for each column of the header", len(r.header)))
		return
	}
	row := measurement{line: line}
	before := len(r.problems)
	for i, h := range r.header {
		if h.column == columnCount {
			continue
		}
		l, at := in.FieldPos(i)
		row.at[h.column] = int32(at)
		if text := strings.TrimSpace(fields[i]); text != "" {
			r.readField(m, &row, h, text, l, at)
		}
	}
	if len(r.problems) > before {
		return
	}
	missing := func(c column, want string) {
		r.fail(line, int(row.at[c]), measurementColumns[c].name+" is empty", want)
	}
	if row.processes == 0 && row.sequential {
		row.processes = 1
	}
	switch {
	case row.processes == 0:
		missing(colProcesses, "a whole number from 1")
	case row.sequential && row.processes != 1:
		r.fail(line, int(row.at[colProcesses]), fmt.Sprintf("a sequential program on %d processes", row.processes), "processes 1, or empty")
	case row.quantity[colTime] == 0:
		missing(colTime, "a measured time")
	case m.has[colN] && row.quantity[colN] == 0:
		missing(colN, "a problem size in every row, or no column n")
	default:
		if c := row.quantity[colMarkedSpeedEach]; c > 0 {
			row.quantity[colMarkedSpeed] = c * float64(row.processes)
			row.at[colMarkedSpeed] = row.at[colMarkedSpeedEach]
		}
		m.Rows = append(m.Rows, row)
	}
}

func (r *measurementReader) readField(m *Measurements, row *measurement, h headerField, text string, line, at int) {
	name := measurementColumns[h.column].name
	var v float64
	switch h.column {
	case colSystem, colRepetition:
		if utf8.RuneCountInString(text) > maxNameLength || strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }) {
			r.fail(line, at, fmt.Sprintf("%s %s is too long or has characters that cannot be printed", name, quoted(text)), fmt.Sprintf("a name of at most %d characters", maxNameLength))
			return
		}
		if h.column == colSystem {
			row.system = text
		} else {
			row.repetition = text
		}
		return
	case colSequential:
		switch strings.ToLower(text) {
		case "yes", "true", "1":
			row.sequential = true
		case "no", "false", "0":
		default:
			r.fail(line, at, fmt.Sprintf("sequential: %s", quoted(text)), "yes or no")
		}
		return
	case colProcesses:
		p, err := strconv.Atoi(text)
		if err != nil || p < 1 || p > mostProcesses {
			r.fail(line, at, fmt.Sprintf("processes: %s", quoted(text)), fmt.Sprintf("a whole number from 1 to %d", mostProcesses))
			return
		}
		row.processes = p
		return
	case colN, colCost:
		var err error
		if v, err = strconv.ParseFloat(text, 64); err != nil || strings.ContainsAny(text, "xX_pPiInN") {
			r.fail(line, at, fmt.Sprintf("%s: %s is not a number", name, quoted(text)), "a decimal number above 0, the unit only in the header")
			return
		}
	default:
		var err error
		if h.unit == clockUnit {
			v, err = parseClock(text)
		} else if h.unit != "" {
			v, err = h.column.parse(text + " " + h.unit)
		} else {
			v, err = h.column.parse(text)
		}
		if err != nil {
			what, want := err.Error(), "a number, the unit is in the header"
			var bad *units.ParseError
			switch {
			case errors.Is(err, errClock):
				what, want = fmt.Sprintf("%s is not a time of the clock", quoted(text)), "one such as 01:02:03, or 2-01:02:03 with days"
			case errors.As(err, &bad):
				what = fmt.Sprintf("%s: %s", quoted(text), bad.Reason)
				if h.unit == "" {
					want = fmt.Sprintf("a number with a unit, or the unit in the header as in %s [%s]", name, measurementColumns[h.column].unit)
				}
			}
			r.fail(line, at, name+": "+what, want)
			return
		}
	}
	if !(v >= leastQuantity && v <= mostQuantity) {
		what := "is out of range"
		if v <= 0 {
			what = "is not above 0"
		}
		r.fail(line, at, fmt.Sprintf("%s: %s %s", name, quoted(text), what), fmt.Sprintf("a quantity from %g to %g in base units", leastQuantity, mostQuantity))
		return
	}
	if h.period > 0 {
		v /= float64(h.period)
	}
	row.quantity[h.column] = v
}

// clockUnit is the unit of times as batch systems print them.
const clockUnit = "hh:mm:ss"

var errClock = errors.New("not a time of the clock")

var clockPattern = regexp.MustCompile(`^(?:([0-9]{1,6})-)?(?:([0-9]{1,6}):)?([0-9]{1,6}):([0-9]{1,6}(?:\.[0-9]{1,9})?)$`)

// parseClock reads [D-][HH:]MM:SS[.fraction], as sacct prints elapsed times.
func parseClock(text string) (float64, error) {
	parts := clockPattern.FindStringSubmatch(text)
	if parts == nil || parts[1] != "" && parts[2] == "" {
		return 0, errClock
	}
	var seconds float64
	for i, unit := range []float64{86400, 3600, 60, 1} {
		if digits := parts[i+1]; digits != "" {
			v, err := strconv.ParseFloat(digits, 64)
			if err != nil {
				return 0, errClock
			}
			seconds += v * unit
		}
	}
	return seconds, nil
}

// quoted quotes a text of the file for a message.
func quoted(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		text = string(runes[:39]) + "…"
	}
	return strconv.Quote(text)
}
