/** Charts made to hurt, as a change of a repository can bring them with a PackageSource of its own. */
import type { Files } from '../../support/trees.js';
import { bomb } from './shapes.js';

const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n';
const template = (text: string): Files => ({ 'templates/a.yaml': text });
const nested = (open: string, within: string, close: string, times: number) =>
  `${open.repeat(times)}${within}${close.repeat(times)}`;

/** `outside` is a folder that no report may show anything of. */
export const hostileCharts = (outside: () => string): Record<string, () => Files> => ({
  'a range without an end': () =>
    template(`${yaml}  a: "{{ range $a := until 60000 }}{{ range $b := until 60000 }}{{ end }}{{ end }}"\n`),
  'many ranges': () => template(`${yaml}  a: "${nested('{{ range until 1000 }}', 'x', '{{ end }}', 8)}"\n`),
  'a template that calls itself': () =>
    template('{{- define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}\n'),
  'an include that calls itself': () => template('{{- define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}\n'),
  'two includes that call each other twice': () =>
    template(
      '{{- define "a" }}{{ include "b" . }}{{ include "b" . }}{{ end }}{{- define "b" }}{{ include "a" . }}{{ include "a" . }}{{ end }}{{ include "a" . }}\n',
    ),
  'tpl of itself': () => template('{{- $t := "{{ tpl .t . }}" }}{{ tpl $t (dict "t" $t "Template" .Template) }}\n'),
  'tpl that doubles': () =>
    template(
      '{{- $t := "{{ $x := printf `%s%s` .x .x }}{{ tpl .t (dict `x` $x `t` .t `Template` .Template) }}" }}{{ tpl $t (dict "x" "xxxxxxxx" "t" $t "Template" .Template) }}\n',
    ),
  'a map that holds itself': () =>
    template(`{{- $_ := set .Values "self" .Values }}${yaml}  a: {{ .Values | toJson | quote }}\n`),
  'a map that holds itself, as YAML': () =>
    template(`{{- $_ := set .Values "self" .Values }}${yaml}  a: {{ toYaml .Values | quote }}\n`),
  'a map that holds itself, printed': () =>
    template(`{{- $_ := set .Values "self" .Values }}${yaml}  a: {{ print .Values | quote }}\n`),
  'a map that holds itself, merged': () =>
    template(
      '{{- $_ := set .Values "self" .Values }}{{ $x := merge (dict) .Values .Values }}{{ $y := deepCopy .Values }}\n',
    ),
  'if in if in if': () => template(nested('{{ if true }}', 'x: 1', '{{ end }}', 100_000)),
  'with in with': () => template(nested('{{ with . }}', 'x: 1', '{{ end }}', 20_000)),
  'parentheses in parentheses': () => template(`{{ ${nested('(', '1', ')', 200_000)} }}\n`),
  'a long pipe': () => template(`{{ "a" ${'| quote '.repeat(100_000)} }}\n`),
  'a text that is repeated': () => template(`${yaml}  a: {{ repeat 2000000000 "x" }}\n`),
  'a text that is repeated and repeated': () => template(`${yaml}  a: {{ repeat 30000 (repeat 30000 "x") }}\n`),
  'an indent without an end': () => template(`${yaml}  a: {{ indent 2000000000 "x" }}\n`),
  'a format without an end': () => template(`${yaml}  a: {{ printf "%02000000000d" 1 }}\n`),
  'a list without an end': () => template(`${yaml}  a: {{ until 2000000000 | toJson }}\n`),
  'a replacement that explodes': () =>
    template(
      `{{- $x := "x" }}{{- range until 40 }}{{- $x = replace "x" "xxxxxxxx" $x }}{{- end }}${yaml}  a: {{ $x }}\n`,
    ),
  'lists of lists that double': () =>
    template(`{{- $x := list 1 }}{{- range until 60 }}{{- $x = list $x $x }}{{- end }}${yaml}  a: {{ toJson $x }}\n`),
  'objects without end that the API server refuses': () =>
    template(
      '{{ range $i := until 2000 }}---\napiVersion: v1\nkind: Service\nmetadata: {name: s{{ $i }}}\nspec:\n  ports:\n{{ range $j := until 60 }}  - {port: -{{ add $i $j }}, name: "BAD_{{ $.Values.note }}_{{ $j }}"}\n{{ end }}{{ end }}',
    ),
  'a gigabyte of output': () => template(`${yaml}  a: |\n{{ range until 60000 }}    ${'x'.repeat(20_000)}\n{{ end }}`),
  'a hundred thousand objects': () =>
    template('{{ range until 100000 }}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a-{{ . }}}\n{{ end }}'),
  'aliases in what a template writes': () => template(bomb(9, 10)),
  'aliases in the values': () => ({ 'values.yaml': bomb(9, 10), ...template('a: {{ .Values | toJson }}\n') }),
  'deep YAML in what a template writes': () => template(`a: ${nested('[', '', ']', 200_000)}\n`),
  'deep YAML in the values': () => ({
    'values.yaml': `a: ${nested('{a: ', '1', '}', 50_000)}\n`,
    ...template('a: 1\n'),
  }),
  'deep JSON': () => template(`a: {{ fromJson (printf "%s" (repeat 500000 "[")) }}\n`),
  'a file outside, by its name': () =>
    template(
      `${yaml}  a: {{ .Files.Get "../../../../../../../..${outside()}/plain.txt" | quote }}\n  b: {{ .Files.Get "${outside()}/plain.txt" | quote }}\n`,
    ),
  'files outside, by a pattern': () =>
    template(
      `${yaml}  a: {{ (.Files.Glob "../**").AsConfig | quote }}\n  b: {{ (.Files.Glob "${outside()}/*").AsConfig | quote }}\n`,
    ),
  'a link to a file outside': () => ({
    'secret.txt': { link: `${outside()}/plain.txt` },
    ...template(`${yaml}  a: {{ .Files.Get "secret.txt" | quote }}\n`),
  }),
  'a link to a folder outside': () => ({
    files: { link: outside() },
    ...template(`${yaml}  a: {{ (.Files.Glob "files/*").AsConfig | quote }}\n`),
  }),
  'the environment': () => template(`${yaml}  a: {{ env "PATH" }}\n  b: {{ expandenv "$HOME" }}\n`),
  'the network': () => template(`${yaml}  a: {{ getHostByName "localhost" }}\n`),
  'a dependency outside': () => ({
    'Chart.yaml': `apiVersion: v2\nname: hostile\nversion: 0.1.0\ndependencies: [{name: a, version: 0.1.0, repository: "file://../../../../..${outside()}"}]\n`,
    ...template('a: 1\n'),
  }),
  'a Chart.yaml of a megabyte': () => ({
    'Chart.yaml': `apiVersion: v2\nname: hostile\nversion: 0.1.0\ndescription: ${'x'.repeat(4_000_000)}\n`,
    ...template('a: 1\n'),
  }),
  'a Chart.yaml with aliases': () => ({
    'Chart.yaml': `name: hostile\nversion: 0.1.0\n${bomb(9, 10)}`,
    ...template('a: 1\n'),
  }),
  'a chart with a name that leads out': () => ({
    'Chart.yaml': 'apiVersion: v2\nname: ../../../../etc\nversion: 0.1.0\n',
    ...template('a: 1\n'),
  }),
  'charts in charts in charts': () => {
    const files: Files = {};
    for (let depth = 0, folder = ''; depth < 60; depth++, folder += 'charts/a/') {
      files[`${folder}Chart.yaml`] = `apiVersion: v2\nname: a\nversion: 0.1.0\n`;
      files[`${folder}templates/a.yaml`] = `a: {{ .Values.global.x }}\n`;
    }
    return files;
  },
  'a chart of five thousand templates': () =>
    Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`templates/${at}.yaml`, '{{ include "none" . }}\n'])),
  'a schema that refers to a file': () => ({
    'values.schema.json': `{"$ref": "file://${outside()}/plain.txt"}`,
    ...template('a: 1\n'),
  }),
  'a schema that refers to the network': () => ({
    'values.schema.json': '{"properties": {"a": {"$ref": "http://127.0.0.1:1/x"}}}',
    ...template('a: 1\n'),
  }),
  'a schema that refers to itself': () => ({ 'values.schema.json': '{"$ref": "#"}', ...template('a: 1\n') }),
  'a schema with an expression that is a loop': () => ({
    'values.schema.json': '{"properties": {"note": {"type": "string", "pattern": "^(a+)+$"}}}',
    'values.yaml': `note: ${'a'.repeat(100_000)}b\n`,
    ...template('a: 1\n'),
  }),
  'an expression that is a loop': () =>
    template(`${yaml}  a: {{ regexReplaceAll "(a*)*(a*)*(a*)*b" (repeat 50000 "a") "x" }}\n`),
  'an expression without an end': () => template(`${yaml}  a: {{ regexMatch (repeat 5000 "(a{1000}){1000}") "a" }}\n`),
  'commands and marks in a failure': () =>
    template(
      '{{ fail "x\\n::error file=a::pwned\\n::set-output name=a::pwned\\n# pwned\\n<script>pwned</script>\\u001b[31mpwned\\u202e" }}\n',
    ),
  'a failure without an end': () => template('{{ fail (repeat 1000000 "pwn ") }}\n'),
  'broken bytes': () => ({ 'templates/a.yaml': Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe, 0x00, 0x0a]) }),
  'bytes of zero in the values': () => ({
    'values.yaml': Buffer.from('a: "\0\0"\n'),
    ...template('a: {{ .Values.a }}\n'),
  }),
  'an archive that is none': () => ({ 'charts/a-0.1.0.tgz': Buffer.from('not an archive'), ...template('a: 1\n') }),
  'names of keys that are prototypes': () => ({
    'values.yaml': '__proto__: {a: 1}\nconstructor: {prototype: {a: 1}}\n',
    ...template(`${yaml}  __proto__: "1"\n  constructor: {{ toJson .Values | quote }}\n`),
  }),
  'certificates without an end': () =>
    template(`{{ range until 60000 }}{{ $c := genCA "a" 365 }}{{ $k := genPrivateKey "rsa" }}{{ end }}\n`),
  'passwords without an end': () =>
    template('{{ range until 60000 }}{{ $x := derivePassword 1 "long" "a" "b" "c" }}{{ $y := bcrypt "a" }}{{ end }}\n'),
  'a kubeVersion that is none': () => ({
    'Chart.yaml': `apiVersion: v2\nname: hostile\nversion: 0.1.0\nkubeVersion: "${'>=1.0 || '.repeat(100_000)}"\n`,
    ...template('a: 1\n'),
  }),
});
