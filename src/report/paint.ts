/** Colours of a terminal, for every text of the command. */

/** Of the sixteen colours; Node's own `styleText` is younger than the oldest Node that we support. */
const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 };

export type Style = keyof typeof codes;

/** The text in these styles; as it is where there are to be no colours. */
export type Paint = (text: string, ...styles: Style[]) => string;

export function painter(color: boolean): Paint {
  return (text, ...styles) =>
    color && styles.length > 0 ? `\u001b[${styles.map((style) => codes[style]).join(';')}m${text}\u001b[0m` : text;
}
