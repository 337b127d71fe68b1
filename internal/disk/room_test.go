package disk

import (
	"errors"
	"strings"
	"syscall"
	"testing"
)

// TestRoomIsTakenInStepsAsLongAsThereIsSome: large steps where they fit, smaller ones up to
// the last byte, then what is missing is reported.
func TestRoomIsTakenInStepsAsLongAsThereIsSome(t *testing.T) {
	const has = 3*Step + 1000
	taken, calls := int64(0), 0
	room := NewRoom(t.TempDir(), func(offset, length int64) error {
		if calls++; offset != taken {
			t.Fatalf("taken at %d, behind %d", offset, taken)
		}
		if offset+length > has {
			return syscall.ENOSPC
		}
		taken += length
		return nil
	})
	size := int64(0)
	for ; size+900 <= has; size += 900 {
		if err := room.Need(size, 900); err != nil {
			t.Fatalf("at %d: %v", size, err)
		}
		if taken < size+900 {
			t.Fatalf("%d are taken for %d", taken, size+900)
		}
	}
	if calls > 200 {
		t.Errorf("asked %d times", calls)
	}
	err := room.Need(size, 5000)
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), " bytes more than the ") {
		t.Errorf("error %v", err)
	}
}

func TestWhereRoomCanNotBeTakenNothingIsShort(t *testing.T) {
	for _, take := range []func(int64, int64) error{nil, func(int64, int64) error { return errors.ErrUnsupported }} {
		room := NewRoom(t.TempDir(), take)
		if err := room.Need(0, 1<<40); err != nil || room.Wants(1<<40, 1<<40) {
			t.Error(err)
		}
	}
}

// TestSmallFilesTakeNone: most outputs are smaller than a step.
func TestSmallFilesTakeNone(t *testing.T) {
	var taken []int64
	room := NewRoom(t.TempDir(), func(_, length int64) error { taken = append(taken, length); return nil }).Gently()
	for size := int64(0); size < 300<<20; size += 1 << 10 {
		if err := room.Need(size, 1<<10); err != nil {
			t.Fatal(err)
		}
		if size < 1<<20-1<<10 && len(taken) > 0 {
			t.Fatalf("%v were taken for %d bytes", taken, size)
		}
	}
	if len(taken) < 5 || taken[0] != 1<<20 || taken[len(taken)-1] != Step {
		t.Errorf("taken: %v", taken)
	}
}
