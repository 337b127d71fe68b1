package bcp47_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"laundromat/rdf/bcp47"
)

func TestWellFormedLanguageTags(t *testing.T) {
	for tag, want := range map[string]bool{
		"de": true, "fra": true, "de-at": true, "es-419": true, "sl-rozaj-biske": true, "de-ch-1996": true,
		"zh-yue": true, "zh-cmn-hans-cn": true, "sr-latn-rs": true, "hy-latn-it-arevela": true, "aaaa": true, "abcdefgh": true,
		"en-a-myext-b-another": true, "de-ch-x-phonebk": true, "x-whatever": true, "zh-min-nan": true, "en-gb-oed": true,
		"sgn-be-fr": true, "en-u-ca-gregory": true, "qaa-qaaa-qm-x-southern": true, "ar-a-aaa-b-bbb-a-ccc": true,
		"en-a-bbb-x-a-ccc": true, "fr-a-latn": true, "en-latn-gb-boont-r-extended-sequence-x-private": true, "zh-yue-cmn": true,

		"": false, "a": false, "abcdefghi": false, "de-419-de": false, "a-de": false, "en-": false, "en-a": false,
		"x": false, "x-": false, "en-x": false, "en-x-123456789": false, "de-a-b": false, "en-latn-latn": false,
		"en-gb-gb": false, "en--gb": false, "i-nonsense": false, "aaaa-bbb": false, "en-b-": false, "tlh-a-b-foo": false,
		"a-value": false, "de-a-value": true,
	} {
		if got := bcp47.WellFormed([]byte(tag)); got != want {
			t.Errorf("%q: got %v", tag, got)
		}
	}
}

// held writes findings as kind:subtag>instead.
func held(tag string) string {
	var all []string
	for _, f := range bcp47.Judge([]byte(tag)) {
		kind := map[bcp47.Kind]string{bcp47.Unregistered: "unregistered", bcp47.Deprecated: "deprecated",
			bcp47.Misplaced: "misplaced", bcp47.Repeated: "repeated", bcp47.Needless: "needless"}[f.Kind]
		all = append(all, kind+":"+f.Subtag+">"+f.Instead)
	}
	return strings.Join(all, " ")
}

