package page

import (
	"bytes"
	"context"
	_ "embed" // what tests ask of the explorer
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/explorer"
	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
	"github.com/isoscale/isoscale/internal/expect"
)

// smaller are the settings for examples that take long, and the question for those whose timeline a page cannot record.
var smaller = map[string]explorer.Request{
	"barrier-1m.yaml":    {Do: "measure", Set: []explorer.Setting{{Path: "nodes.node", Value: "16384"}}},
	"buy-a-cluster.yaml": {Do: "levers"},
	"compare-bids.yaml":  {Do: "levers"},
	"hpl-dahu.yaml":      {Do: "run", Set: []explorer.Setting{{Path: "workload.n", Value: "5000"}}},
}

// The page in a real browser, opened from a file, requests nothing, gives the results of the native program, and can be
// linked, exported and used with the keyboard.
func TestBrowser(t *testing.T) {
	browser := browsertest.Start(t)
	file := built(t)
	c, err := readContent(filepath.Join(root, "examples"))
	expect.Success(t, err)
	native := explorer.New(c.Files)

	open := func(t *testing.T, fragment string) (*browsertest.Tab, string) {
		t.Helper()
		tab := browser.NewTab(t)
		tab.Screen(1366, 900, "light")
		address := tab.OpenAt(file, fragment)
		shown(t, tab)
		return tab, address
	}
	// Each page takes seconds until its simulator is ready, so one page serves all parts that do not come from a link.
	shared, address := open(t, "")
	visit := func(t *testing.T, fragment string) *browsertest.Tab {
		t.Helper()
		shared.T = t
		shared.Screen(1366, 900, "light")
		turn(shared, fragment)
		return shared
	}

	t.Run("requests nothing", func(t *testing.T) {
		shared.T = t
		text := browsertest.Eval[string](shared, `document.querySelector("#figures .value").textContent`)
		expect.That(t, strings.HasSuffix(text, "s"), "the time is %q", text)
		shared.CheckQuiet(address)
	})

	t.Run("start screen", func(t *testing.T) { testStartScreen(t, visit(t, "v=1"), native) })

	t.Run("results", func(t *testing.T) {
		tab := visit(t, "v=1")
		compared := 0
		for _, r := range c.runs {
			q, ok := smaller[r.Name]
			if !ok {
				q = explorer.Request{Do: "run", Timeline: true, Links: true}
			}
			q.File = r.Name
			compare(t, tab, native, q)
			compared++
		}
		for _, l := range c.Lessons {
			compare(t, tab, native, explorer.Request{Do: "lesson", File: l.File})
			var lesson struct{ Steps []json.RawMessage }
			text := answer(t, native, explorer.Request{Do: "lesson", File: l.File}).JSON
			expect.Success(t, json.Unmarshal(text, &lesson))
			for i := range lesson.Steps {
				compare(t, tab, native, explorer.Request{Do: "reveal", File: l.File, Step: i})
			}
			compared++
		}
		expect.That(t, compared >= 15, "%d files compared; expected more, the test is blind", compared)
		t.Logf("%d of %d files compared", compared, len(c.runs)+len(c.Lessons))
	})

	t.Run("link", func(t *testing.T) {
		tab := visit(t, "v=1")
		before := headline(tab)
		browsertest.Eval[bool](tab, `(() => {
			const slider = document.querySelector('[data-path="network.latency"]').closest(".control").querySelector("input[type=range]");
			slider.value = 900;
			slider.dispatchEvent(new Event("input", {bubbles: true}));
			return true;
		})()`)
		after := browsertest.Await(tab, headlineScript, func(s string) bool { return s != before && s != "busy" })
		expect.Need(t, after != before, "the slider changes nothing: %s", before)
		want := regexp.MustCompile(`^v=1&set=network\.latency%3D[^&]*$`)
		fragment := browsertest.Await(tab, "location.hash.slice(1)", want.MatchString) // it follows a slider that rests
		expect.That(t, want.MatchString(fragment),
			"the address ends in %q; want only what differs from the file", fragment)
		again, _ := open(t, fragment) // like a reader who gets the link
		expect.Equal(t, headline(again), after, "the link shows")
	})

	t.Run("export", func(t *testing.T) {
		tab := visit(t, "v=1")
		q := explorer.Request{File: "sunwulf-run.yaml", Set: []explorer.Setting{{Path: "workload.n", Value: "200"}, {Path: "machine.network.latency", Value: "1 us"}}}
		q.Do = "export"
		var exported struct{ Files []struct{ Name, Text string } }
		err := json.Unmarshal(ask(t, tab, q).json, &exported)
		expect.Need(t, err == nil && len(exported.Files) == 1, "%v: %v", err, exported)
		alone := explorer.New(map[string]string{exported.Files[0].Name: exported.Files[0].Text})
		q.Do = "measure"
		want := answer(t, native, q).JSON
		got := answer(t, alone, explorer.Request{Do: "measure", File: exported.Files[0].Name}).JSON
		expect.Equal(t, string(got), string(want), "exported")
	})

	t.Run("plan", func(t *testing.T) { testPlan(t, browser, file) })

	t.Run("keyboard", func(t *testing.T) {
		tab := visit(t, "v=1")
		browsertest.Eval[bool](tab, `(document.querySelector(".timeline canvas").focus(), true)`)
		for _, key := range []string{"ArrowRight", "ArrowRight", "ArrowDown", "Enter"} {
			browsertest.Press(tab, key)
		}
		told := browsertest.Await(tab, `document.querySelector(".explanation").textContent`, func(s string) bool { return s != "" })
		expect.That(t, strings.HasPrefix(told, "Rank 1 "), "Enter tells %q; want something of rank 1", told)
	})

	const size = "set=workload.size%3D1+MB"
	for _, part := range []struct {
		name, fragment string
		test           func(*testing.T, *browsertest.Tab)
	}{
		{"pixels", "v=1", testPixels},
		{"explained wait", "v=1", testExplainedWait},
		{"steps", "v=1", testSteps},
		{"abandoned", "v=1", testAbandoned},
		{"flows of a link", "v=1&view=topology&set=network%3Dflow&set=machine.nodes[0].count%3D4", testFlowsOfALink},
		{"folded topology", "v=1&view=topology&set=network%3Dflow&set=machine.nodes[0].count%3D144&set=" +
			url.QueryEscape(`machine.network.topology={"name":"tree","levels":[12,12]}`), testFoldedTopology},
		{"many messages on a link", "v=1&view=topology&file=topologies/dragonfly.yaml", testManyMessagesOnALink},
		{"messages on several paths", "v=1&view=topology&file=topologies/dragonfly.yaml&set=network.routing%3Dvaliant", testMessagesOnSeveralPaths},
		{"dragged target", "v=1&view=scaling&file=lessons/1-gauss.yaml", testDraggedTarget},
		{"efficiency above one", "v=1&view=scaling&file=lessons/1-gauss.yaml&set=workload.sustained%3D2", testEfficiencyAboveOne},
		{"curve by mouse", "v=1&view=lesson&lesson=lessons/4-latency-and-bandwidth.yaml&step=2", testCurveByMouse},
		{"captions of two runs", "v=1&file=lessons/collective.yaml&set=workload.algorithm%3Dscatter-allgather&" + size +
			"&view=timeline&pin=lessons/collective.yaml&pin" + size, testCaptionsOfTwoRuns},
		{"removed picture", "v=1", testRemovedPicture},
		{"folded ranks", "v=1&view=timeline&set=machine.nodes[0].count%3D1024", testFoldedRanks},
		{"folded shares", "v=1&view=timeline&set=machine.nodes[0].count%3D256&set=workload.n%3D256", testFoldedShares},
		{"wrong value", "v=1", testWrongValue}, // last: it leaves a page that shows nothing
	} {
		t.Run(part.name, func(t *testing.T) { part.test(t, visit(t, part.fragment)) })
	}

	t.Run("saving", func(t *testing.T) { testExports(t, visit(t, "v=1"), native) })
	t.Run("summary first", func(t *testing.T) {
		// 5000 ranks send to two neighbours, once in each of six rounds.
		tab, _ := open(t, "v=1&set=machine.nodes[0].count%3D5000")
		const pictures = `document.getElementById("timelines").textContent`
		text := browsertest.Eval[string](tab, pictures)
		expect.That(t, strings.Contains(text, "60\u00a0000 messages") && !browsertest.Eval[bool](tab, `!!document.querySelector(".timeline canvas")`),
			"a large run opens with %q; want its summary without a timeline", text)
		browsertest.Eval[bool](tab, `(document.querySelector("#timelines button").click(), true)`)
		expect.That(t, browsertest.Await(tab, `!!document.querySelector(".timeline canvas")`, func(there bool) bool { return there }),
			"the timeline is not drawn on request")
	})
	t.Run("edit", func(t *testing.T) {
		tab, _ := open(t, "v=1")
		testEdit(t, tab)
	})
	t.Run("predictions are kept", func(t *testing.T) { testPredictionsAreKept(t, visit(t, "v=1&view=lesson"), visit) })
	t.Run("lessons by keyboard", func(t *testing.T) { testLessonsByKeyboard(t, visit, c.Lessons) })
	t.Run("reduced motion", func(t *testing.T) { testReducedMotion(t, browser.NewTab(t), file) })

	t.Run("accessible", func(t *testing.T) {
		axe := browsertest.Axe(t)
		for i, state := range accessible {
			tab := browser.NewTab(t) // as the page is when it comes up: every second on a phone, and in the dark
			tab.Screen([]int64{1366, 390}[i%2], 900, []string{"light", "dark"}[i/2%2])
			tab.OpenAt(file, "v=1&"+state.view)
			shown(t, tab)
			eachScreen(tab, func(screen string) {
				there := browsertest.Await(tab, "(() => {"+state.enter+"})(), "+state.there, func(b bool) bool { return b })
				expect.Need(t, there, "%s %s: not reached", state.view, state.enter)
				expect.Equal(t, browsertest.Violations(tab, axe), "", "%s %s at %s", state.view, state.enter, screen)
				browsertest.Eval[bool](tab, "(() => {"+state.leave+"})(), true")
			})
		}
	})
}

