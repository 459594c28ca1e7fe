package charts

import (
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"math"
	"strings"
	"text/template"
	"time"
)

// A certificate has the fields of that of sprig.
type certificate struct{ Cert, Key string }

// The clock of a render stands still.
var clock = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// functions take the place of those of sprig that no two renders agree on, and of those that make much out of little.
func (c *Consulted) functions() template.FuncMap {
	return merged(c.unlike(), c.certificates(), bounded())
}

func merged(all ...template.FuncMap) template.FuncMap {
	out := template.FuncMap{}
	for _, one := range all {
		for name, function := range one {
			out[name] = function
		}
	}
	return out
}

// note remembers that a function was called.
func (c *Consulted) note(name string) { c.random[name] = true }

// letters gives so many letters of an alphabet, others for another chance.
func (c *Consulted) letters(name, alphabet string) func(int) (string, error) {
	return func(count int) (string, error) {
		c.note(name)
		if err := most(count, 1<<20, name); err != nil {
			return "", err
		}
		return strings.Repeat(string(alphabet[c.world.Chance%len(alphabet)]), max(count, 0)), nil
	}
}

func (c *Consulted) unlike() template.FuncMap {
	bytes := c.letters("randBytes", "xyz")
	return template.FuncMap{
		"randAlphaNum": c.letters("randAlphaNum", "xyz123"),
		"randAlpha":    c.letters("randAlpha", "xyz"),
		"randAscii":    c.letters("randAscii", "xyz"),
		"randNumeric":  c.letters("randNumeric", "123456789"),
		"randBytes": func(count int) (string, error) {
			text, err := bytes(count)
			return base64.StdEncoding.EncodeToString([]byte(text)), err
		},
		"randInt": func(least, below int) (int, error) {
			c.note("randInt")
			if below <= least {
				return 0, errors.New("invalid argument to Intn")
			}
			return least + c.world.Chance%(below-least), nil
		},
		"shuffle": func(text string) string { c.note("shuffle"); return text },
		"uuidv4": func() string {
			c.note("uuidv4")
			return fmt.Sprintf("00000000-0000-4000-8000-%012d", c.world.Chance)
		},
		"now": func() time.Time {
			c.note("now")
			return clock.AddDate(0, 0, c.world.Chance)
		},
		"ago": func(any) string { c.note("ago"); return "0s" },
		"bcrypt": func(string) string {
			c.note("bcrypt")
			return fmt.Sprintf("$2a$10$%053d", c.world.Chance)
		},
		"htpasswd": func(user, _ string) string {
			c.note("htpasswd")
			return fmt.Sprintf("%s:$2a$10$%053d", user, c.world.Chance)
		},
		"encryptAES": func(_, _ string) (string, error) {
			c.note("encryptAES")
			return fmt.Sprintf("%032d", c.world.Chance), nil
		},
	}
}

func (c *Consulted) certificates() template.FuncMap {
	block := func(kind, of string) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: fmt.Appendf(nil, "%s %d", of, c.world.Chance)}))
	}
	issue := func(name, of string) (certificate, error) {
		c.note(name)
		return certificate{Cert: block("CERTIFICATE", cut(of, 64)), Key: block("RSA PRIVATE KEY", "key")}, nil
	}
	return template.FuncMap{
		"genPrivateKey": func(string) string { c.note("genPrivateKey"); return block("RSA PRIVATE KEY", "key") },
		"genCA":         func(name string, _ int) (certificate, error) { return issue("genCA", name) },
		"genCAWithKey":  func(name string, _ int, _ string) (certificate, error) { return issue("genCAWithKey", name) },
		"genSelfSignedCert": func(name string, _, _ []any, _ int) (certificate, error) {
			return issue("genSelfSignedCert", name)
		},
		"genSelfSignedCertWithKey": func(name string, _, _ []any, _ int, _ string) (certificate, error) {
			return issue("genSelfSignedCertWithKey", name)
		},
		"genSignedCert": func(name string, _, _ []any, _ int, _ any) (certificate, error) {
			return issue("genSignedCert", name)
		},
		"genSignedCertWithKey": func(name string, _, _ []any, _ int, _ any, _ string) (certificate, error) {
			return issue("genSignedCertWithKey", name)
		},
		"buildCustomCert": func(cert, key string) (certificate, error) {
			text, err := base64.StdEncoding.DecodeString(cert)
			if err != nil {
				return certificate{}, errors.New("unable to decode base64 certificate")
			}
			private, err := base64.StdEncoding.DecodeString(key)
			if err != nil {
				return certificate{}, errors.New("unable to decode base64 private key")
			}
			return certificate{string(text), string(private)}, nil
		},
	}
}

