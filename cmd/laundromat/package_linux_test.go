package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// chroot is a small Debian of its own, in which packages are installed.
type chroot struct {
	t    *testing.T
	root string
}

// newChroot makes a Debian of the release that runs here.
func newChroot(t *testing.T) *chroot {
	t.Helper()
	if _, err := exec.LookPath("mmdebstrap"); err != nil || os.Getuid() != 0 {
		t.Skip("a chroot needs Debian's mmdebstrap, and root")
	}
	suite := "stable"
	if release, err := os.ReadFile("/etc/os-release"); err == nil {
		if found := regexp.MustCompile(`(?m)^VERSION_CODENAME=(\w+)$`).FindSubmatch(release); found != nil {
			suite = string(found[1])
		}
	}
	root := filepath.Join(t.TempDir(), "root")
	made := exec.Command("mmdebstrap", "--variant=apt", "--include=adduser,ca-certificates,init-system-helpers", suite, root)
	if text, err := made.CombinedOutput(); err != nil {
		t.Skipf("mmdebstrap can make no chroot here: %v\n%s", err, text)
	}
	return &chroot{t, root}
}

// path is where a file of the chroot is.
func (c *chroot) path(name string) string { return filepath.Join(c.root, name) }

// command is one that runs in the chroot, as root, with nothing of the environment of this test.
func (c *chroot) command(args ...string) *exec.Cmd {
	command := exec.Command("chroot", append([]string{c.root}, args...)...)
	command.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive"}
	return command
}

// run is what a command says that must succeed.
func (c *chroot) run(args ...string) string {
	c.t.Helper()
	text, err := c.command(args...).CombinedOutput()
	if err != nil {
		c.t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, text)
	}
	return string(text)
}

// dpkg installs a package that this machine has built.
func (c *chroot) dpkg(file string) {
	c.t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(c.path("package.deb"), text, 0o600); err != nil {
		c.t.Fatal(err)
	}
	c.run("dpkg", "--install", "/package.deb")
}

// start runs what the unit in the chroot says, as its user, and returns its address and what ends it.
func (c *chroot) start() (address string, stop func()) {
	c.t.Helper()
	unit, err := os.ReadFile(c.path("usr/lib/systemd/system/laundromat.service"))
	if err != nil {
		c.t.Fatal(err)
	}
	value := func(key string) string {
		found := regexp.MustCompile(`(?m)^` + key + `=(.+)$`).FindSubmatch(unit)
		if found == nil {
			c.t.Fatalf("the unit has no %s", key)
		}
		return string(found[1])
	}
	os.Remove(c.path("var/lib/laundromat/address"))
	user := value("User")
	daemon := c.command(strings.Fields(value("ExecStart"))...)
	daemon.Args = append([]string{"chroot", "--userspec=" + user + ":" + user}, daemon.Args[1:]...)
	var messages bytes.Buffer
	daemon.Stdout, daemon.Stderr = &messages, &messages
	if err := daemon.Start(); err != nil {
		c.t.Fatal(err)
	}
	ended := false
	stop = func() {
		if ended {
			return
		}
		ended = true
		daemon.Process.Signal(syscall.SIGTERM)
		waitFor(c.t, daemon, longestStop)
	}
	c.t.Cleanup(stop)
	for end := time.Now().Add(longestStop); ; time.Sleep(20 * time.Millisecond) {
		text, _ := os.ReadFile(c.path("var/lib/laundromat/address"))
		if len(bytes.TrimSpace(text)) > 0 {
			return string(bytes.TrimSpace(text)), stop
		}
		if time.Now().After(end) {
			stop()
			c.t.Fatalf("no address was written\n%s", messages.String())
		}
	}
}

// built is the package of a version, made by deploy/release.
func built(t *testing.T, version string) string {
	t.Helper()
	out := t.TempDir()
	release := exec.Command(filepath.Join("..", "..", "deploy", "release"), out)
	release.Env = append(os.Environ(), "VERSION="+version, "PLATFORMS=linux/"+runtime.GOARCH)
	if text, err := release.CombinedOutput(); err != nil {
		t.Fatalf("deploy/release: %v\n%s", err, text)
	}
	sums := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	sums.Dir = out
	if text, err := sums.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return filepath.Join(out, fmt.Sprintf("laundromat_%s_%s.deb", version, runtime.GOARCH))
}

