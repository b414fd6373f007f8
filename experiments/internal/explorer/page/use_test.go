package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"

	"github.com/isoscale/isoscale/experiments/internal/explorer"
	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
	"github.com/isoscale/isoscale/internal/expect"
)

// The buttons of the menu save the result in their formats.
func testExports(t *testing.T, tab *browsertest.Tab, native *explorer.Bridge) {
	text := func(as string) []byte {
		return []byte(browsertest.Eval[string](tab, fmt.Sprintf(`save(%q).then((s) => s.blob.text())`, as)))
	}
	var trace, want any
	expect.Success(t, json.Unmarshal(text("trace"), &trace))
	expect.Success(t, json.Unmarshal(answer(t, native, explorer.Request{Do: "trace", File: defaultFile}).JSON, &want))
	a, b := fmt.Sprint(trace), fmt.Sprint(want)
	expect.That(t, a == b && len(a) >= 1000, "the trace has %d characters and differs from that of the native program, of %d", len(a), len(b))
	// Eight ranks stand below the names of the columns.
	expect.Equal(t, len(bytes.Split(bytes.TrimSpace(text("csv")), []byte("\n"))), 9, "lines of CSV")
	var result struct {
		Makespan float64 `json:"makespan_s"`
		Messages int
	}
	err := json.Unmarshal(text("json"), &result)
	expect.That(t, err == nil && result.Makespan > 0 && result.Messages != 0, "JSON %+v: %v", result, err)
	type svg struct {
		Problem                               string
		Rects, Lines                          int
		Width, Height                         float64
		ShownW, ShownH                        float64
		PngWidth, PngHeight, CanvasW, CanvasH int
	}
	got := browsertest.Eval[svg](tab, `savedPictures()`)
	expect.That(t, got.Problem == "" && got.Rects >= 8 && got.Lines >= 8 && got.Width == got.ShownW &&
		got.Height == got.ShownH,
		"SVG %+v; want the spans and messages of eight ranks, as large as on the screen", got)
	expect.That(t, got.PngWidth == got.CanvasW && got.PngHeight == got.CanvasH,
		"PNG of %d by %d pixels; want those of the canvas: %d by %d", got.PngWidth, got.PngHeight, got.CanvasW, got.CanvasH)
}

// The first screen is the question that the run raises, the shares of its time by size, and three sliders that change
// both. The answers that the page was made with are those of the simulator.
func testStartScreen(t *testing.T, tab *browsertest.Tab, native *explorer.Bridge) {
	type screen struct {
		Question string
		Shares   []float64
		Sliders  []string
		Shown    bool // of the settings
	}
	const read = `({
		Question: document.getElementById("question").textContent,
		Shares: [...document.querySelectorAll(".whole span")].map((e) => +e.style.flexGrow),
		Sliders: [...document.querySelectorAll("#quick [data-path]")].map((e) => e.dataset.path),
		Shown: document.getElementById("controls").checkVisibility(),
	})`
	got := browsertest.Eval[screen](tab, read)
	var want struct {
		Question string
		Shares   []struct{ Share float64 }
	}
	expect.Success(t, json.Unmarshal(answer(t, native, explorer.Request{Do: "shares", File: defaultFile}).JSON, &want))
	var shares []float64
	for _, s := range want.Shares {
		if s.Share > 0 {
			shares = append(shares, s.Share)
		}
	}
	// The page keeps six digits.
	expect.That(t, got.Question == want.Question &&
		slices.EqualFunc(got.Shares, shares, func(a, b float64) bool { return math.Abs(a-b) < 1e-5 }) &&
		len(shares) >= 3 && !got.Shown,
		"the first screen has %+v; want %+v and settings folded", got, want)
	expect.That(t, slices.Equal(got.Sliders, []string{"machine.nodes[0].count", "network.latency", "workload.imbalance"}), "sliders %q", got.Sliders)
	browsertest.Eval[bool](tab, `(() => {
		const slider = document.querySelector('#quick [data-path="workload.imbalance"]').closest(".control").querySelector("input[type=range]");
		slider.value = 0;
		return slider.dispatchEvent(new Event("input", {bubbles: true}));
	})()`)
	// Without imbalance every process computes as long as every other.
	const names = `document.documentElement.dataset.state + [...document.querySelectorAll(".whole span")].map((e) => e.className).join()`
	s := browsertest.Await(tab, names, func(s string) bool {
		return s == "shownis-useful,is-latency,is-bandwidth" || strings.HasPrefix(s, "failed")
	})
	expect.That(t, strings.HasPrefix(s, "shown"), "without imbalance the bar has %q", s)
	expect.That(t, browsertest.Eval[bool](tab, `(document.getElementById("all").click(), document.getElementById("controls").checkVisibility())`),
		"the settings do not unfold")
}

