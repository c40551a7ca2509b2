import { resolve } from 'node:path'
import type { SeenPlace } from '../../../core/claims/seen-from-repository.ts'
import { endToTry, failingScript, isComparing, mayEndProcess } from '../../../core/custody/failing-end.ts'
import { mayReach } from '../../../core/custody/reaching.ts'
import type { AnswerQuestion } from '../../../core/judgement/ask-until-decided.ts'
import { MAX_EVENTS_LOOKED_BACK, recordedAnswers } from '../../../core/judgement/earlier-answers.ts'
import {
  type Answer,
  type AnswerTypes,
  type FileState,
  type Moment,
  type Question,
  type QuestionKind,
  type QuestionOf,
  questionKey,
  type Setting,
  type StampedPath,
} from '../../../core/judgement/questions.ts'
import { ABSENT, BY_TIME } from '../../../core/judgement/verdict-basis.ts'
import type { AttemptResult } from '../../../core/record/events.ts'
import { pathsOfChange } from '../../../core/verification/difference.ts'
import {
  EMPTY_DIFFERENCE,
  type ExpressionResult,
  type FileDifference,
} from '../../../core/verification/types.ts'
import { groundOf, lookBeneath, readBeneath } from '../../files/beneath.ts'
import { isBlankSince } from '../../files/blank-since.ts'
import { lstat } from '../../files/names.ts'
import { sha256 } from '../../files/sha256.ts'
import type { CheckRoom, EarlierFiles } from '../../ports/custody.ts'
import type { Ledger } from '../../ports/ledger.ts'
import type { KeptTexts, Snapshot } from '../../ports/snapshotter.ts'
import type { Verifier } from '../../ports/verifier.ts'
import type { WorkspaceConfig } from '../../ports/workspace-config.ts'
import { type CostMeter, inMeter } from '../cost-meter.ts'
import { isStoppedByOperator } from '../operator-stop.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'
import { findRenamed, readFormerTests } from './find-renamed.ts'
import { readLoaded } from './loaded-sources.ts'
import { readEvidence } from './read-evidence.ts'

/** The environment in which questions are answered. */
export interface World {
  readonly ports: Pick<
    WorkspacePorts,
    'directory' | 'custody' | 'snapshotter' | 'undo' | 'createVerifier' | 'clock' | 'ledger' | 'checkMemory'
  >
  readonly config: WorkspaceConfig
  /** Measures in the current tree. */
  readonly verifier: Verifier
  readonly signal: AbortSignal
  /** Times checks and clean rooms; if omitted, nothing is timed. */
  readonly meter?: CostMeter | undefined
  /** If omitted, the state is judged, not any work. */
  readonly work?: FinishedWork
}

/** What the work left behind, for questions that need more than its case contains. */
export interface FinishedWork {
  readonly taskId: string
  readonly difference: FileDifference
  /** The tree after the work. */
  readonly after: Snapshot
  /** The files' texts before the work. */
  readonly textsBefore: KeptTexts
  readonly place: SeenPlace & { readonly top: string | null }
  /** The output of the agent's program, for a judge. */
  readonly printed: string
}

/** Answers the questions of one judgment; call `close` afterwards. */
export interface Answering {
  readonly answer: AnswerQuestion
  /** Closes the clean room, if there is one. Never rejects. */
  readonly close: () => Promise<void>
}

type AnswerByKind<Kinds extends QuestionKind = QuestionKind> = {
  readonly [Kind in Kinds]: (question: QuestionOf<Kind>) => Promise<AnswerTypes[Kind]>
}

/** Kinds of questions that require a check. */
type CheckKind = 'measurement' | 'evaluation' | 'probes' | 'commands' | 'gates' | 'room' | 'judge'

/** Where a question is answered. `turn` 2 repeats a check, whatever its first result. */
interface AskedIn {
  readonly setting: Setting
  readonly turn?: 1 | 2
}

/** A longer one was made by a program. */
const MAX_SCRIPT_BYTES = 1024 * 1024

const NO_FILES: EarlierFiles = { write: [], remove: [] }

/** Larger files are identified by size and time, because they are checked after every attempt. */
const MAX_FILE_BYTES = 8 * 1024 * 1024

