package html

import (
	"bytes"
	"fmt"
	"html/template"
	"io"

	"github.com/isoscale/isoscale/experiments/internal/chart"
)

// Write checks a document and writes it as one page, interactive or with drawings alone.
func Write(w io.Writer, d *chart.Document, interactive bool) error {
	if err := d.Check(); err != nil {
		return err
	}
	v, err := viewPage(d, interactive)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	var scripts []string
	if interactive && v.has(isChart) {
		v.Credit = true
		scripts = []string{libraryText(), scriptText()}
		v.Packed = []packed{v.charts, packedLibrary(), packedOwn()}
		if v.has(inSpace) {
			scripts = append(scripts, spaceLibraryText)
			v.Packed = []packed{v.charts, packedLibrary(), packedSpace(), packedOwn()}
			v.Licences = []string{spaceLicence, clayLicence}
		}
	}
	if interactive && v.has(hasPictures) {
		scripts = append(scripts, pictureScript())
		v.Packed = append(v.Packed, packedPictures())
	}
	if len(v.Packed) > 0 || interactive && v.has(hasMachines) {
		scripts = append(scripts, loaderText)
		v.Loader = template.JS(loaderText)
	}
	if interactive && v.has(hasSlices) {
		scripts = append(scripts, sliceText)
		v.SliceScript = template.JS(sliceText)
	}
	if interactive && v.has(hasMachines) {
		scripts = append(scripts, machineText())
		v.MachineScript = template.JS(machineText())
	}
	v.Policy = policy(scripts...)
	v.Style = template.CSS(styleText())
	if v.has(hasSizes) {
		v.Style += template.CSS(sizesText)
	}
	if v.has(hasMixtures) {
		v.Style += template.CSS(chart.Mixtures)
	}
	if v.has(hasMachines) {
		v.Style += template.CSS(machineStyle)
	}
	if v.has(hasPictures) {
		v.Style += template.CSS(pictureStyle)
	}
	var page bytes.Buffer
	if err := pageTemplate().Execute(&page, v); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if _, err := page.WriteTo(w); err != nil {
		return fmt.Errorf("report: writing the page: %w", err)
	}
	return nil
}
