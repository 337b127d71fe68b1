package statistics

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"laundromat/internal/commonprefix"
)

// shapes are lines by their number, with a random one below a million.
var shapes = []struct {
	name string
	line func(i, random int) string
}{
	{"mixed", func(i, random int) string {
		object := fmt.Sprintf("<http://example.org/resource/%d>", i*7)
		switch i % 9 % 4 {
		case 0:
			object = fmt.Sprintf("<http://other%d.example/thing/%d>", i/9%50, random)
		case 1:
			object = fmt.Sprintf(`"a text of some words, number %d"@en`, random)
		case 2:
			object = fmt.Sprintf(`"%d"^^<http://www.w3.org/2001/XMLSchema#integer>`, i)
		}
		return fmt.Sprintf("<http://example.org/resource/%07d> <http://example.org/vocabulary#p%d> %s .", i/9, i%9, object)
	}},
	{"links", func(i, random int) string {
		return fmt.Sprintf("<http://e.org/s%d> <http://e.org/p%d> <http://h%d.org/%d> .", i/3, i%50, random/20, random)
	}},
	{"hosts", func(i, random int) string {
		return fmt.Sprintf("<http://e.org/s%d> <http://e.org/p%d> <http://h%d.org/> .", i/3, i%50, random)
	}},
	{"properties", func(i, random int) string {
		return fmt.Sprintf(`<http://e.org/s%d> <http://e.org/p%d> "x%d" .`, i/3, random, i%50)
	}},
	{"classes", func(i, random int) string {
		return fmt.Sprintf("<http://e.org/s%d> %s<http://e.org/class%d> .", i/3, typeProperty, random)
	}},
	{"datatypes", func(i, random int) string {
		return fmt.Sprintf(`<http://e.org/s%d> <http://e.org/p%d> "x%d"^^<http://e.org/type%d> .`, i/3, i%50, i%50, random)
	}},
	{"languages", func(i, random int) string {
		return fmt.Sprintf(`<http://e.org/s%d> <http://e.org/p%d> "x"@aa-x-%d .`, i/3, i%50, random)
	}},
}

// BenchmarkLines counts a million sorted lines of each shape, and BenchmarkStatistics makes the result of them.
func BenchmarkLines(b *testing.B) {
	for _, shape := range shapes {
		b.Run(shape.name, func(b *testing.B) {
			text, ends, shared := sortedLines(shape.line)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				countBlocks(text, ends, shared)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(ends)), "ns/line")
		})
	}
}

func BenchmarkStatistics(b *testing.B) {
	for _, shape := range shapes {
		b.Run(shape.name, func(b *testing.B) {
			text, ends, shared := sortedLines(shape.line)
			for b.Loop() {
				b.StopTimer()
				c := countBlocks(text, ends, shared)
				b.StartTimer()
				if err := (JSON{}).Write(io.Discard, c.Statistics()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(ends)), "ns/line")
		})
	}
}

// countBlocks counts lines in blocks of the size that a sorter gives.
func countBlocks(text []byte, ends, shared []int) *Counter {
	c := New()
	from := 0
	for len(ends) > 0 {
		n := min(len(ends), 4096)
		block := make([]int, n)
		for i := range block {
			block[i] = ends[i] - from
		}
		c.Lines(text[from:ends[n-1]], block, shared[:n])
		from, ends, shared = ends[n-1], ends[n:], shared[n:]
	}
	return c
}

func sortedLines(line func(i, random int) string) (text []byte, ends, shared []int) {
	random := rand.New(rand.NewPCG(1, 2))
	lines := make([]string, 1_000_000)
	for i := range lines {
		lines[i] = line(i, random.IntN(1_000_000)) + "\n"
	}
	slices.Sort(lines)
	before := ""
	for _, line := range slices.Compact(lines) {
		text = append(text, line...)
		ends, shared = append(ends, len(text)), append(shared, commonprefix.Common([]byte(before), []byte(line), 0))
		before = line
	}
	return text, ends, shared
}
