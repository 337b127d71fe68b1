package process

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"time"
)

// Serve gives documents out on the loopback interface, under the address base, until stop is called.
func Serve(documents http.HandlerFunc) (base string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: documents, ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener)
	return "http://" + listener.Addr().String(), func() { server.Close() }, nil
}

// Wash runs a daemon on a list of seeds in a new data folder until all are done. It is not polite
// to the server, which is our own. Meanwhile this process, with the server in it, took own of the
// processors' time. An error holds what the daemon said.
func (s *Setup) Wash(ctx context.Context, data, seeds string, flags ...string) (usage Usage, own time.Duration, err error) {
	args := append([]string{
		"serve", "--data", data, "--seeds", seeds, "--until-idle", "--listen", "127.0.0.1:0", "--quiet",
		"--allow-private", "--host-connections", "64", "--host-delay", "0s", "--ignore-robots",
	}, flags...)
	command := exec.CommandContext(ctx, s.Program, append(args, s.Args...)...)
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	own = Own()
	if usage, err = Run(command); err != nil {
		return usage, 0, fmt.Errorf("%w: %s", err, said.Bytes())
	}
	return usage, Own() - own, nil
}

// Parsed is the list of the seeds in a data folder that came to their end, a line of JSON each.
func (s *Setup) Parsed(ctx context.Context, data string) ([]byte, error) {
	return exec.CommandContext(ctx, s.Program, "seed", "list", "--data", data, "--state", "parsed", "--json").Output()
}
