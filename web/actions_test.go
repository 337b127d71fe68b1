package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"laundromat/seedlist"
	"laundromat/seedlist/views"
	"laundromat/web"
	"laundromat/web/token"
)

// actionHouse is a house whose actions work in a bubble, where the end of all work can be waited for.
type actionHouse struct {
	*house
	options web.Options
	dir     string
	api     http.Handler
	end     func() // of the daemon; it waits
}

// newActionHouse is one with seeds that were washed, some that wait, and one that is relative. The views
// are made of these. It is for a bubble.
func newActionHouse(t *testing.T, withViews bool) *actionHouse {
	h := &actionHouse{dir: filepath.Join(t.TempDir(), "actions")}
	h.house, h.options = newStore(t, true)
	for n := range 5 {
		h.washed(fmt.Sprint("http://a.example/", n), fmt.Sprint("dirty", n), fmt.Sprint("clean", n, "\n"))
	}
	new := []seedlist.NewSeed{{URI: "../relative"}}
	for n := range 1200 {
		new = append(new, seedlist.NewSeed{URI: fmt.Sprint("http://b.example/", n)})
	}
	if _, err := h.seeds.Add(t.Context(), new); err != nil {
		t.Fatal(err)
	}
	if withViews {
		v, err := views.Open(filepath.Join(t.TempDir(), "views.db"), h.seeds, nil, func(err error) { t.Error(err) })
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { v.Close() })
		for v.AsOf().Building {
			revision, err := h.seeds.Revision(t.Context())
			if err != nil || v.Wait(t.Context(), revision) != nil {
				t.Fatal(err)
			}
		}
		h.options.Views = v
	}
	return h
}

// start starts a daemon on the house: it reads the records anew.
func (h *actionHouse) start() {
	options := h.options
	options.Actions = web.NewActions(h.dir, h.options)
	h.api = web.New(options)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := options.Actions.Run(ctx); err != nil {
			h.t.Error(err)
		}
	}()
	h.end = func() { cancel(); <-ended }
	synctest.Wait()
}

// send sends a request and reads the reply into a value.
func (h *actionHouse) send(method, path, body string, status int, into any) string {
	h.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.api.ServeHTTP(w, r)
	text, _ := io.ReadAll(w.Body)
	if w.Code != status {
		h.t.Errorf("%s %s %s: %d, want %d: %s", method, path, body, w.Code, status, text)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			h.t.Errorf("%s %s: %v: %s", method, path, err, text)
		}
	}
	return string(text)
}

// done asks for an action and returns its record when nothing works any more.
func (h *actionHouse) done(body string) (a web.Action) {
	h.t.Helper()
	var asked web.AskedAction
	h.send("POST", "/api/v1/actions", body, http.StatusAccepted, &asked)
	if asked.Action == nil {
		h.t.Fatal("no action")
	}
	synctest.Wait()
	h.send("GET", "/api/v1/actions/"+asked.Action.ID, "", 200, &a)
	return a
}

func TestActionsCountWhatTheyDidAndWhatTheyRefused(t *testing.T) {
	for _, withViews := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := newActionHouse(t, withViews)
			h.start()
			defer h.end()
			for _, row := range []struct {
				body           string
				matched        int64
				done, refused  int64
				reason         error
				stateAfterward seedlist.State
				n              int64
			}{
				{`{"do":"retry","filter":{}}`, 0, 0, 0, nil, seedlist.Failed, 0},
				{`{"do":"set","set":{"priority":7},"filter":{"host":"b.example"}}`, 1200, 1200, 0, nil, seedlist.Added, 1201},
				{`{"do":"retry","filter":{"state":"added"}}`, 1201, 0, 1201, seedlist.ErrNotAtRest, seedlist.Added, 1201},
				{`{"do":"rewash","filter":{"source":"test"}}`, 5, 5, 0, nil, seedlist.Filed, 5},
				{`{"do":"force","filter":{"host":"a.example"}}`, 5, 0, 5, seedlist.ErrNotAtRest, seedlist.Filed, 5},
				{`{"do":"remove","filter":{"state":"cleaned"}}`, 5, 0, 5, seedlist.ErrDerived, seedlist.Cleaned, 5},
				{`{"do":"remove","filter":{"host":"b.example"}}`, 1200, 1200, 0, nil, seedlist.Added, 1},
				{`{"do":"remove","filter":{"relative":"true"}}`, 1, 1, 0, nil, seedlist.Added, 0},
			} {
				var dry web.AskedAction
				h.send("POST", "/api/v1/actions", strings.TrimSuffix(row.body, "}")+`,"dry_run":true}`, 200, &dry)
				if dry.Action != nil || dry.Matched == nil || *dry.Matched != row.matched {
					t.Errorf("%s: dry run %+v", row.body, dry)
				}
				a := h.done(row.body)
				if a.State != web.ActionDone || a.Matched == nil || *a.Matched != row.matched || a.Looked != row.done+row.refused ||
					a.Done != row.done || a.Refused != row.refused || a.By != "socket" {
					t.Errorf("%s: %+v", row.body, a)
				}
				if row.reason != nil {
					if len(a.Reasons) == 0 || !strings.Contains(a.Reasons[0].Reason, row.reason.Error()) || len(a.Reasons[0].First) == 0 {
						t.Errorf("%s: reasons %+v, want %v", row.body, a.Reasons, row.reason)
					}
				}
				if c, _ := h.seeds.Counts(t.Context()); c.States[row.stateAfterward] != row.n {
					t.Errorf("%s: %+v", row.body, c.States)
				}
			}
			var page web.ActionPage
			h.send("GET", "/api/v1/actions?limit=5", "", 200, &page)
			if len(page.Actions) != 5 || page.Actions[0].ID != "8" || page.Next != "4" {
				t.Errorf("%+v", page)
			}
			r := httptest.NewRequest("GET", "/api/v1/actions?limit=7", nil)
			r.Header.Set("Accept", "application/x-ndjson")
			w := httptest.NewRecorder()
			h.api.ServeHTTP(w, r)
			if lines := strings.Split(w.Body.String(), "\n"); len(lines) != 8 || !strings.HasPrefix(lines[6], `{"id":"2",`) {
				t.Errorf("%s", w.Body)
			}
			h.send("GET", "/api/v1/actions?cursor=4", "", 200, &page)
			if len(page.Actions) != 3 || page.Actions[0].ID != "3" {
				t.Errorf("%+v", page)
			}
		})
	}
}

func TestActionsThatMakeNoSenseAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newActionHouse(t, false)
		h.start()
		for body, want := range map[string]string{
			`{"do":"retry"}`:                                  "filter",
			`{"do":"wash","filter":{}}`:                       "retry",
			`{"do":"remove","filter":{}}`:                     "which seeds",
			`{"do":"set","filter":{}}`:                        "changed",
			`{"do":"set","set":{},"filter":{}}`:               "changed",
			`{"do":"force","from":"parsing","filter":{}}`:     "retry only",
			`{"do":"retry","from":"somewhere","filter":{}}`:   "no stage",
			`{"do":"retry","set":{"priority":1},"filter":{}}`: "set only",
			`{"do":"retry","filter":{"state":"parsd"}}`:       "did you mean parsed?",
			`{"do":"retry","filter":{"washer":"2.0"}}`:        "2.0",
			`{"do":"retry","filter":{"hots":"a"}}`:            "unexpected property",
		} {
			if text := h.send("POST", "/api/v1/actions", body, 422, nil); !strings.Contains(text, want) {
				t.Errorf("%s: %s, want %s", body, text, want)
			}
		}
		h.send("POST", "/api/v1/actions", `{"do":"retry","filter":{"parent":"`+strings.Repeat("0", 32)+`"}}`, 404, nil)
		h.send("GET", "/api/v1/actions/1", "", 404, nil)
		h.send("POST", "/api/v1/actions/1/stop", "", 404, nil)
		h.end()
		if text := h.send("POST", "/api/v1/actions", `{"do":"retry","filter":{}}`, 503, nil); !strings.Contains(text, "laundromat serve") {
			t.Error(text)
		}
	})
}

// held makes each page of an action wait until it may go on. Pages that were done are counted.
func (h *actionHouse) held() (goOn chan struct{}, pages *atomic.Int64) {
	again := h.options.Again
	goOn, pages = make(chan struct{}), &atomic.Int64{}
	h.options.Again = func(ctx context.Context, request web.AgainRequest, seeds []seedlist.Seed) ([]web.ActedOn, error) {
		select {
		case <-goOn:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		pages.Add(1)
		return again(ctx, request, seeds)
	}
	return goOn, pages
}

func TestActionsAreStoppedBetweenPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newActionHouse(t, false)
		goOn, pages := h.held()
		h.start()
		defer h.end()
		first, second := h.done(`{"do":"force","filter":{"host":"b.example"}}`), h.done(`{"do":"force","filter":{}}`)
		if first.State != web.ActionWorking || second.State != web.ActionWaiting {
			t.Errorf("%s, %s", first.State, second.State)
		}
		goOn <- struct{}{}
		synctest.Wait()
		var a web.Action
		h.send("DELETE", "/api/v1/actions/2", "", 200, &a)
		h.send("POST", "/api/v1/actions/1/stop", "", 200, &a)
		h.send("POST", "/api/v1/actions/1/stop", "", 409, nil)
		synctest.Wait()
		h.send("GET", "/api/v1/actions/1", "", 200, &a)
		if a.State != web.ActionStopped || a.Done != 500 || *a.Matched != 1200 || a.Ended.IsZero() || pages.Load() != 1 {
			t.Errorf("%+v", a)
		}
		h.send("GET", "/api/v1/actions/2", "", 200, &a)
		if a.State != web.ActionStopped || a.Looked != 0 {
			t.Errorf("%+v", a)
		}
	})
}

