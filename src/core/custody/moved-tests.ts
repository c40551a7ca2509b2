/*
 * Tests that move along with a renamed source: they differ only in the paths by which they name sources, and in its name in their titles.
 */

import { changedLines, followsRenames, type Renamed } from './followed-renames.ts'

/** The text of a deleted test, and of a new one that may be the same test at another path. */
export interface MovedTest {
  /** The former path. */
  readonly from: string
  readonly before: string
  readonly after: string
}

export interface FileText {
  readonly path: string
  readonly text: string
}

/** Returns whether a test in this language can be followed to another path. */
export function mayMove(path: string): boolean {
  return SCRIPT.test(path) || PYTHON.test(path)
}

const SCRIPT = /\.[cm]?[jt]s$/
const PYTHON = /\.py$/
/** More lines than these differ in another test, not in a moved one. */
const MAX_LINES = 50

/** Returns for each new test the deleted one that it resembles most, line by line; each deleted test is at most one new test's. Pure. */
export function pairMoved(
  deleted: readonly FileText[],
  added: readonly FileText[],
): ReadonlyMap<string, MovedTest> {
  const likely = added
    .flatMap(({ path: to, text: after }) =>
      deleted.flatMap(({ path: from, text: before }) => {
        if (PYTHON.test(from) !== PYTHON.test(to)) return []
        const count = differing(before, after)
        return count > MAX_LINES ? [] : [{ to, count, moved: { from, before, after } }]
      }),
    )
    .sort((one, other) => one.count - other.count)
  const pairs = new Map<string, MovedTest>()
  const taken = new Set<string>()
  for (const { to, moved } of likely) {
    if (pairs.has(to) || taken.has(moved.from)) continue
    pairs.set(to, moved)
    taken.add(moved.from)
  }
  return pairs
}

/** Returns how many lines differ in their places; infinitely many if one text has more lines. */
function differing(before: string, after: string): number {
  const [was, is] = [before.split('\n'), after.split('\n')]
  return was.length === is.length
    ? was.filter((line, at) => line !== is[at]).length
    : Number.POSITIVE_INFINITY
}

