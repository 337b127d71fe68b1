package language_test

import (
	"slices"
	"testing"

	"laundromat/encoding/language"
)

// wordOf are the symbols of a text.
func wordOf(text string) (word []language.Symbol) {
	for _, r := range text {
		word = append(word, language.SymbolOf(r))
	}
	return word
}

func costOf(l *language.Language, text string) int {
	word := wordOf(text)
	return l.Cost(word) + language.ClassCost(l.Script, language.Edge, word, language.Edge)
}

// A word is likelier in its own language than in any that reads otherwise.
func TestWordsAreLikeliestInTheirLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"Österreichische": "German", "vergrößern": "German", "příliš": "Czech", "żółć": "Polish", "gyümölcs": "Hungarian",
		"çalıştırılamadı": "Turkish",
		"переименование":  "Russian", "Київський": "Ukrainian", "Κωνσταντινούπολη": "Greek", "הספרייה": "Hebrew", "المكتبة": "Arabic",
		"กรุงเทพ": "Thai",
		"文件夹设置":   "Chinese", "檔案總管": "Chinese, traditional", "ファイルを開く": "Japanese", "프로그램을": "Korean", "þjóðminjasafn": "Icelandic",
		"sélectionnée": "French",
	} {
		best := language.All()[0]
		for _, l := range language.All() {
			if costOf(l, text) < costOf(best, text) {
				best = l
			}
		}
		if best.Name != want {
			t.Errorf("%s: %s (%d), not %s (%d)", text, best.Name, costOf(best, text), want, costOf(named(want), text))
		}
	}
}

func named(name string) *language.Language {
	all := language.All()
	return all[slices.IndexFunc(all, func(l *language.Language) bool { return l.Name == name })]
}

func BenchmarkCost(b *testing.B) {
	word := wordOf("vergrößern")
	l := named("German")
	for b.Loop() {
		l.Cost(word)
	}
}
