package encoding

import (
	"slices"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"
)

// codePage is an encoding of one byte a character that x/text lacks.
type codePage struct {
	characters string        // of all bytes, or of those from 0x80 on; U+FFFD where there is none
	low        map[byte]rune // those below 0x80 that are not ASCII
	decoded    func() [256]rune
	encoded    func() map[rune]byte
}

// singleByte returns what decodes a byte of an encoding of one byte a character;
// U+FFFD stands for none. ok is false for other encodings.
func singleByte(c charset) (decode func(byte) rune, ok bool) {
	switch enc := c.enc.(type) {
	case *charmap.Charmap:
		return enc.DecodeByte, true
	case *codePage:
		return func(b byte) rune { return enc.decoded()[b] }, true
	}
	return nil, false
}

func newCodePage(characters string, low map[byte]rune) *codePage {
	p := &codePage{characters: characters, low: low}
	p.decoded = sync.OnceValue(func() (all [256]rune) {
		for b := range 0x80 {
			all[b] = rune(b)
		}
		for b, r := range low {
			all[b] = r
		}
		b := 256 - utf8.RuneCountInString(characters)
		for _, r := range characters {
			all[b] = r
			b++
		}
		return all
	})
	p.encoded = sync.OnceValue(func() map[rune]byte {
		all := map[rune]byte{}
		for b, r := range p.decoded() {
			if _, twice := all[r]; !twice && r != utf8.RuneError {
				all[r] = byte(b)
			}
		}
		return all
	})
	return p
}

func (p *codePage) NewDecoder() *encoding.Decoder {
	return &encoding.Decoder{Transformer: pageDecoder{page: p}}
}

func (p *codePage) NewEncoder() *encoding.Encoder {
	return &encoding.Encoder{Transformer: pageEncoder{page: p}}
}

type pageDecoder struct {
	transform.NopResetter
	page *codePage
}

func (d pageDecoder) Transform(dst, src []byte, _ bool) (nDst, nSrc int, err error) {
	all := d.page.decoded()
	for _, b := range src {
		if nDst+utf8.UTFMax > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], all[b])
		nSrc++
	}
	return nDst, nSrc, nil
}

type pageEncoder struct {
	transform.NopResetter
	page *codePage
}

func (e pageEncoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if !atEOF && !utf8.FullRune(src[nSrc:]) {
			return nDst, nSrc, transform.ErrShortSrc
		}
		if nDst == len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		r, size := utf8.DecodeRune(src[nSrc:])
		b, ok := e.page.encoded()[r]
		if !ok {
			return nDst, nSrc, errNoPlace
		}
		dst[nDst] = b
		nDst, nSrc = nDst+1, nSrc+size
	}
	return nDst, nSrc, nil
}

// codePageTable is the name of an encoding, its characters, and those below 0x80 that are
// not ASCII, if the characters are those from 0x80 on.
type codePageTable struct {
	name, characters string
	low              map[byte]rune
}

