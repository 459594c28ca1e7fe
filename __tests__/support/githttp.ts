/** A git server on the loopback, as GitHub's for a private repository: `git http-backend` behind a password. */
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';

export type GitServer = {
  url: string;
  /** Every `authorization` header that came, decoded; undefined for a request without. */
  seen: (string | undefined)[];
  close(): Promise<void>;
};

/** Whoever knows the password of `x-access-token` gets in; by whatever name they call the repository. */
export async function serveGit(repository: string, password: string): Promise<GitServer> {
  const backend = join(spawnSync('git', ['--exec-path'], { encoding: 'utf8' }).stdout.trim(), 'git-http-backend');
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    const said = authorization && Buffer.from(authorization.replace(/^basic /i, ''), 'base64').toString();
    seen.push(said);
    if (said !== `x-access-token:${password}`) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://git');
    const child = spawn(backend, {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: dirname(repository),
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname.replace(/^.*?(?=\/info\/refs$|\/git-upload-pack$)/, `/${basename(repository)}`),
        QUERY_STRING: searchParams.toString(),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        ...(request.headers['git-protocol'] && { GIT_PROTOCOL: String(request.headers['git-protocol']) }),
        ...(request.headers['content-encoding'] && { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] }),
      } as NodeJS.ProcessEnv,
    });
    request.pipe(child.stdin);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('close', () => {
      const output = Buffer.concat(chunks);
      const end = output.indexOf('\r\n\r\n');
      const head = output.subarray(0, end).toString().split('\r\n');
      const headers = head.map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]);
      const status = headers.find(([name]) => name.toLowerCase() === 'status')?.[1];
      response.writeHead(
        Number.parseInt(status ?? '200', 10),
        Object.fromEntries(headers.filter(([name]) => name !== 'Status')),
      );
      response.end(output.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
