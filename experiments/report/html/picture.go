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
// without scripts, a timeline shows its drawing, and both show their tables.
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
	if _, err := timeline.Decode(p.Data); err != nil {
		return blockView{}, fmt.Errorf("picture %q: %w", p.Title, err)
	}
	var still strings.Builder
	if figure.Drawable(p.Timeline) {
		if err := figure.InPage(&still, p.Timeline, figure.Style{Width: drawnWide, Size: drawnText}); err != nil {
			return blockView{}, fmt.Errorf("picture %q: %w", p.Title, err)
		}
	}
	return blockView{Picture: &pictureView{
		ID: id, Title: figure.Clean(p.Title), Caption: figure.Clean(p.Caption), Kind: "timeline",
		Still: template.HTML(still.String()), Data: template.HTML(base64.StdEncoding.EncodeToString(p.Data)), Table: viewTable(p.Table),
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

// pictureStyle is the style of pages with pictures.
var pictureStyle = pictures.Style
