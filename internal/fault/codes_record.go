package fault

// Codes of findings in trees, and in what records are made of.
const (
	RecordFormat    Code = "record/format"
	RecordList      Code = "record/list"
	RecordBeside    Code = "record/beside"
	RecordSyntax    Code = "record/syntax"
	RecordCutShort  Code = "record/cut-short"
	RecordComma     Code = "record/comma"
	RecordColon     Code = "record/colon"
	RecordBracket   Code = "record/bracket"
	RecordComment   Code = "record/comment"
	RecordQuotes    Code = "record/quotes"
	RecordControl   Code = "record/control-character"
	RecordEscape    Code = "record/escape"
	RecordNumber    Code = "record/number"
	RecordWord      Code = "record/word"
	RecordStray     Code = "record/stray"
	RecordNameAgain Code = "record/name-repeated"
	LimitRecord     Code = "limit/record"

	RecordSelectorStale Code = "record/selector-stale"
	RecordFixture       Code = "record/fixture"
	RecordBareWord      Code = "record/bare-word"
)

var recordCodes = []Info{
	{RecordFormat, Note, "the format that a document is read in",
		"The format was found by the first bytes of the document, the extension of its name and its media type. If none fits, the document is not read.",
		"Nothing. If it was found wrongly, say it in the spec: source: {format: csv}."},
	{RecordList, Note, "where the records of a tree are",
		"The document is one object with one list of objects, or an element that repeats. Its items are the records; data beside them isn't a record, and each part of it has a finding (record/beside).",
		"Nothing. If others are meant, name them in the spec: source: {records: items}."},
	{RecordBeside, Warning, "a value beside the records",
		"A member, an attribute or a text of the document is beside its records, as a total or a title does. It is in none of them, and so not in the output.",
		"Nothing, if it isn't wanted. Else select it: a spec in which select is a list of [\"$.items[*]\", {…}] or a mapping sees the whole document."},
	{RecordSyntax, Drop, "a broken record",
		"At this place the text is not what its format has, and what is meant is not plain. The record is lost, or the line; the reader goes on after it.",
		"Write the file with a library for its format rather than by putting strings together."},
	{RecordCutShort, Drop, "the text ends within a record",
		"The document ends in the middle of a value, most often because a download was cut off. The record is lost; those before it are kept.",
		"Publish the whole file again."},
	{RecordComma, Repair, "a comma too many or too few",
		"A comma is before a closing bracket or another comma, or is missing between two members or items. It is skipped or put in.",
		"Write the file with a JSON library."},
	{RecordColon, Repair, "a missing colon",
		"The colon between the name of a member and its value is missing. It is put in.",
		"Write the file with a JSON library."},
	{RecordBracket, Repair, "a closing bracket missing at the end",
		"The text ends after a whole value, and brackets are still open. They are closed.",
		"Publish the whole file again, if it was cut off."},
	{RecordComment, Repair, "a comment in JSON",
		"JSON has no comments. It is skipped; nothing is lost with it.",
		"Remove the comments before the file is published."},
	{RecordQuotes, Repair, "a name or string without its quotation marks",
		"A name has no quotation marks, or a string apostrophes, as JavaScript and Python write them. It is read as if it had them.",
		"Write the file with a JSON library."},
	{RecordControl, Repair, "a raw control character in a string",
		"A string holds a line end, a tab or another control character as it is. It is kept as part of the string.",
		"Write the file with a JSON library, which escapes these characters."},
	{RecordEscape, Repair, "an escape that JSON does not have",
		"A backslash is before a character that JSON does not escape. It is kept as it is; before an apostrophe it is left out.",
		"Write a backslash twice."},
	{RecordNumber, Repair, "a number that JSON does not have",
		"NaN and Infinity are kept as texts; a plus before a number, and a point without digits, are mended. A text with two readings, such as 007, is kept as a text with a warning.",
		"Write null or a text for a value that isn't a number."},
	{RecordWord, Repair, "true, false or null of another language",
		"True, None and the like are how Python and others write true and null. They are read as these.",
		"Write the file with a JSON library."},
	{RecordStray, Repair, "text around a JSON value that isn't JSON",
		"A program put code around the value: a call, an assignment, a semicolon. It is skipped.",
		"Publish the value alone."},
	{RecordNameAgain, Warning, "the same name twice in one object",
		"An object has two members of the same name. Most programs keep one of them. Here both are kept: the n-th is called by the name, _ and n.",
		"Give the members names of their own, or put the values in one list."},
	{LimitRecord, Drop, "a record that is larger than may be held",
		"Records are read one by one, but each must be held whole, and this one is larger than may be: 16 MiB. It is lost; the others are not.",
		"Cut the record in parts, or give more memory."},
	{RecordSelectorStale, Warning, "a selector that a fixture does not fit any more",
		"A selector of a spec matches nothing in a page that is kept with it, or not what is expected. The finding names those near to it which match.",
		"Put the selector that fits into the spec, or the page as it was into its fixtures."},
	{RecordFixture, Warning, "a fixture that does not give its records",
		"A spec was run over a page that is kept with it, and gave other records than those that are kept beside the page.",
		"Mend the spec. If the records of now are right, keep them with records lint --write."},
	{RecordBareWord, Note, "a bare word of YAML that is a number or a boolean",
		"In YAML 1.2 a word such as true, 007 or 1.10 without quotation marks is a boolean or a number. Its author may have meant a text.",
		"Write a text in quotation marks."},
}
