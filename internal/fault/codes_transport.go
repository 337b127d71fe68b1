package fault

// Codes of fetching: the connection, the reply, and robots.txt.
const (
	TransportNoSuchHost        Code = "transport/no-such-host"
	TransportDNS               Code = "transport/dns"
	TransportConnectionRefused Code = "transport/connection-refused"
	TransportConnectionReset   Code = "transport/connection-reset"
	TransportUnreachable       Code = "transport/unreachable"
	TransportConnectTimeout    Code = "transport/connect-timeout"
	TransportHeaderTimeout     Code = "transport/header-timeout"
	TransportSilence           Code = "transport/silence"
	TransportTooSlow           Code = "transport/too-slow"
	TransportCertificate       Code = "transport/certificate"
	TransportTLS               Code = "transport/tls"
	TransportForbiddenAddress  Code = "transport/forbidden-address"
	TransportUnsupportedScheme Code = "transport/unsupported-scheme"
	TransportFailed            Code = "transport/failed"
	TransportHostResting       Code = "transport/host-resting"
	TransportHostPaused        Code = "transport/host-paused"
	TransportFTPReply          Code = "transport/ftp-reply"

	HostTurned Code = "host/turned"

	HTTPBadURI           Code = "http/bad-uri"
	HTTPStatus           Code = "http/status"
	HTTPMalformed        Code = "http/malformed"
	HTTPBadRedirect      Code = "http/bad-redirect"
	HTTPRedirectLoop     Code = "http/redirect-loop"
	HTTPTooManyRedirects Code = "http/too-many-redirects"
	HTTPShortBody        Code = "http/short-body"
	HTTPContentType      Code = "http/content-type"

	RobotsDisallowed  Code = "robots/disallowed"
	RobotsUnreachable Code = "robots/unreachable"
)