// TestThePackageKeepsItsStore installs the package in a chroot, starts the daemon as the unit does, has a document
// washed, replaces the package by a higher version, and removes it.
func TestThePackageKeepsItsStore(t *testing.T) {
	if os.Getenv("LAUNDROMAT_PACKAGED") == "" {
		t.Skip("builds two packages and a chroot; make packaged runs it")
	}
	c := newChroot(t)
	const first, second = "1.0.0", "1.0.1"
	c.dpkg(built(t, first))
	for _, name := range []string{
		"usr/bin/laundromat", "usr/share/man/man1/laundromat-wash.1.gz", "usr/share/bash-completion/completions/laundromat",
		"usr/share/zsh/vendor-completions/_laundromat", "usr/share/fish/vendor_completions.d/laundromat.fish",
		"usr/share/doc/laundromat/copyright", "etc/systemd/system/multi-user.target.wants/laundromat.service",
	} {
		if _, err := os.Lstat(c.path(name)); err != nil {
			t.Error(err)
		}
	}
	if owned := c.run("stat", "--format", "%U:%G %a", "/var/lib/laundromat"); owned != "laundromat:laundromat 700\n" {
		t.Errorf("the data folder is %s", owned)
	}
	c.run("laundromat", "config", "check", "/etc/laundromat/config.yaml")

	// The settings of an operator, which no upgrade may change.
	settings, err := os.ReadFile(c.path("etc/laundromat/config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	own := strings.Replace(string(settings), "127.0.0.1:8085", "127.0.0.1:0", 1) + "allow-private: true\nhost-delay: 0s\n"
	if err := os.WriteFile(c.path("etc/laundromat/config.yaml"), []byte(own), 0o644); err != nil {
		t.Fatal(err)
	}
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/x.nt" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, "<http://x.example/b> <http://x.example/p> \"2\" .\n<http://x.example/a> <http://x.example/p> \"1\" .\n")
	}))
	defer host.Close()
	const clean = "<http://x.example/a> <http://x.example/p> \"1\" .\n<http://x.example/b> <http://x.example/p> \"2\" .\n"

	address, stop := c.start()
	if told := bodyAt(t, "http://"+address+"/api/v1/stats"); !strings.Contains(told, "{") {
		t.Errorf("the daemon says %s", told)
	}
	c.run("laundromat", "seed", "add", host.URL+"/x.nt")
	got := ""
	for end := time.Now().Add(longestStop); got != clean && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		text, _ := c.command("laundromat", "get", host.URL+"/x.nt").Output()
		got = string(text)
	}
	if got != clean {
		t.Fatalf("the document was not washed, but %q\n%s", got, c.run("laundromat", "stats"))
	}
	stop()

	c.dpkg(built(t, second))
	if kept, err := os.ReadFile(c.path("etc/laundromat/config.yaml")); err != nil || string(kept) != own {
		t.Errorf("the upgrade changed the settings: %v\n%s", err, kept)
	}
	if said := c.run("laundromat", "version"); !strings.HasPrefix(said, "laundromat version "+second+" (") {
		t.Errorf("after the upgrade the program is %s", said)
	}
	_, stop = c.start()
	if got := c.run("laundromat", "get", host.URL+"/x.nt"); got != clean {
		t.Errorf("after the upgrade the document is %q", got)
	}
	c.run("laundromat", "verify")
	stop()

	c.run("dpkg", "--remove", "laundromat")
	for _, gone := range []string{"usr/bin/laundromat", "usr/lib/systemd/system/laundromat.service", "usr/share/doc/laundromat"} {
		if _, err := os.Lstat(c.path(gone)); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
	if said := c.run("dpkg", "--purge", "laundromat"); !strings.Contains(said, "still in /var/lib/laundromat") {
		t.Errorf("the purge says %s", said)
	}
	if _, err := os.Lstat(c.path("etc/laundromat/config.yaml")); err == nil {
		t.Error("a purge leaves the settings")
	}
	if _, err := os.Lstat(c.path("var/lib/laundromat/seeds.db")); err != nil {
		t.Errorf("a purge took the seed list: %v", err)
	}
}
