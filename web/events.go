package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/views"
)

// SeedChange is a change of a seed as the stream of events has it. Several changes of one
// seed in one event are one.
type SeedChange struct {
	Revision uint64         `json:"revision"`
	Time     time.Time      `json:"time"`
	Hash     string         `json:"hash"`
	From     seedlist.State `json:"from,omitempty"` // absent for a new seed
	To       seedlist.State `json:"to,omitempty"`   // absent for one that was removed
	// URI, Entry and Error are of the seed as it is now.
	URI   string          `json:"uri,omitempty"`
	Entry string          `json:"entry,omitempty"` // of an archive
	Error *seedlist.Error `json:"error,omitempty"`
}

// Changes are an event of the stream.
type Changes struct {
	Revision uint64       `json:"revision"` // the changes up to it are told
	Changes  []SeedChange `json:"changes"`
}

// Late is the event for who is too slow, or was away too long. From its revision on the stream
// goes on; what was before is to be read again.
type Late struct {
	Revision uint64 `json:"revision"`
	Message  string `json:"message"`
}

const (
	eventPause    = 250 * time.Millisecond // between two events of a stream
	eventBreath   = 15 * time.Second       // without an event, a comment says that the stream lives
	mostPending   = 2000                   // changes that a stream may be behind
	eventPatience = 30 * time.Second       // a reader that takes nothing for so long has gone
)

// told is a change with the seed as it is now.
type told struct {
	seedlist.Change
	seed *seedlist.Seed // nil if it is no longer there
}

// teller reads changes once for all streams, when one of them asks. It does so at most once in [eventPause], and when a
// stream begins. So streams that keep up come to the same revisions, and share what is written to them.
type teller struct {
	seeds   Seeds
	mu      sync.Mutex
	last    []told    // with revisions that follow one another
	present uint64    // the revision up to which they were read
	at      time.Time // when that was
	// written are the events that were made last, the oldest first.
	written []writtenEvent
}

// writtenEvent is an event as it is sent to all who ask for it.
type writtenEvent struct {
	key  eventKey
	text []byte
}

// eventKey is what an event depends on.
type eventKey struct {
	after, upTo uint64
	watched     string
}

// mostWritten is how many events are held to be sent again: of streams with some filters, and of
// some that lag. Each may be of [mostPending] changes.
const mostWritten = 8

// now is the revision up to which streams are told. The lock is held.
func (t *teller) now(ctx context.Context, revision uint64, isFirst bool) (uint64, error) {
	if !isFirst && revision <= t.present && time.Since(t.at) < eventPause {
		return t.present, nil
	}
	present, err := t.seeds.Revision(ctx)
	if err != nil {
		return 0, err
	}
	t.present, t.at = present, time.Now()
	return present, nil
}

// pause is how long a stream waits that was told something: until more is read.
func (t *teller) pause() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return eventPause - time.Since(t.at)
}

// shared is the event of a key, which is made if nobody asked for it before.
func (t *teller) shared(key eventKey, write func() []byte) []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.written {
		if t.written[i].key == key {
			return t.written[i].text
		}
	}
	one := writtenEvent{key, write()}
	if len(t.written) == mostWritten {
		t.written = slices.Delete(t.written, 0, 1)
	}
	t.written = append(t.written, one)
	return one.text
}

// after are the changes after a revision, all that are to be told now; [*seedlist.LateError] if these
// are too many. A stream asks first with what its client has.
func (t *teller) after(ctx context.Context, revision uint64, isFirst bool) ([]told, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	present, err := t.now(ctx, revision, isFirst)
	if err != nil {
		return nil, err
	}
	if revision > present || present-revision > mostPending {
		return nil, &seedlist.LateError{After: revision, First: max(present, mostPending) - mostPending, Last: present}
	}
	have := uint64(0)
	if n := len(t.last); n > 0 {
		have = t.last[n-1].Revision
	}
	if len(t.last) == 0 || revision+1 < t.last[0].Revision || have > present {
		t.last, have = nil, revision
	}
	for have < present {
		changes, err := t.seeds.Changes(ctx, have, mostPending)
		if err != nil {
			return nil, err
		}
		if len(changes) == 0 {
			break
		}
		if err := t.read(ctx, changes); err != nil {
			return nil, err
		}
		have = t.last[len(t.last)-1].Revision
	}
	if len(t.last) > 2*mostPending {
		t.last = slices.Clone(t.last[len(t.last)-mostPending:]) // streams read the old one
	}
	at, _ := slices.BinarySearchFunc(t.last, revision+1, func(one told, revision uint64) int { return int(one.Revision) - int(revision) })
	return t.last[at:], nil
}

