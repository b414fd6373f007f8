package html

import (
	"bytes"
	"fmt"
	"html/template"
	"io"

	"github.com/isoscale/isoscale/experiments/internal/pictures"
	"github.com/isoscale/isoscale/experiments/report"
)

// Write checks a document and writes it as one HTML page. The error lists
// every problem of the document; in that case nothing is written.
func Write(w io.Writer, d *report.Document) error {
	if err := d.Check(); err != nil {
		return err
	}
	v, err := viewPage(d)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	scripts := []string{libraryText, scriptText}
	if v.has(inSpace) {
		scripts = append(scripts, spaceLibraryText)
		v.SpaceLibrary = template.JS(spaceLibraryText)
		v.Licences = []string{spaceLicence, clayLicence}
	}
	if v.has(hasPictures) {
		script := pictures.Script + pictureText
		scripts = append(scripts, script)
		v.PictureScript = template.JS(script)
	}
	if v.has(hasSlices) {
		scripts = append(scripts, sliceText)
		v.SliceScript = template.JS(sliceText)
	}
	v.Policy = policy(scripts...)
	v.Style = template.CSS(styleText)
	if v.has(hasSizes) {
		v.Style += template.CSS(sizesText)
	}
	if v.has(hasPictures) {
		v.Style += template.CSS(pictureStyle)
	}
	v.Library, v.Script = template.JS(libraryText), template.JS(scriptText)
	var page bytes.Buffer
	if err := pageTemplate.Execute(&page, v); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if _, err := page.WriteTo(w); err != nil {
		return fmt.Errorf("report: writing the page: %w", err)
	}
	return nil
}
