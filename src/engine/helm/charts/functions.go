package charts

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"text/template"
	"time"

	"github.com/Masterminds/sprig/v3"
)

// A certificate has the fields of that of sprig.
type certificate struct{ Cert, Key string }

// The clock of a render stands still, and is moved by all that a date has for another chance.
var clock = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func (c *Consulted) now() time.Time {
	return clock.AddDate(c.world.Chance, c.world.Chance, c.world.Chance).Add(time.Duration(c.world.Chance) * (time.Hour + time.Minute + time.Second))
}

// sprigs are the functions of sprig as they are.
var sprigs = sprig.TxtFuncMap()

// functions take the place of those of sprig that no two renders agree on, and of those that make much out of little.
func (c *Consulted) functions() template.FuncMap {
	out := template.FuncMap{}
	for _, one := range []template.FuncMap{c.unlike(), c.dates(), c.certificates(), bounded()} {
		maps.Copy(out, one)
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
			if count < 0 {
				return "", errors.New("makeslice: len out of range")
			}
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
		"shuffle": func(text string) string {
			c.note("shuffle")
			letters := []rune(text)
			by := c.world.Chance % max(len(letters), 1)
			return string(letters[by:]) + string(letters[:by])
		},
		"uuidv4": func() string {
			c.note("uuidv4")
			return fmt.Sprintf("00000000-0000-4000-8000-%012d", c.world.Chance)
		},
		"bcrypt": func(string) string {
			c.note("bcrypt")
			return fmt.Sprintf("$2a$10$%053d", c.world.Chance)
		},
		"htpasswd": func(user, _ string) string {
			if strings.Contains(user, ":") {
				return "invalid username: " + user
			}
			c.note("htpasswd")
			return fmt.Sprintf("%s:$2a$10$%053d", user, c.world.Chance)
		},
		"encryptAES": c.encryptAES,
		"keys": func(of ...map[string]any) []string {
			out := []string{}
			for _, one := range of {
				out = append(out, c.keys("keys", one)...)
			}
			return out
		},
		"values": func(of map[string]any) []any {
			out := []any{}
			for _, key := range c.keys("values", of) {
				out = append(out, of[key])
			}
			return out
		},
	}
}

// keys are in an order that Helm leaves to chance: with another one, the other way round.
func (c *Consulted) keys(name string, of map[string]any) []string {
	out := slices.Sorted(maps.Keys(of))
	if len(out) > 1 {
		c.note(name)
	}
	if c.world.Chance%2 == 1 {
		slices.Reverse(out)
	}
	return out
}

// encryptAES is sprig's with a fixed vector, so that decryptAES gives the text again.
func (c *Consulted) encryptAES(password, text string) (string, error) {
	c.note("encryptAES")
	if text == "" {
		return "", nil
	}
	key := make([]byte, 32)
	copy(key, password)
	block, err := aes.NewCipher(key)
	if err != nil {
		return "", err
	}
	padding := aes.BlockSize - len(text)%aes.BlockSize
	content := append([]byte(text), strings.Repeat(string(rune(padding)), padding)...)
	out := append(fmt.Appendf(nil, "%0*d", aes.BlockSize, c.world.Chance), content...)
	cipher.NewCBCEncrypter(block, out[:aes.BlockSize]).CryptBlocks(out[aes.BlockSize:], content)
	return base64.StdEncoding.EncodeToString(out), nil
}

