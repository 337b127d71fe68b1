package mend

import (
	"strings"

	"laundromat/internal/fault"
)

// writer makes the edits that write a repair; none if the text is not as it must be.
type writer func(v *view, r *repair) []edit

// row says how repairs of a code are written that carry no edits: by make, or, where they can't be, why not.
type row struct {
	make writer
	why  string
}

// table has the codes whose repairs may be without edits.
var table = map[fault.Code]row{
	fault.BlankNodeLabel:          {why: "another label would be another node to whoever has read the document before"},
	fault.EncodingMixedBytes:      {make: mixedBytes},
	fault.IRITrimmed:              {make: iriTrimmed},
	fault.IRISpace:                {make: eachIn(iriSpace)},
	fault.IRICharacter:            {make: eachIn(iriCharacter)},
	fault.IRIBracket:              {make: eachIn(iriBracket)},
	fault.IRIFragment:             {make: eachIn(iriFragment)},
	fault.IRIPrivateUse:           {make: eachIn(iriPrivate)},
	fault.LanguageUnderscore:      {make: languageAs(hyphens)},
	fault.LanguageSpace:           {make: languageAs(strings.TrimSpace)},
	fault.LiteralMisspeltDatatype: {make: datatypeName},
	fault.LiteralLanguageDatatype: {make: languageDatatype},
	fault.LiteralMojibakeMended:   {why: "what was meant is only likely; --fix-mojibake mends it in the output"},
	fault.SyntaxGraphInTriples:    {why: "the document is in another format than it is called: name it .nq or .trig"},
	fault.SyntaxZeroBytes:         {why: "the content of a hole is not known: copy or make the file again"},

	fault.JSONSeveral:             {why: "only the author knows whether the values belong in one array, or in documents of their own"},
	fault.JSONNumber:              {make: jsonNumber},
	fault.JSONEmptyKeyword:        {make: jsonEmptyKeyword},
	fault.JSONContextNotAvailable: {why: "the context is missing, not the text: give it with --context"},
	fault.JSONContextName:         {make: jsonContextName},
	fault.JSONVersion:             {make: jsonVersion},

	fault.XMLCutShort:        {why: "nobody knows what else was to come: the document is to be had again, whole"},
	fault.XMLSeveralRoots:    {why: "each root element belongs in a file of its own"},
	fault.XMLControl:         {why: "XML has no way to write this character"},
	fault.XMLBadName:         {why: "RDF/XML has no way to write a property whose name XML does not allow"},
	fault.RDFXMLNestedRDF:    {make: nestedRDF},
	fault.RDFXMLResourceNode: {make: withoutAttribute},

	fault.ScriptComment:   {make: scriptComment},
	fault.MicrodataNoItem: {make: noItem},
	fault.MicrodataValue:  {why: "only the author knows where the link was to lead"},
}
