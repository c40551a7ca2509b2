import { NO_CLAIM } from '../../claims/types.ts'
import { DEFAULT_SCORING } from '../../configuration/scoring.ts'
import { parseHint } from '../../contract/hint.ts'
import { EMPTY_DIFFERENCE, type GateResult, type ProbeReading } from '../../verification/types.ts'
import { type Case, type JudgedTask, NO_HISTORY, NO_RUN, type Policy, type WorkCase } from '../case.ts'
import type { Judgement } from '../judgement.ts'
import { next } from '../next.ts'
import {
  type Answer,
  type AnswerTypes,
  NO_ANSWERS,
  type Question,
  type QuestionKind,
  type QuestionOf,
  questionKey,
  withAnswers,
} from '../questions.ts'

/** Answers by kind of question: a value, or a function of the question. A kind that is left out must not be asked. */
export type AnswerTable = {
  readonly [Kind in QuestionKind]?: AnswerTypes[Kind] | ((question: QuestionOf<Kind>) => AnswerTypes[Kind])
}

export interface Played<Decided> {
  readonly judged: Decided
  /** In the order asked: `gates`, `gates in a room`, `probes again`. */
  readonly asked: readonly string[]
}

/** Plays a case against a table of answers. Throws for a question that the table does not answer, and for one that is asked twice. */
export function play<Decided extends Judgement = Judgement>(
  subject: Case,
  table: AnswerTable,
): Played<Decided> {
  const asked: Question[] = []
  let known = NO_ANSWERS
  for (;;) {
    const step = next(subject, known)
    if ('decided' in step) return { judged: step.decided as Decided, asked: asked.map(nameOf) }
    for (const question of step.ask) {
      if (known.has(questionKey(question))) throw new Error(`asked twice: ${questionKey(question)}`)
      asked.push(question)
    }
    known = withAnswers(
      known,
      step.ask.map((question) => [question, answerBy(table, question)] as const),
    )
  }
}

function nameOf(question: Question): string {
  if (!('setting' in question)) return question.kind
  const { room, earlier } = question.setting
  const where = room !== null ? ' in a room' : ''
  const when = earlier === null ? '' : ' as before'
  return `${question.kind}${'turn' in question && question.turn === 2 ? ' again' : ''}${where}${when}`
}

/** Answers to questions that every judgement asks, as if all is well. */
const USUAL: AnswerTable = {
  stopped: false,
  measurable: ({ paths }) => paths.map(() => true as const),
  'blank-edits': ({ paths }) => paths.map(() => false),
  'renamed-tests': [],
  'own-tests': [],
  'baseline-reports': new Map(),
  'known-tests': new Map(),
  'check-files': [],
  'ending-in': [],
  dependencies: [],
  'outside-settings': [],
  unchanged: [],
  reaching: [],
  scripts: [],
  'finished-elsewhere': [],
}

function answerBy(table: AnswerTable, question: Question): Answer {
  const all: AnswerTable = { ...USUAL, ...table }
  const answer = all[question.kind]
  if (answer === undefined) throw new Error(`no answer to ${nameOf(question)}: ${questionKey(question)}`)
  // The table has the answer type of each kind.
  return typeof answer === 'function' ? (answer as (asked: Question) => Answer)(question) : answer
}

export const POLICY: Policy = {
  probes: {
    mails: { source: { kind: 'command' } },
    count: { source: { kind: 'file', file: 'count.txt' } },
    tests: { source: { kind: 'command' } },
  },
  gates: { commands: [] },
  judge: null,
  interventions: { enabled: true, expectFiles: 'auto', protected: ['default'] },
  scoring: DEFAULT_SCORING,
}

export const GATE = ['npm', 'test']
export const WITH_GATE: Policy = { ...POLICY, gates: { commands: [GATE] } }

export function task(verify: string, change: Partial<JudgedTask> = {}): JudgedTask {
  const words = { description: 'Fix the totals', verify, criteria: [] }
  return {
    id: 'fix',
    ...words,
    hint: parseHint(verify, Object.keys(POLICY.probes)),
    required: true,
    writesNoFiles: false,
    before: null,
    words,
    asked: { id: 'fix', mayChange: [], ...words },
    isProposed: false,
    ...change,
  }
}

/** Returns work that claims to be done and changed `src/cart.mjs`. */
export function work(verify: string, change: Partial<WorkCase> = {}): WorkCase {
  return {
    source: 'heartbeat',
    id: 'a-1',
    task: task(verify),
    policy: POLICY,
    claim: { ...NO_CLAIM, status: 'done', exitSignal: true, source: 'report' },
    uncommitted: [],
    difference: { ...EMPTY_DIFFERENCE, modified: ['src/cart.mjs'] },
    root: '/work',
    run: { ...NO_RUN, exitCode: 0 },
    differences: [],
    reaching: [],
    history: NO_HISTORY,
    raised: [],
    ...change,
  }
}

export function reading(name: string, value: number): ProbeReading {
  return { kind: 'value', name, value }
}

export function unreadable(name: string): ProbeReading {
  return { kind: 'unreadable', name, reason: 'it ended with 1', configured: true }
}

export function holding(holds: boolean): AnswerTypes['measurement'] {
  return { probes: [], expression: { kind: 'value', holds } }
}

export function gate(status: GateResult['status'], change: Partial<GateResult> = {}): GateResult {
  return {
    command: GATE,
    status,
    exitCode: status === 'passed' ? 0 : 1,
    detail: 'said so',
    durationMs: 1,
    ...change,
  }
}
