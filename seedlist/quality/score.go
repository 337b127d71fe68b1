package quality

import "math"

// Version is that of the formula of [Sums.Score]. It rises when the same sums would give another score.
const Version = 1

// Part is a number of things out of a number of things. Without any there is nothing to judge.
type Part struct {
	Good int64 `json:"good"`
	Of   int64 `json:"of"`
}

// Share is the part of 1; that of nothing is 1.
func (p Part) Share() float64 {
	if p.Of <= 0 {
		return 1
	}
	return float64(p.Good) / float64(p.Of)
}

// Score is from 0 to 100, with its parts. It is
//
//	100 × reach × (2 × syntax + terms + honesty) / 4
//
// so that documents that can't be read count as nothing.
type Score struct {
	Version int `json:"version"`
	// Score is absent where no document was washed or failed by a fault of the publisher.
	Score *float64 `json:"score,omitempty" doc:"0 to 100"`
	// Reach are the documents that were washed, of these and those that failed by a fault of the publisher.
	Reach Part `json:"reach" doc:"documents washed, of those washed or failed by a fault of the publisher"`
	// Syntax are the statements and records that were kept as they are, of those that were read.
	Syntax Part `json:"syntax" doc:"statements and records kept as they are, of those read"`
	// Terms are the statements without a warning about a term, of those kept or repaired.
	Terms Part `json:"terms" doc:"statements without a warning about a term, of those kept or repaired"`
	// Honesty are the documents of which server and catalog said the truth, of those whose format was found.
	Honesty Part `json:"honesty" doc:"documents of which server and catalog said the truth, of those whose format was found"`
}

// Score scores the documents by formula [Version].
func (s *Sums) Score() Score {
	judged := s.Washed + s.Failed.Theirs()
	n := &s.Statements
	score := Score{
		Version: Version,
		Reach:   Part{s.Washed, judged},
		Syntax:  Part{n.Kept + s.Records.Kept, n.Read + s.Records.Read},
		Terms:   Part{n.Kept + n.Repaired - s.Doubtful, n.Kept + n.Repaired},
		Honesty: Part{s.Read - s.Told.Any, s.Read},
	}
	if judged > 0 {
		points := 100 * score.Reach.Share() * (2*score.Syntax.Share() + score.Terms.Share() + score.Honesty.Share()) / 4
		points = math.Round(10*points) / 10
		score.Score = &points
	}
	return score
}
