package reconcile

import "slices"

// mechanism is a part of a run that a measurement leaves out, to see what it earns.
type mechanism string

// The mechanisms of both modes, of one-to-one, and of clusters.
const (
	gramCandidates mechanism = "sequences of characters as keys of candidates"
	swappedFields  mechanism = "swapped fields"

	learning       mechanism = "learning: likeness of words alone, with the threshold by decoys"
	plainLikeness  mechanism = "the likeness of words alone where more is expected of it"
	laterRounds    mechanism = "the second and third round of learning"
	fieldFeatures  mechanism = "likeness of fields beside that of whole records"
	codeFeatures   mechanism = "codes that are shared, differ, or begin alike"
	elsewhere      mechanism = "words of a field anywhere in the other record"
	hardNegatives  mechanism = "runners-up of sure pairs count more as wrong"
	otherParts     mechanism = "scoring by what was learned from others"
	wholeStanding  mechanism = "that any are the same, seen by what was learned from all pairs"
	loneCodes      mechanism = "codes for which one table has no field"
	decoyThreshold mechanism = "the threshold by decoys: all mutual best are taken"
	bothSides      mechanism = "decoys of both sides for the threshold"

	severalClasses mechanism = "more than two classes of pairs"
	worthyPairs    mechanism = "leaving out pairs that little speaks for"
	splitClasses   mechanism = "parting mixed classes"
	datedClasses   mechanism = "parting classes by a date"
	dateClause     mechanism = "people who moved keep name and date"
	correlation    mechanism = "correlation clustering: components"
)

// lacks says that a mechanism is left out.
func (o *Options) lacks(m mechanism) bool { return slices.Contains(o.without, m) }
