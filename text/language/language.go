// Package language says in which languages a text is, and how sure that is.
//
// A word is cut into pieces of four bytes, as Nito-ELD does, and each piece has a score in the languages that have
// it. A language is as likely as the sum of its scores. The tables are those of Nito-ELD 2.1.0 (Nito T.M.,
// Apache-2.0), and for the languages that it does not know ours, which the program in train makes.
package language

import (
	_ "embed"
	"encoding/binary"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Guess is a language that a text may be in.
type Guess struct {
	Tag         string // of BCP 47, with a script where the language has several; Unknown for what is in none
	Probability int    // in thousandths
}

// Unknown is the tag of what is in no language: numbers, code, menus.
const Unknown = "und"

// Sum is what is known of a text: the scores of all languages, and how much was looked at.
type Sum struct {
	scores  []int64 // of all languages; nil for none, or where they are in few
	few     []score // of the languages that have one, by their numbers
	pieces  int     // of words that were looked at
	known   int     // those that some language has
	words   int
	letters int
	others  int // characters that are neither letters nor white space
	code    int // of these, the ones that are common in code alone
	hans    int // characters that only simplified Chinese has, less those that only the traditional has
}

// score is what speaks for a language.
type score struct {
	points   int64
	language uint8 // its number
}

// enough is how many pieces of a text are looked at: more tell no more.
const enough = 1200

// table holds the pieces in a table of hashes. It begins with the number of languages, and for each its
// prior, the length of its tag and the tag. Then comes the logarithm of the number of slots, and the slots: five
// bytes of what tells a piece from others of the slot, three of the place of its scores, and 0 for a slot that is
// free. At that place is the number of languages, and for each its number and its score.
//
//go:embed tables.bin
var embedded string

type tables struct {
	tags    []string
	priors  []byte
	chinese int // which is zh, whose script a text decides; -1 for none
	shift   uint
	slots   string
	lists   string
}

var load = sync.OnceValue(func() *tables { return decode(embedded) })

func decode(from string) *tables {
	t := &tables{chinese: -1}
	count := int(from[0])
	from = from[1:]
	for range count {
		t.priors = append(t.priors, from[0])
		n := int(from[1])
		t.tags = append(t.tags, from[2:2+n])
		if from[2:2+n] == "zh" {
			t.chinese = len(t.tags) - 1
		}
		from = from[2+n:]
	}
	bits := uint(from[0])
	t.shift = 64 - bits
	t.slots, t.lists = from[1:1+8<<bits], from[1+8<<bits:]
	return t
}

// SlotOf is the slot of a piece among so many bits of slots, and what tells it from others.
func SlotOf(piece uint64, bits uint) (slot int, rest uint64) {
	h := piece * 0x9E3779B97F4A7C15
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	return int(h >> (64 - bits)), h & (1<<40 - 1)
}

// find is the list of a piece: pairs of a language and its score.
func (t *tables) find(piece uint64) string {
	bits := 64 - t.shift
	slot, rest := SlotOf(piece, bits)
	for {
		v := uint64At(t.slots, 8*slot)
		if v == 0 {
			return ""
		}
		if v>>24 == rest {
			at := int(v & (1<<24 - 1))
			n := int(t.lists[at])
			return t.lists[at+1 : at+1+2*n]
		}
		slot = (slot + 1) & (1<<bits - 1)
	}
}

func uint64At(s string, at int) uint64 {
	b := s[at : at+8]
	return uint64(b[0])<<56 | uint64(b[1])<<48 | uint64(b[2])<<40 | uint64(b[3])<<32 |
		uint64(b[4])<<24 | uint64(b[5])<<16 | uint64(b[6])<<8 | uint64(b[7])
}

// longest is how many bytes of a word are looked at.
const longest = 70

// pieces calls take with each piece of a word in lower case: four bytes, every third of them and at the end, with the
// space before the word and after it.
func pieces(word []byte, take func(uint64)) {
	n := min(len(word), longest)
	j := 0
	for ; j+4 < n; j += 3 {
		take(pieceOf(word[j:j+4], j == 0, false))
	}
	from := max(0, n-4)
	take(pieceOf(word[from:n], j == 0, true))
}

func pieceOf(b []byte, first, last bool) (piece uint64) {
	if first {
		piece = ' '
	}
	for _, c := range b {
		piece = piece<<8 | uint64(c)
	}
	if last {
		piece = piece<<8 | ' '
	}
	return piece
}

// Add looks at a text.
func (s *Sum) Add(text string) {
	t := load()
	if s.scores == nil {
		s.scores = make([]int64, len(t.tags))
	}
	s.Pieces(text, func(piece uint64) {
		s.pieces++
		list := t.find(piece)
		if list == "" {
			return
		}
		s.known++
		for i := 0; i < len(list); i += 2 {
			s.scores[list[i]] += int64(list[i+1])
		}
	})
}

// Pieces calls take with each piece of the words of a text, up to as many as are enough.
func (s *Sum) Pieces(text string, take func(uint64)) {
	var word [longest + utf8.UTFMax]byte
	n, seen := 0, 0
	end := func() {
		if n > 0 {
			seen += 1 + n/3
			s.words++
			pieces(word[:n], take)
			n = 0
		}
	}
	for i := 0; i < len(text) && seen < enough; {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
				s.letters++
				if n < longest {
					word[n] = c | 0x20
					n++
				}
			case (c == '\'' || c == '`') && n > 0 && n < longest:
				word[n] = c
				n++
			default:
				end()
				if c > ' ' {
					s.others++
					s.code += codeSigns[c]
				}
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case isLetter(r):
			s.letters++
			if r >= 0x4E00 && r < 0xA000 {
				s.hans += hanOf(r)
			}
			if n < longest {
				n += utf8.EncodeRune(word[n:], unicode.ToLower(r))
			}
		case r == '’' && n > 0 && n < longest:
			n += copy(word[n:], "’")
		default:
			end()
			if !unicode.IsSpace(r) {
				s.others++
			}
		}
	}
	end()
}

