package inflate_test

import (
	"bufio"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	fast "github.com/klauspost/compress/flate"

	"laundromat/internal/inflate"
)

// outcome is all that a decoder did.
type outcome struct {
	data string
	err  error
	rest string // of the input
	took int64  // what ours says of how much of it was taken
}

const mostOutput = 8 << 20 // a few bytes of input may stand for much

// ours decodes with this package, theirs with compress/flate. Input and reading
// may be cut into pieces in any way.
func ours(in io.Reader, buffer int, read func(io.Reader) io.Reader) outcome {
	r := new(inflate.Reader)
	buffered := bufio.NewReaderSize(in, buffer)
	r.Reset(buffered)
	o := seen(read(r), buffered)
	o.took = r.InputOffset()
	return o
}

func theirs(in io.Reader) outcome {
	buffered := bufio.NewReader(in)
	return seen(flate.NewReader(buffered), buffered)
}

func seen(r io.Reader, in *bufio.Reader) (o outcome) {
	var data bytes.Buffer
	if _, o.err = io.CopyN(&data, struct{ io.Reader }{r}, mostOutput); o.err == nil {
		return outcome{data: data.String()}
	}
	rest, _ := io.ReadAll(in)
	o.data, o.rest = data.String(), string(rest)
	return o
}

func whole(r io.Reader) io.Reader { return r }

// same compares ours with theirs.
func same(t *testing.T, got, want outcome) {
	t.Helper()
	if got.data != want.data {
		at := 0
		for at < min(len(got.data), len(want.data)) && got.data[at] == want.data[at] {
			at++
		}
		t.Fatalf("%d bytes, %d wanted, different from byte %d on; %v, %v wanted", len(got.data), len(want.data), at, got.err, want.err)
	}
	if got.err != want.err {
		t.Fatalf("after %d bytes %v, %v wanted", len(got.data), got.err, want.err)
	}
	if got.rest != want.rest {
		t.Fatalf("%d bytes of input are left, %d wanted; %v", len(got.rest), len(want.rest), want.err)
	}
}

func FuzzInflateAsFlate(f *testing.F) {
	for _, text := range texts() {
		for _, packed := range streams(f, text[:min(len(text), 2000)]) {
			f.Add([]byte(packed), uint16(0), uint16(1000))
			f.Add([]byte(packed[:len(packed)*2/3]), uint16(100), uint16(1))
			f.Add([]byte(packed+"rest"), uint16(1), uint16(0))
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		f.Add(anyBlocks(random, 500), uint16(0), uint16(0))
	}
	f.Fuzz(func(t *testing.T, data []byte, buffer, piece uint16) {
		want := theirs(bytes.NewReader(data))
		got := ours(bytes.NewReader(data), int(buffer), func(r io.Reader) io.Reader {
			return pieces{r, int(piece) + 1}
		})
		same(t, got, want)
		if got.err != nil && got.took != int64(len(data)-len(got.rest)) {
			t.Fatalf("%d bytes of %d are left, but %d were taken", len(got.rest), len(data), got.took)
		}
	})
}

// pieces reads no more than so many bytes at once.
type pieces struct {
	r io.Reader
	n int
}

func (p pieces) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), p.n)]) }

// texts are what is packed.
var texts = sync.OnceValue(func() map[string]string {
	random := rand.New(rand.NewPCG(3, 4))
	var lines, far strings.Builder
	for i := range 6_000 {
		fmt.Fprintf(&lines, "<http://example.org/resource/%d> <http://www.w3.org/2000/01/rdf-schema#label> \"label of %x\"@en .\n", i/7,
			random.Uint32())
	}
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	for far.Len() < 600_000 { // pieces of what lies just as far back as is allowed
		if far.Len() < 33<<10 || random.IntN(4) == 0 {
			far.Write(noise[far.Len()%250_000:][:random.IntN(300)])
			continue
		}
		distance, length := 32<<10-random.IntN(3), random.IntN(400)
		far.WriteString(far.String()[far.Len()-distance:][:length])
	}
	runs := ""
	for n := range 40 { // copies of every small distance
		runs += strings.Repeat(string(noise[:n]), 1+random.IntN(100)) + string(noise[100:130])
	}
	return map[string]string{"": "", "one": "x", "lines": lines.String(), "noise": string(noise), "far": far.String(),
		"runs": runs, "zeros": strings.Repeat("\x00", 700_000), "letters": fewLetters(random)}
})

// fewLetters is text of literals whose codes have very different lengths.
func fewLetters(random *rand.Rand) string {
	b := make([]byte, 100_000)
	for i := range b {
		for b[i] < 250 && random.IntN(3) != 0 {
			b[i]++
		}
	}
	return string(b)
}

