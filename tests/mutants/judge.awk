# Did exactly the expected points turn red, by the expected checks?
# Files: EXPECTED (red or some, number of the line, check, columns, KEY; parted by tabs), KEYS (one a line,
# in the order of the rows), points.csv of the unmutated program, points.csv of the mutated one. `also`:
# invariants that may break too at points that may turn red. Says what is otherwise, and then ends with 1.
function say(text) { if (faults++ < SHOWN) print "  " text }

function cell(row, name,    parts) {
    if (!(name in column)) { say("there is no column " name); return "" }
    split(row, parts, ",")
    return parts[column[name]]
}

# Ids of an invariants cell, each between blanks, in the order of the cell.
function ids_of(text) {
    gsub(/\|/, " ", text)
    return text == "ok" || text == "skipped" || text == "" ? "" : " " text " "
}

function is_among(word, list) { return index(" " list " ", " " word " ") }

function judge_invariants(key, found,    parts, count, i) {
    count = split(found, parts, " ")
    for (i = 1; i <= count; i++)
        if (!is_among(parts[i], must[key] " " may[key]) && !(key in can_turn && is_among(parts[i], also)))
            say(key ": " parts[i] " is broken, which was not expected")
    count = split(must[key], parts, " ")
    for (i = 1; i <= count; i++)
        if (!is_among(parts[i], found)) say(key ": not broken, though expected: " parts[i])
}

function has_moved(was, is, names,    parts, count, i) {
    count = split(names, parts, " ")
    for (i = 1; i <= count; i++) if (cell(was, parts[i]) == cell(is, parts[i])) return 0
    return was != is
}

function judge_point(key, was, is,    parts, count, i) {
    judge_invariants(key, ids_of(cell(is, "invariants")))
    if (!(key in can_turn) && was != is) say(key ": its row has changed, which was not expected")
    if (key in must_turn && was == is) say(key ": its row is as ever")
    count = split(columns[key], parts, " ")
    for (i = 1; i <= count; i++)
        if (!has_moved(was, is, parts[i])) say(key ": " parts[i] " has not moved")
    if (key in verdicts && cell(is, "verdict") != verdicts[key])
        say(key ": verdict " cell(is, "verdict") ", expected " verdicts[key])
    if (cell(is, "golden") != (was == is ? "match" : "mismatch"))
        say(key ": golden " cell(is, "golden") ", though its row " (was == is ? "is as ever" : "has changed"))
    seen[key] = 1
    red += was != is
    row_was[key] = was
    row_is[key] = is
}

# A point that does not run can only turn red by its verdict.
function expect(l) {
    if (check[l] != "verdict" && verdict_before[of[l]] != "pass") return
    can_turn[of[l]] = 1
    if (how[l] == "red") must_turn[of[l]] = 1
    if (how[l] == "some") {
        wanted[number[l]] = check[l]
        if (check[l] != "golden") may[of[l]] = may[of[l]] " " check[l]
    } else if (check[l] == "verdict") verdicts[of[l]] = named[l]
    else if (check[l] == "golden") columns[of[l]] = columns[of[l]] " " named[l]
    else must[of[l]] = must[of[l]] " " check[l]
}

function has_turned(l, was, is) {
    if (check[l] == "golden") return has_moved(was, is, named[l])
    return is_among(check[l], ids_of(cell(is, "invariants")))
}

# Of each `some` at least one point.
function judge_some(    l, n) {
    for (l = 1; l <= lines; l++) {
        if (how[l] != "some" || !(of[l] in seen)) continue
        if (has_turned(l, row_was[of[l]], row_is[of[l]])) delete wanted[number[l]]
    }
    for (n in wanted) say("no point at all turned red by " wanted[n])
}

BEGIN { SHOWN = 4 }
FNR == 1 { file++ }
file == 1 {
    split($0, part, "\t")
    lines++
    how[lines] = part[1]; number[lines] = part[2]; check[lines] = part[3]; named[lines] = part[4]
    of[lines] = part[5]
    next
}
file == 2 { key[FNR] = $0; keys++; next }
file == 3 && FNR == 1 {
    header = $0
    n = split($0, names, ",")
    for (i = 1; i <= n; i++) column[names[i]] = i
    next
}
file == 3 { before[FNR - 1] = $0; rows++; next }
FNR == 1 {
    if ($0 != header) say("points.csv has other columns")
    for (r = 1; r <= rows; r++) verdict_before[key[r]] = cell(before[r], "verdict")
    for (l = 1; l <= lines; l++) expect(l)
    next
}
{ judge_point(key[FNR - 1], before[FNR - 1], $0); rows_after++ }
END {
    if (keys != rows || rows != rows_after) say("rows: " keys " keys, " rows " before, " rows_after " after")
    for (k in can_turn) { expected++; if (!(k in seen)) say("no row of " k) }
    if (!expected && !has_gates) say("no point is expected to turn red")
    judge_some()
    if (faults > SHOWN) print "  and " faults - SHOWN " more"
    if (faults) exit 1
    printf "%d points", red
}
