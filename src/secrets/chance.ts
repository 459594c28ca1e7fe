/** Words that chance has made, such as tokens and generated passwords. */

/** In UTF-16 units: the least of such a word, and as many are looked at. */
const lengths = { least: 12, most: 400 };

/** An upper-case letter begins a word, as in `clientId`; several are one, as in `TLS`. */
const runs = /\d+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

/** True if chance has made the word: figures and letters, or small ones and capitals, take turns. */
export function isRandom(word: string): boolean {
  if (word.length < lengths.least || !/^[A-Za-z\d]+$/.test(word) || !/\D/.test(word)) return false;
  const looked = word.slice(0, lengths.most);
  return looked.length / (looked.match(runs)?.length ?? 1) <= 3;
}
