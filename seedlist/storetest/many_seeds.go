package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// AddMany adds seeds, a thousand at a time. Twenty are of one host, one in fifty is of one source. Of each thousand so
// many tenths are claimed, and become what [LifeOf] says. The list's downloads must not be polite. It is for what
// measures lists of many seeds, too, and so takes no test.
func AddMany(ctx context.Context, list seedlist.List, seeds, tenths int) error {
	const batch = 1000
	for from := 0; from < seeds; from += batch {
		var some []seedlist.NewSeed
		for i := from; i < min(from+batch, seeds); i++ {
			some = append(some, seedlist.NewSeed{URI: fmt.Sprintf("http://host%d.example/%d.ttl", i/20, i),
				Source: fmt.Sprint("list ", i%50)})
		}
		if _, err := list.Add(ctx, some); err != nil {
			return err
		}
		n := len(some) * tenths / 10
		claims, err := list.Claim(ctx, seedlist.Downloading, "worker", n)
		if err != nil {
			return err
		}
		if len(claims) != n {
			return fmt.Errorf("%d of %d seeds were claimed", len(claims), n)
		}
		if err := LiveAll(ctx, list, claims); err != nil {
			return err
		}
	}
	return nil
}

// LiveAll completes claims of downloads, all at once, each with what [LifeOf] says.
func LiveAll(ctx context.Context, list seedlist.List, claims []seedlist.Claim) error {
	errs := make([]error, len(claims))
	var all sync.WaitGroup
	for i, c := range claims {
		all.Go(func() { errs[i] = list.CompleteAll(ctx, c, LifeOf(c)) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// LifeOf is what becomes of a claim of a download, by its number. Of seven, two fail. The others are washed in one of
// three formats, with notices, and a hundred share a clean file.
func LifeOf(c seedlist.Claim) []seedlist.Outcome {
	n := int64(c.Number)
	if n%7 < 2 {
		return []seedlist.Outcome{{Next: seedlist.Failed, Update: func(r *seedlist.Record) {
			r.Error = &seedlist.Error{Stage: c.Stage, Kind: fault.Refused, Code: []fault.Code{"http/status", "transport/silence"}[n%2],
				Message: "404 Not Found"}
		}}}
	}
	clean := fmt.Sprintf("%032x", n/100)
	return []seedlist.Outcome{
		{Next: seedlist.Filed, Update: func(r *seedlist.Record) {
			r.HTTP = []seedlist.Exchange{{URI: c.Seed.URI, Time: time.Now(), Status: 200,
				Headers: map[string][]string{"content-type": {"text/turtle"}}}}
			r.Content = &digest.Content{MD5: fmt.Sprintf("%032x", n), NumberOfBytes: n * 7919 % 1_000_003}
		}},
		{Next: seedlist.Unarchived},
		{Next: seedlist.Guessed, Update: func(r *seedlist.Record) {
			r.Format, r.Encoding = []string{"Turtle", "N-Triples", "RDF/XML"}[n%3], &seedlist.Encoding{Presumed: "utf-8"}
		}},
		{Next: seedlist.Parsed, Update: func(r *seedlist.Record) {
			r.Statements = &digest.Statements{Read: 100, Kept: 100 - n%13, Dropped: n % 13, Written: 100 - n%13}
			r.Notices = map[fault.Code]int64{"iri/space": 1 + n%3, []fault.Code{"literal/ill-typed", "language/malformed"}[n%2]: 2}
		}, Clean: &seedlist.Clean{Content: digest.Content{MD5: clean, SHA256: clean + clean}}},
	}
}
