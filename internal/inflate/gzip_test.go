package inflate_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/internal/inflate"
)

// members reads a file of gzip members, one by one, until an error.
func members(data string, open func(in *bufio.Reader) (io.Reader, error)) (all []outcome) {
	in := bufio.NewReaderSize(strings.NewReader(data), len(data)) // plainHead looks at all of a head
	for {
		r, err := open(in)
		if err != nil {
			rest, _ := io.ReadAll(in)
			return append(all, outcome{err: err, rest: string(rest)})
		}
		var b bytes.Buffer
		if _, err = io.CopyN(&b, struct{ io.Reader }{r}, mostOutput); err == nil {
			return append(all, outcome{data: b.String()})
		}
		o := outcome{data: b.String(), err: err}
		if err != io.EOF {
			rest, _ := io.ReadAll(in)
			o.rest = string(rest)
			return append(all, o)
		}
		all = append(all, o)
	}
}

// sameMembers compares with what compress/gzip reads.
func sameMembers(t *testing.T, data string) []outcome {
	t.Helper()
	z := new(inflate.Gzip)
	got := members(data, func(in *bufio.Reader) (io.Reader, error) { return z, z.Reset(in) })
	theirs := new(gzip.Reader)
	want := members(data, func(in *bufio.Reader) (io.Reader, error) {
		_, none := in.Peek(1)
		head, _ := in.Peek(4)
		head = bytes.Clone(head)
		err := theirs.Reset(plainHead(in))
		if err == nil && head[3]>>5 != 0 {
			err = gzip.ErrHeader // RFC 1952 §2.3.1.2 wants it
		}
		if err == io.EOF && none == nil { // a name that is cut short
			err = io.ErrUnexpectedEOF
		}
		theirs.Multistream(false)
		return theirs, err
	})
	for i := range min(len(got), len(want)) {
		same(t, got[i], want[i])
	}
	if len(got) != len(want) {
		t.Fatalf("%d members, %d wanted", len(got), len(want))
	}
	return got
}

// plainHead has a head without fields in the place of one that compress/gzip may refuse. That
// wants a right checksum, and names and comments of at most 511 bytes.
func plainHead(in *bufio.Reader) io.Reader {
	text, _ := in.Peek(in.Size())
	if len(text) < 10 || text[3]&(2|8|16) == 0 || string(text[:3]) != "\x1F\x8B\x08" {
		return in
	}
	flags, n := text[3], 10
	switch {
	case flags&4 != 0 && len(text) < 12:
		n = len(text) + 1 // its length is cut short
	case flags&4 != 0:
		n = 12 + int(text[10]) + int(text[11])<<8
	}
	for _, flag := range []byte{8, 16} {
		if flags&flag == 0 {
			continue
		}
		end := bytes.IndexByte(text[min(n, len(text)):], 0)
		if end < 0 {
			n = len(text) + 1 // cut short, also where nothing follows
			break
		}
		n += end + 1
	}
	n += int(flags & 2)
	if n > len(text) {
		in.Discard(len(text))
		return strings.NewReader("\x1F\x8B") // it is cut short
	}
	in.Discard(n)
	return &behind{"\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\xFF", in}
}

// behind reads bytes, and then no more of in than is asked for.
type behind struct {
	first string
	in    *bufio.Reader
}

func (b *behind) Read(p []byte) (int, error) {
	if b.first == "" {
		return b.in.Read(p)
	}
	n := copy(p, b.first)
	b.first = b.first[n:]
	return n, nil
}

func (b *behind) ReadByte() (byte, error) {
	if b.first == "" {
		return b.in.ReadByte()
	}
	c := b.first[0]
	b.first = b.first[1:]
	return c, nil
}

// TestHeadsOfAllWriters: what a head says beside its method and flags is of no account.
func TestHeadsOfAllWriters(t *testing.T) {
	whole := gzipped(t)[1]
	head := func(flags, extra, system byte, fields string) string {
		return string([]byte{0x1F, 0x8B, 8, flags, 1, 2, 3, 4, extra, system}) + fields + whole[10:]
	}
	const plain = "\x1F\x8B\x08\x02\x00\x00\x00\x00\x00\x13"
	var sum [4]byte
	binary.LittleEndian.PutUint32(sum[:], crc32.ChecksumIEEE([]byte(plain)))
	for name, c := range map[string]struct {
		data  string
		wrong bool
	}{
		"unknown":                {head(0, 0, 255, ""), false},
		"a Mac":                  {head(0, 0, 19, ""), false},
		"200":                    {head(0, 0, 200, ""), false},
		"an odd extra flag":      {head(0, 77, 14, ""), false},
		"text":                   {head(1, 0, 3, ""), false},
		"a name of 512 bytes":    {head(8, 0, 3, strings.Repeat("n", 512)+"\x00"), false},
		"a name of 3,000 bytes":  {head(8, 0, 3, strings.Repeat("n", 3000)+"\x00"), false},
		"a comment of 100,000":   {head(16, 0, 3, strings.Repeat("c", 100_000)+"\x00"), false},
		"an extra field of all":  {head(4, 0, 3, "\xFF\xFF"+strings.Repeat("x", 65535)), false},
		"a wrong checksum":       {head(2, 0, 3, "ab"), true},
		"with a name, too":       {head(10, 0, 19, "name\x00ab"), true},
		"a right checksum":       {plain + string(sum[:2]) + whole[10:], false},
		"all of them, and wrong": {head(31, 9, 99, "\x01\x00xn\x00c\x00ab"), true},
	} {
		var z inflate.Gzip
		err := z.Reset(bufio.NewReader(strings.NewReader(c.data)))
		if text, readErr := io.ReadAll(&z); err != nil || readErr != nil || string(text) != "some text" || z.WrongHeadSum != c.wrong {
			t.Errorf("%s: %q, wrong sum %v, errors %v, %v", name, text, z.WrongHeadSum, err, readErr)
		}
	}
}

