package profile

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestProfilesAreForThisMachineAlone(t *testing.T) {
	api := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	for _, ip := range []string{"0.0.0.0", "192.0.2.1", "::", "2001:db8::1"} {
		if _, err := Handler(api, &net.TCPAddr{IP: net.ParseIP(ip)}); err == nil {
			t.Errorf("they are served at %s", ip)
		}
	}
	handler, err := Handler(api, &net.TCPAddr{IP: net.ParseIP("127.0.0.1")})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		host, path string
		want       int
	}{
		{"127.0.0.1:8085", "/debug/pprof/", 200},
		{"[::1]:8085", "/debug/pprof/heap", 200},
		{"localhost", "/debug/pprof/cmdline", 200},
		{"evil.example:8085", "/debug/pprof/heap", 403},
		{"evil.example", "/api/v1/stats", http.StatusTeapot},
	} {
		r := httptest.NewRequest("GET", "http://"+c.host+c.path, nil)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s%s: %d, want %d", c.host, c.path, w.Code, c.want)
		}
	}
}
