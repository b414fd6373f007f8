package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/schema/schematest"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// A link, and the one declaration of what a file may say about it.
type link struct {
	Latency units.Seconds
	Lanes   int
	Duplex  string
}

var linkRecord = schema.Declare("a link, as in {latency: 1 us}", func(k *schema.Keys, l *link) {
	k.Required("latency", schema.Time.To(&l.Latency), "time of an empty message")
	k.Optional("lanes", schema.Integer{Min: 1, Max: 16}.To(&l.Lanes).Or(4), "cables side by side")
	k.Optional("duplex", schema.Choice(&l.Duplex, "way of sending", []string{"full", "half"}).Or("full"), "whether both directions share the link")
	if l.Duplex == "half" && l.Lanes > 1 {
		k.Fail(k.Node("duplex"), "several lanes", "full duplex")
	}
})

func ExampleDeclare() {
	root, err := yamldoc.Parse("link.yaml", []byte("latency: 2 us\nlanes: 20\nwidth: 3\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	var d yamldoc.Decoder
	var l link
	linkRecord.Read(&d, root, &l)
	fmt.Println(l.Latency, l.Duplex)
	fmt.Println(d.Err())
	for _, f := range linkRecord.Fields() {
		fmt.Printf("%s (default %q): %s\n", f.Key, f.Default, f.Meaning)
	}
	// Output:
	// 2 us full
	// link.yaml:2:8: lanes: 20 is more than 16; expected a whole number, 1 to 16
	// link.yaml:3:1: unknown key "width"; expected one of duplex, lanes, latency
	// latency (default ""): time of an empty message
	// lanes (default "4"): cables side by side
	// duplex (default "full"): whether both directions share the link
}

// cable has one key of every kind of value.
type cable struct {
	Name, Title string
	Long        float64
	Spare       bool
	Power       units.Watts
	Ends        []string
	Link        link
	Backup      *link
	More        []link
	Price       units.Money
	Raw         *yamldoc.Node
	Noted       []string
}

var cableRecord = schema.Declare("a cable", func(k *schema.Keys, c *cable) {
	k.Noted = func(key, value string, given bool) {
		c.Noted = append(c.Noted, fmt.Sprint(key, "=", value, " ", given))
	}
	k.Optional("name", schema.Name.To(&c.Name).Else("that of its file"), "its name")
	k.Noted = nil
	k.Optional("title", schema.Text.To(&c.Title), "the cable in a few words")
	k.Optional("long", schema.Number{Max: 9, Above: true}.To(&c.Long).Or(2.5), "length in metres, above 0 and at most 9")
	k.Optional("spare", schema.Boolean.To(&c.Spare), "true: not in use")
	k.Optional("power", schema.Power.To(&c.Power), "electrical power")
	k.Optional("ends", schema.ListOf[string]{Of: schema.Text, What: "names of ends", Min: 2, Max: 3}.To(&c.Ends), "what it connects")
	k.Optional("link", linkRecord.To(&c.Link), "as a link")
	k.Optional("backup", schema.Pointer(linkRecord, &c.Backup), "what takes its place")
	k.Optional("more", schema.ListOf[link]{Of: linkRecord, What: "links", Min: 1}.To(&c.More), "links beside it")
	k.Optional("price", schema.Money.To(&c.Price), "what it costs")
	k.Optional("colours", schema.Func(schema.Map{Of: schema.AnyOf{schema.Integer{Min: 0, Max: 7}, schema.OneOf{"red"}}, Max: 2}, func(n *yamldoc.Node) {
		for i, name := range k.Mapping(n, "colours by name").Keys() {
			if v := n.Value(name); i > 1 {
				k.Fail(v, "a third colour", "at most two")
			} else if !v.IsScalar() || v.Text() != "red" {
				k.Int(v, 0, 7, "a colour: 0 to 7, or red")
			}
		}
	}), "of the strands")
	k.Optional("raw", schema.Node(schema.Any, &c.Raw).Else("nothing"), "anything")
})

func readCable(t *testing.T, text string) (c cable, err error) {
	t.Helper()
	root := expect.Value(yamldoc.Parse("c", []byte(text)))(t)
	var d yamldoc.Decoder
	cableRecord.Read(&d, root, &c)
	return c, d.Err()
}

func TestRecordReads(t *testing.T) {
	c, err := readCable(t, `{name: x, title: a cable, long: 3, spare: true, power: 2 W, ends: [a, 1], link: {latency: 1 s},
  backup: {latency: 2 s, lanes: 2}, more: [{latency: 3 s, duplex: half, lanes: 1}], raw: [1]}`)
	if err != nil {
		t.Fatal(err)
	}
	expect.That(t, c.Raw != nil && c.Raw.IsSequence(), "raw is %v", c.Raw)
	c.Raw = nil
	want := cable{Name: "x", Title: "a cable", Long: 3, Spare: true, Power: 2, Ends: []string{"a", "1"}, Link: link{1, 4, "full"},
		Backup: &link{2, 2, "full"}, More: []link{{3, 1, "half"}}, Noted: []string{"name=x true"}}
	expect.Same(t, c, want, "what was made")
	c, err = readCable(t, "{}")
	d := cmp.Diff(cable{Long: 2.5}, c)
	expect.That(t, d == "" && err == nil, "of an empty file: %v; want -, got +\n%s", err, d)
}

// ^ marks the place that the message must name.
func TestRecordReportsProblems(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"^3", "found the number 3; expected a mapping that describes a cable"},
		{"{^nam: x}", `unknown key "nam"; expected one of backup, colours, ends, link, long, more, name, power, price, raw, spare, title; did you mean "name"?`},
		{"{name: ^a b}", "name: bad name; expected " + schema.WantName},
		{"{title: ^[]}", "title: found a sequence; expected the cable in a few words"},
		{"{long: ^10}", "long: 10 is out of range; expected a number, above 0, at most 9"},
		{"{power: ^2}", `power: power "2": the unit is missing; expected a power of at least 0, such as 350 W`},
		{"{ends: ^[a]}", "ends: 1 names of ends; expected at least 2"},
		{"{ends: ^[a, b, c, d]}", "ends: 4 names of ends; expected at most 3"},
		{"{more: ^[]}", "more: no links; expected at least one"},
		{"{more: [^{}]}", `more[0]: missing key "latency"; expected a time of at least 0, such as 50 us`},
		{"{backup: {latency: 1 s, duplex: ^half}}", "backup.duplex: several lanes; expected full duplex"},
		{"{backup: {latency: 1 s, duplex: ^both}}", `backup.duplex: unknown way of sending "both"; expected one of full, half`},
	} {
		_, err := readCable(t, strings.Replace(tt.text, "^", "", 1))
		want := fmt.Sprintf("c:1:%d: %s", 1+strings.Index(tt.text, "^"), tt.want)
		expect.That(t, err != nil && err.Error() == want, "%s:\ngot  %v\nwant %s", tt.text, err, want)
	}
}

