/** Requests to an API server: what a failure says of all others, what counts as an answer, and when it is asked again. */
import { Agent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type ApiRequest, Client, inParallel, type ServerUnavailableError } from '../../src/dry-run/client.js';
import { Discovery } from '../../src/dry-run/discovery.js';
import { type Fake, type Recorded, startFake } from '../support/apiserver.js';

let server: Fake | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

type Given = { agent?: Agent; writes?: boolean; port?: number; seconds?: number; headers?: Record<string, string> };

function clientOf({ agent, writes = false, port = server?.port ?? 1, seconds, headers }: Given = {}): Client {
  const options = async () => ({ agent: agent as unknown as HttpsAgent, ...(headers && { headers }) });
  const credentials = { server: `http://127.0.0.1:${port}/`, options, close: () => {} };
  const limits = { writes, signal: new AbortController().signal, ...(seconds !== undefined && { seconds }) };
  return new Client(credentials, limits);
}

const request: ApiRequest = { method: 'GET', path: '/version' };
const failureOf = (client: Client, asked = request) =>
  client.ask(asked).then(
    () => undefined,
    (error: ServerUnavailableError) => ({ whole: error.whole, message: error.message }),
  );

/** No connection comes about, for this reason. */
class Failing extends Agent {
  constructor(private readonly code: string | undefined) {
    super();
  }
  override createConnection(...[, callback]: Parameters<Agent['createConnection']>) {
    callback?.(Object.assign(new Error('a-token'), { code: this.code }), undefined as never);
    return undefined;
  }
}

describe('a connection that fails', () => {
  const authority = 'shows a certificate that the kubeconfig’s authority did not sign';
  test.each<[string | undefined, boolean, string]>([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', true, `${authority} (DEPTH_ZERO_SELF_SIGNED_CERT)`],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true, `${authority} (UNABLE_TO_VERIFY_LEAF_SIGNATURE)`],
    ['ERR_TLS_CERT_ALTNAME_INVALID', true, `${authority} (ERR_TLS_CERT_ALTNAME_INVALID)`],
    ['CERT_HAS_EXPIRED', true, `${authority} (CERT_HAS_EXPIRED)`],
    ['INVALID_CA', true, `${authority} (INVALID_CA)`],
    ['ECONNREFUSED', true, 'cannot be reached (ECONNREFUSED)'],
    ['ENOTFOUND', true, 'cannot be reached (ENOTFOUND)'],
    ['EAI_AGAIN', true, 'cannot be reached (EAI_AGAIN)'],
    ['ECONNRESET', false, 'ended the connection (ECONNRESET)'],
    [undefined, false, 'ended the connection'],
  ])('with %s', async (code, whole, words) => {
    expect(await failureOf(clientOf({ agent: new Failing(code) }))).toEqual({
      ...{ whole, message: `the server at 127.0.0.1:1 ${words}` },
    });
  });
});

describe('an answer', () => {
  const answer = async (...recorded: Recorded[]) => {
    server = await startFake(recorded);
    return clientOf().ask(request);
  };
  const to = 'GET /version';

  test('of whatever status is one', async () => {
    expect(await answer({ to, status: 404, body: { message: 'no' } })).toEqual({
      status: 404,
      body: { message: 'no' },
    });
    await server?.close();
    expect(await answer({ to, status: 500, body: { message: 'no' } })).toMatchObject({ status: 500 });
  });

  test('that is no object is taken for the words of something else', async () => {
    expect(await answer({ to, status: 200, body: 'hello' })).toEqual({
      status: 200,
      body: { kind: 'Status', status: 'Failure', code: 200, message: '"hello"' },
    });
  });

  test('that is too long is none', async () => {
    server = await startFake([{ to, status: 200, body: { a: 'x'.repeat(16 << 20) } }]);
    expect(await failureOf(clientOf())).toMatchObject({ whole: false });
  });

  test('that does not come in time is none, and says nothing of the others', async () => {
    server = await startFake([{ to, status: 200, silent: true }]);
    expect(await failureOf(clientOf({ seconds: 0.1 }))).toEqual({ whole: false, message: 'no answer within 0.1 s' });
  });

  test.each([
    ['a number', '0'],
    ['a date that has passed', 'Wed, 21 Oct 2015 07:28:00 GMT'],
    ['such a date as asctime of C has it', 'Wed Oct 21 07:28:00 2015'],
  ])('that asks for a while is asked again after it: %s', async (_, after) => {
    const headers = { 'retry-after': after };
    expect(await answer({ to, status: 500, headers, times: 2 })).toMatchObject({ status: 200 });
    expect(server?.heard).toHaveLength(3);
  });

  test('that is none of a server in trouble counts, whatever it asks for', async () => {
    expect(await answer({ to, status: 409, headers: { 'retry-after': '0' }, times: 1 })).toMatchObject({ status: 409 });
    expect(server?.heard).toHaveLength(1);
  });

  test('that does not accept the credentials is asked for once more, with new ones', async () => {
    expect(await answer({ to, status: 401, times: 1 })).toMatchObject({ status: 200 });
    await server?.close();
    server = await startFake([{ to, status: 401 }]);
    expect(await failureOf(clientOf())).toEqual({
      ...{ whole: true, message: 'the server does not accept the credentials (401 Unauthorized)' },
    });
    expect(server.heard).toHaveLength(2);
  });
});

