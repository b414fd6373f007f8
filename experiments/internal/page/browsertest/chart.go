package browsertest

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
