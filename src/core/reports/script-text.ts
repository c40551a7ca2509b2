/*
 * Parses the text of a package script or of `sh -c` far enough to find its last command without a shell. Gives up on anything
 * ambiguous: pipes, redirections, substitutions, subshells, background jobs.
 */

/** The last command of a script. */
export interface ScriptCommand {
  /** Everything before it, including the separator. */
  readonly before: string
  /** Verbatim. */
  readonly source: string
  /** Its words without quotes. */
  readonly words: readonly string[]
  /** The same words verbatim, with what a shell would expand. */
  readonly raw: readonly string[]
}

/** A piece of a script: white space, a separator, or a part of a word. */
const PIECE =
  /(?<space>[ \t]+)|(?<separator>&&|;|\n)|(?<single>'[^']*')|(?<double>"(?:[^"\\`$]|\\.|\$(?!\())*")|(?<plain>(?:[^\s'"\\|&;<>()`$]|\\.|\$(?!\())+)/sy

/** Returns the last command of a script joined by `&&` and `;`; null if it can't be determined. */
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

/** Returns a word quoted for a shell. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
