/** Continues a name to the left: `-test.js` in `my-test.js`. */
const NAME_BEFORE = /[\p{L}\p{M}\p{N}_.-]$/u
/** Continues a name or a path to the right: `test.js` in `test.jsx`, `test.json`, `test.js/a`. A full stop ends the sentence. */
const NAME_AFTER = /^(?:[\p{L}\p{M}\p{N}_/-]|\.[\p{L}\p{N}_])/u
/** The same for a folder, whose path may go on. */
const FOLDER_AFTER = /^(?:[\p{L}\p{M}\p{N}_-]|\.[\p{L}\p{N}_])/u

/**
 * Returns whether a text names a file as a separate word: by its path, or by the end of its path, in whole components. `b/a.test.js`
 * names `lib/b/a.test.js` and not `a.test.js`. `root` is the absolute folder that `path` is relative to; in the text a path may
 * start above it. Omitted: it may not.
 */
export function namesFile(text: string, path: string, root = ''): boolean {
  const plain = text.replaceAll('\\', '/')
  return endsOf(path, root).some((end) => hasWord(plain, end, NAME_AFTER))
}

/*
 * How a task says that files are not its work. Only names count that follow such words directly, or precede them: "without changing
 * cart.py, add a.test.py" asks for the test.
 */
const SPACE = String.raw`[^\S\n]+`
/** Words between the names of a list. */
const LISTING = String.raw`(?:the|an?|any|new|existing|other|of|in|under|tests?|checks?|files?|folders?|scripts?|and|n?or)(?![\w./-])`
/** A name with a dot or a slash in it, in quotes or without. */
const NAME = String.raw`[\x60'"]?(?:[\w@~*-]*(?:[./][\w@~*-]+)+/?|[\w@~*-]+/)[\x60'"]?`
const NAMES = String.raw`(?<![\w@./*-])(?:${LISTING}|${NAME})(?:(?:[^\S\n]*,)?${SPACE}(?:${LISTING}|${NAME})){0,40}`
const CHANGING = String.raw`(?:add|alter|chang|creat|delet|edit|introduc|modif|remov|replac|rewr|touch|weaken)\w*`
const NOT = String.raw`(?:\s*not|n['’]t)`
const AS_IT_IS = String.raw`(?:unchanged|untouched|intact|as${SPACE}(?:it${SPACE}is|they${SPACE}are|is))\b`
/** In "Add a.test.mjs and check.mjs stays as it is", the first name is asked for. */
const NOT_ASKED = String.raw`(?<!\b(?:add|change|create|edit|extend|fix|implement|repair|rewrite|update|write)${SPACE}(?:the${SPACE}|an?${SPACE})?)`
const FORBIDDING: readonly RegExp[] = [
  // "check.mjs must not be edited".
  `${NOT_ASKED}${NAMES}${SPACE}(?:must|shall|should)${NOT}${SPACE}be${SPACE}${CHANGING}`,
  // "check.mjs stays as it is".
  `${NOT_ASKED}${NAMES}${SPACE}(?:(?:must|should)${SPACE})?(?:stay|remain)s?${SPACE}${AS_IT_IS}`,
  // "Do not add or edit check.mjs".
  String.raw`\b(?:(?:do|must|shall|should)${NOT}|never|avoid)${SPACE}${CHANGING}${SPACE}(?:or${SPACE}${CHANGING}${SPACE})?${NAMES}`,
  // "Without touching check.mjs".
  String.raw`\b(?:without|instead${SPACE}of|rather${SPACE}than)${SPACE}(?:${CHANGING}${SPACE})?${NAMES}`,
  // "Leave check.mjs as it is".
  String.raw`\b(?:leave|keep)${SPACE}${NAMES}${SPACE}${AS_IT_IS}`,
  // "So that check.mjs passes": what the work is for.
  String.raw`\b(?:so${SPACE}that|until)${SPACE}${NAMES}${SPACE}(?:pass(?:es)?|succeeds?|(?:is|are)${SPACE}green)\b`,
].map((each) => new RegExp(each, 'gi'))

/** Returns the words of a task without those that name files which are not its work. Pure; linear in the text. */
export function askedWords(text: string): string {
  return FORBIDDING.reduce((words, one) => words.replace(one, ' '), text)
}

/** Returns the longest end of a file's path that a text names; `null` if there is none. See `namesFile`. */
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
