package store

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestShards(t *testing.T) {
	for _, tt := range []struct{ points, want int }{
		{0, 1}, {1, 1}, {2, 2}, {31, 31}, {32, 32}, {100, 32}, {1000, 32}, // root 31.6
		{1024, 32}, {1025, 33}, {10_000, 100}, {999_999, 1000}, {1_000_000, 1000}, {10_000_000, 1000},
	} {
		if got := Shards(tt.points); got != tt.want {
			t.Errorf("%d points: %d shards, want %d", tt.points, got, tt.want)
		}
	}
}

func TestPointsOf(t *testing.T) {
	for _, tt := range []struct {
		points, shards int
		want           []int
	}{
		{1, 1, []int{1}},
		{10, 3, []int{4, 3, 3}},
		{9, 3, []int{3, 3, 3}},
		{2, 4, []int{1, 1, 0, 0}},
	} {
		p := Plan{Points: tt.points, Shards: tt.shards}
		for shard, want := range tt.want {
			if got := p.PointsOf(shard); got != want {
				t.Errorf("%d points, %d shards: shard %d has %d, want %d", tt.points, tt.shards, shard, got, want)
			}
		}
	}
}

func TestRanges(t *testing.T) {
	for _, tt := range []struct {
		numbers []int
		want    string
	}{
		{nil, ""},
		{[]int{0}, "0"},
		{[]int{7, 25, 38, 39}, "7,25,38-39"},
		{[]int{3, 1, 2, 2, 5}, "1-3,5"},
		{[]int{0, 1, 2, 3}, "0-3"},
	} {
		before := slices.Clone(tt.numbers)
		if got := Ranges(tt.numbers); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.numbers, got, tt.want)
		}
		if !slices.Equal(before, tt.numbers) {
			t.Errorf("Ranges has changed %v to %v", before, tt.numbers)
		}
	}
}

func TestParseRanges(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []int
	}{
		{"", nil},
		{"7,25,38-39", []int{7, 25, 38, 39}},
		{"5,1-3,2", []int{1, 2, 3, 5}},
		{"4-4", []int{4}},
		{"99999", []int{99999}},
	} {
		if got, err := ParseRanges(tt.text); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %v, %v; want %v", tt.text, got, err, tt.want)
		}
	}
	for _, text := range []string{
		",", "1,", "a", "-", "-1", "1-", "3-1", "1-2-3", " 1", "1:2", "1-9%2", "+1", "0x1", "1_0", "100000", "0-100000",
		"99999999999999999999", "0-99999,1", strings.Repeat("0-99999,", 1000) + "1",
	} {
		if got, err := ParseRanges(text); err == nil || !strings.Contains(err.Error(), "7,25,38-39") && !strings.Contains(err.Error(), "at most once") {
			t.Errorf("%.20q: got %d numbers, %v", text, len(got), err)
		}
	}
	if all, err := ParseRanges("0-99999"); err != nil || len(all) != 100_000 {
		t.Errorf("got %d numbers, %v", len(all), err)
	}
}

func TestRangesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfDistinct(rapid.IntRange(0, 40), rapid.ID[int]).Draw(t, "numbers")
		got, err := ParseRanges(Ranges(numbers))
		slices.Sort(numbers)
		if err != nil || !slices.Equal(got, numbers) {
			t.Fatalf("got %v, %v; want %v", got, err, numbers)
		}
	})
}
