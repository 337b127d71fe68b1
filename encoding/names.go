package encoding

import (
	"slices"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"laundromat/internal/pattern"
)

// charset is an encoding that is known by name.
type charset struct {
	name string            // lower-case IANA name
	enc  encoding.Encoding // nil for the Unicode encodings, which are read by own code
}

// spellings are names in use that the IANA registry does not hold, in lower case.
// The first that fits is taken. ASCII is read as UTF-8, and GBK as GB 18030. The Japanese,
// Korean and Taiwanese sets are read with what Microsoft adds to them. What is declared as
// the smaller set is often the larger.
var spellings = []struct {
	pattern *pattern.Pattern
	name    string
}{
	{pattern.New(`^(utf[-_]?8|unicode-1-1-utf-8|(us-?)?ascii|ansi_x3\.4-(1968|1986)|iso[-_]?646-us|utf-?8-?(bom|sig|mb4))$`), "utf-8"},
	{pattern.New(`^(utf[-_]?16([-_]?le)?|unicode(feff|fffe)?|(iso-10646-)?ucs-?2(-?le)?|csunicode)$`), "utf-16le"},
	{pattern.New(`^(utf[-_]?16[-_]?be|ucs-?2-?be)$`), "utf-16be"},
	{pattern.New(`^(utf[-_]?32([-_]?le)?|(iso-10646-)?ucs-?4(-?le)?)$`), "utf-32le"},
	{pattern.New(`^(utf[-_]?32[-_]?be|ucs-?4-?be)$`), "utf-32be"},
	{pattern.New(`^((x-)?unicode-[12]-[01]-utf-7|(cs)?utf[-_]?7)$`), "utf-7"},
	{pattern.New(`^iso[-_]?8859[-_]?([0-9]+)$`), "iso-8859-$1"},
	{pattern.New(`^iso[-_]?8859[-_]?(6|8)-?[ei]$`), "iso-8859-$1"}, // marks of direction apart
	{pattern.New(`^(?:cp|win|windows|x-cp|ansi)[-_]?(125[0-8]|874)$`), "windows-$1"},
	{pattern.New(`^iso-8859-1-windows-3\.[01]-latin-1$`), "windows-1252"},
	{pattern.New(`^iso-8859-2-windows-latin-2$`), "windows-1250"},
	{pattern.New(`^iso-8859-9-windows-latin-5$`), "windows-1254"},
	{pattern.New(`^latin-?9$`), "iso-8859-15"},
	{pattern.New(`^cesu-?8$`), "utf-8"}, // its pairs of surrogates are read where they are
	{pattern.New(`^koi8[-_]?([ru])$`), "koi8-$1"},
	{pattern.New(`^(gb[-_]?2312|gb[-_]?18030|gbk|(windows-|cp|ibm|ms)936|euc-?cn|x-gbk)$`), "gb18030"},
	{pattern.New(`^(sjis|shift-?jis|s-jis|x-sjis|ms_kanji|(windows-|cp|ibm|ms)932|windows-31j)$`), "shift_jis"},
	{pattern.New(`^(big-?5|big-?5-?hkscs|(windows-|cp|ibm|ms)950)$`), "big5"},
	{pattern.New(`^(euc[-_]?kr|ks_c_5601-1987|ksc5601|(windows-|cp|ibm|ms)949|uhc)$`), "euc-kr"},
	{pattern.New(`^(euc[-_]?jp|cp51932)$`), "euc-jp"},
	{pattern.New(`^(x-)?euc[-_]?tw$`), "euc-tw"},
	{pattern.New(`^(?:cs)?iso[-_]?2022[-_]?(kr|cn)$`), "iso-2022-$1"},
	{pattern.New(`^(x-)?mac-?roman$`), "macintosh"},
	{pattern.New(`^(?:x-)?mac-?(greek|turkish|croatian|romanian)$`), "x-mac-$1"},
	{pattern.New(`^(x-)?mac-?iceland(ic)?$`), "x-mac-icelandic"},
	{pattern.New(`^(cs)?hp-?roman8$|^(roman8|r8)$`), "hp-roman8"},
	{pattern.New(`^tcvn(-?5712(-?1)?(:1993)?)?$`), "tcvn"},
	{pattern.New(`^(cp|ms|ibm)?-?1361$|^(x-)?johab$|^ksc5601-1992$`), "johab"},
	{pattern.New(`^(?:cp|ibm|ccsid)[-_]?0*(114[0-9])$`), "ibm0$1"},
	{pattern.New(`^(x-)?mac-?(ce|central-?europe|east-?europe)(an)?$`), "x-mac-ce"},
	{pattern.New(`^(cs)?viscii(1\.1-1)?$`), "viscii"},
	{pattern.New(`^(pt154|csptcp154|cyrillic-asian|cp154)$`), "ptcp154"},
	{pattern.New(`^(rk1048|strk1048-2002|cskz1048|kz1048)$`), "kz-1048"},
	{pattern.New(`^tis-?620(-[0-9]+)?$`), "windows-874"},
	{pattern.New(`^(hz|hz-gb-?2312)$`), "hz-gb-2312"},
	{pattern.New(`^(?:cp|ibm|dos)[-_]?([0-9]+)$`), "ibm$1"},
}

