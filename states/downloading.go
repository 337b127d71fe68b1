package states

import (
	"context"
	"io"
	"time"

	"laundromat/internal/content"
	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/seedlist"
)

// downloading fetches the bytes of a seed with a URI into its dirty file.
func (r *Runner) downloading(ctx context.Context, claim seedlist.Claim) (result, error) {
	seed := claim.Seed
	pending, err := r.files.Create()
	if err != nil {
		return result{}, err
	}
	whole := false
	defer func() {
		if !whole {
			pending.Abort() // also after a panic
		}
	}()
	measure := content.NewMeasure()
	body := &told{to: io.MultiWriter(pending, measure), tell: func(n int64) {
		r.seeds.Progress(claim, seedlist.Progress{Bytes: n, Message: "downloading"})
	}}
	fetched, err := r.fetcher.Get(ctx, seed.URI, body)
	done := result{
		files:  []*files.Pending{pending},
		counts: map[string]int64{"bytes": body.n},
	}
	var exchanges []seedlist.Exchange
	if fetched != nil {
		exchanges = exchangesOf(fetched)
		done.sourceText = fetched.SourceText
		done.counts["replies"] = int64(len(exchanges))
	}
	done.update = func(record *seedlist.Record) { record.HTTP = exchanges }
	if err != nil {
		if done.sourceText == "" {
			done.sourceText = excerpt(body.head)
		}
		return done, err
	}

	bytes := measure.Content()
	claimed := seed.Record
	claimed.HTTP, claimed.Content = exchanges, &bytes
	if r.same(claim, bytes) && (claim.Last == seedlist.Failed || claimsStand(claimed)) {
		abort(done.files)
		done.files = nil
		done.unchanged = true
		return done, nil
	}
	if err := pending.Seal(seed.Hash, files.Dirty); err != nil {
		return done, err
	}
	whole = true
	now := time.Now()
	done.next = seedlist.Filed
	done.discard = []discarded{{seed.Hash, files.Notices}}
	done.update = func(record *seedlist.Record) {
		record.ForgetReading()
		record.Archive = nil
		record.HTTP = exchanges
		record.Content = &bytes
		record.Retrieved = now
	}
	return done, nil
}

// same says that what came is what was washed before, by this version and to an end
// that the bytes alone decided, and that the files of it are still there.
func (r *Runner) same(claim seedlist.Claim, bytes content.Content) bool {
	seed := &claim.Seed
	if claim.Last == "" || seed.Washer != r.opt.Version || seed.Content == nil || seed.Content.SHA256 != bytes.SHA256 {
		return false
	}
	if size, err := r.files.Size(seed.Hash, files.Dirty); err != nil || size != bytes.NumberOfBytes {
		return false
	}
	switch claim.Last {
	case seedlist.Failed:
		// A failed download says nothing of the bytes, and a limit may have been raised.
		e := seed.Error
		return e != nil && e.Kind == fault.Data && e.Stage != seedlist.Downloading && e.Code != fault.LocalFile
	case seedlist.Parsed:
		_, err := r.files.Size(seed.Clean, files.Clean)
		return err == nil && seed.Error == nil
	default:
		return seed.Error == nil
	}
}

// exchangesOf puts what a fetch recorded into the words of a record. What was
// found about the transport of a body is told by the exchange that brought it, so
// that later stages find it there.
func exchangesOf(fetched *fetch.Result) []seedlist.Exchange {
	exchanges := make([]seedlist.Exchange, len(fetched.Exchanges))
	for i, e := range fetched.Exchanges {
		exchanges[i] = seedlist.Exchange{
			URI: e.URI, Time: e.Time, Status: e.Status, Headers: e.Headers, Walltime: e.Walltime, Error: e.Error,
		}
		if e.Version != nil {
			exchanges[i].Version = &seedlist.HTTPVersion{Major: e.Version.Major, Minor: e.Version.Minor}
		}
	}
	for _, n := range fetched.Notices {
		if last := len(exchanges) - 1; n.Code == fault.HTTPShortBody && last >= 0 {
			exchanges[last].Error = n.Message
		}
	}
	return exchanges
}

// lastReply is the reply that brought the document; nil for seeds without a URI.
func lastReply(record seedlist.Record) *seedlist.Exchange {
	if len(record.HTTP) == 0 {
		return nil
	}
	return &record.HTTP[len(record.HTTP)-1]
}

// transportNotices are the findings about how the bytes of a seed came.
func transportNotices(record seedlist.Record) []fault.Notice {
	reply := lastReply(record)
	if reply == nil || reply.Status == 0 || reply.Error == "" {
		return nil
	}
	return []fault.Notice{{Code: fault.HTTPShortBody, Severity: fault.Drop, Lost: 1, Message: reply.Error}}
}

// told counts what is written and tells of it now and then.
type told struct {
	to      io.Writer // nil: to count only
	tell    func(int64)
	n, last int64
	at      time.Time // of the last telling
	head    []byte    // the beginning of what was written
}

func (t *told) Write(p []byte) (n int, err error) {
	if n = len(p); t.to != nil {
		n, err = t.to.Write(p)
	}
	t.n += int64(n)
	if len(t.head) < excerptBytes {
		t.head = append(t.head, p[:min(n, excerptBytes-len(t.head))]...)
	}
	if now := time.Now(); t.n-t.last >= tellEvery || now.Sub(t.at) >= tellAlive {
		t.last, t.at = t.n, now
		t.tell(t.n)
	}
	return n, err
}
