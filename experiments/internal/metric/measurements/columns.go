package measurements

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

const (
	maxNameLength = 60
	mostProcesses = 1_000_000_000

	// Quantities are from LeastQuantity to MostQuantity: far enough from the limits of float64 that no product or
	// quotient of a few of them overflows.
	LeastQuantity, MostQuantity = 1e-30, 1e30
)

// A Column is a column that the reader understands.
type Column int

const (
	ColSystem Column = iota
	ColProcesses
	ColTime
	ColN
	ColWork
	ColMarkedSpeed
	ColMarkedSpeedEach
	ColPower
	ColReferenceTime
	ColCost
	ColEnergy
	ColRepetition
	ColSequential
	columnCount
)

// columnReader reads a column.
type columnReader struct {
	name string
	// read reads a field that is not empty. Its fault follows the name of the column in the message.
	read func(row *Row, h *headerField, text string) *fault
	// checkUnit checks the unit in the header; nil: it is not checked.
	checkUnit func(m *Table, h *headerField) *fault
}

// A fault says what is wrong with a field, and what was expected.
type fault struct{ what, want string }

var columns = [columnCount]columnReader{
	ColSystem:          {"system", readName(func(m *Row) *string { return &m.system }), nil},
	ColProcesses:       {"processes", readProcesses, nil},
	ColTime:            quantityColumn("time", "s", units.Time.Parse),
	ColN:               {"n", readNumber, nil},
	ColWork:            quantityColumn("work", "flop", units.Work.Parse),
	ColMarkedSpeed:     quantityColumn("marked_speed", "Mflop/s", units.Speed.Parse),
	ColMarkedSpeedEach: quantityColumn("marked_speed_per_process", "Mflop/s", units.Speed.Parse),
	ColPower:           quantityColumn("power", "Mflop/s", units.Speed.Parse),
	ColReferenceTime:   quantityColumn("reference_time", "s", units.Time.Parse),
	ColCost:            {"cost", readNumber, checkCurrency},
	ColEnergy:          quantityColumn("energy", "kWh", formula.ParseEnergy),
	ColRepetition:      {"repetition", readName(func(m *Row) *string { return &m.repetition }), nil},
	ColSequential:      {"sequential", readSequential, nil},
}

// columnNames lists the columns in their order.
func columnNames() []string {
	return each.Of(columns[:], func(c columnReader) string { return c.name })
}

func readName(of func(*Row) *string) func(*Row, *headerField, string) *fault {
	return func(row *Row, _ *headerField, text string) *fault {
		unprintable := func(c rune) bool { return !unicode.IsPrint(c) }
		if utf8.RuneCountInString(text) > maxNameLength || strings.ContainsFunc(text, unprintable) {
			return &fault{fmt.Sprintf(" %s is too long or has characters that cannot be printed", quoted(text)), fmt.Sprintf("a name of at most %d characters", maxNameLength)}
		}
		*of(row) = text
		return nil
	}
}

func readSequential(row *Row, _ *headerField, text string) *fault {
	switch yes, no := []string{"yes", "true", "1"}, []string{"no", "false", "0"}; {
	case slices.Contains(yes, strings.ToLower(text)):
		row.sequential = true
	case !slices.Contains(no, strings.ToLower(text)):
		return &fault{": " + quoted(text), "yes or no"}
	}
	return nil
}

func readProcesses(row *Row, _ *headerField, text string) *fault {
	p, err := strconv.Atoi(text)
	if err != nil || p < 1 || p > mostProcesses {
		return &fault{": " + quoted(text), fmt.Sprintf("a whole number from 1 to %d", mostProcesses)}
	}
	row.processes = p
	return nil
}

// readNumber reads n, or a cost whose unit is in the header.
func readNumber(row *Row, h *headerField, text string) *fault {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.ContainsAny(text, "xX_pPiInN") {
		return &fault{fmt.Sprintf(": %s is not a number", quoted(text)), "a decimal number above 0, the unit only in the header"}
	}
	return row.set(h, v, text)
}

// set stores a quantity if it is in range.
func (m *Row) set(h *headerField, v float64, text string) *fault {
	if !(v >= LeastQuantity && v <= MostQuantity) {
		what := "out of range"
		if v <= 0 {
			what = "not above 0"
		}
		return &fault{fmt.Sprintf(": %s is %s", quoted(text), what), fmt.Sprintf("a quantity from %g to %g in base units", LeastQuantity, MostQuantity)}
	}
	if h.period > 0 {
		v /= float64(h.period)
	}
	m.Quantity[h.column] = v
	return nil
}

// checkCurrency reads the unit of costs, such as EUR or EUR/h.
func checkCurrency(m *Table, h *headerField) *fault {
	currency, period, rate := strings.Cut(h.unit, "/")
	money, err := units.ParseMoney("1 " + currency)
	if err == nil && rate {
		h.period, err = units.Time.Parse("1 " + period)
	}
	if err != nil {
		return &fault{fmt.Sprintf("unit %s of column cost is not a currency, nor one for a time", quoted(h.unit)), "cost [EUR] of a run, or cost [EUR/h] of the system"}
	}
	m.Currency, m.CostRate = money.Currency, rate
	return nil
}

