package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// browserWait is how long a page may take to come to what is waited for.
const browserWait = 60 * time.Second

// needBrowser is the variable that makes the lack of a browser a failure, as where all must be tested.
const needBrowser = "LAUNDROMAT_NEED_BROWSER"

// without skips a test that lacks something, or fails it where that is asked for.
func without(t *testing.T, what string) {
	t.Helper()
	if os.Getenv(needBrowser) != "" {
		t.Fatalf("%s, and %s asks for it", what, needBrowser)
	}
	t.Skip(what)
}

// startBrowser starts a browser without a window that ends with the test. Tabs are made from what it returns.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes long")
	}
	program := ""
	for _, name := range []string{"chromium-headless-shell", "headless_shell", "chromium", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		without(t, "there is no browser: the Debian package chromium-headless-shell is one")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox,
		chromedp.WindowSize(1280, 900))
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	ctx, end := chromedp.NewContext(allocator, chromedp.WithErrorf(t.Logf))
	t.Cleanup(end)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("the browser %s: %v", program, err)
	}
	return ctx
}

// tab is a tab of a browser that a person looks at.
type tab struct {
	t    *testing.T
	ctx  context.Context
	base string // what paths are put behind: scheme and address
	// said are what the page wrote on its console, and what it was refused.
	said *[]string
}

// scripting says whether a tab runs scripts.
type scripting bool

const (
	scripts   scripting = true
	noScripts scripting = false
)

// newTab opens a tab. It is one of another person: it shares no cookies with others.
func newTab(t *testing.T, parent context.Context, address string, with scripting) *tab {
	t.Helper()
	ctx, end := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	t.Cleanup(end)
	at := &tab{t: t, ctx: ctx, base: "http://" + address, said: &[]string{}}
	at.do(chromedp.EmulateViewport(1280, 900))
	messages := chromedp.Console(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for m, err := range messages {
			if err != nil {
				return
			}
			*at.said = append(*at.said, m.String())
		}
	}()
	t.Cleanup(func() {
		end()
		<-done
		for _, text := range *at.said {
			// A reply that refuses is told as an error of the network: that is what tests ask for.
			if !strings.Contains(text, "Failed to load resource") {
				t.Errorf("a page wrote on its console: %s", text)
			}
		}
	})
	if with == noScripts {
		at.call(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
			return chromedp.Void{}, err
		})
	}
	return at
}

// do does steps, in bounded time.
func (at *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	at.t.Helper()
	// The tab lives as long as the context of its first step: that has no bound.
	if err := chromedp.Do(at.ctx); err != nil {
		at.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(at.ctx, browserWait)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		at.t.Fatalf("%v; the page is %s", err, at.text())
	}
}

func (at *tab) call(step chromedp.Action[chromedp.Void]) {
	at.t.Helper()
	at.do(step)
}

// open goes to a path, and returns the status of the reply.
func (at *tab) open(path string) (status int64) {
	at.t.Helper()
	ctx, cancel := context.WithTimeout(at.ctx, browserWait)
	defer cancel()
	reply, err := chromedp.Run(ctx, chromedp.NavigateResponse(at.base+path))
	if err != nil {
		at.t.Fatalf("%s: %v", path, err)
	}
	return reply.Status
}

// follow clicks on what leads to another page, and waits for it.
func (at *tab) follow(selector string) {
	at.t.Helper()
	ctx, cancel := context.WithTimeout(at.ctx, browserWait)
	defer cancel()
	if _, err := chromedp.RunResponse(ctx, chromedp.Click(chromedp.CSS(selector))); err != nil {
		at.t.Fatalf("a click on %s: %v; the page is %s", selector, err, at.text())
	}
}

