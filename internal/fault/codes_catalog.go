package fault

// Codes of catalogs: of their reading, and of what they claim and is not so.
const (
	CatalogUnknown Code = "catalog/unknown"
	CatalogDamaged Code = "catalog/damaged"
	CatalogReply   Code = "catalog/error-reply"
	CatalogEmpty   Code = "catalog/empty"
	CatalogOther   Code = "catalog/other-kind"
	CatalogShrunk  Code = "catalog/shrunk"

	ClaimSize      Code = "claim/size"
	ClaimChecksum  Code = "claim/checksum"
	ClaimMediaType Code = "claim/media-type"
	ClaimModified  Code = "claim/modified"
	ClaimFormat    Code = "claim/format"
	ClaimTriples   Code = "claim/triples"
)

var catalogCodes = []Info{
	{CatalogUnknown, 0, "no catalog of a known kind",
		"The document isn't a catalog of any known kind: CKAN, DCAT, VoID, a sitemap, a feed, a listing, a list or the others. The message says what it looks like.",
		"Correct the URI of the catalog, or name its kind with --kind. A document of data is added with \"laundromat seed add\"."},
	{CatalogDamaged, 0, "a catalog that can't be read to its end",
		"The catalog is broken at a place after which nothing can be read any more. The entries before it are used.",
		"Check the catalog with a validator of its format: JSON, XML or RDF."},
	{CatalogReply, 0, "the portal answered with an error",
		"The portal's API answered, but with an error of its own instead of a list. The message is the portal's.",
		"See the message; the API may have moved, or want other parameters."},
	{CatalogEmpty, 0, "a catalog that names nothing at all",
		"The catalog was read to its end, and names no document, no other catalog, and nothing that could be refused. It is an empty list, a page for people, or data that describes no dataset. Its earlier entries are marked as vanished by the third such harvest in a row, each a day after the one before.",
		"Correct the URI of the catalog, or name its kind with --kind. If it is empty indeed, \"laundromat catalog harvest --accept\" believes it at once. A document of data is added with \"laundromat seed add\"."},
	{CatalogOther, 0, "a catalog that comes as one of another kind",
		"The document is a catalog of another kind than before, mostly a page that announces maintenance or a login form. Its entries are used. Entries that it lacks are not marked as vanished, however often it comes. It is asked for again in a day.",
		"Look at what the server sends. If the catalog has moved to another kind, name that: \"laundromat catalog add --kind KIND URL\"."},
	{CatalogShrunk, 0, "a catalog that names under half of what it named",
		"The catalog named ten seeds or more when it was last believed, and now names less than half as many. That is seldom meant, so nothing is marked as vanished, and it is asked for again in a day. The third such harvest in a row, each a day after the one before, is believed: entries that none of the three named are marked.",
		"Compare the catalog with what it named: \"laundromat catalog seeds URL\". If it is right, \"laundromat catalog harvest --accept URL\" believes it at once."},

	{ClaimSize, Warning, "another size than the catalog claims",
		"The catalog says how many bytes the document has, and another number came. It has changed since it was described, it was cut short, or the number was never right. A rounded claim, as in the listing of a folder, is met by what rounds to it.",
		"Let the catalog take the size from the file, each time that the file is made."},
	{ClaimChecksum, Warning, "another checksum than the catalog claims",
		"The bytes that came are not those that the catalog gives the checksum of. They are washed as they are.",
		"Let the catalog take the checksum from the file, each time that the file is made. If the file is the same, look for what changes it on the way."},
	{ClaimMediaType, Warning, "another media type than the catalog claims",
		"The catalog names one media type, and the server sends another. General types (text/plain, application/octet-stream, any XML or JSON) say nothing and are not compared. The bytes are believed.",
		"Let the server send the media type that the catalog names, or correct the catalog."},
	{ClaimModified, Warning, "another time of change than the catalog claims",
		"The catalog and the Last-Modified header of the server name different times for the last change: more than a minute apart, or more than a day where the catalog gives no time zone, or a date alone.",
		"Let the catalog take the time from the file, each time that the file is made."},
	{ClaimFormat, Warning, "another format than the catalog claims",
		"The catalog names one RDF format, and the document is in another. The document is believed.",
		"Correct the format in the catalog."},
	{ClaimTriples, Warning, "another number of triples than the catalog claims",
		"The catalog says how many triples there are, and the washed document has another number of different statements. It has changed since it was described, it holds duplicates that were counted, or statements were lost: see the other notices.",
		"Let the catalog count what it describes, each triple once."},
}
