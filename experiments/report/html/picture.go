package html

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/figure"
	"github.com/isoscale/isoscale/experiments/internal/pictures"
	"github.com/isoscale/isoscale/experiments/internal/timeline"
	"github.com/isoscale/isoscale/experiments/report"

	_ "embed" // the script that starts pictures
)

// pictureText puts the pictures of package pictures into the page. Without it, and
// without scripts, a timeline shows its bins as an SVG, and both show their tables.
//
//go:embed assets/pictures.js
var pictureText string

// A pictureView is a timeline or a network.
type pictureView struct {
	ID, Title, Caption string
	Kind               string // timeline or network
	Nested             bool   // in a section of a part
	Still              template.HTML
	Wiring             template.JS   // JSON
	Data               template.HTML // base64
	Table              tableView
}

type timelinePicture struct{ *report.Timeline }

func (p timelinePicture) view(id string) (blockView, error) {
	t, err := timeline.Decode(p.Data)
	if err != nil {
		return blockView{}, fmt.Errorf("picture %q: %w", p.Title, err)
	}
	return blockView{Picture: &pictureView{
		ID: id, Title: figure.Clean(p.Title), Caption: figure.Clean(p.Caption), Kind: "timeline",
		Still: still(t), Data: template.HTML(base64.StdEncoding.EncodeToString(p.Data)), Table: viewTable(p.Table),
	}}, nil
}

type networkPicture struct{ *report.Network }

func (p networkPicture) view(id string) (blockView, error) {
	if _, err := timeline.Decode(p.Data); err != nil && len(p.Data) > 0 {
		return blockView{}, fmt.Errorf("picture %q: %w", p.Title, err)
	}
	// Encoding again escapes what could end the script element.
	wiring, err := json.Marshal(json.RawMessage(p.Wiring))
	if err != nil {
		return blockView{}, fmt.Errorf("picture %q: wiring: %w", p.Title, err)
	}
	return blockView{Picture: &pictureView{
		ID: id, Title: figure.Clean(p.Title), Caption: figure.Clean(p.Caption), Kind: "network",
		Wiring: template.JS(wiring), Data: template.HTML(base64.StdEncoding.EncodeToString(p.Data)), Table: viewTable(p.Table),
	}}, nil
}

func hasPictures(b blockView) bool { return b.Picture != nil }

// The still picture of a timeline: in units of its view box, and how finely it is
// divided at most, which bounds its size.
const (
	stillWidth   = 1000
	stillHeight  = 260
	stillRows    = 64
	stillColumns = 128
)

// still draws the bins of a timeline: in each row and column a bar that is filled from
// below by computation, overhead and waiting. Neighbours that are equal are one bar.
func still(t *timeline.Timeline) template.HTML {
	t = coarse(t)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="still" viewBox="0 0 %d %d" preserveAspectRatio="none" aria-hidden="true">`, stillWidth, stillHeight)
	kinds := int(timeline.BinKinds)
	if t.Columns > 0 && t.Rows > 0 {
		x, y := float64(stillWidth)/float64(t.Columns), float64(stillHeight)/float64(t.Rows)
		bar := y * 0.86
		for k := range kinds {
			fmt.Fprintf(&b, `<path class="still-%d" d="`, k)
			for w := range t.Rows {
				for c := 0; c < t.Columns; {
					cell := t.BinShare[(w*t.Columns+c)*kinds:][:kinds]
					first := c
					for c++; c < t.Columns && string(t.BinShare[(w*t.Columns+c)*kinds:][:kinds]) == string(cell); c++ {
					}
					below := 0
					for _, share := range cell[:k] {
						below += int(share)
					}
					if cell[k] == 0 {
						continue
					}
					h := bar * float64(cell[k]) / 255
					top := y*float64(w) + bar*(1-float64(below)/255) - h
					fmt.Fprintf(&b, "M%.5g %.5gh%.5gv%.4gh-%.5gz", x*float64(first), top, x*float64(c-first), h, x*float64(c-first))
				}
			}
			b.WriteString(`"/>`)
		}
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// coarse returns a timeline with the mean of as many rows and columns of bins as it
// takes to have no more than a still picture shows.
func coarse(t *timeline.Timeline) *timeline.Timeline {
	rows, columns := (t.Rows+stillRows-1)/stillRows, (t.Columns+stillColumns-1)/stillColumns
	if rows <= 1 && columns <= 1 {
		return t
	}
	kinds := int(timeline.BinKinds)
	c := &timeline.Timeline{Rows: (t.Rows + rows - 1) / rows, Columns: (t.Columns + columns - 1) / columns}
	c.BinShare = make([]uint8, c.Rows*c.Columns*kinds)
	for w := range c.Rows {
		for k := range c.Columns * kinds {
			sum, n := 0, 0
			for i := w * rows; i < min(t.Rows, (w+1)*rows); i++ {
				for j := k / kinds * columns; j < min(t.Columns, (k/kinds+1)*columns); j++ {
					sum += int(t.BinShare[(i*t.Columns+j)*kinds+k%kinds])
					n++
				}
			}
			c.BinShare[w*c.Columns*kinds+k] = uint8(sum / n)
		}
	}
	return c
}

// pictureStyle is the style of pages with pictures.
var pictureStyle = pictures.Style + `
.still { display: block; width: 100%; height: 260px; border: 1px solid var(--rule); border-radius: 4px; }
.still-0 { fill: var(--series-1); } .still-1 { fill: var(--series-2); } .still-2 { fill: var(--series-3); opacity: 0.45; }
`