// fill types a text into a field.
func (at *tab) fill(selector, text string) {
	at.t.Helper()
	at.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(`+quoted(selector)+`).value = ""; null`),
		chromedp.SendKeys(chromedp.CSS(selector), text))
}

// click clicks, and waits for nothing.
func (at *tab) click(selector string) {
	at.t.Helper()
	at.do(chromedp.Click(chromedp.CSS(selector)))
}

// value is that of an expression in the page.
func value[T any](at *tab, expression string, options ...chromedp.EvaluateOption) (T, error) {
	ctx, cancel := context.WithTimeout(at.ctx, browserWait)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, options...))
}

// await waits until an expression is true in the page, which may be another page by then.
func (at *tab) await(expression string) {
	at.t.Helper()
	for end := time.Now().Add(browserWait); ; time.Sleep(50 * time.Millisecond) {
		is, err := value[bool](at, "Boolean("+expression+")")
		if err == nil && is {
			return
		}
		if time.Now().After(end) {
			at.t.Fatalf("the page never came to %s (%v): it is %s", expression, err, at.text())
		}
	}
}

// text is what a person reads on the page.
func (at *tab) text() string {
	text, err := value[string](at, "location.href + '\\n' + document.body.innerText")
	if err != nil {
		return err.Error()
	}
	return text[:min(len(text), 4000)]
}

// says fails the test unless the page shows a text.
func (at *tab) says(wanted string) {
	at.t.Helper()
	if text := at.text(); !strings.Contains(text, wanted) {
		at.t.Errorf("the page does not say %q: it is %s", wanted, text)
	}
}

// download clicks on what gives a file, and returns what came.
func (at *tab) download(selector string) []byte {
	at.t.Helper()
	dir := at.t.TempDir()
	begin := chromedp.BrowserEvents(at.ctx, browser.DownloadProgress)
	c := chromedp.FromContext(at.ctx)
	yes := true
	if _, err := chromedp.CallBrowser(at.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllowAndName, BrowserContextID: c.BrowserContextID, DownloadPath: dir,
		EventsEnabled: &yes,
	}); err != nil {
		at.t.Fatal(err)
	}
	at.click(selector)
	for event, err := range begin {
		if err != nil {
			at.t.Fatal(err)
		}
		switch event.State {
		case browser.DownloadProgressStateCompleted:
			body, err := os.ReadFile(filepath.Join(dir, event.GUID))
			if err != nil {
				at.t.Fatal(err)
			}
			return body
		case browser.DownloadProgressStateCanceled:
			at.t.Fatalf("the download of %s was ended", selector)
		}
	}
	at.t.Fatal("the browser is gone")
	return nil
}

// scheme is how a person likes pages.
type scheme string

// look has pages shown light or dark.
func (at *tab) look(like scheme) {
	at.t.Helper()
	at.call(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: string(like)}},
		})
		return chromedp.Void{}, err
	})
}

// accessible is the script of axe-core, which finds what keeps people from using a page.
func accessible(t *testing.T) string {
	t.Helper()
	for _, folder := range append(filepath.SplitList(os.Getenv("NODE_PATH")), filepath.Join(os.TempDir(), "laundromat-readers",
		"node_modules")) {
		if script, err := os.ReadFile(filepath.Join(folder, "axe-core", "axe.min.js")); err == nil {
			return string(script)
		}
	}
	without(t, "axe-core is not there: npm install axe-core@4.14.1, and NODE_PATH leads to it")
	return ""
}

// What axe-core looks for: all, or whether texts can be told from what is behind them.
const (
	allRules     = `{resultTypes: ["violations"]}`
	contrastRule = `{resultTypes: ["violations"], runOnly: {type: "rule", values: ["color-contrast"]}}`
)

// check has axe-core look at the page; each finding fails the test.
func (at *tab) check(axe, options string) {
	at.t.Helper()
	at.do(chromedp.Evaluate[chromedp.Void](axe + "\n;null"))
	ctx, cancel := context.WithTimeout(at.ctx, browserWait)
	defer cancel()
	found, err := chromedp.Run(ctx, chromedp.Evaluate[string](
		`axe.run(document, `+options+
			`).then(r => JSON.stringify(r.violations.map(v => ({id: v.id, help: v.help, nodes: v.nodes.slice(0, 4).map(n => n.html + " " + n.failureSummary)}))))`,
		chromedp.EvalAwaitPromise))
	if err != nil {
		at.t.Fatalf("axe-core: %v", err)
	}
	var violations []struct {
		ID, Help string
		Nodes    []string
	}
	if err := json.Unmarshal([]byte(found), &violations); err != nil {
		at.t.Fatal(err)
	}
	where, _ := value[string](at, "location.pathname + location.search")
	for _, v := range violations {
		at.t.Errorf("%s: %s: %s\n\t%s", where, v.ID, v.Help, strings.Join(v.Nodes, "\n\t"))
	}
}

// shoot keeps a picture of the page as a whole.
func (at *tab) shoot(folder, name string) {
	at.t.Helper()
	ctx, cancel := context.WithTimeout(at.ctx, browserWait)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o666)
	}
	if err != nil {
		at.t.Fatalf("the picture %s: %v", name, err)
	}
	if !bytes.HasPrefix(picture, []byte("\x89PNG")) {
		at.t.Fatalf("the picture %s isn't a PNG", name)
	}
}

// isOverflowing says how much wider than the window the page is, in pixels.
func (at *tab) overflow() int {
	at.t.Helper()
	wide, err := value[int](at, "document.documentElement.scrollWidth - document.documentElement.clientWidth")
	if err != nil {
		at.t.Fatal(err)
	}
	return wide
}

// quoted is a text as an expression of a script.
func quoted(text string) string { return fmt.Sprintf("%q", text) }
