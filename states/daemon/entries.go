package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/klauspost/compress/gzip"

	"laundromat/archive"
	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// entryFiler writes the entries of an archive out as dirty files. They take their names when the
// whole archive was read: the records of entries that were here before speak of the old bytes until
// then. Up to EntriesHeld that happens in one transaction, with the archive's own. What is known of
// more waits in a temporary file, and is filed a part at a time.
type entryFiler struct {
	ctx     context.Context // of the work on the archive, which calls file
	runner  *Runner
	claim   seedlist.Claim
	format  string
	batch   files.Batch
	held    entriesHeld
	spilled *os.File // of the entries before those that are held; nil if all are
	out     *json.Encoder
	buffer  *bufio.Writer
	filed   seedlist.FiledChildren
	n       int64 // entries
	bytes   int64
}

// entriesHeld is what is known of some entries.
type entriesHeld struct {
	children []seedlist.Child
	old      []discarded // what is left of the old bytes of an entry
	pending  []files.Pending
}

// spilledEntry is an entry as it waits in the file. A name may be no text.
type spilledEntry struct {
	Name  []byte
	Child seedlist.Child
	File  files.Aside
	Old   []discarded
}

func (r *Runner) newEntryFiler(ctx context.Context, claim seedlist.Claim, format string) *entryFiler {
	return &entryFiler{ctx: ctx, runner: r, claim: claim, format: format, batch: r.files.NewBatch()}
}

func (f *entryFiler) file(entry archive.Entry, body io.Reader) error {
	if len(f.held.children) >= f.runner.opt.EntriesHeld {
		if err := f.spill(); err != nil {
			return err
		}
	}
	hash := seedlist.ChildKey(f.claim.Seed.Hash, entry.Name, entry.Number)
	pending, err := f.batch.Create()
	if err != nil {
		return err
	}
	f.held.pending = append(f.held.pending, pending)
	message := "unpacking " + entry.Shown()
	read := &told{tell: func(n int64) {
		f.runner.progress(f.ctx, f.claim, seedlist.Progress{Bytes: f.bytes + n, Message: message})
	}}
	read.tell(0)
	measured, suffix, err := writeEntry(pending, io.TeeReader(body, read))
	if err != nil {
		f.drop() // the archive may go on after it
		return err
	}
	key, again, err := f.replaces(hash, suffix, measured)
	if err != nil {
		return err
	}
	if err := pending.Seal(key, suffix); err != nil {
		return err
	}
	_, fence, err := files.SplitKey(key)
	if err != nil {
		return err
	}
	child := seedlist.Child{Again: again, Fence: fence, Within: f.claim.Seed.Marked, Name: entry.Name, Text: entry.Text, Nth: entry.Number,
		Content: measured, HTTP: exchangeOf(&entry),
		Archive: seedlist.Archive{Format: f.format, MTime: entry.ModTime, URI: entry.URI, ContentType: entry.ContentType}}
	if entry.Size >= 0 {
		size := entry.Size
		child.Archive.Size = &size
	}
	f.held.children = append(f.held.children, child)
	f.n++
	f.bytes += measured.NumberOfBytes
	return nil
}

// spill writes what is held to the temporary file.
func (f *entryFiler) spill() error {
	if f.spilled == nil {
		file, err := os.CreateTemp(f.runner.opt.Temp, "laundromat-entries-*")
		if err != nil {
			return spillError(err)
		}
		os.Remove(file.Name()) // where that fails, end does it
		f.spilled, f.buffer = file, bufio.NewWriterSize(file, 64<<10)
		f.out = json.NewEncoder(f.buffer)
	}
	old := f.held.old
	for i, child := range f.held.children {
		aside, err := f.held.pending[i].Aside()
		if err != nil {
			return err
		}
		line := spilledEntry{Name: []byte(child.Name), Child: child, File: aside}
		line.Child.Name = ""
		for len(old) > 0 && files.HashOf(old[0].Key) == files.HashOf(aside.Hash) {
			line.Old = append(line.Old, old[0])
			old = old[1:]
		}
		if err := f.out.Encode(line); err != nil {
			return spillError(err)
		}
	}
	f.held = entriesHeld{children: f.held.children[:0], pending: f.held.pending[:0], old: f.held.old[:0]}
	return nil
}

func spillError(err error) error {
	return fault.New("states.entryFiler", fault.Local, fault.LocalDisk, "what is known of the entries could not be kept: %w", err)
}

// drop throws away what is there of an entry that was not read to its end.
func (f *entryFiler) drop() {
	for i := len(f.held.children); i < len(f.held.pending); i++ {
		f.held.pending[i].Abort()
	}
	f.held.pending = f.held.pending[:len(f.held.children)]
}