// readable are the encodings that are read by way of x/text, by their names here.
var readable = []charset{
	{"windows-1250", charmap.Windows1250}, {"windows-1251", charmap.Windows1251}, {"windows-1252", charmap.Windows1252},
	{"windows-1253", charmap.Windows1253}, {"windows-1254", charmap.Windows1254}, {"windows-1255", charmap.Windows1255},
	{"windows-1256", charmap.Windows1256}, {"windows-1257", charmap.Windows1257}, {"windows-1258", charmap.Windows1258},
	{"windows-874", charmap.Windows874},
	{"iso-8859-1", charmap.ISO8859_1}, {"iso-8859-2", charmap.ISO8859_2}, {"iso-8859-3", charmap.ISO8859_3},
	{"iso-8859-4", charmap.ISO8859_4}, {"iso-8859-5", charmap.ISO8859_5}, {"iso-8859-6", charmap.ISO8859_6},
	{"iso-8859-7", charmap.ISO8859_7}, {"iso-8859-8", charmap.ISO8859_8}, {"iso-8859-9", charmap.ISO8859_9},
	{"iso-8859-10", charmap.ISO8859_10}, {"iso-8859-11", charmap.Windows874}, {"iso-8859-13", charmap.ISO8859_13},
	{"iso-8859-14", charmap.ISO8859_14}, {"iso-8859-15", charmap.ISO8859_15}, {"iso-8859-16", charmap.ISO8859_16},
	{"koi8-r", charmap.KOI8R}, {"koi8-u", charmap.KOI8U},
	{"macintosh", charmap.Macintosh}, {"x-mac-cyrillic", charmap.MacintoshCyrillic},
	{"ibm437", charmap.CodePage437}, {"ibm850", charmap.CodePage850}, {"ibm852", charmap.CodePage852},
	{"ibm855", charmap.CodePage855}, {"ibm858", charmap.CodePage858}, {"ibm860", charmap.CodePage860},
	{"ibm862", charmap.CodePage862}, {"ibm863", charmap.CodePage863}, {"ibm865", charmap.CodePage865},
	{"ibm866", charmap.CodePage866},
	{"ibm037", charmap.CodePage037}, {"ibm1047", charmap.CodePage1047}, {"ibm01140", charmap.CodePage1140},
	{"shift_jis", japanese.ShiftJIS}, {"euc-jp", japanese.EUCJP}, {"iso-2022-jp", japanese.ISO2022JP},
	{"gb18030", simplifiedchinese.GB18030}, {"hz-gb-2312", simplifiedchinese.HZGB2312},
	{"big5", traditionalchinese.Big5}, {"euc-kr", korean.EUCKR}, {"euc-tw", eucTW{}}, {"johab", johab{}},
}

// lookup finds an encoding by any of its names. If the name is not known or the encoding
// can't be read, ok is false, and the name is returned in lower case.
func lookup(label string) (found charset, ok bool) {
	name := strings.ToLower(strings.Trim(strings.TrimSpace(label), `"'`))
	for _, s := range spellings {
		if s.pattern.MatchString(name) {
			name = s.pattern.ReplaceAllString(name, s.name)
			break
		}
	}
	switch name {
	case "utf-8", "utf-7", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "iso-2022-kr", "iso-2022-cn":
		return charset{name: name}, true
	}
	if c, ok := named(readable, name); ok {
		return c, true
	}
	if c, ok := named(codePages(), name); ok {
		return c, true
	}
	// Other names of the same: those of the IANA registry, then those of browsers.
	// A browser reads what it must not decode as "replacement"; that is refused here.
	enc, err := ianaindex.IANA.Encoding(name)
	if err != nil || enc == nil {
		enc, err = htmlindex.Get(name)
	}
	if err == nil && enc != nil {
		for _, c := range readable {
			if c.enc == enc {
				return c, true
			}
		}
		if enc == unicode.UTF8 {
			return charset{name: "utf-8"}, true
		}
	}
	return charset{name: name}, false
}

// named finds an encoding by its name here.
func named(table []charset, name string) (charset, bool) {
	i := slices.IndexFunc(table, func(c charset) bool { return c.name == name })
	if i < 0 {
		return charset{}, false
	}
	return table[i], true
}

// known says that label names an encoding that can be read, and which.
func known(label string) (name string, ok bool) {
	c, ok := lookup(label)
	return c.name, ok
}

// stateful recognises the encodings whose every byte is below 0x80, so that such a
// document is well-formed UTF-8 and nothing would ever refute that.
func stateful(name string) bool {
	return strings.HasPrefix(name, "iso-2022-") || name == "utf-7" || name == "hz-gb-2312"
}

// wide recognises the encodings whose units are two or four bytes, so that ASCII text
// in them is not ASCII bytes.
func wide(name string) bool {
	return strings.HasPrefix(name, "utf-16") || strings.HasPrefix(name, "utf-32")
}

// ebcdic recognises the encodings whose letters are elsewhere than in ASCII.
func ebcdic(name string) bool {
	switch {
	case name == "ibm037" || name == "ibm1047" || name == "ibm01140":
		return true
	case !strings.HasPrefix(name, "ibm"):
		return false
	}
	c, _ := lookup(name)
	page, ok := c.enc.(*codePage)
	return ok && page.isEBCDIC
}

// defaultLike recognises the names that servers and editors write without anybody
// having chosen them; strong evidence of the bytes is believed against these.
func defaultLike(name string) bool { return name == "iso-8859-1" || name == "windows-1252" }
