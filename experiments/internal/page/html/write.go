package html

import (
	"bytes"
	"fmt"
	"html/template"
	"io"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/pictures"
)

// Write checks a document and writes it as one page, interactive or with drawings only.
func Write(w io.Writer, d *chart.Document, interactive bool) error {
	if err := d.Check(); err != nil {
		return err
	}
	v, err := viewPage(d, interactive)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	var scripts []string
	v.Style = template.CSS(styleText())
	style := func(has bool, text string) {
		if has {
			v.Style += template.CSS(text)
		}
	}
	style(v.has.sizes, sizesText)
	style(v.has.mixtures, chart.Mixtures)
	style(v.has.machines, asset("machines.css"))
	style(v.has.pictures, pictures.Style)
	if interactive && v.has.charts {
		v.Credit = true
		scripts = []string{libraryText(), scriptText()}
		v.Packed = []packed{v.charts, packedLibrary(), packedOwn()}
		if v.has.space {
			scripts = append(scripts, spaceLibraryText)
			v.Packed = []packed{v.charts, packedLibrary(), packedSpace(), packedOwn()}
			v.Licences = []string{spaceLicence, clayLicence}
		}
	}
	if interactive && v.has.pictures {
		scripts = append(scripts, pictureScript())
		v.Packed = append(v.Packed, packedPictures())
	}
	script := func(has bool, text string) template.JS {
		if !has {
			return ""
		}
		scripts = append(scripts, text)
		return template.JS(text)
	}
	v.Loader = script(len(v.Packed) > 0 || interactive && v.has.machines, loaderText)
	v.SliceScript = script(interactive && v.has.slices, asset("slices.js"))
	v.MachineScript = script(interactive && v.has.machines, machineText())
	v.Policy = policy(scripts...)
	var page bytes.Buffer
	if err := pageTemplate().Execute(&page, v); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if _, err := page.WriteTo(w); err != nil {
		return fmt.Errorf("report: writing the page: %w", err)
	}
	return nil
}
