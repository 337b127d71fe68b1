package daemon

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/rdf/format"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states/kind"
)

// Two URIs that give the same bytes are washed once, where the wash of one is surely that of the
// other. The document used neither its base nor a blank node, which are named by the URI's key, and has
// no product with the URI in it, as articles have. All else that a reading depends on is the same too.

// mostAlike is how many seeds of the same bytes are looked at.
const mostAlike = 8

// shared takes over the wash of another seed with the same bytes. It is nil if there is
// none that is surely what a wash of its own would come to.
func (r *Runner) shared(ctx context.Context, claim *seedlist.Claim) (*parseOutcome, error) {
	seed := &claim.Seed
	if seed.Content == nil || seed.Parent != "" || len(r.opt.Follow.predicates()) > 0 {
		return nil, nil // what follows from a document is found by reading it
	}
	alike, err := r.seeds.Alike(ctx, seed.Content, mostAlike)
	if err != nil {
		return nil, err
	}
	for i := range alike {
		if other := &alike[i]; other.Hash != seed.Hash && r.washesAlike(ctx, seed, other) {
			uses := contextLoader{runner: r}
			loader := metadataLoader{runner: r, seed: seed, by: r.recipes.of(ctx, seed), uses: &uses, waits: patienceOf(claim)}
			table, err := loader.described(ctx, kind.Kind(other.Format), func(fault.Notice) {})
			if err = uses.judge(err); table.IsFound() || err != nil {
				return nil, err
			}
			if done, err := r.takeOver(ctx, *claim, other); done != nil || err != nil {
				return done, err
			}
		}
	}
	return nil, nil
}

// washesAlike says that the wash of other, which has the same bytes, is that of seed.
func (r *Runner) washesAlike(ctx context.Context, seed, other *seedlist.Seed) bool {
	if other.Status != seedlist.Parsed || other.Error != nil || r.isStale(&other.Record) {
		return false
	}
	if !seed.Recipe.SameRecipe(other.Recipe) {
		return false
	}
	if by := r.recipes.of(ctx, seed); seed.Recipe != nil && (by == nil || by.Spec != nil || by.Pages != nil || by.Read.Base != "") {
		return false // what a spec makes, and where links lead, may have the URI in it
	}
	if wanted := r.opt.wanted(); !makesAlike(r.recipes.makes(ctx, other, wanted), wanted, seed, other) {
		return false
	}
	if f := format.Format(other.Format); f == format.JSONLD && len(r.opt.Contexts) > 0 || len(other.Contexts) > 0 {
		return false // contexts may have changed
	}
	// What was presumed of either, before it was read.
	if contentTypeOf(seed) != contentTypeOf(other) || suffixesOf(seed) != suffixesOf(other) {
		return false
	}
	// What was found about the transport, or about what a catalog claims, is of one URI.
	if len(transportNotices(other.Record)) > 0 {
		return false
	}
	for code := range other.Notices {
		if strings.HasPrefix(string(code), "claim/") {
			return false
		}
	}
	written := int64(0)
	if other.Statements != nil {
		written = other.Statements.Written
	}
	return len(claimedOfReading(seed.Record, format.Format(other.Format), written)) == 0
}

func contentTypeOf(seed *seedlist.Seed) string {
	if reply := lastReply(seed.Record); reply != nil {
		return first(reply.Headers["content-type"])
	}
	return ""
}

// suffixesOf is what is after the first dot of the name of a seed's file. It may say how the bytes
// are packed, and in what format they are.
func suffixesOf(seed *seedlist.Seed) string {
	_, suffixes, _ := strings.Cut(fileName(*seed), ".")
	return strings.ToLower(suffixes)
}

// takeOver makes what came of the wash of other what comes of claim. The files are linked,
// so that they are there whatever becomes of the other meanwhile. It is nil if they are not.
func (r *Runner) takeOver(ctx context.Context, claim seedlist.Claim, other *seedlist.Seed) (*parseOutcome, error) {
	t := &takingOver{runner: r, claim: claim, other: other}
	done, taken := &t.done, false
	defer func() {
		if !taken {
			done.files.abort()
		}
	}()
	for _, link := range []func(context.Context) (bool, error){t.linkClean, t.linkProducts, t.linkNotices} {
		if linked, err := link(ctx); !linked {
			return nil, err
		}
	}
	// If nothing was done to it since its record was read, these are its files.
	now, err := r.seeds.Seed(ctx, other.Hash)
	if errors.Is(err, seedlist.ErrNotFound) {
		return nil, nil
	}
	if err != nil || now.Fence != other.Fence || now.Status != other.Status || now.Clean != other.Clean {
		return nil, err
	}
	r.guesses.take(claim.Seed) // nobody will ask for it
	done.next = seedlist.Parsed
	if done.clean != nil {
		done.duplicates = other.Statements.Duplicates
		drawn := drawn{runner: r, claim: &t.claim}
		defer drawn.release()
		if err := r.changed(ctx, &t.claim, done, &drawn); err != nil {
			return nil, err
		}
	}
	r.describeShared(done, other)
	taken = true
	return done, nil
}

