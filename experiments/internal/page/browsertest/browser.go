package browsertest

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/isoscale/isoscale/internal/expect"
)

// Patience is how long a test waits for something to appear on a page before it reports what is there instead. A wait
// ends as soon as the thing appears, so only a failure takes that long, even on a slow and busy machine.
const Patience = 3 * time.Minute

// require skips a test that lacks something for the browser, or fails it if the browser is required.
func require(t testing.TB, lacking string) {
	t.Helper()
	if os.Getenv("ISOSCALE_REQUIRE_BROWSER") == "1" {
		t.Fatal("needs " + lacking)
	}
	t.Skip("needs " + lacking + "; ISOSCALE_REQUIRE_BROWSER=1 makes this a failure")
}

// findChromium returns the program of a browser.
func findChromium(t testing.TB) string {
	t.Helper()
	expect.Long(t, "drives a browser")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	require(t, "Chromium or Chrome on the PATH (Debian: package chromium)")
	return ""
}

// Browser is one Chromium process, which the parts of a test share.
type Browser struct {
	ctx context.Context
}

// Start starts a browser that ends with the test.
func Start(t testing.TB) *Browser {
	path := findChromium(t)
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.WSURLReadTimeout(Patience),
		chromedp.Headless, chromedp.NoSandbox, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		// WebGL in software, so that pictures do not depend on the machine. The rest of the page is drawn without it,
		// which is faster.
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("disable-gpu-compositing", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("hide-scrollbars", true)}
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	// A hung browser ends with an error that says where, before the test binary is killed.
	if deadline, ok := deadlineOf(t); ok {
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
		require(t, "a font that the browser finds (Debian: package fonts-dejavu-core)")
	}
	return &Browser{ctx}
}

// deadlineOf returns when the test binary will be killed. A benchmark has no deadline.
func deadlineOf(t testing.TB) (time.Time, bool) {
	if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		return d.Deadline()
	}
	return time.Time{}, false
}

// Tab is a page of the browser that records everything that should not happen: errors, and requests other than for the
// page itself. It has its own size, theme and script setting.
type Tab struct {
	T   testing.TB
	ctx context.Context

	mu         sync.Mutex
	complaints []string
	requests   []string // addresses
}

// NewTab opens a tab, which is closed with the test.
func (b *Browser) NewTab(t testing.TB) *Tab {
	t.Helper()
	ctx, _ := chromedp.NewContext(b.ctx)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Log("closing the tab:", err)
		}
	})
	tab := &Tab{T: t, ctx: ctx}
	if err := chromedp.Listen(ctx, tab.listen); err != nil {
		t.Fatal(err)
	}
	Call(tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: sceneScript})
	return tab
}

// HandTo gives the tab to another test, like a new one except for its size and its theme: opening a tab costs more than
// loading most pages. Complaints of an unchecked page are forgotten.
func (tab *Tab) HandTo(t testing.TB) {
	t.Helper()
	tab.T = t
	Run(tab, chromedp.Navigate("about:blank"))
	tab.Scripts(true)
	tab.mu.Lock()
	defer tab.mu.Unlock()
	tab.complaints, tab.requests = nil, nil
}

func (tab *Tab) listen(event any) {
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
		if strings.Contains(e.Entry.Text, "willReadFrequently") ||
			strings.Contains(e.Entry.Text, "GL Driver Message (OpenGL, Performance") {
			return
		}
		tab.complaints = append(tab.complaints, "log: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		tab.requests = append(tab.requests, e.Request.URL)
	}
}

// Run carries out an action and returns its result.
func Run[T any](tab *Tab, action chromedp.Action[T]) T {
	tab.T.Helper()
	v, err := chromedp.Run(tab.ctx, action)
	if err != nil {
		tab.T.Fatal(err)
	}
	return v
}

// Call calls a command of the protocol.
func Call[P, R any](tab *Tab, command cdp.Command[P, R], params P) R {
	tab.T.Helper()
	result, err := chromedp.Call(tab.ctx, command, params)
	if err != nil {
		tab.T.Fatal(err)
	}
	return result
}

