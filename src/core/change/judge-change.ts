import type { JudgedTask } from '../judgement/case.ts'
import { decideBy } from '../judgement/decide-by.ts'
import type { WorkJudgement } from '../judgement/judgement.ts'
import type { Answer, Question } from '../judgement/questions.ts'
import { sayUnreached } from '../judgement/unreached-ends.ts'
import { isOnlyRenamed } from '../reports/only-renamed.ts'
import { EMPTY_DIFFERENCE, type GateResult } from '../verification/types.ts'
import type { Fault } from '../vocabulary/fault.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import type { WorkSource } from '../vocabulary/work-source.ts'
import { CHANGE_POLICY, CLAIMS_DONE, changeCase } from './change-case.ts'
import { contradictionWords } from './contradiction-words.ts'
import type { ChangeClaim, CustodyFinding } from './types.ts'

/** A check of one folder as it ran. The id distinguishes equal commands of two folders. */
export interface ChangeGate extends GateResult {
  readonly id: string
  /** Names that fail on head but not on the base; `null` if the reports don't say. Omitted if one side has no report. */
  readonly newlyFailing?: readonly string[] | null
}

/** What was found out about a change; only what was requested. */
export interface ChangeFacts {
  readonly claims: readonly ChangeClaim[]
  readonly findings: readonly CustodyFinding[]
  /** Checks on head as it is; empty if none was run. */
  readonly gates: readonly ChangeGate[]
  /** The same checks with the base's check files; `null` if none of those differ, or nothing was run. */
  readonly cleanRoom:
    | { readonly kind: 'ran'; readonly gates: readonly ChangeGate[] }
    | { readonly kind: 'none'; readonly reason: string }
    | null
  /** Names of tests that the base executed and head did not. */
  readonly lost: readonly string[]
  /** Checks that give a result on the base, and twice gave none on head: one sentence each. */
  readonly silenced: readonly string[]
  /** Checks with a script that something ends early. */
  readonly unreached: readonly string[]
  /** Claimed tasks, each with its own decision; the change is no better than the worst. */
  readonly tasks: readonly TaskDecision[]
  /** The source of the work; omitted for a change. */
  readonly source?: WorkSource
}

export interface TaskDecision {
  readonly taskId: string
  readonly verdict: Verdict | null
  readonly held: boolean
  readonly contradiction: boolean
  readonly fault: Fault | null
  readonly reasons: readonly string[]
}

export interface ChangeDecision {
  readonly verdict: Verdict | null
  readonly held: boolean
  readonly contradiction: boolean
  readonly fault: Fault | null
  readonly reasons: readonly string[]
}

const WORDS = { description: '', verify: 'true', criteria: [] } as const

/** A task whose check always passes: as a whole, a change only has to satisfy its gates and claims. */
const NOTHING_ASKED: JudgedTask = {
  id: '',
  ...WORDS,
  hint: { kind: 'expression', source: 'true', probes: [], functions: [] },
  required: true,
  writesNoFiles: true,
  before: null,
  words: WORDS,
  asked: { id: '', ...WORDS, mayChange: [] },
  isProposed: false,
}

function decideWhole(
  { gates, silenced, source = 'change' }: ChangeFacts,
  held: readonly string[],
): WorkJudgement {
  const subject = changeCase({
    id: '',
    source,
    task: NOTHING_ASKED,
    policy: { ...CHANGE_POLICY, gates: { commands: gates.map(({ command }) => command) } },
    claim: CLAIMS_DONE,
    difference: EMPTY_DIFFERENCE,
    noted: { held, silenced },
  })
  return decideBy(subject, (question) => answerOf(question, gates))
}

/** Answers without measuring: everything was measured before, and differences from the base are in `noted`. */
function answerOf(question: Question, gates: readonly ChangeGate[]): Answer {
  switch (question.kind) {
    case 'measurement':
      return { probes: [], expression: { kind: 'value', holds: true } }
    case 'gates':
      return gates
    case 'stopped':
      return false
    case 'baseline-reports':
    case 'known-tests':
      return new Map()
    case 'check-files':
    case 'dependencies':
    case 'outside-settings':
    case 'stamps':
    case 'measurable':
    case 'file-states':
    case 'offered-files':
    case 'finished-elsewhere':
      return []
    default:
      throw new Error(`A change as a whole does not ask for ${question.kind}`)
  }
}

/**
 * Returns the verdict on a change, by the verdict table: first its contradicted claims, then its checks, then what passes only in place.
 * Pure; never throws.
 */
export function judgeChange(facts: ChangeFacts): ChangeDecision {
  const whole = judgeWhole(facts)
  const judged = facts.tasks.filter((task) => !isSkipped(task))
  const worst = [whole, ...judged].reduce((one, other) => (rank(other) < rank(one) ? other : one))
  if (worst === whole) return whole
  const [task] = facts.tasks.filter((each) => each === worst)
  return { ...worst, reasons: worst.reasons.map((reason) => `${task?.taskId}: ${reason}`) }
}

/** Returns whether the report skipped an optional task, which says nothing about the change. */
function isSkipped({ verdict, held, fault }: TaskDecision): boolean {
  return verdict === null && !held && fault === null
}

/** Returns the sort rank, worst first: what was refuted, then what a person has to review, then what is unknown. */
function rank({
  verdict,
  held,
  contradiction,
}: Pick<ChangeDecision, 'verdict' | 'held' | 'contradiction'>): number {
  if (verdict === 'not_verified') return contradiction ? 0 : 1
  if (held) return 2
  return verdict === 'unclear' || verdict === null ? 3 : 4
}

