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