// Eval returns the value of an expression in the page.
func Eval[T any](tab *Tab, expression string) T {
	tab.T.Helper()
	return Run(tab, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// Await evaluates an expression until its value is accepted, and returns the last value; after too long a wait,
// whatever that is.
func Await[T any](tab *Tab, expression string, accept func(T) bool) T {
	tab.T.Helper()
	for deadline := time.Now().Add(Patience); ; time.Sleep(10 * time.Millisecond) {
		if value := Eval[T](tab, expression); accept(value) || time.Now().After(deadline) {
			return value
		}
	}
}

// Become waits until an expression has a value, and requires it.
func Become[T comparable](tab *Tab, expression string, want T, about string, args ...any) {
	tab.T.Helper()
	got := Await(tab, expression, func(x T) bool { return x == want })
	expect.Equal(tab.T, got, want, about, args...)
}

// Screen sets the size of the window and the theme that the reader prefers.
func (tab *Tab) Screen(width, height int64, theme string) {
	tab.T.Helper()
	Call(tab, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 600})
	Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}})
}

// Paper shows the page as on paper, for a reader who prefers a theme on the screen.
func (tab *Tab) Paper(theme string) {
	tab.T.Helper()
	Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print",
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}})
}

// Throttle makes the processor slower for the page, by a factor.
func (tab *Tab) Throttle(times float64) {
	tab.T.Helper()
	Call(tab, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: times})
}

// Scripts sets whether the scripts of pages opened from now on run.
func (tab *Tab) Scripts(run bool) {
	tab.T.Helper()
	Call(tab, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !run})
}

// Open loads a file.
func (tab *Tab) Open(file string) (address string) {
	tab.T.Helper()
	return tab.OpenAt(file, "")
}

// OpenAt loads a file with a fragment in its address, given without the #.
func (tab *Tab) OpenAt(file, fragment string) (address string) {
	tab.T.Helper()
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(file)}
	address = u.String()
	if fragment != "" {
		Run(tab, chromedp.Navigate(address+"#"+fragment))
	} else {
		Run(tab, chromedp.Navigate(address))
	}
	return address
}

// Settle waits until what was drawn is on the screen: two frames.
func (tab *Tab) Settle() {
	tab.T.Helper()
	Eval[bool](tab, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
}

// CheckQuiet fails on any complaint of the page, and on any request except the one for the page and for data: and blob:
// addresses, which are parts of it.
func (tab *Tab) CheckQuiet(address string) {
	tab.T.Helper()
	tab.mu.Lock()
	defer tab.mu.Unlock()
	for _, c := range tab.complaints {
		tab.T.Error("the page complains:", c)
	}
	opened := 0
	for _, r := range tab.requests {
		switch {
		case r == address || strings.HasPrefix(r, address+"#"):
			opened++
		case !strings.HasPrefix(r, "data:") && !strings.HasPrefix(r, "blob:"):
			tab.T.Error("the page requested", r)
		}
	}
	if opened == 0 {
		tab.T.Error("the request for the page itself was not seen; the check is blind")
	}
	tab.complaints, tab.requests = nil, nil
}

// Press presses and releases a key, by its name: a letter, Enter, Tab or an arrow.
func Press(tab *Tab, key string) {
	tab.T.Helper()
	text := ""
	if len(key) == 1 {
		text = key
	} else if key == "Enter" {
		text = "\r"
	}
	codes := map[string]int64{"Tab": 9, "1": '1', "Enter": 13, " ": 32, "ArrowRight": 39, "ArrowDown": 40}
	for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown,
		input.DispatchKeyEventTypeKeyUp} {
		Call(tab, input.DispatchKeyEvent,
			input.DispatchKeyEventParams{Type: kind, Key: key, Text: text, WindowsVirtualKeyCode: codes[key]})
	}
}
