package html

import (
	"io"

	"github.com/isoscale/isoscale/experiments/internal/page/html"
	"github.com/isoscale/isoscale/experiments/report"
)

// Write checks a document and writes it as one HTML page with interactive charts. The
// error lists every problem of the document; in that case nothing is written.
func Write(w io.Writer, d *report.Document) error { return html.Write(w, d, true) }

// WriteStatic is Write for a small page: its charts are drawings, and it has no scripts.
func WriteStatic(w io.Writer, d *report.Document) error { return html.Write(w, d, false) }
