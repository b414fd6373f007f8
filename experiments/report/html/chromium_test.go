package html

import (
	"bytes"
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/isoscale/isoscale/experiments/report"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for something to appear on a page before it
// says what is there instead. A wait ends as soon as it is there, so that only a
// failure takes that long.
const patience = time.Minute

// requireBrowser skips a test that lacks something for the browser, or fails it
// where the browser is required.
func requireBrowser(t *testing.T, lacking string) {
	t.Helper()
	if os.Getenv("ISOSCALE_REQUIRE_BROWSER") == "1" {
		t.Fatal("needs " + lacking)
	}
	t.Skip("needs " + lacking + "; ISOSCALE_REQUIRE_BROWSER=1 makes this a failure")
}

// findChromium returns the program of a browser.
func findChromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	requireBrowser(t, "Chromium or Chrome on the PATH (Debian: package chromium)")
	return ""
}

// A browser is one Chromium process, which the parts of a test share.
type browser struct {
	ctx context.Context
}

// startBrowser starts a browser, which ends with the test.
func startBrowser(t *testing.T) *browser {
	path := findChromium(t)
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path),
		chromedp.Headless, chromedp.NoSandbox, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		// WebGL in software, so that the picture does not depend on the machine. The
		// rest of the page is drawn without it, which takes less time.
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("disable-gpu-compositing", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("hide-scrollbars", true)}
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	// A hung browser ends with an error that says where, before the test binary is
	// killed.
	if deadline, ok := t.Deadline(); ok {
		ctx, stop = context.WithDeadline(ctx, deadline.Add(-10*time.Second))
		t.Cleanup(stop)
	}
	ctx, stop = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(stop)
	ctx, _ = chromedp.NewContext(ctx)
	// An orderly end, so that nothing writes to the profile while it is removed.
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Log("closing the browser:", err)
		}
	})
	width, err := chromedp.Run(ctx, chromedp.Evaluate[float64](`document.createElement("canvas").getContext("2d").measureText("text").width`))
	if err != nil {
		t.Fatal(err)
	}
	if width == 0 {
		requireBrowser(t, "a font that the browser finds (Debian: package fonts-dejavu-core)")
	}
	return &browser{ctx}
}

// A tab is a page of the browser that notes all it should not have to: errors,
// and requests other than for the page itself. Size, theme and whether script
// runs are its own.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string
	requests   []string // addresses
}

// newTab opens a tab, which is closed with the test.
func (b *browser) newTab(t *testing.T) *tab {
	t.Helper()
	ctx, _ := chromedp.NewContext(b.ctx)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Log("closing the tab:", err)
		}
	})
	tab := &tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, tab.listen); err != nil {
		t.Fatal(err)
	}
	return tab
}

func (tab *tab) listen(event any) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		tab.complaints = append(tab.complaints, text)
	case *runtime.EventConsoleAPICalled:
		var text []string
		for _, a := range e.Args {
			text = append(text, string(a.Value)+a.Description)
		}
		tab.complaints = append(tab.complaints, "console "+string(e.Type)+": "+strings.Join(text, " "))
	case *log.EventEntryAdded:
		// Advice on speed, given when charts in space or their labels are copied.
		if strings.Contains(e.Entry.Text, "willReadFrequently") || strings.Contains(e.Entry.Text, "GL Driver Message (OpenGL, Performance") {
			return
		}
		tab.complaints = append(tab.complaints, "log: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		tab.requests = append(tab.requests, e.Request.URL)
	}
}

func run[T any](tab *tab, action chromedp.Action[T]) T {
	tab.t.Helper()
	v, err := chromedp.Run(tab.ctx, action)
	if err != nil {
		tab.t.Fatal(err)
	}
	return v
}

func call[P, R any](tab *tab, command cdp.Command[P, R], params P) R {
	tab.t.Helper()
	result, err := chromedp.Call(tab.ctx, command, params)
	if err != nil {
		tab.t.Fatal(err)
	}
	return result
}

// eval returns the value of an expression in the page.
func eval[T any](tab *tab, expression string) T {
	tab.t.Helper()
	return run(tab, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// await evaluates an expression until its value is accepted, and returns the
// last value: after too long a wait, whatever it is then.
func await[T any](tab *tab, expression string, accept func(T) bool) T {
	tab.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if value := eval[T](tab, expression); accept(value) || time.Now().After(deadline) {
			return value
		}
	}
}

// screen sets the size of the window and the theme that the reader prefers.
func (tab *tab) screen(width, height int64, theme string) {
	tab.t.Helper()
	call(tab, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 600})
	call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}})
}

// open shows a document with its charts drawn. It returns the address.
func (tab *tab) open(d *report.Document) string {
	tab.t.Helper()
	address := tab.navigate(d)
	tab.settle()
	return address
}

// navigate writes a document to a file and loads it.
func (tab *tab) navigate(d *report.Document) string {
	tab.t.Helper()
	var page bytes.Buffer
	if err := Write(&page, d); err != nil {
		tab.t.Fatal(err)
	}
	file := filepath.Join(tab.t.TempDir(), "report.html")
	if err := os.WriteFile(file, page.Bytes(), 0o600); err != nil {
		tab.t.Fatal(err)
	}
	address := (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	run(tab, chromedp.Navigate(address))
	return address
}

// settle waits until what was drawn is on the screen: two frames.
func (tab *tab) settle() {
	tab.t.Helper()
	eval[bool](tab, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
}

// checkQuiet fails on any complaint of the page, and on any request but the
// one for the page and for data: addresses.
func (tab *tab) checkQuiet(address string) {
	tab.t.Helper()
	tab.mu.Lock()
	defer tab.mu.Unlock()
	for _, c := range tab.complaints {
		tab.t.Error("the page complains:", c)
	}
	opened := 0
	for _, r := range tab.requests {
		switch {
		case r == address:
			opened++
		case !strings.HasPrefix(r, "data:"):
			tab.t.Error("the page requested", r)
		}
	}
	if opened == 0 {
		tab.t.Error("the request for the page itself was not seen; the check is blind")
	}
	tab.complaints, tab.requests = nil, nil
}
