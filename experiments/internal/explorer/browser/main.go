//go:build js && wasm

// Command browser is the simulator in the explorer's worker. It sets two JavaScript functions: isoscaleOpen(files,
// times), with texts by name, and isoscaleAnswer(request), which returns [JSON, timeline or null], see package
// explorer. Meanwhile it calls isoscaleProgress(text, share).
package main

import (
	"context"
	"runtime/debug"
	"slices"
	"strings"
	"syscall/js"

	"github.com/isoscale/isoscale/experiments/internal/explorer"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// A page has 4 GB, and the collector would stop a run several times. So it waits until the heap has grown fivefold, or
// has reached memoryLimit.
const (
	growth      = 400     // percent
	memoryLimit = 3 << 29 // bytes
)

func main() {
	debug.SetGCPercent(growth)
	debug.SetMemoryLimit(memoryLimit)
	bridge := explorer.New(nil)
	js.Global().Set("isoscaleOpen", js.FuncOf(func(_ js.Value, args []js.Value) any {
		bridge = explorer.New(texts(args[0]))
		bridge.Keep(texts(args[1]))
		bridge.Progress = func(s input.Step) {
			js.Global().Call("isoscaleProgress", s.What, float64(s.Done)/float64(max(s.Total, 1)))
		}
		return nil
	}))
	js.Global().Set("isoscaleAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		reply := bridge.Answer(context.Background(), []byte(args[0].String()))
		var timeline any // null
		if reply.Timeline != nil {
			bytes := js.Global().Get("Uint8Array").New(len(reply.Timeline))
			js.CopyBytesToJS(bytes, reply.Timeline)
			timeline = bytes
		}
		return []any{string(reply.JSON), timeline}
	}))
	select {} // from now on only the functions are called
}

// texts splits texts by name from one string: a name, a text, and so on, separated by 0.
func texts(all js.Value) map[string]string {
	named := map[string]string{}
	for pair := range slices.Chunk(strings.Split(all.String(), "\x00"), 2) {
		if len(pair) == 2 {
			named[pair[0]] = pair[1]
		}
	}
	return named
}
