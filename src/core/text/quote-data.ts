/** Characters that end a line, change the direction of text, or are invisible. */
const UNSEEN =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

const PLAIN = /^[\w.@+/-]+$/

/**
 * Returns a name as data within a text for a program that reads instructions: verbatim if it is unambiguous, otherwise in
 * quotation marks, without line ends or invisible characters. Truncates it to `most` characters.
 */
export function quoteData(name: string, most = 300): string {
  const part = name.length > most ? `${name.slice(0, most)}…` : name
  if (PLAIN.test(part)) return part
  return JSON.stringify(part).replace(UNSEEN, (one) =>
    [...one].map((letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`).join(''),
  )
}
