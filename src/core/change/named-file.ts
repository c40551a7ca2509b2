import type { MeasuredChange } from './measured-change.ts'
import type { TextChange } from './test-changes.ts'

/** What a text says happened to a file. `written` means it may be the program's output instead of a file of the change. */
export type Verb = 'added' | 'written' | 'changed' | 'removed' | 'renamed'

export interface NamedFile {
  readonly path: string
  readonly verb: Verb
  /** Whether the text means the file itself, and not something in it. */
  readonly isCertain: boolean
}

/**
 * Compares a named file with the change. `equal: null` means that it can't be decided: git ignores the file, some commit of the change
 * touched it, it is outside of the repository, or the words may mean something else.
 */
export function holdFile(
  { path: written, verb, isCertain }: NamedFile,
  measured: MeasuredChange,
): { readonly equal: boolean | null; readonly words: string | null } {
  const path = plainPath(written)
  if (path === null) return { equal: null, words: null }
  const named = measured.changes.filter((change) => isNamed(change.path, path))
  const shown = named.find((change) => isAsSaid(verb, change)) ?? named[0]
  const moved = measured.renamed.find(({ from, to }) => isNamed(from, path) || isNamed(to, path))
  if (shown !== undefined || moved !== undefined) {
    const isStillThere =
      shown !== undefined && shown.path === path && shown.after !== null && moved === undefined
    if (verb === 'removed' && isStillThere && shown.before !== null)
      return isCertain ? { equal: false, words: 'changed, and still there' } : { equal: null, words: null }
    // The words may be about something else, as in "removed a loop with `a.ts`", so they neither confirm nor contradict.
    if (moved === undefined && shown !== undefined && isOpposite(verb, shown))
      return { equal: null, words: null }
    return { equal: true, words: wordsOf(shown) }
  }
  if (!isCertain || isTouched(path, measured) || measured.isIgnored(path)) return { equal: null, words: null }
  const isNow = measured.isFileNow(path) || measured.endingIn(path).length > 0
  if (isNow) return { equal: false, words: verb === 'removed' ? 'still there' : 'not changed' }
  if (verb === 'removed' || verb === 'written') return { equal: null, words: null }
  return path.includes('/') || verb === 'added'
    ? { equal: false, words: 'no such file' }
    : { equal: null, words: null }
}

/** Returns whether this is what the text says happened to the file. */
function isAsSaid(verb: Verb, { after }: TextChange): boolean {
  return verb === 'removed' ? after === null : after !== null
}

/** Returns whether the opposite happened: the file is new but said to be removed, or gone but said to be added. */
function isOpposite(verb: Verb, { before, after }: TextChange): boolean {
  if (verb === 'removed') return before === null
  return (verb === 'added' || verb === 'written') && after === null
}

function wordsOf(
  change: { readonly before: string | null; readonly after: string | null } | undefined,
): string {
  if (change === undefined) return 'renamed'
  if (change.before === null) return 'added'
  return change.after === null ? 'removed' : 'changed'
}

/** Returns a path as written in texts, relative to the top of the repository; `null` if it is outside or not a plain path. */
function plainPath(written: string): string | null {
  const path = written
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/+$/, '')
  return path === '' || /^(?:\/|~|[A-Za-z]:|\.\.(?:\/|$))/.test(path) ? null : path
}

function isNamed(changed: string, path: string): boolean {
  if (changed === path || changed.endsWith(`/${path}`) || changed.startsWith(`${path}/`)) return true
  return changed.includes(`/${path}/`)
}

function isTouched(path: string, { touched }: MeasuredChange): boolean {
  if (touched.has(path)) return true
  for (const each of touched) if (isNamed(each, path)) return true
  return false
}
