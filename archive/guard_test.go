package archive

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"laundromat/internal/fault"
)

// stuck is a decoder that gives some bytes, and then neither a byte nor an error.
type stuck struct{ first string }

func (s *stuck) Read(p []byte) (int, error) {
	n := copy(p, s.first)
	s.first = s.first[n:]
	return n, nil
}

// stuckMembers is a format whose members are such.
type stuckMembers struct{}

func (stuckMembers) is([]byte) bool                        { return true }
func (stuckMembers) found([]byte) bool                     { return false }
func (stuckMembers) fresh() memberKind                     { return stuckMembers{} }
func (stuckMembers) open(*bufio.Reader) (io.Reader, error) { return &stuck{first: "some"}, nil }

func TestADecoderThatGivesNothingIsGivenUp(t *testing.T) {
	open := func(t *testing.T) (*Opened, *[]fault.Notice) {
		var notices []fault.Notice
		o, err := Open(t.Context(), strings.NewReader("text"), "", Limits{}, func(n fault.Notice) { notices = append(notices, n) })
		if err != nil {
			t.Fatal(err)
		}
		return o, &notices
	}
	isTold := func(t *testing.T, notices []fault.Notice) {
		t.Helper()
		if len(notices) != 1 || notices[0].Code != fault.LimitArchiveStalled || notices[0].Severity != fault.Drop || notices[0].Lost != 1 {
			t.Errorf("notices %v", notices)
		}
	}
	for name, opens := range map[string]func(*layer) (io.ReadCloser, error){
		"a filter":               func(*layer) (io.ReadCloser, error) { return io.NopCloser(&stuck{first: "some"}), nil },
		"a filter, at once":      func(*layer) (io.ReadCloser, error) { return io.NopCloser(&stuck{}), nil },
		"a member":               openMembers(format{"x", "an x"}, func(*layer) memberKind { return stuckMembers{} }),
		"behind another decoder": func(*layer) (io.ReadCloser, error) { return io.NopCloser(bufio.NewReader(&stuck{first: "some"})), nil },
	} {
		t.Run(name, func(t *testing.T) {
			o, notices := open(t)
			o.opens, o.Filters = []filter{{name: "x", open: opens}}, []string{"x"}
			r, err := o.Reader(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if out, err := io.ReadAll(r); err != nil && err != io.ErrNoProgress || !strings.HasPrefix("some", string(out)) {
				t.Errorf("%q, error %v", out, err)
			}
			if name != "behind another decoder" {
				isTold(t, *notices)
			}
		})
	}
	for name, stream := range map[string]func(w *walk) error{
		"an entry": func(w *walk) error {
			return w.entry(Entry{Name: "a", Size: -1}, &stuck{first: "some"}, checks{size: -1})
		},
		"an entry in a solid stream": func(w *walk) error {
			g := w.guard()
			in := &stuck{first: "some"}
			f := &solid{format: "x"}
			f.more = func() {
				p := make([]byte, 10)
				var n int
				n, f.err = g.read(in, p)
				f.ready = p[:n]
			}
			return w.entry(Entry{Name: "a", Size: 9}, &solidFile{w: w, f: f, name: "a", end: 9}, checks{size: 9})
		},
	} {
		t.Run(name, func(t *testing.T) {
			o, notices := open(t)
			o.Format, o.container = "x", &container{name: "x", stream: func(w *walk, _ context.Context) error {
				if err := stream(w); err != nil {
					return err
				}
				w.place++
				return w.entry(Entry{Name: "b", Size: 4}, strings.NewReader("next"), checks{size: 4})
			}}
			var all []string
			err := o.Entries(t.Context(), func(_ Entry, r io.Reader) error {
				out, err := io.ReadAll(r)
				all = append(all, string(out))
				return err
			})
			if err != nil || strings.Join(all, " ") != "some next" {
				t.Errorf("%q, error %v", all, err)
			}
			isTold(t, *notices)
		})
	}
}
