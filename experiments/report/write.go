package report

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io"
)

// Write checks a document and writes it as one HTML page. The error lists
// every problem of the document; then, nothing has been written.
func Write(w io.Writer, d *Document) error {
	if err := check(d); err != nil {
		return err
	}
	v, err := viewPage(d)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	scripts := []string{libraryText, scriptText}
	if v.inSpace() {
		scripts = append(scripts, spaceLibraryText)
		v.SpaceLibrary = template.JS(spaceLibraryText)
		v.Licences = []string{spaceLicence, clayLicence}
	}
	v.Policy = policy(scripts...)
	v.Style = template.CSS(styleText)
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

func check(d *Document) error {
	var found []error
	at := place{path: "report: ", found: &found}
	if d == nil {
		at.reportf("document is nil")
		return errors.Join(found...)
	}
	at.checkPresent("title", d.Title)
	parts := make(map[string]bool)
	for i, s := range d.Sections {
		here := at.in("section", s.Heading)
		if s.Heading == "" {
			here = at.in(fmt.Sprintf("section %d", i+1), "")
			here.checkPresent("heading", s.Heading)
		}
		if s.Part != "" && (i == 0 || s.Part != d.Sections[i-1].Part) {
			if parts[s.Part] {
				here.reportf("part %q was left before; expected its sections one after another", shorten(s.Part, 60))
			}
			parts[s.Part] = true
		}
		for k, b := range s.Blocks {
			if b == nil {
				here.reportf("block %d is nil", k+1)
				continue
			}
			b.check(here)
		}
	}
	return errors.Join(found...)
}
