package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"laundromat/seedlist"
)

// product is what was made of a document: of each product the SHA-256 of what its file holds, unpacked.
type product map[string]string

// settle waits until each document that can be had has been fetched and washed as its host now gives it. Documents
// are still fetched again at their intervals, so that on a slow machine some are always asked for: one that waits for
// that is what it was made the last time.
func (l *life) settle(ctx context.Context) error {
	missing := ""
	for end := time.Now().Add(l.Timeout); time.Now().Before(end); {
		if err := l.endTurns(ctx); err != nil {
			return err
		}
		wanted := l.wanted()
		n := len(wanted)
		var resting []string
		err := objects(ctx, l, func(seed seedlist.Seed) {
			switch sum, is := wanted[seed.URI]; {
			case !is:
			case isWashed(&seed) && seed.Content.SHA256 == sum:
				delete(wanted, seed.URI)
			case seed.Status.IsFinal() || waits(&seed):
				resting = append(resting, seed.Hash)
			}
		}, "seed", "list")
		if err != nil || len(wanted) == 0 {
			return err
		}
		missing = fmt.Sprintf("%d of %d documents are not as their hosts give them, such as %s", len(wanted), n,
			slices.Sorted(maps.Keys(wanted))[0])
		// What failed in the last days is tried again in a real day by itself, and what was washed at its interval.
		for some := range slices.Chunk(resting, 500) {
			_, err := l.verb(ctx, append([]string{"seed", "retry", "-q"}, some...)...)
			if err != nil && !strings.Contains(err.Error(), "exit status 1") { // some did not rest any more
				return err
			}
		}
		if err := rest(ctx, max(l.day/4, time.Second)); err != nil {
			return err
		}
	}
	return errors.New(missing)
}

// isWashed says that a seed's products are of the bytes that came last, and that nothing is made of it at the moment.
func isWashed(seed *seedlist.Seed) bool {
	rests := seed.Status == seedlist.Parsed || seed.Status == seedlist.Added
	return rests && seed.Good == nil && seed.Content != nil && !seed.Processed.Before(seed.Retrieved)
}

// waits says that a seed waits for a later try, or for a host that its own led on to and that turned.
func waits(seed *seedlist.Seed) bool {
	return seed.Status == seedlist.Added && time.Until(seed.Due) > 0
}

// wanted are the SHA-256 of the documents that can be had, by URI, as their hosts give them at last.
func (l *life) wanted() map[string]string {
	wanted := map[string]string{}
	for n := range l.web.Entries() {
		if !l.web.Available(n) {
			continue
		}
		uri, _ := l.web.Document(n)
		_, version := l.web.Given(n)
		sum := sha256.Sum256([]byte(l.web.Text(n, version, false)))
		wanted[uri] = hex.EncodeToString(sum[:])
	}
	return wanted
}

// finish notes what was made, ends the daemon, and holds the list against the files.
func (l *life) finish(ctx context.Context) error {
	c, err := l.counts(ctx)
	if err != nil {
		return err
	}
	l.states = c.States
	wanted, older := l.wanted(), 0
	l.made = map[string]product{}
	var failed error
	err = objects(ctx, l, func(seed seedlist.Seed) {
		if _, is := wanted[seed.URI]; !is || failed != nil {
			return
		}
		if !strings.Contains(seed.Washer, newerRelease) {
			older++
		}
		if l.made[seed.URI], failed = l.productsOf(ctx, &seed); failed != nil {
			failed = fmt.Errorf("%s: %w", seed.URI, failed)
		}
	}, "seed", "list")
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	if err := l.drain(ctx); err != nil {
		return err
	}
	had, err := l.verify(ctx)
	l.done = append(l.done, task{"at the end: verify", "0 damaged or missing", had})
	if l.program == l.newer {
		l.done = append(l.done, task{"at the end: washed by the old version", "0 documents", fmt.Sprint(older, " documents")})
	}
	return err
}

// productsOf fetches from the daemon what it serves of a document.
func (l *life) productsOf(ctx context.Context, seed *seedlist.Seed) (product, error) {
	// Its state is left out: it may be asked for again at this moment, since its interval has passed.
	made := product{"record": fmt.Sprint(seed.Format, " ", seed.Notices)}
	if seed.Statements != nil {
		made["record"] += fmt.Sprintf(" %+v", *seed.Statements)
	}
	for _, f := range []struct{ name, path string }{
		{"bytes as they came", "dirty"}, {"clean statements", "clean.nq.gz"}, {"statistics", "statistics"}, {"notices", "notices"},
	} {
		sum, err := l.sumOf(ctx, "/api/v1/seeds/"+seed.Hash+"/"+f.path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		made[f.name] = sum
	}
	return made, nil
}

func (l *life) sumOf(ctx context.Context, path string) (string, error) {
	address, err := os.ReadFile(filepath.Join(l.data, "address"))
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+strings.TrimSpace(string(address))+path, nil)
	if err != nil {
		return "", err
	}
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s", path, reply.Status)
	}
	text := io.Reader(reply.Body)
	if strings.HasSuffix(path, ".gz") {
		if text, err = gzip.NewReader(text); err != nil {
			return "", err
		}
	}
	sum := sha256.New()
	_, err = io.Copy(sum, text)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// compare writes of each product how many files one month has, and whether another has the same.
func compare(out io.Writer, want, got *life) error {
	type sums struct{ files, equal int }
	by := map[string]*sums{}
	var first string
	for _, uri := range slices.Sorted(maps.Keys(want.made)) {
		for name, sum := range want.made[uri] {
			if by[name] == nil {
				by[name] = &sums{}
			}
			by[name].files++
			if got.made[uri][name] == sum {
				by[name].equal++
			} else if first == "" {
				first = fmt.Sprintf("%s of %s: %s, not %s", name, uri, got.made[uri][name], sum)
			}
		}
		if len(got.made[uri]) != len(want.made[uri]) && first == "" {
			first = fmt.Sprintf("%s has %d products, not %d", uri, len(got.made[uri]), len(want.made[uri]))
		}
	}
	for uri := range got.made {
		if want.made[uri] == nil && first == "" {
			first = uri + " has products in one month alone"
		}
	}
	rows := [][]string{{"product", "documents", "equal", ""}}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		is := "yes"
		if by[name].equal < by[name].files {
			is = "NO"
		}
		rows = append(rows, []string{name, fmt.Sprint(by[name].files), fmt.Sprint(by[name].equal), is})
	}
	fmt.Fprintf(out, "\n%s, beside that which was %s\n", got.name, want.name)
	table(out, rows)
	if first != "" || len(want.made) == 0 {
		return fmt.Errorf("%s: the products differ from those of the month %s: %d and %d documents; %s", got.name, want.name, len(got.made),
			len(want.made), first)
	}
	return nil
}
