import { posix } from 'node:path'
import { CHANGE_POLICY, CLAIMS_DONE, changeCase } from '../../core/change/change-case.ts'
import type { TaskDecision } from '../../core/change/judge-change.ts'
import type { Claim } from '../../core/claims/types.ts'
import { type Hint, parseHint } from '../../core/contract/hint.ts'
import type { TaskDefinition } from '../../core/contract/types.ts'
import { askPart, askUntilDecided } from '../../core/judgement/ask-until-decided.ts'
import type { JudgedTask } from '../../core/judgement/case.ts'
import type {
  Answer,
  AnswerTypes,
  FileState,
  Moment,
  Question,
  Setting,
} from '../../core/judgement/questions.ts'
import { findUnreachedEnds } from '../../core/judgement/unreached-ends.ts'
import { changedPaths } from '../../core/verification/difference.ts'
import type { ExpressionResult, FileDifference, Measurement } from '../../core/verification/types.ts'
import type { RoomPlan } from '../custody/clean-room.ts'
import type { Verifier } from '../ports/verifier.ts'
import { inRoom, type Measured, type MeasureOptions } from './measure.ts'

/** A task in a contract of the base that the change was made for. */
export interface NamedTask {
  readonly task: TaskDefinition
  /** The claim in its report; `null`: no report names the task, and the change itself counts as the claim that it is done. */
  readonly claim: Claim | null
}

/** The facts by which the tasks of one scope are judged. */
interface TaskSubject {
  readonly measured: Measured
  readonly difference: FileDifference
  /** Changed paths, from the top, that affect what checks report. */
  readonly guarded: readonly string[]
  /** All changed paths, from the top. */
  readonly changed: ReadonlySet<string>
}

/** Judges tasks on head with the decision procedure; also with the base's check files if they were changed. */
export async function judgeTasks(
  options: MeasureOptions,
  subject: TaskSubject,
  tasks: readonly NamedTask[],
): Promise<readonly TaskDecision[]> {
  const decisions: TaskDecision[] = []
  for (const named of tasks) decisions.push(await judgeTask(options, subject, named))
  options.signal.throwIfAborted()
  return decisions
}

/** Returns the gates that pass although a script that they run fails at its end, by the same rule as for a task. */
export async function unreachedIn(options: MeasureOptions, subject: TaskSubject): Promise<readonly string[]> {
  const { gates } = subject.measured
  if (!gates.every(({ status }) => status === 'passed')) return []
  const room = subject.guarded.map((path) => posix.relative(options.scope.folder, path))
  return askPart(findUnreachedEnds({ after: UNMEASURED, gates }, room), answering(options, subject))
}

async function judgeTask(
  options: MeasureOptions,
  subject: TaskSubject,
  { task, claim }: NamedTask,
): Promise<TaskDecision> {
  const { scope } = options
  const { configuration } = scope
  const { measured, difference, guarded } = subject
  const [added, deleted] = [new Set(difference.added), new Set(difference.deleted)]
  const kindOf = (path: string) =>
    added.has(path) ? 'added' : deleted.has(path) ? 'deleted' : ('modified' as const)
  const judged = await askUntilDecided(
    changeCase({
      id: task.id,
      task: await judgedTask(options, task),
      policy: {
        ...CHANGE_POLICY,
        probes: configuration.probes,
        gates: { commands: measured.gates.map(({ command }) => command) },
      },
      claim: claim === null ? CLAIMS_DONE : seenFromFolder(claim, scope.folder),
      difference,
      differences: guarded
        .map((path) => posix.relative(scope.folder, path))
        .map((path) => ({
          path,
          kind: kindOf(path),
          isProtected: true,
          executedBy: [],
          attemptId: null,
        })),
      noted: { held: [], silenced: measured.silenced },
    }),
    answering(options, subject),
  )
  return {
    taskId: task.id,
    verdict: judged.verdict,
    held: judged.held !== null,
    contradiction: judged.groundTruthContradiction,
    fault: judged.fault,
    reasons: judged.reasons,
  }
}

