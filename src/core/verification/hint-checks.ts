import type { JsonValue } from '../claims/types.ts'
import type { Hint } from '../contract/hint.ts'
import { describeReport } from '../reports/test-report.ts'
import type { CheckFault } from '../vocabulary/fault.ts'
import type { ValueFinding } from './comparisons.ts'
import { mayMatch } from './file-claims.ts'
import type { FileDifference, Measurement, ProbeReading } from './types.ts'
import { leafPaths, reportInWords, showValue, valueAt, valuesAgree } from './values.ts'

/** The result of the task's check. */
export type HintCheck =
  | { readonly kind: 'holds'; readonly reasons: readonly string[] }
  | {
      readonly kind: 'refuted'
      readonly reasons: readonly string[]
      /** For the agent: what was measured, but never by which check. */
      readonly findings: readonly string[]
    }
  /** The check itself could not be run. */
  | {
      readonly kind: 'uncheckable'
      readonly reason: string
      readonly fault: CheckFault
      readonly remedy: string
    }
  /** A bare probe that can be read, but the agent claimed no value for it. */
  | { readonly kind: 'unclaimed'; readonly name: string; readonly reason: string }
  /** Words: nothing to measure. A single name that isn't a probe also counts as words until it is defined. */
  | { readonly kind: 'none'; readonly undefinedProbe: string | null }

/** Returns the check's result for the state after the attempt. A wrong claim for a bare probe is left to the row for contradictions. */
export function checkHint(
  hint: Hint,
  after: Measurement,
  values: readonly ValueFinding[],
  difference: FileDifference,
): HintCheck {
  if (hint.kind === 'expression') return checkExpression(hint, after, difference)
  if (hint.kind === 'probe') return checkProbe(hint, after, values)
  if (hint.kind === 'words') return { kind: 'none', undefinedProbe: null }
  return {
    kind: 'uncheckable',
    reason: `the check \`${hint.source}\` cannot be understood: ${hint.reason}`,
    fault: 'contract',
    remedy: 'Correct the check in HEARTBEAT.md.',
  }
}

type ExpressionHint = Extract<Hint, { kind: 'expression' }>

function checkExpression(hint: ExpressionHint, after: Measurement, difference: FileDifference): HintCheck {
  const { expression, probes } = after
  if (expression === null)
    return {
      kind: 'uncheckable',
      reason: `\`${hint.source}\` was not evaluated`,
      fault: 'environment',
      remedy: 'Run the task again.',
    }
  if (expression.kind === 'error')
    return {
      kind: 'uncheckable',
      reason: `\`${hint.source}\` could not be evaluated: ${expression.reason}`,
      fault: expression.fault,
      remedy:
        expression.fault === 'contract'
          ? 'Correct the check in HEARTBEAT.md or its probes in pulseward.toml.'
          : 'Make sure that the probes of the check can be read, then run the task again.',
    }
  const unseen = unseenInWords(hint, difference)
  if (unseen !== null && mayHangOnUnseen(hint, expression.holds))
    return {
      kind: 'uncheckable',
      reason: `\`${hint.source}\` asks what changed, and the snapshot is incomplete: ${unseen}`,
      fault: 'environment',
      remedy: 'Make the whole folder readable and its git repository whole, then run the task again.',
    }
  const measured = probes
    .filter(({ name }) => hint.probes.includes(name))
    .flatMap((reading) => (reading.kind === 'value' ? [measuredInWords(reading.name, reading.value)] : []))
  const links = (expression.links ?? []).map(
    (path) => `${path} is a link, or behind a link, that leads nowhere or out of the repository`,
  )
  const failing = failingInWords(hint, after)
  return expression.holds
    ? { kind: 'holds', reasons: [`\`${hint.source}\` passes`, ...measured] }
    : {
        kind: 'refuted',
        reasons: [`\`${hint.source}\` fails`, ...measured, ...failing, ...links],
        findings: [['a check of this task fails', ...measured, ...failing, ...links].join('; ')],
      }
}

function measuredInWords(name: string, value: JsonValue): string {
  const report = reportInWords(value)
  return report === null ? `measured ${name} = ${showValue(value)}` : `measured ${name}: ${report}`
}

/** Returns what test reports say about a failed run: failing tests by name, or that it did not build. */
function failingInWords(
  { probes: own }: ExpressionHint,
  { probes, expression }: Measurement,
): readonly string[] {
  const ofProbes = probes.flatMap((reading) =>
    reading.kind === 'value' && own.includes(reading.name) ? (reading.report ?? []) : [],
  )
  const ofCommands = expression?.kind === 'value' ? Object.values(expression.reports ?? {}) : []
  return [...ofProbes, ...ofCommands].filter(({ failed }) => failed > 0).map(describeReport)
}

const CHANGED_CALL = /\bchanged\(\s*(?:"([^"\\]*)"|'([^'\\]*)'|)/g

