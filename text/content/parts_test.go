package content

import "testing"

// TestAClassSaysAPartByOneOfItsWords: words end where no letter is, and where a capital follows a small letter. Each
// word that says a part can be found.
func TestAClassSaysAPartByOneOfItsWords(t *testing.T) {
	for class, part := range map[string]string{
		"": "", "-": "", "ad": "advertisement", "AD": "advertisement", "pad": "", "top-ad2": "advertisement", "topAd": "advertisement",
		"topAD": "advertisement", "TOPAd": "", "navBar": "navigation", "é-Menu": "navigation", "éMenu": "navigation", "x_footer": "footer",
		"recommendationsrecommendations": "", "recommendationsrecommendations-toc": "navigation", "toc-footer": "navigation",
	} {
		if got := partIn(class); got != part {
			t.Errorf("%q: %q, not %q", class, got, part)
		}
	}
	for word, part := range partOf {
		if got := partIn(word); got != part || len(word) >= longestWord {
			t.Errorf("%q: %q, not %q", word, got, part)
		}
	}
}
