package command

import (
	"compress/gzip"
	"encoding/ascii85"
	"html"
	"io"
	"regexp"
	"strings"
)

// withoutAssets leaves out of a page what package report adds to each and has tests
// for: styles, scripts, licences, the hashes of scripts, and timelines in their binary
// and still forms. The data of charts stay.
func withoutAssets(page string) string {
	for _, asset := range [][2]string{{"<style>", "</style>"}, {"<script>", "</script>"}, {"<pre>", "</pre>"}, {`Policy" content="`, `"`}, {`type="application/octet-stream">`, "</script>"},
		{`<svg `, "</svg>"}, {`id="library">`, "</script>"}, {`id="space-library">`, "</script>"}, {`id="script">`, "</script>"}, {`data-for=".picture">`, "</script>"}} {
		rest, found := page, true
		page = ""
		for found {
			var before string
			before, rest, found = strings.Cut(rest, asset[0])
			page += before
			if found {
				_, rest, _ = strings.Cut(rest, asset[1])
				page += asset[0] + "..." + asset[1]
			}
		}
	}
	for _, data := range []string{`class="machine-data">`, `id="charts">`} {
		if before, rest, found := strings.Cut(page, data); found {
			packed, after, _ := strings.Cut(rest, "</script>")
			page = before + data + unpack(packed) + "</script>" + after
		}
	}
	return page
}

// unpack returns packed data of a page, with a line for each chart.
func unpack(packed string) string {
	r, err := gzip.NewReader(ascii85.NewDecoder(strings.NewReader(strings.ReplaceAll(packed, "v", "<"))))
	if err != nil {
		return err.Error()
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return err.Error()
	}
	return strings.ReplaceAll(string(text), `"block-`, "\n\"block-")
}

// tag matches what stands between words of a page, and the data of charts.
var tag = regexp.MustCompile(`(?s)<script.*?</script>|<[^>]*>`)

// words returns what a reader sees of a page, a line for each element.
func words(page string) string {
	var lines []string
	for _, line := range strings.Split(html.UnescapeString(tag.ReplaceAllString(page, "\n")), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
