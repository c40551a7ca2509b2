import type { RenamedTest } from '../reports/renamed-tests.ts'
import { findTestCases, type TestCaseSource } from './test-cases.ts'

/** A file on both sides of the change; `null`: it is not there, or was not read. */
export interface TextChange {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

export interface ChangedTest {
  readonly name: string
  /** Of the head's file where it is still there, else of the base's. */
  readonly path: string
  readonly line: number | null
}

export interface TestChanges {
  /** Gone: neither its name nor its body is in any changed file of head. */
  readonly removed: readonly ChangedTest[]
  readonly skipped: readonly ChangedTest[]
  readonly added: readonly ChangedTest[]
  /** The same body under another name, or under its name in another file. */
  readonly renamed: readonly RenamedTest[]
}

/**
 * The tests that a change removes, switches off and adds, by what the sources say. A test that was renamed with the same body, or
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
  /** Of before, without one of now. */
  readonly open: readonly Located[]
  /** Of now, without one of before. */
  readonly added: readonly Located[]
}

/** Which test of before is which test of now. */
export function matchTests(changes: readonly TextChange[]): MatchedTests {
  const after = casesOf(changes, 'after')
  const matched = new Map<Located, Located>()
  const taken = new Set<Located>()
  let open = casesOf(changes, 'before')
  // Of two tests with one name, each belongs to the one in its own file; a body tells only what no name does.
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

/** A moved test is known by its name alone in a report: no other new test may have it. */
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

/** Whether it asks for the same, whatever it is called and wherever it is. */
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
/** An empty body is like any other empty one: it tells nothing. */
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
