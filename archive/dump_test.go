package archive

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// wantPage is a page as it was written.
type wantPage struct {
	uri        string
	start, end int64
}

// writeDump makes a dump of at least size bytes whose pages hold what misleads. There are
// lines that are URLs, of the page and of other pages, next to each other and followed by
// markup. There are blank lines, comments before a document, and the beginning of a dump in
// an example. The end of a document is in a script, or nowhere; some pages are empty.
func writeDump(size int, seed uint64) ([]byte, []wantPage) {
	random := rand.New(rand.NewPCG(seed, 7))
	var b bytes.Buffer
	var pages []wantPage
	url := func(i int) string { return fmt.Sprintf("http://host%d.example/page/%d?q=%d", i%97, i, i*i%1009) }
	ends := []string{"\n", "\n", "\n", "\r\n"}
	for i := 0; b.Len() < size; i++ {
		end := ends[random.IntN(len(ends))]
		own := url(i)
		b.WriteString(own + end)
		page := wantPage{uri: own, start: int64(b.Len())}
		kind := random.IntN(20)
		if kind == 0 {
			b.WriteString("<!-- a comment first -->\n\n<!-- and one more -->\n")
		}
		if kind == 1 {
			b.WriteString("\n\n\n")
		}
		if kind != 2 {
			b.WriteString([]string{"<!DOCTYPE html>\n", "<html>\n", "<HTML><HEAD>\n", "<?xml version=\"1.0\"?>\n<rdf:RDF>\n",
				"<head><title>x</title>\n"}[random.IntN(5)])
			for range random.IntN(40) {
				switch random.IntN(14) {
				case 0:
					b.WriteString(own + "\n<i>is this page</i>\n")
				case 1:
					b.WriteString(url(random.IntN(2*i+2)) + "\nis another\n")
				case 2: // a list of links that holds its own
					b.WriteString(own + "\n" + url(random.IntN(i+1)+i+1000000) + "\nand more\n")
				case 3:
					b.WriteString("\n\n")
				case 4:
					b.WriteString("<script>document.write(\"</html>\");\n</html>\n</script>\n")
				case 5:
					b.WriteString(url(i+1) + "\n<p>the next one</p>\n") // a link to what comes next
				case 6:
					b.WriteString("<pre>\n" + url(random.IntN(50)) + "\n" + url(3000000+random.IntN(50)) +
						"\n<b>as dumps are</b>\n</pre>\n")
				default:
					for range random.IntN(6) {
						fmt.Fprintf(&b, "<p>Text of page %d, line with words and numbers %d.</p>\n", i, random.IntN(1e9))
					}
				}
			}
			if random.IntN(3) > 0 {
				b.WriteString("</body></html>\n")
			} else {
				b.WriteString("<p>no end\n")
			}
		}
		page.end = int64(b.Len())
		pages = append(pages, page)
		b.WriteString(own + end)
		if random.IntN(4) == 0 {
			b.WriteString(strings.Repeat(end, 1+random.IntN(3)))
		}
	}
	return b.Bytes(), pages
}

func pagesOf(t testing.TB, data []byte, from, to int64) []dumpPage {
	return pagesWithin(t, data, from, to, dumpReach)
}

func pagesWithin(t testing.TB, data []byte, from, to, reach int64) []dumpPage {
	t.Helper()
	in := &tap{ctx: context.Background(), src: bytes.NewReader(data), trouble: &trouble{}}
	var pages []dumpPage
	if err := newDumpReaderWithin(in, from, reach).pages(from, to,
		func(p dumpPage) error { pages = append(pages, p); return nil }); err != nil {
		t.Fatal(err)
	}
	return pages
}

func TestDumpIsSplitWhereItWasWritten(t *testing.T) {
	for seed := range uint64(20) {
		data, want := writeDump(1<<20, seed)
		got := pagesOf(t, data, 0, int64(len(data)))
		for i := range min(len(got), len(want)) {
			if g, w := got[i], want[i]; g.uri != w.uri || g.start != w.start || g.end != w.end || !g.closed {
				t.Fatalf("seed %d, page %d of %d: %+v, want %+v:\n%s", seed, i, len(want), g, w,
					data[w.start:min(w.end+200, int64(len(data)))])
			}
		}
		if len(got) != len(want) {
			t.Errorf("seed %d: %d pages, want %d", seed, len(got), len(want))
		}
	}
}

func TestPiecesOfADumpAreTheDump(t *testing.T) {
	data, _ := writeDump(1<<20, 99)
	for name, dump := range map[string][]byte{
		"whole": data, "cut": data[:len(data)*2/3], "behind blanks": append([]byte("\n\n \n"), data...),
		"with a hole": append(bytes.Clone(data[:300_000]), data[500_000:]...),
	} {
		at := int64(0)
		for _, p := range pagesOf(t, dump, 0, int64(len(dump))) {
			if p.at != at || p.start < p.at || p.end < p.start || p.next < p.end {
				t.Fatalf("%s: page %+v, want one at %d", name, p, at)
			}
			at = p.next
		}
		if at != int64(len(dump)) {
			t.Errorf("%s: the pieces end at %d of %d", name, at, len(dump))
		}
	}
}

