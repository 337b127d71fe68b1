package seedlist

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// Contexts are the contexts of JSON-LD that documents name, and the documents that may describe tables, as they came.
// None is a seed, and none is in any count.
type Contexts interface {
	// Context is what is known of a context, with its text. The error is [ErrNotFound] for one
	// that no document has named.
	Context(ctx context.Context, iri string) (Context, error)
	// EditContext changes a context in one transaction. The function change is given what is known
	// of it; of one that no document has named that is the IRI. It says whether what it has changed
	// is to be written. It may be called again.
	EditContext(ctx context.Context, iri string, change func(*Context) (isChanged bool)) error
	// Contexts are up to limit of those known, in the order of their keys, after one of them ("":
	// from the first). Their texts are left out.
	Contexts(ctx context.Context, after string, limit int) ([]Context, error)
}

// Context is a context of JSON-LD, under the IRI by which documents name it.
type Context struct {
	IRI string `json:"iri"`
	// From is where the document was in the end, which relative IRIs in it are resolved against.
	From      string    `json:"from,omitempty"`
	SHA256    string    `json:"sha256,omitempty"` // of its text; "" while it never came
	Retrieved time.Time `json:"retrieved,omitzero"`
	Wanted    time.Time `json:"wanted,omitzero"` // a document named it first
	Due       time.Time `json:"due,omitzero"`    // when it is asked for next
	// Tries are those of the present fetch, Failures the fetches in a row of which all tries came to nothing.
	Tries    int    `json:"tries,omitempty"`
	Failures int    `json:"failures,omitempty"`
	Error    *Error `json:"error,omitempty"` // of the last try; its stage is "downloading"
	// Washing says that the documents that named it are to be washed again: it came when they did
	// without, or changed.
	Washing bool `json:"washing,omitempty"`
	// Metadata is there where it is no context, but may describe tables.
	Metadata *TableMetadata `json:"metadata,omitempty"`

	Text []byte `json:"-"` // JSON in UTF-8; of one that came
}

// Key is what the context is kept under: the MD5 of its IRI as it is.
func (c *Context) Key() string { return ContextKey(c.IRI) }

// ContextKey is the key of the context that an IRI names.
func ContextKey(iri string) string {
	sum := md5.Sum([]byte(iri))
	return hex.EncodeToString(sum[:])
}

// IsComing says that the context may still come, so that documents wait for it. One of which a whole fetch came to
// nothing is asked for again, but nobody waits.
func (c *Context) IsComing() bool {
	if m := c.Metadata; m != nil {
		return m.IsAsked || m.Answered.IsZero() && c.Failures == 0
	}
	return c.SHA256 == "" && c.Failures == 0
}

// IsAnswered says that it may describe tables and an answer came, so that it is asked for again only when a table is
// washed.
func (c *Context) IsAnswered() bool { return c.Metadata != nil && !c.IsComing() && c.Failures == 0 }

// TableMetadata is what is known of a document that may describe tables: metadata of tables on the web, the descriptor
// of a Data Package, or what a site says of the places of these. That there is none is an answer, too.
type TableMetadata struct {
	// Answered is when it last came, or was found not to be there.
	Answered time.Time `json:"answered,omitzero"`
	// IsAsked says that an answer became old, and tables wait for another.
	IsAsked bool `json:"asked,omitempty"`
	// Describes says, of a site, that metadata of one of its tables was found in a usual place.
	Describes bool `json:"describes,omitempty"`
	// Probes are, of a site, the tables whose usual places were looked into, by hash. Only if one of these is described
	// there are others looked for.
	Probes map[string]TableProbe `json:"probes,omitempty"`
}

// TableProbe is a look into the usual places for the metadata of a table.
type TableProbe struct {
	Began  time.Time `json:"began"`
	IsNone bool      `json:"none,omitempty"` // no metadata was there
}

// ContextUse is a context that a document named when it was washed.
type ContextUse struct {
	IRI string `json:"iri"`
	// SHA256 and Retrieved are those of its text; absent where the document was washed without.
	SHA256    string    `json:"sha256,omitempty"`
	Retrieved time.Time `json:"retrieved,omitzero"`
}

// Names says that the document of a record was washed with other text of a context than this, or without.
func (r *Record) Names(c *Context) bool {
	for _, use := range r.Contexts {
		if use.IRI == c.IRI {
			return use.SHA256 != c.SHA256
		}
	}
	return false
}

// Pack is the context as a store keeps it: what is known of it, and its text, compressed.
func (c *Context) Pack() (known, text []byte, err error) {
	if known, err = json.Marshal(c); err != nil || c.SHA256 == "" {
		return known, nil, err
	}
	var packed bytes.Buffer
	to, _ := flate.NewWriter(&packed, flate.DefaultCompression) // fails for other levels only
	to.Write(c.Text)
	to.Close()
	return known, packed.Bytes(), nil
}

// UnpackContext reads what Pack wrote; without its text where that is nil.
func UnpackContext(known, text []byte) (c Context, err error) {
	if err := json.Unmarshal(known, &c); err != nil {
		return c, fmt.Errorf("the record of a context can't be read: %w", err)
	}
	if text == nil {
		return c, nil
	}
	if c.Text, err = io.ReadAll(flate.NewReader(bytes.NewReader(text))); err != nil {
		return c, fmt.Errorf("the text of the context %s can't be read: %w", c.IRI, err)
	}
	return c, nil
}

// MostContext is how long the text of a context may be, in bytes. What a store keeps of it is divided.
const MostContext = 4 << 20

// errContextLong refuses what no store keeps.
var errContextLong = errors.New("a context may be no longer than 4 MiB")

// Check refuses a context that no store keeps.
func (c *Context) Check() error {
	if len(c.Text) > MostContext {
		return errContextLong
	}
	return nil
}
