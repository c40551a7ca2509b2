/*
 * The text of a package script or of `sh -c`, as far as its last command can be known without being a shell. Anything that
 * makes this doubtful (pipes, redirections, substitutions, subshells, background) is not looked into.
 */

/** The last command of a script. */
export interface ScriptCommand {
  /** Everything before it, separator included. */
  readonly before: string
  /** As it is written. */
  readonly source: string
  /** Its words, quotes taken off. */
  readonly words: readonly string[]
  /** The same words as they are written: what a shell expands in them stands there. */
  readonly raw: readonly string[]
}

/** What stands in a script: white space, a separator, or a piece of a word. */
const PIECE =
  /(?<space>[ \t]+)|(?<separator>&&|;|\n)|(?<single>'[^']*')|(?<double>"(?:[^"\\`$]|\\.|\$(?!\())*")|(?<plain>(?:[^\s'"\\|&;<>()`$]|\\.|\$(?!\())+)/sy

/** The last command of `&&` and `;` in a script; null where it cannot be known. */
export function lastCommand(text: string): ScriptCommand | null {
  const script = text.trim()
  let start = 0
  let words: string[] = []
  let raw: string[] = []
  let word = { text: '', raw: '' }
  const endWord = (): void => {
    if (word.raw !== '') {
      words.push(word.text)
      raw.push(word.raw)
    }
    word = { text: '', raw: '' }
  }
  for (let at = 0; at < script.length; ) {
    PIECE.lastIndex = at
    const groups = PIECE.exec(script)?.groups
    if (groups === undefined) return null
    at = PIECE.lastIndex
    if (groups.space !== undefined) endWord()
    else if (groups.separator !== undefined) {
      endWord()
      words = []
      raw = []
      start = at
    } else {
      const written = groups.single ?? groups.double ?? groups.plain ?? ''
      word = { text: word.text + unquoted(groups), raw: word.raw + written }
    }
  }
  endWord()
  if (words.length === 0) return null
  const lead = /^\s*/.exec(script.slice(start))?.[0].length ?? 0
  return { before: script.slice(0, start + lead), source: script.slice(start + lead), words, raw }
}

function unquoted({ single, double, plain }: Record<string, string | undefined>): string {
  if (single !== undefined) return single.slice(1, -1)
  if (double !== undefined) return double.slice(1, -1).replace(/\\(["\\$`])/g, '$1')
  return (plain ?? '').replace(/\\(.)/gs, '$1')
}

/** A word as a shell takes it whole. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
