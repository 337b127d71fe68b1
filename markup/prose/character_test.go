package prose

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// TestSettledTextIsNormal makes texts of all characters of known classes, and holds that what is settled
// by the classes is in normal form C.
func TestSettledTextIsNormal(t *testing.T) {
	var known []rune
	for r := rune(0x80); r <= 0xFFFF; r++ {
		if classOf(r) != unclear {
			known = append(known, r)
		}
	}
	if len(known) < 40_000 {
		t.Errorf("only %d characters are known", len(known))
	}
	random := rand.New(rand.NewPCG(1, 2))
	marks := 0
	for range 400_000 {
		text := []byte("a")
		near := random.IntN(len(known))
		for range 1 + random.IntN(6) {
			r := known[random.IntN(len(known))]
			if random.IntN(3) > 0 { // of the same script
				r = known[min(near+random.IntN(80), len(known)-1)]
			}
			if classOf(r) >= firstMark {
				marks++
			}
			text = utf8.AppendRune(text, r)
		}
		if IsSettled(text) && !norm.NFC.IsNormal(text) {
			t.Fatalf("%+q is not normal", text)
		}
	}
	if marks < 1000 {
		t.Errorf("%d marks", marks)
	}
}

// TestClassesKnowTheLettersThatAreCommon holds it for words of many scripts, and the contrary for what is odd.
func TestClassesKnowTheLettersThatAreCommon(t *testing.T) {
	for _, text := range []string{"Österreich", "Łódź", "Київ", "東京都", "인천", "Αθήνα", "প্রথম", "हिन्दी", "தமிழ்", "ไทยที่", "עברית",
		"العربية",
		"თბილისი", "Հայաստան", "làng thuộc tỉnh", "አማርኛ", "–", "’", "€"} {
		if !IsSettled([]byte(text)) {
			t.Errorf("%q is not settled", text)
		}
		if found := Judge([]byte(text), nil); found != nil {
			t.Errorf("%q: %v", text, found)
		}
	}
	for _, text := range []string{"\u00A0", "\u00AD", "e\u0301", "\u200B", "\u202E", "\uE000", "\uFFFD", "\uFEFF", "\u0340", "\xff",
		"\u3000", "\U000F0000", "\u3164"} {
		if IsSettled([]byte(text)) {
			t.Errorf("%+q is settled", text)
		}
	}
}

// TestVowelSignsAreJoinedAsNormalFormSays holds it for each of them, with and without another character between. Before
// it is each character of Indic scripts, and some of others, that is normal by itself.
func TestVowelSignsAreJoinedAsNormalFormSays(t *testing.T) {
	quick := 0
	for sign := rune(0x900); sign < 0x1000; sign++ {
		if !isVowelSign(sign) {
			continue
		}
		for before := rune(0x80); before <= 0xFFFF; before++ {
			if (before < 0x900 || before >= 0x1000) && before%16 != 0 { // other scripts have none that they join
				continue
			}
			alone := string(before)
			if classOf(before) >= firstMark && classOf(before) != joins || !norm.NFC.IsNormalString(alone) {
				continue
			}
			for _, text := range []string{alone + string(sign), alone + "\u0915" + string(sign), alone + string(sign) + string(sign)} {
				delicate := look([]byte(text)).delicate
				if !delicate {
					quick++
				}
				if !delicate && !norm.NFC.IsNormalString(text) {
					t.Fatalf("%+q is not normal", text)
				}
			}
		}
	}
	if quick < 10_000 {
		t.Errorf("only %d texts are known at once", quick)
	}
	for _, text := range []string{"\u09C7\u09BE", "\u0BC6\u0BBE", "a\u09BE", "\u0CC6\u0CC2"} {
		if !look([]byte(text)).delicate {
			t.Errorf("%+q needs no look", text)
		}
	}
}

// TestDecodeIsThatOfUTF8 holds it for all pairs and many triples of bytes.
func TestDecodeIsThatOfUTF8(t *testing.T) {
	for lead := 0x80; lead < 0x100; lead++ {
		for second := range 256 {
			for _, third := range []byte{0, 0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF} {
				for n := 1; n <= 3; n++ {
					text := []byte{byte(lead), byte(second), third}[:n]
					r, size := decode(text)
					if want, wantSize := utf8.DecodeRune(text); r != want || size != wantSize {
						t.Fatalf("% x: %U, %d", text, r, size)
					}
				}
			}
		}
	}
}