// codeSigns are characters that prose has few of. Those that it hardly has at all count twice.
var codeSigns = func() (known [utf8.RuneSelf]int) {
	for _, c := range []byte("[]();#$*+/@~^&") {
		known[c] = 1
	}
	for _, c := range []byte("{}=<>_\\|") {
		known[c] = 2
	}
	return known
}()

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.M, r) }

// Join adds what is known of another text.
func (s *Sum) Join(o *Sum) {
	if s.scores == nil {
		s.scores = make([]int64, len(load().tags))
	}
	for i, v := range o.scores {
		s.scores[i] += v
	}
	for _, f := range o.few {
		s.scores[f.language] += f.points
	}
	s.pieces, s.known, s.words = s.pieces+o.pieces, s.known+o.known, s.words+o.words
	s.letters, s.others, s.code, s.hans = s.letters+o.letters, s.others+o.others, s.code+o.code, s.hans+o.hans
}

// appendFew appends the scores of the languages that have one.
func (s *Sum) appendFew(to []score) []score {
	for i, v := range s.scores {
		if v > 0 {
			to = append(to, score{v, uint8(i)})
		}
	}
	return append(to, s.few...)
}

// hanPairs are characters of simplified and of traditional Chinese.
const hanPairs = "这這国國个個们們来來时時为為说說对對会會学學过過发發现現开開关關长長问問间間门門见見东東车車书書电電话話语語读讀请請让讓认認识識难難" +
	"应應该該还還进進远遠运運边邊达達选選钱錢铁鐵银銀题題页頁风風飞飛马馬鸟鳥鱼魚龙龍业業产產亲親从從众眾优優传傳体體儿兒军軍农農决決况況几幾" +
	"无無旧舊术術机機条條极極样樣标標树樹桥橋权權气氣汉漢济濟点點热熱爱愛实實写寫宝寶层層岁歲岛島师師帮幫带帶广廣庆慶张張归歸当當录錄总總战戰戏戲报報护護" +
	"历歷压壓县縣双雙变變号號听聽员員响響园園图圖团團圆圓场場坏壞块塊坚堅声聲处處备備头頭夺奪妇婦孙孫宁寧宪憲导導将將尽盡属屬币幣" +
	"华華单單却卻厅廳参參区區医醫协協叶葉后後吗嗎"

var hans = func() map[rune]int {
	known := map[rune]int{}
	next := 1
	for _, r := range hanPairs {
		if known[r] == 0 {
			known[r] = next
		}
		next = -next
	}
	return known
}()

func hanOf(r rune) int { return hans[r] }

// Tags are the languages that are known.
func Tags() []string { return load().tags }

// Tables is what Tables.Encode takes: for each piece, the scores of languages.
type Tables struct {
	Tags   []string
	Bits   uint
	Pieces []uint64
	Priors []byte   // what each language has before a word is seen
	Scores [][]byte // pairs of a language and its score
}

// Encode writes the tables as they are embedded.
func (t *Tables) Encode() []byte {
	out := []byte{byte(len(t.Tags))}
	for i, tag := range t.Tags {
		out = append(append(append(out, t.Priors[i]), byte(len(tag))), tag...)
	}
	out = append(out, byte(t.Bits))
	slots := make([]byte, 8<<t.Bits)
	lists := []byte{0}
	places := map[string]int{}
	for i, piece := range t.Pieces {
		list := string(append([]byte{byte(len(t.Scores[i]) / 2)}, t.Scores[i]...))
		at, ok := places[list]
		if !ok {
			at = len(lists)
			places[list] = at
			lists = append(lists, list...)
		}
		slot, rest := SlotOf(piece, t.Bits)
		for binary.BigEndian.Uint64(slots[8*slot:]) != 0 {
			slot = (slot + 1) & (1<<t.Bits - 1)
		}
		binary.BigEndian.PutUint64(slots[8*slot:], rest<<24|uint64(at))
	}
	return append(append(out, slots...), lists...)
}
