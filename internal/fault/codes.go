package fault

import (
	"cmp"
	"slices"
)

// Info explains a code to the person who publishes the data.
type Info struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity,omitempty"` // the usual one of a notice; 0 for codes of errors
	Title    string   `json:"title"`              // a few words, no full stop
	Explain  string   `json:"explanation"`        // what it means, and what Laundromat does
	Mend     string   `json:"mend"`               // what the publisher changes
}

// table is every code there is. Each group has a file of its own; the documentation and "laundromat
// explain" are made from it.
var table = slices.Concat(
	transportCodes,
	catalogCodes,
	archiveCodes,
	encodingCodes,
	formatCodes,
	syntaxCodes,
	xmlCodes,
	trixCodes,
	jsonCodes,
	rdfjsonCodes,
	htmlCodes,
	iriCodes,
	literalCodes,
	articleCodes,
	textCodes,
	tableCodes,
	recordCodes,
	matchCodes,
	csvwCodes,
	dumpCodes,
	reconcileCodes,
	mapCodes,
	schemaCodes,
	limitCodes,
)

// Codes returns every code with its explanation, sorted by code.
func Codes() []Info {
	all := slices.Clone(table)
	slices.SortFunc(all, func(a, b Info) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

// Explain finds the explanation of a code.
func Explain(code Code) (Info, bool) {
	for _, info := range table {
		if info.Code == code {
			return info, true
		}
	}
	return Info{}, false
}
