package fault

// Codes of records that are compared with others.
const (
	ReconcileNoID      Code = "duplicate/no-id"
	ReconcileSameID    Code = "duplicate/same-id"
	ReconcileKeys      Code = "duplicate/frequent-keys"
	ReconcileNoMatches Code = "duplicate/no-matches"
	ReconcileDoubles   Code = "duplicate/doubles-within"
	ReconcileLarge     Code = "duplicate/large-cluster"
	ReconcileAnswer    Code = "duplicate/answer-without-records"
)

var reconcileCodes = []Info{
	{ReconcileNoID, Warning, "a record without an id",
		"The field that the part reconcile of the spec names as id is absent, empty, or no single value. A merged value names its records by their ids, so the record is written as it is, and compared with none.",
		"Give each record an id, or name another field as id."},
	{ReconcileSameID, Warning, "two records with one id",
		"Two records of one input have the same id. A merged value could not say of which it is, so both are written as they are, and compared with none.",
		"Name a field as id that differs in all records. Records with equal keys are found by the primaryKey of a schema."},
	{ReconcileKeys, Note, "words that too many records have",
		"Candidates are found by the words of records, and by sequences of their characters. Those that very many records have are passed over, since to look all of them up would take too long. A record whose words are all of that kind may have too few candidates.",
		"Nothing, if records have other words too. Else select or map fields that tell records apart."},
	{ReconcileNoMatches, Warning, "no records that are the same",
		"Nothing shows that a record of one input is the same as one of the other: the likest pairs are no more alike than by chance. None are merged.",
		"Nothing, if none are expected. Else name the fields that say the same: fields: {name: {with: title}}, or answer some pairs by --judge."},
	{ReconcileDoubles, Warning, "an input that seems to have doubles in itself",
		"In the mode one-to-one a record has at most one partner. Most records, when their partner is hidden, find another that is as like, so that the partner which is taken may be the wrong one of two.",
		"Merge each input by itself before, with mode: clusters, or both together in that mode."},
	{ReconcileAnswer, Warning, "an answer about records that are not there",
		"A line of the file of --judge answers whether two records are the same, and one of them is in no input, or both are in the same input of two whose records have one partner each. The answer is kept, and changes nothing.",
		"Nothing, if the record is gone. Else look whether the ids of the line are those of the records, a of the first input and b of the second."},
	{ReconcileLarge, Warning, "very many records that hang together",
		"More than 2,000 records hang together through pairs that are likely the same. Only those pairs of them were compared that were candidates.",
		"Look at the pairs (--pairs): a field with the same value in many records may join them. Say of it ignore in the spec."},
}
