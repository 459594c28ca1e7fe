/** Commits that git itself would not make: trees out of bytes, with any names in any number. */
import { execFileSync } from 'node:child_process';

export type RawEntry = { name: string | Buffer; mode?: string } & ({ content: string | Buffer } | { tree: RawEntry[] });

/** Writes the tree and a commit of it into the repository `folder`; gives the commit. */
export function rawCommit(folder: string, entries: RawEntry[], parents: string[] = []): string {
  const tree = rawTree(folder, entries);
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  const parent = parents.flatMap((commit) => ['-p', commit]);
  return execFileSync('git', [...identity, 'commit-tree', tree, ...parent, '-m', 'x'], { cwd: folder })
    .toString()
    .trim();
}

/** In the order that git keeps: by bytes, a folder as if it ended with a slash. */
export function rawTree(folder: string, entries: RawEntry[]): string {
  const rows = entries.map((entry) => {
    const name = Buffer.from(entry.name as string);
    const isTree = 'tree' in entry;
    const id = isTree ? rawTree(folder, entry.tree) : write(folder, 'blob', Buffer.from(entry.content as string));
    const mode = entry.mode ?? (isTree ? '40000' : '100644');
    return {
      key: isTree ? Buffer.concat([name, Buffer.from('/')]) : name,
      row: [`${mode} `, name, '\0', Buffer.from(id, 'hex')],
    };
  });
  rows.sort((a, b) => Buffer.compare(a.key, b.key));
  return write(
    folder,
    'tree',
    Buffer.concat(rows.flatMap(({ row }) => row.map((part) => Buffer.from(part as string)))),
  );
}

function write(folder: string, type: string, content: Buffer): string {
  return execFileSync('git', ['hash-object', '-w', '-t', type, '--literally', '--stdin'], {
    cwd: folder,
    input: content,
  })
    .toString()
    .trim();
}
