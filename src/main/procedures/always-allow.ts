import { RequestProblem } from '../../api/request-problem.ts'
import { applyEdit } from '../../core/contract/edit.ts'
import { parseContract } from '../../core/contract/parse.ts'
import type { AttemptSummary, HeldWork } from '../../core/record/state.ts'
import { readContractFile } from '../config/contract-file.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import type { Log } from '../ports/log.ts'
import { type ContractPlace, writeContract } from './contract.ts'

/** A longer list of globs is unreadable in one line, so their folders are written instead. */
const MAX_GLOBS = 5
const EVENTS_AT_ONCE = 500

/** The contract with held files added to `may_change` in each task's line, not written yet. */
export interface Allowing {
  readonly hash: string
  readonly before: string
  readonly text: string
  /** The globs added to the lines. */
  readonly added: ReadonlySet<string>
  /** What the answer to each attempt allows: globs that are new, and those that are there only because of an earlier answer. */
  readonly allowed: ReadonlyMap<string, readonly string[]>
}

/** What the answer to one attempt allows its task. */
interface Allowed {
  readonly taskId: string
  readonly globs: readonly string[]
}

export async function allowing(runtime: WorkspaceRuntime, group: readonly HeldWork[]): Promise<Allowing> {
  const file = await readContractFile(runtime.directory)
  if (!file.ok) throw new RequestProblem('unprocessable', file.reason)
  const answers = await otherAnswers(runtime, group, 'all')
  let { text } = file
  const added = new Set<string>()
  const allowed = new Map<string, readonly string[]>()
  for (const { attemptId, taskId, files, because } of group) {
    if (because === 'tests' || because === 'dependencies') continue
    const before = mayChangeOf(text, taskId)
    const globs = globsOf(files).filter((glob) => !before.includes(glob))
    text = withMayChange(text, taskId, [...before, ...globs])
    for (const glob of globs) added.add(glob)
    // An answer does not allow what the operator has written there themselves.
    const isAllowed = (glob: string) => globs.includes(glob) || isAmong(answers, taskId, glob)
    allowed.set(attemptId, globsOf(files).filter(isAllowed))
  }
  return { hash: file.hash, before: file.text, text, added, allowed }
}

/** Writes the contract, or returns why it could not be written: the answer that allows the files still counts. */
export async function writeAllowed(
  runtime: ContractPlace & Pick<WorkspaceRuntime, 'id'>,
  plan: Pick<Allowing, 'before' | 'text' | 'hash'>,
  log: Log,
): Promise<string | null> {
  try {
    if (plan.text !== plan.before) await writeContract(runtime, plan.text, plan.hash)
    return null
  } catch (error) {
    log.warn('What an answer allows could not be written', { workspace: runtime.id, error: String(error) })
    return error instanceof Error ? error.message : String(error)
  }
}

/** Removes from the contract what only the answers to these attempts allowed; returns the globs that could not be removed. */
export async function disallow(
  runtime: WorkspaceRuntime,
  group: readonly AttemptSummary[],
  log: Log,
): Promise<readonly string[]> {
  const others = await otherAnswers(runtime, group, 'standing')
  const written = (await allowedFor(runtime, group)).map(({ taskId, globs }) => ({
    taskId,
    globs: globs.filter((glob) => !isAmong(others, taskId, glob)),
  }))
  if (written.every(({ globs }) => globs.length === 0)) return []
  try {
    const file = await readContractFile(runtime.directory)
    if (!file.ok) throw new RequestProblem('unprocessable', file.reason)
    let { text } = file
    for (const { taskId, globs } of written) {
      const before = mayChangeOf(text, taskId)
      const left = before.filter((glob) => !globs.includes(glob))
      if (left.length < before.length) text = withMayChange(text, taskId, left)
    }
    if (text !== file.text) await writeContract(runtime, text, file.hash)
    return []
  } catch (error) {
    log.warn('What an answer allowed could not be taken back', {
      workspace: runtime.id,
      error: String(error),
    })
    return [...new Set(written.flatMap(({ globs }) => globs))]
  }
}

function isAmong(allowed: readonly Allowed[], taskId: string, glob: string): boolean {
  return allowed.some((one) => one.taskId === taskId && one.globs.includes(glob))
}

/**
 * Returns what answers have allowed the tasks of a group, except the answers to the group itself; `standing`: only those not
 * overruled since.
 */
function otherAnswers(
  runtime: WorkspaceRuntime,
  group: readonly Pick<HeldWork, 'attemptId' | 'taskId'>[],
  which: 'all' | 'standing',
): Promise<readonly Allowed[]> {
  const own = new Set(group.map(({ attemptId }) => attemptId))
  const tasks = new Set(group.map(({ taskId }) => taskId))
  return allowedFor(
    runtime,
    runtime.ledger.state.attempts.filter(
      ({ attemptId, taskId, review, verdict }) =>
        !own.has(attemptId) &&
        tasks.has(taskId) &&
        review?.answer?.answer === 'accept' &&
        (which === 'all' || verdict === 'verified'),
    ),
  )
}

/** Returns what the last answer to each attempt allowed; older versions also recorded what was in the line before. */
async function allowedFor(
  { ledger }: WorkspaceRuntime,
  attempts: readonly AttemptSummary[],
): Promise<readonly Allowed[]> {
  if (attempts.length === 0) return []
  const recorded = new Map<string, string>()
  for (let seq = Math.min(...attempts.map((attempt) => attempt.seq)); ; ) {
    const events = await ledger.read(seq, EVENTS_AT_ONCE)
    const last = events.at(-1)
    if (last === undefined) break
    for (const event of events)
      if (event.type === 'review-answered') recorded.set(event.attemptId, `, ${event.always ?? ''}, `)
    seq = last.seq + 1
  }
  return attempts.map(({ attemptId, taskId, review }) => ({
    taskId,
    // A path may contain the comma that separates them.
    globs: globsOf(review?.files ?? []).filter((glob) => recorded.get(attemptId)?.includes(`, ${glob}, `)),
  }))
}

function mayChangeOf(text: string, taskId: string): readonly string[] {
  return parseContract(text).tasks.find(({ id }) => id === taskId)?.mayChange ?? []
}

function withMayChange(text: string, taskId: string, globs: readonly string[]): string {
  const task = parseContract(text).tasks.findIndex(({ id }) => id === taskId)
  const value = globs.length === 0 ? null : [...globs]
  const edit = applyEdit(text, { kind: 'set', task, change: { field: 'mayChange', value } })
  if (!edit.ok) throw new RequestProblem('unprocessable', edit.reason)
  return edit.text
}

function globsOf(files: readonly string[]): readonly string[] {
  if (files.length <= MAX_GLOBS) return files
  const folders = files.map((path) =>
    path.includes('/') ? `${path.slice(0, path.lastIndexOf('/'))}/**` : path,
  )
  return [...new Set(folders)]
}
