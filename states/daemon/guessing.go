package daemon

import (
	"context"
	"fmt"

	"laundromat/encoding"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// guessing presumes encoding and format of a seed's document.
func (r *Runner) guessing(ctx context.Context, claim seedlist.Claim) (outcome, error) {
	document, closer, err := r.document(ctx, claim.Seed, func(fault.Notice) {})
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	c, err := r.recipes.cook(ctx, &claim, document)
	if err != nil {
		return nil, err
	}
	guessed, use := c.guessed, c.use
	if err = r.opt.unmade(&c); err == nil {
		r.guesses.keep(claim.Seed, guessed)
	}
	encodingFound := encodingOf(guessed.Encoding, "")
	evidence := []seedlist.Evidence{}
	for _, e := range guessed.Evidence {
		evidence = append(evidence, evidenceOf(e.From, e.Value, e.Confidence))
	}
	done := &guessOutcome{work: work{next: seedlist.Guessed}}
	isMade := err == nil
	done.update = func(record *seedlist.Record) {
		record.Encoding = encodingFound
		record.Format = guessed.Kind.Record()
		record.FormatEvidence = evidence
		record.Recipe = use
		if !isMade {
			record.Washer = r.opt.Version
		}
	}
	if !isMade {
		done.log.SourceText = beginning(ctx, document)
	}
	follow, followErr := r.alternates(ctx, claim.Seed, document, &guessed)
	if followErr != nil {
		return done, followErr
	}
	if follow != nil {
		done.named, done.log.Counts = follow.named, map[string]int64{}
		follow.counts(done.log.Counts)
		if n := len(done.named); n > 0 && err != nil {
			err = leadsOn(err, n)
		}
	}
	return done, err
}

// leadsOn is the error of what is no data, and names n documents that may be.
func leadsOn(err error, n int) error {
	documents := "documents"
	if n == 1 {
		documents = "document"
	}
	return &fault.Error{Op: "states.Guess", Kind: fault.KindOf(err), Code: fault.CodeOf(err), Err: fmt.Errorf("%w; it leads to %d %s", err,
		n, documents)}
}

// encodingOf puts what is known of an encoding into the words of a record.
func encodingOf(choice encoding.Choice, presumed string) *seedlist.Encoding {
	found := &seedlist.Encoding{Presumed: choice.Name, Evidence: []seedlist.Evidence{}}
	if presumed != "" {
		found.Presumed, found.Chosen = presumed, choice.Name
	}
	for _, e := range choice.Evidence {
		found.Evidence = append(found.Evidence, evidenceOf(e.From, e.Value, e.Confidence))
	}
	return found
}

func evidenceOf(from, value string, confidence float64) seedlist.Evidence {
	evidence := seedlist.Evidence{From: from, Value: value}
	if confidence != 0 {
		evidence.Confidence = &confidence
	}
	return evidence
}
