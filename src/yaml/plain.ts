/** What a plain scalar that is no text stands for, as kustomize reads YAML (go-yaml: YAML 1.2 with the octal of 1.1). */

const decimal = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const based = /^([-+]?)0(b[01]+|o?[0-7]+|x[\da-f]+)$/i;

/** `1.1` of `1.10`, `10` of `012`, `true` of `True`; undefined where it is a text, or nothing that is known here. */
export function meaningOf(written: string): string | undefined {
  if (/^(?:true|false)$/i.test(written)) return written.toLowerCase();
  const number = written.replaceAll('_', '');
  const [, sign, digits = ''] = based.exec(number) ?? [];
  if (digits) return String(Number(`0${/^\d/.test(digits) ? `o${digits}` : digits}`) * (sign === '-' ? -1 : 1));
  return decimal.test(number) ? String(Number(number)) : undefined;
}

/** Whether a reader may take it for another number than it is, so that nobody can tell which of the two is meant. */
export function isAmbiguous(written: string): boolean {
  return written.includes('_') || based.test(written);
}
