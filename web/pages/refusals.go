package pages

import (
	"net/http"

	"laundromat/web"
	"laundromat/web/token"
)

// unprocessable refuses a request whose parameters say nothing that can be done.
func unprocessable(message string) error { return web.Refused(http.StatusUnprocessableEntity, message) }

// nothing is the error of what is not there.
func nothing(message string) error { return web.Refused(http.StatusNotFound, message) }

// problemText is what an error says to people.
func problemText(err error) string { return web.ProblemOf(err).Detail }

// mayAdd and mayOperate say what who sent a request may write.
func mayAdd(r *http.Request) bool     { return may(r, token.Add) }
func mayOperate(r *http.Request) bool { return may(r, token.Operate) }

func may(r *http.Request, scope token.Scope) bool {
	who := web.WhoIn(r.Context())
	return who.May(scope)
}
