package archive

import (
	"bufio"
	"compress/bzip2"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/zip"
	"github.com/klauspost/compress/zlib"

	"laundromat/internal/fault"
)

// A xar has a head, a table of contents and a heap. The table is XML packed by zlib; in the
// heap are the files, each packed by itself. The table is read as a stream; of one that is
// damaged, the files that it names before the damage are read.

const (
	xarMark     = "xar!"
	xarHead     = 28
	xarMaxTable = 1 << 30 // bytes of the table, unpacked; it is not held
	xarMaxDepth = 256     // folders in each other
	xarMaxText  = 64 << 10
)

var errXar = errors.New("archive: a xar whose table isn't a table")

// isXar wants version 1 and a head that is as long as that of version 1, or longer.
func isXar(head []byte) bool {
	return len(head) >= xarHead && string(head[:4]) == xarMark && head[6] == 0 && head[7] == 1 &&
		binary.BigEndian.Uint16(head[4:]) >= xarHead
}

// xarFile is an element of the table, a file or a folder.
type xarFile struct {
	name         string
	kind         string // what <type> holds: "file", "directory", "symlink", …
	modified     time.Time
	hasData      bool
	at, length   int64 // in the heap, as packed
	size         int64
	style        string // media type of how it is packed; "" for not at all
	sum, sumText string // kind of the checksum of the unpacked bytes, and the sum in hex
}

// xar walks the files that the table of contents names.
func (w *walk) xar(in *tap) error {
	var head [xarHead]byte
	in.ReadAt(head[:], 0)
	be := binary.BigEndian
	start, length := int64(be.Uint16(head[4:])), be.Uint64(head[8:])
	if length > uint64(in.src.Size()) {
		length = uint64(in.src.Size()) // cut short in its table
	}
	packed := bufio.NewReaderSize(io.NewSectionReader(in, start, int64(length)), layerBuffer)
	table, err := zlib.NewReader(packed)
	if err == nil {
		r := &xarReader{w: w, in: in, heap: start + int64(length), xml: xml.NewDecoder(io.LimitReader(table, xarMaxTable))}
		err = r.table()
	}
	switch {
	case w.chain.trouble.err != nil:
		return errStop
	case err == nil:
		return nil
	}
	var stopped *xarStopped
	if errors.As(err, &stopped) {
		return stopped.err
	}
	w.place++
	code := damageCode(err)
	w.note(code, fault.Drop, "", "the table of contents of the xar %s; the files that it names from there on are lost", damageVerb(code))
	return nil
}

// xarStopped is an error of the caller, among those of the table.
type xarStopped struct{ err error }

func (s *xarStopped) Error() string { return s.err.Error() }

// xarReader reads the table.
type xarReader struct {
	w     *walk
	in    *tap
	heap  int64 // where it begins
	xml   *xml.Decoder
	path  []string  // names of the elements that are open
	files []xarFile // those of them that are files
	text  strings.Builder
	based bool // the name that is open is written in base64
}

