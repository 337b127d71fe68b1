package daemon_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/states/daemon"
)

// shortList is a list one of whose records can't be found any more, or not be read.
type shortList struct {
	wholeSeeds
	lost   string
	unread error // what is said of it; nil: that it is not there
}

type wholeSeeds = seedlist.List

func (s shortList) List(ctx context.Context, f seedlist.Filter) ([]seedlist.Seed, string, error) {
	all, next, err := s.wholeSeeds.List(ctx, f)
	kept := all[:0]
	for _, seed := range all {
		if seed.Hash != s.lost || s.unread != nil {
			kept = append(kept, seed)
		}
	}
	return kept, next, err
}

func (s shortList) Record(ctx context.Context, hash string) (seedlist.Seed, error) {
	switch {
	case hash == s.lost && s.unread != nil:
		return seedlist.Seed{}, s.unread
	case hash == s.lost:
		return seedlist.Seed{}, seedlist.ErrNotFound
	}
	return s.wholeSeeds.Record(ctx, hash)
}

// Files whose record is lost or can't be read are no leftovers: nothing is removed then.
func TestFilesOfADamagedListAreNoLeftovers(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.serve("/a.nt", "application/n-triples", "<http://example.org/a> <http://example.org/p> \"a\" .\n")
	w.serve("/b.nt", "application/n-triples", "<http://example.org/b> <http://example.org/p> \"b\" .\n")
	w.add("/a.nt", "/b.nt")
	w.run()
	before := count(t, w.files)
	lost := seedlist.Key(w.http.URL + "/a.nt")
	unread := errors.New("record 1 is damaged")
	for name, c := range map[string]struct{ unread, want error }{
		"lost":   {nil, daemon.ErrListShort},
		"unread": {unread, unread},
	} {
		list := shortList{w.seeds, lost, c.unread}
		all := daemon.LeftoverOptions{Before: time.Now().Add(time.Minute), Most: true}
		_, err := daemon.RemoveLeftovers(t.Context(), list, w.files, all, func(l daemon.Leftover) error {
			return fmt.Errorf("%+v is taken for a leftover", l)
		})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if after := count(t, w.files); after != before {
			t.Errorf("%s: %d files of %d are left", name, after, before)
		}
	}
}

func count(t *testing.T, blobs *files.Folder) (n int) {
	t.Helper()
	if err := blobs.Walk(t.Context(), func(string, files.Suffix, int64) error { n++; return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

// While the daemon works, nothing that it needs is taken, however young it may be. That is files that are
// being written, and those that are about to be named. Documents of the same lines share a clean file.
func TestLeftoversAreRemovedBesideTheWork(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.opt.EntriesHeld = 7
	for n := range 150 {
		path := fmt.Sprintf("/%d.nt", n)
		w.serve(path, "application/n-triples", fmt.Sprintf("<http://example.org/a> <http://example.org/p> \"%d\" .\nnonsense\n", n/3))
		w.add(path)
	}
	var entries []string
	for n := range 40 {
		entries = append(entries, fmt.Sprintf("%d.nt", n), fmt.Sprintf("<http://example.org/e> <http://example.org/p> \"%d\" .\n", n))
	}
	w.serve("/all.zip", "application/zip", string(zipOf(t, entries...)))
	w.add("/all.zip")
	runner, ended := w.runner(), make(chan error)
	go func() { ended <- runner.Run(t.Context(), t.Context()) }()
	rounds := 0
	for isAtWork := true; isAtWork; rounds++ {
		all := daemon.LeftoverOptions{Before: time.Now().Add(time.Hour), Most: true}
		if _, err := runner.RemoveLeftovers(t.Context(), w.files, all, func(daemon.Leftover) error { return nil }); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-ended:
			isAtWork = false
			if err != nil {
				t.Fatal(err)
			}
		default:
		}
	}
	t.Logf("looked %d times", rounds)
	w.sound()
	for _, seed := range w.all() {
		if seed.URI != "" && !seed.Status.IsEnd() || seed.Error != nil {
			t.Errorf("%s is %s: %+v", seed.URI, seed.Status, seed.Error)
		}
	}
}
