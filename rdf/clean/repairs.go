package clean

import "laundromat/internal/fault"

// repair is a kind of repair: something that is wrong and has one plain meaning.
type repair struct {
	code fault.Code
	what string // what was done; the message of the notice
	why  string // why nothing else can be meant
}

// repairs lists every kind of repair that this package makes. Readers make their
// own; strict turns all of them into drops.
var repairs = []repair{
	{fault.EncodingMixedBytes, "single bytes were read as letters of windows-1252",
		"the bytes stand in a word and are no UTF-8, and the encoding that software mixes with UTF-8 makes letters of them"},
	{fault.IRITrimmed, "white space around the IRI was cut off",
		"no IRI begins or ends with white space"},
	{fault.IRISpace, "each space was written as %20",
		"every browser does, and no IRI can hold a space"},
	{fault.IRICharacter, "characters that no IRI may hold were percent-encoded",
		"there is one way to write them in an IRI"},
	{fault.IRIBracket, "square brackets outside the host were percent-encoded",
		"there is one way to write them in an IRI"},
	{fault.IRIFragment, "each further # was written as %23",
		"the first # begins the fragment, which goes up to the end"},
	{fault.IRIPrivateUse, "private-use characters outside the query were percent-encoded",
		"there is one way to write them in an IRI"},
	{fault.LanguageSpace, "white space around the language tag was cut off",
		"no language tag begins or ends with white space"},
	{fault.LanguageUnderscore, "each underscore in the language tag was written as a hyphen",
		"locales are written with an underscore and mean the same language"},
}

func repairOf(code fault.Code) repair {
	for _, r := range repairs {
		if r.code == code {
			return r
		}
	}
	return repair{code: code, what: string(code)}
}
