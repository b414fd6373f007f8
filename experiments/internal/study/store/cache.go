package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A Cache keeps values in a directory, each in a file of its own under the SHA-256 sum of
// everything that it depends on. It is for work of which nobody knows before what it takes.
//
// A file gets its name when it is complete, and is never changed but for a damaged one:
// processes may be killed at any time, and several on many computers may use a cache at once.
type Cache struct{ path string }

// Key identifies a value by everything that it depends on.
type Key string

// KeyOf returns the key of what depends on a text.
func KeyOf(text []byte) Key {
	sum := sha256.Sum256(text)
	return Key(hex.EncodeToString(sum[:20]))
}

// OpenCache makes a cache, or opens the one that is there. Mark is the name of the file by
// which it is known to be one, and text what that says. Other files are not mixed with a
// cache: that is an *[OccupiedError].
func OpenCache(path, mark, text string) (*Cache, error) {
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, failed("make the directory", path, err)
	}
	c := &Cache{path}
	name := filepath.Join(path, mark)
	if there, err := os.ReadFile(name); !errors.Is(err, fs.ErrNotExist) {
		if err == nil && string(there) != text {
			err = fmt.Errorf("%s: not of this version of the program; expected a new directory", name)
		}
		return c, err
	}
	if err := checkEmpty(path, mark); err != nil {
		return nil, err
	}
	return c, Replace(name, []byte(text))
}

func (c *Cache) name(key Key) string { return filepath.Join(c.path, string(key)+".json") }

// Has reports whether there is a value under a key.
func (c *Cache) Has(key Key) (bool, error) { return exists(c.name(key)) }

// Get returns the value under a key, nil if there is none that can be read.
func (c *Cache) Get(key Key) []byte {
	value, err := os.ReadFile(c.name(key))
	if err != nil {
		return nil
	}
	return value
}

// Put keeps a value.
func (c *Cache) Put(key Key, value []byte) error { return Replace(c.name(key), value) }
