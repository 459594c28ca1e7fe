export const id = 590;
export const ids = [590];
export const modules = {

/***/ 5590:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  main: () => (/* binding */ main)
});

// EXTERNAL MODULE: external "node:url"
var external_node_url_ = __webpack_require__(3136);
// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(1421);
;// CONCATENATED MODULE: ./src/git.ts
/** Git as a reader of bytes: plumbing only, with nothing that the repository's own configuration could start. */

/** `git` is missing, or it refused. */
class GitError extends Error {
    name = 'GitError';
}
// A repository's configuration can name programs to run (fsmonitor, hooks, filters); none of these commands needs one.
const inert = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'protocol.allow=never'];
/** The environment without what could steer git or leak a token: only what finds programs and the user's home. */
function environment() {
    const { PATH, HOME, SYSTEMROOT } = process.env;
    return {
        ...(PATH && { PATH }),
        ...(HOME && { HOME }),
        ...(SYSTEMROOT && { SYSTEMROOT }),
        LC_ALL: 'C',
        GIT_TERMINAL_PROMPT: '0',
        GIT_OPTIONAL_LOCKS: '0',
        GIT_NO_REPLACE_OBJECTS: '1',
    };
}
/** Standard output of `git ARGS` in `directory`. Throws `GitError` with git's own words. */
function git(directory, args, { input, env, seconds } = {}) {
    return new Promise((resolve, reject) => {
        const child = (0,external_node_child_process_.spawn)('git', [...inert, ...args], {
            cwd: directory,
            env: { ...environment(), ...env },
            stdio: 'pipe',
            ...(seconds && { timeout: seconds * 1000 }),
        });
        const out = [];
        const err = [];
        child.stdout.on('data', (chunk) => out.push(chunk));
        child.stderr.on('data', (chunk) => err.push(chunk));
        child.on('error', (error) => reject(new GitError(`git cannot be started: ${error.message}`)));
        child.on('close', (status) => {
            if (status === 0)
                resolve(Buffer.concat(out));
            else
                reject(new GitError(Buffer.concat(err).toString().trim() || `git ${args[0]} exited with ${status}`));
        });
        child.stdin.on('error', () => { }); // git closed its end; its exit status tells why
        child.stdin.end(input ?? '');
    });
}
/** The NUL-separated records of a `-z` output. */
function records(output) {
    return output.toString('utf8').split('\0').filter(Boolean);
}
/** The URLs under which the repository is known; none where git does not know. */
async function remotesOf(directory) {
    try {
        const lines = records(await git(directory, ['config', '-z', '--get-regexp', '^remote\\..*\\.url$']));
        return lines.map((line) => line.slice(line.indexOf('\n') + 1));
    }
    catch {
        return [];
    }
}
/** Where a directory is in its repository, with a slash at its end unless it is the root; undefined without a repository. */
async function prefixOf(directory) {
    try {
        return (await git(directory, ['rev-parse', '--show-prefix'])).toString().replace(/\n$/, '');
    }
    catch {
        return undefined;
    }
}
/** The commit that a word stands for; undefined where git knows none, or where there is no repository. */
async function commitOf(directory, word) {
    return line(directory, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${word}^{commit}`]);
}
/** The last commit that one shares with another; undefined where the history at hand has none. */
async function mergeBase(directory, commit, other = 'HEAD') {
    return line(directory, ['merge-base', commit, other]);
}
async function line(directory, args) {
    try {
        return (await git(directory, args)).toString().trim() || undefined;
    }
    catch {
        return undefined;
    }
}
/** What git may take files from: never a program that a URL names (`ext::`). */
const transports = ['https', 'http', 'ssh', 'file'].flatMap((name) => ['-c', `protocol.${name}.allow=always`]);
/**
 * Brings commits into the repository's own store, without their history. First with what the checkout left in the
 * configuration; where that is not enough, with the token, which git gets in its environment and nowhere else.
 */
async function fetchCommits(directory, commits, access) {
    const options = [
        '--no-tags',
        '--depth=1',
        '--no-write-fetch-head',
        '--no-recurse-submodules',
        '--no-auto-maintenance',
    ];
    const args = [...transports, 'fetch', '--quiet', ...options, 'origin', ...commits];
    try {
        await git(directory, args, { seconds: 120 });
    }
    catch (error) {
        if (!access || !(error instanceof GitError))
            throw error;
        await git(directory, args, { seconds: 120, env: authorization(access) });
    }
}
/** An empty value first: two headers would be refused (git-config, `http.extraHeader`). */
function authorization({ token, server }) {
    const key = `http.${server.replace(/\/$/, '')}/.extraheader`;
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
    return {
        GIT_CONFIG_COUNT: '2',
        GIT_CONFIG_KEY_0: key,
        GIT_CONFIG_VALUE_0: '',
        GIT_CONFIG_KEY_1: key,
        GIT_CONFIG_VALUE_1: `AUTHORIZATION: basic ${basic}`,
    };
}

;// CONCATENATED MODULE: ./src/model.ts
/**
 * The nouns. This file imports nothing, so that every stage can import it.
 *
 * Lines and columns are 1-based; columns count UTF-16 code units, as editors, GitHub and SARIF do.
 */
/** GitHub's own three words, so that no reporter has to translate. Worst first. */
const severities = ['error', 'warning', 'notice'];
/** Wrong usage: said on standard error with a way out, exit status 2. */
class UsageError extends Error {
    name = 'UsageError';
}

;// CONCATENATED MODULE: ./src/report/escape.ts
/** Untrusted text, made harmless for the place it is printed to. Nothing else in this folder escapes anything. */
/**
 * Characters that a reader does not see, or that change what stands around them: controls, line separators, bidi and
 * zero-width marks, lone surrogates, private use. Joiners and variation selectors are left in an emoji, where they
 * belong.
 */
const unseen = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?![\u200d\ufe0e\ufe0f])[\p{Cf}\p{DI}]|(?<!\p{Extended_Pictographic}\ufe0f?)[\u200d\ufe0e\ufe0f]/gu;
/** The runner takes `##[command]` anywhere in a line (actions/runner, ActionCommand.TryParse). */
const legacyCommand = /(?<=##)\[/g;
/** Every spot of a text that must be shown differently, in order; `at` counts UTF-16 units. */
function unsafeSpots(text) {
    const spots = [...text.matchAll(unseen)].map(({ 0: char, index }) => ({
        at: index,
        length: char.length,
        shown: escapeSequence(char),
    }));
    const brackets = [...text.matchAll(legacyCommand)].map(({ index }) => ({ at: index, length: 1, shown: '\\[' }));
    return [...spots, ...brackets].sort((a, b) => a.at - b.at);
}
const shortEscapes = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
function escapeSequence(char) {
    const code = char.codePointAt(0) ?? 0;
    if (shortEscapes[char])
        return shortEscapes[char];
    if (code <= 0xff)
        return `\\x${code.toString(16).padStart(2, '0')}`;
    return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}
/** One line of plain text in which every character is seen. */
function visible(text) {
    return text.replace(unseen, escapeSequence);
}
/**
 * Text that may go to a terminal or to a runner's log: one line, every character seen, and no workflow command. The
 * runner compares as a culture does, without zero-width characters, so only a visible backslash breaks a command.
 */
function printable(text) {
    return visible(text)
        .replace(legacyCommand, '\\[')
        .replace(/^(\s*):(?=:)/u, '$1:\\');
}
/** The message of a workflow command (actions/toolkit, `escapeData`). */
function escapeData(text) {
    return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
/** A property of a workflow command (actions/toolkit, `escapeProperty`). */
function escapeProperty(text) {
    return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
/** JSON that may go to a runner's log: the same value, with all that is not seen, and `##[`, written as escapes. */
function jsonText(value) {
    const text = JSON.stringify(value, null, 2);
    const escaped = text.replace(unseen, (char) => (char === '\n' ? char : jsonEscape(char)));
    return `${escaped.replaceAll('##[', '#\\u0023[')}\n`;
}
function jsonEscape(char) {
    return char.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
/** A code span holds anything: nothing in it is a mention, a link or HTML. No backtick in it ends it. */
function codeSpan(text) {
    const inner = shorten(visible(text), markdownLimit).replace(legacyCommand, '\\[') || ' ';
    const ticks = '`'.repeat(longestRun(inner) + 1);
    const spaced = /^\s/.test(inner) && /\s$/.test(inner) && inner.trim() !== '';
    const pad = spaced || inner.startsWith('`') || inner.endsWith('`') ? ' ' : '';
    return `${ticks}${pad}${inner}${pad}${ticks}`;
}
/** A fenced block; the lines must have been made visible. */
function fence(lines, language = 'text') {
    const ticks = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
    return [`${ticks}${language}`, ...lines, ticks].join('\n');
}
function longestRun(text) {
    return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}
/**
 * What GitHub turns into mentions, references, links, pictures or mathematics. It does so after Markdown has been read, when a
 * backslash or an entity no longer helps, but never inside code.
 */
const live = /@|#\d|:\/\/|\bwww\.|\bGH-\d|\b[\da-f]{7,}\b|:[\w+-]+:|\$/iu;
const markdownLimit = 1000;
/** Prose in Markdown, on one line; quoted names, and words that would come to mean something, become code. */
function markdownText(text) {
    const prose = shorten(visible(text).trim(), markdownLimit) || '""';
    let out = '';
    let wasCode = false;
    for (const [part, name] of prose.matchAll(/"([^"]*)"|[^\s"]+|["\s]/gu)) {
        const isCode = name !== undefined || live.test(part);
        // Without a space the backticks of two spans would be counted as one run.
        out += `${isCode && wasCode ? ' ' : ''}${isCode ? codeSpan(name ?? part) : escapeMarkdown(part)}`;
        wasCode = isCode;
    }
    return out.replace(/^(\d*)(?=[-+=#.):])/, '$1\\');
}
/** As little as will do: people read it in mails as it is written. What counts at the begin of a line alone is left to `markdownText`. */
function escapeMarkdown(text) {
    return text.replace(/[\\`*_[\]<>&~|]/g, '\\$&');
}
/** Cuts a text to `limit` UTF-16 units, never through a character. */
function shorten(text, limit) {
    if (text.length <= limit)
        return text;
    return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
;// CONCATENATED MODULE: ./src/version.ts


/** Name and version from `package.json`, read rather than bundled: a bundle would change with every script in that file. */
function readTool(home) {
    const { name, version } = JSON.parse((0,external_node_fs_.readFileSync)((0,external_node_path_.join)(home, 'package.json'), 'utf8'));
    return { name, version };
}

// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(7975);
;// CONCATENATED MODULE: ./src/report/summary.ts
/** What every format says besides the findings: the verdict, what was rendered, and what was not judged. */


function countsOf(findings) {
    const of = (severity) => findings.filter((finding) => finding.severity === severity).length;
    const counts = { errors: of('error'), warnings: of('warning'), notices: of('notice') };
    if (findings.every(({ isNew }) => isNew === undefined))
        return counts;
    return { ...counts, new: findings.filter(({ isNew }) => isNew).length };
}
/** `2 errors, 1 warning (1 new)`, or, without findings, what was looked at. Never only "ok". */
function verdict(run) {
    const rendered = run.entrypoints.filter((entrypoint) => entrypoint.rendered);
    if (run.findings.length > 0)
        return countWords(run.findings);
    if (run.untouched)
        return `Nothing that Flux applies is touched: ${plural(run.untouched.files, 'file')} changed since ${run.untouched.base}`;
    if (run.published)
        return 'No problems found by the run that is published';
    if (rendered.length === 0)
        return 'Nothing was checked: no entrypoint was rendered';
    const scope = `${plural(objectsOf(run), 'object')} from ${plural(rendered.length, 'entrypoint')}`;
    const missed = notRun(run).some(({ optional }) => !optional);
    const partly = rendered.length < run.entrypoints.length || run.notChecked.length > 0 || missed;
    return `No problems found in ${scope}${partly ? ', as far as they were checked' : ''}`;
}
function countWords(findings) {
    const counts = countsOf(findings);
    const words = [
        [counts.errors, 'error'],
        [counts.warnings, 'warning'],
        [counts.notices, 'notice'],
    ];
    const text = words.flatMap(([count, word]) => (count > 0 ? [plural(count, word)] : [])).join(', ');
    return counts.new === undefined ? text : `${text} (${counts.new === 0 ? 'none' : counts.new} new)`;
}
/** The closing words, in the order of the work; sections with nothing to say are left out. */
function sections(run) {
    const assumed = assumedOnce(run.facts).map(factWords);
    const stages = notRun(run).map(({ name, why }) => `${name}: ${why}`);
    const notChecked = run.notChecked.map(({ what, why, count }) => counted(count, `${what}: ${why}`));
    return [
        { title: 'Rendered', items: entrypointWords(run, true) },
        { title: 'Not rendered', items: entrypointWords(run, false) },
        { title: 'Compared', items: run.stages.flatMap((stage) => (stage.ran && stage.against ? [stage.against] : [])) },
        { title: 'Policy', items: run.policy },
        { title: 'Assumed', items: atMost(40, assumed, 'more') },
        { title: 'Dry run', items: (run.dryRun ?? []).flatMap(dryRunWords) },
        { title: 'Not checked', items: atMost(20, notChecked, 'more') },
        { title: 'Not run', items: stages },
        { title: 'Ignored', items: atMost(10, ignoredWords(run, false), 'more') },
        { title: 'Newly ignored', items: atMost(10, ignoredWords(run, true), 'more') },
    ].filter(({ items }) => items.length > 0);
}
const servers = {
    kind: 'a cluster of kind',
    envtest: 'a bare API server',
    kubeconfig: 'the cluster of the kubeconfig',
};
function dryRunWords({ cluster, server, version, asked, refused, conflicts, disagreements, notes }) {
    const name = cluster === undefined ? '' : ` (cluster ${shorten(cluster, 60)})`;
    const expected = refused.filter((one) => one.expected).length;
    const share = expected === refused.length ? 'all' : expected || 'none';
    const known = refused.length === 0 ? '' : `, ${share} of them as the rules say`;
    const managers = [...new Set(conflicts.map(({ manager }) => shorten(manager, 60)))].sort();
    const taken = managers.length === 0 ? [] : [`takes ${plural(conflicts.length, 'field')} from ${managers.join(', ')}`];
    const differ = disagreements.length === 0 ? [] : [`not of one mind with the rules: ${plural(disagreements.length, 'time')}`];
    const where = `${servers[server]}, Kubernetes ${shorten(version, 40)}${name}`;
    return [
        `${where}: ${plural(asked, 'object')} asked, ${refused.length} refused${known}`,
        ...taken,
        ...differ,
        ...notes,
    ];
}
const mostNames = 25;
/** What the merge would do, worst first; nothing where it does nothing. */
function effectWords({ created, changed, deleted, left, unknown }) {
    const named = (refs) => atMost(mostNames, refs.map(refWords).sort(), 'more');
    return [
        { title: `deletes ${deleted.length}`, items: named(deleted) },
        { title: `leaves ${left.length} behind, which are in the repository no more`, items: named(left) },
        { title: `changes ${changed.length}`, items: named(changed) },
        { title: `creates ${created.length}, or takes over what has that name`, items: named(created) },
        { title: 'is not known where nothing renders', items: atMost(10, unknown, 'more') },
    ].filter(({ items }) => items.length > 0);
}
function refWords({ kind, namespace, name }) {
    return shorten(`${kind} ${namespace ? `${namespace}/` : ''}${name}`, 150);
}
/** What is assumed of every cluster is said once, without their names. */
function assumedOnce(facts) {
    const clusters = new Set(facts.map(({ cluster }) => cluster)).size;
    const groups = new Map();
    for (const fact of facts) {
        if (fact.source !== 'assumed')
            continue;
        const key = JSON.stringify([fact.name, fact.value, fact.setBy]);
        groups.set(key, [...(groups.get(key) ?? []), fact]);
    }
    return [...groups.values()].flatMap((group) => {
        const { cluster: _, ...fact } = group[0];
        return group.length < clusters ? group : [fact];
    });
}
function notRun(run) {
    return run.stages.flatMap((stage) => (stage.ran ? [] : [stage]));
}
function entrypointWords(run, rendered) {
    const entrypoints = run.entrypoints.filter((entrypoint) => entrypoint.rendered === rendered);
    const words = entrypoints.map(({ path, why, objects }) => rendered ? `${path}: ${plural(objects, 'object')} (${why})` : `${path} (${why})`);
    return atMost(10, words, 'more');
}
function ignoredWords(run, isNew) {
    const groups = new Map();
    for (const { finding, reason, expires, ...ignored } of run.ignored) {
        if ((ignored.isNew ?? false) !== isNew)
            continue;
        const key = `${finding.rule}: ${reason}${expires ? `, until ${expires}` : ''}`;
        groups.set(key, (groups.get(key) ?? 0) + 1);
    }
    return [...groups].map(([text, count]) => counted(count, text));
}
function counted(count, text) {
    return `${count} × ${text}`;
}
function atMost(limit, items, word) {
    if (items.length <= limit)
        return items;
    return [...items.slice(0, limit - 1), `and ${items.length - limit + 1} ${word}`];
}
function objectsOf(run) {
    return run.entrypoints.reduce((sum, { objects, rendered }) => sum + (rendered ? objects : 0), 0);
}
function plural(count, word) {
    return `${count} ${word}${count === 1 ? '' : 's'}`;
}
const factNouns = {
    release: 'Cozystack release',
    variant: 'platform variant',
    optionalPackages: 'optional packages',
    packages: 'existing Packages',
    ownedNamespaces: 'owned namespaces',
    roles: 'roles of other service accounts',
    decryption: 'decryption',
    substitution: 'substitution of variables',
    platformValues: 'other values of the platform',
};
/** `platform variant isp-full; set cluster.variant` */
function factWords(fact) {
    const cluster = fact.cluster === undefined ? '' : ` (cluster ${shorten(fact.cluster, 60)})`;
    const words = `${factNouns[fact.name]} ${valueWords(fact.value)}${cluster}`;
    return fact.setBy ? `${words}; set ${fact.setBy}` : words;
}
function valueWords(value) {
    if (typeof value === 'string')
        return shorten(value, 100);
    if (!Array.isArray(value))
        return shorten(JSON.stringify(value), 100);
    if (value.length === 0)
        return '(none)';
    return atMost(6, value.map((item) => valueWords(item)), 'more').join(', ');
}
/** Where a finding was seen from, if that tells the reader anything. */
function seenFrom(run, finding) {
    if (run.entrypoints.length < 2)
        return [];
    if (finding.entrypoints.length === run.entrypoints.length && finding.entrypoints.length > 3) {
        return [`all ${finding.entrypoints.length} entrypoints`];
    }
    return atMost(5, finding.entrypoints, 'more');
}
/** What a location alone does not say: which side it is on, and how exact it is. */
function placeWords(run, { at, precision }) {
    const missing = !run.sources.has(at.revision, at.file);
    const exactness = {
        exact: [],
        parent: ['the nearest parent that is written'],
        file: [missing ? 'not there' : 'somewhere in this file'],
    };
    return [...exactness[precision], ...(at.revision === 'base' ? ['before this change'] : [])];
}
/** Worst first, and of equals the new ones; else as they came. */
function worstFirst(findings) {
    const rank = ({ severity, isNew }) => severities.indexOf(severity) * 2 + (isNew === false ? 1 : 0);
    return findings.toSorted((a, b) => rank(a) - rank(b));
}

;// CONCATENATED MODULE: ./src/report/github.ts
/** Annotations, as workflow commands on standard output. */



/** What the runner shows of each level for a step, and keeps of a message (github.md §1.3). */
const perLevel = 10;
const maxMessage = 4096;
const maxTitle = 255;
function github(run, { annotationLimit = perLevel, shown: elsewhere }) {
    const ordered = worstFirst(run.findings).filter(({ fingerprint }) => !elsewhere?.has(fingerprint));
    const shown = severities.flatMap((severity) => {
        // The last notice is ours: it says what else there is.
        const room = severity === 'notice' ? annotationLimit - 1 : annotationLimit;
        return ordered.filter((finding) => finding.severity === severity).slice(0, Math.max(0, room));
    });
    const commands = [
        ...shown.map((finding) => annotation(run, finding)),
        ...lastNotice(run, ordered.length - shown.length),
    ];
    return commands.map((command) => `${command}\n`).join('');
}
function annotation(run, finding) {
    const seen = seenFrom(run, finding);
    const place = placeWords(run, finding);
    const { file, range } = finding.at;
    const where = isShown(finding.at) ? place : [`${file}:${range.start.line}`, ...place];
    const message = [
        where.length > 0 ? `${finding.message} (${where.join('; ')})` : finding.message,
        ...(finding.help ? [`help: ${finding.help}`] : []),
        ...(seen.length > 0 ? [`seen from: ${seen.join(', ')}`] : []),
        ...finding.assumes.map((fact) => `assumes: ${factWords(fact)}`),
        ...finding.related.map(({ at, message }) => `${at.file}:${at.range.start.line}: ${message}`),
    ];
    return command(finding.severity, { ...properties(finding), title: finding.rule }, message);
}
/** A line of the base is in no file that GitHub shows, and a name that nobody sees in full is better said in words. */
function isShown({ revision, file }) {
    return revision === 'head' && printable(file) === file;
}
function properties({ at, precision }) {
    if (!isShown(at))
        return {};
    if (precision === 'file')
        return { file: at.file };
    const { start, end } = at.range;
    if (start.line === end.line) {
        return { file: at.file, line: start.line, endLine: end.line, col: start.column, endColumn: end.column };
    }
    // GitHub takes no columns for a range of several lines. An end before a line's first character excludes that line.
    return { file: at.file, line: start.line, endLine: end.column === 1 ? end.line - 1 : end.line };
}
/** None where every finding is shown and everything was checked. */
function lastNotice(run, left) {
    const more = left > 0 ? [`${plural(left, 'more finding')} in the job summary and the log`] : [];
    const unsaid = sections(run).filter(({ title }) => title !== 'Rendered');
    if (left === 0 && unsaid.length === 0)
        return [];
    const said = unsaid.map(({ title, items }) => `${title}: ${items.join(' · ')}`);
    return [command('notice', { title: run.tool.name }, [verdict(run), ...more, ...said])];
}
function command(level, properties, lines) {
    const pairs = Object.entries(properties).map(([key, value]) => {
        const text = key === 'title' ? printable(shorten(String(value), maxTitle)) : String(value);
        return `${key}=${escapeProperty(text)}`;
    });
    const message = shorten(lines.map(printable).join('\n'), maxMessage);
    return `::${level} ${pairs.join(',')}::${escapeData(message)}`;
}

;// CONCATENATED MODULE: ./src/report/gitlab.ts


const gitlab_severities = { error: 'critical', warning: 'major', notice: 'info' };
/** GitLab knows no findings of the base: it compares the reports of both branches by their fingerprints. */
function gitlab(run) {
    return jsonText(run.findings.map((finding) => {
        const { rule, severity, message, help, at, fingerprint } = finding;
        const words = placeWords(run, finding);
        const where = words.length > 0 ? ` (${words.join('; ')})` : '';
        return {
            description: printable(`${message}${where}${help ? `. Help: ${help}` : ''}`),
            check_name: rule,
            fingerprint,
            severity: gitlab_severities[severity],
            location: { path: at.file, lines: { begin: at.range.start.line, end: at.range.end.line } },
        };
    }));
}

// EXTERNAL MODULE: ./node_modules/diff/libesm/patch/create.js
var create = __webpack_require__(4112);
// EXTERNAL MODULE: ./node_modules/diff/libesm/diff/line.js + 1 modules
var diff_line = __webpack_require__(7073);
;// CONCATENATED MODULE: ./src/locate/source.ts
class Source {
    text;
    #lineStarts = [0];
    #documents;
    constructor(text) {
        this.text = text;
        for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
            this.#lineStarts.push(at + 1);
    }
    get lineCount() {
        return this.#lineStarts.length;
    }
    /** A line without its end, or an empty string beyond the last one. */
    line(number) {
        const start = this.#lineStarts[number - 1];
        if (start === undefined)
            return '';
        const end = this.#lineStarts[number] ?? this.text.length + 1;
        return this.text.slice(start, end - 1).replace(/\r$/, '');
    }
    /** The offsets of a line, its end left out; undefined where there is no such line. */
    lineSpan(number) {
        const start = this.#lineStarts[number - 1];
        return start === undefined ? undefined : { start, end: start + this.line(number).length };
    }
    position(offset) {
        let low = 0;
        let high = this.#lineStarts.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.#lineStarts[middle] <= offset)
                low = middle;
            else
                high = middle - 1;
        }
        return {
            line: low + 1,
            column: offset - this.#lineStarts[low] + 1,
        };
    }
    /** The offset of a column counted in code points, as go-yaml does; a byte order mark does not count. */
    offset(line, codePoint) {
        const start = this.#lineStarts[line - 1] ?? this.text.length;
        let at = start + (start === 0 && this.text.startsWith('\uFEFF') ? 1 : 0);
        for (let n = 1; n < codePoint && at < this.text.length; n++)
            at += this.text.codePointAt(at) > 0xffff ? 2 : 1;
        return at;
    }
    /** Split at `\n---.*\n`, empty documents counted, as kustomize does; not at `...` nor at a `---` that ends the file. */
    get documents() {
        if (!this.#documents) {
            this.#documents = [];
            let start = 0;
            for (const separator of this.text.matchAll(/\r?\n---[^\n]*\n/g)) {
                if (separator.index < start)
                    continue;
                this.#documents.push({
                    text: this.text.slice(start, separator.index),
                    offset: start,
                });
                start = separator.index + separator[0].length;
            }
            this.#documents.push({ text: this.text.slice(start), offset: start });
        }
        return this.#documents;
    }
    /** From `start` to `end`, but never beyond the line on which it starts: that is what a reader looks at. */
    firstLine(start, end) {
        const from = this.position(start);
        const lineEnd = from.column + this.text.slice(start, end).search(/\r?\n|$/);
        return {
            start: from,
            end: { line: from.line, column: Math.max(lineEnd, from.column) },
        };
    }
}

;// CONCATENATED MODULE: ./src/fix/edits.ts
/** Between two texts of a file, and the edits that make the one of the other. */


/** Whole lines; within one line that takes the place of one line, no more than what differs. */
function editsBetween(file, before, after) {
    const source = new Source(before);
    const edits = [];
    let offset = 0;
    let gone = '';
    let come = '';
    const close = () => {
        if (gone || come)
            edits.push(edit(file, source, { start: offset - gone.length, gone, come }));
        gone = '';
        come = '';
    };
    for (const { value, added, removed } of (0,diff_line/* diffLines */.Pp)(before, after)) {
        if (added)
            come += value;
        else {
            if (!removed)
                close();
            else
                gone += value;
            offset += value.length;
        }
    }
    close();
    return edits;
}
function edit(file, source, hunk) {
    let { start, gone, come } = hunk;
    if (lines(gone) === 1 && lines(come) === 1) {
        const shared = commonStart(gone, come);
        const tail = commonStart(reversed(gone.slice(shared)), reversed(come.slice(shared)));
        start += shared;
        gone = gone.slice(shared, gone.length - tail);
        come = come.slice(shared, come.length - tail);
    }
    const range = { start: source.position(start), end: source.position(start + gone.length) };
    return { at: { revision: 'head', file, range }, text: come };
}
/** The text after edits that do not overlap; undefined where one reaches beyond the text. */
function applyEdits(text, edits) {
    const source = new Source(text);
    let result = '';
    let done = 0;
    for (const { at, text: put } of [...edits].sort(inOrder)) {
        const [start, end] = [offsetOf(source, at.range.start), offsetOf(source, at.range.end)];
        if (start === undefined || end === undefined || start < done || end < start)
            return undefined;
        result += text.slice(done, start) + put;
        done = end;
    }
    return result + text.slice(done);
}
/** Whether two sets of edits cannot be made together: they touch one line, or the place between two lines. */
function collide(one, other) {
    return one.some((a) => other.some((b) => a.at.file === b.at.file && touch(a.at.range, b.at.range)));
}
function touch(a, b) {
    return a.start.line <= b.end.line && b.start.line <= a.end.line;
}
function inOrder(a, b) {
    const [left, right] = [a.at.range.start, b.at.range.start];
    return left.line - right.line || left.column - right.column;
}
function offsetOf(source, { line, column }) {
    const span = source.lineSpan(line);
    if (!span)
        return undefined;
    const offset = span.start + column - 1;
    return offset <= source.text.length ? offset : undefined;
}
function lines(text) {
    return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}
function commonStart(a, b) {
    let length = 0;
    while (length < a.length && length < b.length && a[length] === b[length])
        length++;
    return length;
}
function reversed(text) {
    return text.split('').reverse().join('');
}

;// CONCATENATED MODULE: ./src/report/mask.ts
const mask_hidden = '••••••';
const secretWords = /(?:password|passwd|passphrase|passcode|pwd|secret|token|apikey|privatekey|accesskey|accesskeyid|secretkey|signingkey|encryptionkey|masterkey|authkey|sshkey|credential|bearer|authorization|htpasswd|kubeconfig|dockerconfigjson|connectionstring|dsn|pgpass|clientkey|keydata)s?(?:hash|value|data|base64|string|text)?\d*$/;
/** `existingSecret`, `imagePullSecrets`: what stands there is a name. */
const nameOfSecret = /(?:existing|pull|tls|ca|cert|certificate|external|ingress)[-_.]?secrets?$/i;
/** Says of a key (or of the name of a variable) whether its value is secret. */
const isSecretKey = remembering((key) => {
    if (nameOfSecret.test(key))
        return false;
    const words = key.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
    return secretWords.test(words.replace(/[^a-z\d]/g, '')) || /(?:^|[^a-z\d])(?:pass|pw)$/.test(words);
});
/** Remembers what comes of a text, if it is short: keys, labels and sizes are much the same in all objects. */
function remembering(work) {
    const known = new Map();
    return (text) => {
        const before = known.get(text);
        if (before !== undefined)
            return before;
        const value = work(text);
        if (known.size >= 10_000)
            known.clear();
        if (text.length <= 100)
            known.set(text, value);
        return value;
    };
}
/** Values that are secret whatever stands before them; a group named `keep` stays. */
const shapes = [
    /(?<keep>\bENC\[)[^\]]*(?=\]|$)/g,
    /(?<keep>-----BEGIN [A-Z0-9 ]{1,40}-----)(?=[\s\S])(?:(?!-----END)[\s\S])*/g,
    /\beyJ[\w-]{8,300}\.[\w-]{8,}(?:\.[\w-]*)?/g,
    /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AGE-SECRET-KEY-1)[\w-]{10,}/g,
    /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
    /(?<keep>\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s:@/]{0,80}:)[^\s@/]{1,200}(?=@)/gi,
    /(?<keep>\b(?:Bearer|Basic) )[\w+/.~=-]{8,}/g,
    // What kustomize repeats of a repository that it refuses.
    /(?<keep>\bliteral sources? \[?)[^\]]+?(?=\]|, expected|$)/g,
    /(?<keep>\bwith config: `)(?:[\s\S]*(?=`)|[\s\S]*$)/g,
    /(?<keep>\bJSON patch from \[)(?:[\s\S]*(?=\])|[\s\S]*$)/g,
];
const assignment = /(?<keep>(?<key>[\w.-]{1,60})["']?\s{0,2}(?:=\s{0,2}|:\s{0,2}(?=["'])))(?:"[^"]*"?|'[^']*'?|[^\s"',;&]+)/g;
/** `--token x`, `["--token", "x"]` */
const argument = /(?<keep>(?<![\w-])--?(?<key>[\w-]{1,60})["']?(?:\s{0,2},\s{0,2}|\s{1,2})["']?)[^\s"',\]-][^\s"',\]]*/g;
/** In a file also without quotes, wherever in a line; in a sentence that would be prose. */
const loose = /(?<keep>(?<key>[\w.-]{1,60}):\s{1,2})(?![|>&!#*{["']|\$[({])[^\s"',;&}\]]+/g;
const base64 = /(?<![\w+/=-])[A-Za-z\d+/_-]{40,}={0,2}/g;
/** Hides what looks secret in a sentence. */
function maskText(text) {
    return replaceSpans(text, shapeSpans(text));
}
function shapeSpans(text) {
    const spans = shapes.flatMap((shape) => [...text.matchAll(shape)].map(spanOf));
    const assigned = [...keyed(text, assignment), ...keyed(text, argument)];
    const encoded = [...text.matchAll(base64)].filter(([word]) => looksEncoded(word)).map(spanOf);
    return [...spans, ...assigned, ...encoded].filter((span) => worthHiding(text.slice(span.start, span.end)));
}
function looseSpans(text) {
    return keyed(text, loose).filter((span) => worthHiding(text.slice(span.start, span.end)));
}
function keyed(text, pattern) {
    return [...text.matchAll(pattern)].filter(({ groups }) => isSecretKey(groups?.key ?? '')).map(spanOf);
}
function spanOf(match) {
    return { start: match.index + (match.groups?.keep ?? '').length, end: match.index + match[0].length };
}
/** Paths and long names have no such mix of characters, digests have no capitals. */
function looksEncoded(word) {
    const slashes = word.split('/').length - 1;
    return /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word) && slashes <= word.length / 16;
}
/** What is no value at all, or only says where the value comes from, stays: `true`, `{}`, `${password}`, `*anchor`. */
function worthHiding(value) {
    const bare = value
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2')
        .trim();
    return !/^(?:|true|false|null|~|\{\}?|\[\]?|\$\{[^}]*\}|\$\([^)]*\)|\*\w+|•+)$/i.test(bare);
}
function replaceSpans(text, spans) {
    let out = '';
    let from = 0;
    for (const { start, end } of mergeSpans(spans)) {
        out += text.slice(from, start) + mask_hidden;
        from = end;
    }
    return out + text.slice(from);
}
/** In order and without overlaps. */
function mergeSpans(spans) {
    const merged = [];
    for (const span of spans.filter((one) => one.end > one.start).sort((a, b) => a.start - b.start)) {
        const last = merged.at(-1);
        if (last && span.start <= last.end)
            last.end = Math.max(last.end, span.end);
        else
            merged.push({ ...span });
    }
    return merged;
}
/** Hides what looks secret in all that a run says in words; frames hide for themselves. */
function maskRun(run) {
    const finding = (one) => ({
        ...one,
        message: maskText(one.message),
        ...(one.help === undefined ? {} : { help: maskText(one.help) }),
        related: one.related.map((other) => ({ ...other, message: maskText(other.message) })),
    });
    return {
        ...run,
        findings: run.findings.map(finding),
        ignored: run.ignored.map((one) => ({ ...one, finding: finding(one.finding), reason: maskText(one.reason) })),
        policy: run.policy.map(maskText),
        stages: run.stages.map((stage) => (stage.ran ? stage : { ...stage, why: maskText(stage.why) })),
        ...(run.dryRun && {
            dryRun: run.dryRun.map((one) => ({
                ...one,
                refused: one.refused.map((other) => ({ ...other, message: maskText(other.message) })),
            })),
        }),
        notChecked: run.notChecked.map((one) => ({ ...one, what: maskText(one.what), why: maskText(one.why) })),
    };
}

;// CONCATENATED MODULE: ./src/report/secrets.ts
/**
 * Where secrets stand in a file. It is read line by line, as it may be one that YAML refuses; where this reading cannot
 * tell, it takes a value for a secret.
 */

/** Files whose lines can be told apart into keys and values. Of others, which a generator may take in, nothing is shown. */
function isShowable(file) {
    return /\.(?:ya?ml|json)$|(?:^|\/)(?:Kustomization|\.[\w-]*ignore)$/i.test(file);
}
/** The parts to hide in every line of a file, by line from 0. */
function secretSpans(lines) {
    const walked = walk(lines);
    return (line) => {
        const text = lines[line] ?? '';
        const { spans, secretDocument, flow } = walked[line] ?? { spans: [], secretDocument: false, flow: false };
        return mergeSpans([...spans, ...flowSpans(text, secretDocument, flow), ...shapeSpans(text), ...looseSpans(text)]);
    };
}
function walk(lines) {
    const walked = [];
    for (const [from, to] of documents(lines)) {
        const text = lines.slice(from, to).join('\n');
        const secretDocument = /(?:^|[\s{,[-])["']?kind["']?\s*:\s*["']?Secret["']?\s*(?:$|[,}#])/m.test(text);
        const secretRoot = /^(?:---\s+)?["']?kind["']?\s*:\s*["']?Secret["']?\s*(?:$|#)/m.test(text);
        const flow = /^\s*(?:---\s*)?[{[]/.test(text);
        let blocks = [];
        for (let index = from; index < to; index += 1) {
            blocks = stillOpen(blocks, lines[index] ?? '');
            const { spans, opens } = readLine({ lines, index, blocks, secretDocument, secretRoot });
            if (opens)
                blocks.push(opens);
            walked[index] = { spans, secretDocument, flow };
        }
    }
    return walked;
}
function documents(lines) {
    const starts = [0, ...lines.flatMap((line, index) => (index > 0 && /^---(?:\s|$)/.test(line) ? [index] : []))];
    return starts.map((start, index) => [start, starts[index + 1] ?? lines.length]);
}
/** A comment ends no block, and what a commented key opens ends with the comment. */
function stillOpen(blocks, line) {
    const comment = /^\s*#/.test(line);
    const indent = line.search(comment ? /[^\s#]/ : /\S/);
    if (indent < 0)
        return blocks;
    // A list may stand as deep as its key.
    const item = /^[\s#]*-(?:\s|$)/.test(line);
    const open = ({ column, mode }, depth) => depth > column || (item && depth === column && mode !== 'whole');
    return blocks.filter((block) => {
        if (!comment)
            return !block.comment && open(block, indent);
        if (block.comment)
            return open(block, indent);
        return block.mode !== 'whole' || open(block, line.search(/\S/));
    });
}
/** The way to the key (its length is the key's column), an anchor or a tag, and the key. */
const keyLine = /^(\s*(?:#\s*)?(?:-\s+)*)(?:[&!]\S*\s+)*(?:"([^"]+)"|'([^']+)'|([^\s"'#{}[\],&*!|>%@`-][^:#\s]*(?: [^:#\s]+){0,5}))\s*:(?:\s+|$)/;
/** What to hide in one line, and what it means for the lines below. */
function readLine(around) {
    const { lines, index, blocks } = around;
    const text = lines[index] ?? '';
    const { mode, comment = false } = blocks.at(-1) ?? {};
    if (mode === 'whole' || pemBody(lines, index)) {
        return { spans: [{ start: Math.max(0, text.search(comment ? /[^\s#]/ : /\S/)), end: text.length }] };
    }
    const match = keyLine.exec(text);
    const literals = mode === 'generator' || text.includes('secretGenerator') ? [...text.matchAll(flowLiterals)] : [];
    const also = literals.map(spanOf);
    if (match) {
        const { spans, opens } = readKey(text, match, around);
        return { spans: [...spans, ...also], ...(opens && { opens }) };
    }
    if (mode === 'generator')
        return { spans: also };
    if (mode)
        return { spans: itemSpans(text, mode) };
    const argument = /^\s*-\s+["']?--?([\w-]+)["']?\s*$/.exec(lines[index - 1] ?? '')?.[1];
    return { spans: argument !== undefined && isSecretKey(argument) ? itemSpans(text, 'values') : also };
}
const flowLiterals = /(?<keep>\bliterals["']?\s*:\s*\[)[^\]]*/g;
function readKey(text, match, around) {
    const key = match[2] ?? match[3] ?? match[4] ?? '';
    const value = { start: match[0].length, end: text.length };
    const rest = text.slice(value.start).replace(/^#.*/, '').trim();
    const column = (match[1] ?? '').length;
    const mode = modeOf(key, rest, column, around);
    if (!mode)
        return { spans: [] };
    const opens = { column, comment: /^\s*#/.test(text), mode };
    // The header of a block scalar says nothing; a flow collection is read by its own keys.
    const header = /^[|>][-+\d]*(?:\s|$)/.test(rest);
    const hides = mode === 'literals' ? rest !== '' : mode === 'whole' && !header && worthHiding(rest);
    return { spans: hides ? [value] : flowItems(text, value, mode), opens };
}
/** What is between brackets behind a secret key, but for keys that only say where a value is. */
function flowItems(text, { start }, mode) {
    if (!/^[[{]/.test(text.slice(start)) || (mode !== 'data' && mode !== 'values'))
        return [];
    const pairs = [...text.slice(start).matchAll(flowPair)];
    if (pairs.length === 0)
        return itemSpans(text.slice(start), mode).map(() => ({ start, end: text.length }));
    return pairs.flatMap((match) => {
        const value = match[5] ?? '';
        const end = start + match.index + match[0].length;
        const key = match[2] ?? match[3] ?? match[4] ?? '';
        return worthHiding(value) && (mode === 'data' || !isReference(key)) ? [{ start: end - value.length, end }] : [];
    });
}
/** What a key means for its value and for the lines below it. */
function modeOf(key, rest, column, around) {
    const generator = around.blocks.some(({ mode }) => mode === 'generator');
    if (key === 'secretGenerator')
        return 'generator';
    if (generator && key === 'literals')
        return 'literals';
    const opening = rest === '' || /^[[{]/.test(rest) || /^[&!]\S*$/.test(rest);
    if (key === 'stringData' || (around.secretDocument && key === 'data'))
        return opening ? 'data' : 'whole';
    if (generator)
        return undefined;
    // Under a name of its own nothing is read, but what stands there was meant to be data.
    const misspelt = around.secretRoot && column === 0 && !/^(?:apiVersion|kind|metadata|type|immutable|sops)$/.test(key);
    if (misspelt)
        return opening ? 'data' : 'whole';
    const inside = around.blocks.at(-1)?.mode;
    const hides = inside === 'data' ||
        (inside === 'values' && !isReference(key)) ||
        isSecretKey(key) ||
        (key === 'value' && hasSecretSibling(around));
    if (!hides)
        return undefined;
    return opening ? (inside === 'data' ? 'data' : 'values') : 'whole';
}
/** Keys below `secret:` or `credentials:` that only say where a value is. */
function isReference(key) {
    return /(?:names?|namespace|refs?|^key|^keys|path|file|mode|items|optional|audience|seconds|type|kind|enabled|url)$/i.test(key);
}
/** `name: DB_PASSWORD` beside `value: …`, or `path: /stringData/x` beside the `value` of a JSON patch. */
function hasSecretSibling({ lines, index, secretDocument }) {
    const above = lines.slice(Math.max(0, index - 4), index).reverse();
    const below = lines.slice(index + 1, index + 5);
    const starts = (line) => /^\s*-\s/.test(line);
    const first = starts(lines[index] ?? '') ? 0 : above.findIndex(starts) + 1 || above.length;
    const end = below.findIndex(starts);
    const siblings = [...above.slice(0, first), ...below.slice(0, end < 0 ? below.length : end)];
    return siblings.some((line) => {
        const name = /^[\s-]*["']?(?:name|path|key)["']?\s*:\s*["']?([^"'\s,]+)/.exec(line)?.[1];
        return name !== undefined && namesSecret(name, secretDocument);
    });
}
function namesSecret(name, secretDocument) {
    if (!name.startsWith('/'))
        return isSecretKey(name);
    return (/^\/stringData(?:\/|$)/.test(name) ||
        (secretDocument && /^\/data(?:\/|$)/.test(name)) ||
        isSecretKey(name.split('/').at(-1) ?? ''));
}
/** A scalar of a list below a secret key, or `KEY=value` of a generator. */
function itemSpans(text, mode) {
    // A comment that is no item of a list is prose.
    if (/^\s*#\s*(?!-\s|\s)/.test(text))
        return [];
    const start = (/^[\s#]*(?:-\s+)*/.exec(text)?.[0] ?? '').length;
    const equals = mode === 'literals' ? text.indexOf('=', start) + 1 : 0;
    const span = { start: equals || start, end: text.length };
    return /^[\s{}[\],#]*$/.test(text.slice(span.start)) ? [] : [span];
}
/** Between the lines that begin and end a PEM block; at most 200 lines of it. */
function pemBody(lines, index) {
    if (/-----(?:BEGIN|END) /.test(lines[index] ?? ''))
        return false;
    for (let above = index - 1; above >= 0 && above > index - 200; above -= 1) {
        const line = lines[above] ?? '';
        if (line.includes('-----END ') || line.trim() === '')
            return false;
        if (/-----BEGIN [A-Z0-9 ]+-----\s*$/.test(line))
            return true;
        if (!/^[\s#]*["']?[\w+/=:, -]+["']?$/.test(line))
            return false;
    }
    return false;
}
const flowPair = /((?:^\s*(?=["'])|[{,]\s*))(?:"([^"]*)"|'([^']*)'|([\w./-]+))\s*:\s*("(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?|[^,{}[\]\s"'][^,{}[\]]*)/g;
const flowList = /(?<keep>(?<key>[\w./-]{1,60})["']?\s{0,2}:\s{0,2}\[)[^\]]*/g;
const flowData = /\b(?:data|stringData)["']?\s*:\s*\{[^}]*/g;
const plainKeys = /^(?:apiVersion|kind|name|namespace|type|op|path|immutable)$/;
/** Keys and values between braces. In a Secret all values are hidden but those that say what it is. */
function flowSpans(text, secretDocument, flow) {
    const pairs = [...text.matchAll(flowPair)].map((match) => {
        const value = match[5] ?? '';
        const end = match.index + match[0].length;
        return { key: match[2] ?? match[3] ?? match[4] ?? '', value, span: { start: end - value.length, end } };
    });
    const lists = [...text.matchAll(flowList)].filter(({ groups }) => isSecretKey(groups?.key ?? '')).map(spanOf);
    const data = secretDocument ? [...text.matchAll(flowData)].map(spanOf) : [];
    const target = pairs
        .find(({ key }) => key === 'name' || key === 'path')
        ?.value.replace(/["']/g, '')
        .trim() ?? '';
    const single = pairs
        .filter(({ key, value, span }) => {
        if (!worthHiding(value))
            return false;
        if (data.some(({ start, end }) => span.start >= start && span.end <= end))
            return true;
        if (plainKeys.test(key))
            return false;
        return (secretDocument && flow) || isSecretKey(key) || (key === 'value' && namesSecret(target, secretDocument));
    })
        .map(({ span }) => span);
    return [...single, ...lists.filter(({ start, end }) => /\w/.test(text.slice(start, end)))];
}

;// CONCATENATED MODULE: ./src/report/fixes.ts
/** What reports may say of a fix, and what it makes of a file. */





/** A file that is larger is not read once more for each fix in it. */
const mostRead = 1 << 18;
/** Whether what a fix writes looks like a secret where it comes to stand; masked it would be another fix, so it is not told. */
function hasSecret({ edits }, { sources }) {
    return edits.some(({ at, text }) => {
        if (text === '')
            return false;
        const source = sources.text('head', at.file) ?? '';
        const after = isShowable(at.file) && source.length < mostRead ? applyEdits(source, [{ at, text }]) : undefined;
        if (after === undefined)
            return true;
        const spans = secretSpans(after.split(/\r?\n/));
        return text.split(/\r?\n/).some((_, index) => spans(at.range.start.line - 1 + index).length > 0);
    });
}
/** A unified diff, its lines without line ends. What looks secret is hidden, so it is for reading only. */
function differenceLines(file, before, after) {
    const { hunks } = (0,create/* structuredPatch */.YB)(file, file, before ?? '', after, undefined, undefined, { context: 3 });
    const shown = { old: shownLines(file, before ?? ''), now: shownLines(file, after) };
    const name = printable(file);
    return [
        before === undefined ? '--- /dev/null' : `--- a/${name}`,
        `+++ b/${name}`,
        ...hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => {
            let [old, now] = [oldStart - 1, newStart - 1];
            const body = lines.flatMap((line) => {
                const mark = line[0] ?? ' ';
                if (mark === '\\')
                    return [line];
                const text = mark === '+' ? shown.now[now] : shown.old[old];
                if (mark !== '+')
                    old += 1;
                if (mark !== '-')
                    now += 1;
                return [`${mark}${text ?? ''}`];
            });
            const range = (start, count) => `${count === 0 ? start - 1 : start},${count}`;
            return [`@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`, ...body];
        }),
    ];
}
function shownLines(file, text) {
    const lines = text.split(/\r?\n/);
    const spans = secretSpans(lines);
    return lines.map((line, index) => {
        if (!isShowable(file))
            return line.trim() === '' ? '' : mask_hidden;
        return fixes_visible(replaceSpans(line, spans(index)));
    });
}
/** Tabs may stay as they are. */
function fixes_visible(line) {
    return line.split('\t').map(printable).join('\t');
}

;// CONCATENATED MODULE: ./src/report/json.ts



/** Goes up when a program that reads the report would have to change. */
const version = 1;
function json(run) {
    return jsonText({
        version,
        tool: { name: run.tool.name, version: run.tool.version },
        summary: {
            ...countsOf(run.findings),
            ignored: run.ignored.length,
            entrypoints: run.entrypoints.length,
            objects: objectsOf(run),
        },
        findings: run.findings.map((finding) => findingJson(finding, run)),
        ignored: run.ignored.map(({ finding, reason, expires, isNew }) => ({
            reason,
            expires,
            isNew,
            finding: findingJson(finding, run),
        })),
        policy: run.policy,
        entrypoints: run.entrypoints.map(({ path, why, objects, rendered }) => ({ path, why, objects, rendered })),
        facts: run.facts.map(({ name, cluster, value, source, file, setBy }) => ({
            name,
            cluster,
            value,
            source,
            file,
            setBy,
        })),
        stages: run.stages.map((stage) => ({ name: stage.name, ran: stage.ran, why: stage.ran ? undefined : stage.why })),
        notChecked: run.notChecked.map(({ what, why, count }) => ({ what, why, count })),
        dryRun: run.dryRun?.map(dryRunJson),
    });
}
function dryRunJson({ cluster, server, version, asked, refused, conflicts, disagreements, notes }) {
    const about = ({ object, entrypoint }) => ({ object: objectJson(object), entrypoint });
    return {
        ...{ cluster, server, version, asked },
        refused: refused.map((one) => ({
            ...about(one),
            ...{ reason: one.reason, message: one.message, expected: one.expected },
        })),
        conflicts: conflicts.map((one) => ({ ...about(one), manager: one.manager, path: one.path })),
        disagreements: disagreements.map((one) => ({ ...about(one), server: one.server, rule: one.rule })),
        notes,
    };
}
function objectJson({ apiVersion, kind, namespace, name }) {
    return { apiVersion, kind, namespace, name };
}
function findingJson(finding, run) {
    const { rule, severity, message, help, at, precision, field, object, fingerprint, isNew } = finding;
    return {
        rule,
        severity,
        message,
        help,
        ...place(at),
        precision,
        field,
        object: object && objectJson(object),
        entrypoints: finding.entrypoints,
        fingerprint,
        isNew,
        assumes: finding.assumes.map(({ name, value, setBy }) => ({ name, value, setBy })),
        related: finding.related.map((other) => ({ message: other.message, ...place(other.at) })),
        fix: fixJson(finding.fix, run),
    };
}
function fixJson(fix, run) {
    if (!fix || hasSecret(fix, run))
        return undefined;
    const edits = fix.edits.map(({ at: { file, range }, text }) => {
        const { start, end } = range;
        return { file, line: start.line, column: start.column, endLine: end.line, endColumn: end.column, text };
    });
    return { title: fix.title, safe: fix.safe, edits };
}
function place({ revision, file, range: { start, end } }) {
    return { file, line: start.line, column: start.column, endLine: end.line, endColumn: end.column, side: revision };
}

;// CONCATENATED MODULE: ./src/report/junit.ts


/** Every directory is a test that passes when it renders, every finding one that fails; advice does not fail. */
function junit(run) {
    const failures = run.findings.filter(fails).length;
    const tests = run.entrypoints.length + run.findings.length;
    const said = sections(run).flatMap(({ title, items }) => items.map((item) => `${title}: ${item}`));
    return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<testsuites${attributes({ name: run.tool.name, tests, failures })}>`,
        `  <testsuite${attributes({ name: verdict(run), tests, failures })}>`,
        ...run.entrypoints.map(entrypointCase),
        ...run.findings.map((finding) => findingCase(run, finding)),
        `    <system-out>${said.map(escapeXml).join('\n')}</system-out>`,
        '  </testsuite>',
        '</testsuites>',
        '',
    ].join('\n');
}
function fails({ severity }) {
    return severity !== 'notice';
}
/** What keeps a directory from being rendered is a finding of its own. */
function entrypointCase({ path, why }) {
    return `    <testcase${attributes({ classname: path, name: `render (${why})` })}/>`;
}
function findingCase(run, finding) {
    const { rule, severity, message, help, at } = finding;
    const place = `${at.file}:${at.range.start.line}:${at.range.start.column}`;
    const lines = [
        [place, ...placeWords(run, finding)].join(' '),
        ...(help ? [`help: ${help}`] : []),
        ...finding.assumes.map((fact) => `assumes: ${factWords(fact)}`),
    ];
    const text = lines.map(escapeXml).join('\n');
    const body = fails(finding)
        ? `<failure${attributes({ type: severity, message })}>${text}</failure>`
        : `<system-out>${escapeXml(message)}\n${text}</system-out>`;
    const line = at.range.start.line;
    return `    <testcase${attributes({ classname: at.file, name: `${rule}:${line}`, file: at.file, line })}>${body}</testcase>`;
}
function attributes(values) {
    return Object.entries(values)
        .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
        .join('');
}
/** After `printable` nothing is left that XML cannot hold. */
function escapeXml(text) {
    const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
    return printable(text).replace(/[&<>"']/g, (character) => names[character]);
}

;// CONCATENATED MODULE: ./src/object.ts
/** The value at a path, or undefined where nothing is written there; an explicit `null` is `null`. */
function lookUp(value, path) {
    let node = value;
    for (const step of path) {
        if (node === null || typeof node !== 'object' || !Object.hasOwn(node, step))
            return undefined;
        node = node[step];
    }
    return node;
}
function isObject(value) {
    return value !== null && typeof value === 'object' && !Array.isArray(value);
}
/** The string at a path, or undefined where there is none. */
function textAt(value, path) {
    const found = lookUp(value, path);
    return typeof found === 'string' ? found : undefined;
}
/** The API group of `group/version`; empty for the core group. */
function groupOf(apiVersion) {
    return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}
/** What an object is by Flux's inventory: group, kind, namespace and name. A new version of a kind is the same object. */
function inventoryId({ apiVersion, kind, namespace = '', name }) {
    return [groupOf(apiVersion), kind, namespace, name].join('/');
}
const rbac = 'rbac.authorization.k8s.io';
/** As `status.inventory` of a Flux Kustomization spells it: `<namespace>_<name>_<group>_<kind>` (cli-utils, ObjMetadata). */
function inventoryEntry({ apiVersion, kind, namespace = '', name }) {
    const group = groupOf(apiVersion);
    // Only the names of roles and their bindings may have a colon.
    return [namespace, group === rbac ? name.replaceAll(':', '__') : name, group, kind].join('_');
}
/** A path as a person writes it: `spec.variants[0].name`, `metadata.annotations["helm.sh/resource-policy"]`. */
function spell(path) {
    return path
        .map((step, index) => {
        if (typeof step === 'number')
            return `[${step}]`;
        if (!/^[\w-]+$/.test(step))
            return `[${JSON.stringify(step)}]`;
        return index > 0 ? `.${step}` : step;
    })
        .join('');
}
/** Whether it is the outer field, or in it. */
function isWithin(path, outer) {
    return outer.every((step, index) => step === path[index]);
}
/** Whether one is the other, in it or above it; of a whole object nothing is. */
function isAlong(path, other) {
    return path.length > 0 && other.length > 0 && (isWithin(path, other) || isWithin(other, path));
}
/** `spec.ports[0].name`, `metadata.labels["a.b/c"]`. */
function readPath(text) {
    const steps = [...text.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g)];
    return steps.map(([, index, quoted, plain]) => {
        if (index !== undefined)
            return Number(index);
        return quoted === undefined ? String(plain) : quoted.slice(1, -1).replace(/\\(.)/g, '$1');
    });
}

;// CONCATENATED MODULE: ./src/contract/flux.ts

const settingPrefix = 'kustomize.toolkit.fluxcd.io/';
/** Every setting with the values that mean something; their case does not matter. */
const settings = {
    /** How it is applied; Merge leaves the fields alone that others have set with kubectl. */
    ssa: ['Override', 'Merge', 'IfNotPresent', 'Ignore'],
    /** Deleted and made anew where the API server refuses a change of it. */
    force: ['enabled'],
    /** Left in the cluster when the repository no longer has it. */
    prune: ['disabled'],
    /** Neither applied nor pruned. */
    reconcile: ['disabled'],
    substitute: ['disabled'],
    decrypt: ['disabled'],
};
/** Where the setting stands in an object, and what it says: the annotation first, then the label. */
function settingIn(object, setting) {
    return ['annotations', 'labels'].flatMap((place) => {
        const path = ['metadata', place, settingPrefix + setting];
        const value = textAt(object, path);
        return value === undefined ? [] : [{ path, value }];
    });
}
/** Whether the annotation or the label says so. */
function isSetTo(object, setting, wanted) {
    return settingIn(object, setting).some(({ value }) => value.toLowerCase() === wanted.toLowerCase());
}
/**
 * Flux applies in stages, each as a whole or not at all: what others need first, then kinds named `…Class`, then the rest.
 * Where one fails, nothing of it and of the later ones is applied.
 */
function stageOf({ kind }) {
    if (['CustomResourceDefinition', 'Namespace', 'ClusterRole'].includes(kind))
        return 1;
    return kind.endsWith('Class') ? 2 : 3;
}
/** The labels that Flux puts on all that it applies say nothing of the change. */
function isOfFlux(path) {
    const [top, map, key] = path;
    return top === 'metadata' && map === 'labels' && /^kustomize\.toolkit\.fluxcd\.io\/name(?:space)?$/.test(String(key));
}

;// CONCATENATED MODULE: ./src/report/diff.ts
/** What a merge does in the cluster, for people: objects, their fields with values and owners, and the lines they come from. */




const signs = {
    created: ['+', 32, 'is created'],
    changed: ['~', 33, 'is changed'],
    deleted: ['-', 31, 'is deleted'],
    left: ['·', 36, 'is left behind, as it is'],
    refused: ['!', 31, 'is refused'],
};
/** Longer values are cut: a difference is read, not copied. */
const longest = 80;
/** Names of that many are said. */
const diff_mostNames = 8;
function diffText(diffs, { color }) {
    const paint = (code, text) => (color ? `\u001b[${code}m${text}\u001b[0m` : text);
    return diffs.map((one) => oneCluster(one, paint)).join('\n');
}
/** Blocks of Markdown, of about as many bytes at the most. */
function diffMarkdown(diffs, maxBytes) {
    const lines = diffText(diffs, { color: false }).trimEnd().split('\n');
    const shown = [];
    for (let used = 0; shown.length < lines.length;) {
        const line = lines[shown.length];
        used += Buffer.byteLength(line) + 1;
        if (used > maxBytes)
            break;
        shown.push(line);
    }
    const rest = lines.length - shown.length;
    const more = rest > 0 ? [`**${plural(rest, 'more line')}:** run \`customizer-lint diff\`.`] : [];
    return ['**What the merge does**', fence(shown, 'diff'), ...more];
}
function oneCluster({ cluster, objects, notSimulated, reconciles }, paint) {
    const title = cluster === undefined ? [] : [paint(1, `cluster ${printable(cluster)}`), ''];
    const blocks = objects.map((object) => objectLines(object, paint));
    const stopped = reconciles.filter(({ first, second }) => second !== 'ReconciliationSucceeded' || first !== second);
    return [
        ...[...title, ...blocks.flat(), ...(blocks.length > 0 ? [''] : [])],
        paint(1, totals(objects)),
        ...stopped.flatMap(stoppedLines).map((line) => `  ${line}`),
        ...unknownLines(notSimulated).map((line) => `  ${line}`),
        '',
    ].join('\n');
}
function objectLines(object, paint) {
    const { action, ref, at, why, dependents, fields } = object;
    const [sign, color, words] = signs[action];
    const head = `${paint(color, sign)} ${paint(1, label(ref))} ${words}${placeOf(at)}`;
    const waiting = dependents.length > 0 ? [`    waiting for it: ${listed(dependents)}`] : [];
    const refusal = why === undefined ? [] : [`    ${action === 'refused' ? '' : 'cannot be made again: '}${printable(why)}`];
    if (action !== 'changed')
        return [head, ...refusal, ...waiting];
    const shown = fields.filter(({ path }) => !isOfFlux(path));
    const lines = shown.map((field) => `    ${fieldLine(field, paint)}`);
    return [head, ...(lines.length > 0 ? lines : ['    only the labels of Flux']), ...waiting];
}
function label({ kind, namespace, name }) {
    return printable(`${kind} ${namespace ? `${namespace}/` : ''}${name}`);
}
function listed(names) {
    const shown = names.slice(0, diff_mostNames).map((name) => printable(name));
    return [...shown, ...(names.length > diff_mostNames ? [`and ${names.length - diff_mostNames} more`] : [])].join(', ');
}
function fieldLine(field, paint) {
    const [color, sign] = signOf(field);
    const { path, after, at } = field;
    const place = after === undefined ? undefined : at;
    return `${paint(color, sign)} ${printable(spell(path))}: ${changeWords(field)}${ownerWords(field)}${placeOf(place)}`;
}
function signOf({ before, after }) {
    if (before === undefined)
        return [32, '+'];
    return after === undefined ? [31, '-'] : [33, '~'];
}
function changeWords({ before, after }) {
    const [was, is] = [before, after].map((value) => (value === undefined ? undefined : diff_valueWords(value)));
    if (was === undefined || is === undefined || was === is)
        return is ?? was ?? '';
    return `${was} → ${is}`;
}
function diff_valueWords(value) {
    return printable(shorten(JSON.stringify(value), longest));
}
/** `helm-controller → kustomize-controller`; nothing where Flux alone has it before and after. */
function ownerWords({ ownersBefore, ownersAfter }) {
    const [had, has] = [ownersBefore, ownersAfter].map((owners) => owners.map((owner) => printable(owner)).join(' and '));
    if (had === has || (!had && has === 'kustomize-controller'))
        return '';
    if (!had)
        return `, now of ${has}`;
    if (!has)
        return `, was of ${had}`;
    return `, ${had} → ${has}`;
}
function placeOf(at) {
    return at ? `  ${printable(at.file)}:${at.range.start.line}` : '';
}
/** `3 objects: 1 created, 2 changed`. */
function totals(objects) {
    const count = (action) => objects.filter((one) => one.action === action).length;
    const parts = ['created', 'changed', 'deleted', 'left', 'refused']
        .filter((action) => count(action) > 0)
        .map((action) => `${count(action)} ${action === 'left' ? 'left behind' : action}`);
    return parts.length > 0
        ? `${plural(objects.length, 'object')}: ${parts.join(', ')}`
        : 'Nothing changes in the cluster';
}
function stoppedLines({ path, first, second, stopped }) {
    const where = path === '.' ? 'the repository' : `"${printable(path)}"`;
    const then = first === second ? 'and stays so' : `then ${second === 'ReconciliationSucceeded' ? 'Ready' : second}`;
    const line = first === 'ReconciliationSucceeded'
        ? `${where} is Ready, then ${second}`
        : `${where} is not applied as it stands: ${first}, ${then}`;
    return [line, ...(stopped.length > 0 ? [`stopped with it: ${listed(stopped.map(label))}`] : [])];
}
/** By reason, as a repository may have hundreds of a kind that nobody knows. */
function unknownLines(all) {
    const byReason = new Map();
    for (const { what, why } of all) {
        const known = byReason.get(why);
        if (known)
            known.push(what);
        else
            byReason.set(why, [what]);
    }
    return [...byReason].map(([why, names]) => `not simulated: ${listed(names)}: ${why}`);
}
/** Everything there is to know, for programs. */
function diffData(diffs) {
    return diffs.map(({ cluster, reconciles, objects, notSimulated }) => ({
        ...(cluster !== undefined && { cluster }),
        reconciles: reconciles.map(({ stopped, ...rest }) => ({ ...rest, stopped: stopped.map(inventoryId) })),
        objects: objects.map(({ ref, action, why, at, fields, dependents }) => ({
            ...{ id: inventoryId(ref), ...ref, action, ...(why !== undefined && { why }) },
            ...placed(at),
            ...(dependents.length > 0 && { dependents }),
            fields: fields.map(({ at, ...field }) => ({ ...field, ...placed(at) })),
        })),
        notSimulated,
    }));
}
function placed(at) {
    return at ? { file: at.file, line: at.range.start.line } : {};
}

;// CONCATENATED MODULE: ./src/report/frame.ts



/** Frames of a run; `width` is the room for the code. Undefined where there is no such line, or it must not be shown. */
function framesOf(run, width) {
    const files = new Map();
    return (at) => {
        if (!isShowable(at.file))
            return undefined;
        const key = `${at.revision}:${at.file}`;
        let file = files.get(key);
        if (!file) {
            const lines = (run.sources.text(at.revision, at.file) ?? '').split(/\r?\n/);
            file = { lines, spans: secretSpans(lines) };
            files.set(key, file);
        }
        const { start, end } = at.range;
        const text = file.lines[start.line - 1];
        if (text === undefined || text.trim() === '')
            return undefined;
        const to = end.line > start.line ? text.trimEnd().length : end.column - 1;
        return frame_frame(start.line, cellsOf(text, file.spans(start.line - 1)), start.column - 1, to, width);
    };
}
function cellsOf(text, secrets) {
    const spots = unsafeSpots(text).filter(({ at }) => text[at] !== '\t');
    const spotAt = new Map(spots.map((spot) => [spot.at, spot]));
    const maskAt = new Map(secrets.map((mask) => [mask.start, mask]));
    const cells = [];
    for (let from = 0; from < text.length;) {
        const mask = maskAt.get(from);
        const spot = spotAt.get(from);
        const char = String.fromCodePoint(text.codePointAt(from) ?? 0);
        const shown = mask ? mask_hidden : (spot?.shown ?? char);
        const to = mask?.end ?? from + (spot?.length ?? char.length);
        cells.push({ from, to, text: shown, width: displayWidth(shown) });
        from = to;
    }
    return cells;
}
function frame_frame(line, cells, from, to, width) {
    const before = cells.filter((cell) => cell.to <= from);
    const marked = cells.filter((cell) => cell.to > from && cell.from < Math.max(to, from + 1));
    const after = cells.slice(before.length + marked.length);
    // The mark may take two thirds of the room; what stands before it gets most of the rest.
    const middle = takeWithin(marked, Math.floor((width * 2) / 3), 'start');
    const room = width - widthOf(middle);
    const left = takeWithin(before, Math.max(room - Math.min(widthOf(after), Math.floor(room / 3)), 0), 'end');
    const right = middle.at(-1) === ellipsis ? [] : takeWithin(after, Math.max(room - widthOf(left), 0), 'start');
    const code = [...left, ...middle, ...right].map((cell) => cell.text).join('');
    const pad = left.map((cell) => (cell.text === '\t' ? '\t' : ' '.repeat(cell.width))).join('');
    return { line, code: code.trimEnd(), pad, marks: Math.max(1, widthOf(middle)) };
}
const ellipsis = { from: -1, to: -1, text: '…', width: 1 };
/** As many cells from one end as there is room for, and an ellipsis where some are left out. */
function takeWithin(cells, room, end) {
    if (widthOf(cells) <= room)
        return cells;
    const ordered = end === 'start' ? cells : cells.toReversed();
    const taken = [];
    let left = room - 1;
    for (const cell of ordered) {
        if (cell.width > left)
            break;
        taken.push(cell);
        left -= cell.width;
    }
    taken.push(ellipsis);
    return end === 'start' ? taken : taken.reverse();
}
function widthOf(cells) {
    return cells.reduce((sum, cell) => sum + cell.width, 0);
}
const wide = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/**
 * The columns that a text takes on a terminal: two for East Asian wide characters and emoji, none for combining marks.
 * The packages for this carry Unicode's whole table; a caret one column off under a rare script is not worth a runtime
 * dependency. A tab counts as four: it only matters for cutting.
 */
function displayWidth(text) {
    let width = 0;
    for (const char of text) {
        if (char === '\t')
            width += 4;
        else if (/[\p{M}\u200d]/u.test(char))
            width += 0;
        else
            width += wide.test(char) ? 2 : 1;
    }
    return width;
}

;// CONCATENATED MODULE: ./src/report/markdown.ts
/** The job summary. */





/** GitHub drops a summary of more than 1 MiB as a whole (github.md §1.3); the rest is left to others in the step. */
const maxBytes = 900 * 1024;
/** Of these, for what the merge would do. */
const maxEffects = 200 * 1024;
/** GitHub draws no larger picture. */
const maxGraph = 50_000;
const maxRelated = 20;
function markdown(run, options) {
    const words = run.untouched ? markdownText(verdict(run)) : verdict(run);
    const head = `## ${run.tool.name}: ${words}`;
    const rest = options.quiet ? [] : sections(run).map(({ title, items }) => list(title, items));
    const effects = run.diffs ? simulated(run) : allEffects(run.effects ?? []);
    if (run.findings.length === 0)
        return `${[head, ...effectLine(run), ...folded(run, [...effects, ...rest])].join('\n\n')}\n`;
    const tail = [...effects, ...rest];
    const fixed = [head, ...tail].reduce((sum, block) => sum + bytesOf(block), 0);
    const { blocks, left } = findingBlocks(run, options, maxBytes - fixed);
    const cut = left > 0 ? [`**${plural(left, 'more finding')} in the log.**`] : [];
    return `${[head, ...blocks, ...cut, ...tail].join('\n\n')}\n`;
}
/** A clean run is told in three lines; whoever wants to know more opens the last. */
function effectLine({ effects = [], diffs }) {
    if (diffs)
        return [`The merge: ${totals(diffs.flatMap(({ objects }) => objects)).replace(/^N/, 'n')}.`];
    const count = (kind) => effects.reduce((sum, one) => sum + one[kind].length, 0);
    const kinds = ['created', 'changed', 'deleted'];
    const words = kinds.flatMap((kind) => (count(kind) > 0 ? [`${count(kind)} ${kind}`] : []));
    const left = count('left') > 0 ? [`${count('left')} left behind`] : [];
    if (effects.length === 0)
        return [];
    return [`The merge: ${[...words, ...left].join(', ') || 'no object changes'}.`];
}
function folded(run, blocks) {
    if (blocks.length === 0)
        return [];
    const titles = sections(run).map(({ title, items }) => `${title.toLowerCase()} ${items.length}`);
    const summary = titles.length > 0 ? titles.join(' · ') : 'More';
    return [`<details><summary>${summary}</summary>\n\n${blocks.join('\n\n')}\n\n</details>`];
}
/** Worst first, each severity under a heading, until the room is used up. */
function findingBlocks(run, options, room) {
    const frames = framesOf(run, options.width ?? 100);
    const urls = new Map((options.rules ?? []).map(({ id, url }) => [id, url]));
    const blocks = [];
    let used = 0;
    let shown = 0;
    const findings = worstFirst(run.findings);
    for (const severity of severities) {
        const group = findings.filter((finding) => finding.severity === severity);
        if (group.length > 0)
            blocks.push(`### ${plural(group.length, severity)}`);
        for (const finding of group) {
            const block = findingBlock(run, finding, frames, { url: urls.get(finding.rule), files: options.files ?? {} });
            used += bytesOf(block);
            if (used > room)
                return { blocks, left: findings.length - shown };
            blocks.push(block);
            shown += 1;
        }
    }
    return { blocks, left: 0 };
}
function findingBlock(run, finding, frames, { url, files }) {
    const rule = url ? `[${codeSpan(finding.rule)}](${url})` : codeSpan(finding.rule);
    const wholeFile = finding.precision === 'file';
    const words = placeWords(run, finding).map((word) => `(${word})`);
    const state = finding.isNew === undefined ? [] : [finding.isNew ? 'new' : 'not new'];
    const where = [linked(finding.at, wholeFile, files), ...words].join(' ');
    const frame = wholeFile ? undefined : frames(finding.at);
    const others = finding.related.length - maxRelated;
    return [
        `**${markdownText(finding.message)}**`,
        [where, rule, ...state].join(' · '),
        ...(frame ? [fence(frameLines(frame, '^'))] : []),
        ...finding.related.slice(0, maxRelated).map(({ at, message }) => relatedBlock(at, message, frames(at))),
        ...(others > 0 ? [`and ${plural(others, 'more place')}`] : []),
        ...(finding.help ? [`Help: ${markdownText(finding.help)}`] : []),
        ...notes(run, finding),
    ].join('\n\n');
}
function relatedBlock(at, message, frame) {
    const side = at.revision === 'base' ? ' (before this change)' : '';
    const head = `${placeSpan(at, false)}${side}: ${markdownText(message)}`;
    return frame ? `${head}\n\n${fence(frameLines(frame, '-'))}` : head;
}
function notes(run, finding) {
    const seen = seenFrom(run, finding);
    const lines = [
        ...(seen.length > 0 ? [`Seen from ${seen.map(codeSpan).join(', ')}`] : []),
        ...finding.assumes.map((fact) => `Assumes ${markdownText(factWords(fact))}`),
    ];
    return lines.length > 0 ? [lines.join(' · ')] : [];
}
function placeSpan({ file, range }, wholeFile) {
    return codeSpan(wholeFile ? file : `${file}:${range.start.line}:${range.start.column}`);
}
/** To the line as it is shown on the web; a name from the repository stands in the address as codes alone. */
function linked(at, wholeFile, files) {
    const root = files[at.revision];
    const span = placeSpan(at, wholeFile);
    if (root === undefined)
        return span;
    const path = at.file.split('/').map(encodeSegment).join('/');
    return `[${span}](${root}${path}${wholeFile ? '' : `#L${at.range.start.line}`})`;
}
function encodeSegment(name) {
    const hex = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
    return encodeURIComponent(name.replace(/\p{Cs}/gu, '\ufffd')).replace(/[!'()*~]/g, hex);
}
function frameLines({ line, code, pad, marks }, mark) {
    const gutter = ' '.repeat(String(line).length);
    return [`${line} | ${code}`, `${gutter} | ${pad}${mark.repeat(marks)}`];
}
/** By cluster, as many as there is room for. */
function allEffects(effects) {
    const blocks = [];
    let used = 0;
    for (const [index, one] of effects.entries()) {
        const more = effectBlocks(one);
        used += more.reduce((sum, block) => sum + bytesOf(block), 0);
        if (used > maxEffects)
            return [
                ...blocks,
                `**What the merge would do** in ${plural(effects.length - index, 'more cluster')} is left out.`,
            ];
        blocks.push(...more);
    }
    return blocks;
}
/** And the Packages that are touched. */
function simulated({ diffs = [], effects = [] }) {
    return [...diffMarkdown(diffs, maxEffects), ...effects.flatMap(({ graph }) => picture(graph))];
}
function picture(graph) {
    if (!graph || graph.length > maxGraph)
        return [];
    return [fence(graph.trimEnd().split('\n'), 'mermaid')];
}
/** What is taken from other managers of the same fields nobody can tell from files. */
function effectBlocks(effects) {
    const lines = effectWords(effects);
    if (lines.length === 0)
        return [];
    const where = effects.cluster === undefined ? '' : ` in ${codeSpan(effects.cluster)}`;
    const head = `**What the merge would do**${where}`;
    const items = [
        ...lines.map(({ title, items }) => `- ${title}: ${items.map(codeSpan).join(', ')}`),
        '- what it takes from other field managers: not simulated',
    ];
    return [[head, items.join('\n')].join('\n\n'), ...picture(effects.graph)];
}
function list(title, items) {
    return [`**${title}**`, items.map((item) => `- ${markdownText(item)}`).join('\n')].join('\n\n');
}
/** With the blank line that follows a block. */
function bytesOf(block) {
    return Buffer.byteLength(block) + 2;
}

;// CONCATENATED MODULE: ./src/report/sarif.ts



/** More results refuse the whole upload; of the locations of a result the first 100 are kept (github.md §1.3). */
const maxResults = 25_000;
const maxLocations = 100;
const levels = { error: 'error', warning: 'warning', notice: 'note' };
function sarif(run, options) {
    const findings = run.findings.length > maxResults ? worstFirst(run.findings).slice(0, maxResults) : run.findings;
    const rules = rulesOf(run, options);
    const indexes = new Map(rules.map(({ id }, index) => [id, index]));
    return jsonText({
        $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
        version: '2.1.0',
        runs: [
            {
                tool: {
                    driver: { name: run.tool.name, semanticVersion: run.tool.version, rules },
                },
                columnKind: 'utf16CodeUnits',
                originalUriBaseIds: {
                    '%SRCROOT%': { description: { text: "The repository's root" } },
                },
                invocations: [invocation(run, run.findings.length - findings.length)],
                results: findings.map((finding) => result(run, finding, indexes.get(finding.rule))),
                properties: { ignored: run.ignored.length },
            },
        ],
    });
}
/** All rules that are known, and those that only a finding names. */
function rulesOf(run, { rules = [] }) {
    const known = new Set(rules.map(({ id }) => id));
    const others = [...new Set(run.findings.map(({ rule }) => rule))].filter((id) => !known.has(id)).sort();
    return [
        ...rules.map(({ id, summary, severity, url }) => ({
            id,
            shortDescription: { text: plain(summary) },
            helpUri: url,
            defaultConfiguration: { level: levels[severity] },
        })),
        ...others.map((id) => ({ id })),
    ];
}
function result(run, finding, ruleIndex) {
    const wholeFile = finding.precision === 'file';
    return {
        ruleId: finding.rule,
        ruleIndex,
        level: levels[finding.severity],
        message: { text: messageOf(run, finding) },
        locations: [{ physicalLocation: physical(finding.at, wholeFile), logicalLocations: logical(finding) }],
        relatedLocations: finding.related.slice(0, maxLocations).map(({ at, message }, index) => ({
            id: index + 1,
            physicalLocation: physical(at, false),
            message: {
                text: plain(at.revision === 'base' ? `${message} (${baseWords(at)})` : message),
            },
        })),
        fixes: finding.fix && !hasSecret(finding.fix, run) ? [fixOf(finding.fix)] : undefined,
        partialFingerprints: { 'customizerLint/v1': finding.fingerprint },
        baselineState: finding.isNew === undefined ? undefined : finding.isNew ? 'new' : 'unchanged',
        properties: { precision: finding.precision, side: finding.at.revision, entrypoints: finding.entrypoints },
    };
}
/** By file, in the order of its edits (§3.55). */
function fixOf({ title, edits }) {
    const files = [...new Set(edits.map(({ at }) => at.file))];
    return {
        description: { text: plain(title) },
        artifactChanges: files.map((file) => ({
            artifactLocation: artifact(file),
            replacements: edits
                .filter(({ at }) => at.file === file)
                .map(({ at, text }) => ({ deletedRegion: region(at), ...(text !== '' && { insertedContent: { text } }) })),
        })),
    };
}
function messageOf(run, finding) {
    const words = finding.at.revision === 'base' ? [baseWords(finding.at)] : placeWords(run, finding);
    const seen = seenFrom(run, finding);
    const lines = [
        words.length > 0 ? `${finding.message} (${words.join('; ')})` : finding.message,
        ...(finding.help ? [finding.help] : []),
        ...(seen.length > 0 ? [`Seen from ${seen.join(', ')}`] : []),
        ...finding.assumes.map((fact) => `Assumes ${factWords(fact)}`),
    ];
    return lines.map(plain).join('\n');
}
function baseWords({ range }) {
    return `line ${range.start.line} before this change`;
}
/** A line of the base is no line of what is uploaded, so only the file is named. */
function physical(at, wholeFile) {
    const artifactLocation = artifact(at.file);
    return wholeFile || at.revision === 'base' ? { artifactLocation } : { artifactLocation, region: region(at) };
}
function artifact(file) {
    return { uri: file.split('/').map(sarif_encodeSegment).join('/'), uriBaseId: '%SRCROOT%' };
}
function region({ range: { start, end } }) {
    return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}
function sarif_encodeSegment(segment) {
    return encodeURIComponent(segment.replace(/\p{Cs}/gu, '\ufffd'));
}
function logical({ object, field }) {
    if (!object)
        return undefined;
    const name = [object.kind, object.namespace, object.name].filter((part) => part !== undefined).join('/');
    return [{ name: object.name, fullyQualifiedName: [name, ...field].join('.'), kind: 'object' }];
}
/** A plain message may hold links, `[text](target)`; ours never do (SARIF 2.1.0 §3.11.6). */
function plain(text) {
    return text.replaceAll('](', '] (');
}
/** Of the closing words, what a reader of results alone would miss. */
const notified = {
    'Not rendered': 'warning',
    'Not run': 'warning',
    'Not checked': 'note',
    Assumed: 'note',
};
function invocation(run, left) {
    const said = sections(run).flatMap(({ title, items }) => {
        const level = notified[title];
        return level ? items.map((item) => notification(level, title, `${title}: ${item}`)) : [];
    });
    const cut = notification('warning', 'Left out', `${plural(left, 'more finding')} left out of this file`);
    return {
        // Findings are no failure; having looked at nothing is one.
        executionSuccessful: run.entrypoints.some(({ rendered }) => rendered),
        toolExecutionNotifications: [...said, ...(left > 0 ? [cut] : [])],
    };
}
function notification(level, title, text) {
    return { level, descriptor: { id: title.toLowerCase().replace(' ', '-') }, message: { text: plain(text) } };
}

;// CONCATENATED MODULE: ./src/report/text.ts



/** Of the sixteen colours of a terminal; Node's own `styleText` is younger than the oldest Node that we support. */
const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 };
const colors = { error: 'red', warning: 'yellow', notice: 'cyan' };
function text_text(run, { color, quiet, width = 100 }) {
    const paint = (style, part) => color ? `\u001b[${style.map((name) => codes[name]).join(';')}m${part}\u001b[0m` : part;
    const frames = framesOf(run, Math.max(20, width - 10));
    const blocks = run.findings.map((finding) => text_findingBlock(run, finding, frames, paint));
    if (!quiet)
        blocks.push(closing(run, paint));
    return blocks.length > 0 ? `${blocks.join('\n\n')}\n` : '';
}
function text_findingBlock(run, finding, frames, paint) {
    const tint = colors[finding.severity];
    const title = paint([tint, 'bold'], `${finding.severity}[${printable(finding.rule)}]`);
    const related = finding.related.map(({ at, message }) => ({ at, message, frame: frames(at) }));
    const frame = finding.precision === 'file' ? undefined : frames(finding.at);
    const last = Math.max(...[frame, ...related.map((one) => one.frame)].map((one) => one?.line ?? 1));
    const gutter = ' '.repeat(String(last).length + 1);
    const words = placeWords(run, finding);
    const suffix = words.length > 0 ? ` (${words.join('; ')})` : '';
    return [
        `${title}${paint(['bold'], `: ${printable(finding.message)}`)}`,
        `${gutter}${paint(['blue'], '-->')} ${text_place(finding.at, finding.precision === 'file')}${suffix}`,
        ...(frame ? text_frameLines(frame, gutter, paint, (marks) => paint([tint, 'bold'], '^'.repeat(marks))) : []),
        ...related.flatMap((one) => relatedLines(one, gutter, paint)),
        ...text_notes(run, finding).map(([word, note]) => `${gutter} ${paint(['blue'], '=')} ${paint(['bold'], word)}: ${note}`),
    ].join('\n');
}
function relatedLines({ at, message, frame }, gutter, paint) {
    const side = at.revision === 'base' ? ' (before this change)' : '';
    const head = `${gutter}${paint(['blue'], '-->')} ${text_place(at, false)}${side}`;
    if (!frame)
        return [`${head}: ${printable(message)}`];
    return [
        head,
        ...text_frameLines(frame, gutter, paint, (marks) => paint(['blue'], `${'-'.repeat(marks)} ${printable(message)}`)),
    ];
}
function text_frameLines(frame, gutter, paint, mark) {
    const bar = paint(['blue'], `${gutter} |`);
    const number = paint(['blue'], `${String(frame.line).padStart(gutter.length)} |`);
    return [bar, `${number} ${frame.code}`, `${bar} ${frame.pad}${mark(frame.marks)}`];
}
function text_place(at, fileOnly) {
    const file = printable(at.file);
    return fileOnly ? file : `${file}:${at.range.start.line}:${at.range.start.column}`;
}
function text_notes(run, finding) {
    const seen = seenFrom(run, finding);
    return [
        ...(finding.help ? [['help', printable(finding.help)]] : []),
        ...(seen.length > 0 ? [['seen from', printable(seen.join(', '))]] : []),
        ...finding.assumes.map((fact) => ['assumes', printable(factWords(fact))]),
        ...(finding.isNew === false ? [['note', 'not new, the base has it too']] : []),
    ];
}
function closing(run, paint) {
    const worst = ['error', 'warning', 'notice'].find((one) => run.findings.some((it) => it.severity === one));
    const rendered = run.entrypoints.some((entrypoint) => entrypoint.rendered);
    const tint = worst ? colors[worst] : rendered ? 'green' : 'yellow';
    const parts = sections(run);
    const width = Math.max(0, ...parts.map(({ title }) => title.length));
    const rows = parts.flatMap(({ title, items }) => items.map((item, index) => {
        const label = (index === 0 ? title.toLowerCase() : '').padEnd(width);
        return `  ${paint(['dim'], label)}  ${printable(item)}`;
    }));
    return [paint([tint, 'bold'], printable(verdict(run))), ...(rows.length > 0 ? ['', ...rows] : [])].join('\n');
}

;// CONCATENATED MODULE: ./src/report/index.ts










const reporters = { text: text_text, json: json, sarif: sarif, github: github, markdown: markdown, gitlab: gitlab, junit: junit };
const formats = Object.keys(reporters);
/** The report in one format; no format sees a value that looks secret. */
function report(format, run, options) {
    return reporters[format](maskRun(run), options);
}

;// CONCATENATED MODULE: ./src/commands/arguments.ts
/** The command line: node's own `parseArgs`, with its errors in our words. */



const commands = [
    'check',
    'render',
    'explain',
    'graph',
    'diff',
    'inventory',
    'audit',
    'snapshot',
    'rules',
    'fix',
];
const withDirectory = ['check', 'fix', 'render', 'graph', 'diff', 'inventory', 'audit'];
const options = {
    path: { type: 'string', multiple: true },
    base: { type: 'string' },
    format: { type: 'string', multiple: true },
    output: { type: 'string' },
    config: { type: 'string' },
    'fail-on': { type: 'string' },
    'only-new': { type: 'boolean' },
    release: { type: 'string' },
    'no-color': { type: 'boolean' },
    quiet: { type: 'boolean', short: 'q' },
    provenance: { type: 'boolean' },
    'as-applied': { type: 'boolean' },
    cluster: { type: 'string' },
    live: { type: 'string' },
    kubeconfig: { type: 'string' },
    fresh: { type: 'boolean' },
    simulate: { type: 'boolean' },
    unsafe: { type: 'boolean' },
    /** Of `fix` a switch; of `check` the server to ask. */
    'dry-run': { type: 'boolean' },
    'keep-cluster': { type: 'boolean' },
    context: { type: 'string' },
    rule: { type: 'string', multiple: true },
    installed: { type: 'boolean', short: 'i' },
    components: { type: 'boolean' },
    directory: { type: 'string', short: 'C' },
    version: { type: 'boolean', short: 'V' },
    help: { type: 'boolean', short: 'h' },
};
const used = {
    check: [
        ...['path', 'base', 'format', 'output', 'config', 'fail-on', 'only-new', 'release', 'no-color', 'quiet'],
        ...['simulate', 'live', 'dry-run', 'keep-cluster', 'cluster', 'context'],
    ],
    render: ['path', 'format', 'output', 'config', 'provenance', 'as-applied', 'release', 'cluster'],
    explain: ['path', 'base', 'live', 'format', 'output', 'config', 'directory', 'release', 'cluster'],
    graph: ['path', 'format', 'output', 'config', 'release', 'cluster', 'installed', 'components'],
    diff: ['path', 'base', 'live', 'fresh', 'format', 'output', 'config', 'release', 'cluster', 'no-color'],
    inventory: ['path', 'format', 'output', 'config'],
    audit: [...['path', 'live', 'kubeconfig', 'context', 'format', 'output', 'config', 'release', 'cluster', 'no-color']],
    snapshot: ['output'],
    rules: ['format'],
    fix: [
        ...['path', 'base', 'config', 'release', 'fail-on', 'only-new', 'no-color', 'quiet'],
        ...['unsafe', 'dry-run', 'rule'],
    ],
};
const accepted = {
    check: {
        format: formats,
        'fail-on': ['error', 'warning', 'notice', 'never'],
    },
    render: { format: ['yaml', 'json', 'digest'] },
    graph: { format: ['dot', 'mermaid', 'json'] },
    explain: { format: ['text', 'json'] },
    diff: { format: ['text', 'json', 'markdown'] },
    inventory: { format: ['text', 'json'] },
    audit: { format: ['text', 'json'] },
    rules: { format: ['text', 'json', 'schema'] },
    fix: { 'fail-on': ['error', 'warning', 'notice', 'never'] },
};
/** Throws a `UsageError` that says what would be right. */
function readArguments(argv) {
    const { values, positionals } = parse(argv);
    const first = positionals[0];
    const command = commands.find((name) => name === first) ?? 'check';
    const rest = command === first ? positionals.slice(1) : positionals;
    if (rest.length > 1 && withDirectory.includes(command))
        throw new UsageError(`one directory at a time: "${rest[0]}" or "${rest[1]}"?`);
    if (rest.length > 1 && command !== 'explain')
        throw new UsageError(`one at a time: "${rest[0]}" or "${rest[1]}"?`);
    for (const [name, value] of Object.entries(values)) {
        if (name === 'help' || name === 'version')
            continue;
        if (!used[command].includes(name))
            throw new UsageError(`--${name} is not an option of ${command}`);
        const words = accepted[command]?.[name];
        for (const word of [value].flat()) {
            if (words && !words.includes(String(word)))
                throw new UsageError(`--${name} ${word}: use one of ${words.join(', ')}`);
        }
    }
    checkDryRun(command, values);
    checkAsApplied(command, values);
    if (command === 'explain')
        return explainArguments(rest, values);
    if (command === 'snapshot' || command === 'rules')
        return { command, directory: '.', operands: rest, values };
    return { command, directory: rest[0] ?? '.', operands: [], values };
}
function checkDryRun(command, values) {
    if (command !== 'check')
        return;
    const where = values['dry-run'];
    if (values.live !== undefined && !values.simulate)
        throw new UsageError('--live needs --simulate');
    if (where === '')
        throw new UsageError('--dry-run of what? kind, kind:NAME, envtest or the path of a kubeconfig');
    for (const name of ['keep-cluster', 'cluster', 'context']) {
        if (values[name] !== undefined && where === undefined)
            throw new UsageError(`--${name} needs --dry-run`);
    }
    if (values['keep-cluster'] && where !== 'kind')
        throw new UsageError('--keep-cluster needs --dry-run=kind');
    const made = where === 'kind' || where === 'envtest' || String(where).startsWith('kind:');
    if (values.context !== undefined && made)
        throw new UsageError('--context needs --dry-run with a kubeconfig');
}
function checkAsApplied(command, values) {
    if (command !== 'render')
        return;
    if (!values['as-applied']) {
        for (const name of ['release', 'cluster'])
            if (values[name] !== undefined)
                throw new UsageError(`--${name} needs --as-applied`);
        return;
    }
    if (values.provenance)
        throw new UsageError('--as-applied and --provenance do not go together: lines are of what is rendered');
    if (values.format?.includes('digest'))
        throw new UsageError('--as-applied has no digest: what Flux hashes is what render prints without it');
}
function explainArguments(operands, values) {
    if (!operands[0]?.includes('/'))
        throw new UsageError('explain what? e.g. Package/cozystack.metallb spec.variant');
    return { command: 'explain', directory: values.directory ?? '.', operands, values };
}
function parse(argv) {
    const args = [...argv];
    const config = { args, options, allowPositionals: true };
    try {
        if ((0,external_node_util_.parseArgs)({ ...config, strict: false }).positionals[0] === 'fix')
            return (0,external_node_util_.parseArgs)(config);
        return (0,external_node_util_.parseArgs)({ ...config, options: { ...options, 'dry-run': { type: 'string' } } });
    }
    catch (error) {
        const message = error instanceof Error ? error.message.split('. ')[0] : String(error);
        throw new UsageError(`${message}; see customizer-lint --help`);
    }
}

;// CONCATENATED MODULE: ./src/simulate/owners.ts

/** A key for a path that no two paths share. */
function keyOf(path) {
    return JSON.stringify(path);
}
/** In the order of the object. Those of subresources are left out. */
function managedIn(object) {
    const entries = object ? lookUp(object, ['metadata', 'managedFields']) : undefined;
    return (Array.isArray(entries) ? entries : []).flatMap((entry) => {
        if (!isObject(entry) || entry.subresource || typeof entry.manager !== 'string')
            return [];
        const { manager, operation, time, fieldsV1 } = entry;
        const about = { manager, operation: String(operation), ...(typeof time === 'string' && { time }) };
        return [{ ...about, fields: leavesOf(fieldsV1) }];
    });
}
function ownersIn(object) {
    const owners = new Map();
    for (const { manager, fields } of managedIn(object)) {
        for (const path of fields) {
            const key = keyOf(path);
            const known = owners.get(key) ?? [];
            if (!known.includes(manager))
                owners.set(key, [...known, manager].sort());
        }
    }
    return owners;
}
/** Paths of `fieldsV1`; below a list's items there is nothing of its own. */
function leavesOf(fields, path = []) {
    const entries = isObject(fields) ? Object.entries(fields).filter(([step]) => step !== '.') : [];
    const below = entries.filter(([step]) => step.startsWith('f:'));
    if (below.length === 0)
        return [path];
    return below.flatMap(([step, inner]) => leavesOf(inner, [...path, step.slice(2)]));
}

// EXTERNAL MODULE: ./node_modules/yaml/dist/index.js
var dist = __webpack_require__(8815);
;// CONCATENATED MODULE: ./src/contract/releases.ts
/** Which generated data stands for a release: `v1.6` and any patch release of it use the newest 1.6 that was generated. */




/** Throws a `UsageError` that lists what there is. */
function dataOfRelease(data, release) {
    const places = directories(data).map((directory) => ({ directory, known: releasesIn(directory) }));
    for (const wanted of [release, `v${release}`]) {
        const place = places.find(({ known }) => known.includes(wanted));
        if (place)
            return { name: wanted, exact: true, directory: place.directory };
    }
    const minor = /^v?(\d+\.\d+)(?!\d)/.exec(release)?.[1];
    for (const { directory, known } of minor ? places : []) {
        const nearest = known.findLast((name) => name.startsWith(`v${minor}.`));
        if (nearest)
            return { name: nearest, exact: release === minor || release === `v${minor}`, directory };
    }
    throw new UsageError(`there is no data for release "${release}"; there is for ${releases(data).join(', ')}`);
}
/** The releases there is data for, oldest first; `next` is the newest. */
function releases(data) {
    return [...new Set(directories(data).flatMap(releasesIn))].sort(oldestFirst);
}
const tables = new Map();
/** What a table of people's making says, `ownership.yaml` or `rbac.yaml`, from the first of the directories that has it. */
function readTable(data, name) {
    const files = directories(data).map((directory) => (0,external_node_path_.join)(directory, 'cozystack', name));
    const file = files.find(external_node_fs_.existsSync) ?? files.at(-1) ?? name;
    if (!tables.has(file))
        tables.set(file, (0,dist/* parse */.qg)((0,external_node_fs_.readFileSync)(file, 'utf8')));
    return tables.get(file);
}
/** The release line: `[1, 6]` of `v1.6.2`. Undefined for the coming release and for names of one's own. */
function lineOf(release) {
    const line = /^v(\d+)\.(\d+)(?!\d)/.exec(release);
    return line ? [Number(line[1]), Number(line[2])] : undefined;
}
function directories(data) {
    return typeof data === 'string' ? [data] : data;
}
/** Rules ask for it with every object, and nothing is added while they run. */
const releases_listed = new Map();
function releasesIn(directory) {
    const known = releases_listed.get(directory);
    if (known)
        return known;
    const folder = (0,external_node_path_.join)(directory, 'cozystack');
    const found = ((0,external_node_fs_.existsSync)(folder) ? (0,external_node_fs_.readdirSync)(folder) : [])
        .filter((name) => (0,external_node_fs_.existsSync)((0,external_node_path_.join)(folder, name, 'catalog.json')))
        .sort(oldestFirst);
    releases_listed.set(directory, found);
    return found;
}
function oldestFirst(a, b) {
    return Number(a === 'next') - Number(b === 'next') || a.localeCompare(b, 'en', { numeric: true });
}

;// CONCATENATED MODULE: ./src/contract/ownership.ts


/** The Package of the platform itself: the administrator's, no chart emits it. */
const platformName = 'cozystack.cozystack-platform';
function loadOwnership(data) {
    const { fields, values } = readTable(data, 'ownership.yaml');
    const rowsOf = (name) => {
        const whose = name === platformName ? 'platform' : 'emitted';
        return fields.filter((row) => row.of === 'any' || row.of === whose);
    };
    return {
        fields,
        values,
        rowsOf,
        rowFor: (name, field) => rowsOf(name)
            .filter((row) => covers(row.field, field))
            .sort((a, b) => exactness(b.field) - exactness(a.field))[0],
    };
}
/** What the chart and Helm own on every Package that the chart emits. */
function chartOwnedFields(ownership) {
    return ownership.fields.filter((row) => row.of === 'emitted' && row.customizer === 'never' && row.message !== undefined && row.help !== undefined);
}
/** Whether the pattern stands for the field. */
function covers(pattern, field) {
    const open = pattern.at(-1) === '**';
    const steps = open ? pattern.slice(0, -1) : pattern;
    if (open ? field.length < steps.length : field.length !== steps.length)
        return false;
    return steps.every((step, index) => step === '*' || step === field[index]);
}
/**
 * Whether a condition holds with platform values, those below `spec.components.platform.values` of the platform's Package.
 * They may be a part of what is in force, so what is not among them is unknown: undefined.
 */
function isMet(condition, platformValues) {
    const { switch: changes, set, package: listed } = condition;
    const answers = [
        ...(changes?.split(',') ?? []).map((change) => isSwitched(change, platformValues)),
        ...(set === undefined ? [] : [isSet(set, platformValues)]),
        ...(listed === undefined ? [] : [isEnabled(listed, platformValues)]),
    ];
    if (answers.includes(false))
        return false;
    return answers.includes(undefined) ? undefined : true;
}
/** `networking.encryption.enabled is true and cozystack.gpu-operator is in bundles.enabledPackages`. */
function conditionWords({ switch: changes, set, package: listed }) {
    const parts = [
        ...(listed === undefined ? [] : [`${listed} is in bundles.enabledPackages`]),
        ...(changes?.split(',').map((change) => change.replace('=', ' is ')) ?? []),
        ...(set === undefined ? [] : [`${set} is set`]),
    ];
    return parts.join(' and ');
}
function isSwitched(change, values) {
    const [path = '', wanted = ''] = change.split('=');
    const value = lookUp(values, path.split('.'));
    return value === undefined ? undefined : JSON.stringify(value) === wanted;
}
/** Empty is what a template takes for empty. */
function isSet(path, values) {
    const value = lookUp(values, path.split('.'));
    if (value === undefined)
        return undefined;
    return value !== null && typeof value === 'object' ? Object.keys(value).length > 0 : Boolean(value);
}
function isEnabled(name, values) {
    const [enabled, disabled] = ['enabledPackages', 'disabledPackages'].map((list) => lookUp(values, ['bundles', list]));
    if (Array.isArray(disabled) && disabled.includes(name))
        return false;
    return Array.isArray(enabled) ? enabled.includes(name) : undefined;
}
function exactness(pattern) {
    return pattern.filter((step) => step !== '*' && step !== '**').length;
}
/** Whether a release has what came with one line and went after another. A name that tells no line has what the newest has. */
function isInRelease(release, since, until) {
    const line = lineOf(release);
    const [first, last] = [lineOf(since), until === undefined ? undefined : lineOf(until)];
    if (!line)
        return until === undefined;
    if (!first)
        return since === 'proposed';
    return compare(line, first) >= 0 && (!last || compare(line, last) <= 0);
}
function compare(a, b) {
    return a[0] - b[0] || a[1] - b[1];
}

;// CONCATENATED MODULE: ./src/contract/nearest.ts
/** Names longer than any real one are not compared: the time grows with the product of the lengths. */
const nearest_longest = 80;
/**
 * The candidate that was probably meant: the one with the fewest typing errors, as long as there are few for its length.
 * Where names share a prefix up to a dot (`cozystack.`), only what follows it counts; leaving the prefix out is forgiven.
 */
function nearest(name, candidates) {
    if (name.length > nearest_longest)
        return undefined;
    let best;
    for (const candidate of candidates) {
        if (candidate === name || candidate.length > nearest_longest)
            continue;
        const errors = typingErrors(name, candidate);
        if (errors > tolerated(candidate))
            continue;
        if (!best || errors < best.errors || (errors === best.errors && candidate < best.candidate)) {
            best = { candidate, errors };
        }
    }
    return best?.candidate;
}
function typingErrors(name, candidate) {
    const dot = candidate.lastIndexOf('.') + 1;
    const last = candidate.slice(dot);
    if (name === last)
        return 1;
    if (dot > 0 && name.startsWith(candidate.slice(0, dot)))
        return distance(name.slice(dot), last);
    return distance(name, candidate);
}
/** One error in a short word, one more for every four letters, three at most. */
function tolerated(candidate) {
    const { length } = candidate.slice(candidate.lastIndexOf('.') + 1);
    return length < 3 ? 0 : Math.min(3, 1 + Math.floor((length - 3) / 4));
}
/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment); a difference of case is free. */
function distance(left, right) {
    const [a, b] = [left.toLowerCase(), right.toLowerCase()];
    let beforeLast = [];
    let last = Array.from({ length: b.length + 1 }, (_, column) => column);
    for (let row = 1; row <= a.length; row++) {
        const current = [row];
        for (let column = 1; column <= b.length; column++) {
            const same = a[row - 1] === b[column - 1];
            let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
            const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
            if (swapped)
                cost = Math.min(cost, at(beforeLast, column - 2) + 1);
            current.push(cost);
        }
        beforeLast = last;
        last = current;
    }
    return at(last, b.length);
}
function at(row, column) {
    return row[column] ?? Number.POSITIVE_INFINITY;
}

;// CONCATENATED MODULE: ./src/contract/catalog.ts
/** What a release of Cozystack consists of (`catalog.json`, generated): its PackageSources and what the platform emits. */







/** `data` is the directory `schemas/` of this package, or several alike. Throws if there is no data for the release. */
function loadCatalog(data, release) {
    const { sources, platform } = read(data, release);
    const find = (name) => (own(sources, name) ? toSource(name, sources[name]) : undefined);
    const names = Object.keys(sources).sort();
    const never = new Set(platform.never);
    const variantOf = (name) => (own(platform.variants, name) ? platform.variants[name] : undefined);
    return {
        source: find,
        names: () => [...names],
        releasesWith: (name) => releases(data).filter((other) => own(read(data, other).sources, name)),
        knowsComponent: (source, component) => releases(data).some((other) => {
            const { sources } = read(data, other);
            const raw = own(sources, source) ? sources[source] : undefined;
            return raw !== undefined && toSource(source, raw).componentNames().includes(component);
        }),
        sourceWithComponent: (component) => names.find((name) => find(name)?.componentNames().includes(component)),
        isManaged: (name) => own(sources, name) && !never.has(name),
        platformValues: platform.values,
        releasesWithValue: (path) => releases(data).filter((other) => Object.keys(read(data, other).platform.values).some((one) => one === path || one.startsWith(`${path}.`))),
        platformVariant: variantOf,
        emitted: (name, variant) => (own(sources, name) ? emission(name, variantOf(variant)) : 'unknown'),
        enabledBy: (name, variant) => bringing(variantOf(variant)?.optional ?? {}, name),
        ownedValues: (name, { variant }) => {
            const emitted = variantOf(variant);
            return emitted
                ? ownedValues(name, emitted, rowsOf(loadOwnership(data), name, variant, release), platform.values)
                : [];
        },
    };
}
function emission(name, variant) {
    if (!variant)
        return 'unknown';
    if (name === platformName || own(variant.packages, name))
        return 'always';
    if (bringing(variant.optional, name).length > 0)
        return 'optional';
    const [change] = bringing(variant.switches, name);
    return change === undefined ? 'never' : { switch: change };
}
/** The changes that a Package comes with. */
function bringing(changes, name) {
    return Object.keys(changes)
        .filter((change) => changes[change] && own(changes[change], name) && changes[change][name] !== null)
        .sort();
}
/** The rows of the ownership table for one Package in one variant of the platform; the bundles of `default` are off, not others. */
function rowsOf({ values }, name, variant, release) {
    return values.filter((row) => row.package === name &&
        row.variants.includes(variant === 'default' ? 'isp-full' : variant) &&
        isInRelease(release, row.since, row.until));
}
/** What was rendered first, then what the table adds: values that are set only once a platform value is. */
function ownedValues(name, variant, rows, types) {
    const found = [];
    for (const rendered of renderedValues(name, variant)) {
        const { component, path, value } = rendered;
        if (found.some((other) => isSame(other, rendered) && (0,external_node_util_.isDeepStrictEqual)(other.value, value)))
            continue;
        const row = rows.find((row) => row.component === component && row.paths.some((pattern) => covers(pattern, path)));
        found.push({ ...rendered, ...(row && noteOf(row, path)) });
    }
    const emitted = emissionCondition(emission(name, variant));
    for (const tabled of emitted ? rows.flatMap((row) => unseenValues(row, emitted, types)) : []) {
        if (!found.some((other) => isSame(other, tabled)))
            found.push(tabled);
    }
    return found;
}
/** Every value that the chart was seen to set, with the change that it was seen under. */
function renderedValues(name, { packages, optional, switches }) {
    const changes = [
        { when: 'always', emitted: packages },
        ...Object.entries(optional).map(([listed, emitted]) => ({ when: { package: listed }, emitted })),
        ...Object.entries(switches).map(([change, emitted]) => ({ when: conditionOf(change), emitted })),
    ];
    return changes.flatMap(({ when, emitted }) => {
        const components = own(emitted, name) ? emitted[name]?.components : undefined;
        return Object.entries(components ?? {}).flatMap(([component, { values }]) => leaves(values).map(([path, value]) => ({ component, path, shape: shapeOf(value), value, when })));
    });
}
/**
 * The values of a row that no rendering shows, as the generator turns one switch at a time and sets no other value; none if the
 * release does not have the platform value that brings them. `emitted` is the condition that the Package is there on.
 */
function unseenValues(row, emitted, types) {
    const { when, component } = row;
    if (when === 'always' || (when.set === undefined && (!when.switch || !when.package)))
        return [];
    const decisive = when.set ?? when.switch?.split('=')[0] ?? '';
    if (!Object.keys(types).some((known) => known === decisive || known.startsWith(`${decisive}.`)))
        return [];
    return row.paths.map((pattern) => {
        const open = pattern.at(-1) === '**';
        const note = noteOf(row, pattern);
        const isList = note.knob !== undefined && types[note.knob] === 'list';
        const path = open ? pattern.slice(0, -1) : pattern;
        return { component, path, shape: open ? 'map' : isList ? 'list' : 'scalar', when: both(emitted, when), ...note };
    });
}
function isSame(a, b) {
    return a.component === b.component && (0,external_node_util_.isDeepStrictEqual)(a.path, b.path);
}
function noteOf({ paths, knob, why, dead }, path) {
    const index = paths.findIndex((pattern) => (0,external_node_util_.isDeepStrictEqual)(pattern, path) || covers(pattern, path));
    const own = Array.isArray(knob) ? knob[index] : knob;
    return { why, ...(own !== undefined && { knob: own }), ...(dead !== undefined && { dead }) };
}
/** The ways to the ends of nested maps; a list is an end. */
function leaves(values, path = []) {
    return Object.entries(values).flatMap(([key, value]) => isObject(value) && Object.keys(value).length > 0
        ? leaves(value, [...path, key])
        : [[[...path, key], value]]);
}
function shapeOf(value) {
    if (Array.isArray(value))
        return 'list';
    return isObject(value) ? 'map' : 'scalar';
}
/** `a.b="x",bundles.enabledPackages=[…,"y"]` is how the generator notes a switch that needs an optional Package. */
function conditionOf(change) {
    const [name = change, listed] = change.split(',bundles.enabledPackages=');
    const added = listed === undefined ? undefined : JSON.parse(listed).at(-1);
    return { switch: name, ...(added !== undefined && { package: added }) };
}
function both(a, b) {
    const changes = [a.switch, b.switch].filter((change) => change !== undefined);
    return { ...a, ...b, ...(changes.length > 0 && { switch: changes.join(',') }) };
}
/** What must hold for the Package to be there; undefined if it never is. */
function emissionCondition(emission) {
    if (emission === 'never' || emission === 'unknown')
        return undefined;
    return typeof emission === 'object' ? conditionOf(emission.switch) : {};
}
const catalogs = new Map();
function read(data, release) {
    const file = (0,external_node_path_.join)(dataOfRelease(data, release).directory, 'cozystack', release, 'catalog.json');
    let catalog = catalogs.get(file);
    if (!catalog) {
        catalog = JSON.parse((0,external_node_fs_.readFileSync)(file, 'utf8'));
        catalogs.set(file, catalog);
    }
    return catalog;
}
function toSource(name, raw) {
    const variants = Object.entries(raw.variants).map(([name, { dependsOn = [], components }]) => ({
        name,
        dependsOn,
        components: Object.entries(components).map(([name, component]) => toComponent(name, component)),
    }));
    return {
        name,
        variants,
        variant: (name) => variants.find((variant) => variant.name === name),
        componentNames: () => [...new Set(variants.flatMap(({ components }) => components.map(({ name }) => name)))].sort(),
    };
}
function toComponent(name, { path, install }) {
    if (!install)
        return { name, path };
    const { privileged = false, dependsOn = [] } = install;
    return { name, path, install: { ...install, privileged, dependsOn } };
}
/** Names come from an untrusted repository: `constructor` is not a package. */
function own(map, name) {
    return Object.hasOwn(map, name);
}


;// CONCATENATED MODULE: ./src/contract/customizer.ts
/** The objects that the customizer itself consists of, and those that all of the platform comes from. */

/** Package and PackageSource of the customizer; in no release so far, but documented. */
const customizerName = 'cozystack.customizer';
/** PackageSources and Packages with this prefix are the platform's. */
const reservedPrefix = 'cozystack.';
const customizer = {
    namespace: 'cozy-system',
    /** By kind: what applies this repository, where it comes from, and as whom. */
    objects: {
        Kustomization: ['cozystack-customizer'],
        GitRepository: ['cozystack-customizer', 'cozystack-customizer-config'],
        ServiceAccount: ['cozystack-customizer'],
    },
    /** Where it is switched on, in the Package of the platform. */
    enabled: ['spec', 'components', 'platform', 'values', 'customizer', 'enabled'],
    platform: platformName,
};
/** The label by which the platform's policy `cozystack-no-delete-guardrail` keeps an object from being deleted, whoever asks. */
const deletionGuard = 'platform.cozystack.io/no-delete';
/** The sources of all charts of the platform. */
const platformSources = { namespace: 'cozy-system', names: ['cozystack-packages', 'cozystack-platform'] };

;// CONCATENATED MODULE: ./src/facts/order.ts
/** The order in which Flux applies objects (fluxcd/pkg/ssa 0.67.1, `ApplyAllStaged`, `SortableUnstructureds`). */


/** Kinds that others need come first, webhooks last (fluxcd/pkg/ssa, `ReconcileOrder`). */
const first = [
    ...['CustomResourceDefinition', 'Namespace', 'ClusterRole', 'ClusterClass', 'RuntimeClass', 'PriorityClass'],
    ...['StorageClass', 'VolumeSnapshotClass', 'IngressClass', 'GatewayClass', 'ClusterRoleBinding', 'ResourceQuota'],
    ...['ServiceAccount', 'Role', 'RoleBinding', 'ConfigMap', 'Secret', 'Service', 'LimitRange', 'Deployment'],
    ...['StatefulSet', 'CronJob', 'PodDisruptionBudget'],
];
const last = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];
/** The order within a stage; a `compare` for `sort`. */
function order_inOrder(a, b) {
    const rank = ({ kind }) => first.includes(kind) ? first.indexOf(kind) - first.length : last.indexOf(kind) + 1;
    const words = (ref) => [groupOf(ref.apiVersion), ref.kind, ref.namespace ?? '', ref.name];
    const [left, right] = [words(a), words(b)];
    const differing = left.findIndex((word, index) => word !== right[index]);
    return rank(a) - rank(b) || (differing < 0 ? 0 : left[differing] < right[differing] ? -1 : 1);
}
/** All that one reconcile applies, one stage after the other. */
function inApplyOrder(objects) {
    return [...objects].sort((a, b) => stageOf(a.ref) - stageOf(b.ref) || order_inOrder(a.ref, b.ref));
}

;// CONCATENATED MODULE: ./src/facts/refusal.ts
/** What one object that the API server refuses keeps from being applied. */


/** Whether Flux asks the API server for it at all. */
function isApplied({ value }) {
    return !isSetTo(value, 'reconcile', 'disabled') && !isSetTo(value, 'ssa', 'Ignore');
}
/** Flux decrypts it before it asks, and nobody else can. */
function isEncrypted({ value }) {
    return isObject(value.sops);
}
/**
 * Completes "so Flux applies …". Every object of a stage is tried before any of it is applied, and a refusal ends the run:
 * only what comes in an earlier stage is applied.
 */
function appliedBefore(refused, { entrypoint, objects }, permissions) {
    const earlier = objects.map(({ ref }) => ref).filter((ref) => stageOf(ref) < stageOf(refused));
    const noneRefused = earlier.every((ref) => permissions.access(entrypoint, 'patch', ref).allowed !== false);
    const kinds = noneRefused ? [...new Set(earlier.map(({ kind }) => kind))].sort() : [];
    const where = entrypoint.path === '.' ? 'the repository' : `"${entrypoint.path}"`;
    return `nothing of ${where}${kinds.length > 0 ? ` but objects of kind ${kinds.join(' and ')}` : ''}`;
}

;// CONCATENATED MODULE: ./src/contract/structure.ts
function resolve(schema, root) {
    let resolved = schema;
    for (let hops = 0; resolved.$ref !== undefined && hops < 16; hops++) {
        const name = resolved.$ref.slice('#/definitions/'.length);
        const { definitions } = root;
        resolved = (definitions && Object.hasOwn(definitions, name) ? definitions[name] : undefined) ?? {};
    }
    return resolved;
}
function childOf({ properties, additionalProperties }, name) {
    if (properties && Object.hasOwn(properties, name))
        return properties[name];
    return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
function preserves(schema) {
    return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
}
/** Server-side apply takes an object without any declared field for free-form (kube-openapi, schemaconv). */
function declaresFields({ properties, additionalProperties }) {
    return additionalProperties === false || Object.keys(properties ?? {}).length > 0;
}
/** Whether a schema is one of Go's types that read more than the schema says: amounts as numbers, raw JSON of any type. */
function refersTo(schema, type) {
    return schema.$ref?.endsWith(`.${type}`) ?? false;
}
/** An object within an object: apiVersion, kind and metadata are implied. */
function isEmbedded(schema, name) {
    return schema['x-kubernetes-embedded-resource'] === true && ['apiVersion', 'kind', 'metadata'].includes(name);
}

// EXTERNAL MODULE: external "node:net"
var external_node_net_ = __webpack_require__(7030);
var external_node_net_default = /*#__PURE__*/__webpack_require__.n(external_node_net_);
;// CONCATENATED MODULE: ./src/contract/formats.ts
/**
 * The string formats that the API server enforces (apiextensions-apiserver, pkg/apiserver/validation/formats.go), as Go reads
 * them. Where Go's own parser takes more than is worth repeating here, the check errs on the side of "valid".
 */

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const formats_formats = {
    byte: { expected: 'base64', accepts: (text) => text !== '' && isPaddedBase64(text) },
    date: { expected: 'a date such as 2006-01-02', accepts: isDate },
    datetime: { expected: 'a time such as 2006-01-02T15:04:05Z', accepts: isDateTime },
    duration: { expected: 'a duration such as 5m', accepts: isDuration },
    ipv4: { expected: 'an IPv4 address', accepts: (text) => isAddress(text) && text.includes('.') },
    ipv6: { expected: 'an IPv6 address', accepts: (text) => isAddress(text) && text.includes(':') },
    cidr: { expected: 'a network such as 10.0.0.0/8', accepts: isNetwork },
    uuid: { expected: 'a UUID', accepts: (text) => uuid.test(text) },
};
/** What the API server accepts or ignores for certain. Any other format is one that only Go can judge. */
const unjudged = new Set('bsonobjectid uri email hostname mac uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor'.split(' '));
function checkFormat(name, text) {
    const normalized = name.replaceAll('-', '');
    if (unjudged.has(normalized))
        return { verdict: 'unknown' };
    const format = Object.hasOwn(formats_formats, normalized) ? formats_formats[normalized] : undefined;
    if (!format || format.accepts(text))
        return { verdict: 'valid' };
    return { verdict: 'invalid', expected: format.expected };
}
/** resource.Quantity: `500m`, `1.5Gi`, `2e3`. */
function isQuantity(text) {
    return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/.test(text);
}
/** What Go decodes into bytes, as it does with built-in kinds: line breaks are skipped, nothing is fine. */
function isBase64(text) {
    return isPaddedBase64(text.replace(/[\r\n]/g, ''));
}
function isPaddedBase64(text) {
    return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
function isDate(text) {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text))
        return false;
    const date = new Date(`${text}T00:00:00Z`);
    return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
function isDateTime(text) {
    const [date = '', time = ''] = text.toLowerCase().split('t', 2);
    return isDate(date) && /^\d{2}:\d{2}:\d{2}(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.test(time);
}
/** Go's own form, or anything that contains a number and a unit: `5m`, `1h30m`, `2 days`. */
function isDuration(text) {
    if (/^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text))
        return true;
    return /\d\s*(?:[nuµm]s|[smhdw]|hr|wk|nano|micro|milli|sec|min|hour|day|week)/i.test(text);
}
/** Go knows no zones such as `%eth0`. */
function isAddress(text) {
    return (0,external_node_net_.isIP)(text) !== 0 && !text.includes('%');
}
function isNetwork(text) {
    const [address = '', bits = '', ...rest] = text.split('/');
    if (rest.length > 0 || !isAddress(address) || !/^(?:0|[1-9]\d{0,2})$/.test(bits))
        return false;
    return Number(bits) <= ((0,external_node_net_.isIPv6)(address) ? 128 : 32);
}

;// CONCATENATED MODULE: ./src/contract/pattern.ts
/**
 * Patterns in schemas are Go's (RE2). Most mean the same in JavaScript; those that may not are left unjudged.
 */
/** A longer text is not matched: JavaScript's engine may take time that grows with a power of the length. */
const pattern_longest = 1024;
const compiled = new Map();
/** Whether a text matches, or undefined where only Go can say. */
function matchesPattern(pattern, text) {
    if (text.length > pattern_longest)
        return undefined;
    if (!compiled.has(pattern))
        compiled.set(pattern, compile(pattern));
    return compiled.get(pattern)?.test(text);
}
/**
 * What JavaScript would read as something else: \A \z \Q \E \C \a, one-letter and named Unicode classes, POSIX classes,
 * groups with flags or Python's names, \x{…}.
 */
const foreign = /\\[AzQECapP]|\\x\{|\[\[:|\(\?P|\(\?[a-zA-Z-]+[:)]/;
/**
 * `([ ]?[a-z]+)*`: words with separators that may be missing can be cut up in exponentially many ways. Go's engine does not
 * mind. A test tries every shipped pattern on hostile texts.
 */
const explosive = /\((?:\?:)?(?:\[(?:\\.|[^\]])*\]|\\?.)\?(?:\[(?:\\.|[^\]])*\]|\\?.)[+*]\)[+*]/;
function compile(pattern) {
    const { flags, rest } = leadingFlags(pattern);
    if (foreign.test(rest) || explosive.test(rest))
        return undefined;
    try {
        return new RegExp(rest, flags);
    }
    catch {
        return undefined;
    }
}
/** `(?i)` in front of everything is the one use of flags that JavaScript can express. */
function leadingFlags(pattern) {
    const match = /^\(\?([is]+)\)/.exec(pattern);
    if (!match)
        return { flags: '', rest: pattern };
    return { flags: [...new Set(match[1])].join(''), rest: pattern.slice(match[0].length) };
}

;// CONCATENATED MODULE: ./src/contract/wording.ts

/** `spec.containers[0].image`, `metadata.labels["example.org/team"]`. */
function wording_spell(path) {
    return path
        .map((step, index) => {
        if (typeof step === 'number')
            return `[${step}]`;
        if (!/^[\w-]{1,80}$/.test(step))
            return `[${JSON.stringify(wording_shorten(step, 80))}]`;
        return index > 0 ? `.${step}` : step;
    })
        .join('');
}
/** A scalar as it is written, a list or a map by its name. What is `hidden` because it may be a secret is not repeated. */
function describe(value, hidden) {
    if (Array.isArray(value))
        return 'a list';
    if (isObject(value))
        return 'a map';
    if (typeof value === 'boolean' || value === null || value === '')
        return JSON.stringify(value);
    if (hidden)
        return `a ${typeof value}`;
    return typeof value === 'number' ? String(value) : JSON.stringify(wording_shorten(value, 60));
}
/** Whether a field's name says that its value is nobody's business. */
function maySecret(path) {
    return path.some((step) => typeof step === 'string' && /pass|secret|token|key|credential/i.test(step));
}
function wording_shorten(text, length) {
    return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
const nouns = {
    object: 'a map',
    array: 'a list',
    string: 'a string',
    integer: 'an integer',
    number: 'a number',
    boolean: 'true or false',
};
function nounOf(type) {
    return nouns[type];
}
/** `"a"`, `"a" or "b"`, `one of "a", "b", "c"`; of many, the first few. */
function alternatives(values, most = 12) {
    const shown = values.slice(0, most).map((value) => JSON.stringify(value));
    if (shown.length < 3)
        return shown.join(' or ');
    return `one of ${shown.join(', ')}${values.length > most ? ` and ${values.length - most} more` : ''}`;
}

;// CONCATENATED MODULE: ./src/contract/walk.ts

function newWalk(known) {
    return { known, violations: [], skipped: new Map(), undecided: 0 };
}
function walk_report(walk, violation) {
    walk.violations.push(violation);
}
function skip(walk, why, count = 1) {
    walk.skipped.set(why, (walk.skipped.get(why) ?? 0) + count);
}
/** A value as a message may show it. */
function tell({ known }, value, path) {
    return describe(value, isHidden(known, path));
}
function isHidden(known, path) {
    return (known.builtIn && known.plural === 'secrets' && path[0] !== 'metadata') || maySecret(path);
}
function isScalar(value) {
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
/** A variable that substitution has not filled in, or a value that SOPS has encrypted: its content is not known. */
function isUnresolved(text) {
    return text.includes('${') || text.startsWith('ENC[');
}
function unresolvedBecause(text) {
    return text.startsWith('ENC[') ? 'the value is encrypted' : 'the value has a variable in it';
}

;// CONCATENATED MODULE: ./src/contract/constraints.ts






/** The constraints on a value of the right type, but for choices between forms. */
function checkConstraints(walk, value, node) {
    const { schema } = node;
    if (schema.enum)
        checkEnum(walk, value, node);
    if (typeof value === 'string')
        checkText(walk, value, node);
    else if (typeof value === 'number')
        checkNumber(walk, value, node);
    else if (Array.isArray(value))
        checkSize(walk, value.length, 'items', schema.minItems, schema.maxItems, node);
    else if (isObject(value)) {
        checkSize(walk, Object.keys(value).length, 'entries', schema.minProperties, schema.maxProperties, node);
    }
    if (schema['x-kubernetes-validations'] && !node.declared) {
        skip(walk, 'a rule of the schema needs CEL', schema['x-kubernetes-validations'].length);
    }
}
function checkEnum(walk, value, { schema, path }) {
    const values = schema.enum ?? [];
    if (values.some((allowed) => allowed === value))
        return;
    const words = values.filter((allowed) => typeof allowed === 'string');
    const meant = typeof value === 'string' ? nearest(value, words) : undefined;
    walk_report(walk, {
        path,
        part: 'value',
        kind: 'enum',
        message: `${wording_spell(path)} is ${tell(walk, value, path)}, but must be ${alternatives(values)}`,
        ...(meant !== undefined && { help: `did you mean "${meant}"?`, instead: { value: meant } }),
    });
}
function checkText(walk, text, node) {
    const { schema, path } = node;
    const complain = (kind, problem) => walk_report(walk, { path, part: 'value', kind, message: `${wording_spell(path)} is ${tell(walk, text, path)}, ${problem}` });
    if (schema.minLength !== undefined || schema.maxLength !== undefined) {
        const length = [...text].length;
        if (length < (schema.minLength ?? 0))
            complain('length', `but must have at least ${count(schema.minLength, 'character')}`);
        if (length > (schema.maxLength ?? Number.POSITIVE_INFINITY)) {
            complain('length', `but may have at most ${count(schema.maxLength, 'character')}, and has ${length}`);
        }
    }
    if (schema.pattern !== undefined) {
        const matches = matchesPattern(schema.pattern, text);
        if (matches === undefined)
            skip(walk, 'a pattern or text that only Go can judge');
        else if (!matches)
            complain('pattern', `which does not match ${schema.pattern}`);
    }
    if (schema.format === 'byte' && node.lax) {
        if (!isBase64(text))
            complain('format', 'but must be base64');
    }
    else if (schema.format !== undefined && schema.format !== 'int-or-string') {
        const format = checkFormat(schema.format, text);
        if (format.verdict === 'unknown')
            skip(walk, `format ${schema.format}`);
        if (format.verdict === 'invalid')
            complain('format', `but must be ${format.expected}`);
    }
}
function checkNumber(walk, number, { schema, path }) {
    const { minimum, maximum, multipleOf } = schema;
    const complain = (bound) => walk_report(walk, { path, part: 'value', kind: 'range', message: `${wording_spell(path)} is ${number}, but must be ${bound}` });
    if (minimum !== undefined) {
        if (schema.exclusiveMinimum && number <= minimum)
            complain(`more than ${minimum}`);
        else if (number < minimum)
            complain(`at least ${minimum}`);
    }
    if (maximum !== undefined) {
        if (schema.exclusiveMaximum && number >= maximum)
            complain(`less than ${maximum}`);
        else if (number > maximum)
            complain(`at most ${maximum}`);
    }
    if (multipleOf !== undefined && Number.isInteger(multipleOf) && number % multipleOf !== 0) {
        complain(`a multiple of ${multipleOf}`);
    }
}
function checkSize(walk, size, what, least = 0, most = Infinity, node) {
    const { path } = node;
    const name = path.length > 0 ? wording_spell(path) : 'the object';
    const complain = (problem) => walk_report(walk, { path, part: 'value', kind: 'size', message: `${name} has ${size} ${what}, but ${problem}` });
    if (size > most)
        complain(`may have at most ${most}`);
    if (size >= least)
        return;
    // Others may add to what is not replaced as one.
    if (node.whole || (node.schema.type === 'array' && !node.schema['x-kubernetes-list-type']))
        complain(`must have at least ${least}`);
    else
        walk.undecided++;
}
function count(number = 0, noun) {
    return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

;// CONCATENATED MODULE: ./src/contract/fields.ts




function reportUnknown(walk, map, name, { schema, path }) {
    if (isUnresolved(name)) {
        skip(walk, unresolvedBecause(name));
        return;
    }
    const dropped = walk.known.unknownFields === 'dropped';
    const outcome = dropped ? 'Flux drops it without a word' : 'the API server refuses the object';
    const fields = Object.keys(schema.properties ?? {}).sort();
    const meant = walk.violations.length < mostHelped ? nearestField(name, fields, map) : undefined;
    const help = meant ? `did you mean "${meant}"?` : suggestFields(fields, path, name);
    walk_report(walk, {
        path,
        part: 'key',
        kind: 'unknown-field',
        message: `there is no field ${wording_spell(path)}, so ${outcome}`,
        ...(help && { help }),
        ...(meant && !Object.hasOwn(map, meant) && { instead: { key: meant } }),
        ...(dropped && { dropped }),
    });
}
/** Comparing names takes its time; nobody reads the help of the hundredth finding in one object. */
const mostHelped = 100;
/** Rather a field that is not written yet. */
function nearestField(name, fields, map) {
    const free = fields.filter((field) => !Object.hasOwn(map, field));
    return nearest(name, free) ?? nearest(name, fields);
}
function suggestFields(fields, path, name) {
    if (name.includes('/') && fields.includes('labels'))
        return 'labels stand under "labels", annotations under "annotations"';
    if (fields.length === 0 || fields.length > 12)
        return undefined;
    const parent = path.length > 1 ? wording_spell(path.slice(0, -1)) : 'the object';
    return `the fields of ${parent} are ${fields.join(', ')}`;
}
function checkRequired(walk, map, node) {
    const { schema, path, whole } = node;
    const implied = schema['x-kubernetes-embedded-resource'] && !node.declared ? ['apiVersion', 'kind'] : [];
    for (const name of new Set([...(schema.required ?? []), ...implied])) {
        if (isPresent(map, name, node) || isNotEnforced(walk, node, name))
            continue;
        if (path.length === 0 && ['apiVersion', 'kind', 'metadata', 'status'].includes(name))
            continue;
        if (!whole) {
            walk.undecided++;
            continue;
        }
        walk_report(walk, {
            path: [...path, name],
            part: 'key',
            kind: 'required',
            message: `${wording_spell([...path, name])} is missing`,
        });
    }
}
/** Required fields of built-in kinds that the API server does without: it has a default, or takes the zero value. */
const notEnforced = new Set([
    'CSIDriver.spec',
    'CSINodeSpec.drivers',
    'ControllerRevision.revision',
    'CustomResourceDefinitionVersion.served',
    'CustomResourceDefinitionVersion.storage',
    'DeviceClass.spec',
    'EndpointSlice.endpoints',
    'HTTPHeader.value',
    'ISCSIPersistentVolumeSource.lun',
    'ISCSIVolumeSource.lun',
    'LimitRangeSpec.limits',
    'PodFailurePolicy.rules',
    'PriorityClass.value',
    'ResourceClaimTemplateSpec.spec',
    'RoleRef.apiGroup',
    'SleepAction.seconds',
    'Sysctl.value',
    'TokenRequest.audience',
]);
/** A default counts: it is filled in before the object is judged. */
function isPresent(map, name, { schema, declared, lax, root }) {
    if (Object.hasOwn(map, name))
        return !(lax && map[name] === null);
    const child = childOf(resolve(declared ?? schema, root), name);
    return child !== undefined && resolve(child, root).default !== undefined;
}
function isNotEnforced(walk, { schema, root }, name) {
    if (!walk.known.builtIn)
        return false;
    for (const [definition, candidate] of Object.entries(root.definitions ?? {})) {
        if (candidate === schema)
            return notEnforced.has(`${definition.slice(definition.lastIndexOf('.') + 1)}.${name}`);
    }
    return false;
}

;// CONCATENATED MODULE: ./src/contract/validate.ts







/** Violations come sorted by path. Never throws, whatever the value. */
function validate(value, known, options = {}) {
    const walk = newWalk(known);
    const whole = !(options.partial || isMerged(value));
    checkObject(walk, value, {
        schema: known.schema,
        root: known.root,
        path: [],
        whole,
        lax: known.builtIn,
        open: false,
    });
    return {
        violations: walk.violations.sort(byPath),
        skipped: [...walk.skipped].map(([why, count]) => ({ why, count })).sort((a, b) => (a.why < b.why ? -1 : 1)),
    };
}
/** Deeper than any schema; what is below is not judged. */
const deepest = 200;
function isMerged(value) {
    for (const holder of ['annotations', 'labels']) {
        const { metadata } = value;
        const marks = isObject(metadata) ? metadata[holder] : undefined;
        const mark = isObject(marks) ? marks['kustomize.toolkit.fluxcd.io/ssa'] : undefined;
        if (typeof mark === 'string' && mark.toLowerCase() === 'merge')
            return true;
    }
    return false;
}
/** The object itself: its metadata have a schema of their own, its status is nobody's business. */
function checkObject(walk, value, start) {
    const node = { ...start, schema: resolve(start.schema, start.root) };
    // What SOPS adds is gone before anything is applied, or a finding of its own.
    const { apiVersion, kind, status, metadata, sops, ...rest } = value;
    checkMap(walk, rest, node);
    if (metadata !== undefined) {
        checkMetadata(walk, metadata);
        const declared = childOf(node.schema, 'metadata');
        // A custom resource may constrain its own name.
        if (declared && !walk.known.builtIn && isObject(metadata)) {
            checkMap(walk, metadata, { ...node, schema: declared, declared, path: ['metadata'] });
        }
    }
    checkConstraints(walk, rest, node);
    checkChoices(walk, rest, node);
}
function checkMetadata(walk, value) {
    const schema = walk.known.metadata;
    const node = { schema, root: schema, path: ['metadata'], whole: false, lax: true, open: false };
    const { labels, annotations, ...rest } = isObject(value) ? value : {};
    check(walk, isObject(value) ? rest : value, node);
    // What becomes of labels that are no strings is a rule's of its own to say.
    if (labels !== undefined && !isObject(labels))
        check(walk, { labels }, node);
    if (isObject(annotations))
        checkAnnotations(walk, annotations, node);
    else if (annotations !== undefined)
        check(walk, { annotations }, node);
}
/** kustomize turns scalars into strings here. */
function checkAnnotations(walk, annotations, node) {
    const others = Object.entries(annotations).filter(([, value]) => !isScalar(value));
    if (others.length > 0)
        check(walk, { annotations: Object.fromEntries(others) }, node);
}
function check(walk, value, reached) {
    const node = { ...reached, schema: resolve(reached.schema, reached.root) };
    if (node.path.length > deepest)
        skip(walk, 'nested too deeply');
    else if (typeof value === 'string' && isUnresolved(value))
        checkUnresolved(walk, value, node.schema);
    else if (value === null)
        checkNull(walk, node);
    else if (refersTo(reached.schema, 'resource.Quantity'))
        checkQuantity(walk, value, node);
    else if (refersTo(reached.schema, 'runtime.RawExtension'))
        return;
    else if (!fitsType(value, node.schema))
        reportType(walk, value, node);
    else {
        if (Array.isArray(value))
            checkList(walk, value, node);
        else if (isObject(value))
            checkMap(walk, value, node);
        checkConstraints(walk, value, node);
        checkChoices(walk, value, node);
    }
}
/** A text with a variable somewhere in it remains a text; nothing is left open where any text is fine. */
function checkUnresolved(walk, text, schema) {
    const { type, enum: words, pattern, format, minLength, maxLength, allOf, anyOf, oneOf, not } = schema;
    const constraints = [words, pattern, format, minLength, maxLength, allOf, anyOf, oneOf, not];
    const free = constraints.every((constraint) => constraint === undefined);
    const becomesText = text.startsWith('ENC[') || !/^\$\{[^}]*\}$/.test(text);
    if (free && (type === undefined || (type === 'string' && becomesText)))
        return;
    skip(walk, unresolvedBecause(text));
}
function checkNull(walk, node) {
    const schema = node.declared ?? node.schema;
    const expected = expectation(schema);
    if (node.lax || schema.nullable || schema.default !== undefined || expected === undefined)
        return;
    const isItem = typeof node.path.at(-1) === 'number';
    if ((schema.type === 'object' || schema.type === 'array') && !node.replaced && !isItem) {
        // Applied over a map or list that somebody else has filled, it changes nothing; else it is refused (oracle.md §3).
        skip(walk, 'a null in place of a map or a list');
        return;
    }
    walk_report(walk, {
        path: node.path,
        part: 'value',
        kind: 'null',
        message: `${wording_spell(node.path)} is null, but must be ${expected}`,
        help: 'give it a value or leave it out',
    });
}
// --- types
function isEither(schema) {
    return schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string';
}
function expectation(schema) {
    if (isEither(schema))
        return 'an integer or a string';
    return schema.type && nounOf(schema.type);
}
function fitsType(value, schema) {
    if (isEither(schema)) {
        return typeof value === 'string' || Number.isInteger(value);
    }
    switch (schema.type) {
        case undefined:
            return true;
        case 'object':
            return isObject(value);
        case 'array':
            return Array.isArray(value);
        case 'integer':
            return Number.isInteger(value);
        default:
            return typeof value === schema.type;
    }
}
function reportType(walk, value, { schema, path }) {
    const type = isEither(schema) ? 'string' : schema.type;
    const help = isHidden(walk.known, path) ? undefined : adviceOnType(value, type);
    const meant = help === undefined ? undefined : ofType(value, type);
    walk_report(walk, {
        path,
        part: 'value',
        kind: 'type',
        message: `${wording_spell(path)} is ${tell(walk, value, path)}, but must be ${expectation(schema)}`,
        ...(help && { help }),
        ...(meant !== undefined && { instead: { value: meant } }),
    });
}
function adviceOnType(value, type) {
    if (type === 'string' && isScalar(value))
        return `quote it: "${value}"`;
    if (type === 'array')
        return 'write it as a list, with a dash in front of every item';
    if (typeof value !== 'string')
        return undefined;
    const meant = type === 'boolean' ? /^(true|false)$/ : type === 'string' ? undefined : /^-?\d+(\.\d+)?$/;
    return meant?.test(value) ? `write ${value} without quotes` : undefined;
}
/** The same scalar as another type has it. */
function ofType(value, type) {
    if (type === 'string')
        return isScalar(value) ? String(value) : undefined;
    if (typeof value !== 'string')
        return undefined;
    if (type === 'boolean')
        return value === 'true' || value === 'false' ? value === 'true' : undefined;
    const number = Number(value);
    const isMeant = (type === 'integer' && Number.isSafeInteger(number)) || type === 'number';
    return isMeant && String(number) === value ? number : undefined;
}
function checkQuantity(walk, value, { path }) {
    if (typeof value === 'number' || (typeof value === 'string' && isQuantity(value)))
        return;
    walk_report(walk, {
        path,
        part: 'value',
        kind: typeof value === 'string' ? 'format' : 'type',
        message: `${wording_spell(path)} is ${tell(walk, value, path)}, but must be an amount such as 500m or 1.5Gi`,
    });
}
// --- maps
function checkMap(walk, map, node) {
    const open = node.open || preserves(node.schema);
    const atomic = node.schema['x-kubernetes-map-type'] === 'atomic';
    const whole = node.whole || atomic;
    const replaced = { ...(atomic && { replaced: true }) };
    for (const [name, value] of Object.entries(map)) {
        const path = [...node.path, name];
        const child = fieldOf(node, name);
        if (child)
            check(walk, value, { ...node, ...replaced, ...child, path, whole, open });
        else if (isEmbedded(node.schema, name))
            checkEmbedded(walk, name, value, path);
        else if (!open && !node.declared && declaresFields(node.schema))
            reportUnknown(walk, map, name, { ...node, path });
    }
    checkRequired(walk, map, { ...node, whole });
}
function fieldOf({ schema, declared, root }, name) {
    const child = childOf(schema, name);
    if (!declared)
        return child && { schema: child };
    const declaredChild = childOf(resolve(declared, root), name);
    return child && { schema: child, declared: declaredChild ?? {} };
}
function checkEmbedded(walk, name, value, path) {
    const schema = name === 'metadata' ? walk.known.metadata : { type: 'string', minLength: 1 };
    check(walk, value, { schema, root: schema, path, whole: false, lax: true, open: false });
}
// --- lists
function checkList(walk, list, node) {
    const { items } = node.schema;
    if (!items)
        return;
    const type = (node.declared ? resolve(node.declared, node.root) : node.schema)['x-kubernetes-list-type'];
    // An atomic list is replaced as one; of the others, everybody owns items.
    const atomic = type !== 'map' && type !== 'set';
    const whole = node.whole || atomic;
    const replaced = { ...(atomic && { replaced: true }) };
    const declared = node.declared && { declared: resolve(node.declared, node.root).items ?? {} };
    list.forEach((item, index) => {
        check(walk, item, { ...node, ...replaced, ...declared, schema: items, path: [...node.path, index], whole });
        if (type === 'map' && !whole && isObject(item))
            checkKeys(walk, item, { ...node, path: [...node.path, index] });
    });
}
/** The keys of an item say which one it is, so even who writes only a part of it must write them. */
function checkKeys(walk, item, node) {
    const { schema, root } = node;
    if (!schema.items || node.declared)
        return;
    const items = resolve(schema.items, root);
    const keys = schema['x-kubernetes-list-map-keys'] ?? [];
    const required = (items.required ?? []).filter((name) => keys.includes(name));
    checkRequired(walk, item, { ...node, schema: { properties: items.properties ?? {}, required }, whole: true });
}
// --- choices
function checkChoices(walk, value, node) {
    const { allOf, anyOf, oneOf, not } = node.schema;
    for (const branch of allOf ?? [])
        checkBranch(walk, value, node, branch);
    if (anyOf)
        checkAnyOf(walk, value, node, anyOf);
    if (oneOf)
        checkOneOf(walk, value, node, oneOf);
    if (not && fits(walk, value, node, not) === true) {
        const names = not.required?.map((name) => `"${name}"`).join(' together with ');
        reportChoice(walk, node, names ? `must not have ${names}` : 'has a form that the schema excludes');
    }
}
function checkAnyOf(walk, value, node, branches) {
    const verdicts = branches.map((branch) => fits(walk, value, node, branch));
    if (verdicts.includes(true))
        return;
    const names = nameBranches(branches);
    if (verdicts.includes(undefined))
        walk.undecided++;
    else
        reportChoice(walk, node, names ? `must have at least one of ${names}` : fitsNone);
}
function checkOneOf(walk, value, node, branches) {
    const verdicts = branches.map((branch) => fits(walk, value, node, branch));
    const fitting = branches.filter((_, index) => verdicts[index] === true);
    if (fitting.length > 1) {
        const names = nameBranches(fitting);
        reportChoice(walk, node, names ? `may have only one of ${names}` : 'fits several forms that exclude each other');
    }
    else if (verdicts.includes(undefined)) {
        walk.undecided++;
    }
    else if (fitting.length === 0) {
        const names = nameBranches(branches);
        reportChoice(walk, node, names ? `must have one of ${names}` : fitsNone);
    }
}
const fitsNone = 'fits none of the forms that the schema allows';
/** `"a", "b" with "c"`, if every form is told by the fields that it requires. */
function nameBranches(branches) {
    const names = branches.map(({ required }) => required?.map((name) => `"${name}"`).join(' with '));
    return names.every(Boolean) ? names.join(', ') : undefined;
}
function reportChoice(walk, { path }, problem) {
    const name = path.length > 0 ? wording_spell(path) : 'the object';
    walk_report(walk, { path, part: 'value', kind: 'choice', message: `${name} ${problem}` });
}
/** Whether a value fits one form; undefined if that hangs on what is not known. */
function fits(walk, value, node, branch) {
    const trial = newWalk(walk.known);
    checkBranch(trial, value, node, branch);
    if (trial.violations.length > 0)
        return false;
    return trial.undecided > 0 || trial.skipped.size > 0 ? undefined : true;
}
/** A branch only constrains; fields and defaults are those of the schema around it. */
function checkBranch(walk, value, node, branch) {
    const declared = node.declared ?? node.schema;
    check(walk, withDefaults(value, declared, branch, node.root), { ...node, schema: branch, declared });
}
function withDefaults(value, declared, branch, root) {
    if (!isObject(value) || !branch.properties)
        return value;
    const filled = Object.assign(Object.create(null), value);
    for (const name of Object.keys(branch.properties)) {
        const child = childOf(declared, name);
        const fallback = child && resolve(child, root).default;
        if (fallback !== undefined && !Object.hasOwn(filled, name))
            filled[name] = fallback;
    }
    return filled;
}
// --- the rest
function byPath(a, b) {
    for (let index = 0; index < Math.min(a.path.length, b.path.length); index++) {
        const [left, right] = [a.path[index], b.path[index]];
        if (left === right)
            continue;
        if (typeof left === 'number' && typeof right === 'number')
            return left - right;
        return String(left) < String(right) ? -1 : 1;
    }
    return a.path.length - b.path.length || (a.message < b.message ? -1 : a.message > b.message ? 1 : 0);
}

;// CONCATENATED MODULE: ./src/facts/zeros.ts


/** By type and field. What an object cannot do without is left out. */
const zeros = {
    'apps.v1.DaemonSetSpec': { updateStrategy: {} },
    'apps.v1.DeploymentSpec': { strategy: {} },
    'apps.v1.StatefulSetSpec': { updateStrategy: {}, serviceName: '' },
    'batch.v1.JobTemplateSpec': { metadata: {} },
    'core.v1.Container': { resources: {} },
    'core.v1.EphemeralContainer': { resources: {} },
    'core.v1.Namespace': { spec: {} },
    'core.v1.PersistentVolumeClaim': { status: {} },
    'core.v1.PersistentVolumeClaimSpec': { resources: {} },
    'core.v1.PersistentVolumeClaimTemplate': { metadata: {} },
    'core.v1.PodTemplateSpec': { metadata: {} },
    'core.v1.ResourceFieldSelector': { divisor: '0' },
    'core.v1.ResourceQuota': { spec: {} },
    'core.v1.Service': { spec: {} },
    'networking.v1.IngressServiceBackend': { port: {} },
    'networking.v1.NetworkPolicy': { spec: {} },
    'networking.v1.NetworkPolicySpec': { podSelector: {} },
    'policy.v1.PodDisruptionBudget': { spec: {} },
};
/** Changes the object in place. */
function addZeros(value, { schema, root }) {
    fill(value, schema, root);
    for (const port of portsOf(value)) {
        if (!isObject(port))
            continue;
        if (!port.protocol)
            port.protocol = 'TCP';
        // What is sent is 0, for which the API server takes the port.
        if (value.kind === 'Service' && port.port !== undefined)
            port.targetPort ||= port.port;
    }
}
function fill(value, schema, root) {
    const { items } = resolve(schema, root);
    if (Array.isArray(value)) {
        for (const item of items ? value : [])
            fill(item, items, root);
    }
    else if (isObject(value)) {
        const type = schema.$ref?.replace(/^.*\.api\./, '') ?? '';
        for (const [field, zero] of Object.entries(zeros[type] ?? {}))
            value[field] ??= structuredClone(zero);
        for (const [name, inner] of Object.entries(value)) {
            const child = childOf(resolve(schema, root), name);
            if (child)
                fill(inner, child, root);
        }
    }
}
const podTemplates = {
    Pod: ['spec'],
    CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
    ...Object.fromEntries(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job'].map((kind) => [kind, ['spec', 'template', 'spec']])),
};
function portsOf(object) {
    const list = (value) => (Array.isArray(value) ? value : []);
    if (object.kind === 'Service')
        return list(lookUp(object, ['spec', 'ports']));
    const pod = podTemplates[String(object.kind)];
    if (!pod)
        return [];
    return list(lookUp(object, [...pod, 'containers'])).flatMap((one) => list(lookUp(one, ['ports'])));
}

;// CONCATENATED MODULE: ./src/facts/sent.ts
/** An object as Flux sends it: with the labels of its owner, and of built-in kinds only what their Go types hold (flux.md §2.5). */





function asSent({ ref, value }, entrypoint, schemas) {
    const schema = schemas.find(ref.apiVersion, ref.kind);
    const copy = structuredClone(value);
    if (schema.known && schema.scope === 'Cluster' && isObject(copy.metadata))
        delete copy.metadata.namespace;
    const sent = schema.known && schema.unknownFields === 'dropped' ? normalized(copy, schema) : copy;
    return labelled(sent, entrypoint);
}
/** As it is known in a cluster: a kind that is in no namespace is in none, whatever its manifest says (oracle.md §3, R27). */
function sent_placed(ref, schemas) {
    const { namespace, ...everywhere } = ref;
    if (namespace === undefined)
        return ref;
    const schema = schemas.find(ref.apiVersion, ref.kind);
    return schema.known && schema.scope === 'Cluster' ? everywhere : ref;
}
/** Flux leaves an object as it is where the conversion to its Go type fails. */
function normalized(value, schema) {
    const { violations } = validate(value, schema, { partial: true });
    if (violations.some(({ kind, dropped }) => kind === 'type' && !dropped))
        return value;
    for (const { path } of violations.filter(({ dropped }) => dropped).reverse())
        remove(value, path);
    dropEmpty(value, schema.schema, schema.root);
    addZeros(value, schema);
    delete value.status;
    if (isObject(value.metadata)) {
        delete value.metadata.creationTimestamp;
        if (isEmptyList(value.metadata.managedFields))
            delete value.metadata.managedFields;
    }
    for (const field of value.kind === 'Secret' ? ['data'] : value.kind === 'ConfigMap' ? ['binaryData'] : [])
        unfold(value[field]);
    if (value.kind === 'Secret')
        encode(value);
    return value;
}
/** Go's types leave out a list or a map that has nothing in it, unless the field must be there. */
function dropEmpty(value, schema, root) {
    const { items, required = [] } = resolve(schema, root);
    if (Array.isArray(value)) {
        for (const item of items ? value : [])
            dropEmpty(item, items, root);
    }
    else if (isObject(value)) {
        for (const [key, inner] of Object.entries(value)) {
            const child = childOf(resolve(schema, root), key);
            if (!child)
                continue;
            const { additionalProperties, properties } = resolve(child, root);
            const isMap = isObject(inner) && additionalProperties !== undefined && !properties;
            const isNothing = inner === null || ((isMap || Array.isArray(inner)) && Object.keys(inner).length === 0);
            if (isNothing && !required.includes(key))
                delete value[key];
            else
                dropEmpty(inner, child, root);
        }
    }
}
/** Go's types leave it out, where an API server refuses even that. */
function isEmptyList(value) {
    return Array.isArray(value) && value.length === 0;
}
/** Bytes are decoded and encoded anew, which leaves no line breaks. */
function unfold(data) {
    for (const [name, text] of isObject(data) ? Object.entries(data) : [])
        if (typeof text === 'string')
            data[name] = text.replace(/[\r\n]/g, '');
}
function encode(secret) {
    const { stringData, data } = secret;
    delete secret.stringData;
    if (!isObject(stringData))
        return;
    const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')]);
    secret.data = { ...(isObject(data) ? data : {}), ...Object.fromEntries(encoded) };
}
function remove(value, path) {
    const parent = lookUp(value, path.slice(0, -1));
    const last = path.at(-1);
    if (isObject(parent) && last !== undefined)
        delete parent[last];
}
/** Where one label is no text, Flux reads none of them, and writes its own alone. */
function labelled(value, entrypoint) {
    const { metadata } = value;
    if (!isObject(metadata))
        return value;
    const { labels } = metadata;
    const isRead = isObject(labels) && Object.values(labels).every((label) => typeof label === 'string');
    return { ...value, metadata: { ...metadata, labels: { ...(isRead ? labels : {}), ...ownerLabels(entrypoint) } } };
}
/** By which Flux knows what it has applied. The names of its Kustomization are known only where the repository has it. */
function ownerLabels({ kustomization }) {
    const { name = 'cozystack-customizer', namespace = 'cozy-system' } = kustomization;
    return { [`${settingPrefix}name`]: name, [`${settingPrefix}namespace`]: namespace };
}

;// CONCATENATED MODULE: ./src/simulate/reconcile.ts
/**
 * One reconcile of a Flux Kustomization as kustomize-controller 1.8.0 does it, against an API server without a server: the
 * steps of fluxcd/pkg/ssa 0.67.1 (`ApplyAllStaged`, `DeleteAll`) with the controller's options (flux.md §2, oracle.md §3).
 */






/** Under which name Flux applies. */
const reconcile_manager = 'kustomize-controller';
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
/** What Flux takes over, and removes, before it applies (kustomize-controller 1.8.0, `apply`). */
const cleanup = {
    annotations: [lastApplied, `${settingPrefix}checksum`, 'fluxcd.io/sync-checksum'],
    labels: ['fluxcd.io/sync-gc-mark'],
    exclusions: { [`${settingPrefix}ssa`]: 'Merge' },
    fieldManagers: [
        { name: 'kubectl', exactMatch: false, operationType: 'Apply' },
        { name: 'kubectl', exactMatch: false, operationType: 'Update' },
        { name: 'before-first-apply', exactMatch: false, operationType: 'Update' },
        { name: reconcile_manager, exactMatch: false, operationType: 'Update' },
    ],
};
async function reconcile(server, request) {
    const done = { reason: 'ReconciliationSucceeded', refused: [], stopped: [], changes: [], inventory: [] };
    for (const stage of [1, 2, 3]) {
        const objects = request.objects.filter(({ ref }) => stageOf(ref) === stage).sort((a, b) => order_inOrder(a.ref, b.ref));
        const { refused, changes } = await applyAll(server, objects, request);
        if (refused.length > 0) {
            const isRefused = (ref) => refused.some((one) => inventoryId(one.ref) === inventoryId(ref));
            const stopped = request.objects.map(({ ref }) => ref).filter((ref) => stageOf(ref) >= stage && !isRefused(ref));
            return { ...done, reason: 'ReconciliationFailed', refused, stopped, inventory: [...request.inventory] };
        }
        done.changes.push(...changes);
    }
    done.inventory = done.changes.filter(({ action }) => action !== 'skipped').map(({ ref }) => ref);
    // The inventory is stored before anything is pruned, so what cannot be deleted is forgotten.
    const known = new Set(done.changes.map(({ ref }) => inventoryId(ref)));
    const stale = request.inventory.filter((ref) => !known.has(inventoryId(ref)));
    const pruned = request.entrypoint.prunes === false ? { refused: [], changes: [] } : await prune(server, stale, request);
    done.changes.push(...pruned.changes);
    return pruned.refused.length > 0 ? { ...done, reason: 'PruneFailed', refused: pruned.refused } : done;
}
/** Every object is tried before any is applied. What kubectl has written is taken over even where the stage fails. */
async function applyAll(server, objects, request) {
    const lives = await server.ask(objects.map(({ ref }) => ({ op: 'get', ref, brief: true })));
    const outcome = { refused: [], changes: [] };
    const tried = [];
    for (const [index, object] of objects.entries()) {
        const live = lives[index]?.object;
        if (isSkipped(object, live)) {
            outcome.changes.push({ ref: object.ref, action: 'skipped' });
            continue;
        }
        const missing = request.access('patch', object.ref);
        if (missing.allowed === false)
            outcome.refused.push(forbidden(object.ref, missing.refusal));
        else
            tried.push({ ...object, live });
    }
    const drifted = await dryRun(server, tried, request, outcome);
    const touched = drifted.filter(({ live }) => live && isTouched(live));
    const taken = await server.ask(touched.map(({ ref, value }) => ({
        op: 'takeover',
        ref,
        manager: reconcile_manager,
        desired: carried(value),
        ...cleanup,
        brief: true,
    })));
    const patched = new Set(touched.flatMap(({ ref }, index) => (taken[index]?.patch ? inventoryId(ref) : [])));
    if (outcome.refused.length > 0)
        return outcome;
    const writes = drifted.filter((one) => one.hasDrifted || patched.has(inventoryId(one.ref)));
    const failed = await writeAll(server, writes);
    if (failed)
        return { refused: [failed], changes: [] };
    const written = new Set(writes.map(({ ref }) => inventoryId(ref)));
    for (const { ref, live } of drifted) {
        const action = !live ? 'created' : written.has(inventoryId(ref)) ? 'configured' : 'unchanged';
        outcome.changes.push({ ref, action });
    }
    return outcome;
}
/** Whether there may be anything to take over, so that of most objects nothing has to be asked. */
function isTouched({ metadata }) {
    const { labels, annotations, managedFields } = isObject(metadata) ? metadata : {};
    const carries = (map, keys) => isObject(map) && keys.some((key) => Object.hasOwn(map, key));
    const wrote = (entry) => isObject(entry) &&
        cleanup.fieldManagers.some(({ name, operationType }) => entry.operation === operationType && String(entry.manager).startsWith(name));
    return (carries(annotations, cleanup.annotations) ||
        carries(labels, cleanup.labels) ||
        (Array.isArray(managedFields) && managedFields.some(wrote)));
}
/** Of what is to be applied a takeover reads no more. */
function carried({ metadata }) {
    const { labels, annotations } = isObject(metadata) ? metadata : {};
    return { metadata: { ...(labels !== undefined && { labels }), ...(annotations !== undefined && { annotations }) } };
}
/** One after the other, until one is refused; that it was accepted before its fields were taken over says nothing. */
async function writeAll(server, objects) {
    const apply = ({ value }) => ({ op: 'apply', object: value, manager: reconcile_manager, force: true, brief: true });
    const [, ...answers] = await server.ask([{ op: 'snapshot', name: 'writes' }, ...objects.map(apply)]);
    const index = answers.findIndex(({ error }) => error);
    if (index < 0)
        return undefined;
    await server.ask([{ op: 'restore', name: 'writes' }, ...objects.slice(0, index).map(apply)]);
    return refusedBy(objects[index].ref, answers[index]);
}
/** Those that the server accepts; what is to be forced is deleted here, as Flux does before it knows of the others. */
async function dryRun(server, tried, { entrypoint, access }, outcome) {
    const accepted = [];
    const how = { manager: reconcile_manager, force: true, dryRun: true, brief: true };
    const ask = (object) => ({ op: 'apply', object, ...how });
    const answers = await server.ask(tried.map(({ value }) => ask(value)));
    for (const [index, one] of tried.entries()) {
        let answer = answers[index];
        let { live } = one;
        if (answer.error && live && isForced(one, live, entrypoint) && [409, 422].includes(answer.status)) {
            const right = access('delete', one.ref);
            if (right.allowed === false || isGuarded(live)) {
                outcome.refused.push(right.allowed === false ? forbidden(one.ref, right.refusal) : guarded(one.ref));
                continue;
            }
            const [, again] = await server.ask([{ op: 'delete', ref: one.ref }, ask(one.value)]);
            answer = again;
            live = undefined;
        }
        // Whether it may be made is asked last.
        const right = live ? { allowed: true } : access('create', one.ref);
        if (answer.error)
            outcome.refused.push(refusedBy(one.ref, answer));
        else if (right.allowed === false)
            outcome.refused.push(forbidden(one.ref, right.refusal));
        else
            accepted.push({ ...one, live, hasDrifted: answer.drifted ?? true });
    }
    return accepted;
}
function refusedBy(ref, answer) {
    const { reason = '', message = '' } = answer.error ?? {};
    return { ref, status: answer.status, reason, message, body: answer.error ?? {} };
}
function forbidden(ref, message) {
    const reason = 'Forbidden';
    return { ref, status: 403, reason, message, body: { reason, message } };
}
function isGuarded(live) {
    return lookUp(live, ['metadata', 'labels', deletionGuard]) === 'true';
}
/** In the words of the policy, up to its hint. */
function guarded(ref) {
    const policy = 'cozystack-no-delete-guardrail';
    const denied = `ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request`;
    const message = `${ref.name} is forbidden: ${denied}: Deletion blocked: object carries ${deletionGuard}=true.`;
    return { ref, status: 422, reason: 'Invalid', message, body: { reason: 'Invalid', message } };
}
function isSkipped({ value }, live) {
    if (!isApplied({ value }) || (live && !isApplied({ value: live })))
        return true;
    return live !== undefined && isSetTo(value, 'ssa', 'IfNotPresent');
}
function isForced({ value }, live, { forces }) {
    return forces === true || isSetTo(value, 'force', 'enabled') || isSetTo(live, 'force', 'enabled');
}
/** Whose labels it does not carry, and what forbids it, stays. */
async function prune(server, stale, request) {
    const outcome = { refused: [], changes: [] };
    const lives = await server.ask(stale.map((ref) => ({ op: 'get', ref, brief: true })));
    for (const [index, ref] of stale.entries()) {
        const live = lives[index]?.object;
        if (!live) {
            outcome.changes.push({ ref, action: 'deleted' });
        }
        else if (!isOwned(live, request.entrypoint) ||
            isSetTo(live, 'prune', 'disabled') ||
            isSetTo(live, 'reconcile', 'disabled')) {
            outcome.changes.push({ ref, action: 'skipped' });
        }
        else {
            const right = request.access('delete', ref);
            if (right.allowed === false)
                outcome.refused.push(forbidden(ref, right.refusal));
            else if (isGuarded(live))
                outcome.refused.push(guarded(ref));
            else {
                await server.ask([{ op: 'delete', ref }]);
                outcome.changes.push({ ref, action: 'deleted' });
            }
        }
    }
    return outcome;
}
function isOwned(live, entrypoint) {
    return Object.entries(ownerLabels(entrypoint)).every(([key, value]) => lookUp(live, ['metadata', 'labels', key]) === value);
}

;// CONCATENATED MODULE: ./src/facts/platform.ts
/** What is known of the platform chart in a cluster: its values, and whether it makes a Package. */



function isPackage({ ref }) {
    return ref.kind === 'Package' && ref.apiVersion.startsWith('cozystack.io/');
}
function isPlatform(object) {
    return isPackage(object) && object.ref.name === platformName;
}
/**
 * The values of the platform that something says, as one map; what is not in it is not known. The repository's own word
 * counts before that of the configuration.
 */
function knownPlatformValues({ facts, objects }) {
    const [configured, optional] = [facts.all.get('platformValues'), facts.all.get('optionalPackages')];
    const written = objects
        .filter(isPlatform)
        .map(({ value }) => lookUp(value, ['spec', 'components', 'platform', 'values']))
        .filter(isObject);
    const said = [
        ...(configured && configured.source !== 'assumed' && isObject(configured.value) ? [configured.value] : []),
        ...(optional && optional.source !== 'assumed' ? [{ bundles: { enabledPackages: optional.value } }] : []),
        ...written.reverse(),
    ];
    return said.reduce(merge, {});
}
/**
 * Whether the platform chart makes the Package in this cluster; undefined where that is not known. The platform's own
 * Package is nobody's but the administrator's, yet it is there: true.
 */
function isMade(name, known) {
    const { contract, facts, snapshot } = known;
    if (name === platformName)
        return true;
    const values = knownPlatformValues(known);
    const disabled = lookUp(values, ['bundles', 'disabledPackages']);
    if (Array.isArray(disabled) && disabled.includes(name))
        return false;
    const managers = platform_own(snapshot?.packages ?? {}, name)?.managers ?? [];
    if (managers.length > 0)
        return managers.some(({ manager }) => manager === helm);
    const variant = facts.get('variant');
    if (variant.source === 'assumed')
        return undefined;
    const emission = contract.catalog.emitted(name, String(variant.value));
    if (emission === 'always')
        return !isLeftOut(name, String(variant.value), contract, values);
    if (emission === 'optional')
        return isListed(name, String(variant.value), known);
    if (typeof emission === 'object')
        return isMet(switched(emission.switch), values);
    return emission === 'never' ? false : undefined;
}
/** The variant that the chart gives a Package in this cluster; undefined where that is not known. */
function chartsVariant(name, known) {
    const platform = known.facts.get('variant');
    const chart = known.contract.catalog.platformVariant(String(platform.value));
    if (platform.source === 'assumed' || !chart)
        return undefined;
    const values = knownPlatformValues(known);
    const possible = new Set();
    for (const [condition, variant] of variantsOf(chart).get(name) ?? []) {
        const holds = isMet(condition, values);
        if (holds === false)
            continue;
        if (holds)
            possible.clear();
        possible.add(variant);
    }
    return possible.size === 1 ? [...possible][0] : undefined;
}
/** By Package: the variants that the chart gives it, and when; what stands behind counts more. */
function variantsOf(chart) {
    const known = charts.get(chart);
    if (known)
        return known;
    const changes = [
        [{}, chart.packages],
        ...Object.entries(chart.optional).map(([listed, emitted]) => [{ package: listed }, emitted]),
        ...Object.entries(chart.switches).map(([change, emitted]) => [switched(change), emitted]),
    ];
    const found = new Map();
    for (const [condition, emitted] of changes) {
        for (const [name, one] of Object.entries(emitted))
            if (one)
                found.set(name, [...(found.get(name) ?? []), [condition, one.variant]]);
    }
    charts.set(chart, found);
    return found;
}
const charts = new WeakMap();
/** A switch that was tried together with an optional Package is noted with it. */
function switched(change) {
    return { switch: change.replace(/,bundles\.enabledPackages=.*/, '') };
}
/** Writes the objects of a Helm release, in every release of Flux. */
const helm = 'helm-controller';
/** A bundle that is switched off takes its Packages along. */
function isLeftOut(name, variant, { catalog }, values) {
    const switches = Object.entries(catalog.platformVariant(variant)?.switches ?? {});
    return switches.some(([change, emitted]) => platform_own(emitted, name) === null && isMet(switched(change), values) === true);
}
function isListed(name, variant, { contract, facts }) {
    const listed = facts.all.get('optionalPackages');
    if (!listed || listed.source === 'assumed' || !Array.isArray(listed.value))
        return undefined;
    const { value } = listed;
    return contract.catalog.enabledBy(name, variant).some((one) => value.includes(one));
}
/** Maps are merged, everything else is replaced. */
function merge(below, above) {
    const merged = Object.assign(Object.create(null), below);
    for (const [key, value] of Object.entries(above)) {
        const known = merged[key];
        merged[key] = isObject(known) && isObject(value) ? merge(known, value) : value;
    }
    return merged;
}
function platform_own(map, name) {
    return Object.hasOwn(map, name) ? map[name] : undefined;
}

;// CONCATENATED MODULE: ./src/facts/owned.ts
/** The values that the platform chart sets on a Package, as far as the cluster is known. */




/** What the chart is known not to set is left out. */
function ownedIn(name, { contract, facts, objects }) {
    const known = knownPlatformValues({ facts, objects });
    const rows = contract.catalog.ownedValues(name, { variant: String(facts.get('variant').value) });
    // One path has several rows where the chart sets it to different values.
    const groups = new Map();
    for (const row of rows.filter((one) => holds(one, known) !== false)) {
        const key = JSON.stringify([row.component, row.path]);
        groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    return [...groups.values()].map((group) => toOwned(group, known));
}
function toOwned(rows, known) {
    const row = (rows.findLast((one) => holds(one, known)) ?? rows[0]);
    const set = knobValue(row, known) ?? row.value;
    const open = holds(row, known) === undefined && row.when !== 'always';
    const { component, path, knob, why, dead, shape } = row;
    return {
        ...{ component, path, shape, ...(knob !== undefined && { knob }), ...(why !== undefined && { why }) },
        ...(dead !== undefined && { dead }),
        ...(set !== undefined && { set }),
        ...(open && row.when !== 'always' && { when: row.when }),
        field: ['spec', 'components', component, 'values', ...path],
        isSure: knob === undefined || knobValue(row, known) !== undefined,
        isEqual: (value) => isEmptyMap(row, value) || rows.some((one) => isChartsOwn(value, one, known)),
        assumes: open && row.when !== 'always' ? decidedBy(row.when) : [],
    };
}
/**
 * What is written at a path, or in place of a map that leads there; undefined where nothing is. A null or an empty map over
 * a map of the chart changes nothing (oracle.md §3).
 */
function reached(value, path) {
    let node = value;
    for (let depth = 0;; depth++) {
        if (node === undefined)
            return undefined;
        if (depth === path.length)
            return { value: node, path };
        if (node === null)
            return undefined;
        if (!isObject(node))
            return { value: node, path: path.slice(0, depth) };
        node = lookUp(node, [path[depth]]);
    }
}
/** Whether the chart sets the value; undefined where that is not known. */
function holds({ when }, known) {
    return when === 'always' ? true : isMet(when, known);
}
function isEmptyMap({ shape }, value) {
    return shape === 'map' && (value === null || (isObject(value) && Object.keys(value).length === 0));
}
function isChartsOwn(value, row, known) {
    // Where it is not known whether the chart sets it, it is no comfort that the value would be the same.
    if (holds(row, known) !== true)
        return false;
    const set = knobValue(row, known) ?? row.value;
    return set !== undefined && (isPartOf(value, set) || String(value) === String(set));
}
function isPartOf(value, whole) {
    if (!isObject(value) || !isObject(whole))
        return (0,external_node_util_.isDeepStrictEqual)(value, whole);
    return Object.entries(value).every(([key, part]) => Object.hasOwn(whole, key) && isPartOf(part, whole[key]));
}
/** Platform values that the chart makes something else of: what is set there tells nothing of the value here. */
const reworked = ['publishing.apiServerEndpoint', 'publishing.ingressName', 'gpu.permittedHostDevices'];
function knobValue({ knob }, known) {
    if (knob === undefined || reworked.some((path) => knob.startsWith(path)))
        return undefined;
    return lookUp(known, knob.split('.'));
}
function decidedBy({ set, switch: changes, package: listed }) {
    return [
        ...(listed !== undefined ? ['optionalPackages'] : []),
        ...((set ?? changes) !== undefined ? ['platformValues'] : []),
    ];
}

// EXTERNAL MODULE: ./node_modules/ajv/dist/ajv.js
var dist_ajv = __webpack_require__(2463);
var ajv_default = /*#__PURE__*/__webpack_require__.n(dist_ajv);
;// CONCATENATED MODULE: ./src/fix/remedies.ts

/** Another name for a field that says nothing to anybody as it is. */
function renamed(at, key) {
    const title = `rename ${JSON.stringify(String(at.path.at(-1)))} to ${JSON.stringify(key)}`;
    return { title, safe: true, changes: [{ do: 'rename', at, key }] };
}
/** Another value for one that is refused, or says nothing to anybody. */
function rewritten(at, value) {
    return { title: `write ${JSON.stringify(value)}`, safe: true, changes: [{ do: 'set', at, value }] };
}
/** Quotes around what is a number or a word of YAML's own as it is written. */
function quoted(at, value) {
    return { title: 'quote it', safe: true, changes: [{ do: 'set', at, value, asWritten: true }] };
}
/**
 * What stands at the one path of an object goes to the other: by another name where that is all, else with all that is in it,
 * beside what is there already.
 */
function moved(object, from, to) {
    const isNeighbour = from.length === to.length && from.slice(0, -1).every((step, index) => step === to[index]);
    if (isNeighbour)
        return renamed({ object, path: from }, String(to.at(-1)));
    const value = lookUp(object.value, from);
    const parts = isObject(lookUp(object.value, to)) && isObject(value) ? Object.keys(value).map((key) => [key]) : [[]];
    const changes = parts.map((part) => ({
        do: 'move',
        at: { object, path: [...from, ...part] },
        to: [...to, ...part],
    }));
    const shared = from.findIndex((step, index) => step !== to[index]);
    const cut = Math.max(0, shared);
    return { title: `move ${spell(from.slice(cut))} to ${spell(to.slice(cut))}`, safe: false, changes };
}
function removed(at, safe) {
    const last = at.path.at(-1);
    const title = typeof last === 'number' ? 'remove the entry' : `remove ${spell(at.path)}`;
    return { title, safe, changes: [{ do: 'remove', at }] };
}

;// CONCATENATED MODULE: ./src/locate/alias.ts
/** Which alias brings a value that is written at an anchor to a field: both places are the reader's to know. */

/** More aliases of aliases than this nobody reads, and a hostile document could ask for billions. */
const mostWays = 1000;
/**
 * The alias through which the field at `path` has the scalar that starts at `offset`; undefined where the field is the one
 * that is written there, or where several aliases could be meant. Lists that were merged have other indexes than in the
 * document, so what counts is how much of the end of the path agrees.
 */
function aliasOf(root, offset, path) {
    const { written, aliases } = look(root, offset);
    if (!written)
        return undefined;
    const ways = [written];
    for (const way of ways) {
        for (const { anchor, below } of way.anchored) {
            for (const alias of aliases) {
                if (alias.name !== anchor || ways.length > mostWays)
                    continue;
                const anchored = alias.anchored.map((one) => ({ ...one, below: [...one.below, ...below] }));
                ways.push({ path: [...alias.path, ...below], anchored, span: alias.span });
            }
        }
    }
    const most = Math.max(...ways.map((way) => commonEnd(way.path, path)));
    const best = ways.filter((way) => commonEnd(way.path, path) === most);
    return best.length === 1 ? best[0]?.span : undefined;
}
function look(root, offset) {
    const aliases = [];
    let written;
    const visit = (node, { path, anchored }) => {
        if ((0,dist/* isAlias */.Vj)(node)) {
            const [start, end] = node.range ?? [0, 0];
            aliases.push({ name: node.source, path, anchored, span: { start, end } });
        }
        else if ((0,dist/* isNode */.Ll)(node)) {
            const anchors = node.anchor ? [...anchored, { anchor: node.anchor, below: [] }] : anchored;
            if ((0,dist/* isScalar */.jn)(node) && node.range?.[0] === offset)
                written = { path, anchored: anchors };
            // A merge key puts what is below it on its own level.
            const step = (child, key) => {
                const on = key === '<<' ? [] : [key];
                const deeper = anchors.map(({ anchor, below }) => ({ anchor, below: [...below, ...on] }));
                visit(child, { path: [...path, ...on], anchored: deeper });
            };
            if ((0,dist/* isMap */.jh)(node))
                for (const { key, value } of node.items)
                    step(value, String(key));
            if ((0,dist/* isSeq */.oP)(node))
                for (const [index, item] of node.items.entries())
                    step(item, index);
        }
    };
    visit(root, { path: [], anchored: [] });
    return { ...(written && { written }), aliases };
}
function commonEnd(a, b) {
    let length = 0;
    while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length))
        length++;
    return length;
}

;// CONCATENATED MODULE: ./src/locate/syntax.ts
/**
 * The syntax tree of one YAML document, to find nodes in: never to learn what a scalar means, which is go-yaml's to say.
 */


/** Deeper than this no manifest is, and a recursive parser comes near the end of its stack (Node 20 aborts at 1,000). */
const maxDepth = 100;
/** Undefined where the text is not one sound document: too deep, or broken at its very root. */
function parseSyntax(text) {
    if (depthExceeds(text, maxDepth))
        return undefined;
    const document = (0,dist/* parseDocument */.Tp)(text, {
        uniqueKeys: false,
        strict: false,
        logLevel: 'silent',
        keepSourceTokens: false,
    });
    const root = document.contents;
    if (!(0,dist/* isNode */.Ll)(root))
        return undefined;
    let index;
    const indexed = () => {
        index ??= indexOf(root);
        return index;
    };
    return {
        find: (path) => find(root, path),
        startingAt: (offset) => indexed().starts.get(behindProperties(text, offset)),
        keyOf: (offset) => indexed().keys.get(behindProperties(text, offset)),
        aliasOf: (offset, path) => aliasOf(root, offset, path),
    };
}
/**
 * Whether a document nests deeper than `limit`, from its tokens alone: the lexer keeps no stack, so any input is safe.
 * Counts open flow collections, and block collections by the columns at which their entries begin.
 */
function depthExceeds(text, limit) {
    // A bracket opens one, and every column of a line at most another: most files need not be read for it.
    if (mostAtOnce(text) <= limit)
        return false;
    const columns = [];
    let flow = 0;
    let column = 0;
    for (const token of new dist/* Lexer */.JG().lex(text)) {
        if (token === '[' || token === '{')
            flow++;
        else if (token === ']' || token === '}')
            flow--;
        else if (flow === 0 && !isBlank(token)) {
            while (columns.length > 0 && columns.at(-1) > column)
                columns.pop();
            if (columns.at(-1) !== column)
                columns.push(column);
        }
        if (flow + columns.length > limit)
            return true;
        const newline = token.lastIndexOf('\n');
        column = newline < 0 ? column + token.length : token.length - newline - 1;
    }
    return false;
}
function mostAtOnce(text) {
    const widest = text.split('\n').reduce((most, line) => Math.max(most, line.length), 0);
    return text.split(/[[{]/).length + widest + 1;
}
/** White space, or one of the marks that the lexer puts between documents and before scalars. */
function isBlank(token) {
    return token.trim() === '' || (token.length === 1 && token < ' ');
}
function find(root, path) {
    let node = root;
    let key;
    for (const step of path) {
        const next = child(node, step);
        if (!next)
            return undefined;
        key = next.key;
        node = next.value;
    }
    return {
        ...(key && { key: span(key) }),
        ...((0,dist/* isNode */.Ll)(node) && { value: span(node) }),
        scalar: (0,dist/* isScalar */.jn)(node) || (0,dist/* isAlias */.Vj)(node) || !(0,dist/* isNode */.Ll)(node),
    };
}
function child(node, step) {
    if ((0,dist/* isMap */.jh)(node)) {
        // The last of several equal keys is what a lenient decoder keeps.
        const pair = node.items.findLast((item) => keyText(item) === String(step));
        return pair && { ...((0,dist/* isNode */.Ll)(pair.key) && { key: pair.key }), value: pair.value };
    }
    if ((0,dist/* isSeq */.oP)(node) && typeof step === 'number' && step < node.items.length)
        return { value: node.items[step] };
    return undefined;
}
function keyText(pair) {
    return (0,dist/* isScalar */.jn)(pair.key) ? (pair.key.source ?? String(pair.key.value)) : undefined;
}
function span(node) {
    const [start, end] = node.range ?? [0, 0];
    return { start, end, ...((0,dist/* isScalar */.jn)(node) && node.type && { style: node.type }) };
}
/** go-yaml lets a node start with its anchor or tag, `yaml` with what follows them. */
function behindProperties(text, offset) {
    const properties = /(?:[&!][^\s,[\]{}]*[ \t]+)*/y;
    properties.lastIndex = offset;
    properties.test(text);
    return properties.lastIndex;
}
function indexOf(root) {
    const index = { starts: new Map(), keys: new Map() };
    const visit = (node) => {
        if ((0,dist/* isPair */.tO)(node)) {
            if ((0,dist/* isNode */.Ll)(node.key) && (0,dist/* isNode */.Ll)(node.value))
                index.keys.set(span(node.value).start, span(node.key));
            visit(node.key);
            visit(node.value);
        }
        else if ((0,dist/* isNode */.Ll)(node)) {
            // A map starts where its first key does; the key is the smaller, and the better answer.
            if ((0,dist/* isCollection */.P3)(node))
                for (const item of node.items)
                    visit(item);
            const at = span(node);
            if (!index.starts.has(at.start))
                index.starts.set(at.start, at);
        }
    };
    visit(root);
    return index;
}

;// CONCATENATED MODULE: ./src/config/schema.ts
const stageNames = ['base', 'simulation', 'dry-run'];
const variantNames = ['default', 'isp-full', 'isp-full-generic', 'isp-hosted'];
const schema_text = (description) => ({ type: 'string', minLength: 1, description });
const texts = (description) => ({ type: 'array', items: { type: 'string', minLength: 1 }, description });
const map = (properties, more = {}) => ({
    type: 'object',
    additionalProperties: false,
    properties,
    ...more,
});
/** Facts of a cluster, as `cluster` (the only one) and as an item of `clusters`. */
const cluster = {
    release: schema_text('The release of Cozystack, e.g. v1.6.2'),
    variant: { enum: [...variantNames], description: 'spec.variant of the Package cozystack.cozystack-platform' },
    optionalPackages: texts('What bundles.enabledPackages lists'),
    platformValues: {
        type: 'object',
        description: 'Values of the platform that are set outside of this repository, as spec.components.platform.values',
    },
    ownedNamespaces: texts('customizer.rbac.ownedNamespaces: namespaces in which the customizer may do everything'),
    roles: texts('Files of this repository with the Roles and bindings that other service accounts have in the cluster'),
    decryption: { type: 'boolean', description: 'Whether the customizer decrypts SOPS files' },
    substitution: { type: 'boolean', description: 'Whether the customizer substitutes variables' },
    snapshot: schema_text('A file written by customizer-lint snapshot'),
};
const glob = texts('Globs over files, relative to the root of the repository');
/** The severity alone, or everything that can be said of a rule. */
function ruleSetting({ summary, options = {} }) {
    const severity = { enum: ['error', 'warning', 'notice', 'off'], description: summary };
    const paths = {
        type: 'array',
        description: 'Another severity below some paths; the last that fits counts',
        items: map({ paths: glob, severity }, { required: ['paths', 'severity'] }),
    };
    return { anyOf: [severity, map({ severity, paths, ...options })], description: summary };
}
function configSchema(rules) {
    return {
        $schema: 'http://json-schema.org/draft-07/schema#',
        title: 'customizer-lint',
        description: 'The configuration of customizer-lint: .customizer-lint.yaml',
        ...map({
            entrypoints: texts('The directories that Flux applies, where they are not found by themselves'),
            cluster: map(cluster, { description: 'What is known of the cluster' }),
            clusters: {
                type: 'array',
                description: 'What is known of each of several clusters',
                items: map({ name: schema_text('For the messages'), paths: texts('The entrypoints of this cluster, or globs'), ...cluster }, { required: ['name', 'paths'] }),
            },
            rules: map(Object.fromEntries(rules.map((rule) => [rule.id, ruleSetting(rule)])), {
                description: 'Severity and options by rule',
            }),
            ignores: {
                type: 'array',
                description: 'Findings that are known and accepted',
                items: map({
                    rule: { enum: rules.map(({ id }) => id), description: 'The rule' },
                    paths: glob,
                    object: schema_text('KIND/NAME or KIND/NAMESPACE/NAME'),
                    reason: schema_text('Why; it is shown in the report'),
                    expires: {
                        type: 'string',
                        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
                        description: 'The last day on which it counts, as 2026-12-31',
                    },
                }, { required: ['rule', 'reason'] }),
            },
            require: {
                type: 'array',
                items: { enum: [...stageNames] },
                description: 'Stages without which the check fails',
            },
            ownership: {
                type: 'array',
                description: 'Fields of Packages that are not this repository’s to set, besides those of the platform',
                items: map({
                    packages: texts('Names of Packages, or globs; all of the platform where it is left out'),
                    field: schema_text('The path, as spec.components.*.values.global'),
                    owner: schema_text('Who sets it'),
                    help: schema_text('What to do instead'),
                }, { required: ['field', 'owner'] }),
            },
            dryRun: map({
                name: {
                    type: 'string',
                    pattern: '^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$',
                    description: 'The cluster that kind makes is called customizer-lint-NAME; by default customizer-lint',
                },
                image: {
                    type: 'string',
                    pattern: '^[a-zA-Z0-9][\\w./:@-]{0,254}$',
                    description: 'The image of its node, as kindest/node:v1.34.0; by default that of kind itself',
                },
                wait: {
                    type: 'string',
                    pattern: '^[1-9]\\d{0,3}[sm]$',
                    description: 'How long kind may take until the cluster is ready, as 120s; by default 120s',
                },
                timeout: {
                    type: 'string',
                    pattern: '^[1-9]\\d{0,3}[sm]$',
                    description: 'How long the whole dry run may take, as 10m; by default 10m',
                },
            }, { description: 'Asking an API server what it would say' }),
            cozystack: map({ data: schema_text('A directory written by the data generator, for a fork or another release') }),
        }),
    };
}

;// CONCATENATED MODULE: ./src/config/config.ts
/** `.customizer-lint.yaml`: read, checked, and problems in it reported at their line like any other. */









const configFile = '.customizer-lint.yaml';
function defaults(file = configFile) {
    return {
        file,
        cluster: {},
        clusters: [],
        rules: {},
        ignores: [],
        require: [],
        ownership: [],
        cozystack: {},
        dryRun: {},
    };
}
/**
 * The configuration of a tree; undefined where it has none. A file with a mistake counts as one that says nothing.
 * `named` is a file that the user asked for. Throws a `UsageError` if that one is not there.
 */
function readConfig(tree, rules, named) {
    const file = named ?? configFile;
    const text = tree.text(file);
    if (text === undefined)
        return { config: undefined, problems: [] };
    const { value, problems } = config_check(text, rules);
    const at = (path) => ({ revision: tree.revision, file, document: 0, path, part: 'key' });
    return {
        config: problems.length > 0 ? defaults(file) : config_merge(file, value),
        problems: problems.map(({ path, meant, ...words }) => ({
            rule: 'invalid-config',
            ...words,
            at: at(path),
            ...(meant !== undefined && { remedy: renamed(at(path), meant) }),
        })),
    };
}
/** Throws where `--config` names a file that the tree does not have. */
function requireConfig(tree, named) {
    if (named !== undefined && !tree.has(named))
        throw new UsageError(`--config ${named}: there is no such file in ${tree.description}`);
}
function config_check(text, rules) {
    const failed = (message) => ({ value: {}, problems: [{ path: [], message }] });
    if (text.length > 1 << 18 || depthExceeds(text, maxDepth))
        return failed('The configuration is larger or deeper than any could be');
    const document = (0,dist/* parseDocument */.Tp)(text, { logLevel: 'silent' });
    const error = document.errors[0];
    if (error)
        return failed(`The configuration is not valid YAML: ${error.message.split('\n', 1)[0]?.replace(/:$/, '')}`);
    if (document.contents !== null && !(0,dist/* isMap */.jh)(document.contents) && !(0,dist/* isSeq */.oP)(document.contents))
        return failed('The configuration must be a map');
    let value;
    try {
        value = document.toJS({ maxAliasCount: 10 }) ?? {};
    }
    catch {
        return failed('The configuration repeats aliases more often than any could need');
    }
    // It runs once, for one small document: to optimize its code would take longer than all of the rest.
    const ajv = new (ajv_default())({ allErrors: true, verbose: true, strict: false, code: { optimize: false } });
    const validate = ajv.compile(configSchema(rules));
    const problems = validate(value) ? [] : mistakes(validate.errors ?? []);
    return { value: isObject(value) ? value : {}, problems };
}
function config_merge(file, value) {
    const { rules, ...rest } = value;
    const settings = Object.entries(rules ?? {}).map(([id, setting]) => [
        id,
        typeof setting === 'string' ? { severity: setting } : setting,
    ]);
    return { ...defaults(file), ...rest, rules: Object.fromEntries(settings) };
}
/** In our words, one for each place. Of the ways that a setting could be written the one that was meant counts. */
function mistakes(errors) {
    const alternatives = errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath);
    const found = new Map();
    for (const error of errors) {
        if (error.keyword === 'anyOf')
            continue;
        const ofAlternative = alternatives.includes(error.instancePath);
        // A severity that is misspelt is no map, and a map is no severity; neither is worth a word.
        if (ofAlternative && error.keyword === (isObject(error.data) ? 'enum' : 'type'))
            continue;
        const mistake = mistakeOf(error);
        const key = mistake.path.join('/');
        if (!found.has(key))
            found.set(key, mistake);
    }
    return [...found.values()];
}
function mistakeOf({ instancePath, keyword, params, parentSchema, schema }) {
    const path = instancePath
        .split('/')
        .slice(1)
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
        .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
    const name = path.length > 0 ? `"${path.join('.')}"` : 'The configuration';
    const nouns = {
        object: 'a map',
        array: 'a list',
        string: 'a string',
        boolean: 'true or false',
    };
    switch (keyword) {
        case 'additionalProperties': {
            const known = Object.keys(parentSchema.properties ?? {});
            const key = String(params.additionalProperty);
            const meant = nearest(key, known);
            return {
                path: [...path, key],
                message: `"${[...path, key].join('.')}" is not a setting`,
                ...(meant && { meant }),
                help: meant ? `did you mean "${meant}"?` : `known here: ${shorten(known.join(', '), 200)}`,
            };
        }
        case 'enum':
            return { path, message: `${name} must be one of ${schema.join(', ')}` };
        case 'type':
            return { path, message: `${name} must be ${nouns[String(params.type)] ?? params.type}` };
        case 'required':
            return { path, message: `${name} must say "${params.missingProperty}"` };
        case 'minLength':
            return { path, message: `${name} must not be empty` };
        case 'pattern':
            if (path.at(-1) === 'expires')
                return { path, message: `${name} must be a date as 2026-12-31` };
            return { path, message: `${name} is not written right`, help: String(parentSchema?.description ?? '') };
        default:
            return { path, message: `${name} is not right: ${keyword}` };
    }
}

;// CONCATENATED MODULE: ./src/contract/rbac.ts


function loadRbac(data) {
    return readTable(data, 'rbac.yaml');
}
/** The rights of an account. Those that the platform documents are counted for its own account only. */
function grantsOf(rbac, options = {}) {
    const { account = rbac.account, ownedNamespaces = rbac.ownedNamespaces, objects = [] } = options;
    const documented = account.namespace === rbac.account.namespace && account.name === rbac.account.name;
    const cluster = documented ? [...rbac.cluster] : [];
    const namespaces = new Map();
    const unknown = [];
    if (documented)
        for (const namespace of ownedNamespaces)
            namespaces.set(namespace, [...rbac.owned]);
    const rolesByName = rolesOf(objects);
    for (const binding of objects) {
        const bound = boundRole(binding, account);
        if (!bound)
            continue;
        const rules = rolesByName.get(bound.role) ?? (bound.role === 'ClusterRole/cluster-admin' ? everything : undefined);
        const { namespace } = bound;
        if (!rules)
            unknown.push({ role: bound.role, ...(namespace !== undefined && { namespace }) });
        else if (namespace === undefined)
            cluster.push(...rules);
        else
            namespaces.set(namespace, [...(namespaces.get(namespace) ?? []), ...rules]);
    }
    return { account, cluster, namespaces, unknown };
}
/** Whether the account may do that. */
function allows(grants, request) {
    const placed = inItsNamespace(request);
    const { namespace } = placed;
    const inNamespace = namespace === undefined ? [] : (grants.namespaces.get(namespace) ?? []);
    if ([...grants.cluster, ...inNamespace].some((rule) => ruleAllows(rule, placed)))
        return { allowed: true };
    const here = grants.unknown.filter((role) => role.namespace === undefined || role.namespace === namespace);
    return {
        allowed: false,
        missing: placed,
        refusal: refusalOf(grants.account, placed),
        unsure: [...new Set(here.map(({ role }) => role))].sort(),
    };
}
/** What the documentation says of such an object that is not what happens. */
function claimAbout(rbac, { group, resource }) {
    return rbac.claims.find(({ apiGroups, resources }) => apiGroups.includes(group) && resources !== undefined && hasOrAll(resources, resource));
}
/** Whether the account has that right on anything at all of an API group, in a namespace or where it is not named everywhere. */
function reaches(grants, { verb, group, namespace }) {
    const inNamespace = namespace === undefined ? [] : (grants.namespaces.get(namespace) ?? []);
    return [...grants.cluster, ...inNamespace].some((rule) => hasOrAll(rule.verbs, verb) && hasOrAll(rule.apiGroups ?? [], group));
}
/** What to do instead of what the customizer may not. */
function insteadOf(rbac, missing) {
    const request = inItsNamespace(missing);
    const { namespace } = request;
    return rbac.notGranted.find((row) => ruleAllows(row, request) &&
        (row.scope === undefined || namespace === undefined) &&
        (row.namespaces === undefined || (namespace !== undefined && row.namespaces.includes(namespace))));
}
const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
/** A request for a Namespace counts as made in that namespace, since its address is `/api/v1/namespaces/NAME`. */
function inItsNamespace(request) {
    const { group, resource, name, namespace, ...rest } = request;
    const place = group === '' && resource === 'namespaces' ? name : namespace;
    return {
        group,
        resource,
        ...rest,
        ...(place !== undefined && place !== '' && { namespace: place }),
        ...(name !== undefined && name !== '' && { name }),
    };
}
function ruleAllows(rule, { verb, group, resource, subresource, name }) {
    return (hasOrAll(rule.verbs, verb) &&
        hasOrAll(rule.apiGroups ?? [], group) &&
        (rule.resources ?? []).some((listed) => resourceMatches(listed, resource, subresource)) &&
        (!rule.resourceNames?.length || (name !== undefined && rule.resourceNames.includes(name))));
}
function hasOrAll(listed, wanted) {
    return listed.includes('*') || listed.includes(wanted);
}
/** `pods` alone does not cover `pods/log`; `*` covers all, and a star before the slash that subresource of every kind. */
function resourceMatches(listed, resource, subresource) {
    if (listed === '*')
        return true;
    if (!subresource)
        return listed === resource;
    return listed === `${resource}/${subresource}` || listed === `*/${subresource}`;
}
function refusalOf(account, { verb, group, resource, subresource, namespace }) {
    const what = subresource ? `${resource}/${subresource}` : resource;
    const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
    return `User "${userOf(account)}" cannot ${verb} resource "${what}" in API group "${group}" ${where}`;
}
function userOf({ namespace, name }) {
    return `system:serviceaccount:${namespace}:${name}`;
}
/** The rules of every role, by `ClusterRole/NAME` or `Role/NAMESPACE/NAME`. */
function rolesOf(objects) {
    const roles = new Map();
    for (const object of objects) {
        const name = textAt(object, ['metadata', 'name']);
        if (!isRbac(object) || name === undefined)
            continue;
        const rules = rbac_rulesOf(object);
        if (object.kind === 'Role')
            roles.set(`Role/${textAt(object, ['metadata', 'namespace']) ?? ''}/${name}`, rules);
        // What an aggregated role holds is written by a controller; without it nobody knows.
        if (object.kind === 'ClusterRole' && (rules.length > 0 || !isObject(object.aggregationRule))) {
            roles.set(`ClusterRole/${name}`, rules);
        }
    }
    return roles;
}
/** The role that a binding gives the account, and the namespace it is given in; none for everywhere. */
function boundRole(binding, account) {
    if (!isRbac(binding) || (binding.kind !== 'RoleBinding' && binding.kind !== 'ClusterRoleBinding'))
        return undefined;
    const namespace = binding.kind === 'RoleBinding' ? (textAt(binding, ['metadata', 'namespace']) ?? '') : undefined;
    if (!listOf(binding.subjects).some((subject) => names(subject, account, namespace)))
        return undefined;
    const [kind, name] = [textAt(binding, ['roleRef', 'kind']), textAt(binding, ['roleRef', 'name'])];
    if (name === undefined)
        return undefined;
    if (kind === 'ClusterRole')
        return { role: `ClusterRole/${name}`, ...(namespace !== undefined && { namespace }) };
    return kind === 'Role' && namespace !== undefined ? { role: `Role/${namespace}/${name}`, namespace } : undefined;
}
/** Whether a subject of a binding is the account: itself, as the user that it is, or one of its groups. */
function names(subject, account, bindingNamespace) {
    const name = textAt(subject, ['name']);
    if (name === undefined)
        return false;
    switch (textAt(subject, ['kind'])) {
        case 'User':
            return name === userOf(account);
        case 'Group':
            return groupsOf(account).includes(name);
        case 'ServiceAccount':
            return name === account.name && (textAt(subject, ['namespace']) || bindingNamespace) === account.namespace;
        default:
            return false;
    }
}
function groupsOf({ namespace }) {
    return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
}
function isRbac(object) {
    return isObject(object) && String(object.apiVersion).startsWith('rbac.authorization.k8s.io/');
}
/** A rule that has the wrong shape gives nothing, as the API server would have refused it. */
function rbac_rulesOf(role) {
    return listOf(role.rules)
        .filter(isObject)
        .map(({ apiGroups, resources, verbs, resourceNames }) => ({
        apiGroups: words(apiGroups),
        resources: words(resources),
        verbs: words(verbs),
        resourceNames: words(resourceNames),
    }));
}
function words(value) {
    return listOf(value).filter((item) => typeof item === 'string');
}
function listOf(value) {
    return Array.isArray(value) ? value : [];
}

;// CONCATENATED MODULE: ./src/contract/schemas.ts
/** The schema of a kind, read when an object of that kind turns up: one file of a few kilobytes each. */




/** `data` is the directory `schemas/` of this package. Throws if there is no data for the release. */
function loadSchemas(data, release) {
    const custom = lazily(() => schemas_read(data, 'cozystack', release, 'crds.json'));
    const builtIn = lazily(() => loadBuiltIn(data));
    const found = new Map();
    return {
        find(apiVersion, kind) {
            const key = `${apiVersion} ${kind}`;
            let lookup = found.get(key);
            if (!lookup) {
                const [group, version] = splitVersion(apiVersion);
                lookup =
                    findBuiltIn(data, builtIn(), group, version, kind) ??
                        findCustom(data, custom(), builtIn(), group, version, kind) ??
                        unknownKind(custom(), builtIn(), group, kind);
                found.set(key, lookup);
            }
            return lookup;
        },
        definition(group, kind) {
            const key = `${group}/${kind}`;
            const { kinds } = custom();
            const entry = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
            if (!entry)
                return undefined;
            const versions = Object.entries(entry.versions).map(([name, one]) => ({
                name,
                served: !one.unserved,
                storage: one.storage === true,
                deprecated: one.deprecated === true,
                schema: schemas_read(data, 'cozystack', 'crds', one.schema),
            }));
            return { group, kind, plural: entry.plural, scope: entry.scope, versions };
        },
        isTheSameEverywhere(apiVersion, kind) {
            const [group, version] = splitVersion(apiVersion);
            const files = releases(data).map((other) => fileOf(schemas_read(data, 'cozystack', other, 'crds.json'), group, version, kind));
            return new Set(files).size === 1;
        },
    };
}
/** The name of a schema's file tells its content; undefined for a kind or version that is not served. */
function fileOf({ kinds }, group, version, kind) {
    const key = `${group}/${kind}`;
    const entry = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
    const found = entry && Object.hasOwn(entry.versions, version) ? entry.versions[version] : undefined;
    return found?.unserved ? undefined : found?.schema;
}
function loadBuiltIn(data) {
    const minors = (0,external_node_fs_.readdirSync)((0,external_node_path_.join)(data, 'kubernetes')).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    const minor = minors.at(-1) ?? '';
    const metadata = lazily(() => schemas_read(data, 'kubernetes', minor, 'ObjectMeta.json'));
    return { ...schemas_read(data, 'kubernetes', minor, 'index.json'), minor, metadata };
}
function findBuiltIn(data, index, group, version, kind) {
    const key = `${group || 'core'}/${version}/${kind}`;
    const entry = Object.hasOwn(index.kinds, key) ? index.kinds[key] : undefined;
    if (!entry)
        return otherVersions(servedBuiltIn(index, group, kind));
    const root = schemas_read(data, 'kubernetes', index.minor, entry.schema);
    return {
        known: true,
        scope: entry.scope,
        plural: entry.plural,
        builtIn: true,
        schema: root,
        root,
        metadata: index.metadata(),
        unknownFields: passesUntouched(group, kind) ? 'refused' : 'dropped',
        deprecated: false,
        offByDefault: entry.offByDefault ?? false,
        installedBy: [],
    };
}
/** Flux does not convert roles, nor the kinds that its client library does not know (flux.md §2.5). */
function passesUntouched(group, kind) {
    if (group === 'rbac.authorization.k8s.io')
        return kind === 'Role' || kind === 'ClusterRole';
    return group === 'apiextensions.k8s.io' || group === 'apiregistration.k8s.io';
}
function servedBuiltIn(index, group, kind) {
    return Object.keys(index.kinds)
        .filter((key) => key.startsWith(`${group || 'core'}/`) && key.endsWith(`/${kind}`) && !index.kinds[key]?.offByDefault)
        .map((key) => key.split('/')[1] ?? '');
}
function findCustom(data, index, builtIn, group, version, kind) {
    const key = `${group}/${kind}`;
    const entry = Object.hasOwn(index.kinds, key) ? index.kinds[key] : undefined;
    if (!entry)
        return undefined;
    const { versions } = entry;
    const found = Object.hasOwn(versions, version) ? versions[version] : undefined;
    if (!found || found.unserved)
        return otherVersions(Object.keys(versions).filter((name) => !versions[name]?.unserved));
    const root = schemas_read(data, 'cozystack', 'crds', found.schema);
    return {
        known: true,
        scope: entry.scope,
        plural: entry.plural,
        builtIn: false,
        schema: root,
        root,
        metadata: builtIn.metadata(),
        unknownFields: 'refused',
        deprecated: found.deprecated ?? false,
        offByDefault: false,
        installedBy: entry.by ?? [],
    };
}
function unknownKind(custom, builtIn, group, kind) {
    const keys = [...Object.keys(builtIn.kinds), ...Object.keys(custom.kinds)];
    const siblings = keys
        .filter((key) => key.startsWith(`${group || 'core'}/`))
        .map((key) => key.split('/').at(-1) ?? '');
    const meant = nearest(kind, siblings);
    return { known: false, why: 'unknown-kind', ...(meant !== undefined && { meant }) };
}
function otherVersions(served) {
    if (served.length === 0)
        return undefined;
    return { known: false, why: 'unserved-version', served: served.sort(newestFirst) };
}
/** v2, v1, v1beta2, v1beta1, v1alpha1: as Kubernetes ranks them. */
function newestFirst(a, b) {
    const [left, right] = [rank(a), rank(b)];
    return right[0] - left[0] || right[1] - left[1] || right[2] - left[2] || a.localeCompare(b);
}
function rank(version) {
    const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
    if (!match)
        return [-1, 0, 0];
    return [{ alpha: 0, beta: 1 }[match[2] ?? ''] ?? 2, Number(match[1]), Number(match[3] ?? 0)];
}
/** The core group has no name: `v1` is version v1 of group "". */
function splitVersion(apiVersion) {
    const slash = apiVersion.indexOf('/');
    return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}
function schemas_read(...path) {
    return JSON.parse((0,external_node_fs_.readFileSync)((0,external_node_path_.join)(...path), 'utf8'));
}
function lazily(load) {
    let value;
    return () => {
        value ??= { loaded: load() };
        return value.loaded;
    };
}

;// CONCATENATED MODULE: ./src/contract/values.ts
/**
 * Which values the charts of a release have (`values.json` and `charts/`, generated), read when a Package sets values of one: a
 * file of a few kilobytes each.
 */



/** `data` is the directory `schemas/` of this package, or several alike. */
function loadValues(data, release) {
    let words;
    const known = () => {
        words ??= collectWords(new Map(releases(data).flatMap((one) => chartsOf(data, one))));
        return words;
    };
    return {
        of: ({ source, variant, component }) => {
            const { components } = values_indexOf(data, release) ?? { components: {} };
            const file = values_own(values_own(values_own(components, source), variant), component);
            return file === undefined ? undefined : toChart(readChart(folderOf(data, release), file));
        },
        isWord: (key) => known().keys.has(key) || partsOf(key).every((part) => known().parts.has(part)),
        frequency: (key) => known().keys.get(key)?.size ?? 0,
        isPair: (parent, key) => known().pairs.has(`${parent}\n${key}`),
    };
}
function toChart({ values, subcharts = [], optional = [], open = [], schemas = {}, mentioned = [], }) {
    const switched = optional.map((path) => path.join('/'));
    return {
        ...{ values, subcharts, optional, open, mentioned },
        schemas: Object.entries(schemas).map(([name, schema]) => ({
            path: name === '' ? [] : name.split('/'),
            schema,
            optional: switched.some((path) => name === path || name.startsWith(`${path}/`)),
        })),
    };
}
/** By the name of the file. */
function collectWords(charts) {
    const keys = new Map();
    const pairs = new Set();
    const collect = (tree, parent, chart) => {
        for (const [key, child] of Object.entries(tree)) {
            keys.set(key, (keys.get(key) ?? new Set()).add(chart));
            if (parent !== undefined)
                pairs.add(`${parent}\n${key}`);
            if (typeof child === 'object')
                collect(child, key, chart);
        }
    };
    // The same chart has a file for every content that it had.
    for (const [file, { values }] of charts)
        collect(values, undefined, file.replace(/-[0-9a-f]+\.json$/, ''));
    return { keys, pairs, parts: new Set([...keys.keys()].flatMap(partsOf)) };
}
/** `enableHttps`: enable, https. */
function partsOf(key) {
    const parts = key.replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2').split(/[^A-Za-z0-9]+/);
    return parts.filter(Boolean).map((part) => part.toLowerCase());
}
function chartsOf(data, release) {
    const folder = folderOf(data, release);
    const variants = Object.values(values_indexOf(data, release)?.components ?? {}).flatMap(Object.values);
    return variants.flatMap((Object.values)).map((file) => [file, readChart(folder, file)]);
}
function folderOf(data, release) {
    return (0,external_node_path_.join)(dataOfRelease(data, release).directory, 'cozystack');
}
const indexes = new Map();
/** Data that somebody generated before there were values in it have none. */
function values_indexOf(data, release) {
    const file = (0,external_node_path_.join)(folderOf(data, release), release, 'values.json');
    if (!indexes.has(file))
        indexes.set(file, (0,external_node_fs_.existsSync)(file) ? JSON.parse((0,external_node_fs_.readFileSync)(file, 'utf8')) : undefined);
    return indexes.get(file);
}
const values_charts = new Map();
function readChart(folder, name) {
    const file = (0,external_node_path_.join)(folder, 'charts', name);
    let chart = values_charts.get(file);
    if (!chart) {
        chart = JSON.parse((0,external_node_fs_.readFileSync)(file, 'utf8'));
        values_charts.set(file, chart);
    }
    return chart;
}
function values_own(map, name) {
    return map && Object.hasOwn(map, name) ? map[name] : undefined;
}

;// CONCATENATED MODULE: ./src/contract/contract.ts
/** The platform's contract for one release, as data: who owns which field, what the catalog holds, what the schemas say. */









/**
 * `data` is the directory `schemas/` of this package; `extra` one that `npm run generate -- --out` has made, of a fork or of
 * a release that is not in the box, which is looked into first. Throws a `UsageError` if it holds no release.
 */
function loadContract(data, facts, extra) {
    if (extra !== undefined)
        checkData(extra);
    const all = extra === undefined ? [data] : [extra, data];
    const { name, exact, directory } = dataOfRelease(all, String(facts.get('release')?.value));
    return {
        release: name,
        exact,
        get ownedFields() {
            return chartOwnedFields(this.ownership);
        },
        get ownership() {
            return loadOwnership(all);
        },
        get rbac() {
            return loadRbac(all);
        },
        catalog: loadCatalog(all, name),
        schemas: loadSchemas(directory, name),
        values: loadValues(all, name),
    };
}
function checkData(directory) {
    if (releases(directory).length > 0 && (0,external_node_fs_.existsSync)((0,external_node_path_.join)(directory, 'kubernetes')))
        return;
    throw new UsageError(`there is no data in ${directory}; npm run generate -- --from DIR --release NAME --out ${directory} makes it`);
}

;// CONCATENATED MODULE: ./src/facts/facts.ts


function gatherFacts(sources) {
    const facts = new Map(Object.entries(gather).map(([name, find]) => [name, find(sources)]));
    const asked = new Set(['release', 'variant']);
    const manifests = platformManifests(sources.objects);
    return {
        all: facts,
        get(name) {
            asked.add(name);
            return facts.get(name);
        },
        platformValue(path) {
            asked.add('platformValues');
            const written = manifests.map(({ value }) => lookUp(value, [...valuesPath, ...path]));
            const known = lookUp(sources.cluster.platformValues ?? {}, path);
            return written.find((value) => value !== undefined) ?? known;
        },
        used: () => [...facts.values()].filter(({ name }) => asked.has(name)),
    };
}
const valuesPath = ['spec', 'components', 'platform', 'values'];
function platformManifests(objects) {
    return objects.filter(({ ref }) => ref.kind === 'Package' && ref.name === platformName);
}
/** What the customizer's documentation promises every repository. */
const documented = { ownedNamespaces: ['cozy-customizer'], decryption: false, substitution: false };
const gather = {
    release: (sources) => sources.release
        ? { name: 'release', value: sources.release, source: 'config' }
        : (configured('release', sources) ??
            fromSnapshot('release', sources, ({ release }) => release) ??
            assumed('release', 'v1.6', sources, ', or --release')),
    variant: (sources) => configured('variant', sources) ??
        fromSnapshot('variant', sources, ({ packages }) => packages[platformName]?.variant) ??
        fromPlatform('variant', sources, ['spec', 'variant'], (value) => typeof value === 'string') ??
        assumed('variant', 'isp-full', sources),
    optionalPackages: (sources) => configured('optionalPackages', sources) ??
        fromPlatform('optionalPackages', sources, [...valuesPath, 'bundles', 'enabledPackages'], isTexts) ??
        assumed('optionalPackages', [], sources),
    packages: (sources) => fromSnapshot('packages', sources, ({ packages }) => Object.keys(packages)) ?? {
        ...assumed('packages', 'those of the platform’s variant', sources),
        setBy: `${sources.prefix}snapshot in ${sources.config.file}`,
    },
    ownedNamespaces: (sources) => configured('ownedNamespaces', sources) ??
        fromSnapshot('ownedNamespaces', sources, ({ ownedNamespaces }) => ownedNamespaces) ??
        fromPlatform('ownedNamespaces', sources, [...valuesPath, 'customizer', 'rbac', 'ownedNamespaces'], isTexts) ?? {
        name: 'ownedNamespaces',
        value: documented.ownedNamespaces,
        source: 'contract',
    },
    roles: (sources) => configured('roles', sources) ??
        fromSnapshot('roles', sources, ({ roles }) => (roles ? [] : undefined)) ??
        assumed('roles', [], sources),
    decryption: (sources) => configured('decryption', sources) ??
        fromPlatform('decryption', sources, [...valuesPath, 'customizer', 'kustomization', 'decryption'], facts_isSet) ?? {
        name: 'decryption',
        value: documented.decryption,
        source: 'contract',
    },
    substitution: (sources) => configured('substitution', sources) ?? {
        name: 'substitution',
        value: documented.substitution,
        source: 'contract',
    },
    platformValues: (sources) => configured('platformValues', sources) ?? assumed('platformValues', 'the chart’s own', sources),
};
function configured(name, { cluster, config }) {
    const value = cluster[name];
    return value === undefined ? undefined : { name, value: value, source: 'config', file: config.file };
}
function fromSnapshot(name, { snapshot }, find) {
    const value = snapshot && find(snapshot);
    return value === undefined ? undefined : { name, value, source: 'snapshot', file: snapshot?.file };
}
/** What the platform's Package in the repository says. A part of it says nothing of the rest. */
function fromPlatform(name, { objects }, path, fits) {
    for (const { value, source } of platformManifests(objects)) {
        const found = lookUp(value, path);
        if (found === undefined || !fits(found))
            continue;
        return { name, value: found, source: 'manifest', ...(source && { file: source.file }) };
    }
    return undefined;
}
function assumed(name, value, { prefix, config }, otherwise = '') {
    return { name, value, source: 'assumed', setBy: `${prefix}${name} in ${config.file}${otherwise}` };
}
function isTexts(value) {
    return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
function facts_isSet(value) {
    return isObject(value) && Object.keys(value).length > 0;
}

;// CONCATENATED MODULE: ./src/facts/snapshot.ts
/**
 * A small file made from a cluster, to be committed: which Packages there are, who manages which fields, who may do what. It
 * holds no value of any field but those that name things, so that it can be read by everybody who may read the repository.
 */



/** Throws a `UsageError` where there is no such file, or where it is no snapshot. */
function readSnapshot(tree, file) {
    const text = tree.text(file);
    if (text === undefined)
        throw new UsageError(`the snapshot ${file} is not in ${tree.description}`);
    let value;
    try {
        value = (0,dist/* parse */.qg)(text, { maxAliasCount: 0, logLevel: 'silent' });
    }
    catch {
        throw new UsageError(`the snapshot ${file} is not valid YAML`);
    }
    const { taken, packages } = (value ?? {});
    if (typeof taken !== 'string' || !isObject(packages))
        throw new UsageError(`${file} is no snapshot of a cluster; customizer-lint snapshot writes one`);
    return { ...value, file };
}
const snapshot_customizer = { namespace: 'cozy-system', name: 'cozystack-customizer' };
/** What is worth knowing of the objects of a cluster; nothing else of them goes into it. */
function takeSnapshot(objects, taken) {
    const ofKind = (group, kind) => objects.filter((object) => object.kind === kind && String(object.apiVersion).split('/')[0] === group);
    const packages = ofKind('cozystack.io', 'Package');
    const sources = ofKind('cozystack.io', 'PackageSource');
    const roles = snapshot_rolesOf(objects);
    const release = releaseOf(ofKind('source.toolkit.fluxcd.io', 'OCIRepository'));
    const definitions = ofKind('apiextensions.k8s.io', 'CustomResourceDefinition');
    return {
        taken,
        ...(release && { release }),
        packages: Object.fromEntries(byName(packages).map((object) => [nameOf(object), packageOf(object)])),
        ...(sources.length > 0 && { packageSources: byName(sources).map(nameOf) }),
        ...(roles.length > 0 && { ownedNamespaces: ownedNamespacesOf(roles) }),
        ...(definitions.length > 0 && { kinds: kindsOf(byName(definitions)) }),
        ...(roles.length > 0 && { roles }),
    };
}
function packageOf(object) {
    const variant = textAt(object, ['spec', 'variant']);
    const components = lookUp(object, ['spec', 'components']);
    const managers = listAt(object, ['metadata', 'managedFields']).flatMap((entry) => {
        const [manager, operation] = [textAt(entry, ['manager']), textAt(entry, ['operation'])];
        const status = textAt(entry, ['subresource']) === 'status';
        if (manager === undefined || status || (operation !== 'Apply' && operation !== 'Update'))
            return [];
        const fields = [...fieldsOf(lookUp(entry, ['fieldsV1']) ?? null, [])].map(spell);
        return [{ manager, operation: operation, fields: [...new Set(fields)].sort() }];
    });
    return {
        ...(variant !== undefined && { variant }),
        ...(isObject(components) && { components: Object.keys(components).sort() }),
        ...(managers.length > 0 && { managers }),
    };
}
/** The ends of a set of managed fields. Items of lists are left out: their keys are values. */
function* fieldsOf(set, path) {
    const below = isObject(set) ? Object.entries(set).filter(([key]) => key.startsWith('f:')) : [];
    if (below.length === 0 && path.length > 0)
        yield path;
    for (const [key, value] of below)
        yield* fieldsOf(value, [...path, key.slice(2)]);
}
/** The tag of the artifact that the platform is installed from. */
function releaseOf(sources) {
    const platform = sources.find((source) => ['cozystack-platform', 'cozystack-packages'].includes(nameOf(source)));
    const tag = platform && textAt(platform, ['spec', 'ref', 'tag']);
    return tag !== undefined && /^v?\d+\.\d+\.\d+$/.test(tag) ? `v${tag.replace(/^v/, '')}` : undefined;
}
function kindsOf(definitions) {
    return Object.fromEntries(definitions.flatMap((definition) => {
        const [group, kind] = [textAt(definition, ['spec', 'group']), textAt(definition, ['spec', 'names', 'kind'])];
        const served = listAt(definition, ['spec', 'versions']).filter((version) => lookUp(version, ['served']) === true);
        const versions = served.flatMap((version) => textAt(version, ['name']) ?? []);
        return group !== undefined && kind !== undefined ? [[`${group}/${kind}`, versions]] : [];
    }));
}
/** Bindings that name a service account, and the roles that they give. */
function snapshot_rolesOf(objects) {
    const all = objects.filter(({ apiVersion }) => String(apiVersion).startsWith('rbac.authorization.k8s.io/'));
    const bindings = all.filter((object) => String(object.kind).endsWith('Binding') &&
        listAt(object, ['subjects']).some((subject) => textAt(subject, ['kind']) === 'ServiceAccount'));
    const key = (kind, namespace, name) => JSON.stringify([kind, kind === 'Role' ? namespace : undefined, name]);
    const given = new Set(bindings.map((binding) => key(lookUp(binding, ['roleRef', 'kind']), textAt(binding, ['metadata', 'namespace']), textAt(binding, ['roleRef', 'name']))));
    const roles = all.filter((object) => given.has(key(object.kind, textAt(object, ['metadata', 'namespace']), nameOf(object))));
    return byName([...roles, ...bindings]).map(({ apiVersion, kind, metadata, rules, subjects, roleRef }) => {
        const namespace = textAt(metadata ?? null, ['namespace']);
        return {
            apiVersion: apiVersion,
            kind: kind,
            metadata: { name: textAt(metadata ?? null, ['name']) ?? '', ...(namespace !== undefined && { namespace }) },
            ...(rules !== undefined && { rules }),
            ...(subjects !== undefined && { subjects }),
            ...(roleRef !== undefined && { roleRef }),
        };
    });
}
function ownedNamespacesOf(roles) {
    return roles
        .filter((role) => role.kind === 'RoleBinding' &&
        textAt(role, ['roleRef', 'name']) === 'cluster-admin' &&
        listAt(role, ['subjects']).some((subject) => textAt(subject, ['name']) === snapshot_customizer.name && textAt(subject, ['namespace']) === snapshot_customizer.namespace))
        .flatMap((role) => textAt(role, ['metadata', 'namespace']) ?? [])
        .sort();
}
function nameOf(object) {
    return textAt(object, ['metadata', 'name']) ?? '';
}
function byName(objects) {
    const key = (object) => [object.kind, textAt(object, ['metadata', 'namespace']) ?? '', nameOf(object)].join('/');
    return objects.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
function listAt(value, path) {
    const found = lookUp(value, path);
    return Array.isArray(found) ? found : [];
}

;// CONCATENATED MODULE: ./src/audit/live.ts
/** What the objects of a cluster say of it: the facts that the ownership of their fields depends on. */








function liveOf(objects, { from, data, release, known }) {
    const packages = objects.filter((value) => isPackage({ ref: refOf(value) }));
    const platform = packages.map(asRendered).find(({ ref }) => ref.name === platformName);
    const seen = gatherFacts({
        ...{ config: defaults(), cluster: {}, prefix: 'cluster.', objects: platform ? [platform] : [] },
        snapshot: { ...takeSnapshot(objects, ''), file: from },
        ...(release !== undefined && { release }),
    });
    const facts = known ? overlaid(known.facts, seen) : seen;
    const isSame = known && known.facts.get('release').value === facts.get('release').value;
    const contract = isSame ? known.contract : loadContract(data, facts.all);
    return {
        ...{ from, platform, facts, contract },
        packages: packages.map((value) => ({ name: refOf(value).name, value })).sort((a, b) => (a.name < b.name ? -1 : 1)),
        others: [...otherReleases(facts, contract, data), ...otherVariants(facts, contract)],
    };
}
function otherReleases(facts, contract, data) {
    if (facts.get('release').source !== 'assumed')
        return [];
    const others = releases(data).filter((name) => name !== contract.release);
    return others.map((name) => {
        const changed = withFact(facts, 'release', name);
        return { because: 'release', facts: changed, contract: loadContract(data, changed.all) };
    });
}
/** A platform without any bundle makes no Package, so there would be nothing to audit. */
const variants = ['isp-full', 'isp-full-generic', 'isp-hosted'];
function otherVariants(facts, contract) {
    const { value, source } = facts.get('variant');
    if (source !== 'assumed')
        return [];
    const others = variants.filter((name) => name !== value);
    return others.map((name) => ({ because: 'variant', facts: withFact(facts, 'variant', name), contract }));
}
/** What is in force counts more than what anybody thinks of it, but for what the configuration says outright. */
const live_rank = { config: 0, snapshot: 1, manifest: 2, contract: 3, assumed: 4 };
function overlaid(known, seen) {
    const all = new Map();
    for (const [name, fact] of known.all) {
        const other = seen.all.get(name);
        const isSeen = other.source === 'snapshot' || other.source === 'manifest';
        const isBetter = isSeen ? fact.source !== 'config' : live_rank[other.source] < live_rank[fact.source];
        all.set(name, isBetter ? other : fact);
    }
    return {
        all,
        get: (name) => all.get(name),
        platformValue: (path) => seen.platformValue(path) ?? known.platformValue(path),
        used: () => [...all.values()].filter(({ name }) => name === 'release' || name === 'variant'),
    };
}
/** As if it were known. */
function withFact(facts, name, value) {
    const all = new Map([...facts.all, [name, { name, value, source: 'config' }]]);
    return { ...facts, all, get: (one) => all.get(one) };
}
function refOf({ apiVersion, kind, metadata }) {
    const name = isObject(metadata) ? textAt(metadata, ['name']) : undefined;
    return { apiVersion: String(apiVersion), kind: String(kind), name: name ?? '' };
}
/** Nobody wrote it in a file. */
function asRendered(value) {
    return {
        ...{ ref: refOf(value), value, revision: 'head', entrypoint: '', index: 0 },
        ...{ writers: () => [], children: () => undefined, removed: () => [] },
    };
}

;// CONCATENATED MODULE: ./src/audit/expected.ts
/** Which fields of a live Package are not the customizer's, whose they are, and what their owner sets. */








/** As helm-controller applies a release, and as somebody does who runs Helm by hand. */
const helms = ['helm-controller', 'helm'];
function isOwner(owner, manager) {
    if (owner === 'helm')
        return helms.includes(manager);
    // Whoever made the platform's Package is its administrator, with whatever tool; only the repository is not.
    return owner === 'flux' ? manager === reconcile_manager : manager !== reconcile_manager;
}
function expectedOf(one, live) {
    const rows = live.contract.ownership.rowsOf(one.name).filter(({ field }) => !field.includes('*'));
    const fluxRows = rows.filter(({ owner }) => owner === 'Flux').map((row) => toExpected(row, 'flux', undefined));
    if (one.name === platformName) {
        const { value, source, file } = live.facts.get('variant');
        // What the live object says itself is what is in question.
        const known = source === 'config' || (source === 'snapshot' && file !== live.from) ? value : undefined;
        const own = rows.filter(({ owner }) => owner === 'platform administrator');
        return [...own.map((row) => toExpected(row, 'administrator', known)), ...fluxRows];
    }
    if (!isHelms(one, live))
        return fluxRows;
    const written = rows
        .filter(({ owner }) => owner === 'platform chart' || owner === 'Helm')
        .filter(({ field }) => field.join('.') !== 'metadata.name');
    const values = ownedBy(one.name, live, live).filter(({ when, dead }) => !when && !dead);
    return [
        ...written.map((row) => toExpected(row, 'helm', spell(row.field) === 'spec.variant' ? variantOf(one, live) : constants(live)[spell(row.field)])),
        ...values.map((owned) => toExpectedValue(owned, one, live)),
        ...fluxRows,
    ];
}
/** The chart's, whoever may have written it since: Helm has left a trace, or the chart is known to emit it. */
function isHelms({ name, value }, { contract, facts }) {
    if (!contract.catalog.isManaged(name) || name === platformName)
        return false;
    if (managedIn(value).some(({ manager }) => helms.includes(manager)))
        return true;
    if (textAt(value, ['metadata', 'annotations', 'meta.helm.sh/release-name']) !== undefined)
        return true;
    const variant = facts.get('variant');
    return variant.source !== 'assumed' && contract.catalog.emitted(name, String(variant.value)) === 'always';
}
/** The HelmRelease that makes the Packages. */
function platformRelease({ catalog }) {
    const [variant] = catalog.source(platformName)?.variants ?? [];
    const { namespace = 'cozy-system', releaseName = 'cozystack-platform' } = variant?.components[0]?.install ?? {};
    return { namespace, name: releaseName };
}
/** What the chart writes on every Package (`_helpers.tpl` of the platform chart), and Helm on all that it makes. */
function constants({ contract }) {
    const { namespace, name } = platformRelease(contract);
    return {
        'metadata.annotations["helm.sh/resource-policy"]': 'keep',
        'metadata.annotations["meta.helm.sh/release-name"]': name,
        'metadata.annotations["meta.helm.sh/release-namespace"]': namespace,
        'metadata.labels["app.kubernetes.io/managed-by"]': 'Helm',
    };
}
function toExpected({ field, why }, owner, set) {
    return {
        ...{ field, owner, why, isRequired: owner !== 'flux', isOpen: false, assumes: [] },
        ...(set !== undefined && { set }),
        isEqual: (value) => value === set,
    };
}
function toExpectedValue(owned, one, live) {
    const { field, why, shape } = owned;
    const elsewhere = possibleOf(one, live).map((other) => ({
        because: other.because,
        owned: ownedBy(one.name, other, live).find((value) => isSettled(value, one.name, other) && spell(value.field) === spell(field)),
    }));
    // Of a cluster that is in none of the cases that are known, nothing is.
    const isKnownCase = live.others.length === 0 || isPossible(one, live, live);
    const isCommon = isKnownCase && elsewhere.every(({ owned: other }) => (0,external_node_util_.isDeepStrictEqual)(other?.set, owned.set));
    const set = isCommon && isKnown(owned, live) ? owned.set : undefined;
    const doubts = isKnownCase ? elsewhere.filter((other) => !other.owned) : live.others;
    const assumes = new Set(doubts.map(({ because }) => because));
    return {
        ...{ field, owner: 'helm', isOpen: shape === 'map', isRequired: shape !== 'map', assumes: [...assumes] },
        ...(set !== undefined && { set }),
        ...(why !== undefined && { why }),
        isEqual: owned.isEqual,
    };
}
/** A value that comes with the Package itself is there when that is. */
function isSettled({ when }, name, { contract, facts }) {
    const emission = contract.catalog.emitted(name, String(facts.get('variant').value));
    return !when || (typeof emission === 'object' && (0,external_node_util_.isDeepStrictEqual)(when, { switch: emission.switch }));
}
function possibleOf(one, live) {
    return live.others.filter((possible) => isPossible(one, possible, live));
}
/** Whether the Package is one of such a cluster: it is there, and of the variant that Helm has given it. */
function isPossible({ name, value }, possible, live) {
    const emission = possible.contract.catalog.emitted(name, String(possible.facts.get('variant').value));
    if (emission === 'never' || emission === 'unknown')
        return false;
    const writers = ownersIn(value).get(keyOf(['spec', 'variant'])) ?? [];
    if (!writers.some((manager) => isOwner('helm', manager)))
        return true;
    const emitted = variantIn(name, possible, live);
    return emitted === undefined || emitted === textAt(value, ['spec', 'variant']);
}
function ownedBy(name, { facts, contract }, { platform }) {
    return ownedIn(name, { facts, contract, objects: platform ? [platform] : [] });
}
/** The variant that the chart gives the Package, if it is the same in all that may be. */
function variantOf(one, live) {
    const found = [live, ...possibleOf(one, live)].map((possible) => variantIn(one.name, possible, live));
    return found.every((other) => other === found[0]) ? found[0] : undefined;
}
function variantIn(name, { facts, contract }, { platform }) {
    const known = withFact(facts, 'variant', String(facts.get('variant').value));
    return chartsVariant(name, { facts: known, contract, objects: platform ? [platform] : [] });
}
/** A knob that nobody has turned stands where the chart has it, but for an address, which the cluster may say elsewhere. */
function isKnown({ isSure, knob }, { platform }) {
    if (isSure || knob === undefined)
        return isSure;
    if (!platform || knob.startsWith('publishing.') || textAt(platform.value, ['spec', 'variant']) === undefined)
        return false;
    return lookUp(platform.value, ['spec', 'components', 'platform', 'values', ...knob.split('.')]) === undefined;
}

;// CONCATENATED MODULE: ./src/audit/audit.ts
/** The managed fields of live Packages, held against who owns them by contract. */





/** `rendered`: what the repository applies, where there is one. */
function audit(live, rendered) {
    const { packages } = live;
    const helm = helmOf(packages);
    return {
        packages: packages.length,
        emitted: packages.filter((one) => isHelms(one, live)).length,
        ...(helm && { helm }),
        findings: packages.flatMap((one) => {
            const judged = expectedOf(one, live).flatMap((expected) => judge(one, expected));
            const told = new Set(judged.flatMap(({ now }) => (now ? [keyOf(now.path)] : [])));
            return [...judged, ...oddIn(one, told), ...doomedIn(one, rendered)];
        }),
    };
}
/** Whether the finding makes the exit status 1. */
function isSerious({ kind, assumes }) {
    return (kind === 'taken' || kind === 'lost' || kind === 'doomed') && assumes.length === 0;
}
/** A release stays with the method that it was installed with, so one entry of an older Helm tells (cozystack.md §7). */
function helmOf(packages) {
    const entries = packages
        .flatMap(({ value }) => managedIn(value))
        .filter(({ manager }) => manager === 'helm-controller');
    if (entries.some(({ operation }) => operation === 'Update'))
        return 'Update';
    return entries.length > 0 ? 'Apply' : undefined;
}
function judge(one, expected) {
    // In a map that is passed on, each key is a field.
    const below = expected.isOpen ? leavesAt(one.value, expected.field) : [expected.field];
    return below.flatMap((field) => judgeField(one, field, expected) ?? []);
}
function judgeField({ name, value }, field, expected) {
    const { owner, set, why, assumes, isRequired, isEqual } = expected;
    const now = standing(value, field);
    const by = writersOf(value, now?.path ?? field);
    const [theirs, others] = [true, false].map((wanted) => by.filter(({ manager }) => isOwner(owner, manager) === wanted));
    const about = {
        ...{ package: name, fields: [field], owner, by: others, assumes },
        ...(now && { now }),
        ...(set !== undefined && { set }),
        ...(why !== undefined && { why }),
    };
    const isThere = now?.path.length === field.length;
    if (!now || (now.value === null && theirs.length > 0))
        return isRequired ? { ...about, kind: 'lost' } : undefined;
    if (!isThere && isObject(now.value))
        return isRequired ? { ...about, kind: 'lost' } : undefined;
    if (owner === 'flux')
        return others.length > 0 && theirs.length === 0 ? { ...about, kind: 'odd' } : undefined;
    if (theirs.length > 0 && isThere)
        return others.length > 0 ? { ...about, kind: 'shared' } : undefined;
    if (others.length > 0)
        return { ...about, kind: 'taken' };
    // A field with no manager at all says nothing of who has written it; a null in the chart's place speaks for itself.
    if (now.value === null)
        return { ...about, kind: 'lost' };
    return set !== undefined && !isEqual(now.value) ? { ...about, kind: 'odd' } : undefined;
}
/** What stands at a path, or in place of a map that leads there; undefined where nothing does. */
function standing(value, field) {
    for (let length = 1; length <= field.length; length++) {
        const path = field.slice(0, length);
        const node = lookUp(value, path);
        if (node === undefined)
            return undefined;
        if (length === field.length || !isObject(node))
            return { value: node, path };
    }
    return undefined;
}
/** Those who have set the field, or something below it. */
function writersOf(object, field) {
    const covers = (path) => field.every((step, index) => path[index] === step);
    return managedIn(object)
        .filter(({ fields }) => fields.some(covers))
        .map(({ manager, operation, time }) => ({ manager, operation, ...(time !== undefined && { time }) }));
}
function leavesAt(object, path) {
    const value = lookUp(object, path);
    if (!isObject(value) || Object.keys(value).length === 0)
        return value === undefined ? [] : [path];
    return Object.keys(value).flatMap((key) => leavesAt(object, [...path, key]));
}
const valuesDepth = 4;
/** A null that nobody has written is what is left of a map whose last key was taken and let go (oracle.md §3). */
function oddIn({ name, value }, told) {
    const values = leavesAt(value, ['spec', 'components']).filter((path) => path.length > valuesDepth && lookUp(value, path) === null && !told.has(keyOf(path)));
    return values.flatMap((field) => {
        const by = writersOf(value, field);
        if (by.some(({ manager }) => !isOwner('helm', manager)))
            return [];
        return [{ package: name, kind: 'odd', fields: [field], now: { value: null, path: field }, by, assumes: [] }];
    });
}
/** What Flux takes over and removes when it applies the Package, as git does not have it (oracle.md §3, R1). */
function doomedIn({ name, value }, rendered) {
    const manifests = rendered?.filter(({ ref }) => ref.kind === 'Package' && ref.name === name) ?? [];
    const entries = managedIn(value);
    const applied = entries.filter(({ manager }) => manager === reconcile_manager);
    if ((applied.length === 0 && manifests.length === 0) || isLeftAlone(value, manifests))
        return [];
    const kept = new Set(entries.filter((entry) => !isTakenOver(entry)).flatMap(({ fields }) => fields.map(keyOf)));
    return entries.filter(isTakenOver).flatMap((entry) => {
        const { manager, operation, time } = entry;
        const by = [{ manager, operation, ...(time !== undefined && { time }) }];
        const fields = entry.fields.filter((path) => !kept.has(keyOf(path)) &&
            path.at(-1) !== cleanup.annotations[0] &&
            lookUp(value, path) !== undefined &&
            !manifests.some((manifest) => lookUp(manifest.value, path) !== undefined));
        return fields.length > 0 ? [{ package: name, kind: 'doomed', fields: audit_inOrder(fields), by, assumes: [] }] : [];
    });
}
/** The platform's variant first: without it the platform has no bundles. */
function audit_inOrder(fields) {
    const isVariant = (path) => path.length === 2 && path[1] === 'variant';
    return [...fields.filter(isVariant), ...fields.filter((path) => !isVariant(path))];
}
function isTakenOver({ manager, operation }) {
    return cleanup.fieldManagers.some(({ name, operationType }) => name !== reconcile_manager && manager.startsWith(name) && operation === operationType);
}
/** The annotation counts in the manifest, and on the live object for as long as it stays there. */
function isLeftAlone(value, manifests) {
    if (isSetTo(value, 'ssa', 'Ignore') || isSetTo(value, 'reconcile', 'disabled'))
        return true;
    const keeps = (object) => isSetTo(object, 'ssa', 'Merge') || isSetTo(object, 'ssa', 'IfNotPresent');
    const isApplied = (object) => !isSetTo(object, 'ssa', 'Ignore') && !isSetTo(object, 'reconcile', 'disabled');
    if (manifests.length > 0 && manifests.every(({ value }) => keeps(value) || !isApplied(value)))
        return true;
    if (!isSetTo(value, 'ssa', 'Merge'))
        return false;
    if (manifests.length === 0)
        return true;
    // What git alone had put there goes with the manifest that no longer says it.
    const annotation = ['metadata', 'annotations', `${Object.keys(cleanup.exclusions)[0]}`];
    return writersOf(value, annotation).some(({ manager }) => manager !== reconcile_manager);
}

;// CONCATENATED MODULE: ./src/audit/recovery.ts
/**
 * How fields get back to their owner: the commands, in an order in which nothing is taken again on the way (oracle.md §3, R1).
 * Each was tried on the API server without a server (`__tests__/audit.test.ts`).
 */







const recovery_helm = 'helm-controller';
/** None where nothing is to be restored. */
function recoveryOf({ findings, helm: method }, live) {
    const serious = findings.filter(isSerious);
    if (serious.length === 0)
        return [];
    const packages = live.packages.filter(({ name }) => serious.some((one) => one.package === name));
    const of = ({ name }) => serious.filter((one) => one.package === name && one.kind !== 'doomed');
    const charts = packages.filter((one) => one.name !== platformName && of(one).length > 0);
    const held = packages.filter(recovery_isApplied);
    const commit = inRepository(serious);
    const fetched = 'once Flux has fetched that commit (kubectl get gitrepositories -A), ';
    const next = `${commit.length > 0 ? fetched : ''}let Flux go on`;
    return [
        ...held.flatMap((one) => hold(one, held, true, 'keep Flux from taking it again meanwhile')),
        ...packages.filter((one) => needsMerge(one, serious)).map(protect),
        ...packages.filter(({ name }) => name === platformName).flatMap((one) => giveToAdministrator(one, of(one))),
        ...(charts.length > 0 && method !== 'Update' ? reapply(live) : []),
        ...(method === 'Update' ? charts.flatMap((one) => giveToHelm(one, of(one), live)) : []),
        ...commit,
        ...held.flatMap((one) => hold(one, held, false, next)),
    ];
}
/** Flux would take it again at once, from the commit that it has. */
function recovery_isApplied({ value }) {
    return managedIn(value).some(({ manager }) => manager === reconcile_manager);
}
function hold(one, held, suspend, why) {
    const names = held.map(kustomizationOf);
    const { namespace, name } = kustomizationOf(one);
    const isFirst = names.findIndex((other) => other.namespace === namespace && other.name === name) === held.indexOf(one);
    if (!isFirst)
        return [];
    const patch = recovery_quoted(JSON.stringify({ spec: { suspend } }));
    return [
        {
            why,
            command: `kubectl --namespace ${recovery_quoted(namespace)} patch kustomizations.kustomize.toolkit.fluxcd.io ${recovery_quoted(name)} --type merge --patch ${patch}`,
        },
    ];
}
/** The customizer's own, unless a label of Flux says which. */
function kustomizationOf({ value }) {
    const label = (key) => textAt(value, ['metadata', 'labels', settingPrefix + key]);
    return { namespace: label('namespace') ?? 'cozy-system', name: label('name') ?? 'cozystack-customizer' };
}
/** What kubectl writes without this, Flux takes over and removes. */
function needsMerge(one, serious) {
    if (isLeftAlone(one.value, []))
        return false;
    const mine = serious.filter((other) => other.package === one.name);
    return mine.some(({ kind }) => kind === 'doomed') || (one.name === platformName && mine.length > 0);
}
function protect({ name }) {
    return {
        why: 'make Flux leave alone what kubectl sets in it, also before the commit that says so is there',
        command: `kubectl annotate packages.cozystack.io ${recovery_quoted(name)} --overwrite ${settingPrefix}ssa=Merge`,
    };
}
/** A field that has the right value already is only applied to be had by two; a patch would change nothing, and so own nothing. */
function giveToAdministrator({ name }, findings) {
    if (findings.length === 0)
        return [];
    const wrong = findings.filter(isWrong);
    const isLost = findings.some(({ kind }) => kind === 'lost');
    const known = wrong.filter(({ set }) => set !== undefined);
    const open = wrong.filter(({ set }) => set === undefined);
    const object = `packages.cozystack.io ${recovery_quoted(name)}`;
    return [
        ...(known.length > 0 ? [{ why: 'write what the platform is', command: patchCommand(object, known) }] : []),
        ...open.map(({ fields: [field] }) => ({
            why: `write ${spell(field ?? [])} as it was when the platform was installed; what it was is not known here, cluster.variant in the configuration tells it`,
        })),
        ...(isLost
            ? [
                {
                    why: `bring back all else that Flux has removed: kubectl apply --server-side --force-conflicts -f FILE, with the file that the Package was made from`,
                },
            ]
            : [
                {
                    why: 'have kubectl own what is there, so that it stays when git lets go of it',
                    command: `kubectl get ${object} --output json | kubectl apply --server-side --force-conflicts --filename -`,
                },
            ]),
    ];
}
/** Server-side apply takes all that the chart sets, from whomever. The two annotations have to be equal. */
function reapply({ contract }) {
    const { namespace, name } = platformRelease(contract);
    const kubectl = (verb) => `kubectl --namespace ${namespace} ${verb} helmreleases.helm.toolkit.fluxcd.io ${name}`;
    const annotations = ['requestedAt', 'forceAt'].map((key) => `reconcile.fluxcd.io/${key}=$now`).join(' ');
    const commands = [
        'now=$(date +%s)',
        `${kubectl('annotate')} --overwrite ${annotations}`,
        // The request counts as handled when the upgrade begins.
        `${kubectl('wait')} --for=jsonpath='{.status.lastHandledForceAt}'=$now`,
        `${kubectl('wait')} --for=condition=Ready --timeout=15m`,
    ];
    return [
        {
            why: 'have Helm apply the platform chart again, which takes its fields back',
            command: commands.join(' && '),
        },
    ];
}
/** On a cluster that was born before 1.5 Helm patches what its chart changes, and nothing else: it is not of any help here. */
function giveToHelm({ name, value }, findings, live) {
    const { namespace, name: release } = platformRelease(live.contract);
    const object = `packages.cozystack.io ${recovery_quoted(name)}`;
    const wrong = findings.filter(isWrong);
    const [known, open] = [wrong.filter(({ set }) => set !== undefined), wrong.filter(({ set }) => set === undefined)];
    const right = findings.filter((one) => !isWrong(one));
    return [
        ...(known.length > 0
            ? [
                {
                    why: 'write what the chart sets, in the name of Helm, which on this cluster does not by itself',
                    command: `${patchCommand(object, known)} --field-manager=${recovery_helm}`,
                },
            ]
            : []),
        ...(right.length > 0 ? [applyAsHelm(name, value, right)] : []),
        ...open.map(({ fields: [field] }) => ({
            why: `write ${spell(field ?? [])} of ${name} in the same way, with kubectl patch --field-manager=${recovery_helm} and the value that helm --namespace ${namespace} get manifest ${release} shows`,
        })),
    ];
}
/** A manifest stands for all that its manager has applied before, so that is in it too. */
function applyAsHelm(name, value, findings) {
    const applied = managedIn(value).filter(({ manager, operation }) => manager === recovery_helm && operation === 'Apply');
    const fields = [...applied.flatMap((entry) => entry.fields), ...findings.flatMap((one) => one.fields)];
    const spec = { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', metadata: { name } };
    for (const field of fields) {
        const there = lookUp(value, field);
        if (there !== undefined && there !== null)
            put(spec, field, isObject(there) ? {} : there);
    }
    return {
        why: 'the value is the chart’s, only its owner is not: apply it in the name of Helm',
        command: `printf %s ${recovery_quoted(JSON.stringify(spec))} | kubectl apply --server-side --force-conflicts --field-manager=${recovery_helm} --filename -`,
    };
}
function isWrong({ now, set, fields: [field] }) {
    if (!now || now.path.length !== field?.length || now.value === null)
        return true;
    return set === undefined || JSON.stringify(now.value) !== JSON.stringify(set);
}
function patchCommand(object, findings) {
    const patch = Object.create(null);
    for (const { fields, set } of findings)
        for (const field of fields)
            put(patch, field, set);
    return `kubectl patch ${object} --type merge --patch ${recovery_quoted(JSON.stringify(patch))}`;
}
function put(target, path, value) {
    let node = target;
    for (const step of path.slice(0, -1)) {
        const below = Object.hasOwn(node, step) ? node[step] : undefined;
        // Keys are those of a live object: one may be `__proto__`.
        const next = isObject(below) ? below : Object.create(null);
        node[step] = next;
        node = next;
    }
    const last = String(path.at(-1));
    if (!(isObject(value) && isObject(node[last])))
        node[last] = value;
}
function inRepository(findings) {
    const taken = findings.filter(({ kind, by }) => kind === 'taken' && by.some(({ manager }) => manager === reconcile_manager));
    const unprotected = findings.filter((one) => one.kind === 'doomed' || (one.package === platformName && one.kind !== 'shared'));
    const names = [...new Set(unprotected.map((one) => one.package))];
    return [
        ...taken.map((one) => ({
            why: `in the repository, take ${spell(one.fields[0] ?? [])} out of the manifest of ${one.package}`,
        })),
        ...names.map((name) => ({
            why: `in the repository, give the manifest of ${name} the annotation ${settingPrefix}ssa: Merge`,
        })),
        ...(taken.length + names.length > 0 ? [{ why: 'commit that and push it' }] : []),
    ];
}
/** One word for a POSIX shell. */
function recovery_quoted(text) {
    return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

// EXTERNAL MODULE: external "node:http"
var external_node_http_ = __webpack_require__(7067);
var external_node_http_default = /*#__PURE__*/__webpack_require__.n(external_node_http_);
// EXTERNAL MODULE: external "node:https"
var external_node_https_ = __webpack_require__(4708);
var external_node_https_default = /*#__PURE__*/__webpack_require__.n(external_node_https_);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./src/cluster/client.ts
/** Requests to an API server: a few at a time, each within a deadline, and none that writes where nothing may be written. */




/** Why there is no answer at all, in words for a person. `whole`: no other question would have one. */
class Unanswered extends Error {
    whole;
    name = 'Unanswered';
    constructor(message, whole) {
        super(message);
        this.whole = whole;
    }
}
const tries = 5;
/** What a server may ask to be left alone for; more is taken for no answer. */
const longestPause = 30;
const mostBytes = 16 * 2 ** 20;
class Client {
    credentials;
    limits;
    #options;
    constructor(credentials, limits) {
        this.credentials = credentials;
        this.limits = limits;
    }
    get writes() {
        return this.limits.writes;
    }
    /** The answer, whatever it says; throws `Unanswered` where there is none. */
    async ask(request) {
        if (!this.writes && request.method !== 'GET' && request.query?.dryRun !== 'All')
            throw new Error(`${request.method} ${request.path} would write into a cluster that is not ours`);
        for (let attempt = 1;; attempt += 1) {
            const { status, body, after } = await this.#once(request);
            if (status === 401) {
                // A token may have run out on the way; a second one that is refused is no good either.
                if (attempt > 1)
                    throw new Unanswered('the server does not accept the credentials (401 Unauthorized)', true);
                this.#options = undefined;
                continue;
            }
            const busy = status === 429 || status === 503 || (status >= 500 && after !== undefined);
            if (!busy)
                return { status, body };
            const pause = after ?? 2 ** (attempt - 2);
            if (attempt === tries || pause > longestPause) {
                const words = status === 429 ? 'too many requests' : 'unavailable';
                throw new Unanswered(`the server gave no answer in ${attempt} tries (${status}, ${words})`, false);
            }
            await this.#sleep(pause);
        }
    }
    async #sleep(seconds) {
        const { signal } = this.limits;
        await (0,promises_.setTimeout)(seconds * 1000, undefined, { signal }).catch(() => { });
        this.#checkTime();
    }
    #checkTime() {
        const { signal } = this.limits;
        if (signal.aborted)
            throw new Unanswered(ended(signal), true);
    }
    async #once(request) {
        this.#checkTime();
        const { agent, headers, auth } = await this.#prepared();
        const { server } = this.credentials;
        const url = new URL(server.replace(/\/+$/, '') + request.path);
        for (const [name, value] of Object.entries(request.query ?? {}))
            url.searchParams.set(name, value);
        const text = request.body === undefined ? undefined : JSON.stringify(request.body);
        const options = {
            method: request.method,
            agent,
            headers: {
                ...headers,
                accept: 'application/json',
                'user-agent': 'customizer-lint',
                ...(request.as !== undefined && { 'impersonate-user': request.as }),
                ...(text !== undefined && {
                    'content-type': request.type ?? 'application/json',
                    'content-length': Buffer.byteLength(text),
                }),
            },
            ...(auth && { auth }),
        };
        const { seconds = 20, signal } = this.limits;
        const timeout = AbortSignal.timeout(seconds * 1000);
        try {
            return await exchange(url, { ...options, signal: AbortSignal.any([signal, timeout]) }, text);
        }
        catch (error) {
            if (signal.aborted)
                throw new Unanswered(ended(signal), true);
            if (timeout.aborted)
                throw new Unanswered(`no answer within ${seconds} s`, false);
            throw unreachable(error, url);
        }
    }
    /** Credentials are asked for once a minute at most. */
    async #prepared() {
        const now = Date.now();
        if (this.#options && this.#options.until > now)
            return this.#options.value;
        const before = this.#options?.value.agent;
        try {
            const { signal } = this.limits;
            const value = await Promise.race([this.credentials.options(), rejectWhen(signal)]);
            if (before)
                value.agent = before;
            this.#options = { until: now + 60_000, value };
            return value;
        }
        catch (error) {
            if (this.limits.signal.aborted)
                throw new Unanswered(ended(this.limits.signal), true);
            throw new Unanswered(`the kubeconfig gives no credentials${codeOf(error)}`, true);
        }
    }
    close() {
        this.#options?.value.agent.destroy();
        this.credentials.close();
    }
}
function exchange(url, options, text) {
    return new Promise((resolve, reject) => {
        const make = url.protocol === 'https:' ? (external_node_https_default()).request : (external_node_http_default()).request;
        const request = make(url, options, (response) => {
            const chunks = [];
            let size = 0;
            response.on('data', (chunk) => {
                size += chunk.length;
                if (size > mostBytes)
                    request.destroy(new Error('the answer is too long'));
                chunks.push(chunk);
            });
            response.on('error', reject);
            response.on('end', () => {
                const after = pauseOf(response.headers['retry-after']);
                const status = response.statusCode ?? 0;
                const body = readJson(Buffer.concat(chunks).toString('utf8'), status);
                resolve({ status, body, ...(after !== undefined && { after }) });
            });
        });
        request.on('error', reject);
        request.end(text);
    });
}
/** In seconds. */
function pauseOf(header) {
    if (header === undefined)
        return undefined;
    const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
    return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
function readJson(text, status) {
    try {
        const value = JSON.parse(text);
        if (isObject(value))
            return value;
    }
    catch {
        // Something between here and there answers in another language.
    }
    return { kind: 'Status', status: 'Failure', code: status, message: text.slice(0, 200) };
}
function ended(signal) {
    return signal.reason instanceof Error ? signal.reason.message : 'it was ended';
}
function rejectWhen(signal) {
    return new Promise((_, reject) => {
        if (signal.aborted)
            reject(signal.reason);
        else
            signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
}
function codeOf(error) {
    const { code } = error;
    return typeof code === 'string' ? ` (${code})` : '';
}
/** The reasons that OpenSSL gives for a certificate that it does not believe. */
const certificates = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)|ERR_TLS|HOSTNAME_MISMATCH|ALTNAME|INVALID_(?:CA|PURPOSE)/;
function unreachable(error, url) {
    const { code = '' } = error;
    const where = `the server at ${url.host}`;
    if (certificates.test(code))
        return new Unanswered(`${where} shows a certificate that the kubeconfig’s authority did not sign (${code})`, true);
    if (/^E(?:CONNREFUSED|NOTFOUND|HOSTUNREACH|NETUNREACH|AI_AGAIN|TIMEDOUT)$/.test(code))
        return new Unanswered(`${where} cannot be reached (${code})`, true);
    return new Unanswered(`${where} ended the connection${code && ` (${code})`}`, false);
}
/** What a failure says, in the API server's words. */
function client_messageOf({ body, status }) {
    return textAt(body, ['message']) ?? `status ${status}`;
}
/** In the order of the items, at most so many at a time. */
async function inParallel(items, most, work) {
    const results = new Array(items.length);
    let next = 0;
    const worker = async () => {
        while (next < items.length) {
            const index = next;
            next += 1;
            results[index] = await work(items[index], index);
        }
    };
    await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
    return results;
}

;// CONCATENATED MODULE: ./src/cluster/list.ts
/** Objects of a cluster that is only read. */





/** Throws `Unanswered` with the reason, which never holds a credential. `home` is the directory that holds `dist/`. */
async function openCredentials(home, file, context) {
    if (!(0,external_node_fs_.existsSync)((0,external_node_path_.resolve)(file)))
        throw new Unanswered(`there is no kubeconfig ${file}`, true);
    const bundle = (0,external_node_url_.pathToFileURL)((0,external_node_path_.join)(home, 'dist', 'cluster', 'index.js')).href;
    const { openKubeconfig } = (await import(/* webpackIgnore: true */ bundle));
    try {
        return openKubeconfig((0,external_node_path_.resolve)(file), context);
    }
    catch (error) {
        throw new Unanswered(`the kubeconfig is of no use: ${error.message}`, true);
    }
}
const pageSize = 200;
/** All Packages with their managed fields, and what tells the release of the platform where that may be read. */
async function listPackages(credentials, signal) {
    const client = new Client(credentials, { writes: false, signal });
    try {
        const packages = await list_list(client, '/apis/cozystack.io/v1alpha1/packages');
        const sources = '/apis/source.toolkit.fluxcd.io/v1/namespaces/cozy-system/ocirepositories';
        return [...packages, ...(await list_list(client, sources).catch(unlessBroken))];
    }
    finally {
        client.close();
    }
}
async function list_list(client, path) {
    const found = [];
    for (let next = ''; next !== undefined;) {
        const query = { limit: String(pageSize), ...(next !== '' && { continue: next }) };
        const answer = await client.ask({ method: 'GET', path, query });
        if (answer.status !== 200)
            throw new Refused(`the server does not list ${path.split('/').at(-1)}: ${client_messageOf(answer)}`, true);
        const { items } = answer.body;
        found.push(...(Array.isArray(items) ? items.filter(isObject) : []));
        next = textAt(answer.body, ['metadata', 'continue']) || undefined;
    }
    return found;
}
/** An answer, but a no. */
class Refused extends Unanswered {
}
/** Without them the release is assumed. */
function unlessBroken(error) {
    if (error instanceof Refused)
        return [];
    throw error;
}

// EXTERNAL MODULE: external "node:path/posix"
var posix_ = __webpack_require__(3916);
;// CONCATENATED MODULE: ./src/contract/kustomize.ts
/** What kustomize calls the file that says what to build (`konfig.RecognizedKustomizationFileNames`), in the order in which it looks. */

const kustomizationNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
function isKustomizationFile(file) {
    return kustomizationNames.includes((0,posix_.basename)(file));
}
/** The kustomization files that a folder may have. */
function kustomizationsIn(folder) {
    return kustomizationNames.map((name) => (folder === '.' ? name : `${folder}/${name}`));
}
/** The one that a folder has; undefined where it has none. */
function kustomize_kustomizationOf(folder, tree) {
    return kustomizationsIn(folder).find((file) => tree.has(file));
}

;// CONCATENATED MODULE: ./src/locate/inner.ts
/** `written` is the scalar as it stands in the file, from its first character (`|`, a quote) to its last. */
function innerText(written, style) {
    if (style === 'BLOCK_LITERAL')
        return block(written);
    if (written.includes('\n'))
        return undefined;
    if (style === 'PLAIN')
        return { text: written, outer: (offset) => offset };
    if (style === 'QUOTE_SINGLE')
        return inner_quoted(written, /''|[^']/gy, (piece) => piece.slice(0, 1));
    if (style === 'QUOTE_DOUBLE')
        return inner_quoted(written, escapes, unescapePiece);
    return undefined;
}
/** Every line loses the same indentation: what the header says, or what the first line with text has. */
function block(written) {
    const header = /^\|[^\n]*\n?/.exec(written)?.[0] ?? '';
    const lines = written.slice(header.length).split('\n');
    const explicit = /^\|[+-]?([1-9])/.exec(header)?.[1];
    const first = lines.find((line) => line.trim() !== '') ?? '';
    // An explicit indentation is relative to the parent's, which the scalar alone does not tell.
    const indent = explicit ? Math.min(...lines.filter((line) => line.trim()).map(indentOf)) : indentOf(first);
    const starts = [];
    let text = '';
    let outer = header.length;
    for (const [index, line] of lines.entries()) {
        const cut = Math.min(indent, line.length);
        starts.push({ inner: text.length, outer: outer + cut });
        text += line.slice(cut).replace(/\r$/, '') + (index < lines.length - 1 ? '\n' : '');
        outer += line.length + 1;
    }
    return {
        text,
        outer: (offset) => {
            const start = starts.findLast(({ inner }) => inner <= offset) ?? { inner: 0, outer: header.length };
            return start.outer + offset - start.inner;
        },
    };
}
function indentOf(line) {
    return line.length - line.trimStart().length;
}
/** One piece of a double-quoted scalar: an escape sequence, or a character of its own. */
const escapes = /\\(?:x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8}|.)|[^"\\]/giy;
const inner_short = {
    n: '\n',
    t: '\t',
    r: '\r',
    '0': '\0',
    a: '\x07',
    b: '\b',
    e: '\x1b',
    f: '\f',
    v: '\v',
    N: '\x85',
    _: '\xa0',
    L: '\u2028',
    P: '\u2029',
};
function unescapePiece(piece) {
    if (!piece.startsWith('\\'))
        return piece;
    const code = /^\\[xuU]([\da-f]+)$/i.exec(piece)?.[1];
    if (code)
        return String.fromCodePoint(Number.parseInt(code, 16));
    return inner_short[piece.charAt(1)] ?? piece.slice(1);
}
function inner_quoted(written, pieces, read) {
    const at = [];
    let text = '';
    for (const match of written.slice(1, -1).matchAll(new RegExp(pieces.source, pieces.flags.replace('y', '')))) {
        const piece = read(match[0]);
        for (let n = 0; n < piece.length; n++)
            at.push(1 + match.index);
        text += piece;
    }
    at.push(written.length - 1);
    return { text, outer: (offset) => at[Math.min(offset, at.length - 1)] ?? 0 };
}

;// CONCATENATED MODULE: ./src/locate/locate.ts
/** Place → Location: the one function that finds lines, so that no rule can get one wrong on its own. */





class Locator {
    trees;
    #sources = new Map();
    /** By the text: the clusters of a fleet often have the same files. */
    #syntax = new Map();
    constructor(trees) {
        this.trees = trees;
    }
    locate(place) {
        if ('removedBy' in place)
            return this.#removed(place.object, place.path, place.removedBy);
        if ('object' in place)
            return this.#rendered(place.object, place.path, place.part);
        const revision = place.revision ?? 'head';
        if ('document' in place)
            return this.#asWritten(revision, place.file, place.document, place.path, place.part);
        if (place.range)
            return {
                at: { revision, file: place.file, range: place.range },
                precision: 'exact',
            };
        return this.#file(revision, place.file);
    }
    source(revision, file) {
        const key = `${revision}:${file}`;
        if (!this.#sources.has(key)) {
            const text = this.trees[revision]?.text(file);
            this.#sources.set(key, text === undefined ? undefined : new Source(text));
        }
        return this.#sources.get(key);
    }
    /** A field of a rendered object: where its node was written, else its nearest parent's key, else no more than the file. */
    #rendered(object, path, part) {
        const exact = this.#node(object, path, part ?? (isLeaf(object, path) ? 'value' : 'key'));
        if (exact)
            return { at: exact, precision: 'exact' };
        if (!exists(object, path)) {
            for (let length = path.length - 1; length > 0; length--) {
                const parent = this.#node(object, path.slice(0, length), 'key');
                if (parent)
                    return { at: parent, precision: 'parent' };
            }
        }
        const { revision } = object;
        const generator = object.source
            ? undefined
            : this.origin(object.writers(['metadata', 'name'], 'value').at(-1)?.from[0], revision);
        if (generator)
            return { at: generator, precision: 'parent' };
        const name = this.#node(object, ['metadata', 'name'], 'value') ?? this.#node(object, ['kind'], 'value');
        if (name)
            return { at: name, precision: exists(object, path) ? 'file' : 'parent' };
        if (!object.source)
            return this.#file(revision, this.#kustomizationOf(revision, object.entrypoint));
        const { file, document } = object.source;
        const at = this.#asWritten(revision, file, document, ['metadata', 'name'], 'value').at;
        return { at, precision: 'file' };
    }
    /** The places that the field's value came from before its last writer, nearest first; none where they are one line. */
    earlier(object, path) {
        const places = object.writers(path, 'value').flatMap(({ from }) => this.origin(from[0], object.revision) ?? []);
        const lines = new Map(places.map((place) => [`${place.file}:${place.range.start.line}`, place]));
        return [...lines.values()].slice(1);
    }
    /** The alias that gives the field the value which is written elsewhere, at an anchor; undefined where there is none. */
    alias(object, path) {
        const origin = object.writers(path, 'value')[0]?.from[0];
        if (!origin || !('line' in origin) || origin.inside)
            return undefined;
        const { revision } = object;
        const source = this.source(revision, origin.file);
        const document = source?.documents[origin.document];
        const anchor = source && this.#span(source, revision, origin, false);
        if (!source || !document || !anchor || !/&/.test(document.text))
            return undefined;
        const found = this.#parsed(revision, origin.file, origin.document)?.aliasOf(anchor.start - document.offset, path);
        if (!found)
            return undefined;
        const { start, end } = shift(found, document.offset);
        return { revision, file: origin.file, range: source.firstLine(start, end) };
    }
    #kustomizationOf(revision, path) {
        const tree = this.trees[revision];
        return (tree && kustomize_kustomizationOf(path, tree)) ?? path;
    }
    /** The line that removed it, else the nearest parent that is left. */
    #removed(object, path, by) {
        const origin = by[0]?.from[0];
        const at = origin && this.origin(origin, object.revision);
        return at ? { at, precision: 'exact' } : this.#rendered(object, path);
    }
    #node(object, path, part) {
        const key = part === 'key' ? object.writers(path, 'key')[0]?.from[0] : undefined;
        const origin = key ?? object.writers(path, 'value')[0]?.from[0];
        // A merge may keep the key of the one side and the value of the other; the value is what was set.
        return origin && this.origin(origin, object.revision, part === 'key' && !key);
    }
    /** A place of the sources as a location; with `keyOfValue` the key of the value that stands there. */
    origin(origin, revision = 'head', keyOfValue = false) {
        if (!origin)
            return undefined;
        const source = this.source(revision, origin.file);
        const span = source && this.#span(source, revision, origin, keyOfValue);
        return span && { revision, file: origin.file, range: source.firstLine(span.start, span.end) };
    }
    #span(source, revision, origin, keyOfValue) {
        if ('textLine' in origin)
            return partOfLine(source.lineSpan(origin.textLine), origin.span);
        if ('path' in origin)
            return this.#field(source, revision, origin, keyOfValue);
        const found = origin.inside
            ? this.#inside(source, revision, origin, origin.inside, keyOfValue)
            : spanIn(source, origin, keyOfValue, () => this.#parsed(revision, origin.file, origin.document));
        return partOf(source.text, found, origin.span);
    }
    #field(source, revision, origin, keyOfValue) {
        const { file, document, path, part, span } = origin;
        const found = this.#parsed(revision, file, document)?.find(path);
        const node = keyOfValue || part === 'key' ? found?.key : found?.value;
        return node && partOf(source.text, shift(node, source.documents[document]?.offset ?? 0), span);
    }
    /** A node of a document that stands in a scalar; where the scalar cannot be taken apart, the scalar itself. */
    #inside(source, revision, written, path, keyOfValue) {
        const within = written.within ?? 0;
        const node = this.#parsed(revision, written.file, within)?.find(path)?.value;
        const scalar = node && shift(node, source.documents[within]?.offset ?? 0);
        if (!scalar?.style)
            return undefined;
        const inner = innerText(source.text.slice(scalar.start, scalar.end), scalar.style);
        if (!inner)
            return undefined;
        const text = new Source(inner.text);
        const span = spanIn(text, written, keyOfValue, () => parseSyntax(text.documents[written.document]?.text ?? ''));
        return (span && { ...span, start: scalar.start + inner.outer(span.start), end: scalar.start + inner.outer(span.end) });
    }
    #asWritten(revision, file, document, path, part) {
        const source = this.source(revision, file);
        const text = source?.documents[document];
        const syntax = this.#parsed(revision, file, document);
        if (!source || !text || !syntax)
            return this.#file(revision, file);
        for (let length = path.length; length >= 0; length--) {
            const found = syntax.find(path.slice(0, length));
            if (!found)
                continue;
            const wanted = length < path.length ? 'key' : (part ?? (found.scalar ? 'value' : 'key'));
            const span = wanted === 'key' ? (found.key ?? found.value) : (found.value ?? found.key);
            if (!span)
                continue;
            const range = source.firstLine(text.offset + span.start, text.offset + span.end);
            return {
                at: { revision, file, range },
                precision: length === path.length ? 'exact' : 'parent',
            };
        }
        return this.#file(revision, file);
    }
    /** What is written at a path of a document, quotes and all; undefined where nothing is. */
    written({ revision = 'head', file, document }, path) {
        const text = this.source(revision, file)?.documents[document]?.text;
        const found = this.#parsed(revision, file, document)?.find(path);
        return text !== undefined && found?.value
            ? { text: text.slice(found.value.start, found.value.end), scalar: found.scalar }
            : undefined;
    }
    #file(revision, file) {
        const start = { line: 1, column: 1 };
        return {
            at: { revision, file, range: { start, end: start } },
            precision: 'file',
        };
    }
    #parsed(revision, file, document) {
        const text = this.source(revision, file)?.documents[document]?.text;
        if (text === undefined)
            return undefined;
        if (!this.#syntax.has(text))
            this.#syntax.set(text, parseSyntax(text));
        return this.#syntax.get(text);
    }
}
/** The node, or the key of the value, that starts at a point of a source. */
function spanIn(source, at, keyOfValue, parsed) {
    const document = source.documents[at.document];
    if (!document)
        return undefined;
    const start = source.offset(at.line, at.column);
    const syntax = parsed();
    const offset = start - document.offset;
    const span = (keyOfValue && syntax?.keyOf(offset)) || syntax?.startingAt(offset);
    return span ? shift(span, document.offset) : { start, end: start };
}
function shift(span, offset) {
    return { ...span, start: span.start + offset, end: span.end + offset };
}
function partOfLine(span, part) {
    return span && part ? { start: span.start + part[0], end: span.start + part[1] } : span;
}
/** `part` counts in the value of a scalar, which quotes and escapes make differ from what is written. */
function partOf(text, span, part) {
    if (!span?.style || !part)
        return span;
    const inner = innerText(text.slice(span.start, span.end), span.style);
    return inner ? { start: span.start + inner.outer(part[0]), end: span.start + inner.outer(part[1]) } : span;
}
function exists(object, path) {
    return lookUp(object.value, path) !== undefined;
}
function isLeaf(object, path) {
    const value = lookUp(object.value, path);
    return value === null || typeof value !== 'object' || typeof path.at(-1) === 'number';
}

;// CONCATENATED MODULE: ./src/report/audit.ts
/** What an audit of live Packages finds, for people and for programs, with the commands that restore it. */





const audit_words = {
    taken: ['taken', 31],
    lost: ['lost', 31],
    doomed: ['doomed', 31],
    shared: ['shared', 36],
    odd: ['odd', 36],
};
const owners = {
    helm: 'helm-controller',
    administrator: 'the platform’s administrator',
    flux: 'kustomize-controller',
};
const methods = {
    Apply: 'Helm applies the chart by server-side apply',
    Update: 'Helm patches what changes in the chart, as on a cluster born before Cozystack 1.5',
};
/** Longer values are cut. */
const audit_longest = 80;
const mostFields = 4;
function auditText({ audit, recovery, facts }, options) {
    const paint = (code, text) => (options.color ? `\u001b[${code}m${text}\u001b[0m` : text);
    const names = [...new Set(audit.findings.map((one) => one.package))];
    const blocks = names.flatMap((name) => [
        paint(1, `Package ${printable(name)}`),
        ...audit.findings.filter((one) => one.package === name).flatMap((one) => findingLines(one, options, paint)),
        '',
    ]);
    const assumed = facts.filter(({ source }) => source === 'assumed').map(factWords);
    return [
        ...blocks,
        paint(1, audit_totals(audit)),
        ...(audit.helm ? [`  ${methods[audit.helm]}`] : []),
        ...assumed.map((fact) => `  assumed: ${printable(fact)}`),
        ...(recovery.length > 0 ? ['', paint(1, 'To restore it, in this order:'), ...recovery.flatMap(stepLines)] : []),
        '',
    ].join('\n');
}
function findingLines(finding, options, paint) {
    const { kind, fields, assumes } = finding;
    const [word, color] = audit_words[kind];
    const more = fields.length - mostFields;
    const shown = fields.slice(0, more > 0 ? mostFields : undefined).map((field) => printable(spell(field)));
    const what = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    const now = kind === 'doomed' || (kind === 'lost' && !finding.now) ? '' : `: ${nowWords(finding)}`;
    const [field = []] = fields;
    const at = kind === 'taken' || kind === 'shared' ? options.locate(finding.package, field) : undefined;
    const place = at ? `  ${printable(at.file)}:${at.range.start.line}` : '';
    const margin = ' '.repeat(10);
    return [
        `  ${paint(color, word.padEnd(6))}  ${what}${now}${place}`,
        ...explanation(finding).map((line) => `${margin}${line}`),
        ...(assumes.length > 0 ? [`${margin}only as far as the ${assumes.join(' and the ')} can be assumed`] : []),
    ];
}
/** With what the owner sets, where that is another value. */
function nowWords({ fields: [field = []], now, set }) {
    if (!now)
        return '';
    const there = audit_valueWords(now.value, now.path);
    const place = now.path.length === field.length ? there : `${there} stands at ${printable(spell(now.path))}`;
    if (set === undefined)
        return place;
    return audit_isSame(now.value, set) && now.path.length === field.length
        ? `${place}, as the platform sets it`
        : `${place}, where the platform sets ${audit_valueWords(set, field)}`;
}
function explanation({ kind, owner, by, why, set, fields: [field = []], now }) {
    const whose = owner ? owners[owner] : '';
    const writers = by.map(writerWords).join(', ');
    const reason = why === undefined ? [] : [printable(why)];
    switch (kind) {
        case 'taken':
            return [`from ${whose} by ${writers}`, ...reason];
        case 'lost': {
            const value = set === undefined || now ? '' : `; the platform sets ${audit_valueWords(set, field)}`;
            const left = now?.value === null
                ? ['null is what is left of a map that was taken and let go; Helm reads it as an order to delete the default']
                : [];
            return [`it belongs to ${whose}, and is not there${value}`, ...left, ...reason];
        }
        case 'doomed':
            return [`set by ${writers}`, 'Flux removes it when it next applies the Package, unless that has ssa: Merge'];
        case 'shared':
            return [`of ${whose}, and also of ${writers}: nothing is lost while both set the same`];
        case 'odd':
            return oddWords(owner, writers, now?.value ?? null);
    }
}
function oddWords(owner, writers, now) {
    if (owner === 'flux')
        return [`a label of Flux, but set by ${writers}`];
    if (owner)
        return [`no manager is recorded for it, though it belongs to ${owners[owner]}`];
    return now === null
        ? [
            'nobody has set it: null is what is left of a map that was taken and let go; Helm reads it as an order to delete the default',
        ]
        : [];
}
function writerWords({ manager, operation, time }) {
    return printable(`${manager} (${[operation, time].filter(Boolean).join(', ')})`);
}
function audit_totals({ packages, emitted, findings }) {
    const scope = `${plural(packages, 'Package')}, ${emitted} of them made by the platform chart`;
    const count = (...kinds) => findings.filter((one) => isSerious(one) && kinds.includes(one.kind)).length;
    const parts = [
        [count('taken'), 'taken'],
        [count('lost'), 'lost'],
        [count('doomed'), 'about to be removed'],
    ];
    const notices = findings.length - findings.filter(isSerious).length;
    const all = [
        ...parts.flatMap(([number, word]) => (number > 0 ? [`${number} ${word}`] : [])),
        ...(notices > 0 ? [plural(notices, 'notice')] : []),
    ].join(', ');
    return findings.some(isSerious) ? `${all}, in ${scope}` : `Nothing is taken in ${scope}${all && `; ${all}`}`;
}
function stepLines({ why, command }, index) {
    return [`  # ${index + 1}. ${printable(why)}`, ...(command === undefined ? [] : [`  ${commandWords(command)}`])];
}
/** A command that would show a secret, or that a terminal could not show as it is, is not one to be copied. */
function commandWords(command) {
    return printable(command) === command && !holdsSecret(command)
        ? command
        : '# (not shown: it holds what looks secret)';
}
function holdsSecret(command) {
    return maskText(command) !== command;
}
function audit_valueWords(value, path) {
    return printable(shorten(JSON.stringify(masked(value, path)), audit_longest));
}
function masked(value, path) {
    if (value !== null && path.some((step) => isSecretKey(String(step))))
        return mask_hidden;
    if (Array.isArray(value))
        return value.map((item, index) => masked(item, [...path, index]));
    if (value !== null && typeof value === 'object')
        return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner, [...path, key])]));
    return typeof value === 'string' ? maskText(value) : value;
}
function audit_isSame(a, b) {
    return JSON.stringify(a) === JSON.stringify(b);
}
/** Everything there is to know, for programs. */
function auditJson({ audit, recovery, facts }, { locate }) {
    const { findings, ...counts } = audit;
    return jsonText({
        ...counts,
        facts: facts.map(({ name, value, source }) => ({ name, value, source })),
        findings: findings.map((finding) => {
            const { package: name, kind, fields, now, set, owner, by, why, assumes } = finding;
            const [field = []] = fields;
            const at = locate(finding.package, field);
            return {
                ...{ package: name, kind, serious: isSerious(finding) },
                fields: fields.map((path) => spell(path)),
                ...(owner && { owner: owners[owner] }),
                ...(now && { value: masked(now.value, now.path), valueAt: spell(now.path) }),
                ...(set !== undefined && { set: masked(set, field) }),
                ...{ by, assumes },
                ...(why !== undefined && { why }),
                ...(at && { file: at.file, line: at.range.start.line }),
            };
        }),
        recovery: recovery.map(({ why, command }) => ({
            why,
            ...(command !== undefined && { command: commandWords(command) }),
        })),
    });
}

// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
;// CONCATENATED MODULE: ./src/config/data.ts
/** The contract data that a repository brings along (`cozystack.data`), as of the revision whose configuration counts. */



/** Undefined where the configuration names none. The loader reads files, and those on disk may be the change's. */
function ownDataOf({ cozystack: { data } }, tree) {
    if (data === undefined)
        return undefined;
    const folder = data.replace(/^\.\//, '').replace(/\/+$/, '');
    const directory = (0,external_node_fs_.mkdtempSync)((0,external_node_path_.join)((0,external_node_os_.tmpdir)(), 'customizer-lint-data-'));
    for (const file of tree.files) {
        const content = file.startsWith(`${folder}/`) ? tree.bytes(file) : undefined;
        if (!content)
            continue;
        const target = (0,external_node_path_.join)(directory, file.slice(folder.length + 1));
        (0,external_node_fs_.mkdirSync)((0,external_node_path_.dirname)(target), { recursive: true });
        (0,external_node_fs_.writeFileSync)(target, content);
    }
    return { directory, close: () => (0,external_node_fs_.rmSync)(directory, { recursive: true, force: true }) };
}

;// CONCATENATED MODULE: ./src/config/policy.ts

function decidePolicy({ head, base, with: compared, trust }) {
    const asTheyAre = { config: head ?? defaults(), from: 'head', facts: 'head', newIgnores: true };
    if (compared === 'nothing')
        return { ...asTheyAre, notes: [] };
    if (trust === 'fork') {
        const config = base ?? defaults(head?.file);
        const notes = changes(base, head, 'are not used: the change is a fork’s');
        return { config, from: 'base', facts: 'base', newIgnores: false, notes };
    }
    if (!base) {
        const why = compared === 'base' ? 'is new in this change' : 'is this change’s own';
        return { ...asTheyAre, notes: head ? [`${head.file} ${why}; it is used, as no other can be had`] : [] };
    }
    const { cluster, clusters } = head ?? defaults(base.file);
    return {
        config: { ...base, cluster, clusters },
        from: 'base',
        facts: 'head',
        newIgnores: true,
        notes: changes(base, head, 'count after the merge, but those of the cluster already do'),
    };
}
/** One line that names every setting which differs. */
function changes(base, head, what) {
    const different = differences(base ?? defaults(), head ?? defaults(), []).map((path) => path.join('.'));
    const settings = different.filter((path) => path !== 'file').sort();
    if (settings.length === 0)
        return [];
    return [`the changes of ${head?.file ?? base?.file ?? configFile} ${what}: ${settings.join(', ')}`];
}
/** Down to the second level, which names a rule; a list differs as a whole. */
function differences(a, b, path) {
    if (JSON.stringify(a) === JSON.stringify(b))
        return [];
    if (!isMap(a) || !isMap(b) || path.length === 2)
        return [path];
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) => differences(a[key], b[key], [...path, key]));
}
function isMap(value) {
    return value !== null && typeof value === 'object' && !Array.isArray(value);
}

;// CONCATENATED MODULE: ./src/discover/flux.ts

/** A path as Flux joins it to the artifact's root: relative, without `./` and trailing slashes; never above the root. */
function normalize(path) {
    const parts = [];
    for (const part of path.split('/')) {
        if (part === '' || part === '.')
            continue;
        if (part === '..')
            parts.pop();
        else
            parts.push(part);
    }
    return parts.join('/') || '.';
}
/** The fields that change what is built; a field of another type than the API's is left out (the schema rule names it). */
function fluxKustomization(value) {
    const spec = lookUp(value, ['spec']);
    const fields = isObject(spec) ? spec : {};
    const result = {};
    for (const key of ['name', 'namespace']) {
        const meta = textAt(value, ['metadata', key]);
        if (meta !== undefined)
            result[key] = meta;
    }
    for (const key of ['targetNamespace', 'namePrefix', 'nameSuffix']) {
        if (typeof fields[key] === 'string')
            result[key] = fields[key];
    }
    if (Array.isArray(fields.patches))
        result.patches = fields.patches;
    if (Array.isArray(fields.images))
        result.images = fields.images;
    if (Array.isArray(fields.components))
        result.components = fields.components.filter((path) => typeof path === 'string');
    if (fields.ignoreMissingComponents === true)
        result.ignoreMissingComponents = true;
    if (isObject(fields.commonMetadata))
        result.commonMetadata = fields.commonMetadata;
    if (isObject(fields.postBuild))
        result.postBuild = fields.postBuild;
    return result;
}
/** Whose rights a Flux Kustomization is applied with. */
function accountOf(value) {
    const name = textAt(value, ['spec', 'serviceAccountName']);
    return name ? { namespace: textAt(value, ['metadata', 'namespace']) ?? '', name } : 'flux';
}
const sourceGroup = 'source.toolkit.fluxcd.io/';
function sourcesOf(objects) {
    return objects.filter((object) => String(object.apiVersion).startsWith(sourceGroup));
}
/**
 * A GitRepository with another URL is another repository, and so is every other source that is defined here: it has an
 * artifact of its own. A source that is not defined here may be this repository, as bootstrap or an operator makes it.
 */
function canBeThisRepository(kustomization, sources, remotes) {
    const kind = textAt(kustomization, ['spec', 'sourceRef', 'kind']);
    const name = textAt(kustomization, ['spec', 'sourceRef', 'name']);
    const namespace = textAt(kustomization, ['spec', 'sourceRef', 'namespace']) ?? textAt(kustomization, ['metadata', 'namespace']);
    if (kind === 'Bucket' || kind === 'ExternalArtifact')
        return false;
    const source = sources.find((candidate) => {
        const home = textAt(candidate, ['metadata', 'namespace']);
        const near = !home || !namespace || home === namespace;
        return near && candidate.kind === kind && textAt(candidate, ['metadata', 'name']) === name;
    });
    if (!source)
        return true;
    const url = textAt(source, ['spec', 'url']);
    if (kind !== 'GitRepository')
        return false;
    if (url === undefined || remotes.length === 0)
        return true;
    return remotes.some((remote) => repositoryOf(remote) === repositoryOf(url));
}
/** `host/owner/name` of any form in which git writes a URL. */
function repositoryOf(url) {
    return url
        .replace(/^[a-z+]+:\/\//, '')
        .replace(/^[^@/]*@/, '')
        .replace(/^([^/:]+):(?:\d+\/)?/, '$1/')
        .replace(/(\.git)?\/*$/, '')
        .toLowerCase();
}

;// CONCATENATED MODULE: ./src/discover/rendered.ts
/** Flux Kustomizations as they reach the cluster: a base has one, and each cluster patches it or fills in its variables. */


/** A patch of one looks the same, but has no source. */
function isFluxKustomization(value) {
    return isPartOfOne(value) && textAt(value, ['spec', 'sourceRef', 'kind']) !== undefined;
}
function isPartOfOne(value) {
    return String(value.apiVersion).startsWith('kustomize.toolkit.fluxcd.io/') && value.kind === 'Kustomization';
}
/** Whether anything in the repository may change one; else there is no need to build before it is known what. */
function mayBeChanged(tree, documents) {
    const ofFlux = documents.filter(isPartOfOne);
    if (ofFlux.length === 0)
        return false;
    if (ofFlux.some((value) => !isFluxKustomization(value) || JSON.stringify(value).includes('${')))
        return true;
    return tree.files.some((file) => /\.ya?ml$|^Kustomization$/.test((0,posix_.basename)(file)) && isPatching(tree.text(file) ?? '', file));
}
/** A patch that stands in a kustomization, or one whose target is of the kind. */
function isPatching(text, file) {
    if (/^kustomization\.ya?ml$/i.test((0,posix_.basename)(file)) && text.includes('kustomize.toolkit.fluxcd.io/'))
        return true;
    const targets = text.split('target:').slice(1);
    return targets.some((rest) => /\bkind:\s*["']?Kustomization\b/.test(rest.slice(0, 200)));
}
/** More often than that no sane repository has one apply another that it patches. */
const rounds = 5;
/**
 * The entrypoints that come of Flux Kustomizations once each that another entrypoint renders counts as it is rendered, and
 * not as it stands in its file. `assemble` makes entrypoints of them.
 */
async function follow(declared, assemble, engine) {
    const built = new Map();
    let found = assemble(declared);
    for (let round = 0; round < rounds; round++) {
        const rendered = new Map();
        for (const entrypoint of found.entrypoints) {
            const key = JSON.stringify(entrypoint);
            if (!built.has(key))
                built.set(key, await renderedBy(entrypoint, engine));
            for (const one of built.get(key) ?? [])
                rendered.set(rendered_placeOf(one), [...(rendered.get(rendered_placeOf(one)) ?? []), one]);
        }
        const next = assemble(declared.flatMap((one) => rendered.get(rendered_placeOf(one)) ?? [one]));
        if (JSON.stringify(next.entrypoints) === JSON.stringify(found.entrypoints))
            break;
        found = next;
    }
    return found;
}
/** What applies itself says nothing of how it gets to the cluster. */
async function renderedBy(entrypoint, engine) {
    const response = await engine.keep(entrypoint);
    const own = entrypoint.declaredAt && rendered_placeOf(entrypoint.declaredAt);
    const appliedFrom = entrypoint.appliedFrom ?? entrypoint.path;
    return (response.ok ? (response.objects ?? []) : []).flatMap(({ value, source }) => {
        const from = response.ok ? response.sources[source] : undefined;
        if (!from || from.inside || !isFluxKustomization(value) || rendered_placeOf(from) === own)
            return [];
        return [{ value, file: from.file, document: from.document, appliedFrom }];
    });
}
function rendered_placeOf({ file, document }) {
    return `${file}\n${document}`;
}

;// CONCATENATED MODULE: ./src/discover/discover.ts
/** Which directories someone applies: the first of these sources that names any is believed. */







/** What a file must mention for its documents to be looked at. */
const discover_words = ['kustomize.toolkit.fluxcd.io', 'source.toolkit.fluxcd.io', 'cozystack.cozystack-platform'];
/** Throws a `UsageError` for a path that is not in the tree. An empty result is the caller's to report. */
async function discover(tree, engine, config, options) {
    if (options.paths.length > 0 || options.onlyPaths)
        return { entrypoints: given(tree, options.paths), skipped: [] };
    if (config.entrypoints)
        return {
            entrypoints: config.entrypoints.map((path, index) => ({
                ...bare(normalize(path), `listed in ${config.file}`),
                declaredAt: { file: config.file ?? configFile, document: 0, path: ['entrypoints', index] },
            })),
            skipped: [],
        };
    const candidates = mentioning(tree, discover_words);
    const { documents, sources } = candidates.length > 0 ? await engine.read(candidates) : { documents: [], sources: [] };
    const platform = fromPlatformPackage(tree, documents);
    if (platform.length > 0)
        return { entrypoints: platform, skipped: [] };
    const remotes = [...options.remotes, ...bootstrapped(documents, sources)];
    const declared = documents.flatMap(({ value, source }) => {
        const { file, document } = sources[source] ?? { file: '', document: 0 };
        return isFluxKustomization(value) ? [{ value, file, document }] : [];
    });
    const values = documents.map(({ value }) => value);
    const assemble = (from) => withFirst(tree, fromFlux(tree, from, sourcesOf(values), remotes));
    return mayBeChanged(tree, values) ? follow(declared, assemble, engine) : assemble(declared);
}
/** What the customizer applies may hold Flux objects that apply other folders; it does not name itself. */
function withFirst(tree, flux) {
    if (flux.entrypoints.length === 0)
        return { ...flux, entrypoints: byConvention(tree) };
    const named = new Set(flux.entrypoints.map(({ path }) => path));
    const root = rootKustomization(tree);
    const first = root.length > 0 ? root : clusterFolders(tree).filter(({ path, account }) => account || isBuilt(tree, path));
    return { ...flux, entrypoints: [...first.filter(({ path }) => !named.has(path)), ...flux.entrypoints] };
}
/** What `flux bootstrap` writes into the folder that it has Flux apply, with all of Flux's rights. */
const sync = 'gotk-sync.yaml';
/** The URLs that it wrote there: those of this repository, under which name ever this clone knows it. */
function bootstrapped(documents, files) {
    const isSync = (file = '') => (0,posix_.basename)(file) === sync;
    const written = documents.filter(({ source }) => isSync(files[source]?.file));
    const own = written.filter(({ value, source }) => {
        const path = normalize(textAt(value, ['spec', 'path']) ?? '.');
        return isFluxKustomization(value) && (path === '.' || files[source]?.file.startsWith(`${path}/`));
    });
    const names = new Set(own.map(({ value }) => textAt(value, ['spec', 'sourceRef', 'name'])));
    return sourcesOf(written.map(({ value }) => value))
        .filter((source) => names.has(textAt(source, ['metadata', 'name'])))
        .flatMap((source) => textAt(source, ['spec', 'url']) ?? []);
}
function bare(path, why) {
    return { path, why, kustomization: {} };
}
function given(tree, paths) {
    return paths.map((path) => {
        const normal = normalize(path);
        if (!tree.isDirectory(normal))
            throw new UsageError(`--path ${path}: there is no such directory in ${tree.description}`);
        return bare(normal, 'given with --path');
    });
}
/** YAML and JSON files that contain one of the words: a cheap look before anything is parsed. */
function mentioning(tree, words) {
    return tree.files.filter((file) => {
        if (!/\.(ya?ml|json)$/.test(file))
            return false;
        const content = tree.bytes(file);
        return (content !== undefined &&
            words.some((word) => Buffer.from(content.buffer, content.byteOffset, content.byteLength).includes(word)));
    });
}
/** The customizer's own setting: `customizer.kustomization.path` in the values of the platform Package. */
function fromPlatformPackage(tree, documents) {
    return documents.flatMap(({ value }) => {
        if (value.kind !== 'Package' || textAt(value, ['metadata', 'name']) !== 'cozystack.cozystack-platform')
            return [];
        const path = textAt(value, ['spec', 'components', 'platform', 'values', 'customizer', 'kustomization', 'path']);
        if (path === undefined || !tree.isDirectory(normalize(path)))
            return [];
        return [bare(normalize(path), 'customizer.kustomization.path of the platform Package')];
    });
}
function fromFlux(tree, declared, sources, remotes) {
    const entrypoints = [];
    const skipped = [];
    for (const { value, file, document, appliedFrom } of declared) {
        const name = [textAt(value, ['metadata', 'namespace']), textAt(value, ['metadata', 'name'])]
            .filter(Boolean)
            .join('/');
        const path = normalize(textAt(value, ['spec', 'path']) ?? '.');
        const reason = reasonToSkip(tree, value, path, sources, remotes);
        if (reason)
            skipped.push(`Flux Kustomization "${name}" ${reason}`);
        else
            entrypoints.push({
                path,
                why: `Flux Kustomization "${name}"`,
                kustomization: fluxKustomization(value),
                account: accountOf(value),
                ...(lookUp(value, ['spec', 'prune']) !== true && { prunes: false }),
                ...(lookUp(value, ['spec', 'force']) === true && { forces: true }),
                ...(file && { declaredAt: { file, document, path: ['spec', 'path'] } }),
                ...(appliedFrom !== undefined && { appliedFrom }),
            });
    }
    return { entrypoints: unique(entrypoints), skipped };
}
function reasonToSkip(tree, value, path, sources, remotes) {
    const spec = value.spec;
    if (spec && typeof spec === 'object' && !Array.isArray(spec) && spec.kubeConfig)
        return 'applies to another cluster (spec.kubeConfig)';
    if (!canBeThisRepository(value, sources, remotes))
        return 'renders another repository (spec.sourceRef)';
    if (!tree.isDirectory(path))
        return `names a path that is not here: "${path}"`;
    return undefined;
}
/** Two clusters may well have a Flux object of the same name and path; a folder that lists one twice has one. */
function unique(entrypoints) {
    const key = (entrypoint) => JSON.stringify([entrypoint.path, entrypoint.kustomization, entrypoint.account, clusterFolder(entrypoint)]);
    const seen = new Map(entrypoints.map((entrypoint) => [key(entrypoint), entrypoint]));
    return [...seen.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
/** The folder of `clusters/` that holds the entrypoint, or the Flux object that names it: what the usual layout means by it. */
function clusterFolder({ path, declaredAt, appliedFrom }) {
    const folder = /^clusters\/([^/]+)(?:\/|$)/;
    const places = [path, declaredAt?.file ?? '', appliedFrom ?? ''];
    return places.map((place) => folder.exec(place)?.[1]).find((name) => name !== undefined);
}
function rootKustomization(tree) {
    return isBuilt(tree, '.') ? [bare('.', 'the root has a kustomization')] : [];
}
function isBuilt(tree, path) {
    return kustomize_kustomizationOf(path, tree) !== undefined;
}
function byConvention(tree) {
    const root = rootKustomization(tree);
    if (root.length > 0)
        return root;
    const clusters = clusterFolders(tree);
    if (clusters.length > 0)
        return clusters;
    if (tree.files.some((file) => /\.ya?ml$/.test(file)))
        return [bare('.', 'the root, as nothing names another path')];
    return [];
}
/** Before somebody runs `flux bootstrap`, its file is there but says nothing. */
function clusterFolders(tree) {
    const paths = new Set(tree.files.flatMap((file) => /^(clusters\/[^/]+)\//.exec(file)?.[1] ?? []));
    return [...paths].sort().map((path) => ({
        ...bare(path, 'a folder of clusters/'),
        ...(tree.has(`${path}/flux-system/${sync}`) && { account: 'flux' }),
    }));
}

;// CONCATENATED MODULE: ./src/discover/union.ts

/**
 * Those of the head, and those that only the base had; these are a problem each, and still checked where they can be.
 * What the customizer applied before is judged with its rights as well: a change could else get others by a file that
 * names another account.
 */
function union(head, base, tree) {
    // One path may be applied to several clusters.
    const key = (entrypoint) => JSON.stringify([entrypoint.path, clusterFolder(entrypoint)]);
    const named = new Set(head.map(key));
    const gone = [...new Map(base.map((entrypoint) => [key(entrypoint), entrypoint])).values()].filter((entrypoint) => !named.has(key(entrypoint)));
    const itsOwn = new Set(head.filter(isCustomizers).map(key));
    const renamed = base.filter((entrypoint) => isCustomizers(entrypoint) && !itsOwn.has(key(entrypoint)));
    const kept = renamed.filter((entrypoint) => named.has(key(entrypoint)));
    const left = gone.filter(({ path }) => tree.isDirectory(path));
    return {
        entrypoints: [...head, ...[...kept, ...left].map(({ declaredAt: _, ...entrypoint }) => entrypoint)],
        problems: gone.map((entrypoint) => problem(entrypoint, tree)),
    };
}
function isCustomizers({ account }) {
    return account === undefined;
}
function problem({ path, why, declaredAt }, tree) {
    const now = tree.isDirectory(path) ? 'now nothing names it' : 'now it is not there';
    return {
        rule: 'missing-entrypoint',
        message: `Before this change "${path}" was applied (${why}); ${now}`,
        help: 'Flux would prune everything that it applied from there; if that is meant, ignore this in a change before',
        at: { revision: 'base', ...(declaredAt ?? { file: path }) },
        entrypoint: path,
    };
}

// EXTERNAL MODULE: ./node_modules/minimatch/dist/esm/index.js + 8 modules
var esm = __webpack_require__(1138);
;// CONCATENATED MODULE: ./src/facts/permissions.ts


function permissionsOf({ contract, facts, roles, ...options }) {
    const { rbac, schemas } = contract;
    const { ownedNamespaces = facts.get('ownedNamespaces').value } = options;
    const known = new Map();
    const isCustomizer = ({ account }) => account === undefined ||
        (account !== 'flux' && account.namespace === rbac.account.namespace && account.name === rbac.account.name);
    function grants(entrypoint) {
        const { account } = entrypoint;
        if (account === 'flux')
            return 'all';
        const key = JSON.stringify(account ?? null);
        if (!known.has(key))
            known.set(key, find(entrypoint));
        return known.get(key);
    }
    function find(entrypoint) {
        if (isCustomizer(entrypoint))
            return grantsOf(rbac, { ownedNamespaces, objects: roles });
        const account = entrypoint.account;
        const granted = grantsOf(rbac, { account, objects: roles });
        // An account without any right that is known has others: nobody would have made it for nothing.
        return granted.cluster.length + granted.namespaces.size > 0 ? granted : undefined;
    }
    function resourceOf({ apiVersion, kind }) {
        const group = groupOf(apiVersion);
        const found = schemas.find(apiVersion, kind);
        return found.known ? { group, resource: found.plural, namespaced: found.scope === 'Namespaced' } : undefined;
    }
    return {
        isCustomizer,
        resourceOf,
        accountName(entrypoint) {
            const account = entrypoint.account ?? rbac.account;
            return account === 'flux' ? 'Flux itself' : `${account.namespace}/${account.name}`;
        },
        access(entrypoint, verb, object) {
            const rights = grants(entrypoint);
            if (rights === 'all')
                return { allowed: true };
            if (!rights)
                return { allowed: 'unknown', why: 'the roles of its service account are not known' };
            const served = resourceOf(object);
            const group = groupOf(object.apiVersion);
            // Of a kind that is not known only the group counts: as what it is served, if at all, nobody can tell.
            const { resource, namespaced } = served ?? { resource: '', namespaced: object.namespace !== undefined };
            const { name, namespace } = object;
            const verdict = allows(rights, { verb, group, resource, name, ...(namespaced && namespace && { namespace }) });
            if (verdict.allowed)
                return { allowed: true };
            if (verdict.unsure.length > 0)
                return { allowed: 'unknown', why: `${verdict.unsure.join(', ')} is not known` };
            const { namespace: place } = verdict.missing;
            if (!served && reaches(rights, { verb, group, ...(place && { namespace: place }) }))
                return { allowed: 'unknown', why: 'the kind is not known' };
            const instead = isCustomizer(entrypoint) ? insteadOf(rbac, verdict.missing)?.instead : undefined;
            const { refusal, missing } = verdict;
            return { allowed: false, refusal, missing, ...(instead !== undefined && { instead }) };
        },
    };
}
/** Roles and bindings among what is rendered. */
function rolesIn(objects) {
    return objects.filter(({ ref }) => ref.apiVersion.startsWith('rbac.authorization.k8s.io/')).map(({ value }) => value);
}
/** Roles and bindings in documents that were read. */
function rolesAmong(documents) {
    const isRole = (value) => String(value?.apiVersion).startsWith('rbac.authorization.k8s.io/');
    return documents.map(({ value }) => value).filter(isRole);
}

;// CONCATENATED MODULE: ./src/facts/clusters.ts
/** Which entrypoints belong to which cluster, and what is known of it. Rules run once for each cluster. */







/** Throws a `UsageError` for a release that there is no data for. */
async function clustersOf(head, base, options) {
    const { config } = options;
    const groups = new Map();
    const add = (side, result) => {
        const name = clusters_nameOf(result, config);
        const group = groups.get(name) ?? { head: [], base: [] };
        group[side].push(result);
        groups.set(name, group);
    };
    for (const result of head)
        add('head', result);
    for (const result of base ?? [])
        add('base', result);
    if (groups.size === 0)
        groups.set(undefined, { head: [], base: [] });
    return Promise.all([...groups].map(([name, group]) => clusterOf(name, { head: side(group.head), ...(base && { base: side(group.base) }) }, options)));
}
async function clusterOf(name, sides, { config, data, ownData, release, facts: source }) {
    const index = config.clusters.findIndex((cluster) => cluster.name === name);
    const cluster = { ...config.cluster, ...config.clusters[index] };
    const snapshot = source && cluster.snapshot !== undefined ? readSnapshot(source.tree, cluster.snapshot) : undefined;
    const facts = gatherFacts({
        config,
        cluster,
        prefix: index < 0 ? 'cluster.' : `clusters[${index}].`,
        objects: (source && sides[source.tree.revision])?.objects ?? [],
        ...(release && { release }),
        ...(snapshot && { snapshot }),
    });
    const contract = loadContract(data, facts.all, ownData);
    for (const object of [...sides.head.objects, ...(sides.base?.objects ?? [])])
        object.ref = sent_placed(object.ref, contract.schemas);
    const files = cluster.roles ?? [];
    const { documents } = source && files.length > 0 ? await source.engine.read(files) : { documents: [] };
    // What a change itself grants or takes away does not hold yet when it is applied.
    const before = source ? (sides.base ?? sides.head).objects : [];
    const roles = [...rolesIn(before), ...rolesAmong(documents), ...(snapshot?.roles ?? [])];
    const permissions = permissionsOf({ contract, facts, roles });
    return {
        ...(name !== undefined && { name }),
        ...{ facts, contract, permissions, roles },
        ...(snapshot && { snapshot }),
        ...sides,
    };
}
function side(entrypoints) {
    return { entrypoints, objects: entrypoints.flatMap((result) => (result.ok ? result.objects : [])) };
}
/** The configuration's word for it; else the folder of `clusters/`. */
function clusters_nameOf({ entrypoint }, { clusters }) {
    const configuredFor = (path) => clusters.find(({ paths }) => paths.some((pattern) => path !== undefined && (path === pattern || (0,esm/* minimatch */.xF)(path, pattern, { dot: true }))));
    const configured = configuredFor(entrypoint.path) ?? configuredFor(entrypoint.appliedFrom);
    return configured ? configured.name : clusterFolder(entrypoint);
}

;// CONCATENATED MODULE: ./src/render/explain.ts
/**
 * kustomize's and Flux's error texts in plain words. The texts are those of kustomize 0.21.1 and fluxcd/pkg 1.27.0; one
 * that is not in the table is shown as it is, which is worse to read but never wrong.
 */

const noKustomization = 'add a kustomization.yaml there, or list its files one by one: Flux generates one only at the top';
const wholeObject = 'every document must have apiVersion, kind and metadata.name';
const correctPath = 'correct the path, or add what is missing';
/** The first row that matches explains: the particular stand before the general. */
const rows = [
    // Before the build: Flux's generator.
    [
        /failed to decode Kubernetes YAML from (.+?): /,
        (file) => ({
            message: `"${file}" is not a Kubernetes manifest, and without a kustomization.yaml Flux takes every YAML file for one`,
            help: 'add a kustomization.yaml that lists the manifests',
        }),
    ],
    [
        /line \d+: key "(.+?)" already set in map/,
        (key) => ({
            rule: 'duplicate-key',
            message: `The key "${key}" stands twice in one map of this file`,
            help: 'remove one of the two',
        }),
    ],
    [
        /error converting YAML to JSON: yaml: (?:line (\d+): )?(.+?)(?: <nil>)?$/m,
        (line, reason) => ({ message: `This is not valid YAML: ${reason}`, ...(line && { clue: { line: Number(line) } }) }),
    ],
    [
        /cannot unmarshal (\w+) into Go struct field \w+\.(\S+) of type (\S+)/,
        (got = '', field = '', type = '') => ({
            message: `"${field}" must be ${article(type)}, and this is ${article(got)}`,
            clue: { path: field.split('.') },
        }),
    ],
    [
        /component path '(.+?)' must be local and relative/,
        (path) => ({ message: `The component path "${path}" must be relative and inside the repository` }),
    ],
    // Paths.
    [
        /fs-security-constraint \w+ (.+?): path '/,
        (path) => ({
            message: `"${path}" lies outside the repository, where Flux reads nothing`,
            help: 'move it into the repository, and write the path relative to the kustomization',
        }),
    ],
    [
        /new root '(.+?)' cannot be absolute/,
        (path) => ({ message: `"${path}" is an absolute path`, help: 'write it relative to the kustomization' }),
    ],
    [
        /cycle detected/,
        () => ({ message: 'This kustomization includes itself', help: 'remove one of the entries that form the circle' }),
    ],
    [
        /unable to find one of .+ in directory '(.+?)'/,
        (path = '') => ({
            message: `The folder "${path}" has no kustomization.yaml`,
            help: noKustomization,
            missing: kustomizationsIn(path),
        }),
    ],
    [
        /failed to get the patch file from path\((.+?)\)/,
        (path = '') => ({ message: `There is no patch file "${path}"`, help: correctPath, missing: [path] }),
    ],
    [
        /loading KV pairs: .*?open (.+?): no such file or directory/,
        (path = '') => ({
            message: `There is no file "${path}" for the generator to read`,
            help: correctPath,
            missing: [path],
        }),
    ],
    [
        /(?:open|lstat|evalsymlink failure on) '?(.+?)'?(?: :.*)?: no such file or directory/,
        (path = '') => ({ message: `There is no file or folder "${path}"`, help: correctPath, missing: [path] }),
    ],
    // Kustomization files.
    [
        /invalid Kustomization: json: unknown field "(.+?)"/,
        (field = '') => ({
            message: `"${field}" is not a field of a kustomization`,
            help: 'correct the name, or remove it',
            clue: { path: [field] },
        }),
    ],
    [
        /kustomization\.yaml is empty/,
        () => ({ message: 'The kustomization is empty', help: 'list its resources, or remove the folder from the parent' }),
    ],
    [
        /(apiVersion for \w+ should be \S+|kind should be Kustomization or Component)/,
        (rule) => ({
            message: `This file is not a kustomization: ${rule}`,
            help: 'a Flux Kustomization must not be named kustomization.yaml, which is kustomize’s own name',
            clue: { path: ['apiVersion'] },
        }),
    ],
    [
        /Found multiple kustomization files/,
        () => ({
            message: 'The folder has more than one kustomization file',
            help: 'keep one of kustomization.yaml, kustomization.yml and Kustomization',
        }),
    ],
    [
        /expected kind 'Component' .*but got '(\w+)'/,
        (kind) => ({
            message: `A component must be of kind Component, and this is a ${kind}`,
            help: 'list it under resources, or change its kind',
        }),
    ],
    // Resources.
    [
        /may not add resource with an already registered id: ([^\s']+)/,
        (id = '') => ({
            rule: 'duplicate-object',
            message: `${explain_describe(id)} is rendered twice`,
            help: 'remove one of the two',
            clue: kindAndName(id),
        }),
    ],
    [
        /id resid\.ResId\{.*Kind:"(.*?)".*Name:"(.*?)", Namespace:"(.*?)"\} exists; can not use behavior/,
        (kind = '', name = '', namespace) => ({
            rule: 'duplicate-object',
            message: `${named(kind, name, namespace)} is generated, and is rendered already`,
            help: 'give it another name, or set "behavior: merge" or "behavior: replace"',
        }),
    ],
    [
        /id resid\.ResId\{.*Kind:"(.*?)".*Name:"(.*?)", Namespace:"(.*?)"\} does not exist; cannot merge or replace/,
        (kind = '', name = '', namespace) => ({
            message: `${named(kind, name, namespace)} is to be merged or replaced, and nothing before it renders one`,
            help: 'list under resources what does, or leave out "behavior"',
        }),
    ],
    [
        /line (\d+): mapping key "(.+?)" already defined at line (\d+)/,
        (line, key = '', first) => ({
            rule: 'duplicate-key',
            message: `The key "${key}" stands twice in one map, the first time on line ${first} of its document`,
            help: 'remove one of the two',
            clue: { key, lines: [Number(line), Number(first)] },
        }),
    ],
    [
        /invalid document separator: (.+?)(?:': must build|$)/m,
        (separator = '') => ({
            message: `"${separator}" is not a document separator`,
            help: 'put what follows the dashes on a line of its own',
            clue: { text: separator },
        }),
    ],
    [
        /MalformedYAMLError: yaml: (?:line \d+: )?(.+?) in File/,
        (reason) => ({ message: `This is not valid YAML: ${reason}` }),
    ],
    [
        /missing kind in object/,
        () => ({ message: 'An object has no kind', help: wholeObject, clue: { without: ['kind'] } }),
    ],
    [
        /missing metadata\.name in object/,
        () => ({ message: 'An object has no metadata.name', help: wholeObject, clue: { without: ['metadata', 'name'] } }),
    ],
    // Patches.
    [
        /multiple matches for Id (\S+?); failed to find unique target for patch/,
        (id = '') => ({
            message: `The patch is for ${explain_describe(id)}, which is more than one of the objects here, by their names before a prefix`,
            help: 'name the one that is meant with a target',
        }),
    ],
    [
        /failed to find unique target for patch (\S+)/,
        (id = '') => ({
            message: `The patch is for ${explain_describe(id)}, which this kustomization does not render`,
            help: 'to change an object that is only in the cluster, list the file under resources instead',
        }),
    ],
    [
        /must specify a target for JSON patch/,
        () => ({ message: 'A JSON patch needs a target', help: 'add target, or write the patch as a partial object' }),
    ],
    [/must specify one of patch and path/, () => ({ message: 'The entry has neither patch nor path' })],
    [
        /patch and path can't be set at the same time/,
        () => ({ message: 'The entry has both patch and path', help: 'keep one of them' }),
    ],
    [
        /illegally qualifies as both an SM and JSON patch/,
        () => ({ message: 'The patch could be read both as a partial object and as JSON patch operations' }),
    ],
    [
        /unable to parse SM or JSON patch/,
        () => ({ message: 'The patch is neither a partial object nor a list of JSON patch operations' }),
    ],
    [
        /Multiple Strategic-Merge Patches in one/,
        () => ({
            message: 'An entry with a target takes one patch, and this one holds several',
            help: 'make an entry of each',
        }),
    ],
    [
        /testing value (\S+) failed|testing path (\S+) failed/,
        (value, path) => ({ message: `The test of the patch at "${value ?? path}" fails` }),
    ],
    [
        /(\w+) operation does not apply: (.+?)$/m,
        (operation, reason) => ({
            message: `The operation "${operation}" of the patch does not apply: ${reason}`,
            help: 'correct the path; an add needs its parent to be there',
        }),
    ],
    // Transformers.
    [
        /namespace transformation produces ID conflict/,
        () => ({
            rule: 'duplicate-object',
            message: 'With this namespace two objects get the same name',
            help: 'rename one of them',
        }),
    ],
    [
        /resource with name (.+?) does not match a config/,
        (name) => ({ message: `There is no workload "${name}" to scale`, help: 'correct the name, or remove the entry' }),
    ],
    [
        /nothing selected by (\S+)/,
        (id = '') => ({ message: `The source of the replacement, ${explain_describe(id)}, is not rendered here` }),
    ],
    [
        /multiple matches for selector (\S+)/,
        (id = '') => ({ message: `The source of the replacement, ${explain_describe(id)}, is more than one object` }),
    ],
    [
        /fieldPath `(.+?)` is missing for replacement source/,
        (path) => ({ message: `The source of the replacement has no field "${path}"` }),
    ],
    [
        /unable to find field "(.+?)" in replacement target/,
        (path) => ({
            message: `The target of the replacement has no field "${path}"`,
            help: 'correct the path, or set options.create',
        }),
    ],
    [
        /var '\{(\S+) .*cannot be mapped to a field/,
        (name) => ({ message: `The variable "${name}" has no object to come from`, clue: { path: ['vars'] } }),
    ],
    // Plugins.
    [
        /must specify --enable-helm/,
        () => ({ message: 'Flux does not inflate Helm charts in a kustomization', help: 'ship a HelmRelease instead' }),
    ],
    [
        /unable to load external plugin '(.+?)'/,
        (kind) => ({ message: `Flux runs no plugins, and "${kind}" is one`, help: 'commit what the plugin makes' }),
    ],
    // Substitution.
    [
        /post build failed for '(.+?)': (.+)$/m,
        (object, reason) => ({ message: `The variables of "${object}" cannot be substituted: ${reason}` }),
    ],
];
function explain(error) {
    if (error.class === 'remote-base') {
        return {
            rule: 'remote-base',
            message: 'A remote base can change without a commit here, so it is not rendered',
            help: 'copy it into the repository, or apply it with a Flux Kustomization of its own',
        };
    }
    if (error.class === 'missing-path' && !error.field)
        return { message: 'There is no such directory for Flux to apply' };
    if (error.stage === 'limit')
        return { message: `This is more than the linter takes on: ${error.message}` };
    if (error.stage === 'internal') {
        return { message: `The engine failed: ${error.message}`, help: 'please report it as a bug of the linter' };
    }
    for (const [text, row] of rows) {
        const match = text.exec(error.message);
        if (match)
            return row(...match.slice(1));
    }
    return { message: error.message.replace(/^kustomize build failed: /, '').split('\n', 1)[0] ?? '' };
}
/** kustomize writes an id as `Kind.version.group/name.namespace`, with `[noGrp]` and the like for what is not there. */
const idPattern = /^([^.]+)\.(?:\[noVer\]|[^.]+)\.(?:\[noGrp\]|[^/]+)\/(.+)\.(\[noNs\]|[^.]*)$/;
/** `ConfigMap "team/settings"`. */
function explain_describe(id) {
    const [, kind, name = '', namespace] = idPattern.exec(id) ?? [];
    return kind ? named(kind, name, namespace === '[noNs]' ? '' : namespace) : `"${id}"`;
}
function named(kind, name, namespace = '') {
    return `${kind} "${namespace ? `${namespace}/${name}` : name}"`;
}
function kindAndName(id) {
    const [, kind, name] = idPattern.exec(id) ?? [];
    return kind && name ? { kind, name } : { text: id };
}
/** A Go type, or JSON's word for a value, as a person says it. */
function article(type) {
    const names = {
        '[]string': 'a list of strings',
        string: 'a string',
        array: 'a list',
        object: 'a map',
        bool: 'true or false',
        number: 'a number',
    };
    return names[type] ?? (type.startsWith('[]') ? 'a list' : type.startsWith('map') ? 'a map' : `a ${type}`);
}

;// CONCATENATED MODULE: ./src/render/lost.ts
/** A file that git has and Flux does not: source-controller leaves it out of the artifact that is built (flux.md §1.1). */


/** The first of them that a build would have found at one of the paths, or on the way to it, or below it. */
function lostAt(lost, paths) {
    const isAt = (path, other) => path === other || path.startsWith(`${other}/`);
    return lost.find((one) => paths.some((path) => isAt(one.path, path) || (!isIgnored(one) && isAt(path, one.path))));
}
function isIgnored({ because }) {
    return because === 'ignored';
}
/** The same from where an entry stands as well, as some errors name what the entry says. */
function lostFrom(lost, paths, kustomization = '') {
    const folder = external_node_path_.posix.dirname(kustomization);
    return lostAt(lost, paths.flatMap((path) => [external_node_path_.posix.normalize(path), external_node_path_.posix.join(folder, path)]));
}
/** What to say of it: the rule, why Flux does not have it, and what to do. */
function explainLost(one, tree) {
    const { path, because, from } = one;
    if (because === 'link') {
        return {
            rule: 'symlink',
            message: `"${path}" is a symbolic link, and Flux leaves links out of what it builds`,
            help: 'name what it points to, or commit a copy',
        };
    }
    if (because === 'submodule') {
        return {
            rule: 'ignored-file',
            message: `"${path}" is a submodule, and Flux fetches no submodules unless the GitRepository says so`,
            help: 'apply it with a GitRepository and a Flux Kustomization of its own, or set spec.recurseSubmodules; the linter does not look into it either way',
        };
    }
    const pattern = one.pattern?.trim() ?? '';
    const at = patternAt(one, tree);
    return {
        rule: 'ignored-file',
        message: `"${path}" is not in what Flux builds: the pattern "${pattern}" ${from ? `of ${from}` : 'that it has by default'} leaves it out`,
        help: from
            ? `narrow the pattern, or bring files back with one behind it, such as "!${external_node_path_.posix.relative(external_node_path_.posix.dirname(from), path)}"`
            : `give it another name, or add a line "!/${path}" to .sourceignore: with one of those, of Flux’s own patterns only those for git’s files stay`,
        ...(at && { related: [{ message: 'left out by this pattern', at }] }),
    };
}
/** The last line with the pattern is the one that decides. */
function patternAt({ from, pattern = '' }, tree) {
    const source = from ? new Source(tree.text(from) ?? '') : undefined;
    if (!from || !source)
        return undefined;
    for (let number = source.lineCount; number > 0; number--) {
        const text = source.line(number);
        if (text.trimEnd() !== pattern.trimEnd())
            continue;
        const [start, end] = [1, text.trimEnd().length + 1].map((column) => ({ line: number, column }));
        return start && end && { file: from, range: { start, end } };
    }
    return undefined;
}
/** Git LFS keeps the content elsewhere and leaves this in the repository, which is what Flux fetches. */
function isPointer(text) {
    return text?.startsWith('version https://git-lfs.github.com/spec/') ?? false;
}
function explainPointer(file) {
    return {
        rule: 'ignored-file',
        message: `"${file}" is kept by Git LFS, which Flux does not fetch from: it builds with the pointer that stands for it`,
        help: 'commit the file itself',
    };
}

;// CONCATENATED MODULE: ./src/render/refusal.ts
/** A build that Flux would refuse, as a problem at the line to edit, in words of our own; Flux's text stands in the help. */






function refusal(tree, { entrypoint, files, lost }, error) {
    const { clue, missing = [], ...words } = explain(error);
    const said = { related: undefined, ...words };
    const { rule = 'unbuildable-kustomization', message, help, related, } = notThere(tree, error, error.class === 'missing-path' && !error.field ? [entrypoint.path] : missing, lost) ?? said;
    const flux = isFluxs(error) ? `Flux says: ${lastCause(error.message)}` : '';
    const advice = [help, flux].filter(Boolean).join('. ');
    const twice = clue && (keyTwice(tree, files, clue) ?? objectTwice(tree, files, error, clue));
    const first = twice?.first ? [{ message: 'the first one', at: twice.first }] : undefined;
    return {
        rule,
        message,
        ...(advice && { help: advice }),
        at: twice?.at ?? refusal_placeOf(tree, entrypoint, error, clue),
        ...((related ?? first) && { related: related ?? first }),
        entrypoint: entrypoint.path,
    };
}
/** Git has it, but not what Flux builds from. */
function notThere(tree, { file, kustomization }, missing, lost) {
    if (file !== undefined && isPointer(tree.text(file)))
        return { related: undefined, ...explainPointer(file) };
    const gone = lostFrom(lost, missing, kustomization);
    return gone && { related: undefined, ...explainLost(gone, tree) };
}
/** Some words are the engine's own: it has limits, and does not fetch what Flux would. */
function isFluxs({ stage, class: kind }) {
    return stage !== 'limit' && stage !== 'internal' && kind !== 'remote-base';
}
/** kustomize wraps an error once per level, the innermost last; the levels above only say how it got there. */
function lastCause(message) {
    const last = message.split(/: (?=accumulating |recursed accumulation |couldn't make target )/).at(-1) ?? message;
    const short = last
        .replace(/^kustomize build failed: /, '')
        .replace(/ &\{0x\w+ (?:<nil>|0x\w+)\}/g, '')
        // A whole patch, secrets and all; the finding stands on it.
        .replace(/ with config: `[\s\S]*`/, '')
        .replace(/ from \[patch: "[\s\S]*"\]/, '')
        .replace(/\s+/g, ' ');
    return short.length > 300 ? `${short.slice(0, 299)}…` : short;
}
/** The engine knows the file, or the entry of a kustomization, and sometimes the line; the text may know more. */
function refusal_placeOf(tree, entrypoint, error, clue) {
    const { line, kustomization, field } = error;
    const file = error.file !== undefined && tree.has(error.file) ? error.file : undefined;
    if (file && line !== undefined)
        return refusal_lineOf(tree, file, error.document ?? 0, line);
    const owner = kustomization && tree.has(kustomization) ? kustomization : kustomize_kustomizationOf(entrypoint.path, tree);
    const suspect = file ?? (field ? undefined : owner);
    const found = suspect && clue ? refusal_follow(tree, suspect, clue) : undefined;
    if (found)
        return found;
    if (file)
        return { file };
    if (owner && field)
        return { file: owner, document: 0, path: field, part: 'value' };
    return owner ? { file: owner } : (entrypoint.declaredAt ?? { file: entrypoint.path });
}
/** Looks in a file for what an error text speaks of; undefined where it is not there, or more than one could be meant. */
function refusal_follow(tree, file, clue) {
    if ('line' in clue)
        return refusal_lineOf(tree, file, 0, clue.line);
    const source = new Source(tree.text(file) ?? '');
    if ('text' in clue) {
        const at = source.text.indexOf(clue.text);
        return at < 0 ? undefined : { file, range: source.firstLine(at, at + clue.text.length) };
    }
    const found = source.documents.flatMap(({ text }, document) => {
        const syntax = parseSyntax(text);
        const place = syntax && placeIn(syntax, text, clue);
        return place ? [{ file, document, ...place }] : [];
    });
    return found.length === 1 ? found[0] : undefined;
}
function placeIn(syntax, text, clue) {
    if ('path' in clue)
        return syntax.find(clue.path) && { path: clue.path, part: 'key' };
    if ('without' in clue)
        return syntax.find(clue.without) ? undefined : { path: [] };
    if (!('kind' in clue))
        return undefined;
    const reads = (path, word) => {
        const value = syntax.find(path)?.value;
        return value !== undefined && unquoted(text.slice(value.start, value.end)) === word;
    };
    const name = ['metadata', 'name'];
    return reads(['kind'], clue.kind) && reads(name, clue.name) ? { path: name } : undefined;
}
/** The error names lines, but no file: the one document that has the key on both is meant. */
function keyTwice(tree, files, clue) {
    if (!('key' in clue))
        return undefined;
    const { key } = clue;
    const [second, first] = clue.lines;
    const found = files.flatMap((file) => {
        const { documents } = new Source(tree.text(file) ?? '');
        return documents.flatMap(({ text }, document) => {
            const lines = text.split('\n');
            const writes = (line) => lines[line - 1]?.includes(key);
            if (!writes(first) || !writes(second))
                return [];
            const at = refusal_lineOf(tree, file, document, second);
            return [first === second ? { at } : { at, first: refusal_lineOf(tree, file, document, first) }];
        });
    });
    return found.length === 1 ? found[0] : undefined;
}
/** The error names the second file at most: it is listed twice, or a document before it is of the same object. */
function objectTwice(tree, files, error, clue) {
    if (!('kind' in clue))
        return undefined;
    const listed = listedTwice(tree, error);
    if (listed)
        return listed;
    const places = files.flatMap((file) => {
        const { documents } = new Source(tree.text(file) ?? '');
        return documents.flatMap(({ text }, document) => {
            const syntax = text.includes(clue.name) ? parseSyntax(text) : undefined;
            const place = syntax && placeIn(syntax, text, clue);
            return place ? [{ file, document, ...place }] : [];
        });
    });
    const at = places.findLast(({ file }) => file === error.file);
    const others = places.filter((place) => place !== at);
    const first = others.find(({ file }) => file === error.file) ?? (others.length === 1 ? others[0] : undefined);
    return at && { at, ...(first && { first }) };
}
/** An entry that an earlier one of the same list repeats. */
function listedTwice(tree, { kustomization, field }) {
    const text = kustomization ? tree.text(kustomization) : undefined;
    const [list, index] = field ?? [];
    if (!kustomization || text === undefined || list === undefined || typeof index !== 'number')
        return undefined;
    const syntax = parseSyntax(text);
    const entry = (at) => {
        const value = syntax?.find([list, at])?.value;
        return value && external_node_path_.posix.normalize(unquoted(text.slice(value.start, value.end)));
    };
    const place = (at) => ({ file: kustomization, document: 0, path: [list, at] });
    for (let earlier = 0; earlier < index; earlier++) {
        if (entry(earlier) !== undefined && entry(earlier) === entry(index)) {
            return { at: place(index), first: place(earlier) };
        }
    }
    return undefined;
}
function unquoted(text) {
    return text.replace(/^(["'])(.*)\1$/, '$2');
}
/** A parser counts lines from the start of its document, and may name the line after the last one. */
function refusal_lineOf(tree, file, document, line) {
    const source = new Source(tree.text(file) ?? '');
    const start = source.documents[document]?.offset ?? 0;
    const number = Math.min(source.position(start).line + line - 1, source.lineCount);
    const content = source.line(number);
    const column = content.search(/\S|$/) + 1;
    const end = Math.max(content.trimEnd().length + 1, column);
    return { file, range: { start: { line: number, column }, end: { line: number, column: end } } };
}

;// CONCATENATED MODULE: ./src/render/writers.ts
/** `text` is the JSON of an origin tree; it is parsed when the first question comes. */
function readWriters(text, built) {
    let tree;
    const root = () => {
        tree ??= JSON.parse(text);
        return tree;
    };
    return {
        of(path, part) {
            const { key, node } = writers_walk(root(), path);
            return chain(part === 'key' ? key : node && [node[0], node[1], node[2]], built);
        },
        children(path) {
            const below = writers_walk(root(), path).node?.[3];
            if (!below)
                return undefined;
            return below.map((entry, index) => (typeof entry[0] === 'string' ? entry[0] : index));
        },
    };
}
/** A chain as the engine writes it, latest first. */
function chain(head, built) {
    const writers = [];
    for (let next = head; next && next[0] !== -1;) {
        const [source, index] = next;
        const trace = source === -2 ? built.traces?.[index] : undefined;
        const place = source >= 0 ? toOrigin(next, built) : undefined;
        if (place)
            writers.push({ by: built.sources[source]?.by ?? 'resource', from: [place] });
        if (!trace)
            break;
        const from = trace.from.flatMap((one) => toOrigin(one, built) ?? []);
        const derivedFrom = trace.derivedFrom?.map(([object, path]) => ({ object, path }));
        writers.push({ by: trace.by, from, ...(derivedFrom && { derivedFrom }) });
        next = trace.before;
    }
    return writers;
}
function toOrigin(place, { sources }) {
    if (!Array.isArray(place)) {
        if (!place.file)
            return undefined; // a field of the Flux object, which may be in no file
        return 'line' in place
            ? { file: place.file, textLine: place.line, ...(place.span && { span: place.span }) }
            : place;
    }
    const [index, line, column, start, end] = place;
    const source = sources[index];
    if (!source?.file)
        return undefined;
    const { file, document, inside, within } = source;
    const span = start !== undefined && end !== undefined ? [start, end] : undefined;
    return {
        file,
        document,
        line: source.line + line,
        column,
        ...(inside && { inside }),
        ...(within && { within }),
        ...(span && { span }),
    };
}
function writers_walk(root, path) {
    let node = root;
    let key;
    for (const step of path) {
        const children = node?.[3] ?? [];
        key = undefined;
        if (typeof step === 'number')
            node = children[step];
        else {
            const entry = children.find(([name]) => name === step);
            key = entry && [entry[1], entry[2], entry[3]];
            node = entry?.[4];
        }
    }
    return { ...(key && { key }), node };
}

;// CONCATENATED MODULE: ./src/render/render.ts


async function render(tree, engine, entrypoints, progress) {
    const rendered = [];
    for (const entrypoint of entrypoints) {
        progress?.(rendered.length, entrypoints.length, entrypoint.path);
        const response = await engine.build(entrypoint, 'objects');
        const { lost } = engine;
        const what = { entrypoint, files: response.files, lost };
        rendered.push({
            ...what,
            ...(response.ok ? success(tree.revision, entrypoint, response) : failure(tree, what, response)),
        });
    }
    return rendered;
}
function success(revision, entrypoint, response) {
    const { steps, dropped, undefinedVariables } = response;
    const objects = toRendered(entrypoint, response, revision);
    return { ok: true, objects, steps, dropped, undefinedVariables };
}
/** The objects that the controller would apply. */
function toRendered({ path }, response, revision = 'head') {
    return (response.objects ?? []).flatMap((object, index) => object.dropped === undefined ? [{ ...toObject(path, object, index, response), revision }] : []);
}
function failure(tree, what, { error }) {
    return { ok: false, problem: { ...refusal(tree, what, error), entrypoint: what.entrypoint.path } };
}
function toObject(entrypoint, object, index, built) {
    const source = built.sources[object.source];
    const writers = readWriters(object.origin, built);
    return {
        ref: render_refOf(object.value),
        value: object.value,
        entrypoint,
        index,
        ...(source?.file && !source.inside && { source: { file: source.file, document: source.document } }),
        writers: writers.of,
        children: writers.children,
        removed: () => (object.removed ?? []).map(([path, head]) => ({ path, by: chain(head, built) })),
    };
}
function render_refOf(value) {
    const metadata = (value.metadata ?? {});
    return {
        apiVersion: String(value.apiVersion),
        kind: String(value.kind),
        ...(typeof metadata.namespace === 'string' && metadata.namespace !== '' && { namespace: metadata.namespace }),
        name: String(metadata.name ?? ''),
    };
}

;// CONCATENATED MODULE: ./src/render/unchanged.ts
/** Which entrypoints need no second build, because nothing that a build reads differs between two revisions. */

/** What the base renders; a build whose inputs are the same is not made again. */
async function renderBase(head, base, entrypoints, rendered) {
    const same = unchanged(head.tree, base.tree);
    const key = ({ path, kustomization }) => JSON.stringify([path, kustomization]);
    const reusable = new Map(rendered.filter(same).map((result) => [key(result.entrypoint), result]));
    const results = [];
    for (const entrypoint of entrypoints) {
        results.push(reusable.get(key(entrypoint)) ?? (await render(base.tree, base.engine, [entrypoint]))[0]);
    }
    return results;
}
/** The result of the head's build stands for the base too where its inputs are byte-equal. */
function unchanged(head, base) {
    const changes = unchanged_differences(head, base);
    const added = changes.filter(({ modified }) => !modified).map(({ path }) => path);
    const modified = new Set(changes.flatMap((change) => (change.modified ? [change.path] : [])));
    // What decides which files Flux sees at all is read with every build.
    const everywhere = changes.some(({ path }) => /(^|\/)\.sourceignore$/.test(path)) || !sameLinks(head, base);
    return ({ entrypoint: { path }, files }) => {
        if (changes.length === 0)
            return true;
        if (everywhere)
            return false;
        const folders = new Set(files.map(unchanged_folderOf));
        // A file that comes or goes matters where a folder is listed, or where one name is preferred to another.
        const near = (file) => path === '.' || file.startsWith(`${path}/`) || folders.has(unchanged_folderOf(file));
        return !files.some((file) => modified.has(file)) && !added.some(near);
    };
}
function unchanged_differences(head, base) {
    const paths = new Set([...head.files, ...base.files]);
    return [...paths]
        .map((path) => ({ path, modified: head.has(path) && base.has(path) }))
        .filter(({ path, modified }) => !modified || !equal(head.bytes(path), base.bytes(path)));
}
/** A file that was not taken, as it is too large, could be any. */
function equal(a, b) {
    return a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;
}
function sameLinks(a, b) {
    const names = ({ links, submodules }) => JSON.stringify([links, submodules]);
    return names(a) === names(b);
}
function unchanged_folderOf(path) {
    return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

// EXTERNAL MODULE: external "node:fs/promises"
var external_node_fs_promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:v8"
var external_node_v8_ = __webpack_require__(8877);
var external_node_v8_default = /*#__PURE__*/__webpack_require__.n(external_node_v8_);
// EXTERNAL MODULE: external "node:worker_threads"
var external_node_worker_threads_ = __webpack_require__(5919);
// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(8522);
;// CONCATENATED MODULE: ./src/engine/thread.ts
/** A WebAssembly module of `dist/engine` in a thread of its own, which answers frames one at a time (worker.ts). */





/** More than any module has, so that it is unpacked in one piece; what is left of it is never touched. */
const thread_maxBytes = 96 << 20;
/** `home` is the directory of the modules. Rejects where it is not there. The thread does not keep the process alive. */
async function startThread(home, module) {
    const [wasm, runtime] = await Promise.all([
        (0,external_node_fs_promises_.readFile)((0,external_node_path_.join)(home, `${module}.wasm.br`)).then(unpack),
        (0,external_node_fs_promises_.readFile)((0,external_node_path_.join)(home, 'wasm_exec.js'), 'utf8'),
    ]);
    const worker = new external_node_worker_threads_.Worker((0,external_node_path_.join)(home, 'worker.js'), {
        env: {},
        argv: [],
        execArgv: [],
        stdin: false,
        workerData: { wasm, runtime },
        transferList: [wasm.buffer],
    });
    worker.unref();
    worker.on('error', () => { }); // between two calls; the next one finds the thread gone
    return worker;
}
/** The module crashed, or had to be stopped because of a `limit`. */
class Stopped extends Error {
    limit;
    constructor(message, limit) {
        super(message);
        this.limit = limit;
    }
}
/**
 * One frame out, one answer in. Rejects with `Stopped` where the thread ends, or a limit is reached first: `seconds` for the
 * answer, `bytes` of resident memory of the whole process. The frame is the thread's then; the thread goes on in any case.
 */
function thread_exchange(worker, frame, { seconds, bytes }) {
    return new Promise((resolve, reject) => {
        const deadline = setTimeout(() => done(new Stopped(`took longer than ${seconds} s`, true)), seconds * 1000);
        const measured = (bytes) => {
            if (process.memoryUsage.rss() > bytes)
                done(new Stopped(`needs more than ${Math.round(bytes / 2 ** 20)} MiB of memory`, true));
        };
        const memory = bytes === undefined ? undefined : setInterval(measured, 200, bytes);
        const failed = (error) => done(new Stopped(`the engine crashed: ${error.message}`, false));
        const ended = () => done(new Stopped('the engine ended without an answer', false));
        const done = (result) => {
            clearTimeout(deadline);
            clearInterval(memory);
            worker.off('message', done).off('error', failed).off('exit', ended);
            if (result instanceof Stopped)
                reject(result);
            else
                resolve(Buffer.from(result.buffer, result.byteOffset, result.byteLength).toString('utf8'));
        };
        worker.on('message', done).on('error', failed).on('exit', ended);
        worker.postMessage(frame, [frame.buffer]);
    });
}
/** Chunks as a module reads them: each behind its length, a little-endian uint32. */
function frameOf(chunks) {
    const frame = new Uint8Array(new ArrayBuffer(chunks.reduce((size, chunk) => size + 4 + chunk.length, 0)));
    const view = new DataView(frame.buffer);
    let offset = 0;
    for (const chunk of chunks) {
        view.setUint32(offset, chunk.length, true);
        frame.set(chunk, offset + 4);
        offset += 4 + chunk.length;
    }
    return frame;
}
/**
 * What is compiled from now on, in this whole process, is not optimized: that takes processor time of other threads. Functions are
 * validated when they are called first, as most never are, and the modules are our own.
 */
function baselineOnly() {
    // Either flag alone does nothing; both work at run time on Node 20, 22 and 24, unlike --liftoff-only.
    external_node_v8_default().setFlagsFromString('--no-wasm-tier-up');
    external_node_v8_default().setFlagsFromString('--no-wasm-dynamic-tiering');
    external_node_v8_default().setFlagsFromString('--wasm-lazy-validation');
}
function unpack(packed) {
    return new Promise((resolve, reject) => (0,external_node_zlib_.brotliDecompress)(packed, { chunkSize: thread_maxBytes }, (error, bytes) => error ? reject(error) : resolve(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength))));
}

;// CONCATENATED MODULE: ./src/engine/engine.ts

const engineLimits = { seconds: 50, bytes: 2 * 2 ** 30 };
/** Below about this many files V8's optimizing compiler costs more than it gives (measured with 20 to 1,000 Packages). */
const manyFiles = 1000;
/** Where the module crashes, or has to be stopped, the next call starts a fresh one. */
class Engine {
    home;
    tree;
    limits;
    options;
    #worker;
    #loaded = false;
    #lost = [];
    /** `home` is the directory of the module, `dist/engine`. Nothing is started before the first call. */
    constructor(home, tree, limits = engineLimits, options = {}) {
        this.home = home;
        this.tree = tree;
        this.limits = limits;
        this.options = options;
    }
    /** Starts the thread early, while the caller still has other work to do. */
    warm() {
        this.#worker ??= this.#start();
        this.#worker.catch(() => { }); // reported by the first call
    }
    /** What Flux's artifact does not hold of the tree; known once something was built or read. */
    get lost() {
        return this.#lost;
    }
    async load() {
        const response = await this.#call({
            op: 'load',
            refused: Object.fromEntries(this.tree.refused),
            links: [...this.tree.links],
            submodules: [...this.tree.submodules],
            ...(this.options.ignore !== undefined && { ignore: this.options.ignore }),
        });
        this.#loaded = true;
        this.#lost = response.lost;
    }
    /** Builds that were asked for once and will be once more. */
    #kept = new Map();
    /** The objects, as `build` gives them, which then need not be built again. */
    async keep(entrypoint) {
        const response = await this.build(entrypoint, 'objects');
        this.#kept.set(engine_keyOf(entrypoint), response);
        return response;
    }
    async build(entrypoint, output) {
        const kept = output === 'objects' && this.#kept.get(engine_keyOf(entrypoint));
        if (kept)
            return kept;
        try {
            if (!this.#loaded)
                await this.load();
            const { path, kustomization, declaredAt } = entrypoint;
            const inFlux = declaredAt?.path[0] === 'spec' && { file: declaredAt.file, document: declaredAt.document };
            return await this.#call({
                op: 'build',
                path,
                kustomization,
                output,
                ...(inFlux && { declaredAt: inFlux }),
            });
        }
        catch (error) {
            if (!(error instanceof Stopped))
                throw error;
            const stage = error.limit ? 'limit' : 'internal';
            return {
                ok: false,
                error: {
                    message: error.message,
                    stage,
                    ...(error.limit && { class: 'limit' }),
                },
                files: [],
            };
        }
    }
    /** The documents of some files as the engine reads them, without a build. */
    async read(files) {
        try {
            if (!this.#loaded)
                await this.load();
            return await this.#call({ op: 'read', files });
        }
        catch (error) {
            if (!(error instanceof Stopped))
                throw error;
            return {
                ok: true,
                documents: [],
                sources: [],
                failures: files.map((file) => ({ file, message: error.message })),
            };
        }
    }
    async close() {
        const worker = this.#worker;
        this.#worker = undefined;
        this.#loaded = false;
        await worker?.then((thread) => thread.terminate()).catch(() => { });
    }
    async #call(request) {
        this.#worker ??= this.#start();
        const worker = await this.#worker;
        const frame = request.op === 'load' ? encodeFrame(request, this.tree) : encodeFrame(request);
        try {
            return JSON.parse(await thread_exchange(worker, frame, this.limits));
        }
        catch (error) {
            await this.close();
            throw error;
        }
    }
    async #start() {
        if (this.tree.files.length < manyFiles)
            baselineOnly();
        return startThread(this.home, 'render');
    }
}
/** See `Request` for the format. */
function encodeFrame(request, tree) {
    const chunks = [Buffer.from(JSON.stringify(request))];
    for (const file of tree?.files ?? []) {
        const content = tree?.bytes(file);
        if (content)
            chunks.push(Buffer.from(file), content);
    }
    return frameOf(chunks);
}
function engine_keyOf({ path, kustomization, declaredAt }) {
    return JSON.stringify([path, kustomization, declaredAt]);
}

;// CONCATENATED MODULE: ./src/tree.ts
/**
 * A revision of the repository as files: what is (or would be) committed, read as data. Symbolic links are named, never
 * followed; submodules are named, never entered. Nothing outside the root is read.
 */




const treeLimits = {
    files: 50_000,
    fileBytes: 4 << 20,
    totalBytes: 256 << 20,
};
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
function makeTree(revision, description, contents, read) {
    const files = [...contents.files.keys()].sort();
    const directories = new Set(['.']);
    for (const file of files) {
        for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
            const directory = file.slice(0, end);
            if (directories.has(directory))
                break;
            directories.add(directory);
        }
    }
    const bytes = (path) => {
        if (!contents.files.has(path) || contents.refused.has(path))
            return undefined;
        const known = contents.files.get(path) ?? read(path);
        if (known)
            contents.files.set(path, known);
        return known;
    };
    return {
        revision,
        description,
        files,
        links: contents.links.sort(),
        submodules: contents.submodules.sort(),
        refused: contents.refused,
        has: (path) => contents.files.has(path),
        isDirectory: (path) => directories.has(path),
        bytes,
        text: (path) => {
            const content = bytes(path);
            return content && utf8.decode(content);
        },
    };
}
/** The files of `directory` as they are on disk. In a git work tree those that git would commit: ignored ones are left out. */
async function openWorkTree(directory, limits = treeLimits, revision = 'head') {
    const root = existingDirectory(directory);
    const contents = {
        files: new Map(),
        links: [],
        submodules: [],
        refused: new Map(),
    };
    const budget = { files: limits.files, bytes: limits.totalBytes };
    const throughLink = linkedFolders(root);
    for (const path of (await trackedFiles(root)) ?? tree_walk(root)) {
        const stats = lstat((0,external_node_path_.join)(root, path));
        if (!stats)
            continue; // deleted, but still in the index
        if (stats.isSymbolicLink() || throughLink(path))
            contents.links.push(path);
        else if (stats.isDirectory())
            contents.submodules.push(path.replace(/\/$/, ''));
        else if (stats.isFile())
            admit(contents, path, stats.size, budget, limits);
        else
            contents.refused.set(path, 'is neither a regular file nor a link');
    }
    return makeTree(revision, revision === 'head' ? 'the work tree' : directory, contents, (path) => readRegularFile((0,external_node_path_.join)(root, path), limits.fileBytes));
}
/** The files of a commit, out of git's object store: no checkout, no filters, links as names only. */
async function openCommit(directory, commit, revision, limits = treeLimits) {
    const root = existingDirectory(directory);
    const id = (await git(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`]))
        .toString()
        .trim();
    const prefix = (await git(root, ['rev-parse', '--show-prefix'])).toString().trim();
    const listing = records(await git(root, ['ls-tree', '-r', '-z', '--long', '--full-tree', id]));
    const contents = {
        files: new Map(),
        links: [],
        submodules: [],
        refused: new Map(),
    };
    const budget = { files: limits.files, bytes: limits.totalBytes };
    const blobs = [];
    for (const record of listing) {
        const [meta = '', full = ''] = record.split('\t', 2);
        if (!full.startsWith(prefix))
            continue;
        const path = full.slice(prefix.length);
        const [mode, , object = '', size] = meta.split(/ +/);
        if (mode === '120000')
            contents.links.push(path);
        else if (mode === '160000')
            contents.submodules.push(path);
        else if (admit(contents, path, Number(size), budget, limits))
            blobs.push({ path, object });
    }
    await readBlobs(root, blobs, contents);
    return makeTree(revision, `commit ${id.slice(0, 12)}`, contents, () => undefined);
}
/** A tree of what is handed in, file by file, within the limits. */
function collectTree(revision, description, limits = treeLimits) {
    const contents = { files: new Map(), links: [], submodules: [], refused: new Map() };
    const budget = { files: limits.files, bytes: limits.totalBytes };
    return {
        link: (path) => void contents.links.push(path),
        /** Whether the file's content is wanted. */
        admit: (path, size) => admit(contents, path, size, budget, limits),
        file: (path, bytes) => void contents.files.set(path, bytes),
        tree: () => makeTree(revision, description, contents, () => undefined),
    };
}
function existingDirectory(directory) {
    const stats = lstat(directory);
    if (!stats)
        throw new UsageError(`there is no directory "${directory}"`);
    const root = (0,external_node_fs_.realpathSync)(directory);
    if (!lstat(root)?.isDirectory())
        throw new UsageError(`"${directory}" is not a directory`);
    return root;
}
function lstat(path) {
    return (0,external_node_fs_.lstatSync)(path, { throwIfNoEntry: false });
}
/** Counts a file against the limits; one that does not fit is refused by name. */
function admit(contents, path, size, budget, limits) {
    contents.files.set(path, undefined);
    const reason = reasonToRefuse(size, budget, limits);
    if (reason) {
        contents.refused.set(path, reason);
        return false;
    }
    budget.files -= 1;
    budget.bytes -= size;
    return true;
}
function reasonToRefuse(size, budget, limits) {
    if (size > limits.fileBytes)
        return `is ${size} bytes, over the limit of ${limits.fileBytes}`;
    if (budget.files <= 0)
        return `is beyond the limit of ${limits.files} files`;
    if (size > budget.bytes)
        return `is beyond the limit of ${limits.totalBytes} bytes for the whole repository`;
    return undefined;
}
/** What git would commit from `root`, relative to it; undefined where git does not know the directory. */
async function trackedFiles(root) {
    if (!insideRepository(root))
        return undefined;
    try {
        const listed = records(await git(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']));
        return listed.length > 0 ? [...new Set(listed)] : undefined;
    }
    catch (error) {
        if (error instanceof GitError)
            return undefined;
        throw error;
    }
}
/** Saves a process where no parent folder holds a `.git`. */
function insideRepository(root) {
    for (let folder = root;; folder = (0,external_node_path_.join)(folder, '..')) {
        if (lstat((0,external_node_path_.join)(folder, '.git')))
            return true;
        if (folder === (0,external_node_path_.join)(folder, '..'))
            return false;
    }
}
function* tree_walk(root, folder = '') {
    for (const entry of (0,external_node_fs_.readdirSync)((0,external_node_path_.join)(root, folder), {
        withFileTypes: true,
    })) {
        const path = folder ? `${folder}/${entry.name}` : entry.name;
        if (entry.name === '.git')
            continue;
        if (entry.isDirectory())
            yield* tree_walk(root, path);
        else
            yield path;
    }
}
/** Whether a tracked file lies behind a folder that has since become a link. Each folder is looked at once. */
function linkedFolders(root) {
    const known = new Map();
    return (path) => {
        const end = path.lastIndexOf('/');
        if (end < 0)
            return false;
        const folder = (0,external_node_path_.join)(root, path.slice(0, end));
        const linked = known.get(folder) ?? (0,external_node_fs_.realpathSync)(folder) !== folder;
        known.set(folder, linked);
        return linked;
    };
}
/** Reads a regular file without following a link that was put in its place, and no more than `limit` bytes. */
function readRegularFile(path, limit) {
    let file;
    try {
        file = (0,external_node_fs_.openSync)(path, external_node_fs_.constants.O_RDONLY | (external_node_fs_.constants.O_NOFOLLOW ?? 0) | (external_node_fs_.constants.O_NONBLOCK ?? 0));
    }
    catch {
        return undefined; // gone, or not ours to read: the same as not there
    }
    try {
        const stats = (0,external_node_fs_.fstatSync)(file);
        if (!stats.isFile() || stats.size > limit)
            return undefined;
        const content = Buffer.allocUnsafe(stats.size);
        let length = 0;
        while (length < content.length) {
            const count = (0,external_node_fs_.readSync)(file, content, length, content.length - length, null);
            if (count === 0)
                break;
            length += count;
        }
        return content.subarray(0, length);
    }
    finally {
        (0,external_node_fs_.closeSync)(file);
    }
}
/** One `git cat-file --batch` for all blobs: `<object> blob <size>\n<bytes>\n` each. */
async function readBlobs(root, blobs, contents) {
    if (blobs.length === 0)
        return;
    const output = await git(root, ['cat-file', '--batch'], {
        input: `${blobs.map((blob) => blob.object).join('\n')}\n`,
    });
    let offset = 0;
    for (const { path, object } of blobs) {
        const end = output.indexOf(10, offset);
        const [, type, size] = output.toString('latin1', offset, end).split(' ');
        if (type !== 'blob')
            throw new GitError(`object ${object} of "${path}" is not to be had`);
        contents.files.set(path, output.subarray(end + 1, end + 1 + Number(size)));
        offset = end + 1 + Number(size) + 1;
    }
}

;// CONCATENATED MODULE: ./src/revision.ts
/** A revision of the repository, opened: its files, and the engine that builds them. */






/** `home` is the directory that holds `dist/` of this package. */
function withEngine(tree, home) {
    const engine = new Engine((0,external_node_path_.join)(home, 'dist', 'engine'), tree);
    engine.warm();
    return { tree, engine };
}
/**
 * The files to compare with. A revision of git stands for the last commit that it shares with what is checked out: what
 * others have merged since is not this change's doing. Throws a `UsageError` for a word that is neither.
 */
async function openBase(directory, base) {
    const commit = await commitOf(directory, base);
    if (commit)
        return openCommit(directory, (await mergeBase(directory, commit)) ?? commit, 'base');
    const folder = (0,external_node_path_.resolve)(base);
    if ((0,external_node_fs_.existsSync)(folder) && (0,external_node_fs_.statSync)(folder).isDirectory())
        return openWorkTree(folder, undefined, 'base');
    throw new UsageError(`--base ${base}: neither a revision that git has here, nor a directory`);
}

;// CONCATENATED MODULE: ./src/rules/accepted-by-server/rule.ts
/** Reported by the dry run. */
/* harmony default export */ const rule = ({
    id: 'accepted-by-server',
    severity: 'notice',
    summary: 'an API server that was asked accepts an object of which another rule says that it is refused',
    stages: ['dry-run'],
});

;// CONCATENATED MODULE: ./src/facts/before.ts

/** Whether the field was there: then Flux has applied it, and taking it out of the manifest does not undo that. */
function wasThere(object, path, base) {
    const id = inventoryId(object.ref);
    return (base?.objects ?? []).some(({ ref, value }) => inventoryId(ref) === id && lookUp(value, path) !== undefined);
}

;// CONCATENATED MODULE: ./src/rules/chart-owned-field/rule.ts





/* harmony default export */ const chart_owned_field_rule = ({
    id: 'chart-owned-field',
    severity: 'error',
    summary: 'a Package of the platform sets a field that the platform chart owns',
    check(context) {
        const { objects, contract, owners, report } = context;
        for (const object of objects.filter(isPackage)) {
            const { name } = object.ref;
            const isManaged = contract.catalog.isManaged(name);
            for (const { packages, field, owner, help } of owners) {
                if (!(packages ? packages.some((glob) => (0,esm/* minimatch */.xF)(name, glob)) : isManaged))
                    continue;
                for (const path of matches(object.value, readPath(field).map(String))) {
                    const message = `Package "${name}" sets ${spell(path)}, which belongs to ${owner}`;
                    const at = { object, path, part: 'key' };
                    report({ message, help: help ?? `leave it to ${owner}`, at, ...remedy(at, false, context) });
                }
            }
            // What the chart does not make in this cluster is the repository's to write whole, variant included.
            if (!isManaged || isMade(name, context) === false)
                continue;
            for (const row of contract.ownership.rowsOf(name)) {
                if (row.message === undefined)
                    continue;
                for (const path of matches(object.value, row.field)) {
                    const value = lookUp(object.value, path);
                    if (isAllowed(row, value))
                        continue;
                    report({
                        message: `Package "${name}" sets ${spell(path)}, ${row.message}${effect(object, row, value, context)}`,
                        ...(row.help !== undefined && { help: row.help }),
                        at: { object, path, part: 'key' },
                        ...severity(row),
                        ...remedy({ object, path }, isNothingTaken(object, row, value, context), context),
                    });
                }
            }
        }
    },
});
/** The paths that a pattern stands for; `*` is one key. */
function matches(value, [step, ...rest], path = []) {
    if (step === undefined)
        return [path];
    if (!isObject(value))
        return [];
    const keys = step === '*' ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : [];
    return keys.flatMap((key) => matches(value[key], rest, [...path, key]));
}
function isAllowed({ customizer, only }, value) {
    if (customizer !== 'only')
        return customizer === 'set';
    // What the row says in words is another rule's to judge (a name that no Package has), and so is a value of another type.
    return !Array.isArray(only) || only.includes(value) || only.every((allowed) => typeof allowed !== typeof value);
}
/** Flux writes its own labels over those of a manifest, and a component is enabled anyway. */
function severity({ owner, customizer }) {
    if (customizer === 'only')
        return { severity: 'notice' };
    return owner === 'Flux' ? { severity: 'warning' } : {};
}
/** What Flux has applied is not undone by taking it out: the owner does not write it again. */
function remedy(at, safe, { base }) {
    return wasThere(at.object, at.path, base) ? {} : { remedy: removed(at, safe) };
}
function isNothingTaken(object, row, value, context) {
    return row.owner === 'Flux' || row.customizer === 'only' || variantThere(object, row, context) === value;
}
/** What the value would change, where it is known what is there. */
function effect(object, row, value, context) {
    const there = variantThere(object, row, context);
    if (there === undefined || typeof value !== 'string')
        return '';
    const { name } = object.ref;
    if (there === value)
        return '; the value is the one that is there, and git keeps it when the owner changes it';
    const source = context.contract.catalog.source(name);
    const known = source === undefined || source.variant(value) !== undefined;
    const taken = `; "${value}" takes the place of "${there}"`;
    return known ? `${taken}, and what only that has is uninstalled` : `${taken}, but there is no such variant`;
}
function variantThere(object, { field }, context) {
    if (spell(field) !== 'spec.variant')
        return undefined;
    return isPlatform(object) ? platformVariant(context) : chartsVariant(object.ref.name, context);
}
/** What the repository itself says is what is judged here, so it is no evidence. */
function platformVariant({ facts }) {
    const { value, source } = facts.get('variant');
    return source === 'config' || source === 'snapshot' ? String(value) : undefined;
}

;// CONCATENATED MODULE: ./src/rules/chart-owned-value/rule.ts







/* harmony default export */ const chart_owned_value_rule = ({
    id: 'chart-owned-value',
    severity: 'error',
    summary: 'a Package sets a value that the platform chart sets itself, so the two take it from each other',
    check(context) {
        const { objects, base, report } = context;
        for (const object of objects) {
            const { name } = object.ref;
            if (!isPackage(object) || isMade(name, context) === false)
                continue;
            const replaced = new Set();
            for (const owned of ownedIn(name, context)) {
                const written = reached(object.value, owned.field);
                if (!written)
                    continue;
                const whole = written.path.length === owned.field.length;
                if (whole && owned.isEqual(written.value))
                    continue;
                // Many values of the chart may hang below what is replaced.
                if (!whole && replaced.has(spell(written.path)))
                    continue;
                replaced.add(spell(written.path));
                // Without the platform's own value, what is written may be the same.
                const isGuess = whole && !owned.dead && !owned.isSure;
                report({
                    message: `Package "${name}" sets ${subject(owned, written.path.length)}${outcome(owned, whole)}`,
                    help: whole ? helpFor(owned) : 'write a map there, with only the values that are to be tuned',
                    at: { object, path: written.path, part: 'key' },
                    ...(whole && !wasThere(object, written.path, base) && { remedy: rule_remedy(object, owned) }),
                    ...((owned.when || owned.dead || isGuess) && { severity: 'warning' }),
                    assumes: [
                        ...new Set(['variant', ...owned.assumes, ...(isGuess ? ['platformValues'] : [])]),
                    ],
                });
            }
        }
    },
});
function subject({ component, field }, depth) {
    const below = field.slice(4, depth);
    const value = below.length > 0 ? spell(below) : 'the values';
    return `${value} of component "${component}"${depth === field.length ? '' : ' to something other than a map'}`;
}
function outcome({ set, when, path, dead }, whole) {
    const value = set === undefined || typeof set === 'object' ? '' : ` to ${JSON.stringify(set)}`;
    const condition = when ? ` once ${conditionWords(when)}` : '';
    if (!whole)
        return `, and so takes ${spell(path)} from the platform chart${condition}`;
    const owner = `, which the platform chart sets itself${value}${condition}`;
    return dead ? `${owner}, and which reaches nothing: ${dead}` : `${owner}, so the two take it from each other`;
}
function rule_remedy(object, { field, knob }) {
    const { title, ...rest } = removed({ object, path: field }, false);
    return { title: knob ? `${title}, for ${knob} of the platform` : title, ...rest };
}
function helpFor({ knob, why, dead }) {
    const instead = knob
        ? `set ${knob} in spec.components.platform.values of Package "${platformName}" instead`
        : 'remove it';
    return why === undefined || dead ? instead : `${instead}: ${why}`;
}

;// CONCATENATED MODULE: ./src/rules/claimed-field-dropped/rule.ts




/* harmony default export */ const claimed_field_dropped_rule = ({
    id: 'claimed-field-dropped',
    severity: 'error',
    summary: 'a field that git took from another owner is dropped, and does not go back to that owner',
    needsBase: true,
    check(context) {
        const { objects, base, report } = context;
        for (const before of (base?.objects ?? []).filter(isPackage)) {
            const { name } = before.ref;
            const after = objects.filter((object) => isPackage(object) && object.ref.name === name);
            // What is not applied any more stays as it is: removing the whole manifest is another matter.
            if (after.length === 0 || !after.every(rule_isApplied) || isMade(name, context) === false)
                continue;
            const claims = claimsIn(before, context);
            const dropped = claims.filter(({ path }) => after.every(({ value }) => lookUp(value, path) === undefined));
            for (const claim of dropped.filter(({ path }) => !isShared(name, path, context))) {
                const outcome = outcomeOf(claim, { dropped, owners: ownersFields(name, context), after });
                if (!outcome)
                    continue;
                report({
                    message: `Package "${name}" does not set ${spell(claim.path)} any more, which it had taken from ${claim.owner}: ${outcome}`,
                    help: claim.help,
                    at: { object: before, path: claim.path, part: 'key' },
                    ...(!claim.isSure && { severity: 'warning' }),
                    assumes: claim.assumes,
                    ...claimed_field_dropped_rule_remedy(claim, after),
                });
            }
        }
    },
});
/** What the chart sets as well has two owners, and stays with the other. */
function claimed_field_dropped_rule_remedy({ path, set, isSure }, after) {
    const isValue = path[1] === 'components' && set !== undefined && (set === null || typeof set !== 'object');
    if (!isValue)
        return {};
    const title = `set ${spell(path)} to ${JSON.stringify(set)}, as the chart does`;
    const changes = after.map((object) => ({ do: 'add', at: { object, path }, value: set }));
    return { remedy: { title, safe: isSure, changes } };
}
const chart = 'the platform chart';
const labels = [
    [['metadata', 'annotations', 'helm.sh/resource-policy'], 'keep'],
    [['metadata', 'annotations', 'meta.helm.sh/release-name'], 'cozystack-platform'],
    [['metadata', 'annotations', 'meta.helm.sh/release-namespace'], 'cozy-system'],
    [['metadata', 'labels', 'app.kubernetes.io/managed-by'], 'Helm'],
];
/** An equal value has two owners, and stays when one of them lets go of it. */
function claimsIn(object, context) {
    const { name } = object.ref;
    if (isPlatform(object))
        return administratorsVariant(object);
    const first = (set) => set === undefined || typeof set === 'object'
        ? 'first set it to the value of the chart'
        : `first set it to ${JSON.stringify(set)}, as the chart does`;
    const claim = (path, set, isSure, assumes) => {
        const help = `${first(set)}, and drop it once Helm has upgraded the platform`;
        return { path, owner: chart, ...(set !== undefined && { set }), isSure, assumes, help };
    };
    const values = ownedIn(name, context).flatMap((owned) => {
        const written = owned.dead ? undefined : reached(object.value, owned.field);
        if (!written || (written.path.length === owned.field.length && owned.isEqual(written.value)))
            return [];
        const assumes = ['variant', ...owned.assumes, ...(owned.isSure ? [] : ['platformValues'])];
        return [claim(written.path, owned.set, !owned.when && owned.isSure, assumes)];
    });
    const variant = rule_variantOf(name, context);
    const written = lookUp(object.value, ['spec', 'variant']);
    return [
        ...new Map(values.map((one) => [spell(one.path), one])).values(),
        ...labels
            .filter(([path, value]) => ![undefined, value].includes(lookUp(object.value, path)))
            .map(([path, value]) => claim(path, value, true, ['variant'])),
        ...(written === undefined || variant === undefined || written === variant
            ? []
            : [claim(['spec', 'variant'], variant, true, ['variant'])]),
    ];
}
/** Only the command that made the platform's Package has set its variant; with `ssa: Merge` it may still own an equal one. */
function administratorsVariant({ value }) {
    if (lookUp(value, ['spec', 'variant']) === undefined)
        return [];
    const help = 'have an administrator set the same variant with kubectl apply --server-side first, and keep ssa: Merge';
    const isSure = !isSetTo(value, 'ssa', 'Merge');
    return [{ path: ['spec', 'variant'], owner: 'the administrator', isSure, assumes: [], help }];
}
/** The variant that the chart gives the Package, as far as the platform's own is known or assumed. */
function rule_variantOf(name, context) {
    const { facts, contract } = context;
    if (facts.get('variant').source !== 'assumed')
        return chartsVariant(name, context);
    const packages = contract.catalog.platformVariant(String(facts.get('variant').value))?.packages ?? {};
    return Object.hasOwn(packages, name) ? packages[name]?.variant : undefined;
}
/** What becomes of the field and of the map around it (oracle.md §3); undefined where nothing is lost. */
function outcomeOf({ path, owner, set }, situation) {
    const parent = path.slice(0, -1);
    if (owner === chart && path[0] === 'spec' && isEmptied(parent, situation)) {
        if (parent.length > 4)
            return `${spell(parent)} is left as null, and the component loses its defaults there`;
        if (parent.length < 4)
            return `${spell(parent)} is left as null, which the API server refuses, and with it the whole repository`;
        // Managed fields have no entry of their own for `values`; where Helm applies client-side, the component stays as {}.
        return `${spell(parent.slice(0, -1))} is left as null in clusters installed from v1.5 on, where the API server refuses it and with it the whole repository`;
    }
    if (spell(path) !== 'spec.variant')
        return 'it is gone until the chart is upgraded';
    return set === 'default' ? undefined : 'it is gone, so the Package turns to the variant "default"';
}
/** Whether neither the owner nor git has anything left in the map. */
function isEmptied(map, { dropped, owners, after }) {
    const isIn = (field, outer) => outer.every((step, index) => step === field[index]);
    const left = owners.filter((field) => isIn(field, map) && !dropped.some(({ path }) => isIn(field, path)));
    const beside = map.at(-1) === 'values' ? map.slice(0, -1) : map;
    return (left.length === 0 && after.every(({ value }) => !hasLeaves(lookUp(value, map)) && !hasLeaves(lookUp(value, beside))));
}
/** Maps without anything in them hold nothing: they are taken away with the last key. */
function hasLeaves(value) {
    return isObject(value) ? Object.values(value).some(hasLeaves) : value !== undefined && value !== null;
}
/** What the owner has in the Package, by path. */
function ownersFields(name, context) {
    const values = ownedIn(name, context).filter(({ when }) => !when);
    return [['spec', 'variant'], ...labels.map(([path]) => path), ...values.map(({ field }) => field)];
}
/** Whether the cluster was seen with another owner of the field beside Flux. */
function isShared(name, path, { snapshot }) {
    const packages = snapshot?.packages ?? {};
    const managers = (Object.hasOwn(packages, name) && packages[name]?.managers) || [];
    return managers.some(({ manager, fields }) => manager !== 'kustomize-controller' && fields.includes(spell(path)));
}
function rule_isApplied({ value }) {
    const kept = isSetTo(value, 'ssa', 'Ignore') || isSetTo(value, 'ssa', 'IfNotPresent');
    return !kept && !isSetTo(value, 'reconcile', 'disabled');
}

;// CONCATENATED MODULE: ./src/facts/sources.ts


/** Undefined where neither the repository nor the release has one. */
function sourceOf(name, { contract, objects }) {
    const own = objects.find(({ ref }) => isSource(ref) && ref.name === name);
    if (own)
        return { own, variants: variantsIn(own) };
    const source = contract.catalog.source(name);
    return source && { variants: source.variants };
}
/** Those variants of the source that the Package may be of: the one where that is known, else all. */
function possibleVariants({ value, ref }, source, known) {
    const written = textAt(value, ['spec', 'variant']);
    const seen = known.snapshot && Object.hasOwn(known.snapshot.packages, ref.name) && known.snapshot.packages[ref.name];
    const name = written ?? (seen ? seen.variant : undefined) ?? chartsVariant(ref.name, known);
    return source.variants.filter((variant) => (name ?? variant.name) === variant.name);
}
/** The Packages of the name in the repository. */
function packagesNamed(name, objects) {
    return objects.filter((object) => isPackage(object) && object.ref.name === name);
}
function isSource({ kind, apiVersion }) {
    return kind === 'PackageSource' && apiVersion.startsWith('cozystack.io/');
}
function variantsIn({ value }) {
    return maps(lookUp(value, ['spec', 'variants'])).map((variant) => ({
        name: textAt(variant, ['name']) ?? '',
        dependsOn: sources_texts(variant.dependsOn),
        components: maps(variant.components).map(sources_toComponent),
    }));
}
function sources_toComponent(component) {
    const name = textAt(component, ['name']) ?? '';
    const path = textAt(component, ['path']) ?? '';
    const { install } = component;
    if (!isObject(install))
        return { name, path };
    return {
        ...{ name, path },
        install: {
            namespace: textAt(install, ['namespace']) ?? '',
            releaseName: textAt(install, ['releaseName']) ?? name,
            privileged: install.privileged === true,
            dependsOn: sources_texts(install.dependsOn),
        },
    };
}
function maps(value) {
    return (Array.isArray(value) ? value : []).filter(isObject);
}
function sources_texts(value) {
    return (Array.isArray(value) ? value : []).filter((item) => typeof item === 'string');
}

;// CONCATENATED MODULE: ./src/rules/component-without-install/rule.ts






/* harmony default export */ const component_without_install_rule = ({
    id: 'component-without-install',
    severity: 'warning',
    summary: 'a Package sets values for a component that installs nothing by itself; they are dropped and the Package stays Ready',
    check(context) {
        for (const object of context.objects.filter(isPackage).filter(isApplied)) {
            const components = lookUp(object.value, ['spec', 'components']);
            if (isObject(components))
                rule_judge(object, components, context);
        }
    },
});
function rule_judge(object, components, context) {
    const source = sourceOf(object.ref.name, context);
    const variants = source ? possibleVariants(object, source, context) : [];
    for (const [name, written] of Object.entries(components)) {
        const known = variants.flatMap((variant) => variant.components.filter((component) => component.name === name));
        if (known.length === 0 || known.some(({ install }) => install) || isSaid(object, name, context))
            continue;
        if (!isObject(written) || Object.keys(written).length === 0)
            continue;
        context.report({
            message: `Component "${name}" of Package "${object.ref.name}" installs nothing by itself, so what is set for it is dropped without a word`,
            help: source?.own
                ? 'give the component an install in the PackageSource, or remove it here'
                : 'remove it; what installs its chart, such as the application of a tenant, takes its values from there',
            at: { object, path: ['spec', 'components', name], part: 'key' },
            remedy: removed({ object, path: ['spec', 'components', name] }, true),
            ...(source?.own && {
                related: [{ message: 'its components', at: { object: source.own, path: ['spec', 'variants'], part: 'key' } }],
            }),
            assumes: source?.own ? [] : ['release'],
        });
    }
}
/** A value that the chart sets itself and that reaches nothing is reported as such. */
function isSaid(object, component, context) {
    return ownedIn(object.ref.name, context).some((owned) => owned.dead !== undefined && owned.component === component && reached(object.value, owned.field));
}

;// CONCATENATED MODULE: ./src/rules/copied-live-object/rule.ts


/* harmony default export */ const copied_live_object_rule = ({
    id: 'copied-live-object',
    severity: 'error',
    summary: 'a manifest still has what the API server wrote into the live object that it was copied from',
    check({ objects, report, contract }) {
        for (const object of objects.filter(isApplied)) {
            const { kind, name } = object.ref;
            const refused = refusals.filter(([path]) => isLeft(object, path) || isSentEmpty(object, path, contract.schemas));
            const ignored = harmless.filter((path) => isLeft(object, path));
            const left = [...refused.map(([path]) => path), ...ignored];
            const remedy = {
                title: 'remove what the API server has written',
                safe: true,
                changes: left.map((path) => ({ do: 'remove', at: { object, path } })),
            };
            for (const [path, why, unless] of refused) {
                report({
                    message: `${kind} "${name}" has the ${path.at(-1)} of a live object, so the API server refuses it${why}, and with it everything that is applied together with it`,
                    ...(unless && { severity: 'warning' }),
                    help: 'remove it, and all else that the API server wrote into the live object',
                    at: { object, path, part: 'key' },
                    remedy,
                });
            }
            const first = ignored[0];
            if (!first || refused.length > 0)
                continue;
            report({
                severity: 'notice',
                message: `${kind} "${name}" has ${ignored.map((path) => path.at(-1)).join(', ')} of a live object, which the API server ignores`,
                help: 'remove it; it looks copied from the cluster',
                at: { object, path: first, part: 'key' },
                remedy,
            });
        }
    },
});
/** `unless`: it is accepted for as long as it is that very object. */
const refusals = [
    [['metadata', 'resourceVersion'], ' with a conflict'],
    [['metadata', 'uid'], ' in every cluster but the one that it was copied from', true],
    [['metadata', 'managedFields'], ' with "metadata.managedFields must be nil"'],
];
/** Generators of manifests write `creationTimestamp: null` and `status: {}`, so only what says something counts. */
const harmless = [
    ['metadata', 'creationTimestamp'],
    ['metadata', 'generation'],
    ['metadata', 'selfLink'],
    ['status'],
];
function isLeft({ value, ref }, path) {
    if (path[0] === 'status' && ref.kind === 'CustomResourceDefinition')
        return false;
    const found = lookUp(value, path);
    return found !== undefined && !isEmpty(found);
}
/** Of kinds that are built in Flux sends no empty list; of all others it sends what stands there, and even that is refused. */
function isSentEmpty({ value, ref }, path, schemas) {
    const schema = schemas.find(ref.apiVersion, ref.kind);
    if (schema.known && schema.unknownFields === 'dropped')
        return false;
    return path.at(-1) === 'managedFields' && Array.isArray(lookUp(value, path));
}
function isEmpty(value) {
    return value === null || value === '' || (typeof value === 'object' && Object.values(value).every(isEmpty));
}

;// CONCATENATED MODULE: ./src/fix/page.ts
var _a;
/**
 * One YAML document as text that can be edited at a path: every other character stays as it is. Each edit is proved: the text
 * that comes out must mean what the edit says and nothing else, or there is none (undefined).
 */




class Page {
    text;
    #document;
    root;
    #value;
    constructor(text, document, root) {
        this.text = text;
        this.#document = document;
        this.root = root;
        this.#value = this.#document.toJS({ maxAliasCount: 100 });
    }
    /** Undefined where the text is not one sound document, or one that is sealed: a MAC counts every value of it. */
    static read(text) {
        if (depthExceeds(text, maxDepth))
            return undefined;
        const document = (0,dist/* parseDocument */.Tp)(text, { uniqueKeys: true, strict: true, logLevel: 'silent' });
        if (document.errors.length > 0 || !(0,dist/* isNode */.Ll)(document.contents))
            return undefined;
        try {
            const page = new _a(text, document, document.contents);
            return isObject(page.#value) && Object.hasOwn(page.#value, 'sops') ? undefined : page;
        }
        catch {
            return undefined; // more aliases than a manifest has
        }
    }
    /** What the document says at a path. */
    at(path) {
        return step(this.#value, path);
    }
    /** The paths of the nodes, and of the keys, that start at an offset. */
    startingAt(offset, part) {
        const found = [];
        const visit = (node, path) => {
            if (part === 'value' && (0,dist/* isNode */.Ll)(node) && node.range?.[0] === offset)
                found.push(path);
            if ((0,dist/* isMap */.jh)(node)) {
                for (const { key, value } of node.items) {
                    if (!(0,dist/* isScalar */.jn)(key))
                        continue;
                    const below = [...path, String(key.value)];
                    if (part === 'key' && key.range?.[0] === offset)
                        found.push(below);
                    visit(value, below);
                }
            }
            else if ((0,dist/* isSeq */.oP)(node))
                for (const [index, item] of node.items.entries())
                    visit(item, [...path, index]);
        };
        visit(this.root, []);
        return found;
    }
    /** Where the node at a path starts and ends, its key included. */
    span(path) {
        const found = page_find(this.root, path);
        if (!found)
            return undefined;
        const start = (0,dist/* isScalar */.jn)(found.pair?.key) ? found.pair.key.range?.[0] : found.node?.range?.[0];
        return start === undefined ? undefined : { start, end: this.#endOf(found.pair ?? found.node) };
    }
    edit(wanted) {
        const edit = wanted.do === 'set' && wanted.asWritten ? { ...wanted, value: this.#asWritten(wanted) } : wanted;
        const expected = meaning(this.#value, edit);
        const text = expected === undefined ? undefined : this.#write(edit);
        const page = text === undefined ? undefined : _a.read(text);
        return page && (0,external_node_util_.isDeepStrictEqual)(page.#value, expected) ? page : undefined;
    }
    #write(edit) {
        switch (edit.do) {
            case 'remove':
                return this.#remove(edit.path);
            case 'set':
                return this.#set(page_find(this.root, edit.path), edit.value);
            case 'rename':
                return this.#replaceScalar(page_find(this.root, edit.path)?.pair?.key, edit.key);
            case 'add':
                return this.#add(edit.path, edit.value, edit.after);
            case 'insert':
                return this.#insertItem(page_find(this.root, edit.path)?.node, edit.index ?? Number.POSITIVE_INFINITY, edit.value);
            case 'move':
                return this.#move(edit.path, edit.to);
        }
    }
    #remove(path) {
        const found = page_find(this.root, path);
        if (!found || hasAnchor(found.pair ?? found.node))
            return undefined;
        const { holder, pair } = found;
        if (holder.items.length === 1) {
            if (path.length < 2)
                return undefined;
            const above = path.slice(0, -1);
            if ((0,dist/* isMap */.jh)(holder))
                return typeof above.at(-1) === 'string' ? this.#remove(above) : undefined;
            const isRoots = above.length === 1 && (0,dist/* isMap */.jh)(this.root) && this.root.items.length > 1;
            return isRoots ? this.#remove(above) : this.#empty(above);
        }
        const last = holder.items.indexOf((pair ?? found.node)) === holder.items.length - 1;
        if (holder.flow)
            return this.#removeFlow(found, last);
        const start = startOf(pair ?? found.node);
        const begin = pair ? start : this.#dashBefore(start);
        if (begin === undefined)
            return undefined;
        const end = this.#lineEnd(this.#endOf(pair ?? found.node));
        if (end === undefined)
            return undefined;
        const line = lineStart(this.text, begin);
        const before = this.text.slice(line, begin);
        if (before.trim() === '')
            return this.#cut(this.#withIgnores(line), end);
        // The first key behind the dash of an item: what follows takes its place.
        const next = holder.items[holder.items.indexOf((pair ?? found.node)) + 1];
        const nextStart = (0,dist/* isPair */.tO)(next) ? startOf(next) : undefined;
        if (nextStart === undefined || this.text.slice(end, nextStart).trim() !== '')
            return undefined;
        return splice(this.text, begin, nextStart, '');
    }
    #removeFlow({ holder, pair, node }, last) {
        const index = holder.items.indexOf((pair ?? node));
        const neighbour = holder.items[last ? index - 1 : index + 1];
        const [start, end] = last
            ? [this.#endOf(neighbour), this.#endOf(pair ?? node)]
            : [startOf(pair ?? node), startOf(neighbour)];
        if (start === undefined || end === undefined || this.text.slice(start, end).includes('#'))
            return undefined;
        return splice(this.text, start, end, '');
    }
    /** A list whose last item goes stays a list: without it, somebody else's would count. */
    #empty(path) {
        const found = page_find(this.root, path);
        const key = found?.pair?.key;
        if (!found?.node || !(0,dist/* isScalar */.jn)(key) || !key.range)
            return undefined;
        if (found.node.flow)
            return splice(this.text, startOf(found.node) ?? 0, this.#endOf(found.node), '[]');
        const colon = this.#behindColon(key.range[1]);
        const end = this.#lineEnd(this.#endOf(found.node));
        if (colon === undefined || end === undefined || this.text.slice(colon, startOf(found.node)).includes('#'))
            return undefined;
        return splice(this.text, colon, end, ` []${this.text.slice(0, end).endsWith('\n') ? this.#eol : ''}`);
    }
    #asWritten({ path, value }) {
        const node = page_find(this.root, path)?.node;
        const isThat = (0,dist/* isScalar */.jn)(node) && node.type === 'PLAIN' && String(node.value) === value;
        return isThat ? (node.source ?? value) : value;
    }
    #set(found, value) {
        if (!found)
            return undefined;
        const { holder, node } = found;
        if (isText(value))
            return this.#replaceScalar(node, value);
        if (!(0,dist/* isScalar */.jn)(node) || !node.range || node.anchor || node.tag || !isObject(value) || !(0,dist/* isSeq */.oP)(holder))
            return undefined;
        const [start, end] = node.range;
        if (start === end || this.text.slice(start, end).includes('\n'))
            return undefined;
        const lines = this.#lines(value, start - lineStart(this.text, start));
        const block = lines.join(this.#eol).trimStart();
        return splice(this.text, start, end, holder.flow ? `{ ${this.#flow(value)} }` : block);
    }
    #replaceScalar(node, value) {
        if (!(0,dist/* isScalar */.jn)(node) || !node.range || node.anchor || node.tag)
            return undefined;
        const [start, end] = node.range;
        if (start === end)
            return undefined;
        const written = this.text.slice(start, end);
        if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED' || written.includes('\n'))
            return undefined;
        return splice(this.text, start, end, scalarText(value, node.type));
    }
    #insertItem(list, index, value) {
        if (!(0,dist/* isSeq */.oP)(list) || list.items.length === 0 || list.anchor)
            return undefined;
        const item = list.items[index] ?? list.items.at(-1);
        const start = startOf(item);
        if (start === undefined)
            return undefined;
        if (list.flow) {
            const text = scalarText(value);
            if (index < list.items.length)
                return splice(this.text, start, start, `${text}, `);
            return splice(this.text, this.#endOf(item), this.#endOf(item), `, ${text}`);
        }
        const dash = this.#dashBefore(start);
        if (dash === undefined)
            return undefined;
        const line = lineStart(this.text, dash);
        const text = this.text.slice(line, start) + scalarText(value);
        if (index < list.items.length)
            return splice(this.text, line, line, text + this.#eol);
        return this.#insert(item, [text]);
    }
    #add(path, value, after) {
        let depth = path.length - 1;
        while (depth > 0 && !isFilledMap(page_find(this.root, path.slice(0, depth))?.node))
            depth--;
        const holder = depth === 0 ? this.root : page_find(this.root, path.slice(0, depth))?.node;
        if (!(0,dist/* isMap */.jh)(holder) || this.#isAnchored(path.slice(0, depth)))
            return undefined;
        const rest = path.slice(depth);
        const nested = rest.slice(1).reduceRight((inner, key) => ({ [key]: inner }), value);
        const key = String(rest[0]);
        const empty = holder.items.find((pair) => (0,dist/* isScalar */.jn)(pair.key) && pair.key.value === key);
        if (holder.flow)
            return empty ? undefined : this.#addFlow(holder, { [key]: nested });
        const column = this.#column(holder);
        if (column === undefined)
            return undefined;
        if (empty)
            return this.#fill(empty, nested, column);
        const behind = holder.items.find((pair) => (0,dist/* isScalar */.jn)(pair.key) && pair.key.value === after);
        return this.#insert(behind ?? holder.items.at(-1), this.#lines({ [key]: nested }, column));
    }
    /** `annotations:` or `annotations: {}`, which have nothing below them yet. */
    #fill(pair, value, column) {
        if (!isObject(value) || !(0,dist/* isScalar */.jn)(pair.key) || !pair.key.range || hasAnchor(pair))
            return undefined;
        if ((0,dist/* isMap */.jh)(pair.value) && pair.value.flow && pair.value.items.length === 0)
            return this.#addFlow(pair.value, value);
        if (!(0,dist/* isScalar */.jn)(pair.value) || pair.value.value !== null || pair.value.source)
            return undefined;
        return this.#insert(pair, this.#lines(value, column + this.#indent));
    }
    #addFlow(map, value) {
        if (!map.range)
            return undefined;
        const close = map.range[1] - 1;
        const quoted = map.items.length > 0 && map.items.every(({ key }) => (0,dist/* isScalar */.jn)(key) && key.type === 'QUOTE_DOUBLE');
        const text = quoted ? JSON.stringify(value).slice(1, -1) : this.#flow(value);
        const last = map.items.at(-1);
        if (!last)
            return splice(this.text, map.range[0] + 1, close, ` ${text} `);
        const end = this.#endOf(last);
        if (this.text.slice(end, close).trim() !== '')
            return undefined;
        const lines = this.text.slice(map.range[0], startOf(map.items[0])).match(/\r?\n[ \t]*$/);
        return splice(this.text, end, end, lines ? `,${lines[0]}${text}` : `, ${text}`);
    }
    #flow(value) {
        return Object.entries(value)
            .map(([key, inner]) => `${scalarText(key)}: ${JSON.stringify(inner)}`)
            .join(', ');
    }
    #move(path, to) {
        const found = page_find(this.root, path);
        if (!found?.pair || hasAnchor(found.pair) || to.slice(0, path.length).join('\n') === path.join('\n'))
            return undefined;
        const value = step(this.#value, path);
        if (value === undefined || step(this.#value, to) !== undefined)
            return undefined;
        const whole = meaning(this.#value, { do: 'add', path: to, value });
        // Written first, so that what the entry leaves behind is not taken away and made anew.
        const added = this.#addLines(to, found) ?? this.#add(to, value);
        const page = added === undefined ? undefined : _a.read(added);
        return page && (0,external_node_util_.isDeepStrictEqual)(page.#value, whole) ? page.#remove(path) : undefined;
    }
    /** The lines of an entry as they are, comments included, at another depth. */
    #addLines(to, { holder, pair }) {
        const start = startOf(pair);
        if (start === undefined || holder.flow || !(0,dist/* isScalar */.jn)(pair?.key) || !pair.key.range)
            return undefined;
        const line = lineStart(this.text, start);
        const end = this.#lineEnd(this.#endOf(pair));
        if (end === undefined || this.text.slice(line, start).trim() !== '')
            return undefined;
        const indent = start - line;
        const body = this.text
            .slice(line, end)
            .replace(/\r?\n$/, '')
            .split(/\r?\n/);
        const target = to.slice(0, -1);
        const filled = isFilledMap(page_find(this.root, target)?.node);
        // A level that is not there yet is made with a place holder, whose line then makes room.
        const marker = 'customizer-lint-moves-this-here';
        const made = filled ? undefined : this.#add([...target, marker], true);
        const page = made === undefined ? this : _a.read(made);
        const map = page && page_find(page.root, target)?.node;
        const column = page && (0,dist/* isMap */.jh)(map) && !map.flow ? page.#column(map) : undefined;
        if (!page || !(0,dist/* isMap */.jh)(map) || column === undefined || page.#isAnchored(target))
            return undefined;
        const [first = '', ...others] = body;
        const head = scalarText(String(to.at(-1))) + first.slice(indent + (pair.key.range[1] - pair.key.range[0]));
        if (others.some((text) => text.trim() !== '' && text.slice(0, indent).trim() !== ''))
            return undefined;
        const pad = ' '.repeat(column);
        const moved = [head, ...others.map((text) => text.slice(indent))].map((text) => (text ? pad + text : text));
        if (page === this)
            return this.#insert(map.items.at(-1), moved);
        const at = lineStart(page.text, startOf(map.items[0]) ?? 0);
        const behind = page.#lineEnd(page.#endOf(map.items[0]));
        const eol = page.text.slice(0, behind).endsWith('\n') ? page.#eol : '';
        return behind === undefined ? undefined : splice(page.text, at, behind, moved.join(page.#eol) + eol);
    }
    /** Whole lines behind an entry of a block map. */
    #insert(entry, lines) {
        const end = this.#lineEnd(this.#endOf(entry));
        if (end === undefined)
            return undefined;
        const ended = this.text.slice(0, end).endsWith('\n');
        const added = lines.join(this.#eol);
        return splice(this.text, end, end, ended ? added + this.#eol : this.#eol + added);
    }
    #lines(value, column) {
        const text = (0,dist/* stringify */.As)(value, { indent: this.#indent, lineWidth: 0, version: '1.1' });
        return text
            .replace(/\n$/, '')
            .split('\n')
            .map((line) => (line ? ' '.repeat(column) + line : line));
    }
    #cut(start, end) {
        // The last line of a text that does not end with a line break takes the one before it along.
        const whole = end === this.text.length && !this.text.endsWith('\n');
        const from = whole ? start - (/\r?\n$/.exec(this.text.slice(0, start))?.[0].length ?? 0) : start;
        return splice(this.text, from, end, '');
    }
    /** A comment that excuses a line goes with it. */
    #withIgnores(line) {
        const above = /(?:^|\n)([ \t]*#+\s*customizer-lint ignore\b[^\n]*\n)$/.exec(this.text.slice(0, line));
        return line - (above?.[1]?.length ?? 0);
    }
    #dashBefore(offset) {
        if (offset === undefined)
            return undefined;
        const line = lineStart(this.text, offset);
        const dash = /^[ \t]*(-[ \t]+)$/.exec(this.text.slice(line, offset))?.[1];
        return dash === undefined ? undefined : offset - dash.length;
    }
    #behindColon(offset) {
        const colon = /[ \t]*:/y;
        colon.lastIndex = offset;
        return colon.test(this.text) ? colon.lastIndex : undefined;
    }
    /** The end of a node without the white space and the comments behind it. */
    #endOf(node) {
        if ((0,dist/* isPair */.tO)(node)) {
            const key = (0,dist/* isScalar */.jn)(node.key) ? (node.key.range?.[1] ?? 0) : 0;
            const isEmpty = (0,dist/* isScalar */.jn)(node.value) && node.value.range?.[0] === node.value.range?.[1];
            return isEmpty || node.value === null ? (this.#behindColon(key) ?? key) : this.#endOf(node.value);
        }
        if ((0,dist/* isCollection */.P3)(node) && !node.flow && node.items.length > 0)
            return this.#endOf(node.items.at(-1));
        const end = (0,dist/* isNode */.Ll)(node) ? (node.range?.[1] ?? 0) : 0;
        if (!(0,dist/* isScalar */.jn)(node) || !String(node.type).startsWith('BLOCK'))
            return end;
        const keeps = /^[|>]\d?\+/.test(this.text.slice(node.range?.[0]));
        return keeps ? end : this.text.slice(0, end).trimEnd().length;
    }
    /** Behind the comment and the line break that follow; undefined where something else does. */
    #lineEnd(offset) {
        if (offset > 0 && this.text[offset - 1] === '\n')
            return offset;
        const rest = /(?:[ \t]+#[^\n]*|[ \t]*)(?:\r?\n|$)/y;
        rest.lastIndex = offset;
        return rest.test(this.text) ? rest.lastIndex : undefined;
    }
    #column(map) {
        const start = startOf(map.items[0]);
        if (start === undefined)
            return undefined;
        const line = lineStart(this.text, start);
        return /^[ ]*(?:- +)*$/.test(this.text.slice(line, start).replace(/^\uFEFF/, '')) ? start - line : undefined;
    }
    /** As the document indents; two where it does not say. */
    get #indent() {
        const found = ((0,dist/* isMap */.jh)(this.root) ? this.root.items : []).flatMap(({ value }) => {
            const column = (0,dist/* isMap */.jh)(value) && !value.flow ? this.#column(value) : undefined;
            return column ? [column] : [];
        });
        return found[0] ?? 2;
    }
    get #eol() {
        return /\r?\n/.exec(this.text)?.[0] ?? '\n';
    }
    /** Whether what is written there counts in another place as well. */
    #isAnchored(path) {
        return path.some((_, index) => page_find(this.root, path.slice(0, index + 1))?.node?.anchor !== undefined);
    }
}
_a = Page;
/** The node at a path that is not empty; undefined behind an alias, an anchor or a merge key, where an edit has other effects. */
function page_find(root, path) {
    let node = root;
    let found;
    for (const key of path) {
        if (!(0,dist/* isNode */.Ll)(node) || (0,dist/* isAlias */.Vj)(node) || node.anchor)
            return undefined;
        if ((0,dist/* isMap */.jh)(node)) {
            if (node.items.some((one) => (0,dist/* isScalar */.jn)(one.key) && one.key.value === '<<'))
                return undefined;
            const pair = node.items.find((one) => (0,dist/* isScalar */.jn)(one.key) && String(one.key.value) === String(key));
            if (!pair)
                return undefined;
            found = { holder: node, pair, ...((0,dist/* isNode */.Ll)(pair.value) && { node: pair.value }) };
            node = pair.value;
        }
        else if ((0,dist/* isSeq */.oP)(node) && typeof key === 'number' && (0,dist/* isNode */.Ll)(node.items[key])) {
            found = { holder: node, node: node.items[key] };
            node = node.items[key];
        }
        else
            return undefined;
    }
    return found;
}
function isText(value) {
    return value !== null && typeof value !== 'object';
}
function isFilledMap(node) {
    return (0,dist/* isMap */.jh)(node) && node.items.length > 0;
}
function hasAnchor(node) {
    if ((0,dist/* isPair */.tO)(node))
        return hasAnchor(node.key) || hasAnchor(node.value);
    if (!(0,dist/* isNode */.Ll)(node))
        return false;
    if (!(0,dist/* isAlias */.Vj)(node) && node.anchor)
        return true;
    return (0,dist/* isCollection */.P3)(node) && node.items.some(hasAnchor);
}
function startOf(node) {
    const start = (0,dist/* isPair */.tO)(node) ? node.key : node;
    return (0,dist/* isNode */.Ll)(start) ? start.range?.[0] : undefined;
}
function lineStart(text, offset) {
    return text.lastIndexOf('\n', offset - 1) + 1;
}
function splice(text, start, end, by) {
    return text.slice(0, start) + by + text.slice(end);
}
/** In the quotes that are there, else in those it needs. Old parsers take more words for booleans. */
function scalarText(value, type) {
    if (typeof value === 'string' && type === 'QUOTE_SINGLE')
        return `'${value.replaceAll("'", "''")}'`;
    if (typeof value === 'string' && type === 'QUOTE_DOUBLE')
        return JSON.stringify(value);
    return (0,dist/* stringify */.As)(value, { lineWidth: 0, version: '1.1' }).trimEnd();
}
function step(value, path) {
    let node = value;
    for (const key of path) {
        if (node === null || typeof node !== 'object' || !Object.hasOwn(node, key))
            return undefined;
        node = node[key];
    }
    return node;
}
/** What a document says after an edit; undefined where there is nothing to edit. */
function meaning(value, edit) {
    const copy = JSON.parse(JSON.stringify(value));
    const key = edit.path.at(-1);
    const above = edit.path.slice(0, -1);
    const holder = step(copy, above);
    if (key === undefined)
        return undefined;
    const isThere = holder !== null && typeof holder === 'object' && Object.hasOwn(holder, key);
    if (edit.do === 'insert') {
        const list = step(copy, edit.path);
        if (!Array.isArray(list))
            return undefined;
        list.splice(edit.index ?? list.length, 0, edit.value);
        return copy;
    }
    if (edit.do === 'add')
        return isThere ? undefined : page_put(copy, edit.path, edit.value);
    if (!isThere)
        return undefined;
    if (edit.do === 'remove')
        return drop(copy, edit.path);
    if (edit.do === 'set') {
        holder[key] = edit.value;
        return copy;
    }
    const moved = holder[key];
    const to = edit.do === 'rename' ? [...above, edit.key] : edit.to;
    if (step(copy, to) !== undefined)
        return undefined;
    if (edit.do === 'rename')
        delete holder[key];
    const put_ = page_put(copy, to, moved);
    return edit.do === 'rename' || put_ === undefined ? put_ : drop(put_, edit.path);
}
function page_put(value, path, added) {
    let node = value;
    for (const key of path.slice(0, -1)) {
        if (Array.isArray(node) && typeof key === 'number' && node[key] !== undefined) {
            node = node[key];
            continue;
        }
        if (!isObject(node))
            return undefined;
        if (!Object.hasOwn(node, key) || node[key] === null)
            node[key] = {};
        node = node[key];
    }
    if (!isObject(node))
        return undefined;
    node[path.at(-1)] = added;
    return value;
}
function drop(value, path) {
    const holder = step(value, path.slice(0, -1));
    const isOnly = Object.keys(holder).length === 1;
    if (Array.isArray(holder)) {
        const isRoots = path.length === 2 && Object.keys(value).length > 1;
        if (isOnly && isRoots)
            return drop(value, path.slice(0, -1));
        holder.splice(path.at(-1), 1);
        return value;
    }
    if (isOnly)
        return typeof path.at(-2) === 'string' ? drop(value, path.slice(0, -1)) : undefined;
    delete holder[path.at(-1)];
    return value;
}

;// CONCATENATED MODULE: ./src/rules/dead-patch/rule.ts




/* harmony default export */ const dead_patch_rule = ({
    id: 'dead-patch',
    severity: 'warning',
    summary: 'a patch has a target that selects no object, so it does nothing',
    check({ everywhere: entrypoints, tree, report }) {
        const uses = new Map();
        for (const rendered of entrypoints) {
            if (!rendered.ok)
                continue;
            for (const step of rendered.steps) {
                if (step.kind !== 'patch' || step.kustomization === '')
                    continue;
                const key = `${step.kustomization} ${step.field.join('/')}`;
                const use = uses.get(key) ?? { step, entrypoints: [], selected: 0 };
                use.selected += step.selected;
                use.entrypoints.push(rendered.entrypoint.path);
                uses.set(key, use);
            }
        }
        for (const { step, entrypoints: seenFrom, selected } of uses.values()) {
            if (selected > 0)
                continue;
            for (const entrypoint of new Set(seenFrom)) {
                report({
                    message: 'The target of this patch selects no object, so the patch does nothing',
                    help: 'correct the target, or remove the patch; kustomize does not mention it',
                    at: {
                        file: step.kustomization,
                        document: 0,
                        path: [...step.field, 'target'],
                        part: 'key',
                    },
                    entrypoint,
                    remedy: dead_patch_rule_remedy(step, tree, entrypoints),
                });
            }
        }
    },
});
/** A target that names an object nearly is corrected; any other patch does nothing, and may go. */
function dead_patch_rule_remedy({ kustomization: file, field }, tree, rendered) {
    const target = Page.read(tree.text(file) ?? '')?.at([...field, 'target']) ?? null;
    const [name, kind] = ['name', 'kind'].map((key) => textAt(target, [key]));
    const objects = rendered.flatMap((one) => (one.ok ? one.objects : []));
    const names = objects.filter(({ ref }) => kind === undefined || ref.kind === kind).map(({ ref }) => ref.name);
    const meant = name === undefined ? undefined : nearest(name, new Set(names));
    const at = { file, document: 0, path: [...field, 'target', 'name'] };
    if (meant !== undefined)
        return { ...rewritten(at, meant), safe: false };
    return { title: 'remove the patch', safe: true, changes: [{ do: 'remove', at: { ...at, path: field } }] };
}

;// CONCATENATED MODULE: ./src/facts/cycles.ts
/** For everything that waits for itself, one way around, the shortest from the first of its members by name. */
function cyclesIn(edges) {
    const seen = new Set();
    const found = [];
    for (const start of [...new Set(edges.map(({ from }) => from))].sort()) {
        const cycle = seen.has(start) ? undefined : wayBack(start, edges);
        if (!cycle)
            continue;
        found.push(cycle);
        for (const { from } of cycle)
            seen.add(from);
    }
    return found;
}
function wayBack(start, edges) {
    const queue = [[]];
    const visited = new Set();
    for (let way = queue.shift(); way; way = queue.shift()) {
        const end = way.at(-1)?.to ?? start;
        for (const edge of edges.filter(({ from }) => from === end)) {
            if (edge.to === start)
                return [...way, edge];
            if (visited.has(edge.to))
                continue;
            visited.add(edge.to);
            queue.push([...way, edge]);
        }
    }
    return undefined;
}

;// CONCATENATED MODULE: ./src/facts/flux-objects.ts
/** Flux Kustomizations and HelmReleases: those that are rendered, and those that only stand in a file that Flux reads. */





const groups = { Kustomization: 'kustomize.toolkit.fluxcd.io/', HelmRelease: 'helm.toolkit.fluxcd.io/' };
function fluxObjects(entrypoints, tree) {
    const rendered = entrypoints.flatMap((one) => (one.ok ? one.objects.flatMap(renderedOne) : []));
    const known = new Set(rendered.map(({ id, kind }) => `${kind} ${id}`));
    // What a kustomization reads counts as that renders it.
    const read = filesRead(entrypoints);
    const declared = entrypoints.flatMap(({ entrypoint }) => read.has(entrypoint.declaredAt?.file ?? '') ? [] : (declaredOne(entrypoint, tree) ?? []));
    return [...rendered, ...declared.filter(({ id, kind }) => !known.has(`${kind} ${id}`))];
}
function renderedOne(object) {
    const { kind, apiVersion, namespace, name } = object.ref;
    if ((kind !== 'Kustomization' && kind !== 'HelmRelease') || !apiVersion.startsWith(groups[kind]))
        return [];
    const at = (path) => ({ object, path });
    return [{ kind, id: `${namespace}/${name}`, value: object.value, group: object.entrypoint, at }];
}
/** The Flux Kustomization that an entrypoint was found in. */
function declaredOne({ declaredAt, kustomization }, tree) {
    if (!declaredAt || kustomization.name === undefined)
        return undefined;
    const { file, document } = declaredAt;
    const text = new Source(tree.text(file) ?? '').documents[document]?.text ?? '';
    if (depthExceeds(text, maxDepth))
        return undefined;
    const value = (0,dist/* parseDocument */.Tp)(text, { logLevel: 'silent' }).toJS({ maxAliasCount: 100 });
    if (!isObject(value))
        return undefined;
    const id = `${textAt(value, ['metadata', 'namespace'])}/${kustomization.name}`;
    return { kind: 'Kustomization', id, value, group: (0,posix_.dirname)(file), at: (path) => ({ file, document, path }) };
}
function filesRead(entrypoints) {
    return new Set(entrypoints.flatMap((one) => (one.ok ? [...one.files] : [])));
}
function documentsBeside(entrypoints, tree) {
    const read = filesRead(entrypoints);
    const declaring = entrypoints.flatMap(({ entrypoint }) => entrypoint.declaredAt?.file ?? []);
    const folders = new Set(declaring.filter((file) => !read.has(file)).map((file) => (0,posix_.dirname)(file)));
    return tree.files
        .filter((file) => /\.ya?ml$/.test(file) && folders.has((0,posix_.dirname)(file)) && !read.has(file))
        .flatMap((file) => new Source(tree.text(file) ?? '').documents.flatMap(({ text }, document) => {
        if (!text.includes('toolkit.fluxcd.io') || depthExceeds(text, maxDepth))
            return [];
        const value = (0,dist/* parseDocument */.Tp)(text, { logLevel: 'silent' }).toJS({ maxAliasCount: 100 });
        const at = (path) => ({ file, document, path });
        return isObject(value) ? [{ value, group: (0,posix_.dirname)(file), at }] : [];
    }));
}
/** What it waits for. */
function dependenciesOf({ value, id }) {
    const list = lookUp(value, ['spec', 'dependsOn']);
    return (Array.isArray(list) ? list : []).flatMap((item, index) => {
        const name = textAt(item, ['name']);
        if (name === undefined)
            return [];
        const namespace = textAt(item, ['namespace']) || id.split('/')[0];
        const byExpression = Boolean(textAt(item, ['readyExpr']));
        return [{ id: `${namespace}/${name}`, path: ['spec', 'dependsOn', index, 'name'], byExpression }];
    });
}
/** `Flux Kustomization "flux-system/apps"`, for a message. */
function labelOf({ kind, id }) {
    return `${kind === 'Kustomization' ? 'Flux Kustomization' : kind} "${id.replace(/^undefined\//, '')}"`;
}
function sourceRefAt(value, path) {
    const [kind, name] = [textAt(value, [...path, 'kind']), textAt(value, [...path, 'name'])];
    const namespace = textAt(value, [...path, 'namespace']) || textAt(value, ['metadata', 'namespace']);
    return kind && name ? { kind, name, namespace: namespace ?? '', path: [...path, 'name'] } : undefined;
}
/** What names a source, as one word. */
function sourceKey({ kind, namespace, name }) {
    return `${kind} ${namespace}/${name}`;
}

;// CONCATENATED MODULE: ./src/facts/own-sources.ts



/** A PackageSource of the platform that is edited here is no source of one's own. */
function ownSources(objects, { catalog }) {
    return objects
        .filter(({ ref }) => ref.kind === 'PackageSource' && ref.apiVersion.startsWith('cozystack.io/'))
        .filter((object) => isApplied(object) && !catalog.source(object.ref.name) && object.ref.name !== customizerName)
        .map((object) => ({ object, name: object.ref.name, variants: own_sources_variantsOf(object.value) }));
}
/** What has another shape than the schema asks for is left out: that is `schema-violation`. */
function own_sources_variantsOf(source) {
    return items(source, ['spec', 'variants']).map((path) => ({
        name: textAt(source, [...path, 'name']) ?? '',
        path,
        dependsOn: entries(source, [...path, 'dependsOn']),
        libraries: new Set(items(source, [...path, 'libraries']).flatMap((library) => {
            const [name, folder] = [textAt(source, [...library, 'name']), textAt(source, [...library, 'path'])];
            return [name ?? [], folder?.replace(/\/+$/, '').split('/').at(-1) ?? []].flat();
        })),
        components: items(source, [...path, 'components']).map((component) => componentAt(source, component)),
    }));
}
function componentAt(source, path) {
    const name = textAt(source, [...path, 'name']) ?? '';
    const install = lookUp(source, [...path, 'install']);
    const namespace = isObject(install) ? textAt(install, ['namespace']) : undefined;
    return {
        name,
        path,
        chart: textAt(source, [...path, 'path']),
        libraries: entries(source, [...path, 'libraries']),
        ...(isObject(install) && {
            install: {
                ...(namespace && { namespace }),
                releaseName: textAt(install, ['releaseName']) || name,
                privileged: install.privileged === true,
                dependsOn: entries(source, [...path, 'install', 'dependsOn']),
            },
        }),
    };
}
function items(value, path) {
    const list = lookUp(value, path);
    return Array.isArray(list) ? list.flatMap((item, index) => (isObject(item) ? [[...path, index]] : [])) : [];
}
function entries(value, path) {
    const list = lookUp(value, path);
    return Array.isArray(list)
        ? list.flatMap((name, index) => (typeof name === 'string' ? [{ name, path: [...path, index] }] : []))
        : [];
}

;// CONCATENATED MODULE: ./src/rules/dependency-cycle/rule.ts





/* harmony default export */ const dependency_cycle_rule = ({
    id: 'dependency-cycle',
    severity: 'error',
    summary: 'Packages, their components, HelmReleases or Flux Kustomizations wait for each other for ever',
    check(context) {
        for (const rendered of context.entrypoints) {
            if (!rendered.ok)
                continue;
            rule_tell(ofPackages(rendered.objects, context), 'Package', context);
            for (const { edges, where } of ofComponents(rendered.objects, context))
                rule_tell(edges, `${where}: component`, context);
        }
        const flux = fluxObjects(context.entrypoints, context.tree);
        for (const kind of ['Kustomization', 'HelmRelease']) {
            for (const set of together(flux.filter((one) => one.kind === kind)))
                rule_tell(ofFlux(set, context), kind === 'Kustomization' ? 'Flux Kustomization' : kind, context);
        }
    },
});
/**
 * What may wait for each other: all that is rendered, where nothing is there twice; else that of another entrypoint, or in
 * another folder of declarations, may be of another cluster.
 */
function together(flux) {
    const byGroup = (some) => [...new Set(some.map(({ group }) => group))].map((group) => some.filter((one) => one.group === group));
    const rendered = flux.filter((one) => 'object' in one.at([]));
    const isOnce = new Set(rendered.map(({ id }) => id)).size === rendered.length;
    return isOnce ? [rendered, ...byGroup(flux.filter((one) => !rendered.includes(one)))] : byGroup(flux);
}
function ofFlux(set, { cluster }) {
    const groups = new Map(set.map(({ id, group }) => [id, group]));
    return set.flatMap((one) => dependenciesOf(one)
        .filter(({ byExpression }) => !byExpression)
        .map(({ id, path }) => {
        const isSure = cluster !== undefined || groups.get(id) === one.group;
        return { from: one.id, to: id, at: one.at(path), isSure };
    }));
}
function rule_tell(edges, kind, { report }) {
    for (const [first, ...others] of cyclesIn(edges)) {
        if (!first)
            continue;
        const through = others.map(({ from }) => `"${from}"`).join(', which waits for ');
        const message = others.length > 0
            ? `${kind} "${first.from}" waits for ${through}, which waits for "${first.from}", so ${others.length > 1 ? 'none of them' : 'neither'} ever gets its turn`
            : `${kind} "${first.from}" waits for itself, so it never gets its turn`;
        report({
            message,
            help: others.length > 0 ? 'take one of these out of dependsOn' : 'take it out of dependsOn',
            at: first.at,
            related: others.map(({ from, to, at }) => ({ message: `"${from}" waits for "${to}"`, at })),
            ...([first, ...others].some(({ isSure }) => !isSure) && { severity: 'warning' }),
        });
    }
}
/**
 * Packages of the platform wait for none of these. Which variant a Package has, and what it does not wait for, is in its
 * manifest; where that is not here it is sure only of what all variants wait for.
 */
function ofPackages(objects, { contract, objects: all }) {
    return ownSources(objects, contract).flatMap(({ object, name, variants }) => {
        const manifest = all.find((one) => isPackage(one) && one.ref.name === name);
        const variant = manifest && (textAt(manifest.value, ['spec', 'variant']) || 'default');
        const ignored = manifest && lookUp(manifest.value, ['spec', 'ignoreDependencies']);
        return variants
            .filter((one) => variant === undefined || one.name === variant)
            .flatMap((one) => one.dependsOn)
            .filter((one) => !Array.isArray(ignored) || !ignored.includes(one.name))
            .map((one) => {
            const always = variants.every(({ dependsOn }) => dependsOn.some((other) => other.name === one.name));
            const isSure = manifest !== undefined || always;
            return { from: name, to: one.name, at: { object, path: one.path }, isSure };
        });
    });
}
/** Within a variant the HelmReleases wait for each other. */
function ofComponents(objects, { contract }) {
    return ownSources(objects, contract).flatMap(({ object, name: source, variants }) => variants.map(({ name: variant, components }) => ({
        where: `Variant "${variant}" of PackageSource "${source}"`,
        edges: components.flatMap(({ name, install }) => (install?.dependsOn ?? []).map((one) => ({
            from: name,
            to: one.name,
            at: { object, path: one.path },
            isSure: true,
        }))),
    })));
}

;// CONCATENATED MODULE: ./src/rules/disabled-dependency/rule.ts




const rule_list = ['spec', 'components', 'platform', 'values', 'bundles', 'disabledPackages'];
/* harmony default export */ const disabled_dependency_rule = ({
    id: 'disabled-dependency',
    severity: 'error',
    summary: 'a Package or a component is disabled that others depend on, so those wait for it for ever',
    check(context) {
        for (const object of context.objects.filter(isPackage).filter(isApplied)) {
            if (isPlatform(object))
                judgePackages(object, context);
            judgeComponents(object, context);
        }
    },
});
function judgePackages(object, context) {
    const { contract, objects, snapshot, report } = context;
    const entries = lookUp(object.value, rule_list);
    for (const [index, name] of (Array.isArray(entries) ? entries : []).entries()) {
        if (typeof name !== 'string' || !contract.catalog.source(name))
            continue;
        // Whoever disables a Package to write it whole keeps it, and what the chart no longer emits stays where it is.
        if (packagesNamed(name, objects).length > 0 || (snapshot && Object.hasOwn(snapshot.packages, name)))
            continue;
        if (!isEmitted(name, context))
            continue;
        const waiting = contract.catalog.names().filter((other) => waitsFor(name, other, context));
        if (waiting.length === 0)
            continue;
        report({
            message: `Package "${name}" is disabled, but ${rule_listed(waiting, 'Package')} on it, so where it is not there yet ${waiting.length > 1 ? 'those are' : 'that is'} never installed or changed`,
            help: `disable ${waiting.length > 1 ? 'those' : 'that'} as well, or name "${name}" in spec.ignoreDependencies there`,
            at: { object, path: [...rule_list, index] },
            assumes: ['release', 'variant', 'packages'],
        });
    }
}
/** What the chart would not make anyway is not missing because of the entry. */
function isEmitted(name, { contract, facts }) {
    const emission = contract.catalog.emitted(name, String(facts.get('variant').value));
    return emission !== 'never' && emission !== 'unknown';
}
/** Whether the platform makes the other Package, in a variant that depends on the one. */
function waitsFor(name, other, context) {
    const { contract, facts, objects } = context;
    const chart = contract.catalog.platformVariant(String(facts.get('variant').value));
    const emitted = chart && Object.hasOwn(chart.packages, other) ? chart.packages[other] : undefined;
    const isThere = isMade(other, context) ?? (emitted !== undefined && !isDisabled(other, context));
    if (other === name || !isThere)
        return false;
    const variant = chartsVariant(other, context) ?? emitted?.variant ?? 'default';
    if (!contract.catalog.source(other)?.variant(variant)?.dependsOn.includes(name))
        return false;
    return !packagesNamed(other, objects).some(({ value }) => sources_texts(lookUp(value, ['spec', 'ignoreDependencies'])).includes(name));
}
function isDisabled(name, { objects }) {
    return objects.filter(isPlatform).some(({ value }) => sources_texts(lookUp(value, rule_list)).includes(name));
}
function judgeComponents(object, context) {
    const components = lookUp(object.value, ['spec', 'components']);
    const source = sourceOf(object.ref.name, context);
    if (!source || !isObject(components))
        return;
    const { variants, isGuess } = rule_variantsOf(object, source, context);
    const isOff = (name) => lookUp(components, [name, 'enabled']) === false;
    for (const name of Object.keys(components).filter(isOff)) {
        const having = variants.filter((variant) => variant.components.some((one) => one.name === name && one.install));
        const waiting = having.map((variant) => dependants(variant, name).filter((other) => !isOff(other)));
        const all = [...new Set(waiting.flat())];
        if (all.length === 0)
            continue;
        const assumes = [...(source.own ? [] : ['release']), ...(isGuess ? ['variant'] : [])];
        context.report({
            message: `Component "${name}" of Package "${object.ref.name}" is disabled, but ${rule_listed(all, 'component')} on it: it is uninstalled, and what depends on it is not changed any more`,
            help: `remove "enabled: false", or disable ${all.length > 1 ? 'those components' : 'that component'} as well`,
            at: { object, path: ['spec', 'components', name, 'enabled'] },
            assumes,
        });
    }
}
/** Of several, the one that the platform chart chooses in the variant that is assumed. */
function rule_variantsOf(object, source, context) {
    const variants = possibleVariants(object, source, context);
    if (variants.length < 2)
        return { variants, isGuess: false };
    const { packages = {} } = context.contract.catalog.platformVariant(String(context.facts.get('variant').value)) ?? {};
    const chosen = Object.hasOwn(packages, object.ref.name) ? packages[object.ref.name]?.variant : undefined;
    return { variants: variants.filter(({ name }) => name === (chosen ?? name)), isGuess: true };
}
function dependants({ components }, name) {
    return components.filter(({ install }) => install?.dependsOn.includes(name)).map((component) => component.name);
}
/** `component "a" depends`, `components "a" and "b" depend`, of many the first few. */
function rule_listed(names, noun) {
    const shown = names.slice(0, 3).map((name) => `"${name}"`);
    const more = names.length - shown.length;
    const parts = more > 0 ? [...shown, `${more} more`] : shown;
    if (parts.length < 2)
        return `${noun} ${parts[0]} depends`;
    return `${noun}s ${parts.slice(0, -1).join(', ')} and ${parts.at(-1)} depend`;
}

;// CONCATENATED MODULE: ./src/rules/dropped-labels/rule.ts


/* harmony default export */ const dropped_labels_rule = ({
    id: 'dropped-labels',
    severity: 'error',
    summary: 'one label that is no string makes Flux drop all labels of the object without a word',
    check({ objects, report }) {
        for (const object of objects) {
            const labels = lookUp(object.value, ['metadata', 'labels']);
            if (!isObject(labels))
                continue;
            const names = Object.keys(labels);
            for (const [name, value] of Object.entries(labels)) {
                if (typeof value === 'string')
                    continue;
                const isScalar = value !== null && typeof value !== 'object';
                const others = names.filter((other) => other !== name).map((other) => `"${other}"`);
                report({
                    message: `${object.ref.kind} "${object.ref.name}": ${spell(['metadata', 'labels', name])} is ${dropped_labels_rule_tell(value)}, not a string, so Flux drops every label of the object without a word${others.length > 0 ? `, ${others.slice(0, 3).join(', ')} included` : ''}`,
                    help: isScalar ? `quote it: "${value}"` : 'write a string',
                    at: { object, path: ['metadata', 'labels', name], part: 'value' },
                    ...(isScalar && { remedy: quoted({ object, path: ['metadata', 'labels', name] }, String(value)) }),
                });
            }
        }
    },
});
function dropped_labels_rule_tell(value) {
    if (value === null)
        return 'null';
    if (Array.isArray(value))
        return 'a list';
    return typeof value === 'object' ? 'a map' : `${value}`;
}

;// CONCATENATED MODULE: ./src/facts/lenient.ts
/** Texts in which kustomize takes a key twice without a word: kustomizations, patches, replacements (never manifests). */






/** A kustomization and what it patches with. */
function patchesOf(file, tree) {
    const text = tree.text(file);
    if (text === undefined || !isKustomizationFile(file))
        return [];
    const root = lenient_parse(text);
    if (!root)
        return [];
    const own = { file, text, root, what: 'kustomization', takes: 'last', outer: (offset) => offset, below: 1 };
    const inline = scalars(root, ['patches', 'patchesJson6902'], 'patch').concat(scalars(root, ['patchesStrategicMerge']));
    const named = scalars(root, ['patches', 'patchesJson6902'], 'path').concat(scalars(root, ['patchesStrategicMerge']));
    const patchFiles = named.map(({ value }) => (0,posix_.join)((0,posix_.dirname)(file), String(value)));
    const replacements = scalars(root, ['replacements'], 'path').map(({ value }) => (0,posix_.join)((0,posix_.dirname)(file), String(value)));
    return [
        own,
        ...inline.flatMap((scalar) => inside(file, text, 0, scalar)),
        ...patchFiles.flatMap((path) => whole(path, tree)),
        ...replacements.flatMap((path) => whole(path, tree).map((one) => ({ ...one, what: 'file', takes: 'last' }))),
    ];
}
/** The patches of the Flux Kustomization. */
function patchesOfFlux({ declaredAt }, tree) {
    const text = declaredAt?.path[0] === 'spec' ? tree.text(declaredAt.file) : undefined;
    const document = new Source(text ?? '').documents[declaredAt?.document ?? 0];
    const spec = document && lenient_parse(document.text)?.get('spec');
    if (!declaredAt || text === undefined || !document || !(0,dist/* isMap */.jh)(spec))
        return [];
    return scalars(spec, ['patches'], 'patch').flatMap((scalar) => inside(declaredAt.file, text, document.offset, scalar));
}
/** The scalars of the lists, or of the field of their items. */
function scalars(root, lists, field) {
    return lists.flatMap((list) => {
        const items = (0,dist/* isMap */.jh)(root) ? root.get(list) : undefined;
        return ((0,dist/* isSeq */.oP)(items) ? items.items : []).flatMap((item) => {
            const node = field === undefined ? item : (0,dist/* isMap */.jh)(item) ? item.get(field, true) : undefined;
            if (!(0,dist/* isScalar */.jn)(node) || !node.range || typeof node.value !== 'string')
                return [];
            return [{ value: node.value, start: node.range[0], end: node.range[1], style: node.type }];
        });
    });
}
/** `start` and `end` count from `from` on. */
function inside(file, text, from, { start, end, style }) {
    const inner = innerText(text.slice(from + start, from + end), style);
    return inner ? documentsOf(file, inner.text, (offset) => from + start + inner.outer(offset)) : [];
}
function whole(file, tree) {
    const text = tree.text(file);
    return text === undefined ? [] : documentsOf(file, text, (offset) => offset);
}
function documentsOf(file, text, outer) {
    return new Source(text).documents.flatMap((document) => {
        const root = lenient_parse(document.text);
        if (!root)
            return [];
        return [
            {
                file,
                text: document.text,
                root,
                what: 'patch',
                takes: (0,dist/* isMap */.jh)(root) ? 'first' : 'last',
                outer: (offset) => outer(document.offset + offset),
            },
        ];
    });
}
function lenient_parse(text) {
    if (depthExceeds(text, maxDepth))
        return undefined;
    const { contents } = (0,dist/* parseDocument */.Tp)(text, { uniqueKeys: false, strict: false, logLevel: 'silent' });
    return (0,dist/* isMap */.jh)(contents) || (0,dist/* isSeq */.oP)(contents) ? contents : undefined;
}

;// CONCATENATED MODULE: ./src/rules/duplicate-key/rule.ts




/** A key twice in a manifest is reported by the render stage, as the build is refused. */
/* harmony default export */ const duplicate_key_rule = ({
    id: 'duplicate-key',
    severity: 'error',
    summary: 'a key twice in one map: refused in a manifest, and in a patch one of the two is ignored without a word',
    check({ entrypoints, tree, report }) {
        const seen = new Set();
        for (const { ok, files, entrypoint } of entrypoints) {
            const patches = ok ? files.flatMap((file) => patchesOf(file, tree)) : [];
            for (const text of [...patches, ...(ok ? patchesOfFlux(entrypoint, tree) : [])]) {
                for (const { path, first, last, isSame } of repeated(text)) {
                    const key = `${text.file} ${last}`;
                    if (seen.has(key))
                        continue;
                    seen.add(key);
                    const at = (offset) => rule_place(tree, text, offset, String(path.at(-1)));
                    report({
                        message: `"${spell(path)}" stands twice in this ${text.what}: kustomize takes the ${text.takes} one and ignores the other without a word`,
                        help: 'remove one of the two',
                        at: at(last),
                        related: [
                            {
                                message: text.takes === 'last' ? 'the first one, which is ignored' : 'the first one, which counts',
                                at: at(first),
                            },
                        ],
                        entrypoint: entrypoint.path,
                        ...(isSame && { severity: 'notice' }),
                    });
                }
            }
        }
    },
});
function repeated({ text, root, outer, below = 0 }) {
    const found = [];
    const written = (value) => ((0,dist/* isNode */.Ll)(value) && value.range ? text.slice(value.range[0], value.range[1]) : '');
    const visit = (node, path) => {
        if ((0,dist/* isSeq */.oP)(node))
            for (const [index, item] of node.items.entries())
                visit(item, [...path, index]);
        if (!(0,dist/* isMap */.jh)(node))
            return;
        const known = new Map();
        for (const { key, value } of node.items) {
            if (!(0,dist/* isScalar */.jn)(key) || !key.range)
                continue;
            const name = String(key.value);
            const at = outer(key.range[0]);
            const first = known.get(name);
            if (!first)
                known.set(name, { at, value: written(value) });
            else if (path.length >= below && name !== '<<')
                found.push({ path: [...path, name], first: first.at, last: at, isSame: first.value === written(value) });
            visit(value, [...path, name]);
        }
    };
    visit(root, []);
    return found;
}
function rule_place(tree, { file }, offset, key) {
    return { file, range: new Source(tree.text(file) ?? '').firstLine(offset, offset + key.length) };
}

;// CONCATENATED MODULE: ./src/contract/duplicates.ts



/** In all but the metadata and the status. */
function duplicatesIn({ metadata, status, ...value }, known) {
    return [...below(value, known.schema, known, [])];
}
function* below(value, schema, known, path) {
    const node = resolve(schema, known.root);
    if (path.length > 100)
        return;
    if (Array.isArray(value)) {
        const item = resolve(node.items ?? {}, known.root);
        const seen = new Map();
        for (const [index, entry] of value.entries()) {
            const key = duplicates_keyOf(entry, node, item);
            const first = key === undefined ? undefined : seen.get(key);
            if (key !== undefined && first !== undefined)
                yield { first: [...path, first], path: [...path, index], key };
            else if (key !== undefined)
                seen.set(key, index);
            yield* below(entry, item, known, [...path, index]);
        }
    }
    else if (isObject(value)) {
        for (const [name, inner] of Object.entries(value)) {
            const child = childOf(node, name);
            if (child)
                yield* below(inner, child, known, [...path, name]);
        }
    }
}
/** Undefined where items have none, and where a part of it is not known. */
function duplicates_keyOf(entry, list, item) {
    const keys = list['x-kubernetes-list-map-keys'] ?? [];
    const type = list['x-kubernetes-list-type'];
    if (type === 'set')
        return duplicates_isSettled(entry) ? `the value ${JSON.stringify(entry)}` : undefined;
    return type === 'map' && keys.length > 0 && isObject(entry) ? keyOfMap(entry, keys, item) : undefined;
}
/** What Kubernetes takes for a port where it is left out; its published schemas do not say so. */
const implied = { protocol: 'TCP' };
/** Defaults count. */
function keyOfMap(item, keys, schema) {
    const parts = keys.map((key) => {
        const value = item[key] ?? childOf(schema, key)?.default ?? implied[key];
        return duplicates_isSettled(value) ? `${key} ${JSON.stringify(value)}` : undefined;
    });
    return parts.includes(undefined) ? undefined : parts.join(' and ');
}
function duplicates_isSettled(value) {
    return value !== undefined && isScalar(value) && !(typeof value === 'string' && isUnresolved(value));
}

;// CONCATENATED MODULE: ./src/rules/duplicate-list-key/rule.ts



/* harmony default export */ const duplicate_list_key_rule = ({
    id: 'duplicate-list-key',
    severity: 'error',
    summary: 'two items of a list have the same key, so the object is refused and nothing at all is applied',
    check({ entrypoints, contract, permissions, report }) {
        for (const rendered of entrypoints) {
            for (const object of rendered.ok ? rendered.objects.filter(isApplied) : []) {
                const { apiVersion, kind, name } = object.ref;
                const schema = contract.schemas.find(apiVersion, kind);
                if (!rendered.ok || !schema.known)
                    continue;
                for (const { first, path, key } of duplicatesIn(object.value, schema)) {
                    report({
                        message: `${kind} "${name}" has two items in ${spell(path.slice(0, -1))} with ${key}, so it is refused and Flux applies ${appliedBefore(object.ref, rendered, permissions)}`,
                        help: 'keep one of them',
                        at: { object, path },
                        related: [{ message: 'the first one', at: { object, path: first } }],
                        ...(!schema.builtIn && { assumes: ['release'] }),
                    });
                }
            }
        }
    },
});

;// CONCATENATED MODULE: ./src/rules/duplicate-object/rule.ts




/**
 * Two that kustomize takes for the same are reported by the render stage, as the build is refused. To it the version is part of
 * the identity, and the namespace of a kind that is in none.
 */
/* harmony default export */ const duplicate_object_rule = ({
    id: 'duplicate-object',
    severity: 'error',
    summary: 'one object twice: kustomize refuses it, or they overwrite each other at every reconcile',
    check({ entrypoints, contract, report }) {
        for (const rendered of entrypoints) {
            if (!rendered.ok)
                continue;
            const known = new Map();
            const sent = (object) => asSent(object, rendered.entrypoint, contract.schemas);
            for (const object of rendered.objects.filter((one) => isApplied(one) && isServed(one))) {
                const id = inventoryId(object.ref);
                const first = known.get(id);
                if (!first)
                    known.set(id, object);
                else if (!(0,external_node_util_.isDeepStrictEqual)(sent(first), sent(object)))
                    reportPair(first, object);
            }
        }
        /** One that is not is refused, and a finding of another rule. */
        function isServed({ ref }) {
            const schema = contract.schemas.find(ref.apiVersion, ref.kind);
            return schema.known || schema.why !== 'unserved-version';
        }
        function reportPair(first, second) {
            const isVersion = first.ref.apiVersion !== second.ref.apiVersion;
            // The fields of each version have an owner of their own, so only what both set changes.
            const why = isVersion
                ? 'in two versions, which are one object to the API server, so what both set changes at every reconcile'
                : 'with different namespaces, which mean nothing to this kind, so each takes away what the other sets at every reconcile';
            report({
                message: `${second.ref.kind} "${second.ref.name}" is rendered twice, ${why}`,
                help: 'make one of the two',
                at: { object: second, path: ['metadata', 'name'] },
                related: [{ message: 'the first one', at: { object: first, path: ['metadata', 'name'] } }],
                ...(isVersion && { severity: 'warning' }),
            });
        }
    },
});

;// CONCATENATED MODULE: ./src/rules/encrypted-without-decryption/rule.ts



/* harmony default export */ const encrypted_without_decryption_rule = ({
    id: 'encrypted-without-decryption',
    severity: 'error',
    summary: 'a manifest is encrypted with SOPS, but nothing decrypts it: it is refused, or the ciphertext is applied',
    check(context) {
        const { entrypoints, permissions, contract, report, notChecked } = context;
        for (const rendered of entrypoints) {
            const { entrypoint } = rendered;
            const encrypted = rendered.ok ? rendered.objects.filter(isApplied).filter(rule_isEncrypted) : [];
            if (!rendered.ok || encrypted.length === 0)
                continue;
            const decrypts = isDecrypted(entrypoint, context);
            if (decrypts === undefined)
                notChecked('encrypted objects', 'it is not known whether Flux decrypts them', encrypted.length);
            if (decrypts !== false)
                continue;
            for (const object of encrypted) {
                const { kind, apiVersion, name } = object.ref;
                const schema = contract.schemas.find(apiVersion, kind);
                const path = encryptedAt(object.value);
                const isRefused = isSecret(object)
                    ? path[0] === 'data' && lookUp(object.value, ['sops']) !== undefined
                    : !(schema.known && schema.unknownFields === 'dropped');
                report({
                    message: isRefused
                        ? `${kind} "${name}" is encrypted and nothing decrypts it, so it is refused and Flux applies ${appliedBefore(object.ref, rendered, permissions)}`
                        : `${kind} "${name}" is encrypted and nothing decrypts it, so the ciphertext is applied as it stands, and Flux says Ready`,
                    help: rule_helpFor(entrypoint),
                    at: { object, path },
                });
            }
        }
    },
});
/** By its own Flux Kustomization, or, of the customizer's, by what is known of the cluster. */
function isDecrypted(entrypoint, { entrypoints, facts, permissions, tree }) {
    const { name, namespace } = entrypoint.kustomization;
    if (name === undefined)
        return permissions.isCustomizer(entrypoint) ? Boolean(facts.get('decryption').value) : undefined;
    const rendered = entrypoints
        .flatMap((one) => (one.ok ? one.objects : []))
        .find(({ ref }) => ref.kind === 'Kustomization' &&
        ref.apiVersion.startsWith('kustomize.toolkit.fluxcd.io/') &&
        ref.name === name &&
        ref.namespace === namespace);
    const value = rendered?.value ?? declaredOne(entrypoint, tree)?.value;
    return value && lookUp(value, ['spec', 'decryption']) !== undefined;
}
function rule_helpFor({ kustomization: { name } }) {
    return name === undefined
        ? 'have the customizer decrypt it (customizer.kustomization.decryption of the platform; cluster.decryption says so here), or keep it out of git'
        : `set spec.decryption of Flux Kustomization "${name}", or keep it out of git`;
}
/** SOPS leaves its own key at the root; in a generated Secret a whole file may be encrypted. */
function rule_isEncrypted(object) {
    return isObject(lookUp(object.value, ['sops'])) || (isSecret(object) && hiddenIn(object.value) !== undefined);
}
function isSecret({ ref }) {
    return ref.kind === 'Secret' && ref.apiVersion === 'v1';
}
function encryptedAt(value) {
    return (firstCipher(lookUp(value, ['data']) ?? null, ['data']) ?? hiddenIn(value) ?? firstCipher(value, []) ?? ['sops']);
}
/** A value of `data` that is a file encrypted with SOPS. */
function hiddenIn(value) {
    const data = lookUp(value, ['data']);
    const keys = isObject(data) ? Object.keys(data) : [];
    const found = keys.find((key) => {
        const text = Buffer.from(String(data[key]), 'base64').toString('latin1');
        return text.includes('ENC[AES256_GCM,') && text.includes('sops');
    });
    return found === undefined ? undefined : ['data', found];
}
function firstCipher(value, path) {
    if (typeof value === 'string')
        return value.startsWith('ENC[AES256_GCM,') ? path : undefined;
    if (value === null || typeof value !== 'object')
        return undefined;
    for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
        if (path.length === 0 && key === 'sops')
            continue;
        const found = firstCipher(value[key], [...path, key]);
        if (found)
            return found;
    }
    return undefined;
}

;// CONCATENATED MODULE: ./src/rules/expired-ignore/rule.ts
/** Reported where ignores are applied. */
/* harmony default export */ const expired_ignore_rule = ({
    id: 'expired-ignore',
    severity: 'warning',
    summary: 'an ignore was agreed until a day that has passed, so it does not count any more',
});

;// CONCATENATED MODULE: ./src/facts/enabling.ts


const values = ['spec', 'components', 'platform', 'values'];
const ownedNamespacesPath = [...values, 'customizer', 'rbac', 'ownedNamespaces'];
const enabledPackagesPath = [...values, 'bundles', 'enabledPackages'];
/** `otherwise` is what holds where the platform's Package says nothing of it. */
function newIn(list, after, before, otherwise = []) {
    const listed = entriesOf(list, before);
    const old = new Set(listed?.map(({ name }) => name) ?? otherwise);
    return (entriesOf(list, after) ?? []).filter(({ name }) => !old.has(name));
}
/** The namespaces that are owned while the change is applied: what it lists itself comes after that. */
function ownedWhenApplied({ facts, contract, base }) {
    const { source, value } = facts.get('ownedNamespaces');
    if (source !== 'manifest' || !base)
        return value;
    return entriesOf(ownedNamespacesPath, base.objects)?.map(({ name }) => name) ?? [...contract.rbac.ownedNamespaces];
}
function entriesOf(list, objects) {
    for (const object of objects) {
        if (!isPlatform(object))
            continue;
        const names = lookUp(object.value, list);
        if (!Array.isArray(names))
            continue;
        return names.flatMap((name, index) => (typeof name === 'string' ? [{ name, object, path: [...list, index] }] : []));
    }
    return undefined;
}

;// CONCATENATED MODULE: ./src/rules/forbidden-object/rule.ts




/* harmony default export */ const forbidden_object_rule = ({
    id: 'forbidden-object',
    severity: 'error',
    summary: 'the account that applies the repository may not write an object, so nothing at all is applied',
    check({ entrypoints, base, contract, facts, permissions, report, notChecked }) {
        const known = new Set(base?.objects.map(({ ref }) => inventoryId(ref)));
        for (const rendered of entrypoints) {
            if (rendered.ok)
                for (const object of rendered.objects)
                    if (isApplied(object))
                        judge(object, rendered);
        }
        function judge(object, rendered) {
            const { ref } = object;
            // Without a namespace it is refused whatever the rights.
            if (permissions.resourceOf(ref)?.namespaced && ref.namespace === undefined)
                return;
            const patch = permissions.access(rendered.entrypoint, 'patch', ref);
            if (patch.allowed === 'unknown')
                notChecked(`rights of ${permissions.accountName(rendered.entrypoint)}`, patch.why);
            if (patch.allowed === false && !isOnlyEnabled(ref, rendered))
                refuse(object, rendered, patch.missing);
            // A Package that is not there has a rule of its own.
            if (patch.allowed !== true || !base || known.has(inventoryId(ref)) || ref.kind === 'Package')
                return;
            const create = permissions.access(rendered.entrypoint, 'create', ref);
            if (create.allowed === false)
                refuse(object, rendered, create.missing);
        }
        /** What the change itself lets the account do has a rule of its own. */
        function isOnlyEnabled({ kind, name, namespace }, { entrypoint, objects }) {
            if (!base || !permissions.isCustomizer(entrypoint))
                return false;
            const enabled = newIn(ownedNamespacesPath, objects, base.objects, contract.rbac.ownedNamespaces);
            return enabled.some((entry) => entry.name === (kind === 'Namespace' ? name : namespace));
        }
        function refuse(object, rendered, missing) {
            const { ref } = object;
            const account = permissions.accountName(rendered.entrypoint);
            const unless = missing.verb === 'create' ? ' unless it is there already' : '';
            report({
                message: `${ref.kind} "${ref.name}": ${account} may not ${rightIn(missing)}, so Flux applies ${appliedBefore(ref, rendered, permissions)}${unless}`,
                help: permissions.isCustomizer(rendered.entrypoint)
                    ? insteadFor(missing)
                    : `give ${account} a role that allows it, or take the object out of what it applies`,
                at: { object, path: fieldAtFault(object, rendered, missing) },
                ...(unless && { severity: 'warning' }),
            });
        }
        function insteadFor(missing) {
            const row = insteadOf(contract.rbac, missing);
            if (!row || row.resourceNames || row.namespaces)
                return row?.instead ?? 'take the object out';
            const claim = claimAbout(contract.rbac, missing);
            const mayBeOwned = missing.namespace !== undefined && facts.get('ownedNamespaces').source === 'contract';
            return [
                row.instead,
                ...(mayBeOwned ? [`if it is owned, say so in cluster.ownedNamespaces of the configuration`] : []),
                ...(claim ? [`the documentation says that ${claim.says}, but ${claim.fact}`] : []),
            ].join('; ');
        }
        /** What a person would edit: the namespace where that makes the difference, else the kind, or the name of what is nobody's. */
        function fieldAtFault({ ref }, { entrypoint, objects }, missing) {
            if (ref.kind === 'Namespace' || insteadOf(contract.rbac, missing)?.resourceNames)
                return ['metadata', 'name'];
            if (missing.namespace === undefined)
                return ['kind'];
            const neighbours = objects.filter((other) => other.ref.namespace === missing.namespace);
            const mayOther = neighbours.some((other) => permissions.access(entrypoint, 'patch', other.ref).allowed === true);
            return mayOther ? ['kind'] : ['metadata', 'namespace'];
        }
    },
});
function rightIn({ verb, group, resource, namespace }) {
    if (group === '' && resource === 'namespaces')
        return `${verb} that namespace`;
    const what = resource || `anything of ${group}`;
    return `${verb} ${what} in ${namespace === undefined ? 'the whole cluster' : `namespace "${namespace}"`}`;
}

;// CONCATENATED MODULE: ./src/rules/forced-recreate/rule.ts


/** What goes with an object of that kind. */
const takesAlong = {
    CustomResourceDefinition: 'every object of its kind',
    HelmRelease: 'all that the release has installed',
    Kustomization: 'all that it has applied',
    Namespace: 'everything in it',
    Package: 'all that it has installed',
    PackageSource: 'the charts of its Packages',
    PersistentVolume: 'perhaps the data on it',
    PersistentVolumeClaim: 'perhaps the data on its volume',
};
/** What somebody may have meant by it. */
const meant = {
    HelmRelease: '; to force an upgrade of the release, set spec.upgrade.force',
    Kustomization: '; to force what it applies, set spec.force',
};
/* harmony default export */ const forced_recreate_rule = ({
    id: 'forced-recreate',
    severity: 'error',
    summary: 'Flux deletes an object and makes it anew where the API server refuses a change, even over a misspelt value',
    check({ objects, report }) {
        for (const object of objects) {
            const { kind, name } = object.ref;
            const [setting] = settingIn(object.value, 'force').filter(({ value }) => value.toLowerCase() === 'enabled');
            // A Job cannot be changed, and is what this is for.
            if (!setting || !isSetTo(object.value, 'force', 'enabled') || kind === 'Job')
                continue;
            const along = Object.hasOwn(takesAlong, kind) ? takesAlong[kind] : undefined;
            report({
                message: `${kind} "${name}": the first change that the API server refuses deletes the object${along ? `, and with it ${along}` : ''}`,
                help: `remove it, and set it for the one change that needs it${Object.hasOwn(meant, kind) ? meant[kind] : ''}`,
                at: { object, path: setting.path, part: 'key' },
                remedy: removed({ object, path: setting.path }, false),
                ...(!along && { severity: 'warning' }),
            });
        }
    },
});

;// CONCATENATED MODULE: ./src/rules/foreign-install-namespace/rule.ts

/** Kubernetes' own, in every cluster. */
const kubernetes = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];
/* harmony default export */ const foreign_install_namespace_rule = ({
    id: 'foreign-install-namespace',
    severity: 'error',
    summary: 'a PackageSource installs into a namespace of somebody else, which Cozystack then labels as the platform’s',
    check(context) {
        const { objects, contract, facts, report } = context;
        const owned = facts.get('ownedNamespaces').value;
        const platform = namespacesOf(context);
        for (const { object, name, variants } of ownSources(objects, contract)) {
            for (const { name: component, path, install } of variants.flatMap(({ components }) => components)) {
                const namespace = install?.namespace;
                if (!install || namespace === undefined || owned.includes(namespace))
                    continue;
                const who = `Component "${component}" of PackageSource "${name}" installs into "${namespace}"`;
                const at = { object, path: [...path, 'install', 'namespace'] };
                const help = 'give it a namespace of its own; Cozystack makes it';
                const labels = install.privileged
                    ? 'labels it as a namespace of the platform, opens it to privileged pods'
                    : 'labels it as a namespace of the platform';
                if (kubernetes.includes(namespace)) {
                    report({
                        message: `${who}, which is Kubernetes’ own: Cozystack ${labels} and puts the cluster’s values into it as a Secret`,
                        help,
                        at,
                    });
                }
                else if (namespace.startsWith('tenant-')) {
                    const opened = install.privileged ? 'and opens it to privileged pods, though' : 'so';
                    report({
                        message: `${who}, the namespace of a tenant, ${opened} what is installed is in the hands of that tenant`,
                        help,
                        at,
                        ...(!install.privileged && { severity: 'warning' }),
                    });
                }
                else if (install.privileged && platform.get(namespace) === false) {
                    report({
                        message: `${who}, where packages of the platform are that need no privileges, and opens it to privileged pods`,
                        help,
                        at,
                        severity: 'warning',
                        assumes: ['release'],
                    });
                }
            }
        }
    },
});
/** Those that packages of the release install into, and whether one of them is privileged there. */
function namespacesOf({ contract: { catalog } }) {
    const found = new Map();
    const variants = catalog.names().flatMap((name) => catalog.source(name)?.variants ?? []);
    for (const { install } of variants.flatMap(({ components }) => components)) {
        if (install)
            found.set(install.namespace, install.privileged || found.get(install.namespace) === true);
    }
    return found;
}

;// CONCATENATED MODULE: ./src/facts/generated.ts
/** Folders without a kustomization: Flux makes one that lists every YAML file below, hidden ones too (flux.md §1.3). */


/** Whether Flux makes the kustomization, as it sees none in the folder. */
function isGenerated({ entrypoint: { path }, lost }, tree) {
    return !kustomizationsIn(path).some((file) => tree.has(file) && !lost.some((one) => one.path === file));
}
/** Whether Flux lists the file: below the folder, and not in one further down that has a kustomization of its own. */
function generated_isListed(file, { entrypoint: { path } }, tree) {
    if (!/\.ya?ml$/.test(file) || !isBelow(file, path))
        return false;
    for (let folder = (0,posix_.dirname)(file); folder !== path && folder !== '.'; folder = (0,posix_.dirname)(folder)) {
        if (kustomizationsIn(folder).some(tree.has))
            return false;
    }
    return true;
}
function isBelow(file, folder) {
    return folder === '.' || file.startsWith(`${folder}/`);
}

;// CONCATENATED MODULE: ./src/facts/manifests.ts
/** Whether a file that nothing renders holds an object, told from its text: an untrusted file is not taken apart for it. */


/** The name of the first object in the file; undefined where there is none. */
function firstObjectIn(file, tree) {
    for (const [document, { text }] of new Source(tree.text(file) ?? '').documents.entries()) {
        if (!/^["']?kind["']?\s*:/m.test(text) || /^apiVersion:\s*["']?kustomize\.config\.k8s\.io\//m.test(text))
            continue;
        const syntax = parseSyntax(text);
        const paths = [['apiVersion'], ['kind'], ['metadata', 'name']];
        if (paths.every((path) => syntax?.find(path)?.scalar))
            return { file, document, path: ['metadata', 'name'] };
    }
    return undefined;
}

;// CONCATENATED MODULE: ./src/rules/ignored-file/rule.ts





/** What a kustomization names and Flux does not have is reported by the render stage, as the build is refused. */
/* harmony default export */ const ignored_file_rule = ({
    id: 'ignored-file',
    severity: 'error',
    summary: 'a file that Flux does not get: .sourceignore or a default of Flux leaves it out, or a submodule or LFS has it',
    check(context) {
        const { entrypoints, tree, report } = context;
        for (const rendered of entrypoints) {
            if (!rendered.ok)
                continue;
            const entrypoint = rendered.entrypoint.path;
            for (const file of rendered.files.filter((one) => isPointer(tree.text(one)))) {
                report({ ...explainPointer(file), severity: 'warning', at: { file }, entrypoint });
            }
            reportComponents(rendered, context);
            if (isGenerated(rendered, tree))
                reportUnlisted(rendered, context);
        }
    },
});
/** Components of the Flux Kustomization that may be missing are passed over in silence. */
function reportComponents({ entrypoint, lost }, { tree, report }) {
    const { path, declaredAt, kustomization } = entrypoint;
    if (!kustomization.ignoreMissingComponents || !declaredAt)
        return;
    for (const [index, component] of (kustomization.components ?? []).entries()) {
        const folder = (0,posix_.join)(path, component);
        const one = lostAt(lost, kustomizationsIn(folder));
        if (!one)
            continue;
        const { message, help } = explainLost(one, tree);
        const at = { ...declaredAt, path: ['spec', 'components', index] };
        report({
            message: `${message}, so the component is left out as well`,
            ...(help && { help }),
            at,
            entrypoint: path,
        });
    }
}
/** Without a kustomization in the folder, what Flux does not see is just not there. */
function reportUnlisted(rendered, { tree, report }) {
    const { entrypoint, lost } = rendered;
    const ignored = lost.filter(({ because, path }) => because === 'ignored' && isBelow(path, entrypoint.path));
    const unseen = ignored.find(({ path }) => kustomizationsIn(entrypoint.path).includes(path));
    if (unseen) {
        const { message, help, related } = explainLost(unseen, tree);
        report({
            message: `${message}, so Flux takes every YAML file of the folder for a manifest`,
            ...(help && { help }),
            at: { file: unseen.path },
            ...(related && { related }),
            entrypoint: entrypoint.path,
        });
        return;
    }
    const manifests = ignored.filter(({ path, from }) => from !== undefined && generated_isListed(path, rendered, tree) && !isKustomizationFile(path) && firstObjectIn(path, tree));
    const keyOf = ({ from, pattern }) => `${from}\n${pattern}`;
    for (const key of new Set(manifests.map(keyOf))) {
        const group = manifests.filter((one) => keyOf(one) === key);
        reportPattern(group, rendered, tree, report);
    }
}
/** Somebody may well have meant it, so it is said once for a pattern. */
function reportPattern(group, { entrypoint }, tree, report) {
    const [first] = group;
    const at = first && patternAt(first, tree);
    if (!first || !at)
        return;
    const files = group.slice(0, 3).map(({ path }) => `"${path}"`);
    const more = group.length > 3 ? ` and ${group.length - 3} more` : '';
    report({
        message: `The pattern "${first.pattern?.trim()}" keeps manifests from Flux that it would apply from "${entrypoint.path}": ${files.join(', ')}${more}`,
        help: 'narrow the pattern if they are to be applied',
        severity: 'notice',
        at,
        entrypoint: entrypoint.path,
    });
}

;// CONCATENATED MODULE: ./src/rules/ineffective-bundle-entry/rule.ts







const bundles = ['spec', 'components', 'platform', 'values', 'bundles'];
/* harmony default export */ const ineffective_bundle_entry_rule = ({
    id: 'ineffective-bundle-entry',
    severity: 'warning',
    summary: 'an entry of enabledPackages or disabledPackages that the platform chart ignores',
    check(context) {
        for (const object of context.objects.filter(isPlatform).filter(isApplied)) {
            for (const list of ['enabledPackages', 'disabledPackages'])
                ineffective_bundle_entry_rule_judge(list, object, context);
        }
    },
});
function ineffective_bundle_entry_rule_judge(list, object, context) {
    const disabled = sources_texts(lookUp(object.value, [...bundles, 'disabledPackages']));
    const written = lookUp(object.value, [...bundles, list]);
    for (const [index, name] of (Array.isArray(written) ? written : []).entries()) {
        if (typeof name !== 'string' || name.includes('${'))
            continue;
        const isBoth = list === 'enabledPackages' && disabled.includes(name);
        const found = isBoth
            ? { why: 'which is in bundles.disabledPackages as well, and that counts', help: 'remove it from one of the two' }
            : (unknown(name, context) ?? (list === 'enabledPackages' ? notOptional : notMade)(name, context));
        if (!found)
            continue;
        const { why, instead, ...said } = found;
        const at = { object, path: [...bundles, list, index] };
        const isThere = instead !== undefined && sources_texts(written).includes(instead);
        // It would come to install something, or to take it away.
        const remedy = instead && !isThere ? { ...rewritten(at, instead), safe: false } : removed(at, true);
        const other = { object, path: [...bundles, 'disabledPackages', disabled.indexOf(name)] };
        context.report({
            ...said,
            message: `bundles.${list} of Package "${object.ref.name}" has "${name}", ${why}, so the entry does nothing`,
            at,
            remedy,
            ...(isBoth && { related: [{ message: 'disabled here', at: other }] }),
        });
    }
}
function unknown(name, { contract: { catalog, release } }) {
    // The customizer is documented, but its Package is in no release so far.
    if (catalog.source(name) || name === customizerName)
        return undefined;
    const releases = catalog.releasesWith(name);
    if (releases.length > 0)
        return {
            why: `which is not part of release ${release}`,
            help: `it is in ${releases.join(', ')}`,
            assumes: ['release'],
        };
    const owner = catalog.sourceWithComponent(name.replace(/^cozystack\./, ''));
    const spelt = nearest(name, catalog.names());
    const meant = spelt ?? owner;
    return {
        ...(spelt && { instead: spelt }),
        why: 'which is no Package of the platform',
        help: meant ? `did you mean "${meant}"?` : 'correct the name; Packages of your own are switched by their manifests',
    };
}
/** Listed, but made without that, or not made at all. */
function notOptional(name, context) {
    const { facts, contract } = context;
    const { catalog } = contract;
    const variant = String(facts.get('variant').value);
    const chart = catalog.platformVariant(variant);
    // Without bundles, which of them are switched on is not known.
    if (!chart || variant === 'default' || Object.hasOwn(chart.optional, name))
        return undefined;
    const assumes = ['variant', 'release'];
    const emission = catalog.emitted(name, variant);
    // A bundle that is switched off takes its Packages along.
    if (emission === 'unknown' || (emission === 'always' && isMade(name, context) === false))
        return undefined;
    if (emission === 'always')
        return { why: 'which is there anyway', help: 'remove it', severity: 'notice', assumes };
    const by = catalog.enabledBy(name, variant);
    if (by.length > 0)
        return {
            why: `which comes with "${by.join('" or "')}"`,
            help: `list "${by[0]}" instead`,
            assumes,
            ...(by.length === 1 && by[0] !== undefined && { instead: by[0] }),
        };
    if (typeof emission === 'object')
        return {
            why: `which the platform makes only with ${emission.switch.replace('=', ': ')}`,
            help: `set that in spec.components.platform.values of Package "${platformName}"`,
            assumes,
        };
    return {
        why: `which the platform never makes in variant ${variant}`,
        help: 'have an administrator create the Package',
        assumes,
    };
}
function notMade(name, { contract: { catalog }, facts }) {
    const variant = String(facts.get('variant').value);
    if (name === platformName)
        return { why: 'which the platform chart is part of itself', help: 'remove it' };
    if (variant === 'default' || catalog.emitted(name, variant) !== 'never')
        return undefined;
    return {
        why: `which the platform never makes in variant ${variant}`,
        help: 'remove it',
        severity: 'notice',
        assumes: ['variant', 'release'],
    };
}

;// CONCATENATED MODULE: ./src/rules/ineffective-health-check/rule.ts


const checks = ['spec', 'healthChecks'];
const exprs = ['spec', 'healthCheckExprs'];
const timeout = ['spec', 'timeout'];
/* harmony default export */ const ineffective_health_check_rule = ({
    id: 'ineffective-health-check',
    severity: 'warning',
    summary: 'a Flux Kustomization sets up health checks that Flux does not make',
    check({ entrypoints, tree, report }) {
        for (const one of fluxObjects(entrypoints, tree).filter(({ kind }) => kind === 'Kustomization')) {
            const [listed, expressions] = [itemsAt(one.value, checks), itemsAt(one.value, exprs)];
            const waits = lookUp(one.value, ['spec', 'wait']) === true;
            if (waits && listed.length > 0)
                passedOver(one, listed);
            else
                for (const { path } of listed.filter(({ item }) => isItself(item, one)))
                    itself(one, path);
            if (expressions.length > 0 && !waits && listed.length === 0) {
                report({
                    message: `${labelOf(one)} has healthCheckExprs, which Flux evaluates only where spec.wait is true or healthChecks lists something`,
                    help: 'set spec.wait to true, or list in spec.healthChecks what they are for',
                    at: rule_keyOf(one.at(exprs)),
                });
            }
            for (const { item, path } of waits || listed.length === 0 ? [] : expressions) {
                if (listed.some((other) => groupKind(other.item) === groupKind(item)))
                    continue;
                report({
                    message: `${labelOf(one)} has an expression for the health of ${textAt(item, ['kind'])}, of which healthChecks lists none, so Flux never evaluates it`,
                    help: 'list in spec.healthChecks what it is for, or set spec.wait to true instead',
                    at: one.at([...path, 'kind']),
                });
            }
            const limit = secondsOf(textAt(one.value, timeout));
            if ((waits || listed.length > 0) && limit !== undefined && limit < 30) {
                report({
                    severity: 'notice',
                    message: `${labelOf(one)} limits its health checks to ${textAt(one.value, timeout)}, but Flux gives them 30s at least`,
                    help: 'set spec.timeout to 30s or more',
                    at: one.at(timeout),
                });
            }
        }
        function passedOver(one, listed) {
            const applied = appliedBy(one, entrypoints);
            const missed = applied && listed.find(({ item }) => !applied.has(idOf(item)));
            const name = missed && `${textAt(missed.item, ['kind'])} "${textAt(missed.item, ['name'])}"`;
            report({
                ...(applied && !missed && { severity: 'notice' }),
                message: missed
                    ? `${labelOf(one)} does not wait for ${name}, as healthChecks counts for nothing where spec.wait is true`
                    : `${labelOf(one)} lists healthChecks, which count for nothing as spec.wait is true`,
                help: missed
                    ? 'take spec.wait out and list all that matters; it waits for nothing but what the Flux Kustomization itself applies'
                    : `take healthChecks out: spec.wait waits for all that it applies${applied ? '' : '; take that out instead where something else matters'}`,
                at: missed ? one.at([...missed.path, 'name']) : rule_keyOf(one.at(checks)),
                related: [{ message: 'it waits for what it applies', at: one.at(['spec', 'wait']) }],
            });
        }
        function itself(one, path) {
            report({
                message: `${labelOf(one)} is to wait for its own health, which Flux leaves out`,
                help: 'list what it applies, or set spec.wait to true',
                at: one.at([...path, 'name']),
            });
        }
    },
});
function itemsAt(value, path) {
    const list = lookUp(value, path);
    return (Array.isArray(list) ? list : []).flatMap((item, index) => isObject(item) ? [{ item, path: [...path, index] }] : []);
}
/** What it applies, by inventory; undefined where that is not rendered here. */
function appliedBy({ id }, entrypoints) {
    const own = entrypoints.find(({ entrypoint: { kustomization: of } }) => `${of.namespace}/${of.name}` === id);
    return own?.ok ? new Set(own.objects.map(({ ref }) => inventoryId(ref))) : undefined;
}
function idOf(item) {
    const namespace = textAt(item, ['namespace']);
    return inventoryId({
        apiVersion: textAt(item, ['apiVersion']) ?? '',
        kind: textAt(item, ['kind']) ?? '',
        name: textAt(item, ['name']) ?? '',
        ...(namespace !== undefined && { namespace }),
    });
}
function isItself(item, { id }) {
    return (textAt(item, ['kind']) === 'Kustomization' && `${textAt(item, ['namespace'])}/${textAt(item, ['name'])}` === id);
}
function groupKind(item) {
    return `${groupOf(textAt(item, ['apiVersion']) ?? '')}/${textAt(item, ['kind'])}`;
}
const units = { ms: 0.001, s: 1, m: 60, h: 3600 };
/** Undefined for what is no duration, or not here. */
function secondsOf(text) {
    if (text === undefined || !/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text))
        return undefined;
    const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
    return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ''] ?? 0), 0);
}
function rule_keyOf(place) {
    return 'path' in place && !('removedBy' in place) ? { ...place, part: 'key' } : place;
}

;// CONCATENATED MODULE: ./src/rules/ineffective-ignored-dependency/rule.ts






const field = ['spec', 'ignoreDependencies'];
/* harmony default export */ const ineffective_ignored_dependency_rule = ({
    id: 'ineffective-ignored-dependency',
    severity: 'warning',
    summary: 'a Package ignores a dependency that it does not have, so it still waits for the one that was meant',
    check(context) {
        for (const object of context.objects.filter(isPackage).filter(isApplied))
            ineffective_ignored_dependency_rule_judge(object, context);
    },
});
function ineffective_ignored_dependency_rule_judge(object, context) {
    const written = lookUp(object.value, field);
    const source = sourceOf(object.ref.name, context);
    if (!Array.isArray(written) || !source)
        return;
    const variants = possibleVariants(object, source, context);
    // A variant that is not there has been reported.
    if (variants.length === 0)
        return;
    const known = [...new Set(variants.flatMap(({ dependsOn }) => dependsOn))];
    for (const [index, name] of written.entries()) {
        if (typeof name !== 'string' || name.includes('${') || known.includes(name))
            continue;
        const meant = nearest(name, known);
        const remedy = (at) => meant && !written.includes(meant) ? rewritten(at, meant) : removed(at, true);
        const dependsOn = known.map((one) => `"${one}"`).join(', ');
        context.report({
            message: `Package "${object.ref.name}" ignores dependency "${name}", which it does not have, so the entry does nothing`,
            help: meant ? `did you mean "${meant}"?` : known.length > 0 ? `it depends on ${dependsOn}` : 'remove it',
            at: { object, path: [...field, index] },
            remedy: remedy({ object, path: [...field, index] }),
            assumes: source.own ? [] : ['release'],
        });
    }
}

;// CONCATENATED MODULE: ./src/rules/invalid-config/rule.ts
/** Reported where the configuration is read. */
/* harmony default export */ const invalid_config_rule = ({
    id: 'invalid-config',
    severity: 'error',
    summary: 'the configuration file has a mistake, so nothing in it is used',
});

;// CONCATENATED MODULE: ./src/rules/invalid-package-source/rule.ts




/** The operator fails before it writes a condition. */
const unmade = 'so nothing is made of it, and the PackageSource does not even show a condition';
/* harmony default export */ const invalid_package_source_rule = ({
    id: 'invalid-package-source',
    severity: 'error',
    summary: 'a PackageSource fits its schema, but nothing, or not all, comes of it',
    check({ objects, contract, report }) {
        for (const source of ownSources(objects, contract)) {
            const problems = [
                ...ofNames(source),
                ...ofSourceRef(source, objects),
                ...ofArtifacts(source),
                ...source.variants.flatMap((variant) => variant.components.flatMap((one) => ofComponent(one, variant, source))),
            ];
            for (const { message, help, path, severity, related, instead } of problems) {
                report({
                    message: `PackageSource "${source.name}": ${message}`,
                    help,
                    at: { object: source.object, path },
                    ...(severity && { severity }),
                    ...(related && { related }),
                    ...(instead !== undefined && { remedy: rewritten({ object: source.object, path }, instead) }),
                });
            }
        }
    },
});
function ofNames({ name }) {
    if (name.length <= 63)
        return [];
    const message = `the name has ${name.length} characters, but is written as a label, which may have 63, ${unmade}`;
    return [{ message, help: 'give it a shorter name', path: ['metadata', 'name'] }];
}
function ofSourceRef({ object, variants }, objects) {
    const path = ['spec', 'sourceRef'];
    const [kind, name, namespace, folder] = ['kind', 'name', 'namespace', 'path'].map((field) => textAt(object.value, [...path, field]));
    const value = object.value.spec;
    if (value?.sourceRef === undefined || value.sourceRef === null) {
        const message = 'there is no spec.sourceRef to take the charts from, so nothing is made of it';
        return [{ message, help: 'name the GitRepository or OCIRepository with the charts', path: ['spec', 'sourceRef'] }];
    }
    const found = [];
    if (name !== undefined && (name.includes('.') || name.length > 63)) {
        const what = name.includes('.') ? 'has a dot in it' : `has ${name.length} characters`;
        found.push({
            message: `the source's name "${name}" ${what}, which an ArtifactGenerator does not take, ${unmade}`,
            help: 'give the source a name of letters, digits and dashes, 63 of them at most',
            path: [...path, 'name'],
        });
    }
    else if (kind !== undefined && name !== undefined && namespace !== undefined) {
        found.push(...missedSource({ kind, name, namespace }, objects));
    }
    const isBare = kind === 'GitRepository' && (folder ?? '').replaceAll('/', '') === '';
    for (const { path, chart } of isBare ? variants.flatMap(({ components }) => components) : []) {
        if (!chart?.replace(/^\/+/, '').startsWith('packages/'))
            continue;
        found.push({
            message: `a GitRepository without sourceRef.path is read from "packages", so this chart is looked for in "packages/${chart}"`,
            help: 'write the path below "packages", or set spec.sourceRef.path',
            path: [...path, 'path'],
            severity: 'warning',
        });
    }
    return found;
}
/** A source may come from elsewhere; one that is nearly it is taken for a mistake. */
function missedSource(wanted, objects) {
    const isSource = ({ ref }) => ref.apiVersion.startsWith('source.toolkit.fluxcd.io/');
    const sources = objects.filter(isSource).map(({ ref }) => ref);
    const { kind, name, namespace } = wanted;
    const beside = sources.filter((ref) => ref.namespace === namespace);
    if (beside.some((ref) => ref.kind === kind && ref.name === name))
        return [];
    const meant = nearest(name, beside.filter((ref) => ref.kind === kind).map((ref) => ref.name));
    const other = beside.find((ref) => ref.name === name) ?? sources.find((ref) => ref.kind === kind && ref.name === name);
    const found = meant !== undefined ? { kind, namespace, name: meant } : other;
    if (!found)
        return [];
    const field = found.name !== name ? 'name' : found.kind !== kind ? 'kind' : 'namespace';
    return [
        {
            message: `${kind} "${namespace}/${name}" is not in this repository, so its charts may be waited for in vain`,
            help: `did you mean ${found.kind} "${found.namespace}/${found.name}"?`,
            ...(meant !== undefined && { instead: meant }),
            path: ['spec', 'sourceRef', field],
            severity: 'warning',
        },
    ];
}
/** One artifact for every component of every variant. */
function ofArtifacts({ name, object, variants }) {
    const known = new Map();
    return variants.flatMap((variant) => variant.components.flatMap((component) => {
        const path = [...component.path, 'name'];
        const artifact = [name, variant.name, component.name].join('-').replaceAll('.', '-');
        const first = known.get(artifact);
        known.set(artifact, first ?? { variant, component });
        if (first) {
            const same = first.component.name === component.name && first.variant.name === variant.name;
            const message = same
                ? `variant "${variant.name}" has two components "${component.name}"`
                : `component "${component.name}" of variant "${variant.name}" has the artifact "${artifact}", as has "${first.component.name}" of "${first.variant.name}"`;
            const at = { object, path: [...first.component.path, 'name'] };
            return [
                {
                    message: `${message}, so the whole source is refused as invalid`,
                    help: same ? 'name each of them once' : 'give it another name; a dot counts as a dash there',
                    path,
                    related: [{ message: 'the first one', at }],
                },
            ];
        }
        if (component.name === '' || (artifact.length <= 253 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(artifact)))
            return [];
        const what = artifact.length > 253 ? 'is longer than 253 characters' : 'has other characters than a-z, 0-9 and -';
        const isVariant = !/^[a-z0-9.-]*$/.test(variant.name);
        return [
            {
                message: `the artifact "${artifact}" of component "${component.name}" ${what}, ${unmade}`,
                help: 'name variants and components with small letters, digits and dashes',
                path: isVariant ? [...variant.path, 'name'] : path,
            },
        ];
    }));
}
function ofComponent({ name, path, chart, libraries, install }, variant, source) {
    const found = [];
    if (chart === '' && install) {
        const message = `component "${name}" names no chart, so its HelmRelease waits for an artifact that is never made`;
        found.push({ message, help: 'write the path of its chart', path: [...path, 'path'] });
    }
    for (const library of libraries.filter((one) => !variant.libraries.has(one.name))) {
        const meant = nearest(library.name, [...variant.libraries]);
        found.push({
            message: `variant "${variant.name}" does not declare the library "${library.name}", so the chart of component "${name}" is made without it`,
            help: meant ? `did you mean "${meant}"?` : `list it with its path in libraries of the variant`,
            path: library.path,
            ...(meant && { instead: meant }),
            severity: 'warning',
        });
    }
    if (install && install.namespace === undefined) {
        found.push({
            message: `component "${name}" names no namespace to install into, so no Package can use variant "${variant.name}", and none says why`,
            help: 'write install.namespace',
            path: [...path, 'install', 'namespace'],
        });
    }
    for (const wanted of install?.dependsOn ?? []) {
        const target = variant.components.find((one) => one.name === wanted.name);
        if (target?.install)
            continue;
        const what = target ? 'has no install and so is never there' : `is not in variant "${variant.name}"`;
        const meant = nearest(wanted.name, variant.components.filter((one) => one.install && one.name !== name).map((one) => one.name));
        found.push({
            message: `component "${name}" waits for "${wanted.name}", which ${what}, so its Package fails with DependsOnFailed and what comes after it is not installed`,
            help: meant ? `did you mean "${meant}"?` : invalid_package_source_rule_helpFor(wanted.name, target !== undefined, source),
            ...(meant && !target && { instead: meant }),
            path: wanted.path,
        });
    }
    return found;
}
function invalid_package_source_rule_helpFor(name, isHere, { variants }) {
    if (isHere)
        return 'give it an install, or take it out of dependsOn';
    const elsewhere = variants.some(({ components }) => components.some((one) => one.name === name));
    return elsewhere
        ? 'only components of the same variant can be waited for'
        : 'name a component of the variant; Packages are waited for in dependsOn of the variant';
}

;// CONCATENATED MODULE: ./src/contract/misplaced.ts



function misplaced(values, known) {
    const found = [];
    walk(values, known.chart.values, []);
    return found;
    function walk(map, tree, path) {
        for (const [key, value] of Object.entries(map)) {
            const child = misplaced_childOf(tree, key);
            if (isObject(value) && typeof child === 'object')
                walk(value, child, [...path, key]);
            if (child !== undefined || isUnresolved(key) || isPassedOn(key, path, known))
                continue;
            const guess = guessFor({ key, value, path, tree, written: map }, known);
            if (guess)
                found.push({ path: [...path, key], ...guess });
        }
    }
}
function guessFor(unknown, known) {
    const { path } = unknown;
    if (known.chart.open.some((open) => open.every((key, depth) => path[depth] === key)))
        return undefined;
    if (path.length > 0 && isFree(path.at(-1)))
        return undefined;
    return misspelt(unknown, known) ?? oneLevelTooMany(unknown, known) ?? oneLevelOff(unknown, known);
}
/** What Helm and Cozystack pass to every chart, and what switches sub-charts. */
function isPassedOn(key, path, { chart }) {
    return ['global', '_cluster', '_namespace', 'tags'].includes(key) && isChart(path, chart);
}
/** Whether the values of a chart stand there. */
function isChart(path, { subcharts }) {
    return path.length === 0 || subcharts.some((one) => one.join('\n') === path.join('\n'));
}
/** Maps that hold names of somebody's choice, though a default may give an example. */
function isFree(name) {
    return /(labels?|annotations?|selector|config|configmap|settings|env|args|data|headers|limits|requests)$/i.test(name);
}
function misspelt({ key, value, path, tree, written }, known) {
    const names = Object.keys(tree).filter((name) => misplaced_fits(value, tree[name]));
    const free = names.filter((name) => !Object.hasOwn(written, name));
    const meant = nearest(key, free) ?? nearest(key, names);
    if (meant === undefined || differsInNumbers(key, meant))
        return undefined;
    if (key.toLowerCase() !== meant.toLowerCase() && isRealWord(key, meant, known))
        return undefined;
    return { meant: [[...path, meant]] };
}
/** `ipv4` and `ipv6` are no misspellings of each other. */
function differsInNumbers(one, other) {
    return one !== other && one.replace(/\d+/g, '') === other.replace(/\d+/g, '');
}
/** A word that charts use is one that a template may read here as well, but for those that only differ in their ending. */
function isRealWord(key, meant, { chart, isWord }) {
    if (endings.some(([wrong, right]) => key === wrong && meant === right))
        return false;
    return chart.mentioned.includes(key) || isWord(key);
}
/** Misspellings of what charts everywhere have, which some chart has as a key all the same. */
const endings = [
    ['enable', 'enabled'],
    ['disable', 'disabled'],
    ['annotation', 'annotations'],
    ['label', 'labels'],
    ['resource', 'resources'],
    ['toleration', 'tolerations'],
    ['replica', 'replicas'],
];
/** The chart's own name where its values are not nested, or a level that is written twice. */
function oneLevelTooMany({ key, value, path, tree }, { names }) {
    const level = path.length === 0 ? [...names, 'values'] : [path.at(-1), 'values'];
    if (!level.includes(key) || !isObject(value))
        return undefined;
    const keys = Object.keys(value);
    if (keys.length === 0 || !keys.every((name) => misplaced_childOf(tree, name) !== undefined))
        return undefined;
    return { meant: keys.map((name) => [...path, name]), tooDeep: true };
}
/** More places than these tell nobody anything. */
const most = 3;
/** Where charts have a key as often as this, it is likely to be read in other places, too: above, in a map beside, and in all of several. */
const common = { above: 5, below: 12, several: 5 };
function oneLevelOff(unknown, known) {
    const { key, path } = unknown;
    if (known.chart.mentioned.includes(key))
        return undefined;
    const inChart = isChart(path, known.chart);
    // Where other charts have it in a map of the same name, a template is likely to read it here as well.
    if (!inChart && known.isPair(path.at(-1), key))
        return undefined;
    const often = known.frequency(key);
    const below = placesBelow(unknown, known);
    if (below.length === 0)
        return often < common.above || inChart ? asGuess(placeAbove(unknown, known)) : undefined;
    if (path.length > 0 && below.length > 1 && often >= common.several)
        return undefined;
    return inChart || often < common.below ? asGuess(below) : undefined;
}
function asGuess(places) {
    return places.length > 0 && places.length <= most ? { meant: places } : undefined;
}
/** In one of the maps beside it; in a sub-chart rather than elsewhere, and where most of what is written fits. */
function placesBelow({ key, value, path, tree }, { chart }) {
    const places = Object.entries(tree).flatMap(([name, child]) => {
        const there = typeof child === 'object' ? misplaced_childOf(child, key) : undefined;
        if (there === undefined || !misplaced_fits(value, there))
            return [];
        const place = [...path, name];
        return [{ path: [...place, key], rank: (isChart(place, chart) ? 1000 : 0) + overlap(value, there) }];
    });
    const best = Math.max(...places.map(({ rank }) => rank));
    return places.filter(({ rank }) => rank === best).map(({ path }) => path);
}
function placeAbove({ key, value, path }, { chart }) {
    if (path.length === 0)
        return [];
    const above = path.slice(0, -1);
    const there = childAt(chart.values, [...above, key]);
    return there !== undefined && misplaced_fits(value, there) ? [[...above, key]] : [];
}
function misplaced_childOf(tree, key) {
    return Object.hasOwn(tree, key) ? tree[key] : undefined;
}
function childAt(tree, path) {
    let node = tree;
    for (const key of path)
        node = typeof node === 'object' ? misplaced_childOf(node, key) : undefined;
    return node;
}
/** Whether a value may be meant for a place: a map where a map stands, with some key in common. */
function misplaced_fits(value, place) {
    if (value === null || place === 'any')
        return true;
    if (isObject(value))
        return typeof place === 'object'
            ? Object.keys(value).length === 0 || overlap(value, place) > 0
            : isEmptyKind(place);
    if (Array.isArray(value))
        return place === 'list' || isEmptyKind(place);
    return typeof place !== 'object' && place !== 'list' && !isEmptyKind(place);
}
function isEmptyKind(place) {
    return place === 'empty map' || place === 'empty list';
}
function overlap(value, place) {
    if (!isObject(value) || typeof place !== 'object')
        return 0;
    return Object.keys(value).filter((key) => misplaced_childOf(place, key) !== undefined).length;
}

;// CONCATENATED MODULE: ./src/contract/chart-schema.ts
/**
 * What a `values.schema.json` refuses of the values that are written, in Helm's words. Helm holds all values of a chart against
 * it; those that are not written here are the chart's own, so nothing is missing but in the items of a list.
 */





function chart_schema_refusals(values, schema) {
    return chart_schema_judge(values, schema, { root: schema, path: [], whole: false, depth: 0 });
}
/** Deeper than any chart; what is below is not judged. */
const chart_schema_deepest = 100;
function chart_schema_judge(value, schema, node) {
    // A null takes the chart's own value away before anything is judged; what is filled in later is not known yet.
    if (value === null || schema === true || node.depth > chart_schema_deepest)
        return [];
    if (typeof value === 'string' && isUnresolved(value))
        return [];
    const { path } = node;
    if (schema === false)
        return [{ path, words: 'false schema' }];
    if (schema.$ref !== undefined)
        return chart_schema_judge(value, pointedAt(schema.$ref, node.root), deeper(node));
    const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
    if (types && !types.some((type) => isOf(value, type)))
        return [{ path, words: `got ${typeName(value)}, want ${types.join(' or ')}`, wants: types }];
    return [
        ...judgeContent(value, schema, path),
        ...(isObject(value) ? judgeMap(value, schema, node) : []),
        ...(Array.isArray(value) ? judgeList(value, schema, node) : []),
        ...judgeChoices(value, schema, node),
    ];
}
function judgeContent(value, schema, path) {
    const found = [];
    const refuse = (words) => found.push({ path, words });
    const { enum: words } = schema;
    if (words && !words.some((word) => (0,external_node_util_.isDeepStrictEqual)(word, value)))
        refuse(`value must be ${words.length > 1 ? 'one of ' : ''}${words.map(chart_schema_quoted).join(', ')}`);
    if (schema.const !== undefined && !(0,external_node_util_.isDeepStrictEqual)(schema.const, value))
        refuse(`value must be ${chart_schema_quoted(schema.const)}`);
    const bound = (name, got) => {
        const want = schema[name];
        if (want !== undefined && (name.startsWith('min') ? got < want : got > want))
            refuse(`${name}: got ${got}, want ${want}`);
    };
    if (typeof value === 'string') {
        bound('minLength', [...value].length);
        bound('maxLength', [...value].length);
        if (schema.pattern !== undefined && matchesPattern(schema.pattern, value) === false)
            refuse(`${maySecret(path) ? 'the value' : chart_schema_quoted(value)} does not match pattern ${chart_schema_quoted(schema.pattern)}`);
    }
    if (typeof value === 'number') {
        bound('minimum', value);
        bound('maximum', value);
    }
    if (Array.isArray(value)) {
        bound('minItems', value.length);
        bound('maxItems', value.length);
    }
    return found;
}
function judgeMap(map, schema, node) {
    const { properties = {}, patternProperties = {}, additionalProperties: others = true, required = [] } = schema;
    const found = [];
    for (const [key, value] of Object.entries(map)) {
        const child = { ...deeper(node), path: [...node.path, key] };
        const named = Object.hasOwn(properties, key) ? properties[key] : undefined;
        const patterns = Object.entries(patternProperties).filter(([pattern]) => matchesPattern(pattern, key) !== false);
        if (named !== undefined)
            found.push(...chart_schema_judge(value, named, child));
        else if (patterns.length > 0 || isUnresolved(key))
            continue;
        else if (others !== false)
            found.push(...chart_schema_judge(value, others, child));
        else if (value !== null)
            found.push({ path: child.path, words: `additional properties ${chart_schema_quoted(key)} not allowed`, unknownKey: true });
    }
    const missing = node.whole ? required.filter((key) => !Object.hasOwn(map, key)) : [];
    if (missing.length > 0)
        found.push({
            path: node.path,
            words: `missing propert${missing.length > 1 ? 'ies' : 'y'} ${missing.map(chart_schema_quoted).join(', ')}`,
        });
    return found;
}
function judgeList(list, { items }, node) {
    if (items === undefined || Array.isArray(items))
        return [];
    return list.flatMap((item, index) => chart_schema_judge(item, items, { ...deeper(node), path: [...node.path, index], whole: true }));
}
function judgeChoices(value, { allOf = [], anyOf, oneOf }, node) {
    const found = allOf.flatMap((branch) => chart_schema_judge(value, branch, deeper(node)));
    for (const [name, branches] of Object.entries({ anyOf, oneOf })) {
        const tried = branches?.map((branch) => chart_schema_judge(value, branch, deeper(node)));
        if (!tried || tried.some((refused) => refused.length === 0))
            continue;
        const wants = tried.flatMap(([first]) => (first?.path.length === node.path.length ? (first.wants ?? []) : []));
        const deep = tried.filter(([first]) => first?.wants === undefined || first.path.length > node.path.length);
        // Where one branch alone is of the right kind, what it refuses is what is wrong.
        if (deep.length === 1 && deep[0])
            found.push(...deep[0]);
        else if (deep.length === 0)
            found.push({ path: node.path, words: `got ${typeName(value)}, want ${[...new Set(wants)].join(' or ')}`, wants });
        else
            found.push({ path: node.path, words: `'${name}' failed${name === 'oneOf' ? ', none matched' : ''}` });
    }
    return found;
}
function deeper(node) {
    return { ...node, depth: node.depth + 1 };
}
/** What is not there refuses nothing. */
function pointedAt(reference, root) {
    if (!reference.startsWith('#'))
        return true;
    let found = root;
    for (const step of reference.slice(1).split('/').filter(Boolean)) {
        const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
        if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
            return true;
        found = found[name];
    }
    return found;
}
function isOf(value, type) {
    if (type === 'object')
        return isObject(value);
    if (type === 'array')
        return Array.isArray(value);
    if (type === 'integer')
        return Number.isInteger(value);
    return typeof value === type;
}
function typeName(value) {
    if (Array.isArray(value))
        return 'array';
    return typeof value;
}
function chart_schema_quoted(value) {
    return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

;// CONCATENATED MODULE: ./src/contract/misshapen.ts




function misshapen(values, chart) {
    const refused = chart.schemas.flatMap(({ path, schema, optional }) => {
        const below = valueAt(values, path);
        if (!isObject(below))
            return [];
        return chart_schema_refusals(below, schema).map((refusal) => ({
            ...{ kind: 'schema', optional, chart: path, refusal },
            path: [...path, ...refusal.path],
        }));
    });
    const shaped = misshapen_shapes(values, chart.values, []).filter(({ path }) => !refused.some((one) => isWithin(path, one.path) || isWithin(one.path, path)));
    return [...misshapen_unique(refused), ...shaped.map((one) => asSubchart(one, chart))];
}
function asSubchart(one, { subcharts }) {
    const isOne = subcharts.some((path) => path.join('\n') === one.path.join('\n'));
    return isOne ? { kind: 'subchart', path: one.path } : one;
}
/** What several branches of a schema say of one place is said once. */
function misshapen_unique(found) {
    const seen = new Set();
    return found.filter(({ path }) => {
        const key = JSON.stringify(path);
        return !seen.has(key) && seen.add(key);
    });
}
function misshapen_shapes(map, tree, path) {
    return Object.entries(map).flatMap(([key, value]) => {
        const child = misplaced_childOf(tree, key);
        if (child === undefined)
            return [];
        const place = [...path, key];
        if (isObject(value) && typeof child === 'object')
            return misshapen_shapes(value, child, place);
        const expected = misshapen_expectedOf(value, child);
        return expected ? [{ kind: 'shape', path: place, expected }] : [];
    });
}
/**
 * What a chart expects instead of a value; undefined where it may do. A null takes the default away; an empty default may stand
 * for a map as well as for a list; templates take a text for a number or a truth and the other way round.
 */
function misshapen_expectedOf(value, child) {
    if (value === null || child === 'any' || (typeof value === 'string' && isUnresolved(value)))
        return undefined;
    const isScalar = typeof value !== 'object';
    if (typeof child === 'object')
        return 'map';
    if (child === 'empty map')
        return isScalar ? 'map' : undefined;
    if (child === 'list')
        return Array.isArray(value) ? undefined : 'list';
    if (child === 'empty list')
        return isScalar ? 'list' : undefined;
    return isScalar ? undefined : 'scalar';
}
function valueAt(values, path) {
    let node = values;
    for (const key of path)
        node = isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
    return node;
}

;// CONCATENATED MODULE: ./src/facts/chart-values.ts
/** What Packages set of the values of charts: the component, and the chart as far as it is known. */





/** Of components that install something: what is set for others is dropped, and so are components that are not there. */
function writtenValues(context) {
    return context.objects
        .filter(isPackage)
        .filter(isApplied)
        .flatMap((object) => {
        const components = lookUp(object.value, ['spec', 'components']);
        if (!isObject(components))
            return [];
        return Object.keys(components).flatMap((component) => writtenFor(object, component, context));
    });
}
function writtenFor(object, component, context) {
    const path = ['spec', 'components', component, 'values'];
    const values = lookUp(object.value, path);
    const source = sourceOf(object.ref.name, context);
    if (values === undefined || !source)
        return [];
    const having = possibleVariants(object, source, context).flatMap((variant) => variant.components
        .filter(({ name, install }) => name === component && install)
        .map(({ path }) => ({ variant: variant.name, folder: path })));
    if (having.length === 0)
        return [];
    const written = { object, component, values, path, folders: having.map(({ folder }) => folder) };
    // The platform's own values have a rule of their own; a PackageSource in the repository may name any chart.
    if (source.own || object.ref.name === platformName)
        return [{ ...written, charts: [] }];
    const charts = having.map(({ variant }) => context.contract.values.of({ source: object.ref.name, variant, component }));
    return [{ ...written, charts: charts.every((chart) => chart !== undefined) ? [...new Set(charts)] : [] }];
}

;// CONCATENATED MODULE: ./src/rules/invalid-value/rule.ts







/* harmony default export */ const invalid_value_rule = ({
    id: 'invalid-value',
    severity: 'error',
    summary: 'a Package sets a value of a shape that its chart cannot use, or that the schema of the chart refuses',
    check(context) {
        for (const written of writtenValues(context)) {
            if (isObject(written.values))
                invalid_value_rule_judge(written, written.values, context);
            else if (written.values !== null)
                judgeWhole(written, context);
        }
    },
});
/** What helm-controller cannot read as a map it takes for no values at all. */
function judgeWhole({ object, component, values, path }, context) {
    if (rule_isSaid(object.ref.name, object.value, path, context))
        return;
    context.report({
        message: `Package "${object.ref.name}" sets the values of component "${component}" to ${rule_nounOf(values)}, so Helm gets no values for it at all`,
        help: typeof values === 'string' ? 'write them as a map, without the | or the quotes' : 'write them as a map',
        at: { object, path, part: 'value' },
    });
}
function invalid_value_rule_judge(written, values, context) {
    const { object, path, charts } = written;
    const [first = [], ...others] = charts.map((chart) => misshapen(values, chart));
    for (const one of first) {
        // Where the variant is not known, what one of the charts takes is not wrong.
        if (!others.every((found) => found.some((other) => spell(other.path) === spell(one.path))))
            continue;
        const field = [...path, ...one.path];
        if (rule_isSaid(object.ref.name, object.value, field, context))
            continue;
        const value = lookUp(values, one.path);
        context.report({
            message: `Package "${object.ref.name}" sets ${spell(one.path)}${rule_outcomeOf(one, value)}`,
            ...adviceFor(one, values, written, context),
            at: { object, path: field, part: isUnknown(one) || typeof value === 'object' ? 'key' : 'value' },
            ...((one.kind === 'shape' || (one.kind === 'schema' && one.optional)) && { severity: 'warning' }),
            assumes: ['release'],
        });
    }
}
function rule_outcomeOf(one, value) {
    if (one.kind === 'subchart')
        return ` to ${rule_nounOf(value)}, but the values of a sub-chart stand there, so Helm refuses the release`;
    if (one.kind === 'shape')
        return ` to ${rule_nounOf(value)} where the chart has ${rule_nouns[one.expected]}, so templates fail on it or make nothing of it`;
    const chart = one.chart.at(-1);
    const schema = chart === undefined ? 'the schema of its chart' : `the schema of chart "${chart}"`;
    return `, which ${schema} refuses, so the release is not upgraded: ${one.refusal.words}`;
}
const rule_nouns = { map: 'a map', list: 'a list', scalar: 'a single value' };
function rule_nounOf(value) {
    if (Array.isArray(value))
        return 'a list';
    if (isObject(value))
        return 'a map';
    return { string: 'a text', number: 'a number' }[typeof value] ?? 'true or false';
}
function isUnknown(one) {
    return one.kind === 'schema' && one.refusal.unknownKey === true;
}
/** With what can be done about it, where that is one thing. */
function adviceFor(one, values, written, context) {
    const { instead, ...help } = invalid_value_rule_helpFor(one, values, written, context);
    const { object, path } = written;
    const at = { object, path: [...path, ...one.path] };
    if (!instead)
        return help;
    if ('place' in instead)
        return { ...help, remedy: moved(object, at.path, [...path, ...instead.place]) };
    const { value, isQuoted } = instead;
    return { ...help, remedy: isQuoted ? quoted(at, String(value)) : rewritten(at, value) };
}
function invalid_value_rule_helpFor(one, values, { charts, component }, { contract }) {
    if (one.kind === 'subchart')
        return { help: 'write a map there' };
    if (one.kind === 'shape')
        return { help: `write ${rule_nouns[one.expected]} there` };
    if (!isUnknown(one))
        return adviceOn(lookUp(values, one.path), one.refusal);
    const [chart] = charts;
    const guess = chart && misplaced(values, { ...contract.values, chart, names: [component] });
    const meant = guess?.find(({ path }) => spell(path) === spell(one.path))?.meant;
    const places = meant?.map((place) => spell(place)).join(' or ');
    const [place, another] = meant ?? [];
    return {
        help: places ? `did you mean ${places}?` : 'remove it, or correct its name and its place',
        ...(place && !another && { instead: { place } }),
    };
}
function adviceOn(value, { wants = [], words }) {
    const wantsNumber = wants.some((type) => type === 'integer' || type === 'number');
    if (wants.includes('boolean') && (value === 'true' || value === 'false'))
        return { help: `write ${value} without quotes`, instead: { value: value === 'true' } };
    if (wantsNumber && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
        return {
            help: `write ${value} without quotes`,
            ...(String(Number(value)) === value && { instead: { value: Number(value) } }),
        };
    if (wants.includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
        return { help: `quote it: "${value}"`, instead: { value, isQuoted: true } };
    if (wants.includes('array'))
        return { help: 'write a list there' };
    if (wants.includes('object'))
        return { help: 'write a map there' };
    const allowed = [...words.matchAll(/'([^']*)'/g)].map(([, word]) => word);
    const meant = typeof value === 'string' && words.startsWith('value must') ? nearest(value, allowed) : undefined;
    return meant === undefined ? {} : { help: `did you mean "${meant}"?`, instead: { value: meant } };
}
/** That the chart's own values are taken from it is said by `chart-owned-value`. */
function rule_isSaid(name, value, field, context) {
    return ownedIn(name, context).some((owned) => {
        const written = reached(value, owned.field);
        return written !== undefined && spell(written.path) === spell(field);
    });
}

;// CONCATENATED MODULE: ./src/rules/kubectl-takeover/rule.ts




const rule_annotation = `${settingPrefix}ssa`;
/* harmony default export */ const kubectl_takeover_rule = ({
    id: 'kubectl-takeover',
    severity: 'error',
    summary: 'Flux takes over a Package that kubectl made and removes from it all that the manifest leaves out',
    check({ objects, base, snapshot, report }) {
        // A base that does not render says nothing of what was there before.
        const before = base?.entrypoints.every(({ ok }) => ok) ? base.objects.filter(isPackage) : undefined;
        for (const object of objects) {
            const { name } = object.ref;
            if (!isPackage(object) || rule_isLeftAlone(object))
                continue;
            const lost = lostFields(object, snapshot);
            if (!lost)
                continue;
            const known = before?.filter(({ ref }) => ref.name === name) ?? [];
            // Once it has been taken over, there is nothing left to lose.
            if (!known.every(rule_isLeftAlone))
                continue;
            const dropped = known[0] && { object: known[0], path: settingIn(known[0].value, 'ssa')[0]?.path ?? ['metadata'] };
            const what = lost.length > 0 ? `, ${shortList(lost)} included` : '';
            report({
                message: `${opening(Boolean(dropped), before !== undefined)} takes over what kubectl has set in Package "${name}" and removes all of it that this manifest leaves out${what}`,
                help: dropped
                    ? 'keep it for as long as kubectl has a part in the Package'
                    : `add the annotation ${rule_annotation}: Merge in this very commit, as later it comes too late`,
                at: removalOf(object) ?? dropped ?? { object, path: ['metadata', 'annotations', rule_annotation] },
                ...(!before && { severity: 'warning' }),
                remedy: {
                    title: `annotate Package "${name}" with ssa: Merge`,
                    safe: true,
                    changes: [{ do: 'add', at: { object, path: ['metadata', 'annotations', rule_annotation] }, value: 'Merge' }],
                },
            });
        }
    },
});
/** Flux leaves alone what kubectl has set, or the whole object (flux.md §2.3). */
function rule_isLeftAlone({ value }) {
    const kept = ['Merge', 'IfNotPresent', 'Ignore'].some((word) => isSetTo(value, 'ssa', word));
    return kept || isSetTo(value, 'reconcile', 'disabled');
}
function removalOf(object) {
    const removal = object.removed().find(({ path }) => path[0] === 'metadata' && path.at(-1) === rule_annotation);
    return removal && { object, path: removal.path, removedBy: removal.by };
}
/**
 * The fields that kubectl has set and the manifest has not; undefined where kubectl has not set any. Without a snapshot only
 * the platform's own Package is known to be made with kubectl: every documented way of installing does so.
 */
function lostFields({ ref, value }, snapshot) {
    const written = new Set(rule_fieldsOf(value, []));
    const packages = snapshot?.packages ?? {};
    const managers = Object.hasOwn(packages, ref.name) ? packages[ref.name]?.managers : undefined;
    if (!managers)
        return ref.name === platformName ? ['spec.variant'].filter((field) => !written.has(field)) : undefined;
    const isTaken = ({ manager }) => manager.startsWith('kubectl');
    const others = new Set(managers.filter((one) => !isTaken(one)).flatMap(({ fields }) => fields));
    const lost = managers
        .filter(isTaken)
        .flatMap(({ fields }) => fields)
        .filter((field) => !written.has(field) && !others.has(field) && !field.includes('last-applied-configuration'));
    return lost.length > 0 ? [...new Set(lost)] : undefined;
}
function* rule_fieldsOf(value, path) {
    yield spell(path);
    if (isObject(value))
        for (const [key, inner] of Object.entries(value))
            yield* rule_fieldsOf(inner, [...path, key]);
}
function opening(isDropped, isCompared) {
    if (isDropped)
        return `Without ${rule_annotation}: Merge, which this change takes out, Flux`;
    return isCompared ? 'Flux' : 'Unless it has done so already, Flux';
}
function shortList(fields) {
    const more = fields.length - 3;
    return more > 0 ? `${fields.slice(0, 3).join(', ')} and ${more} more` : fields.join(', ');
}

;// CONCATENATED MODULE: ./src/rules/literal-variable/rule.ts



/** What Flux would substitute: a name, perhaps with a default. */
const variable = /^\$\{[_A-Za-z]\w*(?::?[-=][^{}]*)?\}$/;
/* harmony default export */ const literal_variable_rule = ({
    id: 'literal-variable',
    severity: 'warning',
    summary: 'a value is a variable that nothing substitutes, so the text itself is applied',
    check({ entrypoints, everywhere, facts, permissions, report }) {
        const substituting = namesOf(everywhere);
        for (const rendered of entrypoints) {
            const { entrypoint } = rendered;
            const { postBuild, name } = entrypoint.kustomization;
            if (!rendered.ok || isUsed(postBuild) || (name !== undefined && substituting.has(name)))
                continue;
            for (const object of rendered.objects.filter((one) => !isSetTo(one.value, 'substitute', 'disabled'))) {
                for (const path of valuesOf(object).flatMap((start) => [...variablesIn(object.value, start)])) {
                    // Only of the documented customizer is it known what its Flux Kustomization does, where none is in the repository.
                    if (name === undefined && (!permissions.isCustomizer(entrypoint) || facts.get('substitution').value === true))
                        continue;
                    const { kind, name: own } = object.ref;
                    report({
                        message: `${kind} "${own}" sets ${spell(path)} to the text ${JSON.stringify(lookUp(object.value, path))}, as nothing substitutes variables here`,
                        help: name === undefined
                            ? 'write the value itself; if the customizer does substitute, set cluster.substitution in the configuration'
                            : `give it a value in spec.postBuild.substitute of Flux Kustomization "${name}", or write the value itself`,
                        at: { object, path },
                    });
                }
            }
        }
    },
});
/** Flux objects that get their variables only where they are rendered themselves, from a patch or a component. */
function namesOf(entrypoints) {
    const objects = entrypoints.flatMap((rendered) => (rendered.ok ? rendered.objects : []));
    const flux = objects.filter(({ ref }) => ref.apiVersion.startsWith('kustomize.toolkit.fluxcd.io/'));
    return new Set(flux.filter(({ value }) => isUsed(lookUp(value, ['spec', 'postBuild']))).map(({ ref }) => ref.name));
}
/** Flux substitutes nothing while it has no variable. */
function isUsed(postBuild) {
    return Object.keys(postBuild?.substitute ?? {}).length > 0 || (postBuild?.substituteFrom ?? []).length > 0;
}
/** Elsewhere a `${…}` may well be meant for somebody else: a shell, or a container's environment. */
function valuesOf(object) {
    if (object.ref.kind === 'HelmRelease')
        return [['spec', 'values']];
    const components = lookUp(object.value, ['spec', 'components']);
    if (!isPackage(object) || !isObject(components))
        return [];
    return Object.keys(components).map((name) => ['spec', 'components', name, 'values']);
}
function* variablesIn(object, path) {
    const value = lookUp(object, path);
    if (typeof value === 'string' && variable.test(value))
        yield path;
    if (Array.isArray(value))
        for (const index of value.keys())
            yield* variablesIn(object, [...path, index]);
    else if (isObject(value))
        for (const key of Object.keys(value))
            yield* variablesIn(object, [...path, key]);
}

;// CONCATENATED MODULE: ./src/rules/lost-field/rule.ts
/** Reported by the simulation. */
/* harmony default export */ const lost_field_rule = ({
    id: 'lost-field',
    severity: 'error',
    summary: 'a field that somebody else has set in the cluster vanishes, or becomes null, when Flux applies the change',
    stages: ['simulation'],
});

;// CONCATENATED MODULE: ./src/rules/misplaced-flux-annotation/rule.ts





const rule_names = Object.keys(settings);
/** Those that take nothing away when they come to count: a manifest is applied as before, or kept. */
const safest = ['prune', 'ssa', 'substitute', 'decrypt'];
/* harmony default export */ const misplaced_flux_annotation_rule = ({
    id: 'misplaced-flux-annotation',
    severity: 'warning',
    summary: 'an annotation for Flux is where Flux does not look for it, or says what Flux does not know',
    check({ objects, report }) {
        for (const object of objects) {
            for (const place of ['annotations', 'labels']) {
                const map = lookUp(object.value, ['metadata', place]);
                for (const key of isObject(map) ? Object.keys(map) : [])
                    judgeKey(object, key, ['metadata', place, key]);
            }
            for (const name of rule_names) {
                for (const { path, value } of settingIn(object.value, name))
                    judgeValue(object, name, value, path);
            }
        }
        function judgeKey(object, key, path) {
            const meant = meantBy(key);
            if (!meant)
                return;
            report({
                message: `${object.ref.kind} "${object.ref.name}": Flux does not know "${key}", so it has no effect`,
                help: `did you mean "${settingPrefix}${meant}"?`,
                at: { object, path, part: 'key' },
                ...(safest.includes(meant) && { remedy: renamed({ object, path }, settingPrefix + meant) }),
            });
        }
        function judgeValue(object, name, value, path) {
            const { kind } = object.ref;
            const who = `${kind} "${object.ref.name}"`;
            const known = settings[name].find((one) => one.toLowerCase() === value.toLowerCase());
            if (!known && !isOpposite(name, value)) {
                const meant = nearest(value, settings[name]) ?? (settings[name].length === 1 ? settings[name][0] : undefined);
                report({
                    message: `${who}: Flux does not know "${value}" for ${settingPrefix}${name}, so it has no effect`,
                    help: meant ? `did you mean "${meant}"?` : `it knows ${settings[name].join(', ')}`,
                    at: { object, path },
                    ...(meant && safest.includes(name) && { remedy: rewritten({ object, path }, meant) }),
                });
            }
            else if (name === 'ssa' && known && rule_isFluxKustomization(object)) {
                report({
                    message: `${who}: ${settingPrefix}ssa says how this object itself is applied, and nothing of what it applies`,
                    help: 'write it on every manifest below its path, or in spec.commonMetadata.annotations',
                    at: { object, path, part: 'key' },
                });
            }
            else if (isPackage(object) && (known === 'IfNotPresent' || known === 'Ignore')) {
                report({
                    message: `${who} has ${settingPrefix}ssa: ${known}, so nothing of this manifest is applied to a Package that is there`,
                    help: 'write Merge',
                    at: { object, path },
                    remedy: { ...rewritten({ object, path }, 'Merge'), safe: false },
                });
            }
        }
    },
});
/** A setting in another group of Flux, or one that is misspelt. */
function meantBy(key) {
    const slash = key.lastIndexOf('/');
    const [group, name] = [key.slice(0, slash + 1), key.slice(slash + 1)];
    if (group !== settingPrefix)
        return /(^|\.)fluxcd\.io\/$/.test(group) ? rule_names.find((known) => known === name) : undefined;
    if (rule_names.some((known) => known === name))
        return undefined;
    return nearest(name, rule_names);
}
/** What somebody writes to say that the setting is not on; so it is. */
function isOpposite(name, value) {
    const words = name === 'force' ? ['disabled', 'false', 'no', 'off'] : ['enabled', 'true', 'yes', 'on'];
    return name !== 'ssa' && words.includes(value.toLowerCase());
}
function rule_isFluxKustomization({ ref }) {
    return ref.kind === 'Kustomization' && ref.apiVersion.startsWith('kustomize.toolkit.fluxcd.io/');
}

;// CONCATENATED MODULE: ./src/rules/missing-entrypoint/rule.ts
/** Reported where entrypoints are discovered. */
/* harmony default export */ const missing_entrypoint_rule = ({
    id: 'missing-entrypoint',
    severity: 'error',
    summary: 'there is nothing to check: no directory that Flux applies was found, or one that is named is not there',
});

;// CONCATENATED MODULE: ./src/rules/missing-kustomization/rule.ts


/* harmony default export */ const missing_kustomization_rule = ({
    id: 'missing-kustomization',
    severity: 'warning',
    summary: 'without a kustomization every YAML file below becomes a manifest, hidden ones too',
    check({ entrypoints, tree, report }) {
        for (const rendered of entrypoints) {
            if (!rendered.ok || !isGenerated(rendered, tree))
                continue;
            const { path, declaredAt } = rendered.entrypoint;
            // One that is there and that Flux does not see is a finding of another rule.
            if (kustomizationsIn(path).some((file) => tree.has(file) || tree.links.includes(file)))
                continue;
            const surprising = rendered.objects.filter((object) => isSurprising(object, path));
            const [first] = surprising;
            // Below a folder of its own, plain manifests are an ordinary way to use Flux; at the root all else lies among them.
            if (path !== '.' && !first)
                continue;
            const folder = path === '.' ? 'The root of the repository' : `"${path}"`;
            const files = [...new Set(surprising.flatMap(({ source }) => (source ? [source.file] : [])))];
            const such = files.length > 0 ? `, such as "${files[0]}"` : '';
            report({
                message: `${folder} has no kustomization.yaml, so Flux makes one: every YAML below becomes a manifest, hidden files too${such}`,
                help: 'add a kustomization.yaml that lists what is to be applied',
                at: first
                    ? { object: first, path: ['metadata', 'name'] }
                    : (declaredAt ?? { file: kustomizationsIn(path)[0] ?? path }),
                entrypoint: path,
            });
        }
    },
});
/** From a hidden file or folder, or from one that by its name holds something else than what is to be applied. */
function isSurprising({ source }, path) {
    const below = source?.file.slice(path === '.' ? 0 : path.length + 1).split('/') ?? [];
    return below.some((part, index) => part.startsWith('.') || (index < below.length - 1 && /^(docs?|examples?|samples?|testdata|tests?)$/.test(part)));
}

;// CONCATENATED MODULE: ./src/rules/missing-namespace/rule.ts

const rule_field = ['metadata', 'namespace'];
/* harmony default export */ const missing_namespace_rule = ({
    id: 'missing-namespace',
    severity: 'error',
    summary: 'an object that belongs in a namespace names none, so nothing at all is applied',
    check({ entrypoints, facts, permissions, report }) {
        for (const rendered of entrypoints) {
            if (!rendered.ok)
                continue;
            const example = () => (permissions.isCustomizer(rendered.entrypoint) ? owned() : '');
            for (const object of rendered.objects) {
                const { ref } = object;
                if (ref.namespace !== undefined || !permissions.resourceOf(ref)?.namespaced || !isApplied(object))
                    continue;
                report({
                    message: `${ref.kind} "${ref.name}" is in no namespace, so the API server refuses it and Flux applies ${appliedBefore(ref, rendered, permissions)}`,
                    help: `write metadata.namespace${example()}, or set "namespace" in the kustomization`,
                    at: rule_placeOf(object),
                    ...remedy(object, rendered),
                });
            }
        }
        /** Only where it can be one alone. */
        function remedy(object, { entrypoint }) {
            const [value, another] = facts.get('ownedNamespaces').value;
            if (!permissions.isCustomizer(entrypoint) || value === undefined || another !== undefined)
                return {};
            const title = `write metadata.namespace: ${value}`;
            return {
                remedy: {
                    title,
                    safe: true,
                    changes: [{ do: 'add', at: { object, path: rule_field }, value, after: 'name' }],
                },
            };
        }
        function owned() {
            const [first] = facts.get('ownedNamespaces').value;
            return first === undefined ? '' : `, such as ${first}`;
        }
    },
});
/** Where a patch took it away, that; else where it would be written. */
function rule_placeOf(object) {
    const lost = object.removed().find(({ path }) => path.join('.') === rule_field.join('.'));
    return lost ? { object, path: rule_field, removedBy: lost.by } : { object, path: ['metadata'], part: 'key' };
}

;// CONCATENATED MODULE: ./src/rules/missing-path/rule.ts






const [missing_path_rule_field, source] = [
    ['spec', 'path'],
    ['spec', 'sourceRef'],
];
/* harmony default export */ const missing_path_rule = ({
    id: 'missing-path',
    severity: 'error',
    summary: 'a Flux Kustomization applies a directory that is not in the repository',
    check(context) {
        const { entrypoints, tree, base, report } = context;
        const beside = documentsBeside(entrypoints, tree);
        for (const one of [...fluxObjects(entrypoints, tree), ...beside.flatMap(asFluxObject)]) {
            const ref = one.kind === 'Kustomization' && sourceRefAt(one.value, source);
            const written = textAt(one.value, missing_path_rule_field);
            if (!ref || !written || written.includes('${'))
                continue;
            const path = normalize(written);
            if (tree.isDirectory(path) || tree.submodules.some((module) => `${path}/`.startsWith(`${module}/`)))
                continue;
            // A directory that the change removes is `missing-entrypoint`.
            if (base?.entrypoints.some(({ entrypoint }) => entrypoint.path === path))
                continue;
            const ours = isOurs(ref, one, context, beside);
            // What is not here is counted where the directories to check are looked for.
            if (ours === 'other' || ours === 'unknown')
                continue;
            const meant = nearest(path, directoriesOf(tree));
            report({
                message: `${labelOf(one)} applies "${path}", which ${whatIsThere(path, tree)}, so Flux applies nothing of it`,
                help: tree.has(path)
                    ? 'name the directory that it is in'
                    : meant
                        ? `did you mean "${meant}"?`
                        : 'correct the path, or commit the directory',
                at: one.at(missing_path_rule_field),
                ...(meant && !tree.has(path) && { remedy: { ...rewritten(one.at(missing_path_rule_field), meant), safe: false } }),
                ...(ours === 'likely' && { severity: 'warning' }),
            });
        }
    },
});
function whatIsThere(path, tree) {
    if (tree.has(path))
        return 'is a file and no directory';
    if (tree.links.some((link) => `${path}/`.startsWith(`${link}/`)))
        return 'is behind a link, which Flux leaves out';
    return 'is no directory of this repository';
}
/**
 * It is, where what renders the Flux Kustomization comes from the same source; it is likely to be, where another one of that
 * source has its directory here.
 */
function isOurs(ref, one, { entrypoints, objects, permissions, tree }, beside) {
    const key = sourceKey(ref);
    const isIt = (value) => groupOf(String(value.apiVersion)) === 'source.toolkit.fluxcd.io' &&
        value.kind === ref.kind &&
        textAt(value, ['metadata', 'name']) === ref.name &&
        (textAt(value, ['metadata', 'namespace']) ?? ref.namespace) === ref.namespace;
    const defined = [...objects, ...beside].find(({ value }) => isIt(value));
    if (ref.kind === 'ExternalArtifact' || ref.kind === 'Bucket')
        return 'other';
    if (defined && (ref.kind !== 'GitRepository' || hasIncludes(defined.value)))
        return 'other';
    const keyOf = (value) => {
        const found = value && sourceRefAt(value, source);
        return found && sourceKey(found);
    };
    const home = entrypoints.find(({ entrypoint }) => 'object' in one.at([]) && entrypoint.path === one.group);
    const isOwn = home &&
        (home.entrypoint.kustomization.name === undefined
            ? permissions.isCustomizer(home.entrypoint) && rule_isCustomizers(ref)
            : keyOf(declaredOne(home.entrypoint, tree)?.value) === key);
    if (isOwn)
        return ref.kind === 'GitRepository' ? 'sure' : 'likely';
    const others = entrypoints.filter(({ entrypoint }) => entrypoint.path !== '.');
    return others.some(({ entrypoint }) => keyOf(declaredOne(entrypoint, tree)?.value) === key) ? 'likely' : 'unknown';
}
/** Other repositories are copied into it. */
function hasIncludes(value) {
    const include = lookUp(value, ['spec', 'include']);
    return Array.isArray(include) && include.length > 0;
}
function rule_isCustomizers({ kind, namespace, name }) {
    return namespace === customizer.namespace && (customizer.objects[kind] ?? []).includes(name);
}
/** One that no other rule sees, as its directory is not there. */
function asFluxObject({ value, group, at }) {
    const [namespace, name] = [textAt(value, ['metadata', 'namespace']), textAt(value, ['metadata', 'name'])];
    const isFlux = groupOf(String(value.apiVersion)) === 'kustomize.toolkit.fluxcd.io' && value.kind === 'Kustomization';
    if (!isFlux || name === undefined || !isObject(lookUp(value, source)))
        return [];
    return [{ kind: 'Kustomization', id: `${namespace}/${name}`, value, group, at }];
}
function directoriesOf({ files }) {
    const found = new Set();
    for (const file of files) {
        const parts = file.split('/');
        for (let depth = 1; depth < parts.length; depth++)
            found.add(parts.slice(0, depth).join('/'));
    }
    return found;
}

;// CONCATENATED MODULE: ./src/rules/not-there-yet/rule.ts





/* harmony default export */ const not_there_yet_rule = ({
    id: 'not-there-yet',
    severity: 'error',
    summary: 'an object needs what the same change only enables, so neither of them is ever applied',
    needsBase: true,
    check({ entrypoints, base, contract, facts, permissions, snapshot, report }) {
        const before = base?.objects ?? [];
        const known = new Set(before.map(({ ref }) => inventoryId(ref)));
        for (const rendered of entrypoints) {
            if (rendered.ok)
                judge(rendered);
        }
        function judge(rendered) {
            const namespaces = permissions.isCustomizer(rendered.entrypoint) ? newNamespaces(rendered) : [];
            const packages = newIn(enabledPackagesPath, rendered.objects, before);
            if (namespaces.length + packages.length === 0)
                return;
            for (const object of rendered.objects.filter(isApplied)) {
                const { ref } = object;
                const place = ref.kind === 'Namespace' ? ref.name : ref.namespace;
                const namespace = namespaces.find(({ name }) => name === place);
                const isNew = !known.has(inventoryId(ref));
                const needed = isNew ? packages.find(({ name }) => brings(name, rendered, ref)) : undefined;
                if (namespace)
                    say(object, rendered, namespace, `is in namespace "${namespace.name}", which is only owned`, atNamespace(ref));
                else if (needed && ref.kind === 'Package')
                    say(object, rendered, needed, 'is only made', ['metadata', 'name'], ['variant', 'packages']);
                else if (needed)
                    say(object, rendered, needed, 'is of a kind that is only there', ['kind'], ['variant', 'packages']);
            }
        }
        function say(object, rendered, enabled, what, path, assumes = []) {
            report({
                message: `${object.ref.kind} "${object.ref.name}" ${what} once this change is applied, but Flux tries everything before: it applies ${appliedBefore(object.ref, rendered, permissions)}, not even what brings it about`,
                help: `split the change: first enable "${enabled.name}", and add the rest once the platform has applied that`,
                at: { object, path },
                related: [{ message: 'enabled here', at: { object: enabled.object, path: enabled.path } }],
                assumes,
            });
        }
        /** Those in which the account had no right before. */
        function newNamespaces({ objects }) {
            const fact = facts.get('ownedNamespaces');
            const owned = (fact.source === 'manifest' ? contract.rbac.ownedNamespaces : fact.value);
            const candidates = newIn(ownedNamespacesPath, objects, before, owned);
            const grants = grantsOf(contract.rbac, { ownedNamespaces: [], objects: rolesIn(before) });
            const anything = { verb: 'patch', group: '', resource: 'configmaps', name: 'any' };
            return candidates.filter(({ name }) => !owned.includes(name) && !allows(grants, { ...anything, namespace: name }).allowed);
        }
        /** Whether the platform makes the Package, or the kind, only because the name is listed. */
        function brings(name, { entrypoint }, ref) {
            const variant = String(facts.get('variant').value);
            const { catalog, schemas } = contract;
            if (ref.kind === 'Package') {
                if (snapshot && Object.hasOwn(snapshot.packages, ref.name))
                    return false;
                if (permissions.access(entrypoint, 'create', ref).allowed !== false)
                    return false;
                return catalog.emitted(ref.name, variant) === 'optional' && catalog.enabledBy(ref.name, variant).includes(name);
            }
            const kind = schemas.find(ref.apiVersion, ref.kind);
            const bringing = kind.known ? kind.installedBy.map((by) => by.split('/')[0] ?? '') : [];
            return (bringing.some((by) => catalog.enabledBy(by, variant).includes(name)) &&
                bringing.every((by) => catalog.emitted(by, variant) !== 'always' && !(snapshot && Object.hasOwn(snapshot.packages, by))));
        }
    },
});
function atNamespace({ kind }) {
    return kind === 'Namespace' ? ['metadata', 'name'] : ['metadata', 'namespace'];
}

;// CONCATENATED MODULE: ./src/rules/old-snapshot/rule.ts
/** Clusters change with every release of the platform, which comes about once a month. */
const days = 90;
/* harmony default export */ const old_snapshot_rule = ({
    id: 'old-snapshot',
    severity: 'notice',
    summary: 'the snapshot of a cluster is so old that what it says may not hold any more',
    options: { days: { type: 'integer', minimum: 1, description: 'The age from which on it is old; 90 by default' } },
    check({ snapshot, today, options, report }) {
        if (!snapshot)
            return;
        const age = Math.floor((Date.parse(today) - Date.parse(snapshot.taken)) / 86_400_000);
        const limit = typeof options.days === 'number' ? options.days : days;
        if (!(age > limit))
            return;
        report({
            message: `The snapshot is of ${snapshot.taken}, more than ${limit} days ago`,
            help: 'make it anew; its first lines say how',
            at: { file: snapshot.file, document: 0, path: ['taken'] },
        });
    },
});

;// CONCATENATED MODULE: ./src/contract/old-flux.ts

/** By the group that no release serves: the one that has its kinds now, and what changed in general. */
const oldGroups = {
    'kustomize.fluxcd.io': { group: 'kustomize.toolkit.fluxcd.io', help: 'and change its fields as noted at each' },
    'source.fluxcd.io': { group: 'source.toolkit.fluxcd.io', help: 'whose fields differ' },
    'notification.fluxcd.io': { group: 'notification.toolkit.fluxcd.io', help: 'whose fields differ' },
    'helm.fluxcd.io': {
        group: 'helm.toolkit.fluxcd.io',
        help: 'where spec.chart.spec names the chart, its version, and a HelmRepository or GitRepository as sourceRef',
    },
    'flux.weave.works': {
        group: 'helm.toolkit.fluxcd.io',
        help: 'where spec.chart.spec names the chart, its version, and a HelmRepository or GitRepository as sourceRef',
    },
};
const old_flux_first = 'kustomize.fluxcd.io/v1alpha1';
const always = () => true;
const seconds = '30 seconds';
const changedFields = [
    {
        of: old_flux_first,
        path: ['spec', 'dependsOn', '*'],
        v1: 'write each as a map: its name, and its namespace where that is another',
        isOther: (value) => typeof value === 'string',
    },
    {
        of: old_flux_first,
        path: ['spec', 'generate'],
        v1: 'leave it out: where the path has no kustomization.yaml, Flux makes one itself',
        isOther: always,
    },
    { of: old_flux_first, path: ['spec', 'interval'], v1: 'keep it, in ms, s, m or h' },
    { of: old_flux_first, path: ['spec', 'path'], v1: 'keep it; it need not begin with ./, and may be left out for the root' },
    {
        of: old_flux_first,
        path: ['spec', 'prune'],
        v1: 'write true or false: Flux keeps a list of what it applies, and needs no labels',
        isOther: (value) => typeof value === 'string' && !/^(true|false|yes|no|on|off)$/i.test(value),
    },
    {
        of: old_flux_first,
        path: ['spec', 'healthChecks', '*'],
        v1: 'give it an apiVersion, such as apps/v1; any kind may be named, and wait: true checks all that is applied',
        isOther: (value) => isObject(value) && !value.apiVersion && ['Deployment', 'DaemonSet', 'StatefulSet'].includes(String(value.kind)),
        without: 'is looked for in the core group, which has no such kind, so the health check never passes',
    },
    {
        of: old_flux_first,
        path: ['spec', 'serviceAccount'],
        v1: 'write spec.serviceAccountName: an account in the namespace of the Flux Kustomization itself',
        isOther: always,
    },
    { of: old_flux_first, path: ['spec', 'sourceRef'], v1: 'keep it; it may have a namespace, and any kind of source' },
    {
        of: old_flux_first,
        path: ['spec', 'sourceRef', 'apiGroup'],
        v1: 'leave it out, or write apiVersion',
        isOther: always,
    },
    { of: old_flux_first, path: ['spec', 'suspend'], v1: 'keep it' },
    {
        of: old_flux_first,
        path: ['spec', 'timeout'],
        v1: `keep it; without it the limit is ${seconds} less than the interval, and no less than ${seconds}`,
    },
    {
        of: old_flux_first,
        path: ['spec', 'validation'],
        v1: 'leave it out: the API server tries every object before any of them is applied',
        isOther: always,
    },
    { of: old_flux_first, path: ['status'], v1: 'leave it out: the controller writes it' },
    {
        of: old_flux_first,
        path: ['metadata', 'annotations', 'kustomize.fluxcd.io/syncAt'],
        v1: 'write reconcile.fluxcd.io/requestedAt, and to the object in the cluster rather than here',
        isOther: always,
        without: 'starts nothing, as nobody reads it',
    },
    {
        of: 'kustomize.toolkit.fluxcd.io/v1beta1',
        path: ['spec', 'patchesStrategicMerge'],
        v1: 'write spec.patches, each with its text as patch',
        isOther: always,
    },
    {
        of: 'kustomize.toolkit.fluxcd.io/v1beta1',
        path: ['spec', 'patchesJson6902'],
        v1: 'write spec.patches, each with its operations as text, and its target',
        isOther: always,
    },
    ...[
        ['spec', 'ignore'],
        ['spec', 'buildMetadata'],
        ['spec', 'postBuild', 'substituteStrategy'],
    ].map((path) => ({
        of: 'Flux 2.9',
        path,
        v1: 'leave it out until the platform has that Flux',
        isOther: always,
    })),
];
/** The row about a field, or about what it is a part of. */
function changeOf(path) {
    return changedFields.findLast((row) => row.path.length <= path.length && row.path.every((step, index) => step === '*' || step === path[index]));
}
/** Where the fields stand in an object that has them, in the order of the table. */
function fieldsIn(object, row) {
    return row.path.reduce((found, step) => found.flatMap((path) => old_flux_below(object, path, step)), [[]]);
}
function old_flux_below(object, path, step) {
    let node = object;
    for (const key of path)
        node = node[key];
    if (step === '*')
        return Array.isArray(node) ? [...node.keys()].map((index) => [...path, index]) : [];
    return isObject(node) && Object.hasOwn(node, step) ? [[...path, step]] : [];
}

;// CONCATENATED MODULE: ./src/facts/defined.ts

/** Whether the snapshot of the cluster has the kind, or the repository defines it. */
function isBrought({ apiVersion, kind }, { snapshot, objects }) {
    const group = groupOf(apiVersion);
    const kinds = snapshot?.kinds ?? {};
    if (Object.hasOwn(kinds, `${group}/${kind}`) && (kinds[`${group}/${kind}`] ?? []).length > 0)
        return true;
    return objects.some(({ ref, value }) => ref.kind === 'CustomResourceDefinition' &&
        textAt(value, ['spec', 'group']) === group &&
        textAt(value, ['spec', 'names', 'kind']) === kind);
}

;// CONCATENATED MODULE: ./src/rules/other-flux-version/rule.ts





/* harmony default export */ const other_flux_version_rule = ({
    id: 'other-flux-version',
    severity: 'error',
    summary: 'an object, or a field of a Flux Kustomization, is of another version of Flux than the cluster has',
    check(context) {
        for (const rendered of context.entrypoints) {
            for (const object of rendered.ok ? rendered.objects.filter(isApplied) : []) {
                if (!rendered.ok)
                    continue;
                if (Object.hasOwn(oldGroups, groupOf(object.ref.apiVersion)))
                    judgeObject(object, rendered, context);
                else if (isKustomization(object))
                    judgeFields(object, rendered, context);
            }
        }
    },
});
/** The one finding about an object of an old API has a note at every field that it sets. */
function judgeObject(object, rendered, context) {
    const { apiVersion, kind, name } = object.ref;
    const group = groupOf(apiVersion);
    const now = oldGroups[group];
    if (!now || isBrought(object.ref, context))
        return;
    const found = context.contract.schemas.find(`${now.group}/none`, kind);
    const version = !found.known && found.why === 'unserved-version' ? found.served[0] : undefined;
    const isFirst = group === 'kustomize.fluxcd.io' && kind === 'Kustomization';
    const notes = isFirst
        ? changedFields.flatMap((row) => fieldsIn(object.value, row).map((path) => ({ path, message: `v1: ${row.v1}` })))
        : [];
    context.report({
        message: `${kind} "${name}" is of ${apiVersion}, an API that Flux has given up, so Flux applies ${appliedBefore(object.ref, rendered, context.permissions)}`,
        help: version ? `write ${now.group}/${version}, ${now.help}` : `no kind of ${now.group} took its place`,
        at: { object, path: ['apiVersion'] },
        ...(version && objectRemedy(object, `${now.group}/${version}`, isFirst, context)),
        related: notes.map(({ path, message }) => ({ message, at: { object, path, part: 'key' } })),
        insteadOf: [
            { rules: ['unknown-kind', 'unserved-version', 'schema-violation'], path: [] },
            { rules: ['copied-live-object'], path: ['status'] },
        ],
    });
}
/** Somebody changed no more than the apiVersion. What the API server refuses is for the schema to say. */
function judgeFields(object, rendered, { contract, permissions, report }) {
    const { apiVersion, kind, name } = object.ref;
    const schema = contract.schemas.find(apiVersion, kind);
    if (!schema.known)
        return;
    const guessed = !contract.schemas.isTheSameEverywhere(apiVersion, kind);
    const refused = validate(object.value, schema).violations.map(({ path }) => path);
    for (const path of refused) {
        const row = changeOf(path);
        if (!row || !isOther(row, object, path))
            continue;
        const field = path.slice(0, row.path.length);
        report({
            message: `${kind} "${name}": ${spell(field)} is written as in ${row.of}, which the API server refuses here, so Flux applies ${appliedBefore(object.ref, rendered, permissions)}`,
            help: row.v1,
            at: { object, path: field, part: isGone(row) ? 'key' : 'value' },
            ...fieldRemedy(row, object, field),
            insteadOf: [{ rules: ['schema-violation'], path: field }],
            ...(guessed && { assumes: ['release'] }),
        });
    }
    for (const row of changedFields.filter(({ without }) => without !== undefined)) {
        // What waits for everything passes over healthChecks, which has a rule of its own.
        if (row.path[1] === 'healthChecks' && lookUp(object.value, ['spec', 'wait']) === true)
            continue;
        for (const path of fieldsIn(object.value, row)) {
            if (!isOther(row, object, path) || refused.some((other) => path.every((step, at) => other[at] === step)))
                continue;
            report({
                severity: 'warning',
                message: `${kind} "${name}": ${spell(path)} is written as in ${row.of}, and ${row.without}`,
                help: row.v1,
                at: { object, path, part: isGone(row) ? 'key' : 'value' },
                ...fieldRemedy(row, object, path),
            });
        }
    }
}
/** The whole of it in the new form; nothing where a part of that is for a person to decide. */
function objectRemedy(object, apiVersion, isFirst, context) {
    const changes = (isFirst ? changedFields : []).flatMap((row) => fieldsIn(object.value, row)
        .filter((path) => isOther(row, object, path) || path[0] === 'status')
        .map((path) => (path[0] === 'status' ? [removal(object, path)] : inNewForm(row, object, path))));
    if (!changes.every((change) => change !== undefined))
        return {};
    if (!isFirst && !rule_fits({ ...object.value, apiVersion }, apiVersion, object.ref.kind, context))
        return {};
    const version = { do: 'set', at: { object, path: ['apiVersion'] }, value: apiVersion };
    return { remedy: { title: `write it as ${apiVersion}`, safe: false, changes: [version, ...changes.flat()] } };
}
function rule_fits(value, apiVersion, kind, { contract }) {
    const schema = contract.schemas.find(apiVersion, kind);
    return schema.known && validate(value, schema).violations.length === 0;
}
function fieldRemedy(row, object, path) {
    const changes = inNewForm(row, object, path);
    const safe = row.path.at(-1) !== 'prune';
    return changes ? { remedy: { title: `write ${spell(path)} as v1 has it`, safe, changes } } : {};
}
function inNewForm({ path: [, name, below] }, object, path) {
    const value = lookUp(object.value, path);
    if (name === 'dependsOn' && typeof value === 'string') {
        const [one = '', other] = value.split('/');
        const item = other === undefined ? { name: one } : { name: other, namespace: one };
        return [{ do: 'set', at: { object, path }, value: item }];
    }
    if (name === 'healthChecks')
        return [{ do: 'add', at: { object, path: [...path, 'apiVersion'] }, value: 'apps/v1' }];
    // A label that told what was to be pruned; who had none did not prune.
    if (name === 'prune')
        return value === '' ? undefined : [{ do: 'set', at: { object, path }, value: true }];
    if (name === 'serviceAccount')
        return accountName(object, path);
    const isUseless = ['generate', 'validation', 'ignore', 'buildMetadata', 'annotations'].includes(String(name));
    return isUseless || ['apiGroup', 'substituteStrategy'].includes(String(below)) ? [removal(object, path)] : undefined;
}
/** An account of another namespace cannot be named any more. */
function accountName(object, path) {
    const [name, namespace] = ['name', 'namespace'].map((field) => lookUp(object.value, [...path, field]));
    if (typeof name !== 'string' || (namespace !== undefined && namespace !== object.ref.namespace))
        return undefined;
    const at = { object, path: [...path, 'name'] };
    const move = { do: 'move', at, to: [...path.slice(0, -1), 'serviceAccountName'] };
    return namespace === undefined ? [move] : [move, removal(object, path)];
}
function removal(object, path) {
    return { do: 'remove', at: { object, path } };
}
/** A field that is there in another form is wrong by its value. */
function isGone({ path }) {
    return path.at(-1) !== '*' && path.at(-1) !== 'prune';
}
function isOther(row, { value }, path) {
    const found = lookUp(value, path.slice(0, row.path.length));
    return found !== undefined && (row.isOther?.(found) ?? false);
}
function isKustomization({ ref }) {
    return ref.kind === 'Kustomization' && groupOf(ref.apiVersion) === 'kustomize.toolkit.fluxcd.io';
}

;// CONCATENATED MODULE: ./src/contract/keycloak.ts
/** The kinds of Keycloak's own operator, which the documentation names, and those that the platform has (cozystack.md §8). */
/** The group of the operator that the platform installs. */
const keycloakGroup = 'v1.edp.epam.com';
/** Groups of Keycloak's own operator, the one of today and the one before. */
const foreignGroups = ['k8s.keycloak.org', 'keycloak.org'];
/** What says the same for the operator of the platform, by the kind of the other. */
const insteadOfKind = {
    Keycloak: 'the platform runs Keycloak itself and has ClusterKeycloak "keycloak-cozy" for it',
    KeycloakRealmImport: 'write a KeycloakRealm, with KeycloakClient, KeycloakRealmGroup, KeycloakRealmRole and KeycloakRealmUser for what is in it',
    KeycloakRealm: 'write a KeycloakRealm of that group',
    KeycloakClient: 'write a KeycloakClient of that group',
    KeycloakUser: 'write a KeycloakRealmUser',
};

;// CONCATENATED MODULE: ./src/rules/other-keycloak-operator/rule.ts




/* harmony default export */ const other_keycloak_operator_rule = ({
    id: 'other-keycloak-operator',
    severity: 'error',
    summary: 'an object is of Keycloak’s own operator, which the platform does not have, so nothing at all is applied',
    check(context) {
        const { entrypoints, snapshot, permissions, report } = context;
        for (const rendered of entrypoints) {
            for (const object of rendered.ok ? rendered.objects.filter(isApplied) : []) {
                const { apiVersion, kind, name, namespace } = object.ref;
                const group = groupOf(apiVersion);
                if (!rendered.ok || !foreignGroups.includes(group) || isBrought(object.ref, context))
                    continue;
                const realm = {
                    apiVersion: `${keycloakGroup}/v1`,
                    kind: 'KeycloakRealm',
                    name,
                    ...(namespace && { namespace }),
                };
                const isRefused = permissions.access(rendered.entrypoint, 'patch', realm).allowed === false;
                const where = `${permissions.accountName(rendered.entrypoint)} may not write ${namespace ? `in namespace "${namespace}"` : 'here'}`;
                report({
                    message: `${kind} "${name}" is of ${group}, which no release of the platform serves, so Flux applies ${appliedBefore(object.ref, rendered, permissions)}`,
                    help: `the platform's operator has the kinds of ${keycloakGroup}${isRefused ? `, which ${where}` : ''}: ${insteadOfKind[kind] ?? 'see which of them fits'}${isRefused ? ', in an owned namespace, or have an administrator apply it' : ''}`,
                    at: { object, path: ['apiVersion'] },
                    // Somebody may have brought that operator as well, unless the cluster was looked at.
                    ...(!snapshot?.kinds && { severity: 'warning' }),
                    insteadOf: [{ rules: ['unknown-kind', 'forbidden-object'], path: [] }],
                });
            }
        }
    },
});

;// CONCATENATED MODULE: ./src/facts/made-releases.ts

/** By `NAMESPACE/NAME`, those that it makes in this cluster, or may make. */
function madeReleases(known) {
    const { contract, facts } = known;
    const found = new Map();
    for (const name of contract.catalog.names()) {
        const isThere = isMade(name, known);
        const emission = contract.catalog.emitted(name, String(facts.get('variant').value));
        // A Package that only an administrator can have made is that administrator's business.
        if (isThere === false || (!isThere && (emission === 'never' || emission === 'unknown')))
            continue;
        const assumes = [
            'variant',
            ...(emission === 'optional' ? ['optionalPackages'] : []),
            ...(typeof emission === 'object' ? ['platformValues'] : []),
        ];
        const variant = chartsVariant(name, known);
        const variants = contract.catalog.source(name)?.variants.filter((one) => (variant ?? one.name) === one.name) ?? [];
        for (const { name: component, install } of variants.flatMap(({ components }) => components)) {
            const made = { source: name, component, isSure: isThere === true, assumes: isThere ? [] : assumes };
            if (install)
                found.set(`${install.namespace}/${install.releaseName}`, made);
        }
    }
    return found;
}

;// CONCATENATED MODULE: ./src/rules/overridden-release/rule.ts


/* harmony default export */ const overridden_release_rule = ({
    id: 'overridden-release',
    severity: 'error',
    summary: 'a HelmRelease is one that the platform makes from a Package, which writes it anew',
    check(context) {
        const { entrypoints, permissions, report } = context;
        let made;
        for (const rendered of entrypoints) {
            for (const object of rendered.ok ? rendered.objects.filter(isApplied) : []) {
                const { apiVersion, kind, namespace, name } = object.ref;
                if (kind !== 'HelmRelease' || !apiVersion.startsWith('helm.toolkit.fluxcd.io/'))
                    continue;
                made ??= madeReleases(context);
                const found = made.get(`${namespace}/${name}`);
                // What the account may not write is `forbidden-object`.
                if (!found || permissions.access(rendered.entrypoint, 'patch', object.ref).allowed === false)
                    continue;
                report({
                    message: `HelmRelease "${namespace}/${name}" is made from Package "${found.source}", and Cozystack writes it anew whenever it differs, so what is set here does not last`,
                    help: `set the values in Package "${found.source}", under spec.components.${found.component}.values`,
                    at: { object, path: ['metadata', 'name'] },
                    ...(!found.isSure && { severity: 'warning' }),
                    assumes: found.assumes,
                });
            }
        }
    },
});

;// CONCATENATED MODULE: ./src/rules/package-not-created-here/rule.ts




/* harmony default export */ const package_not_created_here_rule = ({
    id: 'package-not-created-here',
    severity: 'error',
    summary: 'a Package that may not exist is written by an account that may not create one, so nothing at all is applied',
    check({ entrypoints, objects, base, contract, facts, permissions, snapshot, report }) {
        const { catalog } = contract;
        const isThere = (kind, name, among = []) => among.some(({ ref }) => ref.kind === kind && ref.name === name);
        for (const rendered of entrypoints) {
            if (!rendered.ok)
                continue;
            for (const object of rendered.objects) {
                if (!isPackage(object) || !isApplied(object))
                    continue;
                if (permissions.access(rendered.entrypoint, 'create', object.ref).allowed === false)
                    judge(object, rendered);
            }
        }
        function judge(object, rendered) {
            const { name } = object.ref;
            const own = isThere('PackageSource', name, objects);
            const ofPlatform = catalog.source(name) !== undefined;
            const otherwise = `and ${permissions.accountName(rendered.entrypoint)} may not create it, so Flux applies ${appliedBefore(object.ref, rendered, permissions)}`;
            const once = 'have an administrator create it once, and merge this after that';
            const say = (said) => report({ help: once, at: { object, path: ['metadata', 'name'] }, ...said });
            if (snapshot) {
                const { packages, taken } = snapshot;
                if (Object.hasOwn(packages, name) || (!own && !ofPlatform && isMisspelt(name)) || isOnlyEnabled(name))
                    return;
                say({ message: `Package "${name}" was not in the cluster on ${taken}, ${otherwise}` });
            }
            else if (isThere('Package', name, base?.objects))
                return;
            else if (own && base && !isThere('PackageSource', name, base.objects)) {
                say({
                    message: `Package "${name}" cannot be there yet, as its PackageSource is new as well, ${otherwise}`,
                    help: `first merge the PackageSource, then ${once}; that the documentation ships both together does not work`,
                });
            }
            else if (own) {
                say({
                    severity: 'warning',
                    message: `Package "${name}" has to be there before this is merged: the platform does not make it, ${otherwise} unless it is there`,
                    assumes: ['packages'],
                });
            }
            else if (ofPlatform && !isMade(name, { contract, facts, objects, snapshot }))
                judgeEmission(name, otherwise, say);
        }
        function judgeEmission(name, otherwise, say) {
            const variant = String(facts.get('variant').value);
            const emission = catalog.emitted(name, variant);
            // A platform without bundles leaves every Package to be made by hand.
            if (variant === 'default' || emission === 'always' || emission === 'unknown')
                return;
            const severity = 'warning';
            if (emission === 'optional') {
                const enabled = facts.get('optionalPackages').value;
                if (catalog.enabledBy(name, variant).some((one) => enabled.includes(one)))
                    return;
                const message = `Package "${name}" is made by the platform only if bundles.enabledPackages has it, ${otherwise} unless it is there`;
                const help = 'list it there, in a change before this one';
                say({ severity, message, help, assumes: ['variant', 'optionalPackages'] });
            }
            else if (emission === 'never') {
                const message = `Package "${name}" is never made by the platform, ${otherwise} unless it is there`;
                say({ severity, message, assumes: ['release', 'variant', 'packages'] });
            }
            else {
                const [change = ''] = emission.switch.split(',');
                const [path = '', wanted = ''] = change.split('=');
                if (JSON.stringify(facts.platformValue(path.split('.'))) === wanted)
                    return;
                const message = `Package "${name}" is made by the platform only with ${path}: ${wanted}, ${otherwise} unless it is there`;
                say({
                    severity,
                    message,
                    help: 'set that, in a change before this one',
                    assumes: ['variant', 'platformValues'],
                });
            }
        }
        /** Then it has been reported by its name. */
        function isMisspelt(name) {
            return name.startsWith('cozystack.') || nearest(name, catalog.names()) !== undefined;
        }
        function isOnlyEnabled(name) {
            const enabling = base ? newIn(enabledPackagesPath, objects, base.objects) : [];
            const by = catalog.enabledBy(name, String(facts.get('variant').value));
            return enabling.some((entry) => by.includes(entry.name));
        }
    },
});

;// CONCATENATED MODULE: ./src/rules/platform-object-edited/rule.ts




/* harmony default export */ const platform_object_edited_rule = ({
    id: 'platform-object-edited',
    severity: 'error',
    summary: 'an object that the platform or the customizer itself lives by is edited from the repository',
    check(context) {
        const { entrypoints, permissions, report } = context;
        for (const rendered of entrypoints) {
            for (const object of rendered.ok ? rendered.objects.filter(isApplied) : []) {
                const edit = editOf(object, context);
                // What the account may not write is `forbidden-object`.
                if (!edit || permissions.access(rendered.entrypoint, 'patch', object.ref).allowed === false)
                    continue;
                const { message, help, path = ['metadata', 'name'] } = edit;
                // Somebody with other rights may be the one who looks after the platform.
                const severity = edit.severity ?? (permissions.isCustomizer(rendered.entrypoint) ? undefined : 'warning');
                report({ message, help, at: { object, path }, ...(severity && { severity }) });
            }
        }
    },
});
const rule_settings = `its settings are customizer.* in spec.components.platform.values of Package "${customizer.platform}"`;
function editOf(object, context) {
    const { kind, name, namespace, apiVersion } = object.ref;
    const group = apiVersion.split('/')[0] ?? '';
    const label = `${kind} "${name}"`;
    if (isPlatform(object) && lookUp(object.value, customizer.enabled) === false)
        return {
            message: `Package "${name}" switches off the customizer that applies it, so nothing in this repository is applied any more and what was applied stays`,
            help: 'take it out; to switch the customizer off, an administrator sets it with kubectl',
            path: customizer.enabled,
        };
    const isCustomizer = namespace === customizer.namespace && customizer.objects[kind]?.includes(name);
    if ((isPackage(object) && name === customizerName) || (isCustomizer && isOwnKind(kind, group)))
        return {
            message: `${label} is part of the customizer itself, so a mistake in it, or its removal, locks the customizer out`,
            help: `take it out; ${rule_settings}`,
        };
    const isSource = namespace === platformSources.namespace && platformSources.names.includes(name);
    if (group === 'source.toolkit.fluxcd.io' && isSource)
        return {
            message: `${label} is where all charts of the platform come from, so an edit of it replaces all of them, and removing the manifest does not bring the old one back`,
            help: 'take it out; the platform is upgraded with its installer',
        };
    if (group === 'cozystack.io' && kind === 'PackageSource' && name.startsWith(reservedPrefix))
        return reserved(name, context);
    return undefined;
}
function isOwnKind(kind, group) {
    return kind === 'ServiceAccount' ? group === 'v1' : group.endsWith('.toolkit.fluxcd.io');
}
function reserved(name, { contract }) {
    if (contract.catalog.source(name) !== undefined || name === customizerName)
        return {
            message: `PackageSource "${name}" is the platform's own: its variants are one list, so this manifest replaces them all, and once it is removed Flux deletes the PackageSource`,
            help: `take it out; set values on Package "${name}", and give a PackageSource of your own another prefix than ${reservedPrefix}`,
        };
    return {
        message: `PackageSource "${name}" has the prefix of the platform's own, so a release that brings one of that name replaces it`,
        help: `give it a name without the prefix ${reservedPrefix}`,
        severity: 'warning',
    };
}

;// CONCATENATED MODULE: ./src/contract/platform-values.ts
/**
 * What is known of the values of the platform chart besides their names and types: no release has a schema for them, so this is
 * read from the templates that use them. Paths are below `spec.components.platform.values` of the platform's Package.
 */
/** Words that a value understands; `refused` where the chart does not render with any other. */
const choices = {
    'publishing.certificates.solver': { words: ['http01', 'dns01'] },
    'publishing.certificates.dns01.provider': { words: ['cloudflare', 'route53', 'digitalocean', 'rfc2136'] },
    'publishing.exposedServices': { words: ['api', 'dashboard', 'cdi-uploadproxy', 'vm-exportproxy', 'linstor-gui'] },
    'bundles.iaas.gpuOperatorVariant': { words: ['default', 'vgpu'], refused: true },
    'bundles.system.variant': { words: ['isp-full', 'isp-full-generic', 'isp-hosted'] },
};
/** Lists that templates search, so that anything else keeps the chart from rendering. */
const searched = ['bundles.enabledPackages', 'bundles.disabledPackages'];
/** What belongs to the platform's upgrades, with what it decides; `but` is the administrator's all the same. */
const internal = {
    migrations: { decides: 'which migrations an upgrade runs', but: ['etcdAdoptSkipBackup'] },
    sourceRef: { decides: 'where every chart of the platform comes from' },
};
/** What a release older than any with data had, with the last release line that read it. */
const platform_values_removed = { 'publishing.exposure': 'v1.4' };
/** Keys that no template of a release names: the customizer's, which is documented, and what Helm and Cozystack pass on. */
const passedOn = ['customizer', 'global', '_cluster', '_namespace'];
/** The lists that are not empty where nobody sets them, the same in every release with data. */
const ownLists = {
    'publishing.exposedServices': ['api', 'dashboard', 'vm-exportproxy', 'cdi-uploadproxy'],
    'gateway.attachedNamespaces': [
        'cozy-cert-manager',
        'cozy-dashboard',
        'cozy-keycloak',
        'cozy-system',
        'cozy-harbor',
        'cozy-bucket',
        'cozy-kubevirt',
        'cozy-kubevirt-cdi',
        'cozy-monitoring',
        'cozy-linstor-gui',
        'default',
    ],
};

;// CONCATENATED MODULE: ./src/rules/platform-value/rule.ts








const rule_values = ['spec', 'components', 'platform', 'values'];
/* harmony default export */ const platform_value_rule = ({
    id: 'platform-value',
    severity: 'error',
    summary: 'a value of the platform that its chart does not read, does not understand or does not render with',
    check(context) {
        for (const object of context.objects.filter(isPlatform).filter(isApplied)) {
            const written = lookUp(object.value, rule_values);
            if (isObject(written))
                judgePlatform(object, written, context);
        }
    },
});
function judgePlatform(object, written, context) {
    const { contract, report } = context;
    const { catalog } = contract;
    judgeMap(written, []);
    for (const { path, ...said } of rule_refusals(context)) {
        if (lookUp(written, path) !== undefined)
            say(path, said);
    }
    function judgeMap(map, above) {
        for (const [key, value] of Object.entries(map))
            judge(value, [...above, key]);
    }
    function judge(value, path) {
        const name = path.join('.');
        if (passedOn.includes(name) || isOpen(value))
            return;
        const own = Object.hasOwn(internal, name) ? internal[name] : undefined;
        if (own && isObject(value) && Object.keys(value).some((key) => !own.but?.includes(key)))
            return say(path, {
                severity: 'warning',
                message: `${name}, which decides ${own.decides} and is the platform's own`,
                help: 'take it out; the platform is upgraded with its installer',
                instead: 'nothing',
            });
        const type = Object.hasOwn(catalog.platformValues, name) ? catalog.platformValues[name] : undefined;
        if (type)
            return judgeValue(value, path, type);
        if (!isSection(name))
            return say(path, unknown(path, value));
        if (isObject(value))
            return judgeMap(value, path);
        say(path, {
            message: `${name} to something other than a map, so the platform chart does not render and the platform is not changed any more`,
            help: 'write a map there',
            assumes: releaseFor(path),
        });
    }
    function judgeValue(value, path, type) {
        const wrong = mistyped(value, type, path.join('.'));
        if (wrong)
            return say(path, { part: 'value', assumes: releaseFor(path), ...wrong });
        for (const [word, at] of Array.isArray(value) ? rule_entries(value, path) : [[value, path]]) {
            const said = rule_misspelt(word, path.join('.'));
            if (said)
                say(at, { part: 'value', assumes: releaseFor(path), ...said });
        }
    }
    /** What every release has needs no release. */
    function releaseFor(path) {
        const [all, having] = ['bundles', path.join('.')].map((one) => catalog.releasesWithValue(one).length);
        return all === having ? [] : ['release'];
    }
    function isSection(name) {
        return Object.keys(catalog.platformValues).some((known) => known.startsWith(`${name}.`));
    }
    function unknown(path, value) {
        const name = path.join('.');
        const lastRelease = Object.hasOwn(platform_values_removed, name) ? platform_values_removed[name] : undefined;
        const others = catalog.releasesWithValue(name);
        const found = rule_meantBy(path, value, catalog);
        const meant = found?.place;
        return {
            ...(lastRelease !== undefined
                ? { instead: 'nothing' }
                : found && others.length === 0 && { instead: { place: found.place.split('.'), from: found.from } }),
            severity: 'warning',
            message: `${name}, which the platform chart of ${contract.release} does not read, so it is ignored without a word`,
            help: lastRelease
                ? `remove it; ${lastRelease} was the last release with it`
                : others.length > 0
                    ? `it is in ${others.join(', ')}`
                    : meant
                        ? `did you mean ${meant}?`
                        : 'remove it, or correct its name and its place',
            assumes: lastRelease === undefined && others.length > 0 ? ['release'] : [],
        };
    }
    function say(path, { message, part, instead, ...said }) {
        const place = { object, path: [...rule_values, ...path], part: part ?? 'key' };
        const remedy = instead && remedyFor(object, path, instead);
        report({ ...said, message: `Package "${object.ref.name}" sets ${message}`, at: place, ...(remedy && { remedy }) });
    }
}
/** Of what nobody reads so far; what comes to be read at another place may be a surprise. */
function remedyFor(object, path, instead) {
    const at = { object, path: [...rule_values, ...path] };
    if (instead === 'nothing')
        return removed(at, false);
    if ('value' in instead)
        return { ...rewritten(at, instead.value), safe: false };
    const { place, from = path } = instead;
    return moved(object, [...rule_values, ...from], [...rule_values, ...place]);
}
/** What will only be filled in later, and what takes back a value, is not judged. */
function isOpen(value) {
    return value === null || (typeof value === 'string' && isUnresolved(value));
}
function rule_entries(list, path) {
    return list.map((word, index) => [word, [...path, index]]);
}
/** A neighbour spelt alike, the one value of that name in another place, or what is written one map too deep. */
function rule_meantBy(path, value, { platformValues }) {
    const name = path.at(-1);
    const places = new Set(Object.keys(platformValues).flatMap((known) => {
        const steps = known.split('.');
        return steps.map((_, index) => steps.slice(0, index + 1).join('.'));
    }));
    const above = path.slice(0, -1);
    const siblings = [...places].filter((place) => place.split('.').slice(0, -1).join('.') === above.join('.'));
    const spelt = nearest(name, siblings.map((place) => place.split('.').at(-1)));
    if (spelt !== undefined)
        return { place: [...above, spelt].join('.'), from: path };
    const [elsewhere, another] = [...places].filter((place) => place.split('.').at(-1) === name);
    if (elsewhere !== undefined)
        return another === undefined ? { place: elsewhere, from: path } : undefined;
    return innerPlace(value, places, path);
}
function innerPlace(value, places, path) {
    if (!isObject(value))
        return undefined;
    const keys = Object.keys(value);
    const found = keys.find((key) => !key.includes('.') && places.has(key));
    if (found !== undefined)
        return { place: found, from: [...path, found] };
    const [only] = keys;
    return only !== undefined && keys.length === 1 ? innerPlace(value[only], places, [...path, only]) : undefined;
}
/** As templates take it: a number is a text as well, and a text may be a number. */
function mistyped(value, type, name) {
    if (type === 'any')
        return undefined;
    const noun = { list: 'a list', map: 'a map', boolean: 'true or false', string: 'a text' }[type] ?? 'a number';
    const help = `write ${noun} there`;
    const wrong = {
        severity: 'warning',
        message: `${name} to something other than ${noun}, which the platform chart expects`,
        help,
    };
    if (type === 'list') {
        if (Array.isArray(value))
            return undefined;
        if (!searched.includes(name) || !isFilled(value))
            return wrong;
        const { severity: _, ...refused } = wrong;
        return {
            ...refused,
            message: `${name} to something other than a list, so the platform chart does not render and the platform is not changed any more`,
        };
    }
    if (type === 'map')
        return isObject(value) ? undefined : wrong;
    if (typeof value === 'object')
        return wrong;
    if (type === 'boolean')
        return mistypedBoolean(value, name, wrong);
    const isNumber = typeof value === 'number' || (typeof value === 'string' && !Number.isNaN(Number(value)));
    return type === 'string' || isNumber ? undefined : wrong;
}
/** To a template any text but the empty one is true. */
function mistypedBoolean(value, name, wrong) {
    if (typeof value === 'boolean' || value === '')
        return undefined;
    if (typeof value !== 'string' || !/^(false|no|off|n)$/i.test(value))
        return wrong;
    return {
        message: `${name} to the text "${value}", and no text but an empty one counts as false`,
        help: 'write false, without quotes',
        instead: { value: false },
    };
}
function isFilled(value) {
    return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}
function rule_misspelt(word, name) {
    const known = Object.hasOwn(choices, name) ? choices[name] : undefined;
    if (!known || typeof word !== 'string' || word === '' || isUnresolved(word) || known.words.includes(word))
        return undefined;
    const meant = nearest(word, known.words);
    const outcome = known.refused
        ? 'so the platform chart does not render and the platform is not changed any more'
        : 'a word that nothing in the platform knows';
    return {
        message: `${name} to "${word.slice(0, 60)}", ${outcome}`,
        help: meant ? `did you mean "${meant}"?` : `it is ${alternatives(known.words)}`,
        ...(!known.refused && { severity: 'warning' }),
        ...(meant && { instead: { value: meant } }),
    };
}
/** Values that the chart does not render with, as the rest of its values is. */
function rule_refusals({ contract, facts, objects, base, snapshot }) {
    const known = knownPlatformValues({ facts, objects });
    const variant = String(facts.get('variant').value);
    const refused = contract.catalog.platformVariant(variant)?.refused ?? [];
    const found = refused.flatMap((change) => {
        const [name = '', wanted = ''] = change.split('=');
        const path = name.split('.');
        // Bundles depend on one another, so with several of them set another set is seen than the one that was tried.
        if (JSON.stringify(lookUp(known, path)) !== wanted || bundlesSet(known) > 1)
            return [];
        return [
            {
                path,
                message: `${name} to ${wanted}, which the platform chart refuses in variant ${variant}, so it does not render and the platform is not changed any more`,
                help: 'remove it, or set the other bundles so that they fit',
                assumes: ['variant', 'platformValues', 'release'],
            },
        ];
    });
    const proxy = ['publishing', 'proxyProtocol'];
    const was = knownPlatformValues({ facts, objects: base?.objects ?? [] });
    const isThere = snapshot ? Object.hasOwn(snapshot.packages, 'cozystack.ouroboros') : lookUp(was, proxy) === true;
    if (lookUp(known, proxy) !== false || !isThere)
        return found;
    if (lookUp(known, ['publishing', 'proxyProtocolAcknowledgeUnclean']) === true)
        return found;
    const message = 'publishing.proxyProtocol to false while Package "cozystack.ouroboros" is there, so the platform chart does not render and the platform is not changed any more';
    const help = 'first take the PROXY protocol off the load balancer and have an administrator delete that Package, then set publishing.proxyProtocolAcknowledgeUnclean: true as well';
    return [...found, { path: proxy, message, help, assumes: ['packages', 'platformValues'] }];
}
function bundlesSet(known) {
    const bundles = lookUp(known, ['bundles']);
    return isObject(bundles) ? Object.values(bundles).filter(isObject).length : 0;
}

;// CONCATENATED MODULE: ./src/rules/privileged-release/rule.ts

const rule_groups = {
    HelmRelease: 'helm.toolkit.fluxcd.io/',
    Kustomization: 'kustomize.toolkit.fluxcd.io/',
};
/* harmony default export */ const privileged_release_rule = ({
    id: 'privileged-release',
    severity: 'warning',
    summary: 'a HelmRelease or Flux Kustomization names no service account, so it runs with all of Flux’s rights (if enabled)',
    options: {
        enabled: { type: 'boolean', description: 'Report it; without this the rule is off' },
    },
    check({ objects, facts, options, report }) {
        if (options.enabled !== true)
            return;
        const owned = facts.get('ownedNamespaces').value;
        for (const object of objects) {
            const { kind, name, namespace = '', apiVersion } = object.ref;
            if (!Object.hasOwn(rule_groups, kind) || !apiVersion.startsWith(rule_groups[kind] ?? '') || !owned.includes(namespace))
                continue;
            if (lookUp(object.value, ['spec', 'serviceAccountName']) || lookUp(object.value, ['spec', 'kubeConfig']))
                continue;
            report({
                message: `${kind} "${name}" names no service account, so what it installs is applied with all of Flux's rights in the whole cluster`,
                help: `make a ServiceAccount in ${namespace} with the rights that it needs, and name it in spec.serviceAccountName`,
                at: { object, path: ['spec', 'serviceAccountName'] },
            });
        }
    },
});

;// CONCATENATED MODULE: ./src/facts/pruned.ts
/** What Flux applied before a change and does not have any more: with `prune` it deletes it. */



function pruned_isBuilt(rendered) {
    return rendered.ok;
}
/**
 * By inventory: group, kind, namespace and name. Nothing is said of an entrypoint that does not build, as then nothing is
 * pruned, nor of one that is gone or empty, which are problems of their own.
 */
function prunedObjects(before, after) {
    return before.flatMap((then) => {
        const now = after.find(({ entrypoint }) => sameEntrypoint(entrypoint, then.entrypoint));
        if (!then.ok || !now?.ok || now.objects.length === 0)
            return [];
        const kept = new Set(now.objects.map(({ ref }) => inventoryId(ref)));
        return then.objects
            .filter((object) => !kept.has(inventoryId(object.ref)) && isApplied(object))
            .map((object) => ({
            object,
            now,
            stays: pruned_isLeft(object, now.entrypoint),
            ...pruned_moved(object, after),
        }));
    });
}
/** The same Flux Kustomization, as far as one can tell. */
function sameEntrypoint(one, other) {
    const id = ({ path, kustomization: { namespace, name } }) => JSON.stringify([path, namespace, name]);
    return id(one) === id(other);
}
/** Whether Flux leaves it in the cluster. It reads that from the object there, so what was applied last counts. */
function pruned_isLeft({ value }, { prunes }) {
    return prunes === false || isSetTo(value, 'prune', 'disabled');
}
/** Whether a `spec` leaves anything behind; an empty map says nothing, though Flux co-owns it. */
function setsAnything(spec) {
    if (spec === undefined)
        return false;
    return isObject(spec) ? Object.values(spec).some(setsAnything) : true;
}
function pruned_moved({ ref }, after) {
    const id = inventoryId(ref);
    const home = after.find((rendered) => rendered.ok && rendered.objects.some((other) => inventoryId(other.ref) === id));
    return home ? { movedTo: home.entrypoint } : {};
}

;// CONCATENATED MODULE: ./src/rules/pruned-everything/rule.ts




/* harmony default export */ const pruned_everything_rule = ({
    id: 'pruned-everything',
    severity: 'error',
    summary: 'a directory that Flux applies renders no object at all, so Flux deletes what it applied from there',
    check({ entrypoints, base, tree, report }) {
        for (const { entrypoint, ...rendered } of entrypoints) {
            // A field of the kustomization that Flux drops is a problem of its own, which says what it leads to.
            if (!('objects' in rendered) || rendered.objects.length > 0 || rendered.dropped.length > 0)
                continue;
            const before = base?.entrypoints.find((other) => sameEntrypoint(other.entrypoint, entrypoint));
            const had = before?.ok ? before.objects.filter(isApplied) : [];
            if (before?.ok && had.length === 0)
                continue;
            report({
                ...pruned_everything_rule_judge(entrypoint, had),
                help: 'list in "resources" what is to be applied; to stop applying it for good, have the Flux Kustomization deleted',
                at: pruned_everything_rule_placeOf(entrypoint.path, tree),
                entrypoint: entrypoint.path,
            });
        }
    },
});
/** `had` is what Flux applied before; empty where nobody knows. */
function pruned_everything_rule_judge(entrypoint, had) {
    const { path, prunes } = entrypoint;
    const where = path === '.' ? 'The repository' : `"${path}"`;
    if (prunes === false)
        return { message: `${where} has nothing left to apply`, severity: 'warning' };
    if (had.length === 0)
        return {
            message: `${where} has nothing to apply; whatever Flux has applied from there before, it deletes, and stays Ready`,
            severity: 'warning',
        };
    const doomed = had.filter((object) => !pruned_isLeft(object, entrypoint));
    if (doomed.length === 0 && had.every((object) => isPackage(object) && !setsAnything(object.value.spec)))
        return {
            message: `${where} has nothing left to apply; Flux deletes nothing, and nothing stays set`,
            severity: 'warning',
        };
    if (doomed.length === 0)
        return {
            message: `${where} has nothing left to apply; Flux deletes nothing, but all that was set from there stays`,
        };
    const all = had.length === 1 ? 'the object' : `all ${had.length} objects`;
    const objects = doomed.length < had.length ? `${doomed.length} of the ${had.length} objects` : all;
    return {
        message: `${where} has nothing left to apply, so Flux deletes ${objects} that it has applied from there, as far as it may, and stays Ready`,
    };
}
/** What says that there is nothing: `resources` of the kustomization, or the directory where it has none. */
function pruned_everything_rule_placeOf(path, tree) {
    const file = kustomize_kustomizationOf(path, tree);
    return file ? { file, document: 0, path: ['resources'], part: 'key' } : { file: path };
}

;// CONCATENATED MODULE: ./src/rules/pruned-namespace/rule.ts


const setting = ['metadata', 'annotations', `${settingPrefix}prune`];
/* harmony default export */ const pruned_namespace_rule = ({
    id: 'pruned-namespace',
    severity: 'error',
    summary: 'a Namespace is taken out of the repository, which deletes it with everything in it',
    needsBase: true,
    check({ entrypoints, base, permissions, report }) {
        for (const { object, now, stays, movedTo } of prunedObjects(base?.entrypoints ?? [], entrypoints)) {
            const { kind, name, apiVersion } = object.ref;
            if (kind !== 'Namespace' || apiVersion !== 'v1' || stays || movedTo)
                continue;
            const { allowed } = permissions.access(now.entrypoint, 'delete', object.ref);
            if (allowed === false)
                continue;
            const account = permissions.accountName(now.entrypoint);
            const provided = allowed === 'unknown' ? `, if ${account} may` : '';
            report({
                message: `Namespace "${name}" is no longer applied from here, so Flux deletes it${provided}, and everything in it with it`,
                help: 'to keep it, annotate it with kustomize.toolkit.fluxcd.io/prune: disabled, let Flux apply that, then remove it',
                at: { object, path: ['metadata', 'name'] },
                remedy: {
                    title: `for now, bring Namespace "${name}" back with prune: disabled`,
                    safe: false,
                    changes: [{ do: 'restore', object, without: [], add: [{ path: setting, value: 'disabled' }] }],
                },
                ...(provided && { severity: 'warning' }),
            });
        }
    },
});

;// CONCATENATED MODULE: ./src/rules/pruned-package/rule.ts




const revert = 'to undo it, first commit the manifest without its values, let Flux apply that, then remove the manifest';
const spare = 'with kustomize.toolkit.fluxcd.io/prune: disabled on it, applied before, Flux would not try';
const rule_setting = ['metadata', 'annotations', `${settingPrefix}prune`];
const rule_protect = 'to keep it, annotate it with kustomize.toolkit.fluxcd.io/prune: disabled, let Flux apply that, then remove it';
/* harmony default export */ const pruned_package_rule = ({
    id: 'pruned-package',
    severity: 'error',
    summary: 'a Package is taken out of the repository, which uninstalls it or leaves its values behind, never undoes them',
    needsBase: true,
    check({ entrypoints, base, contract, permissions, report }) {
        for (const pruned of prunedObjects(base?.entrypoints ?? [], entrypoints)) {
            if (isPackage(pruned.object))
                judge(pruned);
        }
        function judge(pruned) {
            const { object, now, movedTo } = pruned;
            const { name } = object.ref;
            const account = permissions.accountName(now.entrypoint);
            const ofPlatform = contract.catalog.source(name) !== undefined;
            const { allowed } = permissions.access(now.entrypoint, 'delete', object.ref);
            const leaves = setsAnything(lookUp(object.value, ['spec']));
            const gone = `Package "${name}" is no longer applied from here`;
            const say = (severity, message, help) => report({ severity, message, help, at: { object, path: ['metadata', 'name'] }, ...pruned_package_rule_remedy(pruned, help) });
            if (pruned.stays) {
                if (leaves && !movedTo)
                    say('warning', `${gone}, and as it is not pruned, what was set in it stays`, revert);
            }
            else if (movedTo) {
                if (allowed !== false)
                    say('warning', `Package "${name}" moves to "${movedTo.path}": if Flux prunes it here first, all that it installed is uninstalled`, rule_protect);
            }
            else if (allowed === true) {
                say(ofPlatform ? 'error' : 'warning', `${gone}, so Flux deletes it, and the platform uninstalls all that it has installed`, rule_protect);
            }
            else if (allowed === 'unknown') {
                say('warning', `${gone}: if ${account} may delete it, all that it has installed is uninstalled, else what was set in it stays`, rule_protect);
            }
            else if (!ofPlatform) {
                say('warning', `${gone}, but ${account} may not delete it, so it stays with all that it has installed`, 'have an administrator delete it');
            }
            else if (leaves) {
                say('error', `${gone}, but ${account} may not delete it: Flux fails once and forgets it, and what was set in it stays`, revert);
            }
            else {
                say('notice', `${gone}, but ${account} may not delete it, so Flux fails once before it forgets it`, spare);
            }
        }
    },
});
/** The first of the two commits; the second one takes it out again. */
function pruned_package_rule_remedy({ object, stays, movedTo }, help) {
    if (movedTo || ![revert, rule_protect, spare].includes(help))
        return {};
    const without = help === revert ? [['spec']] : [];
    const add = stays ? [] : [{ path: rule_setting, value: 'disabled' }];
    const parts = [...(stays ? [] : ['with prune: disabled']), ...(help === revert ? ['without its values'] : [])];
    const title = `for now, bring Package "${object.ref.name}" back ${parts.join(' and ')}`;
    return { remedy: { title, safe: false, changes: [{ do: 'restore', object, without, add }] } };
}

;// CONCATENATED MODULE: ./src/rules/realm-import-not-rerun/rule.ts





/* harmony default export */ const realm_import_not_rerun_rule = ({
    id: 'realm-import-not-rerun',
    severity: 'warning',
    summary: 'what a realm import is made of has changed, but not the import itself, so it does not run again',
    needsBase: true,
    check({ objects, base, tree, report }) {
        if (!base)
            return;
        const before = new Map(base.objects.map((object) => [inventoryId(object.ref), object]));
        for (const object of objects.filter(isImport)) {
            const old = before.get(inventoryId(object.ref));
            if (!old || !(0,external_node_util_.isDeepStrictEqual)(old.value, object.value))
                continue;
            const name = `KeycloakRealmImport "${object.ref.name}"`;
            const help = 'change a label, an annotation or a field of the import along with it';
            for (const { kind, name: wanted, path } of usedBy(object)) {
                const [now, then] = [objects, base.objects].map((all) => all.find((one) => isThat(one, kind, wanted, object)));
                if (!now || !then || (0,external_node_util_.isDeepStrictEqual)(contentOf(now), contentOf(then)))
                    continue;
                report({
                    message: `${name} uses ${kind} "${wanted}", which changes, but an import runs once for each change of its own, so the realm stays as it is`,
                    help,
                    at: { object, path },
                    related: [{ message: 'this has changed', at: { object: now, path: changedKey(now, then) } }],
                });
            }
            const [written, wrote] = [textOf(object, tree), textOf(old, base.tree)];
            if (written === undefined || wrote === undefined || (0,external_node_util_.isDeepStrictEqual)(written, wrote))
                continue;
            report({
                message: `The manifest of ${name} changes, but is rendered as before, so the import does not run again`,
                help: 'see what overrides the change, and change it there',
                at: { object, path: ['metadata', 'name'] },
            });
        }
    },
});
function isImport({ ref }) {
    return ref.kind === 'KeycloakRealmImport' && groupOf(ref.apiVersion) === 'k8s.keycloak.org';
}
/** Placeholders take their values from Secrets; a pod template may mount more. What is below `realm` is Keycloak's own. */
function usedBy({ value }) {
    const spec = isObject(value.spec) ? value.spec : {};
    return Object.keys(spec)
        .filter((key) => key !== 'realm')
        .flatMap((key) => [...refsIn(spec[key], ['spec', key])]);
}
function* refsIn(value, path) {
    if (value === null || typeof value !== 'object')
        return;
    for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
        const below = value[key];
        const kind = /^secret(Ref|KeyRef)?$/.test(String(key))
            ? 'Secret'
            : /^configMap(Ref|KeyRef)?$/.test(String(key))
                ? 'ConfigMap'
                : undefined;
        const field = kind && ['name', 'secretName'].find((one) => textAt(below, [one]) !== undefined);
        if (kind && field)
            yield { kind, name: textAt(below, [field]), path: [...path, key, field] };
        else
            yield* refsIn(below, [...path, key]);
    }
}
function isThat({ ref }, kind, name, by) {
    return ref.apiVersion === 'v1' && ref.kind === kind && ref.name === name && ref.namespace === by.ref.namespace;
}
function contentOf({ value }) {
    return ['data', 'stringData', 'binaryData'].map((key) => value[key] ?? {});
}
function changedKey(now, then) {
    for (const place of ['data', 'stringData', 'binaryData']) {
        const [after, before] = [now, then].map(({ value }) => (isObject(value[place]) ? value[place] : {}));
        const key = Object.keys(after).find((one) => !(0,external_node_util_.isDeepStrictEqual)(after[one], before[one]));
        if (key !== undefined)
            return [place, key];
    }
    return ['metadata', 'name'];
}
/** As it is written, its comments left out. */
function textOf({ source }, tree) {
    const text = source && new Source(tree.text(source.file) ?? '').documents[source.document]?.text;
    if (text === undefined || depthExceeds(text, maxDepth))
        return undefined;
    return (0,dist/* parseDocument */.Tp)(text, { logLevel: 'silent' }).toJS({ maxAliasCount: 100 });
}

;// CONCATENATED MODULE: ./src/rules/refused-by-server/rule.ts
/** Reported by the simulation and by the dry run. */
/* harmony default export */ const refused_by_server_rule = ({
    id: 'refused-by-server',
    severity: 'error',
    summary: 'an API server that was asked refuses an object of which no other rule says so',
    stages: ['simulation', 'dry-run'],
});

;// CONCATENATED MODULE: ./src/rules/release-collision/rule.ts




/* harmony default export */ const release_collision_rule = ({
    id: 'release-collision',
    severity: 'error',
    summary: 'two Packages, or a Package and a manifest, write the same HelmRelease and take it from each other',
    check(context) {
        const { contract, entrypoints, report } = context;
        let made;
        for (const { objects } of entrypoints.filter((one) => one.ok)) {
            const releases = objects.filter(isHelmRelease);
            const first = new Map();
            for (const release of ownSources(objects, contract).flatMap(releasesOf)) {
                const { id, object, path, owner } = release;
                made ??= madeReleases(context);
                const platform = made.get(id);
                if (platform) {
                    report({
                        message: `${owner} makes HelmRelease "${id}", which is that of component "${platform.component}" of Package "${platform.source}": both Packages write all of it, and each takes it from the other`,
                        help,
                        at: { object, path },
                        ...(!platform.isSure && { severity: 'warning' }),
                        assumes: platform.assumes,
                    });
                }
                const other = first.get(`${id}`);
                first.set(id, other ?? release);
                if (other && collides(other, release)) {
                    report({
                        message: `${owner} makes HelmRelease "${id}", as ${lowerFirst(other.owner)} does, so the two write it over each other`,
                        help,
                        at: { object, path },
                        related: [{ message: 'the other one', at: { object: other.object, path: other.path } }],
                    });
                }
                const manifest = releases.find(({ ref }) => `${ref.namespace}/${ref.name}` === id);
                if (manifest) {
                    report({
                        message: `HelmRelease "${id}" is made by ${lowerFirst(owner)} as well, which writes all of it anew whenever it differs, so what is set here does not last`,
                        help: 'remove one of the two',
                        at: { object: manifest, path: ['metadata', 'name'] },
                        related: [{ message: 'the component', at: { object, path } }],
                    });
                }
            }
        }
    },
});
const help = 'give it a releaseName of its own, or another namespace';
/** The release is named where somebody would give it another name. */
function releasesOf({ name, object, variants }) {
    return variants.flatMap((variant) => variant.components.flatMap((component) => {
        const { install } = component;
        if (!install?.namespace)
            return [];
        const owner = `Component "${component.name}" of PackageSource "${name}"`;
        const id = `${install.namespace}/${install.releaseName}`;
        return [{ id, object, path: namedAt(component, object), variant: variant.name, owner }];
    }));
}
function namedAt({ path }, { value }) {
    const releaseName = [...path, 'install', 'releaseName'];
    return textAt(value, releaseName) ? releaseName : [...path, 'name'];
}
/** A Package has one variant at a time. */
function collides(one, other) {
    return one.object !== other.object || one.variant === other.variant;
}
function isHelmRelease(object) {
    const { kind, apiVersion } = object.ref;
    return kind === 'HelmRelease' && apiVersion.startsWith('helm.toolkit.fluxcd.io/') && isApplied(object);
}
function lowerFirst(text) {
    return text.charAt(0).toLowerCase() + text.slice(1);
}

;// CONCATENATED MODULE: ./src/rules/remote-base/rule.ts


/* harmony default export */ const remote_base_rule = ({
    id: 'remote-base',
    severity: 'error',
    summary: 'a kustomization takes something from elsewhere at every build, which nobody reviews here and nothing checks',
    reportsRefusals: true,
    check({ entrypoints, tree, base, report, notChecked }) {
        for (const rendered of entrypoints) {
            if (rendered.ok || rendered.problem.rule !== 'remote-base')
                continue;
            const { entrypoint, files } = rendered;
            const { assumes: _, ...problem } = rendered.problem;
            notChecked(`all that "${entrypoint.path}" renders`, 'a remote base is not fetched');
            const say = (at, text) => {
                const isOld = 'file' in at && text !== undefined && base?.tree.text(at.file)?.includes(text);
                report({ ...problem, at, ...(isOld && { severity: 'warning' }) });
            };
            const at = problem.at;
            say(at, rule_textAt(at, tree));
            for (const { file, path, text } of referencesIn(files, tree)) {
                if ('path' in at && 'file' in at && at.file === file && `${at.path}` === `${path}`)
                    continue;
                say({ file, document: 0, path, part: 'value' }, text);
            }
        }
    },
});
/** A build stops at the first one; the others stand in the same lists. */
function referencesIn(files, tree) {
    return files
        .filter(isKustomizationFile)
        .flatMap((file) => ['resources', 'bases', 'components'].flatMap((list) => [...remote_base_rule_entries(tree.text(file) ?? '', list)].flatMap(({ path, text }) => isRemote(text) ? [{ file, path, text }] : [])));
}
function* remote_base_rule_entries(content, list) {
    const syntax = parseSyntax(content);
    for (let index = 0;; index++) {
        const path = [list, index];
        const value = syntax?.find(path)?.value;
        if (!value)
            return;
        yield { path, text: content.slice(value.start, value.end) };
    }
}
/** What kustomize never takes for a path of its own. */
function isRemote(text) {
    return /^["']?(?:git::|(?:https?|ssh|git):\/\/|git@)/.test(text);
}
/** As it is written, to look for in the base; undefined where only the file is known. */
function rule_textAt(at, tree) {
    if (!('path' in at && 'file' in at))
        return undefined;
    const content = tree.text(at.file) ?? '';
    const value = parseSyntax(content)?.find(at.path)?.value;
    return value && content.slice(value.start, value.end).trim();
}

;// CONCATENATED MODULE: ./src/rules/repeated-kustomization-field/rule.ts




/* harmony default export */ const repeated_kustomization_field_rule = ({
    id: 'repeated-kustomization-field',
    severity: 'error',
    summary: 'a kustomization has a field twice: the last one counts, and what only the first had is deleted',
    check({ entrypoints, tree, report }) {
        const seen = new Set();
        for (const { entrypoint, files, ok } of entrypoints) {
            for (const file of ok ? files.filter((one) => isKustomizationFile(one) && !seen.has(one)) : []) {
                seen.add(file);
                for (const { field, first, last } of repeatedIn(tree.text(file) ?? '')) {
                    report({
                        message: `"${field}" stands twice in this kustomization: only the last one counts, so what only the first has is not applied, and deleted where it was`,
                        help: 'make one of them',
                        at: { file, range: last },
                        related: [{ message: 'the first one, which counts for nothing', at: { file, range: first } }],
                        entrypoint: entrypoint.path,
                    });
                }
            }
        }
    },
});
/** kustomize reads a kustomization with a parser that takes a key more than once. */
function repeatedIn(text) {
    if (depthExceeds(text, maxDepth))
        return [];
    const root = (0,dist/* parseDocument */.Tp)(text, { uniqueKeys: false, strict: false, logLevel: 'silent' }).contents;
    if (!(0,dist/* isMap */.jh)(root))
        return [];
    const source = new Source(text);
    const keys = root.items.flatMap(({ key }) => {
        if (!(0,dist/* isScalar */.jn)(key) || typeof key.value !== 'string' || !key.range)
            return [];
        const [start, end] = key.range;
        return [{ field: key.value, at: source.firstLine(start, end) }];
    });
    return [...new Set(keys.map(({ field }) => field))].flatMap((field) => {
        const places = keys.filter((one) => one.field === field).map(({ at }) => at);
        const [first, last] = [places[0], places.at(-1)];
        return places.length > 1 && first && last ? [{ field, first, last }] : [];
    });
}

;// CONCATENATED MODULE: ./src/rules/replaced-list/rule.ts




/** Advice: one notice for all of a run. */
/* harmony default export */ const replaced_list_rule = ({
    id: 'replaced-list',
    severity: 'notice',
    summary: 'a list in the values of a Package takes the place of the whole list that is there',
    check(context) {
        const { everywhere, objects, report } = context;
        const found = everywhere.flatMap((rendered) => rendered.ok
            ? rendered.objects
                .filter(isPackage)
                .filter(isApplied)
                .flatMap((object) => replaced_list_rule_judge(object, context))
            : []);
        const [first] = found;
        // Those of another cluster are that one's to report.
        if (!first || !objects.includes(first.object))
            return;
        const { object, path, outcome, at } = first;
        const lists = new Set(found.map((other) => `${other.object.ref.name} ${spell(other.path)}`));
        const more = lists.size > 1 ? `; and ${lists.size - 1} more such ${lists.size > 2 ? 'lists' : 'list'}` : '';
        report({
            message: `Package "${object.ref.name}" sets the list ${spell(path.slice(4))} as a whole, ${outcome}${more}`,
            help: 'if it was meant as an addition, list what was there as well',
            at,
        });
    },
});
function replaced_list_rule_judge(object, { snapshot }) {
    const left = isPlatform(object) ? leftOut(object) : [];
    const { managers = [] } = (snapshot && Object.hasOwn(snapshot.packages, object.ref.name) && snapshot.packages[object.ref.name]) || {};
    const others = managers.filter(({ manager }) => manager !== 'kustomize-controller' && manager !== 'helm-controller');
    const taken = others.flatMap(({ manager, fields }) => fields
        .map(readPath)
        .filter((path) => path[1] === 'components' && path[3] === 'values' && Array.isArray(lookUp(object.value, path)))
        .map((path) => ({
        object,
        path,
        at: replaced_list_rule_placeOf(object, path),
        outcome: `in place of the one that "${manager}" has set in the cluster`,
    })));
    return [...left, ...taken.filter(({ path }) => !left.some((one) => spell(one.path) === spell(path)))];
}
/** The chart's own lists, of which some entries are not there any more. */
function leftOut(object) {
    const values = lookUp(object.value, ['spec', 'components', 'platform', 'values']);
    return Object.entries(isObject(values) ? ownLists : {}).flatMap(([name, own]) => {
        const written = lookUp(values, name.split('.'));
        if (!Array.isArray(written) || written.some((item) => typeof item === 'string' && item.includes('${')))
            return [];
        const lost = own.filter((item) => !written.includes(item));
        if (lost.length === 0)
            return [];
        const shown = lost.slice(0, 3).map((item) => `"${item}"`);
        const list = lost.length > 3 ? `${shown.join(', ')} and ${lost.length - 3} more` : shown.join(', ');
        const path = ['spec', 'components', 'platform', 'values', ...name.split('.')];
        return [{ object, path, at: replaced_list_rule_placeOf(object, path), outcome: `without ${list} of the platform's own` }];
    });
}
/** Where a patch has taken an entry away, that; else the list. */
function replaced_list_rule_placeOf(object, path) {
    const lost = object.removed().find((field) => spell(field.path.slice(0, -1)) === spell(path));
    return lost ? { object, path: lost.path, removedBy: lost.by } : { object, path, part: 'key' };
}

;// CONCATENATED MODULE: ./src/rules/schema-violation/rule.ts


/* harmony default export */ const schema_violation_rule = ({
    id: 'schema-violation',
    severity: 'error',
    summary: 'an object does not fit the schema of its kind: the API server refuses it, or Flux drops the field',
    check({ objects, contract, report, notChecked }) {
        for (const object of objects) {
            const { apiVersion, kind, name } = object.ref;
            const schema = contract.schemas.find(apiVersion, kind);
            if (!schema.known) {
                notChecked(`${apiVersion} ${kind}`, schema.why === 'unserved-version' ? 'no schema for this version' : 'no schema for this kind');
                continue;
            }
            const guessed = () => !schema.builtIn && !contract.schemas.isTheSameEverywhere(apiVersion, kind);
            const { violations, skipped } = validate(object.value, schema, {
                partial: isShared(object),
            });
            for (const violation of violations) {
                report({
                    message: `${kind} "${name}": ${violation.message}`,
                    ...(violation.help && { help: violation.help }),
                    ...(violation.dropped && { severity: 'warning' }),
                    at: { object, path: violation.path, part: violation.part },
                    ...schema_violation_rule_remedy(object, violation),
                    ...(guessed() && { assumes: ['release'] }),
                });
            }
            for (const { why, count } of skipped)
                notChecked('values', why, count);
        }
        /** A manifest of an object that others write too leaves out what is theirs, so nothing is missing from it. */
        function isShared({ ref }) {
            return (ref.kind === 'Package' || (ref.kind === 'PackageSource' && contract.catalog.source(ref.name) !== undefined));
        }
    },
});
function schema_violation_rule_remedy(object, { path, instead, kind }) {
    const at = { object, path };
    if (!instead || path.length === 0)
        return {};
    if ('key' in instead)
        return { remedy: renamed(at, instead.key) };
    const { value } = instead;
    if (kind === 'enum' || typeof value !== 'string')
        return { remedy: rewritten(at, value) };
    return { remedy: quoted(at, value) };
}

;// CONCATENATED MODULE: ./src/rules/shared-object/rule.ts




/* harmony default export */ const shared_object_rule = ({
    id: 'shared-object',
    severity: 'error',
    summary: 'two Flux Kustomizations of one cluster apply the same object, and take it from each other',
    check(context) {
        const appliers = context.entrypoints.flatMap((one) => (one.ok && one.entrypoint.kustomization.name ? [one] : []));
        for (const [index, second] of appliers.entries()) {
            for (const first of appliers.slice(0, index)) {
                if (!isOneCluster(first.entrypoint, second.entrypoint, context))
                    continue;
                const known = new Map(first.objects.filter(isApplied).map((object) => [inventoryId(object.ref), object]));
                const pairs = second.objects.filter(isApplied).flatMap((object) => {
                    const other = known.get(inventoryId(object.ref));
                    return other ? [[other, object]] : [];
                });
                reportPairs(pairs, first.entrypoint, second.entrypoint, context);
            }
        }
    },
});
/** Where one directory lies in the other they share everything: that is said once, where the inner one is named. */
const rule_most = 3;
function reportPairs(pairs, first, second, { report }) {
    const [a, b] = [rule_nameOf(first), rule_nameOf(second)];
    const isSame = ([one, other]) => (0,external_node_util_.isDeepStrictEqual)(one.value, other.value);
    if (pairs.length > rule_most && second.declaredAt) {
        const same = pairs.every(isSame);
        report({
            message: `Flux Kustomization "${b}" applies ${pairs.length} objects that "${a}" applies as well: ${same ? 'each labels them as its own, and what one of them drops is deleted though the other has it' : 'they take the fields of these from each other at every reconcile'}`,
            help: 'let one of them leave them out; without a kustomization.yaml of its own a directory is all that is below it',
            at: second.declaredAt,
            entrypoint: second.path,
            ...(same && { severity: 'warning' }),
        });
        return;
    }
    for (const pair of pairs) {
        const [one, other] = pair;
        const place = (object) => ({ object, path: ['metadata', 'name'] });
        report({
            message: `${other.ref.kind} "${other.ref.name}" is applied by the Flux Kustomizations "${a}" and "${b}": ${isSame(pair) ? 'each labels it as its own, and if one of them drops it, it is deleted though the other has it' : 'they take its fields from each other at every reconcile'}`,
            help: 'let one of them leave it out',
            at: place(other),
            ...(one.source?.file !== other.source?.file && {
                related: [{ message: 'applied from here too', at: place(one) }],
            }),
            ...(isSame(pair) && { severity: 'warning' }),
        });
    }
}
function rule_nameOf({ kustomization: { namespace, name } }) {
    return namespace ? `${namespace}/${name}` : `${name}`;
}
/** Overlays of two clusters render the same objects, each for its own: what tells them apart is where Flux learns of them. */
function isOneCluster(first, second, { cluster, objects }) {
    if (rule_nameOf(first) === rule_nameOf(second))
        return false;
    if (cluster !== undefined)
        return true;
    const [one, other] = [first, second].map(({ declaredAt }) => declaredAt && (0,posix_.dirname)(declaredAt.file));
    if (one !== undefined && one === other)
        return true;
    const [above, beside] = [appliedFrom(first, objects), appliedFrom(second, objects)];
    return above.has(second.path) || beside.has(first.path) || [...above].some((path) => beside.has(path));
}
/** The entrypoints that apply the Flux Kustomization itself. */
function appliedFrom({ kustomization }, objects) {
    const { name, namespace } = kustomization;
    const own = objects.filter(({ ref }) => ref.kind === 'Kustomization' &&
        ref.apiVersion.startsWith('kustomize.toolkit.fluxcd.io/') &&
        ref.name === name &&
        ref.namespace === namespace);
    return new Set(own.map(({ entrypoint }) => entrypoint));
}

;// CONCATENATED MODULE: ./src/rules/skipped-stage/rule.ts
/** Reported where the stages are known. */
/* harmony default export */ const skipped_stage_rule = ({
    id: 'skipped-stage',
    severity: 'error',
    summary: 'a stage that the configuration requires did not run',
});

;// CONCATENATED MODULE: ./src/rules/suspended-object/rule.ts


const suspend = ['spec', 'suspend'];
/* harmony default export */ const suspended_object_rule = ({
    id: 'suspended-object',
    severity: 'notice',
    summary: 'an object is suspended or not reconciled, so changes of it are not applied, without a word',
    check({ objects, report }) {
        for (const object of objects) {
            const { kind, name, apiVersion } = object.ref;
            const [setting] = settingIn(object.value, 'reconcile');
            if (setting && isSetTo(object.value, 'reconcile', 'disabled')) {
                report({
                    message: `${kind} "${name}" is not reconciled, so nothing of this manifest reaches the cluster, and Flux does not mention it`,
                    help: 'remove that once the object is to be applied again',
                    at: { object, path: setting.path, part: 'key' },
                });
            }
            if (/\.fluxcd\.io\//.test(apiVersion) && lookUp(object.value, suspend) === true) {
                report({
                    message: `${kind} "${name}" is suspended, so Flux does not act on what it says`,
                    help: 'remove spec.suspend once it is to run again',
                    at: { object, path: suspend },
                });
            }
        }
    },
});

;// CONCATENATED MODULE: ./src/rules/symlink/rule.ts



/** A link that a kustomization names is reported by the render stage, as the build is refused. */
/* harmony default export */ const symlink_rule = ({
    id: 'symlink',
    severity: 'error',
    summary: 'a symbolic link, which Flux leaves out of what it builds, though kustomize follows it everywhere else',
    check({ entrypoints, tree, report }) {
        for (const rendered of entrypoints) {
            const { entrypoint, lost, ok } = rendered;
            if (!ok || !isGenerated(rendered, tree))
                continue;
            for (const one of lost.filter(({ path, because }) => because === 'link' && isBelow(path, entrypoint.path))) {
                const isKustomization = isKustomizationFile(one.path);
                if (!isKustomization && !generated_isListed(one.path, rendered, tree))
                    continue;
                const { message, help } = explainLost(one, tree);
                const outcome = isKustomization
                    ? 'so it takes every YAML file of the folder for a manifest'
                    : `so what it points to is not applied from "${entrypoint.path}"`;
                report({
                    message: `${message}, ${outcome}`,
                    ...(help && { help: isKustomization ? 'commit a copy of what it points to' : help }),
                    at: { file: one.path },
                    entrypoint: entrypoint.path,
                    ...(!isKustomization && { severity: 'warning' }),
                });
            }
        }
    },
});

;// CONCATENATED MODULE: ./src/rules/taken-field/rule.ts
/** Reported by the simulation. */
/* harmony default export */ const taken_field_rule = ({
    id: 'taken-field',
    severity: 'warning',
    summary: 'Flux takes a field from somebody who has set it in the cluster, with another value',
    stages: ['simulation'],
});

;// CONCATENATED MODULE: ./src/rules/unbound-service-account/rule.ts






const unbound_service_account_rule_field = ['spec', 'serviceAccountName'];
/* harmony default export */ const unbound_service_account_rule = ({
    id: 'unbound-service-account',
    severity: 'error',
    summary: 'a Flux Kustomization or HelmRelease is applied as a service account that is not there, or has no rights',
    check(context) {
        const { entrypoints, tree, report } = context;
        const known = accountsHere(context);
        for (const one of fluxObjects(entrypoints, tree)) {
            const [name, namespace] = [textAt(one.value, unbound_service_account_rule_field), textAt(one.value, ['metadata', 'namespace'])];
            if (!name || !namespace || name.includes('${') || isBound({ namespace, name }, context))
                continue;
            const words = whatIsWrong({ namespace, name }, known, context);
            if (!words)
                continue;
            report({
                message: `${labelOf(one)} is applied as service account "${namespace}/${name}", ${words.message}, so the API server refuses all of it`,
                help: words.help,
                at: one.at(unbound_service_account_rule_field),
                assumes: ['roles'],
                ...(words.meant !== undefined && { remedy: rewritten(one.at(unbound_service_account_rule_field), words.meant) }),
            });
        }
    },
});
/** Nobody makes an account for nothing: without a word about it here, others have bound it. */
function whatIsWrong(account, known, { snapshot, facts }) {
    const { namespace, name } = account;
    const isMade = known.some((one) => one.namespace === namespace && one.name === name);
    const bind = `bind a role to it (subjects: kind ServiceAccount, name ${name}, namespace ${namespace})`;
    // Roles that only the configuration names were all looked at; what else is bound is somebody else's to know.
    if (isMade)
        return facts.get('roles').source === 'config' ? undefined : { message: 'which no role is bound to', help: bind };
    const elsewhere = known.find((one) => one.name === name && one.namespace !== namespace);
    const meant = nearest(name, known.filter((one) => one.namespace === namespace).map((one) => one.name));
    const message = 'which is neither made nor bound here';
    if (meant !== undefined)
        return { message, help: `did you mean "${meant}"?`, meant };
    if (elsewhere)
        return {
            message: `which is looked for in namespace "${namespace}", while that of this repository is in "${elsewhere.namespace}"`,
            help: `make an account in ${namespace} and ${bind}`,
        };
    if (snapshot?.roles)
        return { message: 'which no role of the cluster or of this repository is bound to', help: bind };
    return undefined;
}
/** By what the repository brings, by the configuration, or by the cluster. */
function isBound(account, context) {
    const { contract, objects, snapshot, permissions } = context;
    const roles = [...rolesIn(objects), ...(snapshot?.roles ?? [])];
    const { cluster, namespaces, unknown } = grantsOf(contract.rbac, { account, objects: roles });
    if (cluster.length + namespaces.size + unknown.length > 0)
        return true;
    const entrypoint = { path: '.', why: '', kustomization: {}, account };
    const any = { apiVersion: 'v1', kind: 'ConfigMap', namespace: account.namespace, name: 'any' };
    return permissions.access(entrypoint, 'get', any).allowed !== 'unknown';
}
/** Those that the repository makes, or that a binding of it names. */
function accountsHere({ objects }) {
    return objects.flatMap(({ ref, value }) => {
        if (ref.kind === 'ServiceAccount')
            return [{ namespace: ref.namespace ?? '', name: ref.name }];
        if (ref.kind !== 'RoleBinding' && ref.kind !== 'ClusterRoleBinding')
            return [];
        const subjects = Array.isArray(value.subjects) ? value.subjects : [];
        return subjects.flatMap((subject) => {
            const name = textAt(subject, ['kind']) === 'ServiceAccount' ? textAt(subject, ['name']) : undefined;
            const namespace = textAt(subject, ['namespace']) || (ref.kind === 'RoleBinding' ? ref.namespace : undefined);
            return name === undefined || namespace === undefined ? [] : [{ namespace, name }];
        });
    });
}

;// CONCATENATED MODULE: ./src/rules/unbuildable-kustomization/rule.ts
/** Reported by the render stage. */
/* harmony default export */ const unbuildable_kustomization_rule = ({
    id: 'unbuildable-kustomization',
    severity: 'error',
    summary: 'Flux cannot build the kustomization, so nothing of it is applied',
});

;// CONCATENATED MODULE: ./src/rules/undefined-variable/rule.ts

/* harmony default export */ const undefined_variable_rule = ({
    id: 'undefined-variable',
    severity: 'warning',
    summary: 'a variable has no value where Flux substitutes variables, so it becomes empty without a word',
    check({ entrypoints, tree, report, notChecked }) {
        for (const rendered of entrypoints) {
            if (!rendered.ok)
                continue;
            const { entrypoint, undefinedVariables, files } = rendered;
            const { name, postBuild } = entrypoint.kustomization;
            for (const variable of undefinedVariables) {
                if ((postBuild?.substituteFrom ?? []).length > 0) {
                    notChecked(`variable "${variable}"`, 'the cluster may define it (substituteFrom)');
                    continue;
                }
                const found = files.flatMap((file) => placesOf(variable, file, tree));
                const [first = entrypoint.declaredAt ?? { file: files[0] ?? entrypoint.path }] = found;
                const owner = name === undefined ? 'the Flux Kustomization' : `Flux Kustomization "${name}"`;
                report({
                    message: `The variable "${variable}" has no value and no default, so Flux puts nothing in its place, without a word`,
                    help: `define it in spec.postBuild.substitute of ${owner}, give it a default (\${${variable}:=…}), or write $\${${variable}} if the text itself is meant`,
                    at: first,
                    entrypoint: entrypoint.path,
                });
            }
        }
    },
});
/** Where a file uses it, comments left out. */
function placesOf(variable, file, tree) {
    const source = new Source(tree.text(file) ?? '');
    const uses = source.text.matchAll(new RegExp(`(?<!\\$)\\$\\{#?${variable.replace(/\W/g, '\\$&')}(?!\\w)[^}\\n]*\\}?`, 'g'));
    return [...uses].flatMap(({ index, 0: text }) => {
        const { line, column } = source.position(index);
        if (/(^|\s)#/.test(source.line(line).slice(0, column - 1)))
            return [];
        return [{ file, range: source.firstLine(index, index + text.length) }];
    });
}

;// CONCATENATED MODULE: ./src/rules/unknown-component/rule.ts



/* harmony default export */ const unknown_component_rule = ({
    id: 'unknown-component',
    severity: 'warning',
    summary: 'a Package sets values for a component that it does not have; they are dropped and the Package stays Ready',
    check({ objects, contract, report }) {
        const own = new Map(objects
            .filter(({ ref }) => ref.kind === 'PackageSource')
            .map((object) => [object.ref.name, componentsOf(object)]));
        for (const object of objects) {
            const { name, kind } = object.ref;
            if (kind !== 'Package')
                continue;
            const known = own.get(name) ?? contract.catalog.source(name)?.componentNames();
            const components = lookUp(object.value, ['spec', 'components']);
            if (!known || !isObject(components))
                continue;
            for (const component of Object.keys(components)) {
                if (known.includes(component))
                    continue;
                const spelt = nearest(component, known);
                const meant = spelt ?? (known.length === 1 ? known[0] : undefined);
                const path = ['spec', 'components', component];
                report({
                    message: `Package "${name}" has no component "${component}", so what is set for it is ignored without a word`,
                    help: meant ? `did you mean "${meant}"?` : `its components are ${known.join(', ')}`,
                    at: { object, path, part: 'key' },
                    ...(meant && { remedy: { ...renamed({ object, path }, meant), safe: spelt !== undefined } }),
                    assumes: !own.has(name) && contract.catalog.knowsComponent(name, component) ? ['release'] : [],
                });
            }
        }
    },
});
/** The component names of all variants of a PackageSource in the repository. */
function componentsOf(object) {
    const variants = lookUp(object.value, ['spec', 'variants']);
    const names = (Array.isArray(variants) ? variants : []).flatMap((variant) => {
        const components = isObject(variant) ? variant.components : undefined;
        return (Array.isArray(components) ? components : []).map((component) => isObject(component) ? component.name : undefined);
    });
    return [...new Set(names.filter((name) => typeof name === 'string'))];
}

;// CONCATENATED MODULE: ./src/rules/unknown-dependency/rule.ts









/* harmony default export */ const unknown_dependency_rule = ({
    id: 'unknown-dependency',
    severity: 'error',
    summary: 'a PackageSource, HelmRelease or Flux Kustomization waits for something that is not there',
    check(context) {
        const { objects, contract, snapshot, report, notChecked } = context;
        const sources = ownSources(objects, contract);
        const known = new Set([
            customizerName,
            ...sources.map(({ name }) => name),
            ...(snapshot?.packageSources ?? []),
            ...Object.keys(snapshot?.packages ?? {}),
        ]);
        for (const source of sources) {
            for (const wanted of source.variants.flatMap(({ dependsOn }) => dependsOn)) {
                if (known.has(wanted.name))
                    continue;
                const said = contract.catalog.source(wanted.name) ? rule_notMade(wanted.name, context) : notKnown(wanted.name);
                if (said)
                    tell(source, wanted, said);
                else if (!contract.catalog.source(wanted.name))
                    notChecked(`Package "${wanted.name}"`, 'its PackageSource is not in this repository');
            }
        }
        const flux = fluxObjects(context.entrypoints, context.tree);
        const made = madeReleases(context);
        const removed = context.base ? prunedObjects(context.base.entrypoints, context.entrypoints) : [];
        for (const one of flux) {
            const ids = flux.filter(({ kind }) => kind === one.kind).map(({ id }) => id);
            const others = one.kind === 'HelmRelease' ? [...ids, ...made.keys()] : ids;
            for (const wanted of dependenciesOf(one)) {
                if (others.includes(wanted.id))
                    continue;
                const gone = removed.find(({ object }) => rule_isOf(one.kind, wanted.id, object));
                if (gone?.stays)
                    continue;
                const meant = nearestId(wanted.id, others);
                if (!gone && meant === undefined)
                    continue;
                const assumes = meant !== undefined && !ids.includes(meant) ? made.get(meant)?.assumes : undefined;
                report({
                    message: gone
                        ? `${labelOf(one)} waits for "${wanted.id}", which this change removes, so it waits for ever`
                        : `${labelOf(one)} waits for "${wanted.id}", which is not in this repository, so it may wait for ever`,
                    help: meant === undefined ? 'take it out of dependsOn' : `did you mean "${meant}"?`,
                    at: one.at(wanted.path),
                    ...(!gone && { severity: 'warning' }),
                    ...(assumes && { assumes }),
                    ...(meant !== undefined && unknown_dependency_rule_remedy(one.at(wanted.path), wanted.id, meant)),
                });
            }
        }
        /** A name of the platform's is in the catalog of some release; of others nobody knows. */
        function notKnown(name) {
            const { catalog } = contract;
            const releases = catalog.releasesWith(name);
            if (releases.length > 0)
                return {
                    message: `which is not part of release ${contract.release}`,
                    help: `it is in ${releases.join(', ')}`,
                    assumes: ['release'],
                };
            const meant = nearest(name, [...known, ...catalog.names()]);
            const owner = catalog.sourceWithComponent(name.slice(reservedPrefix.length));
            if (name.startsWith(reservedPrefix))
                return {
                    message: 'which no known release of Cozystack has',
                    help: owner ? `it is a component of "${owner}"` : meant ? `did you mean "${meant}"?` : 'correct the name',
                    ...(!owner && meant && { meant }),
                };
            return meant === undefined
                ? undefined
                : { message: 'which is not in this repository', help: `did you mean "${meant}"?`, severity: 'warning', meant };
        }
        function tell({ object, name }, { name: wanted, path }, said) {
            const { message, meant, ...rest } = said;
            report({
                message: `PackageSource "${name}" waits for Package "${wanted}", ${message}, so its own Package is never installed`,
                at: { object, path },
                ...(meant !== undefined && { remedy: rewritten({ object, path }, meant) }),
                ...rest,
            });
        }
    },
});
/** A Package that the platform does not make here may still have been made by hand. */
function rule_notMade(name, context) {
    const { objects, contract, facts, snapshot } = context;
    if (snapshot || isMade(name, context) !== false)
        return undefined;
    if (objects.some((object) => isPackage(object) && object.ref.name === name))
        return undefined;
    const variant = String(facts.get('variant').value);
    const isOptional = contract.catalog.enabledBy(name, variant).length > 0;
    return {
        message: 'which the platform does not make in this cluster',
        help: isOptional ? 'add it to bundles.enabledPackages of the platform' : 'an administrator has to create it',
        severity: 'warning',
    };
}
function rule_isOf(kind, id, { ref }) {
    const isFlux = ref.kind === kind && groupOf(ref.apiVersion).endsWith('.toolkit.fluxcd.io');
    return isFlux && `${ref.namespace}/${ref.name}` === id;
}
/** Where no more than the name is wrong. */
function unknown_dependency_rule_remedy(at, id, meant) {
    const [[namespace], [other, name]] = [id.split('/'), meant.split('/')];
    if (namespace !== other || name === undefined || !('path' in at))
        return {};
    return { remedy: { ...rewritten(at, name), safe: false } };
}
/** Misspelt, or in another namespace. */
function nearestId(id, ids) {
    const [namespace, name] = id.split('/');
    return (ids.find((other) => other.split('/')[1] === name) ??
        nearest(id, ids.filter((other) => other.split('/')[0] === namespace)));
}

;// CONCATENATED MODULE: ./src/rules/unknown-kind/rule.ts



/** A kind that nothing at all is known of is counted by schema-violation as not checked. */
/* harmony default export */ const unknown_kind_rule = ({
    id: 'unknown-kind',
    severity: 'warning',
    summary: 'a kind that its API group does not seem to have, which keeps Flux from applying anything',
    check({ objects, contract, snapshot, report }) {
        const defined = new Set(objects.flatMap(definedBy));
        for (const object of objects.filter(isApplied)) {
            const { apiVersion, kind, name } = object.ref;
            const group = groupOf(apiVersion);
            const key = `${group}/${kind}`;
            const found = contract.schemas.find(apiVersion, kind);
            if (found.known || found.why !== 'unknown-kind' || found.meant === undefined || defined.has(key))
                continue;
            if (snapshot?.kinds && Object.hasOwn(snapshot.kinds, key))
                continue;
            const where = group === '' ? 'Kubernetes itself' : `"${group}"`;
            report({
                message: `${kind} "${name}": there is no kind "${kind}" in ${where}, as far as is known; where the cluster has none either, Flux applies nothing`,
                help: `did you mean "${found.meant}"? If the cluster does have it, a snapshot of the cluster or cozystack.data says so`,
                at: { object, path: ['kind'] },
                remedy: { ...rewritten({ object, path: ['kind'] }, found.meant), safe: false },
            });
        }
    },
});
/** What a definition in the repository brings. */
function definedBy({ ref, value }) {
    if (ref.kind !== 'CustomResourceDefinition')
        return [];
    return [`${textAt(value, ['spec', 'group'])}/${textAt(value, ['spec', 'names', 'kind'])}`];
}

;// CONCATENATED MODULE: ./src/rules/unknown-kustomization-field/rule.ts



/** Fields of kustomize's `Kustomization` and `Component` (api/types/kustomization.go, v0.21.1), deprecated ones included. */
const fields = [
    'apiVersion bases buildMetadata commonAnnotations commonLabels components configMapGenerator configurations crds',
    'generatorOptions generators helmCharts helmChartInflationGenerator helmGlobals images imageTags kind labels metadata',
    'namePrefix nameSuffix namespace openapi patches patchesJson6902 patchesStrategicMerge replacements replicas resources',
    'secretGenerator sortOptions transformers validators vars',
].flatMap((line) => line.split(' '));
/* harmony default export */ const unknown_kustomization_field_rule = ({
    id: 'unknown-kustomization-field',
    severity: 'error',
    summary: 'Flux drops an unknown field of a root kustomization without a word, and prunes what it would have listed',
    check({ entrypoints, report }) {
        for (const rendered of entrypoints) {
            if (!rendered.ok)
                continue;
            for (const { file, path } of rendered.dropped) {
                const key = String(path.at(-1));
                const meant = path.length === 1 ? nearest(key, fields) : undefined;
                report({
                    message: `"${spell(path)}" is not a field of a kustomization, so Flux drops it without a word`,
                    help: `${meant ? `did you mean "${meant}"?` : 'remove it;'} what Flux applied because of it is pruned`,
                    at: { file, document: 0, path, part: 'key' },
                    remedy: meant ? renamed({ file, document: 0, path }, meant) : removed({ file, document: 0, path }, true),
                    entrypoint: rendered.entrypoint.path,
                });
            }
        }
    },
});

;// CONCATENATED MODULE: ./src/rules/unknown-package/rule.ts



/* harmony default export */ const unknown_package_rule = ({
    id: 'unknown-package',
    severity: 'error',
    summary: 'a Package has the name of no PackageSource, so the whole repository is refused or the Package never installs',
    check({ objects, contract, report, notChecked }) {
        // The customizer is documented, but its Package is in no release so far.
        const own = new Set([
            customizerName,
            ...objects.filter(({ ref }) => ref.kind === 'PackageSource').map(({ ref }) => ref.name),
        ]);
        for (const object of objects) {
            const { name, kind } = object.ref;
            if (kind !== 'Package' || own.has(name) || contract.catalog.source(name))
                continue;
            const releases = contract.catalog.releasesWith(name);
            if (releases.length > 0)
                reportOtherRelease(object, releases);
            else if (name.startsWith('cozystack.'))
                reportUnknown(object);
            else if (meantBy(name))
                reportUnknown(object, 'warning');
            else
                notChecked(`Package "${name}"`, 'its PackageSource is not in this repository, so its components are not known');
        }
        /** A misspelt name, or one that `namePrefix` or `nameSuffix` has changed. */
        function meantBy(name) {
            const names = contract.catalog.names();
            return nearest(name, names) ?? names.findLast((known) => name.endsWith(known) || name.startsWith(known));
        }
        function reportUnknown(object, severity) {
            const meant = meantBy(object.ref.name);
            const spelt = nearest(object.ref.name, contract.catalog.names());
            const owner = contract.catalog.sourceWithComponent(object.ref.name.replace(/^cozystack\./, ''));
            report({
                message: `There is no package "${object.ref.name}" in any known release of Cozystack`,
                help: owner
                    ? `it is a component: write it under spec.components of Package "${owner}"`
                    : meant
                        ? `did you mean "${meant}"?`
                        : 'correct the name; the customizer may not create Packages, so Flux would refuse the whole repository',
                at: { object, path: ['metadata', 'name'] },
                ...(severity && { severity }),
                ...(spelt && !owner && { remedy: rewritten({ object, path: ['metadata', 'name'] }, spelt) }),
            });
        }
        function reportOtherRelease(object, releases) {
            report({
                message: `Package "${object.ref.name}" is not part of release ${contract.release}`,
                help: `it is in ${releases.join(', ')}; the customizer may not create Packages, so Flux would refuse the whole repository`,
                at: { object, path: ['metadata', 'name'] },
                assumes: ['release'],
            });
        }
    },
});

;// CONCATENATED MODULE: ./src/rules/unknown-source/rule.ts







/** Where kinds of Flux name a source. */
const rule_fields = {
    'kustomize.toolkit.fluxcd.io/Kustomization': [['spec', 'sourceRef']],
    'helm.toolkit.fluxcd.io/HelmRelease': [
        ['spec', 'chartRef'],
        ['spec', 'chart', 'spec', 'sourceRef'],
    ],
    'source.toolkit.fluxcd.io/HelmChart': [['spec', 'sourceRef']],
    'image.toolkit.fluxcd.io/ImageUpdateAutomation': [['spec', 'sourceRef']],
};
/* harmony default export */ const unknown_source_rule = ({
    id: 'unknown-source',
    severity: 'warning',
    summary: 'a Flux object takes its manifests or its chart from a source that is not there',
    check(context) {
        const { base, objects, entrypoints, report } = context;
        const known = knownSources(context);
        const removed = base ? prunedObjects(base.entrypoints, entrypoints) : [];
        // What was referred to before is there, whoever has made it.
        const before = base && new Set(base.objects.flatMap((object) => rule_refsIn(object.value).map(sourceKey)));
        for (const one of referring(context)) {
            for (const ref of rule_refsIn(one.value)) {
                const key = sourceKey(ref);
                if (known.has(key) || ref.name.includes('${') || ref.namespace.includes('${'))
                    continue;
                const gone = removed.find(({ object }) => rule_isSource(object) && unknown_source_rule_keyOf(object.ref) === key);
                if (gone?.stays)
                    continue;
                const said = gone ? whatIsGone(ref) : whatIsMeant(ref, [...known], context);
                const isNew = before && !before.has(key) && objects.some(({ value }) => value === one.value);
                const rest = said ?? (isNew ? whatIsNew(ref) : undefined);
                if (!rest)
                    continue;
                const { message, meant, ...others } = rest;
                report({
                    message: `${one.label} takes its ${one.isChart ? 'chart' : 'manifests'} from ${ref.kind} "${ref.namespace}/${ref.name}", ${message}`,
                    at: one.at(ref.path),
                    ...(meant !== undefined && { remedy: { ...rewritten(one.at(ref.path), meant), safe: false } }),
                    ...others,
                });
            }
        }
    },
});
function whatIsGone(ref) {
    return {
        severity: 'error',
        message: `which this change removes, so it gets nothing new from then on`,
        help: `keep the ${ref.kind} while something refers to it`,
    };
}
function whatIsNew(ref) {
    return {
        message: 'which nothing here makes, and nothing referred to before',
        help: `commit the ${ref.kind}, or make sure that it is there before this is merged`,
    };
}
/** Of another kind, in another namespace, or misspelt. */
function whatIsMeant(ref, known, context) {
    const sources = known.map((key) => {
        const [kind = '', namespace = '', name = ''] = key.split(/[ /]/);
        return { kind, namespace, name };
    });
    const same = sources.filter(({ name }) => name === ref.name);
    const otherKind = same.find(({ namespace }) => namespace === ref.namespace);
    const elsewhere = same.find(({ kind }) => kind === ref.kind);
    const message = ref.kind === 'ExternalArtifact'
        ? 'which nothing here and nothing of the platform makes'
        : 'which is not in this repository';
    if (otherKind)
        return { message, help: `there is a ${otherKind.kind} of that name; did you mean kind: ${otherKind.kind}?` };
    if (elsewhere)
        return { message, help: `did you mean namespace: ${elsewhere.namespace}?` };
    const near = nearest(ref.name, sources.filter(({ kind, namespace }) => kind === ref.kind && namespace === ref.namespace).map(({ name }) => name));
    if (near === undefined)
        return undefined;
    const isOwn = ref.kind !== 'ExternalArtifact' || context.objects.some((one) => rule_isSource(one) && one.ref.name === near);
    return { message, help: `did you mean "${near}"?`, meant: near, ...(!isOwn && { assumes: ['release'] }) };
}
function referring({ entrypoints, objects, tree }) {
    const flux = fluxObjects(entrypoints, tree).map((one) => ({
        ...one,
        label: labelOf(one),
        isChart: one.kind === 'HelmRelease',
    }));
    const others = objects.filter(({ ref }) => ref.kind === 'HelmChart' || ref.kind === 'ImageUpdateAutomation');
    return [
        ...flux,
        ...others.map((object) => ({
            value: object.value,
            label: labelOf({ kind: object.ref.kind, id: `${object.ref.namespace}/${object.ref.name}` }),
            isChart: object.ref.kind === 'HelmChart',
            at: (path) => ({ object, path }),
        })),
    ];
}
function rule_refsIn(value) {
    const paths = rule_fields[`${groupOf(String(value.apiVersion))}/${value.kind}`] ?? [];
    return paths.flatMap((path) => sourceRefAt(value, path) ?? []);
}
/** What is rendered, what lies beside it, and what the platform makes. */
function knownSources(context) {
    const { objects, entrypoints, tree } = context;
    const beside = documentsBeside(entrypoints, tree).filter(({ value }) => isOfSources(String(value.apiVersion)));
    return new Set([
        ...objects.filter(rule_isSource).map(({ ref }) => unknown_source_rule_keyOf(ref)),
        ...objects.flatMap(artifactsOf),
        ...beside.map(keyOfBeside),
        ...platformSources.names.map((name) => sourceKey({ kind: 'OCIRepository', name, namespace: platformSources.namespace })),
        ...(customizer.objects.GitRepository ?? []).map((name) => sourceKey({ kind: 'GitRepository', name, namespace: customizer.namespace })),
        ...platformArtifacts(context),
    ]);
}
/** Every component of every variant is an artifact of its own; dots become dashes. */
function platformArtifacts({ contract, objects }) {
    const { catalog } = contract;
    const sources = [
        ...catalog.names().map((name) => ({ name, variants: catalog.source(name)?.variants ?? [] })),
        ...ownSources(objects, contract),
    ];
    return sources.flatMap(({ name, variants }) => variants.flatMap((variant) => variant.components.map((component) => sourceKey({
        kind: 'ExternalArtifact',
        namespace: platformSources.namespace,
        name: [name, variant.name, component.name].join('-').replaceAll('.', '-'),
    }))));
}
function artifactsOf({ ref, value }) {
    const list = ref.kind === 'ArtifactGenerator' ? lookUp(value, ['spec', 'artifacts']) : undefined;
    return (Array.isArray(list) ? list : []).flatMap((item) => {
        const name = textAt(item, ['name']);
        return name === undefined ? [] : [unknown_source_rule_keyOf({ kind: 'ExternalArtifact', namespace: ref.namespace, name })];
    });
}
function rule_isSource({ ref }) {
    return isOfSources(ref.apiVersion);
}
function isOfSources(apiVersion) {
    return groupOf(apiVersion) === 'source.toolkit.fluxcd.io';
}
function unknown_source_rule_keyOf({ kind, namespace = '', name }) {
    return sourceKey({ kind, namespace, name });
}
function keyOfBeside({ value }) {
    const [namespace, name] = [textAt(value, ['metadata', 'namespace']), textAt(value, ['metadata', 'name'])];
    return sourceKey({ kind: String(value.kind), namespace: namespace ?? '', name: name ?? '' });
}

;// CONCATENATED MODULE: ./src/rules/unknown-value/rule.ts





/* harmony default export */ const unknown_value_rule = ({
    id: 'unknown-value',
    severity: 'warning',
    summary: 'a Package sets a value that its chart does not have under that name or in that place, but under one much like it',
    check(context) {
        for (const written of writtenValues(context)) {
            if (isObject(written.values))
                unknown_value_rule_judge(written, written.values, context);
        }
    },
});
function unknown_value_rule_judge(written, values, context) {
    const { object, component, path, charts } = written;
    const [first = [], ...others] = charts.map((chart) => doubtful(values, chart, written, context.contract));
    // Where the variant is not known, what one of the charts has is not wrong.
    const everywhere = first.filter((one) => others.every((found) => found.some((other) => rule_isSame(one, other))));
    for (const one of everywhere) {
        if (rule_isOwned(one.path, written, context))
            continue;
        context.report({
            message: `Package "${object.ref.name}" sets ${spell(one.path)}, which the chart of component "${component}" does not have there, so it most likely does nothing`,
            help: unknown_value_rule_helpFor(one),
            at: { object, path: [...path, ...one.path], part: 'key' },
            ...unknown_value_rule_remedy(object, path, one),
            assumes: ['release'],
        });
    }
}
function doubtful(values, chart, written, { values: known }) {
    const refused = misshapen(values, chart).filter(({ kind }) => kind === 'schema');
    const { component, folders, object } = written;
    const names = [
        component,
        object.ref.name.split('.').at(-1) ?? '',
        ...folders.map((one) => one.split('/').at(-1) ?? ''),
    ];
    return misplaced(values, { ...known, chart, names }).filter((one) => !refused.some((other) => spell(other.path) === spell(one.path)));
}
function rule_isSame(one, other) {
    return spell(one.path) === spell(other.path);
}
/** The platform chart sets values that only templates read. */
function rule_isOwned(path, { object, component }, { contract, facts }) {
    const variants = new Set([String(facts.get('variant').value), 'isp-full']);
    return [...variants].some((variant) => contract.catalog
        .ownedValues(object.ref.name, { variant })
        .some((owned) => owned.component === component && path.every((key, depth) => owned.path[depth] === key)));
}
/** Only where one place can be meant. */
function unknown_value_rule_remedy(object, root, { path, meant, tooDeep }) {
    const [place, another] = meant;
    const from = [...root, ...path];
    if (!tooDeep)
        return place && !another ? { remedy: moved(object, from, [...root, ...place]) } : {};
    const { changes } = moved(object, from, from.slice(0, -1));
    return { remedy: { title: `leave out the level ${JSON.stringify(path.at(-1))}`, safe: false, changes } };
}
function unknown_value_rule_helpFor({ path, meant, tooDeep }) {
    const places = meant.map((place) => spell(place));
    if (tooDeep)
        return `leave out the level "${path.at(-1)}" and set ${unknown_value_rule_list(places, 'and')}`;
    return `did you mean ${unknown_value_rule_list(places, 'or')}?`;
}
function unknown_value_rule_list(words, last) {
    return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

;// CONCATENATED MODULE: ./src/rules/unknown-variant/rule.ts






const unknown_variant_rule_field = ['spec', 'variant'];
/* harmony default export */ const unknown_variant_rule = ({
    id: 'unknown-variant',
    severity: 'error',
    summary: 'a Package is of a variant that its PackageSource does not have, so nothing of it is installed or changed',
    check(context) {
        for (const object of context.objects.filter(isPackage).filter(isApplied)) {
            const source = sourceOf(object.ref.name, context);
            // A Package that the chart makes has its variant from the chart: setting it is `chart-owned-field`.
            if (source && (isPlatform(object) || isOwn(object, source, context)))
                unknown_variant_rule_judge(object, source, context);
        }
    },
});
function isOwn({ ref }, source, context) {
    return (source.own !== undefined || !context.contract.catalog.isManaged(ref.name) || isMade(ref.name, context) === false);
}
const rule_outcome = 'so nothing of it is installed or changed, and what is installed stays as it is';
function unknown_variant_rule_judge(object, source, context) {
    const { name } = object.ref;
    const names = source.variants.map((variant) => variant.name);
    const variant = lookUp(object.value, unknown_variant_rule_field);
    const related = source.own
        ? {
            related: [
                { message: 'its variants', at: { object: source.own, path: ['spec', 'variants'], part: 'key' } },
            ],
        }
        : {};
    const assumes = source.own ? [] : ['release'];
    if (typeof variant === 'string' && variant !== '') {
        if (names.includes(variant) || variant.includes('${'))
            return;
        const meant = nearest(variant, names);
        context.report({
            message: `Package "${name}" is of variant "${variant}", which its PackageSource does not have, ${rule_outcome}`,
            help: meant ? `did you mean "${meant}"?` : `it has ${unknown_variant_rule_list(names)}`,
            at: { object, path: unknown_variant_rule_field },
            ...related,
            assumes,
            ...(meant && { remedy: rewritten({ object, path: unknown_variant_rule_field }, meant) }),
        });
    }
    else if (source.own && !names.includes('default') && rule_variantThere(name, context) === undefined) {
        context.report({
            // The Package may be there, and have a variant from somebody else.
            severity: 'warning',
            message: `Package "${name}" names no variant, and its PackageSource has none called default, ${rule_outcome}, unless the Package in the cluster has a variant already`,
            help: `set spec.variant to ${unknown_variant_rule_list(names, 'or')}`,
            at: { object, path: unknown_variant_rule_field },
            ...related,
            assumes: [...assumes, 'packages'],
        });
    }
}
function rule_variantThere(name, { snapshot }) {
    return snapshot && Object.hasOwn(snapshot.packages, name) ? snapshot.packages[name]?.variant : undefined;
}
function unknown_variant_rule_list(names, last = 'and') {
    const quoted = names.map((name) => `"${name}"`);
    if (quoted.length < 2)
        return quoted[0] ?? 'none';
    return `${quoted.slice(0, -1).join(', ')} ${last} ${quoted.at(-1)}`;
}

;// CONCATENATED MODULE: ./src/rules/unprotected-package/rule.ts



const unprotected_package_rule_annotation = 'kustomize.toolkit.fluxcd.io/prune';
/** Advice: one notice for all of a run. */
/* harmony default export */ const unprotected_package_rule = ({
    id: 'unprotected-package',
    severity: 'notice',
    summary: 'Packages that Flux would delete with the Flux Kustomization that applies them, or hang on trying',
    check({ entrypoints, everywhere, permissions, report }) {
        const found = everywhere.flatMap((rendered) => rendered.ok && rendered.entrypoint.prunes !== false
            ? rendered.objects
                .filter(isPackage)
                .filter((object) => !isSetTo(object.value, 'prune', 'disabled') && isApplied(object))
                .map((object) => ({ object, rendered }))
            : []);
        const [first] = found;
        if (!first || !entrypoints.includes(first.rendered))
            return;
        const { object, rendered } = first;
        const path = ['metadata', 'annotations', unprotected_package_rule_annotation];
        const more = new Set(found.map((other) => other.object.ref.name)).size - 1;
        const what = `Package "${object.ref.name}"${more > 0 ? ` and ${more} more` : ''}`;
        const mayDelete = permissions.access(rendered.entrypoint, 'delete', object.ref).allowed;
        const outcome = mayDelete === false
            ? `the Flux Kustomization that applies it cannot be deleted, as Flux tries in vain to delete the Package first`
            : `Flux deletes it, and the platform uninstalls it, once the repository or the Flux Kustomization is gone`;
        report({
            message: `${what} can be pruned: ${outcome}`,
            help: `annotate every Package with ${unprotected_package_rule_annotation}: disabled`,
            at: { object, path },
            remedy: {
                title: `annotate ${more > 0 ? 'every Package' : what} with prune: disabled`,
                safe: true,
                changes: found.map((other) => ({ do: 'add', at: { object: other.object, path }, value: 'disabled' })),
            },
        });
    },
});

;// CONCATENATED MODULE: ./src/rules/unreferenced-manifest/rule.ts





/* harmony default export */ const unreferenced_manifest_rule = ({
    id: 'unreferenced-manifest',
    severity: 'warning',
    summary: 'a manifest that this change adds beside a kustomization that does not list it, so it is not applied',
    needsBase: true,
    check({ entrypoints, everywhere, tree, base, report }) {
        if (!base)
            return;
        const read = new Set(everywhere.flatMap(({ files }) => files));
        const lost = new Set(everywhere.flatMap((one) => one.lost.map(({ path }) => path)));
        const others = tree.files.filter((file) => isKustomizationFile(file) && !read.has(file));
        const seen = new Set();
        for (const file of tree.files) {
            if (!/\.ya?ml$/.test(file) || base.tree.has(file) || read.has(file) || lost.has(file))
                continue;
            const unit = unitOf(file, tree, base.tree);
            if (!unit || seen.has(unit.path) || isOnTrial(unit.path))
                continue;
            const owner = kustomizationsIn((0,posix_.dirname)(unit.path)).find((one) => read.has(one));
            const reader = owner && entrypoints.find((one) => one.files.includes(owner));
            const siblings = owner ? listedIn(owner, tree, unit.isFolder) : undefined;
            if (!owner || !reader || !siblings)
                continue;
            const name = (0,posix_.basename)(unit.path);
            // A kustomization that nothing renders may be applied by hand, and one in a comment is left out on purpose.
            const elsewhere = others.filter((one) => !isBelow(one, unit.path));
            if ([owner, ...elsewhere].some((one) => tree.text(one)?.includes(name)))
                continue;
            seen.add(unit.path);
            report({
                message: `${unit.isFolder ? `The folder "${unit.path}"` : `"${unit.path}"`} is new and no kustomization names it, so Flux does not apply it`,
                help: `list "${name}" beside "${siblings.like}" in ${owner}`,
                at: unit.at,
                related: [
                    { message: 'the list that Flux goes by', at: { file: owner, document: 0, path: siblings.path, part: 'key' } },
                ],
                entrypoint: reader.entrypoint.path,
                ...(isReady(unit, tree) && {
                    remedy: {
                        title: `list it in ${owner}`,
                        safe: false,
                        changes: [
                            {
                                do: 'insert',
                                at: { file: owner, document: 0, path: siblings.path },
                                value: (0,posix_.relative)((0,posix_.dirname)(owner), unit.path),
                            },
                        ],
                    },
                }),
            });
        }
    },
});
/** What the kustomization around it would have to list: the file, or the new folder that it came with. */
function unitOf(file, tree, before) {
    const folder = (0,posix_.dirname)(file);
    const own = kustomize_kustomizationOf(folder, tree);
    if (own === undefined || own === file) {
        if (folder === '.' || before.isDirectory(folder))
            return undefined;
        if (own && /^kind:\s*Component\b/m.test(tree.text(own) ?? ''))
            return undefined;
        const at = own ? { file, document: 0, path: ['resources'], part: 'key' } : firstObjectIn(file, tree);
        return at && { path: folder, isFolder: true, at };
    }
    const at = firstObjectIn(file, tree);
    return at && { path: file, isFolder: false, at };
}
/** A folder without a kustomization cannot be listed. */
function isReady({ path, isFolder }, tree) {
    return !isFolder || kustomize_kustomizationOf(path, tree) !== undefined;
}
/** Named as something that is not to be applied. */
function isOnTrial(path) {
    return /(^|[-._/])(examples?|samples?|templates?|tests?|testdata|docs?|disabled|drafts?|old|bak)([-._/]|$)/i.test(path);
}
/** The list of resources, where it has an entry of the same sort: a file, or a folder. */
function listedIn(owner, tree, isFolder) {
    const text = tree.text(owner) ?? '';
    const syntax = parseSyntax(text);
    for (let index = 0;; index++) {
        const value = syntax?.find(['resources', index])?.value;
        if (!value)
            return undefined;
        const entry = text
            .slice(value.start, value.end)
            .replace(/^(["'])(.*)\1$/, '$2')
            .replace(/^\.\/|\/$/g, '');
        const path = (0,posix_.dirname)(owner) === '.' ? entry : `${(0,posix_.dirname)(owner)}/${entry}`;
        if (!entry.includes('/') && (isFolder ? tree.isDirectory(path) : tree.has(path) && isBelow(path, (0,posix_.dirname)(owner))))
            return { path: ['resources'], like: entry };
    }
}

;// CONCATENATED MODULE: ./src/rules/unserved-version/rule.ts




/* harmony default export */ const unserved_version_rule = ({
    id: 'unserved-version',
    severity: 'error',
    summary: 'an object is of a version of its kind that the cluster does not serve, so nothing at all is applied',
    check(context) {
        const { entrypoints, permissions, report } = context;
        for (const rendered of entrypoints) {
            for (const object of rendered.ok ? rendered.objects.filter(isApplied) : []) {
                const { apiVersion, kind, name } = object.ref;
                const served = servedInstead(object.ref, context);
                if (!rendered.ok || !served)
                    continue;
                const group = apiVersion.includes('/') ? `${apiVersion.split('/')[0]}/` : '';
                report({
                    message: `${kind} "${name}" is of version ${apiVersion}, which the cluster does not serve, so Flux applies ${appliedBefore(object.ref, rendered, permissions)}`,
                    help: `write ${served.versions.map((version) => group + version).join(' or ')}, whose fields may differ`,
                    at: { object, path: ['apiVersion'] },
                    ...unserved_version_rule_remedy(object, served.versions.map((version) => group + version), context),
                    ...(served.isNewer && { severity: 'warning' }),
                    ...((served.isNewer || !served.isSure) && { assumes: ['release'] }),
                });
            }
        }
    },
});
/** A version that takes the object as it is; what its fields mean there is a person's to know. */
function unserved_version_rule_remedy(object, versions, { contract }) {
    const fitting = versions.find((apiVersion) => {
        const schema = contract.schemas.find(apiVersion, object.ref.kind);
        return schema.known && validate({ ...object.value, apiVersion }, schema).violations.length === 0;
    });
    const at = { object, path: ['apiVersion'] };
    return fitting === undefined ? {} : { remedy: { ...rewritten(at, fitting), safe: false } };
}
/** The versions that are served; undefined where this one is, or may be. */
function servedInstead(ref, { contract, snapshot, objects }) {
    const { apiVersion, kind } = ref;
    const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const seen = snapshot?.kinds && Object.hasOwn(snapshot.kinds, `${group}/${kind}`) && snapshot.kinds[`${group}/${kind}`];
    if (seen && seen.length > 0)
        return seen.includes(version) ? undefined : { versions: seen, isNewer: false, isSure: true };
    const found = contract.schemas.find(apiVersion, kind);
    if (found.known || found.why !== 'unserved-version' || objects.some((one) => defines(one, group, kind)))
        return undefined;
    const versions = found.served;
    // A version that is newer than the data may have come with a newer Kubernetes, or an operator of one's own.
    const isNewer = versions.every((one) => comesAfter(version, one));
    const other = contract.schemas.find(`${group ? `${group}/` : ''}${versions[0]}`, kind);
    if (isNewer && (!other.known || other.builtIn))
        return undefined;
    return { versions, isNewer, isSure: contract.schemas.isTheSameEverywhere(apiVersion, kind) };
}
/** A definition in the repository may serve more. */
function defines({ ref, value }, group, kind) {
    const isDefinition = ref.kind === 'CustomResourceDefinition';
    return (isDefinition && textAt(value, ['spec', 'group']) === group && textAt(value, ['spec', 'names', 'kind']) === kind);
}
function comesAfter(version, other) {
    const [a, b] = [version, other].map((text) => /^v(\d+)(alpha|beta)?(\d+)?$/.exec(text));
    if (!a || !b)
        return true;
    const rank = ([, major, stage, minor]) => [
        Number(major),
        stage === undefined ? 2 : stage === 'beta' ? 1 : 0,
        Number(minor ?? 0),
    ];
    const [left, right] = [rank(a), rank(b)];
    const index = left.findIndex((number, at) => number !== right[at]);
    return index >= 0 && left[index] > right[index];
}

;// CONCATENATED MODULE: ./src/rules/unused-ignore/rule.ts
/** Reported where ignores are applied. */
/* harmony default export */ const unused_ignore_rule = ({
    id: 'unused-ignore',
    severity: 'warning',
    summary: 'an ignore hides nothing, so it can go before it hides something else',
});

;// CONCATENATED MODULE: ./src/rules/index.ts
// Generated by `npm run build:rules` from the folders beside this file. Do not edit.








































































const rules = [
    rule,
    chart_owned_field_rule,
    chart_owned_value_rule,
    claimed_field_dropped_rule,
    component_without_install_rule,
    copied_live_object_rule,
    dead_patch_rule,
    dependency_cycle_rule,
    disabled_dependency_rule,
    dropped_labels_rule,
    duplicate_key_rule,
    duplicate_list_key_rule,
    duplicate_object_rule,
    encrypted_without_decryption_rule,
    expired_ignore_rule,
    forbidden_object_rule,
    forced_recreate_rule,
    foreign_install_namespace_rule,
    ignored_file_rule,
    ineffective_bundle_entry_rule,
    ineffective_health_check_rule,
    ineffective_ignored_dependency_rule,
    invalid_config_rule,
    invalid_package_source_rule,
    invalid_value_rule,
    kubectl_takeover_rule,
    literal_variable_rule,
    lost_field_rule,
    misplaced_flux_annotation_rule,
    missing_entrypoint_rule,
    missing_kustomization_rule,
    missing_namespace_rule,
    missing_path_rule,
    not_there_yet_rule,
    old_snapshot_rule,
    other_flux_version_rule,
    other_keycloak_operator_rule,
    overridden_release_rule,
    package_not_created_here_rule,
    platform_object_edited_rule,
    platform_value_rule,
    privileged_release_rule,
    pruned_everything_rule,
    pruned_namespace_rule,
    pruned_package_rule,
    realm_import_not_rerun_rule,
    refused_by_server_rule,
    release_collision_rule,
    remote_base_rule,
    repeated_kustomization_field_rule,
    replaced_list_rule,
    schema_violation_rule,
    shared_object_rule,
    skipped_stage_rule,
    suspended_object_rule,
    symlink_rule,
    taken_field_rule,
    unbound_service_account_rule,
    unbuildable_kustomization_rule,
    undefined_variable_rule,
    unknown_component_rule,
    unknown_dependency_rule,
    unknown_kind_rule,
    unknown_kustomization_field_rule,
    unknown_package_rule,
    unknown_source_rule,
    unknown_value_rule,
    unknown_variant_rule,
    unprotected_package_rule,
    unreferenced_manifest_rule,
    unserved_version_rule,
    unused_ignore_rule,
];

;// CONCATENATED MODULE: ./src/survey.ts
/** What a repository renders, before and after a change, and for which clusters: all that comes before judging it. */












/** The engines are closed when the work begins, and in any case. */
async function survey(options, work) {
    const { change } = options;
    const tree = options.head ?? change?.head ?? (await openWorkTree(options.directory));
    requireConfig(tree, options.config);
    const before = change?.base ?? (options.base === undefined ? undefined : await openBase(options.directory, options.base));
    const head = withEngine(tree, options.home);
    const base = before && withEngine(before, options.home);
    const { policy, problems: mistakes } = policyOf(tree, before, options);
    const ownData = ownDataOf(policy.config, policy.from === 'base' && before ? before : tree);
    try {
        const found = await discover(tree, head.engine, policy.config, options);
        const known = base ? await discover(base.tree, base.engine, policy.config, pathsIn(base.tree, options)) : undefined;
        const { entrypoints, problems: gone } = union(found.entrypoints, known?.entrypoints ?? [], tree);
        const rendered = await render(tree, head.engine, entrypoints, options.progress);
        const renderedBefore = base && known && (await renderBase(head, base, known.entrypoints, rendered));
        const clusters = await clustersOf(rendered, renderedBefore, {
            config: policy.config,
            data: (0,external_node_path_.join)(options.home, 'schemas'),
            facts: policy.facts === 'base' ? base : head,
            ...(ownData && { ownData: ownData.directory }),
            ...(options.release && { release: options.release }),
        });
        // They hold much, and have no more to do.
        await Promise.all([head.engine.close(), base?.engine.close()]);
        return await work({
            trees: { head: tree, ...(before && { base: before }) },
            policy,
            rendered: { head: rendered, ...(renderedBefore && { base: renderedBefore }) },
            clusters,
            mistakes: { head: [...mistakes.head, ...gone], base: mistakes.base },
            skipped: found.skipped,
        });
    }
    finally {
        ownData?.close();
        await Promise.all([head.engine.close(), base?.engine.close()]);
    }
}
/** The configuration that counts, and what is wrong with those of both revisions. */
function policyOf(head, base, options) {
    const [now, before] = [head, base].map((tree) => tree && readConfig(tree, rules, options.config));
    const policy = decidePolicy({
        head: now?.config,
        base: before?.config,
        with: base ? 'base' : options.change || options.trust === 'fork' ? 'unknown' : 'nothing',
        trust: options.trust ?? 'same-repository',
    });
    return { policy, problems: { head: now?.problems ?? [], base: before?.problems ?? [] } };
}
/** A directory that is new has no entrypoint in the base. */
function pathsIn(tree, options) {
    return {
        ...options,
        paths: options.paths.filter((path) => tree.isDirectory(path)),
        onlyPaths: options.paths.length > 0,
    };
}

;// CONCATENATED MODULE: ./src/commands/common.ts
/** What the commands share: what they are told, and how they answer. */



/** What every command that judges the repository is told about it. */
async function surveyOptions({ directory, values }, home, progress) {
    return {
        directory,
        home,
        paths: values.path ?? [],
        remotes: await remotesOf(directory),
        progress: progress.update,
        ...(values.config !== undefined && { config: values.config }),
        ...(values.release !== undefined && { release: values.release }),
        ...(values.base !== undefined && { base: values.base }),
    };
}
/** At a terminal, unless somebody asks for none. */
function wantsColor(values) {
    return !values['no-color'] && values.output === undefined && process.stdout.isTTY === true && !process.env.NO_COLOR;
}
/** To the file that is named, or to standard output. */
function write(text, { output }) {
    if (output === undefined)
        process.stdout.write(text);
    else
        (0,external_node_fs_.writeFileSync)(output, text);
}
/** The one that `--cluster` names, or all. Throws a `UsageError` for a name that the repository does not have. */
function wantedClusters(clusters, { cluster }) {
    const wanted = clusters.filter(({ name }) => cluster === undefined || name === cluster);
    if (wanted.length === 0)
        throw new UsageError(`the repository has no cluster "${cluster}"`);
    return wanted;
}

;// CONCATENATED MODULE: ./src/graph/dot.ts
/** The graph in Graphviz' language. */

function toDot({ release, nodes, edges }, notes) {
    return [
        ...[`Cozystack ${release}`, ...notes].map((note) => `// ${note}`),
        'digraph {',
        '  rankdir="RL" nodesep="0.5" ranksep="1.0"',
        '  node [shape="box" style="rounded,filled" fillcolor="white" fontname="sans-serif"]',
        '  edge [fontname="sans-serif" fontsize="10"]',
        ...nodes.map((node) => `  ${quote(node.name)}${dot_attributes(looks(node))}`),
        ...edges.map((edge) => `  ${quote(edge.from)} -> ${quote(edge.to)}${dot_attributes(linesOf(edge, nodes))}`),
        '}',
        '',
    ].join('\n');
}
function looks({ kind, missing, touched }) {
    return {
        ...(kind === 'component' && { shape: 'ellipse', style: 'filled' }),
        ...(touched && { fillcolor: 'lightblue', penwidth: '2' }),
        ...(missing && { color: 'red', fontcolor: 'red', style: 'dashed' }),
    };
}
function linesOf({ to, variants, ignored }, nodes) {
    const missing = nodes.some(({ name, missing }) => missing && name === to);
    return {
        ...(variants && { label: variants.join(', ') }),
        ...(missing && { color: 'red' }),
        ...(ignored && { style: 'dashed' }),
    };
}
function dot_attributes(given) {
    const words = Object.entries(given).map(([key, value]) => `${key}=${quote(value)}`);
    return words.length > 0 ? ` [${words.join(' ')}]` : '';
}
/** A backslash is an escape of labels too, such as `\N`, so it is doubled. */
function quote(text) {
    return `"${printable(text).replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`;
}

;// CONCATENATED MODULE: ./src/graph/graph.ts




/** Sorted by name, so that the same input gives the same picture. */
function dependencyGraph(cluster, options) {
    const { contract, facts, snapshot, head } = cluster;
    const known = { contract, facts, snapshot, objects: head.objects };
    const drawing = new Drawing(touchedBy(known.objects));
    const all = sourceNames(known);
    const shown = options.installed ? installedPackages(known) : new Set(all);
    for (const name of all.filter((name) => shown.has(name)))
        drawPackage(name, known, { ...options, shown, drawing });
    return { release: known.contract.release, ...drawing.result() };
}
function drawPackage(name, known, { installed, components, shown, drawing }) {
    const variants = installed ? installedVariants(name, known) : (sourceOf(name, known)?.variants ?? []);
    const ignored = new Set(packagesNamed(name, known.objects).flatMap(({ value }) => sources_texts(lookUp(value, ['spec', 'ignoreDependencies']))));
    drawing.node(name, 'package');
    for (const [wanted, by] of waiting(variants, ({ dependsOn }) => dependsOn)) {
        if (wanted === customizerName)
            drawing.node(wanted, 'package');
        else if (!shown.has(wanted))
            drawing.missing(wanted, 'package');
        drawing.edge(name, wanted, { by, of: variants, ignored: ignored.has(wanted) });
    }
    if (!components)
        return;
    const installing = (variant) => variant.components.filter(({ install }) => install);
    for (const [component, by] of waiting(variants, (variant) => installing(variant).map(({ name }) => name))) {
        const id = `${name}.${component}`;
        const having = variants.filter((variant) => by.includes(variant.name));
        const wants = waiting(having, (variant) => installing(variant).find(isNamed(component))?.install?.dependsOn ?? []);
        drawing.node(id, 'component', name);
        if (wants.size === 0)
            drawing.edge(id, name, { by, of: variants });
        for (const [wanted, by] of wants) {
            if (!having.some((variant) => installing(variant).some(isNamed(wanted))))
                drawing.missing(`${name}.${wanted}`, 'component');
            drawing.edge(id, `${name}.${wanted}`, { by, of: having });
        }
    }
}
function isNamed(name) {
    return (one) => one.name === name;
}
/** What the variants name, with the names of those that do. */
function waiting(variants, named) {
    const found = new Map();
    for (const variant of variants) {
        for (const name of new Set(named(variant)))
            found.set(name, [...(found.get(name) ?? []), variant.name]);
    }
    return found;
}
class Drawing {
    touched;
    #nodes = new Map();
    #edges = [];
    constructor(touched) {
        this.touched = touched;
    }
    node(name, kind, owner = name) {
        this.#nodes.set(name, { name, kind, missing: false, touched: this.touched.has(owner) });
    }
    /** Unless it is there after all. */
    missing(name, kind) {
        if (!this.#nodes.has(name))
            this.#nodes.set(name, { name, kind, missing: true, touched: this.touched.has(name) });
    }
    edge(from, to, { by, of, ignored = false }) {
        const some = by.length < of.length && { variants: by };
        this.#edges.push({ from, to, ...some, ...(ignored && { ignored }) });
    }
    result() {
        const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
        return {
            nodes: [...this.#nodes.values()].sort((a, b) => compare(a.name, b.name)),
            edges: this.#edges.sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to)),
        };
    }
}
function touchedBy(objects) {
    return new Set(objects.filter((object) => isPackage(object) || isSource(object.ref)).map(({ ref }) => ref.name));
}
/** Of the release and of the repository; those that only a snapshot shows have a name, but nothing is known to wait. */
function sourceNames({ contract, objects, snapshot }) {
    const own = objects.flatMap(({ ref }) => (isSource(ref) ? [ref.name] : []));
    const seen = [...(snapshot?.packageSources ?? []), ...Object.keys(snapshot?.packages ?? {})];
    return [...new Set([...contract.catalog.names(), ...own, ...seen])].sort();
}
/** Seen in the cluster; else those that the repository creates and that the platform makes, as far as that is known. */
function installedPackages(known) {
    const { contract, facts, objects, snapshot } = known;
    const variant = String(facts.get('variant').value);
    const made = contract.catalog.names().filter((name) => {
        const sure = isMade(name, known);
        return sure ?? contract.catalog.emitted(name, variant) === 'always';
    });
    const own = objects.filter((object) => isPackage(object) && lookUp(object.value, ['spec', 'variant']) !== undefined);
    return new Set([
        ...Object.keys(snapshot?.packages ?? {}),
        ...(snapshot ? [] : made),
        ...own.map(({ ref }) => ref.name),
    ]);
}
/** The variant that is written, or was seen, or that the platform chart gives it as far as that is known or assumed. */
function installedVariants(name, known) {
    const source = sourceOf(name, known);
    if (!source)
        return [];
    const [own] = packagesNamed(name, known.objects);
    const seen = entryOf(known.snapshot?.packages, name)?.variant;
    const sure = (own && textAt(own.value, ['spec', 'variant'])) ?? seen ?? chartsVariant(name, known);
    const platform = known.contract.catalog.platformVariant(String(known.facts.get('variant').value));
    const variant = sure ?? entryOf(platform?.packages, name)?.variant;
    return source.variants.filter((one) => one.name === (variant ?? one.name));
}
/** Names come from an untrusted repository: `constructor` is not a package. */
function entryOf(map, name) {
    return map && Object.hasOwn(map, name) ? map[name] : undefined;
}

;// CONCATENATED MODULE: ./src/graph/mermaid.ts
function toMermaid({ release, nodes, edges }, notes = []) {
    const ids = new Map(nodes.map(({ name }, index) => [name, `n${index}`]));
    const missing = new Set(nodes.filter((node) => node.missing).map(({ name }) => name));
    const lines = edges.map(({ from, to, variants, ignored }) => {
        const arrow = ignored ? '-.->' : '-->';
        return `  ${ids.get(from)} ${arrow}${variants ? `|"${mermaid_text(variants.join(', '))}"|` : ''} ${ids.get(to)}`;
    });
    const red = edges.flatMap(({ to }, index) => (missing.has(to) ? [index] : []));
    const classed = (name, members) => members.length > 0 ? [`  class ${members.join(',')} ${name}`] : [];
    const idsOf = (wanted) => nodes.filter(wanted).map(({ name }) => ids.get(name));
    return [
        ...[`Cozystack ${release}`, ...notes].map((note) => `%% ${note.replace(/[{}]/g, '')}`),
        'flowchart RL',
        ...nodes.map(({ name, kind }) => {
            const [open, close] = kind === 'component' ? ['(["', '"])'] : ['["', '"]'];
            return `  ${ids.get(name)}${open}${mermaid_text(name)}${close}`;
        }),
        ...lines,
        '  classDef touched fill:#add8e6,stroke:#1f6feb,stroke-width:2px,color:#000',
        '  classDef missing stroke:#d1242f,color:#d1242f,stroke-dasharray:4',
        ...classed('touched', idsOf(({ touched, missing }) => touched && !missing)),
        ...classed('missing', idsOf(({ missing }) => missing)),
        ...(red.length > 0 ? [`  linkStyle ${red.join(',')} stroke:#d1242f`] : []),
        '',
    ].join('\n');
}
/** Whatever could mean something to Mermaid or to HTML is written as a character code. */
function mermaid_text(name) {
    return name.replace(/[^\w., /-]/gu, (character) => `#${character.codePointAt(0)};`);
}

;// CONCATENATED MODULE: ./src/commands/progress.ts

function startProgress(stream) {
    const started = Date.now();
    let last = '';
    let timer;
    const show = () => {
        if (last === '')
            return;
        const line = `${last}, ${Math.round((Date.now() - started) / 1000)} s`;
        stream.write(stream.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
    };
    // A log keeps every line, so there a word each ten seconds is enough.
    const tick = () => {
        if (stream.isTTY || seconds % 10 === 0)
            show();
        seconds += 1;
    };
    let seconds = 0;
    const put = (words) => {
        last = printable(words);
        // The engine works in its own thread, so a timer here still fires; the first word comes after a second.
        timer ??= setInterval(tick, 1000).unref();
    };
    return {
        update: (done, total, path) => put(`rendering ${done + 1} of ${total}: ${path}`),
        say: (done, total, what) => put(total > 1 ? `${what}: ${done + 1} of ${total}` : what),
        stop: () => {
            clearInterval(timer);
            if (stream.isTTY && Date.now() - started > 1000)
                stream.write('\r\u001b[K');
        },
    };
}

;// CONCATENATED MODULE: ./src/commands/graph.ts









async function graph(args, home) {
    const { values } = args;
    const progress = startProgress(process.stderr);
    const options = await surveyOptions(args, home, progress);
    const format = (values.format?.at(-1) ?? 'dot');
    return survey(options, ({ clusters, rendered }) => {
        progress.stop();
        const cluster = oneOf(clusters, values.cluster);
        const drawn = dependencyGraph(cluster, {
            installed: values.installed === true,
            components: values.components === true,
        });
        const text = written(drawn, format, notesOf(cluster, values.installed === true));
        write(text, values);
        const broken = rendered.head.filter(({ ok }) => !ok).map(({ entrypoint }) => entrypoint.path);
        for (const path of broken) {
            process.stderr.write(`warning  ${printable(path)} cannot be built, so nothing of it is in the graph\n`);
        }
        return broken.length > 0 ? 1 : 0;
    }).finally(progress.stop);
}
/** A picture shows one cluster. */
function oneOf(clusters, wanted) {
    const names = clusters.map(({ name }) => name ?? '').sort();
    const found = wanted === undefined ? clusters : clusters.filter(({ name }) => name === wanted);
    if (found.length === 1)
        return found[0];
    if (wanted !== undefined && names.some((name) => name !== ''))
        throw new UsageError(`there is no cluster "${wanted}" here: use one of ${names.join(', ')}`);
    if (wanted !== undefined)
        throw new UsageError('this repository does not tell clusters apart; leave --cluster out');
    throw new UsageError(`which cluster? use --cluster with one of ${names.join(', ')}`);
}
/** What was only assumed stands with the picture. */
function notesOf({ facts }, installed) {
    return facts
        .used()
        .filter(({ name, source }) => source === 'assumed' && (installed || name === 'release'))
        .map((fact) => `assumed: ${printable(factWords(fact))}`);
}
function written(graph, format, notes) {
    if (format === 'dot')
        return toDot(graph, notes);
    if (format === 'mermaid')
        return toMermaid(graph, notes);
    return jsonText({ ...graph, notes });
}

;// CONCATENATED MODULE: ./src/commands/objects.ts
/** Objects as kubectl prints them, in a file or on standard input. */




/** `-` is standard input. Throws a `UsageError` for what cannot be read. */
function readObjects(file) {
    return objectsIn(objects_read(file));
}
/** What `kubectl get packages -o yaml --show-managed-fields` prints. */
function readLive(file) {
    const objects = readObjects(file);
    if (objects.length === 0)
        throw new UsageError(`${file} has no object in it`);
    if (objects.some((object) => !Array.isArray(lookUp(object, ['metadata', 'managedFields']))))
        throw new UsageError(`${file} has objects without managedFields; add --show-managed-fields to kubectl get`);
    return objects;
}
function objects_read(file) {
    try {
        return (0,external_node_fs_.readFileSync)(file === '-' ? 0 : file, 'utf8');
    }
    catch {
        throw new UsageError(`${file === '-' ? 'standard input' : file} cannot be read`);
    }
}
/** Lists of objects are taken apart. JSON is faster to read than YAML, and kubectl can print either. */
function objectsIn(text) {
    const items = (value) => {
        if (!isObject(value))
            return [];
        return Array.isArray(value.items) && String(value.kind).endsWith('List') ? value.items.flatMap(items) : [value];
    };
    if (text.trimStart().startsWith('{')) {
        try {
            return items(JSON.parse(text));
        }
        catch {
            throw new UsageError('what was read begins like JSON, but is none');
        }
    }
    const documents = (0,dist/* parseAllDocuments */.hR)(text, { logLevel: 'silent' });
    if (!Array.isArray(documents))
        return [];
    const broken = documents.find(({ errors }) => errors.length > 0);
    if (broken)
        throw new UsageError('what was read is not valid YAML');
    return documents.flatMap((document) => items(document.toJS({ maxAliasCount: 0 })));
}

;// CONCATENATED MODULE: ./src/commands/audit.ts
/** `customizer-lint audit`: who has the fields of a cluster's Packages. 0 nothing is taken, 1 something is, 2 not done. */



















async function audit_audit(args, home) {
    const { values } = args;
    if ((values.live === undefined) === (values.kubeconfig === undefined))
        throw new UsageError('audit of what? either --live FILE, made with kubectl get packages -o yaml --show-managed-fields, or --kubeconfig FILE');
    if (values.context !== undefined && values.kubeconfig === undefined)
        throw new UsageError('--context needs --kubeconfig');
    const from = values.live ?? 'the cluster';
    const objects = values.kubeconfig === undefined ? readLive(from) : await ask(values.kubeconfig, values.context, home);
    if (!objects.some(isLivePackage))
        throw new UsageError(`there is no Package of Cozystack in ${from}`);
    const live = { from, data: (0,external_node_path_.join)(home, 'schemas'), ...(values.release !== undefined && { release: values.release }) };
    if (!isRepository(args))
        return audit_report(objects, live, args);
    const progress = startProgress(process.stderr);
    const options = await surveyOptions(args, home, progress);
    return survey(options, ({ clusters, trees }) => {
        progress.stop();
        return audit_report(objects, live, args, { cluster: oneOf(clusters, values.cluster), locator: new Locator(trees) });
    }).finally(progress.stop);
}
function audit_report(objects, options, { values }, repository) {
    const live = liveOf(objects, { ...options, ...(repository && { known: repository.cluster }) });
    const found = audit(live, repository?.cluster.head.objects);
    const facts = [live.facts.get('release'), live.facts.get('variant')];
    const all = { audit: found, recovery: recoveryOf(found, live), facts };
    const written = {
        color: wantsColor(values),
        locate: (name, path) => locate(name, path, repository),
    };
    write(values.format?.at(-1) === 'json' ? auditJson(all, written) : auditText(all, written), values);
    return found.findings.some(isSerious) ? 1 : 0;
}
function locate(name, path, repository) {
    const manifests = repository?.cluster.head.objects.filter(isPackage) ?? [];
    const object = manifests.find(({ ref, value }) => ref.name === name && lookUp(value, path) !== undefined);
    return object && repository?.locator.locate({ object, path }).at;
}
/** An administrator may run this anywhere, in a home directory too: what does not look like a repository is not read. */
function isRepository({ directory, values }) {
    if (directory !== '.' || values.config !== undefined || values.path !== undefined)
        return true;
    const signs = [configFile, '.git', ...kustomizationNames, 'clusters'];
    return signs.some((name) => (0,external_node_fs_.existsSync)((0,external_node_path_.join)(directory, name)));
}
function isLivePackage({ apiVersion, kind }) {
    return isPackage({ ref: { apiVersion: String(apiVersion), kind: String(kind), name: '' } });
}
const commands_audit_longest = 120;
async function ask(file, context, home) {
    try {
        const credentials = await openCredentials(home, file, context);
        const objects = await listPackages(credentials, AbortSignal.timeout(commands_audit_longest * 1000));
        return objects;
    }
    catch (error) {
        if (error instanceof Unanswered)
            throw new UsageError(error.message);
        throw error;
    }
}

;// CONCATENATED MODULE: ./src/cluster/field.ts

/**
 * `spec.ports[0].name`, `metadata.annotations[a.b/c]` of validation; `.spec.ports[port=53,protocol="UDP"].name`,
 * `.metadata.finalizers["x"]`, `.data.a.b` of server-side apply, where nobody quotes the dots of a key: the longest key that
 * the object has is meant.
 */
function readField(text, value) {
    const path = [];
    let rest = text.startsWith('.') || text.startsWith('[') ? text : `.${text}`;
    let node = value;
    while (rest !== '' && rest !== '.') {
        const step = rest.startsWith('[') ? inBrackets(rest, node) : afterDot(rest, node);
        if (!step)
            break;
        path.push(step.key);
        node = field_childOf(node, step.key);
        rest = step.rest;
    }
    return path;
}
function field_childOf(node, key) {
    if (Array.isArray(node))
        return typeof key === 'number' ? node[key] : undefined;
    return isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
}
function afterDot(text, node) {
    const rest = text.slice(1);
    const known = isObject(node) ? Object.keys(node).sort((a, b) => b.length - a.length) : [];
    const key = known.find((name) => name !== '' && rest.startsWith(name) && /^(?:$|[.[])/.test(rest.slice(name.length))) ??
        /^[^.[]+/.exec(rest)?.[0];
    return key === undefined ? undefined : { key, rest: rest.slice(key.length) };
}
function inBrackets(text, node) {
    const inner = /^\[((?:"(?:[^"\\]|\\.)*"|[^\]"])*)\]/.exec(text);
    if (!inner)
        return undefined;
    const [whole, words = ''] = inner;
    const key = field_keyOf(words, node);
    return key === undefined ? undefined : { key, rest: text.slice(whole.length) };
}
function field_keyOf(words, node) {
    if (/^\d+$/.test(words) && !isObject(node))
        return Number(words);
    const plain = field_unquoted(words.replace(/^=/, ''));
    if (!Array.isArray(node))
        return String(plain ?? words);
    if (!/^[\w-]+=/.test(words)) {
        const found = node.findIndex((item) => item === (plain ?? words));
        return found < 0 ? undefined : found;
    }
    const wanted = [...words.matchAll(/([\w-]+)=("(?:[^"\\]|\\.)*"|[^,]*)/g)];
    const fits = (item) => isObject(item) &&
        // A key that the manifest leaves out has its default: a port is one of TCP.
        wanted.every(([, name = '', said = '']) => !Object.hasOwn(item, name) || item[name] === field_unquoted(said));
    const found = node.findIndex(fits);
    return found < 0 ? undefined : found;
}
function field_unquoted(words) {
    try {
        return JSON.parse(words);
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./src/cluster/answers.ts
/** What an API server says of an object: a `Status`, taken apart into a reason, the fields it is about, and its words. */





/** Who else has set a field to another value; undefined where the answer is about anything else. */
function conflictsIn(answer, { value }) {
    const causes = causesOf(answer.body);
    if (answer.status !== 409 || causes.length === 0)
        return undefined;
    if (!causes.every(({ reason }) => reason === 'FieldManagerConflict'))
        return undefined;
    return causes.map(({ message, field }) => ({
        manager: /^conflict with "((?:[^"\\]|\\.)*)"/.exec(message)?.[1] ?? 'somebody else',
        path: readField(field, value),
    }));
}
function refusalIn(answer, asked) {
    const message = client_messageOf(answer);
    const typed = typedCauses(message, asked);
    if (typed)
        return { reason: 'unknown-field', causes: typed };
    const reason = reasonOf(answer, message);
    if (reason === 'invalid') {
        const causes = causesOf(answer.body).map((cause) => toCause(cause, asked));
        if (causes.length > 0)
            return { reason, causes: distinct(causes) };
    }
    return {
        reason,
        causes: [{ path: answers_fieldOf(reason, asked, message), message: withoutValues(ownWords(message, reason), asked) }],
    };
}
function reasonOf({ status, body }, message) {
    const reason = textAt(body, ['reason']) ?? '';
    if (/failed calling webhook|conversion webhook/.test(message))
        return 'webhook';
    if (/admission webhook ".*" denied the request|ValidatingAdmissionPolicy|violates PodSecurity|exceeded quota/.test(message))
        return 'policy';
    if (status === 403)
        return / cannot \w+ resource | attempting to grant RBAC permissions/.test(message) ? 'forbidden' : 'policy';
    if (status === 422)
        return 'invalid';
    if (status === 409)
        return 'conflict';
    if (status === 404)
        return /namespaces? "[^"]*" not found/.test(message) ? 'missing-namespace' : 'unknown-kind';
    return reason === 'Invalid' || reason === 'BadRequest' ? 'invalid' : 'other';
}
/** Flux sends what stands in a Secret's stringData as data. */
function fieldIn(text, { ref, value }) {
    const path = readField(text, value);
    const written = ref.kind === 'Secret' && path[0] === 'data' && lookUp(value, path) === undefined;
    return written && isObject(value.stringData) ? ['stringData', ...path.slice(1)] : path;
}
function causesOf(body) {
    const details = body.details;
    const causes = isObject(details) ? details.causes : undefined;
    return (Array.isArray(causes) ? causes : []).filter(isObject).map((cause) => ({
        reason: textAt(cause, ['reason']) ?? '',
        message: textAt(cause, ['message']) ?? '',
        field: textAt(cause, ['field']) ?? '',
    }));
}
function toCause({ field, message }, asked) {
    const path = field === '<nil>' ? [] : fieldIn(field, asked);
    const words = withoutValues(message.replace(/^(?:<nil>: )?/, ''), asked, path);
    return { path, message: words, ...(path.length > 0 && { named: true }) };
}
/**
 * `failed to create typed patch object (cozy-customizer/x; v1, Kind=ConfigMap): .data.a: expected string, got …`; of several,
 * one a line. All of an object that does not even fit its schema comes with this, as an internal error.
 */
function typedCauses(message, asked) {
    const found = /failed to create typed (?:patch|live|new) object \([^)]*\): (?:errors:)?([\s\S]*)$/.exec(message);
    if (!found)
        return undefined;
    const causes = [...(found[1] ?? '').matchAll(/^\s*(\.\S.*?|\[.*?): (.*)$/gm)].map(([, field = '', words = '']) => {
        const path = fieldIn(field, asked);
        const plain = words
            .replace(/, got &?(?:value\.)?[\w.]*\{[\s\S]*$/, '')
            .replace(/^field not declared in schema$/, 'the schema of its kind has no such field');
        return { path, message: withoutValues(plain, asked, path), named: true };
    });
    return causes.length > 0 ? distinct(causes) : undefined;
}
/** What the server holds against an object that was copied from a cluster. */
const copiedFields = [
    { words: /^metadata\.managedFields must be nil$/, path: ['metadata', 'managedFields'] },
    { words: /uid mismatch|UID in precondition/, path: ['metadata', 'uid'] },
    { words: /the object has been modified/, path: ['metadata', 'resourceVersion'] },
];
/** The field that a person would change, where the server names none. */
function answers_fieldOf(reason, { ref, value }, message) {
    const copied = copiedFields.find(({ words, path }) => words.test(message) && lookUp(value, path) !== undefined);
    if (copied)
        return copied.path;
    if (ref.kind === 'Namespace')
        return ['metadata', 'name'];
    if (reason === 'missing-namespace')
        return ['metadata', 'namespace'];
    if (reason === 'unknown-kind')
        return ['apiVersion'];
    if (reason === 'forbidden')
        return ref.namespace === undefined ? ['kind'] : ['metadata', 'namespace'];
    return ['metadata', 'name'];
}
/** Without what the report says anyway: which object, and that it is forbidden. */
function ownWords(message, reason) {
    const rest = message.replace(/^[\w.-]+ "[^"]*" is forbidden: /, '').replace(/\s+/g, ' ');
    return reason === 'forbidden' ? rest.replace(/^User "system:serviceaccount:([^":]*):([^"]*)"/, '$1/$2') : rest;
}
/** A value may be a secret; of what may be one nothing is repeated but what is wrong with it. */
function withoutValues(message, { ref, value }, path = []) {
    const secret = ref.kind === 'Secret' || maySecret(path);
    // Go prints all that stands in place of what was expected, as it has it in memory.
    const told = message.replace(/, got &?(?:value\.)?[\w.]*\{[\s\S]*$/, '');
    const bare = secret
        ? told.replace(/: "(?:[^"\\]|\\.)*": |"(?:[^"\\]|\\.)*"/g, (all) => (all.endsWith(': ') ? ': ' : '"…"'))
        : told;
    return shorten(hide(bare.replace(/\s+/g, ' '), secretsOf(value)), 400);
}
function hide(message, secrets) {
    return secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message);
}
/** Texts in an object whose keys say that they are secret, and all that a Secret holds. */
function secretsOf(value, path = []) {
    if (typeof value === 'string')
        return value.length > 3 && maySecret(path) ? [value] : [];
    if (Array.isArray(value))
        return value.flatMap((item, index) => secretsOf(item, [...path, index]));
    if (!isObject(value))
        return [];
    const isSecret = path.length === 0 && value.kind === 'Secret';
    return Object.entries(value).flatMap(([key, item]) => {
        const below = isSecret && (key === 'data' || key === 'stringData') ? ['secret', key] : [...path, key];
        return secretsOf(item, below);
    });
}
function distinct(causes) {
    const seen = new Set();
    return causes.filter((cause) => {
        const key = JSON.stringify(cause);
        return !seen.has(key) && seen.add(key);
    });
}

;// CONCATENATED MODULE: ./src/cluster/discovery.ts


class Discovery {
    client;
    #groups = new Map();
    constructor(client) {
        this.client = client;
    }
    /** Undefined for what is not served: `no matches for kind`. */
    async find({ apiVersion, kind }) {
        let kinds = this.#groups.get(apiVersion);
        if (!kinds) {
            kinds = this.#read(apiVersion);
            this.#groups.set(apiVersion, kinds);
        }
        return (await kinds).get(kind);
    }
    /** Something new may be served. */
    forget() {
        this.#groups.clear();
    }
    async #read(apiVersion) {
        const served = new Map();
        if (!/^(?:[a-z0-9.-]+\/)?v\w+$/.test(apiVersion))
            return served;
        const answer = await this.client.ask({ method: 'GET', path: root(apiVersion) });
        if (answer.status === 404)
            return served;
        if (answer.status !== 200)
            throw new Unanswered(`the server does not say what it serves: ${client_messageOf(answer)}`, true);
        const { resources } = answer.body;
        for (const one of Array.isArray(resources) ? resources : []) {
            const [resource, kind] = [textAt(one, ['name']), textAt(one, ['kind'])];
            if (resource === undefined || kind === undefined || resource.includes('/'))
                continue;
            served.set(kind, { resource, namespaced: isObject(one) && one.namespaced === true });
        }
        return served;
    }
}
/** Of one object, or of all of a kind in a namespace. */
function addressOf({ apiVersion, namespace, name }, { resource, namespaced }) {
    const place = namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : '';
    const object = name === undefined ? '' : `/${encodeURIComponent(name)}`;
    return `${root(apiVersion)}${place}/${resource}${object}`;
}
function root(apiVersion) {
    return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

;// CONCATENATED MODULE: ./src/cluster/apply.ts
/** The requests that Flux would make, in its order and in the name of the account it uses, all as dry runs (flux.md §2.1-2.4). */







/** As many requests at a time as a server answers without falling behind. */
const atOnce = 8;
const secondsUntilEstablished = 60;
const nameOfNew = 'customizer-lint-made-anew';
class Applier {
    options;
    #discovery;
    constructor(options) {
        this.options = options;
        this.#discovery = new Discovery(options.client);
    }
    /** Throws `Unanswered` where the server does not answer at all. */
    async all(entrypoints) {
        const replies = [];
        const stages = inStages(entrypoints);
        const total = stages.reduce((sum, { asked }) => sum + asked.length, 0);
        for (const { stage, asked } of stages) {
            const heard = await inParallel(asked, atOnce, async ({ object, rendered }, index) => {
                this.options.progress?.(replies.length + index, total);
                return { object, rendered, ...(await this.#reply(object, rendered.entrypoint)) };
            });
            replies.push(...(stage === 1 ? await this.#writeFirst(heard) : heard));
        }
        return replies;
    }
    /**
     * Leaves what was applied before the change on a cluster of our own, so that it is a change to the server too: of what may
     * not be changed any more, of what is there and need not be made. What it refuses was not there. A Package that nobody has
     * made is not made by this either.
     */
    async plant(entrypoints) {
        for (const { stage, asked } of inStages(entrypoints)) {
            await inParallel(asked, atOnce, ({ object, rendered }) => this.#plant(object, rendered.entrypoint));
            if (stage === 1)
                this.#discovery.forget();
        }
    }
    async #plant(object, entrypoint) {
        const { client } = this.options;
        try {
            const served = await this.#discovery.find(object.ref);
            if (!served)
                return;
            const path = addressOf(object.ref, served);
            const isThere = await this.#isThere(path);
            if (isPackage(object) ? !isThere : isThere && keepsWhatIsThere(object))
                return;
            const answer = await this.#patch(object, path, { entrypoint, force: true, write: true, as: undefined });
            if (answer.status < 300 && object.ref.kind === 'CustomResourceDefinition')
                await untilEstablished(client, path, secondsUntilEstablished);
        }
        catch (error) {
            if (!(error instanceof Unanswered) || error.whole)
                throw error;
        }
    }
    async #isThere(path, as) {
        const { status } = await this.options.client.ask({ method: 'GET', path, ...(as !== undefined && { as }) });
        return status === 200;
    }
    /** What the server says of one more object, without anything being written. */
    async one(object, rendered) {
        return { object, rendered, ...(await this.#reply(object, rendered.entrypoint)) };
    }
    async #reply(object, entrypoint) {
        try {
            return await this.#ask(object, entrypoint);
        }
        catch (error) {
            if (error instanceof Unanswered && !error.whole)
                return { outcome: 'unanswered', why: error.message };
            throw error;
        }
    }
    async #ask(object, entrypoint) {
        const { userOf } = this.options;
        const { ref } = object;
        const served = await this.#discovery.find(ref);
        if (!served) {
            const message = `no matches for kind "${ref.kind}" in version "${ref.apiVersion}"`;
            return { outcome: 'refused', refusal: { reason: 'unknown-kind', causes: [{ path: ['apiVersion'], message }] } };
        }
        const path = addressOf(ref, served);
        const as = userOf(entrypoint);
        const accepted = (conflicts = []) => ({ outcome: 'accepted', conflicts, written: false });
        if (keepsWhatIsThere(object) && (await this.#isThere(path, as)))
            return accepted();
        const first = await this.#patch(object, path, { entrypoint, force: false, as });
        const conflicts = conflictsIn(first, object);
        const answer = conflicts ? await this.#patch(object, path, { entrypoint, force: true, as }) : first;
        if (answer.status < 300)
            return accepted(conflicts);
        if (isTimeout(answer))
            return { outcome: 'unanswered', why: 'the server ran into its own time limit (504)' };
        if (served.namespaced && ref.namespace === undefined && (answer.status === 404 || answer.status === 405)) {
            const causes = [{ path: ['metadata', 'namespace'], message: 'namespace not specified' }];
            return { outcome: 'refused', refusal: { reason: 'no-namespace', causes } };
        }
        if (isMadeAnew(object, entrypoint, answer) && (await this.#isThere(path))) {
            const made = await this.#anew(object, path, { entrypoint, as });
            return made.status < 300 ? accepted() : { outcome: 'refused', refusal: refusalIn(made, object) };
        }
        return { outcome: 'refused', refusal: refusalIn(answer, object) };
    }
    /** Flux deletes it first, which the account has to be allowed to; under another name the server takes it for new. */
    async #anew(object, path, how) {
        const { client } = this.options;
        const gone = await client.ask({ method: 'DELETE', path, query: { dryRun: 'All' }, as: how.as });
        if (gone.status >= 300)
            return gone;
        const metadata = { ...object.value.metadata, name: nameOfNew };
        const value = { ...object.value, metadata };
        const other = path.replace(/[^/]+$/, nameOfNew);
        return this.#patch({ ...object, value }, other, { ...how, force: true });
    }
    #patch(object, path, how) {
        const { client, schemas } = this.options;
        const { entrypoint, force, write = false, as } = how;
        return client.ask({
            method: 'PATCH',
            path,
            query: {
                fieldManager: 'kustomize-controller',
                force: String(force),
                ...(!write && { dryRun: 'All' }),
            },
            type: 'application/apply-patch+yaml',
            body: asSent(object, entrypoint, schemas),
            ...(as !== undefined && { as }),
        });
    }
    /** On a cluster of our own the first stage is applied, as what follows could not be judged without it. */
    async #writeFirst(replies) {
        if (!this.options.client.writes)
            return replies;
        const written = await inParallel(replies, atOnce, (reply) => this.#write(reply));
        this.#discovery.forget();
        return written;
    }
    async #write(reply) {
        if (reply.outcome !== 'accepted')
            return reply;
        const { object, rendered } = reply;
        const served = await this.#discovery.find(object.ref);
        if (!served)
            return reply;
        const path = addressOf(object.ref, served);
        const { entrypoint } = rendered;
        try {
            const as = this.options.userOf(entrypoint);
            const answer = await this.#patch(object, path, { entrypoint, force: true, write: true, as });
            if (answer.status >= 300)
                return { object, rendered, outcome: 'refused', refusal: refusalIn(answer, object) };
            if (object.ref.kind === 'CustomResourceDefinition')
                await untilEstablished(this.options.client, path, secondsUntilEstablished);
            return { ...reply, written: true };
        }
        catch (error) {
            if (!(error instanceof Unanswered) || error.whole)
                throw error;
            return { object, rendered, outcome: 'unanswered', why: error.message };
        }
    }
}
/** What Flux asks for, in its order. */
function inStages(entrypoints) {
    const all = entrypoints.flatMap((rendered) => rendered.objects
        .filter((object) => isApplied(object) && !isEncrypted(object))
        .map((object) => ({ object, rendered })));
    return [1, 2, 3].map((stage) => ({
        stage,
        asked: all.filter(({ object }) => stageOf(object.ref) === stage),
    }));
}
function keepsWhatIsThere({ value }) {
    return isSetTo(value, 'ssa', 'IfNotPresent');
}
/** As Flux does with what is set to be forced, for any object that is invalid or conflicts (fluxcd/pkg/ssa, IsImmutableError). */
function isMadeAnew({ value, ref }, { forces }, { status }) {
    if (status !== 422 && status !== 409)
        return false;
    return (forces || isSetTo(value, 'force', 'enabled')) && ref.kind !== 'CustomResourceDefinition';
}
function isTimeout({ status, body }) {
    return status === 504 || body.reason === 'Timeout';
}
/** Throws `Unanswered` for a definition that is not served in time. */
async function untilEstablished(client, path, seconds) {
    const end = Date.now() + seconds * 1000;
    let why = '';
    for (;;) {
        const { body } = await client.ask({ method: 'GET', path });
        const conditions = (body.status?.conditions ?? []);
        const isTrue = (type) => conditions.find((one) => one.type === type)?.status === 'True';
        if (isTrue('Established'))
            return;
        const refused = conditions.find(({ type, status }) => type === 'NamesAccepted' && status === 'False');
        why = String(refused?.message ?? why);
        if (refused || Date.now() > end) {
            const name = decodeURIComponent(path.split('/').at(-1) ?? '');
            throw new Unanswered(`the definition ${name} is not served ${refused ? `: ${why}` : `after ${seconds} s`}`.replace(' :', ':'), false);
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
}

;// CONCATENATED MODULE: ./src/cluster/compare.ts

/** In the order in which an API server comes to it: what it refuses early hides what it would refuse later. */
const steps = ['kind', 'right', 'schema', 'create'];
const stepOf = {
    'unknown-kind': 'kind',
    'no-namespace': 'right',
    'missing-namespace': 'right',
    forbidden: 'right',
    'unknown-field': 'schema',
    invalid: 'schema',
    conflict: 'schema',
};
/** Rules that say that the API server refuses an object. Those that also say other things cannot be contradicted. */
const compare_rules = {
    'unknown-kind': { step: 'kind', only: true },
    'unserved-version': { step: 'kind', only: true },
    'forbidden-object': { step: 'right', only: true },
    'missing-namespace': { step: 'right', only: true },
    'package-not-created-here': { step: 'create', only: true },
    'not-there-yet': { step: 'right', only: false },
    'unknown-package': { step: 'create', only: false },
    'unbound-service-account': { step: 'right', only: false },
    'schema-violation': { step: 'schema', only: true },
    'duplicate-list-key': { step: 'schema', only: true },
    'copied-live-object': { step: 'schema', only: false },
    'encrypted-without-decryption': { step: 'schema', only: false },
    'claimed-field-dropped': { step: 'schema', only: false },
    'other-flux-version': { step: 'schema', only: false },
    'invalid-package-source': { step: 'schema', only: false },
};
/** `sure`: the server knows the cluster better than the rules, so that what these only suspect is no prediction. */
function compare_compare(reply, findings, sure) {
    const about = findings.filter((finding) => isAbout(finding, reply.object) && Object.hasOwn(compare_rules, finding.rule));
    const said = about.filter(({ severity }) => severity === 'error' || !sure);
    const place = ({ rule }) => steps.indexOf(compare_rules[rule].step);
    const { reason, causes } = reply.outcome === 'refused' ? reply.refusal : { reason: undefined, causes: [] };
    const isAboutMaking = reason === 'forbidden' && causes.some(({ message }) => / cannot create /.test(message));
    const step = isAboutMaking ? 'create' : reason && stepOf[reason];
    const reached = step ? steps.indexOf(step) : steps.length;
    const says = (finding, { path }) => finding.rule === 'not-there-yet' ||
        (isAboutMaking && compare_rules[finding.rule]?.step === 'right') ||
        (place(finding) === reached && (step !== 'schema' || path.length === 0 || isAlong(finding.field, path)));
    return {
        unsaid: causes.filter((cause) => !said.some((finding) => says(finding, cause))),
        contradicted: about.filter((one) => one.severity === 'error' && compare_rules[one.rule]?.only && place(one) < reached),
    };
}
/** Whether it is one of the objects that are rendered with the line which the finding is about. */
function isAbout({ object, also = [], entrypoints }, { ref, entrypoint }) {
    const objects = object === undefined ? [] : [object, ...also];
    return entrypoints.includes(entrypoint) && objects.some((one) => inventoryId(one) === inventoryId(ref));
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./src/cluster/cleanup.ts
/** What must not outlive this process: run when it is done, and when a signal ends it before. */





const tasks = new Set();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** GitHub's runner kills what does not end by itself (7.5 s after the first signal, 2.5 s after the second). */
const secondsToEnd = 30;
/** It was done in another way, or is not wanted any more. */
function forget(task) {
    tasks.delete(task);
    if (tasks.size === 0)
        for (const signal of signals)
            process.off(signal, end);
}
/** `task` is run once, by the function that is returned or by a signal. */
function atEnd(task) {
    if (tasks.size === 0)
        for (const signal of signals)
            process.on(signal, end);
    let done;
    const once = () => {
        done ??= (async () => {
            try {
                await task();
            }
            finally {
                forget(once);
            }
        })();
        return done;
    };
    tasks.add(once);
    return once;
}
let ending = false;
function end(signal) {
    if (ending)
        return;
    ending = true;
    const all = [...tasks].reverse().map((task) => Promise.resolve(task()).catch(() => { }));
    const late = new Promise((resolve) => setTimeout(resolve, secondsToEnd * 1000).unref());
    // The listeners are off by now, so that the signal does what it does to anybody.
    void Promise.race([Promise.all(all), late]).then(() => {
        for (const one of signals)
            process.off(one, end);
        process.kill(process.pid, signal);
    });
}
/** A directory that only this user sees, and processes that end with this one, even where it is killed. */
class Den {
    directory = (0,external_node_fs_.mkdtempSync)((0,external_node_path_.join)((0,external_node_os_.tmpdir)(), 'customizer-lint-run-'));
    #children = new Set();
    #watch;
    #closed = false;
    close = atEnd(() => this.#close());
    constructor() {
        // Its standard input ends when we do, in whatever way. It then ends what was named on it, and takes the directory along.
        const script = 'while read -r pid; do all="$all $pid"; done; for pid in $all; do kill -9 "$pid"; done; rm -rf "$1"';
        this.#watch = (0,external_node_child_process_.spawn)('/bin/sh', ['-c', script, 'sh', this.directory], {
            detached: true,
            stdio: ['pipe', 'ignore', 'ignore'],
        });
        this.#watch.on('error', () => { });
        this.#watch.stdin?.on('error', () => { });
        this.#watch.unref();
    }
    /** Signals of a terminal go to us alone. */
    start(command, args, environment) {
        // What a signal interrupts goes on for a moment, and must not start anything that nobody would end.
        if (this.#closed)
            throw new Unanswered('it was ended', true);
        const child = (0,external_node_child_process_.spawn)(command, args, {
            cwd: this.directory,
            detached: true,
            stdio: ['ignore', 'pipe', 'pipe'],
            ...(environment && { env: environment }),
        });
        this.#children.add(child);
        child.on('exit', () => this.#children.delete(child));
        if (child.pid !== undefined)
            this.#watch.stdin?.write(`-${child.pid}\n`);
        return new Child(child);
    }
    async #close() {
        this.#closed = true;
        await Promise.all([...this.#children].map(stop));
        this.#watch.removeAllListeners();
        this.#watch.kill('SIGKILL');
        (0,external_node_fs_.rmSync)(this.directory, { recursive: true, force: true });
    }
}
/** A process, with the end of what it said. */
class Child {
    process;
    #said = '';
    #output = '';
    ended;
    constructor(process) {
        this.process = process;
        const listen = (chunk) => {
            this.#said = (this.#said + chunk.toString('utf8')).slice(-100_000);
        };
        process.stdout?.on('data', listen).on('data', (chunk) => {
            this.#output = (this.#output + chunk.toString('utf8')).slice(-100_000);
        });
        process.stderr?.on('data', listen);
        this.ended = new Promise((resolve) => {
            process.on('error', (error) => resolve(error.code ?? 'error'));
            process.on('close', (code, signal) => resolve(code ?? signal ?? 'error'));
        });
    }
    /** Of standard output alone. */
    get output() {
        return this.#output;
    }
    get said() {
        return this.#said;
    }
}
async function stop(child) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
        return;
    const gone = new Promise((resolve) => child.once('close', resolve));
    signal(child, 'SIGTERM');
    const timer = setTimeout(() => signal(child, 'SIGKILL'), 3000);
    await gone;
    clearTimeout(timer);
}
/** The whole group: a child of its own would else live on. */
function signal({ pid }, name) {
    try {
        if (pid !== undefined)
            process.kill(-pid, name);
    }
    catch {
        // It is gone.
    }
}

;// CONCATENATED MODULE: ./src/cluster/envtest.ts
/** A bare API server in a few seconds: etcd and kube-apiserver as `setup-envtest` lays them out, and nothing else. */








const usualPlace = '/usr/local/kubebuilder/bin';
const secondsToStart = 60;
/** Throws `Unanswered` with the reason. */
async function startEnvtest(signal, environment = process.env) {
    const directory = environment.KUBEBUILDER_ASSETS || usualPlace;
    const [etcd, apiserver] = ['etcd', 'kube-apiserver'].map((name) => programIn(directory, name, environment));
    const den = new Den();
    try {
        const token = (0,external_node_crypto_.randomBytes)(24).toString('hex');
        const port = await serve(den, etcd, apiserver, token, signal);
        return { credentials: credentialsFor(den, port, token), stop: den.close };
    }
    catch (error) {
        await den.close();
        throw error;
    }
}
function programIn(directory, name, { KUBEBUILDER_ASSETS }) {
    const file = (0,external_node_path_.join)(directory, name);
    try {
        (0,external_node_fs_.accessSync)(file, external_node_fs_.constants.X_OK);
        return file;
    }
    catch {
        const why = KUBEBUILDER_ASSETS ? 'in KUBEBUILDER_ASSETS' : `, as KUBEBUILDER_ASSETS is not set, in ${usualPlace}`;
        throw new Unanswered(`there is no ${name} ${why}; setup-envtest installs it`.replace(' ,', ','), true);
    }
}
async function serve(den, etcd, apiserver, token, signal) {
    const at = (name) => (0,external_node_path_.join)(den.directory, name);
    const { privateKey } = (0,external_node_crypto_.generateKeyPairSync)('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    (0,external_node_fs_.writeFileSync)(at('accounts.key'), privateKey, { mode: 0o600 });
    (0,external_node_fs_.writeFileSync)(at('tokens.csv'), `${token},customizer-lint,1,"system:masters"\n`, { mode: 0o600 });
    const [client, peer, port] = (await freePorts(3));
    const store = den.start(etcd, [
        `--data-dir=${at('etcd')}`,
        `--listen-client-urls=http://127.0.0.1:${client}`,
        `--advertise-client-urls=http://127.0.0.1:${client}`,
        `--listen-peer-urls=http://127.0.0.1:${peer}`,
        '--unsafe-no-fsync=true',
    ]);
    const end = Date.now() + secondsToStart * 1000;
    await until(() => canConnect(client), { etcd: store }, end, signal);
    const server = den.start(apiserver, [
        `--etcd-servers=http://127.0.0.1:${client}`,
        `--cert-dir=${at('certificates')}`,
        '--bind-address=127.0.0.1',
        '--advertise-address=127.0.0.1',
        `--secure-port=${port}`,
        '--service-cluster-ip-range=10.0.0.0/24',
        '--allow-privileged=true',
        '--authorization-mode=RBAC',
        `--token-auth-file=${at('tokens.csv')}`,
        '--service-account-issuer=https://kubernetes.default.svc',
        `--service-account-key-file=${at('accounts.key')}`,
        `--service-account-signing-key-file=${at('accounts.key')}`,
        '--disable-admission-plugins=ServiceAccount',
        '--endpoint-reconciler-type=none',
    ]);
    const certificate = at('certificates/apiserver.crt');
    const ready = async () => (0,external_node_fs_.existsSync)(certificate) && (await envtest_isReady(port, token, certificate));
    await until(ready, { etcd: store, 'kube-apiserver': server }, end, signal);
    return port;
}
function credentialsFor(den, port, token) {
    const agent = new (external_node_https_default()).Agent({
        ca: (0,external_node_fs_.readFileSync)((0,external_node_path_.join)(den.directory, 'certificates/apiserver.crt')),
        keepAlive: true,
    });
    const options = { headers: { authorization: `Bearer ${token}` }, agent };
    return { server: `https://127.0.0.1:${port}`, options: async () => options, close: () => agent.destroy() };
}
/** The server writes its own certificate, and only then is there anything to believe. */
function envtest_isReady(port, token, certificate) {
    return new Promise((resolve) => {
        const headers = { authorization: `Bearer ${token}` };
        const options = { port, host: '127.0.0.1', path: '/readyz', headers, ca: (0,external_node_fs_.readFileSync)(certificate), timeout: 2000 };
        const request = external_node_https_default().get({ ...options, agent: false }, (response) => {
            response.resume();
            resolve(response.statusCode === 200);
        });
        request.on('error', () => resolve(false));
        request.on('timeout', () => request.destroy());
    });
}
function canConnect(port) {
    return new Promise((resolve) => {
        const socket = external_node_net_default().connect(port, '127.0.0.1');
        socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
        socket.on('connect', () => socket.destroy());
    });
}
async function until(isSo, needed, end, signal) {
    let gone;
    for (const [name, child] of Object.entries(needed)) {
        void child.ended.then((how) => {
            gone ??= `${name} ended (${how})${lastWords(child)}`;
        });
    }
    while (!(await isSo())) {
        if (signal.aborted)
            throw new Unanswered('there was no time left to start it', true);
        if (gone !== undefined)
            throw new Unanswered(gone, true);
        if (Date.now() > end)
            throw new Unanswered(`${Object.keys(needed).at(-1)} was not ready after ${secondsToStart} s`, true);
        await (0,promises_.setTimeout)(50);
    }
}
/** What a program says last, where that is an error. */
function lastWords({ said }) {
    const lines = said.split('\n').filter((line) => /error|fatal|panic|fail/i.test(line));
    const last = lines.at(-1)?.replace(/\s+/g, ' ').trim();
    return last === undefined ? '' : `: ${last.slice(0, 300)}`;
}
/** Somebody else may take one before it is used; then the start fails, and says so. */
async function freePorts(count) {
    const servers = await Promise.all(Array.from({ length: count }, () => {
        const server = external_node_net_default().createServer();
        return new Promise((resolve, reject) => {
            server.on('error', reject).listen(0, '127.0.0.1', () => resolve(server));
        });
    }));
    const ports = servers.map((server) => server.address().port);
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    return ports;
}

;// CONCATENATED MODULE: ./src/cluster/kind.ts
/** A cluster of kind: made for the run and removed with it, kept for the next one, or one that somebody has already. */







/** Every cluster of ours bears a name that begins with this, so that nobody else's is ever taken for a leftover. */
const prefix = 'customizer-lint';
const secondsToCreate = 600;
function kind_nameOf({ name }) {
    return name === undefined ? prefix : `${prefix}-${name}`;
}
/** Throws `Unanswered` with the reason. */
async function startKind(options) {
    const den = new Den();
    try {
        return await kind_open(den, options);
    }
    catch (error) {
        await den.close();
        throw error;
    }
}
async function kind_open(den, options) {
    const { existing, keep, signal } = options;
    const name = existing ?? kind_nameOf(options);
    const kubeconfig = (0,external_node_path_.join)(den.directory, 'kubeconfig');
    const kind = (...args) => run(den, args, signal);
    const there = (await kind('get', 'clusters')).split(/\s+/).includes(name);
    if (existing !== undefined && !there)
        throw new Unanswered(`there is no kind cluster "${existing}"`, true);
    const unlock = existing === undefined ? lock(name) : () => { };
    const done = async () => {
        unlock();
        await den.close();
    };
    try {
        if (there && (existing !== undefined || keep)) {
            await kind('export', 'kubeconfig', '--name', name, '--kubeconfig', kubeconfig);
            return { kubeconfig, name, is: existing === undefined ? 'kept' : 'existing', stop: done };
        }
        // Left by a run that was killed.
        if (there)
            await kind('delete', 'cluster', '--name', name, '--kubeconfig', kubeconfig);
        if (!keep)
            options.onMade?.(name);
        // First what makes it is ended, or it would still make it.
        const remove = atEnd(async () => {
            await den.close();
            await removeKind(name);
            unlock();
        });
        const { image, wait = '120s' } = options;
        const more = image === undefined ? [] : ['--image', image];
        try {
            await kind('create', 'cluster', '--name', name, '--kubeconfig', kubeconfig, '--wait', wait, ...more);
        }
        catch (error) {
            await remove();
            throw error;
        }
        if (keep)
            forget(remove);
        return { kubeconfig, name, is: 'made', stop: keep ? done : remove };
    }
    catch (error) {
        unlock();
        throw error;
    }
}
/** Only one of ours; says nothing where it is not there. */
async function removeKind(name) {
    if (name !== prefix && !name.startsWith(`${prefix}-`))
        return;
    const den = new Den();
    try {
        const child = den.start('kind', ['delete', 'cluster', '--name', name, '--kubeconfig', (0,external_node_path_.join)(den.directory, 'none')]);
        await child.ended;
    }
    finally {
        await den.close();
    }
}
async function run(den, args, signal) {
    const child = den.start('kind', args);
    const late = new Promise((resolve) => {
        const timer = setTimeout(() => resolve('late'), secondsToCreate * 1000);
        timer.unref();
        signal.addEventListener('abort', () => resolve('late'), { once: true });
    });
    const how = await Promise.race([child.ended, late]);
    if (how === 0)
        return child.output;
    if (how === 'ENOENT')
        throw new Unanswered('kind is not installed', true);
    const step = `kind ${args.slice(0, 2).join(' ')}`;
    if (how === 'late')
        throw new Unanswered(`${step} was not done in time`, true);
    throw new Unanswered(`${step} failed (${how})${reasonIn(child.said)}`, true);
}
function reasonIn(said) {
    const lines = (0,external_node_util_.stripVTControlCharacters)(said)
        .split('\n')
        .map((line) => line.trim());
    const error = lines.find((line) => /^ERROR|error:|Cannot connect|permission denied/i.test(line)) ?? lines.findLast(Boolean);
    return error === undefined ? '' : `: ${maskText(error.replace(/^ERROR: /, '')).slice(0, 300)}`;
}
/** One run at a time; the lock of one that was killed does not count. */
function lock(name) {
    const file = (0,external_node_path_.join)((0,external_node_os_.tmpdir)(), `${prefix}-${(0,external_node_os_.userInfo)().uid}-${name}.lock`);
    for (const last of [false, true]) {
        try {
            (0,external_node_fs_.writeFileSync)(file, String(process.pid), { flag: 'wx', mode: 0o600 });
            return atEndOf(file);
        }
        catch (error) {
            if (error.code !== 'EEXIST')
                return () => { };
            const owner = ownerOf(file);
            if (last || (owner !== undefined && isAlive(owner)))
                throw new Unanswered(`another run (process ${owner}) uses the kind cluster "${name}"; if not, remove ${file}`, true);
            (0,external_node_fs_.rmSync)(file, { force: true });
        }
    }
    return () => { };
}
function atEndOf(file) {
    const remove = atEnd(() => (0,external_node_fs_.rmSync)(file, { force: true }));
    return () => void remove();
}
function ownerOf(file) {
    try {
        const text = (0,external_node_fs_.readFileSync)(file, 'utf8').trim();
        return /^\d{1,10}$/.test(text) ? Number(text) : undefined;
    }
    catch {
        return undefined;
    }
}
function isAlive(pid) {
    try {
        process.kill(pid, 0);
        return true;
    }
    catch (error) {
        return error.code === 'EPERM';
    }
}

;// CONCATENATED MODULE: ./src/cluster/notes.ts
function notesFor(server) {
    const both = 'a dry run does not show which fields Flux takes from kubectl (see kubectl-takeover)';
    const platform = 'it holds as much of the platform as the repository touches, as the facts above say';
    const notes = {
        envtest: [
            'no controller runs there: nothing is said of what webhooks, quotas and the platform’s policies refuse, nor of what becomes of an object',
            platform,
        ],
        kind: ['the platform does not run there: its webhooks and policies are not asked', platform],
        kubeconfig: [],
    };
    return [...notes[server], both];
}

;// CONCATENATED MODULE: ./src/cluster/refused.ts
/** What an API server refuses, as problems at their lines: whether it can be believed, what it stops, and what to do. */





/** Why a refusal says nothing: the server lacks what the cluster may have. */
function notKnown({ object, rendered, refusal }, { cluster, ours, version, objects }) {
    const { ref } = object;
    if (refusal.causes.every(({ path }) => restsOnUnknown(object, path)))
        return filledIn;
    const brings = (kind, fits) => objects.some((other) => other.ref.kind === kind && fits(other));
    if (refusal.reason === 'missing-namespace' && brings('Namespace', (other) => other.ref.name === ref.namespace))
        return 'their Namespace comes with the repository, and is not there yet';
    if (refusal.reason === 'unknown-kind') {
        const isIts = ({ value }) => textAt(value, ['spec', 'names', 'kind']) === ref.kind;
        if (brings('CustomResourceDefinition', isIts))
            return 'the definition of their kind comes with the repository, and is not there yet';
        if (ours && cluster.contract.schemas.find(ref.apiVersion, ref.kind).known)
            return 'their kind is not on by default';
        const known = cluster.contract.schemas.find(ref.apiVersion, ref.kind);
        if (ours && !known.known)
            return known.why === 'unknown-kind'
                ? 'nobody knows their kind'
                : `their version may be served by a Kubernetes that is newer than ${version}`;
    }
    if (ours && refusal.reason === 'forbidden') {
        if (isPackage(object) && !cluster.snapshot && refusal.causes.some(({ message }) => / cannot create /.test(message)))
            return 'whether such a Package is there nobody knows without a snapshot';
        const place = ref.kind === 'Namespace' ? ref.name : ref.namespace;
        const owned = cluster.facts.get('ownedNamespaces').value;
        if (place !== undefined && owned.includes(place) && !ownedWhenApplied(cluster).includes(place))
            return 'their namespace is owned only once another part of the change is applied';
        const { access } = cluster.permissions;
        const verbs = ['patch', 'create'];
        if (verbs.some((verb) => access(rendered.entrypoint, verb, ref).allowed === 'unknown'))
            return 'the rights of the account are not known';
    }
    return undefined;
}
const filledIn = 'a variable in them is filled in by Flux alone, or a value is encrypted';
/** Whether a text stands there, or below, whose content only Flux knows: as it stands, it says nothing. */
function restsOnUnknown({ value }, path) {
    const found = lookUp(value, path);
    return found !== undefined && holdsUnresolved(found);
}
function holdsUnresolved(value) {
    if (typeof value === 'string')
        return isUnresolved(value);
    if (Array.isArray(value))
        return value.some(holdsUnresolved);
    return isObject(value) && Object.entries(value).some(([key, item]) => isUnresolved(key) || holdsUnresolved(item));
}
/** `ours`: what answers was filled from the facts of the configuration. */
function problemsOf({ object, rendered, refusal }, cluster, ours) {
    const { ref } = object;
    const { reason, causes } = refusal;
    const stopped = appliedBefore(ref, rendered, cluster.permissions);
    const facts = ours ? assumedFor(reason, object, cluster) : [];
    const known = causes.filter(({ path }) => !restsOnUnknown(object, path));
    return known.map((cause) => ({
        rule: 'refused-by-server',
        message: `${ref.kind} "${ref.name}": ${said[reason]}, so Flux applies ${stopped}: ${wordsOf(cause)}`,
        help: / immutable$/.test(cause.message) ? helpWithImmutable : helps[reason],
        at: { object, path: cause.path },
        ...(facts.length > 0 && { assumes: facts }),
    }));
}
/** With the field that the server names. */
function wordsOf({ path, message, named }) {
    return named ? `${spell(path)}: ${message}` : message;
}
const said = {
    forbidden: 'the API server does not allow it to the account',
    policy: 'a policy of the cluster refuses it',
    invalid: 'the API server takes it for invalid',
    'unknown-field': 'it does not fit the schema that the API server has',
    'unknown-kind': 'the API server does not serve its kind in that version',
    'no-namespace': 'the API server misses its namespace',
    'missing-namespace': 'its namespace is not in the cluster',
    conflict: 'the API server takes it for a change of another state',
    webhook: 'the API server cannot ask a webhook about it',
    other: 'the API server refuses it',
};
const helps = {
    forbidden: 'take it out, or have an administrator give the account that right before this is merged',
    policy: 'change what the policy is about, or ask who keeps it',
    invalid: 'correct the field',
    'unknown-field': 'correct the field, or take it out',
    'unknown-kind': 'use a version that is served, or first merge what brings the kind',
    'no-namespace': 'write metadata.namespace',
    'missing-namespace': 'correct the name, or have the namespace made before this is merged',
    conflict: 'take resourceVersion, uid and what else was copied from a cluster out of metadata',
    webhook: 'see whether its service runs: until it does, Flux cannot apply this either',
    other: 'read what the server says',
};
const helpWithImmutable = 'undo the change, or give the object another name; with the annotation kustomize.toolkit.fluxcd.io/force: enabled Flux deletes it and makes it anew';
/** What a cluster of our own was filled by. */
function assumedFor(reason, { ref }, { name, facts, contract }) {
    const rest = {
        forbidden: ref.kind === 'Package' ? ['variant', 'optionalPackages', 'packages'] : ['ownedNamespaces', 'roles'],
        'missing-namespace': ['ownedNamespaces'],
    };
    const lookup = contract.schemas.find(ref.apiVersion, ref.kind);
    const changes = lookup.known && !lookup.builtIn && !contract.schemas.isTheSameEverywhere(ref.apiVersion, ref.kind);
    const names = [...(rest[reason] ?? []), ...(changes ? ['release'] : [])];
    return names
        .map((fact) => facts.get(fact))
        .filter(({ source }) => source === 'assumed')
        .map((fact) => ({ ...fact, ...(name !== undefined && { cluster: name }) }));
}

;// CONCATENATED MODULE: ./src/facts/definitions.ts

/** For each custom resource that the repository has or refers to, as the cluster serves it: CustomResourceDefinitions. */
function definitionsFor({ contract, head, base, snapshot }) {
    const used = [...head.objects, ...(base?.objects ?? [])].flatMap(({ value }) => kindsIn(value));
    const kinds = new Set(['cozystack.io/Package', 'cozystack.io/PackageSource', ...used]);
    return [...kinds].sort().flatMap((key) => {
        const [group = '', kind = ''] = key.split('/');
        const known = contract.schemas.definition(group, kind);
        return known ? [definitionOf(asServed(known, snapshot?.kinds?.[key]))] : [];
    });
}
/** In the versions that a snapshot has seen; of one that the release does not have, nothing but its name is known. */
function asServed(known, seen) {
    if (!seen || seen.length === 0)
        return known;
    const versions = known.versions.map((version) => ({ ...version, served: seen.includes(version.name) }));
    const others = seen.filter((name) => !known.versions.some((version) => version.name === name));
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const more = others.map((name) => ({ name, served: true, storage: false, deprecated: false, schema }));
    return { ...known, versions: [...versions, ...more] };
}
/** That of an object and those it refers to, by `apiVersion` and `kind` or, as Flux's objects do, by the kind of a source alone. */
function kindsIn(value) {
    if (Array.isArray(value))
        return value.flatMap(kindsIn);
    if (!isObject(value))
        return [];
    const { kind, apiVersion, apiGroup } = value;
    const group = typeof apiVersion === 'string' ? groupOf(apiVersion) : (apiGroup ?? 'source.toolkit.fluxcd.io');
    const own = typeof kind === 'string' ? [`${group}/${kind}`] : [];
    return [...own, ...Object.values(value).flatMap(kindsIn)];
}
/** As `apiextensions.k8s.io/v1` has it. */
function definitionOf({ group, kind, plural, scope, versions }) {
    const approval = 'api-approved.kubernetes.io';
    const isProtected = /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
    const stored = versions.find(({ storage }) => storage) ?? versions.find(({ served }) => served);
    return {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: {
            name: `${plural}.${group}`,
            ...(isProtected && { annotations: { [approval]: 'unapproved, for a dry run' } }),
        },
        spec: {
            group,
            scope,
            names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
            versions: versions.map((version) => ({
                name: version.name,
                served: version.served,
                storage: version === stored,
                ...(version.deprecated && { deprecated: true }),
                schema: { openAPIV3Schema: version.schema },
                ...(version.schema.properties?.status && { subresources: { status: {} } }),
            })),
        },
    };
}

;// CONCATENATED MODULE: ./src/facts/live.ts
/** What the platform leaves in a cluster before the repository has a say, with its real field managers. */



/** The Packages and PackageSources that the repository names and the platform has, as those who write them leave them. */
function platformObjects(cluster) {
    const { contract, head, base } = cluster;
    const named = [...head.objects, ...(base?.objects ?? [])].filter(({ ref }) => ref.apiVersion.startsWith('cozystack.io/'));
    const of = (kind) => [...new Set(named.filter(({ ref }) => ref.kind === kind).map(({ ref }) => ref.name))].sort();
    const sources = of('PackageSource').filter((name) => contract.catalog.source(name));
    return [
        ...sources.map((name) => ({
            object: packageSource(name, cluster),
            ...(name === platformName ? { manager: 'cozystack-operator' } : byHelm(cluster)),
        })),
        ...of('Package').flatMap((name) => packageThere(name, cluster) ?? []),
    ];
}
function packageSource(name, { contract }) {
    const variants = contract.catalog.source(name)?.variants ?? [];
    return {
        ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'PackageSource', metadata: { name } },
        spec: {
            sourceRef: { kind: 'OCIRepository', name: 'cozystack-packages', namespace: 'cozy-system' },
            variants: variants.map(({ name, dependsOn, components }) => ({
                name,
                ...(dependsOn.length > 0 && { dependsOn: [...dependsOn] }),
                components: components.map(({ name, path, install }) => ({
                    name,
                    path,
                    ...(install && { install: { ...install, dependsOn: [...install.dependsOn] } }),
                })),
            })),
        },
    };
}
/** Undefined for one that no platform makes. One that this platform is told not to make was made by hand, or it would not be named. */
function packageThere(name, cluster) {
    const { contract, facts, snapshot, head, base } = cluster;
    const object = (spec) => ({
        ...{ apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', metadata: { name }, spec },
    });
    if (name === platformName) {
        const values = JSON.parse(JSON.stringify(knownPlatformValues({ facts, objects: [] })));
        const spec = { variant: String(facts.get('variant').value), components: { platform: { values } } };
        return { object: object(spec), manager: 'kubectl-client-side-apply', how: 'create' };
    }
    const variant = contract.catalog.platformVariant(String(facts.get('variant').value));
    // What the change itself lists is made after it.
    const coming = base ? newIn(enabledPackagesPath, head.objects, base.objects).map(({ name }) => name) : [];
    const optional = Object.entries(variant?.optional ?? {}).filter(([listed]) => !coming.includes(listed));
    const emitted = variant?.packages[name] ?? optional.find(([, change]) => change[name])?.[1][name] ?? undefined;
    const before = (base?.objects ?? []).some((one) => isPackage(one) && one.ref.name === name);
    const seen = snapshot ? Object.hasOwn(snapshot.packages, name) : undefined;
    const made = seen ?? (before || emitted !== undefined);
    if (!made)
        return undefined;
    const { variant: own = 'default', components } = emitted ?? {};
    const spec = { variant: snapshot?.packages[name]?.variant ?? own, ...(components && { components }) };
    return { object: object(spec), ...byHelm(cluster) };
}
/**
 * A release stays with the method that it was installed with: server-side apply from Helm 4 (Cozystack 1.5) on, updates before
 * (cozystack.md §7). A snapshot tells; without one a cluster is taken for a young one.
 */
function byHelm({ snapshot }) {
    const manager = 'helm-controller';
    const entries = Object.values(snapshot?.packages ?? {}).flatMap(({ managers = [] }) => managers);
    const updates = entries.some((entry) => entry.manager === manager && entry.operation === 'Update');
    return { manager, ...(updates && { how: 'create' }) };
}

;// CONCATENATED MODULE: ./src/cluster/seed.ts







/** The account of Flux itself, which may do everything. */
const fluxAccount = { namespace: 'cozy-fluxcd', name: 'flux' };
const seed_atOnce = 8;
const marker = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'customizer-lint', namespace: 'kube-system' } };
const markerPath = addressOf({ apiVersion: 'v1', namespace: 'kube-system', name: 'customizer-lint' }, { resource: 'configmaps', namespaced: true });
/** Throws `Unanswered` where the cluster refuses what it is to hold. */
async function seed(client, cluster) {
    if (!client.writes)
        throw new Error('only a cluster of our own is seeded');
    await plant(client, ['cozy-system', 'kube-system', ...namespacesFor(cluster)].map(namespace));
    await plant(client, [{ object: marker, manager: 'customizer-lint' }]);
    const definitions = definitionsFor(cluster).map((object) => ({ object, manager: 'cozystack-operator' }));
    await plant(client, definitions);
    await inParallel(definitions, seed_atOnce, ({ object }) => untilEstablished(client, pathOf(object), 30));
    await plant(client, grantsFor(cluster));
    await plant(client, platformObjects(cluster));
}
/** Whether the cluster is one that this tool has made. */
async function seed_isOurs(client) {
    return (await client.ask({ method: 'GET', path: markerPath })).status === 200;
}
async function plant(client, objects) {
    await inParallel(objects, seed_atOnce, async ({ object, manager, how }) => {
        const answer = how === 'create' ? await seed_create(client, object, manager) : await apply(client, object, manager);
        if (answer.status < 300 || (how === 'create' && answer.status === 409))
            return;
        const name = `${object.kind} ${textAt(object, ['metadata', 'name'])}`;
        throw new Unanswered(`the cluster could not be filled: ${name}: ${client_messageOf(answer)}`, true);
    });
}
function apply(client, body, fieldManager) {
    const query = { fieldManager, force: 'true' };
    return client.ask({ method: 'PATCH', path: pathOf(body), query, type: 'application/apply-patch+yaml', body });
}
function seed_create(client, body, fieldManager) {
    const path = pathOf(body).replace(/\/[^/]+$/, '');
    return client.ask({ method: 'POST', path, query: { fieldManager }, body });
}
/** Of the kinds that are planted here, of which the address is known. */
const resources = {
    Namespace: 'namespaces',
    ConfigMap: 'configmaps',
    CustomResourceDefinition: 'customresourcedefinitions',
    ClusterRole: 'clusterroles',
    ClusterRoleBinding: 'clusterrolebindings',
    Role: 'roles',
    RoleBinding: 'rolebindings',
    Package: 'packages',
    PackageSource: 'packagesources',
};
function pathOf(object) {
    const resource = resources[String(object.kind)];
    if (resource === undefined)
        throw new Error(`nothing of kind ${object.kind} is planted`);
    const [namespace, name = ''] = [textAt(object, ['metadata', 'namespace']), textAt(object, ['metadata', 'name'])];
    const apiVersion = String(object.apiVersion);
    return addressOf({ apiVersion, name, ...(namespace && { namespace }) }, { resource, namespaced: Boolean(namespace) });
}
function namespace(name) {
    return {
        object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
        manager: 'cozystack-package-controller',
    };
}
/** Those that are owned, that hold roles, and those of all objects, unless it is the change that brings them. */
function namespacesFor(cluster) {
    const { roles, head, base, contract } = cluster;
    const rendered = (objects = []) => objects.filter(({ ref }) => ref.kind === 'Namespace' && ref.apiVersion === 'v1').map(({ ref }) => ref.name);
    const before = new Set(rendered(base?.objects));
    const brought = new Set(rendered(head.objects).filter((name) => !before.has(name)));
    const used = [...head.objects, ...(base?.objects ?? [])].map(({ ref }) => ref.namespace);
    const sure = [
        ...ownedWhenApplied(cluster),
        ...[...before, contract.rbac.account.namespace, fluxAccount.namespace],
        ...roles.map((role) => textAt(role, ['metadata', 'namespace'])),
    ];
    const names = [...sure, ...used.filter((name) => name !== undefined && !brought.has(name))];
    return [...new Set(names)].filter((name) => name !== undefined && isName(name)).sort();
}
/** What a repository names is not always one. */
function isName(name) {
    return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name);
}
/** The rights that the platform documents, and the roles that are known to be in force. */
function grantsFor(cluster) {
    const { contract, roles } = cluster;
    const { rbac } = contract;
    const subject = (account) => ({ kind: 'ServiceAccount', ...account });
    const role = (kind, metadata, more) => ({
        object: { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata, ...more },
        manager: 'helm-controller',
    });
    const to = (name) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name });
    const customizer = rbac.account.name;
    const owned = `${customizer}-owned`;
    const rules = (list) => list;
    const bindings = ownedWhenApplied(cluster)
        .filter(isName)
        .map((place) => role('RoleBinding', { name: owned, namespace: place }, { roleRef: to(owned), subjects: [subject(rbac.account)] }));
    const known = roles.filter((one) => resources[String(one.kind)] && textAt(one, ['metadata', 'name'])).map(seed_plain);
    return [
        role('ClusterRole', { name: customizer }, { rules: rules(rbac.cluster) }),
        role('ClusterRole', { name: owned }, { rules: rules(rbac.owned) }),
        role('ClusterRoleBinding', { name: customizer }, { roleRef: to(customizer), subjects: [subject(rbac.account)] }),
        role('ClusterRoleBinding', { name: 'flux' }, { roleRef: to('cluster-admin'), subjects: [subject(fluxAccount)] }),
        ...bindings,
        ...known.map((object) => ({ object, manager: 'helm-controller' })),
    ];
}
/** Without what another cluster has written into it. */
function seed_plain({ apiVersion, kind, metadata, rules, roleRef, subjects }) {
    const [name, place] = [
        textAt({ metadata }, ['metadata', 'name']),
        textAt({ metadata }, ['metadata', 'namespace']),
    ];
    return {
        apiVersion: apiVersion,
        kind: kind,
        metadata: { name: name, ...(place !== undefined && { namespace: place }) },
        ...(rules !== undefined && { rules }),
        ...(roleRef !== undefined && { roleRef }),
        ...(subjects !== undefined && { subjects }),
    };
}

;// CONCATENATED MODULE: ./src/cluster/dryrun.ts












const stage = 'dry-run';
/** Where nobody asks for it. */
const notAsked = { name: stage, ran: false, why: 'no cluster was given', optional: true };
/** Whatever goes wrong is said, and leaves the rest of the report as it is. */
async function dryrun_dryRun(clusters, options, { config, home, findings }) {
    const asked = {
        stage: { name: stage, ran: true },
        runs: [],
        problems: { head: [], base: [] },
        notChecked: [],
    };
    const wanted = clusters.filter(({ name }) => options.cluster === undefined || name === options.cluster);
    const controller = new AbortController();
    const limit = config.dryRun.timeout ?? '10m';
    const late = new Error(`it took longer than ${limit}`);
    const timer = setTimeout(() => controller.abort(late), dryrun_secondsOf(limit) * 1000);
    try {
        checkChoice(wanted, options);
        for (const cluster of wanted) {
            await dryrun_oneCluster(cluster, { options, config, home, findings, signal: controller.signal }, asked);
        }
    }
    catch (error) {
        if (!(error instanceof Unanswered))
            throw error;
        asked.stage = { name: stage, ran: false, why: error.message };
    }
    finally {
        clearTimeout(timer);
    }
    return asked;
}
function dryrun_secondsOf(text) {
    return Number.parseInt(text, 10) * (text.endsWith('m') ? 60 : 1);
}
function checkChoice(wanted, { where, cluster }) {
    if (wanted.length === 0)
        throw new Unanswered(`the repository has no cluster "${cluster}"`, true);
    if (wanted.length < 2 || where === 'kind' || where === 'envtest')
        return;
    const names = wanted.map(({ name }) => name ?? 'the unnamed one').join(', ');
    throw new Unanswered(`the repository has several clusters (${names}): say with --cluster which one it is`, true);
}
async function dryrun_oneCluster(cluster, context, asked) {
    const { options, signal } = context;
    const built = cluster.head.entrypoints.filter(pruned_isBuilt);
    if (built.length === 0)
        throw new Unanswered('nothing could be rendered', true);
    options.progress?.(0, 1, `starting ${options.where}`);
    const server = await serverFor(context);
    try {
        const client = new Client(server.credentials, { writes: server.ours, signal });
        try {
            const version = await versionOf(client);
            if (server.ours)
                await seed(client, cluster);
            const userOf = (entrypoint) => user(entrypoint, cluster);
            for (const name of new Set(built.map(({ entrypoint }) => userOf(entrypoint))))
                await mayActAs(client, name);
            const applier = new Applier({
                client,
                schemas: cluster.contract.schemas,
                userOf,
                progress: (done, total) => options.progress?.(done, total, `asking ${options.where}`),
            });
            if (server.ours && cluster.base)
                await applier.plant(cluster.base.entrypoints.filter(pruned_isBuilt));
            const replies = await applier.all(built);
            await conclude(replies, { cluster, context, server, version, applier }, asked);
        }
        finally {
            client.close();
        }
    }
    finally {
        await server.stop();
    }
}
async function serverFor({ options, config, home, signal }) {
    const { where, keep, onMade } = options;
    if (where === 'envtest') {
        const { credentials, stop } = await startEnvtest(signal);
        return { server: 'envtest', credentials, ours: true, stop };
    }
    if (where !== 'kind' && !where.startsWith('kind:')) {
        return {
            server: 'kubeconfig',
            credentials: await openCredentials(home, where, options.context),
            ours: false,
            stop: async () => { },
        };
    }
    const existing = where.slice('kind:'.length);
    const { kubeconfig, name, is, stop } = await startKind({
        ...config.dryRun,
        signal,
        ...(existing && { existing }),
        ...(keep && { keep }),
        ...(onMade && { onMade }),
    });
    try {
        const credentials = await openCredentials(home, kubeconfig);
        if (is === 'kept' && !(await seed_isOurs(new Client(credentials, { writes: false, signal }))))
            throw new Unanswered(`the kind cluster "${name}" was not made by this tool, so it is not written to`, true);
        return { server: 'kind', credentials, ours: is !== 'existing', stop };
    }
    catch (error) {
        await stop();
        throw error;
    }
}
async function versionOf(client) {
    const { status, body } = await client.ask({ method: 'GET', path: '/version' });
    const version = textAt(body, ['gitVersion']);
    if (status === 200 && version !== undefined)
        return version;
    throw new Unanswered(`what answers there is no API server of Kubernetes (${status})`, true);
}
/** That it may is found out before each object is refused for it. */
async function mayActAs(client, name) {
    const answer = await client.ask({ method: 'GET', path: '/version', as: name });
    if (answer.status !== 403)
        return;
    throw new Unanswered(`the credentials may not act as ${name}: ${client_messageOf(answer)}`, true);
}
function user({ account }, { contract }) {
    const { namespace, name } = account === 'flux' ? fluxAccount : (account ?? contract.rbac.account);
    return `system:serviceaccount:${namespace}:${name}`;
}
async function conclude(replies, conclusion, asked) {
    const { cluster, context, server, version } = conclusion;
    const { name } = cluster;
    const run = {
        ...(name !== undefined && { cluster: name }),
        ...{ server: server.server, version, asked: replies.length },
        ...{ refused: [], conflicts: [], disagreements: [], notes: notesFor(server.server) },
    };
    asked.runs.push(run);
    const unknown = (what, why) => {
        const known = asked.notChecked.find((one) => one.what === what && one.why === why);
        if (known)
            known.count += 1;
        else
            asked.notChecked.push({ what, why, count: 1 });
    };
    const unanswered = replies.filter(({ outcome }) => outcome === 'unanswered');
    if (unanswered.length > 0) {
        const reasons = [...new Set(unanswered.map(({ why }) => why))].sort().join('; ');
        const why = `${unanswered.length} of ${replies.length} objects got no answer: ${reasons}`;
        asked.stage = { name: stage, ran: false, why };
    }
    for (const object of cluster.head.objects.filter(isEncrypted))
        unknown(`objects of kind ${object.ref.kind} that are encrypted`, 'only Flux can decrypt what it sends');
    const there = { cluster, ours: server.ours, version, objects: replies.map(({ object }) => object) };
    for (const reply of replies) {
        if (reply.outcome === 'unanswered')
            continue;
        const { object, rendered } = reply;
        const about = { object: object.ref, entrypoint: object.entrypoint };
        const { unsaid, contradicted } = compare_compare(reply, context.findings, !server.ours);
        const guess = reply.outcome === 'refused' &&
            unsaid.length > 0 &&
            notKnown({ ...reply, refusal: { ...reply.refusal, causes: unsaid } }, there);
        if (guess) {
            unknown('objects that the server refuses', guess);
            continue;
        }
        for (const { rule } of contradicted)
            run.disagreements.push({ ...about, server: 'accepts', rule });
        asked.problems.head.push(...contradicted.map((finding) => contradiction(object, finding)));
        if (reply.outcome === 'accepted') {
            run.conflicts.push(...reply.conflicts.map((conflict) => ({ ...about, ...conflict })));
            continue;
        }
        const { reason, causes } = reply.refusal;
        const message = causes.map((cause) => wordsOf(cause)).join('; ');
        run.refused.push({ ...about, reason, expected: unsaid.length === 0, message });
        if (unsaid.length === 0)
            continue;
        run.disagreements.push({ ...about, server: 'refuses' });
        const rest = { ...reply, refusal: { reason, causes: unsaid } };
        asked.problems.head.push(...problemsOf(rest, cluster, server.ours));
        asked.problems.base.push(...(await before(object, rendered, conclusion)));
    }
}
/** Whether the same was refused before the change, so that it is not the change's doing. */
async function before(object, { entrypoint }, { cluster, applier, server }) {
    const rendered = cluster.base?.entrypoints.find((one) => pruned_isBuilt(one) && one.entrypoint.path === entrypoint.path);
    const old = rendered?.objects.find(({ ref }) => inventoryId(ref) === inventoryId(object.ref));
    if (!rendered || !old)
        return [];
    const reply = await applier.one(old, rendered);
    return reply.outcome === 'refused' ? problemsOf(reply, cluster, server.ours) : [];
}
function contradiction(object, { rule, field }) {
    const { kind, name } = object.ref;
    return {
        rule: 'accepted-by-server',
        message: `The API server accepts ${kind} "${name}", although "${rule}" says that it is refused`,
        help: 'look at the facts of the cluster in the configuration; where they are right, please report it',
        at: { object, path: field },
    };
}

;// CONCATENATED MODULE: ./src/graph/around.ts
/** What is named, and all that waits for it, nearest first until there are `most`; marked is only what is named. */
function around({ release, nodes, edges }, names, most) {
    const shown = new Set(nodes.filter(({ name }) => names.has(name)).map(({ name }) => name));
    for (let size = -1; size !== shown.size;) {
        size = shown.size;
        const next = edges.filter(({ from, to }) => shown.has(to) && !shown.has(from)).map(({ from }) => from);
        for (const name of next.slice(0, Math.max(0, most - shown.size)))
            shown.add(name);
    }
    return {
        release,
        nodes: nodes.filter(({ name }) => shown.has(name)).map((node) => ({ ...node, touched: names.has(node.name) })),
        edges: edges.filter(({ from, to }) => shown.has(from) && shown.has(to)),
    };
}

;// CONCATENATED MODULE: ./src/effects.ts
/** What a merge would do in a cluster, as far as two renders tell: it is the inventory that Flux compares, too. */








/** A picture of more than this is none. */
const mostNodes = 40;
/** Undefined where there is nothing to compare with. */
function effectsOf(cluster) {
    const { name, head, base } = cluster;
    if (!base)
        return undefined;
    const [now, before] = [applied(head), applied(base)];
    const pruned = prunedObjects(base.entrypoints, head.entrypoints).filter(({ movedTo }) => !movedTo);
    const gone = base.entrypoints.filter(({ entrypoint }) => !head.entrypoints.some((other) => sameEntrypoint(other.entrypoint, entrypoint)));
    const effects = {
        created: refs([...now].filter(([id]) => !before.has(id))),
        changed: refs([...now].filter(([id, object]) => differs(before.get(id), object))),
        deleted: pruned.filter(({ stays }) => !stays).map(({ object }) => object.ref),
        left: pruned.filter(({ stays }) => stays).map(({ object }) => object.ref),
        unknown: [...head.entrypoints, ...gone].filter((one) => !one.ok || gone.includes(one)).map(effects_pathOf),
    };
    const graph = pictureOf(cluster, [...effects.created, ...effects.changed, ...effects.deleted]);
    return { ...(name !== undefined && { cluster: name }), ...effects, ...(graph !== undefined && { graph }) };
}
function applied({ objects }) {
    return new Map(objects.filter(isApplied).map((object) => [inventoryId(object.ref), object]));
}
function differs(before, now) {
    return before !== undefined && !(0,external_node_util_.isDeepStrictEqual)(before.value, now.value);
}
function refs(objects) {
    return objects.map(([, { ref }]) => ref);
}
function effects_pathOf({ entrypoint }) {
    return entrypoint.path;
}
/** The Packages that are touched, and those that wait for them. */
function pictureOf(cluster, touched) {
    const names = touched.filter((ref) => isPackage({ ref }) || ref.kind === 'PackageSource').map(({ name }) => name);
    if (names.length === 0)
        return undefined;
    const graph = around(dependencyGraph(cluster, { installed: false, components: false }), new Set(names), mostNodes);
    return graph.edges.length > 0 ? toMermaid(graph) : undefined;
}

;// CONCATENATED MODULE: ./src/check.ts
function check_check(rules, subject) {
    const { config, clusters, trees, today, revision } = subject;
    const tree = trees[revision];
    const problems = [];
    const skipped = new Map();
    const notChecked = (what, why, count = 1) => {
        const key = `${what}\n${why}`;
        skipped.set(key, { what, why, count: count + (skipped.get(key)?.count ?? 0) });
    };
    const everywhere = clusters.flatMap((cluster) => cluster[revision]?.entrypoints ?? []);
    for (const cluster of clusters) {
        const { name, facts, contract, permissions, snapshot, head, base } = cluster;
        const side = revision === 'head' ? head : base;
        if (!side || !tree)
            continue;
        const before = revision === 'head' && base && trees.base ? { ...base, tree: trees.base } : undefined;
        for (const rule of rules) {
            if (rule.needsBase && !before)
                continue;
            const report = ({ assumes = [], ...said }) => {
                const guesses = assumes.map((fact) => facts.get(fact)).filter(({ source }) => source === 'assumed');
                problems.push({ rule: rule.id, ...said, at: inRevision(said.at, revision), assumes: check_named(guesses, name) });
            };
            const { severity: _, paths: __, ...options } = config.rules[rule.id] ?? {};
            rule.check?.({
                tree,
                cluster: name,
                ...side,
                everywhere,
                base: before,
                contract,
                owners: config.ownership,
                facts,
                permissions,
                snapshot,
                today,
                options,
                report,
                notChecked,
            });
        }
    }
    return { problems, notChecked: [...skipped.values()] };
}
/** A place in a file is one of the revision at hand, unless the rule says otherwise. */
function inRevision(place, revision) {
    return 'object' in place || place.revision ? place : { ...place, revision };
}
function check_named(facts, cluster) {
    return cluster === undefined ? facts : facts.map((fact) => ({ ...fact, cluster }));
}

;// CONCATENATED MODULE: ./src/config/ignores.ts
/** Findings that somebody accepted: `# customizer-lint ignore RULE -- reason` beside the line, or `ignores` in the configuration. */



/** Never ignored, as that would hide that something is ignored in vain. */
const aboutIgnores = new Set(['unused-ignore', 'expired-ignore', 'invalid-config']);
class Ignores {
    #written;
    #problems = [];
    #today;
    #silent;
    #isOfTree;
    constructor({ config, tree, files, today, rules, silent = [], isOfTree }) {
        this.#today = today;
        this.#silent = silent;
        this.#isOfTree = isOfTree;
        const known = new Set(rules);
        this.#written = [
            ...config.ignores.map((ignore, index) => ignores_configured(ignore, index, config.file)),
            ...[...files].flatMap((file) => this.#comments(tree, file, known)),
        ];
    }
    /** Takes the findings that are ignored out; what has expired does not count any more. */
    apply(findings) {
        const ignored = [];
        const kept = findings.filter((finding) => {
            const ignore = aboutIgnores.has(finding.rule) ? undefined : this.#written.find((one) => one.fits(finding));
            if (ignore)
                ignore.used = true;
            if (!ignore)
                return true;
            if (this.#expired(ignore)) {
                // Without it the ignore would hide nothing, so that has to go first.
                delete finding.fix;
                return true;
            }
            const { reason, expires } = ignore;
            ignored.push({ finding, reason, ...(expires && { expires }) });
            return false;
        });
        return { findings: kept, ignored };
    }
    /** What is wrong with the ignores themselves; to be asked when all findings were looked at. */
    problems() {
        const unused = this.#written
            .filter(({ used, rule }) => !used && !this.#silent.includes(rule))
            .map(({ rule, at }) => ({
            rule: 'unused-ignore',
            message: `Nothing here is reported by "${rule}", so ignoring it does nothing`,
            help: 'remove it, before it hides something else',
            at,
            ...this.#remedy(at),
        }));
        const expired = this.#written
            .filter((one) => one.used && this.#expired(one))
            .map(({ rule, expires, at }) => ({
            rule: 'expired-ignore',
            message: `Ignoring "${rule}" was agreed until ${expires}`,
            help: 'correct what is reported, or agree on another day',
            at,
            ...this.#remedy(at),
        }));
        return [...this.#problems, ...unused, ...expired];
    }
    #expired({ expires }) {
        return expires !== undefined && expires < this.#today;
    }
    /** A comment goes, or an entry of the configuration. */
    #remedy(at) {
        const title = 'remove the ignore';
        if ('range' in at && at.range)
            return { remedy: { title, safe: true, changes: [{ do: 'cut', at: { ...at, range: at.range } }] } };
        if (!this.#isOfTree || !('path' in at) || 'object' in at)
            return {};
        return { remedy: { title, safe: true, changes: [{ do: 'remove', at: { ...at, path: at.path.slice(0, -1) } }] } };
    }
    #comments(tree, file, rules) {
        const text = tree.text(file);
        if (!text?.includes('customizer-lint ignore') || depthExceeds(text, maxDepth))
            return [];
        return commentsOf(text).flatMap(({ comment, line, column }) => {
            const words = /^#+\s*customizer-lint ignore\b(.*)$/.exec(comment);
            if (!words)
                return [];
            const range = { start: { line, column }, end: { line, column: column + comment.length } };
            const at = { revision: tree.revision, file, range };
            const [, rule = '', , reason = '', expires] = /^\s+([\w-]+)\s*(--\s*(.*?)\s*(?:\(until (\d{4}-\d{2}-\d{2})\))?)?\s*$/.exec(words[1] ?? '') ?? [];
            const mistake = mistakeIn(rule, reason, rules);
            if (mistake) {
                const help = 'write: # customizer-lint ignore RULE -- the reason';
                this.#problems.push({ rule: 'invalid-config', message: mistake, help, at });
                return [];
            }
            const fits = (finding) => finding.rule === rule &&
                finding.at.revision === tree.revision &&
                finding.at.file === file &&
                [line, line + 1].includes(finding.at.range.start.line);
            return [{ rule, reason, ...(expires && { expires }), at, fits, used: false }];
        });
    }
}
function mistakeIn(rule, reason, rules) {
    if (rule === '')
        return 'This comment does not say which rule it ignores';
    if (!rules.has(rule))
        return `There is no rule "${rule}" to ignore`;
    if (reason === '')
        return `Ignoring "${rule}" needs a reason`;
    return undefined;
}
function ignores_configured({ rule, paths, object, reason, expires }, index, file) {
    const fits = (finding) => finding.rule === rule &&
        (!paths || paths.some((glob) => (0,esm/* minimatch */.xF)(finding.at.file, glob, { dot: true }))) &&
        (!object || (finding.object !== undefined && ignores_isNamed(finding.object, object)));
    const at = { file, document: 0, path: ['ignores', index, 'rule'], part: 'value' };
    return { rule, reason, ...(expires && { expires }), at, fits, used: false };
}
/** `Package/cozystack.metallb`, `NetworkPolicy/portal/deny`. */
function ignores_isNamed({ kind, namespace, name }, words) {
    return words === `${kind}/${name}` || words === `${kind}/${namespace ?? ''}/${name}`;
}
/**
 * The comments of a YAML file, as the language has them: a `#` in a block scalar or a string is none. Positions from 1, in
 * UTF-16 units.
 */
function commentsOf(text) {
    const comments = [];
    let line = 1;
    let column = 1;
    // The lexer puts a mark before every plain and block scalar, which may begin with `#` at the root of a document.
    let before = '';
    for (const token of new dist/* Lexer */.JG().lex(text)) {
        const mark = before;
        before = token;
        if (isMark(token))
            continue;
        if (token.startsWith('#') && !isMark(mark))
            comments.push({ comment: token, line, column });
        const lines = token.split('\n');
        line += lines.length - 1;
        column = lines.length > 1 ? lines.at(-1).length + 1 : column + token.length;
    }
    return comments;
}
/** Of no width: the begin of a document, of a scalar, an error. */
function isMark(token) {
    return token.length === 1 && token < ' ' && !/[\t\n\r]/.test(token);
}

;// CONCATENATED MODULE: ./src/report/values.ts



/** `object` is where the path leads: a `value` is secret where the `name` beside it says so. */
function maskedValue({ ref, value: object }, path, value) {
    const name = path.at(-1) === 'value' ? lookUp(object, [...path.slice(0, -1), 'name']) : undefined;
    const keys = [...path, name].filter((step) => typeof step === 'string');
    const isData = ref.kind === 'Secret' && (path[0] === 'data' || path[0] === 'stringData');
    return isData || keys.some(isSecretKey) ? secret(value) : values_masked(value);
}
/** That there is nothing, anybody may know. */
function secret(value) {
    return value === null ? value : mask_hidden;
}
function values_masked(value) {
    if (typeof value === 'string')
        return maskedText(value);
    if (Array.isArray(value))
        return value.map(values_masked);
    if (!isObject(value))
        return value;
    const isNamed = typeof value.name === 'string' && isSecretKey(value.name);
    const entries = Object.entries(value).map(([key, item]) => [
        key,
        isSecretKey(key) || (key === 'value' && isNamed) ? secret(item) : values_masked(item),
    ]);
    return Object.fromEntries(entries);
}
const maskedText = remembering((text) => {
    const lines = text.split('\n');
    const spans = secretSpans(lines);
    return lines.map((line, index) => replaceSpans(line, spans(index))).join('\n');
});

;// CONCATENATED MODULE: ./src/fingerprint.ts
/** What a finding is known by, from one commit to the next. */



/**
 * Writes `fingerprint` into findings in reading order: identity without lines, words and places in lists, so that it outlives
 * edits around it; equal ones are told apart by their order. `problems` are what the finding was made of.
 */
function fingerprint(all, locator) {
    const seen = new Map();
    for (const { finding, problems } of all) {
        const subject = finding.object ? inventoryId(finding.object) : finding.at.file;
        const key = JSON.stringify([finding.rule, subject, identityOf(problems[0].at, locator)]);
        const ordinal = seen.get(key) ?? 0;
        seen.set(key, ordinal + 1);
        finding.fingerprint = (0,external_node_crypto_.createHash)('sha256').update(`${key}#${ordinal}`).digest('hex').slice(0, 32);
    }
}
/** The path; in place of an index what the item says of itself, as another may come before it. Nothing secret is in it. */
function identityOf(place, locator) {
    if (!('path' in place))
        return [];
    const says = 'object' in place ? saidBy(place.object) : writtenAt(place, locator);
    return place.path.map((step, index) => (typeof step === 'number' ? says(place.path.slice(0, index + 1)) : step));
}
/** What tells the items of a list apart: in Kubernetes, and in a kustomization. */
const fingerprint_names = ['name', 'key', 'path', 'target', 'kind'];
function saidBy({ ref, value }) {
    return (path) => {
        const item = lookUp(value, path);
        if (item === undefined || Array.isArray(item))
            return null;
        if (!isObject(item))
            return maskedValue({ ref, value }, path, item);
        return fingerprint_names.map((name) => maskedValue({ ref, value }, [...path, name], item[name] ?? null));
    };
}
function writtenAt(place, locator) {
    const textAt = (path) => {
        const text = path[0] === 'secretGenerator' ? undefined : locator.written(place, path)?.text;
        return text === undefined ? null : maskedValue({ ref: { kind: '' }, value: {} }, path, text);
    };
    return (path) => locator.written(place, path)?.scalar ? textAt(path) : fingerprint_names.map((name) => textAt([...path, name]));
}

;// CONCATENATED MODULE: ./src/findings.ts
/** The funnel: problems of every stage go in; they come out located, merged, weighed and sorted. Nothing else does any of it. */




function collect(problems, options) {
    const findings = new Map();
    const heard = problems.flatMap((problem) => {
        const finding = toFinding(problem, options);
        return finding ? [{ problem, finding }] : [];
    });
    const better = heard.filter(({ problem }) => problem.insteadOf);
    for (const { problem, finding } of heard) {
        if (better.some((other) => saysLess(finding, other)))
            continue;
        // One line that five overlays render is one finding, seen from five entrypoints.
        const { file, revision, range } = finding.at;
        const key = JSON.stringify([
            finding.rule,
            revision,
            file,
            range,
            finding.precision === 'exact' ? finding.field.at(-1) : finding.message,
        ]);
        const known = findings.get(key);
        if (known) {
            join(known.finding, finding);
            known.problems.push(problem);
        }
        else
            findings.set(key, { finding, problems: [problem] });
    }
    for (const { finding, problems: same } of findings.values()) {
        const fix = options.fixer?.fix(same);
        // What rests on a guess is not done without asking.
        if (fix)
            finding.fix = { ...fix, safe: fix.safe && finding.assumes.length === 0 };
    }
    const sorted = [...findings.values()].sort((a, b) => inReadingOrder(a.finding, b.finding));
    fingerprint(sorted, options.locator);
    return sorted.map(({ finding }) => finding);
}
/** Whether a problem of another rule tells more of the same field. */
function saysLess({ rule, object, field }, { problem, finding: other }) {
    if (!object || !other.object || inventoryId(object) !== inventoryId(other.object))
        return false;
    return (problem.insteadOf ?? []).some(({ rules, path }) => rules.includes(rule) && path.every((step, index) => field[index] === step));
}
/** What one cluster makes an error is one, whatever the others say of the same line. */
function join(known, other) {
    if (other.object) {
        known.also ??= [];
        known.also.push(other.object);
    }
    known.entrypoints = [...new Set([...known.entrypoints, ...other.entrypoints])].sort();
    if (severities.indexOf(other.severity) >= severities.indexOf(known.severity))
        return;
    known.severity = other.severity;
    known.assumes = other.assumes;
}
/** Undefined where the configuration does not want to hear of it. */
function toFinding(problem, options) {
    const { locator } = options;
    const { at, precision } = locator.locate(problem.at);
    const severity = weigh(problem, at, options);
    if (!severity)
        return undefined;
    const object = problem.object ?? ('object' in problem.at ? problem.at.object.ref : undefined);
    const entrypoint = problem.entrypoint ?? ('object' in problem.at ? problem.at.object.entrypoint : undefined);
    return {
        rule: problem.rule,
        severity,
        message: problem.message,
        ...(problem.help && { help: problem.help }),
        at,
        precision,
        field: findings_fieldOf(problem.at),
        ...(object && { object }),
        related: [...related(problem, locator), ...otherPlaces(problem.at, at, locator)],
        entrypoints: entrypoint === undefined ? [] : [entrypoint],
        fingerprint: '',
        assumes: problem.assumes ?? [],
    };
}
/** A guess is never an error: what rests on an assumed fact is a warning at most. */
function weigh(problem, { file }, { config, severityOf }) {
    const { severity: everywhere, paths = [] } = config.rules[problem.rule] ?? {};
    const here = paths.findLast(({ paths: globs }) => globs.some((glob) => (0,esm/* minimatch */.xF)(file, glob, { dot: true })));
    const configured = here?.severity ?? everywhere;
    if (configured === 'off')
        return undefined;
    const severity = configured ?? problem.severity ?? severityOf(problem.rule);
    return severity === 'error' && (problem.assumes?.length ?? 0) > 0 ? 'warning' : severity;
}
function related({ related = [] }, locator) {
    return related.map(({ message, at }) => ({ message, at: locator.locate(at).at }));
}
/** A reader of the last line that sets a field wants to know which others do, and through which alias it does. */
function otherPlaces(place, found, locator) {
    if (!('object' in place) || 'removedBy' in place)
        return [];
    const alias = locator.alias(place.object, place.path);
    const elsewhere = alias && (alias.file !== found.file || alias.range.start.line !== found.range.start.line);
    return [
        ...(elsewhere ? [{ message: 'repeated here by an alias', at: alias }] : []),
        ...locator.earlier(place.object, place.path).map((at) => ({ message: 'overridden here', at })),
    ];
}
function findings_fieldOf(place) {
    return 'path' in place ? place.path : [];
}
function inReadingOrder(a, b) {
    return (findings_compare(a.at.file, b.at.file) ||
        a.at.range.start.line - b.at.range.start.line ||
        a.at.range.start.column - b.at.range.start.column ||
        severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
        findings_compare(a.rule, b.rule) ||
        findings_compare(a.message, b.message));
}
function findings_compare(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
}

;// CONCATENATED MODULE: ./src/fix/places.ts
/** Place → Spot: in which document, and at which path there, a field has to be edited; none where that is not certain. */






class Places {
    tree;
    #sources = new Map();
    #pages = new Map();
    constructor(tree) {
        this.tree = tree;
    }
    /** Every spot that has to be edited for the change to come about. */
    find(at, change) {
        if ('removedBy' in at)
            return undefined;
        if ('object' in at)
            return at.object.revision === 'head' ? this.#written(at.object, at.path, change) : undefined;
        if (!('path' in at) || at.revision === 'base')
            return undefined;
        const spot = { file: at.file, document: at.document };
        return this.#page(spot)?.at(at.path) === undefined ? undefined : [{ ...spot, path: at.path }];
    }
    /** The manifest of an object, as far as one file brings it in. */
    root(object) {
        if (!object.source || object.revision !== 'head')
            return undefined;
        const writer = object.writers(['kind'], 'value').at(-1);
        const point = writer?.by === 'resource' ? this.#point(writer) : undefined;
        const path = point?.page.startingAt(point.offset, 'value').find((one) => one.at(-1) === 'kind');
        if (!point || !path || point.spot.inside || point.spot.file !== object.source.file)
            return undefined;
        return { ...point.spot, path: path.slice(0, -1) };
    }
    /** Whether the manifest says at a path what the object does. */
    isSame(root, path, object) {
        return (0,external_node_util_.isDeepStrictEqual)(this.#page(root)?.at([...root.path, ...path]), lookUp(object.value, path));
    }
    /** Whether a node of the object at the same path was written at the spot, or below it. */
    isWrittenAt(object, path, spot) {
        const span = this.#page(spot)?.span(extentOf(spot));
        if (!span)
            return true;
        const key = places_keyOf(spot);
        return ['key', 'value'].some((part) => object.writers(path, part).some((writer) => {
            const point = this.#point(writer, part);
            return point?.key === key && point.offset >= span.start && point.offset < span.end;
        }));
    }
    #written(object, path, change) {
        const value = lookUp(object.value, path);
        if (value === undefined)
            return undefined;
        const isMap = value !== null && typeof value === 'object';
        const keys = object.writers(path, 'key');
        const part = (isMap || change === 'rename' || change === 'move') && keys.length > 0 ? 'key' : 'value';
        const writers = object.writers(path, part);
        // What is overridden anyway is none of a value's business; but it comes forth again where the last one is taken away.
        const spots = (change === 'set' ? writers.slice(0, 1) : writers).map((writer) => this.#spot(writer, part, path, change));
        if (spots.length === 0 || !spots.every((spot) => spot !== undefined))
            return undefined;
        if (change === 'set')
            return isMap ? undefined : spots;
        if (change === 'move' && (spots.length > 1 || !endsWith(spots[0]?.path ?? [], path)))
            return undefined;
        if (object.removed().some((gone) => path.every((step, index) => gone.path[index] === step)))
            return undefined;
        return this.#areAllIn(object, path, value, spots) ? spots : undefined;
    }
    /** Whether all that is below the path, and its value, was written at the spots and nowhere else. */
    #areAllIn(object, path, value, spots) {
        const isIn = (writer, part) => {
            const point = this.#point(writer, part);
            if (!point)
                return false;
            return spots.some((spot) => {
                const span = places_keyOf(spot) === point.key ? point.page.span(extentOf(spot)) : undefined;
                return span !== undefined && point.offset >= span.start && point.offset < span.end;
            });
        };
        const all = (node, at) => {
            if (!object.writers(at, 'value').every((writer) => isIn(writer, 'value')))
                return false;
            if (at.length > path.length && !object.writers(at, 'key').every((writer) => isIn(writer, 'key')))
                return false;
            if (node === null || typeof node !== 'object')
                return true;
            const steps = Array.isArray(node) ? [...node.keys()] : Object.keys(node);
            return steps.every((step) => all(node[step], [...at, step]));
        };
        return all(value, path);
    }
    #spot(writer, part, path, change) {
        const point = this.#point(writer, part);
        if (!point)
            return undefined;
        const found = point.page.startingAt(point.offset, point.part);
        const last = path.at(-1);
        const own = found.find((one) => (typeof last === 'number' ? typeof one.at(-1) === 'number' : one.at(-1) === last));
        if (own)
            return { ...point.spot, path: own };
        const scalars = writer.by === 'json-patch' ? point.page.startingAt(point.offset, 'value') : [];
        const operation = scalars.find((one) => isOperation(point.page, one));
        if (!operation)
            return undefined;
        if (change === 'rename')
            return pointerAt(point, [...operation.slice(0, -1), 'path'], last);
        if (change === 'set')
            return { ...point.spot, path: [...operation.slice(0, -1), 'value'] };
        // The only operation of a patch cannot go without the patch.
        return change === 'remove' && operation.length > 1 ? { ...point.spot, path: operation.slice(0, -1) } : undefined;
    }
    /** Undefined where the value is made of several, or of no YAML. */
    #point({ by, from, derivedFrom }, part = 'value') {
        const [origin] = from;
        if (!origin || from.length > 1 || derivedFrom || !['resource', 'merge-patch', 'json-patch'].includes(by))
            return undefined;
        if ('textLine' in origin)
            return undefined;
        return 'path' in origin ? this.#pointOfPath(origin) : this.#pointOf(origin, part);
    }
    #pointOfPath({ file, document, path, part = 'value' }) {
        const spot = { file, document };
        const page = this.#page(spot);
        const offset = page?.span(path)?.start;
        return page && offset !== undefined ? { page, key: places_keyOf(spot), spot, offset, part } : undefined;
    }
    #pointOf(origin, part) {
        const { file, inside, within = 0, line, column } = origin;
        const spot = inside ? { file, document: within, inside } : { file, document: origin.document };
        const page = inside && origin.document > 0 ? undefined : this.#page(spot);
        const source = inside ? page && new Source(page.text) : this.#source(file);
        const document = inside ? undefined : source?.documents[origin.document];
        if (!page || !source)
            return undefined;
        return { page, key: places_keyOf(spot), spot, offset: source.offset(line, column) - (document?.offset ?? 0), part };
    }
    #source(file) {
        if (!this.#sources.has(file)) {
            const text = this.tree.text(file);
            this.#sources.set(file, text === undefined ? undefined : new Source(text));
        }
        return this.#sources.get(file);
    }
    #page(spot) {
        const key = places_keyOf(spot);
        if (!this.#pages.has(key)) {
            const text = this.#textOf(spot);
            this.#pages.set(key, text === undefined ? undefined : Page.read(text));
        }
        return this.#pages.get(key);
    }
    #textOf({ file, document, inside }) {
        const text = this.#source(file)?.documents[document]?.text;
        if (text === undefined || !inside)
            return text;
        const scalar = parseSyntax(text)?.find(inside)?.value;
        return scalar?.style && innerText(text.slice(scalar.start, scalar.end), scalar.style)?.text;
    }
}
/** The text that names the key, where it is the last one that it names. */
function pointerAt({ page, spot }, path, key) {
    const pointer = page.at(path);
    if (typeof pointer !== 'string' || typeof key !== 'string')
        return undefined;
    return pointer.endsWith(`/${escaped(key)}`) ? { ...spot, path, pointer } : undefined;
}
/** As a JSON pointer has it (RFC 6901). */
function escaped(key) {
    return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
/** What the edit is about, an operation of a patch as a whole. */
function extentOf({ path, pointer }) {
    return pointer === undefined ? path : path.slice(0, -1);
}
function places_keyOf({ file, document, inside }) {
    return JSON.stringify([file, document, inside ?? null]);
}
/** `value` or `path` of a JSON patch's operation. */
function isOperation(page, path) {
    const operation = page.at(path.slice(0, -1));
    return (['value', 'path'].includes(String(path.at(-1))) &&
        typeof path.at(-2) === 'number' &&
        lookUp(operation, ['op']) !== undefined);
}
function endsWith(path, end) {
    const tail = path.slice(path.length - end.length);
    return tail.length === end.length && tail.every((step, index) => step === end[index]);
}

;// CONCATENATED MODULE: ./src/fix/restore.ts
/** An object that a change has taken out, brought back: its manifest as it was, and the entry that lists it. */




/** The files with the object back in them, by path; undefined where it is not certain how. */
function restored(change, head, base) {
    const { object } = change;
    const before = base.rendered.find((one) => one.entrypoint.path === object.entrypoint);
    const after = head.rendered.find((one) => one.entrypoint.path === object.entrypoint);
    const source = object.revision === 'base' ? object.source : undefined;
    if (!source || !before?.ok || !after?.ok)
        return undefined;
    const text = manifest(base.tree, source, change);
    const listing = listingOf(source.file, before.files, base.tree);
    if (text === undefined || listing === 'unclear')
        return undefined;
    const files = new Map();
    if (listing) {
        const again = after.files.includes(listing.file) ? restore_listed(head.tree, listing) : undefined;
        if (again === undefined)
            return undefined;
        if (again !== 'there')
            files.set(listing.file, again);
    }
    const whole = intoFile(head.tree, source.file, text, object);
    // A manifest that is where it was, and is listed, is kept out by something else.
    if (whole === undefined || (whole.isThere && files.size === 0))
        return undefined;
    return files.set(source.file, whole.text);
}
function manifest(tree, { file, document }, change) {
    const text = tree.text(file);
    const written = text?.includes('\uFFFD') ? undefined : new Source(text ?? '').documents[document]?.text;
    const page = written === undefined ? undefined : Page.read(written);
    return page && isManifestOf(page, change.object) ? edited(page, change)?.text : undefined;
}
function edited(page, { without, add }) {
    const less = without
        .filter((path) => page.at(path) !== undefined)
        .reduce((now, path) => now?.edit({ do: 'remove', path }), page);
    return add.reduce((now, { path, value }) => {
        if (now?.at(path) === value)
            return now;
        return now?.edit(now.at(path) === undefined ? { do: 'add', path, value } : { do: 'set', path, value });
    }, less);
}
function isManifestOf(page, { ref }) {
    return page.at(['kind']) === ref.kind && page.at(['metadata', 'name']) === ref.name;
}
/** The kustomization that listed the file; undefined where Flux takes every file of the folder. */
function listingOf(file, files, tree) {
    // The one that Flux makes where there is none is in no tree.
    const kustomizations = files.filter((one) => isKustomizationFile(one) && tree.has(one));
    if (kustomizations.length === 0)
        return undefined;
    const found = kustomizations.flatMap((one) => {
        const entries = Page.read(tree.text(one) ?? '')?.at(['resources']);
        return (Array.isArray(entries) ? entries : []).flatMap((entry, index) => typeof entry === 'string' && (0,posix_.join)((0,posix_.dirname)(one), entry) === file
            ? [{ file: one, path: ['resources'], entry, index }]
            : []);
    });
    return found.length === 1 ? found[0] : 'unclear';
}
function restore_listed(tree, { file, path, entry, index }) {
    const page = Page.read(tree.text(file) ?? '');
    const entries = page?.at(path);
    if (Array.isArray(entries) && entries.includes(entry))
        return 'there';
    const edit = Array.isArray(entries)
        ? { do: 'insert', path, index: Math.min(index, entries.length), value: entry }
        : { do: 'add', path, value: [entry] };
    return page?.edit(edit)?.text;
}
/** As the only document of a new file, as the last one of a file that is there, or in place of the one that is there. */
function intoFile(tree, file, text, object) {
    const ended = text.endsWith('\n') ? text : `${text}\n`;
    const whole = tree.text(file);
    if (whole === undefined)
        return tree.has(file) ? undefined : { text: ended, isThere: false };
    const { documents } = new Source(whole);
    const pages = documents.map((one) => Page.read(one.text));
    const there = pages.findIndex((page) => page && isManifestOf(page, object));
    const old = documents[there];
    if (old) {
        const now = whole.slice(0, old.offset) + text + whole.slice(old.offset + old.text.length);
        return { text: now, isThere: true };
    }
    if (pages.some((page) => page === undefined))
        return undefined;
    return {
        text: `${whole.endsWith('\n') ? whole : `${whole}\n`}---\n${ended.replace(/^---[^\n]*\n/, '')}`,
        isThere: false,
    };
}

;// CONCATENATED MODULE: ./src/fix/fixer.ts
/**
 * Remedy → Fix: the one place that turns what a rule proposes into edits of files. Where an edit is not certain to do that and
 * nothing else, there is no fix: a value that several places make, an anchor, a file that others read as well.
 */









class Fixer {
    tree;
    rendered;
    base;
    #places;
    /** Who reads a file. */
    #users = new Map();
    /** By path: the objects that have it, by the files that it was written in. By `''`: by the file that brought them in. */
    #written = new Map();
    constructor(tree, rendered, base) {
        this.tree = tree;
        this.rendered = rendered;
        this.base = base;
        this.#places = new Places(tree);
        for (const one of rendered)
            for (const file of one.files)
                append(this.#users, file, one);
    }
    /** Of problems that are one finding: an edit that does for one of them must do for all. */
    fix(problems) {
        const remedies = problems.map(({ remedy }) => remedy);
        const [first] = remedies;
        if (!first || !remedies.every((one) => one !== undefined && one.title === first.title))
            return undefined;
        const files = new Map();
        const spots = [];
        for (const change of remedies.flatMap(({ changes }) => changes)) {
            if (change.do === 'cut') {
                if (!this.#cut(change, files))
                    return undefined;
            }
            else if (change.do === 'restore') {
                const made = this.base && restored(change, { tree: this.tree, rendered: this.rendered }, this.base);
                if (!made)
                    return undefined;
                for (const [file, text] of made)
                    files.set(file, text);
            }
            else {
                const placed = this.#place(change);
                if (!placed)
                    return undefined;
                spots.push(...placed);
            }
        }
        if (!this.#areAllMeant(spots, problems) || !this.#write(spots, files))
            return undefined;
        const edits = [...files].flatMap(([file, text]) => editsBetween(file, this.tree.text(file) ?? '', text));
        return edits.length > 0 ? { title: first.title, safe: remedies.every(({ safe }) => safe), edits } : undefined;
    }
    #cut({ at }, files) {
        const text = files.has(at.file) ? undefined : this.tree.text(at.file);
        const source = text === undefined ? undefined : new Source(text);
        const line = source?.lineSpan(at.range.start.line);
        if (text === undefined || !line || at.range.end.line !== at.range.start.line)
            return false;
        const before = text.slice(line.start, line.start + at.range.start.column - 1).trimEnd();
        const after = text.slice(line.start + at.range.end.column - 1, line.end).trimEnd();
        const end = before + after === '' ? line.end + (/^\r?\n/.exec(text.slice(line.end))?.[0].length ?? 0) : line.end;
        files.set(at.file, text.slice(0, line.start) + before + after + text.slice(end));
        return true;
    }
    #place(change) {
        if (change.do === 'add')
            return this.#placeAdded(change);
        const { at } = change;
        const found = this.#places.find(at, change.do);
        const object = 'object' in at ? at.object : undefined;
        return found?.map((spot) => ({ spot, edit: editAt(spot, change), at, ...(object && { object }) }));
    }
    #placeAdded(change) {
        const { object, path } = change.at;
        if (lookUp(object.value, path) !== undefined || object.removed().some((one) => fixer_reaches(one.path, path)))
            return undefined;
        const maps = path.slice(0, -1).map((_, index) => path.slice(0, index + 1));
        const isReplaced = maps.some((map) => object.writers(map, 'value').some(({ by }) => !['resource', 'merge-patch', 'transformer'].includes(by)));
        const root = isReplaced ? undefined : this.#places.root(object);
        const item = path.findLastIndex((step) => typeof step === 'number') + 1;
        // An item of a list is only known to be the same one where it is the same.
        if (!root || (item > 0 && !this.#places.isSame(root, path.slice(0, item), object)))
            return undefined;
        const { value, after } = change;
        const edit = { do: 'add', path: [...root.path, ...path], value, ...(after && { after }) };
        return [{ spot: { ...root, path: edit.path }, edit, at: change.at, object }];
    }
    /**
     * Whether nobody else reads what is edited: no entrypoint in which the problem is not there, and no other object that is
     * made of the same lines.
     */
    #areAllMeant(placed, problems) {
        const objects = new Set(placed.flatMap(({ object }) => object ?? []));
        const entrypoints = new Set([
            ...[...objects].map(({ entrypoint }) => entrypoint),
            ...problems.flatMap(({ entrypoint, at }) => entrypoint ?? ('object' in at ? at.object.entrypoint : [])),
        ]);
        for (const { spot, edit, at } of placed) {
            const users = this.#users.get(spot.file) ?? [];
            if (!users.every(({ ok, entrypoint }) => ok && entrypoints.has(entrypoint.path)))
                return false;
            if (!('object' in at))
                continue;
            const others = this.#objectsOf(spot.file, edit.do === 'add' ? undefined : at.path).filter((one) => !objects.has(one));
            const isShared = (other) => edit.do === 'add'
                ? other.source?.document === at.object.source?.document
                : this.#places.isWrittenAt(other, at.path, spot);
            if (others.some(isShared))
                return false;
            if (edit.do === 'set' && at.path.join('.') === 'metadata.name' && this.#isNamedElsewhere(at, users))
                return false;
        }
        return true;
    }
    /** The objects whose field at the path was written in the file; without a path those that the file brings in. */
    #objectsOf(file, path) {
        const key = path ? JSON.stringify(path) : '';
        let index = this.#written.get(key);
        if (!index) {
            index = new Map();
            for (const one of this.rendered)
                for (const object of one.ok ? one.objects : [])
                    for (const name of path ? filesOf(object, path) : [object.source?.file ?? ''])
                        append(index, name, object);
            this.#written.set(key, index);
        }
        return index.get(file) ?? [];
    }
    /** A patch that knows an object by its name would not find it any more. */
    #isNamedElsewhere({ object }, users) {
        const files = new Set(users.flatMap((one) => one.files));
        const times = [...files].map((file) => (this.tree.text(file) ?? '').split(object.ref.name).length - 1);
        return times.reduce((sum, count) => sum + count, 0) > 1;
    }
    #write(placed, files) {
        const pages = new Map();
        for (const one of placed) {
            const { file, document, inside } = one.spot;
            const key = JSON.stringify([file, document, inside ?? null]);
            const edits = pages.get(key) ?? [];
            if (!edits.some(({ edit }) => (0,external_node_util_.isDeepStrictEqual)(edit, one.edit)))
                pages.set(key, [...edits, one]);
        }
        // From the end, so that the documents before stay where they are.
        const byPlace = [...pages.values()].sort((a, b) => (b[0]?.spot.document ?? 0) - (a[0]?.spot.document ?? 0));
        return byPlace.every((page) => this.#writePage(page, files));
    }
    #writePage(placed, files) {
        const { file, document, inside } = placed[0].spot;
        const whole = files.get(file) ?? this.tree.text(file);
        const text = whole === undefined || whole.includes('\uFFFD') ? undefined : new Source(whole).documents[document];
        if (whole === undefined || !text)
            return false;
        const node = inside && parseSyntax(text.text)?.find(inside)?.value;
        const scalar = node && text.text.slice(node.start, node.end);
        // What a document holds of another is edited by lines, which only a literal block has as they are.
        const inner = node?.style === 'BLOCK_LITERAL' && scalar !== undefined ? innerText(scalar, node.style) : undefined;
        if (inside && (!inner || !Page.read(text.text)))
            return false;
        const page = Page.read(inner?.text ?? text.text);
        const edited = page && inTurn(page, placed);
        if (!edited)
            return false;
        let after = edited.text;
        if (inner && node && scalar !== undefined) {
            const block = literal(scalar, inner.text, edited.text);
            if (block === undefined)
                return false;
            after = text.text.slice(0, node.start) + block + text.text.slice(node.end);
            if (!Page.read(after))
                return false;
        }
        files.set(file, whole.slice(0, text.offset) + after + whole.slice(text.offset + text.text.length));
        return true;
    }
}
function editAt({ path, pointer }, change) {
    switch (change.do) {
        case 'remove':
            return { do: 'remove', path };
        case 'set':
            return { do: 'set', path, value: change.value, asWritten: change.asWritten };
        case 'rename':
            if (pointer === undefined)
                return { do: 'rename', path, key: change.key };
            return { do: 'set', path, value: pointer.slice(0, pointer.lastIndexOf('/') + 1) + escaped(change.key) };
        case 'insert':
            return { do: 'insert', path, value: change.value };
        case 'move':
            return { do: 'move', path, to: [...path.slice(0, path.length - change.at.path.length), ...change.to] };
    }
}
/** The files in which a field, or its key, was written by anybody. */
function filesOf(object, path) {
    const writers = ['key', 'value'].flatMap((part) => object.writers(path, part));
    return new Set(writers.flatMap(({ from }) => from.map(({ file }) => file)));
}
function append(lists, key, value) {
    const list = lists.get(key);
    if (list)
        list.push(value);
    else
        lists.set(key, [value]);
}
/** What goes from a list changes the places of what follows, so the last goes first. */
function inTurn(page, placed) {
    const edits = placed.map(({ edit }) => edit);
    const removals = edits
        .filter((edit) => edit.do === 'remove')
        .sort((a, b) => (page.span(b.path)?.start ?? 0) - (page.span(a.path)?.start ?? 0));
    const others = edits.filter((edit) => edit.do !== 'remove');
    return [...others, ...removals].reduce((now, edit) => now?.edit(edit), page);
}
/** The block scalar with the lines that differ in place of the old ones. */
function literal(scalar, before, after) {
    const [header = '', ...written] = scalar.split('\n');
    const pad = /^[ \t]*/.exec(written.find((line) => line.trim() !== '') ?? '')?.[0] ?? '';
    const eol = header.endsWith('\r') ? '\r\n' : '\n';
    const lines = written.map((line) => line.replace(/\r$/, ''));
    const old = before.split('\n');
    if (pad === '' || old.some((line, index) => line !== '' && lines[index] !== pad + line))
        return undefined;
    const now = after.split('\n').map((line) => (line === '' ? '' : pad + line));
    return [header.replace(/\r$/, ''), ...now].join(eol);
}
/** Whether what became of one path bears on the other. */
function fixer_reaches(one, other) {
    const length = Math.min(one.length, other.length);
    return one.slice(0, length).every((step, index) => step === other[index]);
}

;// CONCATENATED MODULE: ./src/judge.ts
/** The rules and the funnel over each revision, and what the two say together: what is new, and what is accepted. */







/** The rules and the funnel over one revision or the other. */
class Judge {
    trees;
    policy;
    clusters;
    today;
    locator;
    constructor(trees, policy, clusters, today) {
        this.trees = trees;
        this.policy = policy;
        this.clusters = clusters;
        this.today = today;
        this.locator = new Locator(trees);
    }
    /** `mistakes` are what the stages themselves found; `ran` names those that ran besides. */
    judge(revision, rendered, mistakes, ran = []) {
        const { trees, today } = this;
        const { config } = this.policy;
        const checked = this.#checked(revision);
        const problems = [...mistakes, ...nothingFound(rendered), ...judge_refusals(rendered), ...checked.problems];
        const before = this.clusters.flatMap(({ base }) => base?.entrypoints ?? []);
        const base = trees.base && { tree: trees.base, rendered: before };
        const fixer = revision === 'head' ? new Fixer(trees.head, rendered, base) : undefined;
        const funnel = { locator: this.locator, config, severityOf, fixer };
        const findings = collect(problems.map((problem) => ({ ...problem, at: inRevision(problem.at, revision) })), funnel);
        const ignores = new Ignores({
            config,
            tree: trees[revision],
            files: new Set([...rendered.flatMap(({ files }) => files), ...findings.map(({ at }) => at.file)]),
            today,
            rules: rules.map(({ id }) => id),
            silent: rules.flatMap(({ id, stages }) => (stages && !stages.some((stage) => ran.includes(stage)) ? [id] : [])),
            isOfTree: this.policy.from === revision,
        });
        const { findings: kept, ignored } = ignores.apply(findings);
        const all = [...kept, ...collect(ignores.problems(), funnel)].sort(inReadingOrder);
        return { findings: all, ignored, notChecked: checked.notChecked };
    }
    #known = new Map();
    /** What the rules say is asked for again once a server has said more. */
    #checked(revision) {
        const { trees, clusters, today, policy } = this;
        const checked = this.#known.get(revision) ?? check_check(rules, { config: policy.config, clusters, trees, today, revision });
        this.#known.set(revision, checked);
        return checked;
    }
    sources = {
        text: (revision, file) => this.locator.source(revision, file)?.text,
        has: (revision, file) => {
            const tree = this.trees[revision];
            return tree !== undefined && (tree.has(file) || tree.isDirectory(file) || tree.links.includes(file));
        },
    };
}
/** Which findings are new; and which ignores came with the change, which a stranger may not bring along. */
function judge_compare(head, base, policy) {
    if (!base)
        return head;
    const known = new Set(base.findings.map(({ fingerprint }) => fingerprint));
    const accepted = new Set(base.ignored.map(({ finding }) => finding.fingerprint));
    const old = (finding) => known.has(finding.fingerprint) || accepted.has(finding.fingerprint);
    const ignored = head.ignored.map((one) => ({ ...one, isNew: !accepted.has(one.finding.fingerprint) }));
    const refused = policy.newIgnores ? [] : ignored.filter(({ isNew }) => isNew).map(({ finding }) => finding);
    return {
        findings: [...head.findings, ...refused]
            .sort(inReadingOrder)
            .map((finding) => ({ ...finding, isNew: !old(finding) })),
        ignored: policy.newIgnores ? ignored : ignored.filter(({ isNew }) => !isNew),
    };
}
function severityOf(id) {
    return rules.find((rule) => rule.id === id)?.severity ?? 'error';
}
/** Some rules know more of a refusal than the stage, and report it themselves. */
function judge_refusals(rendered) {
    const own = new Set(rules.flatMap(({ id, reportsRefusals }) => (reportsRefusals ? [id] : [])));
    return rendered.flatMap((result) => (result.ok || own.has(result.problem.rule) ? [] : [result.problem]));
}
/** A check that looked at nothing must not be green. */
function nothingFound(rendered) {
    if (rendered.length > 0)
        return [];
    const message = 'There is nothing to check: no directory that Flux applies was found';
    const help = `name one with --path, or list entrypoints in ${configFile}`;
    return [{ rule: 'missing-entrypoint', message, help, at: { file: configFile } }];
}

;// CONCATENATED MODULE: ./src/engine/apply-engine.ts

class ApplyEngine {
    worker;
    limits;
    /** Calls are sent one after the other: the thread answers in order, and an answer does not say to what. */
    #turn = Promise.resolve();
    #ended = false;
    constructor(worker, limits) {
        this.worker = worker;
        this.limits = limits;
        worker.on('exit', () => {
            this.#ended = true;
        });
    }
    /**
     * Unpacks and starts the module; `home` is its directory, `dist/engine`. Throws where it is not there. Several may be open at a
     * time, each with objects of its own.
     */
    static async open(home, limits = { seconds: 60 }) {
        // Its functions are many, and each is called less often than pays for optimizing it: a third of the time for 1,000 Packages.
        baselineOnly();
        return new ApplyEngine(await startThread(home, 'apply'), limits);
    }
    /** CustomResourceDefinitions (v1). Throws where one cannot be served. */
    async define(definitions) {
        await this.#call({ op: 'define', definitions });
    }
    /** An answer for each operation. A call costs: send many operations at once. Throws only for a bug, and when time is up. */
    async ask(operations) {
        if (operations.length === 0)
            return [];
        const response = await this.#call({ op: 'ask', operations });
        return response.answers;
    }
    async close() {
        await this.worker.terminate();
    }
    #call(request) {
        const answer = this.#turn.then(async () => {
            const response = JSON.parse(await this.#exchange(apply_engine_encode(request)));
            if (!response.ok)
                throw new Error(`the apply engine: ${response.error?.message}`);
            return response;
        });
        this.#turn = answer.catch(() => { });
        return answer;
    }
    async #exchange(frame) {
        if (this.#ended)
            throw new Error('the apply engine has ended');
        try {
            return await thread_exchange(this.worker, frame, this.limits);
        }
        catch (error) {
            void this.worker.terminate();
            throw new Error(`the simulation stopped: ${error.message}`);
        }
    }
}
/** See apply-protocol.ts for the format. */
function apply_engine_encode(request) {
    const chunks = [Buffer.alloc(0)];
    const apart = (operation) => 'object' in operation ? { ...operation, object: chunks.push(apply_engine_bytesOf(operation.object)) - 1 } : operation;
    chunks[0] = apply_engine_bytesOf(request.op === 'ask' ? { ...request, operations: request.operations.map(apart) } : request);
    return frameOf(chunks);
}
function apply_engine_bytesOf(value) {
    return Buffer.from(JSON.stringify(value));
}

;// CONCATENATED MODULE: ./src/simulate/problems.ts
/** What the simulation shows and no rule says: refusals, and what is taken or lost of what others have set. */






/**
 * `findings` are what the rules say of the same. Only where the objects are those of the cluster (`live`) is anything said of
 * fields: of what the platform is known to leave there, the rules say it.
 */
function problems_problemsOf(simulation, { cluster, findings, live }) {
    const changed = simulation.outcomes.filter(({ action }) => action === 'changed');
    return {
        head: [
            ...simulation.reconciles.flatMap((one) => problems_refusals(one, cluster, findings)),
            ...(live ? changed.flatMap((outcome) => fieldProblems(outcome, findings)) : []),
        ],
        base: simulation.earlier.flatMap((one) => problems_refusals(one, cluster, [])),
    };
}
function problems_refusals({ rendered, objects, first, second }, cluster, findings) {
    const refused = new Map([...second.refused, ...first.refused].map((one) => [inventoryId(one.ref), one]));
    const there = { cluster, ours: true, version: '', objects };
    return objects.flatMap((object) => {
        const one = refused.get(inventoryId(object.ref));
        if (!one || isDeleted(object.ref.namespace, findings))
            return [];
        const refusal = refusalIn({ status: one.status, body: one.body }, object);
        const { unsaid } = compare_compare({ object, rendered, outcome: 'refused', refusal }, findings, false);
        const rest = { object, rendered, refusal: { ...refusal, causes: unsaid } };
        return unsaid.length === 0 || notKnown(rest, there) !== undefined ? [] : problemsOf(rest, cluster, true);
    });
}
/** That all goes which is in a namespace, the rule says where the namespace is removed. */
function isDeleted(namespace, findings) {
    return findings.some(({ rule, object }) => rule === 'pruned-namespace' && object?.name === namespace);
}
/** Fields that somebody else has set. What Flux itself has set before, the change may set or leave out as it likes. */
function fieldProblems({ object, fields, ref }, findings) {
    if (!object)
        return [];
    const about = findings.filter((finding) => isAbout(finding, object));
    return fields.flatMap((field) => {
        const owners = field.ownersBefore.filter((owner) => owner !== reconcile_manager);
        if (owners.length === 0 || isOfFlux(field.path) || problems_isSaid(field.path, about))
            return [];
        const isLost = field.after === undefined || (field.after === null && lookUp(object.value, field.path) !== null);
        if (!isLost && (field.ownersAfter.some((owner) => owners.includes(owner)) || field.before === undefined))
            return [];
        const said = isLost ? lost(field, owners) : taken(field, owners);
        return [{ ...said, message: `${ref.kind} "${ref.name}": ${said.message}`, at: { object, path: field.path } }];
    });
}
/** They are about all of an object, and not about the field alone that they stand at. */
const ofObjects = ['kubectl-takeover', 'platform-object-edited'];
function problems_isSaid(path, findings) {
    return findings.some(({ rule, field }) => ofObjects.includes(rule) || isAlong(field, path));
}
function lost({ path, after }, owners) {
    return {
        rule: 'lost-field',
        message: `${spell(path)}, which ${owners.join(' and ')} has set, ${after === null ? 'becomes null' : 'vanishes'} when Flux applies this`,
        help: 'write the field as it is to stay, or leave the object alone with the annotation kustomize.toolkit.fluxcd.io/ssa: Merge',
    };
}
function taken({ path }, owners) {
    return {
        rule: 'taken-field',
        message: `Flux takes ${spell(path)} from ${owners.join(' and ')}, with another value`,
        help: 'leave the field out, or see that whoever has set it does not set it any more',
    };
}

;// CONCATENATED MODULE: ./src/facts/rights.ts


function rightsOf(cluster) {
    const { contract, facts, roles, base, head } = cluster;
    const ownedNamespaces = ownedWhenApplied(cluster);
    const before = new Set(rolesIn(base?.objects ?? []));
    const others = roles.filter((role) => !before.has(role));
    const rights = { contract, facts, ownedNamespaces };
    return {
        now: permissionsOf({ ...rights, roles }),
        later: permissionsOf({ ...rights, roles: base ? [...others, ...rolesIn(head.objects)] : roles }),
    };
}

;// CONCATENATED MODULE: ./src/simulate/changes.ts
/** What differs between two states of an object: fields with their values and owners. */



/** What an API server writes by itself. */
const changes_servers = ['managedFields', 'resourceVersion', 'generation', 'uid', 'creationTimestamp'];
/** In the order of the object as it is, then what is gone. A field that only got another owner counts. */
function changesBetween(before, after) {
    const [old, now] = [leavesIn(before), leavesIn(after)];
    const [ownersBefore, ownersAfter] = [ownersIn(before), ownersIn(after)];
    const paths = new Map([...now, ...old]);
    const changes = [];
    for (const [key, path] of paths) {
        const [was, is] = [changes_valueAt(before, path), changes_valueAt(after, path)];
        // A map that got its first key, or lost its last, is told by that key.
        if (isObject(was) && isObject(is))
            continue;
        const [had, has] = [ownersBefore.get(key) ?? [], ownersAfter.get(key) ?? []];
        if ((0,external_node_util_.isDeepStrictEqual)(was, is) && (0,external_node_util_.isDeepStrictEqual)(had, has))
            continue;
        changes.push({
            path,
            ...(was !== undefined && { before: was }),
            ...(is !== undefined && { after: is }),
            ...{ ownersBefore: had, ownersAfter: has },
        });
    }
    return changes;
}
function changes_valueAt(object, path) {
    return object && lookUp(object, path);
}
/** Fields that hold no others, by `keyOf`: scalars, lists, maps without anything in them. */
function leavesIn(object) {
    const leaves = new Map();
    const visit = (value, path) => {
        if (path.length === 2 && path[0] === 'metadata' && changes_servers.includes(String(path[1])))
            return;
        const entries = isObject(value) ? Object.entries(value) : [];
        if (entries.length === 0)
            leaves.set(keyOf(path), path);
        for (const [key, inner] of entries)
            visit(inner, [...path, key]);
    };
    for (const [key, value] of Object.entries(object ?? {}))
        visit(value, [key]);
    return leaves;
}

;// CONCATENATED MODULE: ./src/simulate/seed.ts



/** What a server was told already: clusters of a fleet are much alike. */
const prepared = new WeakMap();
/** The cluster as it is before the repository has a say; gives the kinds that it must not serve, defined for another. */
async function prepare(server, cluster, options) {
    const definitions = definitionsFor(cluster);
    const seed = seedOf(cluster, options);
    const state = JSON.stringify([definitions, seed]);
    const known = prepared.get(server);
    if (known?.state === state) {
        await server.ask([{ op: 'restore', name: 'seed' }]);
    }
    else {
        await server.define(definitions);
        await server.ask([{ op: 'reset' }, ...seed, { op: 'snapshot', name: 'seed' }]);
    }
    const own = definitions.map(kindOf);
    const kinds = new Set([...(known?.kinds ?? []), ...own]);
    prepared.set(server, { state, kinds });
    return new Set([...kinds].filter((kind) => !own.includes(kind)));
}
function kindOf(definition) {
    const words = [
        ['spec', 'group'],
        ['spec', 'names', 'kind'],
    ].map((path) => textAt(definition, path) ?? '');
    return words.join('/');
}
function seedOf(cluster, { live = [] }) {
    const there = new Set(live.map((object) => seed_idOf(object)));
    const planted = platformObjects(cluster).filter(({ object }) => !there.has(seed_idOf(object)));
    return [
        ...planted.map(({ object, manager, how }) => how === 'create'
            ? { op: 'create', object, manager, brief: true }
            : { op: 'apply', object, manager, force: true, brief: true }),
        ...live.map((object) => ({ op: 'put-raw', object, brief: true })),
    ];
}
function seed_idOf({ apiVersion, kind, metadata }) {
    const { namespace, name } = isObject(metadata) ? metadata : {};
    return inventoryId({
        ...{ apiVersion: String(apiVersion), kind: String(kind), name: String(name) },
        ...(typeof namespace === 'string' && { namespace }),
    });
}

;// CONCATENATED MODULE: ./src/simulate/simulate.ts
/**
 * What a merge does in a cluster: kustomize-controller's reconciles of the commit before and of the change, one after the
 * other, on the state that the platform leaves. Two of each, as some damage comes with the second only (oracle.md §3).
 */










/** What is refused only as it stands, before Flux fills in its variables, would stop the rest: it is left out. */
async function simulate(cluster, server, options = {}) {
    const left = new Map();
    for (;;) {
        const simulation = await attempt(cluster, server, options, left);
        const refused = [...simulation.reconciles, ...simulation.earlier].flatMap(unsure);
        if (refused.every(({ ref }) => left.has(inventoryId(ref))))
            return simulation;
        for (const { ref } of refused)
            left.set(inventoryId(ref), { what: unknownName(ref), why: 'it has variables, and is refused as it stands' });
    }
}
function unsure({ objects, first, second }) {
    const refused = new Map([...first.refused, ...second.refused].map((one) => [inventoryId(one.ref), one]));
    return objects.filter((object) => {
        const one = refused.get(inventoryId(object.ref));
        if (!one)
            return false;
        const { causes } = refusalIn({ status: one.status, body: one.body }, object);
        return causes.every(({ path }) => restsOnUnknown(object, path));
    });
}
async function attempt(cluster, server, options, left) {
    const base = options.fresh ? undefined : cluster.base;
    const there = await prepare(server, cluster, options);
    const all = [...cluster.head.entrypoints, ...(base?.entrypoints ?? [])].filter(pruned_isBuilt);
    const known = await knownIn(server, all.flatMap(({ objects }) => objects), there);
    const [now, before] = [cluster.head.entrypoints, base?.entrypoints ?? []].map((some) => some.filter(pruned_isBuilt).map((one) => simulate_toSource(one, known.has, cluster, left)));
    const { base: _, ...fresh } = cluster;
    const rights = rightsOf(options.fresh ? fresh : cluster);
    const begun = await round(server, before, () => ({ inventory: [], rights: rights.now }));
    const last = await round(server, before, (index) => ({ ...begun[index], rights: rights.now }));
    const refs = new Map([...now, ...before].flatMap(({ objects }) => objects.map(({ ref }) => [inventoryId(ref), ref])));
    const old = await stateOf(server, refs);
    const recorded = (index) => {
        const { entrypoint } = now[index];
        return last[before.findIndex((one) => sameEntrypoint(one.entrypoint, entrypoint))]?.inventory ?? [];
    };
    const first = await round(server, now, (index) => ({ inventory: recorded(index), rights: rights.now }));
    const second = await round(server, now, (index) => {
        const { inventory, reason } = first[index];
        return { inventory, rights: reason === 'ReconciliationFailed' ? rights.now : rights.later };
    });
    const state = await stateOf(server, refs);
    const { name } = cluster;
    const reconciles = inPairs(now, first, second);
    const rendered = now.flatMap(({ rendered }) => rendered);
    return {
        ...(name !== undefined && { cluster: name }),
        reconciles,
        earlier: inPairs(before, begun, last),
        outcomes: outcomesOf(refs, { old, state, reconciles, objects: rendered }),
        unknown: [...known.others, ...left.values()],
        before: old,
        after: state,
    };
}
function inPairs(sources, first, second) {
    return sources.map(({ entrypoint: { path }, built, rendered }, index) => ({
        ...{ path, rendered: built, objects: rendered },
        ...{ first: first[index], second: second[index] },
    }));
}
function simulate_toSource(built, isKnown, { contract }, left) {
    const { entrypoint, objects } = built;
    const rendered = objects.filter((object) => isKnown(object) && !left.has(inventoryId(object.ref)));
    return {
        ...{ entrypoint, built, rendered },
        objects: rendered.map((object) => ({ ref: object.ref, value: asSent(object, entrypoint, contract.schemas) })),
    };
}
/** One reconcile of each, in turn: what two of them apply in different ways goes to and fro. */
async function round(server, sources, begin) {
    const done = [];
    for (const [index, source] of sources.entries()) {
        const { inventory, rights } = begin(index);
        const access = (verb, ref) => rights.access(source.entrypoint, verb, ref);
        done.push(await reconcile(server, { ...source, inventory, access }));
    }
    return done;
}
/** Of kinds that nobody knows, and of what is encrypted, nothing is said. */
async function knownIn(server, objects, foreign) {
    const kinds = new Map(objects.map(({ ref }) => [kindWords(ref), ref]));
    const answers = await server.ask([...kinds.values()].map(({ apiVersion, kind }) => ({ op: 'list', apiVersion, kind })));
    const served = new Set([...kinds.keys()].filter((_, index) => answers[index]?.status === 200));
    const why = ({ ref, value }) => {
        if (isEncrypted({ value }))
            return 'only Flux can decrypt it';
        const isServed = served.has(kindWords(ref)) && !foreign.has(`${groupOf(ref.apiVersion)}/${ref.kind}`);
        return isServed ? undefined : 'its kind, in that version, is not known';
    };
    const others = new Map(objects.flatMap((object) => {
        const reason = why(object);
        return reason === undefined ? [] : [[unknownName(object.ref), { what: unknownName(object.ref), why: reason }]];
    }));
    return { has: (object) => why(object) === undefined, others: [...others.values()] };
}
function kindWords({ apiVersion, kind }) {
    return `${apiVersion} ${kind}`;
}
/** How `Simulation.unknown` calls an object. */
function unknownName(ref) {
    return `${kindWords(ref)} ${[ref.namespace, ref.name].filter(Boolean).join('/')}`;
}
async function stateOf(server, refs) {
    const answers = await server.ask([...refs.values()].map((ref) => ({ op: 'get', ref })));
    return new Map([...refs.keys()].map((id, index) => [id, answers[index]?.object]));
}
function outcomesOf(refs, { old, state, reconciles, objects }) {
    const rendered = new Map(objects.map((object) => [inventoryId(object.ref), object]));
    const refusals = new Map(reconciles
        .flatMap(({ first, second }) => [...second.refused, ...first.refused])
        .map((one) => [inventoryId(one.ref), one]));
    return [...refs].flatMap(([id, ref]) => {
        const [before, after] = [old.get(id), state.get(id)];
        const fields = changesBetween(before, after);
        const refused = refusals.get(id);
        const object = rendered.get(id);
        const why = refused && object && withoutValues(refused.message, object);
        const about = { ref, fields, ...(object && { object }), ...(why !== undefined && { why }) };
        // With its namespace goes what is still applied, and cannot be made again.
        if (before && !after)
            return [{ ...about, action: 'deleted' }];
        if (why !== undefined)
            return [{ ...about, action: 'refused' }];
        if (!before && after)
            return [{ ...about, action: 'created' }];
        if (before && !object)
            return [{ ...about, action: 'left' }];
        return fields.length > 0 ? [{ ...about, action: 'changed' }] : [];
    });
}

;// CONCATENATED MODULE: ./src/simulate/stage.ts
/** The stage `simulation`: what a merge does in each cluster, and what of it is a problem. */








const stage_stage = 'simulation';
/** What goes wrong is said, and leaves the rest of the report as it is. `findings` are those of the rules. */
async function simulation(clusters, options, { home, locator, findings }) {
    const problems = { head: [], base: [] };
    if (!clusters.some(({ head }) => head.entrypoints.some(({ ok }) => ok)))
        return { stage: { name: stage_stage, ran: false, why: 'nothing could be rendered' }, diffs: [], problems };
    try {
        const diffs = await simulateAll(clusters, options, home, (one, cluster) => {
            const shown = problems_problemsOf(one, { cluster, findings, live: options.live !== undefined });
            problems.head.push(...shown.head);
            problems.base.push(...shown.base);
            return diffOf(one, cluster, locator);
        });
        return { stage: { name: stage_stage, ran: true }, diffs, problems };
    }
    catch (error) {
        return {
            stage: { name: stage_stage, ran: false, why: error.message },
            diffs: [],
            problems: { head: [], base: [] },
        };
    }
}
/**
 * What is made of the simulation of each cluster, while the next is simulated. One engine serves all, which is loaded here and not
 * before. Throws where it cannot be.
 */
async function simulateAll(clusters, { live = [], fresh = false, progress }, home, make) {
    const engine = await ApplyEngine.open((0,external_node_path_.join)(home, 'dist', 'engine'));
    try {
        const made = [];
        for (const [index, cluster] of clusters.entries()) {
            progress?.(index, clusters.length, 'simulating');
            const making = make(await simulate(cluster, engine, { live, fresh }), cluster);
            making.catch(() => { }); // it is thrown below, unless something else is before
            made.push(making);
        }
        return await Promise.all(made);
    }
    finally {
        await engine.close();
    }
}
/** Lets other work in between two objects, as it takes as long as the simulation itself. */
async function diffOf(simulation, cluster, locator) {
    const { cluster: name, reconciles, outcomes, unknown } = simulation;
    const waiting = waitingIn(cluster, outcomes);
    const objects = [];
    for (const outcome of outcomes) {
        objects.push(toDiff(outcome, locator, waiting));
        await (0,promises_.setImmediate)();
    }
    return {
        ...(name !== undefined && { cluster: name }),
        reconciles: reconciles.map(({ path, first, second }) => ({
            ...{ path, first: first.reason, second: second.reason },
            stopped: second.stopped,
        })),
        objects,
        notSimulated: unknown,
    };
}
function toDiff(outcome, locator, waiting) {
    const { ref, action, why, object, fields } = outcome;
    const placed = (path) => (object ? { at: locator.locate({ object, path }).at } : {});
    return {
        ...{ ref, action, ...(why !== undefined && { why }), dependents: waiting(outcome) },
        ...placed(['metadata', 'name']),
        // A refused object stays as it is; what would have become of it nobody knows.
        fields: fields.map((field) => ({
            ...stage_masked(outcome, field),
            ...(field.after !== undefined && placed(field.path)),
        })),
    };
}
function stage_masked({ ref, object }, field) {
    const shown = (value) => maskedValue({ ref, value: object?.value ?? {} }, field.path, value);
    return {
        ...field,
        ...(field.before !== undefined && { before: shown(field.before) }),
        ...(field.after !== undefined && { after: shown(field.after) }),
    };
}
/** What waits for a Package, by the arrows of the graph; drawn only where a Package is concerned. */
function waitingIn(cluster, outcomes) {
    const concerns = ({ ref, action }) => (isPackage({ ref }) || ref.kind === 'PackageSource') && action !== 'created';
    if (!outcomes.some(concerns))
        return () => [];
    const { edges } = dependencyGraph(cluster, { installed: true, components: false });
    return (outcome) => concerns(outcome)
        ? [...new Set(edges.filter(({ to, ignored }) => to === outcome.ref.name && !ignored).map(({ from }) => from))]
        : [];
}

;// CONCATENATED MODULE: ./src/stages.ts

function stagesOf(rendered, base) {
    const built = rendered.some((result) => result.ok);
    return [
        { name: 'render', ran: true },
        built ? { name: 'rules', ran: true } : { name: 'rules', ran: false, why: 'nothing could be rendered' },
        base.tree ? { name: 'base', ran: true, against: base.tree.description } : withoutBase(base),
    ];
}
/** The rules that judge by what changed are named: nobody should think that they had nothing to say. */
function withoutBase({ missing }) {
    const silent = rules.filter(({ needsBase }) => needsBase).map(({ id }) => id);
    const so = silent.length > 0 ? `, so these rules could not judge: ${silent.join(', ')}` : '';
    if (!missing)
        return { name: 'base', ran: false, why: `no base was given${so}`, optional: true };
    const why = missing.join('; ') || 'there is nothing to compare with';
    return { name: 'base', ran: false, why: `${why}${so}` };
}
/** The configuration may ask for stages that are otherwise optional. */
function missing({ require, file }, stages) {
    return require.flatMap((name, index) => {
        const stage = stages.find((one) => one.name === name);
        if (stage?.ran)
            return [];
        const why = stage ? stage.why : 'it is not part of this run';
        const at = { file, document: 0, path: ['require', index] };
        return [{ rule: 'skipped-stage', message: `The stage "${name}" is required, but did not run: ${why}`, at }];
    });
}

;// CONCATENATED MODULE: ./src/untouched.ts
/** Whether a change can alter what is rendered at all: where it cannot, there is no need to render anything. */

/** The files that differ, sorted; links, submodules and what was refused count as files. */
function changedFiles(head, base) {
    const names = new Set([head, base].flatMap((tree) => [...tree.files, ...others(tree)]));
    return [...names].filter((name) => !untouched_isSame(name, head, base)).sort();
}
/**
 * Whether any of the files can be an input of a build or of the linter itself. A manifest always can; any other file only where
 * a kustomization or the configuration names it, as kustomize knows no globs.
 */
function touchesInput(changed, config, ...trees) {
    if (changed.some((file) => trees.some((tree) => others(tree).includes(file))))
        return true;
    const naming = trees.flatMap((tree) => tree.files
        .filter((file) => untouched_isKustomization(file) || file === config || (0,posix_.basename)(file) === '.sourceignore')
        .map((file) => tree.text(file) ?? ''));
    const named = naming.join('\n');
    const settings = trees.map((tree) => tree.text(config) ?? '').join('\n');
    return changed.some((file) => {
        // Flux takes nothing of this folder, unless somebody says so (flux.md §1.1).
        const isGitHubs = file.startsWith('.github/') && !named.includes('.github');
        if (!isGitHubs && (isManifest(file) || untouched_isKustomization(file) || isSetting(file, config)))
            return true;
        return named.includes((0,posix_.basename)(file)) || file.split('/').some((part) => settings.includes(part));
    });
}
function others({ links, submodules, refused }) {
    return [...links, ...submodules, ...refused.keys()];
}
function untouched_isSame(file, head, base) {
    if (others(head).includes(file) || others(base).includes(file))
        return false;
    const [now, before] = [head.bytes(file), base.bytes(file)];
    return now !== undefined && before !== undefined && Buffer.compare(now, before) === 0;
}
function isManifest(file) {
    return /\.(?:ya?ml|json)$/i.test(file);
}
function untouched_isKustomization(file) {
    return /^kustomization(?:\.ya?ml)?$/i.test((0,posix_.basename)(file));
}
/** What decides which files Flux gets, and the linter's own configuration. */
function isSetting(file, config) {
    return file === config || ['.sourceignore', '.gitmodules', '.gitattributes'].includes((0,posix_.basename)(file));
}

;// CONCATENATED MODULE: ./src/run.ts
/** The stages, top to bottom. Prints nothing and never exits: that is for the two edges. */









function run_run(options) {
    const { head, base } = options.change ?? {};
    if (options.onlyNew && head && base) {
        const changed = changedFiles(head, base);
        if (!touchesInput(changed, options.config ?? configFile, head, base))
            return Promise.resolve(untouched(changed, base.description, options));
    }
    return survey(options, async ({ trees, policy, rendered, clusters, mistakes, skipped }) => {
        const judge = new Judge(trees, policy, clusters, options.today ?? new Date().toISOString().slice(0, 10));
        // What the rules say is held against what a server says, be it one that is asked or one that is simulated.
        const predicted = once(() => {
            const { findings, ignored } = judge.judge('head', rendered.head, mistakes.head);
            return { home: options.home, findings: [...findings, ...ignored.map(({ finding }) => finding)] };
        });
        const offline = stagesOf(rendered.head, { tree: trees.base, missing: options.change?.why });
        const simulated = options.simulate && (await simulation(clusters, options.simulate, { ...predicted(), locator: judge.locator }));
        const asked = options.dryRun && (await dryrun_dryRun(clusters, options.dryRun, { ...predicted(), config: policy.config }));
        const stages = [...offline, ...(simulated ? [simulated.stage] : []), asked?.stage ?? notAsked];
        const ran = stages.filter((stage) => stage.ran).map(({ name }) => name);
        const [said, before] = ['head', 'base'].map((side) => [simulated, asked].flatMap((one) => one?.problems[side] ?? []));
        const own = [...mistakes.head, ...missing(policy.config, stages), ...said];
        const checked = judge.judge('head', rendered.head, own, ran);
        const old = rendered.base && judge.judge('base', rendered.base, [...mistakes.base, ...before], ran);
        const { findings, ignored } = judge_compare(checked, old, policy);
        const effects = clusters.flatMap((cluster) => effectsOf(cluster) ?? []);
        return {
            findings,
            ignored,
            policy: policy.notes,
            entrypoints: rendered.head.map(run_outcome),
            facts: clusters.flatMap(({ name, facts }) => facts.used().map((fact) => ({ ...fact, ...(name && { cluster: name }) }))),
            stages,
            ...(rendered.base && { effects }),
            ...(simulated?.stage.ran && { diffs: simulated.diffs }),
            ...(asked && asked.runs.length > 0 && { dryRun: asked.runs }),
            notChecked: [
                ...clusters.flatMap(otherRelease),
                ...skipped.map(notOurs),
                ...checked.notChecked,
                ...(asked?.notChecked ?? []),
            ],
            sources: judge.sources,
            tool: readTool(options.home),
        };
    });
}
/** Nothing that Flux or the linter reads is changed, so nothing can be new. */
function untouched(changed, base, { home, simulate, dryRun }) {
    const why = 'the change touches nothing that Flux applies';
    return {
        findings: [],
        ignored: [],
        policy: [],
        entrypoints: [],
        facts: [],
        stages: ['render', 'rules', ...(simulate ? ['simulation'] : []), ...(dryRun ? ['dry-run'] : [])].map((name) => ({
            name,
            ran: false,
            why,
            optional: true,
        })),
        notChecked: [],
        untouched: { files: changed.length, base },
        sources: { text: () => undefined, has: () => false },
        tool: readTool(home),
    };
}
/** What is worked out when it is asked for, and not again. */
function once(work) {
    let done;
    return () => {
        done ??= { value: work() };
        return done.value;
    };
}
function run_outcome(result) {
    const { path, why } = result.entrypoint;
    return { path, why, objects: result.ok ? result.objects.length : 0, rendered: result.ok };
}
/** Data of a neighbouring patch release is close, but not the same. */
function otherRelease({ contract, facts }) {
    if (contract.exact)
        return [];
    const asked = facts.get('release');
    const why = `there is no data for it, so that of ${contract.release} is used`;
    return [{ what: `release ${asked.value}`, why, count: 1 }];
}
function notOurs(what) {
    return { what, why: 'not this repository’s to lint', count: 1 };
}

;// CONCATENATED MODULE: ./src/verdict.ts

/** The exit status of a run that was done: 1 if a finding counts that is at least as bad as `failOn`. */
function verdict_verdict(run, failOn, onlyNew) {
    if (failOn === 'never')
        return 0;
    const threshold = severities.indexOf(failOn);
    // Without a base nothing is known to be old, so every finding counts.
    const counts = run.findings.filter(({ isNew }) => !onlyNew || isNew !== false);
    return counts.some(({ severity }) => severities.indexOf(severity) <= threshold) ? 1 : 0;
}

;// CONCATENATED MODULE: ./src/commands/check.ts







async function commands_check_check(args, home) {
    const { values } = args;
    const progress = startProgress(process.stderr);
    const result = await run_run({
        ...(await surveyOptions(args, home, progress)),
        ...(values.simulate && {
            simulate: { progress: progress.say, ...(values.live !== undefined && { live: readLive(values.live) }) },
        }),
        ...(typeof values['dry-run'] === 'string' && {
            dryRun: {
                where: values['dry-run'],
                ...(values.context !== undefined && { context: values.context }),
                ...(values.cluster !== undefined && { cluster: values.cluster }),
                ...(values['keep-cluster'] && { keep: true }),
                progress: progress.say,
            },
        }),
    }).finally(progress.stop);
    const color = wantsColor(values);
    const formats = (values.format ?? ['text']);
    const text = formats
        .map((format) => report(format, result, {
        color,
        quiet: values.quiet === true,
        rules: [...rules],
    }))
        .join('');
    write(text, values);
    return verdict_verdict(result, (values['fail-on'] ?? 'error'), values['only-new'] === true);
}

;// CONCATENATED MODULE: ./src/commands/diff.ts
/** `customizer-lint diff [DIR]`: what a merge does in the cluster, as a simulation has it. 0 nothing, 1 something, 2 not done. */








async function diff(args, home) {
    const { values } = args;
    const progress = startProgress(process.stderr);
    const live = values.live === undefined ? [] : readLive(values.live);
    const options = await surveyOptions(args, home, progress);
    return survey(options, async ({ clusters, rendered, trees }) => {
        const wanted = wantedClusters(clusters, values);
        const how = { live, fresh: values.fresh === true, progress: progress.say };
        const locator = new Locator(trees);
        const diffs = await simulateAll(wanted, how, home, (one, cluster) => diffOf(one, cluster, locator));
        progress.stop();
        write(diff_written(diffs, values), values);
        const broken = rendered.head.filter(({ ok }) => !ok).map(({ entrypoint }) => entrypoint.path);
        for (const path of broken)
            process.stderr.write(`warning  ${printable(path)} cannot be built, so Flux applies nothing of it\n`);
        return broken.length > 0 || diffs.some(({ objects }) => objects.length > 0) ? 1 : 0;
    }).finally(progress.stop);
}
function diff_written(diffs, values) {
    const format = values.format?.at(-1);
    if (format === 'json')
        return jsonText(diffData(diffs));
    if (format === 'markdown')
        return `${diffMarkdown(diffs, Number.POSITIVE_INFINITY).join('\n\n')}\n`;
    return diffText(diffs, { color: wantsColor(values) });
}

;// CONCATENATED MODULE: ./src/facts/whose.ts
/** Whose a field of a Package or a PackageSource is, by the contract between the platform and the repository. */




const nobodys = { owner: 'nobody', customizer: 'set' };
/** Undefined for objects that the contract is not about. */
function whose(object, path, cluster) {
    if (isPackage(object))
        return ofPackage(object.ref.name, path, cluster);
    const { apiVersion, kind, name } = object.ref;
    if (kind !== 'PackageSource' || !apiVersion.startsWith('cozystack.io/'))
        return undefined;
    if (path[0] !== 'spec' || !cluster.contract.catalog.source(name))
        return nobodys;
    const owner = name === platformName ? 'platform administrator' : 'platform chart';
    return { owner, customizer: 'never', why: 'the PackageSource comes with the release, and its variants are one list' };
}
function ofPackage(name, path, cluster) {
    const { contract, facts, snapshot, head } = cluster;
    const known = { contract, facts, snapshot, objects: head.objects };
    if (isMade(name, known) === false)
        return { ...nobodys, why: 'the platform makes no such Package' };
    const owned = ownedIn(name, known).find(({ field }) => isWithin(path, field) || isWithin(field, path));
    if (owned) {
        const { set, when, knob, why, dead } = owned;
        const reason = dead ?? why;
        return {
            ...{ owner: 'platform chart', customizer: 'never', field: owned.field },
            ...(reason !== undefined && { why: reason }),
            ...(set !== undefined && { set }),
            ...(when && { when }),
            ...(knob !== undefined && { knob }),
        };
    }
    const list = path.findIndex((step) => typeof step === 'number');
    const row = contract.ownership.rowFor(name, list < 0 ? path : path.slice(0, list));
    if (!row)
        return nobodys;
    const { owner, customizer, why } = row;
    return { owner: owner, customizer, ...(owner !== 'customizer' && { why }) };
}

;// CONCATENATED MODULE: ./src/simulate/fate.ts
/** What becomes of one field of a rendered object: when it is applied, and when it is taken out again. */






/** The field manager of kustomize-controller. */
const flux = 'kustomize-controller';
function fateOfObject(object, simulation) {
    const id = inventoryId(object.ref);
    const name = unknownName(object.ref);
    if (!isApplied(object))
        return { action: 'skipped', why: 'the manifest tells Flux to leave it alone' };
    const unknown = simulation.unknown.find(({ what }) => what === name);
    if (unknown)
        return { action: 'unknown', why: unknown.why };
    const outcome = simulation.outcomes.find(({ ref }) => inventoryId(ref) === id);
    if (outcome?.action === 'refused')
        return { action: 'refused', why: outcome.why ?? '' };
    const runs = simulation.reconciles
        .filter(({ path }) => path === object.entrypoint)
        .flatMap(({ first, second }) => [second, first]);
    const change = runs.flatMap(({ changes }) => changes).find(({ ref }) => inventoryId(ref) === id);
    if (change?.action === 'skipped')
        return { action: 'skipped', why: 'it is there, and is told to be left alone' };
    if (!change) {
        const refused = runs.flatMap((run) => run.refused.map(({ ref: { kind, name } }) => `${kind} "${name}"`));
        return { action: 'stopped', why: `${refused[0] ?? 'something'} is refused, which stops the rest` };
    }
    return { action: outcome?.action === 'created' || outcome?.action === 'changed' ? outcome.action : 'unchanged' };
}
/** `by`: whether the repository sets it, or does nothing to the object at all. */
function fateOfField(field, { before, after, sent }, by) {
    const path = wholeList(field);
    const [was, is] = [fate_valueAt(before, path), fate_valueAt(after, path)];
    const replaced = was === undefined ? replacedIn(before, path) : undefined;
    const ownersBefore = ownersOf(replaced?.path ?? path, was === undefined && !replaced ? undefined : before);
    const ownersAfter = ownersOf(path, is === undefined ? undefined : after);
    const from = ownersBefore.filter((owner) => owner !== flux && !ownersAfter.includes(owner));
    const outcome = () => {
        if (by === 'held')
            return 'held';
        if (by === 'set' && fate_valueAt(sent, field) === undefined)
            return 'unsent';
        if (by === 'set' && is === undefined)
            return 'dropped';
        if (was === undefined)
            return is === undefined ? 'absent' : from.length > 0 ? 'taken' : 'added';
        if (is === undefined)
            return 'gone';
        if (from.length > 0)
            return 'taken';
        if (!(0,external_node_util_.isDeepStrictEqual)(was, is))
            return 'changed';
        return ownersAfter.length > 1 ? 'shared' : 'unchanged';
    };
    return {
        ...{ outcome: outcome(), path, ownersBefore, ownersAfter, from },
        ...(was !== undefined && { before: was }),
        ...(is !== undefined && { after: is }),
        ...(replaced && { replaced }),
    };
}
function fate_valueAt(object, path) {
    return object && lookUp(object, path);
}
/** Items are merged with those of others, so that only the list itself is where it was. */
function wholeList(path) {
    const index = path.findIndex((step) => typeof step === 'number');
    return index < 0 ? path : path.slice(0, index);
}
/** A scalar or a list that stood where there is a map now. */
function replacedIn(object, path) {
    for (let depth = path.length - 1; depth > 0; depth--) {
        const value = fate_valueAt(object, path.slice(0, depth));
        if (value !== undefined)
            return isObject(value) ? undefined : { path: path.slice(0, depth), value };
    }
    return undefined;
}
/** Those who have set it, or anything in it; of what is one value with others around it, those who have set that. */
function ownersOf(path, object) {
    const owners = ownersIn(object);
    const start = keyOf(path).slice(0, -1);
    const below = [...owners].filter(([key]) => key === `${start}]` || key.startsWith(`${start},`));
    if (below.length > 0)
        return [...new Set(below.flatMap(([, managers]) => managers))].sort();
    for (let depth = path.length - 1; depth > 0; depth--) {
        const found = owners.get(keyOf(path.slice(0, depth)));
        if (found)
            return [...found];
    }
    return [];
}
/** Of a field of `removed`, which is taken out as a whole; `simulation` is that of `clusterWithout`. */
function fate_removalOf(field, { object, removed, simulation }) {
    const fate = fateOfObject(object, simulation);
    const id = inventoryId(object.ref);
    if (fate.action === 'refused' || fate.action === 'stopped')
        return { outcome: fate.action, why: withoutValues(fate.why ?? '', object), others: [] };
    const states = { before: simulation.before.get(id), after: simulation.after.get(id) };
    const { before, after, ownersAfter } = fateOfField(field, states, 'unset');
    const changes = simulation.outcomes.find(({ ref }) => inventoryId(ref) === id)?.fields ?? [];
    const others = changes.filter(({ path }) => !isWithin(path, wholeList(removed)));
    if (after === undefined)
        return { outcome: 'goes', others };
    const outcome = (0,external_node_util_.isDeepStrictEqual)(before, after) ? 'stays' : 'becomes';
    return { outcome, after, owners: ownersAfter, others };
}
/** What a third commit without the field is simulated on: the state that `simulation` has come to, with `cluster` applied. */
function clusterWithout(field, { object, cluster, simulation }) {
    const { head } = cluster;
    const reduced = { ...object, value: without(object.value, field) };
    const change = (objects) => objects.map((one) => (one === object ? reduced : one));
    const entrypoints = head.entrypoints.map((one) => one.ok ? { ...one, objects: change(one.objects) } : one);
    return {
        cluster: { ...cluster, base: head, head: { entrypoints, objects: change(head.objects) } },
        live: [...simulation.after.values()].filter((one) => one !== undefined),
    };
}
/** A copy without the field, and without the maps and lists that are empty for that: as a person takes it out. */
function without(value, path) {
    const copy = structuredClone(value);
    for (let depth = path.length; depth > 0; depth--) {
        const parent = lookUp(copy, path.slice(0, depth - 1));
        const last = path[depth - 1];
        if (depth < path.length && Object.keys(parent[last] ?? {}).length > 0)
            break;
        if (Array.isArray(parent))
            parent.splice(Number(last), 1);
        else
            delete parent[last];
    }
    return copy;
}

;// CONCATENATED MODULE: ./src/report/explain.ts
/** One object, field by field, for people: where each comes from, whose it is, and what applying it and removing it does. */







/** Longer values are cut, but not the one that is explained. */
const explain_longest = 80;
function explainText(explained) {
    return explained.map((one) => `${explain_lines(one).map(printable).join('\n')}\n`).join('\n');
}
function explain_lines({ object, cluster, fate, fields }) {
    const { kind, namespace, name } = object.ref;
    const where = cluster === undefined ? '' : `, cluster ${cluster}`;
    return [
        `${kind} ${namespace ? `${namespace}/` : ''}${name} in ${object.entrypoint}${where}`,
        `  ${objectWords(fate)}`,
        ...fields.flatMap((field) => fieldLines(field, object, fate)),
    ];
}
function objectWords({ action, why = '' }) {
    const words = {
        ...{ created: 'is created', changed: 'is changed', unchanged: 'stays as it is in the cluster' },
        ...{ refused: 'is refused', stopped: 'is not applied', skipped: 'is passed over', unknown: 'is not simulated' },
    };
    return why ? `${words[action]}: ${maskText(why)}` : words[action];
}
function fieldLines(field, object, objectFate) {
    const { path, written } = field;
    const name = spell(path);
    const say = (label, words) => (words ? [`    ${label.padEnd(6)}  ${words}`] : []);
    const whole = written?.value === undefined ? '' : JSON.stringify(maskedValue(object, path, written.value));
    return [
        written ? `  ${name}${written.removed ? ' (removed)' : ` = ${whole}`}` : `  ${name} is not set`,
        ...(written ? writtenLines(written) : []),
        ...say('whose', contractWords(field, object)),
        ...say('owner', explain_ownerWords(field)),
        ...say('apply', applyWords(field, object, objectFate)),
        ...say('remove', removalWords(field, object)),
    ];
}
function writtenLines({ setBy, alias, file }) {
    const at = ({ file, line, column }) => `${file}:${line}:${column}`;
    return [
        ...(alias ? [`    by alias  ${at(alias)}`] : []),
        ...(setBy.length === 0 ? [`    somewhere in ${file}`] : []),
        ...setBy.map((place, index) => `    ${index === 0 ? 'set by' : 'before'}  ${place.by.padEnd(12)} ${at(place)}`),
    ];
}
/** What is the repository's own anyway is said to who asks for it only. */
function contractWords({ contract, isWanted, path }, object) {
    if (!contract || (!isWanted && contract.customizer !== 'never'))
        return undefined;
    const { owner, customizer, why, field, set, when, knob } = contract;
    const because = why === undefined ? '' : `: ${why}`;
    if (owner === 'nobody')
        return `nobody else's${because}`;
    if (owner === 'customizer')
        return customizer === 'only' ? "the repository's, for some values only" : "the repository's";
    const whose = owner === 'Helm' || owner === 'Flux' ? `${owner}'s` : `the ${owner}'s`;
    if (!field)
        return `${whose}${because}`;
    const value = set === undefined || typeof set === 'object' ? '' : ` to ${explain_short(set, path, object)}`;
    const once = when ? ` once ${conditionWords(when)}` : '';
    const instead = knob === undefined ? '' : `; set ${knob} of Package "${platformName}" instead`;
    const what = isWithin(path, field) ? `${whose}, which sets it` : `in part ${whose}, which sets ${spell(field)}`;
    return `${what}${value}${once}${because}${instead}`;
}
/** Field managers before and after; that Flux alone has it is what is to be expected. */
function explain_ownerWords({ fate, isWanted }) {
    const { ownersBefore: had = [], ownersAfter: has = [] } = fate ?? {};
    const [before, after] = [had, has].map(explain_list);
    if (!before && !after)
        return undefined;
    if (!isWanted && [...had, ...has].every((owner) => owner === flux))
        return undefined;
    if (before === after)
        return after;
    return before ? `${before} → ${after || 'nobody'}` : after;
}
function explain_list(owners) {
    return owners.join(' and ');
}
function applyWords(field, object, objectFate) {
    const { fate, isWanted, sentAs } = field;
    if (!fate)
        return undefined;
    const { outcome, before, after, from, replaced, path } = fate;
    const show = (value) => explain_short(value, path, object);
    const isOther = before !== undefined && !(0,external_node_util_.isDeepStrictEqual)(before, after);
    const change = show(before) === show(after) ? 'another value' : `${show(before)} → ${show(after)}`;
    const others = fate.ownersAfter.filter((owner) => owner !== flux);
    const words = () => {
        if (outcome === 'gone')
            return `goes: ${show(before)}${from.length > 0 ? ` of ${explain_list(from)}` : ''}`;
        if (outcome === 'taken' && replaced)
            return `taken from ${explain_list(from)}, in place of ${spell(replaced.path)}: ${explain_short(replaced.value, replaced.path, object)}`;
        if (outcome === 'taken')
            return `taken from ${explain_list(from)}${isOther ? `: ${change}` : ', with the value that it has'}`;
        if (outcome === 'changed')
            return change;
        if (outcome === 'unsent')
            return 'left out by Flux, without a word: its kind has no such field, or there is nothing in it';
        if (outcome === 'dropped')
            return 'dropped by the API server, without a word';
        if (!sentAs && changesNothing(field, fate))
            return `nothing: ${show(after)} stays`;
        if (!isWanted)
            return undefined;
        if (outcome === 'held')
            return `nothing, as the object ${objectWords({ action: objectFate.action })}`;
        if (outcome === 'shared')
            return `stays; ${explain_list(others)} has set it too`;
        return { added: 'new', unchanged: 'stays', absent: undefined }[outcome];
    };
    const text = words();
    if (text && sentAs)
        return `as ${spell(sentAs)}; ${text}`;
    return text && isInList(field.path, fate) && outcome !== 'unsent' ? `the list ${spell(path)}: ${text}` : text;
}
/** Then only the list as a whole is known before and after. */
function isInList(path, fate) {
    return fate.path.length < path.length;
}
/** A null, or a map with nothing in it, over a map. */
function changesNothing({ written, path }, { path: place, outcome, after }) {
    const stays = (outcome === 'shared' || outcome === 'unchanged') && place.length === path.length;
    return stays && isNothing(written?.value) && !isNothing(after);
}
function isNothing(value) {
    return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
function removalWords(field, object) {
    const { removal, isFirst, path } = field;
    if (!removal)
        return undefined;
    const { outcome, why = '', after, owners = [], others } = removal;
    const show = (value) => explain_short(value, path, object);
    const rest = owners.filter((owner) => owner !== flux);
    const words = {
        goes: `goes${restoredWords(field)}`,
        stays: rest.length > 0 ? `stays, as ${explain_list(rest)} has set it too` : 'stays',
        becomes: `becomes ${show(after)}`,
        refused: `refused: ${maskText(why)}`,
        stopped: `not applied: ${maskText(why)}`,
    }[outcome];
    const told = isFirst ? others.slice(0, 3).map((change) => otherWords(change, object)) : [];
    const more = isFirst && others.length > 3 ? [`${others.length - 3} more fields change`] : [];
    return [words, ...told, ...more].join('; ');
}
/** Nobody watches it: Helm writes its objects when it upgrades a release (oracle.md §3). */
function restoredWords({ contract, path, fate }) {
    if (contract?.owner === 'platform administrator')
        return ', and nobody brings it back';
    const isCharts = contract?.owner === 'platform chart' && !contract.when && isWithin(path, contract.field ?? path);
    if (isCharts || contract?.owner === 'Helm')
        return ', and is back only when the platform is next upgraded';
    return fate && fate.from.length > 0 ? `, and is back only when ${explain_list(fate.from)} writes it again` : '';
}
function otherWords({ path, before, after }, object) {
    const name = spell(path);
    if (after === undefined)
        return `${name} goes: ${explain_short(before, path, object)}`;
    if (after === null)
        return `${name} is left as null`;
    return before === undefined || explain_short(before, path, object) === explain_short(after, path, object)
        ? `${name} is ${explain_short(after, path, object)}`
        : `${name}: ${explain_short(before, path, object)} → ${explain_short(after, path, object)}`;
}
function explain_short(value, path, object) {
    return value === undefined ? '' : shorten(JSON.stringify(maskedValue(object, path, value)), explain_longest);
}

;// CONCATENATED MODULE: ./src/report/explain-data.ts



function explainData(explained) {
    return explained.map(({ object, cluster, fate, fields }) => ({
        id: inventoryId(object.ref),
        ...object.ref,
        entrypoint: object.entrypoint,
        ...(cluster !== undefined && { cluster }),
        action: fate.action,
        ...(fate.why !== undefined && { why: maskText(fate.why) }),
        fields: fields.map((field) => fieldData(field, object)),
    }));
}
function fieldData(field, object) {
    const { path, written, contract, removal, fate } = field;
    const masked = (key, value, at = path) => value === undefined ? {} : { [key]: maskedValue(object, at, value) };
    return {
        path,
        ...(written && {
            ...masked('value', written.value),
            ...(written.removed && { removed: true }),
            setBy: written.setBy,
            ...(written.alias && { alias: written.alias }),
        }),
        ...(contract && { contract: { ...contract, ...masked('set', contract.set) } }),
        ...(fate && applyData(field, fate, masked)),
        ...(removal && {
            remove: {
                outcome: removal.outcome,
                ...(removal.why !== undefined && { why: maskText(removal.why) }),
                ...masked('after', removal.after),
                ...(removal.owners && { owners: removal.owners }),
                others: removal.others.map((change) => ({
                    path: change.path,
                    ...masked('before', change.before, change.path),
                    ...masked('after', change.after, change.path),
                })),
            },
        }),
    };
}
function applyData({ sentAs }, fate, masked) {
    const { outcome, path, from, ownersBefore, ownersAfter, replaced } = fate;
    return {
        ownersBefore,
        ownersAfter,
        apply: {
            outcome,
            ...masked('before', fate.before, path),
            ...masked('after', fate.after, path),
            ...(from.length > 0 && { from }),
            ...(replaced && { replaced: { path: replaced.path, ...masked('value', replaced.value, replaced.path) } }),
            ...(sentAs && { as: sentAs }),
        },
    };
}

;// CONCATENATED MODULE: ./src/commands/provenance.ts
/** `render --provenance`: every leaf of the render with the place in the sources that wrote it. */



/** In render order; an empty map or list is a leaf. The fields that were removed from an object follow its leaves. */
function* provenance_leavesOf(objects, locator) {
    const byIndex = new Map(objects.map((object) => [object.index, object]));
    const describe = (object, path, writers) => ({
        entrypoint: object.entrypoint,
        object: object.ref,
        path,
        by: writers[0]?.by ?? null,
        derivedFrom: (writers[0]?.derivedFrom ?? []).flatMap((one) => {
            const other = byIndex.get(one.object);
            return other ? [{ object: other.ref, path: one.path }] : [];
        }),
        writers: writers.map(({ by, from }) => ({
            by,
            from: from.flatMap((origin) => {
                const at = locator.origin(origin, object.revision);
                return at ? [flat(at, 'exact')] : [];
            }),
        })),
    });
    for (const object of objects) {
        for (const path of leafPaths(object, [])) {
            const { at, precision } = locator.locate({ object, path, part: 'value' });
            const value = lookUp(object.value, path) ?? null;
            yield { ...describe(object, path, object.writers(path, 'value')), value, ...flat(at, precision) };
        }
        for (const { path, by } of object.removed()) {
            const { at, precision } = locator.locate({ object, path, removedBy: by });
            yield { ...describe(object, path, by), removed: true, ...flat(at, precision) };
        }
    }
}
function* leafPaths(object, path) {
    const value = lookUp(object.value, path);
    if (value === null || typeof value !== 'object' || Object.keys(value).length === 0) {
        yield path;
        return;
    }
    const inOrder = object.children(path);
    const own = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
    for (const key of inOrder?.length === own.length ? inOrder : own)
        yield* leafPaths(object, [...path, key]);
}
function flat({ file, range }, precision) {
    const { start, end } = range;
    return { file, line: start.line, column: start.column, endLine: end.line, endColumn: end.column, precision };
}
/** The object as YAML, with `# file:line` behind every leaf. */
function withPlaces(object, locator) {
    const document = new dist/* Document */.yo(object.value);
    for (const { path, removed, file, line, precision } of provenance_leavesOf([object], locator)) {
        const place = precision === 'file' ? `${file}` : `${file}:${line}`;
        const node = removed ? document.contents : document.getIn(path, true);
        if (!(0,dist/* isNode */.Ll)(node))
            continue;
        if (removed)
            node.comment = [node.comment, ` ${spell(path)} removed by ${printable(place)}`].filter(Boolean).join('\n');
        else
            node.comment = ` ${printable(place)}`;
    }
    return document.toString({ lineWidth: 0 });
}

;// CONCATENATED MODULE: ./src/commands/session.ts
/** For commands that render alone: the repository opened, its entrypoints found, each built in turn. */










/** Closes the engine when the work is done. Throws a `UsageError` where nothing is found to build. */
async function withSession(directory, home, options, work) {
    const tree = await openWorkTree(directory);
    const { engine } = withEngine(tree, home);
    const progress = startProgress(process.stderr);
    try {
        requireConfig(tree, options.config);
        const { config = defaults() } = readConfig(tree, rules, options.config);
        const remotes = await remotesOf(directory);
        const { entrypoints } = await discover(tree, engine, config, { paths: options.path ?? [], remotes });
        if (entrypoints.length === 0)
            throw session_nothingFound();
        let failed = false;
        return await work({
            tree,
            async *builds(output) {
                for (const [index, entrypoint] of entrypoints.entries()) {
                    progress.update(index, entrypoints.length, entrypoint.path);
                    const response = await engine.build(entrypoint, output);
                    failed ||= !response.ok;
                    if (!response.ok && output !== 'digest')
                        complain(entrypoint.path, response.error.message);
                    yield { entrypoint, response };
                }
            },
            get failed() {
                return failed;
            },
        });
    }
    finally {
        progress.stop();
        await engine.close();
    }
}
function session_nothingFound() {
    return new UsageError('nothing that Flux applies was found; name a directory with --path');
}
/** Says on standard error what cannot be built, and whether anything cannot. Throws a `UsageError` where nothing is there to build. */
function complainOf(rendered) {
    if (rendered.length === 0)
        throw session_nothingFound();
    for (const one of rendered)
        if (!one.ok)
            complain(one.entrypoint.path, one.problem.message);
    return rendered.some(({ ok }) => !ok);
}
function complain(path, message) {
    process.stderr.write(`error  ${printable(path)}: ${printable(maskText(message))}\n`);
}

;// CONCATENATED MODULE: ./src/commands/explain.ts
/** `customizer-lint explain KIND/NAME [FIELD]…`: the lines that made a field what it is, whose it is, and what becomes of it. */





















async function explain_explain(args, home) {
    const { operands, values } = args;
    const [subject = '', ...fields] = operands;
    const wanted = fields.map(readPath);
    const live = values.live === undefined ? [] : readLive(values.live);
    const progress = startProgress(process.stderr);
    const options = await surveyOptions(args, home, progress);
    return survey(options, async ({ clusters, rendered, trees }) => {
        progress.stop();
        complainOf(rendered.head);
        const locator = new Locator(trees);
        const found = wantedClusters(clusters, values)
            .map((cluster) => ({ cluster, objects: cluster.head.objects.filter((object) => explain_matches(object, subject)) }))
            .filter(({ objects }) => objects.length > 0);
        if (found.length === 0)
            throw new UsageError(`no entrypoint renders "${subject}"`);
        const server = await ApplyEngine.open((0,external_node_path_.join)(home, 'dist', 'engine'));
        const explained = [];
        try {
            for (const { cluster, objects } of found) {
                const simulation = await simulate(cluster, server, { live });
                for (const object of objects)
                    explained.push(await explainObject(object, { cluster, simulation, server, locator, wanted }));
            }
        }
        finally {
            await server.close();
        }
        const isJson = values.format?.at(-1) === 'json';
        write(isJson ? jsonText(explainData(explained)) : explainText(explained), values);
        return 0;
    }).finally(progress.stop);
}
/** `Package/cozystack.metallb`, in any case of the kind; `Kind/namespace/name` where a name is not enough. */
function explain_matches({ ref }, subject) {
    const [kind = '', ...rest] = subject.split('/');
    if (kind.toLowerCase() !== ref.kind.toLowerCase())
        return false;
    const name = rest.join('/');
    return name === ref.name || name === `${ref.namespace ?? ''}/${ref.name}`;
}
async function explainObject(object, context) {
    const { cluster, simulation, locator, wanted } = context;
    const fate = fateOfObject(object, simulation);
    const leaves = [...provenance_leavesOf([object], locator)];
    const states = statesOf(object, context);
    const lists = new Set();
    const others = unsetFields(object, leaves, { states, simulation, wanted });
    const fields = [
        ...others.filter(({ isWanted }) => isWanted).map(({ path }) => fieldOf(path, undefined)),
        ...leaves.filter(({ path }) => isAsked(path, wanted)).map((leaf) => fieldOf(leaf.path, leaf)),
        ...others.filter(({ isWanted }) => !isWanted).map(({ path }) => fieldOf(path, undefined)),
    ];
    function fieldOf(path, leaf) {
        const sentAs = convertedTo(path, object, states);
        const isSet = leaf !== undefined && !leaf.removed;
        const by = explain_isApplied(fate) ? (isSet ? 'set' : 'unset') : 'held';
        const field = {
            ...{ path, isFirst: false, isWanted: wanted.length > 0 },
            ...(leaf && { written: writtenOf(leaf, object, locator) }),
        };
        if (isIdentity(path))
            return field;
        const own = fateOfField(sentAs ?? path, states, by);
        if (own.path.length < path.length && own.outcome !== 'unsent') {
            const list = keyOf(own.path);
            if (lists.has(list))
                return field;
            lists.add(list);
        }
        const contract = whose(object, path, cluster);
        return { ...field, fate: own, ...(contract && { contract }), ...(sentAs && { sentAs }) };
    }
    if (explain_isApplied(fate))
        for (const field of wanted)
            await explain_remove(field, fields, object, context);
    const { name } = cluster;
    return { object, ...(name !== undefined && { cluster: name }), fate, fields };
}
function explain_isApplied({ action }) {
    return action === 'created' || action === 'changed' || action === 'unchanged';
}
function statesOf(object, { cluster, simulation }) {
    const built = cluster.head.entrypoints.find((one) => one.ok && one.objects.includes(object));
    const id = inventoryId(object.ref);
    return {
        before: simulation.before.get(id),
        after: simulation.after.get(id),
        sent: built && asSent(object, built.entrypoint, cluster.contract.schemas),
    };
}
/** What the repository does not set: of the fields that are asked for, all that is there; else what changes nevertheless. */
function unsetFields(object, leaves, { states, simulation, wanted }) {
    const written = leaves.map(({ path }) => wholeList(path));
    const isWritten = (path) => written.some((one) => isWithin(path, one) || isWithin(one, path));
    const id = inventoryId(object.ref);
    const changed = simulation.outcomes.find(({ ref }) => inventoryId(ref) === id)?.fields ?? [];
    const there = [...new Map([...leavesIn(states.before), ...leavesIn(states.after)]).values()];
    const unset = wanted.filter((path) => lookUp(object.value, path) === undefined);
    return [
        ...unset.flatMap((path) => {
            if (leaves.some((leaf) => leaf.removed && isWithin(leaf.path, path)))
                return [];
            const below = there.filter((leaf) => isWithin(leaf, path) && leaf.length > path.length);
            return [path, ...below].map((one) => ({ path: one, isWanted: true }));
        }),
        ...changed
            // What the API server adds by itself is nobody's.
            .filter(({ before }) => before !== undefined)
            .map(({ path }) => path)
            .filter((path) => !isOfFlux(path) && !isWritten(explain_sourceOf(path, object)) && isAsked(path, wanted))
            .filter((path) => !unset.some((one) => isWithin(path, one)))
            .map((path) => ({ path, isWanted: false })),
    ];
}
function isAsked(path, wanted) {
    return wanted.length === 0 || wanted.some((one) => isWithin(path, one));
}
/** A Secret’s text is sent as data. */
function convertedTo([top, ...rest], { ref }, { sent }) {
    const path = ['data', ...rest];
    if (ref.kind !== 'Secret' || top !== 'stringData' || !sent)
        return undefined;
    return lookUp(sent, path) === undefined ? undefined : path;
}
function explain_sourceOf(path, { ref, value }) {
    const text = ['stringData', ...path.slice(1)];
    return ref.kind === 'Secret' && path[0] === 'data' && lookUp(value, text) !== undefined ? text : path;
}
/** Without these it would be another object. */
function isIdentity(path) {
    const [top, second] = path;
    if (top === 'metadata')
        return path.length === 1 || second === 'name' || second === 'namespace';
    return top === undefined || top === 'apiVersion' || top === 'kind';
}
/** Fills in what a commit without the field does to each of `fields` that is in it. */
async function explain_remove(removed, fields, object, { cluster, simulation, server }) {
    if (isIdentity(removed) || lookUp(object.value, removed) === undefined)
        return;
    const { cluster: next, live } = clusterWithout(removed, { object, cluster, simulation });
    const after = await simulate(next, server, { live });
    const concerned = fields.filter(({ path, written, fate }) => isWithin(path, removed) && written?.value !== undefined && fate && !['unsent', 'dropped'].includes(fate.outcome));
    for (const [index, field] of concerned.entries()) {
        field.removal = fate_removalOf(field.sentAs ?? field.path, {
            ...{ object, simulation: after },
            removed: field.sentAs ? ['data', ...removed.slice(1)] : removed,
        });
        field.isFirst = index === 0;
    }
}
/** Each place once, with the first word for it: a transformer that keeps part of a value names its place again. */
function writtenOf(leaf, object, locator) {
    const places = new Map();
    for (const { by, from } of leaf.writers) {
        for (const { file, line, column } of from) {
            const place = `${file}:${line}:${column}`;
            if (!places.has(place))
                places.set(place, { by, file, line, column });
        }
    }
    const alias = leaf.removed ? undefined : locator.alias(object, leaf.path);
    return {
        ...(leaf.removed ? { removed: true } : { value: leaf.value ?? null }),
        setBy: [...places.values()],
        ...(alias && { alias: { file: alias.file, ...alias.range.start } }),
        file: leaf.file,
    };
}

;// CONCATENATED MODULE: ./src/fix/overlay.ts
const overlay_utf8 = new TextEncoder();
/** `texts` by path; a file that is not in the tree is added to it. */
function overlay_overlaid(tree, texts) {
    if (texts.size === 0)
        return tree;
    const bytes = new Map([...texts].map(([path, text]) => [path, overlay_utf8.encode(text)]));
    const added = [...texts.keys()].filter((path) => !tree.has(path));
    const isAbove = (path) => added.some((file) => file.startsWith(`${path}/`));
    return {
        ...tree,
        files: [...tree.files, ...added].sort(),
        has: (path) => texts.has(path) || tree.has(path),
        isDirectory: (path) => tree.isDirectory(path) || isAbove(path),
        bytes: (path) => bytes.get(path) ?? tree.bytes(path),
        text: (path) => texts.get(path) ?? tree.text(path),
    };
}

;// CONCATENATED MODULE: ./src/fix/rounds.ts
/** Fixes one after the other: those that are not in each other's way at once, the rest when those are made. */






/** Enough for fixes that bring forth others; a circle of them must end somewhere. */
const mostRounds = 10;
async function fixInRounds(tree, lint, isWanted) {
    const texts = new Map();
    const fixed = [];
    for (let round = 1;; round++) {
        const head = overlay_overlaid(tree, texts);
        const run = await lint(head);
        // What is still found after it was fixed is not fixed by that, and never will be.
        const tried = new Set(fixed.map(({ fingerprint }) => fingerprint));
        const wanted = run.findings.filter((one) => one.fix && isWanted(one) && !tried.has(one.fingerprint));
        const next = chosen(head, round > mostRounds ? [] : wanted);
        const { made } = next;
        if (made.length === 0)
            return { fixed, texts, run };
        for (const [file, text] of next.texts)
            texts.set(file, text);
        fixed.push(...made);
    }
}
/** The worst first, what collides with an earlier one left for later. One edit that fixes several things is made once. */
function chosen(tree, findings) {
    const made = [];
    const edits = new Map();
    const texts = new Map();
    for (const finding of worstFirst([...findings])) {
        const all = finding.fix?.edits ?? [];
        const now = [...new Set(all.map(({ at }) => at.file))].map((file) => {
            const own = all.filter(({ at }) => at.file === file);
            const before = edits.get(file) ?? [];
            const isMade = own.every((edit) => before.some((other) => (0,external_node_util_.isDeepStrictEqual)(edit, other)));
            return { file, own, before, isMade, text: isMade ? undefined : textAfter(tree, file, [...before, ...own]) };
        });
        // Either all of it is there already, or none of it is in the way of anything.
        if (!now.every(({ isMade }) => isMade)) {
            if (now.some(({ own, before, text }) => collide(before, own) || text === undefined))
                continue;
            for (const { file, own, before, text } of now) {
                edits.set(file, [...before, ...own]);
                texts.set(file, text);
            }
        }
        made.push(finding);
    }
    return { made, texts };
}
/** Undefined where the edits do not fit together: two of them may write the same key, though each for itself is right. */
function textAfter(tree, file, edits) {
    const before = tree.text(file);
    const after = applyEdits(before ?? '', edits);
    return after !== undefined && countSound(after) >= countSound(before ?? '') ? after : undefined;
}
function countSound(text) {
    return new Source(text).documents.filter((document) => Page.read(document.text)).length;
}

;// CONCATENATED MODULE: ./src/fix/write.ts
/** Writes what was edited: whole files, one after the other, each at once or not at all. */



/**
 * Nothing is written where one of the files is not what was read, is no regular file, or lies behind a link: a `UsageError`
 * says which.
 */
function write_writeAll(directory, rewrites) {
    const root = (0,external_node_fs_.realpathSync)(directory);
    const modes = rewrites.map((rewrite) => write_modeOf(root, rewrite));
    for (const [index, { file, after }] of rewrites.entries()) {
        const path = (0,external_node_path_.join)(root, file);
        (0,external_node_fs_.mkdirSync)((0,external_node_path_.dirname)(path), { recursive: true });
        const beside = `${path}.${process.pid}.customizer-lint`;
        try {
            (0,external_node_fs_.writeFileSync)(beside, after, { flag: 'wx', mode: modes[index] ?? 0o644 });
            (0,external_node_fs_.renameSync)(beside, path);
        }
        finally {
            (0,external_node_fs_.rmSync)(beside, { force: true });
        }
    }
}
/** The permissions to keep. */
function write_modeOf(root, { file, before }) {
    const path = (0,external_node_path_.join)(root, file);
    let folder = (0,external_node_path_.dirname)(path);
    while (!(0,external_node_fs_.existsSync)(folder))
        folder = (0,external_node_path_.dirname)(folder);
    if ((0,external_node_fs_.realpathSync)(folder) !== folder || !`${folder}${external_node_path_.sep}`.startsWith(root.endsWith(external_node_path_.sep) ? root : `${root}${external_node_path_.sep}`))
        throw new UsageError(`"${file}" lies behind a symbolic link; nothing was written`);
    if (before === undefined) {
        if ((0,external_node_fs_.lstatSync)(path, { throwIfNoEntry: false }))
            throw changed(file);
        return undefined;
    }
    const { mode, content } = readRegular(path) ?? {};
    if (mode === undefined || !content || Buffer.compare(content, before) !== 0)
        throw changed(file);
    return mode;
}
function readRegular(path) {
    let file;
    try {
        file = (0,external_node_fs_.openSync)(path, external_node_fs_.constants.O_RDONLY | (external_node_fs_.constants.O_NOFOLLOW ?? 0) | (external_node_fs_.constants.O_NONBLOCK ?? 0));
    }
    catch {
        return undefined;
    }
    try {
        const stats = (0,external_node_fs_.fstatSync)(file);
        return stats.isFile() ? { mode: stats.mode & 0o7777, content: (0,external_node_fs_.readFileSync)(file) } : undefined;
    }
    finally {
        (0,external_node_fs_.closeSync)(file);
    }
}
function changed(file) {
    return new UsageError(`"${file}" was changed by somebody else in the meantime; nothing was written`);
}

;// CONCATENATED MODULE: ./src/commands/fix.ts
/** `customizer-lint fix [DIR]`: makes the edits that findings come with, and says what is left. */












async function fix(args, home) {
    const { directory, values } = args;
    const only = values.rule ?? [];
    const unknown = only.find((id) => !rules.some((rule) => rule.id === id));
    if (unknown !== undefined)
        throw new UsageError(`there is no rule "${unknown}"; customizer-lint rules lists them`);
    const isWanted = ({ rule, fix: found }) => found !== undefined && (found.safe || values.unsafe === true) && (only.length === 0 || only.includes(rule));
    const progress = startProgress(process.stderr);
    const tree = await openWorkTree(directory);
    const options = await surveyOptions(args, home, progress);
    const done = await fixInRounds(tree, (head) => run_run({ ...options, head }), isWanted).finally(progress.stop);
    if (!values['dry-run'])
        write_writeAll(directory, [...done.texts].map(([file, after]) => ({ file, before: tree.bytes(file), after })));
    const color = wantsColor(values);
    const text = report('text', done.run, { color, quiet: values.quiet === true, rules: [...rules] });
    const diffs = [...done.texts].sort().map(([file, after]) => difference(file, tree.text(file), after, color));
    process.stdout.write([...diffs, summary(done, values), text].filter((part) => part !== '').join('\n'));
    return verdict_verdict(done.run, (values['fail-on'] ?? 'error'), values['only-new'] === true);
}
function difference(file, before, after, color) {
    return differenceLines(file, before, after)
        .map((line) => `${color ? tinted(line) : line}\n`)
        .join('');
}
function tinted(line) {
    const code = fix_codes.find(([start]) => line.startsWith(start))?.[1];
    return code === undefined ? line : `\u001b[${code}m${line}\u001b[0m`;
}
/** Of the sixteen colours of a terminal; the first that fits. */
const fix_codes = [
    ['--- ', 1],
    ['+++ ', 1],
    ['-', 31],
    ['+', 32],
    ['@@', 36],
];
function summary({ fixed, run: { findings } }, values) {
    const would = values['dry-run'] ? 'would fix' : 'fixed';
    const more = values.unsafe ? 0 : findings.filter((one) => one.fix && !one.fix.safe).length;
    if (fixed.length === 0)
        return more > 0 ? `nothing to fix without --unsafe\n` : 'nothing to fix\n';
    const lines = fixed.map(({ rule, at, fix: made }) => `${would} ${printable(rule)} in ${printable(at.file)}: ${printable(made?.title ?? '')}`);
    return `${lines.join('\n')}\n`;
}

;// CONCATENATED MODULE: ./src/commands/help.ts
const help_help = `customizer-lint: checks the repository from which a Cozystack cluster is customized

Usage
  customizer-lint [check] [DIR] [options]     render as Flux does, check, report
  customizer-lint fix [DIR] [options]         edit what can be corrected, show it, check again
  customizer-lint diff [DIR] [options]        what a merge does in the cluster: fields, their owners, what is deleted
  customizer-lint render [DIR] [options]      print what Flux would apply
  customizer-lint inventory [DIR]             print what Flux would record as applied: the ids of its inventory
  customizer-lint audit [DIR] --live FILE|- | --kubeconfig FILE
                                              who has taken which field of a cluster's Packages, and how to restore it
  customizer-lint explain KIND/NAME [FIELD]…  which lines made a field what it is, whose it is, what becomes of it
  customizer-lint graph [DIR] [options]       draw which Package waits for which
  customizer-lint rules [ID]                  print the table of rules, or the page of one
  customizer-lint snapshot FILE|-             make a snapshot of a cluster out of what kubectl prints

DIR is the root of the repository, by default the current directory.

Options of check
  --path P            a directory that Flux applies; may be repeated (default: found by itself)
  --base REF|DIR      what to compare with: the last commit shared with REF, or a directory
  --format F          text, json, sarif, github, markdown, gitlab or junit; may be repeated
                      (default: text)
  --output FILE       write the report there instead of to standard output
  --config FILE       the configuration (default: .customizer-lint.yaml)
  --release R         the release of Cozystack, e.g. v1.6.2
  --fail-on LEVEL     error, warning, notice or never: what makes the exit status 1 (default: error)
  --only-new          judge by new findings alone; needs --base
  --simulate          also find out what Flux will do: what is refused, and what it takes or loses of what others
                      have set
  --live FILE         what is in the clusters, for --simulate: kubectl get packages -o yaml --show-managed-fields
  --dry-run=SERVER    also ask an API server what it says, without writing anything: kind (a cluster that is
                      made for it), kind:NAME (one that is there), envtest (etcd and kube-apiserver in
                      KUBEBUILDER_ASSETS) or the path of a kubeconfig
  --keep-cluster      leave the cluster of kind to the next run
  --cluster NAME      which one to ask about, where the repository has several
  --context NAME      the context of the kubeconfig
  --quiet, -q         findings only
  --no-color          no colour, even on a terminal

Options of fix
  --unsafe            also what could change what something else means: look at the difference
  --dry-run           write nothing
  --rule ID           what this rule finds, and nothing else; may be repeated
  --path P, --base REF|DIR, --config FILE, --release R, --fail-on LEVEL, --only-new, --quiet, --no-color
                      as above

Options of render
  --path P            as above
  --format F          yaml: exactly the bytes Flux hashes (default); json: the objects; digest: their SHA-256
  --provenance        with the file and line behind every value; as json, with everything that is known of it
  --as-applied        as Flux sends them to the API server, in its order: with the labels of their owner, built-in
                      kinds converted, without what it passes over; as yaml or json
  --cluster NAME      with --as-applied: only this one, where the repository has several
  --release R         with --as-applied: as above
  --output FILE       as above

Options of explain
  --directory, -C DIR the root of the repository
  --base REF|DIR      what is in the cluster already; without it the platform alone
  --live FILE         objects as the cluster has them: kubectl get packages -o yaml --show-managed-fields
  --format F          text (default) or json
  --cluster NAME      only this one, where the repository has several
  --path P, --config FILE, --release R, --output FILE
                      as above
                      Of each field: whose it is by contract, who manages it before and after, what applying
                      it does, and, of the fields that are named, what taking them out again does.
                      Exit status: 0 done, 2 the work could not be done.

Options of graph
  --format F          dot (default), mermaid or json
  --installed, -i     only the Packages of the cluster, each in its variant there
  --components        also the components that make a HelmRelease
  --cluster NAME      which one, where the repository has several
  --path P, --config FILE, --release R, --output FILE
                      as above

Options of diff
  --base REF|DIR      what is in the cluster already; without it the platform alone
  --live FILE         objects as the cluster has them: kubectl get packages -o yaml --show-managed-fields
  --fresh             onto a new cluster, which has seen nothing of the repository
  --format F          text (default), json or markdown
  --cluster NAME      only this one, where the repository has several
  --path P, --config FILE, --release R, --output FILE, --no-color
                      as above
                      Exit status: 0 nothing changes, 1 something does, 2 the work could not be done.

Options of audit
  --live FILE|-       the Packages: kubectl get packages.cozystack.io -o yaml --show-managed-fields
  --kubeconfig FILE   ask the cluster for them, which is only read; --context NAME for another than the current one
  --release R         the release of Cozystack; else the repository's configuration or the cluster says it
  --format F          text (default) or json
  --cluster NAME      which one, where the repository has several
  --path P, --config FILE, --output FILE, --no-color
                      as above; DIR need not be a repository
                      Exit status: 0 nothing is taken, 1 something is, or is about to be removed, 2 the work could
                      not be done.

Options of rules
  --format F          text, json, or schema: the JSON Schema of the configuration

Exit status: 0 nothing at or above the threshold, 1 findings, 2 the work could not be done.
`;

;// CONCATENATED MODULE: ./src/commands/inventory.ts
/** `customizer-lint inventory`: what Flux would record as applied, by which it later knows what to prune. */










function inventory({ directory, values }, home) {
    const data = (0,external_node_path_.join)(home, 'schemas');
    // In which scope a kind is does not change from release to release.
    const schemas = loadSchemas(data, releases(data).at(-1));
    return withSession(directory, home, values, async (session) => {
        const all = [];
        for await (const { entrypoint, response } of session.builds('objects')) {
            if (!response.ok)
                continue;
            const { path, why } = entrypoint;
            const refs = toRendered(entrypoint, response)
                .filter(isApplied)
                .map(({ ref }) => sent_placed(ref, schemas));
            const entries = refs.map((ref) => ({ id: inventoryEntry(ref), v: ref.apiVersion.replace(/^.*\//, '') }));
            all.push({ path, why, entries: entries.sort((a, b) => (a.id < b.id ? -1 : 1)) });
        }
        const text = values.format?.at(-1) === 'json' ? jsonText(all) : all.map(inventory_words).join('\n');
        write(text, values);
        return session.failed ? 1 : 0;
    });
}
/** A comment says which inventory it is, so that a list can be piped on. */
function inventory_words({ path, why, entries }) {
    return [`# ${printable(path)}: ${printable(why)}`, ...entries.map(({ id }) => printable(id)), ''].join('\n');
}

;// CONCATENATED MODULE: ./src/commands/applied.ts
/**
 * `render --as-applied`: objects as Flux sends them to the API server, in the order in which it does; but for the null of
 * `creationTimestamp`, and for a `targetPort` of 0, which the API server takes for the port.
 */










async function renderApplied(args, home) {
    const { values } = args;
    const progress = startProgress(process.stderr);
    const options = await surveyOptions(args, home, progress);
    return survey(options, ({ clusters, rendered }) => {
        progress.stop();
        const isBroken = complainOf(rendered.head);
        const sent = wantedClusters(clusters, values).flatMap(sentTo);
        for (const one of sent)
            if (isEncrypted(one))
                warnOfEncrypted(one.ref);
        const objects = sent.map(({ value }) => value);
        write(values.format?.at(-1) === 'json' ? jsonText(objects) : yaml(objects), values);
        return isBroken ? 1 : 0;
    }).finally(progress.stop);
}
/** Each Flux Kustomization applies what is its own in order; the order among them is that of `render`. */
function sentTo({ head, contract }) {
    return head.entrypoints.filter(pruned_isBuilt).flatMap(({ entrypoint, objects }) => inApplyOrder(objects.filter(isApplied)).map((object) => ({
        ref: object.ref,
        value: asSent(object, entrypoint, contract.schemas),
    })));
}
/** Texts that kubectl, which reads YAML 1.1, would take for something else are quoted. */
function yaml(objects) {
    return objects
        .map((object) => (0,dist/* stringify */.As)(object, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1' }))
        .join('---\n');
}
function warnOfEncrypted({ kind, namespace, name }) {
    const label = [kind, namespace, name].filter(Boolean).join('/');
    process.stderr.write(`warning  ${printable(label)} is encrypted, and is printed so; what Flux makes of it is not known\n`);
}

;// CONCATENATED MODULE: ./src/commands/render.ts








function render_render(args, home) {
    const { directory, values } = args;
    if (values['as-applied'])
        return renderApplied(args, home);
    const format = (values.format?.at(-1) ?? 'yaml');
    return withSession(directory, home, values, async (session) => {
        const text = values.provenance ? await provenance(session, format) : await render_plain(session, format);
        write(text, values);
        return session.failed ? 1 : 0;
    });
}
/** Several entrypoints become one YAML stream, or one JSON list. */
async function render_plain(session, format) {
    const texts = [];
    const objects = [];
    for await (const { entrypoint, response } of session.builds(format === 'json' ? 'objects' : format)) {
        if (format === 'digest')
            texts.push(digest(entrypoint.path, response));
        else if (!response.ok)
            continue;
        else if (format === 'yaml')
            texts.push(response.yaml ?? '');
        else
            objects.push(...(response.objects ?? []).map(({ value }) => value));
    }
    if (format === 'json')
        return jsonText(objects);
    return texts.filter(Boolean).join(format === 'yaml' ? '---\n' : '');
}
function digest(path, response) {
    if (response.ok)
        return `${response.sha256}  ${path}\n`;
    return `error  ${path}: ${printable(maskText(response.error.message)
        .replace(/\s*\n\s*/g, ' ')
        .trim())}\n`;
}
async function provenance(session, format) {
    const locator = new Locator({ head: session.tree });
    const leaves = [];
    const texts = [];
    for await (const { entrypoint, response } of session.builds('objects')) {
        if (!response.ok)
            continue;
        const objects = toRendered(entrypoint, response);
        if (format === 'json')
            leaves.push(...provenance_leavesOf(objects, locator));
        else
            texts.push(...objects.map((object) => withPlaces(object, locator)));
    }
    return format === 'json' ? jsonText(leaves) : texts.join('---\n');
}

;// CONCATENATED MODULE: ./src/commands/rules.ts
/** `customizer-lint rules [ID]`: the table of rules, or the page of one, without a network. */






async function rules_rules({ operands: [id], values }, home) {
    const format = values.format?.[0] ?? 'text';
    if (id !== undefined)
        process.stdout.write(page(id, home));
    else if (format === 'schema')
        process.stdout.write(`${JSON.stringify(configSchema(rules), null, 2)}\n`);
    else if (format === 'json')
        process.stdout.write(`${JSON.stringify(rules.map(rules_describe), null, 2)}\n`);
    else
        process.stdout.write(table());
    return 0;
}
function rules_describe({ id, severity, summary, needsBase, options = {} }) {
    return { id, severity, summary, needsBase: needsBase ?? false, options };
}
function table() {
    const width = Math.max(...rules.map(({ id }) => id.length));
    const lines = rules.map(({ id, severity, summary }) => `${id.padEnd(width)}  ${severity.padEnd(7)}  ${summary}`);
    return `${lines.join('\n')}\n\ncustomizer-lint rules ID prints the page of a rule\n`;
}
function page(id, home) {
    const ids = rules.map((rule) => rule.id);
    if (ids.includes(id))
        return (0,external_node_fs_.readFileSync)((0,external_node_path_.join)(home, 'src', 'rules', id, 'README.md'), 'utf8');
    const meant = nearest(id, ids);
    throw new UsageError(`there is no rule "${id}"${meant ? `; did you mean "${meant}"?` : '; customizer-lint rules lists them'}`);
}

;// CONCATENATED MODULE: ./src/commands/snapshot.ts
/** `customizer-lint snapshot FILE|-`: objects as kubectl prints them in, a snapshot of the cluster out. */





const head = `# What customizer-lint knows of the cluster: names, variants and field managers, but no values. Name it in .customizer-lint.yaml
# as cluster.snapshot, and make it anew when the cluster has changed:
#   ${snapshot_command()} | customizer-lint snapshot - > THIS FILE
`;
/** What has to be asked of the cluster. */
function snapshot_command() {
    const kinds = 'packages,packagesources,ocirepositories,crds,clusterroles,clusterrolebindings,roles,rolebindings';
    return `kubectl get ${kinds} -A -o yaml --show-managed-fields`;
}
async function snapshot({ operands: [file], values }) {
    if (file === undefined)
        throw new UsageError(`snapshot of what? e.g. ${snapshot_command()} | customizer-lint snapshot -`);
    const objects = readObjects(file);
    if (!objects.some(({ kind }) => kind === 'Package'))
        throw new UsageError(`there is no Package in what was read; the command is: ${snapshot_command()}`);
    const text = `${head}${(0,dist/* stringify */.As)(takeSnapshot(objects, new Date().toISOString().slice(0, 10)), { lineWidth: 0 })}`;
    write(text, values);
    return 0;
}

;// CONCATENATED MODULE: ./src/commands/main.ts
/** The command's edge: arguments in, text and an exit status out. 0 clean, 1 findings, 2 could not do the work. */

















/** Where `dist/` and `schemas/` lie: this file is bundled into `dist/cli`. */
const home = (0,external_node_url_.fileURLToPath)(new URL(['..', '..'].join('/'), import.meta.url));
async function main(argv) {
    try {
        const args = readArguments(argv);
        if (args.values.help)
            return say(help_help);
        if (args.values.version)
            return say(`${readTool(home).version}\n`);
        return await { check: commands_check_check, fix: fix, render: render_render, explain: explain_explain, graph: graph, diff: diff, inventory: inventory, audit: audit_audit, snapshot: snapshot, rules: rules_rules }[args.command](args, home);
    }
    catch (error) {
        process.stderr.write(apology(error));
        return 2;
    }
}
function say(text) {
    process.stdout.write(text);
    return 0;
}
/** Wrong usage and our own bugs must never look like each other, nor like findings. */
function apology(error) {
    if (error instanceof UsageError || error instanceof GitError)
        return `customizer-lint: ${printable(error.message)}\n`;
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `customizer-lint ${readTool(home).version}: this is a bug of the linter, not of your repository. Please report it with the lines below.\n${trace.split('\n').map(printable).join('\n')}\n`;
}


/***/ })

};