// Of the timeline's buttons, a step shows the end of the first span, and a play begins and stops.
func testSteps(t *testing.T, tab *browsertest.Tab) {
	press := func(name string) {
		browsertest.Eval[bool](tab, fmt.Sprintf(`([...document.querySelectorAll(".timeline .tools button")].find((b) => b.textContent === %q).click(), true)`, name))
	}
	const note = `document.querySelector(".explanation").textContent`
	press("›")
	first := browsertest.Await(tab, note, func(s string) bool { return s != "" })
	expect.Says(t, first, "0: ", "7: ")
	press("›")
	second := browsertest.Eval[string](tab, note)
	press("‹")
	again := browsertest.Eval[string](tab, note)
	expect.That(t, again == first && second != first,
		"steps forward, forward and back tell %q, %q, %q", first, second, again)
	// At once: a play ends after some seconds.
	says := browsertest.Eval[[]string](tab, `(() => {
		const play = [...document.querySelectorAll(".timeline .tools button")].find((b) => b.textContent === "Play");
		return [0, 1].map(() => { play.click(); return play.textContent; });
	})()`)
	expect.That(t, slices.Equal(says, []string{"Stop", "Play"}),
		"pressed twice, the button that plays says %q; want Stop, then Play", says)
}

// What is wrong with an edited text stands at its line, and the link has the text. The original comes back.
func testEdit(t *testing.T, tab *browsertest.Tab) {
	before := headline(tab)
	write := func(script string) {
		browsertest.Eval[bool](tab, `(() => {
			const area = document.querySelector("#editor textarea");
			`+script+`
			return area.dispatchEvent(new Event("input"));
		})()`)
	}
	browsertest.Eval[bool](tab, `(document.getElementById("edit").click(), true)`)
	write(`area.value = "# mine\n" + area.value.replace("network: hockney", "network: hockny");`)
	const said = `(document.querySelector(".problems li")?.innerText ?? "") + "|" + [...document.querySelectorAll("#editor .wrong")].map((e) => e.textContent).join()`
	want := "unknown network model"
	got := browsertest.Await(tab, said, func(s string) bool { return strings.Contains(s, want) })
	expect.That(t, strings.Contains(got, want) && strings.HasSuffix(got, "|9"),
		"the editor says %q; want that line 9 has an unknown model", got)
	expect.That(t, browsertest.Eval[bool](tab, `new URLSearchParams(location.hash.slice(1)).get("own").includes("hockny")`),
		"the link lacks the text")
	browsertest.Eval[bool](tab, `([...document.querySelectorAll("#editor button")].find((b) => b.textContent === "Original").click(), true)`)
	browsertest.Become(tab, headlineScript, before, "headline as before")
	browsertest.Eval[bool](tab, `(document.getElementById("edit").click(), true)`)
	// A lesson of one's own names a scenario of one's own and one of the page, and the link has both texts that are new.
	ring, err := os.ReadFile(root + "/examples/lessons/2-ring.yaml")
	expect.Success(t, err)
	files := fmt.Sprintf(`const files = new DataTransfer();
		files.items.add(new File(["lesson: 20\ntitle: Own\nminutes: 5\ntext: T\nruns: {a: {file: 2-ring.yaml}, b: {file: my-ring.yaml}}\nsteps: [{title: S, text: '{{a_time; s}} and {{b_time; s}}'}]\ninsight: I\n"], "my.yaml"));
		files.items.add(new File([%q], "my-ring.yaml"));
		dispatchEvent(new DragEvent("drop", {dataTransfer: files, cancelable: true}));`, ring)
	browsertest.Eval[bool](tab, "(() => {"+files+" return true; })()")
	const read = `document.querySelector("#lesson h2, #lesson h1")?.textContent + ": " + [...document.querySelectorAll("#lesson p")].map((p) => p.textContent).find((t) => / and /.test(t)) + " " + new URLSearchParams(location.hash.slice(1)).getAll("own").map((t) => t.split("\n")[0]).filter((f) => /^lessons/.test(f))`
	browsertest.Become(tab, read, "Own: 150\u00a0µs and 150\u00a0µs lessons/my.yaml,lessons/my-ring.yaml", "a dropped lesson")
	// Its copy is another lesson; who types in it goes on typing while the page shows what was typed, and its number is taken.
	browsertest.Eval[bool](tab, `([...document.querySelectorAll("#editor button")].find((b) => b.textContent === "Copy as mine").click(), true)`)
	const copied = `document.querySelector("#editor h2").textContent + " " + document.querySelector("#lesson h2")?.textContent + " " + document.activeElement.tagName`
	browsertest.Become(tab, copied, "lessons/my-my.yaml Own TEXTAREA", "the copy")
	write(`area.value = area.value.replace("Own", "Mine").replace("title: S,", "title: S, question: Q, number: {answer: a_time, unit: s, near: 0.05}, reveal: R,");`)
	browsertest.Become(tab, copied, "lessons/my-my.yaml Mine TEXTAREA", "the edited copy")
	// What is wrong leaves the lesson of the text before on the page.
	write(`area.value = area.value.replace("minutes", "minuts");`)
	told := browsertest.Await(tab, said, func(s string) bool { return strings.Contains(s, "minutes") })
	expect.That(t, strings.HasSuffix(told, "|1,3"), "beside a mistake the editor says %q", told)
	browsertest.Become(tab, copied, "lessons/my-my.yaml Mine TEXTAREA", "the lesson beside it")
	write(`area.value = area.value.replace("minuts", "minutes");`)
	browsertest.Await(tab, said, func(s string) bool { return !strings.Contains(s, "minutes") })
	browsertest.Eval[bool](tab, `([...document.querySelectorAll("#lesson button")].find((b) => b.textContent === "All lessons").click(), true)`)
	const list = `[...document.querySelectorAll(".lessons button")].slice(-2).map((b) => b.textContent).join()`
	browsertest.Become(tab, list, "20. Own,Mine", "the end of the list, with both lessons of one's own")
}

