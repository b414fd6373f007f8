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

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/isoscale/isoscale/experiments/report"
)

// findChromium returns the browser, and skips the test where there is none.
func findChromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const message = "needs Chromium or Chrome on the PATH (Debian: package chromium)"
	if os.Getenv("ISOSCALE_REQUIRE_BROWSER") == "1" {
		t.Fatal(message)
	}
	t.Skip(message + "; ISOSCALE_REQUIRE_BROWSER=1 makes this a failure")
	return ""
}

// A browser is one tab that notes all it should not have to: errors, and
// requests other than for the page itself.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string
	requests   []string // addresses
}

func startBrowser(t *testing.T) *browser {
	path := findChromium(t)
	options := append([]chromedp.ExecAllocatorOption{},
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()),
		chromedp.Headless, chromedp.NoSandbox, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		// WebGL in software, so that the picture does not depend on the machine.
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("hide-scrollbars", true))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	// The deadline only keeps a hung browser from hanging the tests.
	ctx, stop = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(stop)
	ctx, _ = chromedp.NewContext(ctx)
	b := &browser{t: t, ctx: ctx}
	// An orderly end, so that nothing writes to the profile while it is removed.
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Log("closing the browser:", err)
		}
	})
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	call(b, network.Enable, network.EnableParams{})
	call(b, log.Enable, cdp.Empty{})
	return b
}

func (b *browser) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		b.complaints = append(b.complaints, text)
	case *runtime.EventConsoleAPICalled:
		var text []string
		for _, a := range e.Args {
			text = append(text, string(a.Value)+a.Description)
		}
		b.complaints = append(b.complaints, "console "+string(e.Type)+": "+strings.Join(text, " "))
	case *log.EventEntryAdded:
		// Advice on speed, given when the labels of a chart in space are copied.
		if strings.Contains(e.Entry.Text, "willReadFrequently") {
			return
		}
		b.complaints = append(b.complaints, "log: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
}

func run[T any](b *browser, action chromedp.Action[T]) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, action)
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

func call[P, R any](b *browser, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	result, err := chromedp.Call(b.ctx, command, params)
	if err != nil {
		b.t.Fatal(err)
	}
	return result
}

// eval returns the value of an expression in the page.
func eval[T any](b *browser, expression string) T {
	b.t.Helper()
	return run(b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// screen sets the size of the window and the theme that the reader prefers.
func (b *browser) screen(width, height int64, theme string) {
	b.t.Helper()
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 600})
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}})
}

// open shows a document with its charts drawn. It returns the address.
func (b *browser) open(d *report.Document) string {
	b.t.Helper()
	address := b.navigate(d)
	b.settle()
	return address
}

// navigate writes a document to a file and loads it.
func (b *browser) navigate(d *report.Document) string {
	b.t.Helper()
	var page bytes.Buffer
	if err := Write(&page, d); err != nil {
		b.t.Fatal(err)
	}
	file := filepath.Join(b.t.TempDir(), "report.html")
	if err := os.WriteFile(file, page.Bytes(), 0o600); err != nil {
		b.t.Fatal(err)
	}
	address := (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
	run(b, chromedp.Navigate(address))
	return address
}

// settle waits until what was drawn is on the screen: two frames.
func (b *browser) settle() {
	b.t.Helper()
	eval[bool](b, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
}

// checkQuiet fails on any complaint of the page, and on any request but the
// one for the page and for data: addresses.
func (b *browser) checkQuiet(address string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.complaints {
		b.t.Error("the page complains:", c)
	}
	opened := 0
	for _, r := range b.requests {
		switch {
		case r == address:
			opened++
		case !strings.HasPrefix(r, "data:"):
			b.t.Error("the page requested", r)
		}
	}
	if opened == 0 {
		b.t.Error("the request for the page itself was not seen; the check is blind")
	}
	b.complaints, b.requests = nil, nil
}