var transportCodes = []Info{
	{TransportNoSuchHost, 0, "there is no such host",
		"The host name in the URI does not exist in the DNS. The document is not asked for again until its next round.",
		"Correct the URI in the catalog that lists it, or bring the host's name back."},
	{TransportDNS, 0, "the host's name could not be looked up",
		"The name servers that know the host did not answer, or answered with a fault of their own. It is tried again.",
		"See that the domain's name servers answer."},
	{TransportConnectionRefused, 0, "the server took no connection",
		"The host is there, but nothing answers at the port that the URI names. It is tried again.",
		"Start the server, or correct the port in the URI."},
	{TransportConnectionReset, 0, "the connection broke off",
		"The server, or something on the way to it, ended the connection before a reply, or before anything of its body, had come. It is tried again.",
		"Look into the server's log: a crash or an overloaded proxy is the usual cause."},
	{TransportUnreachable, 0, "the host can't be reached",
		"No route leads to the host's address. It is tried again.",
		"See that the address in the DNS is that of a machine that is connected."},
	{TransportConnectTimeout, 0, "the server did not answer a connection",
		"No connection came about in time. A firewall that swallows connections, or a machine that is off, looks like this. It is tried again.",
		"See that the port can be reached from outside."},
	{TransportHeaderTimeout, 0, "the server sent no reply",
		"The connection was made and the request was sent, but no reply began in time. It is tried again.",
		"Make large documents ahead of time instead of on request, or let the reply begin before all of it is made."},
	{TransportSilence, 0, "the server fell silent",
		"Part of the document came, then nothing for too long. It is tried again, from where it broke off if the server can do that.",
		"Look for what stops the reply halfway: a time limit of a proxy, or a query that hangs."},
	{TransportTooSlow, 0, "the document came too slowly",
		"Part of the document came, and then for a whole minute fewer bytes per second than the least that is waited for (--least-speed). It is tried again, from where it broke off if the server can do that.",
		"Look for what holds the reply back. A large document is best served as a file, with an ETag and Range."},
	{TransportCertificate, 0, "a certificate that can't be trusted",
		"The server's certificate has run out, is for another host, or isn't signed by a known authority. Its data is not accepted, since anybody could have sent it.",
		"Renew the certificate, and send the whole chain that belongs to it."},
	{TransportTLS, 0, "no secure connection came about",
		"Server and client found no common way to speak TLS, or the port does not speak it at all.",
		"Offer TLS 1.2 or 1.3 at this port, or correct the scheme or port of the URI."},
	{TransportForbiddenAddress, 0, "an address that is not public",
		"The host's name leads to an address of a local network, of the machine itself, or one that is reserved. Such addresses are not asked for anybody else's sake. Whoever runs Laundromat can allow them.",
		"Publish the data on a host with a public address."},
	{TransportUnsupportedScheme, 0, "a scheme that is not fetched",
		"Only http and https URIs are fetched. A redirect to another scheme ends here, too.",
		"Offer the document by https."},
	{TransportFailed, 0, "the request failed",
		"The exchange with the server failed in a way that has no name of its own; the message says how. It is tried again.",
		"See the message."},
	{TransportHostResting, 0, "the host is not to be asked yet",
		"A delay that the host's robots.txt, its replies or our own settings ask for had not passed, or another request to the host went on. Or the document leads on to a host that is left alone, because it gave something else in the place of its data. That host was not asked; the seed waits, and no try is counted.",
		"Nothing is wrong. \"laundromat seed retry\" asks for the document at once; for one that is new, \"laundromat host resume\" of the host that it leads on to comes first."},
	{TransportHostPaused, 0, "the host is paused",
		"A redirect, or a catalog, leads to a host that whoever runs Laundromat has paused. Nothing was asked of it. It is tried again later.",
		"See laundromat host resume."},
	{HostTurned, 0, "a host that gives something else in the place of its data",
		"At least three documents of the host, and a tenth of those that were asked for within a day, were data and are something else now. So are three that came with one text, or all documents of a host that has one or two. Mostly it is a login, a page that announces maintenance, or a move. The earlier wash stays served. The host is asked for one document per hour at first, then less often, down to one per day, until one is sound.",
		"See what the host sends. \"laundromat seed retry\" asks for a document of it at once, and \"laundromat host resume\" ends that it is left alone."},

	{HTTPBadURI, 0, "a URI that can't be asked",
		"The URI names no host, or its host or port is not well-formed, so that no request can be made of it.",
		"Correct the URI in the catalog that lists it."},
	{HTTPStatus, 0, "the server answered with a failure",
		"The server's status says that there is no document: the message names it. Statuses that may pass (408, 425, 429 and all from 500 on) are tried again, after the time that the server names; the others are not. So are those that are a success, but not the document (202, 204, 205, 207, 208, and 226 with IM): the earlier wash stays.",
		"Bring the document back, or take its URI off the catalog that lists it."},
	{HTTPMalformed, 0, "an answer that is not HTTP",
		"Something answered, but not in HTTP, or with headers that are broken beyond what browsers read, or longer than anybody reads; or it sent a part of the document (206) where the whole was asked for. It is tried again.",
		"See what program listens at the port that the URI names."},
	{HTTPBadRedirect, 0, "a redirect to nowhere",
		"The server says that the document is elsewhere, but not where, or not in a way that is a URI.",
		"Send a Location header with the document's URI."},
	{HTTPRedirectLoop, 0, "redirects that go in a circle",
		"A redirect led to a URI that was asked before in the same chain, with the same cookies. Cookies are sent within a chain, so that a server may set one by a redirect to itself; then they are forgotten.",
		"Mend the redirect rules."},
	{HTTPTooManyRedirects, 0, "too many redirects",
		"More than twenty redirects followed one another.",
		"Let the first redirect name the document's final URI."},
	{HTTPShortBody, Drop, "a document that broke off",
		"The connection ended before as many bytes had come as the server had announced. It was asked for again as often as is tried. The part that arrived is washed; the rest is lost. It counts as one lost statement, since the number of statements in it is unknown.",
		"Look for what cuts the transfer: a time limit of the server or a proxy, or a Content-Length that does not belong to the document."},

	{HTTPContentType, Warning, "a Content-Type that is not the document's",
		"The server says that the document is in one format, and its bytes are plainly in another. The bytes are believed.",
		"Set the media type of the format: text/turtle for .ttl, application/n-triples for .nt, application/n-quads for .nq, application/trig for .trig, application/rdf+xml for .rdf, application/ld+json for .jsonld."},

	{TransportFTPReply, 0, "a reply of FTP that isn't a success",
		"A server of FTP refused the login, or the file. A code that begins with 4 means that it may work later: it is tried again. One that begins with 5, such as 550 (there is no such file) or 530 (not logged in), is final until the next round.",
		"Correct the URI in the catalog that lists it, or let the server give the file to anonymous users."},
	{RobotsDisallowed, 0, "robots.txt forbids it",
		"The host's robots.txt asks programs like ours not to read this path, and that is obeyed.",
		"If the data is meant to be read by machines, allow its path in robots.txt."},
	{RobotsUnreachable, 0, "robots.txt could not be read",
		"The server failed when it was asked for robots.txt. Until it answers, nothing is read from that host. It is tried again.",
		"Let /robots.txt answer with its rules, or with 404 if there are none."},
}
