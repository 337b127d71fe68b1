package encoding_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"laundromat/encoding"
)

// A language is named only where enough bytes outside ASCII show it.
func TestFewBytesShowNoLanguage(t *testing.T) {
	for text, named := range map[string]bool{
		"K\xf6ln;Bonn\nx;1\n": false,
		"caf\xe9\n":           false,
		"5 \xb0C\nOslo\n":     false,
		"Die B\xf6den f\xfcr die sch\xf6nen Stra\xdfen und die gr\xfcnen G\xe4rten\n": true,
	} {
		_, _, notices, err := encoding.Decide(context.Background(), bytes.NewReader([]byte(text)), encoding.Choice{Name: "utf-8"},
			encoding.Hints{})
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, n := range notices {
			said += n.Message
		}
		if strings.Contains(said, "confidence") != named {
			t.Errorf("%q: %s", text, said)
		}
	}
}
