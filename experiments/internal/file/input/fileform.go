package input

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// Form is the kind of a file that is recognised by the beginning of its content,
// whatever its name. Messages use it as a hint, and validate chooses the reader by it.
type Form string

const (
	FormUnknown  Form = ""
	FormPlatform Form = "SimGrid platform"
	FormGOAL     Form = "GOAL schedule"
	FormTI       Form = "time-independent trace"
	FormTIList   Form = "list of time-independent traces"
	FormTIFolder Form = "folder of time-independent traces"
	FormCSV      Form = "table of measured times"
	FormBatchLog Form = "log in the Standard Workload Format"
	FormHPL      Form = "HPL.dat"
	FormParaver  Form = "trace of Paraver"
	FormOTF2     Form = "archive of OTF2"
)

// forms are the forms of files, with what they are recognised by and which command takes them.
var forms = []struct {
	form      Form
	opening   string // a pattern of the first line; "": something else tells the form
	extension string
	hint      string // the command that takes the file, as a format for its path
}{
	{FormPlatform, `^<(\?xml|!DOCTYPE|!--|platform)`, ".xml",
		"'isoscale describe %[1]s' and 'isoscale replay --ti TRACE --platform %[1]s' take this file"},
	{FormGOAL, `^num_ranks[ \t]+[0-9]`, ".goal", "'isoscale replay --goal %s' takes this file"},
	{FormTI, actionLine, ".ti", replayHint},
	{FormBatchLog, `^[+-]?[0-9]+([ \t]+[+-]?[0-9.]+){17}$`, ".swf",
		"'isoscale queue %s --nodes N' takes this file"},
	{FormHPL, `^HPLinpack benchmark input file`, "",
		"a scenario names it in its workload, as in {name: hpl, dat: %s}"},
	{FormParaver, "", ".prv", recordedHint},
	{FormOTF2, "", ".otf2", recordedHint},
	{FormCSV, "", ".csv", "'isoscale metrics %s' takes this file"},
}

// replayHint is the hint for traces, lists of traces and folders of traces.
const replayHint = "'isoscale replay --ti %s --platform MACHINE' takes this file"

// recordedHint is the hint for traces with times.
const recordedHint = "'isoscale replay --trace %[1]s --platform MACHINE' and 'isoscale describe %[1]s' take this file"

const actionLine = `^[0-9]+[ \t]+[A-Za-z_]+([ \t]|$)`

// matches reports whether a line matches a pattern, which is compiled here: most programs need few.
func matches(pattern, line string) bool { return regexp.MustCompile(pattern).MatchString(line) }

// CommandHint names the command that takes a file of this form.
func (f Form) CommandHint(path string) string {
	hint := replayHint
	for _, k := range forms {
		if k.form == f {
			hint = k.hint
		}
	}
	if f == FormHPL {
		path = filepath.Base(path)
	}
	return fmt.Sprintf(hint, path)
}

// Sentence says what a file of this form is.
func (f Form) Sentence() string {
	if f == FormHPL || f == FormOTF2 {
		return "this is an " + string(f)
	}
	return "this is a " + string(f)
}

// sniffed is how many bytes of a file are read to recognise its form.
const sniffed = 64 << 10

// FormOf recognises the form of a file, plain or compressed, or of a folder. It does
// not read other files, such as pipes, which can be read only once.
func FormOf(path string) Form {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return FormUnknown
	case info.IsDir():
		return formOfFolder(path)
	}
	switch head := head(path, len("xxOTF2")); {
	case strings.HasPrefix(head, "#Para"): // in other forms, # begins a comment
		return FormParaver
	case strings.HasSuffix(head, "OTF2"): // behind two bytes
		return FormOTF2
	}
	return formOfLine(openingLine(path), filepath.Dir(path))
}

// head returns the first n bytes of a file, plain or compressed; "" if it has not so many.
func head(path string, n int) string {
	text, done := opened(path)
	if text == nil {
		return ""
	}
	defer done()
	b := make([]byte, n)
	if _, err := io.ReadFull(text, b); err != nil {
		return ""
	}
	return string(b)
}

// FormOfName returns the form that the extension of a name stands for. It is used
// for files that FormOf does not recognise.
func FormOfName(path string) Form {
	extension := filepath.Ext(strings.TrimSuffix(path, ".gz"))
	for _, k := range forms {
		if k.extension == extension && extension != "" {
			return k.form
		}
	}
	return FormUnknown
}

// opened opens a regular file, plain or compressed, for reading; text is nil if that fails.
func opened(path string) (text io.Reader, done func()) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil
	}
	b := bufio.NewReader(f)
	text = b
	if head, err := b.Peek(2); err == nil && head[0] == 0x1f && head[1] == 0x8b {
		if text, err = gzip.NewReader(b); err != nil {
			f.Close()
			return nil, nil
		}
	}
	return text, func() { f.Close() }
}

// openingLine returns the first line of a regular file that is neither blank nor a
// comment, without surrounding blanks; "" if there is none within the first bytes.
func openingLine(path string) string {
	text, done := opened(path)
	if text == nil {
		return ""
	}
	defer done()
	lines := bufio.NewScanner(io.LimitReader(text, sniffed))
	lines.Buffer(nil, sniffed)
	for lines.Scan() {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line != "" && line[0] != '#' && line[0] != ';' && !strings.HasPrefix(line, "//") {
			return line
		}
	}
	return ""
}

// formOfLine recognises a file in folder dir by its opening line.
func formOfLine(line, dir string) Form {
	for _, k := range forms {
		if k.opening != "" && matches(k.opening, line) {
			return k.form
		}
	}
	columns := map[string]bool{}
	for field := range strings.SplitSeq(strings.ToLower(line), ",") {
		name, _, _ := strings.Cut(strings.Trim(field, "\" \t"), "[")
		columns[strings.TrimSpace(name)] = true
	}
	if columns["processes"] && columns["time"] {
		return FormCSV
	}
	if line != "" && isTrace(Resolve(dir, line)) {
		return FormTIList
	}
	return FormUnknown
}

// formOfFolder recognises a folder by some of the files in it.
func formOfFolder(path string) Form {
	f, err := os.Open(path)
	if err != nil {
		return FormUnknown
	}
	defer f.Close()
	names, _ := f.Readdirnames(16) // any will do
	for _, name := range names {
		if !strings.HasPrefix(name, ".") && isTrace(filepath.Join(path, name)) {
			return FormTIFolder
		}
	}
	return FormUnknown
}

// isTrace reports whether a file begins with an action of a trace.
func isTrace(path string) bool { return matches(actionLine, openingLine(path)) }

// OrOtherForm returns the error err of a reader that expected a file of the forms
// wanted. If the file is of another form or kind, it returns an error that names the
// command for such files instead.
func OrOtherForm(path string, err error, expected string, wanted ...Form) error {
	if err == nil {
		return nil
	}
	form := FormOf(path)
	if slices.Contains(wanted, form) {
		return err
	}
	if form != FormUnknown {
		return PlacedErrorf("%s: %s; expected %s; %s", path, form.Sentence(), expected, form.CommandHint(path))
	}
	info, statErr := os.Stat(path)
	if statErr != nil || !info.Mode().IsRegular() {
		return err
	}
	root, _, parseErr := yamldoc.ReadFile(path)
	if parseErr != nil || !root.IsMapping() {
		return err
	}
	kind := KindOf(root)
	return PlacedErrorf("%s: this seems to be a %s (YAML); expected %s; 'isoscale %s %s' takes such a file",
		path, kind, expected, CommandOf(kind), path)
}
