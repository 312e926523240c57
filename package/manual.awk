# SPDX-License-Identifier: MIT
# manual.awk: a page of docs/ as a manual page (man 7).
#
#   awk -f manual.awk -v page=ACHDGEN-LAYOUT -v section=5 -v name="achdgen-layout" -v about="..." -v see=achdgen:1 \
#     -v "date=21 Nov 2026" -v version="achdgen 0.2.0" layouts.md > achdgen-layout.5
#
# It knows the Markdown that the pages use: headings, paragraphs, lists, tables, blocks of code (fenced or indented), and
# `code`, **bold**, *italic* and [links](target) within a line. A table becomes a list: an item for each row, with the heading of
# each further column before its cell.

# Text of a manual page that prints as it is written here.
function plain(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  gsub(/'/, "\\(aq", text)
  gsub(/`/, "\\(ga", text)
  gsub(/\^/, "\\(ha", text)
  gsub(/~/, "\\(ti", text)
  gsub(/"/, "\\(dq", text)
  return text
}

# A line of text with its markup. Links keep their words: the pages they lead to are under SEE ALSO.
function inline(text, out, at, word) {
  out = ""
  while (match(text, /`[^`]+`|\*\*[^*]+\*\*|\*[^* ][^*]*\*|\[[^]]+\]\([^)]+\)/)) {
    out = out plain(substr(text, 1, RSTART - 1))
    word = substr(text, RSTART, RLENGTH)
    text = substr(text, RSTART + RLENGTH)
    if (word ~ /^`/) out = out "\\fB" plain(substr(word, 2, length(word) - 2)) "\\fR"
    else if (word ~ /^\*\*/) {
      gsub(/[`*]/, "", word)
      out = out "\\fB" plain(word) "\\fR"
    }
    else if (word ~ /^\*/) out = out "\\fI" plain(substr(word, 2, length(word) - 2)) "\\fR"
    else {
      at = index(word, "](")
      out = out "\\fI" plain(substr(word, 2, at - 2)) "\\fR"
    }
  }
  return out plain(text)
}

# Prints a line that begins with no dot (a request); a line that begins with ' is escaped already.
function say(line) {
  if (line ~ /^\./) line = "\\&" line
  print line
}

# The paragraph, or the item of a list, that has been gathered.
function flush() {
  if (paragraph == "") return
  if (item) print ".IP \\(bu 3"
  else if (!fresh) print ".PP"
  say(inline(paragraph))
  paragraph = ""
  item = fresh = 0
}

function open_code() {
  flush()
  print fresh ? ".RS 1" : ".PP\n.RS 1"
  print ".nf"
  code = 1
  fresh = 0
}

function close_code() {
  print ".fi\n.RE"
  code = 0
}

function trim(text) {
  sub(/^ +/, "", text)
  sub(/ +$/, "", text)
  return text
}

# cells[1..n] of a row of a table: what is between its bars. A bar within `code` is one of the cell.
function split_row(line, n, k, c, within) {
  line = trim(line)
  line = substr(line, 2, length(line) - 2)
  n = 1
  cells[1] = ""
  within = 0
  for (k = 1; k <= length(line); k++) {
    c = substr(line, k, 1)
    if (c == "`") within = !within
    if (c == "|" && !within) cells[++n] = ""
    else cells[n] = cells[n] c
  }
  for (k = 1; k <= n; k++) cells[k] = trim(cells[k])
  return n
}

function table_row(line, n, k, text) {
  n = split_row(line)
  if (cells[1] ~ /^:?-+:?$/) return
  if (!rows++) {
    for (k = 1; k <= n; k++) heading[k] = cells[k]
    return
  }
  print ".TP"
  say(inline(cells[1]))
  text = ""
  for (k = 2; k <= n; k++) {
    if (cells[k] == "") continue
    if (text != "") text = text "; "
    # What a word means is said last, in a sentence of its own.
    if (heading[k] == "meaning" || heading[k] ~ /threshold t$/) {
      if (text != "") text = substr(text, 1, length(text) - 2) ".\n.br\n"
      text = text inline(cells[k])
    } else {
      text = text (n == 2 || heading[k] == "" ? "" : inline(heading[k]) ": ") inline(cells[k])
    }
  }
  say(text == "" ? "\\&" : text)
}

BEGIN {
  split(date, day, " ") # 21 Nov 2026
  date = sprintf("%d-%02d-%02d", day[3], (index("JanFebMarAprMayJunJulAugSepOctNovDec", day[2]) + 2) / 3, day[1])
  printf ".\\\" made of docs by package/manual.awk: change it there\n"
  printf ".TH %s %s \"%s\" \"%s\" \"achdgen\"\n", plain(page), section, date, version
  # No hyphens and no stretched lines: words of the language stand as they are written.
  print ".nh\n.ad l"
  print ".SH NAME"
  print plain(name) " \\- " about
  fresh = 0
}

# Fenced code; the language beside the fence is left out.
/^```/ {
  if (code) close_code()
  else open_code()
  next
}
code == 1 {
  say(plain($0))
  next
}

# Indented code, which may have empty lines within.
indented && /^(    |$)/ {
  if ($0 == "") empty++
  else {
    for (; empty > 0; empty--) print ""
    say(plain(substr($0, 5)))
  }
  next
}
indented {
  close_code()
  indented = empty = 0
}
/^    / && paragraph == "" && !item {
  open_code()
  code = 0
  indented = 1
  say(plain(substr($0, 5)))
  next
}

/^\|/ {
  flush()
  table_row($0)
  fresh = 0
  next
}
rows { rows = 0 }

/^# / { # the title of the page: what it says is under DESCRIPTION
  print ".SH DESCRIPTION"
  fresh = 1
  next
}
/^## / {
  flush()
  print ".SH " toupper(plain(substr($0, 4)))
  fresh = 1
  next
}
/^### / {
  flush()
  print ".SS " plain(substr($0, 5))
  fresh = 1
  next
}
/^$/ {
  flush()
  next
}
/^- / {
  flush()
  item = 1
  paragraph = substr($0, 3)
  next
}
{
  sub(/^ +/, "")
  paragraph = paragraph == "" ? $0 : paragraph " " $0
}

END {
  if (indented) close_code()
  flush()
  print ".SH SEE ALSO"
  at = index(see, ":")
  printf ".BR %s (%s)", plain(substr(see, 1, at - 1)), substr(see, at + 1)
  print ",\nand the pages that are installed with them: README.md, docs/tour.md, docs/conventions.md, docs/runtime.md"
}
