package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// daemon is one that serves the data folder.
type daemon struct {
	command *exec.Cmd
	said    bytes.Buffer
	file    string // the address of the clean file
}

// serve starts a daemon and waits until it listens.
func (o *options) serve(ctx context.Context, data, uri string) (*daemon, error) {
	shown, err := exec.CommandContext(ctx, o.Program, "show", "--json", "--data", data, uri).Output()
	if err != nil {
		return nil, err
	}
	var seed struct{ Hash string }
	if err := json.Unmarshal(shown, &seed); err != nil {
		return nil, err
	}
	address := filepath.Join(data, "address")
	if err := os.RemoveAll(address); err != nil {
		return nil, err
	}
	d := &daemon{command: exec.CommandContext(ctx, o.Program, "serve", "--data", data, "--listen", "127.0.0.1:0", "--quiet")}
	d.command.Stderr = &d.said
	if err := d.command.Start(); err != nil {
		return nil, err
	}
	for start := time.Now(); time.Since(start) < o.Timeout; time.Sleep(10 * time.Millisecond) {
		text, err := os.ReadFile(address)
		if place := strings.TrimSpace(string(text)); err == nil && place != "" {
			d.file = "http://" + place + "/api/v1/seeds/" + seed.Hash + "/clean.nq.gz"
			return d, nil
		}
	}
	d.stop()
	return nil, fmt.Errorf("the daemon does not listen: %s", d.said.Bytes())
}

// ask asks for the lines of a subject.
func (d *daemon) ask(iri string) ([]byte, error) {
	reply, err := http.Get(d.file + "?subject=" + url.QueryEscape(iri))
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(reply.Body)
		return nil, fmt.Errorf("%s: %s", reply.Status, text)
	}
	lines, err := gzip.NewReader(reply.Body)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(lines)
}

// stop ends the daemon as an operator does.
func (d *daemon) stop() error {
	if err := d.command.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	d.command.Wait() // its exit code shows the signal
	return nil
}
