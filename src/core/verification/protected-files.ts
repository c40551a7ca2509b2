import { AGENT_RULES } from '../vocabulary/agent-rules.ts'
import { missingSteps, runsNothing } from './ci-steps.ts'
import type { ToolKind } from './configured-tools.ts'
import { NO_WEIGHT, type TestWeight } from './test-weight.ts'

/** A protected file that an attempt changed, with its weight before and after; `null` if it did not exist. */
export interface ProtectedChange {
  readonly path: string
  readonly before: TestWeight | null
  readonly after: TestWeight | null
}

/**
 * Returns how protected files were weakened, in words with numbers; empty if they were not. Tests that moved between
 * protected files still exist, so the tests and assertions that one file lost are compared with what the others gained. A
 * deleted file is no loss if all its tests moved elsewhere, or if `isMoved` says that it holds data that is in another one;
 * nor is configuration that was rewritten with another extension or for another tool of the same kind (`vitest.config.js`,
 * `vitest.config.ts`; `.eslintrc`, `biome.json`), nor a file of `.github` that runs nothing, nor a list of files that a tool
 * ignores (`.eslintignore`): without it, more is checked. Skips count if there are more new ones than new tests, including
 * tests that are disabled from the start. What `mayChange` covers is the task's work: it is not named, its losses don't count
 * as the others', and what it gained may come from them. Pure; never throws.
 */
export function findWeakenedFiles(
  changes: readonly ProtectedChange[],
  mayChange: (path: string) => boolean = () => false,
  isMoved: (path: string) => boolean = () => false,
): readonly string[] {
  return findWeakenings(changes, mayChange, isMoved).map(({ path, lost }) => `${path}: ${lost}`)
}

/** Like `findWeakenedFiles`, but returns each path separately from what it lost. */
export function findWeakenings(
  changes: readonly ProtectedChange[],
  mayChange: (path: string) => boolean = () => false,
  isMoved: (path: string) => boolean = () => false,
): readonly { readonly path: string; readonly lost: string }[] {
  const gained = { tests: 0, assertions: 0, skips: 0, disabled: 0 }
  for (const { path, before, after } of changes) {
    const more = difference(before ?? NO_WEIGHT, after ?? NO_WEIGHT)
    const isFree = mayChange(path)
    gained.tests += isFree ? Math.max(0, more.tests) : more.tests
    gained.assertions += isFree ? Math.max(0, more.assertions) : more.assertions
    gained.skips += isFree ? Math.min(0, more.skips) : more.skips
    gained.disabled += isFree ? Math.max(0, more.disabled) : more.disabled
  }
  const written = new Set<string>(
    changes.flatMap(({ path, before, after }) =>
      after === null ? [] : [...kindsOf(path), ...sectionsLost(after, before)],
    ),
  )
  const steps = stepsOf(changes)
  return changes.flatMap((change) => {
    const { path, before, after } = change
    if (mayChange(path) || runsNothing(path)) return []
    if (after === null && before?.onlyLeavesOut === true) return []
    if (after === null && isWithoutMarks(before) && isMoved(path)) return []
    if (after === null && isWithoutMarks(before) && kindsOf(path).some((kind) => written.has(kind))) return []
    const own = (before?.steps ?? []).length === 0 ? losses(change, gained) : lostSteps(change, steps)
    const lost = after === null ? own : [...own, ...lostConfiguration(before, after, written)]
    return lost.length === 0 ? [] : [{ path: change.path, lost: lost.join(', ') }]
  })
}

/** Returns the kinds of tools that one version of a file configures in its sections and the other does not. */
function sectionsLost(one: TestWeight | null, other: TestWeight | null): readonly ToolKind[] {
  return (one?.configures ?? []).filter((kind) => other?.configures?.includes(kind) !== true)
}

/** Kinds of tools that run tests: without their configuration they may run other tests, or none. */
const RUNNERS: ReadonlySet<ToolKind> = new Set(['JavaScript tests', 'Python'])

/** Returns a file's lost sections for test runners that were not written elsewhere. */
function lostConfiguration(
  before: TestWeight | null,
  after: TestWeight,
  written: ReadonlySet<string>,
): readonly string[] {
  return sectionsLost(before, after)
    .filter((kind) => RUNNERS.has(kind) && !written.has(kind))
    .map((kind) => `its configuration of ${kind === 'Python' ? 'Python tools' : kind} is gone`)
}

type Gained = Readonly<Record<'tests' | 'assertions' | 'skips' | 'disabled', number>>