// read adds changes with their seeds.
func (t *teller) read(ctx context.Context, changes []seedlist.Change) error {
	numbers := make([]uint64, len(changes))
	for i, c := range changes {
		numbers[i] = c.Number
	}
	slices.Sort(numbers)
	here, err := t.seeds.Numbered(ctx, slices.Compact(numbers)...)
	if err != nil {
		return err
	}
	for _, c := range changes {
		one := told{Change: c}
		at, found := slices.BinarySearchFunc(here, c.Number,
			func(n seedlist.Numbered, number uint64) int { return int(n.Number) - int(number) })
		if found && here[at].Seed.Hash != "" {
			one.seed = &here[at].Seed
		}
		t.last = append(t.last, one)
	}
	return nil
}

// watching is what a stream asks for.
type watching struct {
	state seedlist.State
	seeds []string // hashes; nil: of all
	where map[views.Facet]string
	// query is the same as text: streams of the same are told the same.
	query string
}

// concerns says that a change is one of the list that is watched: the seed is in it, or has left it.
// Of one that was removed, only the state is known.
func (w *watching) concerns(from, to seedlist.State, seed *seedlist.Seed) bool {
	if w.state != "" && from != w.state && to != w.state {
		return false
	}
	return seed == nil || views.Matches(seed, w.where)
}

// changesOf are the changes to tell, one a seed.
func (w *watching) changesOf(all []told) (changes []SeedChange) {
	places := map[uint64]int{}
	for _, one := range all {
		change := SeedChange{Revision: one.Revision, Time: one.Time, Hash: one.Hash, From: one.From, To: one.To}
		if at, ok := places[one.Number]; ok {
			change.From = changes[at].From
			changes[at].Revision = 0 // told with the later one
		}
		if seed := one.seed; seed != nil {
			change.Hash, change.URI = seed.Hash, seedlist.Shown(seed.URI)
			if seed.Archive != nil {
				change.Entry = seed.Archive.Entry
			}
			change.Error = seed.Error
		}
		places[one.Number] = len(changes)
		changes = append(changes, change)
	}
	at := 0
	for i, one := range all {
		c := changes[i]
		isMeant := c.Revision != 0 && c.Hash != "" && (w.seeds == nil || slices.Contains(w.seeds, c.Hash)) &&
			(c.From != "" || c.To != "") && w.concerns(c.From, c.To, one.seed)
		if isMeant {
			changes[at] = c
			at++
		}
	}
	return changes[:at]
}

// watchedIn reads the filters of a stream.
func watchedIn(r *http.Request) (w watching, err error) {
	w.where = map[views.Facet]string{}
	query := r.URL.Query()
	if named := query.Get("seed"); named != "" {
		if w.seeds = strings.Split(named, ","); len(w.seeds) > mostWatched {
			return w, huma.Error422UnprocessableEntity(fmt.Sprintf("at most %d seeds are watched by name", mostWatched))
		}
	}
	asked := url.Values{"seed": w.seeds}
	for _, name := range eventFilters {
		if value := query.Get(name); value != "" {
			asked.Set(name, value)
		}
	}
	w.query = asked.Encode()
	for _, name := range eventFilters {
		value := query.Get(name)
		if value == "" {
			continue
		}
		if name == "state" {
			if w.state = seedlist.State(value); w.state.Number() == 0 {
				return w, huma.Error422UnprocessableEntity("there is no state " + value)
			}
			continue
		}
		f, _ := views.FacetNamed(name)
		if f == views.Host {
			value = strings.ToLower(value)
		}
		isCode := f == views.Error || f == views.Notice
		if isCode && !slices.ContainsFunc(fault.Codes(), func(info fault.Info) bool { return string(info.Code) == value }) {
			return w, huma.Error422UnprocessableEntity("there is no code " + value)
		}
		w.where[f] = value
	}
	return w, nil
}

