package client

import (
	"errors"
	"net/http"
	"testing"
	"time"
)

// A daemon that answers nothing is reported; one that only takes long for a reply is waited for.
func TestADaemonThatHangsIsReported(t *testing.T) {
	release := make(chan struct{})
	for _, c := range []struct {
		name  string
		alive bool
		want  error
	}{
		{"hangs", false, ErrHangs},
		{"takes long", true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			mux := http.NewServeMux()
			mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
				if !c.alive {
					<-r.Context().Done()
				}
			})
			mux.HandleFunc("GET /api/v1/stats", func(w http.ResponseWriter, r *http.Request) {
				select {
				case <-r.Context().Done():
				case <-release:
					w.Write([]byte("{}"))
				}
			})
			client := InProcess(mux, func() error { return nil })
			defer client.Close()
			client.patience = 50 * time.Millisecond
			if c.alive {
				time.AfterFunc(6*client.patience, func() { close(release) })
			}
			var reply struct{}
			if err := client.Get(t.Context(), "/stats", nil, &reply); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}
