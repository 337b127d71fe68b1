//go:build generate

package main

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"laundromat/encoding/language"
)

// source is a language with the locales that its texts are of.
type source struct {
	name    string // in English
	script  language.Script
	locales string // that its messages and manuals are marked with
	names   bool   // there is hardly anything but names of countries and the like
	write   func(string) string
}

// sources are the languages that were written in encodings of 8 bits, or in those of
// eastern Asia. One that is written in two ways is two.
var sources = []source{
	{name: "Afrikaans", script: language.Latin, locales: "af"},
	{name: "Asturian", script: language.Latin, locales: "ast"},
	{name: "Breton", script: language.Latin, locales: "br"},
	{name: "Bosnian", script: language.Latin, locales: "bs"},
	{name: "Catalan", script: language.Latin, locales: "ca"},
	{name: "Czech", script: language.Latin, locales: "cs"},
	{name: "Welsh", script: language.Latin, locales: "cy"},
	{name: "Danish", script: language.Latin, locales: "da"},
	{name: "German", script: language.Latin, locales: "de"},
	{name: "English", script: language.Latin, locales: "en_GB"},
	{name: "Esperanto", script: language.Latin, locales: "eo"},
	{name: "Spanish", script: language.Latin, locales: "es es_MX es_AR"},
	{name: "Estonian", script: language.Latin, locales: "et"},
	{name: "Basque", script: language.Latin, locales: "eu"},
	{name: "Finnish", script: language.Latin, locales: "fi"},
	{name: "French", script: language.Latin, locales: "fr"},
	{name: "Friulian", script: language.Latin, locales: "fur"},
	{name: "Irish", script: language.Latin, locales: "ga"},
	{name: "Scottish Gaelic", script: language.Latin, locales: "gd"},
	{name: "Galician", script: language.Latin, locales: "gl"},
	{name: "Croatian", script: language.Latin, locales: "hr"},
	{name: "Hungarian", script: language.Latin, locales: "hu"},
	{name: "Icelandic", script: language.Latin, locales: "is"},
	{name: "Italian", script: language.Latin, locales: "it"},
	{name: "Kurdish", script: language.Latin, locales: "kmr@latin"},
	{name: "Lithuanian", script: language.Latin, locales: "lt"},
	{name: "Latvian", script: language.Latin, locales: "lv"},
	{name: "Norwegian", script: language.Latin, locales: "nb"},
	{name: "Dutch", script: language.Latin, locales: "nl"},
	{name: "Norwegian Nynorsk", script: language.Latin, locales: "nn"},
	{name: "Occitan", script: language.Latin, locales: "oc"},
	{name: "Polish", script: language.Latin, locales: "pl"},
	{name: "Portuguese", script: language.Latin, locales: "pt"},
	{name: "Portuguese of Brazil", script: language.Latin, locales: "pt_BR"},
	{name: "Romanian", script: language.Latin, locales: "ro"},
	{name: "Slovak", script: language.Latin, locales: "sk"},
	{name: "Slovene", script: language.Latin, locales: "sl"},
	{name: "Albanian", script: language.Latin, locales: "sq"},
	{name: "Serbian in Latin", script: language.Latin, locales: "sr@latin"},
	{name: "Swedish", script: language.Latin, locales: "sv"},
	{name: "Turkish", script: language.Latin, locales: "tr"},
	{name: "Uzbek", script: language.Latin, locales: "uz"},
	{name: "Vietnamese", script: language.Latin, locales: "vi"},
	{name: "Vietnamese with combining tones", script: language.Latin, locales: "vi", write: combining},
	{name: "Romanian with cedillas", script: language.Latin, locales: "ro", write: strings.NewReplacer("ș", "ş", "ț", "ţ", "Ș", "Ş", "Ț",
		"Ţ").Replace},
	{name: "Maltese", script: language.Latin, locales: "mt", names: true},
	{name: "Faroese", script: language.Latin, locales: "fo", names: true},
	{name: "Walloon", script: language.Latin, locales: "wa", names: true},
	{name: "Belarusian", script: language.Cyrillic, locales: "be"},
	{name: "Bulgarian", script: language.Cyrillic, locales: "bg"},
	{name: "Kazakh", script: language.Cyrillic, locales: "kk"},
	{name: "Macedonian", script: language.Cyrillic, locales: "mk"},
	{name: "Mongolian", script: language.Cyrillic, locales: "mn"},
	{name: "Russian", script: language.Cyrillic, locales: "ru"},
	{name: "Serbian", script: language.Cyrillic, locales: "sr sr@ijekavian"},
	{name: "Tajik", script: language.Cyrillic, locales: "tg"},
	{name: "Ukrainian", script: language.Cyrillic, locales: "uk"},
	{name: "Kyrgyz", script: language.Cyrillic, locales: "ky"},
	{name: "Greek", script: language.Greek, locales: "el"},
	{name: "Hebrew", script: language.Hebrew, locales: "he"},
	{name: "Yiddish", script: language.Hebrew, locales: "yi"},
	{name: "Arabic", script: language.Arabic, locales: "ar"},
	{name: "Persian", script: language.Arabic, locales: "fa"},
	{name: "Uyghur", script: language.Arabic, locales: "ug"},
	{name: "Thai", script: language.Thai, locales: "th"},
	{name: "Chinese", script: language.Ideographs, locales: "zh_CN"},
	{name: "Chinese, traditional", script: language.Ideographs, locales: "zh_TW zh_HK"},
	{name: "Japanese", script: language.Ideographs, locales: "ja"},
	{name: "Korean", script: language.Ideographs, locales: "ko"},
}

// combining writes Vietnamese as windows-1258 does: the tone is a combining mark, what
// else is above or below a vowel is not.
func combining(text string) string {
	var b strings.Builder
	for _, r := range text {
		parts := []rune(norm.NFD.String(string(r)))
		if last := len(parts) - 1; last > 0 && strings.ContainsRune("\u0300\u0301\u0303\u0309\u0323", parts[last]) {
			b.WriteString(norm.NFC.String(string(parts[:last])))
			b.WriteRune(parts[last])
		} else if last > 1 && parts[1] == '\u0323' { // ậ, ặ: the dot comes first
			b.WriteString(norm.NFC.String(string([]rune{parts[0], parts[2]})))
			b.WriteRune(parts[1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
