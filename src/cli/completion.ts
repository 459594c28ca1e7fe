/** `customizer-lint completion SHELL`: a script that completes commands, options and their words, made from the table of options. */
import { UsageError } from '../core/model.js';
import { groups } from '../rules/groups.js';
import { rules } from '../rules/index.js';
import { textOf, usesOf } from './help.js';
import { type CommandName, commands, type Option, type OptionUse, options } from './options.js';
import type { Program } from './program.js';
import type { Call } from './root.js';

const shells = { bash, zsh, fish };
const names = Object.keys(commands) as CommandName[];

export async function completion({ operands: [shell] }: Call, { stdout }: Program): Promise<number> {
  if (shell === undefined || !Object.hasOwn(shells, shell))
    throw new UsageError(`completion of which shell? ${Object.keys(shells).join(', ')}`);
  stdout.write(shells[shell as keyof typeof shells]());
  return 0;
}

/** The words that an option takes; none where it is a file or a name. */
function wordsOf({ name, accepts }: OptionUse): readonly string[] {
  const { accepts: always }: Option = options[name];
  const ids = rules.map(({ id }) => id);
  if (name === 'rule') return ids;
  if (name === 'select' || name === 'ignore') return [...Object.keys(groups), ...ids];
  return accepts ?? always ?? [];
}

function bash(): string {
  const cases = names.map((name) => {
    const flags = usesOf(name).map((use) => `--${use.name}`);
    return `    ${name}) words='${flags.join(' ')}' ;;`;
  });
  const values = names.flatMap((name) =>
    usesOf(name)
      .filter((use) => wordsOf(use).length > 0)
      .map(
        (use) =>
          `    '${name} --${use.name}') COMPREPLY=($(compgen -W '${wordsOf(use).join(' ')}' -- "$word")); return ;;`,
      ),
  );
  return `# bash completion of customizer-lint
_customizer_lint() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=check words=''
  for one in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $one in
    ${names.join('|')}) command=$one; break ;;
    esac
  done
  case "$command $before" in
${values.join('\n')}
    'rules rules') COMPREPLY=($(compgen -W '${rules.map(({ id }) => id).join(' ')}' -- "$word")); return ;;
    'charts charts') COMPREPLY=($(compgen -W 'pull' -- "$word")); return ;;
    'completion completion') COMPREPLY=($(compgen -W '${Object.keys(shells).join(' ')}' -- "$word")); return ;;
  esac
  case $command in
${cases.join('\n')}
  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$word"))
  elif ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W '${names.join(' ')} help' -- "$word") $(compgen -f -- "$word"))
  else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _customizer_lint customizer-lint
`;
}

/** A word between single quotes of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function zsh(): string {
  const described = names.map((name) => `    ${quoted(`${name}:${commands[name].summary.replaceAll(':', ',')}`)}`);
  const cases = names.map((name) => {
    const specs = usesOf(name).map((use) => quoted(`--${use.name}${zshValue(use)}`));
    const operand = name === 'rules' ? ` '1:rule:(${rules.map(({ id }) => id).join(' ')})'` : '';
    const verb = name === 'charts' ? ` '1:what:(pull)'` : '';
    const shell = name === 'completion' ? ` '1:shell:(${Object.keys(shells).join(' ')})'` : '';
    return `    ${name}) _arguments ${specs.join(' ')}${operand}${verb}${shell} '*:file:_files' ;;`;
  });
  return `#compdef customizer-lint
_customizer_lint() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then _describe command commands; _files; return; fi
  local command=\${words[2]}
  ((\${+commands[(r)$command:*]})) && { shift words; ((CURRENT--)) } || command=check
  case $command in
${cases.join('\n')}
  esac
}
compdef _customizer_lint customizer-lint
`;
}

function zshValue(use: OptionUse): string {
  const { type }: Option = options[use.name];
  const words = wordsOf(use);
  const text = textOf(use).replace(/[[\]:]/g, ' ');
  if (type === 'boolean') return `[${text}]`;
  return `=[${text}]:value:${words.length > 0 ? `(${words.join(' ')})` : '_files'}`;
}

function fish(): string {
  const isFirst = `not __fish_seen_subcommand_from ${names.join(' ')}`;
  const lines = names.flatMap((name) => {
    const seen = name === 'check' ? isFirst : `__fish_seen_subcommand_from ${name}`;
    return [
      `complete -c customizer-lint -n ${quoted(isFirst)} -a ${name} -d ${quoted(commands[name].summary)}`,
      ...usesOf(name).map((use) => {
        const { type }: Option = options[use.name];
        const words = wordsOf(use);
        const value = type === 'boolean' ? '' : words.length > 0 ? ` -x -a ${quoted(words.join(' '))}` : ' -r';
        return `complete -c customizer-lint -n ${quoted(seen)} -l ${use.name}${value} -d ${quoted(textOf(use))}`;
      }),
    ];
  });
  const operand = `complete -c customizer-lint -n '__fish_seen_subcommand_from rules' -f -a ${quoted(rules.map(({ id }) => id).join(' '))}`;
  const verb = `complete -c customizer-lint -n '__fish_seen_subcommand_from charts' -f -a pull`;
  return `# fish completion of customizer-lint\n${[...lines, operand, verb].join('\n')}\n`;
}
