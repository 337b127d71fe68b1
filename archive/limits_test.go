package archive_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zip"
	"github.com/mholt/archives"

	"laundromat/archive"
	"laundromat/internal/fault"
)

func TestLimitsEndTheWorkAfterWhatCameBefore(t *testing.T) {
	ten := make([]member, 10)
	for i := range ten {
		ten[i] = member{fmt.Sprint(i), lines(1000)}
	}
	deep := "leaf"
	for range 5 {
		deep = gz(t, deep)
	}
	wide := "leaf"
	for range 4 {
		wide = pack(t, archives.Xz{}, wide)
	}
	for _, c := range []struct {
		name, data string
		limits     archive.Limits
		code       fault.Code
		entries    int
	}{
		{"entries of a tar", tarOf(t, ten...), archive.Limits{Entries: 4}, fault.LimitArchiveEntries, 4},
		{"entries of a zip", zipOf(t, zip.Deflate, ten...), archive.Limits{Entries: 4}, fault.LimitArchiveEntries, 4},
		{"entries of a zip without directory", zipOf(t, zip.Deflate, ten...)[:3000], archive.Limits{Entries: 4}, fault.LimitArchiveEntries,
			4},
		{"entries of a 7z", sevenZipOf(ten...), archive.Limits{Entries: 4}, fault.LimitArchiveEntries, 4},
		{"entries of a rar", rarOf(0, ten...), archive.Limits{Entries: 4}, fault.LimitArchiveEntries, 4},
		{"bytes of a tar", tarOf(t, ten...), archive.Limits{Bytes: 3500}, fault.LimitArchiveBytes, 4},
		{"bytes of a zip", zipOf(t, zip.Deflate, ten...), archive.Limits{Bytes: 3500}, fault.LimitArchiveBytes, 4},
		{"bytes of a 7z", sevenZipOf(ten...), archive.Limits{Bytes: 3500}, fault.LimitArchiveBytes, 4},
		{"bytes of a rar", rarOf(0, ten...), archive.Limits{Bytes: 3500}, fault.LimitArchiveBytes, 4},
		{"bytes of a stream", gz(t, lines(100_000)), archive.Limits{Bytes: 50_000}, fault.LimitArchiveBytes, 0},
		{"depth", deep, archive.Limits{Depth: 4}, fault.LimitArchiveDepth, 0},
		{"no depth", tarOf(t, two...), archive.Limits{Depth: -1}, fault.LimitArchiveDepth, 0},
		{"windows", wide, archive.Limits{}, fault.LimitArchiveDepth, 0},
		{"ratio of a stream", zeros(t), archive.Limits{Ratio: 100}, fault.LimitArchiveRatio, 0},
		{"ratio of a stream of streams", gz(t, zeros(t)), archive.Limits{}, fault.LimitArchiveRatio, 0},
	} {
		var got *read
		if c.code == fault.LimitArchiveRatio {
			got = drain(t, c.data, c.limits)
		} else {
			got = readAll(t, c.data, "", c.limits)
		}
		if fault.KindOf(got.err) != fault.Limit || fault.CodeOf(got.err) != c.code || len(got.entries) != c.entries {
			t.Errorf("%s: error %v (%s), %d entries", c.name, got.err, fault.CodeOf(got.err), len(got.entries))
		}
	}
	if got := readAll(t, deep, "", archive.Limits{Depth: 5}); got.leaf != "leaf" {
		t.Errorf("depth 5: %q, error %v", got.leaf, got.err)
	}
}

// drain reads a leaf, or every entry, and holds nothing.
func drain(t testing.TB, data string, limits archive.Limits) *read {
	t.Helper()
	return drainNamed(t, data, "", limits)
}

func drainNamed(t testing.TB, data, name string, limits archive.Limits) *read {
	t.Helper()
	ctx := context.Background()
	got := &read{}
	o, err := archive.Open(ctx, strings.NewReader(data), name, limits, func(n fault.Notice) { got.notices = append(got.notices, n) })
	if err != nil {
		got.err = err
		return got
	}
	defer o.Close()
	if o.Format != "" {
		got.err = o.Entries(ctx, func(e archive.Entry, r io.Reader) error {
			_, err := io.Copy(io.Discard, r)
			return err
		})
		return got
	}
	r, err := o.Reader(ctx)
	if err != nil {
		got.err = err
		return got
	}
	defer r.Close()
	_, got.err = io.Copy(io.Discard, r)
	return got
}