/** Returns a function that answers questions by measuring in this world. It measures what it is asked, and decides nothing. */
export function answering(world: World): Answering {
  const formerTests = formerTestsIn(world)
  const files = earlierFiles(world, formerTests)
  const rooms = oneRoom(world, files)
  const byKind: AnswerByKind = { ...byChecks(world, files, rooms), ...byLooking(world, files, formerTests) }
  return {
    // Each function answers its own kind, which `AnswerByKind` states but indexing loses.
    answer: (question) => (byKind[question.kind] as (asked: Question) => Promise<Answer>)(question),
    close: rooms.close,
  }
}

function byChecks(world: World, files: FilesAt, rooms: Rooms): AnswerByKind<CheckKind> {
  const { ports, config, verifier, signal, meter } = world

  const { onlyInIndex = [] } = world.work?.difference ?? EMPTY_DIFFERENCE

  async function verifierIn({ setting, turn }: AskedIn): Promise<Verifier> {
    const isInPlace = setting.room === null && setting.earlier === null
    if (isInPlace && turn === 2) ports.checkMemory?.doubt()
    if (isInPlace && turn !== 2 && onlyInIndex.length === 0) return verifier
    // A file that a check itself reads stays as the agent left it, because the check may look for text that the task wants
    // beside an example.
    const moment = setting.earlier?.kind === 'former-tests' ? null : setting.earlier
    const { write, remove } = (moment === null ? null : await files(moment)) ?? NO_FILES
    const room = setting.room === null ? undefined : await rooms.opened(setting)
    const watch = meter?.watch(room === undefined ? 'in-place' : 'clean-room')
    const earlier = { write, remove: [...remove, ...onlyInIndex] }
    return ports.createVerifier(config, { room, earlier, watch })
  }

  return {
    measurement: async ({ hint, probes: names, sees, ...asked }) => {
      const there = await verifierIn(asked)
      const probes = await there.readProbes(names, signal)
      if (hint.kind !== 'expression') return { probes, expression: null }
      const changed = sees === 'the-difference' ? pathsOfWork(world) : []
      return { probes, expression: await there.evaluate(hint, probes, changed, signal) }
    },
    evaluation: async ({ hint, readings, ...asked }) =>
      (await verifierIn(asked)).evaluate(hint, readings, pathsOfWork(world), signal),
    probes: async ({ names, pauseMs, ...asked }) => {
      if (pauseMs > 0) await ports.clock.sleep(pauseMs, signal)
      return (await verifierIn(asked)).readProbes(names, signal)
    },
    commands: async ({ commands, ...asked }) => {
      const there = await verifierIn(asked)
      const answers: ExpressionResult[] = []
      for (const command of commands) answers.push(await askCommand(there, command, signal))
      return answers
    },
    gates: async ({ until, only, ...asked }) =>
      (await verifierIn(asked)).runGates(signal, only ?? 'all', until),
    room: ({ setting }) => rooms.open(setting),
    judge: ({ kind: _kind, ...question }) =>
      verifier.judge({ ...question, output: world.work?.printed ?? '' }, signal),
  }
}

function byLooking(
  world: World,
  files: FilesAt,
  formerTests: FormerTestsIn,
): AnswerByKind<Exclude<QuestionKind, CheckKind>> {
  const { ports, signal, work } = world
  const { directory, custody, snapshotter, ledger } = ports
  return {
    stopped: async () => isStoppedByOperator(signal),
    measurable: ({ paths }) => snapshotter.measurable(directory, paths, work?.difference ?? EMPTY_DIFFERENCE),
    'file-states': ({ paths }) => Promise.all(paths.map((path) => stateOf(world, path))),
    'offered-files': async ({ paths }) => {
      const found = await readEvidence(directory, paths, async (ends) =>
        work === undefined ? new Map() : snapshotter.endingIn(work.after, ends),
      )
      return paths.map((path) => found.get(path) ?? null)
    },
    'blank-edits': ({ paths }) => areBlankSince(world, paths),
    'renamed-tests': async ({ paths }) => (work === undefined ? [] : findRenamed(ports, work, paths)),
    'own-tests': async ({ attemptIds }) => (await formerTests(attemptIds)).map(({ path }) => path),
    stamps: ({ files: stamped }) => stampsOf(directory, stamped),
    'files-before': async ({ moment }) => (await files(moment))?.write.map(({ path }) => path) ?? null,
    'recorded-answers': async ({ sinceSeq }) =>
      recordedAnswers(await ledger.read(sinceSeq, MAX_EVENTS_LOOKED_BACK)),
    'earlier-claims': ({ seqs }) => Promise.all(seqs.map((seq) => claimAt(ledger, seq))),
    'changed-in': ({ attemptIds }) => changedIn(ledger, attemptIds),
    'finished-elsewhere': async () => {
      const others = Object.entries(ledger.state.tasks).filter(([id]) => id !== work?.taskId)
      return others.flatMap(([, { finished = [] }]) => finished)
    },
    'baseline-reports': () => custody.reports(),
    'known-tests': () => custody.knownTests(),
    'check-files': () => (work === undefined ? custody.look(world.config) : custody.look()),
    'ending-in': async ({ ends }) => {
      const searched = work === undefined ? 'too many' : await snapshotter.endingIn(work.after, ends)
      const found = searched === 'too many' ? new Map<string, readonly string[]>() : searched
      // `endingIn` only finds longer paths, so check the path itself too.
      const states = await Promise.all(ends.map((end) => stateOf(world, end)))
      return ends.map((end, at) => [...(states[at]?.kind === 'file' ? [end] : []), ...(found.get(end) ?? [])])
    },
    scripts: async ({ command }) => custody.scriptsOf(command),
    unchanged: async () => (work === undefined ? [] : snapshotter.unchanged(work.after)),
    reaching: () => custody.reaching(),
    dependencies: () => custody.dependencies(),
    'outside-settings': () => custody.outside(),
  }
}