func most(count, bound int, name string) error {
	if count > bound {
		return fmt.Errorf("%s of more than %d is not rendered", name, bound)
	}
	return nil
}

// What a list or a text may have that is made of a number.
const (
	mostItems  = 1 << 20
	mostIndent = 1 << 16
)

func bounded() template.FuncMap {
	return template.FuncMap{
		"repeat": func(count int, text string) (string, error) {
			if count > 0 && len(text) > 0 && count > MaxBytes/4/len(text) {
				return "", fmt.Errorf("repeat makes more than %d bytes", MaxBytes/4)
			}
			return strings.Repeat(text, max(count, 0)), nil
		},
		"printf": func(format string, values ...any) (string, error) {
			text := fmt.Sprintf(format, values...)
			if len(text) > MaxBytes/4 {
				return "", fmt.Errorf("printf makes more than %d bytes", MaxBytes/4)
			}
			return text, nil
		},
		"until":     func(count int) ([]int, error) { return steps(0, count, sign(count)) },
		"untilStep": steps,
		"seq":       sequence,
		"indent": func(spaces int, text string) (string, error) {
			return indented(spaces, text)
		},
		"nindent": func(spaces int, text string) (string, error) {
			text, err := indented(spaces, text)
			return "\n" + text, err
		},
	}
}

func sign(count int) int {
	if count < 0 {
		return -1
	}
	return 1
}

// steps are those of sprig's untilStep, which gives none for a step that goes nowhere.
func steps(start, stop, step int) ([]int, error) {
	out := []int{}
	if step == 0 || (stop < start) != (step < 0) {
		return out, nil
	}
	if count := math.Abs(float64(stop)-float64(start)) / math.Abs(float64(step)); count > mostItems {
		return nil, fmt.Errorf("a list of more than %d numbers is not rendered", mostItems)
	}
	for i := start; (step > 0 && i < stop) || (step < 0 && i > stop); i += step {
		out = append(out, i)
	}
	return out, nil
}

// sequence writes the numbers of a range that has both ends, as sprig's seq does.
func sequence(of ...int) (string, error) {
	start, step, end := 1, 1, 0
	switch len(of) {
	case 1:
		end = of[0]
	case 2:
		start, end = of[0], of[1]
	case 3:
		start, step, end = of[0], of[1], of[2]
	default:
		return "", nil
	}
	last := 1
	if end < start {
		if last = -1; len(of) == 3 && step > 0 {
			return "", nil
		}
		if len(of) < 3 {
			step = -1
		}
	}
	numbers, err := steps(start, end+last, step)
	if err != nil {
		return "", err
	}
	return strings.Trim(fmt.Sprint(numbers), "[]"), nil
}

func indented(spaces int, text string) (string, error) {
	if err := most(spaces, mostIndent, "indent"); err != nil {
		return "", err
	}
	pad := strings.Repeat(" ", spaces)
	if lines := strings.Count(text, "\n") + 1; lines*len(pad) > MaxBytes/4 {
		return "", fmt.Errorf("indent makes more than %d bytes", MaxBytes/4)
	}
	return pad + strings.ReplaceAll(text, "\n", "\n"+pad), nil
}