func TestALimitIsToldThoughTheCallbackKeepsSilent(t *testing.T) {
	o, err := archive.Open(context.Background(), strings.NewReader(tarOf(t, two...)), "", archive.Limits{Bytes: 10}, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = o.Entries(context.Background(), func(e archive.Entry, r io.Reader) error { n++; io.Copy(io.Discard, r); return nil })
	if fault.CodeOf(err) != fault.LimitArchiveBytes || n != 1 {
		t.Errorf("error %v after %d entries", err, n)
	}
}

// overlapping is a zip whose directory names one stream many times, so that a
// small file gives much (the idea of Fifield's bombs).
func overlapping(t testing.TB, times int) string {
	one := zipOf(t, zip.Deflate, member{"0", strings.Repeat("\x00", 4<<20)})
	directory := strings.Index(one, "PK\x01\x02")
	end := strings.Index(one, "PK\x05\x06")
	record := one[directory:end]
	tail := []byte(one[end:])
	size := len(record) * times
	tail[12], tail[13], tail[14], tail[15] = byte(size), byte(size>>8), byte(size>>16), byte(size>>24)
	return one[:directory] + strings.Repeat(record, times) + string(tail)
}

func TestBombsAreStopped(t *testing.T) {
	bombs := map[string]string{
		"overlapping zip": overlapping(t, 1000),
		"gzip of gzip":    gz(t, gz(t, zeros(t))),
		"tar.gz of zeros": gz(t, tarHead(t, 1<<40)+strings.Repeat("\x00", 80<<20)),
		"zip of zeros":    zipOf(t, zip.Deflate, member{"z", gz(t, zeros(t))}),
	}
	for name, bomb := range bombs {
		if len(bomb) > 300_000 {
			t.Errorf("%s: the bomb itself has %d bytes", name, len(bomb))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := explode(t, bomb, archive.Limits{})
		runtime.ReadMemStats(&after)
		if fault.KindOf(err) != fault.Limit {
			t.Errorf("%s: error %v", name, err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 256<<20 {
			t.Errorf("%s: %d bytes were allocated", name, grown)
		}
	}
}

// tarHead is a tar whose one entry claims a size and has no body.
func tarHead(t testing.TB, size int64) string {
	whole := tarOf(t, member{"zeros", ""})
	block := []byte(whole[:512])
	copy(block[124:136], "\x80\x00\x00\x00"+string([]byte{byte(size >> 56), byte(size >> 48), byte(size >> 40), byte(size >> 32),
		byte(size >> 24), byte(size >> 16), byte(size >> 8), byte(size)}))
	copy(block[148:156], "        ")
	sum := 0
	for _, b := range block {
		sum += int(b)
	}
	copy(block[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return string(block)
}

// explode opens what lies within, all the way down, as the work does.
func explode(t testing.TB, data string, limits archive.Limits) error {
	t.Helper()
	return explodeSource(t, strings.NewReader(data), limits)
}

func explodeSource(t testing.TB, src archive.Source, limits archive.Limits) error {
	ctx := context.Background()
	o, err := archive.Open(ctx, src, "", limits, nil)
	if err != nil {
		return err
	}
	defer o.Close()
	if o.Format == "" {
		r, err := o.Reader(ctx)
		if err != nil {
			return err
		}
		defer r.Close()
		_, err = io.Copy(io.Discard, r)
		return err
	}
	inside := o.Inside()
	return o.Entries(ctx, func(e archive.Entry, r io.Reader) error {
		s, err := archive.Spool(ctx, r, t.TempDir(), 1<<20)
		if err != nil {
			return err
		}
		defer s.Close()
		return explodeSource(t, s, inside)
	})
}

func TestNestedArchivesShareOneAccount(t *testing.T) {
	inner := tarOf(t, member{"a", lines(1000)}, member{"b", lines(1000)})
	outer := tarOf(t, member{"1.tar", inner}, member{"2.tar", inner}, member{"3.tar", inner})
	if err := explode(t, outer, archive.Limits{Entries: 9}); err != nil {
		t.Errorf("9 entries: %v", err)
	}
	if err := explode(t, outer, archive.Limits{Entries: 8}); fault.CodeOf(err) != fault.LimitArchiveEntries {
		t.Errorf("8 entries: %v", err)
	}
	sum := int64(3*len(inner) + 3*2*len(lines(1000)))
	if err := explode(t, outer, archive.Limits{Bytes: sum}); err != nil {
		t.Errorf("%d bytes: %v", sum, err)
	}
	if err := explode(t, outer, archive.Limits{Bytes: sum - 1}); fault.CodeOf(err) != fault.LimitArchiveBytes {
		t.Errorf("%d bytes: %v", sum-1, err)
	}
	if err := explode(t, outer, archive.Limits{Depth: 2}); err != nil {
		t.Errorf("depth 2: %v", err)
	}
	if err := explode(t, outer, archive.Limits{Depth: 1}); fault.CodeOf(err) != fault.LimitArchiveDepth {
		t.Errorf("depth 1: %v", err)
	}
}

func TestMatryoshkaWithoutEndIsStopped(t *testing.T) {
	data := []byte("core")
	for i := range 40 {
		data = []byte(tarOf(t, member{fmt.Sprint(i), string(data)}))
		if len(data) > 1<<20 {
			t.Fatal("the sample grows too large")
		}
		var b bytes.Buffer
		w, _ := archives.Gz{}.OpenWriter(&b)
		w.Write(data)
		w.Close()
		data = b.Bytes()
	}
	if err := explode(t, string(data), archive.Limits{}); fault.CodeOf(err) != fault.LimitArchiveDepth {
		t.Errorf("error %v", err)
	}
}
