package fault

// Codes of findings where articles are made of pages, feeds and plain text.
const (
	TextEmpty         Code = "text/empty"
	TextEntity        Code = "text/entity"
	TextNUL           Code = "text/nul"
	TextUnclosedQuote Code = "text/unclosed-quote"
	TextCut           Code = "text/cut"
	TextTooDeep       Code = "text/too-deep"
	TextNoDate        Code = "text/no-date"
)

var articleCodes = []Info{
	{TextEmpty, Note, "a page without text",
		"The page or the entry of a feed has no text: no article is made of it. It is counted as empty.",
		"Nothing, if the page has none. A page whose text a script brings can't be read without running that."},
	{TextEntity, Note, "a character reference that was written twice over",
		"Behind the decoding of HTML, the text of a feed's entry still had a character reference such as &amp;. It is decoded once more, except in code. The message shows the first of them.",
		"Escape the text of an entry once."},
	{TextNUL, Warning, "the character U+0000 in the text",
		"The text holds the character U+0000, which is no text and which most programs can't hold. It is left out.",
		"Remove the character. Where every second byte is zero, the page is in UTF-16 and should say so."},
	{TextUnclosedQuote, Note, "a quotation that never closes",
		"A quotation mark opens, and none closes it before the text or the paragraph ends. No quotation is made of it; the text is kept as it is.",
		"Close the quotation mark."},
	{TextCut, Warning, "a page that is cut off",
		"The page or feed ends within a tag, a comment or an element. What is there is kept; what followed is not in the article.",
		"Publish the document whole, and say its length in Content-Length."},
	{TextTooDeep, Warning, "elements that are nested too deeply",
		"So many elements are open at once that the parser of HTML gives up. Tags beyond that depth are passed over; their text is kept.",
		"Close elements where they end."},
	{TextNoDate, Note, "an article without a date",
		"Neither the feed nor JSON-LD, meta or time elements of the page say when it was published. The date is left unknown: it is never guessed from prose.",
		"Say the date of publication in JSON-LD (datePublished) or in a meta element (article:published_time)."},
}
