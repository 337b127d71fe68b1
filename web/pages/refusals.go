package pages

import "laundromat/web"

// unprocessable refuses a request whose parameters say nothing that can be done; nothing one for what is not there.
func unprocessable(message string) error { return web.Refusal(422, message) }
func nothing(message string) error       { return web.Refusal(404, message) }

// problemText is what an error says to people.
func problemText(err error) string { return web.ProblemOf(err).Detail }

func mayOperate(_ any) bool { return false }