/** Makes the claim's paths relative to the folder, because they may be given from the top. */
function seenFromFolder(claim: Claim, folder: string): Claim {
  const start = `${folder}/`
  const files = claim.files.map((file) =>
    folder !== '' && file.path.startsWith(start) ? { ...file, path: file.path.slice(start.length) } : file,
  )
  return { ...claim, files }
}

/** Returns the task with what its checks measure on the base. */
async function judgedTask(options: MeasureOptions, task: TaskDefinition): Promise<JudgedTask> {
  const { configuration } = options.scope
  const probeNames = Object.keys(configuration.probes)
  const own = parseHint(task.verify, probeNames)
  const criteria = task.criteria.flatMap(({ text, verify }) =>
    verify === null ? [] : [{ text, hint: parseHint(verify, probeNames) }],
  )
  const hints = [own, ...criteria.map(({ hint }) => hint)]
  const found = await inRoom(options, options.trees.base, undefined, async (verifier) => {
    const answers: Measurement[] = []
    for (const hint of hints) answers.push(await measure(verifier, hint, namesOf(hint), [], options.signal))
    return answers
  })
  const before = typeof found === 'string' ? [] : found
  return {
    id: task.id,
    description: task.description,
    verify: task.verify,
    hint: own,
    required: task.required,
    writesNoFiles: task.writesNoFiles,
    before: before[0] ?? null,
    criteria: criteria.map((one, at) => ({ ...one, before: before[at + 1] ?? null })),
    words: task,
    asked: task,
    isProposed: false,
  }
}

function namesOf(hint: Hint): readonly string[] {
  return hint.kind === 'expression' ? hint.probes : hint.kind === 'probe' ? [hint.name] : []
}

const UNMEASURED: Measurement = { probes: [], expression: null }

/**
 * Answers questions of the decision procedure from rooms with head's tree, and with the base's check files if the question asks for them.
 * Decides nothing itself.
 */
function answering(options: MeasureOptions, subject: TaskSubject): (question: Question) => Promise<Answer> {
  const ask = inRooms(options, subject)
  return async (question) => (await ask(question)) ?? withoutRunning(question, subject, options.signal)
}

