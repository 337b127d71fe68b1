// Package freeport finds ports for servers that tests start.
package freeport

import (
	"math/rand/v2"
	"net"
	"strconv"
)

// Host is the address of this machine at which the ports are free.
const Host = "127.0.0.1"

// Find is a port that nobody listens on, and that the system gives to no connection by itself. While the server is
// stopped, who tries to reach it could else meet itself there.
func Find() (port int) {
	for range 100 {
		port = 20_000 + rand.IntN(10_000)
		listener, err := net.Listen("tcp", at(port))
		if err == nil {
			listener.Close()
			break
		}
	}
	return port
}

// Address is a host and a port that [Find] found.
func Address() string { return at(Find()) }

func at(port int) string { return net.JoinHostPort(Host, strconv.Itoa(port)) }
