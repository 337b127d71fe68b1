package web

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"
)

// Served is what is served on a listener.
type Served struct {
	On      net.Listener
	Handler http.Handler
}

// mostStopping is how long requests may take to end when the service stops.
const mostStopping = time.Second

// Serve serves until stop is called, which waits a moment for requests to end, and closes the listeners. A listener
// that fails before is given to failed.
func Serve(failed func(error), all ...Served) (stop func()) {
	var servers []*http.Server
	for _, one := range all {
		server := &http.Server{Handler: one.Handler, ReadHeaderTimeout: 10 * time.Second}
		servers = append(servers, server)
		go func() {
			if err := server.Serve(one.On); err != nil && !errors.Is(err, http.ErrServerClosed) {
				failed(err)
			}
		}()
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), mostStopping)
		defer cancel()
		for _, server := range servers {
			if server.Shutdown(ctx) != nil {
				server.Close()
			}
		}
	}
}
