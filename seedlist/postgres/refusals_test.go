package postgres_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/postgres/pgtest"
)

// wantRefused opens a list, and wants one line that holds a text.
func wantRefused(t *testing.T, name, address, want string) {
	t.Helper()
	store, err := postgres.Open(t.Context(), address, seedlist.Options{})
	if err == nil {
		store.Close()
		t.Errorf("%s: it is opened", name)
		return
	}
	if text := err.Error(); !strings.Contains(text, want) || strings.Contains(text, "\n") || fault.CodeOf(err) != fault.LocalDatabase ||
		strings.Contains(text, "wrong-one") {
		t.Errorf("%s: %s (%s)", name, text, fault.CodeOf(err))
	}
}

// TestOtherServersAreRefused: those that speak the protocol, and are not what the list needs.
func TestOtherServersAreRefused(t *testing.T) {
	server := need(t)
	for _, test := range []struct {
		name, version string
		number        uint32
		want          string
	}{
		{"too old", "PostgreSQL 14.11 on x86_64-pc-linux-gnu", 140011, "PostgreSQL 14, which is too old: use 15 or later"},
		{"much too old", "PostgreSQL 9.6.24 on x86_64-pc-linux-gnu", 90624, "too old"},
		{"CockroachDB", "CockroachDB CCL v24.3.1 (x86_64-pc-linux-gnu, built 2024/12/09)", 130000, "CockroachDB, which is not supported"},
		{"YugabyteDB", "PostgreSQL 11.2-YB-2.25.0.0-b0 on x86_64-pc-linux-gnu", 110002, "YugabyteDB, which is not supported"},
		{"YugabyteDB as new as ours", "PostgreSQL 15.2-YB-2.25.1.0-b0 on x86_64-pc-linux-gnu", 150002,
			"YugabyteDB, which is not supported"},
	} {
		wantRefused(t, test.name, newProxy(t, server.schema(t), versionTold(test.version, test.number)).Address, test.want)
	}
	// One of a later version is good.
	later := newProxy(t, server.schema(t), versionTold("PostgreSQL 18.1 on x86_64-pc-linux-gnu", 180001))
	addMany(t, begin(t, later.Address, quick), 3)
}

// TestAReplicaIsReadAndNotWritten: what is written has to go to the primary server.
func TestAReplicaIsReadAndNotWritten(t *testing.T) {
	need(t)
	primary, err := startServer(pgtest.Folder(t), true)
	if err != nil {
		t.Fatal(err)
	}
	defer primary.Stop()
	store := begin(t, primary.Address, quick)
	addMany(t, store, 20)
	replica, err := primary.Replica(pgtest.Folder(t))
	if err != nil {
		t.Fatal(err)
	}
	defer replica.Stop()
	wantRefused(t, "a replica", replica.Address, "name the primary server")
	reader, err := postgres.Open(t.Context(), replica.Address, seedlist.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	addMany(t, store, 30)
	want, err := store.Counts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// The server tells nobody that it has caught up.
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		got, err := reader.Counts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got.Seeds == want.Seeds {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the replica has %d seeds of %d", got.Seeds, want.Seeds)
		}
	}
	if _, err := reader.Claim(t.Context(), seedlist.Downloading, "w", 1); err != seedlist.ErrReadOnly {
		t.Errorf("a claim in a replica: %v", err)
	}
}

// TestAWrongPasswordIsSaidAndNotShown asks a server that wants one.
func TestAWrongPasswordIsSaidAndNotShown(t *testing.T) {
	server := need(t)
	conn, err := pgx.Connect(t.Context(), server.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var rules string
	if err := conn.QueryRow(t.Context(), "SHOW hba_file").Scan(&rules); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(rules)
	if err != nil {
		t.Fatal(err)
	}
	set := func(text string) {
		if err := os.WriteFile(rules, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		server.exec(t, "SELECT pg_reload_conf()")
	}
	server.exec(t, "DROP ROLE IF EXISTS careful; CREATE ROLE careful LOGIN PASSWORD 'right-one'")
	set("host all careful 127.0.0.1/32 scram-sha-256\n" + string(before))
	defer set(string(before))
	as := func(user string) string { return strings.Replace(server.Address, "postgres@", user+"@", 1) }
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) { // until the rules are read
		one, err := pgx.Connect(t.Context(), as("careful:wrong-one"))
		if err != nil {
			break
		}
		if one.Close(context.Background()); time.Now().After(end) {
			t.Fatal("the server takes any password")
		}
	}
	wantRefused(t, "a wrong password", as("careful:wrong-one"), "refuses the password")
	wantRefused(t, "no password", as("careful"), "refuses the password")
}

// TestAServerWithoutConnectionsSaysSo takes all that a server has.
func TestAServerWithoutConnectionsSaysSo(t *testing.T) {
	need(t)
	server, err := startServer(pgtest.Folder(t), false)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	server.exec(t, "CREATE ROLE one LOGIN; GRANT ALL ON SCHEMA public TO one")
	address := strings.Replace(server.Address, "postgres@", "one@", 1)
	store := begin(t, address, quick)
	addMany(t, store, 20)
	var taken []*pgx.Conn
	for range 1000 {
		conn, err := pgx.Connect(t.Context(), address)
		if err != nil {
			break
		}
		taken = append(taken, conn)
	}
	wantRefused(t, fmt.Sprintf("%d connections are taken", len(taken)), address, "no connection left: raise its max_connections")
	for _, conn := range taken {
		conn.Close(context.Background())
	}
	wantEachOnce(t, store, washAll(t, []*postgres.Store{store}, 4), 20)
}

// TestConnectionsThatAreCutFailNoSeed cuts all connections of two workers again and again while they wash.
func TestConnectionsThatAreCutFailNoSeed(t *testing.T) {
	server := need(t)
	address := server.schema(t)
	cutter := newProxy(t, address, nil)
	stores := []*postgres.Store{begin(t, cutter.Address, quick), begin(t, cutter.Address, quick)}
	witness := begin(t, address, quick) // whose connections nobody cuts
	addMany(t, witness, 150)
	ended := make(chan struct{})
	cut := make(chan int)
	go func() {
		n, last := 0, uint64(0)
		defer func() { cut <- n }()
		for { // each time some work is written down
			ctx, cancel := context.WithCancel(context.Background())
			go func() {
				select {
				case <-ended:
				case <-ctx.Done():
				}
				cancel()
			}()
			err := witness.WaitChange(ctx, last+150)
			cancel()
			if err != nil {
				return
			}
			if last, err = witness.Revision(context.Background()); err != nil {
				return
			}
			n += cutter.cut()
		}
	}()
	parsed := washAll(t, stores, 8)
	close(ended)
	if n := <-cut; n < 10 {
		t.Errorf("only %d connections were cut", n)
	}
	wantEachOnce(t, witness, parsed, 150)
}