// takingOver is what is made of a claim by the wash of another seed.
type takingOver struct {
	runner *Runner
	claim  seedlist.Claim
	other  *seedlist.Seed
	done   parseOutcome
}

// link links a file of the other seed. It is nil if that is not there.
func (t *takingOver) link(key string, suffix files.Suffix, as string) (files.Pending, error) {
	file, err := t.runner.files.Again(key, suffix, as)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return file, err
}

// linkClean links the clean file, if there is one. It is false if a file is not there.
func (t *takingOver) linkClean(ctx context.Context) (bool, error) {
	r, claim, other, to := t.runner, &t.claim, t.other, &t.done
	if other.Clean == "" {
		return true, nil
	}
	clean, err := r.seeds.Seed(ctx, other.Clean)
	if errors.Is(err, seedlist.ErrNotFound) || err == nil && clean.Content == nil {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if washedBefore(&claim.Seed.Record, other.Clean) {
		// Washed again: the file that others have too may be what was wrong.
		if isWhole, err := r.isWholeClean(ctx, &clean); !isWhole {
			return false, err
		}
	}
	suffixes := []files.Suffix{files.Clean, files.Index, files.Statistics}
	if !files.Indexed(clean.Content.NumberOfBytes) {
		suffixes = suffixes[:1]
	}
	for _, suffix := range suffixes {
		file, err := t.link(other.Clean, suffix, other.Clean)
		if file == nil && err == nil && suffix == files.Statistics {
			continue // it was washed before there were any
		}
		if file == nil {
			return false, err
		}
		to.files.made = append(to.files.made, file)
	}
	to.clean = &seedlist.Clean{Content: *clean.Content}
	return true, nil
}

// linkNotices links the list of notices, if there is one. It is false if it is not there.
func (t *takingOver) linkNotices(context.Context) (bool, error) {
	r, claim, other, to := t.runner, &t.claim, t.other, &t.done
	if len(other.Notices) == 0 {
		to.files.discard = append(to.files.discard, r.old(&claim.Seed, files.Notices))
		return true, nil
	}
	list, err := t.link(seedfile.Key(other, files.Notices), files.Notices, r.newKey(claim))
	if list == nil {
		return false, err
	}
	to.files.notices = list
	return true, nil
}

// describeShared says how a wash that was taken over changes the record and the log: as
// one of its own would have.
func (r *Runner) describeShared(done *parseOutcome, other *seedlist.Seed) {
	var sums digest.Statements
	if done.clean != nil {
		sums = *other.Statements
	}
	changes := done.changes
	done.log.Counts = countsOf(sums)
	done.countChanges()
	done.log.InsertCount = sums.Written
	done.countProducts()
	done.update = func(record *seedlist.Record) {
		record.Notices = maps.Clone(other.Notices)
		if record.Notices == nil {
			record.Notices = map[fault.Code]int64{}
		}
		record.Statements, record.Text = cloned(other.Statements), cloned(other.Text)
		if other.Text != nil { // it is of a text, and read
			record.Encoding = cloned(other.Encoding)
		}
		record.Records, record.Articles = cloned(other.Records), nil
		record.Sources = maps.Clone(other.Sources)
		record.Format = other.Format
		record.FormatEvidence = append(slices.Clip(record.FormatEvidence), done.evidence...)
		record.Washer = r.opt.Version
		record.BaseUsed, record.BlankNodes = other.BaseUsed, other.BlankNodes
		record.WashedWith = other.WashedWith
		record.WashedFrom, record.Recipe = other.Hash, other.Recipe
		record.Changes = changes
	}
}

// cloned is a copy of what a pointer leads to; nil of nil.
func cloned[T any](p *T) *T {
	if p == nil {
		return nil
	}
	is := *p
	return &is
}
