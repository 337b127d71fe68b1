package fault

// Codes of findings in trees, and in what records are made of.
const (
	RecordFormat Code = "record/format"
)

var recordCodes = []Info{
	{RecordFormat, Note, "the format that a document is read in",
		"The format was found by the first bytes of the document, the extension of its name and its media type. If none fits, the document is not read.",
		"Nothing. If it was found wrongly, say it in the spec: source: {format: csv}."},
}
