package content

import "testing"

// TestTheTablesAreReadAsTheyAreWritten, and take less than a megabyte.
func TestTheTablesAreReadAsTheyAreWritten(t *testing.T) {
	if again := string(Decode(embedded).Encode()); again != embedded {
		t.Errorf("%d bytes become %d other ones", len(embedded), len(again))
	}
	if len(embedded) >= 1_000_000 {
		t.Errorf("the tables take %d bytes", len(embedded))
	}
}