// An error in a value is said at its control, and nowhere else; an empty field takes what the file says. A link to a
// file that does not exist lists a few files.
func testWrongValue(t *testing.T, tab *browsertest.Tab) {
	const said = `[document.querySelector("#quick .wrong:not([hidden])")?.textContent, document.getElementById("problem").hidden, document.querySelectorAll("#quick [aria-invalid=true]").length].join("|")`
	enter := func(value string) {
		browsertest.Eval[bool](tab, fmt.Sprintf(`(() => { const e = document.querySelector("#quick [data-path='network.latency']"); e.value = %q; return e.dispatchEvent(new Event("change")); })()`, value))
	}
	enter("50 parsecs")
	const want = `time "50 parsecs": "parsecs" is not a unit of time`
	got := browsertest.Await(tab, said, func(s string) bool { return strings.HasPrefix(s, want) })
	expect.That(t, strings.HasSuffix(got, "such as 50 us|true|1"), "at the control it says %q", got)
	enter("")
	browsertest.Become(tab, said, "|true|0", "of an empty field")
	browsertest.Eval[bool](tab, `(location.hash = "v=1&file=sunwulf-rn.yaml", true)`)
	const problem = `document.getElementById("problem").textContent`
	got = browsertest.Await(tab, problem, func(s string) bool { return s != "" })
	expect.That(t, strings.Contains(got, " more; did you mean sunwulf-run.yaml") && len(got) < 600, "of a file that there is not the page says %q", got)
}

// 1024 ranks are 32 rows, whose names are complete on a laptop and on a phone; so is the name of the last rank alone.
func testFoldedRanks(t *testing.T, tab *browsertest.Tab) {
	const names = `(() => { const texts = [], fill = CanvasRenderingContext2D.prototype.fillText;
		CanvasRenderingContext2D.prototype.fillText = function (text, ...more) { texts.push(text); return fill.call(this, text, ...more); };
		document.querySelector(".timeline canvas").dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
		return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => { CanvasRenderingContext2D.prototype.fillText = fill; done(texts.join("|")); }))); })()`
	for _, width := range []int64{1366, 390} {
		tab.Screen(width, 800, "light")
		got := browsertest.Eval[string](tab, names)
		expect.That(t, strings.Contains(got, "▸ 992 to 1023") && !strings.Contains(got, "…"), "at %d px the rows are %s", width, got)
	}
	tab.Screen(1366, 800, "light")
	// The picture follows the screen some frames later.
	const wide = `document.querySelector(".timeline canvas").width / devicePixelRatio`
	browsertest.Await(tab, wide, func(pixels float64) bool { return pixels > 700 })
	browsertest.Eval[bool](tab, `(() => { const s = document.querySelector(".timeline .tools select"); s.value = "1"; return s.dispatchEvent(new Event("change")); })()`)
	alone := browsertest.Eval[string](tab, names)
	expect.That(t, strings.Contains(alone, "node-1") && !strings.Contains(alone, "…"), "ranks alone are %s", alone)
}

// A run with too many spans is folded as well; the search tells what a rank does, as the table of ranks has it.
func testFoldedShares(t *testing.T, tab *browsertest.Tab) {
	rows := browsertest.Eval[string](tab, `[...document.querySelectorAll(".timeline select option")].map((o) => o.textContent).join("|")`)
	expect.Equal(t, rows, "8 ranks|ranks", "ways to fold 256 ranks")
	got := browsertest.Eval[string](tab, `(() => {
		const field = document.querySelector(".timeline input[type=search]");
		field.value = "17";
		field.dispatchEvent(new Event("change"));
		return document.querySelector(".timeline .explanation").textContent;
	})()`)
	want := browsertest.Eval[string](tab, `isoscaleExplorer.ask({do: "run", file: "explore.yaml", set: [{path: "machine.nodes[0].count", value: "256"}, {path: "workload.n", value: "256"}]})
		.then(({answer: {run}}) => ["compute", "overhead", "wait"].map((x) => x+" "+Math.round(100*run.ranks[17][x+"_s"]/run.makespan_s)+" %").join(", "))`)
	expect.That(t, strings.HasSuffix(strings.ReplaceAll(got, "\u00a0", " "), "rank 17 (node-18): "+want+"."), "told %q, in the table %q", got, want)
}

