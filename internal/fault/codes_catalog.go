package fault

// Codes of catalogs: of their reading, and of what they claim and is not so.
const (
	CatalogUnknown Code = "catalog/unknown"
	CatalogDamaged Code = "catalog/damaged"
	CatalogReply   Code = "catalog/error-reply"
)

var catalogCodes = []Info{
	{CatalogUnknown, 0, "no catalog of a known kind",
		"What was to be read as a catalog is of none of the kinds that are known: CKAN, DCAT, VoID, a sitemap, a feed, a listing, a list or the others. The message says what it looks like.",
		"Correct the URI of the catalog, or name its kind with --kind. A document of data is added with \"laundromat seed add\"."},
	{CatalogDamaged, 0, "a catalog that can't be read to its end",
		"The catalog is broken at a place behind which nothing can be told any more. What stood before it is taken.",
		"Check the catalog with a validator of its format: JSON, XML or RDF."},
	{CatalogReply, 0, "the portal answered with an error",
		"The portal's API answered, but with an error of its own instead of a list. The message is the portal's.",
		"See the message; the API may have moved, or want other parameters."},
}
