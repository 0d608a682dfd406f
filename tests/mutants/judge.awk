# Did exactly the expected points turn red, by the expected checks?
# Files: EXPECTED (check, columns, KEY; parted by tabs), KEYS (one a line, in the order of the rows),
# points.csv of the unmutated program, points.csv of the mutated one. `also`: invariants that may break
# too at points that are to turn red. Says what is otherwise and ends with 1 if anything is.
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

function judge_point(key, was, is,    found, wanted, i, parts, count) {
    found = ids_of(cell(is, "invariants"))
    wanted = invariants[key]
    count = split(found, parts, " ")
    for (i = 1; i <= count; i++) {
        if (index(wanted, " " parts[i] " ")) sub(" " parts[i] " ", " ", wanted)
        else if (!(key in is_expected) || !index(" " also " ", " " parts[i] " "))
            say(key ": " parts[i] " is broken, which was not expected")
    }
    gsub(/ +/, " ", wanted)
    if (wanted != " " && wanted != "") say(key ": not broken, though expected:" wanted)
    if (!(key in is_expected) && was != is) say(key ": its row has changed, which was not expected")
    if (key in is_expected && was == is) say(key ": its row is as ever")
    count = split(columns[key], parts, " ")
    for (i = 1; i <= count; i++)
        if (cell(was, parts[i]) == cell(is, parts[i])) say(key ": " parts[i] " has not moved")
    if (key in verdicts && cell(is, "verdict") != verdicts[key])
        say(key ": verdict " cell(is, "verdict") ", expected " verdicts[key])
    seen[key] = 1
    red += was != is
}

BEGIN { SHOWN = 4 }
FNR == 1 { file++ }
file == 1 {
    split($0, part, "\t")
    line++
    check[line] = part[1]; named[line] = part[2]; of[line] = part[3]
    next
}
file == 2 { key[FNR] = $0; keys++; next }
file == 3 && FNR == 1 { header = $0; n = split($0, names, ","); for (i = 1; i <= n; i++) column[names[i]] = i; next }
file == 3 { before[FNR - 1] = $0; rows++; next }
FNR == 1 {
    if ($0 != header) say("points.csv has other columns")
    for (r = 1; r <= rows; r++) verdict_before[key[r]] = cell(before[r], "verdict")
    for (l = 1; l <= line; l++) {
        # A point that does not run can only turn red by its verdict.
        if (check[l] != "verdict" && verdict_before[of[l]] != "pass") continue
        is_expected[of[l]] = 1
        if (check[l] == "verdict") verdicts[of[l]] = named[l]
        else if (check[l] == "golden") columns[of[l]] = columns[of[l]] " " named[l]
        else invariants[of[l]] = invariants[of[l]] " " check[l] " "
    }
    next
}
{ judge_point(key[FNR - 1], before[FNR - 1], $0); rows_after++ }
END {
    if (keys != rows || rows != rows_after) say("rows: " keys " keys, " rows " before, " rows_after " after")
    for (k in is_expected) { expected++; if (!(k in seen)) say("no row of " k) }
    if (!expected && !has_gates) say("no point is expected to turn red")
    if (faults > SHOWN) print "  and " faults - SHOWN " more"
    if (faults) exit 1
    printf "%d points", red
}