// codePages are those by their names here: of Apple for the languages of central
// Europe, of Vietnam (RFC 1456), the Ukraine, Tajikistan and Kazakhstan, of Armenia and
// Georgia, and of DOS.
var codePages = func() (all []charset) {
	for _, p := range slices.Concat([]codePageTable{
		{"x-mac-ce", "ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü†°Ę£§•¶ß®©™ę¨≠ģĮįĪ≤≥īĶ∂∑łĻļĽľĹĺŅ" +
			"ņŃ¬√ńŇ∆«»…\u00A0ňŐÕőŌ–—“”‘’÷◊ōŔŕŘ‹›řŖŗŠ‚„šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ", nil},
		{"viscii", "ẠẮẰẶẤẦẨẬẼẸẾỀỂỄỆỐỒỔỖỘỢỚỜỞỊỎỌỈỦŨỤỲÕắằặấầẩậẽẹếềểễệốồổỗỠƠộờởịỰỨỪỬơớƯ" +
			"ÀÁÂÃẢĂẳẵÈÉÊẺÌÍĨỳĐứÒÓÔạỷừửÙÚỹỵÝỡưàáâãảăữẫèéêẻìíĩỉđựòóôõỏọụùúũủýợỮ", map[byte]rune{0x02: 'Ẳ', 0x05: 'Ẵ', 0x06: 'Ẫ', 0x14: 'Ỷ', 0x19: 'Ỹ', 0x1E: 'Ỵ'}},
		{"koi8-ru", "─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓“■∙”—№™\u00A0»®«·¤═║╒ёє╔ії╗╘╙╚╛ґў╞╟╠╡ЁЄ╣ІЇ╦╧╨╩╪ҐЎ©" +
			"юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ", nil},
		{"koi8-t", "қғ‚Ғ„…†‡\uFFFD‰ҳ‹ҲҷҶ\uFFFDҚ‘’“”•–—\uFFFD™\uFFFD›\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDӯӮё¤ӣ¦§\uFFFD\uFFFD\uFFFD«¬\u00AD®\uFFFD°±²Ё\uFFFDӢ¶·\uFFFD№\uFFFD»\uFFFD\uFFFD\uFFFD©" +
			"юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ", nil},
		{"ptcp154", "ҖҒӮғ„…ҶҮҲүҠӢҢҚҺҸҗ‘’“”•–—ҳҷҡӣңқһҹ\u00A0ЎўЈӨҘҰ§Ё©Ә«¬ӯ®Ҝ°ұІіҙө¶·ё№ә»јҪҫҝ" +
			"АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя", nil},
		{"kz-1048", "ЂЃ‚ѓ„…†‡€‰Љ‹ЊҚҺЏђ‘’“”•–—\uFFFD™љ›њқһџ\u00A0ҰұӘ¤Ө¦§Ё©Ғ«¬\u00AD®Ү°±Ііөµ¶·ё№ғ»әҢңү" +
			"АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя", nil},
		{"armscii-8", "\u0080\u0081\u0082\u0083\u0084\u0085\u0086\u0087\u0088\u0089\u008A\u008B\u008C\u008D\u008E\u008F\u0090\u0091\u0092\u0093\u0094\u0095\u0096\u0097\u0098\u0099\u009A\u009B\u009C\u009D\u009E\u009F\u00A0\uFFFDև։\u0029\u0028»«—\u002E՝\u002C\u002D֊…՜՛՞ԱաԲբԳգԴդԵեԶզԷէ" +
			"ԸըԹթԺժԻիԼլԽխԾծԿկՀհՁձՂղՃճՄմՅյՆնՇշՈոՉչՊպՋջՌռՍսՎվՏտՐրՑցՒւՓփՔքՕօՖֆ՚\uFFFD", nil},
		{"georgian-ps", "\u0080\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008D\u008E\u008F\u0090‘’“”•–—˜™š›œ\u009D\u009EŸ\u00A0¡¢£¤¥¦§¨©ª«¬\u00AD®¯°±²³´µ¶·¸¹º»¼½¾¿" +
			"აბგდევზჱთიკლმნჲოპჟრსტჳუფქღყშჩცძწჭხჴჯჰჵæçèéêëìíîïðñòóôõö÷øùúûüýþÿ", nil},
		{"ibm857", "ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐" +
			"└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ\uFFFDÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ\uFFFD×ÚÛÙìÿ¯´\u00AD±\uFFFD¾¶§÷¸°¨·¹³²■\u00A0", nil},
		{"ibm861", "ÇüéâäàåçêëèÐðÞÄÅÉæÆôöþûÝýÖÜø£Ø₧ƒáíóúÁÍÓÚ¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐" +
			"└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00A0", nil},
		{"ibm869", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDΆ\uFFFD·¬¦‘’Έ―ΉΊΪΌ\uFFFD\uFFFDΎΫ©Ώ²³ά£έήίϊΐόύΑΒΓΔΕΖΗ½ΘΙ«»░▒▓│┤ΚΛΜΝ╣║╗╝ΞΟ┐" +
			"└┴┬├─┼ΠΡ╚╔╩╦╠═╬ΣΤΥΦΧΨΩαβγ┘┌█▄δε▀ζηθικλμνξοπρσςτ΄\u00AD±υφχ§ψ΅°¨ωϋΰώ■\u00A0", nil},
	}, otherPages, ebcdicPages) {
		all = append(all, charset{p.name, newCodePage(p.characters, p.low)})
	}
	return all
}()
