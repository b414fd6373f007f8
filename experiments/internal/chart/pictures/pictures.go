package pictures

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed" // the script and the style
	"encoding/base64"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"sync"
)

// Style is the style of the pictures themselves. It needs the style of package palette.
//
//go:embed pictures.css
var Style string

var (
	//go:embed timeline.js
	timelineScript string
	//go:embed mount.js
	mountScript string
	//go:embed topology.js
	topologyScript string
)

//go:embed elements.js
var elementsScript string

// Elements is the script by which other scripts make elements of a page.
var Elements = func() string {
	list, err := json.Marshal(append(joints, [2]string{name, ""}))
	if err != nil {
		panic("pictures: " + err.Error()) // of constants
	}
	return strings.Replace(elementsScript, "JOINTS", string(list), 1)
}()

// joints are where a line of prose does not break, as expressions that Go and browsers understand alike, with what is
// put there: between a number and its unit, and around what says that something has a value, as in "r2 = 3". Whole
// numbers of five digits and more are in groups of three, and microseconds, which terminals and files have as us, are as on
// the axes of charts.
var joints = [][2]string{
	{`(^|[ (])([0-9]{1,3})([0-9]{3})([0-9]{3})([0-9]{3})\b`, "$1$2\u00a0$3\u00a0$4\u00a0$5"},
	{`(^|[ (])([0-9]{1,3}) ?([0-9]{3}) ?([0-9]{3})\b`, "$1$2\u00a0$3\u00a0$4"},
	{`(^|[ (])([0-9]{2,3})([0-9]{3})\b`, "$1$2\u00a0$3"},
	{`(^|[ (])([0-9]{1,3}) ([0-9]{3})\b`, "$1$2\u00a0$3"},
	{`([0-9]) us($|[^0-9A-Za-z_])`, "$1\u00a0µs$2"},
	{`([0-9]) ((?:%|min|h|d|EUR|Wh|kWh|(?:[pnuµmkMGTPE]|[KMGTPE]i)?(?:B/s|bit/s|flop/s|flop/B|flop|s|B|W|J|Hz))(?:[^0-9A-Za-z/]|$))`, "$1\u00a0$2"},
	{`([0-9A-Za-z_)]) = ([-0-9A-Za-z])`, "$1\u00a0=\u00a0$2"},
}

// name is a name with a number or an extension, such as node-1.0.down, which does not break after its hyphen.
const name = `([A-Za-z][0-9A-Za-z_]*-[-0-9A-Za-z_.]{0,20}(?:[0-9]|\.[a-z])[-0-9A-Za-z_.]{0,20})`

var compiled = sync.OnceValue(func() (all []*regexp.Regexp) {
	for _, j := range joints {
		all = append(all, regexp.MustCompile(j[0]))
	}
	return append(all, regexp.MustCompile(name))
})

// Packed returns data compressed by gzip, which a page unpacks.
func Packed(data []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(data)
		err = errors.Join(err, w.Close())
	}
	if err != nil { // a buffer has no errors
		panic("pictures: " + err.Error())
	}
	return out.Bytes()
}

// Hash returns the hash by which the policy of a page allows a script or a style.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Joined returns a text whose lines do not break at joints.
func Joined(text string) string {
	for k, j := range joints {
		text = compiled()[k].ReplaceAllString(text, j[1])
	}
	return text
}

// Names divides a text: what is between names that do not break alternates with those names.
func Names(text string) (pieces []string) {
	at := 0
	for _, place := range compiled()[len(joints)].FindAllStringIndex(text, -1) {
		pieces, at = append(pieces, text[at:place[0]], text[place[0]:place[1]]), place[1]
	}
	return append(pieces, text[at:])
}

// Script is what draws the pictures.
var Script = Elements + timelineScript + mountScript + topologyScript
