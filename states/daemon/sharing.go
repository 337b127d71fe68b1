package daemon

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"strings"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/rdf/format"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// Two URIs that give the same bytes are washed once, where the wash of one is surely that of the
// other. The document used neither its base nor a blank node, which are named by the URI's key. All
// else that a reading depends on is the same too.

// mostAlike is how many seeds of the same bytes are looked at.
const mostAlike = 8

// shared takes over the wash of another seed with the same bytes. It is nil if there is
// none that is surely what a wash of its own would come to.
func (r *Runner) shared(ctx context.Context, claim seedlist.Claim) (*parseOutcome, error) {
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
			if done, err := r.takeOver(ctx, claim, other); done != nil || err != nil {
				return done, err
			}
		}
	}
	return nil, nil
}

// washesAlike says that the wash of other, which has the same bytes, is that of seed.
func (r *Runner) washesAlike(ctx context.Context, seed, other *seedlist.Seed) bool {
	if other.Status != seedlist.Parsed || other.Error != nil || r.isStale(&other.Record) ||
		other.Statements == nil || other.Encoding == nil || other.Text == nil {
		return false
	}
	if !seed.Recipe.SameRecipe(other.Recipe) {
		return false
	}
	if by := r.recipes.of(ctx, seed); seed.Recipe != nil && (by == nil || by.Spec != nil || by.Read.Base != "") {
		return false // what a spec makes may have the URI in it
	}
	if makes := r.recipes.makes(ctx, other, r.opt.wanted()); !r.opt.onlyStatements(makes, other.Format) || len(other.Products) > 1 {
		return false // other products are named by the URI
	}
	if other.Statements.Written == 0 && seed.ServedClean() != "" {
		return false // whether that takes the place of what is served is for a reading of its own to say
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
	return len(claimedOfReading(seed.Record, format.Format(other.Format), other.Statements.Written)) == 0
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
	done, taken := &parseOutcome{}, false
	defer func() {
		if !taken {
			done.files.abort()
		}
	}()
	clean, err := r.seeds.Seed(ctx, other.Clean)
	if errors.Is(err, seedlist.ErrNotFound) || err == nil && clean.Content == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if washedBefore(&claim.Seed.Record, other.Clean) {
		// Washed again: the file that others have too may be what was wrong.
		if isWhole, err := r.isWholeClean(ctx, &clean); !isWhole {
			return nil, err
		}
	}
	if linked, err := r.link(&done.files, claim, other, clean.Content); !linked {
		return nil, err
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
	done.clean = &seedlist.Clean{Content: *clean.Content}
	done.duplicates = other.Statements.Duplicates
	drawn := drawn{runner: r, claim: claim}
	defer drawn.release()
	if err := r.changed(ctx, claim, done, &drawn); err != nil {
		return nil, err
	}
	r.describeShared(done, other)
	taken = true
	return done, nil
}

// link links the files of the wash of other for claim. It is false if one is not there.
func (r *Runner) link(to *changedFiles, claim seedlist.Claim, other *seedlist.Seed, clean *digest.Content) (bool, error) {
	again := func(hash string, suffix files.Suffix, as string) (files.Pending, bool, error) {
		file, err := r.files.Again(hash, suffix, as)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, false, nil
		}
		return file, err == nil, err
	}
	suffixes := []files.Suffix{files.Clean, files.Index, files.Statistics}
	if !files.Indexed(clean.NumberOfBytes) {
		suffixes = suffixes[:1]
	}
	for _, suffix := range suffixes {
		file, there, err := again(other.Clean, suffix, other.Clean)
		if !there && err == nil && suffix == files.Statistics {
			continue // it was washed before there were any
		}
		if !there {
			return false, err
		}
		to.made = append(to.made, file)
	}
	if len(other.Notices) == 0 {
		to.discard = append(to.discard, r.old(&claim.Seed, files.Notices))
		return true, nil
	}
	list, there, err := again(seedfile.Key(other, files.Notices), files.Notices, r.newKey(&claim))
	to.notices = list
	return there, err
}

// describeShared says how a wash that was taken over changes the record and the log: as
// one of its own would have.
func (r *Runner) describeShared(done *parseOutcome, other *seedlist.Seed) {
	sums := *other.Statements
	changes := done.changes
	done.log.Counts = countsOf(sums)
	done.countChanges()
	done.log.InsertCount = sums.Written
	done.update = func(record *seedlist.Record) {
		statements, text, encoding := *other.Statements, *other.Text, *other.Encoding
		record.Statements, record.Text, record.Encoding = &statements, &text, &encoding
		record.Sources = maps.Clone(other.Sources)
		record.Notices = maps.Clone(other.Notices)
		if record.Notices == nil {
			record.Notices = map[fault.Code]int64{}
		}
		record.Format = other.Format
		record.Washer = r.opt.Version
		record.BaseUsed, record.BlankNodes = other.BaseUsed, other.BlankNodes
		record.WashedWith = other.WashedWith
		record.WashedFrom, record.Recipe = other.Hash, other.Recipe
		record.Changes = changes
	}
}
