package page

import (
	"bytes"
	"context"
	"embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	texttemplate "text/template"

	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/experiments/internal/chart/pictures"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// MostBytes is the largest size of the page.
const MostBytes = 7_500_000

//go:embed assets
var files embed.FS

// asset is the text of a file.
func asset(name string) string {
	text, err := files.ReadFile("assets/" + name)
	if err != nil { // it is part of the program
		panic("explorer: " + err.Error())
	}
	return string(text)
}

// partBytes is how much of the program a page reads before it passes it on to the worker, which unpacks and compiles it
// in the meantime.
const partBytes = 1 << 19

// program is the program that runs in the browser.
const program = "github.com/isoscale/isoscale/experiments/internal/explorer/browser"

var pageTemplate = texttemplate.Must(texttemplate.New("page").Parse(asset("page.html.tmpl")))

// Build returns the page. It runs the command go in the module of isoscale, whose folder
// is dir.
func Build(ctx context.Context, dir string) ([]byte, error) {
	wasm, err := compile(ctx, dir)
	if err != nil {
		return nil, err
	}
	root, err := output(ctx, dir, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	starter, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, fmt.Errorf("the script that starts WebAssembly: %w", err)
	}
	content, err := readContent(filepath.Join(dir, "examples"))
	if err != nil {
		return nil, err
	}
	return assemble(ctx, wasm, string(starter), content)
}

// compile returns the program, gzipped.
func compile(ctx context.Context, dir string) ([]byte, error) {
	folder, err := os.MkdirTemp("", "makeexplorer")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "isoscale.wasm")
	if _, err := output(ctx, dir, "build", "-trimpath", "-ldflags=-s -w", "-o", file, program); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return pictures.Packed(data), nil
}

// output runs the command go for WebAssembly and returns what it prints.
func output(ctx context.Context, dir string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false")
	var problems bytes.Buffer
	c.Stderr = &problems
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, bytes.TrimSpace(problems.Bytes()))
	}
	return out, nil
}

func assemble(ctx context.Context, wasm []byte, starter string, c *content) ([]byte, error) {
	script := "\"use strict\";\n" + pictures.Script + fmt.Sprintf("(() => {\nconst DEFAULT_FILE = %q", defaultFile)
	for _, x := range []struct {
		name  string
		value any
	}{{"FILES", c.Files}, {"LESSONS", c.Lessons}, {"PLANS", c.Plans}, {"KEPT", c.kept(ctx)}} {
		text, err := json.Marshal(x.value)
		if err != nil {
			return nil, err
		}
		script += fmt.Sprintf(", %s = %s", x.name, text)
	}
	script += ";\n"
	for _, part := range []string{"dom", "client", "state", "controls", "export", "scaling", "memory", "lesson", "plan", "edit", "main"} {
		script += asset(part + ".js")
	}
	script += "})();\n"
	worker := starter + asset("worker.js")
	begin := fmt.Sprintf("const PROGRAM_BYTES = %d;\n", binary.LittleEndian.Uint32(wasm[len(wasm)-4:])) + asset("start.js") // as gzip ends
	style := palette.Style() + pictures.Style + asset("explorer.css")
	for what, text := range map[string]string{"script": script, "worker": worker, "start": begin} {
		if strings.Contains(strings.ToLower(text), "</script") || strings.Contains(text, "<!--") {
			return nil, fmt.Errorf("the %s has a text that ends a script", what)
		}
	}
	var program []string // in parts, each in base64
	for part := range slices.Chunk(wasm, partBytes) {
		program = append(program, base64.StdEncoding.EncodeToString(part))
	}
	const part = "isoscalePart()"
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, map[string]any{
		"StarterHash": pictures.Hash(begin), "ScriptHash": pictures.Hash(script), "PartHash": pictures.Hash(part),
		"StyleHash": pictures.Hash(style), "Script": script, "Style": style,
		"Starter": begin, "Worker": worker, "Program": program, "Part": part, "Groups": c.groups(),
	})
	if err != nil {
		return nil, err
	}
	if b.Len() > MostBytes {
		return nil, fmt.Errorf("the page has %d bytes; expected at most %d", b.Len(), MostBytes)
	}
	return b.Bytes(), nil
}

// Own is what a reader adds to the page: a plan with the files that it names, and the known outcomes of its
// simulations.
type Own struct {
	Files map[string]string    `json:"files"`
	Plan  string               `json:"plan"`
	Times map[store.Key]string `json:"times"`
}

// ownElement is the element of the page that holds it.
const ownElement = `<script type="application/octet-stream" id="own">`

// With returns the page with a reader's own plan, which it shows first.
func With(page []byte, own Own) ([]byte, error) {
	data, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	element := []byte(ownElement + base64.StdEncoding.EncodeToString(pictures.Packed(data)))
	return bytes.Replace(page, []byte(ownElement), element, 1), nil
}

// escape returns a text escaped for HTML.
func escape(text string) string { return template.HTMLEscapeString(text) }
