package browsertest

import (
	"fmt"
	"os"
	"testing"
)

// StartCharts scrolls to each chart of a report, which starts it, and waits until all are on
// the screen.
func (tab *Tab) StartCharts() {
	tab.T.Helper()
	Eval[bool](tab, `(async () => {
		const frame = () => new Promise(done => requestAnimationFrame(() => done(true)));
		for (const f of Array.from(document.querySelectorAll("figure")).filter(f => f.querySelector(".plot") && f.getClientRects().length > 0)) {
			f.scrollIntoView({block: "center"});
			while (!f.matches(".live, .dead")) await frame();
		}
		scrollTo(0, 0);
		return frame();
	})()`)
	tab.Settle()
}

// LetterBox is a function of the page: the box of the letters of a text element of SVG, on
// the screen. It is as high as the letters: how much higher a line is depends on the font.
const LetterBox = `((ruler) => (text) => {
	const r = text.getBoundingClientRect();
	ruler.font = getComputedStyle(text).font;
	const m = ruler.measureText(text.textContent);
	const scale = r.height / (m.fontBoundingBoxAscent + m.fontBoundingBoxDescent) || 0; // of a drawing that is not as large as it was made
	return {left: r.left, right: r.right, top: r.top + scale * (m.fontBoundingBoxAscent - m.actualBoundingBoxAscent), bottom: r.bottom - scale * (m.fontBoundingBoxDescent - m.actualBoundingBoxDescent)};
})(document.createElement("canvas").getContext("2d"))`

// TextFaults says which texts lie on each other or are cut off in the visible drawings that
// a selector finds, each by the heading of its figure.
func TextFaults(tab *Tab, drawings string) []string {
	tab.T.Helper()
	return Eval[[]string](tab, fmt.Sprintf(`(() => {
		const letterBox = %s, slack = 1; // pixel: letters are drawn on whole ones
		const faults = [];
		for (const svg of document.querySelectorAll(%q)) {
			if (svg.getClientRects().length === 0) continue;
			const all = svg.getBoundingClientRect(), name = svg.closest("figure").querySelector("h3").textContent;
			const texts = Array.from(svg.querySelectorAll("text")).filter((t) => t.textContent.trim() !== "").map((t) => ({text: t.textContent, ...letterBox(t)}));
			texts.forEach((a, i) => {
				if (a.left < all.left - slack || a.right > all.right + slack || a.top < all.top - slack || a.bottom > all.bottom + slack) faults.push(name + ": " + JSON.stringify(a.text) + " is cut off");
				for (const b of texts.slice(i + 1)) {
					if (a.left + slack < b.right && b.left + slack < a.right && a.top + slack < b.bottom && b.top + slack < a.bottom) faults.push(name + ": " + JSON.stringify(a.text) + " and " + JSON.stringify(b.text) + " overlap");
				}
			});
		}
		return faults;
	})()`, LetterBox, drawings))
}

// Axe returns the script of axe-core, which ISOSCALE_AXE names. Without it the test is
// skipped.
func Axe(t testing.TB) string {
	t.Helper()
	file := os.Getenv("ISOSCALE_AXE")
	if file == "" {
		t.Skip("ISOSCALE_AXE does not name axe.min.js of axe-core")
	}
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// Violations returns the serious and critical findings of axe-core on the page, a line
// for each; "" for none. It waits until nothing fades or moves any more: text that is
// halfway in has colours that no reader is left with. What is off the screen need not be
// laid out, and then its animations do not go on: they are not waited for.
func Violations(tab *Tab, axe string) string {
	tab.T.Helper()
	// Evaluated without a result: axe is a script of half a megabyte.
	Eval[bool](tab, "(() => {"+axe+"})(), true")
	return Eval[string](tab, `Promise.allSettled(document.getAnimations().filter(a => a.effect?.getComputedTiming().endTime < Infinity && a.effect.target?.checkVisibility({contentVisibilityAuto: true})).map(a => a.finished)).then(() => axe.run({resultTypes: ["violations"]}).then(r => r.violations.filter(v => ["serious", "critical"].includes(v.impact)).map(v => v.id + ": " + v.nodes.map(n => n.target.join(" ") + " " + n.failureSummary).slice(0, 3).join("; ")).join("\n")))`)
}
