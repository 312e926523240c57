#!/bin/sh
# SPDX-License-Identifier: MIT
# report/bundle.sh SOURCE BUILD: the libraries of package-lock.json (npm checks their hashes), and the page's script with what
# it uses of them, in BUILD. Nothing of the libraries comes into SOURCE.
set -eu
source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
cp "$source/package.json" "$source/package-lock.json" "$build"
cp "$source"/*.js "$source/page.css" "$build"
cd "$build"
if ! cmp -s package-lock.json installed.json; then
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
  cp package-lock.json installed.json
fi
for page in page robot_page live; do
  node_modules/.bin/esbuild $page.js --bundle --minify --format=iife --target=es2020 --legal-comments=none --charset=ascii --log-level=warning \
    --outfile=$page.unsafe.js
  # in a page, </script would end the script
  sed 's|</script|<\\/script|g' $page.unsafe.js >$page.bundle.js
  rm $page.unsafe.js
done
cp node_modules/uplot/dist/uPlot.min.css uPlot.css
for name in three uplot; do
  printf '%s %s\n\n' "$name" "$(sed -n 's/.*"version": "\(.*\)".*/\1/p' "node_modules/$name/package.json" | head -1)"
  cat "node_modules/$name/LICENSE"
  printf '\n'
done >licences.txt