// eachScreen calls do with the page as wide as a laptop's screen and as a phone's, in light and dark.
func eachScreen(tab *browsertest.Tab, do func(screen string)) {
	for _, width := range []int64{1366, 390} {
		for _, theme := range []string{"light", "dark"} {
			tab.Screen(width, 900, theme)
			do(fmt.Sprintf("%d px, %s", width, theme))
		}
	}
}

// accessible are the states of the page that everyone must be able to use: their view, what is done there until
// something holds, and what undoes it.
var accessible = []struct{ view, enter, there, leave string }{
	{"", "", "true", ""},
	{"view=timeline", "", "true", ""},
	{"file=lessons/1-gauss.yaml&view=scaling", "", "true", ""},
	{"file=topologies/fat-tree.yaml&view=topology", "", "true", ""},
	{"view=lesson", "", "true", ""},
	{"view=lesson&lesson=lessons/4-latency-and-bandwidth.yaml&step=2", "", "true", ""},
	{"", `document.getElementById("all").click(); document.querySelectorAll("#shares details").forEach((d) => d.open = true)`,
		`document.getElementById("controls").checkVisibility() && document.querySelectorAll("#shares details[open]").length > 0`, `document.getElementById("all").click()`},
	{"", `const e = document.getElementById("editor"), a = e.querySelector("textarea");
		if (e.hidden) document.getElementById("edit").click();
		else if (a && !a.value.includes("hockny")) { a.value = a.value.replace("hockney", "hockny"); a.dispatchEvent(new Event("input")); }`,
		`!!document.querySelector("#editor .wrong")`, `[...document.querySelectorAll("#editor button")].find((b) => b.textContent === "Original").click(); document.getElementById("edit").click()`},
	{"", `const e = document.querySelector("#quick [data-path='network.latency']"); if (e.value !== "slow") { e.value = "slow"; e.dispatchEvent(new Event("change")); }`,
		`!!document.querySelector("#quick .wrong:not([hidden])")`, `document.getElementById("reset").click()`},
	{"view=timeline&set=network.latency%3D1+ms&pin=explore.yaml", "", `document.querySelectorAll(".timeline canvas[role=application]").length === 2`, ""},
	{"view=lesson&lesson=lessons/4-latency-and-bandwidth.yaml&step=1", `if (!document.querySelector(".predict input:checked")) {
		document.querySelectorAll(".predict input")[1].click(); document.querySelector(".question button[type=submit]").click(); }`,
		`document.querySelectorAll(".stage canvas[role=application]").length === 2`, ""},
	{"view=lesson&lesson=lessons/3-isoefficiency.yaml&step=1", `if (!document.querySelector(".predict input:checked")) {
		document.querySelectorAll(".predict input")[1].click(); document.querySelector(".question button[type=submit]").click(); }`,
		`[...document.querySelectorAll(".stage svg text")].filter((e) => /^[0-9]+ nodes?$/.test(e.textContent)).map((e) => parseInt(e.textContent)).sort((a, b) => a - b).join() === "1,2,4,8,16"`, ""},
	{"view=lesson&lesson=lessons/4-latency-and-bandwidth.yaml&step=9", `document.querySelectorAll("#lesson details").forEach((d) => d.open = true)`, `!!document.querySelector(".exercises")`, ""},
	{"view=lesson", `const box = document.querySelector(".class"), text = box.querySelector("textarea");
		if (box.open) return;
		document.querySelectorAll("#lesson details").forEach((d) => d.open = true);
		text.value = ["a", "b", "c"].map((p) => p + ",4,2," + p + ",no").join("\n");
		text.dispatchEvent(new Event("input"))`, `document.querySelectorAll(".class .bar").length === 3`, ""},
}

