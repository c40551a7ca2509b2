import {
  byExitCodeAlone,
  type ChangeFacts,
  type ChangeGate,
  isOnlyMoved,
  judgeChange,
} from '../change/judge-change.ts'
import type { ChangeClaim, CheckResult } from '../change/types.ts'
import { sayUnreached } from '../judgement/unreached-ends.ts'
import type { GateResult } from '../verification/types.ts'
import type { Verdict } from '../vocabulary/verdict.ts'

/** What was measured for a turn; only what was asked for. */
export interface TurnFacts extends Omit<ChangeFacts, 'claims'> {
  /** Claims compared with the session's base, and also with the tree at the start of each prompt. */
  readonly claims: readonly ChangeClaim[]
  /** How each check ended with the base and with the work. */
  readonly checks: readonly Pick<CheckResult, 'name' | 'command' | 'base' | 'head'>[]
  /** Anyone else working in the same tree: another session, or an agent run by Pulseward. In words; `null`: none known. */
  readonly beside: string | null
  /** False: the base may contain the agent's own changes. A difference from it is a fact, but no difference means nothing. */
  readonly isBaseKnown: boolean
  /** False: the agent's message could not be read, so it may contain a claim. */
  readonly isMessageRead: boolean
}

/** What is known about a turn once it is measured. */
export interface TurnJudgement {
  readonly verdict: Verdict | null
  readonly contradiction: boolean
  /** What was measured to be wrong, one sentence each. An agent is sent back only for these. */
  readonly refutations: readonly Refutation[]
  readonly reasons: readonly string[]
}

export interface Refutation {
  /** One sentence of fact. */
  readonly fact: string
  /** The command that shows it again; `null` if there is none. */
  readonly repeat: string | null
}

/**
 * Judges a turn by the verdict table, like a change, with two differences. Custody accuses no one: in a session the operator edits too, so
 * a changed check file that decides the result is reported, not held. And a check that fails on both sides without naming its failing tests
 * contradicts nothing. Pure; never throws.
 */
export function judgeTurn(facts: TurnFacts): TurnJudgement {
  const contradicted = facts.claims.filter(({ equal }) => equal === false)
  const isMoved = facts.lost.length === 0 || isOnlyMoved(facts)
  // Renamed in a file that was weakened, so it may be another test now. A person should see that; it accuses no one.
  const isDoubtful = !isMoved && isOnlyMoved({ ...facts, findings: [] })
  const lost = isMoved || isDoubtful ? [] : facts.lost
  const gates = facts.gates.map((gate) =>
    isAsRedAsBase(gate, facts.checks) ? { ...gate, redAsInBase: true as const } : gate,
  )
  const shared = facts.beside !== null
  const refutations = [
    ...contradicted.flatMap((claim) =>
      shared && MOVED_BY_OTHERS.has(claim.kind) ? [] : [ofClaim(claim, facts)],
    ),
    ...(shared ? [] : [...ofGates(gates, facts.checks), ...ofLost(lost, gates), ...ofTasks(facts)]),
  ]
  const decision = judgeChange({
    ...facts,
    source: 'session',
    gates,
    findings: [],
    cleanRoom: null,
    lost: [],
  })
  const told = [
    ...(lost.length > 0 ? ofLost(lost, gates).map(({ fact }) => fact) : []),
    ...(isDoubtful ? [sayDoubtful(facts.lost)] : []),
    ...toldOf(facts),
  ]
  const notMeasured = decision.verdict === 'verified' && !isMeasured(facts)
  const reasons = [
    ...(decision.verdict === 'verified' && (notMeasured || told.length > 0) ? [] : decision.reasons),
    ...(notMeasured ? [NOT_MEASURED] : []),
    ...(facts.isBaseKnown ? [] : [NO_BASE]),
    ...(facts.isMessageRead ? [] : [NO_MESSAGE]),
    ...told,
  ]
  const isRefuted = decision.verdict === 'not_verified' || lost.length > 0
  // Another session may have caused it, so this one is not to blame.
  if (isRefuted && shared && refutations.length === 0)
    return {
      verdict: 'unclear',
      contradiction: false,
      refutations,
      reasons: [...reasons, ...besideOf(facts)],
    }
  if (isRefuted)
    return { verdict: 'not_verified', contradiction: decision.contradiction, refutations, reasons }
  const isUnclear =
    decision.held || notMeasured || told.length > 0 || !facts.isBaseKnown || !facts.isMessageRead
  return { verdict: isUnclear ? 'unclear' : decision.verdict, contradiction: false, refutations, reasons }
}

const NOT_MEASURED = 'no check was run, so nothing says that the work is right'

const NO_BASE =
  'the start of the session was not reported, so what the agent had changed and committed by then is unknown'

const NO_MESSAGE = 'what the agent said at the end could not be read, so its claims are not known'

/** Returns whether anything was run that could have failed. A true claim says nothing about the rest. */
function isMeasured({ gates, tasks }: TurnFacts): boolean {
  return (
    gates.some(({ status }) => status === 'passed') || tasks.some(({ verdict }) => verdict === 'verified')
  )
}

