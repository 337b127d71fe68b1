package encoding_test

import (
	"bytes"
	"context"
	"io"
	"testing"
	"testing/iotest"

	"laundromat/encoding"
)

// However the bytes come in pieces, the decision is the same. What it names can be read
// to the end; and the confidence is a share.
func FuzzDecisions(f *testing.F) {
	for _, c := range encodings {
		if raw, ok := encode(f, c.in[0], document(languages[c.language])); ok {
			f.Add(raw)
		}
	}
	f.Add([]byte("\xFF"))
	f.Add(bytes.Repeat([]byte("\x84\x31"), 400))
	f.Fuzz(func(t *testing.T, raw []byte) {
		presumed, _ := encoding.Presume(raw, encoding.Hints{})
		whole, _, _, err := encoding.Decide(context.Background(), bytes.NewReader(raw), presumed, encoding.Hints{})
		if err != nil {
			t.Fatal(err)
		}
		pieces, _, _, err := encoding.Decide(context.Background(), iotest.OneByteReader(bytes.NewReader(raw)), presumed, encoding.Hints{})
		if err != nil || pieces.Name != whole.Name || likeliest(pieces) != likeliest(whole) {
			t.Errorf("%q: %v in pieces, %v as a whole; %v", raw, pieces, whole, err)
		}
		r, err := encoding.NewReader(bytes.NewReader(raw), whole.Name, encoding.Options{Tolerate: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, r); err != nil {
			t.Error(err)
		}
		for _, e := range whole.Evidence {
			if e.Confidence < 0 || e.Confidence > 1 {
				t.Errorf("%q: %+v", raw, e)
			}
		}
	})
}

// likeliest is the encoding that stray bytes are in; "" if there are none.
func likeliest(c encoding.Choice) string {
	if c.Strays == nil {
		return ""
	}
	return c.Strays.Likeliest()
}
