/** The archive of a commit, fetched as the runner's network wants it. */
import { HttpClient } from '@actions/http-client';
import { ApiError } from '../github/client.js';

/** Milliseconds for all of it, and how long a server may send nothing. */
const patience = 120_000;
const silence = 30_000;

/**
 * The bytes that are there; `most` of them. The address is good for minutes and needs no token, so it gets none, wherever it leads. The
 * client of GitHub's toolkit goes through the proxy that the environment names (`https_proxy`, `no_proxy`). Throws an `ApiError`.
 */
export async function download(url: string, most: number): Promise<Uint8Array> {
  const client = new HttpClient('customizer-lint', [], { socketTimeout: silence });
  const timer = setTimeout(() => client.dispose(), patience);
  try {
    const { message } = await client.get(url);
    if (message.statusCode !== 200) {
      message.destroy();
      throw new ApiError('unclear', `${message.statusCode} ${message.statusMessage ?? ''}`.trim());
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of message as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > most) throw new ApiError('unclear', 'it is larger than a repository may be');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(timer);
    client.dispose();
  }
}
