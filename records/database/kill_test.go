//go:build !lean

package database_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"laundromat/records"
	"laundromat/records/database"
)

const killedRows = 2000

// TestMain is the child that is killed, too: it changes all rows over and over, one run after another.
func TestMain(m *testing.M) {
	address := os.Getenv("LAUNDROMAT_DATABASE_CHILD")
	if address == "" {
		os.Exit(m.Run())
	}
	first, _ := strconv.Atoi(os.Getenv("LAUNDROMAT_DATABASE_RUN"))
	for n := first; ; n++ {
		if err := changeAll(address, n, os.Stdout); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
	}
}

func changeAll(address string, n int, marks io.Writer) error {
	a, err := database.ParseAddress(address)
	if err != nil {
		return err
	}
	db, err := database.Open(context.Background(), a)
	if err != nil {
		return err
	}
	defer db.Close()
	sink, err := db.Sink(context.Background(), "t", database.Shape{}, database.SinkOptions{})
	if err != nil {
		return err
	}
	for i := range killedRows {
		r := records.Record{}
		r.Set("id", records.IntOf(int64(i)))
		r.Set("v", records.IntOf(int64(n)))
		if n > 2 {
			r.Set(fmt.Sprintf("later%d", n/5), records.BoolOf(true))
		}
		if err := sink.Record(&r); err != nil {
			return err
		}
		if i%100 == 0 {
			fmt.Fprintln(marks, ".")
		}
	}
	return sink.Close()
}

// A run that is killed at any moment is there as a whole, or not at all: nothing is lost, and nothing is there twice.
func TestARunThatIsKilledIsThereAsAWholeOrNotAtAll(t *testing.T) {
	const kills = 8
	stores(t, func(t *testing.T, address string, query func(string) []string) {
		r := rand.New(rand.NewPCG(1, 5))
		if err := changeAll(address, 1, io.Discard); err != nil {
			t.Fatal(err)
		}
		run, inside := 1, 0
		for range kills {
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), "LAUNDROMAT_DATABASE_CHILD="+address, fmt.Sprint("LAUNDROMAT_DATABASE_RUN=", run+1))
			out, err := child.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			messages := &strings.Builder{}
			child.Stderr = messages
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			marks := bufio.NewScanner(out)
			for range 1 + r.IntN(45) {
				marks.Scan()
			}
			time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
			child.Process.Kill()
			for marks.Scan() {
				continue
			}
			_ = child.Wait() // it was killed
			if messages.Len() > 0 {
				t.Fatal(messages.String())
			}
			found := query("SELECT v, count(*), (SELECT count(*) FROM t_history) FROM t GROUP BY v")
			if len(found) != 1 {
				t.Fatalf("rows of several runs: %v", found)
			}
			parts := strings.Split(found[0], "|")
			now, _ := strconv.Atoi(parts[0])
			if parts[1] != fmt.Sprint(killedRows) || parts[2] != fmt.Sprint((now-1)*killedRows) || now < run {
				t.Fatalf("after run %d: %v", run, found)
			}
			if now == run {
				inside++
			}
			run = now
		}
		if inside == 0 || run == 1 {
			t.Errorf("%d kills within a run, %d runs came to their end: nothing is shown", inside, run)
		}
	})
}
