package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"laundromat/bench/process"
)

// job is one way to do the work, or a part of it that bounds all ways.
type job struct {
	name  string
	what  string // the command, for the page
	shell string
	// beside names the job whose time is compared with this one's; aim is how many times as
	// long this one should take at least.
	beside  string
	aim     float64
	mayDrop bool   // statements may be lost: the document is dirty
	keep    string // where the output goes that later jobs read
	before  func(context.Context) error

	usages []process.Usage
	output int64 // size of the output in bytes; 0 if there is none
}

// memory is what laundromat is given, unless flags after -- say otherwise.
const memory = "--memory 256M"

// laundromat is the command line for a document.
func (o *options) laundromat(flags, path string) string {
	return fmt.Sprintf("%s wash --quiet %s %s %s -o %s %s", o.Program, memory, flags, strings.Join(o.Args, " "),
		filepath.Join(o.Folder, "out.nq.gz"), path)
}

// jobs are those for which all programs are there; the names of the others.
func (o *options) jobs(in *input) (jobs []*job, missing []string) {
	in.sorted = filepath.Join(o.Folder, "sorted."+o.format+".gz")
	out := filepath.Join(o.Folder, "out.nq.gz")
	syntax := map[string]string{"nt": "ntriples", "nq": "nquads", "ttl": "turtle", "trig": "trig"}[o.format]
	lines := o.format == "nt" || o.format == "nq"
	shown := "x." + o.format + ".gz"
	add := func(j *job, programs ...string) {
		for _, p := range programs {
			if _, err := exec.LookPath(p); err != nil || p == "serdi" && syntax == "" {
				missing = append(missing, j.name+" ("+p+")")
				return
			}
		}
		j.what = strings.NewReplacer(o.Program, "laundromat", in.path, shown, out, "out.nq.gz", in.sorted, "sorted.nq.gz", " --quiet",
			"").Replace(j.shell)
		j.what = strings.Join(strings.Fields(j.what), " ")
		j.mayDrop = o.dirt > 0 && strings.HasPrefix(j.shell, o.Program)
		jobs = append(jobs, j)
	}
	add(&job{name: six, shell: o.laundromat("--level 6", in.path)})
	add(&job{name: "P1", beside: six, aim: 4,
		shell: fmt.Sprintf("zcat %s | serdi -l -i %s -o nquads - | sort -u --parallel=2 -S 4G | gzip -6 > %s", in.path, syntax, out)},
		"serdi", "gzip")
	add(&job{name: one, shell: o.laundromat("--level 1", in.path), keep: in.sorted})
	add(&job{name: "P2", beside: one, aim: 3,
		shell: fmt.Sprintf("igzip -dc %s | serdi -l -i %s -o nquads - | sort -u --parallel=2 -S 4G | igzip -1 -c > %s", in.path, syntax,
			out)}, "serdi", "igzip")
	if lines {
		add(&job{name: "P3, nothing parsed", beside: one, aim: 1.8,
			shell: fmt.Sprintf("igzip -dc %s | sort -u --parallel=2 -S 4G | igzip -1 -c > %s", in.path, out)}, "igzip")
	}
	add(&job{name: "laundromat, one worker", beside: one, shell: o.laundromat("--level 1 --workers 1", in.path)})
	add(&job{name: unsorted, shell: o.laundromat("--level 1 --no-sort", in.sorted)})
	add(&job{name: "laundromat, sorted input", beside: unsorted, shell: o.laundromat("--level 1", in.sorted)})
	add(&job{name: "zcat", beside: one, shell: fmt.Sprintf("zcat %s > /dev/null", in.path)}, "zcat")
	add(&job{name: "igzip -d", beside: one, shell: fmt.Sprintf("igzip -dc %s > /dev/null", in.path)}, "igzip")
	add(&job{name: "igzip -d, copied", beside: one, shell: fmt.Sprintf("igzip -dc %s | cat > /dev/null", in.path)}, "igzip")
	if lines {
		add(&job{name: "sort -u", beside: one, shell: fmt.Sprintf("igzip -dc %s | sort -u --parallel=2 -S 4G > /dev/null", in.path)},
			"igzip")
	}
	add(&job{name: "gzip -6 of the output", beside: one, shell: fmt.Sprintf("igzip -dc %s | gzip -6 > /dev/null", in.sorted)}, "igzip",
		"gzip")
	add(&job{name: "pigz -6 of the output", beside: one, shell: fmt.Sprintf("igzip -dc %s | pigz -6 -p 2 > /dev/null", in.sorted)}, "igzip",
		"pigz")
	add(&job{name: floor, beside: one, shell: fmt.Sprintf("igzip -dc %s | igzip -1 -c > /dev/null", in.sorted)}, "igzip")
	return jobs, missing
}

// The jobs that others are compared with.
const (
	six      = "laundromat, level 6"
	one      = "laundromat, level 1"
	unsorted = "laundromat, sorted input, --no-sort"
	floor    = "igzip -1 of the output" // what is left when nothing is parsed or sorted
)
