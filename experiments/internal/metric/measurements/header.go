package measurements

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

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
