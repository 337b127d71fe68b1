package states

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"

	"laundromat/encoding"
	"laundromat/internal/fault"
	"laundromat/rdf/clean"
)

// Prove reads a document before Parse does, so that a later Parse needs but one reading. It settles
// the encoding, and returns the MD5 of the document's bytes if all hashes are asked for. It parses
// only where the labels of blank nodes are kept in lines that may turn out to be Turtle.
func Prove(ctx context.Context, d Document, presumed Guessed, opt ParseOptions) (Guessed, string, error) {
	presumed, md5, err := prove(ctx, d, presumed, opt)
	if err == nil && opt.Clean.KeepBlankNodes && presumed.FormatGuessed && !presumed.anonymous() {
		trial := pass{document: d, guessed: presumed, opt: opt, out: Output{
			Begin: func() (clean.Lines, func(fault.Notice), error) {
				return func([]byte, int) error { return nil }, func(fault.Notice) {}, nil
			},
		}}
		var last Reading
		last, err = trial.read(ctx)
		presumed.handsOver = hasAnonymous(last.Format)
	}
	return presumed, md5, blamed(err)
}

func prove(ctx context.Context, d Document, presumed Guessed, opt ParseOptions) (Guessed, string, error) {
	hashed := opt.Hashes == ForRecord
	raw, err := d.Bytes(ctx)
	if err != nil {
		return presumed, "", err
	}
	defer raw.Close()
	var bytes io.Reader = &watched{ctx: ctx, from: raw}
	hash := md5.New()
	if hashed {
		bytes = io.TeeReader(bytes, hash)
	}
	decoded, err := encoding.NewReader(bytes, presumed.Encoding.Name, encoding.Options{Tolerate: presumed.tolerate})
	if err != nil {
		return presumed, "", err
	}
	_, err = io.Copy(io.Discard, decoded)
	if errors.Is(err, encoding.ErrRefuted) {
		if presumed, err = decide(ctx, d, presumed); err != nil {
			return presumed, "", err
		}
	}
	if err == nil && !hashed {
		presumed, err = settleDoubled(ctx, d, presumed, opt)
	}
	if err != nil || !hashed {
		return presumed, "", err
	}
	_, err = io.Copy(io.Discard, bytes)
	if err == nil {
		presumed, err = settleDoubled(ctx, d, presumed, opt)
	}
	return presumed, hex.EncodeToString(hash.Sum(nil)), err
}

// settleDoubled finds how often the text of a document has to be read back.
func settleDoubled(ctx context.Context, d Document, proved Guessed, opt ParseOptions) (Guessed, error) {
	for opt.Clean.FixMojibake && proved.Encoding.Doubled < maxDoubled {
		raw, err := d.Bytes(ctx)
		if err != nil {
			return proved, err
		}
		found := &encoding.Doubled{}
		text, err := encoding.NewReader(WithContext(ctx, raw), proved.Encoding.Name, encoding.Options{Tolerate: proved.tolerate,
			Undouble: proved.Encoding.Doubled})
		if err == nil {
			_, err = io.Copy(found, text)
		}
		raw.Close()
		found.Close()
		if err != nil || !found.Whole() {
			return proved, err
		}
		proved = proved.undoubled(found)
	}
	return proved, nil
}

// ProvedText proves the encoding of a document, and opens it as UTF-8. The caller closes it with
// what comes second.
func ProvedText(ctx context.Context, d Document) (io.Reader, io.Closer, error) {
	raw, err := d.Bytes(ctx)
	if err != nil {
		return nil, nil, err
	}
	head, _, err := headOf(raw)
	raw.Close()
	if err != nil {
		return nil, nil, err
	}
	presumed := Guessed{hints: encoding.Hints{ContentType: d.ContentType}}
	presumed.Encoding, _ = encoding.Presume(head, presumed.hints)
	proved, _, err := prove(ctx, d, presumed, ParseOptions{})
	if err != nil {
		return nil, nil, err
	}
	if raw, err = d.Bytes(ctx); err != nil {
		return nil, nil, err
	}
	text, err := encoding.NewReader(raw, proved.Encoding.Name, encoding.Options{Tolerate: proved.tolerate})
	if err != nil {
		raw.Close()
		return nil, nil, err
	}
	return text, raw, nil
}

// decide settles the encoding of a document whose bytes refuted what was presumed.
func decide(ctx context.Context, d Document, presumed Guessed) (Guessed, error) {
	raw, err := d.Bytes(ctx)
	if err != nil {
		return presumed, err
	}
	defer raw.Close()
	choice, tolerate, notices, err := encoding.Decide(ctx, raw, presumed.Encoding, presumed.hints)
	presumed.Encoding, presumed.tolerate = choice, tolerate
	presumed.Notices = append(presumed.Notices[:len(presumed.Notices):len(presumed.Notices)], notices...)
	return presumed, blamed(err)
}
