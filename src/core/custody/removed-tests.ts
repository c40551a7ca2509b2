/* Tests removed along with the code that they test: the operator asked for both to be removed. */

/** What the operator wrote about a task. */
interface WrittenTask {
  readonly description: string
  readonly verify: string
}

/** What an attempt deleted and added. */
interface Removal {
  readonly deleted: readonly string[]
  readonly added: readonly string[]
  readonly renamed: readonly { readonly from: string }[]
}

const ASKS_FOR_REMOVAL = /^\s*(?:please )?(?:remove|delete|drop|get rid of)\b/i
const WITH_TESTS = /\b(?:tests?|specs?)\b/i
const MUST_BE_GONE = /!\s{0,9}exists\s{0,9}\(\s{0,9}(?:"([^"\\\n]{1,400})"|'([^'\\\n]{1,400})')\s{0,9}\)/g
/** Characters with a meaning in globs. */
const PLAIN = /^[\w./@+~ -]+$/

/**
 * Returns the deleted tests that a task asks to remove: its description asks for a removal and for tests, its check requires that a source
 * is gone, the source is gone and was written nowhere else, and the tests are named after it. So "Remove lib/legacy.js and its tests" with
 * `!exists("lib/legacy.js")` covers `test/legacy.test.js`, and "Rename lib/cut.js" covers no test. Pure; never throws.
 */
export function testsToRemove(
  { description, verify }: WrittenTask,
  { deleted, added, renamed }: Removal,
  isProtected: (path: string) => boolean,
): readonly string[] {
  if (!ASKS_FOR_REMOVAL.test(description) || !WITH_TESTS.test(description)) return []
  // A new source may be the old one moved, which still needs its tests.
  if (added.some((path) => !isProtected(path)) || renamed.some(({ from }) => !isProtected(from))) return []
  const gone = [...verify.matchAll(MUST_BE_GONE)]
    .map(([, one, other]) => (one ?? other ?? '').replace(/^\.\//, ''))
    .filter((path) => deleted.includes(path) && !isProtected(path))
  const stems = new Set(gone.map(stemOf))
  return deleted.filter((path) => isProtected(path) && PLAIN.test(path) && stems.has(stemOf(path)))
}

/** `legacy` for `lib/legacy.js`, `legacy.test.js`, `test_legacy.py`, `legacy_test.go`, `legacy_spec.rb` and `LegacyTest.php`. */
function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')
  return name
    .replace(/[._-](?:tests?|specs?)$/i, '')
    .replace(/(?<=[a-z0-9])(?:Tests?|Spec)$/, '')
    .replace(/^tests?[_-]/i, '')
    .toLowerCase()
}
