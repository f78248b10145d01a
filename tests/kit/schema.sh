#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# rows: elsewhere
# Validation of JSON against the schemas of configs/schemas, for tests that source tests/kit/shell.sh first. It knows the keywords that
# these schemas use, and refuses others.

schema_rules='
def known: ["$comment", "$schema", "title", "description", "type", "const", "enum", "required", "properties", "additionalProperties", "items"];
def is($t): type as $y | if $t == "integer" then $y == "number" and floor == . else $y == $t end;
def wrong($s; $p): . as $v
  | (($s | keys - known)[] | "\($p): the schema has a keyword \(.)"),
    (if $s.type then ([$s.type] | flatten) as $types
       | if any($types[]; . as $t | $v | is($t)) then empty else "\($p): \($v | type) instead of \($types | join(" or "))" end
     else empty end),
    (if ($s | has("const")) and $s.const != $v then "\($p): \($v) instead of \($s.const)" else empty end),
    (if $s.enum and all($s.enum[]; . != $v) then "\($p): \($v) is not one of \($s.enum | join(", "))" else empty end),
    (if type == "object" then
       ($s.required // [] | .[] | select(. as $k | $v | has($k) | not) | "\($p): no \(.)"),
       (to_entries[] | .key as $k | .value
         | if $s.properties | has($k)? then wrong($s.properties[$k]; "\($p).\($k)")
           elif $s.additionalProperties == false then "\($p): \($k) is not in the schema"
           elif $s.additionalProperties then wrong($s.additionalProperties; "\($p).\($k)")
           else empty end)
     elif type == "array" and $s.items then to_entries[] | .key as $i | .value | wrong($s.items; "\($p)[\($i)]")
     else empty end);
.[] | .schema as $name | wrong($schema[0]; $name // "(no schema)")'

# differences FILE NAME: one line for each place at which an object, or an object of an array, is not what NAME.json says
differences() {
  jq 'if type == "array" then . else [.] end | if length == 0 then error("an empty array shows nothing") else . end' "$1" |
    jq -r --slurpfile schema "configs/schemas/$2.json" "$schema_rules"
}
