package queue

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/isoscale/isoscale/model/units"
)

// WriteStarts writes when each job was submitted, started and ended, in seconds, as CSV
// in the order of the log or, of a mix, of submission, with the kind of each job.
func (r *Result) WriteStarts(w io.Writer) error {
	c := csv.NewWriter(w)
	header := []string{"job", "submit", "start", "end"}
	if r.mix != nil {
		header = append(header, "kind")
	}
	if err := c.Write(header); err != nil {
		return err
	}
	for i, j := range r.jobs {
		number := int64(i + 1)
		if r.numbers != nil {
			number = r.numbers[i]
		}
		row := []string{strconv.FormatInt(number, 10), seconds(j.Submit), seconds(r.starts[i]), seconds(r.starts[i] + j.Run)}
		if r.mix != nil {
			row = append(row, r.mix.Kinds[r.kinds[i]].Name)
		}
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// seconds prints a time with all its digits.
func seconds(t units.Seconds) string { return strconv.FormatFloat(float64(t), 'f', -1, 64) }