// quantityColumn is a column of quantities with a unit, in the header or in each
// field. parse reads a number with its unit.
func quantityColumn[T ~float64](name, example string, parse func(text string) (T, error)) columnReader {
	read := func(row *Row, h *headerField, text string) *fault {
		var v T
		var err error
		switch h.unit {
		case "":
			v, err = parse(text)
		case clockUnit:
			var seconds float64
			seconds, err = parseClock(text)
			v = T(seconds)
		default:
			v, err = parse(text + " " + h.unit)
		}
		switch {
		case err == nil:
			return row.set(h, float64(v), text)
		case errors.Is(err, errClock):
			return &fault{fmt.Sprintf(": %s is not a time of the clock", quoted(text)), "one such as 01:02:03, or 2-01:02:03 with days"}
		case h.unit == "":
			return &fault{fmt.Sprintf(": %s: %s", quoted(text), reason(err)), fmt.Sprintf("a number with a unit, or the unit in the header as in %s [%s]", name, example)}
		}
		return &fault{fmt.Sprintf(": %s: %s", quoted(text), reason(err)), "a number, the unit is in the header"}
	}
	checkUnit := func(_ *Table, h *headerField) *fault {
		if h.unit == "" || h.unit == clockUnit && example == "s" {
			return nil
		}
		if _, err := parse("1 " + h.unit); err != nil {
			return &fault{fmt.Sprintf("unit of column %s: %s", name, reason(err)), fmt.Sprintf("one such as %s [%s]", name, example)}
		}
		return nil
	}
	return columnReader{name, read, checkUnit}
}

// reason returns what is wrong with a quantity, without its name and text.
func reason(err error) string {
	if bad, ok := errors.AsType[*units.ParseError](err); ok {
		return bad.Reason
	}
	return err.Error()
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
			seconds += float64(v * unit)
		}
	}
	return seconds, nil
}

// A headerField is one column of the file.
type headerField struct {
	column Column // columnCount: unknown
	unit   string
	line   int
	at     int
	period units.Seconds // of a cost in EUR/h: an hour
}

var headerPattern = regexp.MustCompile(`^([^\[\]]*?)\s*(?:\[([^\[\]]*)\])?\s*$`)

func (r *reader) readHeader(fields []string) {
	line, _ := r.csv.FieldPos(0)
	if len(fields) > maxFields {
		r.fail(line, 1, fmt.Sprintf("%d columns", len(fields)), fmt.Sprintf("at most %d", maxFields))
		return
	}
	if factors, status, ok := factorsOfStudy(fields); ok {
		names := each.Of(factors, func(k int) string { return strings.Clone(fields[k]) })
		r.study = &study{names: names, factors: factors, status: status}
	}
	for i, field := range fields {
		line, at := r.csv.FieldPos(i)
		r.header = append(r.header, r.readHeaderField(field, line, at))
	}
	if r.has[ColMarkedSpeed] && r.has[ColMarkedSpeedEach] {
		r.fail(line, 1, "both marked_speed and marked_speed_per_process", "one of them")
	}
	if len(r.list) > 0 {
		return // a missing column may be one with an error
	}
	for _, c := range []Column{ColProcesses, ColTime} {
		if !r.has[c] {
			want := "columns processes and time [s] at least, separated by commas"
			if len(fields) == 1 && strings.ContainsAny(fields[0], ";\t") {
				want += ", not by semicolons or tabs"
			}
			r.fail(line, 1, fmt.Sprintf("no column %s among %s", columns[c].name, firstOf(fields)), want)
			return
		}
	}
}

// firstOf lists the first few names of a header.
func firstOf(fields []string) string {
	const most = 8
	list := each.Of(fields[:min(len(fields), most)], func(field string) string { return quoted(strings.TrimSpace(field)) })
	if len(fields) > most {
		list = append(list, "...")
	}
	return strings.Join(list, ", ")
}

// readHeaderField reads a name with a unit. A wrong unit is reported here once, not for every row.
func (r *reader) readHeaderField(field string, line, at int) headerField {
	h := headerField{column: columnCount, line: line, at: at}
	parts := headerPattern.FindStringSubmatch(field)
	if parts == nil {
		r.fail(line, at, fmt.Sprintf("column %s is not a name with a unit in brackets", quoted(field)), "one such as time [s]")
		return h
	}
	words := strings.FieldsFunc(parts[1], func(c rune) bool { return c == ' ' || c == '-' || c == '_' })
	name := strings.ToLower(strings.Join(words, "_"))
	known := columnNames()
	k := slices.Index(known, name)
	if k < 0 && r.study != nil {
		return h // a column of the study, or a factor
	}
	if k < 0 {
		note := fmt.Sprintf("column %s is ignored", quoted(strings.TrimSpace(field)))
		if near := yamldoc.Nearest(name, known); len(near) > 0 {
			note += "; did you mean " + near[0] + "?"
		}
		r.Notes = append(r.Notes, note)
		return h
	}
	h.column, h.unit = Column(k), strings.TrimSpace(parts[2])
	if r.has[k] {
		r.fail(line, at, "second column "+name, "every column once")
	}
	r.has[k] = true
	if check := columns[k].checkUnit; check != nil {
		if bad := check(r.Table, &h); bad != nil {
			r.fail(line, at, bad.what, bad.want)
		}
	}
	return h
}