// The tags that RFC 5646 shows: all those of §2 to §4, of §8 and of its appendices A
// and B, which were read whole. What it calls invalid by its form, appendix A's except
// for the last and a-value of §2.2.6, is not well-formed, and in the table above.
func TestTagsAreHeldToTheRegistry(t *testing.T) {
	for tag, want := range map[string]string{
		// appendix A
		"de": "", "fr": "", "ja": "", "i-enochian": "deprecated:i-enochian>", "zh-hant": "", "zh-hans": "", "sr-cyrl": "", "sr-latn": "",
		"zh-cmn-hans-cn": "", "cmn-hans-cn": "", "zh-yue-hk": "", "yue-hk": "", "zh-hans-cn": "", "sr-latn-rs": "",
		"sl-rozaj": "", "sl-rozaj-biske": "", "sl-nedis": "", "de-ch-1901": "", "sl-it-nedis": "",
		"hy-latn-it-arevela": "deprecated:arevela>",
		"de-de":              "", "en-us": "", "es-419": "", "de-ch-x-phonebk": "", "az-arab-x-aze-derbend": "", "x-whatever": "",
		"qaa-qaaa-qm-x-southern": "", "de-qaaa": "", "sr-latn-qm": "", "sr-qaaa-rs": "", "en-us-u-islamcal": "",
		"zh-cn-a-myext-x-private": "unregistered:a>",
		"en-a-myext-b-another":    "unregistered:a> unregistered:b>", "ar-a-aaa-b-bbb-a-ccc": "unregistered:a> unregistered:b> repeated:a>",
		// §2.1: what the grammar names one by one, where nothing below does
		"i-ami": "deprecated:i-ami>ami", "i-bnn": "deprecated:i-bnn>bnn", "i-hak": "deprecated:i-hak>hak", "i-lux": "deprecated:i-lux>lb",
		"i-navajo": "deprecated:i-navajo>nv", "i-pwn": "deprecated:i-pwn>pwn", "i-tao": "deprecated:i-tao>tao",
		"i-tay": "deprecated:i-tay>tay",
		"i-tsu": "deprecated:i-tsu>tsu", "sgn-be-nl": "deprecated:sgn-be-nl>vgt", "sgn-ch-de": "deprecated:sgn-ch-de>sgg",
		"art-lojban": "deprecated:art-lojban>jbo", "cel-gaulish": "deprecated:cel-gaulish>", "no-nyn": "deprecated:no-nyn>nn",
		"zh-guoyu": "deprecated:zh-guoyu>cmn", "zh-hakka": "deprecated:zh-hakka>hak", "zh-min": "deprecated:zh-min>",
		"zh-xiang": "deprecated:zh-xiang>hsn",
		// §2.1.1: the case of letters, which are small here
		"mn-cyrl-mn": "", "en-ca-x-ca": "", "az-latn-x-latn": "", "sgn-be-fr": "deprecated:sgn-be-fr>sfb",
		// §2.2 and §8
		"az-arab-ir": "", "zh-hant-cn": "", "fr-latn-ca": "needless:latn>", "en-eu": "",
		// §2.2.1, §2.2.2, §3.1.7
		"x-fr-ch": "", "de-zr": "deprecated:zr>cd", "de-cd": "", "de-yd": "deprecated:yd>ye", "de-ye": "",
		"enochian-aq": "unregistered:enochian>", "enochian-latn": "unregistered:enochian>", "haw": "",
		"gan": "", "yue": "", "cmn": "", "zh-gan": "deprecated:zh-gan>gan", "zh-yue": "deprecated:zh-yue>yue",
		"zh-cmn":         "deprecated:zh-cmn>cmn",
		"zh-yue-hant-hk": "", "yue-hant-hk": "", "zh-yue-cmn": "misplaced:cmn>zh", "ar-afb": "", "en-afb": "misplaced:afb>ar",
		"sgn-ase": "",
		// §2.2.3, §4.1
		"en-latn": "needless:latn>", "en-latn-us": "needless:latn>", "ru-cyrl-ru": "needless:cyrl>", "ru-latn": "", "yi-latn": "",
		"ja-jpan": "needless:jpan>",
		// §2.2.4: what is left to private use
		"en-aa": "", "en-qm": "", "en-xa": "", "en-zz": "", "en-005": "", "de-at": "",
		// §2.2.5, §3.1.8
		"de-ch-1996": "", "de-de-1996-1996": "repeated:1996>", "de-de-1901-1901": "repeated:1901>", "fr-1996": "misplaced:1996>de",
		"sl-biske":            "misplaced:biske>sl-rozaj",
		"sl-rozaj-biske-1994": "",
		"sl-1994-rozaj-biske": "misplaced:1994>sl-rozaj sl-rozaj-biske sl-rozaj-njiva sl-rozaj-osojs sl-rozaj-solba",
		"sl-rozaj-1994-biske": "",
		"sl-latn-rozaj-biske": "needless:latn>", "sl-cyrl-rozaj-biske": "", "en-scouse": "", "en-gb-oxendict": "",
		"en-foobar": "unregistered:foobar>",
		// §2.2.6
		"en-a-bbb-a-ccc": "unregistered:a> repeated:a>", "en-a-bbb-x-a-ccc": "unregistered:a>", "fr-a-latn": "unregistered:a>",
		"en-latn-gb-boont-r-extended-sequence-x-private": "needless:latn> unregistered:r>", "ar-u-nu-latn-u-ca-gregory": "repeated:u>",
		"de-a-value": "unregistered:a>",
		// §2.2.7, §2.2.9
		"en-x-us": "", "el-x-koine": "", "el-x-attic": "", "no-qq": "", "en-x-personal": "",
		// §3.1.2, §3.1.5, §3.1.8 to §3.1.11
		"nan-hant": "", "nan-tw": "", "zh-nan-hant": "", "zh-nan-tw": "", "zza": "", "diq": "", "fy": "", "he": "",
		"is-1994": "misplaced:1994>sl-rozaj sl-rozaj-biske sl-rozaj-njiva sl-rozaj-osojs sl-rozaj-solba", "sl-it-rozaj": "",
		"be-latn": "", "be-latn-by": "",
		"es-avariant-bvariant-avariant": "unregistered:avariant> unregistered:bvariant> unregistered:avariant> repeated:avariant>",
		"is-latn":                       "needless:latn>", "no": "", "nb": "", "nn": "", "gem": "",
		// §3.4, §3.5, appendix B
		"de-tp": "deprecated:tp>tl", "de-tl": "", "en-us-boont": "", "sl-latn-rozaj": "needless:latn>",
		"de-1994": "misplaced:1994>sl-rozaj sl-rozaj-biske sl-rozaj-njiva sl-rozaj-osojs sl-rozaj-solba", "be-tarask": "",
		// §4.1
		"gsw-ch": "", "de-ch": "", "en-brai": "", "uz": "", "uz-arab": "", "uz-zxxx": "", "jbo": "", "und-latn": "",
		"en-scotland-fonipa":     "",
		"sl-it-rozaj-biske-1994": "",
		// §4.1.1, which writes ma for mk, and §4.1.2
		"crk": "", "cr": "", "sr": "", "hr": "", "ma": "unregistered:ma>", "mk": "", "ro": "", "wuu": "", "ms": "", "ar": "", "arb": "",
		"zh-hk": "", "sgn-ru": "", "zh-yue-hant": "", "sgn-us": "deprecated:sgn-us>ase", "ase": "",
		// §4.2 to §4.4, §4.6
		"ar-cyrl-co": "", "tlh-kore-aq-fonipa": "", "zh-hant-tw": "", "az": "", "az-latn": "", "az-cyrl": "", "en-ca": "", "es": "",
		"zh-latn-cn-variant1-a-extend1-x-wadegile-private1": "unregistered:variant1> unregistered:a>",
		"zh-latn-cn-variant1-a-extend1-x-wadegile":          "unregistered:variant1> unregistered:a>",
		"zh-latn-cn-variant1-a-extend1":                     "unregistered:variant1> unregistered:a>",
		"zh-latn-cn-variant1":                               "unregistered:variant1>",
		"zh-latn-cn":                                        "", "zh-latn": "", "zh-hans-xq": "", "x-somelang": "", "zh-hans-x-xq": "",
		// §4.5
		"hak": "", "en-a-aaa-bbb-ccc": "unregistered:a>", "en-a-ccc-bbb-aaa": "unregistered:a>", "en-b-aaa-bbb-ccc": "unregistered:b>",
		"en-b-ccc-bbb-aaa": "unregistered:b>",
		"en-bu":            "deprecated:bu>mm", "hak-cn": "", "zh-hak-cn": "",
		"en-a-aaa-b-ccc-bbb-x-xyz": "unregistered:a> unregistered:b>",
		"en-b-ccc-bbb-a-aaa-x-xyz": "unregistered:b> unregistered:a>",
		// deprecated and grandfathered
		"iw": "deprecated:iw>he", "in": "deprecated:in>id", "ji": "deprecated:ji>yi", "mo": "deprecated:mo>ro", "sh": "",
		"de-dd": "deprecated:dd>de", "sr-cs": "deprecated:cs>", "my-bu": "deprecated:bu>mm", "i-klingon": "deprecated:i-klingon>tlh",
		"i-default": "", "i-mingo": "", "en-gb-oed": "deprecated:en-gb-oed>en-gb-oxendict", "no-bok": "deprecated:no-bok>nb",
		"zh-min-nan": "deprecated:zh-min-nan>nan",
		// not registered
		"english": "unregistered:english>en", "deutsch": "unregistered:deutsch>", "german": "unregistered:german>de",
		"eng": "unregistered:eng>en",
		"ger": "unregistered:ger>de", "deu": "unregistered:deu>de", "jp": "unregistered:jp>ja", "en-uk": "unregistered:uk>gb",
		"de-abcd": "unregistered:abcd>",
		"xx":      "unregistered:xx>", "en-999": "unregistered:999>", "und": "", "mul": "", "zxx": "", "mis": "", "tlh": "", "en-001": "",
	} {
		if got := held(tag); got != want {
			t.Errorf("%q: got %q, want %q", tag, got, want)
		}
	}
}