/** Answers questions that need a room; `undefined`: this one does not. */
function inRooms(
  options: MeasureOptions,
  { measured, difference, guarded }: TaskSubject,
): (question: Question) => Promise<Answer | undefined> {
  const { trees, cleanPlan, scope, signal } = options
  const paths = changedPaths(difference)
  const planOf = async ({ room, earlier }: Setting): Promise<RoomPlan | undefined> => {
    const script = earlier?.kind === 'failing-end' ? await scriptAt(options, earlier) : null
    if ((cleanPlan === null || room === null) && script === null) return undefined
    const wanted = new Set((room ?? []).map((path) => posix.normalize(posix.join(scope.folder, path))))
    return {
      write: [
        ...(cleanPlan?.write ?? []).filter(({ path }) => wanted.has(path) && path !== script?.path),
        ...(script === null ? [] : [script]),
      ],
      remove: (cleanPlan?.remove ?? []).filter((path) => wanted.has(path)),
    }
  }
  const on = async <T>(setting: Setting, work: (verifier: Verifier) => Promise<T>): Promise<T | string> =>
    inRoom(options, trees.head, await planOf(setting), work)
  const gatesIn = async (setting: Setting, only?: number): Promise<AnswerTypes['gates']> => {
    if (only !== undefined) {
      const key = JSON.stringify([only, setting])
      const run = options.ranAlone.get(key) ?? on(setting, (verifier) => verifier.runGates(signal, only))
      options.ranAlone.set(key, run)
      const results = await run
      return typeof results === 'string' ? [] : results
    }
    if (setting.room === null || setting.room.length === 0) return measured.gates
    // The gates have already run with all of the base's check files, but the task may be allowed to change some of them.
    const wanted = new Set(setting.room.map((path) => posix.normalize(posix.join(scope.folder, path))))
    if (measured.cleanRoom?.kind === 'ran' && guarded.every((path) => wanted.has(path)))
      return measured.cleanRoom.gates
    const run = await on(setting, (verifier) => verifier.runGates(signal))
    return typeof run === 'string' ? [] : run
  }
  return async (question) => {
    switch (question.kind) {
      case 'measurement': {
        const seen = question.sees === 'the-difference' ? paths : []
        const look = await on(question.setting, (verifier) =>
          measure(verifier, question.hint, question.probes, seen, signal),
        )
        return typeof look === 'string' ? UNMEASURED : look
      }
      case 'probes': {
        const readings = await on(question.setting, (verifier) => verifier.readProbes(question.names, signal))
        return typeof readings === 'string' ? [] : readings
      }
      case 'evaluation': {
        const { hint, readings, setting } = question
        const result = await on(setting, (verifier) => verifier.evaluate(hint, readings, paths, signal))
        return typeof result === 'string' ? { kind: 'error', reason: result, fault: 'environment' } : result
      }
      case 'gates':
        return gatesIn(question.setting, question.only)
      case 'commands': {
        const answers = await on(question.setting, (verifier) =>
          Promise.all(question.commands.map((command) => succeeds(verifier, command, signal))),
        )
        return typeof answers === 'string' ? [] : answers
      }
      case 'scripts':
        return options.ends.scriptsOf(question.command)
      case 'room': {
        const { earlier } = question.setting
        if (earlier?.kind !== 'failing-end' || (await scriptAt(options, earlier)) !== null)
          return { kind: 'ready' }
        return { kind: 'none', reason: 'there is no end to try' }
      }
      default:
        return undefined
    }
  }
}

/** Returns the script of a check as it is at that moment, to write into a room; `null` if there is no end to try. */
async function scriptAt(
  { ends, scope }: MeasureOptions,
  moment: Extract<Moment, { readonly kind: 'failing-end' }>,
): Promise<RoomPlan['write'][number] | null> {
  const text = await ends.textAt(moment)
  const path = posix.join(scope.folder, moment.path)
  return text === null ? null : { path, bytes: Buffer.from(text), isExecutable: true }
}

function succeeds(verifier: Verifier, command: string, signal: AbortSignal): Promise<ExpressionResult> {
  const source = `succeeds(${JSON.stringify(command)})`
  return verifier.evaluate(
    { kind: 'expression', source, probes: [], functions: ['succeeds'] },
    [],
    [],
    signal,
  )
}

/** Answers from the two commits. What only a workspace's record or baseline could tell is unknown here. */
function withoutRunning(
  question: Question,
  { difference, changed }: TaskSubject,
  signal: AbortSignal,
): Answer {
  switch (question.kind) {
    case 'stopped':
      return signal.aborted
    case 'measurable':
      return question.paths.map(() => true as const)
    case 'file-states': {
      const shown = new Set(changedPaths(difference))
      return question.paths.map(
        (path): FileState =>
          shown.has(path) ? { kind: 'other' } : { kind: 'absent', isBeside: changed.has(path) },
      )
    }
    case 'offered-files':
      return question.paths.map(() => null)
    case 'stamps':
      return question.files.map(() => null)
    case 'baseline-reports':
    case 'known-tests':
      return new Map()
    // The base's run of the gates covers tests of earlier commits.
    case 'files-before':
    case 'judge':
      return null
    default:
      return []
  }
}

async function measure(
  verifier: Verifier,
  hint: Hint,
  names: readonly string[],
  changed: readonly string[],
  signal: AbortSignal,
): Promise<Measurement> {
  const probes = await verifier.readProbes(names, signal)
  const expression =
    hint.kind === 'expression' ? await verifier.evaluate(hint, probes, changed, signal) : null
  return { probes, expression }
}
