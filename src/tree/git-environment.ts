/** What every process of git is started with. */

/**
 * The environment without what could steer git or leak a token: only what finds programs and the user's own configuration
 * (`safe.directory`, what to ignore). Git may ask nobody, fetch nothing, and take no program for a transport:
 * `GIT_ALLOW_PROTOCOL` beats whatever a configuration allows, unlike `protocol.allow`, and no transport is called `none`.
 */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, SYSTEMROOT } = process.env;
  return {
    ...(PATH && { PATH }),
    ...(HOME && { HOME }),
    ...(SYSTEMROOT && { SYSTEMROOT }),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_PROTOCOL_FROM_USER: '0',
  };
}
