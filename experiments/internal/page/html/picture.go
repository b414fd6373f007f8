package html

import (
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/pictures"
	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
)

// A pictureView is a timeline or a network.
type pictureView struct {
	ID, Title, Caption string
	Kind               string // timeline or network
	Nested             bool   // in a section of a part
	Live               bool   // scripts draw it
	Still              template.HTML
	Wiring             *packed // JSON
	Data               *packed // in the compact form of docs/formats/timeline.md
	Table              tableView
}

func viewTimeline(id string, p *chart.Timeline) (blockView, error) {
	t, err := timeline.Decode(p.Data)
	if err != nil {
		return blockView{}, fmt.Errorf("picture %q: %w", p.Title, err)
	}
	var still strings.Builder
	if chart.Drawable(p) {
		if err := chart.InPage(&still, p, chart.Style{Width: drawnWide, Size: drawnText}); err != nil {
			return blockView{}, fmt.Errorf("picture %q: %w", p.Title, err)
		}
	}
	return blockView{Picture: &pictureView{
		ID: id, Title: chart.Clean(p.Title), Caption: chart.Clean(p.Caption), Kind: "timeline",
		Still: template.HTML(still.String()), Data: packTimeline(t), Table: viewTable(p.Table),
	}}, nil
}

func viewNetwork(id string, p *chart.Network) (blockView, error) {
	if !json.Valid(p.Wiring) {
		return blockView{}, fmt.Errorf("picture %q: the wiring is no JSON", p.Title)
	}
	v := &pictureView{
		ID: id, Title: chart.Clean(p.Title), Caption: chart.Clean(p.Caption), Kind: "network",
		Wiring: new(pack("", string(p.Wiring))), Table: viewTable(p.Table),
	}
	if len(p.Data) > 0 {
		t, err := timeline.Decode(p.Data)
		if err != nil {
			return blockView{}, fmt.Errorf("picture %q: %w", p.Title, err)
		}
		v.Data = packTimeline(t)
	}
	return blockView{Picture: v}, nil
}

func packTimeline(t *timeline.Timeline) *packed { return new(pack("", string(t.Compact()))) }

func hasPictures(b blockView) bool { return b.Picture != nil }

// pictureStyle is the style of pages with pictures.
var pictureStyle = pictures.Style
