package deflate

import (
	"bytes"
	stdgzip "compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// unpack is what an other's gunzip makes of a member, which must be all there is.
func unpack(member []byte) ([]byte, error) {
	in := bytes.NewReader(member)
	z, err := stdgzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	text, err := io.ReadAll(z)
	if err == nil && in.Len() > 0 {
		err = fmt.Errorf("%d bytes behind the end", in.Len())
	}
	return text, err
}

// member is one of text in its lines.
func member(e *Encoder, dst, text []byte) []byte {
	ends, shared := lines(text)
	return e.AppendMember(dst, text, ends, shared)
}

// lines finds the lines of a text.
func lines(text []byte) (ends, shared []int) {
	var before []byte
	end := 0
	for line := range bytes.Lines(text) {
		n := 0
		for n < min(len(line), len(before)) && line[n] == before[n] {
			n++
		}
		end += len(line)
		ends, shared = append(ends, end), append(shared, n)
		before = line
	}
	return ends, shared
}

func texts() map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	all := map[string][]byte{
		"nothing":                nil,
		"a byte":                 {'a'},
		"a line end":             {'\n'},
		"two bytes":              []byte("ab"),
		"no line end":            []byte("abc\nabcdefgh"),
		"noise":                  noise,
		"noise, and again":       append(slices.Clone(noise[:30_000]), noise[:30_000]...),
		"one byte, often":        bytes.Repeat([]byte{'x'}, 200_000),
		"line ends":              bytes.Repeat([]byte{'\n'}, 100_000),
		"the same line":          bytes.Repeat([]byte("<http://example.org/s> <http://example.org/p> \"o\" .\n"), 20_000),
		"a line of 100 kB":       append(bytes.Repeat([]byte("abcdefghij klm "), 7000), '\n'),
		"all bytes, once":        sequence(0, 256),
		"all bytes, and a match": append(sequence(0, 256), sequence(0, 256)...),
		"sorted lines":           sorted(5000),
	}
	// Lengths and distances at which symbols change, and at which there are none.
	for _, n := range []int{3, 4, 10, 11, 18, 19, 66, 67, 257, 258, 259, 260, 261, 262, 516, 517, 519} {
		line := noise[:n]
		all[fmt.Sprintf("prefix of %d", n)] = slices.Concat(line, []byte("1\n"), line, []byte("2\n"))
		all[fmt.Sprintf("suffix of %d", n)] = slices.Concat([]byte("1"), line, []byte("\n2"), line, []byte("\n"))
	}
	for _, n := range []int{1, 2, 3, 4, 5, 255, 256, 257, 32766, 32767, 32768, 32769, 65535, 65536, 65537} {
		all[fmt.Sprintf("distance of %d", n)] = slices.Concat(noise[:n], noise[:min(n, 20)], []byte("tail and more tail"))
		line := append(bytes.ReplaceAll(noise[:n-1], []byte("\n"), nil), '\n')
		all[fmt.Sprintf("lines of %d", n)] = slices.Concat(line, line, line)
	}
	return all
}

func sequence(from, to int) (b []byte) {
	for i := from; i < to; i++ {
		b = append(b, byte(i))
	}
	return b
}

// sorted returns lines as they are in a clean file.
func sorted(n int) []byte {
	random := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields(
		"population area abstract founded name label type comment seeAlso isPrimaryTopicOf of the in and for village river")
	var lines []string
	for i := range n {
		subject := fmt.Sprintf("<http://example.org/resource/%s_%d>", words[random.IntN(len(words))], i/6)
		predicate := fmt.Sprintf("<http://example.org/ontology/%s>", words[random.IntN(len(words))])
		object := fmt.Sprintf("<http://example.org/resource/%s_%d>", words[random.IntN(len(words))], random.IntN(n))
		switch random.IntN(3) {
		case 0:
			object = fmt.Sprintf("\"%d\"^^<http://www.w3.org/2001/XMLSchema#integer>", random.IntN(1e6))
		case 1:
			object = `"`
			for range 1 + random.IntN(12) {
				object += words[random.IntN(len(words))] + " "
			}
			object += `"@en`
		}
		lines = append(lines, subject+" "+predicate+" "+object+" .\n")
	}
	slices.Sort(lines)
	return []byte(strings.Join(slices.Compact(lines), ""))
}

