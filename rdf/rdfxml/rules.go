package rdfxml

import "laundromat/internal/rule"

// ruleNumber is a rule of recovery. Each is a row of [Rules].
type ruleNumber uint8

const (
	// What is done to a broken tree of tags.
	closeBefore ruleNumber = iota
	closeAround
	closeMisnamed
	closeLikeIt
	skipEnd
	supposeNode
	supposeProperty
	supposeList
	supposeMarkup
	openUnopened
	skipTwice
	openEmpty
	goOnBehindRoot
	endPassage
	endLiteral
	endResource
	resumeInOuter
	// What counts as evidence.
	evidenceHome
	evidenceIndent
	evidenceFar
	evidenceRole
	evidenceForeign
	evidenceText
	evidenceKnownInXML
	evidenceRemnant
	evidenceAlike
	evidenceEmptyValue
	evidenceEnd
	lookFarther
	lookAtLayout
	learnAtEnd
	// What a damaged tag is taken for.
	nameOfEndTag
	nameOfAttribute
	nameOfXML
	nameOfDescription
	nameOfParseType
	prefixOfRDF
	prefixWellKnown
	// What is doubted.
	doubtText
	doubtUnslashed
	doubtType
	doubtWord
	doubtTag
	doubtGuest
	contentUnknown
)

// Rules are the rules by which this package goes on behind faults.
var Rules = &rule.Table{Package: "rdf/rdfxml", Rules: []rule.Rule{
	closeBefore:   {Name: "close before a start tag", Does: "End tags may be missing before a start tag."},
	closeAround:   {Name: "close around an end tag", Does: "An end tag ends the elements in its own, whose end tags are missing."},
	closeMisnamed: {Name: "close under another name", Does: "An end tag of another name may end the innermost element."},
	closeLikeIt: {Name: "close before its like",
		Does: "A parseType=\"Resource\" without an end tag ends before a property of its name."},
	skipEnd: {Name: "skip an end tag",
		Does: "An end tag may be too much; without the rule it is that only where nothing else fits."},
	supposeNode:     {Name: "suppose a node", Does: "The start tag of a node may be missing around a property."},
	supposeProperty: {Name: "suppose a property", Does: "The start tag of a property may be missing around properties of its node."},
	supposeList:     {Name: "suppose a property around nodes", Does: "The start tag of a property may be missing around a node."},
	supposeMarkup:   {Name: "suppose a literal", Does: "The start tag of a property may be missing around text with mark-up."},
	openUnopened:    {Name: "open without <", Does: "Text ahead that is a start tag but for its < is read as one."},
	skipTwice:       {Name: "skip a doubled start tag", Does: "A start tag that occurs twice, byte for byte, is one."},
	openEmpty:       {Name: "open an empty tag", Does: "The / of an empty property is too much if an end tag of its name follows."},
	goOnBehindRoot:  {Name: "go on after the root", Does: "The root does not end if what follows uses prefixes that it alone declares."},
	endPassage:      {Name: "end what is skipped", Does: "Skipped text ends before a line that begins as nodes of rdf:RDF do."},
	endLiteral:      {Name: "end an XML literal", Does: "An XML literal without an end tag is ended by what is around it, or by nodes."},
	endResource: {Name: "doubt an open resource", Does: "Of a parseType=\"Resource\" without an end tag only the first property " +
		"is sure."},
	resumeInOuter: {Name: "resume further out", Does: "After lost mark-up the elements around the innermost one are tried too."},

	evidenceHome:       {Name: "home column", Does: "A tag in the column of the nodes of rdf:RDF hardly is anything else."},
	evidenceIndent:     {Name: "indent", Does: "An element and its end tag have the indent of those next to them."},
	evidenceFar:        {Name: "deepest step", Does: "An element is not indented more than any other in its own."},
	evidenceRole:       {Name: "role of a name", Does: "A name that was a node is hardly a property, and the other way round."},
	evidenceForeign:    {Name: "unknown namespace", Does: "An element in no known namespace is doubtful."},
	evidenceText:       {Name: "text alone", Does: "An element that holds text alone isn't a node."},
	evidenceKnownInXML: {Name: "known in a literal", Does: "An XML literal hardly holds an element such as those of the document."},
	evidenceRemnant:    {Name: "what is left of a tag", Does: "Stray text that is the beginning of a tag shows what is missing."},
	evidenceAlike:      {Name: "similar name", Does: "An end tag is easily one of a similar name."},
	evidenceEmptyValue: {Name: "empty property", Does: "A property that holds nothing hardly lacks its end tag."},
	evidenceEnd:        {Name: "end of the document", Does: "Where the document ends, each element that is open costs."},
	lookFarther:        {Name: "look farther", Does: "The end of the innermost element is looked for beyond the tags ahead."},
	lookAtLayout: {Name: "look where the layout is odd", Does: "A tag that fits is looked at all the same where its indent does " +
		"not fit."},
	learnAtEnd: {Name: "learn at the end tag", Does: "The role of a name near a fault is learned when its element has ended."},

	nameOfEndTag:    {Name: "name of the end tag", Does: "A start tag with a new name has that of its end tag, if they are similar."},
	nameOfAttribute: {Name: "misspelt attribute", Does: "An attribute one letter away from one of the syntax is that."},
	nameOfXML: {Name: "misspelt xml:lang, xml:base",
		Does: "An attribute one letter away from these is that, or they are in doubt."},
	nameOfDescription: {Name: "misspelt rdf:Description", Does: "A name of RDF that resembles rdf:Description is that."},
	nameOfParseType:   {Name: "misspelt parseType", Does: "A value of rdf:parseType one letter away from a known one is that."},
	prefixOfRDF:       {Name: "misspelt prefix", Does: "An undeclared prefix one letter away from rdf is that, with a name of RDF."},
	prefixWellKnown:   {Name: "well-known prefix", Does: "An undeclared prefix of the initial context has its usual namespace."},

	doubtText:      {Name: "doubt text after a tag", Does: "Text right after a start tag may be the rest of it."},
	doubtUnslashed: {Name: "doubt an end tag without /", Does: "A bare start tag with the name of an open element may be an end tag."},
	doubtType:      {Name: "doubt a type", Does: "A name new to the document in a supposed rdf:RDF is not sure to be a type."},
	doubtWord:      {Name: "doubt a word after a name", Does: "A word without a value after a new name may be a part of it."},
	doubtTag:       {Name: "doubt a damaged tag", Does: "The lost part of a tag may have named the subject of the element."},
	doubtGuest:     {Name: "property among members", Does: "A property among the members of a list takes no place in it."},
	contentUnknown: {Name: "content of a lost parseType", Does: "The content of a property with a lost parseType is found by trying."},
}}

// ruleSwitch says which rules hold: in the program, all.
type ruleSwitch struct{ *rule.Switch }

func (s ruleSwitch) on(number ruleNumber) bool { return s.On(int(number)) }
