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
	"laundromat/internal/files"
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
	return (&seedBytes{source, limits, notice}).document(ctx, r.seeds, seed)
}

// storedDocument is the document of a seed whose bytes are stored. The caller closes it.
func storedDocument(ctx context.Context, blobs files.Blobs, seeds seedlist.List, seed seedlist.Seed, temp string,
) (states.Document, io.Closer, error) {
	source, err := OpenDirty(ctx, blobs, seed, temp)
	if err != nil {
		return states.Document{}, nil, err
	}
	return (&seedBytes{source, archive.Limits{Temp: temp}, func(fault.Notice) {}}).document(ctx, seeds, seed)
}

// seedBytes are the bytes of a seed as they came, and how their layers are opened.
type seedBytes struct {
	source dirtySource
	limits archive.Limits
	notice func(fault.Notice) // takes findings about the layers
}

// document is the document in the bytes of a seed, which are closed with it.
func (b *seedBytes) document(ctx context.Context, seeds seedlist.List, seed seedlist.Seed) (states.Document, io.Closer, error) {
	said := archive.Said{Name: fileName(seed), Codings: codingsOf(&seed)}
	opened, err := archive.OpenCoded(ctx, b.source, said, b.limits, b.notice)
	if err != nil {
		b.source.Close()
		return states.Document{}, nil, err
	}
	end := closers{opened, b.source}
	base, contentType, err := provenance(ctx, seeds, seed)
	if err != nil {
		end.Close()
		return states.Document{}, nil, err
	}
	size := b.source.Size()
	if len(opened.Filters) > 0 {
		size = -1
	}
	return states.Document{
		Name: seed.Hash, Open: opened.Reader, Size: size,
		ContentType: contentType, FileName: opened.InnerName(fileName(seed)), Base: base, BaseIsFile: fetch.IsFile(base),
	}, end, nil
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