// streams packs a text in all the ways that both compressors have.
func streams(t testing.TB, text string) map[string]string {
	all := map[string]string{}
	pack := func(name string, level int, open func(io.Writer, int) (interface {
		io.WriteCloser
		Flush() error
	}, error)) {
		var b bytes.Buffer
		w, err := open(&b, level)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
		w.Close()
		all[fmt.Sprint(name, level)] = b.String()
	}
	type packer = interface {
		io.WriteCloser
		Flush() error
	}
	standard := func(w io.Writer, level int) (packer, error) { return flate.NewWriter(w, level) }
	klauspost := func(w io.Writer, level int) (packer, error) { return fast.NewWriter(w, level) }
	for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
		pack("flate", level, standard)
		pack("klauspost", level, klauspost)
	}
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, 6)
	for at := 0; at < len(text); at += 5000 { // flushed now and then
		io.WriteString(w, text[at:min(at+5000, len(text))])
		w.Flush()
	}
	w.Close()
	all["flushed"] = b.String()
	return all
}

func TestWhatWasPackedComesOut(t *testing.T) {
	for name, text := range texts() {
		for way, packed := range streams(t, text) {
			got := ours(strings.NewReader(packed+"what follows"), 64<<10, whole)
			if got.data != text || got.err != io.EOF || got.rest != "what follows" {
				t.Errorf("%s, %s: %d bytes of %d, %v, then %q", name, way, len(got.data), len(text), got.err, got.rest)
			}
		}
	}
}

func TestPiecesMakeNoDifference(t *testing.T) {
	for name, text := range texts() {
		packed := streams(t, text[:min(len(text), 100_000)])["klauspost6"]
		want := theirs(strings.NewReader(packed + "rest"))
		for way, got := range map[string]outcome{
			"read byte by byte":     ours(strings.NewReader(packed+"rest"), 4096, iotest.OneByteReader),
			"read in halves":        ours(strings.NewReader(packed+"rest"), 4096, iotest.HalfReader),
			"input of single bytes": ours(iotest.OneByteReader(strings.NewReader(packed+"rest")), 4096, whole),
			"input of 20 bytes":     ours(pieces{strings.NewReader(packed + "rest"), 20}, 16, whole),
			"end with the data":     ours(iotest.DataErrReader(strings.NewReader(packed+"rest")), 100, whole),
		} {
			t.Run(name+", "+way, func(t *testing.T) { same(t, got, want) })
		}
	}
}

func TestCutAnywhereGivesWhatFlateGives(t *testing.T) {
	for _, text := range texts() {
		text = text[:min(len(text), 800)]
		for _, packed := range streams(t, text) {
			for n := range len(packed) {
				same(t, ours(strings.NewReader(packed[:n]), 4096, whole), theirs(strings.NewReader(packed[:n])))
			}
		}
	}
}

func TestDamageGivesWhatFlateGives(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for name, text := range texts() {
		packed := []byte(streams(t, text[:min(len(text), 60_000)])["flate6"])
		for range 300 {
			damaged := bytes.Clone(packed)
			for range 1 + random.IntN(3) {
				damaged[random.IntN(len(damaged))] ^= 1 << random.IntN(8)
			}
			t.Run(name, func(t *testing.T) {
				same(t, ours(bytes.NewReader(damaged), 1<<random.IntN(17), whole), theirs(bytes.NewReader(damaged)))
			})
		}
	}
}

func TestAnyCodesGiveWhatFlateGives(t *testing.T) {
	for seed := range uint64(1500) {
		random := rand.New(rand.NewPCG(seed, 7))
		data := anyBlocks(random, 1+random.IntN(3000))
		same(t, ours(bytes.NewReader(data), 4096, whole), theirs(bytes.NewReader(data)))
	}
}

func TestAnErrorOfTheInputComesOut(t *testing.T) {
	packed := streams(t, texts()["lines"])["flate6"]
	broken := errors.New("broken")
	for n := 0; n < len(packed); n += 997 {
		in := func() io.Reader { return io.MultiReader(strings.NewReader(packed[:n]), iotest.ErrReader(broken)) }
		want := theirs(in())
		if want.err != broken {
			t.Fatal(want.err)
		}
		same(t, ours(in(), 4096, whole), want)
	}
}

func TestAReaderIsUsedAgain(t *testing.T) {
	text := texts()["lines"]
	all := streams(t, text)
	var r inflate.Reader
	for _, left := range []int{0, 1, 100_000} { // bytes that are not read before
		for name, packed := range all {
			r.Reset(bufio.NewReader(strings.NewReader(packed)))
			got := make([]byte, len(text)-left)
			if _, err := io.ReadFull(&r, got); err != nil || string(got) != text[:len(got)] {
				t.Error(name, left, err)
			}
		}
	}
}

func TestNextBytesAreValidUntilTheNext(t *testing.T) {
	text := texts()["lines"]
	var r inflate.Reader
	r.Reset(bufio.NewReader(strings.NewReader(streams(t, text)["klauspost1"])))
	at := 0
	for {
		data, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil || len(data) == 0 || string(data) != text[at:at+len(data)] {
			t.Fatalf("%d bytes at %d, %v", len(data), at, err)
		}
		at += len(data)
	}
	if at != len(text) {
		t.Errorf("%d bytes of %d", at, len(text))
	}
}
