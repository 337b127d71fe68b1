package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"laundromat/internal/systemd"
)

// TestTheDashboardAsksForMetricsThatThereAre holds the dashboard against what a daemon tells.
func TestTheDashboardAsksForMetricsThatThereAre(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	output(t, "serve", "--demo", "--until-idle", "--listen", "127.0.0.1:0", "--data", data)
	base := "http://" + startDaemon(t, data)
	output(t, "seed", "add", "--data", data, base+"/x.nt") // so that there is work of this process
	for end := time.Now().Add(10 * time.Second); !strings.Contains(bodyAt(t, base+"/metrics"), "laundromat_stage_seconds_bucket{"); {
		if time.Now().After(end) {
			t.Fatal("no outcome is counted")
		}
		time.Sleep(20 * time.Millisecond)
	}
	bodyAt(t, base+"/api/v1/stats") // so that there are requests to tell of
	told := bodyAt(t, base+"/metrics")
	names := regexp.MustCompile(`\b(laundromat|process|go)_[a-z_]+`)
	for _, panel := range dashboard(t) {
		for _, target := range panel.Targets {
			for _, name := range names.FindAllString(target.Expr, -1) {
				if name != "laundromat_paused" &&
					!strings.Contains(told, "\n"+name+" ") && !strings.Contains(told, "\n"+name+"{") {
					t.Errorf("%s asks for %s, which nobody tells", panel.Title, name)
				}
			}
		}
	}
	if !strings.Contains(told, `laundromat_seeds{state="parsed"} 24`) {
		t.Error("the metrics do not tell of the demo's 24 parsed seeds")
	}
}

// TestTheUnitIsOfTheKindThatTheDaemonSpeaksTo checks that the unit waits for what serve tells.
func TestTheUnitIsOfTheKindThatTheDaemonSpeaksTo(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "laundromat.service"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"Type=notify", "WatchdogSec=", "ExecStart=/usr/local/bin/laundromat serve ", "NoNewPrivileges=yes"} {
		if !strings.Contains(string(text), "\n"+line) {
			t.Errorf("%s is missing; serve tells %s", line, systemd.Ready)
		}
	}
}

// TestThePackageHasSoundSettings checks the settings that a package brings, and that its unit can be made of ours.
func TestThePackageHasSoundSettings(t *testing.T) {
	settings := filepath.Join("..", "..", "deploy", "debian", "config.yaml")
	output(t, "config", "check", settings)
	if shown := output(t, "config", "show", "serve", "--config", settings); !strings.Contains(shown, "/var/lib/laundromat") {
		t.Errorf("the settings of the package are %s", shown)
	}
	unit, err := os.ReadFile(filepath.Join("..", "..", "deploy", "laundromat.service"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"User=laundromat", "DynamicUser=yes", "StateDirectory=laundromat", "StateDirectoryMode=0700"} {
		if !strings.Contains(string(unit), "\n"+line+"\n") {
			t.Errorf("the unit has no %s, which the package keeps or takes away", line)
		}
	}
}

// Each alert fires for the trouble that it is for, and none for three healthy daemons.
func TestAlertsFireForWhatTheyAreFor(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool of Debian's prometheus is not installed")
	}
	command := exec.Command(promtool, "test", "rules", "alerts_test.yaml")
	command.Dir = filepath.Join("..", "..", "deploy")
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// Alerts ask for metrics that there are.
func TestAlertsAskForMetricsThatThereAre(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(t.TempDir(), "data")
	output(t, "serve", "--demo", "--until-idle", "--listen", "127.0.0.1:0", "--data", data)
	base := "http://" + startDaemon(t, data)
	output(t, "backup", filepath.Join(t.TempDir(), "saved"), "--data", data)
	output(t, "seed", "add", "--data", data, base+"/x.nt")
	var told string
	for end := time.Now().Add(10 * time.Second); !strings.Contains(told, "laundromat_stage_seconds_bucket{") && time.Now().Before(end); {
		told = bodyAt(t, base+"/metrics")
	}
	for _, name := range regexp.MustCompile(`\blaundromat_[a-z_]+`).FindAllString(string(text), -1) {
		if name != "laundromat_paused" && !strings.Contains(told, "\n"+name+" ") && !strings.Contains(told, "\n"+name+"{") {
			t.Errorf("an alert asks for %s, which is not exported", name)
		}
	}
}

// bodyAt is the body at an address.
func bodyAt(t *testing.T, at string) string {
	t.Helper()
	reply, err := http.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v", at, reply.Status, err)
	}
	return string(text)
}
