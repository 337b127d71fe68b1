package states

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"

	"github.com/klauspost/compress/gzip"

	"laundromat/archive"
	"laundromat/internal/content"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/internal/report"
	"laundromat/seedlist"
)

// maxPlainEntry is the longest entry of an archive that is written out as it is, in
// bytes; a longer one is compressed.
const maxPlainEntry = 64 << 10

// needOpen is what opening an archive draws from the budget, in bytes: the windows
// and tables of its decoders.
const needOpen = 16 << 20

// commitBatch is how many entries are made durable together.
const commitBatch = 256

// unarchiving opens the dirty file of a seed: an archive is depleted, and its
// entries become seeds; anything else is a document, whose filters are recorded.
func (r *Runner) unarchiving(ctx context.Context, claim seedlist.Claim) (done result, err error) {
	need := min(needOpen, r.opt.Memory)
	if err := r.draw(ctx, claim, need); err != nil {
		return result{}, err
	}
	defer r.budget.Release(need)
	source, err := r.openDirty(ctx, claim.Seed)
	if err != nil {
		return result{}, err
	}
	defer source.Close()
	collector := report.NewCollector(claim.Seed.Hash, report.SamplesListed)
	list := report.NewList(r.opt.Temp, r.opt.NoticesMax)
	defer list.Close()
	collector.Keep(list)
	for _, n := range transportNotices(claim.Seed.Record) {
		collector.Notice(n)
	}
	opened, err := archive.Open(ctx, source, fileName(claim.Seed), r.limitsOf(ctx, claim.Seed), collector.Notice)
	if err != nil {
		return result{}, err
	}
	defer opened.Close()
	if opened.Format == "" {
		filters := opened.Filters
		return result{next: seedlist.Unarchived, update: func(record *seedlist.Record) {
			setLayers(record, "", filters)
		}}, nil
	}

	entries := &entryFiler{ctx: ctx, runner: r, claim: claim, format: opened.Format}
	defer entries.abort()
	err = opened.Entries(ctx, entries.file)
	if err == nil {
		err = entries.commit(ctx)
	}
	counts := collector.Document().Notices
	var pending []*files.Pending
	if len(counts) > 0 {
		listed, listErr := r.sealNotices(claim.Seed.Hash, list)
		if listErr != nil {
			return result{}, errors.Join(err, listErr)
		}
		pending = append(pending, listed)
	}
	done = result{
		discard: entries.old,
		next:    seedlist.Depleted, children: entries.children, files: pending,
		inserted: int64(len(entries.children)),
		counts:   map[string]int64{"entries": int64(len(entries.children))},
		update: func(record *seedlist.Record) {
			setLayers(record, opened.Format, opened.Filters)
			record.Notices = counts
			record.Washer = r.opt.Version
		},
	}
	return done, err
}

// setLayers records what was peeled off. A child's format says what it was found
// in and stays; the outermost file has none before it, so its own is told.
func setLayers(record *seedlist.Record, format string, filters []string) {
	layers := seedlist.Archive{}
	if record.Archive != nil {
		layers = *record.Archive
	}
	if record.Parent == "" {
		layers.Format = format
	}
	layers.Filters = slices.Clone(filters)
	if layers.Format == "" && len(filters) == 0 && record.Parent == "" {
		record.Archive = nil
		return
	}
	record.Archive = &layers
}

// limitsOf are the limits for opening a seed: those of the daemon, less the depth
// of the archives it lies in.
func (r *Runner) limitsOf(ctx context.Context, seed seedlist.Seed) archive.Limits {
	limits := r.opt.Limits
	for seed.Parent != "" {
		parent, err := r.seeds.Seed(ctx, seed.Parent)
		if err != nil {
			break
		}
		limits = limits.Below(1 + len(filtersOf(parent.Record)))
		seed = parent
	}
	return limits
}

func filtersOf(record seedlist.Record) []string {
	if record.Archive == nil {
		return nil
	}
	return record.Archive.Filters
}

// entryFiler writes the entries of an archive out as dirty files.
type entryFiler struct {
	ctx      context.Context // of the work on the archive, which calls file
	runner   *Runner
	claim    seedlist.Claim
	format   string
	children []seedlist.Child
	old      []discarded // what an entry may have left in the other form
	pending  []*files.Pending
	bytes    int64
}

