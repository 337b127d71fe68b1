package web_test

import (
	"strings"
	"testing"
)

func TestStrangeParametersAreRefusedWithTheNearest(t *testing.T) {
	h := newHouse(t, true)
	washed := h.washed("http://other.example/x", "dirty", "clean\n")
	seed := "/api/v1/seeds/" + washed.Hash
	for _, row := range []struct {
		path   string
		status int
		detail string
	}{
		{"/api/v1/seeds?stat=parsed", 400, "there is no parameter stat here; did you mean state?"},
		{"/api/v1/seeds?State=parsed", 400, "did you mean state?"},
		{"/api/v1/seeds?limt=5", 400, "did you mean limit?"},
		{"/api/v1/seeds?state=parsed&nothing=1", 400, "there is no parameter nothing here; there are state"},
		{"/api/v1/stats?state=parsed", 400, "there is no parameter state here"},
		{seed + "?full=1", 400, "no parameter full"},
		{seed + "/attempts?limit=1", 400, "no parameter limit"},
		{seed + "/notices?sample=1", 400, "did you mean samples?"},
		{seed + "/clean.nq.gz?subjct=x", 400, "did you mean subject?"},
		{seed + "/dirty?x=1", 400, "no parameter x"},
		{"/api/v1/catalogs?cusor=x", 400, "did you mean cursor?"},
		{"/api/v1/hosts?host=x", 400, "no parameter host"},
		{"/api/v1/verify?repair=1", 400, "no parameter repair"},
		{"/api/v1/seeds?state=parsd", 422, "there is no state parsd; did you mean parsed?"},
		{"/api/v1/seeds?error=http/statu", 422, "did you mean http/status?"},
		{"/api/v1/seeds?notice=none/such", 422, "there is no code none/such"},
		{"/api/v1/seeds?state=parsed&limit=5", 200, washed.Hash},
		{"/api/v1/meant?ref=" + washed.Hash[:6], 200, washed.Hash},
		{"/api/v1/meant?ref=http://other.example/y", 200, "http://other.example/x"},
		{"/api/v1/meant", 422, "ref"},
	} {
		reply, text := h.ask("GET", row.path, "")
		if reply.StatusCode != row.status || !strings.Contains(text, row.detail) {
			t.Errorf("%s: %d %s, want %d %s", row.path, reply.StatusCode, text, row.status, row.detail)
		}
	}
}
