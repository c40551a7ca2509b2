/** Continues a name to the left: `-test.js` in `my-test.js`. */
const NAME_BEFORE = /[\p{L}\p{M}\p{N}_.-]$/u
/** Continues a name or a path to the right: `test.js` in `test.jsx`, `test.json`, `test.js/a`. A full stop ends the sentence. */
const NAME_AFTER = /^(?:[\p{L}\p{M}\p{N}_/-]|\.[\p{L}\p{N}_])/u
/** The same for a folder, whose path may go on. */
const FOLDER_AFTER = /^(?:[\p{L}\p{M}\p{N}_-]|\.[\p{L}\p{N}_])/u

/**
 * Returns whether a text names a file as a separate word: by its path, or by the end of its path from a whole component on. `b/a.test.js`
 * names `lib/b/a.test.js` and not `a.test.js`. `root` is the absolute folder that `path` is relative to; in the text a path may
 * start above it. Left out: it may not.
 */
export function namesFile(text: string, path: string, root = ''): boolean {
  const plain = text.replaceAll('\\', '/')
  return endsOf(path, root).some((end) => hasWord(plain, end, NAME_AFTER))
}

const CHANGING = '(?:add|chang|creat|delet|edit|modif|remov|replac|rewr|touch)\\w*'
/**
 * Forbids what follows it in its sentence: "do not edit", but neither "don't forget to" nor "tests do not run". What asks for something again
 * ends it.
 */
const FORBIDDING = new RegExp(
  `(?:(?:^|[.;:!?,(]\\s+|\\b(?:and|please)\\s+)(?:do\\s+not|don['’]t|never|avoid)\\b(?!\\s+(?:forget|fail|omit|neglect|hesitate|only|just|merely)\\b)|\\b(?:must|may|should|shall|can)(?:\\s*not|n['’]t)\\s+${CHANGING}|\\b(?:without|instead\\s+of|rather\\s+than)\\b)(?:(?!\\bbut\\b|\\binstead\\b|[.;!?](?:\\s|$))[^\\n])*`,
  'gim',
)
/** "Leave check.mjs as it is". */
const LEAVING =
  /\b(?:leave|keep)\b(?:(?![.;!?]\s)[^\n]){1,120}?\b(?:unchanged|untouched|intact|as\s+(?:it\s+is|they\s+are|is))\b/gi
/** Forbids what precedes it: "check.mjs must not be edited", "stays as it is". */
const FORBIDDEN = new RegExp(
  `(?:(?![.;!?]\\s)[^\\n]){0,500}\\b(?:(?:must|may|should|shall|can)(?:\\s*not|n['’]t)\\s+be\\s+${CHANGING}|(?:stays?|remains?)\\s+(?:unchanged|untouched|as\\s+(?:it\\s+is|they\\s+are|is)))\\b`,
  'gi',
)
/** Says what the work is for: "so that check.mjs passes". */
const PURPOSE =
  /\b(?:so\s+that|until)\b(?:(?![.;!?](?:\s|$))[^\n]){0,200}?\b(?:pass(?:es)?|succeeds?|is\s+green)\b/gi

/** Returns the words of a task without those that name files which are not its work. Pure; linear in lines of usual length. */
export function askedWords(text: string): string {
  return [FORBIDDEN, FORBIDDING, LEAVING, PURPOSE].reduce((words, one) => words.replace(one, ' '), text)
}

/** Returns the longest end of a file's path that a text names; `null`: none. See `namesFile`. */
export function namedEnd(text: string, path: string): string | null {
  const plain = text.replaceAll('\\', '/')
  return endsOf(path, '').find((end) => hasWord(plain, end, NAME_AFTER)) ?? null
}

/** Returns whether a text names a folder, or something in it, by the folder's path. Neither `library` nor `src/lib` names `lib`. */
export function namesFolder(text: string, folder: string): boolean {
  return hasWord(text.replaceAll('\\', '/'), folder, FOLDER_AFTER)
}

/** Like `namesFolder`, but only if the text clearly means a path: `tools/a.sh`, `./tools`, "`tools`", but not "use the tools". */
export function namesFolderAsPath(text: string, folder: string): boolean {
  const plain = text.replaceAll('\\', '/')
  if (/[^\p{L}\p{M}]/u.test(folder)) return namesFolder(plain, folder)
  return [`${folder}/`, `./${folder}`, `\`${folder}\``, `"${folder}"`].some((word) =>
    hasWord(plain, word, word.endsWith(folder) ? FOLDER_AFTER : NOTHING),
  )
}

const NOTHING = /(?!)/

/** Returns the path and its ends, the longest first. */
function endsOf(path: string, root: string): readonly string[] {
  const whole = root === '' ? path : joined(root.replaceAll('\\', '/'), path)
  const ends = new Set([path, whole])
  for (const one of [whole, path])
    for (let at = one.indexOf('/'); at >= 0; at = one.indexOf('/', at + 1)) ends.add(one.slice(at + 1))
  ends.delete('')
  return [...ends]
}

function joined(root: string, path: string): string {
  const parts = root.split('/')
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

function hasWord(text: string, word: string, after: RegExp): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.slice(Math.max(0, at - 4), at)
    // `./` starts a path; any other `/` continues one.
    const start = before.replace(/(?<![./])\.\/$/, '')
    const isStart =
      start !== before ? !NAME_BEFORE.test(start) : !NAME_BEFORE.test(start) && !start.endsWith('/')
    if (isStart && !after.test(text.slice(at + word.length, at + word.length + 3))) return true
  }
  return false
}