/** How many files' earlier texts are read at once; many more are compared if all of them are blank changes. */
const BLANK_AT_ONCE = 200
const MAX_BLANK_BYTES = 64 * 1024 * 1024

/** Compares files up to the first whose change is more than blank, because all of them have to be blank. */
async function areBlankSince({ ports, work }: World, paths: readonly string[]): Promise<readonly boolean[]> {
  const isBlank: boolean[] = []
  const isAdded = new Set(work?.difference.added)
  let left = MAX_BLANK_BYTES
  for (
    let from = 0;
    work !== undefined && !isBlank.includes(false) && from < paths.length;
    from += BLANK_AT_ONCE
  ) {
    const some = paths.slice(from, from + BLANK_AT_ONCE)
    const modified = some.filter((path) => !isAdded.has(path))
    const before = await ports.snapshotter.filesBefore(work.textsBefore, { ...EMPTY_DIFFERENCE, modified })
    const earlier = new Map(before?.write.map(({ path, bytes }) => [path, bytes]))
    for (const path of some) {
      const was = isAdded.has(path) ? Buffer.alloc(0) : earlier.get(path)
      const now = await readBeneath(groundOf(ports.directory), path, MAX_FILE_BYTES)
      left -= now.ok ? now.bytes.length : 0
      isBlank.push(was !== undefined && now.ok && left >= 0 && isBlankSince(path, was, now.bytes))
      if (!isBlank.at(-1)) break
    }
  }
  return paths.map((_path, at) => isBlank[at] ?? false)
}

/** Returns the functions that answer questions about an operator's own verdict: only files are measured for it. */
export function answeringFromRecord({ directory, ledger }: RecordedWorld): AnswerQuestion {
  return (question) => {
    if (question.kind === 'stamps') return stampsOf(directory, question.files)
    if (question.kind === 'changed-in') return changedIn(ledger, question.attemptIds)
    throw new Error(`An operator's verdict does not ask for ${question.kind}`)
  }
}

interface RecordedWorld {
  readonly directory: string
  readonly ledger: Pick<Ledger, 'attempt'>
}

async function changedIn(
  ledger: Pick<Ledger, 'attempt'>,
  attemptIds: readonly string[],
): Promise<readonly string[]> {
  const changed = new Set<string>()
  for (const id of attemptIds)
    for (const path of (await ledger.attempt(id))?.filesChanged ?? []) changed.add(path)
  return [...changed]
}

async function claimAt(
  ledger: World['ports']['ledger'],
  seq: number,
): Promise<AttemptResult['claim'] | null> {
  const [event] = await ledger.read(seq, 1)
  return event?.type === 'attempt-finished' ? event.result.claim : null
}

/**
 * Returns the answers for several judgments of the same moment. A question about the current tree is measured once for all of them; each
 * judgment has its own clean room.
 */