/** What is kept under a name derived from the test's own: without it, a runner writes what the test expects by itself. */
const KEPT_BY_NAME = /snapshot|golden|approv|regression|cassette|datadir|__filename|meta\.filename/i
const INLINE_SNAPSHOT = /\btoMatchInlineSnapshot\(/g

/**
 * Returns whether a test at its new path tests the renamed source as it did before, and nothing else differs: every import leads to
 * the same file, renamed as given, at least one to a renamed source, and other lines are equal except for that source's name in
 * titles. In Python, the test stays in its folder, because imports may start there. Pure; never throws.
 */
export function followsMove(
  to: string,
  { from, before, after }: MovedTest,
  renamed: readonly Renamed[],
): boolean {
  if (KEPT_BY_NAME.test(before.replace(INLINE_SNAPSHOT, ''))) return false
  const untitled = withFormerTitles(before, after, renamed)
  if (PYTHON.test(from)) {
    const lines = changedLines(before, untitled)
    return folderOf(from) === folderOf(to) && lines !== null && followsRenames(from, lines, renamed)
  }
  const [was, is] = [before.split('\n'), untitled.split('\n')]
  const places: Places = { from: folderOf(from), to: folderOf(to), renamed }
  let follows = false
  const areSame = was.every((line, at) => {
    const imports = comparedImports(line, is[at] ?? '', places)
    if (imports === 'follows') follows = true
    return imports !== 'differs'
  })
  return areSame && follows
}

/** What is moved: the folders of the test, and the sources. */
interface Places {
  readonly from: string
  readonly to: string
  readonly renamed: readonly Renamed[]
}

/** A path by which JavaScript loads a file that it finds from the folder of the test. */
const IMPORT =
  /(\bfrom\s{0,9}|\bimport\s{0,9}(?:\(\s{0,9})?|\brequire(?:\.resolve)?\s{0,9}\(\s{0,9}|\b(?:vi|jest)\.(?:do)?(?:[mM]ock|[uU]nmock)\(\s{0,9}|\b(?:vi|jest)\.(?:import|require)(?:Actual|Mock)\(\s{0,9})(['"])(\.{1,2}\/[\w@./-]{1,400})\2/g
/** Another text that may be a path from the folder of the test, or that folder itself. */
const OWN_PLACE = /['"`]\.{1,2}(?:\/|['"`])|__dirname|import\.meta\.(?!vitest)/

function comparedImports(
  was: string,
  is: string,
  { from, to, renamed }: Places,
): 'same' | 'follows' | 'differs' {
  const [old, now] = [[...was.matchAll(IMPORT)], [...is.matchAll(IMPORT)]]
  const bare = (line: string): string => line.replace(IMPORT, '$1$2$2')
  if (old.length !== now.length || bare(was) !== bare(is)) return 'differs'
  if (from !== to && OWN_PLACE.test(bare(was))) return 'differs'
  let found: 'same' | 'follows' = 'same'
  for (const [at, [, , , path = '']] of old.entries()) {
    const [one, other] = [resolved(from, path), resolved(to, now[at]?.[3] ?? '')]
    if (renamed.some((each) => spellings(each.from).includes(one) && spellings(each.to).includes(other)))
      found = 'follows'
    else if (one !== other) return 'differs'
  }
  return found
}

/** Returns how an import may spell the path of a source. */
function spellings(path: string): readonly string[] {
  const bare = path.replace(/\.[cm]?[jt]sx?$/, '')
  const compiled = path.replace(/\.([cm]?)tsx?$/, '.$1js')
  return [path, bare, compiled, ...(bare.endsWith('/index') ? [bare.slice(0, -'/index'.length)] : [])]
}

function resolved(folder: string, path: string): string {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

const TITLE =
  /^(\s*(?:(?:test|it|describe|suite)\s?\(\s?|class (?=\w+(?:\([\w.]{1,80}\))?:\s*$)))('[^'\\]*'|"[^"\\]*"|\w+)(.*)$/s

/** Returns the new text with those titles as before that differ only in the name of a renamed source. */
function withFormerTitles(before: string, after: string, renamed: readonly Renamed[]): string {
  const was = before.split('\n')
  return after
    .split('\n')
    .map((line, at) => {
      const former = was[at] ?? ''
      if (line === former) return line
      const [old, now] = [TITLE.exec(former), TITLE.exec(line)]
      const isTitle = old !== null && now !== null && old[1] === now[1] && old[3] === now[3]
      return isTitle && formerWords(now[2] ?? '', renamed).includes(old[2] ?? '') ? former : line
    })
    .join('\n')
}

/** Returns a title as it may have been before each of the renames: `cart adds` for `basket adds`, `TestCart` for `TestBasket`. */
function formerWords(title: string, renamed: readonly Renamed[]): readonly string[] {
  const upper = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
  return renamed.flatMap(({ from, to }) => {
    const [one, other] = [stemOf(from), stemOf(to)]
    if (one === '' || other === '') return []
    return [title.replaceAll(other, one).replaceAll(upper(other), upper(one))]
  })
}

function stemOf(path: string): string {
  return /^\w+/.exec(path.slice(path.lastIndexOf('/') + 1))?.[0] ?? ''
}

/** Returns the names that a test may have had before it moved: runners name tests by path, by module, or by title alone. */
export function namesBeforeMove(
  name: string,
  moves: readonly Renamed[],
  renamed: readonly Renamed[],
): readonly string[] {
  const module = (path: string): string => path.replace(/\.\w+$/, '').replaceAll('/', '.')
  const names = [
    name,
    ...moves.flatMap(({ from, to }) => [
      name.replaceAll(to, from),
      name.replaceAll(module(to), module(from)),
    ]),
  ]
  return [...names, ...names.flatMap((each) => formerWords(each, renamed))]
}
