package fault

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// Each case has the files of a computer; the expected value is the least of meminfo and,
// for each group with a limit, limit - (used - cached).
func TestAvailableMemory(t *testing.T) {
	const meminfo = "MemTotal: 8000000 kB\nMemFree: 1 kB\nMemAvailable:    1000000 kB\n" // 1,024,000,000 bytes
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  units.Bytes // 0: unknown
	}{
		{"nothing", nil, 0},
		{"no groups", map[string]string{"meminfo": meminfo}, 1_024_000_000},
		{"version 2, own group", map[string]string{
			"meminfo": meminfo, "self": "0::/slurm/job_7/step_0\n",
			"groups/slurm/job_7/step_0/memory.max": "500000000\n", "groups/slurm/job_7/step_0/memory.current": "100000000\n",
		}, 400_000_000},
		{"version 2, limit of a group above", map[string]string{
			"meminfo": meminfo, "self": "0::/slurm/job_7/step_0\n",
			"groups/slurm/job_7/step_0/memory.max": "max\n", "groups/slurm/job_7/step_0/memory.current": "100000000\n",
			"groups/slurm/job_7/memory.max": "300000000\n", "groups/slurm/job_7/memory.current": "200000000\n",
		}, 100_000_000},
		{"version 2, cached files are given back", map[string]string{
			"meminfo": meminfo, "self": "0::/job\n",
			"groups/job/memory.max": "500000000\n", "groups/job/memory.current": "490000000\n",
			"groups/job/memory.stat": "anon 1\nfile 400000000\ninactive_file 390000000\n",
		}, 400_000_000},
		{"version 2, in a container", map[string]string{
			"meminfo": meminfo, "self": "0::/docker/abc\n",
			"groups/memory.max": "200000000\n", "groups/memory.current": "50000000\n",
		}, 150_000_000},
		{"version 1", map[string]string{
			"meminfo": meminfo, "self": "9:cpu,cpuacct:/cpu\n4:memory:/slurm/uid_1/job_7\n1:name=systemd:/\n",
			"groups/memory/slurm/uid_1/job_7/memory.limit_in_bytes": "600000000\n",
			"groups/memory/slurm/uid_1/job_7/memory.usage_in_bytes": "100000000\n",
			"groups/memory/memory.limit_in_bytes":                   "9223372036854771712\n", // none
			"groups/memory/memory.usage_in_bytes":                   "7000000000\n",
		}, 500_000_000},
		{"more is used than allowed", map[string]string{
			"meminfo": meminfo, "self": "0::/job\n",
			"groups/job/memory.max": "100\n", "groups/job/memory.current": "200\n",
		}, 0},
		{"the computer has less than the group", map[string]string{
			"meminfo": meminfo, "self": "0::/job\n",
			"groups/job/memory.max": "5000000000\n", "groups/job/memory.current": "0\n",
		}, 1_024_000_000},
		{"damaged", map[string]string{
			"meminfo": meminfo, "self": "x\n0::\n",
			"groups/memory.max": "many\n", "groups/memory.current": "\n",
		}, 1_024_000_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range tt.files {
				file := filepath.Join(root, name)
				expect.Success(t, os.MkdirAll(filepath.Dir(file), 0o777))
				expect.Success(t, os.WriteFile(file, []byte(text), 0o666))
			}
			var a available
			a.readMeminfo(filepath.Join(root, "meminfo"))
			a.readGroups(filepath.Join(root, "self"), filepath.Join(root, "groups"))
			expect.That(t, a.bytes == tt.want && a.known == (tt.files != nil),
				"%v, known %v; want %v", float64(a.bytes), a.known, float64(tt.want))
		})
	}
}
