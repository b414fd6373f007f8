#!/usr/bin/env bash
# Times SimGrid and isoscale on one trace: ring on a backbone of docs/performance.md.
#
#   docs/compare-with-simgrid.sh [RANKS [ROUNDS [1 for unsynchronised]]]
#
# For the fat tree of the page, replace the backbone (bb_bw, bb_lat) by topology="FAT_TREE"
# topo_parameters="3;16,16,16;1,8,8;1,1,1", with bw="1GBps" lat="10us".
set -euo pipefail
ranks=${1:-1024} rounds=${2:-100} uneven=${3:-0}
cd "$(mktemp -d)"
awk -v n="$ranks" -v rounds="$rounds" -v uneven="$uneven" 'BEGIN {
  for (r = 0; r < n; r++) print r, "init"
  for (k = 0; k < rounds; k++) for (r = 0; r < n; r++) {
    work = uneven ? 1e6 + int(rand() * 2e8) : 1e6
    print r, "compute", work; print r, "irecv", (r + n - 1) % n, 0, 1000000
    print r, "isend", (r + 1) % n, 0, 1000000; print r, "waitall" }
  for (r = 0; r < n; r++) print r, "finalize" }' > ring.ti
echo ring.ti > list
cat > backbone.xml <<END
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="all" routing="Full">
  <cluster id="c" prefix="h" radical="0-$((ranks - 1))" suffix="" speed="1Gf"
           bw="125MBps" lat="50us" bb_bw="2.25GBps" bb_lat="500us"/>
</zone></platform>
END
seq -f 'h%g' 0 $((ranks - 1)) > hosts
time smpirun -replay list -platform backbone.xml -hostfile hosts -np "$ranks"
time isoscale replay --ti list --platform backbone.xml --hostfile hosts --np "$ranks"
