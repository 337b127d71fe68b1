package archive

import (
	"encoding/binary"
	"hash/crc32"
	"io"
)

// sevenMended is an archive with another head and another directory.
type sevenMended struct {
	in              *tap
	head, directory []byte
	at              int64 // of the directory
}

func (m *sevenMended) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		at := off + int64(n)
		var k int
		switch {
		case at < sevenHead:
			k = copy(p[n:], m.head[at:])
		case at < m.at:
			k, err = m.in.ReadAt(p[n:min(int64(len(p)), int64(n)+m.at-at)], at)
		case at < m.at+int64(len(m.directory)):
			k = copy(p[n:], m.directory[at-m.at:])
		default:
			err = io.EOF
		}
		if n += k; k == 0 {
			return n, cutShort(err)
		}
		if err != nil && err != io.EOF {
			return n, err
		}
		err = nil
	}
	return n, nil
}

// source is the archive as the library may read it.
func (d *sevenDirectory) source(in *tap) *io.SectionReader {
	if d.plain == nil {
		return io.NewSectionReader(in, 0, d.end)
	}
	le := binary.LittleEndian
	start := le.AppendUint64(nil, uint64(d.packed))
	start = le.AppendUint64(start, uint64(len(d.plain)))
	start = le.AppendUint32(start, crc32.ChecksumIEEE(d.plain))
	head := le.AppendUint32([]byte(sevenMark+"\x00\x04"), crc32.ChecksumIEEE(start))
	head = append(head, start...)
	at := sevenHead + d.packed
	return io.NewSectionReader(&sevenMended{in, head, d.plain, at}, 0, at+int64(len(d.plain)))
}

// cut notes a part that the library can't read, and nobody needs.
func (d *sevenDirectory) cut(from, to int) {
	if from < to {
		d.cuts = append(d.cuts, sevenPart{from, to})
	}
}