//go:embed testdata/scene.js
var sceneScript string

// root is the folder of the module.
const root = "../../../.."

// built builds the page and returns its file.
func built(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs(root)
	expect.Success(t, err)
	data, err := Build(context.Background(), dir)
	expect.Success(t, err)
	file := filepath.Join(t.TempDir(), "explore.html")
	expect.Success(t, os.WriteFile(file, data, 0o600))
	return file
}

// turn changes the fragment of the address, as a link on the page does, and waits until the page shows what it asks
// for. It goes by way of another view, so that nothing is left of what was done in this one.
func turn(tab *browsertest.Tab, fragment string) {
	tab.T.Helper()
	for _, f := range []string{"v=1&view=lesson", fragment} {
		browsertest.Eval[bool](tab, fmt.Sprintf(`new Promise((done) => {
			if (location.hash === "#" + %[1]q) return done(true);
			document.documentElement.dataset.state = "busy";
			document.querySelector("#topology svg")?.remove();
			addEventListener("hashchange", () => done(true), {once: true});
			location.hash = %[1]q;
		})`, f))
	}
	shown(tab.T, tab)
}

// shown waits until the page shows what it was asked for.
func shown(t testing.TB, tab *browsertest.Tab) {
	t.Helper()
	if browsertest.Eval[bool](tab, "!globalThis.shown") {
		browsertest.Eval[bool](tab, sceneScript+"; true")
	}
	expect.Equal(t, browsertest.Await(tab, `shown()`, func(s string) bool { return s != "" }), "shown", "the page")
}

