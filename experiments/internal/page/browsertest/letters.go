package browsertest

import "fmt"

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
