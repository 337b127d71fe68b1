package fault_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"syscall"
	"testing"

	"laundromat/internal/fault"
)

func TestKindIsThatOfTheOutermostError(t *testing.T) {
	inner := fault.New("fetch.Get", fault.Remote, "transport/timeout", "no reply: %w", io.ErrUnexpectedEOF)
	for _, c := range []struct {
		err  error
		kind fault.Kind
		code fault.Code
	}{
		{nil, fault.Unknown, ""},
		{errors.New("x"), fault.Unknown, ""},
		{inner, fault.Remote, "transport/timeout"},
		{fmt.Errorf("a: %w", fmt.Errorf("b: %w", inner)), fault.Remote, "transport/timeout"},
		{fault.New("x", fault.Limit, "limit/bytes", "%w", inner), fault.Limit, "limit/bytes"},
		{fmt.Errorf("a: %w", context.Canceled), fault.Stopped, ""},
		{context.DeadlineExceeded, fault.Stopped, ""},
		{fmt.Errorf("write: %w", syscall.ENOSPC), fault.Local, ""},
		{&os.PathError{Op: "open", Path: "x", Err: syscall.EMFILE}, fault.Local, ""},
		{&os.PathError{Op: "open", Path: "x", Err: errors.New("odd")}, fault.Local, ""},
		{io.ErrUnexpectedEOF, fault.Unknown, ""},
	} {
		if got := fault.KindOf(c.err); got != c.kind {
			t.Errorf("%v: kind %s, want %s", c.err, got, c.kind)
		}
		if got := fault.CodeOf(c.err); got != c.code {
			t.Errorf("%v: code %q, want %q", c.err, got, c.code)
		}
	}
	if !errors.Is(inner, io.ErrUnexpectedEOF) || inner.Error() != "no reply: unexpected EOF" {
		t.Errorf("the cause is lost: %v", inner)
	}
	if got := (&fault.Error{Code: "limit/bytes"}).Error(); got != "limit/bytes" {
		t.Errorf("an error without a cause says its code, not %q", got)
	}
}

func TestStoredNamesComeBack(t *testing.T) {
	for k := fault.Unknown; k <= fault.Bug; k++ {
		var back fault.Kind
		text, _ := k.MarshalText()
		if err := back.UnmarshalText(text); err != nil || back != k {
			t.Errorf("%s came back as %s, %v", k, back, err)
		}
	}
	later := fault.Bug
	if err := later.UnmarshalText([]byte("of-a-later-version")); err != nil || later != fault.Unknown {
		t.Errorf("a kind of a later version is %s, %v", later, err)
	}
	for s := fault.Note; s <= fault.Drop; s++ {
		var back fault.Severity
		text, _ := s.MarshalText()
		if err := back.UnmarshalText(text); err != nil || back != s {
			t.Errorf("%s came back as %s, %v", s, back, err)
		}
	}
	var s fault.Severity
	if s.UnmarshalText([]byte("")) == nil || s.UnmarshalText([]byte("dire")) == nil {
		t.Error("an unknown severity was read")
	}
}

func TestNoticeIsOneFlatObject(t *testing.T) {
	n := fault.Notice{Code: "iri/space", Severity: fault.Repair, Pos: fault.Pos{Line: 3, Column: 7, Offset: 0},
		Message: "m", Excerpt: "e", Lost: 1, Bytes: 5}
	got, err := json.Marshal(n)
	want := `{"code":"iri/space","severity":"repair","line":3,"column":7,"offset":0,"message":"m","excerpt":"e","lost":1,"bytes":5}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
	var back fault.Notice
	if err := json.Unmarshal(got, &back); err != nil || !reflect.DeepEqual(back, n) {
		t.Errorf("came back as %+v, %v", back, err)
	}
}
