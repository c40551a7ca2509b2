import { AGENT_RULES } from '../vocabulary/agent-rules.ts'
import { NO_WEIGHT, type TestWeight } from './test-weight.ts'

/**
 * A protected file that an attempt changed, with what it asked for before and after; `null` where it did not stand
 * there.
 */
export interface ProtectedChange {
  readonly path: string
  readonly before: TestWeight | null
  readonly after: TestWeight | null
}

/**
 * How protected files were weakened, in words with the numbers; empty where they were not. Tests that moved from one
 * protected file to another are still there, so tests and assertions that one file lost are held against what the
 * others gained, and a deleted file whose tests all went elsewhere is no loss; nor is configuration that was written
 * anew under another ending (`vitest.config.js`, `vitest.config.ts`; `.eslintrc`, `eslint.config.js`). What `mayChange`
 * covers is the task's work: it is not named, what it lost is no loss of the others', and what it gained may have come
 * from them. Pure; never throws.
 */
export function findWeakenedFiles(
  changes: readonly ProtectedChange[],
  mayChange: (path: string) => boolean = () => false,
): readonly string[] {
  return findWeakenings(changes, mayChange).map(({ path, lost }) => `${path}: ${lost}`)
}

/** As `findWeakenedFiles`, with each path apart from what it lost in words. */
export function findWeakenings(
  changes: readonly ProtectedChange[],
  mayChange: (path: string) => boolean = () => false,
): readonly { readonly path: string; readonly lost: string }[] {
  const gained = { tests: 0, assertions: 0, skips: 0 }
  for (const { path, before, after } of changes) {
    const more = difference(before ?? NO_WEIGHT, after ?? NO_WEIGHT)
    const isFree = mayChange(path)
    gained.tests += isFree ? Math.max(0, more.tests) : more.tests
    gained.assertions += isFree ? Math.max(0, more.assertions) : more.assertions
    gained.skips += isFree ? Math.min(0, more.skips) : more.skips
  }
  const written = new Set(changes.flatMap(({ path, after }) => (after === null ? [] : [toolOf(path)])))
  return changes.flatMap((change) => {
    if (mayChange(change.path)) return []
    if (change.after === null && isWithoutMarks(change.before) && written.has(toolOf(change.path))) return []
    const lost = losses(change, gained)
    return lost.length === 0 ? [] : [{ path: change.path, lost: lost.join(', ') }]
  })
}

function difference(before: TestWeight, after: TestWeight): TestWeight {
  return {
    tests: after.tests - before.tests,
    assertions: after.assertions - before.assertions,
    skips: after.skips - before.skips,
  }
}

/** What a file of configuration is for, by the beginning of its name. */
function toolOf(path: string): string {
  const folderEnd = path.lastIndexOf('/') + 1
  const name = path.slice(folderEnd)
  // The rules of one agent's program stand for those of another, in the same folder.
  if (AGENT_RULES.some((rules) => name === `${rules}.md`))
    return `${path.slice(0, folderEnd)}${AGENT_RULES[0]}.md`
  return /^\.?([\w-]+?)(?:rc)?(?:\.|$)/.exec(name)?.[1] ?? name
}

function isWithoutMarks(weight: TestWeight | null): boolean {
  return weight === null || weight.tests + weight.assertions === 0
}

function losses({ before, after }: ProtectedChange, gained: TestWeight): string[] {
  if (before === null)
    return after !== null && after.skips > 0 && gained.skips > 0 ? [skipped(0, after.skips)] : []
  if (after === null) {
    const hadMarks = before.tests + before.assertions > 0
    const isGone = !hadMarks || gained.tests < 0 || gained.assertions < 0
    return isGone
      ? [hadMarks ? `deleted, with ${before.tests} tests and ${before.assertions} assertions` : 'deleted']
      : []
  }
  return [
    after.tests < before.tests && gained.tests < 0
      ? `${before.tests} tests before, ${after.tests} now`
      : null,
    after.assertions < before.assertions && gained.assertions < 0
      ? `${before.assertions} assertions before, ${after.assertions} now`
      : null,
    after.skips > before.skips && gained.skips > 0 ? skipped(before.skips, after.skips) : null,
  ].filter((loss) => loss !== null)
}

function skipped(before: number, after: number): string {
  return `${before} switched off before, ${after} now`
}
