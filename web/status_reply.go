package web

import "net/http"

// StatusReply remembers the status of a reply.
type StatusReply struct {
	http.ResponseWriter
	Status int
}

// NewStatusReply makes a StatusReply, which has the status 200 until another is written.
func NewStatusReply(w http.ResponseWriter) *StatusReply {
	return &StatusReply{ResponseWriter: w, Status: http.StatusOK}
}

// WriteHeader is that of [http.ResponseWriter].
func (s *StatusReply) WriteHeader(status int) {
	s.Status = status
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap is for [http.ResponseController].
func (s *StatusReply) Unwrap() http.ResponseWriter { return s.ResponseWriter }
