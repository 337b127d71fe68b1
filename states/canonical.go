package states

import (
	"bytes"
	"context"
	"fmt"

	"laundromat/internal/fault"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
)

// CheckCanonical says whether lines are what a wash would write: canonical N-Quads. The
// error quotes the first that is not. Their order does not matter.
func CheckCanonical(ctx context.Context, lines []byte) error {
	rest := lines
	wrong := func() error {
		line, _, _ := bytes.Cut(rest, []byte{'\n'})
		return fmt.Errorf("this isn't canonical N-Quads: %s", bytes.ToValidUTF8(line[:min(len(line), excerptLine)], []byte("\uFFFD")))
	}
	first, tally := clean.Chain(clean.Options{KeepBlankNodes: true}, clean.EachLine(func(line []byte) error {
		if !bytes.HasPrefix(rest, line) || len(rest) == len(line) || rest[len(line)] != '\n' {
			return wrong()
		}
		rest = rest[len(line)+1:]
		return nil
	}), func(fault.Notice) {})
	_, err := format.Parse(ctx, format.NQuads, bytes.NewReader(lines), format.Options{}, first)
	tally.Close()
	if err == nil && len(rest) > 0 {
		err = wrong()
	}
	return err
}

// excerptLine is how much of a line an error quotes, in bytes.
const excerptLine = 200
