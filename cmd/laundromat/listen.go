package main

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"

	"laundromat/internal/logfile"
	"laundromat/internal/profile"
	"laundromat/storage"
	"laundromat/web"
	"laundromat/web/faces"
	"laundromat/web/pages"
	"laundromat/web/socket"
)

// defaultListen is where the API listens if nothing else is said.
const defaultListen = "127.0.0.1:8085"

// serveAPI starts the API on TCP, where who has no token only reads, and on a unix socket. The
// addresses are written into the folder, so that the other verbs find them.
func serveAPI(u *ui, folder *storage.Folder, dir string, log *logfile.Log, service *serviceFlags) (stop func(), err error) {
	config, err := service.config()
	if err != nil {
		return nil, err
	}
	site, err := service.site()
	if err != nil {
		return nil, err
	}
	tcp, err := net.Listen("tcp", service.listen)
	if err != nil && !service.listenGiven {
		// Nobody asked for this port: that something else has it must not keep the
		// first command of a newcomer from its work. The real one is printed.
		tcp, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	socket.RemoveStale(dir)
	local, err := socket.Listen(dir)
	if err != nil {
		tcp.Close()
		return nil, err
	}
	told := service.meter
	options := service.public(folder, dir, log.Logger)
	options.Daemon.Site = site
	options.Metrics = told.Handler()
	options.Pages = pagesOf(folder)
	options.OnlyMonitored = folder.Role == storage.RoleWorker
	own := apiOf(folder, true)
	own.Pages = pagesOf(folder)
	public := site.Mount(told.Counted(web.New(options)))
	if u.profiles.Served {
		if public, err = profile.Handler(public, tcp.Addr()); err != nil {
			tcp.Close()
			local.Close()
			local.Remove()
			return nil, usage("--pprof: %w", err)
		}
	}
	stopServing := web.Serve(func(err error) { log.Error().Err(err).Msg("the API ended") },
		web.Served{On: encrypted(tcp, config), Handler: public}, web.Served{On: local, Handler: web.New(own)})
	address := tcp.Addr().String()
	if err := os.WriteFile(filepath.Join(dir, storage.AddressFile), []byte(address+"\n"), 0o600); err != nil {
		log.Error().Err(err).Msg("could not write down the address")
	}
	warnOf(log, tcp.Addr(), service)
	u.serving(log, service.scheme(), address, dir)
	return func() {
		folder.EndStreams() // the servers wait for what is open
		stopServing()
		for _, name := range []string{storage.AddressFile, socket.File} {
			os.Remove(filepath.Join(dir, name))
		}
		local.Remove()
	}, nil
}

// pagesOf are those of both listeners.
func pagesOf(folder *storage.Folder) func(*web.Reader, http.Handler) http.Handler {
	return func(reader *web.Reader, otherwise http.Handler) http.Handler {
		return faces.New(reader, pages.New(reader, pages.Options{
			Disk: func() pages.Disk {
				free, keep, err := folder.Files.Left()
				return pages.Disk{Known: err == nil, Free: free, Keep: keep}
			},
		}, otherwise))
	}
}

// encrypted is TCP with TLS, if there is a certificate for it.
func encrypted(tcp net.Listener, config *tls.Config) net.Listener {
	if config == nil {
		return tcp
	}
	return tls.NewListener(tcp, config)
}
