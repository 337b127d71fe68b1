package fault

// Repairs of what is in pages.
var htmlRepairs = []Mended{
	{ScriptComment, "Marks of a comment or of a CDATA section around the data of a script are left out.",
		"The marks hid scripts from old browsers and from XML parsers; the text between them is a whole JSON value, or a text of a format in which no document begins and ends with them.",
		[]Example{
			{"HTML", "<script type=\"application/ld+json\"><!--\n{\"@id\":\"http://e/s\",\"http://e/p\":\"x\"}\n--></script>",
				"<http://e/s> <http://e/p> \"x\" .\n", ""},
			{"HTML", "<script type=\"application/ld+json\">//<![CDATA[\n{\"@id\":\"http://e/s\",\"http://e/p\":\"x\"}\n//]]></script>",
				"<http://e/s> <http://e/p> \"x\" .\n", ""},
			{"HTML", "<script type=\"text/turtle\"><!--\n<http://e/s> <http://e/p> \"x\" .\n--></script>",
				"<http://e/s> <http://e/p> \"x\" .\n", ""},
		}},
	{ScriptMarkup, "A script of data in a page in XML that holds tags, and is not in a format of XML, is read as it is.",
		"Its type says that it holds no elements, and in HTML, which most such pages were first written as, this is how it is read.",
		[]Example{{"HTML",
			"<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><head><script type=\"text/turtle\"><http://e/s> <http://e/p> \"x\" .</script></head></html>",
			"<http://e/s> <http://e/p> \"x\" .\n", ""}}},
	{MicrodataNoItem, "An item of Microdata that says to be a property, but of no item, is read as an item of its own.",
		"Its own statements do not depend on the item that it is a property of.",
		[]Example{{"HTML", "<p itemprop=\"author\" itemscope itemtype=\"http://e/A\" itemid=\"http://e/s\"><b itemprop=\"n\">x</b>",
			"<http://e/s> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e/A> .\n<http://e/s> <http://e/n> \"x\" .\n", ""}}},
	{MicrodataValue, "A property on a link without its address has the text of the link as its value.",
		"The text is all that the element holds, and all that a reader of the page sees.",
		[]Example{{"HTML", "<p itemscope itemid=\"http://e/s\"><a itemprop=\"http://e/p\">x</a>", "<http://e/s> <http://e/p> \"x\" .\n",
			""}}},
}
