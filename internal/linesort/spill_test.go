package linesort

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"laundromat/internal/disk"
	"laundromat/internal/fault"
)

// small is a temporary file on a disk that has room for so many bytes.
type small struct {
	*os.File
	room, taken int64
	past        bool // more was written than was taken
}

func (f *small) reserve(offset, length int64) error {
	if offset+length > f.room {
		return syscall.ENOSPC
	}
	f.taken = offset + length
	return nil
}

func (f *small) WriteAt(p []byte, offset int64) (int, error) {
	f.past = f.past || offset+int64(len(p)) > f.taken
	return f.File.WriteAt(p, offset)
}

// sortOn adds so many lines of a hundred bytes to a sort whose temporary file is file.
func sortOn(t *testing.T, file *small, lines int, room func() error) error {
	t.Helper()
	s := New(Options{Memory: leastMemory, Workers: 1, Temp: t.TempDir(), Room: room})
	defer s.Close()
	s.spill.create = func(dir string) (f tempFile, err error) {
		file.File, err = os.CreateTemp(dir, "")
		return file, err
	}
	for i := range lines {
		if err := s.Add(0, fmt.Appendf(nil, "%08d %091d", i*7919%lines, i)); err != nil {
			return err
		}
	}
	n := 0
	stats, err := s.Write(t.Context(), func(int) string { return "" }, func([]byte) error { n++; return nil })
	if err == nil && (n != lines || stats.Lines != int64(lines)) {
		t.Errorf("%d lines, %d in the sums, of %d", n, stats.Lines, lines)
	}
	return err
}

func TestDiskIsTakenBeforeItIsWritten(t *testing.T) {
	const lines = 150_000 // 15 MB
	file := &small{room: 1 << 30}
	if err := sortOn(t, file, lines, nil); err != nil {
		t.Fatal(err)
	}
	if file.taken < 5<<20 || file.past {
		t.Errorf("%d bytes were taken; more were written: %v", file.taken, file.past)
	}
	// Less than a step: what there is serves to the end.
	file = &small{room: file.taken - disk.Step/2}
	if err := sortOn(t, file, lines, nil); err != nil || file.past {
		t.Errorf("on a disk of %d bytes: %v", file.room, err)
	}
}

func TestAShortDiskIsToldWithWhatIsMissing(t *testing.T) {
	file := &small{room: 1 << 20}
	err := sortOn(t, file, 150_000, nil)
	if fault.KindOf(err) != fault.Local || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("error %v", err)
	}
	if file.past {
		t.Error("more was written than was taken")
	}
	for _, part := range []string{"bytes more than the ", " that are written there have no room in "} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
}

func TestASortAsksBeforeItTakesDisk(t *testing.T) {
	kept := errors.New("so much is to be kept free")
	asked := 0
	err := sortOn(t, &small{room: 1 << 30}, 150_000, func() error { asked++; return kept })
	if !errors.Is(err, kept) || fault.KindOf(err) != fault.Local || asked != 1 {
		t.Errorf("asked %d times, error %v", asked, err)
	}
}

func TestTemporaryFileIsCompressedOnceItIsLargeOrSlow(t *testing.T) {
	type writes struct {
		times, n int
		took     time.Duration // of each
	}
	const quick, slow = 500 * time.Microsecond, 5 * time.Millisecond // for a mebibyte
	for name, test := range map[string]struct {
		writes []writes
		packs  bool
	}{
		"page cache":               {[]writes{{2000, 1 << 20, quick}}, false},
		"too little to tell":       {[]writes{{judgedAt - 1, 1 << 20, slow}}, false},
		"disk":                     {[]writes{{judgedAt, 1 << 20, slow}}, true},
		"disk behind a page cache": {[]writes{{500, 1 << 20, quick}, {judgedAt, 1 << 20, slow}}, true},
		"large":                    {[]writes{{3073, 1 << 20, quick}}, true},
		"compressed from then on":  {[]writes{{judgedAt, 1 << 20, slow}, {500, 1 << 20, quick}}, true},
		"a busy processor": {[]writes{{100, 1 << 20, quick}, {10, 1 << 20, time.Second}, {31, 1 << 20, quick},
			{10, 1 << 20, time.Second}}, false},
	} {
		var s spill
		for _, w := range test.writes {
			for range w.times {
				s.judge(w.n, w.took)
			}
		}
		if s.packs != test.packs {
			t.Errorf("%s: compressed %v", name, s.packs)
		}
	}
}
