package daemon

import (
	"context"
	"io"
	"slices"

	"laundromat/archive"
	"laundromat/encoding"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
)

// OpenText opens the text of a document that was read, as the places of its notices count it. That is its
// stored bytes after their filters, in UTF-8. Bytes that belong to no character pass on as they are. The error
// of a document whose encoding is not known is fault.EncodingUnsupported. The caller closes it.
func OpenText(ctx context.Context, blobs files.Blobs, seed seedlist.Seed, temp string) (io.ReadCloser, error) {
	if seed.Encoding == nil || seed.Encoding.Chosen == "" {
		return nil, fault.New("daemon.OpenText", fault.Data, fault.EncodingUnsupported, "the encoding of the document was not found out")
	}
	source, err := OpenDirty(ctx, blobs, seed, temp)
	if err != nil {
		return nil, err
	}
	said := archive.Said{Name: fileName(seed), Codings: codingsOf(&seed)}
	opened, err := archive.OpenCoded(ctx, source, said, archive.Limits{Temp: temp}, func(fault.Notice) {})
	if err != nil {
		source.Close()
		return nil, err
	}
	raw, err := opened.Reader(ctx)
	if err != nil {
		closers{opened, source}.Close()
		return nil, err
	}
	text, err := encoding.NewReader(raw, seed.Encoding.Chosen, encoding.Options{Tolerate: true, Undouble: readBack(&seed)})
	if err != nil {
		closers{raw, opened, source}.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{text, closers{raw, opened, source}}, nil
}

// readBack is how often the text of a document was read back that had been encoded twice.
func readBack(seed *seedlist.Seed) (times int) {
	if !slices.Contains(seed.WashedWith, "--fix-mojibake") {
		return 0
	}
	for _, evidence := range seed.Encoding.Evidence {
		if evidence.From == "double-encoded" {
			times++
		}
	}
	return times
}
