package branch_test

import (
	"bytes"
	"hash/crc32"
	"io"
	"testing"
	"testing/iotest"

	"laundromat/internal/branch"
)

// program is bytes that are often instructions which the filters look for.
func program(n int) []byte {
	often := []byte{0xE8, 0xE9, 0, 0xFF, 0x48, 1, 0xEB, 0xF0, 0xF8, 0x40, 0x7F, 0x94, 0x90, 0x97, 0xB0, 0x10, 0x12, 0x16, 0x18, 0x1C, 0x50,
		0xC0}
	x := uint64(88172645463325252)
	out := make([]byte, n)
	for i := range out {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		if x>>32&1 == 1 {
			out[i] = often[x%uint64(len(often))]
		} else {
			out[i] = byte(x >> 40)
		}
	}
	return out
}

// The checksums are those of what xz 5.4.1 makes of the same bytes, stored in LZMA2, by
// xz --format=raw -dc --x86 --lzma2 and the like.
func TestFiltersAreUndoneAsXzUndoesThem(t *testing.T) {
	data := program(20001)
	processor := func(kind branch.Kind, start uint32) func(io.Reader) io.Reader {
		return func(in io.Reader) io.Reader { return branch.NewReader(in, kind, start) }
	}
	delta := func(distance int) func(io.Reader) io.Reader {
		return func(in io.Reader) io.Reader { return branch.NewDelta(in, distance) }
	}
	for _, c := range []struct {
		name string
		undo func(io.Reader) io.Reader
		sum  uint32
	}{
		{"x86", processor(branch.X86, 0), 0x24a638ff},
		{"PPC", processor(branch.PPC, 0), 0x262208c6},
		{"IA64", processor(branch.IA64, 0), 0xf00f109b},
		{"ARM", processor(branch.ARM, 0), 0x5eb61874},
		{"ARM Thumb", processor(branch.ARMThumb, 0), 0xe854e0d1},
		{"SPARC", processor(branch.SPARC, 0), 0xa36b6ad6},
		{"ARM64", processor(branch.ARM64, 0), 0x204216d1},
		{"x86 from 4096 on", processor(branch.X86, 4096), 0x0bbc373f},
		{"ARM from 4096 on", processor(branch.ARM, 4096), 0xe0a9d671},
		{"Delta 1", delta(1), 0xaf76a459},
		{"Delta 255", delta(255), 0x5798f043},
		{"Delta 256", delta(256), 0xa90ed17a},
	} {
		for _, in := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data)),
			iotest.DataErrReader(bytes.NewReader(data))} {
			got, err := io.ReadAll(c.undo(in))
			if err != nil || len(got) != len(data) || crc32.ChecksumIEEE(got) != c.sum {
				t.Errorf("%s: %d bytes, checksum %#x, want %#x, error %v", c.name, len(got), crc32.ChecksumIEEE(got), c.sum, err)
			}
		}
	}
}