// dates are sprig's, which take what is no date for the moment, with a clock that stands still.
func (c *Consulted) dates() template.FuncMap {
	inZone := sprigs["dateInZone"].(func(string, any, string) string)
	rounded := sprigs["durationRound"].(func(any) string)
	dated := func(name, layout string, date any, zone string) string {
		switch date.(type) {
		case time.Time, *time.Time, int64, int, int32:
		default:
			c.note(name)
			date = c.now()
		}
		return inZone(layout, date, zone)
	}
	const day = "2006-01-02"
	return template.FuncMap{
		"now":            func() time.Time { c.note("now"); return c.now() },
		"date":           func(layout string, date any) string { return dated("date", layout, date, "Local") },
		"dateInZone":     func(layout string, date any, zone string) string { return dated("dateInZone", layout, date, zone) },
		"date_in_zone":   func(layout string, date any, zone string) string { return dated("date_in_zone", layout, date, zone) },
		"htmlDate":       func(date any) string { return dated("htmlDate", day, date, "Local") },
		"htmlDateInZone": func(date any, zone string) string { return dated("htmlDateInZone", day, date, zone) },
		"ago": func(date any) string {
			c.note("ago")
			at := c.now()
			switch date := date.(type) {
			case time.Time:
				at = date
			case int64:
				at = time.Unix(date, 0)
			case int:
				at = time.Unix(int64(date), 0)
			}
			return c.now().Sub(at).Round(time.Second).String()
		},
		"durationRound": func(duration any) string {
			if at, ok := duration.(time.Time); ok {
				c.note("durationRound")
				duration = int64(c.now().Sub(at))
			}
			return rounded(duration)
		},
	}
}

func (c *Consulted) block(kind, of string) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: fmt.Appendf(nil, "%s %d", of, c.world.Chance)}))
}

// issue makes a certificate for names and addresses, which have to be such.
func (c *Consulted) issue(name, of string, addresses, names []any) (certificate, error) {
	c.note(name)
	for _, address := range addresses {
		text, ok := address.(string)
		if !ok {
			return certificate{}, fmt.Errorf("error parsing ip: %v is not a string", address)
		}
		if net.ParseIP(text) == nil {
			return certificate{}, fmt.Errorf("error parsing ip: %s", text)
		}
	}
	for _, one := range names {
		if _, ok := one.(string); !ok {
			return certificate{}, fmt.Errorf("error processing alternate dns name: %v is not a string", one)
		}
	}
	return certificate{Cert: c.block("CERTIFICATE", cut(of, 64)), Key: c.block("RSA PRIVATE KEY", "key")}, nil
}

// The block of a private key, by the name of its kind.
var keys = map[string]string{"": "RSA PRIVATE KEY", "rsa": "RSA PRIVATE KEY", "dsa": "DSA PRIVATE KEY", "ecdsa": "EC PRIVATE KEY", "ed25519": "PRIVATE KEY"}

func (c *Consulted) certificates() template.FuncMap {
	return template.FuncMap{
		"genPrivateKey": func(kind string) string {
			block, ok := keys[kind]
			if !ok {
				return "Unknown type " + kind
			}
			c.note("genPrivateKey")
			return c.block(block, "key")
		},
		"genCA": func(name string, _ int) (certificate, error) { return c.issue("genCA", name, nil, nil) },
		"genCAWithKey": func(name string, _ int, _ string) (certificate, error) {
			return c.issue("genCAWithKey", name, nil, nil)
		},
		"genSelfSignedCert": func(name string, addresses, names []any, _ int) (certificate, error) {
			return c.issue("genSelfSignedCert", name, addresses, names)
		},
		"genSelfSignedCertWithKey": func(name string, addresses, names []any, _ int, _ string) (certificate, error) {
			return c.issue("genSelfSignedCertWithKey", name, addresses, names)
		},
		"genSignedCert": func(name string, addresses, names []any, _ int, _ any) (certificate, error) {
			return c.issue("genSignedCert", name, addresses, names)
		},
		"genSignedCertWithKey": func(name string, addresses, names []any, _ int, _ any, _ string) (certificate, error) {
			return c.issue("genSignedCertWithKey", name, addresses, names)
		},
		// What is inside is not looked at, as that of the functions above is nothing.
		"buildCustomCert": func(cert, key string) (certificate, error) {
			text, err := base64.StdEncoding.DecodeString(cert)
			if err != nil {
				return certificate{}, errors.New("unable to decode base64 certificate")
			}
			private, err := base64.StdEncoding.DecodeString(key)
			if err != nil {
				return certificate{}, errors.New("unable to decode base64 private key")
			}
			if block, _ := pem.Decode(text); block == nil {
				return certificate{}, errors.New("unable to decode certificate")
			}
			return certificate{string(text), string(private)}, nil
		},
	}
}