export function answeringOnce(world: World): () => Answering {
  const known = new Map<string, Promise<Answer>>()
  return () => {
    const own = answering(world)
    return {
      answer: (question) => {
        if (isInRoom(question)) return own.answer(question)
        const key = questionKey(question)
        const answer = known.get(key) ?? own.answer(question)
        known.set(key, answer)
        return answer
      },
      close: own.close,
    }
  }
}

function isInRoom(question: Question): boolean {
  return 'setting' in question && question.setting.room !== null
}

function pathsOfWork({ work }: Pick<World, 'work'>): readonly string[] {
  return work === undefined ? [] : pathsOfChange(work.difference)
}

/** Evaluates `succeeds(…)` of one command. */
export function askCommand(
  verifier: Verifier,
  command: string,
  signal: AbortSignal,
): Promise<ExpressionResult> {
  const source = `succeeds(${JSON.stringify(command)})`
  return verifier.evaluate(
    { kind: 'expression', source, probes: [], functions: ['succeeds'] },
    [],
    [],
    signal,
  )
}

/** Returns the files as they were at a moment; `null` if unknown. */
type FilesAt = (moment: Moment) => Promise<EarlierFiles | null>

/** Returns a function that reads earlier files, once per moment. */
function earlierFiles({ ports, work }: World, formerTests: FormerTestsIn): FilesAt {
  const known = new Map<string, Promise<EarlierFiles | null>>()
  const beforeWork = async (): Promise<EarlierFiles | null> =>
    work === undefined ? NO_FILES : ports.snapshotter.filesBefore(work.textsBefore, work.difference)
  const read = async (moment: Moment): Promise<EarlierFiles | null> => {
    if (moment.kind === 'before-work') return onlyOf(await beforeWork(), moment.only)
    if (moment.kind === 'former-tests')
      return formerTestsOf(await formerTests(moment.attemptIds), moment.only)
    if (moment.kind === 'failing-end') return failingEnd({ ports, work }, moment)
    if (moment.kind === 'uncommitted') return { ...NO_FILES, uncommitted: moment }
    const later = moment.withWork ? await filesAt({ kind: 'before-work' }) : NO_FILES
    return later === null ? null : ports.undo.filesBefore(moment.attemptIds, later)
  }
  const filesAt = (moment: Moment): Promise<EarlierFiles | null> => {
    const key = JSON.stringify(moment)
    const files = known.get(key) ?? read(moment)
    known.set(key, files)
    return files
  }
  return filesAt
}

/** Returns `null` if we can't tell a check that runs to its end from one that exits early. */
async function failingEnd(
  { ports: { directory, custody }, work }: Pick<World, 'ports' | 'work'>,
  { path, language, beside = [], atOnce }: Extract<Moment, { readonly kind: 'failing-end' }>,
): Promise<EarlierFiles | null> {
  const written = (text: string): EarlierFiles => ({
    write: [{ path, bytes: Buffer.from(text), isExecutable: true }],
    remove: [],
  })
  const text = (await custody.baselineContent(path))?.toString('utf8') ?? (await textAt(directory, path))
  if (text === null) return null
  if (atOnce) return written(failingScript(text, language))
  const changed = new Set(pathsOfWork({ work }))
  const loaded = await readLoaded(directory, [path, ...beside])
  const mayBeEnded = await someMayEnd(directory, changed, isComparing(text, language))
  const ending = endToTry({ path, language, text, loaded, changed, mayBeEnded })
  return ending === null ? null : written(ending)
}

async function someMayEnd(
  directory: string,
  paths: ReadonlySet<string>,
  compares: boolean,
): Promise<boolean> {
  for (const path of paths) {
    if (!mayReach(path)) continue
    const text = await textAt(directory, path)
    if (text === null || mayEndProcess(path, text, compares)) return true
  }
  return false
}

async function textAt(directory: string, path: string): Promise<string | null> {
  const reading = await readBeneath(groundOf(directory), path, MAX_SCRIPT_BYTES)
  return reading.ok ? reading.bytes.toString('utf8') : null
}

type FormerTestsIn = (attemptIds: readonly string[]) => ReturnType<typeof readFormerTests>

/** Returns a function that reads the sources whose own tests were changed by the work and these earlier attempts, once. */
function formerTestsIn({ ports, work }: World): FormerTestsIn {
  const known = new Map<string, ReturnType<typeof readFormerTests>>()
  return (attemptIds) => {
    const key = attemptIds.join(' ')
    const found =
      known.get(key) ?? (work === undefined ? Promise.resolve([]) : readFormerTests(ports, work, attemptIds))
    known.set(key, found)
    return found
  }
}

