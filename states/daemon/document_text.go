package daemon

import (
	"context"
	"io"
	"slices"

	"github.com/klauspost/compress/gzip"

	"laundromat/archive"
	"laundromat/encoding"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// OpenText opens the text of a document that was read, as the places of its notices count it. That is its
// stored bytes after their filters, in UTF-8. Bytes that belong to no character pass on as they are. The error
// of a document whose encoding is not known is fault.EncodingUnsupported. The caller closes it.
func OpenText(ctx context.Context, blobs files.Blobs, seed seedlist.Seed, temp string) (io.ReadCloser, error) {
	if seed.Encoding == nil || seed.Encoding.Chosen == "" {
		return nil, fault.New("daemon.OpenText", fault.Data, fault.EncodingUnsupported, "the encoding of the document was not found out")
	}
	if seedfile.DirtyForm(&seed) == files.DirtyGzip && seed.HasDirty() {
		if len(filtersOf(seed.Record)) == 0 {
			return openPackedText(blobs, &seed)
		}
		if seed.Content.NumberOfBytes > mostSpooledText {
			return nil, fault.New("daemon.OpenText", fault.Limit, fault.LimitMemory, "the entry is packed twice, and too long to be "+
				"unpacked for a look: download it")
		}
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
	return decodedText(raw, &seed, closers{raw, opened, source})
}

// mostSpooledText is how many bytes of an entry are unpacked into a temporary file for a look at its text.
const mostSpooledText = 64 << 20

// openPackedText opens the text of an entry that the store keeps in gzip, and that has no filter of its own. It is
// read from its beginning, and not unpacked before.
func openPackedText(blobs files.Blobs, seed *seedlist.Seed) (io.ReadCloser, error) {
	file, err := blobs.Open(seedfile.Key(seed, files.DirtyGzip), files.DirtyGzip)
	if err != nil {
		return nil, err
	}
	unzipped, err := gzip.NewReader(files.Sequential(file))
	if err != nil {
		file.Close()
		return nil, fault.New("daemon.OpenText", fault.Data, fault.LocalFile, "the stored bytes of the seed are damaged: %w", err)
	}
	return decodedText(unzipped, seed, closers{unzipped, file})
}

// decodedText reads bytes in the encoding that was proved.
func decodedText(raw io.Reader, seed *seedlist.Seed, end closers) (io.ReadCloser, error) {
	text, err := encoding.NewReader(raw, seed.Encoding.Chosen, encoding.Options{Tolerate: true, Undouble: readBack(seed)})
	if err != nil {
		end.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{text, end}, nil
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
