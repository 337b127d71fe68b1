package fault

// Codes of findings where records are selected from pages, XML and JSON.
const (
	RecordOldPath        Code = "record/old-path"
	RecordSelectorFailed Code = "record/selector-failed"
	RecordGroupsUnused   Code = "record/groups-unused"
	RecordLikeMatcher    Code = "record/like-a-matcher"
	RecordNotConverted   Code = "record/not-converted"
	RecordDateZone       Code = "record/date-without-zone"
	RecordLinkBase       Code = "record/link-without-base"
	RecordExprFailed     Code = "record/expression-failed"
	RecordNothingFound   Code = "record/nothing-found"
	RecordPageChanged    Code = "record/page-changed"
	RecordOutputKept     Code = "record/output-kept"
	RecordLimitWork      Code = "record/limit-work"
	RecordLimitPages     Code = "record/limit-pages"
	RecordRepaired       Code = "record/repaired"
	RecordUnfit          Code = "record/unfit"
	RecordPageMissing    Code = "record/page-missing"
	RecordNoNode         Code = "record/no-node"
	RecordNoLink         Code = "record/no-link"
	RecordOwnKeyword     Code = "record/own-keyword"
)

var matchCodes = []Info{
	{RecordOldPath, Note, "a selector in the old manner",
		"A selector of the spec is written as a path of Hpricot, with / for a child, // for a descendant and @ before an attribute. It is read as the selector in CSS that the notice gives.",
		"Write the selector in CSS: > for a child, a blank for a descendant, [name] for an attribute."},
	{RecordSelectorFailed, Warning, "an expression of XPath failed",
		"An expression of XPath met a type that it can't work on, as where a text is wanted and a list of nodes is there. It finds nothing.",
		"Make a text of the nodes in the expression, as by string(…), or select in CSS."},
	{RecordGroupsUnused, Note, "a regular expression with groups that fill no field",
		"The regular expression has more groups than its key names fields. The first groups fill the fields; the matches of the others are not in the record.",
		"Name a field for each group in the key, apart by commas, or write groups that fill no field as (?:…)."},
	{RecordLikeMatcher, Warning, "a record that may be meant as a matcher",
		"A mapping of the spec with one key makes a record with that field. The key is nearly the name of a matcher.",
		"Correct the name of the matcher, or write the record as {record: {…}}."},
	{RecordNotConverted, Warning, "a text that can't be converted",
		"The text that was found isn't a number, date or truth value of a single reading, though the spec asks for one. It stays as it is. With other matchers after it in \"or\", the next one that finds something counts.",
		"Select the value more closely, take it out by a regular expression, or convert it by a rule of map, which has patterns and languages."},
	{RecordDateZone, Warning, "a time without a time zone",
		"The text that was found gives a time of the day, and no time zone. It is read as UTC.",
		"Convert it by a rule of map that names the time zone."},
	{RecordLinkBase, Warning, "a relative link in a page without a URL",
		"A link is relative, and neither the page nor its name gives the URL that it is relative to. It stays as it is.",
		"Give the URL of the page in the source of the spec."},
	{RecordExprFailed, Warning, "an expression failed",
		"An expression of the spec could not be computed for this record. The record has no field of that name.",
		"Let the expression ask whether the field that it needs is there."},
	{RecordNothingFound, Drop, "a document without records",
		"Nothing that the spec asks for is in the document, so that it gives no record; it counts as one that is lost. Most often the page has changed, or it is another one than the spec is for. Of a row, an item or a further page it is a warning.",
		"If documents without records are right, say --allow-empty. Else run \"laundromat records lint\" on the spec: it shows the selectors that match nothing, and the nearest that do."},
	{RecordPageChanged, Warning, "a page that has changed",
		"A recipe made records of this document before. Now none comes of it, most are lost, or a field that the schema requires is found no more. The message names the selectors that match nothing, and the nearest that do. The records that were made before stay, and the page leads to no other.",
		"Mend the selectors of the recipe, and say \"laundromat seed rewash --recipe NAME\". If the page is right as it is, remove the recipe, or the seed."},
	{RecordOutputKept, Warning, "an output that is not written",
		"No record came of what was read, and something was lost or could not be read. So that the output of an earlier run is not replaced by an empty one, it is left as it is.",
		"Look at the findings before this one. With --allow-empty the output is written all the same."},
	{RecordLimitWork, Drop, "a document that takes too much work",
		"The selectors of the spec took more steps on this document, or gave more values, than is allowed. The records before this place are kept. The others are lost, and count as one.",
		"Select from fewer elements: begin with a list of the elements that repeat, and keep the selectors in it short."},
	{RecordLimitPages, Warning, "more pages than are read",
		"The part pages of the spec leads to more pages than its limit, or that of the program, allows. The records of the pages that were read are there; the others are not read.",
		"Raise the limit, or narrow the selector or the pattern of the pages."},
	{RecordPageMissing, Warning, "a page that could not be fetched",
		"A page that the part pages of the spec leads to could not be fetched. Its records, or the fields that it adds to a record, are not there.",
		"Look at the link: the page may have moved, or its server may refuse. Run the spec again later."},
	{RecordUnfit, Drop, "a spec for another kind of document",
		"The selectors of the spec do not select from a document of this format: JSONPath selects from values and rows, CSS and XPath from pages and XML. The document is not read.",
		"Give the documents that the spec is for, or write the selectors for this format. If the format was found wrongly, say it in the spec: source: {format: html}."},
	{RecordNoNode, Drop, "a record without an IRI",
		"The part rdf of the spec makes the IRI of a record, or of its graph, from a field that this record does not have, or whose value is null, empty, a list or an object. No statement is made of the record.",
		"Add the value, or make the IRI from a field that each record has."},
	{RecordNoLink, Warning, "a link that can't be made",
		"The part rdf of the spec makes a link from a field whose value here is an object, or makes one from several lists. The record has no such link.",
		"Select the value that names the other record into a field of its own."},
	{RecordOwnKeyword, Warning, "a field that the spec sets",
		"The record has a field with the name of a keyword of JSON-LD, such as @id, which the part rdf of the spec sets. The value of the spec is taken, and the field is left out.",
		"Leave the keyword out of the part rdf if the records have it, or rename the field in the part map."},
	{RecordRepaired, Drop, "a record of a part that was mended",
		"Something that the record is made of was wrong and was mended, as findings before it say. With --strict such a record is dropped.",
		"Correct the faults that the repairs before it name, or leave --strict out."},
}