func TestPartsOfADumpAreReadAsTheWhole(t *testing.T) {
	size, cuts := 50<<20, 1000
	if testing.Short() {
		size, cuts = 4<<20, 100
	}
	const reach = 64 << 10 // many pages; a part reads that much, and a chunk, before itself
	data, want := writeDump(size, 1)
	whole := pagesOf(t, data, 0, int64(len(data)))
	if len(whole) != len(want) {
		t.Fatalf("%d pages, want %d", len(whole), len(want))
	}
	random := rand.New(rand.NewPCG(2, 3))
	places := []int64{0}
	for range cuts {
		places = append(places, random.Int64N(int64(len(data))+1))
	}
	slices.Sort(places)
	var all []dumpPage
	for i, from := range places {
		to := int64(len(data))
		if i+1 < len(places) {
			to = places[i+1]
		}
		all = append(all, pagesWithin(t, data, from, to, reach)...)
	}
	if !slices.Equal(all, whole) {
		t.Errorf("%d parts: %d pages, want %d", len(places), len(all), len(whole))
	}
	for range 4 { // and two parts at a time, with all the evidence
		cut := random.Int64N(int64(len(data)) + 1)
		if parts := append(pagesOf(t, data, 0, cut), pagesOf(t, data, cut, int64(len(data)))...); !slices.Equal(parts, whole) {
			t.Errorf("cut at %d: %d pages, want %d", cut, len(parts), len(whole))
		}
	}
}

// Whatever a page's length is, the splitter holds a piece of the file, and what it knows of the
// lines that are URLs.
func TestTheSplitterHoldsLessThanAPage(t *testing.T) {
	var b bytes.Buffer
	for i := range 3 {
		url := fmt.Sprintf("http://host.example/%d", i)
		fmt.Fprintf(&b, "%s\n<html>\n", url)
		for n := range 300_000 {
			if n%4 == 0 {
				fmt.Fprintf(&b, "http://host.example/link/%d\n", n)
			}
			b.WriteString("<p>text of a page of some 13 MB</p>\n")
		}
		fmt.Fprintf(&b, "</html>\n%s\n", url)
	}
	in := &tap{ctx: context.Background(), src: bytes.NewReader(b.Bytes()), trouble: &trouble{}}
	d := newDumpReader(in, 0)
	pages := 0
	err := d.pages(0, int64(b.Len()), func(p dumpPage) error {
		pages++
		if p.end-p.start < 10<<20 {
			t.Errorf("a page of %d bytes proves nothing", p.end-p.start)
		}
		if held := cap(d.buffer); held > 2*(dumpChunk+dumpOverlap) {
			t.Errorf("%d bytes of the file are held", held)
		}
		// A quarter more before any is forgotten, and those of a chunk.
		if most := dumpLines*5/4 + dumpAhead + dumpChunk/64; len(d.lines) > most || len(d.latest) > most {
			t.Errorf("%d lines are held, and %d URLs", len(d.lines), len(d.latest))
		}
		return nil
	})
	if err != nil || pages != 3 {
		t.Errorf("%d pages: %v", pages, err)
	}
}

func FuzzDump(f *testing.F) {
	data, _ := writeDump(1<<10, 5) // go test makes what it finds shorter, byte by byte: of long seeds for minutes
	f.Add(data, uint16(700))
	f.Add(data[:len(data)/2], uint16(10))
	f.Add([]byte("http://a/\n\nhttp://a/\nhttp://b/\n<html>\nhttp://b/\n"), uint16(12))
	f.Add([]byte("\n http://a/\n<html>\r\nhttp://a/\r\n\r\nhttp://a/\n<html>\nhttp://a/"), uint16(40))
	f.Fuzz(func(t *testing.T, data []byte, at uint16) {
		if len(data) > 1<<16 {
			return
		}
		size := int64(len(data))
		whole := pagesOf(t, data, 0, size)
		for i, p := range whole {
			if p.start < p.at || p.end < p.start || p.next < p.end || p.next > size || i > 0 && whole[i-1].next != p.at {
				t.Fatalf("page %d: %+v of %d bytes", i, p, size)
			}
		}
		if len(whole) > 0 && whole[len(whole)-1].next != size {
			t.Fatalf("the last page ends at %d of %d", whole[len(whole)-1].next, size)
		}
		cut := int64(at) % (size + 1)
		if parts := append(pagesOf(t, data, 0, cut), pagesOf(t, data, cut, size)...); !slices.Equal(parts, whole) {
			t.Fatalf("cut at %d: %+v, want %+v", cut, parts, whole)
		}
	})
}

func TestALineThatComesAgainAndAgainIsNoTrap(t *testing.T) {
	data := bytes.Repeat([]byte("http://a/\n"), 20_000)
	start := time.Now()
	pagesOf(t, append(data, "<html>\nhttp://a/\n"...), 0, int64(len(data)))
	if spent := time.Since(start); spent > 30*time.Second {
		t.Errorf("%v", spent)
	}
}