/** Returns `null` if the former tests of any of these sources are unknown. */
function formerTestsOf(
  former: Awaited<ReturnType<typeof readFormerTests>>,
  only: readonly string[],
): EarlierFiles | null {
  const asked = former.filter(({ path }) => only.includes(path))
  const write = asked.flatMap(({ path, text }) =>
    text === null ? [] : [{ path, bytes: Buffer.from(text), isExecutable: false }],
  )
  return write.length === asked.length ? { write, remove: [] } : null
}

function onlyOf(files: EarlierFiles | null, only: readonly string[] | undefined): EarlierFiles | null {
  if (files === null || only === undefined) return files
  const wanted = new Set(only)
  return {
    write: files.write.filter(({ path }) => wanted.has(path)),
    remove: files.remove.filter((path) => wanted.has(path)),
  }
}

interface Rooms {
  readonly open: (setting: Setting) => Promise<AnswerTypes['room']>
  readonly opened: (setting: Setting) => Promise<CheckRoom>
  readonly close: () => Promise<void>
}

/** Opens one clean room at a time, because each is a copy of the tree, or a layer above it. */
function oneRoom({ ports, signal, meter }: World, files: FilesAt): Rooms {
  let current: { readonly key: string; readonly room: CheckRoom } | null = null

  async function close(): Promise<void> {
    const last = current
    current = null
    if (last !== null) await inMeter(meter, () => last.room.close())
  }

  async function open(setting: Setting): Promise<AnswerTypes['room']> {
    const key = JSON.stringify(setting)
    if (current?.key === key) return { kind: 'ready' }
    await close()
    const earlier = setting.earlier === null ? undefined : await files(setting.earlier)
    if (earlier === null) return { kind: 'none', reason: 'what the files were before is not known' }
    const made = await inMeter(meter, () => ports.custody.openRoom(setting.room ?? [], signal, earlier))
    if (made.kind === 'none') return made
    current = { key, room: made.room }
    return { kind: 'ready' }
  }

  async function opened(setting: Setting): Promise<CheckRoom> {
    const answer = await open(setting)
    if (answer.kind === 'none' || current === null)
      throw new Error('A question was asked about a clean room that cannot be made')
    return current.room
  }

  return { open, opened, close }
}

async function stateOf({ ports, work }: World, path: string): Promise<FileState> {
  const stats = await lstat(resolve(ports.directory, path)).catch(() => null)
  if (stats === null) return { kind: 'absent', isBeside: await isBeside(path, work?.place) }
  if (!stats.isFile()) return { kind: 'other' }
  return { kind: 'file', modifiedMs: stats.mtimeMs, changedMs: stats.ctimeMs }
}

/** Whether a path outside the workspace is a file of its repository. */
async function isBeside(path: string, place: FinishedWork['place'] | undefined): Promise<boolean> {
  if (place === undefined || place.top === null) return false
  if (place.prefix === '' || path.startsWith(place.prefix)) return false
  return lstat(resolve(place.top, path)).then(
    (stats) => stats.isFile(),
    () => false,
  )
}

async function stampsOf(
  directory: string,
  stamped: readonly StampedPath[],
): Promise<readonly (string | null)[]> {
  const stamps: (string | null)[] = []
  // One after the other: the files come from an agent and may be large.
  for (const { path, byTime } of stamped) stamps.push(await stampOf(directory, path, byTime))
  return stamps
}

/** Returns the digest of a file's content, or a stand-in for it; `null` if it is neither a file nor a link, or cannot be read. */
async function stampOf(directory: string, path: string, byTime: boolean): Promise<string | null> {
  const found = await lookBeneath(groundOf(directory), path, 'keep')
  if (found.kind === 'free' || found.kind === 'missing') return ABSENT
  if (found.kind !== 'found') return null
  const { stats, target } = found
  if (target !== null) return sha256(target)
  if (!stats.isFile()) return null
  if (byTime || stats.size > MAX_FILE_BYTES) return `${BY_TIME}${stats.size},${stats.mtimeMs}`
  const reading = await readBeneath(groundOf(directory), path, MAX_FILE_BYTES, { last: 'keep' })
  if (reading.ok) return sha256(reading.bytes)
  return reading.code === 'ENOENT' ? ABSENT : null
}
