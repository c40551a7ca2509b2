import { holdClaims } from '../change/claims.ts'
import { type Description, readDescription } from '../change/description.ts'
import type { MeasuredChange } from '../change/measured-change.ts'
import type { ClaimKind } from '../change/types.ts'
import { findSpokenStatus } from '../claims/prose-status.ts'

/** What an agent's last message says, before anything is measured. */
export interface Said {
  readonly description: Description
  /** It claims completion, or something that can be measured. */
  readonly claims: boolean
  /** It says that the work is done; only then is its task checked. */
  readonly isDone: boolean
  /** One of its claims must be compared with a run of the checks or a probe. */
  readonly needsChecks: boolean
  /** It asks the user something and claims nothing: a pause, not an end. */
  readonly isQuestion: boolean
}

/** Kinds of claims that only a run of checks or probes can confirm. */
const BY_CHECKS: ReadonlySet<ClaimKind> = new Set([
  'tests-pass',
  'value',
  'box',
  'regression-test',
  'tests-added',
])
/** Kinds of claims that nothing measures, so they are never judged. */
export const NEVER_JUDGED: ReadonlySet<ClaimKind> = new Set(['quality', 'coverage', 'issue'])

/** Parses an agent's last message. Pure; never throws. */
export function readSaid(text: string, probeNames: readonly string[]): Said {
  const description = readDescription(text, { probeNames })
  const claimed = holdClaims(description, { ...NOTHING_MEASURED, probeNames }).filter(
    ({ kind }) => !NEVER_JUDGED.has(kind),
  )
  const isDone =
    description.entries.some(({ claim }) => claim.status === 'done') ||
    findSpokenStatus(description.units, '').status === 'done'
  const claims = claimed.length > 0 || isDone
  return {
    description,
    claims,
    isDone,
    needsChecks: claimed.some(({ kind }) => BY_CHECKS.has(kind)),
    isQuestion: !claims && endsInQuestion(text),
  }
}

/** A question mark of a script that has its own one, at the end. The Greek one is also a semicolon, so it is left out. */
const QUESTION = /[?？؟՞፧⁇⁈‽][\s)\]"'”’»」』）*_`]*$/

/** Returns whether the text ends in a question mark of any script, ignoring quotes, brackets and markup after it. */
function endsInQuestion(text: string): boolean {
  return QUESTION.test(text.slice(-200))
}

const NOTHING_MEASURED: MeasuredChange = {
  changes: [],
  renamed: [],
  isFileNow: () => false,
  isFileBefore: () => false,
  endingIn: () => [],
  touched: new Set(),
  isIgnored: () => false,
  isTestFile: () => false,
  tests: { removed: [], skipped: [], added: [], renamed: [] },
  suite: null,
  isGreen: null,
  commands: new Map(),
  readings: [],
  probeNames: [],
  boxes: new Map(),
}
