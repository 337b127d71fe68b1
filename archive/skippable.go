package archive

import "encoding/binary"

// A file of zstd or lz4 may begin with frames that hold no data. Both formats have the same
// frames (RFC 8878 §3.1.2, LZ4 Frame Format "Skippable Frames"). Which of the two it is, is
// shown by what follows them.

// isSkippable knows frames that hold no data.
func isSkippable(head []byte) bool { return len(head) >= 8 && isSkippableMark(head) }

func isSkippableMark(head []byte) bool {
	return head[0]&0xF0 == 0x50 && string(head[1:4]) == "\x2A\x4D\x18"
}

// maxSkippable is how many such frames are looked after.
const maxSkippable = 1 << 16

// skippableFilter finds the filter of a stream that begins with frames without data. Where
// it has no others, or what follows lies too deep in another filter, the name decides.
func (c *chain) skippableFilter(name string) (filter, bool) {
	at := int64(0)
	for range maxSkippable {
		head, isSource := c.headAt(at)
		switch {
		case isSkippable(head):
			at += 8 + int64(binary.LittleEndian.Uint32(head[4:]))
			continue
		case begins(zstdMark)(head):
			return filterNamed("zstd"), true
		case isLz4(head):
			return filterNamed("lz4"), true
		case len(head) > 0:
			return filter{}, false
		case isSource && at > c.tap.src.Size() && !hasSuffix(name, []string{".zst", ".lz4"}):
			return filter{}, false
		}
		break
	}
	if hasSuffix(name, filterNamed("lz4").suffixes) {
		return filterNamed("lz4"), true
	}
	return filterNamed("zstd"), true
}

// headAt returns the beginning of what is at a place of the uppermost stream, where that can
// be known. If the source itself was asked, isEnd is true.
func (c *chain) headAt(at int64) (head []byte, isEnd bool) {
	if len(c.layers) == 0 {
		head = make([]byte, 8)
		n, _ := c.tap.ReadAt(head, at)
		return head[:n], true
	}
	head, _ = c.top.Peek(c.top.Size())
	return head[min(at, int64(len(head))):], false
}

func filterNamed(name string) filter {
	for _, f := range filters {
		if f.name == name {
			return f
		}
	}
	return filter{}
}