// table reads the elements up to the end. Its errors are those of the data, or *xarStopped.
func (r *xarReader) table() error {
	for {
		token, err := r.xml.RawToken()
		if err == io.EOF && len(r.path) == 0 {
			return nil
		}
		if err != nil {
			return cutShort(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			r.begin(token)
		case xml.CharData:
			if r.text.Len()+len(token) <= xarMaxText {
				r.text.Write(token)
			}
		case xml.EndElement:
			if len(r.path) == 0 || r.path[len(r.path)-1] != token.Name.Local {
				return errXar
			}
			if err := r.end(); err != nil {
				return err
			}
		}
		if len(r.path) > xarMaxDepth+8 {
			return errXar
		}
	}
}

func (r *xarReader) begin(token xml.StartElement) {
	name := token.Name.Local
	r.path = append(r.path, name)
	r.text.Reset()
	attribute := func(name string) string {
		for _, a := range token.Attr {
			if a.Name.Local == name {
				return a.Value
			}
		}
		return ""
	}
	if name == "file" {
		r.files = append(r.files, xarFile{size: -1})
		return
	}
	f, where := r.within()
	switch {
	case f == nil:
	case where == "file/name":
		r.based = attribute("enctype") == "base64"
	case where == "file/data":
		f.hasData = true
	case where == "data/encoding":
		f.style = attribute("style")
	case where == "data/extracted-checksum":
		f.sum = strings.ToLower(attribute("style"))
	}
}

// within is the file that the current element belongs to, and its name below that of its
// parent. The contents of extended attributes have the same names, but other parents.
func (r *xarReader) within() (*xarFile, string) {
	n := len(r.path)
	switch {
	case len(r.files) == 0 || n < 2:
		return nil, ""
	case r.path[n-2] == "file", n >= 3 && r.path[n-2] == "data" && r.path[n-3] == "file":
		return &r.files[len(r.files)-1], r.path[n-2] + "/" + r.path[n-1]
	}
	return nil, ""
}

func (r *xarReader) end() error {
	name := r.path[len(r.path)-1]
	text := strings.TrimSpace(r.text.String())
	if name == "file" && len(r.files) > 0 {
		err := r.file()
		r.files = r.files[:len(r.files)-1]
		r.path = r.path[:len(r.path)-1]
		return err
	}
	if f, where := r.within(); f != nil {
		number := func() int64 {
			v, err := strconv.ParseInt(text, 10, 64)
			if err != nil || v < 0 {
				return -1
			}
			return v
		}
		switch where {
		case "file/name":
			f.name = r.text.String()
			if raw, err := base64.StdEncoding.DecodeString(text); r.based && err == nil {
				f.name = string(raw)
			}
		case "file/type":
			f.kind = text
		case "file/mtime":
			f.modified, _ = time.Parse(time.RFC3339, text)
		case "data/offset":
			f.at = number()
		case "data/length":
			f.length = number()
		case "data/size":
			f.size = number()
		case "data/extracted-checksum":
			f.sumText = strings.ToLower(text)
		}
	}
	r.path = r.path[:len(r.path)-1]
	r.text.Reset()
	return nil
}

// file hands on the file whose element ends.
func (r *xarReader) file() error {
	w, f := r.w, &r.files[len(r.files)-1]
	if err := w.met(); err != nil {
		return &xarStopped{err}
	}
	var path []string
	for i := range r.files {
		path = append(path, r.files[i].name)
	}
	name := strings.Join(path, "/")
	switch f.kind {
	case "file", "hardlink", "":
	case "directory":
		return nil
	case "symlink":
		w.note(fault.ArchiveLink, fault.Warning, name, "it is a link")
		return nil
	default:
		w.device(name)
		return nil
	}
	if !f.hasData {
		if f.kind == "hardlink" {
			w.note(fault.ArchiveLink, fault.Warning, name, "it is a link")
			return nil
		}
		f.size = 0
	}
	if f.at < 0 || f.length < 0 || f.at > r.in.src.Size() {
		w.note(fault.ArchiveCorrupt, fault.Drop, name, "the table points to a place where it is not")
		return nil
	}
	out, err := f.unpack(bufio.NewReaderSize(io.NewSectionReader(r.in, r.heap+f.at, f.length), layerBuffer), w.o.limits.window())
	if err != nil {
		if errors.Is(err, zip.ErrAlgorithm) {
			w.cut = true
			w.note(fault.ArchiveUnsupported, fault.Drop, name, "it is packed as %s, which can't be unpacked",
				fault.Excerpt([]byte(f.style)))
			return nil
		}
		(&body{w: w, name: name}).damage(err)
		return nil
	}
	defer out.Close()
	if err := w.entry(Entry{Name: name, ModTime: f.modified, Size: f.size}, f.summed(out), checks{size: f.size}); err != nil {
		return &xarStopped{err}
	}
	return nil
}

// unpack opens a file's data. What the table calls gzip is zlib.
func (f *xarFile) unpack(packed *bufio.Reader, memory int) (io.ReadCloser, error) {
	switch f.style {
	case "", "application/octet-stream":
		return io.NopCloser(packed), nil
	case "application/x-gzip", "application/zlib":
		out, err := zlib.NewReader(packed)
		if err != nil {
			return nil, cutShort(err)
		}
		return out, nil
	case "application/x-bzip2":
		return io.NopCloser(bzip2.NewReader(packed)), nil
	case "application/x-lzma":
		out, err := lzmaMembers{memory}.open(packed)
		if err != nil {
			return nil, err
		}
		return io.NopCloser(out), nil
	case "application/x-xz":
		return newMemberStream(packed, &xzBlocks{memory: memory}), nil
	}
	return nil, zip.ErrAlgorithm
}

// summed holds what comes against the file's checksum, if its kind is known.
func (f *xarFile) summed(out io.Reader) io.Reader {
	var sum hash.Hash
	switch f.sum {
	case "md5":
		sum = md5.New()
	case "sha1":
		sum = sha1.New()
	case "sha256":
		sum = sha256.New()
	case "sha512":
		sum = sha512.New()
	default:
		return out
	}
	return &summedReader{in: out, sum: sum, want: f.sumText, size: f.size}
}

// summedReader ends with errWrongSum if so many bytes came and their sum is another.
type summedReader struct {
	in   io.Reader
	sum  hash.Hash
	want string // in hex
	size int64
	n    int64
}

func (s *summedReader) Read(p []byte) (int, error) {
	n, err := s.in.Read(p)
	s.sum.Write(p[:n])
	s.n += int64(n)
	if err == io.EOF && s.n == s.size && hex.EncodeToString(s.sum.Sum(nil)) != s.want {
		err = fmt.Errorf("%w: %s", errWrongSum, s.want)
	}
	return n, err
}
