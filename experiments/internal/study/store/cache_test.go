package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A value is there under its key once it is put, in every process; a damaged file is
// replaced; and a directory of something else is left alone.
func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	open := func(text string) (*Cache, error) { return OpenCache(dir, "cache.json", text) }
	c, err := open("v1")
	if err != nil {
		t.Fatal(err)
	}
	a, b := KeyOf([]byte("a")), KeyOf([]byte("b"))
	if a == b || len(a) != 40 {
		t.Fatalf("keys %s and %s", a, b)
	}
	if err := c.Put(a, []byte("damaged")); err != nil {
		t.Fatal(err)
	}
	if err := c.Put(a, []byte("value")); err != nil {
		t.Fatal(err)
	}
	// What a process leaves that is killed while it writes.
	if err := os.WriteFile(filepath.Join(dir, string(b)+".json.HOST.1.KILLED.tmp"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := open("v1")
	if err != nil {
		t.Fatal(err)
	}
	if has, err := again.Has(a); !has || err != nil || string(again.Get(a)) != "value" {
		t.Errorf("%v, %v, %q", has, err, again.Get(a))
	}
	if has, err := again.Has(b); has || err != nil || again.Get(b) != nil {
		t.Errorf("a value that nobody put: %v, %v", has, err)
	}
	if _, err := open("v2"); err == nil {
		t.Error("a cache of another version is opened")
	}
	var occupied *OccupiedError
	if _, err := OpenCache(dir, "other.json", "v1"); !errors.As(err, &occupied) {
		t.Errorf("a directory of something else: %v", err)
	}
}