// A run that takes long is abandoned together with its worker when something else is wanted.
func testAbandoned(t *testing.T, tab *browsertest.Tab) {
	before := headline(tab)
	browsertest.Eval[bool](tab, `(() => {
		const Own = Worker;
		globalThis.workers = 0;
		globalThis.Worker = class extends Own { constructor(...a) { super(...a); workers++; } };
		location.hash = "v=1&set=machine.nodes[0].count%3D64&set=workload.n%3D60000";
		return true;
	})()`)
	expect.Need(t, browsertest.Await(tab, `document.documentElement.dataset.state === "busy"`, func(b bool) bool { return b }),
		"the long run does not begin")
	browsertest.Eval[bool](tab, `(location.hash = "v=1", true)`)
	n := browsertest.Await(tab, "workers", func(n int) bool { return n > 0 })
	expect.That(t, n == 1, "%d workers were started; want one in the place of the first", n)
	browsertest.Become(tab, headlineScript, before, "headline as before")
}

// mouse tells the page of the left button: buttons is 1 while it is pressed.
func mouse(tab *browsertest.Tab, kind input.DispatchMouseEventType, at point, buttons int64) {
	button := input.MouseButtonLeft
	if kind == input.DispatchMouseEventTypeMouseMoved && buttons == 0 {
		button = input.MouseButtonNone
	}
	browsertest.Call(tab, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: at.X, Y: at.Y, Button: button, Buttons: buttons, ClickCount: 1})
}

type (
	point struct{ X, Y float64 }
	box   struct{ X, Y, Width, Height float64 }
)

// A click on a link of the topology tells whose messages use the link. Four nodes on a star send 20 kB to both
// neighbours in a ring six times: the way up from a node carries what it sends, the way down to it what it receives.
func testFlowsOfALink(t *testing.T, tab *browsertest.Tab) {
	for link, want := range map[string][]string{
		"node-1 → switch 1 (node-1.up)":   {"0 → 1 (120 kB)", "0 → 3 (120 kB)"},
		"node-2 → switch 1 (node-2.up)":   {"1 → 0 (120 kB)", "1 → 2 (120 kB)"},
		"switch 1 → node-2 (node-2.down)": {"0 → 1 (120 kB)", "2 → 1 (120 kB)"},
	} {
		at := browsertest.Eval[point](tab, fmt.Sprintf(`(() => {
			const line = [...document.querySelectorAll("#topology path")].find((p) => p.querySelector("title")?.textContent === %q);
			line.scrollIntoView({block: "center"});
			const p = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM());
			return {x: p.x, y: p.y};
		})()`, link))
		mouse(tab, input.DispatchMouseEventTypeMousePressed, at, 1)
		mouse(tab, input.DispatchMouseEventTypeMouseReleased, at, 0)
		const note = `document.querySelector("#topology .explanation").textContent`
		told := browsertest.Await(tab, note, func(s string) bool {
			return strings.HasPrefix(s, link+":") && strings.Contains(s, "on it")
		})
		_, flows, _ := strings.Cut(strings.TrimSuffix(told, "."), "Messages on it: ")
		got := strings.Split(flows, ", ")
		slices.Sort(got)
		expect.That(t, slices.Equal(got, want), "%s is told to carry %q; want %q", link, got, want)
	}
}

// Each of 72 nodes sends to the 71 others, and the last one as well as the first. Each of 9 groups has 4 routers with 2
// nodes: 144 links of nodes, 9 x 12 in groups and 72 between them, in both directions.
func testManyMessagesOnALink(t *testing.T, tab *browsertest.Tab) {
	told := clickLink(tab, "node-72 → switch 36 (node-72.up)")
	expect.Says(t, told, "Messages on it: 71 → 0 (1 MB), ", "and 59 more.")
	browsertest.Eval[bool](tab, `(document.querySelector("#topology details").open = true)`)
	browsertest.Become(tab, `document.querySelector("#topology tbody").lastChild?.textContent`, "These are the 200 busiest of 324 links.", "end of the table")
}

func testMessagesOnSeveralPaths(t *testing.T, tab *browsertest.Tab) {
	expect.Says(t, clickLink(tab, "node-1 → switch 1 (node-1.up)"), "Which messages are on it is not known: messages take several paths with routing valiant.")
}

