package outfile

import (
	"fmt"
	"strconv"
	"strings"
)

// Split is how large a part may be: a number of lines (10M), or a size of text in bytes (100MB).
// One of the two is set, or none for an output without parts. It is a value of flags.
type Split struct{ Lines, Bytes int64 }

// IsSet says that there are parts.
func (v *Split) IsSet() bool { return v.Lines > 0 || v.Bytes > 0 }

// isReached says that a part of so many lines and bytes has no room for a line of n bytes.
func (v *Split) isReached(lines, bytes, n int64) bool {
	return v.Lines > 0 && lines >= v.Lines || v.Bytes > 0 && lines > 0 && bytes+n > v.Bytes
}

// String is the value as Set reads it.
func (v *Split) String() string {
	switch {
	case v.Bytes > 0:
		return strconv.FormatInt(v.Bytes, 10) + "B"
	case v.Lines > 0:
		return strconv.FormatInt(v.Lines, 10)
	}
	return ""
}

// Set reads a number with K, M, G or T, and a B after it if it counts bytes; Ki is 1,024.
func (v *Split) Set(text string) error {
	number, isSize := strings.CutSuffix(strings.ToUpper(strings.TrimSpace(text)), "B")
	number, isBinary := strings.CutSuffix(number, "I")
	unit, factor := int64(1000), int64(1)
	if isBinary {
		unit = 1024
	}
	for i, name := range []string{"K", "M", "G", "T"} {
		if rest, ok := strings.CutSuffix(number, name); ok {
			number = rest
			for range i + 1 {
				factor *= unit
			}
			isBinary = false
			break
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || isBinary || strings.ContainsAny(number, "EXP_N") || !(n*float64(factor) >= 1 && n*float64(factor) < 1<<62) {
		return fmt.Errorf("%q is neither a number of statements (10M) nor a size of text (100MB, 64MiB)", text)
	}
	if *v = (Split{Lines: int64(n * float64(factor))}); isSize {
		*v = Split{Bytes: v.Lines}
	}
	return nil
}

// Type is what the help calls such a value.
func (v *Split) Type() string { return "N|SIZE" }
