package files_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"laundromat/internal/digest"
	"laundromat/internal/files"
)

// ordered returns n lines in order.
func ordered(n int) []string {
	random := rand.New(rand.NewPCG(1, 1))
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf(`<http://example.org/resource/Thing_%07d> <http://example.org/ontology/p%d> "%x" .`,
			i/3, i%3, random.Uint64()>>uint(random.IntN(60)))
	}
	return lines
}

type made struct {
	clean, index []byte
	content      digest.Content
}

func write(t testing.TB, lines []string, opt files.CleanOptions) made {
	t.Helper()
	var clean, index bytes.Buffer
	opt.Index = &index
	w := files.NewCleanWriter(&clean, opt)
	for _, line := range lines {
		if err := w.Line([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return made{clean.Bytes(), index.Bytes(), w.Content()}
}

// writeMany writes lines as write does, up to so many at once.
func writeMany(t testing.TB, lines []string, most int, opt files.CleanOptions) made {
	t.Helper()
	var clean, index bytes.Buffer
	opt.Index = &index
	w := files.NewCleanWriter(&clean, opt)
	last := ""
	var released atomic.Int32
	given := 0
	for some := range slices.Chunk(lines, most) {
		var ends, shared []int
		var text bytes.Buffer
		for _, line := range some {
			n := 0
			for n < min(len(line), len(last)) && line[n] == last[n] {
				n++
			}
			text.WriteString(line + "\n")
			ends, shared, last = append(ends, text.Len()), append(shared, n), line
		}
		given++
		if err := w.Lines(text.Bytes(), ends, shared, func() { clear(text.Bytes()); released.Add(1) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if n := int(released.Load()); n != given {
		t.Errorf("%d of %d texts given back", n, given)
	}
	return made{clean.Bytes(), index.Bytes(), w.Content()}
}

func textOf(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

var cleanTests = []struct {
	name  string
	lines []string
}{
	{"no line", nil},
	{"one line", ordered(1)},
	{"one empty line", []string{""}},
	{"less than a member", ordered(1000)},
	{"several members", ordered(40_000)},
	{"a line longer than a member", []string{"<a> <b> \"" + strings.Repeat("x", 3<<20) + "\" .", "<b> <b> <c> .", "<c> <b> \"" +
		strings.Repeat("x", 1<<20) + "\" ."}},
	{"long subjects", []string{"<" + strings.Repeat("s", 100) + "> <p> <o> .", "<" + strings.Repeat("t", 100) + "> <p> <o> ."}},
}

func TestAnyGunzipReadsACleanFile(t *testing.T) {
	for _, test := range cleanTests {
		t.Run(test.name, func(t *testing.T) {
			made := write(t, test.lines, files.CleanOptions{})
			z, err := gzip.NewReader(bytes.NewReader(made.clean))
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			want := textOf(test.lines)
			if string(text) != want {
				t.Errorf("%d bytes, want %d", len(text), len(want))
			}
			c := made.content
			if c.MD5 != fmt.Sprintf("%x", md5.Sum(text)) || c.SHA256 != fmt.Sprintf("%x", sha256.Sum256(text)) ||
				c.NumberOfBytes != int64(len(text)) || *c.NumberOfLines != int64(len(test.lines)) ||
				c.NumberOfChars == nil || *c.NumberOfChars != int64(utf8.RuneCount(text)) {
				t.Errorf("content %+v", c)
			}
		})
	}
}

func TestCleanFileDoesNotTellHowItWasMade(t *testing.T) {
	lines := ordered(60_000)
	one := write(t, lines, files.CleanOptions{Workers: 1})
	for _, workers := range []int{0, 2, 7} {
		other := write(t, lines, files.CleanOptions{Workers: workers})
		if !bytes.Equal(one.clean, other.clean) || !bytes.Equal(one.index, other.index) {
			t.Errorf("%d workers give another file", workers)
		}
	}
	without := write(t, lines, files.CleanOptions{Workers: 2, WithoutMD5: true})
	want := one.content
	if want.MD5 = ""; !bytes.Equal(one.clean, without.clean) || !reflect.DeepEqual(without.content, want) {
		t.Errorf("without MD5: %+v, not %+v", without.content, want)
	}
	for _, test := range cleanTests {
		for _, level := range []int{1, 6} {
			line := write(t, test.lines, files.CleanOptions{Level: level})
			for _, most := range []int{1, 7, 10_000, 1 << 30} {
				if many := writeMany(t, test.lines, most, files.CleanOptions{Level: level}); !bytes.Equal(line.clean, many.clean) ||
					!bytes.Equal(line.index, many.index) || many.content.SHA256 != line.content.SHA256 ||
					*many.content.NumberOfChars != *line.content.NumberOfChars {
					t.Errorf("%s, level %d: %d lines at once give another file than each by itself", test.name, level, most)
				}
			}
		}
	}
	if small := write(t, lines, files.CleanOptions{Level: 9}); len(small.clean) >= len(
		write(t, lines, files.CleanOptions{Level: 1}).clean) {
		t.Error("level 9 is not smaller than level 1")
	}
}

func TestWholeCleanFileIsVerified(t *testing.T) {
	for _, test := range cleanTests {
		t.Run(test.name, func(t *testing.T) {
			made := write(t, test.lines, files.CleanOptions{})
			for _, index := range []io.Reader{bytes.NewReader(made.index), nil} {
				got, err := files.VerifyClean(t.Context(), iotest.HalfReader(bytes.NewReader(made.clean)), index)
				if err != nil {
					t.Fatal(err)
				}
				if got.MD5 != made.content.MD5 || got.SHA256 != made.content.SHA256 || *got.NumberOfLines != int64(len(test.lines)) ||
					got.Newline != made.content.Newline || *got.NumberOfChars != *made.content.NumberOfChars {
					t.Errorf("content %+v, want %+v", got, made.content)
				}
			}
		})
	}
}

func pack(texts ...string) []byte {
	var packed bytes.Buffer
	for _, text := range texts {
		z := gzip.NewWriter(&packed)
		io.WriteString(z, text)
		z.Close()
	}
	return packed.Bytes()
}

func TestDamageOfACleanFileIsFound(t *testing.T) {
	whole := write(t, ordered(40_000), files.CleanOptions{})
	other := write(t, ordered(40_001), files.CleanOptions{})
	flipped := bytes.Clone(whole.clean)
	flipped[len(flipped)/2] ^= 0x10
	tests := []struct {
		name         string
		clean, index []byte
		line         int64 // -1: any
		message      string
	}{
		{"empty", nil, nil, 0, "the file is empty: not even a gzip member"},
		{"not gzip", []byte("<a> <b> <c> .\n"), nil, 1, "what follows is not a gzip member"},
		{"cut short in a member", whole.clean[:len(whole.clean)-5], nil, -1, "the file is cut short"},
		{"cut short in a head", pack("a\n")[:5], nil, 1, "the file is cut short"},
		{"rubbish at the end", append(pack("a\n"), "rubbish that isn't a member"...), nil, 2, "what follows is not a gzip member"},
		{"a bit changed", flipped, whole.index, -1, ""},
		{"not in order", pack("a\nc\n", "b\n"), nil, 3, "the line is smaller than the one before it"},
		{"twice", pack("a\nb\n", "b\n"), nil, 3, "the line is there twice"},
		{"line over two members", pack("a\nb", "c\n"), nil, 2, "a line goes on over the end of a member, or is not ended"},
		{"last line not ended", pack("a\nb"), nil, 2, "a line goes on over the end of a member, or is not ended"},
		{"no index", whole.clean, []byte{}, 0, "the index is damaged"},
		{"index cut short", whole.clean, whole.index[:len(whole.index)-1], 0, "the index is damaged, or that of another file"},
		{"index with more", whole.clean, append(bytes.Clone(whole.index), 0), 0, "the index is damaged, or that of another file"},
		{"index of another file", other.clean, whole.index, 0, "the index is damaged, or that of another file"},
		{"index of a shorter file", append(bytes.Clone(whole.clean), pack("~\n")...), whole.index, 0,
			"the index is damaged, or that of another file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var index io.Reader
			if test.index != nil {
				index = bytes.NewReader(test.index)
			}
			_, err := files.VerifyClean(t.Context(), bytes.NewReader(test.clean), index)
			var damage *files.Damage
			if !errors.As(err, &damage) {
				t.Fatalf("error %v", err)
			}
			if test.message != "" && damage.Message != test.message || test.line >= 0 && damage.Line != test.line {
				t.Errorf("%d %q, want %d %q", damage.Line, damage.Message, test.line, test.message)
			}
		})
	}
}

func TestEveryChangedBitOfAnIndexIsFound(t *testing.T) {
	made := write(t, ordered(20), files.CleanOptions{})
	for i := range 8 * len(made.index) {
		index := bytes.Clone(made.index)
		index[i/8] ^= 1 << (i % 8)
		if _, err := files.VerifyClean(t.Context(), bytes.NewReader(made.clean), bytes.NewReader(index)); err == nil {
			t.Errorf("bit %d", i)
		}
	}
}

func TestTroubleOfReadingIsNotDamage(t *testing.T) {
	whole := write(t, ordered(40_000), files.CleanOptions{})
	var damage *files.Damage
	broken := io.MultiReader(bytes.NewReader(whole.clean[:len(whole.clean)/2]), iotest.ErrReader(syscall.EIO))
	if _, err := files.VerifyClean(t.Context(), broken, nil); !errors.Is(err, syscall.EIO) || errors.As(err, &damage) {
		t.Errorf("error %v", err)
	}
	if _, err := files.VerifyClean(t.Context(), bytes.NewReader(whole.clean), iotest.ErrReader(syscall.EIO)); !errors.Is(err,
		syscall.EIO) || errors.As(err, &damage) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := files.VerifyClean(ctx, bytes.NewReader(whole.clean), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// failing takes n bytes, then no more.
type failing struct{ n int }

func (f *failing) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, syscall.ENOSPC
	}
	return len(p), nil
}

func TestFullDiskComesBackFromTheCleanWriter(t *testing.T) {
	lines := ordered(60_000)
	for _, test := range []struct{ clean, index int }{{0, 1 << 30}, {100_000, 1 << 30}, {1 << 30, 0}, {1 << 30, 100}} {
		w := files.NewCleanWriter(&failing{test.clean}, files.CleanOptions{Workers: 2, Index: &failing{test.index}})
		var err error
		for _, line := range lines {
			if err = w.Line([]byte(line)); err != nil {
				break
			}
		}
		if end := w.Close(); err == nil {
			err = end
		} else if end == nil {
			t.Errorf("%+v: Close knows of no error", test)
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

func TestCleanFileCanBeGivenUp(t *testing.T) {
	for _, n := range []int{0, 10, 60_000} {
		w := files.NewCleanWriter(io.Discard, files.CleanOptions{})
		for _, line := range ordered(n) {
			if err := w.Line([]byte(line)); err != nil {
				t.Fatal(err)
			}
		}
		w.Abort()
		w.Abort()
		if err := w.Line(nil); err == nil {
			t.Error("a line was taken")
		}
		if err := w.Close(); err == nil {
			t.Error("closed")
		}
	}
}

func FuzzDamagedFilesAreOnlyDamaged(f *testing.F) {
	made := write(f, ordered(20), files.CleanOptions{})
	f.Add(made.clean, made.index)
	f.Add(pack("a\n", "b\n"), made.index)
	f.Fuzz(func(t *testing.T, clean, index []byte) {
		var damage *files.Damage
		_, err := files.VerifyClean(t.Context(), bytes.NewReader(clean), bytes.NewReader(index))
		if err != nil && !errors.As(err, &damage) && !strings.Contains(err.Error(), "version") {
			t.Errorf("error %v", err)
		}
	})
}

func BenchmarkCleanWriter(b *testing.B) {
	lines := ordered(200_000)
	size := len(textOf(lines))
	for _, level := range []int{1, 6} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("level %d/%d workers", level, workers), func(b *testing.B) {
				b.SetBytes(int64(size))
				for b.Loop() {
					var n counter
					w := files.NewCleanWriter(&n, files.CleanOptions{Level: level, Workers: workers, Index: io.Discard})
					for _, line := range lines {
						w.Line([]byte(line))
					}
					if err := w.Close(); err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(size)/float64(n), "ratio")
				}
			})
		}
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

func BenchmarkVerifyClean(b *testing.B) {
	lines := ordered(200_000)
	made := write(b, lines, files.CleanOptions{})
	b.SetBytes(made.content.NumberOfBytes)
	for b.Loop() {
		if _, err := files.VerifyClean(b.Context(), bytes.NewReader(made.clean), bytes.NewReader(made.index)); err != nil {
			b.Fatal(err)
		}
	}
}