function difference(before: TestWeight, after: TestWeight): Gained {
  return {
    tests: after.tests - before.tests,
    assertions: after.assertions - before.assertions,
    skips: after.skips - before.skips,
    disabled: (after.disabled ?? 0) - (before.disabled ?? 0),
  }
}

/** Returns what a configuration file is for, by the start of its name. */
function toolOf(path: string): string {
  const folderEnd = path.lastIndexOf('/') + 1
  const name = path.slice(folderEnd)
  // One agent program's rules can replace another's in the same folder.
  if (AGENT_RULES.some((rules) => name === `${rules}.md`))
    return `${path.slice(0, folderEnd)}${AGENT_RULES[0]}.md`
  return /^\.?([\w-]+?)(?:rc)?(?:\.|$)/.exec(name)?.[1] ?? name
}

/** Purposes of tools: one tool can replace another of the same kind. */
const KINDS: readonly { readonly kind: ToolKind; readonly tools: RegExp }[] = [
  {
    kind: 'JavaScript style',
    tools: /^(?:eslint|tslint|jshint|xo-config|biome|oxlint|prettier|dprint|stylelint)$/,
  },
  {
    kind: 'JavaScript tests',
    tools: /^(?:vitest|jest|mocha|karma|ava|tap|testem|jest-preset)$/,
  },
  { kind: 'JavaScript coverage', tools: /^(?:nyc|c8)$/ },
  {
    kind: 'JavaScript build',
    tools: /^(?:webpack|rollup|rspack|rolldown|tsup|babel|swc|esbuild|vite|gulpfile|Gruntfile)$/,
  },
  {
    kind: 'Python',
    tools: /^(?:pytest|tox|setup|flake8|pylint|isort|mypy|pydocstyle|pycodestyle|coverage|bandit|ruff|nose)$/,
  },
  { kind: 'Ruby style', tools: /^(?:rubocop|standard|reek)$/ },
  {
    kind: 'CI',
    tools:
      /^(?:gitlab-ci|travis|azure-pipelines|Jenkinsfile|bitbucket-pipelines|drone|woodpecker|appveyor|cirrus)$/,
  },
]

/** Returns the tool that a file configures, and its kinds. */
function kindsOf(path: string): readonly string[] {
  const tool = toolOf(path)
  const kinds = KINDS.filter(({ tools }) => tools.test(tool))
  const workflow = /(?:^|\/)\.(?:github|forgejo|gitea)\/workflows\//.test(path) ? ['CI'] : []
  return [`tool ${tool}`, ...kinds.map(({ kind }) => kind), ...workflow]
}

interface CiSteps {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Returns the steps of all CI files together, because steps that moved between files still exist. */
function stepsOf(changes: readonly ProtectedChange[]): CiSteps {
  return {
    before: changes.flatMap(({ before }) => before?.steps ?? []),
    after: changes.flatMap(({ after }) => after?.steps ?? []),
  }
}

/** Returns the steps that are gone, or whose failure no longer shows, unless new ones replace them. */
function lostSteps({ before, after }: ProtectedChange, all: CiSteps): string[] {
  const gone = missingSteps(all.before, all.after)
  if (gone.length <= missingSteps(all.after, all.before).length) return []
  const isGone = new Set(gone)
  const [first] = missingSteps(before?.steps ?? [], after?.steps ?? []).filter((step) => isGone.has(step))
  if (first === undefined) return []
  const count = before?.steps?.length ?? 0
  const now = after?.steps?.length ?? 0
  return [
    after === null
      ? `deleted, with ${counted(count)}`
      : `\`${first}\` is gone or can no longer fail (${counted(count)} before, ${now} now)`,
  ]
}

function counted(steps: number): string {
  return steps === 1 ? '1 step' : `${steps} steps`
}

function isWithoutMarks(weight: TestWeight | null): boolean {
  return weight === null || weight.tests + weight.assertions === 0
}

function losses({ before, after }: ProtectedChange, gained: Gained): string[] {
  if (before === null)
    return after !== null && after.skips > 0 && hidesTests(gained) ? [skipped(0, after.skips)] : []
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
    after.skips > before.skips && hidesTests(gained) ? skipped(before.skips, after.skips) : null,
  ].filter((loss) => loss !== null)
}

/** Whether more tests were switched off than were added. */
function hidesTests({ tests, skips, disabled }: Gained): boolean {
  return skips > Math.max(0, tests + disabled)
}

function skipped(before: number, after: number): string {
  return `${before} switched off before, ${after} now`
}
