package quote

import (
	"strings"
	"sync"
)

// The table below is made of facts of the Unicode CLDR (cldr-json, commit b08a82b582f1120d630d623f9e5073316741574d):
// what quotation marks a language has. They are under the Unicode License V3, which stands in LICENSE-CLDR.

// conventions are the marks of languages: those that open and close, then those within. A language that is not here
// has those of its parent, en-150 those of en; the last of all are “” and ‘’.
var conventions = []struct{ marks, languages string }{
	{"«»“”", "ast blo bm br ca dyo el es-US eu ewo ie it kab kk lij mg mua nnh pt-AO pt-CH pt-CV pt-GQ pt-GW pt-LU pt-MO pt-MZ pt-PT " +
		"pt-ST pt-TL sc sg sq ti"},
	{"„“‚‘", "bs-Cyrl cs de dsb et hr hsb is ksh lb luy mk nds sk sl"},
	{"«»‹›", "am az-Arab az-Cyrl fa fr-CH gsw jgo kkj mzn rm sdh wae"},
	{"«»„“", "bas be cv ky os ru sah uk"},
	{"””’’", "fi he lag rn se sn sv yi"},
	{"«»‘’", "dua el-polyton ksf nb nn no rw"},
	{"“”‘’", "bm-Nkoo ff-Adlm kk-Arab uz-Arab uz-Cyrl yue-Hans"},
	{"”“’‘", "ar lld ms-Arab syr ur"},
	{"«»«»", "fr ht hy oc yav"},
	{"‘’“”", "fur ia nso ti-ER tn"},
	{"„“„“", "bg lt prg"},
	{"「」『』", "ja yue zh-Hant"},
	{"„”«»", "nmg pl ro"},
	{"„”‚’", "agq ff"},
	{"„”»«", "hu szl"},
	{"«»„”", "shi zgh"},
	{"„”‘’", "bs"},
	{"„“«»", "ka"},
	{"‘’‘’", "nl"},
	{"„”’’", "sr"},
	{"“’“”", "st"},
	{"“”“”", "tk"},
	{"»«›‹", "ug"},
	{"“”’‘", "uz"},
	{"«»”“", "fr-CA"},
}

var ofLanguage = sync.OnceValue(func() map[string]string {
	t := map[string]string{}
	for _, c := range conventions {
		for _, language := range strings.Fields(c.languages) {
			t[strings.ToLower(language)] = c.marks
		}
	}
	return t
})

// marksOf are the four marks of a language.
func marksOf(language string) [4]string {
	marks := "“”‘’"
	for l := strings.ToLower(strings.ReplaceAll(language, "_", "-")); l != ""; {
		if m, ok := ofLanguage()[l]; ok {
			marks = m
			break
		}
		l = l[:max(strings.LastIndexByte(l, '-'), 0)]
	}
	var four [4]string
	for i, r := range []rune(marks) {
		four[i] = string(r)
	}
	return four
}

// shapesOf says which marks open (1), close (-1) or do either (0) in a language. It is empty if none is given.
func shapesOf(language string) map[string]int8 {
	if language == "" || strings.EqualFold(language, "und") {
		return nil
	}
	shapes := map[string]int8{}
	m := marksOf(language)
	for i := len(m) - 2; i >= 0; i -= 2 { // the outer ones count for more
		shapes[m[i]], shapes[m[i+1]] = 1, -1
		if m[i] == m[i+1] {
			shapes[m[i]] = 0
		}
	}
	return shapes
}

// closers are the marks that may close what a mark opens, in whatever language.
var closers = map[string][]string{
	"``": {"''", `"`, "”"}, "`": {"'", "’"}, `"`: {`"`}, "'": {"'"},
	"“": {"”", "’"}, "‘": {"’"}, "„": {"“", "”", `"`}, "‚": {"‘", "’"}, "‟": {"”"}, "‛": {"’"},
	"”": {"”", "“"}, "’": {"’", "‘"},
	"«": {"»"}, "»": {"«", "»"}, "‹": {"›"}, "›": {"‹", "›"},
	"「": {"」"}, "『": {"』"}, "〝": {"〞", "〟"},
}
