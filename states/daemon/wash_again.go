package daemon

import (
	"context"
	"errors"
	"fmt"

	"laundromat/internal/files"
	"laundromat/seedlist"
)

// Marker is the part of a seed list that a [Mender] needs.
type Marker interface {
	seedlist.Reader
	WashAgain(ctx context.Context, again seedlist.Again, hashes ...string) ([]seedlist.AgainAnswer, error)
}

// Mender has seeds washed again, whatever is known of them. It looks at the files to say
// where each begins: with its stored bytes or, where these are not whole, with the server. It is
// used from one goroutine, and for one request: it remembers what it found.
type Mender struct {
	seedNames
	seeds Marker
	blobs files.Opener
	// troubles says of seeds that were met why their bytes are not whole; "" if they are.
	troubles map[string]string
}

// NewMender returns a Mender for seeds and their files.
func NewMender(seeds Marker, blobs files.Opener) *Mender {
	return &Mender{seedNames: seedNames{seeds: seeds}, seeds: seeds, blobs: blobs, troubles: map[string]string{}}
}

// Mending says what was done so that one seed is washed again.
type Mending struct {
	Hash, Name string
	// Root is the key of what begins again, and To is the ready state it begins with. Root is another
	// than Hash for a member, which goes back to the outermost archive, and for a URI with a fragment.
	Root string
	To   seedlist.State
	// Err is why nothing was done; nil if it was.
	Err error
	// Follows says of Err that the seed is a member of an archive, without a URI to begin again with: it is washed
	// again when its archive is.
	Follows bool
}

// NotWholeError says that the stored bytes, with which a seed was to begin again, are not whole.
type NotWholeError struct {
	Name, Problem string
}

// Error says what is wrong, and what to do.
func (e *NotWholeError) Error() string {
	return fmt.Sprintf("the stored bytes of %s can't be washed (%s): \"laundromat seed retry --force\" fetches them again", e.Name,
		e.Problem)
}

// Again has seeds washed again. With [seedlist.Force] they are fetched without conditions. With
// [seedlist.Rewash] they begin with their stored bytes, which are read whole first. With
// [seedlist.Repair] they begin with these if they are whole, and else are fetched. A dry run writes
// nothing. There is a Mending for each seed, in order.
func (m *Mender) Again(ctx context.Context, asked seedlist.Wish, isDryRun bool, seeds ...seedlist.Seed) ([]Mending, error) {
	all := make([]Mending, len(seeds))
	for i := range seeds {
		var err error
		if all[i], err = m.plan(ctx, asked, &seeds[i]); err != nil {
			return nil, err
		}
	}
	for _, to := range [...]seedlist.State{seedlist.Added, seedlist.Filed} {
		var hashes []string
		var which []int
		for i := range all {
			if all[i].Err == nil && all[i].To == to {
				hashes, which = append(hashes, all[i].Hash), append(which, i)
			}
		}
		if hashes == nil {
			continue
		}
		answers, err := m.seeds.WashAgain(ctx, seedlist.Again{Asked: asked, To: to, Entries: asked != seedlist.Repair, DryRun: isDryRun},
			hashes...)
		if err != nil {
			return nil, err
		}
		for i, answer := range answers {
			all[which[i]].Root, all[which[i]].Err = answer.Root, answer.Err // its To is the one that was asked for
		}
	}
	return all, nil
}

// Retry lets seeds begin again as [seedlist.Editor] does it, as far as something may have changed.
func (m *Mender) Retry(ctx context.Context, from seedlist.State, isDryRun bool, seeds ...seedlist.Seed) ([]Mending, error) {
	all := make([]Mending, len(seeds))
	hashes := make([]string, len(seeds))
	for i := range seeds {
		name, err := m.nameOf(ctx, &seeds[i])
		if err != nil {
			return nil, err
		}
		all[i], hashes[i] = Mending{Hash: seeds[i].Hash, Name: name}, seeds[i].Hash
	}
	answers, err := m.seeds.WashAgain(ctx, seedlist.Again{To: from, DryRun: isDryRun}, hashes...)
	if err != nil {
		return nil, err
	}
	for i, answer := range answers {
		all[i].Root, all[i].To, all[i].Err = answer.Root, answer.To, answer.Err
		all[i].Follows = seeds[i].Parent != "" && errors.Is(answer.Err, seedlist.ErrNoURI)
	}
	return all, nil
}

// plan says where a seed begins again.
func (m *Mender) plan(ctx context.Context, asked seedlist.Wish, seed *seedlist.Seed) (p Mending, err error) {
	p = Mending{Hash: seed.Hash, To: seedlist.Added}
	if p.Name, err = m.nameOf(ctx, seed); err != nil || asked == seedlist.Force {
		return p, err
	}
	root, err := m.outermost(ctx, seed)
	if errors.Is(err, seedlist.ErrNotFound) {
		p.Err, err = seedlist.ErrNotFound, nil
	}
	if err != nil || p.Err != nil {
		return p, err
	}
	p.To = seedlist.Filed
	if root.Status == seedlist.Cleaned || root.Relative || root.Content == nil && asked == seedlist.Rewash {
		return p, nil // the list knows why not
	}
	problem, err := m.trouble(ctx, root)
	if asked == seedlist.Repair && problem == "" && isOfOtherBytes(root) {
		problem = "what is served was made of other bytes" // only a fetch may bring them again
	}
	if err != nil || problem == "" {
		return p, err
	}
	if p.To = seedlist.Added; asked == seedlist.Rewash {
		name, err := m.nameOf(ctx, root)
		p.Err = &NotWholeError{Name: name, Problem: problem}
		return p, err
	}
	return p, nil
}

// isOfOtherBytes says that what is served of a seed was made of other bytes than came last.
func isOfOtherBytes(seed *seedlist.Seed) bool {
	served := seed.Served()
	return seed.Good != nil && served.Content != nil && seed.Content != nil && served.Content.SHA256 != seed.Content.SHA256
}

// outermost is the record of what begins again for a seed. That is the outermost archive that it
// lies in, its document if it has a fragment, or the seed itself.
func (m *Mender) outermost(ctx context.Context, seed *seedlist.Seed) (*seedlist.Seed, error) {
	for {
		above := seed.Parent
		if seed.Document != "" {
			above = seed.Document
		}
		if above == "" {
			return seed, nil
		}
		next, err := m.seeds.Record(ctx, above)
		if err != nil {
			return nil, err
		}
		seed = &next
	}
}

// trouble says why the stored bytes of a seed are not whole; "" if they are.
func (m *Mender) trouble(ctx context.Context, seed *seedlist.Seed) (problem string, err error) {
	if problem, known := m.troubles[seed.Hash]; known {
		return problem, nil
	}
	if seed.Content == nil {
		return missingFile, nil
	}
	if removal := seed.Removed.Dirty; removal != nil {
		return removal.String(), nil
	}
	if problem, err = dirtyTrouble(ctx, m.blobs, seed); err == nil {
		remember(m.troubles, seed.Hash, problem)
	}
	return problem, err
}
