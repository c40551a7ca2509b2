import { join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import { withoutWord } from '../authority/request-origin.ts'
import {
  addWorkspace,
  labelWorkspace,
  type RegisteredWorkspace,
  removeWorkspace,
  restoreWorkspace,
} from '../config/registry.ts'
import { readTrust } from '../config/trust.ts'
import { sealStore } from '../ledger/seal.ts'
import { approveConfiguration } from './approve-configuration.ts'
import { type Opening, OpeningWorkspaces, type UnopenedWorkspace } from './opening.ts'
import type { RuntimeOptions } from './runtime-options.ts'
import { openWorkspace, type WorkspaceRuntime } from './workspace-runtime.ts'
import { workspaceView } from './workspace-views.ts'

export interface SuperviseOptions extends RuntimeOptions {
  /** None is left to be opened. */
  readonly onAllOpen: () => Promise<void>
}

/** All workspaces under supervision. */
export interface Workspaces extends Opening {
  all(): readonly WorkspaceRuntime[]
  /** The workspace with this id; the only one where none is named. Throws a `RequestProblem` otherwise. */
  get(id: string | undefined): WorkspaceRuntime
  add(path: string, trust: boolean): Promise<WorkspaceRuntime>
  remove(id: string): Promise<void>
  /** Supervises a removed one again, with its record. */
  restore(id: string): Promise<WorkspaceRuntime>
  /** What the operator calls it (`null`: as its folder is called), and its tags. */
  label(
    id: string,
    label: { readonly name: string | null; readonly tags: readonly string[] },
  ): Promise<WorkspaceRuntime>
  /** Tells whoever looks that something of a workspace is new. */
  changed(runtime: WorkspaceRuntime): void
  stop(): Promise<void>
}

/**
 * The workspaces of a data folder, none of them open before `begin`. One that cannot be opened is logged, told and left out; the
 * others run.
 */
export function superviseAll(given: SuperviseOptions): Workspaces {
  const runtimes = new Map<string, WorkspaceRuntime>()
  const options = { ...given, emit: withViews(given.emit, runtimes) }
  const opening = new OpeningWorkspaces(options, runtimes, given.onAllOpen)
  /** Changes of the set happen one after the other: adding the same folder twice at once opens it once. */
  let changes: Promise<unknown> = Promise.resolve()
  const oneByOne = <T>(change: () => Promise<T>): Promise<T> => {
    const result = changes.then(change)
    changes = result.catch(() => undefined)
    return result
  }

  const open = async (workspace: RegisteredWorkspace): Promise<WorkspaceRuntime> => {
    await opening.whenOpen(workspace.id)
    const existing = runtimes.get(workspace.id)
    if (existing !== undefined) return existing
    const runtime = await openWorkspace(workspace, options)
    runtimes.set(workspace.id, runtime)
    opening.forgetUnopened(workspace.id)
    return runtime
  }

  const forgetRecord = async (id: string): Promise<void> => {
    // The same folder added again begins a record of its own.
    await sealStore(join(options.dataDirectory, 'workspaces', id)).forget()
    options.emit({ type: 'workspaces-changed' })
  }

  /** One that could not be opened, or whose data are gone. */
  const letGo = async (id: string): Promise<void> => {
    await removeWorkspace(options.dataDirectory, id, options.clock.nowMs()).catch((error: unknown) => {
      if (!(error instanceof RequestProblem && error.kind === 'not-found')) throw error
    })
    opening.forgetUnopened(id)
    await forgetRecord(id)
  }

  return {
    begin: () => opening.begin(),
    opening: () => opening.opening(),
    unopened: () => opening.unopened(),
    tellUnopened: (workspace) => {
      opening.tellUnopened(workspace)
      options.emit({ type: 'workspaces-changed' })
    },
    whenOpen: (id) => opening.whenOpen(id),
    whenFewAreOpen: () => opening.whenFewAreOpen(),
    all: () => [...runtimes.values()].sort(byAge),
    get: (id) => findWorkspace(runtimes, opening.unopened(), id),
    add: (path, trust) =>
      oneByOne(async () => {
        const workspace = await addWorkspace(options.dataDirectory, path, options.clock.nowMs())
        const runtime = await open(workspace)
        if (trust) await approveCurrent(runtime)
        options.emit({ type: 'workspaces-changed' })
        return runtime
      }),
    remove: (id) =>
      oneByOne(async () => {
        if (!runtimes.has(id) && opening.unopened().some((each) => each.id === id)) {
          await letGo(id)
          return
        }
        const runtime = findWorkspace(runtimes, opening.unopened(), id)
        await runtime.ledger
          .append({ type: 'supervision-ended' })
          .catch((error: unknown) =>
            options.log.warn('Who removed a workspace could not be recorded', { error: String(error) }),
          )
        await runtime.stop()
        runtimes.delete(runtime.id)
        await removeWorkspace(options.dataDirectory, runtime.id, options.clock.nowMs())
        await forgetRecord(runtime.id)
      }),
    restore: (id) =>
      oneByOne(async () => {
        const runtime = await open(await restoreWorkspace(options.dataDirectory, id))
        options.emit({ type: 'workspaces-changed' })
        return runtime
      }),
    label: (id, label) =>
      oneByOne(async () => {
        const runtime = findWorkspace(runtimes, opening.unopened(), id)
        const { addedAt, directory: path, name, tags } = runtime
        const given = await labelWorkspace(options.dataDirectory, { id, addedAt, path, name, tags }, label)
        runtime.label(given)
        options.emit({ type: 'workspaces-changed' })
        return runtime
      }),
    changed: ({ id }) => options.emit({ type: 'workspace-updated', workspace: id, view: null }),
    stop: async () => {
      await opening.stop()
      await oneByOne(() => Promise.allSettled([...runtimes.values()].map((runtime) => runtime.stop())))
    },
  }
}

/** In the order in which they were added, whichever was open first. */
function byAge(left: WorkspaceRuntime, right: WorkspaceRuntime): number {
  return left.addedAt.localeCompare(right.addedAt) || left.id.localeCompare(right.id)
}

/** Passes events on; each that changes a workspace is followed by what it looks like now, and by its score where that has moved. */
function withViews(
  emit: RuntimeOptions['emit'],
  runtimes: ReadonlyMap<string, WorkspaceRuntime>,
): RuntimeOptions['emit'] {
  const notified = new Map<string, string>()
  return (event) => {
    if (event.type !== 'workspace-updated') emit(event)
    if (!CHANGING.has(event.type) || !('workspace' in event)) return
    const runtime = runtimes.get(event.workspace)
    if (runtime === undefined) return
    const view = workspaceView(runtime)
    emit({ type: 'workspace-updated', workspace: runtime.id, view })
    const { score } = view
    const figures = `${score.date} ${score.score} ${score.target}`
    if (notified.get(runtime.id) === figures) return
    notified.set(runtime.id, figures)
    emit({ type: 'score-updated', workspace: runtime.id, score })
  }
}

/** Events after which a workspace looks different. */
const CHANGING: ReadonlySet<string> = new Set(['workspace-updated', 'attempt-started', 'attempt-finished'])

/** Approves the configuration as it stands now: the operator has said so without looking (`--trust`). */
async function approveCurrent(runtime: WorkspaceRuntime): Promise<void> {
  const approvedHash = runtime.ledger.state.custody['pulseward.toml']?.base ?? null
  const trust = await readTrust(runtime.directory, runtime.dataDirectory, approvedHash)
  if (trust.kind === 'approved') {
    await runtime.approveChecks()
    return
  }
  if (trust.kind === 'missing') throw new RequestProblem('unprocessable', trust.reason)
  const problem = trust.problems[0]
  if (problem !== undefined) {
    throw new RequestProblem(
      'unprocessable',
      `${runtime.directory}/pulseward.toml:${problem.line}:${problem.column}: ${problem.message}`,
    )
  }
  const refusal = approvedHash === null ? null : await withoutWord()
  if (refusal !== null) throw new RequestProblem('conflict', refusal)
  await approveConfiguration(runtime, trust.currentHash)
}

function findWorkspace(
  runtimes: ReadonlyMap<string, WorkspaceRuntime>,
  unopened: readonly UnopenedWorkspace[],
  id: string | undefined,
): WorkspaceRuntime {
  const runtime = id === undefined ? undefined : runtimes.get(id)
  if (runtime !== undefined) return runtime
  const known = [...runtimes.values()].sort(byAge)
  const names = known.map((each) => each.id).join(', ')
  if (id !== undefined) {
    const failed = unopened.find((each) => each.id === id)
    if (failed !== undefined)
      throw new RequestProblem('unprocessable', `${failed.name} could not be opened: ${failed.reason}`)
    throw new RequestProblem(
      'not-found',
      `There is no workspace ${JSON.stringify(id)}; known are ${names || 'none'}.`,
    )
  }
  const [only, ...others] = known
  if (only === undefined)
    throw new RequestProblem('not-found', 'There is no workspace yet. Add a folder with a HEARTBEAT.md.')
  if (others.length === 0) return only
  throw new RequestProblem('bad-request', `There are several workspaces; name one of ${names}.`)
}