// clickLink clicks a link and returns what the page tells about it and its messages.
func clickLink(tab *browsertest.Tab, link string) string {
	tab.T.Helper()
	browsertest.Eval[bool](tab, fmt.Sprintf(`([...document.querySelectorAll("#topology path")].find((p) => p.querySelector("title")?.textContent === %q).dispatchEvent(new MouseEvent("click")), true)`, link))
	return browsertest.Await(tab, `document.querySelector("#topology .explanation").textContent`, func(s string) bool {
		return strings.HasPrefix(s, link+":") && strings.Contains(s, " on it")
	})
}

// Of more than 128 nodes, those of a switch are one circle with their number; a click on one, and a box for all, draw
// them one by one. 144 nodes on 12 switches are first 12 circles of 12, then 11 circles and 12 nodes, then 144 nodes.
func testFoldedTopology(t *testing.T, tab *browsertest.Tab) {
	const circles = `[...document.querySelectorAll("#topology circle")].map((e) => e.textContent)`
	var group, one, all []string
	for i := range 12 {
		group = append(group, "12 nodes")
		if i < 11 {
			one = append(one, "12 nodes")
		}
	}
	for i := range 144 {
		all = append(all, fmt.Sprintf("node-%d", i+1))
	}
	one = append(slices.Clone(all[:12]), one...)
	expect.List(t, browsertest.Eval[[]string](tab, circles), group, "circles of the folded picture")
	at := browsertest.Eval[point](tab, `(() => {
		const c = document.querySelector("#topology circle");
		c.scrollIntoView({block: "center"});
		const b = c.getBoundingClientRect();
		return {x: b.x + b.width / 2, y: b.y + b.height / 2};
	})()`)
	mouse(tab, input.DispatchMouseEventTypeMousePressed, at, 1)
	mouse(tab, input.DispatchMouseEventTypeMouseReleased, at, 0)
	expect.List(t, browsertest.Eval[[]string](tab, circles), one, "circles after a click on the first")
	for _, want := range [][]string{all, group} {
		browsertest.Eval[bool](tab, `(document.querySelector("#topology input[type=checkbox]").click(), true)`)
		expect.List(t, browsertest.Eval[[]string](tab, circles), want, "circles after a click on the box")
	}
	browsertest.Eval[bool](tab, `(document.querySelector("#topology svg path[stroke=transparent]:not(:has(~ path[stroke=transparent]))").dispatchEvent(new MouseEvent("click")), true)`)
	browsertest.Await(tab, `document.querySelector("#topology .explanation").textContent`, func(s string) bool {
		return strings.HasPrefix(s, "12 links, ") && strings.Contains(s, "12 nodes") && strings.Contains(s, "The busiest in the window is ")
	})
}

// The target of the scaling screen follows the mouse while its button is pressed: the
// efficiencies 1 and 0 are at 20 and 370 of 430.
func testDraggedTarget(t *testing.T, tab *browsertest.Tab) {
	b := browsertest.Eval[box](tab, `boxOf("#scaling svg")`)
	at := func(target float64) point { return point{b.X + b.Width/2, b.Y + b.Height*(20+(1-target)*350)/430} }
	const target = `+document.querySelector("#scaling input[type=range]").value`
	from, to := browsertest.Eval[float64](tab, target), 0.25
	expect.Need(t, from != to, "the target is %v from the beginning; the test is blind", from)
	mouse(tab, input.DispatchMouseEventTypeMousePressed, at(from), 1)
	for k := range 11 {
		mouse(tab, input.DispatchMouseEventTypeMouseMoved, at(from+(to-from)*float64(k)/10), 1)
	}
	mouse(tab, input.DispatchMouseEventTypeMouseReleased, at(to), 0)
	mouse(tab, input.DispatchMouseEventTypeMouseMoved, at(0.75), 0)
	type shown struct {
		Target, Line float64
		Text, Hash   string
	}
	got := browsertest.Eval[shown](tab, `({target: `+target+`, text: document.querySelector("#scaling output").textContent, hash: location.hash, line: +document.querySelector("#scaling svg line[stroke-dasharray]").getAttribute("y1")})`)
	expect.That(t, got.Target == to && got.Text == "25 %" && strings.Contains(got.Hash, "target=0.25") && got.Line == 20+0.75*350,
		"dragged to %v: %+v", to, got)
}

// A program that sustains twice the marked speed has an efficiency of up to 2 on one node. It is drawn unchanged,
// between 20 and 370 of 430, under an axis that goes that far, and explained.
func testEfficiencyAboveOne(t *testing.T, tab *browsertest.Tab) {
	type shown struct {
		Marks []float64
		Top   string
		Above string
	}
	const state = `({
		marks: [...document.querySelectorAll("#scaling svg circle")].map((c) => +c.getAttribute("cy")),
		top: [...document.querySelectorAll("#scaling svg text")].filter((x) => x.textContent.includes("%")).at(-1)?.textContent ?? "",
		above: [...document.querySelectorAll("#scaling p.caption")].find((p) => !p.hidden && p.textContent.startsWith("Above 100\u00a0%"))?.textContent ?? "",
	})`
	got := browsertest.Await(tab, state, func(s shown) bool { return s.Above != "" })
	expect.That(t, strings.Contains(got.Above, "faster than their marked speed") && got.Top == "200 %",
		"the axis ends at %q, and efficiencies above 1 are explained as %q", got.Top, got.Above)
	expect.That(t, len(got.Marks) != 0 && slices.Min(got.Marks) >= 20 && slices.Max(got.Marks) <= 370,
		"marks at %v; want them between 20 and 370", got.Marks)
}