func TestADaemonThatStartsAgainGoesOnWithItsActions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newActionHouse(t, false)
		goOn, pages := h.held()
		h.start()
		a := h.done(`{"do":"force","filter":{"host":"b.example"}}`)
		goOn <- struct{}{}
		synctest.Wait()
		h.end()
		h.start()
		defer h.end()
		h.send("GET", "/api/v1/actions/"+a.ID, "", 200, &a)
		if a.State != web.ActionWorking || a.Done != 500 {
			t.Errorf("%+v", a)
		}
		close(goOn)
		synctest.Wait()
		h.send("GET", "/api/v1/actions/"+a.ID, "", 200, &a)
		if a.State != web.ActionDone || a.Done != 1200 || a.Looked != 1200 || pages.Load() != 3 {
			t.Errorf("%d pages, %+v", pages.Load(), a)
		}
	})
}

func TestAnActionThatWasKilledIsInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newActionHouse(t, false)
		goOn, _ := h.held()
		h.start()
		killed := h.end // it never wrote that it ended
		a := h.done(`{"do":"force","filter":{"host":"b.example"}}`)
		goOn <- struct{}{}
		synctest.Wait()
		h.start()
		h.send("GET", "/api/v1/actions/"+a.ID, "", 200, &a)
		if a.State != web.ActionInterrupted || a.Done != 500 || !strings.Contains(a.Error, "ask again") || a.Ended.IsZero() {
			t.Errorf("%+v", a)
		}
		h.send("DELETE", "/api/v1/actions/"+a.ID, "", 409, nil)
		h.end()
		killed()
	})
}

func TestAnActionThatTheStoreRefusesFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newActionHouse(t, false)
		h.options.Again = func(context.Context, web.AgainRequest, []seedlist.Seed) ([]web.ActedOn, error) {
			return nil, errors.New("the disk is full")
		}
		h.start()
		defer h.end()
		if a := h.done(`{"do":"force","filter":{"host":"b.example"}}`); a.State != web.ActionFailed ||
			!strings.Contains(a.Error, "disk is full") {
			t.Errorf("%+v", a)
		}
	})
}

func TestReasonsOfRefusalsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newActionHouse(t, false)
		h.options.Again = func(_ context.Context, _ web.AgainRequest, seeds []seedlist.Seed) (answers []web.ActedOn, _ error) {
			for _, s := range seeds {
				answers = append(answers, web.ActedOn{Hash: s.Hash, URI: s.URI, Error: "no: " + s.URI})
			}
			return answers, nil
		}
		h.start()
		defer h.end()
		a := h.done(`{"do":"force","filter":{"host":"b.example"}}`)
		sum := int64(0)
		for _, r := range a.Reasons {
			sum += r.Seeds
		}
		if a.Refused != 1200 || sum != 1200 || len(a.Reasons) != 51 || a.Reasons[0].Reason != "other reasons" ||
			len(a.Reasons[0].First) != 10 {
			t.Errorf("%d reasons of %d seeds, first %+v", len(a.Reasons), sum, a.Reasons[0])
		}
	})
}

func TestActionsNeedTheScopeOperate(t *testing.T) {
	tokens := token.Open(filepath.Join(t.TempDir(), "tokens"))
	operator, _ := tokens.Add("olga", []token.Scope{token.Operate})
	adder, _ := tokens.Add("adam", []token.Scope{token.Add})
	synctest.Test(t, func(t *testing.T) {
		h := newActionHouse(t, false)
		h.options.Writable, h.options.Authority = false, web.Authority{Tokens: tokens}
		h.start()
		defer h.end()
		var statuses []int
		for _, secret := range []string{"", adder, operator} {
			r := httptest.NewRequest("POST", "/api/v1/actions", strings.NewReader(`{"do":"retry","filter":{}}`))
			r.Header.Set("Content-Type", "application/json")
			if secret != "" {
				r.Header.Set("Authorization", "Bearer "+secret)
			}
			w := httptest.NewRecorder()
			h.api.ServeHTTP(w, r)
			statuses = append(statuses, w.Code)
		}
		if !slices.Equal(statuses, []int{401, 403, 202}) {
			t.Error(statuses)
		}
		synctest.Wait()
		var a web.Action
		if h.send("GET", "/api/v1/actions/1", "", 200, &a); a.By != "olga" || a.State != web.ActionDone {
			t.Errorf("%+v", a)
		}
	})
}
