package pgtest

import "testing"

// TestConflictsAreCountedByTheirCodes holds for what each program and each function of the database is refused with.
func TestConflictsAreCountedByTheirCodes(t *testing.T) {
	server := ForTest(t, false)
	for _, code := range []string{"40P01", "40001", "40P01", "42501"} {
		if _, err := server.Ask("DO $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '" + code + "'; END $$"); err == nil {
			t.Fatalf("%s was not raised", code)
		}
	}
	if _, err := server.Ask("CREATE TABLE one (n int PRIMARY KEY); INSERT INTO one VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Ask("INSERT INTO one VALUES (1)"); err == nil {
		t.Fatal("a row was made twice")
	}
	server.Stop()
	if err := server.Again(); err != nil {
		t.Fatal(err)
	}
	is, err := server.Conflicts()
	if want := "deadlocks 2, serialization failures 1, unique violations 1"; is != want || err != nil {
		t.Fatalf("%q, %v; want %q", is, err, want)
	}
}
