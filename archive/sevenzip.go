package archive

import (
	"context"
	"errors"
	"io/fs"

	"github.com/bodgit/sevenzip"
	"github.com/mholt/archives"

	"laundromat/internal/fault"
)

// oneSevenZip walks a 7z archive, once its directory is known to be harmless, and
// returns where it ends.
func (w *walk) oneSevenZip(ctx context.Context, in *tap) (end int64, err error) {
	size := in.src.Size()
	directory, err := readSevenDirectory(in)
	if err != nil {
		stop := w.sevenZipDamage(err, "; with it the names of its files are lost, and where each ends")
		if code := damageCode(err); stop == nil && (code == fault.ArchiveTruncated || code == fault.ArchiveCorrupt && !errors.Is(err, errSevenEncrypted)) {
			return size, w.sevenRescue(in)
		}
		return size, stop
	}
	if directory.isEmpty() {
		return directory.end, nil
	}
	z := &sevenWalk{in: in, folders: directory.folders}
	defer z.close()
	var stop error
	err = archives.SevenZip{}.Extract(ctx, directory.source(in),
		func(_ context.Context, f archives.FileInfo) error {
			stop = w.sevenZipEntry(z, f)
			return stop
		})
	switch {
	case stop != nil:
		return size, stop
	case err == nil:
		return directory.end, nil
	case ctx.Err() != nil:
		return size, w.chain.trouble.set(err)
	}
	return size, w.sevenZipDamage(err, "")
}

func (w *walk) sevenZipDamage(err error, more string) error {
	if w.chain.trouble.err != nil {
		return errStop
	}
	if fault.KindOf(err) == fault.Limit {
		return w.chain.trouble.set(err)
	}
	w.place++
	if errors.Is(err, errSevenEncrypted) || isEncrypted(err) {
		w.note(fault.ArchiveEncrypted, fault.Drop, "", "the directory of the 7z archive is encrypted")
		return nil
	}
	code := damageCode(err)
	w.note(code, fault.Drop, "", "the 7z archive %s and its directory can't be read%s", damageVerb(code), more)
	return nil
}

// sevenWalk is the place of a walk in the folders.
type sevenWalk struct {
	in      *tap
	folders []sevenFolderInfo
	now     *sevenStream // the one that is read without the library
	next    int64        // where its next file begins
	broken  int          // the number of the last one that the library found damaged, plus one
}

func (z *sevenWalk) close() {
	if z.now != nil {
		z.now.close()
	}
}

func (w *walk) sevenZipEntry(z *sevenWalk, f archives.FileInfo) error {
	if err := w.met(); err != nil {
		return err
	}
	switch mode := f.Mode(); {
	case mode&fs.ModeSymlink != 0:
		w.note(fault.ArchiveLink, fault.Warning, f.NameInArchive, "it is a link")
		return nil
	case mode.IsDir():
		return nil
	case mode&fs.ModeType != 0:
		w.device(f.NameInArchive)
		return nil
	}
	h, _ := f.Header.(sevenzip.FileHeader)
	e := Entry{Name: f.NameInArchive, ModTime: f.ModTime(), Size: f.Size()}
	sum := checks{size: e.Size, crc: h.CRC32, hasCRC: h.CRC32 != 0}
	if e.Size <= 0 || h.Stream >= len(z.folders) {
		if e.Size < 0 {
			e.Size, sum.size = -1, -1
		}
		return w.sevenZipFromLibrary(f, e, sum)
	}
	folder := &z.folders[h.Stream]
	switch {
	case folder.encrypted:
		w.note(fault.ArchiveEncrypted, fault.Drop, e.Name, "it is encrypted")
		return nil
	case folder.unknown != "":
		w.note(fault.ArchiveUnsupported, fault.Drop, e.Name, "it is packed by %s, which can't be read", folder.unknown)
		return nil
	case folder.reads():
		return z.own(w, h.Stream, e, sum)
	case z.broken > h.Stream:
		w.note(fault.ArchiveCorrupt, fault.Drop, e.Name, "it is lost: it lies behind damage in the stream that it is packed in")
		return nil
	}
	if err := w.sevenZipFromLibrary(f, e, sum); err != nil {
		return err
	}
	if w.cut { // the library would unpack all of the stream again, for each file in it
		z.broken = h.Stream + 1
	}
	return nil
}

func (w *walk) sevenZipFromLibrary(f archives.FileInfo, e Entry, sum checks) error {
	file, err := f.Open()
	if err != nil {
		if w.chain.trouble.err != nil {
			return errStop
		}
		b := &body{w: w, name: e.Name}
		b.damage(err)
		return nil
	}
	before := w.n
	err = w.entry(e, file, sum)
	file.Close() // it only looks for its place in the stream, for the next entry
	if err != nil {
		return err
	}
	return w.passOver(e.Size - (w.n - before))
}

// own reads an entry of a folder without the library.
func (z *sevenWalk) own(w *walk, folder int, e Entry, sum checks) error {
	if z.now == nil || z.now.number != folder {
		z.close()
		z.now = newSevenStream(z.in, &z.folders[folder], folder)
		z.next = 0
	}
	begin := z.next
	z.next += e.Size
	if !z.now.skip(begin, z.next) {
		if w.chain.trouble.err != nil {
			return errStop
		}
		z.now.loss(w, e.Name)
		return nil
	}
	before := w.n
	if err := w.entry(e, &solidFile{w: w, f: &z.now.solid, name: e.Name, end: z.next}, sum); err != nil {
		return err
	}
	return w.passOver(e.Size - (w.n - before))
}
