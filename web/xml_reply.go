package web

import (
	"encoding/xml"
	"net/http"
)

// SendXML answers a request with a document of XML. On an error nothing was sent.
func SendXML(w http.ResponseWriter, contentType string, document any) error {
	text, err := xml.MarshalIndent(document, "", " ")
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Write(append(append([]byte(xml.Header), text...), '\n'))
	return nil
}
