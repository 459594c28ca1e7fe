/** The token of the job, taken out of the environment: no input, no worker and no other program is to find it there. */

/** Variables that runners and workflows put a token in. */
const names = [
  'INPUT_TOKEN',
  'GITHUB_TOKEN',
  'GH_TOKEN',
  'ACTIONS_RUNTIME_TOKEN',
  'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
  'ACTIONS_ID_TOKEN_REQUEST_URL',
];

/** The input `token`; undefined where it is empty. The environment has none of them afterwards. */
function takeToken(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const token = env.INPUT_TOKEN?.trim();
  for (const name of names) delete env[name];
  return token === '' ? undefined : token;
}

/** Taken when this module is first imported. */
export const token = takeToken();
