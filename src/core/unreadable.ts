/**
 * The repository cannot be read as it is: a file that the system does not give out, a name that is none, a tree that is not
 * whole. Nothing is known of it then, so it is neither clean nor wrong: exit status 2, with the name of what is in the way.
 */
export class UnreadableError extends Error {
  override name = 'UnreadableError';
}

/** Throws for a file or a folder that the system refuses, by name. */
export function unreadable(path: string, error: unknown): never {
  throw new UnreadableError(`"${path}" cannot be read: ${reasonOf(error)}`);
}

/** `ENOSPC: no space left on device` of `ENOSPC: no space left on device, write '/tmp/x'`. */
export function reasonOf(error: unknown): string {
  const { message, syscall } = error as NodeJS.ErrnoException;
  const end = syscall === undefined ? -1 : message.indexOf(`, ${syscall}`);
  return end > 0 ? message.slice(0, end) : message;
}
