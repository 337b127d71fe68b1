package jsonld_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/jsonld"
)

// Documents that need not be held whole take little memory, however long they are, sound and with
// faults. No value of those that must be takes more than it may.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads some 300 MB")
	}
	node := func(i int) string {
		return `{"@id":"http://e/` + strconv.Itoa(i) +
			`","http://e/p":[{"@value":"some text of a node","@language":"en"},{"@id":"http://e/o"}],"http://e/q":{"http://e/r":"inner"}}`
	}
	random := rand.New(rand.NewPCG(1, 2))
	broken := func(i int) string {
		if i%50 == 7 {
			text, _ := hurt(node(i), random)
			return text
		}
		return node(i)
	}
	for _, c := range []struct {
		name, head, between, to string
		item                    func(int) string
		length, most            int64
	}{
		{"@graph", `{"@context":{"e":"http://e/"},"@graph":[`, ",\n", "]}", node, 32 << 20, 100 << 20},
		{"array", "[", ",", "]", node, 32 << 20, 100 << 20},
		{"lines", "", "\n", "\n", node, 32 << 20, 100 << 20},
		{"a member before all else", `{"http://e/p":[`, ",\n", `],"@context":{"e":"http://e/"},"@id":"http://e/s"}`, node, 32 << 20,
			100 << 20},
		{"a list", `{"@context":{"l":{"@id":"http://e/p","@container":"@list"}},"l":[`, ",", "]}", node, 32 << 20, 100 << 20},
		{"a member that means nothing", `{"@id":"http://e/s","no":[`, ",", "]}", node, 32 << 20, 100 << 20},
		{"broken @graph", `{"@context":{"e":"http://e/"},"@graph":[`, ",\n", "]}", broken, 16 << 20, 100 << 20},
		{"broken @graph on one line", `{"@context":{"e":"http://e/"},"@graph":[`, ",", "]}", broken, 16 << 20, 100 << 20},
		{"broken array", "[", ",", "]", broken, 16 << 20, 100 << 20},
		{"broken lines", "", "\n", "\n", broken, 16 << 20, 100 << 20},
		{"empty nodes", `{"@id":"http://e/s","http://e/p":[`, ",", "]}", func(int) string { return "{}" }, hostileBytes - 1<<10, hostile},
		{"empty arrays", `{"@id":"http://e/s","http://e/p":[`, ",", "]}", func(int) string { return `[]` }, hostileBytes - 1<<10, hostile},
		{"numbers", `{"@id":"http://e/s","http://e/p":[`, ",", "]}", func(int) string { return `1` }, hostileBytes - 1<<10, hostile},
		{"many names", `{"@id":"http://e/s"`, ",", "}", func(i int) string { return `"http://e/` + strconv.Itoa(i) + `":1` },
			hostileBytes - 1<<10, hostile},
		{"many terms", `{"@context":{"a":"http://e/a"`, ",", "}}", func(i int) string { return `"` + strconv.Itoa(i) + `a":"http://e/"` },
			hostileBytes - 1<<10, hostile},
		{"many contexts", `{"@id":"http://e/s","http://e/p":[`, ",", "]}", func(i int) string {
			return `{"@context":{"a` + strconv.Itoa(i) + `":"http://e/a"},"a` + strconv.Itoa(i) + `":1}`
		}, hostileBytes - 1<<10, hostile},
		{"nested", `{"@id":"http://e/s","http://e/p":[`, ",", "]}", func(int) string {
			return strings.Repeat(`{"http://e/p":[`, 100) + strings.Repeat("]}", 100)
		}, hostileBytes - 1<<10, hostile},
	} {
		t.Run(c.name, func(t *testing.T) {
			peak, before := uint64(0), inUse()
			look := func() { peak = max(peak, inUse()) }
			from := &growing{head: c.head, between: c.between, to: c.to, item: c.item, left: c.length, look: look}
			err := jsonld.Read(context.Background(), from, rdf.Input{Base: "http://b/"},
				jsonld.Options{Temp: t.TempDir(), MaxBytes: hostileBytes}, &watching{look: look})
			var stopped *fault.Error
			if err != nil && (!errors.As(err, &stopped) || stopped.Kind != fault.Limit) {
				t.Fatal(err)
			}
			took := int64(peak) - int64(before)
			t.Logf("%d MB", took>>20)
			if took > c.most {
				t.Errorf("takes %d MB, more than %d", took>>20, c.most>>20)
			}
		})
	}
}

// hostile is what a top-level value may take, with the text itself.
const hostileBytes, hostile = 2 << 20, (jsonld.MemoryFactor + 4) * hostileBytes

func inUse() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// growing is a document of many items.
type growing struct {
	head, between, to string
	item              func(int) string
	left, read        int64
	next              int
	text              string
	look              func()
	ended             bool
}

func (g *growing) Read(p []byte) (int, error) {
	if g.text == "" {
		switch {
		case g.ended:
			return 0, io.EOF
		case g.left <= 0:
			g.text, g.ended = g.to, true
		default:
			if g.next == 0 {
				g.text = g.head
				if strings.HasPrefix(g.head, `{"@id":"http://e/s"`) && g.between == "," && !strings.HasSuffix(g.head, "[") ||
					strings.HasPrefix(g.head, `{"@context":{"a"`) {
					g.text += g.between
				}
			} else {
				g.text = g.between
			}
			g.text += g.item(g.next)
			g.next++
			g.left -= int64(len(g.text))
		}
	}
	n := copy(p, g.text)
	g.text = g.text[n:]
	if g.read += int64(n); g.read>>22 != (g.read-int64(n))>>22 || g.ended {
		g.look()
	}
	return n, nil
}

// watching looks at the memory while statements come.
type watching struct {
	rdf.Sink
	seen int
	look func()
}

func (w *watching) Quad(*rdf.Quad) error {
	if w.seen++; w.seen%500_000 == 1 {
		w.look()
	}
	return nil
}

func (w *watching) Notice(fault.Notice) {}