const headlineScript = `document.documentElement.dataset.state === "shown" ? document.querySelector("#figures .value").textContent + " " + document.getElementById("cause").textContent : "busy"`

func headline(tab *browsertest.Tab) string {
	return browsertest.Await(tab, headlineScript, func(s string) bool { return s != "busy" })
}

// reply is an answer of the page.
type reply struct{ json, timeline []byte }

// ask puts a request to the simulator in the page.
func ask(t testing.TB, tab *browsertest.Tab, q explorer.Request) reply {
	t.Helper()
	request, err := json.Marshal(q)
	expect.Success(t, err)
	got := browsertest.Eval[[]string](tab, fmt.Sprintf(`isoscaleExplorer.ask(%s).then(r => {
		let text = "";
		for (const byte of new Uint8Array(r.timeline ?? new ArrayBuffer(0))) text += String.fromCharCode(byte);
		return [r.json, btoa(text)];
	}, e => [JSON.stringify({error: e.message}), ""])`, request))
	timeline, err := base64.StdEncoding.DecodeString(got[1])
	expect.Success(t, err)
	return reply{[]byte(got[0]), timeline}
}

func answer(t *testing.T, b *explorer.Bridge, q explorer.Request) explorer.Reply {
	t.Helper()
	request, err := json.Marshal(q)
	expect.Success(t, err)
	return b.Answer(context.Background(), request)
}

// compare compares an answer of the page with that of the native program byte for byte, except for the provenance,
// which says where it was computed and how long it took.
func compare(t *testing.T, tab *browsertest.Tab, native *explorer.Bridge, q explorer.Request) {
	t.Helper()
	want, got := answer(t, native, q), ask(t, tab, q)
	provenance := regexp.MustCompile(`,"provenance":\{.*?"wall_s":[^,}]*[^}]*\}`)
	expect.That(t, slices.Equal(provenance.ReplaceAll(got.json, nil), provenance.ReplaceAll(want.JSON, nil)),
		"%s %s %d: in the browser\n%.2000s\nwant\n%.2000s", q.Do, q.File, q.Step, got.json, want.JSON)
	expect.That(t, bytes.Equal(got.timeline, want.Timeline),
		"%s %s: the timeline has %d bytes in the browser, and differs from that of %d bytes", q.Do, q.File, len(got.timeline), len(want.Timeline))
	expect.That(t, !bytes.HasPrefix(want.JSON, []byte(`{"error"`)), "%s %s fails: %.300s", q.Do, q.File, want.JSON)
}