/** Kinds of claims that someone else's edits can make untrue. */
const MOVED_BY_OTHERS: ReadonlySet<string> = new Set([
  'tests-pass',
  'value',
  'box',
  'tests-unchanged',
  'docs-only',
  'regression-test',
])

function besideOf({ beside }: TurnFacts): readonly string[] {
  return beside === null
    ? []
    : [`${beside} works in the same folder, so this does not count against the agent`]
}

/**
 * Returns whether it fails on both sides with no additional failing test; compares test names if there are reports, otherwise whatever is
 * known.
 */
function isAsRedAsBase(gate: ChangeGate, checks: TurnFacts['checks']): boolean {
  if (gate.status !== 'failed' || gate.redAsInBase === true) return gate.redAsInBase === true
  const base = baseOf(gate, checks)
  if (base?.status !== 'failed') return false
  const { newlyFailing, report } = gate
  if (base.failed === null || report === undefined) return true
  return newlyFailing == null ? report.failed <= base.failed : newlyFailing.length === 0
}

function baseOf({ command }: GateResult, checks: TurnFacts['checks']): CheckResult['base'] {
  return checks.find((check) => check.command.join('\0') === command.join('\0'))?.base ?? null
}

const MAX_NAMED = 3

/** Returns failing gates that passed on the base, or failed there by other tests. Without a base, their earlier result is unknown. */
function ofGates(gates: readonly ChangeGate[], checks: TurnFacts['checks']): readonly Refutation[] {
  return gates.flatMap((gate) => {
    const base = baseOf(gate, checks)
    if (gate.status !== 'failed' || gate.redAsInBase === true || base === null) return []
    if (base.status !== 'passed' && base.status !== 'failed') return []
    const fresh = gate.newlyFailing ?? (base.status === 'passed' ? (gate.report?.names.failed ?? []) : [])
    const named = fresh.slice(0, MAX_NAMED).join(', ')
    const more = fresh.length > MAX_NAMED ? ` and ${fresh.length - MAX_NAMED} more` : ''
    const command = gate.command.join(' ')
    const was =
      base.status === 'passed' ? 'passed before this session' : 'failed by other tests before this session'
    const how = named === '' ? `exit code ${gate.exitCode ?? 'unknown'}` : `${named}${more}`
    return [{ fact: `\`${command}\` fails (${how}); it ${was}.`, repeat: command }]
  })
}

function ofLost(lost: readonly string[], gates: readonly GateResult[]): readonly Refutation[] {
  if (lost.length === 0) return []
  const named = lost.slice(0, MAX_NAMED).join(', ')
  const more = lost.length > MAX_NAMED ? ` and ${lost.length - MAX_NAMED} more` : ''
  const [gate] = gates.filter(({ report }) => report !== undefined)
  return [
    {
      fact: `Tests that ran before this session do not run any more: ${named}${more}.`,
      repeat: gate === undefined ? null : gate.command.join(' '),
    },
  ]
}

function ofClaim({ kind, subject, claimed, measured }: ChangeClaim, { gates }: TurnFacts): Refutation {
  const about = subject === '' ? '' : `${subject}: `
  const red = gates.find(({ status }) => status === 'failed')
  const isOfChecks = kind === 'tests-pass' || kind === 'box'
  return {
    fact: `${about}claimed "${claimed}", measured: ${measured ?? 'nothing'}.`,
    repeat: isOfChecks && red !== undefined ? red.command.join(' ') : null,
  }
}

/** Returns the session's named task if it is claimed to be done but its check fails. */
function ofTasks({ tasks }: TurnFacts): readonly Refutation[] {
  return tasks.flatMap(({ taskId, verdict, reasons }) =>
    verdict === 'not_verified'
      ? [{ fact: `Task ${taskId}: ${reasons[0] ?? 'its check fails'}.`.replace(/\.\.$/, '.'), repeat: null }]
      : [],
  )
}

function sayDoubtful(lost: readonly string[]): string {
  const more = lost.length > MAX_NAMED ? ` and ${lost.length - MAX_NAMED} more` : ''
  return `tests were renamed in a check file that got weaker: ${lost.slice(0, MAX_NAMED).join(', ')}${more}`
}

/** Returns what a person should know, without accusing anyone. */
function toldOf({ cleanRoom, gates, findings, unreached }: TurnFacts): readonly string[] {
  if (cleanRoom?.kind === 'none')
    return [
      `check files changed, and no clean room could be made to run the former ones: ${cleanRoom.reason}`,
    ]
  const inPlace = new Map(gates.map(({ id, status }) => [id, status]))
  const changed = findings.filter(({ holds }) => holds !== 'never').map(({ path }) => path)
  const files = [...new Set(changed)].slice(0, MAX_NAMED).join(', ')
  const byFormer = (cleanRoom?.gates ?? [])
    .filter(({ id, status }) => status === 'failed' && inPlace.get(id) === 'passed')
    .map(
      ({ command }) =>
        `\`${command.join(' ')}\` passes with the check files as they are now, and fails with those from before this session${files === '' ? '' : ` (${files})`}`,
    )
  const ended = unreached.length === 0 ? [] : [sayUnreached(unreached)]
  return [...byFormer, ...ended, ...byExitCodeAlone(findings, gates).slice(0, MAX_NAMED)]
}