describe('where nothing may be written', () => {
  const patch = (query: Record<string, string>): ApiRequest => ({ method: 'PATCH', path: '/api/v1', body: {}, query });

  test('nothing is asked that would', async () => {
    server = await startFake();
    for (const query of [{}, { dryRun: 'None' }])
      await expect(clientOf().ask(patch(query))).rejects.toThrow('PATCH /api/v1 would write into a cluster');
    expect(server.heard).toEqual([]);
    expect(await clientOf().ask(patch({ dryRun: 'All' }))).toMatchObject({ status: 200 });
    expect(await clientOf({ writes: true }).ask(patch({}))).toMatchObject({ status: 200 });
  });
});

test('a request is in the name of a user only where one is given, and has the headers of the credentials', async () => {
  server = await startFake();
  const client = clientOf({ headers: { authorization: 'Bearer x' } });
  await client.ask(request);
  await client.ask({ ...request, as: 'system:serviceaccount:a:b' });
  expect(server.heard.map(({ headers }) => [headers.authorization, headers['impersonate-user']])).toEqual([
    ['Bearer x', undefined],
    ['Bearer x', 'system:serviceaccount:a:b'],
  ]);
});

test('work is done a few at a time, and comes back in its order', async () => {
  let [now, most] = [0, 0];
  const work = async (item: number, index: number) => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, item));
    now -= 1;
    return [item, index];
  };
  expect(await inParallel([20, 5, 1, 1], 2, work)).toEqual([
    ...[
      [20, 0],
      [5, 1],
      [1, 2],
      [1, 3],
    ],
  ]);
  expect(most).toBe(2);
  expect(await inParallel([], 2, work)).toEqual([]);
});

describe('what a server serves', () => {
  const find = async (apiVersion: string, kind: string, resources: unknown) => {
    await server?.close();
    server = await startFake([{ to: 'GET /apis/example.org/v1', status: 200, body: { resources } }]);
    return new Discovery(clientOf()).find({ apiVersion, kind });
  };
  const things = { name: 'things', kind: 'Thing', namespaced: true };

  test.each<[string, unknown, object | undefined]>([
    ['is known by its kind', [things], { resource: 'things', namespaced: true }],
    [
      'is in no namespace where that is not said',
      [{ ...things, namespaced: 'true' }],
      { resource: 'things', namespaced: false },
    ],
    ['is no part of it', [things, { ...things, name: 'things/status' }], { resource: 'things', namespaced: true }],
    ['is not what has no name', [{ kind: 'Thing' }, { kind: 'Other' }], undefined],
    ['is not what has no kind', [{ name: 'things' }, 'things'], undefined],
    ['is nothing where it lists nothing', undefined, undefined],
  ])('%s', async (_, resources, expected) => {
    expect(await find('example.org/v1', 'Thing', resources)).toEqual(expected);
  });

  test('is not asked for in a version that is none', async () => {
    expect(await find('example.org/../v1', 'Thing', [things])).toBeUndefined();
    expect(await find('1', 'Thing', [things])).toBeUndefined();
    expect(server?.heard).toEqual([]);
  });

  test('is asked for once, until something new may be served', async () => {
    server = await startFake();
    const discovery = new Discovery(clientOf());
    const [apiVersion, kind] = ['v1', 'ConfigMap'];
    for (let time = 0; time < 2; time++) await discovery.find({ apiVersion, kind });
    expect(server.heard).toHaveLength(1);
    discovery.forget();
    expect(await discovery.find({ apiVersion, kind })).toEqual({ resource: 'configmaps', namespaced: true });
    expect(server.heard).toHaveLength(2);
  });

  test('is not known where it does not say', async () => {
    server = await startFake([{ to: 'GET /apis/example.org/v1', status: 403, body: { message: 'not you' } }]);
    await expect(new Discovery(clientOf()).find({ apiVersion: 'example.org/v1', kind: 'Thing' })).rejects.toMatchObject(
      {
        ...{ whole: true, message: 'the server does not say what it serves: not you' },
      },
    );
  });
});
