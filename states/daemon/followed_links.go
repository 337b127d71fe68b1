package daemon

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// FollowOptions say which documents that washed data, or a page in place of data, names
// become seeds. The zero value follows nothing.
type FollowOptions struct {
	// VoID follows void:dataDump, DCAT dcat:downloadURL.
	VoID, DCAT bool
	// Alternate follows from pages to the data that their links and headers name.
	Alternate bool
	// Catalogs makes catalogs of those that a catalog names.
	Catalogs bool
	// Depth is how many documents may lead one to another, from one that a person or a
	// catalog named: 1.
	Depth int
	// Own are hosts (host[:port] in lower case) that are never followed to: our own site.
	Own []string
	// Most is how many documents one document may lead to: 10,000. Further ones give a
	// warning limit/followed.
	Most int
}

// predicates are those that are followed, as a canonical line has them.
func (o *FollowOptions) predicates() (all [][]byte) {
	if o.VoID {
		all = append(all, []byte("<http://rdfs.org/ns/void#dataDump>"))
	}
	if o.DCAT {
		all = append(all, []byte("<http://www.w3.org/ns/dcat#downloadURL>"), []byte("<https://www.w3.org/ns/dcat#downloadURL>"))
	}
	return all
}

// follower finds the documents that one document names: its lines, or its links.
type follower struct {
	opt        *FollowOptions
	predicates [][]byte
	depth      int                  // of the document
	root       seedlist.Seed        // that it was unpacked from, or itself
	source     string               // of what is named
	page       *seedlist.RecipePage // of what is named; nil where no recipe leads to it

	seen  map[string]bool // keys
	named []seedlist.NewSeed
	over  int64
	// refused counts by reason.
	refused map[string]int64
}

// follower follows what the statements of a document name. It is nil where nothing is to
// be followed.
func (r *Runner) follower(ctx context.Context, seed seedlist.Seed) (*follower, error) {
	predicates := r.opt.Follow.predicates()
	if len(predicates) == 0 {
		return nil, nil
	}
	f, err := r.newFollower(ctx, seed)
	if f != nil {
		f.predicates = predicates
	}
	return f, err
}

// newFollower is nil where the document is as deep as it may be.
func (r *Runner) newFollower(ctx context.Context, seed seedlist.Seed) (*follower, error) {
	opt := r.opt.Follow
	if opt.Depth <= 0 {
		opt.Depth = 1
	}
	if opt.Most <= 0 {
		opt.Most = 10_000
	}
	f, err := rootFollower(ctx, r, seed)
	if err != nil || f.root.Depth >= opt.Depth {
		return nil, err
	}
	f.opt, f.source = &opt, "follow:"+seed.Hash
	return f, nil
}

// rootFollower is one without limits.
func rootFollower(ctx context.Context, r *Runner, seed seedlist.Seed) (*follower, error) {
	root := seed
	for root.Parent != "" {
		parent, err := r.seeds.Record(ctx, root.Parent)
		if err != nil {
			return nil, err
		}
		root = parent
	}
	f := &follower{opt: &r.opt.Follow, depth: root.Depth, root: root}
	f.again()
	return f, nil
}

// again begins a reading: what the one before found is forgotten.
func (f *follower) again() {
	f.seen, f.refused = map[string]bool{f.root.Hash: true}, map[string]int64{}
	f.named, f.over = nil, 0
}

// line looks at a canonical line.
func (f *follower) line(line []byte) {
	_, rest, ok := bytes.Cut(line, []byte(" "))
	if !ok {
		return
	}
	for _, predicate := range f.predicates {
		if object, ok := bytes.CutPrefix(rest, predicate); ok {
			f.object(bytes.TrimPrefix(object, []byte(" ")))
			return
		}
	}
}

// object takes the URI out of what a line says of a dump: an IRI or, as many write it,
// a literal.
func (f *follower) object(object []byte) {
	closing := byte('>')
	if len(object) > 0 && object[0] == '"' {
		closing = '"'
	} else if len(object) == 0 || object[0] != '<' {
		f.refused["blank-node"]++
		return
	}
	end := bytes.IndexByte(object[1:], closing)
	if end < 0 {
		return
	}
	if bytes.Contains(object[:end+1], []byte("/.well-known/genid/")) {
		f.refused["blank-node"]++
		return
	}
	f.uri(string(object[1 : end+1]))
}

// uri takes a document that is named.
func (f *follower) uri(uri string) {
	u, err := seedlist.ParseURI(uri)
	if err != nil || u.Relative {
		f.refused["bad-uri"]++
		return
	}
	if u.IsFile() {
		f.refused["scheme"]++ // data never leads to the files of this machine
		return
	}
	for _, own := range f.opt.Own {
		if u.Host == own {
			f.refused["own-site"]++
			return
		}
	}
	key := u.Hash()
	switch {
	case f.seen[key]:
		return
	case len(f.named) >= f.opt.Most:
		f.over++
		return
	}
	f.seen[key] = true
	interval := time.Duration(0)
	if f.root.Interval != nil {
		if interval = time.Duration(*f.root.Interval) * time.Second; interval <= 0 {
			interval = -1
		}
	}
	f.named = append(f.named, seedlist.NewSeed{
		URI: u.Given, Priority: f.root.Priority, Interval: interval, Source: f.source, Depth: f.depth + 1,
		Page: f.page,
	})
}

// counts adds what was found to the counts of the attempt.
func (f *follower) counts(to map[string]int64) {
	to["followed"] = int64(len(f.named))
	for reason, n := range f.refused {
		to["not-followed/"+strings.ToLower(reason)] = n
	}
	if f.over > 0 {
		to["not-followed/over-limit"] = f.over
	}
}

// notice is the warning that not all is followed; false if all is.
func (f *follower) notice() (fault.Notice, bool) {
	return fault.Notice{
		Code: fault.LimitFollowed, Severity: fault.Warning,
		Message: fmt.Sprintf("%d documents that it names are followed, %d more are not", len(f.named), f.over),
	}, f.over > 0
}
