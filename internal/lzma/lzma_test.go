package lzma_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"testing"

	xlzma "github.com/ulikunitz/xz/lzma"

	"laundromat/internal/lzma"
)

// lines is text of about n bytes, which compresses as data does.
func lines(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "<http://example.org/%d> <http://example.org/p%d> \"%x\" .\n", i*7919%10007, i%13, i*2654435761)
	}
	return b.String()
}

// texts are what is packed: nothing, little, what repeats, what does not, what is like data.
func texts() []string {
	noise := make([]byte, 80_000)
	rand.New(rand.NewSource(1)).Read(noise)
	return []string{"", "a", "ab", strings.Repeat("a", 100_000), strings.Repeat("abc", 50_000), lines(100_000), string(noise),
		string(noise[:70_000]) + lines(30_000) + string(noise[:70_000]), lines(3000)}
}

func packed(t testing.TB, text string, p lzma.Properties, window int, size int64) string {
	t.Helper()
	var b bytes.Buffer
	c := xlzma.WriterConfig{Properties: &xlzma.Properties{LC: p.LC, LP: p.LP, PB: p.PB}, DictCap: window, Size: size,
		SizeInHeader: size >= 0, EOSMarker: size < 0}
	w, err := c.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()[13:]
}

func TestWhatWasPackedComesOut(t *testing.T) {
	for i, text := range texts() {
		for _, p := range []lzma.Properties{{LC: 3, PB: 2}, {LC: 4}, {LP: 2, PB: 1}, {LC: 8, LP: 4, PB: 4}} {
			for _, window := range []int{1 << 12, 1<<16 + 3000} {
				for _, size := range []int64{-1, int64(len(text))} {
					name := fmt.Sprintf("text %d, %v, window %d, size %d", i, p, window, size)
					in := bufio.NewReader(strings.NewReader(packed(t, text, p, window, size) +
						"behind it, and more than most symbols take"))
					z := lzma.NewReader(in, p, uint64(window), uint64(size), 1<<20)
					got, err := io.ReadAll(z)
					if err != nil || string(got) != text {
						t.Errorf("%s: %d of %d bytes, error %v", name, len(got), len(text), err)
					}
					if rest, _ := io.ReadAll(in); !bytes.HasPrefix(rest, []byte("behind it")) {
						t.Errorf("%s: behind it is %.20q", name, rest)
					}
				}
			}
		}
	}
}

func packed2(t testing.TB, text string, window int) string {
	t.Helper()
	var b bytes.Buffer
	w, err := xlzma.Writer2Config{DictCap: window}.NewWriter2(&b)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWhatWasPackedByLZMA2ComesOut(t *testing.T) {
	var z lzma.Reader2
	for i, text := range texts() {
		for _, window := range []int{1 << 12, 1<<16 + 3000, 1 << 20} {
			if window == 1<<12 && (i == 6 || i == 7) {
				continue // the packer that the test has makes an error there
			}
			data := packed2(t, text, window)
			in := bufio.NewReader(strings.NewReader(data + "behind"))
			z.Reset(in, uint64(window), 1<<20)
			got, err := io.ReadAll(&z)
			rest, _ := io.ReadAll(in)
			if err != nil || string(got) != text || string(rest) != "behind" || z.Taken() != int64(len(data)) {
				t.Errorf("text %d, window %d: %d of %d bytes, error %v, rest %q", i, window, len(got), len(text), err, rest)
			}
		}
	}
}

func TestInputThatEndsEarlyGivesTheBeginning(t *testing.T) {
	p := lzma.Properties{LC: 3, PB: 2}
	for i, text := range texts()[1:] {
		one, two := packed(t, text, p, 1<<20, -1), packed2(t, text, 1<<20)
		for k := range 15 {
			cut := len(one) * k / 15
			got, err := io.ReadAll(lzma.NewReader(bufio.NewReader(strings.NewReader(one[:cut])), p, 1<<20, lzma.UnknownSize, 1<<20))
			if err != io.ErrUnexpectedEOF || !strings.HasPrefix(text, string(got)) {
				t.Errorf("text %d, cut at %d: %d bytes, error %v", i, cut, len(got), err)
			}
			cut = len(two) * k / 15
			got, err = io.ReadAll(lzma.NewReader2(bufio.NewReader(strings.NewReader(two[:cut])), 1<<20, 1<<20))
			if err != io.ErrUnexpectedEOF || !strings.HasPrefix(text, string(got)) {
				t.Errorf("text %d, LZMA2 cut at %d: %d bytes, error %v", i, cut, len(got), err)
			}
		}
	}
}

func TestMemoryIsTakenForWhatIsThere(t *testing.T) {
	p := lzma.Properties{LC: 3, PB: 2}
	noise := make([]byte, 1_500_000)
	rand.New(rand.NewSource(1)).Read(noise)
	far := lines(300_000) + string(noise) + lines(300_000)
	for _, c := range []struct {
		name   string
		text   string
		memory int
		want   error
	}{
		{"a huge window, little data", lines(1000), 1 << 20, nil},
		{"a huge window, much data, all near", strings.Repeat(lines(1000), 3000), 1 << 20, nil},
		{"a huge window that is needed and may be taken", far, 4 << 20, nil},
		{"a huge window that is needed", far, 1 << 20, lzma.ErrMemory},
	} {
		z := lzma.NewReader(bufio.NewReader(strings.NewReader(packed(t, c.text, p, 4<<20, -1))), p, 1<<32-1, lzma.UnknownSize, c.memory)
		got, err := io.ReadAll(z)
		if err != c.want || !strings.HasPrefix(c.text, string(got)) || c.want == nil && len(got) != len(c.text) {
			t.Errorf("%s: %d of %d bytes, error %v", c.name, len(got), len(c.text), err)
		}
	}
}

// FuzzReader holds that nothing makes a reader fail otherwise than by its errors,
// and that bytes come or the reading ends.
func FuzzReader(f *testing.F) {
	p := lzma.Properties{LC: 3, PB: 2}
	f.Add([]byte(packed(f, lines(3000), p, 1<<16, -1)), byte(0x5D), uint64(1<<64-1))
	f.Add([]byte(packed(f, "abc", lzma.Properties{LC: 8, LP: 4, PB: 4}, 1<<16, 3)), byte(224), uint64(3))
	f.Fuzz(func(t *testing.T, data []byte, b byte, size uint64) {
		p, err := lzma.PropertiesOf(b)
		if err != nil {
			return
		}
		holdLaws(t, lzma.NewReader(bufio.NewReader(bytes.NewReader(data)), p, 1<<16, size, 1<<16))
		holdLaws(t, lzma.NewReader2(bufio.NewReader(bytes.NewReader(data)), 1<<16, 1<<16))
	})
}

func holdLaws(t *testing.T, r io.Reader) {
	p := make([]byte, 1000)
	for range 10_000 {
		n, err := r.Read(p)
		if n == 0 && err == nil {
			t.Fatal("neither a byte nor an error")
		}
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF, lzma.ErrCorrupt, lzma.ErrMemory:
			return
		default:
			t.Fatal(err)
		}
	}
}
