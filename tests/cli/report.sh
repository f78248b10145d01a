#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slice: gpu-model
# report.sh BUILD_DIR: the page of a run needs nothing else, closes what it opens, shows the run's figures, and has a section for each thing
# that the run left; names from outside cannot become markup.
. tests/kit/shell.sh
page=$work/page.html
report() { # report RUN: to $page, checked as every page
  must "$tandem" report "$work/$1" --out "$page"
  if grep -niE 'https?:|<script|<link|<img|<iframe|@import|url\(|src=|javascript:' "$page" | grep -v 'w3.org'; then fail "$1: the page refers to something else"; fi
  grep -q 'prefers-color-scheme:dark' "$page" || fail "$1: no dark scheme"
  # elements are closed in order; these have no end
  grep -oE '</?[a-z][a-z0-9]*([ >]|/>)|/>' "$page" | tr -d ' ' | awk '
    /^<\// { sub(/^<\//, ""); sub(/>$/, ""); if (stack[n] != $0) { print "</" $0 "> closes <" stack[n] ">"; exit 1 } n--; next }
    $0 == "/>" { n--; next }
    { sub(/^</, ""); single = /\/>$/; sub(/\/?>$/, ""); if ($0 ~ /^(meta|br)$/) next; if (!single) stack[++n] = $0 }
    END { if (n) { print n " elements are open, the last <" stack[n] ">"; exit 1 } }' >"$work/log" || fail_showing "$work/log" "$1: the page is no proper tree"
  if grep -qE 'nan|inf[^o]|-nan' <(grep -oE '(points|x|y|width|height)="[^"]*"' "$page"); then fail "$1: a plot has a value that is no number"; fi
}
has() { grep -q -e "$1" "$page" || fail "the page lacks '$1'"; }
lacks() { ! grep -q -e "$1" "$page" || fail "the page has '$1'"; }
commas() { printf "%s" "$1" | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta'; }

simulate full sgemv:m=480 -c small --system d2ma --sample 500 --histograms --lines --engine 'sm0.*=lockstep'
report full
for title in 'Where the cycles of the SMs went' 'Over time' 'Issue of each SM' 'Lines of PTX' 'Latencies' 'Launches' 'Blocks' 'Configuration'; do has "$title"; done
lacks 'was made without'
for counter in core_cycles sm.warp_instructions sm.replies memory.l2_hits memory.dram_reads; do
  has ">$(commas "$(statistic full "$counter")")<"
done
has "<b>$(commas "$(statistic full core_cycles)")</b><span>core cycles"
has 'sm0.d2ma.*lockstep'
# shares of a bar add up to 100
sed -n 's/^.*<title>sgemv[a-z0-9_]*, [^:]*: \([0-9.]*\) %.*$/\1/p' "$page" | awk '{ s += $1 } END { if (s < 99.5 || s > 100.5) { print s; exit 1 } }' || fail "the bar of the kernel is not whole"
# the median of a latency by sorting nothing but the table
wanted=$(awk -F, '$1 == "load" { n += $5; to[++k] = $4; c[k] = $5 } END { for (i = 1; i <= k; i++) { s += c[i]; if (s >= n / 2) { print to[i]; exit } } }' "$work/full/histograms.csv")
has "<td>load</td>.*<td class=\"n\">$wanted</td>"
has 'tr class="set"><td>sm.count' # another value than the default stands out

simulate plain saxpy:n=64 -c small
report plain
has 'was made without <code>--sample N</code>'
lacks 'Over time'
simulate barrel transpose:rows=32,columns=32 -c elastic16 --set sm.count=2 --system elastic --sample 50 --histograms
report barrel
has 'bank conflict'
lacks '>dma<'

sed 's|"machine": "[^"]*"|"machine": "</p><b>\&\\""|; s/"kernel": "saxpy/"kernel": "<i>saxpy/' "$work/plain/run.json" >"$work/strange.json"
cp -r "$work/plain" "$work/strange"
mv "$work/strange.json" "$work/strange/run.json"
report strange
has '&lt;i&gt;saxpy'

refused "there is no" "$tandem" report "$work/nothing"
refused "cannot write" "$tandem" report "$work/plain" --out "$work/none/page.html"
sed -i '3s/,/,1,/' "$work/full/samples.csv"
refused "samples.csv:3: more than the" "$tandem" report "$work/full" --out "$work/other.html"
sed -i '4s/,[0-9]*$//; 3s/,1,/,/' "$work/full/samples.csv"
refused "samples.csv:4" "$tandem" report "$work/full" --out "$work/other.html"
[ ! -e "$work/other.html" ] || fail "a page is left of a run that was refused"
