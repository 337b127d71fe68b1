package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"laundromat/bench/process"
)

// TestASmallMonthEndsAsAnUndisturbedOne is the command with few documents, hosts and days.
func TestASmallMonthEndsAsAnUndisturbedOne(t *testing.T) {
	if testing.Short() {
		t.Skip("three small months take a minute")
	}
	folder, err := os.MkdirTemp("", "laundromat-month-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	program, err := process.Build(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	o := &options{
		Setup: &process.Setup{Timeout: 4 * time.Minute, Folder: folder, Program: program},
		seeds: 50, hosts: 25, days: 7, day: time.Second, kills: 2, random: 57, out: &out,
	}
	err = run(t.Context(), o)
	t.Logf("%s", out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "10. upgrade") || !strings.Contains(text, "clean statements") {
		t.Error("tasks or products are missing")
	}
	if left, _ := exec.Command("pgrep", "-f", folder).Output(); len(left) > 0 {
		t.Errorf("these processes were left: %s", left)
	}
}

// A month that differs is not taken for one that is the same.
func TestMonthsThatDifferAreTold(t *testing.T) {
	of := func(made map[string]product) *life { return &life{name: "a", made: made} }
	one := map[string]product{"u": {"clean statements": "1", "record": "r"}}
	for _, c := range []struct {
		name string
		got  map[string]product
		same bool
	}{
		{"the same", map[string]product{"u": {"clean statements": "1", "record": "r"}}, true},
		{"another file", map[string]product{"u": {"clean statements": "2", "record": "r"}}, false},
		{"a product less", map[string]product{"u": {"record": "r"}}, false},
		{"a product more", map[string]product{"u": {"clean statements": "1", "record": "r", "notices": "n"}}, false},
		{"a document less", map[string]product{}, false},
		{"a document more", map[string]product{"u": {"clean statements": "1", "record": "r"}, "v": {}}, false},
	} {
		var out bytes.Buffer
		if err := compare(&out, of(one), of(c.got)); (err == nil) != c.same {
			t.Errorf("%s: %v\n%s", c.name, err, out.Bytes())
		}
	}
	var out bytes.Buffer
	if compare(&out, of(nil), of(nil)) == nil {
		t.Error("two months without documents are the same")
	}
	l := of(nil)
	l.month = &month{options: &options{out: &out}}
	l.done = []task{{"1. start", "1", "1"}, {"3. why", "x", "y"}}
	if err := l.report(); err == nil {
		t.Error("a task that was not done is as expected")
	}
}