// A curve is drawn with the mouse, pressed at the first value and moved to the last.
func testCurveByMouse(t *testing.T, tab *browsertest.Tab) {
	expect.Need(t, browsertest.Await(tab, `!!document.querySelector(".curve svg")`, func(b bool) bool { return b }),
		"no curve")
	b := browsertest.Eval[box](tab, `boxOf(".curve svg")`)
	const values = `[...document.querySelectorAll(".curve .points input")].map((i) => +i.value)`
	before := browsertest.Eval[[]float64](tab, values)
	// From 64 to 620 of 640 and from the top of the scale, at 16 of 300, downwards.
	at := func(k int) point {
		share := float64(k) / 40
		return point{b.X + b.Width*(64+share*(620-64))/640, b.Y + b.Height*(20+share*200)/300}
	}
	mouse(tab, input.DispatchMouseEventTypeMousePressed, at(0), 1)
	for k := range 41 {
		mouse(tab, input.DispatchMouseEventTypeMouseMoved, at(k), 1)
	}
	mouse(tab, input.DispatchMouseEventTypeMouseReleased, at(40), 0)
	after := browsertest.Eval[[]float64](tab, values)
	expect.Need(t, len(after) == len(before), "values %v and %v", before, after)
	for k := 1; k < len(after); k++ {
		if after[k] >= after[k-1] {
			t.Errorf("drawn downwards, the values are %v; before %v", after, before)
			break
		}
	}
}

// toFocus presses Tab until the element has the focus.
func toFocus(t *testing.T, tab *browsertest.Tab, selector string) {
	t.Helper()
	for range 80 {
		if browsertest.Eval[bool](tab, fmt.Sprintf(`!!document.activeElement?.matches(%q)`, selector)) {
			return
		}
		browsertest.Press(tab, "Tab")
	}
	t.Fatalf("Tab does not lead to %s", selector)
}

// Lessons are completed from the first step to the end with the keyboard.
func testLessonsByKeyboard(t *testing.T, visit func(t *testing.T, fragment string) *browsertest.Tab, lessons []lessonEntry) {
	browsertest.Eval[bool](visit(t, "v=1&view=lesson"), `(isoscaleExplorer.forget(), true)`)
	for _, l := range lessons {
		tab := visit(t, "v=1&view=lesson&lesson="+l.File)
		steps := browsertest.Await(tab, `document.querySelectorAll("nav.steps button").length - 2`, func(n int) bool { return n > 0 })
		questions := 0
		for i := range steps {
			const title = `document.querySelector("nav.steps [aria-current]")?.textContent ?? ""`
			got := browsertest.Await(tab, title, func(s string) bool { return s == fmt.Sprint(i+1) })
			expect.Need(t, got == fmt.Sprint(i+1), "%s: step %q; want %d", l.File, got, i+1)
			if browsertest.Eval[bool](tab, `!!document.querySelector("#lesson .question")`) {
				questions++
				answerByKeyboard(t, tab, l.File)
			}
			toFocus(t, tab, ".move .primary")
			browsertest.Press(tab, "Enter")
		}
		const end = `document.querySelector("#lesson h3")?.textContent ?? ""`
		got := browsertest.Await(tab, end, func(s string) bool { return s == "What to remember" })
		expect.That(t, got == "What to remember" && questions != 0, "%s ends with %q after %d questions", l.File, got, questions)
		const next = `document.querySelector(".move .primary")?.textContent.split(":")[0] ?? ""`
		got, want := browsertest.Eval[string](tab, next), fmt.Sprintf("Lesson %d", l.Number+1)
		expect.That(t, l.Number >= 19 || got == want, "%s leads to %q; want %q", l.File, got, want)
	}
}