func TestCommonTagsHaveNothingAgainstThem(t *testing.T) {
	n := 0
	for a := byte('a'); a <= 'z'; a++ {
		for b := byte('a'); b <= 'z'; b++ {
			tag := []byte{a, b}
			if common := bcp47.IsCommon(tag); common != (len(bcp47.Judge(tag)) == 0) {
				t.Errorf("%s: common is %v, and %q", tag, common, held(string(tag)))
			} else if common {
				n++
			}
		}
	}
	if n < 180 {
		t.Errorf("only %d languages have two letters", n)
	}
	for _, tag := range []string{"", "e", "EN", "eng", "1a", "é"} {
		if bcp47.IsCommon([]byte(tag)) {
			t.Errorf("%q is common", tag)
		}
	}
}

// What takes the place of something must itself have nothing against it.
func TestWhatIsSaidToBeWrittenInsteadIsRight(t *testing.T) {
	if len(bcp47.Replacements) < 200 {
		t.Errorf("there are %d", len(bcp47.Replacements))
	}
	for tag, instead := range bcp47.Replacements {
		part, _, isSubtag := strings.Cut(tag, " ")
		switch {
		case instead == "":
			continue
		case isSubtag && part == "region":
			instead = "und-" + instead
		case isSubtag && part == "variant":
			continue // heploc: alalc97, which has prefixes
		}
		if !bcp47.WellFormed([]byte(instead)) || held(instead) != "" {
			t.Errorf("%s: %s: %s", tag, instead, held(instead))
		}
	}
}

func TestDocumentSaysHowOldTheRegistryIs(t *testing.T) {
	text, err := os.ReadFile("../../docs/terms.md")
	if err != nil || !strings.Contains(string(text), bcp47.Date) {
		t.Errorf("docs/terms.md does not say %s: %v", bcp47.Date, err)
	}
}

func FuzzJudge(f *testing.F) {
	for _, tag := range []string{"en", "zh-cmn-hans-cn", "sl-rozaj-biske-1994", "en-a-bb-x-c", "i-lux", "de-1901-1901"} {
		f.Add(tag)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		tag = strings.ToLower(tag)
		if !bcp47.WellFormed([]byte(tag)) {
			return
		}
		for _, finding := range bcp47.Judge([]byte(tag)) {
			if finding.Kind == 0 || !strings.Contains(tag, finding.Subtag) || finding.Subtag == "" || finding.Part == "" {
				t.Fatalf("%q: %+v", tag, finding)
			}
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	tag := []byte("zh-hans-cn")
	b.ReportAllocs()
	for b.Loop() {
		bcp47.Judge(tag)
	}
}

func ExampleJudge() {
	for _, f := range bcp47.Judge([]byte("en-uk")) {
		fmt.Println(f.Part, f.Subtag, f.Instead)
	}
	// Output: region uk gb
}