// gzipped are files of one member and of several, with all that a head may have.
func gzipped(t testing.TB) []string {
	var all []string
	for _, header := range []gzip.Header{{}, {Name: "a name", Comment: "no comment: é", Extra: []byte("extra field")}} {
		for _, text := range []string{"", "some text", strings.Repeat("some more text ", 200)} {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			w.Header = header
			io.WriteString(w, text)
			w.Close()
			all = append(all, b.String())
		}
	}
	fields := "\x1F\x8B\x08\x02\x00\x00\x00\x00\x00\xFF"
	plain := all[1][10:]
	// two checksums of the head, one of which may be right
	all = append(all, fields+"\x00\x00"+plain, fields+"\xF1\x29"+plain,
		"\x1F\x8B\x08\x80\x00\x00\x00\x00\x00\xFF"+plain, // a flag that means nothing
		"\x1F\x8B\x07"+all[1][3:],
		"\x1F\x8B\x08\x08\x00\x00\x00\x00\x00\xFF"+strings.Repeat("n", 511)+"\x00"+plain,
		"\x1F\x8B\x08\x08\x00\x00\x00\x00\x00\xFF"+strings.Repeat("n", 512)+"\x00"+plain,
		all[0]+all[1]+all[2]+all[3], all[5]+"\x00\x00"+all[5], all[2]+"\x1F\x8Bno member")
	return all
}

func FuzzMembersAsGzip(f *testing.F) {
	for _, data := range gzipped(f) {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) { sameMembers(t, string(data)) })
}

func TestCutOrDamagedMembersAreAsForGzip(t *testing.T) {
	for _, data := range gzipped(t) {
		sameMembers(t, data)
		for n := range len(data) {
			sameMembers(t, data[:n])
			sameMembers(t, data[:n]+string([]byte{data[n] ^ 1})+data[n+1:])
			sameMembers(t, data[:n]+string([]byte{data[n] ^ 0x80})+data[n+1:])
		}
	}
}

func TestMembersAreReadAsOneFile(t *testing.T) {
	files := gzipped(t)
	for _, data := range append(files, strings.Repeat(files[0], 1000)+files[1]) { // many without data
		theirs, wantErr := gzip.NewReader(strings.NewReader(data))
		ours, err := inflate.NewMembers(bufio.NewReader(strings.NewReader(data)))
		if wantErr == nil && theirs != nil && data[3]>>5 != 0 || wantErr == gzip.ErrHeader && err == nil {
			continue // which only one of them refuses
		}
		if err != wantErr {
			t.Fatalf("%v, %v wanted", err, wantErr)
		}
		if err != nil {
			continue
		}
		want, wantErr := io.ReadAll(theirs)
		got, err := io.ReadAll(ours)
		if string(got) != string(want) || err != wantErr {
			t.Errorf("%d bytes, %v; %d bytes, %v wanted", len(got), err, len(want), wantErr)
		}
	}
}

func TestWrongSumOrLengthIsToldBehindTheMember(t *testing.T) {
	whole := gzipped(t)[2]
	for _, from := range []int{4, 8} { // of the end
		at := len(whole) - from
		in := bufio.NewReader(strings.NewReader(whole[:at] + string([]byte{whole[at] ^ 1}) + whole[at+1:] + "rest"))
		var z inflate.Gzip
		if err := z.Reset(in); err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(&z)
		rest, _ := io.ReadAll(in)
		if string(data) != strings.Repeat("some more text ", 200) || !errors.Is(err, gzip.ErrChecksum) || string(rest) != "rest" {
			t.Errorf("%d bytes, %v, then %q", len(data), err, rest)
		}
	}
}

func TestMembersOfOtherPackersComeOut(t *testing.T) {
	for _, name := range []string{"one", "lines", "far", "noise"} {
		text := texts()[name]
		text = text[:min(len(text), 200_000)]
		file := filepath.Join(t.TempDir(), "text")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, packer := range []string{
			"gzip -1", "gzip -9", "pigz -6 -b 128 -p 2", "pigz -9 -i", "pigz -11 -I 1 -O", "igzip -0", "igzip -1", "igzip -3",
			"zopfli --i1 -c", "7z a -si -so -tgzip -mx1 x", "7z a -si -so -tgzip -mx9 x", "libdeflate-gzip -12 -c",
		} {
			words := strings.Fields(packer)
			if _, err := exec.LookPath(words[0]); err != nil {
				continue
			}
			command := exec.Command(words[0], words[1:]...)
			if words[0] == "zopfli" {
				command.Args = append(command.Args, file)
			} else {
				in, err := os.Open(file)
				if err != nil {
					t.Fatal(err)
				}
				defer in.Close()
				command.Stdin = in
			}
			packed, err := command.Output()
			if err != nil {
				t.Logf("%s: %v", packer, err)
				continue
			}
			got := ""
			for _, o := range sameMembers(t, string(packed)+string(packed)) {
				got += o.data
			}
			if got != text+text {
				t.Errorf("%s of %s: %d bytes of %d came out", packer, name, len(got), 2*len(text))
			}
		}
	}
}
