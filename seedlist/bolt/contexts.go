package bolt

import (
	"bytes"
	"math"
	"slices"

	"laundromat/seedlist/engine"
)

// contextPart is how much of the text of a context is in one value: none is larger than 64 kB.
const contextPart = 60_000

// contextText is the text of a context as it is kept; nil if it never came.
func (t *tables) contextText(key []byte) (packed []byte) {
	t.scan(inContextTexts, key, nil, func(_, part []byte) bool {
		packed = append(packed, part...)
		return true
	})
	return packed
}

// writeItem writes a context, or a row about recipes.
func (b *batch) writeItem(i *engine.Item) {
	switch key := itemKey(i.Kind, i.Key); {
	case i.Kind == engine.Contexts:
		b.putContext(key, i.Data, i.Text)
	case i.Data == nil:
		b.delete(inRecipes, key)
	default:
		b.put(inRecipes, key, i.Data)
	}
}

// putContext writes a context, its text in parts.
func (b *batch) putContext(key, known, text []byte) {
	b.put(inContexts, key, known)
	b.deleteKeys(inContextTexts, b.keys(inContextTexts, key, math.MaxInt, nil))
	n := 0
	for part := range slices.Chunk(text, contextPart) {
		b.put(inContextTexts, append(bytes.Clone(key), byte(n)), part)
		n++
	}
}
