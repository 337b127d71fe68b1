package archive

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/bodgit/sevenzip"
	"github.com/mholt/archives"

	"laundromat/internal/fault"
)

// sevenZip walks a 7z archive, once its directory is known to be harmless.
func (w *walk) sevenZip(ctx context.Context, in *tap) error {
	directory, err := readSevenDirectory(in)
	if err != nil {
		return w.sevenZipDamage(err)
	}
	var stop error
	err = archives.SevenZip{}.Extract(ctx, io.NewSectionReader(in, 0, in.src.Size()),
		func(_ context.Context, f archives.FileInfo) error {
			stop = w.sevenZipEntry(directory, f)
			return stop
		})
	switch {
	case stop != nil:
		return stop
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return w.chain.trouble.set(err)
	}
	return w.sevenZipDamage(err)
}

func (w *walk) sevenZipDamage(err error) error {
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
	w.note(code, fault.Drop, "", "the 7z archive %s and its directory can't be read", damageVerb(code))
	return nil
}

func (w *walk) sevenZipEntry(directory *sevenDirectory, f archives.FileInfo) error {
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
	if f.Size() != 0 && h.Stream < len(directory.folders) && directory.folders[h.Stream].encrypted {
		w.note(fault.ArchiveEncrypted, fault.Drop, f.NameInArchive, "it is encrypted")
		return nil
	}
	if f.Size() != 0 && h.Stream < len(directory.folders) && directory.folders[h.Stream].unknown {
		w.note(fault.ArchiveUnsupported, fault.Drop, f.NameInArchive, "it is packed in a way that can't be read")
		return nil
	}
	file, err := f.Open()
	if err != nil {
		if w.chain.trouble.err != nil {
			return errStop
		}
		b := &body{w: w, name: f.NameInArchive}
		b.damage(err)
		return nil
	}
	e := Entry{Name: f.NameInArchive, ModTime: f.ModTime(), Size: f.Size()}
	if e.Size < 0 {
		e.Size = -1
	}
	before := w.n
	err = w.entry(e, file, checks{size: e.Size, crc: h.CRC32, hasCRC: h.CRC32 != 0})
	file.Close() // it only looks for its place in the stream, for the next entry
	if err != nil {
		return err
	}
	return w.passOver(e.Size - (w.n - before))
}
