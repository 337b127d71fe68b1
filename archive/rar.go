package archive

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/nwaples/rardecode/v2"

	"laundromat/internal/fault"
)

// rarReader is the library's, of one file or of several.
type rarReader interface {
	io.Reader
	Next() (*rardecode.FileHeader, error)
}

// openRar opens a rar as far as its headers are sound; code is what ends them. Of several parts,
// each has headers of its own. Links are the files of one part that are links.
func (w *walk) openRar(in *tap) (r rarReader, links []bool, code fault.Code, err error) {
	memory := rardecode.MaxDictionarySize(int64(w.o.limits.window()))
	joined, isJoined := in.src.(*Joined)
	if !isJoined {
		end, links, code := soundRar(in)
		r, err := rardecode.NewReader(io.NewSectionReader(in, 0, end), memory)
		if err != nil {
			return nil, nil, code, err
		}
		return r, links, code, nil
	}
	folder := rarFolder{in: in}
	for i := range joined.parts {
		from, to := joined.starts[i], joined.starts[i+1]
		part := &tap{ctx: in.ctx, src: io.NewSectionReader(in, from, to-from), trouble: in.trouble}
		var head [rarMark5]byte
		if part.ReadAt(head[:], 0); !isRar(head[:]) {
			code = fault.ArchiveCorrupt
			break
		}
		end, _, partCode := soundRar(part)
		folder.parts = append(folder.parts, rarSection{from, from + end})
		if code = partCode; code != "" {
			break
		}
	}
	all, err := rardecode.OpenReader(rarFolderFirst, rardecode.FileSystem(folder), memory)
	if err != nil {
		return nil, nil, code, err
	}
	return all, nil, code, nil
}

// rar walks a rar archive, versions 1.5 to 5, as far as its headers are sound. The
// library can't go on after a broken header, and a second Next after an error is
// not allowed.
func (w *walk) rar(_ context.Context, in *tap) error {
	in, err := w.behindProgram(in, isRarStart)
	if err != nil {
		return err
	}
	r, links, code, err := w.openRar(in)
	if w.chain.trouble.err != nil {
		return errStop
	}
	if err != nil {
		return w.rarDamage(err, code)
	}
	for number := 0; ; number++ {
		h, err := r.Next()
		if err == io.EOF && code == "" {
			return nil
		}
		if err != nil {
			return w.rarDamage(err, code)
		}
		if err := w.met(); err != nil {
			return err
		}
		switch {
		case h.IsDir:
			continue
		case h.Mode()&fs.ModeType&^fs.ModeSymlink != 0:
			w.device(h.Name)
			continue
		case h.Mode()&fs.ModeSymlink != 0, number < len(links) && links[number]:
			w.note(fault.ArchiveLink, fault.Warning, h.Name, "it is a link")
			continue
		case h.Encrypted:
			w.note(fault.ArchiveEncrypted, fault.Drop, h.Name, "it is encrypted")
			continue
		}
		e := Entry{Name: h.Name, ModTime: h.ModificationTime, Size: h.UnPackedSize}
		if h.UnKnownSize {
			e.Size = -1
		}
		if err := w.entry(e, r, checks{size: e.Size}); err != nil {
			return err
		}
		if h.Solid { // what nobody read is unpacked all the same
			n, _ := io.Copy(io.Discard, guarded{w.guard(), r})
			if w.chain.trouble.err != nil {
				return errStop
			}
			if err := w.passOver(n); err != nil {
				return err
			}
		}
	}
}

// rarDamage ends a walk at an error of the library, or at a header that was found
// broken before.
func (w *walk) rarDamage(err error, code fault.Code) error {
	if w.chain.trouble.err != nil {
		return errStop
	}
	w.place++
	if said := rarCode(err); code == "" || said == fault.ArchiveEncrypted || said == fault.ArchiveUnsupported {
		code = said
	}
	switch code {
	case fault.ArchiveEncrypted:
		w.note(code, fault.Drop, "", "the rar archive is encrypted")
	default:
		if code == fault.ArchiveTruncated && w.cut {
			return nil // reported already, of the entry itself
		}
		w.note(code, fault.Drop, "", "the rar archive %s before its entry %d", damageVerb(code), w.place)
	}
	return nil
}

func rarCode(err error) fault.Code {
	switch {
	case isEncrypted(err):
		return fault.ArchiveEncrypted
	case errors.Is(err, rardecode.ErrDictionaryTooLarge):
		return fault.LimitMemory
	case errors.Is(err, rardecode.ErrMultiVolume),
		errors.Is(err, rardecode.ErrUnknownDecoder), errors.Is(err, rardecode.ErrUnsupportedDecoder),
		errors.Is(err, rardecode.ErrUnknownVersion), errors.Is(err, rardecode.ErrPlatformIntSize):
		return fault.ArchiveUnsupported
	case errors.Is(err, rardecode.ErrUnexpectedArcEnd), errors.Is(err, rardecode.ErrDecoderOutOfData),
		errors.Is(err, rardecode.ErrShortFile):
		return fault.ArchiveTruncated
	case errors.Is(err, rardecode.ErrBadFileChecksum):
		return fault.ArchiveChecksum
	}
	return damageCode(err)
}

// isEncrypted says whether an error of rar means that a password is wanted.
func isEncrypted(err error) bool {
	return errors.Is(err, rardecode.ErrArchiveEncrypted) || errors.Is(err, rardecode.ErrArchivedFileEncrypted) ||
		errors.Is(err, rardecode.ErrBadPassword)
}
