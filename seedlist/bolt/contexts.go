package bolt

import (
	"bytes"
	"context"
	"encoding/hex"
	"slices"

	"laundromat/seedlist"
)

// contextPart is how much of the text of a context is in one value: none is larger than 64 kB.
const contextPart = 60_000

// Context is what is known of a context of JSON-LD, with its text.
func (s *Store) Context(ctx context.Context, iri string) (c seedlist.Context, err error) {
	err = s.view(ctx, func(t *tables) error {
		c, err = t.context(contextKey(iri))
		return err
	})
	return c, err
}

func contextKey(iri string) []byte {
	key, _ := hex.DecodeString(seedlist.ContextKey(iri))
	return key
}

// context reads a context with its text. Nothing that it returns is of the transaction.
func (t *tables) context(key []byte) (seedlist.Context, error) {
	known := t.get(inContexts, key)
	if known == nil {
		return seedlist.Context{}, seedlist.ErrNotFound
	}
	return seedlist.UnpackContext(known, t.contextText(key))
}

// contextText is the text of a context as it is kept; nil if it never came.
func (t *tables) contextText(key []byte) (packed []byte) {
	t.scan(inContextTexts, key, nil, func(_, part []byte) bool {
		packed = append(packed, part...)
		return true
	})
	return packed
}

// EditContext changes a context in one transaction. What is compressed is so before that.
func (s *Store) EditContext(ctx context.Context, iri string, change func(*seedlist.Context) bool) error {
	key := contextKey(iri)
	for {
		var was []byte
		c := seedlist.Context{IRI: iri}
		err := s.view(ctx, func(t *tables) (err error) {
			if was = bytes.Clone(t.get(inContexts, key)); was != nil {
				c, err = t.context(key)
			}
			return err
		})
		if err != nil || !change(&c) {
			return err
		}
		if err := c.Check(); err != nil {
			return err
		}
		known, text, err := c.Pack()
		if err != nil {
			return err
		}
		err = s.do(ctx, func(b *batch) error {
			if !bytes.Equal(b.get(inContexts, key), was) {
				return errRevised
			}
			b.putContext(key, known, text)
			return nil
		})
		if err != errRevised {
			return err
		}
	}
}

// putContext writes a context, its text in parts.
func (b *batch) putContext(key, known, text []byte) {
	b.put(inContexts, key, known)
	var old [][]byte
	b.scan(inContextTexts, key, nil, func(part, _ []byte) bool {
		old = append(old, bytes.Clone(part))
		return true
	})
	n := 0
	for part := range slices.Chunk(text, contextPart) {
		b.put(inContextTexts, append(bytes.Clone(key), byte(n)), part)
		n++
	}
	for _, part := range old {
		if int(part[len(key)]) >= n {
			b.delete(inContextTexts, part)
		}
	}
}

// Contexts are those known, without their texts.
func (s *Store) Contexts(ctx context.Context, after string, limit int) (all []seedlist.Context, err error) {
	var from []byte
	if after != "" {
		from = append(contextKey(after), 0)
	}
	err = s.view(ctx, func(t *tables) error {
		t.scan(inContexts, nil, from, func(_, known []byte) bool {
			var c seedlist.Context
			if c, err = seedlist.UnpackContext(known, nil); err == nil {
				all = append(all, c)
			}
			return err == nil && len(all) < limit
		})
		return err
	})
	return all, err
}

// writeContexts writes the contexts that are whole. Any other is fetched again when a document names it.
func (s *salvage) writeContexts(b *batch) {
	for key, known := range s.copied[inContexts] {
		var text []byte
		for n := range 256 {
			part, isThere := s.copied[inContextTexts][key+string([]byte{byte(n)})]
			if !isThere {
				break
			}
			text = append(text, part...)
		}
		if c, err := seedlist.UnpackContext(known, text); err == nil && c.Key() == hex.EncodeToString([]byte(key)) &&
			(text != nil) == (c.SHA256 != "") {
			b.putContext([]byte(key), known, text)
		}
	}
}
