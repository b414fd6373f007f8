package palette

import (
	"fmt"
	"strings"
)

// Style declares the colours of a page, --paper to --both-5: light ones, and dark ones
// on a dark screen. A page is printed in the light ones.
var Style = ":root {\n" + Light.declarations("light") + "}\n" +
	"@media screen and (prefers-color-scheme: dark) {\n:root {\n" + Dark.declarations("dark") + "}\n}\n"

func (t Theme) declarations(scheme string) string {
	var out strings.Builder
	out.WriteString("color-scheme: " + scheme + ";\n")
	one := func(name string, c Colour) { fmt.Fprintf(&out, "--%s: #%06x;\n", name, uint32(c)) }
	one("paper", t.Paper)
	one("panel", t.Panel)
	one("ink", t.Ink)
	one("muted", t.Muted)
	one("link", t.Link)
	one("rule", t.Rule)
	one("grid", t.Grid)
	one("control", t.Control)
	one("warn", t.Warn)
	one("warn-panel", t.WarnPanel)
	r, g, b := t.Shade.RGB()
	fmt.Fprintf(&out, "--shade: rgb(%d %d %d / %g);\n", r, g, b, t.ShadeOpacity)
	several := func(name string, colours []Colour) {
		for k, c := range colours {
			one(fmt.Sprintf("%s-%d", name, k+1), c)
		}
	}
	several("series", t.Series)
	several("heat", t.Heat)
	several("both", t.Both)
	return out.String()
}
