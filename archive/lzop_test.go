package archive_test

import (
	"encoding/binary"
	"hash/adler32"
	"strings"
	"testing"

	"laundromat/archive"
)

// lzopHead is the header of a file of lzop 1.04 with a method and flags.
func lzopHead(method byte, flags uint32) string {
	be := binary.BigEndian
	head := []byte{0x10, 0x40, 0x20, 0xA0, 0x09, 0x40, method, 5}
	head = be.AppendUint32(head, flags)
	head = append(head, make([]byte, 12)...) // mode and time
	head = append(head, "\x01x"...)
	return "\x89LZO\x00\x0D\x0A\x1A\x0A" + string(be.AppendUint32(head, adler32.Checksum(head)))
}

// lzopOf is a file of lzop with a block for each text. One text longer than 64 bytes is
// packed, without its last 50 bytes, which must repeat the 50 before them.
func lzopOf(texts ...string) string {
	be := binary.BigEndian
	out := lzopHead(1, 1)
	for _, text := range texts {
		packed := text
		if n := len(text) - 50; n > 14 {
			packed = string([]byte{byte(17 + n)}) + text[:n] + "\x20\x11\xC4\x00" + "\x11\x00\x00"
		}
		b := be.AppendUint32(nil, uint32(len(text)))
		b = be.AppendUint32(b, uint32(len(packed)))
		out += string(be.AppendUint32(b, adler32.Checksum([]byte(text)))) + packed
	}
	return out + "\x00\x00\x00\x00"
}

func twice(text string) string { return text + text }

func TestFilesOfLzopAreReadBlockByBlock(t *testing.T) {
	a, b, c := twice(strings.Repeat("a line of 25 characters.\n", 2)), twice(strings.Repeat("another of 25 characters\n", 2)), "short\n"
	whole := lzopOf(a, b, c)
	second := strings.Index(whole, b[:40])
	for _, s := range []struct{ name, data, leaf, codes string }{
		{"whole", whole, a + b + c, ""},
		{"two files", whole + lzopOf(c), a + b + c + c, ""},
		{"bytes behind", whole + "<html>", a + b + c, "warning archive/trailing-bytes 0"},
		{"a byte of a block wrong", flip(whole, second+5), a + "\n\x00\x00\n" + c, "drop archive/corrupt 1"},
		{"an instruction wrong", flip(whole, second-1), a + "\n\x00\x00\n" + c, "drop archive/corrupt 1"},
		{"cut in a block", whole[:second+30], a + b[:30], "drop archive/truncated 1"},
		{"cut before the end mark", whole[:len(whole)-4], a + b + c, "drop archive/truncated 1"},
		{"header wrong", flip(whole, 12), "", "drop archive/corrupt 1"},
		{"header wrong, and another file", flip(whole, 12) + lzopOf(c), c, "drop archive/corrupt 1"},
		{"a method that nobody has", lzopHead(9, 1) + whole[len(lzopHead(1, 1)):], "", "drop archive/unsupported 1"},
	} {
		got := readAll(t, s.data, "", archive.Limits{})
		if !got.nothing && got.filters != "lzop" || got.leaf != s.leaf || got.codes() != s.codes || got.err != nil {
			t.Errorf("%s: %.200q, notices %v, error %v", s.name, got.leaf, got.notices, got.err)
		}
	}
}

// FuzzLzop reaches past the header's checksum, and into blocks without one.
func FuzzLzop(f *testing.F) {
	f.Add([]byte(lzopOf(twice(strings.Repeat("x", 50)), "y")[len(lzopHead(1, 1)):]), uint16(1))
	f.Fuzz(func(t *testing.T, data []byte, flags uint16) {
		holdLaws(t, append([]byte(lzopHead(1, uint32(flags))), data...), "")
	})
}
