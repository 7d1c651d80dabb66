#!/bin/sh
# Renews src/reader/fonts from the dashboard's Inter: the weights of the reader's page, the letters of European languages, and the
# licence, which travels in each sealed file. Needs `pip install fonttools brotli`. Run from the top of the repository.
set -eu
from=node_modules/@fontsource-variable/inter/files
to=src/reader/fonts
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

renew() {
  fonttools varLib.instancer --quiet --no-recalc-timestamp --output "$work/$1.ttf" "$from/inter-$1-wght-normal.woff2" wght=400:650
  pyftsubset "$work/$1.ttf" --unicodes="$2" --layout-features="$3" --name-IDs=0,1,2,4,5,6,13,14 --flavor=woff2 \
    --output-file="$to/inter-$1.woff2"
}

renew latin U+20-7E,U+A0-FF,U+152-153,U+2010-2014,U+2018-201A,U+201C-201E,U+2026,U+20AC kern,tnum
renew latin-ext U+100-107,U+10C-113,U+116-11B,U+11E-11F,U+122-123,U+12A-12B,U+12E-131,U+136-137,U+139-148,U+150-151,U+154-155,U+158-16B,U+16E-17E,U+218-21B,U+1E9E ''
