package reconcile

import "testing"

// The examples of fingerprints are those of OpenRefine's documentation, those of the Kölner Phonetik of the literature.
func TestClusteringKeysAreThoseOfOpenRefine(t *testing.T) {
	for _, c := range []struct {
		key  func(string) string
		text string
		want string
	}{
		{fingerprint, "Tom Cruise", "cruise tom"},
		{fingerprint, "Cruise, Tom", "cruise tom"},
		{fingerprint, "  A.B.C.  Corp. corp ", "abc corp"},
		{fingerprint, "gödel", "godel"},
		{fingerprint, "!!", ""},
		{clusteringKeys[1].of, "Paris", "arispari"},
		{clusteringKeys[2].of, "Paris", "aiprs"},
		{clusteringKeys[2].of, "Krzysztof", "fkorstyz"},
		{clusteringKeys[2].of, "Kryzysztof", "fkorstyz"},
		{clusteringKeys[2].of, "Krzystof", "fkorstyz"},
		{clusteringKeys[1].of, "a", "a"},
		{clusteringKeys[1].of, "", ""},
		{colognePhonetic, "Müller-Lüdenscheidt", "65752682"},
		{colognePhonetic, "Wikipedia", "3412"},
		{colognePhonetic, "Breschnew", "17863"},
		{colognePhonetic, "Heinz Classen", "068586"},
		{colognePhonetic, "Meyer", "67"},
		{colognePhonetic, "Maier", "67"},
		{colognePhonetic, "Philipp", "351"},
		{colognePhonetic, "Xaver", "4837"},
		{colognePhonetic, "123", ""},
	} {
		if got := c.key(fold(c.text)); got != c.want {
			t.Errorf("%q: %q, not %q", c.text, got, c.want)
		}
	}
}