// eventFilters are the parameters of a list that a stream of events takes too.
var eventFilters = []string{"state", "format", "encoding", "host", "source", "catalog", "error", "notice", "product", "parent", "washer",
	"http_status", "publisher", "licence", "recipe"}

// mostWatched is how many seeds a stream may name.
const mostWatched = 100

// events sends changes as they come (server-sent events of HTML). The id of an event is its revision.
func (a *api) events(w http.ResponseWriter, r *http.Request) {
	watched, err := watchedIn(r)
	if err != nil {
		writeProblem(w, err)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	if a.Streams != nil {
		defer context.AfterFunc(a.Streams, cancel)()
	}
	after, err := a.beginning(r)
	if err != nil {
		writeProblem(w, err)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	stream := &eventStream{to: w, control: http.NewResponseController(w)}
	stream.send(fmt.Appendf(nil, "retry: 2000\nid: %d\n\n", after))
	after = a.tell(ctx, stream, &watched, after, true) // at once also that a revision is of another list
	for stream.err == nil && ctx.Err() == nil {
		waiting, end := context.WithTimeout(ctx, eventBreath)
		err := a.Seeds.WaitChange(waiting, after)
		end()
		isQuiet := errors.Is(err, context.DeadlineExceeded)
		if ctx.Err() != nil || err != nil && !isQuiet {
			return
		}
		if isQuiet {
			stream.send(fmt.Appendf(nil, ": the revision is %d\nid: %d\n\n", after, after))
			continue
		}
		after = a.tell(ctx, stream, &watched, after, false)
		select {
		case <-time.After(a.teller.pause()):
		case <-ctx.Done():
		}
	}
}

// tell sends what came after a revision, and returns up to which all is told.
func (a *api) tell(ctx context.Context, stream *eventStream, watched *watching, after uint64, isFirst bool) uint64 {
	all, err := a.teller.after(ctx, after, isFirst)
	var late *seedlist.LateError
	switch {
	case errors.As(err, &late):
		message := fmt.Sprintf("the changes from revision %d on are not reported: read the list again; the stream goes on after %d",
			after+1,
			late.Last)
		stream.send(eventText("late", late.Last, Late{Revision: late.Last, Message: message}))
		return late.Last
	case err != nil || len(all) == 0:
		return after
	}
	upTo := all[len(all)-1].Revision
	text := a.teller.shared(eventKey{after, upTo, watched.query}, func() []byte {
		if changes := watched.changesOf(all); len(changes) > 0 {
			return eventText("changes", upTo, Changes{Revision: upTo, Changes: changes})
		}
		return nil
	})
	if text != nil {
		stream.send(text)
	}
	return upTo
}

// beginning is the revision after which a stream begins: that of the last event which the client
// has, else the present one.
func (a *api) beginning(r *http.Request) (uint64, error) {
	last := r.Header.Get("Last-Event-ID")
	if last == "" {
		last = r.URL.Query().Get("after")
	}
	if last == "" {
		revision, err := a.Seeds.Revision(r.Context())
		return revision, problem(err)
	}
	after, err := strconv.ParseUint(last, 10, 64)
	if err != nil {
		return 0, huma.Error422UnprocessableEntity("Last-Event-ID, or after, is the revision of an event: a number")
	}
	return after, nil
}

// eventStream writes events, each at once.
type eventStream struct {
	to      http.ResponseWriter
	control *http.ResponseController
	err     error
}

// eventText is an event as it is sent. What is told can always be written as JSON.
func eventText(name string, id uint64, data any) []byte {
	text, _ := json.Marshal(data)
	return fmt.Appendf(nil, "event: %s\nid: %d\ndata: %s\n\n", name, id, text)
}

// send sends a text, which others may be sent at the same time.
func (s *eventStream) send(text []byte) {
	if s.err != nil {
		return
	}
	// What can't set a deadline waits as long as the connection lives.
	_ = s.control.SetWriteDeadline(time.Now().Add(eventPatience))
	if _, s.err = s.to.Write(text); s.err == nil {
		s.err = s.control.Flush()
	}
}
