#!/bin/sh
# Builds echarts.min.js.gz from the packages of package-lock.json, in a folder of its own.
# build.sh --check fails if the result is not the committed file.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/package.json" "$here/package-lock.json" "$here/charts.js" "$work"
cd "$work"
npm ci --silent --no-audit --no-fund --ignore-scripts
node_modules/.bin/esbuild charts.js --bundle --minify --legal-comments=none --format=iife --target=es2020 \
	--define:process.env.NODE_ENV='"production"' --log-level=warning --outfile=built.js
{
	printf '/* Apache ECharts 5.6.0 and zrender 5.6.1, in part, built by build.sh.\n'
	printf 'Licensed to the Apache Software Foundation (ASF) under the Apache License 2.0. zrender: BSD 3-Clause. */\n'
	cat built.js
} >echarts.min.js
node -e 'const fs = require("fs"); require("@gfx/zopfli").gzip(fs.readFileSync("echarts.min.js"), {}, (e, out) => { if (e) throw e; fs.writeFileSync("echarts.min.js.gz", out); });'
if [ "${1-}" = --check ]; then
	cmp echarts.min.js.gz "$here/echarts.min.js.gz"
else
	cp echarts.min.js.gz "$here"
	cd "$here"
	sha256sum echarts.min.js.gz LICENSE LICENSE-d3 LICENSE-zrender NOTICE >SHA256SUMS
fi