// The declaration has the defaults that reading takes, and says which keys are required.
func TestRecordDeclares(t *testing.T) {
	var got []string
	for _, f := range cableRecord.Fields() {
		got = append(got, f.Key+"="+f.Default)
	}
	want := []string{"name=that of its file", "title=", "long=2.5", "spare=", "power=", "ends=", "link=", "backup=", "more=", "price=", "colours=", "raw=nothing"}
	expect.Same(t, got, want, "what was read")
	backup := cableRecord.Field("backup").Type.(*schema.Object)
	f := backup.Field("latency")
	expect.That(t, f.Required && !(backup.Field("lanes").Required), "%+v", backup.Fields())
}

// For every kind of value, the schema accepts and refuses the same files as the reader. The
// table says of each text whether it is accepted.
func TestSchemaAndReaderAgree(t *testing.T) {
	s := schematest.Of(t, cableRecord.Object)
	for text, accepted := range map[string]bool{
		"{}": true, "3": false, "{nam: x}": false,
		"{name: a-1}": true, "{name: -1}": false, "{name: 12}": true, "{title: 12}": true, "{title: [a]}": false,
		"{long: 9}": true, "{long: 0}": false, "{long: 9.5}": false, "{long: a}": false,
		"{spare: false}": true, "{spare: 1}": false,
		"{power: 0}": true, "{power: 2 W}": true, "{power: 1.5e3 kW}": true, "{power: -2 W}": false, "{power: 2}": false, "{power: 2 s}": false,
		"{ends: [a, b]}": true, "{ends: [a]}": false, "{ends: [a, b, c, d]}": false, "{ends: a}": false,
		"{link: {latency: 1 us, lanes: 16}}": true, "{link: {lanes: 1}}": false, "{link: {latency: 1 us, lanes: 17}}": false, "{backup: {latency: 1 us, duplex: both}}": false,
		"{price: 3 EUR}": true, "{price: 0}": true, "{price: 3}": false, "{price: -3 EUR}": false,
		"{colours: {a: 7, b: red}}": true, "{colours: {a: 8}}": false, "{colours: {a: blue}}": false, "{colours: {a: 1, b: 2, c: 3}}": false,
		"{raw: [{a: 1}]}": true,
	} {
		_, err := readCable(t, text)
		expect.That(t, (err == nil) == accepted, "%s: the reader says %v", text, err)
		err = s.AgreeText(text, err)
		expect.That(t, err == nil, "%s: %v", text, err)
	}
}

// The schema of a partial file requires nothing, at any depth.
func TestPartialRequiresNothing(t *testing.T) {
	s := schematest.Of(t, schema.Partial(schema.List{Of: linkRecord.Object}))
	if err := s.AgreeText("[{lanes: 2}, {}]", nil); err != nil {
		t.Error(err)
	}
	if err := schematest.Of(t, linkRecord.Only([]string{"lanes"}, "duplex")).AgreeText("{lanes: 2, duplex: full}", nil); err != nil {
		t.Error(err)
	}
	expect.Equal(t, len(linkRecord.Without("lanes").Requiring("duplex").Fields()), 2, "fields")
}

func TestWords(t *testing.T) {
	for want, of := range map[string]schema.Type{
		"time, at least 0":                      schema.Time,
		"whole number, 1 to 2^30":               schema.Integer{Min: 1, Max: 1 << 30},
		"number, above 0, below 1":              schema.Number{Max: 1, Above: true, Below: true},
		"a, b, or list of text":                 schema.AnyOf{schema.OneOf{"a", "b"}, schema.List{Of: schema.Text}},
		"mapping of names to money, at least 0": schema.Map{Of: schema.Money},
		"{latency, lanes, duplex}":              linkRecord.Object,
		"mapping":                               schema.Later(func() schema.Type { return cableRecord.Object }),
		"true or false":                         schema.Boolean,
		"any value":                             schema.Any,
	} {
		got := schema.Words(of)
		expect.That(t, got == want, "%q; want %q", got, want)
	}
}
