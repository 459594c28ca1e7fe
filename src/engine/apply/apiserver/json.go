package apiserver

import (
	"encoding/json"
	"math"
	"sort"
	"strconv"
)

// What follows knows the values that decoding JSON gives: nil, bool, int64, float64, string, []any and map[string]any.

// plain is a deep copy in the form that a value has after it was encoded and decoded: a float without a fraction is an integer.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[key] = plain(item)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = plain(item)
		}
		return out
	case float64:
		// encoding/json writes these without a dot or an exponent.
		if v == math.Trunc(v) && math.Abs(v) < 1e21 {
			if n, err := strconv.ParseInt(strconv.FormatFloat(v, 'f', -1, 64), 10, 64); err == nil {
				return n
			}
		}
		return v
	case int:
		return int64(v)
	}
	return v
}

func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key, item := range a {
			other, ok := b[key]
			if !ok || !equal(item, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i, item := range a {
			if !equal(item, b[i]) {
				return false
			}
		}
		return true
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// appendJSON writes a value with sorted keys. At the path metadata, managedFields are put in where they are given.
func appendJSON(out []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(out, "null"...)
	case bool:
		return strconv.AppendBool(out, v)
	case int64:
		return strconv.AppendInt(out, v, 10)
	case string:
		return appendString(out, v)
	case raw:
		return append(out, v...)
	case []any:
		out = append(out, '[')
		for i, item := range v {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendJSON(out, item)
		}
		return append(out, ']')
	case map[string]any:
		out = append(out, '{')
		for i, key := range sortedKeys(v) {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendString(out, key)
			out = append(out, ':')
			out = appendJSON(out, v[key])
		}
		return append(out, '}')
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // no other values are in an object
	}
	return append(out, text...)
}

// raw is JSON already.
type raw []byte

func appendString(out []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x7f {
			text, err := json.Marshal(s)
			if err != nil {
				panic(err)
			}
			return append(out, text...)
		}
	}
	out = append(out, '"')
	out = append(out, s...)
	return append(out, '"')
}