// answerByKeyboard predicts something and waits for the answer.
func answerByKeyboard(t *testing.T, tab *browsertest.Tab, lesson string) {
	t.Helper()
	expect.That(t, !browsertest.Eval[bool](tab, `!!document.querySelector(".reveal")`),
		"%s: the answer is there before the prediction", lesson)
	toFocus(t, tab, ".predict input")
	switch kind := browsertest.Eval[string](tab, "document.activeElement.type"); kind {
	case "number":
		browsertest.Press(tab, "1")
	case "radio":
		browsertest.Press(tab, " ")
	case "range":
		browsertest.Press(tab, "ArrowRight")
	default:
		t.Fatalf("%s: a prediction by %q", lesson, kind)
	}
	const predicted = `[...document.querySelectorAll(".predict input[type=number], .predict select")].map((e) => e.value).join(" ")`
	before := browsertest.Eval[string](tab, predicted)
	toFocus(t, tab, ".question button[type=submit]")
	browsertest.Press(tab, "Enter")
	const verdict = `document.querySelector(".reveal .verdict")?.textContent ?? document.querySelector(".question .alert")?.textContent ?? ""`
	got := browsertest.Await(tab, verdict, func(s string) bool { return s != "" })
	expect.Need(t, browsertest.Eval[bool](tab, `!!document.querySelector(".reveal .verdict")`),
		"%s: after the prediction: %q", lesson, got)
	expect.Equal(t, browsertest.Eval[string](tab, predicted), before, "%s: the prediction after it was made", lesson)
}

// A prediction is veiled before it is made and played afterwards, kept for the list, and handed in as a line. A class
// of 90 lines is drawn with the true answer among the predictions, and a lesson is printed with and without answers.
func testPredictionsAreKept(t *testing.T, tab *browsertest.Tab, visit func(*testing.T, string) *browsertest.Tab) {
	browsertest.Eval[bool](tab, `(isoscaleExplorer.forget(), true)`)
	const lesson = "v=1&view=lesson&lesson=lessons/4-latency-and-bandwidth.yaml"
	visit(t, lesson+"&step=1")
	veil := browsertest.Eval[string](tab, `document.querySelector(".stage .veil")?.textContent ?? ""`)
	expect.That(t, strings.HasPrefix(veil, "Two runs"), "before the prediction the stage has %q", veil)
	browsertest.Eval[bool](tab, `(document.querySelectorAll(".predict input")[0].click(), document.querySelector(".question button[type=submit]").click(), true)`)
	const drawn = `document.querySelectorAll(".stage canvas[role=application]").length`
	browsertest.Become(tab, drawn, 2, "timelines after the prediction")
	expect.Says(t, browsertest.Eval[string](tab, `document.querySelector(".reveal").textContent`), "That was true of 8\u00a0B.")
	visit(t, "v=1&view=lesson")
	got := browsertest.Eval[[]string](tab, `[document.querySelector(".score").textContent, document.querySelector("[aria-label='my answers']").value.split("\n")[1].replace(/^[^,]*/, ""),
		[...document.querySelectorAll(".lessons li:nth-child(4) i")].map((e) => e.className).join()]`)
	expect.List(t, got, []string{"0 of 1 predictions were right.", ",4,2,a,no", ",wrong,"}, "the list")
	var lines []string // 30 students predict one of three numbers of step 1, and 60 one of three options of step 2
	for i := range 90 {
		p := []string{"0.00015", "0.000015", "0"}[i%3]
		if i >= 30 {
			p = []string{"a", "b", "c"}[i%3]
		}
		lines = append(lines, fmt.Sprintf("S%d,4,%d,%s,no", i, 1+min(1, i/30), p))
	}
	class := browsertest.Eval[[]string](tab, fmt.Sprintf(`(() => {
		const box = document.querySelector(".class"), text = box.querySelector("textarea");
		box.open = true;
		text.value = %q;
		text.dispatchEvent(new Event("input"));
		return [...[...box.querySelectorAll("option")].map((o) => o.textContent), box.querySelector(".caption").textContent];
	})()`, strings.Join(append(lines, "nobody,99,1,1,no", "S30,4,2,d,no", "S0,4,1,0,00015,no", `S0,4,1,"0,00015",no`, ",4,2,a,no", "S1,4,3,1 2,no", `"Jo, née S",4,2,a,no`, "S90\t4\t2\tb"), "\n")))
	expect.List(t, class, []string{"Lesson 4, step 1: 30 predictions", "Lesson 4, step 2: 62 predictions", "Not answers of these lessons: lines 91, 92, 93, 94, 95, 96."}, "the class")
	const bars = `document.querySelectorAll(".class .bar").length + " " + (document.querySelector(".class .bar.best b")?.textContent ?? "")`
	browsertest.Await(tab, bars, func(s string) bool { return !strings.HasPrefix(s, "0") })
	browsertest.Eval[bool](tab, `(document.querySelector(".class button").click(), true)`)
	s := browsertest.Await(tab, bars, func(s string) bool { return strings.Contains(s, "←") })
	expect.That(t, strings.HasSuffix(s, " 10 ← 150\u00a0µs"), "the bars are %q; want 10 students at 150 µs", s)
	// Predictions that hardly differ from each other or from the answer have ranges that differ as printed.
	browsertest.Eval[bool](tab, `(() => { const text = document.querySelector(".class textarea"); text.value = "a,4,1,0.0001500,no\nb,4,1,0.0001501,no"; return text.dispatchEvent(new Event("input")); })()`)
	browsertest.Become(tab, `[...document.querySelectorAll(".class .bar span")].map((e) => e.textContent).join()`, "150 µs to 151 µs", "ranges")
	visit(t, lesson+"&step=9")
	for i, want := range []bool{false, true} {
		browsertest.Eval[bool](tab, fmt.Sprintf(`(globalThis.print = () => globalThis.printed = true, globalThis.printed = false, [...document.querySelectorAll("#lesson .other button")][%d].click(), true)`, i))
		browsertest.Await(tab, "printed", func(b bool) bool { return b })
		text := browsertest.Eval[string](tab, `document.getElementById("handout").textContent`)
		expect.That(t, strings.Contains(text, "They take 150\u00a0µs: ") == want &&
			strings.Contains(text, "625\u00a0B") == want && strings.Contains(text, "Name:") != want &&
			strings.Contains(text, "How long do the three rounds with 8\u00a0B take then?"),
			"the hand-out with answers: %v; it says %q", want, text)
	}
}