function judgeWhole(facts: ChangeFacts): ChangeDecision {
  const contradicted = facts.claims.filter(({ equal }) => equal === false)
  if (contradicted.length > 0)
    return {
      verdict: 'not_verified',
      held: false,
      contradiction: true,
      fault: 'agent',
      reasons: contradicted.map(contradictionWords),
    }
  const held = heldReasons(facts)
  const decision = decideWhole(facts, held)
  // Checks that fail on the base too, or couldn't be run, don't clear a rigged change: it stays held.
  if (held.length > 0 && decision.verdict === 'unclear')
    return { verdict: 'unclear', held: true, contradiction: false, fault: null, reasons: held }
  return {
    verdict: decision.verdict,
    held: false,
    contradiction: decision.groundTruthContradiction,
    fault: decision.fault,
    reasons: decision.verdict === 'verified' ? verifiedReasons(facts, decision.reasons) : decision.reasons,
  }
}

const MAX_NAMED = 5

/** Returns what a person has to review before the change can pass. */
function heldReasons(facts: ChangeFacts): readonly string[] {
  const { findings, gates, cleanRoom, unreached } = facts
  const always = findings.filter(({ holds }) => holds === 'always')
  return [
    ...always.map(({ path, message }) => `${path}: ${message}`),
    ...(unreached.length === 0 ? [] : [sayUnreached(unreached)]),
    ...lostReasons(facts),
    ...roomReasons(findings, gates, cleanRoom),
  ]
}

function lostReasons(facts: ChangeFacts): readonly string[] {
  const { lost } = facts
  if (lost.length === 0 || isOnlyMoved(facts)) return []
  const more = lost.length > MAX_NAMED ? ` and ${lost.length - MAX_NAMED} more` : ''
  return [`tests that the base executed were not executed: ${lost.slice(0, MAX_NAMED).join(', ')}${more}`]
}

/**
 * Returns whether missing tests were only renamed or moved, judged by what each gate executes in the clean room. Gates are compared one by
 * one, because one says nothing about another.
 */
export function isOnlyMoved({
  gates,
  cleanRoom,
  findings,
}: Pick<ChangeFacts, 'gates' | 'cleanRoom' | 'findings'>): boolean {
  if (cleanRoom?.kind !== 'ran') return false
  const inRoom = new Map(cleanRoom.gates.map((gate) => [gate.id, gate]))
  const checks = gates.map(({ id, report }) => ({
    executed: report?.executed ?? 0,
    required: inRoom.get(id)?.report?.executed ?? (report === undefined ? 0 : Number.POSITIVE_INFINITY),
    isFormerGreen: inRoom.get(id)?.status === 'passed',
  }))
  const isWeakened = findings.some(({ subject, holds }) => subject === 'weakened' && holds === 'measured')
  return isOnlyRenamed(checks, isWeakened)
}

function roomReasons(
  findings: readonly CustodyFinding[],
  gates: readonly ChangeGate[],
  cleanRoom: ChangeFacts['cleanRoom'],
): readonly string[] {
  const open = findings.filter(({ holds }) => holds === 'measured')
  if (gates.length === 0) return open.map(({ path, message }) => `${path}: ${message}`)
  if (cleanRoom === null) return byExitCodeAlone(open, gates)
  if (cleanRoom.kind === 'none')
    return [`no clean room could be made to run the base's check files in: ${cleanRoom.reason}`]
  const red = cleanRoom.gates.filter(({ status }) => status !== 'passed')
  const inPlace = new Map(gates.map(({ id, status }) => [id, status]))
  const differs = red.filter(({ id }) => inPlace.get(id) === 'passed')
  if (differs.length === 0) return byExitCodeAlone(open, cleanRoom.gates)
  return differs.map(
    ({ command, detail }) =>
      `\`${command.join(' ')}\` passes only with the check files as this change left them; with the base's: ${firstLine(detail)}`,
  )
}

/** Returns the findings about removed or skipped tests, unless a report shows that tests ran: without one, they may have run before. */
export function byExitCodeAlone(
  open: readonly CustodyFinding[],
  room: readonly ChangeGate[],
): readonly string[] {
  if (room.some(({ report }) => report !== undefined && report.executed > 0)) return []
  return open
    .filter(({ code }) => code === 'test-removed' || code === 'test-skipped')
    .map(({ path, message }) => `${path}: ${message}`)
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}

function verifiedReasons(
  { gates, cleanRoom, claims }: ChangeFacts,
  reasons: readonly string[],
): readonly string[] {
  const believed = reasons.filter((reason) => reason.startsWith('by exit code alone'))
  const held = claims.filter(({ equal }) => equal === true).length
  const unread = claims.filter(({ equal }) => equal === null).length
  return [
    ...gates.map(({ command, detail }) => `\`${command.join(' ')}\` passes: ${firstLine(detail)}`),
    ...(cleanRoom === null || gates.length === 0 ? [] : ['it passes with the base’s check files too']),
    ...(gates.length === 0 ? ['nothing that decides a verdict was rigged; no check was run'] : []),
    ...(claims.length === 0
      ? []
      : [`${held} of ${claims.length} claims were measured and are true, ${unread} were not read`]),
    ...believed,
  ]
}

export interface ExitOptions {
  readonly held: 'fail' | 'neutral'
}

/** Returns the command's exit code: 0 verified or not applicable, 1 not verified, 3 not measured, 4 held. */
export function exitCodeOf(
  {
    verdict,
    held,
    applicable,
  }: { readonly verdict: Verdict | null; readonly held: boolean; readonly applicable: boolean },
  options: ExitOptions,
): 0 | 1 | 3 | 4 {
  if (!applicable || verdict === 'verified') return 0
  if (held) return options.held === 'neutral' ? 0 : 4
  return verdict === 'not_verified' ? 1 : 3
}
