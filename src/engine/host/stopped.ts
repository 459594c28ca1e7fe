/** The module crashed, or had to be stopped because of a `limit`. */
export class Stopped extends Error {
  constructor(
    message: string,
    readonly limit: boolean,
  ) {
    super(message);
  }
}
