package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Actions are what was asked to be done with all seeds that match a filter. Each is a file in a folder.
// They are worked on one after another, in the order in which they were asked for, while [Actions.Run] runs.
type Actions struct {
	dir  string
	api  *api
	wake chan struct{} // something waits; holds one

	mu        sync.Mutex
	isLoaded  bool
	isRunning bool
	all       []*Action // oldest first
	last      int       // the number of the last one
	working   *Action   // nil if none is
	interrupt context.CancelFunc
}

const (
	mostActions = 1000 // that are kept after their end
	mostWaiting = 100
)

// NewActions are those of a folder, which is read when they are asked for first, and made when it is
// needed. The options are those of the API.
func NewActions(dir string, options Options) *Actions {
	return &Actions{dir: dir, api: &api{Options: options}, wake: make(chan struct{}, 1)}
}

// load reads the folder, unless that was done. The lock is held.
func (s *Actions) load() error {
	if s.isLoaded {
		return nil
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var all []*Action
	for _, entry := range entries {
		id, isJSON := strings.CutSuffix(entry.Name(), ".json")
		if _, err := strconv.Atoi(id); err != nil || !isJSON {
			continue
		}
		action, err := s.read(id)
		if err != nil {
			return err
		}
		all = append(all, action)
	}
	slices.SortFunc(all, func(a, b *Action) int { return actionNumber(a.ID) - actionNumber(b.ID) })
	s.all, s.isLoaded = all, true
	if len(all) > 0 {
		s.last = actionNumber(all[len(all)-1].ID)
	}
	return nil
}

// read reads the record of an action.
func (s *Actions) read(id string) (*Action, error) {
	text, err := os.ReadFile(s.path(id))
	if err != nil {
		return nil, err
	}
	action := &Action{}
	if err := json.Unmarshal(text, action); err != nil || action.ID != id || action.Filter == nil {
		return nil, fmt.Errorf("%s isn't a record of an action: move it away", s.path(id))
	}
	if action.State == ActionWorking {
		// Whoever ends in order puts it back. What the page did that was at work is not known.
		action.State = ActionInterrupted
		action.Error = "the daemon ended without warning while this was at work: up to a page of seeds more than is counted may be done; " +
			"ask again for the rest"
	}
	return action, nil
}

func actionNumber(id string) int {
	n, _ := strconv.Atoi(id) // it is a number
	return n
}

// List are up to limit actions, the newest first: those before one, or with "" from the newest on.
func (s *Actions) List(before string, limit int) (list []Action, next string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.load(); err != nil {
		return nil, "", err
	}
	for i := len(s.all) - 1; i >= 0; i-- {
		if before != "" && actionNumber(s.all[i].ID) >= actionNumber(before) {
			continue
		}
		if len(list) == limit {
			return list, list[limit-1].ID, nil
		}
		list = append(list, s.all[i].copied())
	}
	return list, "", nil
}

// Get is an action. One that is not there is refused.
func (s *Actions) Get(id string) (Action, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, err := s.find(id)
	if err != nil {
		return Action{}, err
	}
	return a.copied(), nil
}

// find is the action of an id. The lock is held.
func (s *Actions) find(id string) (*Action, error) {
	if err := s.load(); err != nil {
		return nil, err
	}
	for _, a := range s.all {
		if a.ID == id {
			return a, nil
		}
	}
	return nil, huma.Error404NotFound("there is no action " + id)
}

// copied shares nothing with the record that is counted on.
func (a *Action) copied() Action {
	c := a.shown()
	c.Reasons = slices.Clone(a.Reasons)
	for i := range c.Reasons {
		c.Reasons[i].First = slices.Clone(c.Reasons[i].First)
	}
	return c
}

// Ask puts an action into the queue; by names who asks. What makes no sense is refused with the
// words of the API.
func (s *Actions) Ask(ctx context.Context, request ActionRequest, by string) (Action, error) {
	if err := s.check(ctx, &request); err != nil {
		return Action{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.load(); err != nil {
		return Action{}, err
	}
	if !s.isRunning {
		return Action{}, huma.Error503ServiceUnavailable(`actions are worked on by a daemon: start "laundromat serve"`)
	}
	waiting := 0
	for _, a := range s.all {
		if !a.State.IsEnd() {
			waiting++
		}
	}
	if waiting >= mostWaiting {
		return Action{}, huma.Error429TooManyRequests(fmt.Sprintf("%d actions wait, as many as may be: stop one, or come again when some "+
			"are done", mostWaiting))
	}
	a := &Action{ID: strconv.Itoa(s.last + 1), State: ActionWaiting, ActionRequest: request, By: by, Asked: time.Now().UTC()}
	if err := s.save(a); err != nil {
		return Action{}, err
	}
	s.last++
	s.all = append(s.all, a)
	s.forget()
	s.signal()
	return a.copied(), nil
}

// Stop ends an action that waits or works. What it has done stays done. One that is not there, or has
// ended, is refused.
func (s *Actions) Stop(id string) (Action, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, err := s.find(id)
	if err != nil {
		return Action{}, err
	}
	if a.State.IsEnd() {
		return Action{}, huma.Error409Conflict(fmt.Sprintf("the action %s has ended already: %s", id, a.State))
	}
	a.State, a.Ended = ActionStopped, time.Now().UTC()
	if s.working == a {
		s.interrupt()
	}
	return a.copied(), s.save(a)
}

// forget removes the oldest that have ended and are more than are kept. The lock is held.
func (s *Actions) forget() {
	more := len(s.all) - mostActions - mostWaiting
	s.all = slices.DeleteFunc(s.all, func(a *Action) bool {
		if more <= 0 || !a.State.IsEnd() || os.Remove(s.path(a.ID)) != nil {
			return false
		}
		more--
		return true
	})
}

func (s *Actions) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *Actions) path(id string) string { return filepath.Join(s.dir, id+".json") }

// save writes the record of an action, whole: it takes its name when it is complete. The lock is held.
func (s *Actions) save(a *Action) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(s.dir, ".action-*") // its mode is 0600
	if err != nil {
		return err
	}
	_, err = temp.Write(append(text, '\n'))
	if err = errors.Join(err, temp.Sync(), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), s.path(a.ID))
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return err
}
