package linesort_test

import (
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"strconv"
	"sync"
	"testing"
	"time"

	"laundromat/internal/linesort"
)

// dbpedia makes n lines like those of DBpedia, in a given order, without keeping them.
type dbpedia struct {
	n, step int // line i is the (i*step mod n)-th in order
	buffer  []byte
}

var predicates = [...]string{
	"<http://dbpedia.org/ontology/abstract> ",
	"<http://dbpedia.org/ontology/birthPlace> ",
	"<http://dbpedia.org/ontology/wikiPageExternalLink> ",
	"<http://dbpedia.org/ontology/wikiPageWikiLink> ",
	"<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> ",
	"<http://www.w3.org/2000/01/rdf-schema#label> ",
	"<http://www.w3.org/2002/07/owl#sameAs> ",
	"<http://xmlns.com/foaf/0.1/name> ",
}

func (d *dbpedia) line(i int) []byte {
	i = i * d.step % d.n
	subject, predicate := i/len(predicates), i%len(predicates)
	mixed := uint64(i) * 0x9E3779B97F4A7C15
	b := append(d.buffer[:0], "<http://dbpedia.org/resource/"...)
	b = append(b, 'A'+byte(subject*26*8/(d.n+8)))
	b = append(strconv.AppendInt(b, int64(1_000_000_000+subject), 10), "> "...)
	b = append(b, predicates[predicate]...)
	switch predicate {
	case 0, 5, 7:
		b = append(b, '"')
		for j := range 1 + mixed>>60 {
			b = strconv.AppendUint(append(b, "some words "...), mixed>>j&0xFFFF, 36)
		}
		b = append(b, `"@en .`...)
	default:
		b = append(b, "<http://dbpedia.org/resource/"...)
		b = append(strconv.AppendUint(b, mixed>>40, 10), "_of_something> ."...)
	}
	d.buffer = b
	return b
}

// peak watches the heap until it is stopped.
func peak() (stop func() uint64) {
	runtime.GC()
	var wait sync.WaitGroup
	end, most := make(chan struct{}), uint64(0)
	wait.Go(func() {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for {
			metrics.Read(sample)
			most = max(most, sample[0].Value.Uint64())
			select {
			case <-end:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	})
	return func() uint64 { close(end); wait.Wait(); return most }
}

// BenchmarkSort measures the time for a line, from Add to the end of Write, and the
// peak of the heap for the memory allowed. The making of the lines is in both.
func BenchmarkSort(b *testing.B) {
	for _, lines := range []int{1_000_000, 10_000_000} {
		for _, order := range []struct {
			name string
			step int
		}{{"sorted", 1}, {"shuffled", 7_368_787}, {"reverse", -1}} {
			for _, memory := range []int64{8 << 20, 64 << 20, 256 << 20} {
				b.Run(fmt.Sprintf("%d lines/%s/%d MiB", lines, order.name, memory>>20), func(b *testing.B) {
					for b.Loop() {
						sortOnce(b, lines, order.step, memory)
					}
				})
			}
		}
	}
}

func sortOnce(b *testing.B, lines, step int, memory int64) {
	if step < 0 {
		step += lines
	}
	source := &dbpedia{n: lines, step: step}
	stop := peak()
	start := time.Now()
	s := linesort.New(linesort.Options{Memory: memory, Temp: b.TempDir()})
	defer s.Close()
	var size int64
	for i := range lines {
		line := source.line(i)
		size += int64(len(line))
		if err := s.Add(0, line); err != nil {
			b.Fatal(err)
		}
	}
	added := time.Since(start)
	stats, err := s.Write(b.Context(), keyOf, func(line []byte) error { _, err := io.Discard.Write(line); return err })
	if err != nil || stats.Lines+stats.Duplicates != int64(lines) {
		b.Fatal(stats, err)
	}
	b.ReportMetric(float64(time.Since(start).Nanoseconds())/float64(lines), "ns/line")
	b.ReportMetric(float64(added.Nanoseconds())/float64(lines), "ns/line-adding")
	b.ReportMetric(float64(stop())/(1<<20), "MiB-peak")
	b.ReportMetric(float64(s.Spilled())/(1<<20), "MiB-spilled")
	b.ReportMetric(float64(size)/(1<<20), "MiB-text")
	b.ReportMetric(0, "ns/op")
}

func BenchmarkMakingLines(b *testing.B) {
	source := &dbpedia{n: 1_000_000, step: 368_787}
	i := 0
	for b.Loop() {
		source.line(i % 1_000_000)
		i++
	}
}

// BenchmarkGiants sorts a few lines of 100 MiB in 8 MiB. It measures the peak of the heap,
// without what the caller holds, in lines.
func BenchmarkGiants(b *testing.B) {
	line := make([]byte, 100<<20)
	for i := range line {
		line[i] = "abcdefgh"[i*7/3&7]
	}
	for b.Loop() {
		stop := peak()
		s := linesort.New(linesort.Options{Memory: 8 << 20, Temp: b.TempDir()})
		for _, last := range "caadb" {
			line[len(line)-1] = byte(last)
			if err := s.Add(0, line); err != nil {
				b.Fatal(err)
			}
		}
		n := 0
		if _, err := s.Write(b.Context(), keyOf, func([]byte) error { n++; return nil }); err != nil || n != 4 {
			b.Fatal(n, err)
		}
		s.Close()
		b.ReportMetric(float64(stop())/float64(len(line))-1, "lines-peak")
	}
}