// fileAll files all entries before the archive's record is completed, a part at a time. The
// function layers puts into that record what its entries need to be opened within limits.
func (f *entryFiler) fileAll(layers func(*seedlist.Record)) error {
	if f.spilled == nil {
		held := f.held
		if err := f.filePart(held, layers); err != nil {
			return err
		}
		f.held = entriesHeld{}
		return nil
	}
	if err := f.spill(); err != nil {
		return err
	}
	if err := f.buffer.Flush(); err != nil {
		return spillError(err)
	}
	if _, err := f.spilled.Seek(0, io.SeekStart); err != nil {
		return spillError(err)
	}
	in := json.NewDecoder(bufio.NewReaderSize(f.spilled, 64<<10))
	for more := true; more; {
		part := entriesHeld{}
		for len(part.children) < f.runner.opt.EntriesHeld {
			var line spilledEntry
			if err := in.Decode(&line); err == io.EOF {
				more = false
				break
			} else if err != nil {
				return spillError(err)
			}
			line.Child.Name = string(line.Name)
			pending, err := f.batch.Take(line.File)
			if err != nil {
				return err
			}
			part.children = append(part.children, line.Child)
			part.pending = append(part.pending, pending)
			part.old = append(part.old, line.Old...)
		}
		if err := f.filePart(part, layers); err != nil {
			return err
		}
		layers = nil
	}
	return nil
}

// filePart commits the files of some entries and makes the entries seeds, as handle
// does it for all of an archive that is small.
func (f *entryFiler) filePart(part entriesHeld, layers func(*seedlist.Record)) error {
	if len(part.children) == 0 {
		return nil
	}
	r := f.runner
	r.progress(f.ctx, f.claim, seedlist.Progress{Bytes: f.bytes, Message: "filing entries"})
	r.naming.RLock()
	defer r.naming.RUnlock()
	if err := r.commit(f.ctx, f.claim, part.pending); err != nil {
		return err
	}
	defer r.clear(part.old)()
	filed, err := r.seeds.FileChildren(f.ctx, f.claim, part.children, layers)
	if errors.Is(err, seedlist.ErrLost) {
		r.disown(f.ctx, part.pending)
	}
	if err != nil {
		return err
	}
	f.filed = append(f.filed, filed...)
	r.remove(r.log, part.old)
	return nil
}

// end removes what was not committed.
func (f *entryFiler) end() {
	for _, p := range f.held.pending {
		p.Abort() // one may be open
	}
	f.batch.End()
	if f.spilled != nil {
		f.spilled.Close()
		os.Remove(f.spilled.Name())
		f.spilled = nil
	}
}

// exchangeOf puts the reply that a crawler stored into the words of a record.
func exchangeOf(entry *archive.Entry) []seedlist.Exchange {
	if entry.Reply == nil || entry.URI == "" {
		return nil
	}
	reply := entry.Reply
	return []seedlist.Exchange{{
		URI: entry.URI, Time: reply.Time, Status: reply.Status,
		Version: &seedlist.HTTPVersion{Major: reply.Major, Minor: reply.Minor}, Headers: fetch.Kept(reply.Headers),
	}}
}

// replaces says what the file of an entry is called, and notes which old files an entry that was here before
// leaves. These are the bytes if they changed, and what was found in them if they are read again. If they are,
// whatever the bytes, again is true. The same bytes keep their name, whoever writes them.
func (f *entryFiler) replaces(hash string, suffix files.Suffix, measured digest.Content) (key string, again bool, err error) {
	r := f.runner
	of := seedlist.Claim{Seed: seedlist.Seed{Hash: hash}, Fence: f.claim.Lease()}
	key = r.newKey(&of)
	if f.claim.Seed.ChildrenTotal == nil {
		return key, false, nil
	}
	old, err := r.seeds.Seed(f.ctx, hash)
	if errors.Is(err, seedlist.ErrNotFound) {
		return key, false, nil
	}
	if err != nil {
		return "", false, err
	}
	of.Seed = old
	key = r.newKey(&of)
	marked := f.claim.Seed.Marked
	isStale := r.isStale(&old.Record) || r.recipes.isStale(f.ctx, &old)
	again = old.Washer != "" && isStale || old.Marked != nil || marked != nil && marked.Entries
	notices := r.old(&old, files.Notices)
	switch {
	case old.Content == nil || old.Content.SHA256 != measured.SHA256:
		left := []discarded{r.old(&old, otherForm(suffix)), notices}
		if was := r.old(&old, suffix); was.Key != key {
			left = append(left, was)
		}
		f.held.old = append(f.held.old, spare(&old, left)...)
		return key, again, nil
	case again:
		f.held.old = append(f.held.old, spare(&old, []discarded{notices})...)
	}
	return seedfile.Key(&old, suffix), again, nil
}

// isStale says of a record that another version washed it, or with other flags.
func (r *Runner) isStale(record *seedlist.Record) bool {
	return record.Washer != r.opt.Version || record.Error == nil && !slices.Equal(record.WashedWith, r.opt.Clean.Asked())
}

// writeEntry copies an entry and measures it; one longer than seedfile.MaxPlainEntry is
// compressed on the way.
func writeEntry(to io.Writer, body io.Reader) (digest.Content, files.Suffix, error) {
	measure := digest.NewMeasure()
	head := make([]byte, seedfile.MaxPlainEntry+1)
	n, err := io.ReadFull(body, head)
	measure.Write(head[:n])
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		_, err = to.Write(head[:n])
		return measure.Content(), files.Dirty, err
	case err != nil:
		return digest.Content{}, "", err
	}
	compressor, err := gzip.NewWriterLevel(to, gzip.BestSpeed)
	if err != nil {
		return digest.Content{}, "", err
	}
	if _, err := compressor.Write(head); err != nil {
		return digest.Content{}, "", err
	}
	if _, err := io.Copy(io.MultiWriter(compressor, measure), body); err != nil {
		return digest.Content{}, "", err
	}
	return measure.Content(), files.DirtyGzip, compressor.Close()
}
