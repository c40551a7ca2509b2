import { runsTests } from '../claims/prose-tests.ts'
import { ciSteps, disablesStep, missingSteps } from '../verification/ci-steps.ts'
import { findWeakenings } from '../verification/protected-files.ts'
import { type TestWeight, weighTests } from '../verification/test-weight.ts'
import type { TextChange } from './test-changes.ts'

/** Matches a command that only prints, or does nothing. A step with nothing else checks nothing. */
const NO_WORK = /^(?:echo|printf|true|:|exit 0|sleep|#|\/\/)(?:\s|$)/
/** Matches what precedes the command on a line of YAML. */
const YAML_PREFIX =
  /^(?:-\s+)?(?:(?:run|script|command|sh|bash|before_script|after_script):\s*)?[|>]?-?\s*['"]?/
const CANNOT_FAIL = /\|\|\s*(?:true\b|:(?=\s|$)|exit\s+0\b|echo\b|printf\b)|;\s*(?:true|:|exit\s+0)\s*['"]?$/
const IGNORES_FAILURES = /^set\s+\+e\b/
const PULSEWARD = /\bpulseward\s+verify\b|\buses:\s*['"]?\S*pulseward\S*|pulseward\S*\/verify\b/
const TRIGGERS = ['pull_request', 'pull_request_target', 'merge_group', 'push', 'merge_request_event']

/** Returns whether a CI file runs Pulseward. */
export function runsPulseward(text: string): boolean {
  return PULSEWARD.test(text)
}

/** Ways to run Pulseward with weaker checks: held work does not fail, nothing is measured, or nothing is compared. */
const ASKS_LITTLE: readonly (readonly [string, RegExp])[] = [
  ['held for review no longer fails', /--held[\s=]+neutral\b|^[ \t]*held:\s*['"]?(?:neutral|allow)\b/m],
  ['only custody is judged', /--part[\s=]+custody\b|^[ \t]*part:\s*['"]?custody\b/m],
  [
    'head is compared with itself',
    /--base[\s=]+['"]?(?:HEAD|\$\{?(?:GITHUB_SHA|CI_COMMIT_SHA)\}?|\$\{\{\s*github\.sha\s*\}\})(?=['"\s]|$)/m,
  ],
]

/** Returns how a CI file runs Pulseward with weaker checks than before; `null` if it does not. */
export function asksPulsewardLess(before: string, after: string): string | null {
  const count = (text: string, pattern: RegExp): number =>
    text.match(new RegExp(pattern.source, 'gm'))?.length ?? 0
  const less = ASKS_LITTLE.find(([, pattern]) => {
    const all = (text: string): number => count(text, new RegExp(PULSEWARD.source)) - count(text, pattern)
    return count(after, pattern) > count(before, pattern) && all(after) < all(before)
  })
  return less?.[0] ?? null
}

/** One way in which a CI file checks less than before, with the line of head that shows it. */
export interface CiWeakening {
  readonly path: string
  readonly line: number | null
  readonly words: string
  readonly subject: string
}

/**
 * Returns where CI steps were removed or can no longer fail. Steps that moved from one changed CI file to another count as still there.
 * Uses text rules on lines, because every CI system has its own format. Pure; never throws.
 */
export function findCiWeakenings(all: readonly TextChange[]): readonly CiWeakening[] {
  const changes = all.filter(({ path }) => isRun(path))
  const weighed = changes.map(({ path, before, after }) => ({
    path,
    before: before === null ? null : stepsOf(path, before),
    after: after === null ? null : stepsOf(path, after),
  }))
  const byWeight = findWeakenings(weighed).map(
    ({ path, lost }): CiWeakening => ({ path, line: null, words: lost, subject: 'steps' }),
  )
  const seen = new Set(byWeight.map(({ path }) => path))
  return [
    ...byWeight,
    ...findLostTestSteps(changes).filter(({ path }) => !seen.has(path)),
    ...changes.flatMap(findSilencedLines).filter(({ path }) => !seen.has(path)),
    ...changes.flatMap(findLostTriggers),
  ]
}

/**
 * Returns whether a forge would run this file: it runs workflows only directly in their folder, by extension, so moving one elsewhere
 * disables it.
 */
function isRun(path: string): boolean {
  const [, inside] = /(?:^|\/)\.(?:github|forgejo|gitea)\/workflows\/(.*)$/.exec(path) ?? []
  return inside === undefined || /^[^/]+\.ya?ml$/.test(inside)
}

/** Ignores skips: a new step that may fail weakens nothing, and silenced steps are found by line. */
function stepsOf(path: string, text: string): TestWeight {
  return { ...weighTests(path, text), skips: 0, steps: ciSteps(text) }
}

interface Line {
  readonly text: string
  readonly line: number
}

function commandsOf(text: string | null): readonly Line[] {
  return (text ?? '').split('\n').flatMap((raw, index) => {
    const line = raw.trim().replace(YAML_PREFIX, '').trim()
    return line === '' || line.startsWith('#') || /^[\w-]+:(?:\s|$)/.test(line)
      ? []
      : [{ text: line, line: index + 1 }]
  })
}

/** Returns the lines that run tests, not those that only mention them. */
function testLines(text: string | null): readonly string[] {
  return commandsOf(text).flatMap(({ text: line }) => (runsTests(line) && !NO_WORK.test(line) ? [line] : []))
}

function findLostTestSteps(changes: readonly TextChange[]): readonly CiWeakening[] {
  const count = (side: 'before' | 'after'): number =>
    changes.reduce((sum, { [side]: text }) => sum + testLines(text).length, 0)
  if (count('after') >= count('before')) return []
  return changes.flatMap(({ path, before, after }): CiWeakening[] => {
    const kept = testLines(after)
    const gone = testLines(before).filter((line) => !kept.includes(line))
    return kept.length >= testLines(before).length || gone.length === 0
      ? []
      : [{ path, line: null, words: `\`${gone[0]}\` is no longer run`, subject: 'tests' }]
  })
}

function findSilencedLines({ path, before, after }: TextChange): readonly CiWeakening[] {
  if (before === null || after === null) return []
  const known = new Set(
    before.split('\n').flatMap((line) => [line.trim(), line.trim().replace(YAML_PREFIX, '').trim()]),
  )
  const lines = after.split('\n')
  const sides = { before: commandsOf(before), after: commandsOf(after), lines }
  return lines.flatMap((raw, index): CiWeakening[] => {
    const line = raw.trim()
    const command = line.replace(YAML_PREFIX, '').trim()
    const isOption = disablesStep(command) || IGNORES_FAILURES.test(command)
    if (known.has(line) || line.startsWith('#') || !(isOption || CANNOT_FAIL.test(command))) return []
    return (isOption ? isOfKnownStep(sides, index, known) : wasThere(command, known))
      ? [{ path, line: index + 1, words: `\`${line}\` can no longer fail`, subject: command.slice(0, 80) }]
      : []
  })
}

interface Sides {
  readonly before: readonly Line[]
  readonly after: readonly Line[]
  /** Head's lines. */
  readonly lines: readonly string[]
}

const indentOf = (line: string): number => line.length - line.trimStart().length

/** Returns whether an option is in a step that partly existed before, or outside any step, where it applies to a whole job. */
function isOfKnownStep(sides: Sides, at: number, known: ReadonlySet<string>): boolean {
  const { lines } = sides
  const own = /^\s*-\s/.test(lines[at] ?? '') ? indentOf(lines[at] ?? '') + 1 : indentOf(lines[at] ?? '')
  let start = at
  while (start >= 0 && !(/^\s*-\s/.test(lines[start] ?? '') && indentOf(lines[start] ?? '') < own)) {
    if ((lines[start] ?? '').trim() !== '' && indentOf(lines[start] ?? '') < own)
      return known.has((lines[start] ?? '').trim()) || takesOver(sides, start)
    start -= 1
  }
  if (start < 0) return true
  const indent = indentOf(lines[start] ?? '')
  let end = at + 1
  while (end < lines.length && ((lines[end] ?? '').trim() === '' || indentOf(lines[end] ?? '') > indent))
    end += 1
  return lines
    .slice(start, end)
    .some((line) => /\S/.test(line) && known.has(line.trim()) && !/^\s*(?:with|env):\s*$/.test(line))
}

/** Returns whether a new job, by its first line, has a command of the base that is now nowhere else as often as it was. */
function takesOver({ before, after, lines }: Sides, at: number): boolean {
  let end = at + 1
  while (
    end < lines.length &&
    ((lines[end] ?? '').trim() === '' || indentOf(lines[end] ?? '') > indentOf(lines[at] ?? ''))
  )
    end += 1
  const isInJob = ({ line }: Line): boolean => line > at && line <= end
  const moved = new Set(after.filter(isInJob).map(({ text }) => text))
  const were = before.flatMap(({ text }) => (moved.has(text) && !NO_WORK.test(text) ? [text] : []))
  const elsewhere = after.flatMap((one) => (isInJob(one) ? [] : [one.text]))
  return missingSteps(were, elsewhere).length > 0
}

/** Returns whether a command is one of the base's with something appended that swallows its exit code. */
function wasThere(command: string, known: ReadonlySet<string>): boolean {
  const start = command.replace(CANNOT_FAIL, '').trim()
  if (start === '' || runsTests(start)) return true
  return [...known].some((line) => line.replace(YAML_PREFIX, '').trim().startsWith(start))
}

const IGNORES_ALL = /\bpaths-ignore:\s*(?:\[\s*|\n\s*-\s*)['"]?\*\*(?:\/\*+)?['"]?\s*(?:[\],]|$)/m

function findLostTriggers({ path, before, after }: TextChange): readonly CiWeakening[] {
  if (before === null || after === null) return []
  if (IGNORES_ALL.test(after) && !IGNORES_ALL.test(before))
    return [{ path, line: null, words: 'it ignores every path', subject: 'paths' }]
  const has = (text: string, trigger: string): boolean =>
    new RegExp(`\\b${trigger}\\b`).test(text.replace(/^[ \t]*#.*$/gm, '').split(/^jobs:/m)[0] ?? '')
  return TRIGGERS.filter((trigger) => has(before, trigger) && !has(after, trigger)).map((trigger) => ({
    path,
    line: null,
    words: `it no longer runs on \`${trigger}\``,
    subject: trigger,
  }))
}
