package archive

import (
	"context"
	"errors"
	"strings"

	"laundromat/archive/sevenzip"
	"laundromat/internal/fault"
)

// oneSevenZip walks a 7z archive, and returns where it ends.
func (w *walk) oneSevenZip(_ context.Context, in *tap) (end int64, err error) {
	whole := in.src.Size()
	if in, err = w.behindProgram(in, isSevenStart); err != nil {
		return whole, err
	}
	size := in.src.Size()
	defer func() { end += whole - size }()
	directory, err := sevenzip.Read(in, size, w.o.limits.window())
	if err != nil {
		stop := w.sevenZipDamage(err, "; with it the names of its files are lost, and where each ends")
		if code := damageCode(err); stop == nil && (code == fault.ArchiveTruncated || code == fault.ArchiveCorrupt &&
			!errors.Is(err, sevenzip.ErrEncrypted)) {
			return size, w.sevenRescue(in)
		}
		return size, stop
	}
	z := &sevenWalk{in: in, folders: directory.Folders}
	defer z.close()
	for i := range directory.Files {
		if err := w.sevenZipEntry(z, &directory.Files[i]); err != nil {
			return size, err
		}
	}
	return directory.End, nil
}

func (w *walk) sevenZipDamage(err error, more string) error {
	if w.chain.trouble.err != nil {
		return errStop
	}
	if fault.KindOf(err) == fault.Limit {
		return w.chain.trouble.set(err)
	}
	w.place++
	if errors.Is(err, sevenzip.ErrEncrypted) {
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
	folders []sevenzip.Folder
	now     *sevenStream
	number  int   // of the folder that now unpacks
	next    int64 // where in that the next file begins
}

func (z *sevenWalk) close() {
	if z.now != nil {
		z.now.close()
	}
}

// begin gives an entry its part of a folder. What is not read has a part too: a link has its
// target there.
func (z *sevenWalk) begin(w *walk, f *sevenzip.File) (begin int64) {
	if z.now == nil || z.number != f.Folder {
		z.close()
		z.now, z.number, z.next = newSevenStream(w, z.in, &z.folders[f.Folder]), f.Folder, 0
	}
	begin = z.next
	z.next += f.Size
	return begin
}

func (w *walk) sevenZipEntry(z *sevenWalk, f *sevenzip.File) error {
	if err := w.met(); err != nil {
		return err
	}
	begin := int64(0)
	if f.Folder >= 0 {
		begin = z.begin(w, f)
	}
	switch f.Kind {
	case sevenzip.Link:
		w.note(fault.ArchiveLink, fault.Warning, f.Name, "it is a link")
		return nil
	case sevenzip.DirectoryKind, sevenzip.Anti:
		return nil
	case sevenzip.Device:
		w.device(f.Name)
		return nil
	}
	e := Entry{Name: f.Name, ModTime: f.Modified, Size: f.Size}
	sum := checks{size: f.Size, crc: f.CRC, hasCRC: f.HasCRC}
	if f.Size == 0 {
		return w.entry(e, strings.NewReader(""), sum)
	}
	switch folder := &z.folders[f.Folder]; {
	case folder.IsEncrypted:
		w.note(fault.ArchiveEncrypted, fault.Drop, e.Name, "it is encrypted")
		return nil
	case folder.Unknown != "":
		w.note(fault.ArchiveUnsupported, fault.Drop, e.Name, "it is packed by %s, which can't be read", folder.Unknown)
		return nil
	case !z.now.skip(begin, z.next):
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
