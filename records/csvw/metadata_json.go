package csvw

import (
	"context"
	"fmt"
	"io"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
)

// guide is what the reader of JSON has to know of metadata: its keywords are those of JSON-LD.
type guide struct{}

var words = jsonread.Words{Sign: '@', ID: "@id", Type: "@type", Context: "@context", Value: "@value", Language: "@language",
	Direction: "@direction", Index: "@index", List: "@list", Set: "@set", Graph: "@graph", Reverse: "@reverse", Included: "@included",
	Nest: "@nest"}

func (guide) Words() *jsonread.Words { return &words }
func (guide) IsWord(s string) bool   { return strings.HasPrefix(s, "@") }
func (guide) Define(*jsonread.Value, func(name, word string)) (intricate bool) {
	return false
}
func (guide) Lost(jsonread.BrokenName) (words []jsonread.BrokenName, whole bool) { return nil, false }

// maxMetadata is the size in bytes of the largest metadata document.
const maxMetadata = 64 << 20

// parseJSON reads a metadata document as JSON, which must be sound.
func parseJSON(ctx context.Context, url string, text io.Reader) (*jsonread.Value, error) {
	v, found, err := jsonread.One(ctx, text, jsonread.Options{Guide: guide{}, Format: "JSON", MaxBytes: maxMetadata,
		MaxWeight: 8 * maxMetadata, MaxDepth: 100})
	for _, n := range found {
		if err == nil && n.Severity >= fault.Repair {
			err = fmt.Errorf("%s in line %d, column %d", n.Message, n.Line, n.Column)
		}
	}
	if err != nil {
		return nil, fault.New("csvw", fault.Data, fault.CSVWMetadata, "%s: %s", url, err)
	}
	return v, nil
}
