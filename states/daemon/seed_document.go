package daemon

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"laundromat/archive"
	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/internal/rfc3986"
	"laundromat/seedlist"
	"laundromat/states"
)

// document is the document of a seed whose layers are known. Findings about the
// layers go to notice, once, while the document is read.
func (r *Runner) document(ctx context.Context, seed seedlist.Seed, notice func(fault.Notice)) (states.Document, io.Closer, error) {
	if b := r.fresh.of(&seed); b != nil && b.leaf != nil {
		base, contentType, err := provenance(ctx, r.seeds, seed)
		return states.Document{
			Name: seed.Hash, Open: b.open, Size: int64(len(b.leaf)),
			ContentType: contentType, FileName: b.name, Base: base, BaseIsFile: fetch.IsFile(base),
		}, closers{}, err
	}
	source, err := r.openDirty(ctx, seed)
	if err != nil {
		return states.Document{}, nil, err
	}
	limits, _ := r.limitsOf(ctx, seed)
	opened, err := archive.OpenCoded(ctx, source, archive.Said{Name: fileName(seed), Codings: codingsOf(&seed)}, limits, notice)
	if err != nil {
		source.Close()
		return states.Document{}, nil, err
	}
	base, contentType, err := provenance(ctx, r.seeds, seed)
	if err != nil {
		source.Close()
		return states.Document{}, nil, err
	}
	size := source.Size()
	if len(opened.Filters) > 0 {
		size = -1
	}
	return states.Document{
		Name: seed.Hash, Open: opened.Reader, Size: size,
		ContentType: contentType, FileName: opened.InnerName(fileName(seed)), Base: base, BaseIsFile: fetch.IsFile(base),
	}, closers{opened, source}, nil
}

type closers []io.Closer

func (all closers) Close() (err error) {
	for _, c := range all {
		err = errors.Join(err, c.Close())
	}
	return err
}

// provenance finds the base IRI of a seed: that of its last reply or, for an entry
// of an archive, the archive's. What a mirror gave is still the seed's. The Content-Type
// is of the seed's own reply.
func provenance(ctx context.Context, seeds seedlist.List, seed seedlist.Seed) (base, contentType string, err error) {
	contentType = mediaTypeOf(&seed)
	for {
		if reply := lastReply(seed.Record); reply != nil && seed.Mirror == "" {
			return reply.URI, contentType, nil
		}
		if seed.Archive != nil && seed.Archive.URI != "" {
			return seed.Archive.URI, contentType, nil
		}
		if seed.Parent == "" {
			return withoutUser(seed.URI), contentType, nil
		}
		if seed, err = seeds.Record(ctx, seed.Parent); err != nil {
			return "", "", err
		}
	}
}

// mediaTypeOf is what the server, or else the archive, calls a document.
func mediaTypeOf(seed *seedlist.Seed) string {
	if reply := lastReply(seed.Record); reply != nil {
		if values := reply.Headers["content-type"]; len(values) > 0 && values[0] != "" {
			return values[0]
		}
	}
	if seed.Archive != nil {
		return seed.Archive.ContentType
	}
	return ""
}

// withoutUser is a URI as a base: without user, password and fragment.
func withoutUser(uri string) string {
	uri, _, _ = strings.Cut(uri, "#")
	c := rfc3986.Split([]byte(uri))
	if at := bytes.LastIndexByte(c.Authority, '@'); at >= 0 {
		c.Authority = c.Authority[at+1:]
		return string(c.Append(nil))
	}
	return uri
}

// fileName is the name of a seed's file for the sake of the extension.
func fileName(seed seedlist.Seed) string {
	if seed.Archive != nil && seed.Parent != "" {
		if seed.Archive.URI != "" {
			return states.FileNameIn(seed.Archive.URI)
		}
		return seed.Archive.Name()
	}
	uri := seed.URI
	if reply := lastReply(seed.Record); reply != nil {
		uri = reply.URI
	}
	return states.FileNameIn(uri)
}

// beginning is the first 1,000 characters of a document's bytes, for the log of a failure.
func beginning(ctx context.Context, d states.Document) string {
	r, err := d.Bytes(ctx)
	if err != nil {
		return ""
	}
	defer r.Close()
	head := make([]byte, excerptBytes)
	n, _ := io.ReadFull(r, head)
	return excerpt(head[:n])
}

// excerptBytes hold 1,000 characters of UTF-8.
const excerptBytes = 4000

// excerpt is the first 1,000 characters of what head begins.
func excerpt(head []byte) string {
	text := []rune(strings.ToValidUTF8(string(head), "\uFFFD"))
	return string(text[:min(len(text), 1000)])
}
