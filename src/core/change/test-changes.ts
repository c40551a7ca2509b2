import type { RenamedTest } from '../reports/renamed-tests.ts'
import { findTestCases, type TestCaseSource } from './test-cases.ts'

/** A file on both sides of the change; `null` if it is not there, or was not read. */
export interface TextChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** Returns whether neither side was read, because the file is too large or not text. In that case it differs, although its
 * empty texts are equal. */
export function isUnread({ before, after }: TextChange): boolean {
  return before === '' && after === ''
}

export interface ChangedTest {
  readonly name: string
  /** Path in head if the file is still there, otherwise in the base. */
  readonly path: string
  readonly line: number | null
}

export interface TestChanges {
  /** Tests that are gone: neither their name nor their body is in any changed file of head. */
  readonly removed: readonly ChangedTest[]
  readonly skipped: readonly ChangedTest[]
  readonly added: readonly ChangedTest[]
  /** Tests with the same body under another name, or under the same name in another file. */
  readonly renamed: readonly RenamedTest[]
}

/**
 * Returns the tests that a change removes, switches off and adds, according to the sources. A test that was renamed with the same body, or
 * moved to another file, is neither removed nor added. Pure; never throws.
 */
export function findTestChanges(changes: readonly TextChange[]): TestChanges {
  const { matched, open, added } = matchTests(changes)
  const skipped = [...matched].filter(([before, now]) => isOff(now) && !isOff(before))
  const on = added.filter(({ isSkipped }) => !isSkipped)
  return {
    removed: open.filter(({ isSkipped }) => !isSkipped).map(({ name, path }) => ({ name, path, line: null })),
    skipped: skipped.map(([{ name }, { path, line }]) => ({ name, path, line })),
    added: on.map(({ name, path, line }) => ({ name, path, line })),
    renamed: renamedIn(matched, on),
  }
}

export interface MatchedTests {
  readonly matched: ReadonlyMap<Located, Located>
  /** Old tests without a match. */
  readonly open: readonly Located[]
  /** New tests without a match. */
  readonly added: readonly Located[]
}

/** Matches old tests with new ones. */
export function matchTests(changes: readonly TextChange[]): MatchedTests {
  const after = casesOf(changes, 'after')
  const matched = new Map<Located, Located>()
  const taken = new Set<Located>()
  let open = casesOf(changes, 'before')
  // If two tests share a name, each matches the one in its own file first; a body matters only if no name matches.
  for (const keyOf of [inItsFile, byNameAndBody, byName, byBody]) {
    const candidates = grouped(after, keyOf)
    open = open.filter((test) => {
      const key = keyOf(test)
      const found = key === null ? undefined : candidates.get(key)?.find((each) => !taken.has(each))
      if (found === undefined) return true
      taken.add(found)
      matched.set(test, found)
      return false
    })
  }
  return { matched, open, added: after.filter((test) => !taken.has(test)) }
}

/** Returns renamed and moved tests. Reports know a moved test only by its name, so no other new test may have that name. */
function renamedIn(
  matched: ReadonlyMap<Located, Located>,
  added: readonly Located[],
): readonly RenamedTest[] {
  const isNew = new Set(added.map(({ name }) => name))
  return [...matched].flatMap(([before, now]): RenamedTest[] => {
    const { name: from } = before
    const { name: to, path: movedTo } = now
    if (!isSameTest(before, now)) return []
    if (before.path === movedTo) return from === to ? [] : [{ from, to }]
    return isNew.has(to) ? [] : [{ from, to, movedTo }]
  })
}

/** Returns whether it is the same test, whatever its name and place. */
export function isSameTest(before: Located, now: Located): boolean {
  return !isOff(now) && before.body === now.body && before.marks === now.marks
}

function isOff({ isSkipped, isUncollected }: Located): boolean {
  return isSkipped || isUncollected
}

export interface Located extends TestCaseSource {
  readonly path: string
}

function casesOf(changes: readonly TextChange[], side: 'before' | 'after'): readonly Located[] {
  return changes.flatMap(({ path, [side]: text }) =>
    text === null ? [] : findTestCases(path, text).map((test) => ({ ...test, path })),
  )
}

type KeyOf = (test: Located) => string | null

const inItsFile: KeyOf = ({ path, name }) => `${path}\0${name}`
const byNameAndBody: KeyOf = ({ name, body }) => `${name}\0${body}`
const byName: KeyOf = ({ name }) => name
/** Empty bodies are all alike, so they identify nothing. */
const byBody: KeyOf = ({ body }) => (body.replace(/\W/g, '').length < 8 ? null : body)

function grouped(cases: readonly Located[], keyOf: KeyOf): ReadonlyMap<string, readonly Located[]> {
  const groups = new Map<string, Located[]>()
  for (const test of cases) {
    const key = keyOf(test)
    if (key === null) continue
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [test])
    else known.push(test)
  }
  return groups
}