/** Returns the globs in a check's `changed` calls that are written as literals. */
export function changedGlobs(source: string): readonly string[] {
  return [...source.matchAll(CHANGED_CALL)].flatMap((match) => match[1] ?? match[2] ?? [])
}

const SUCCEEDS_CALL = /\bsucceeds\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/g

/** Returns the commands in a check's `succeeds` calls that are written as literals. */
export function succeedsCommands(source: string): readonly string[] {
  const commands = [...source.matchAll(SUCCEEDS_CALL)].map((match) => match[1] ?? match[2] ?? '')
  return [...new Set(commands.map(commandOf))]
}

const WHOLE_SUCCEEDS_CALL = /\bsucceeds\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*\)/g

/** Returns a check's expression as if these `succeeds` commands succeeded. */
export function assumingSuccess(source: string, commands: ReadonlySet<string>): string {
  return source.replace(WHOLE_SUCCEEDS_CALL, (call, double?: string, single?: string) =>
    commands.has(commandOf(double ?? single ?? '')) ? 'true' : call,
  )
}

function commandOf(literal: string): string {
  return literal.replace(/\\(.)/g, '$1').trim()
}

/** Returns what the expression asks for but the snapshot did not see. A path that is computed may be any. */
function unseenInWords(
  { source }: ExpressionHint,
  { incomplete, unsure = [] }: FileDifference,
): string | null {
  if (incomplete !== null) return incomplete
  const globs = [...source.matchAll(CHANGED_CALL)].map((match) => match[1] ?? match[2] ?? '**')
  const path = unsure.find((one) => globs.some((glob) => mayMatch(glob, one)))
  return path === undefined
    ? null
    : `${path} could not be read, or is too large to tell whether it was written or touched`
}

/** Returns whether a result may depend on what the snapshot did not see. If it saw a change, that stays true. */
function mayHangOnUnseen({ source, functions }: ExpressionHint, holds: boolean): boolean {
  const isNegated = /!(?!=)|\bfalse\b/.test(source)
  return functions.includes('changed') && (!holds || isNegated)
}

type ProbeHint = Extract<Hint, { kind: 'probe' }>

function checkProbe(hint: ProbeHint, after: Measurement, values: readonly ValueFinding[]): HintCheck {
  const reading = after.probes.find(({ name }) => name === hint.name)
  if (reading === undefined || (reading.kind === 'unreadable' && !reading.configured))
    return { kind: 'none', undefinedProbe: hint.name }
  if (reading.kind === 'unreadable') return unreadable(hint.name, reading)
  const measured = valueAt(reading.value, hint.path)
  if (measured === undefined)
    return {
      kind: 'uncheckable',
      reason: `the probe ${hint.name} reads ${showValue(reading.value)}, which has no ${hint.path.join('.')}`,
      fault: 'contract',
      remedy: 'Correct the check in HEARTBEAT.md or the probe in pulseward.toml.',
    }
  const about = values.filter(({ probe }) => probe === hint.name).map(withPath)
  const claimed = leafPaths(measured).map((path) => {
    const whole = [...hint.path, ...path]
    return about.find((value) => isClaimedRight(value, whole, valueAt(measured, path)))
  })
  const [right] = claimed
  const name = [hint.name, ...hint.path].join('.')
  // The agent may have left out the very part of an object that it would have to admit.
  return right === undefined || claimed.includes(undefined)
    ? {
        kind: 'unclaimed',
        name,
        reason: `${name} is ${showValue(measured)}, and no value was claimed for ${about.length === 0 ? 'it' : 'all of it'}`,
      }
    : {
        kind: 'holds',
        reasons: [
          `claimed ${right.name} = ${showValue(right.claimed)}, measured ${name} = ${showValue(measured)}`,
        ],
      }
}

interface PathClaim extends ValueFinding {
  readonly path: readonly string[]
}

function withPath(value: ValueFinding): PathClaim {
  return {
    ...value,
    path: value.name === value.probe ? [] : value.name.slice(value.probe.length + 1).split('.'),
  }
}

/** Returns whether a claim about the probe, or about a value that contains the path, has the measured value at the path. */
function isClaimedRight(
  { path, claimed, tolerance }: PathClaim,
  whole: readonly string[],
  measured?: JsonValue,
): boolean {
  if (path.length > whole.length || path.some((key, index) => whole[index] !== key)) return false
  const value = valueAt(claimed, whole.slice(path.length))
  return value !== undefined && measured !== undefined && valuesAgree(value, measured, tolerance)
}

function unreadable(name: string, reading: Extract<ProbeReading, { kind: 'unreadable' }>): HintCheck {
  return {
    kind: 'uncheckable',
    reason: `the probe ${name} could not be read: ${reading.reason}`,
    fault: reading.fault ?? 'contract',
    remedy: `Check [probes.${name}] in pulseward.toml.`,
  }
}
