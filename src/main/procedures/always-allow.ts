import { RequestProblem } from '../../api/request-problem.ts'
import { applyEdit } from '../../core/contract/edit.ts'
import { parseContract } from '../../core/contract/parse.ts'
import type { HeldWork } from '../../core/record/state.ts'
import { readContractFile } from '../config/contract-file.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { writeContract } from './contract.ts'

/** More globs than this in a line nobody reads: the folders they lie in are written instead. */
const MAX_GLOBS = 5
const EVENTS_AT_ONCE = 500

/** The contract with held files in `may_change` of the line of each task, not written yet. */
export interface Allowing {
  readonly hash: string
  readonly before: string
  readonly text: string
  /** What is new in the line, by attempt. */
  readonly added: ReadonlyMap<string, readonly string[]>
}

export async function allowing(runtime: WorkspaceRuntime, group: readonly HeldWork[]): Promise<Allowing> {
  const file = await readContractFile(runtime.directory)
  if (!file.ok) throw new RequestProblem('unprocessable', file.reason)
  let { text } = file
  const added = new Map<string, readonly string[]>()
  for (const { attemptId, taskId, files, because } of group) {
    if (because === 'tests' || because === 'dependencies') continue
    const before = mayChangeOf(text, taskId)
    const globs = globsOf(files).filter((glob) => !before.includes(glob))
    text = withMayChange(text, taskId, [...before, ...globs])
    added.set(attemptId, globs)
  }
  return { hash: file.hash, before: file.text, text, added }
}

/** Writes it, or says in words why it could not be: the answer that allows it stands. */
export async function writeAllowed(runtime: WorkspaceRuntime, plan: Allowing): Promise<string | null> {
  try {
    if (plan.text !== plan.before) await writeContract(runtime, plan.text, plan.hash)
    return null
  } catch (error) {
    if (!(error instanceof RequestProblem)) throw error
    return error.message
  }
}

/** Takes out of the contract what the answers to these attempts wrote into it; the globs that stay, because that cannot be done. */
export async function disallow(
  runtime: WorkspaceRuntime,
  group: readonly Pick<HeldWork, 'attemptId' | 'taskId' | 'files'>[],
  fromSeq: number,
): Promise<readonly string[]> {
  const written = await writtenFor(runtime, group, fromSeq)
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
    if (!(error instanceof RequestProblem)) throw error
    return [...new Set(written.flatMap(({ globs }) => globs))]
  }
}

/** By the last answer to each; older versions recorded what had stood in the line before, too. */
async function writtenFor(
  { ledger }: WorkspaceRuntime,
  group: readonly Pick<HeldWork, 'attemptId' | 'taskId' | 'files'>[],
  fromSeq: number,
): Promise<readonly { readonly taskId: string; readonly globs: readonly string[] }[]> {
  const recorded = new Map<string, string>()
  for (let seq = fromSeq; ; ) {
    const events = await ledger.read(seq, EVENTS_AT_ONCE)
    const last = events.at(-1)
    if (last === undefined) break
    for (const event of events)
      if (event.type === 'review-answered') recorded.set(event.attemptId, `, ${event.always ?? ''}, `)
    seq = last.seq + 1
  }
  return group.map(({ attemptId, taskId, files }) => ({
    taskId,
    // A path may hold the comma that is between them.
    globs: globsOf(files).filter((glob) => recorded.get(attemptId)?.includes(`, ${glob}, `)),
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