func (f *entryFiler) file(entry archive.Entry, body io.Reader) error {
	hash := seedlist.ChildKey(f.claim.Seed.Hash, entry.Name, entry.Number)
	pending, err := f.runner.files.Create()
	if err != nil {
		return err
	}
	f.pending = append(f.pending, pending)
	measured, suffix, err := writeEntry(pending, body)
	if err != nil {
		return err
	}
	if err := pending.Seal(hash, suffix); err != nil {
		return err
	}
	if f.claim.Last == seedlist.Depleted {
		f.old = append(f.old, discarded{hash, otherForm(suffix)})
	}
	child := seedlist.Child{Name: entry.Name, Content: measured, Archive: seedlist.Archive{Format: f.format, MTime: entry.ModTime}}
	if entry.Size >= 0 {
		size := entry.Size
		child.Archive.Size = &size
	}
	f.children = append(f.children, child)
	f.bytes += measured.NumberOfBytes
	f.runner.seeds.Progress(f.claim, seedlist.Progress{Bytes: f.bytes, Message: "unpacking " + entry.Shown()})
	if len(f.pending) < commitBatch {
		return nil
	}
	return f.commit(f.ctx)
}

// writeEntry copies an entry and measures it; one longer than maxPlainEntry is
// compressed on the way.
func writeEntry(to io.Writer, body io.Reader) (content.Content, files.Suffix, error) {
	measure := content.NewMeasure()
	head := make([]byte, maxPlainEntry+1)
	n, err := io.ReadFull(body, head)
	measure.Write(head[:n])
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		_, err = to.Write(head[:n])
		return measure.Content(), files.Dirty, err
	case err != nil:
		return content.Content{}, "", err
	}
	compressor, err := gzip.NewWriterLevel(to, gzip.BestSpeed)
	if err != nil {
		return content.Content{}, "", err
	}
	if _, err := compressor.Write(head); err != nil {
		return content.Content{}, "", err
	}
	if _, err := io.Copy(io.MultiWriter(compressor, measure), body); err != nil {
		return content.Content{}, "", err
	}
	return measure.Content(), files.DirtyGzip, compressor.Close()
}

func (f *entryFiler) commit(ctx context.Context) error {
	err := f.runner.files.Commit(ctx, f.pending...)
	if err == nil {
		f.pending = f.pending[:0]
	}
	return err
}

func (f *entryFiler) abort() { abort(f.pending) }

// dirtySource is the dirty file of a seed, which must be closed.
type dirtySource interface {
	archive.Source
	io.Closer
}

// openDirty opens the bytes of a seed as they came.
func (r *Runner) openDirty(ctx context.Context, seed seedlist.Seed) (dirtySource, error) {
	return OpenDirty(ctx, r.files, seed, r.opt.Temp)
}

// OpenDirty opens the bytes of a seed as they came, in a form that can be sought:
// an entry that is kept compressed is unpacked for that, in temp if it is long.
func OpenDirty(ctx context.Context, blobs *files.Store, seed seedlist.Seed, temp string) (dirtySource, error) {
	form := dirtyForm(&seed)
	file, err := blobs.Open(seed.Hash, form)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New("states.OpenDirty", fault.Data, fault.LocalFile, "the bytes of the seed are not there; \"laundromat verify\" tells what else is missing: %w", err)
	}
	if err != nil {
		return nil, err
	}
	if form == files.Dirty {
		source, err := archive.FileSource(file)
		if err != nil {
			file.Close()
			return nil, err
		}
		return struct {
			archive.Source
			io.Closer
		}{source, file}, nil
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, fault.New("states.OpenDirty", fault.Data, fault.LocalFile, "the stored bytes of the seed are damaged: %w", err)
	}
	return archive.Spool(ctx, unzipped, temp, spoolMemory)
}

// dirtyForm is how the bytes of a seed are kept: an entry of an archive that is
// longer than maxPlainEntry compressed, all else as it came.
func dirtyForm(seed *seedlist.Seed) files.Suffix {
	if seed.Parent != "" && seed.Content != nil && seed.Content.NumberOfBytes > maxPlainEntry {
		return files.DirtyGzip
	}
	return files.Dirty
}

func otherForm(suffix files.Suffix) files.Suffix {
	if suffix == files.Dirty {
		return files.DirtyGzip
	}
	return files.Dirty
}

// sealNotices writes a list of notices as a file of the seed.
func (r *Runner) sealNotices(hash string, list *report.List) (*files.Pending, error) {
	pending, err := r.files.Create()
	if err != nil {
		return nil, err
	}
	if _, err := list.WriteTo(pending); err == nil {
		err = pending.Seal(hash, files.Notices)
		if err == nil {
			return pending, nil
		}
	}
	pending.Abort()
	return nil, err
}
