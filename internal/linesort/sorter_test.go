package linesort_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/quick"

	"laundromat/internal/linesort"
)

type row struct {
	document int
	line     string
}

func keyOf(document int) string {
	return [...]string{
		"0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210", "", "8",
		"77777777777777777777777777777777",
	}[document%5]
}

// naive is what the sort must give: all lines in memory, sorted, each once.
func naive(rows []row) (lines []string, stats linesort.Stats) {
	distinct := map[string]bool{}
	inDocument := map[row]bool{}
	for _, r := range rows {
		for len(stats.PerDocument) <= r.document {
			stats.PerDocument = append(stats.PerDocument, 0)
		}
		line := strings.ReplaceAll(r.line, "\x01", keyOf(r.document))
		if distinct[line] {
			stats.Duplicates++
		}
		distinct[line] = true
		if inDocument[row{r.document, line}] {
			stats.PerDocument[r.document]++
		}
		inDocument[row{r.document, line}] = true
	}
	for line := range distinct {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	stats.Lines = int64(len(lines))
	return lines, stats
}

func run(t testing.TB, s *linesort.Sorter, rows []row) (lines []string, stats linesort.Stats) {
	t.Helper()
	var buffer []byte
	var held, lent [][]byte
	var releases []func()
	for _, r := range rows {
		buffer = append(buffer[:0], r.line...)
		if err := s.Add(r.document, buffer); err != nil {
			t.Fatal(err)
		}
		clear(buffer) // the line must have been copied
	}
	stats, err := s.WriteLines(t.Context(), keyOf, func(text []byte, ends, shared []int, release func()) error {
		lent = append(lent, slices.Clone(text))
		held = append(held, text)
		if len(held) > 1 || rand.N(2) == 0 { // sooner or later
			for i := range held {
				if !bytes.Equal(held[i], lent[i]) {
					t.Fatal("a text changed that was not given back")
				}
			}
			for _, r := range append(releases, release) {
				r()
			}
			held, lent, releases = nil, nil, nil
		} else {
			releases = append(releases, release)
		}
		from := 0
		for i, end := range ends {
			line := string(text[from : end-1])
			if text[end-1] != '\n' {
				t.Fatalf("no end: %.100q", text[from:end])
			}
			if n := len(lines); n > 0 && shared[i] != min(common(lines[n-1], line), 32<<10) || n == 0 && shared[i] != 0 {
				t.Fatalf("line %d, %.100q, is said to share %d bytes with the one before", n, line, shared[i])
			}
			lines = append(lines, line)
			from = end
		}
		if from != len(text) || len(shared) != len(ends) || from == 0 {
			t.Fatalf("%d of %d bytes, %d of %d lines", from, len(text), len(shared), len(ends))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines, stats
}

// common is how many bytes a and b begin with in common.
func common(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func compare(t testing.TB, rows []row, lines []string, stats linesort.Stats) {
	t.Helper()
	want, wantStats := naive(rows)
	if !slices.Equal(lines, want) {
		for i := range min(len(lines), len(want)) {
			if lines[i] != want[i] {
				t.Fatalf("line %d of %d (want %d lines) is %.200q, want %.200q", i, len(lines), len(want), lines[i], want[i])
			}
		}
		t.Fatalf("%d lines, want %d", len(lines), len(want))
	}
	if stats.Lines != wantStats.Lines || stats.Duplicates != wantStats.Duplicates ||
		!slices.Equal(stats.PerDocument, wantStats.PerDocument) {
		t.Fatalf("stats %+v, want %+v", stats, wantStats)
	}
}

// sizes are memory bounds from "all fits" to "a few lines fit", and chunk sizes.
var sizes = []struct {
	memory int64
	chunk  int
}{
	{0, 0}, {1 << 20, 4096}, {64 << 10, 1024}, {8 << 10, 256}, {1 << 10, 64},
}

func everySize(t *testing.T, rows []row) {
	t.Helper()
	for i, size := range sizes {
		t.Run(fmt.Sprintf("memory %d", size.memory), func(t *testing.T) {
			dir := t.TempDir()
			s := linesort.New(linesort.Options{Temp: dir, Workers: 1 + i%3})
			if size.memory > 0 {
				s.Shrink(size.memory, size.chunk)
			}
			if size.chunk == 4096 {
				s.MapSlabs(64 << 10)
			}
			lines, stats := run(t, s, rows)
			compare(t, rows, lines, stats)
			if most, limit := s.Most(); most > limit {
				t.Errorf("%d bytes of chunks in use, %d are allowed", most, limit)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			left(t, dir)
		})
	}
}

func left(t testing.TB, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Errorf("%s is left in the temporary folder", e.Name())
	}
}

const genid = "https://lodlaundromat.org/.well-known/genid/"

func shuffled(rows []row, seed uint64) []row {
	rows = slices.Clone(rows)
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return rows
}

func sorted(rows []row) []row {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b row) int { return strings.Compare(a.line, b.line) })
	return rows
}

func reversed(rows []row) []row {
	rows = slices.Clone(rows)
	slices.Reverse(rows)
	return rows
}

// statements resemble what is washed: few predicates, long common prefixes, blank
// nodes at every place, IRIs that lie under a genid path already, repetitions.
func statements(n, documents int, seed uint64) []row {
	random := rand.New(rand.NewPCG(seed, 1))
	node := func(document int) string {
		switch random.IntN(8) {
		case 0, 1:
			return fmt.Sprintf("<%s\x01/b%d>", genid, random.IntN(n/4+1))
		case 2:
			return fmt.Sprintf("<%s%s/b%d>", genid, keyOf(random.IntN(documents+1)), random.IntN(n/4+1))
		default:
			return fmt.Sprintf("<http://example.org/resource/Thing_%d>", random.IntN(n/2+1))
		}
	}
	rows := make([]row, n)
	for i := range rows {
		d := random.IntN(documents)
		line := fmt.Sprintf("%s <http://example.org/ontology/p%d> ", node(d), random.IntN(5))
		if random.IntN(2) == 0 {
			line += node(d)
		} else {
			line += fmt.Sprintf("%q", strings.Repeat("word ", random.IntN(20)))
		}
		if random.IntN(4) == 0 {
			line += " " + node(d)
		}
		rows[i] = row{d, line + " ."}
	}
	return rows
}

func TestOutputIsWhatSortUniqueGives(t *testing.T) {
	giant := func(document int, n int, tail string) row { return row{document, strings.Repeat("g", n) + tail} }
	many := func(n int, f func(i int) row) (rows []row) {
		for i := range n {
			rows = append(rows, f(i))
		}
		return rows
	}
	tests := []struct {
		name string
		rows []row
	}{
		{"nothing", nil},
		{"one empty line", []row{{0, ""}}},
		{"empty lines of several documents", many(2000, func(i int) row { return row{i % 3, ""} })},
		{"only a key", many(2000, func(i int) row { return row{i % 5, "\x01"} })},
		{"statements of one document", statements(3000, 1, 1)},
		{"statements of several documents", statements(3000, 4, 2)},
		{"sorted", sorted(statements(3000, 2, 3))},
		{"reversed", reversed(sorted(statements(3000, 2, 3)))},
		{"sorted twice over", slices.Concat(sorted(statements(2000, 1, 4)), sorted(statements(2000, 1, 4)))},
		{"sorted, one straggler", append(sorted(statements(2000, 1, 5)), row{0, "!"})},
		{"numbers in order", many(3000, func(i int) row { return row{0, fmt.Sprintf("%09d", i)} })},
		{"numbers in order, each twice", many(3000, func(i int) row { return row{i % 2, fmt.Sprintf("%09d", i/2)} })},
		{"numbers in order, each in many documents", many(3000, func(i int) row { return row{i % 100, fmt.Sprintf("%09d", i/100)} })},
		{"all equal", many(5000, func(i int) row { return row{0, "the same line as ever ."} })},
		{"all equal, of many documents", many(5000, func(i int) row { return row{i % 700, "the same line as ever ."} })},
		{"two lines in turn", many(5000, func(i int) row { return row{i % 3, "line " + fmt.Sprint(i%2)} })},
		{"two lines in turn, with keys", many(5000, func(i int) row { return row{i % 3, "line \x01" + fmt.Sprint(i%2)} })},
		{"one heavy line among others", many(4000, func(i int) row {
			if i%3 > 0 {
				return row{i % 2, "m heavy"}
			}
			return row{i % 2, fmt.Sprint(i * 7919 % 4000)}
		})},
		{"one subject with everything", many(4000, func(i int) row {
			return row{0, strings.Repeat("s", 300) + fmt.Sprint(i*7919%4001)}
		})},
		{"prefixes of one another", shuffled(many(400, func(i int) row { return row{0, strings.Repeat("a", i%300)} }), 1)},
		{"zero bytes", shuffled(many(2000, func(i int) row {
			return row{i % 2, strings.Repeat("a", i%5) + strings.Repeat("\x00", i%23) + strings.Repeat("b", i%2)}
		}), 2)},
		{"high bytes", shuffled(many(2000, func(i int) row { return row{0, string([]byte{byte(i), byte(i >> 3), 0xFF})} }), 3)},
		{"every line has keys in three places", many(3000, func(i int) row {
			return row{i % 4, fmt.Sprintf("<%s\x01/%d> <p> <%s\x01/%d> <%s\x01/g> .", genid, i*31%1000, genid, i%7, genid)}
		})},
		{"labels kept, with keys", many(3000, func(i int) row {
			if i%3 == 0 {
				return row{i % 4, fmt.Sprintf("_:%s_x%d <p> <o> .", keyOf(i), i%500)}
			}
			return row{i % 4, fmt.Sprintf("_:\x01_x%d <p> _:\x01_y .", i*31%1000)}
		})},
		{"keys that end in zeros or ones", many(2000, func(i int) row { return row{i % 5, fmt.Sprintf("a\x01\x00%d", i%300)} })},
		{"long lines", shuffled(many(60, func(i int) row { return giant(i%2, 2000+i%7, fmt.Sprint(i%40)) }), 4)},
		{"long equal lines", many(60, func(i int) row { return giant(i%3, 5000, "") })},
		{"long lines with keys", shuffled(many(60, func(i int) row { return giant(i%3, 3000, "\x01"+fmt.Sprint(i%20)) }), 5)},
		{"long lines among short ones",
			shuffled(append(statements(2000, 2, 6), many(20, func(i int) row { return giant(i%2, 9000+i%3, fmt.Sprint(i%5)) })...), 6)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { everySize(t, test.rows) })
	}
}

func TestAnyLinesOfAnyDocumentsInAnyMemory(t *testing.T) {
	law := func(seed uint64, alphabet uint8, longest uint8, documents uint8, memory uint16) bool {
		random := rand.New(rand.NewPCG(seed, 2))
		letters := "\x01ab\x00\x02\xff"[:1+int(alphabet)%6]
		rows := make([]row, random.IntN(3000))
		for i := range rows {
			line := make([]byte, random.IntN(int(longest)%40+1))
			for j := range line {
				line[j] = letters[random.IntN(len(letters))]
			}
			rows[i] = row{random.IntN(int(documents)%6 + 1), string(line)}
		}
		s := linesort.New(linesort.Options{Temp: t.TempDir(), Workers: 2})
		defer s.Close()
		s.Shrink(512+int64(memory), 64)
		lines, stats := run(t, s, rows)
		compare(t, rows, lines, stats)
		return true
	}
	if err := quick.Check(law, &quick.Config{MaxCount: 60}); err != nil {
		t.Fatal(err)
	}
}

func FuzzSortUnique(f *testing.F) {
	f.Add([]byte("b\na\nb\x01\n\x01\n"), uint16(100))
	f.Add([]byte("<https://x/.well-known/genid/\x01/a> .\n<https://x/.well-known/genid/8/a> .\n"), uint16(0))
	f.Add(bytes.Repeat([]byte("same\n"), 500), uint16(1))
	f.Fuzz(func(t *testing.T, text []byte, memory uint16) {
		var rows []row
		for i, line := range bytes.Split(text, []byte("\n")) {
			rows = append(rows, row{i % 5, string(line)})
		}
		s := linesort.New(linesort.Options{Temp: t.TempDir(), Workers: 2})
		defer s.Close()
		s.Shrink(256+int64(memory), 32)
		lines, stats := run(t, s, rows)
		compare(t, rows, lines, stats)
	})
}

func TestWhatFitsInMemoryNeverTouchesTheDisk(t *testing.T) {
	s := linesort.New(linesort.Options{Temp: "/nonexistent"})
	defer s.Close()
	rows := shuffled(statements(100_000, 2, 7), 7) // some 9 MB
	lines, stats := run(t, s, rows)
	compare(t, rows, lines, stats)
	if n := s.Spilled(); n != 0 {
		t.Errorf("%d bytes were written to disk", n)
	}
}

func TestMemoryOfPiecesHoldsLinesUntilItIsNeeded(t *testing.T) {
	s := linesort.New(linesort.Options{Memory: 16 << 20, Temp: "/nonexistent", Workers: 2})
	defer s.Close()
	var rows []row
	for i := range 90_000 { // more than the half of the memory that chunks have in the end
		rows = append(rows, row{i % 2, fmt.Sprintf("<%d> %s", i*7919%90_000, strings.Repeat("a long object ", 7))})
	}
	lines, stats := run(t, s, rows)
	compare(t, rows, lines, stats)
	if n := s.Spilled(); n != 0 {
		t.Errorf("%d bytes were written to disk", n)
	}
	if most, allowed := s.Most(); most <= 8<<20 || most > allowed {
		t.Errorf("%d bytes of chunks, of %d", most, allowed)
	}
}

// TestMappedMemoryIsWithinTheLimit sorts in slabs, which giants have to make room for, and gives all back.
func TestMappedMemoryIsWithinTheLimit(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("memory is mapped on Linux alone")
	}
	const limit = 10 << 30
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	s := linesort.New(linesort.Options{Memory: 32 << 20, Temp: t.TempDir()})
	defer s.Close()
	mapped := s.MapSlabs(1 << 20)
	rows := statements(150_000, 3, 1)
	for i := range 40 { // more than a chunk each
		rows = append(rows, row{0, strings.Repeat(string(rune('a'+i%26)), 700_000+i)})
	}
	rows = shuffled(rows, 2)
	for _, r := range rows {
		if err := s.Add(r.document, []byte(r.line)); err != nil {
			t.Fatal(err)
		}
	}
	if n := mapped(); n < 4 || debug.SetMemoryLimit(-1) != int64(limit-n<<20) {
		t.Errorf("%d slabs are mapped, and the limit is %d less", n, limit-debug.SetMemoryLimit(-1))
	}
	var lines []string
	stats, err := s.Write(t.Context(), keyOf, func(line []byte) error { lines = append(lines, string(line)); return nil })
	if err != nil {
		t.Fatal(err)
	}
	compare(t, rows, lines, stats)
	if most, allowed := s.Most(); most > allowed {
		t.Errorf("%d bytes of chunks, of %d", most, allowed)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if mapped() != 0 || debug.SetMemoryLimit(-1) != limit {
		t.Errorf("%d slabs are left, and the limit is %d", mapped(), debug.SetMemoryLimit(-1))
	}
}

func TestLeastMemoryTakesMoreThanFits(t *testing.T) {
	dir := t.TempDir()
	s := linesort.New(linesort.Options{Memory: 1, Temp: dir})
	defer s.Close()
	rows := shuffled(statements(200_000, 3, 8), 8)
	lines, stats := run(t, s, rows)
	compare(t, rows, lines, stats)
	if s.Spilled() == 0 {
		t.Error("nothing was written to disk")
	}
	left(t, dir) // even before Close
}

func TestSorterIsUsedOnce(t *testing.T) {
	s := linesort.New(linesort.Options{})
	if err := s.Add(-1, nil); err == nil {
		t.Error("document -1 was taken")
	}
	nothing := func([]byte) error { return nil }
	if _, err := s.Write(t.Context(), keyOf, nothing); err != nil {
		t.Error(err)
	}
	if _, err := s.Write(t.Context(), keyOf, nothing); err == nil {
		t.Error("written twice")
	}
	if err := s.Add(0, nil); err == nil {
		t.Error("a line was taken after Write")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error("second Close:", err)
	}
	if err := s.Add(0, nil); err == nil {
		t.Error("a line was taken after Close")
	}
	if _, err := s.Write(t.Context(), keyOf, nothing); err == nil {
		t.Error("written after Close")
	}
}

func TestKeysAreAskedOnlyIfALineNeedsThem(t *testing.T) {
	s := linesort.New(linesort.Options{})
	defer s.Close()
	s.Add(0, []byte("x"))
	_, err := s.Write(t.Context(), func(int) string { t.Error("asked"); return "" }, func([]byte) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
}

func TestLinesFarLongerThanMemory(t *testing.T) {
	s := linesort.New(linesort.Options{Memory: 8 << 20, Temp: t.TempDir()})
	defer s.Close()
	long := strings.Repeat("long ", 3<<20)
	rows := []row{{0, long + "b"}, {0, "short"}, {1, long + "a"}, {1, long + "b"}, {1, "\x01" + long}, {0, long + "b"}, {0, long}}
	lines, stats := run(t, s, rows)
	compare(t, rows, lines, stats)
}

func TestWhatAllLinesOfARangeBeginWithIsHeldOnce(t *testing.T) {
	const lines = 2000
	begin := strings.Repeat("a long beginning of every line, ", 8)
	s := linesort.New(linesort.Options{Temp: t.TempDir(), Workers: 2})
	defer s.Close()
	s.Shrink(64<<10, 1<<10)
	var want []string
	for i := range lines {
		line := fmt.Sprintf("%s%04d", begin, i*7919%lines)
		want = append(want, line)
		if err := s.Add(0, []byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if text := int64(lines * len(want[0])); s.Spilled() > text/4 {
		t.Errorf("%d bytes of lines, %d in the temporary file", text, s.Spilled())
	}
	slices.Sort(want)
	var got []string
	if _, err := s.Write(t.Context(), nil, func(line []byte) error {
		got = append(got, string(line))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Error("the lines are others, or in another order")
	}
}