// A picture that is removed, as when two pinned ones take its place, is no longer painted: it told the new ones to show
// its part of the time.
func testRemovedPicture(t *testing.T, tab *browsertest.Tab) {
	n := browsertest.Eval[int](tab, fmt.Sprintf(`isoscaleExplorer.ask({do: "run", file: %q, timeline: true}).then(async (r) => {
		let painted = 0;
		const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		const host = document.body.appendChild(document.createElement("div"));
		const m = isoscaleTimeline.mount(host, isoscaleTimeline.decode(r.timeline), {painted: () => painted++});
		await frames();
		const before = painted;
		m.remove();
		await frames();
		host.remove();
		return before > 0 ? painted - before : -1;
	})`, defaultFile))
	expect.That(t, n == 0, "a removed picture is painted %d times; want never (-1: it never was)", n)
}

// For a reader who prefers less motion, the start screen and the runs of an answer are as they are in the end: nothing
// is played or fades. Any other reader sees the runs of the next answer played.
func testReducedMotion(t *testing.T, tab *browsertest.Tab, file string) {
	motion := func(value string) {
		browsertest.Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: value}}})
	}
	browsertest.Call(tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		globalThis.played = 0; // how often a picture began to play
		new MutationObserver((all) => all.forEach((m) => m.addedNodes.forEach((n) => { if (n.textContent === "Stop") played++; })))
			.observe(document, {subtree: true, childList: true});`})
	// predict locks in an option of a step of lesson 4, and returns how often pictures have been played once both runs
	// are there.
	predict := func(step int) int {
		turn(tab, fmt.Sprintf("v=1&view=lesson&lesson=lessons/4-latency-and-bandwidth.yaml&step=%d", step))
		browsertest.Eval[bool](tab, `(document.querySelector(".predict input").click(), document.querySelector(".question button[type=submit]").click(), true)`)
		browsertest.Await(tab, `document.querySelectorAll(".stage canvas[role=application]").length`, func(n int) bool { return n == 2 })
		tab.Settle()
		return browsertest.Eval[int](tab, "played")
	}
	const moving = `document.getAnimations().filter((a) => a.playState === "running" && a.effect.getComputedTiming().duration > 0).length`
	motion("reduce")
	tab.OpenAt(file, "v=1")
	shown(t, tab)
	tab.Settle()
	played, left := browsertest.Eval[int](tab, "played"), browsertest.Eval[int](tab, moving)
	const whole = `(() => {
		const canvas = document.querySelector(".timeline canvas"), before = canvas.toDataURL();
		[...document.querySelectorAll(".timeline .tools button, .tools button")].find((b) => b.textContent === "All").click();
		return before === canvas.toDataURL();
	})()`
	expect.That(t, browsertest.Eval[bool](tab, whole) && played <= 0 && left <= 0,
		"the start screen is not in its final state: played %d times, %d animations", played, left)
	n, left := predict(1), browsertest.Eval[int](tab, moving)
	expect.That(t, n <= 0 && left <= 0, "the answer of a lesson is not in its final state: played %d times, %d animations", n, left)
	browsertest.Eval[bool](tab, `(isoscaleExplorer.forget(), true)`)
	motion("no-preference")
	expect.That(t, predict(1) != 0, "with motion nothing is played: the test is blind")
}

// The captions of two runs name what differs between them, and nothing else.
func testCaptionsOfTwoRuns(t *testing.T, tab *browsertest.Tab) {
	const captions = `[...document.querySelectorAll("#timelines h3")].map((e) => e.textContent).join("; ")`
	const same = "collective, n\u00a0=\u00a01, on 16 nodes of lab, network hockney"
	want := "A, pinned: " + same + ", algorithm binomial; B: " + same + ", algorithm scatter-allgather"
	expect.Equal(t, browsertest.Await(tab, captions, func(s string) bool { return s == want }), want,
		"captions")
}
