package linesort_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"

	"laundromat/internal/fault"
	"laundromat/internal/linesort"
)

func TestFullDiskIsThisMachinesTrouble(t *testing.T) {
	full := &os.PathError{Op: "write", Path: "temp", Err: syscall.ENOSPC}
	for _, after := range []int64{-1, 0, 500, 5_000, 20_000, 40_000, 80_000} {
		t.Run(fmt.Sprint(after), func(t *testing.T) {
			s := linesort.New(linesort.Options{Temp: t.TempDir()})
			defer s.Close()
			s.Shrink(8<<10, 256)
			s.FailAfter(after, full)
			err := addAll(s, shuffled(statements(6000, 2, 9), 9))
			if err == nil {
				_, err = s.Write(t.Context(), keyOf, func([]byte) error { return nil })
			}
			var e *fault.Error
			if !errors.As(err, &e) || e.Kind != fault.Local || e.Code != fault.LocalDisk || !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("error %v", err)
			}
			if again := s.Add(0, []byte("x")); again == nil {
				t.Error("a line was taken after the disk had failed")
			}
			if _, again := s.Write(t.Context(), keyOf, func([]byte) error { return nil }); again == nil {
				t.Error("lines were written after the disk had failed")
			}
		})
	}
}

func TestFullDeviceIsThisMachinesTrouble(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	s := linesort.New(linesort.Options{})
	defer s.Close()
	s.Shrink(8<<10, 256)
	s.CreateOn(func() (linesort.TempFile, error) { return os.OpenFile("/dev/full", os.O_RDWR, 0) })
	err := addAll(s, statements(60000, 1, 10))
	if fault.KindOf(err) != fault.Local || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("error %v", err)
	}
}

func TestMissingTemporaryFolderIsThisMachinesTrouble(t *testing.T) {
	s := linesort.New(linesort.Options{Temp: t.TempDir() + "/none"})
	defer s.Close()
	s.Shrink(8<<10, 256)
	if err := addAll(s, statements(60000, 1, 10)); fault.KindOf(err) != fault.Local || !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("error %v", err)
	}
}

func addAll(s *linesort.Sorter, rows []row) error {
	for _, r := range rows {
		if err := s.Add(r.document, []byte(r.line)); err != nil {
			return err
		}
	}
	return nil
}

func TestErrorOfTheTakerComesBackAsItIs(t *testing.T) {
	refused := errors.New("no more")
	for _, n := range []int{0, 1, 1000} {
		s := linesort.New(linesort.Options{Temp: t.TempDir(), Workers: 3})
		s.Shrink(8<<10, 256)
		if err := addAll(s, statements(3000, 1, 11)); err != nil {
			t.Fatal(err)
		}
		_, err := s.Write(t.Context(), keyOf, func([]byte) error {
			if n--; n < 0 {
				return refused
			}
			return nil
		})
		if err != refused {
			t.Errorf("error %v", err)
		}
		s.Close()
	}
}

func TestCancelledContextEndsTheWrite(t *testing.T) {
	for _, after := range []int{0, 1, 1500} {
		dir := t.TempDir()
		s := linesort.New(linesort.Options{Temp: dir, Workers: 2})
		s.Shrink(8<<10, 256)
		if err := addAll(s, statements(3000, 1, 12)); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		if after == 0 {
			cancel()
		}
		n := 0
		_, err := s.Write(ctx, keyOf, func([]byte) error {
			if n++; n == after {
				cancel()
			}
			return nil
		})
		cancel()
		if !errors.Is(err, context.Canceled) || fault.KindOf(err) != fault.Stopped {
			t.Errorf("after %d: error %v", after, err)
		}
		if n > after+1000 {
			t.Errorf("after %d: %d lines", after, n)
		}
		s.Close()
		left(t, dir)
	}
}