func TestAnyGunzipReadsIt(t *testing.T) {
	var e Encoder
	for name, text := range texts() {
		made := member(&e, []byte("before"), text)
		if !bytes.HasPrefix(made, []byte("before")) {
			t.Errorf("%s: what stood there is gone", name)
		}
		if got, err := unpack(made[6:]); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s: %v, %d of %d bytes", name, err, len(got), len(text))
		}
	}
}

func TestGunzipReadsIt(t *testing.T) {
	if _, err := exec.LookPath("gunzip"); err != nil {
		t.Skip("there is no gunzip")
	}
	var e Encoder
	var members, whole []byte
	for _, text := range texts() {
		members = member(&e, members, text)
		whole = append(whole, text...)
	}
	gunzip := exec.Command("gunzip", "-c")
	gunzip.Stdin, gunzip.Stderr = bytes.NewReader(members), os.Stderr
	if got, err := gunzip.Output(); err != nil || !bytes.Equal(got, whole) {
		t.Errorf("%v, %d of %d bytes", err, len(got), len(whole))
	}
}

func TestTheSameTextGivesTheSameBytes(t *testing.T) {
	var used Encoder
	for range 2 {
		for name, text := range texts() {
			var fresh Encoder
			if !bytes.Equal(member(&used, nil, text), member(&fresh, nil, text)) {
				t.Errorf("%s: depends on what came before", name)
			}
		}
	}
}

func TestSortedLinesBecomeAboutAsSmallAsByOthers(t *testing.T) {
	text := sorted(10_000)
	var e Encoder
	ours := len(member(&e, nil, text))
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	z.Write(text)
	z.Close()
	if ours > out.Len()+out.Len()/10 {
		t.Errorf("%d bytes, others %d", ours, out.Len())
	}
}

func TestWhatCannotBeMadeSmallHardlyGrows(t *testing.T) {
	noise := texts()["noise"]
	var e Encoder
	if got := len(member(&e, nil, noise)); got > len(noise)+len(noise)/64 {
		t.Errorf("%d bytes of %d", got, len(noise))
	}
}

func FuzzAnyGunzipReadsIt(f *testing.F) {
	for _, text := range texts() {
		f.Add(text[:min(len(text), 2000)], uint16(1))
	}
	f.Add([]byte("<s> <p> \"o\" .\n"), uint16(9000))
	f.Fuzz(func(t *testing.T, text []byte, times uint16) {
		text = bytes.Repeat(text, 1+int(times)%(1+(1<<20)/(len(text)+1)))
		var e Encoder
		first := member(&e, nil, text)
		if got, err := unpack(first); err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%v, %d of %d bytes", err, len(got), len(text))
		}
		member(&e, nil, []byte("something else\nsomething\n"))
		if again := member(&e, nil, text); !bytes.Equal(again, first) {
			t.Fatal("depends on what came before")
		}
	})
}

// SORTED is a file of sorted lines, of a size that the processor's caches do not hold.
func BenchmarkMembers(b *testing.B) {
	text, err := os.ReadFile(os.Getenv("SORTED"))
	if err != nil {
		text = sorted(8000)
	}
	var members [][]byte
	for rest := text; len(rest) > 0; {
		n := len(rest)
		if n > 1<<20 {
			n = bytes.LastIndexByte(rest[:1<<20], '\n') + 1
		}
		members = append(members, rest[:n])
		rest = rest[n:]
	}
	run := func(name string, pack func([]byte) int) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			size := 0
			for b.Loop() {
				size = 0
				for _, m := range members {
					size += pack(m)
				}
			}
			b.ReportMetric(float64(len(text))/float64(size), "times-smaller")
		})
	}
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	run("klauspost", func(text []byte) int {
		out.Reset()
		z.Reset(&out)
		z.Write(text)
		z.Close()
		return out.Len()
	})
	var e Encoder
	var dst []byte
	told := map[*byte][2][]int{}
	for _, m := range members {
		ends, shared := lines(m)
		told[&m[0]] = [2][]int{ends, shared}
	}
	run("ours", func(text []byte) int {
		dst = e.AppendMember(dst[:0], text, told[&text[0]][0], told[&text[0]][1])
		return len(dst)
	})
}
