import { join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import { refusalOfOperators } from '../authority/request-origin.ts'
import {
  addWorkspace,
  labelWorkspace,
  moveWorkspace,
  type RegisteredWorkspace,
  removeWorkspace,
  restoreWorkspace,
} from '../config/registry.ts'
import { readTrust } from '../config/trust.ts'
import { statSync } from '../files/names.ts'
import { SUPERVISION_ENDED } from '../ledger/log-witness.ts'
import { sealStore } from '../ledger/seal.ts'
import { createSerializer } from '../process/serialize.ts'
import { approveConfiguration } from './approve-configuration.ts'
import { type Opening, OpeningWorkspaces, type UnopenedWorkspace } from './opening.ts'
import type { RuntimeOptions } from './runtime-options.ts'
import { openWorkspace, type WorkspaceRuntime } from './workspace-runtime.ts'
import { workspaceView } from './workspace-views.ts'

export interface SuperviseOptions extends RuntimeOptions {
  /** Called when none is left to be opened. */
  readonly onAllOpen: () => Promise<void>
}

/** All supervised workspaces. */
export interface Workspaces extends Opening {
  all(): readonly WorkspaceRuntime[]
  /** Returns the workspace with this id; the only one if none is named. Throws a `RequestProblem` otherwise. */
  get(id: string | undefined): WorkspaceRuntime
  add(path: string, trust: boolean): Promise<WorkspaceRuntime>
  remove(id: string): Promise<void>
  /** Supervises a removed workspace again, with its record. */
  restore(id: string): Promise<WorkspaceRuntime>
  /** Sets the operator's name for it (`null`: the folder's name), and its tags. */
  label(
    id: string,
    label: { readonly name: string | null; readonly tags: readonly string[] },
  ): Promise<WorkspaceRuntime>
  /** Sets its folder's new path after it was moved or renamed. Keeps its record. */
  move(id: string, path: string): Promise<WorkspaceRuntime>
  /** Tells viewers that a workspace has changed. */
  changed(runtime: WorkspaceRuntime): void
  stop(): Promise<void>
}

/**
 * Supervises the workspaces of a data folder, none of them open before `begin`. One that cannot be opened is logged, notified and left out;
 * the others run.
 */
export function superviseAll(options: SuperviseOptions): Workspaces {
  return new SupervisedWorkspaces(options)
}

class SupervisedWorkspaces implements Workspaces {
  readonly #runtimes = new RuntimesByAge()
  readonly #options: SuperviseOptions
  readonly #opening: OpeningWorkspaces
  /** Serializes changes of the set, so that adding the same folder twice at the same time opens it once. */
  readonly #oneByOne = createSerializer()

  constructor(given: SuperviseOptions) {
    this.#options = { ...given, emit: withViews(given.emit, this.#runtimes) }
    this.#opening = new OpeningWorkspaces(this.#options, this.#runtimes, given.onAllOpen)
  }

  begin(): void {
    this.#opening.begin()
  }

  opening(): ReturnType<Workspaces['opening']> {
    return this.#opening.opening()
  }

  unopened(): ReturnType<Workspaces['unopened']> {
    return this.#opening.unopened()
  }

  noteUnopened(workspace: UnopenedWorkspace): void {
    this.#opening.noteUnopened(workspace)
    this.#setChanged()
  }

  whenOpen(id?: string): Promise<void> {
    return this.#opening.whenOpen(id)
  }

  whenFewAreOpen(): Promise<void> {
    return this.#opening.whenFewAreOpen()
  }

  all(): readonly WorkspaceRuntime[] {
    return this.#runtimes.inOrder
  }

  get(id: string | undefined): WorkspaceRuntime {
    return findWorkspace(this.#runtimes, this.unopened(), id)
  }

  changed({ id }: WorkspaceRuntime): void {
    this.#options.emit({ type: 'workspace-updated', workspace: id, view: null })
  }

  add(path: string, trust: boolean): Promise<WorkspaceRuntime> {
    return this.#oneByOne(async () => {
      const { dataDirectory, clock } = this.#options
      const runtime = await this.#open(await addWorkspace(dataDirectory, path, clock.nowMs()))
      await runtime.keepTarget()
      this.#setChanged()
      if (trust) await approveCurrent(runtime).catch((error: unknown) => notApproved(runtime, error))
      return runtime
    })
  }

  remove(id: string): Promise<void> {
    return this.#oneByOne(async () => {
      const isUnopened = !this.#runtimes.has(id) && this.unopened().some((each) => each.id === id)
      if (isUnopened) await this.#letGo(id)
      else await this.#end(this.get(id))
    })
  }

  restore(id: string): Promise<WorkspaceRuntime> {
    return this.#oneByOne(async () => {
      const runtime = await this.#open(await restoreWorkspace(this.#options.dataDirectory, id))
      this.#setChanged()
      return runtime
    })
  }

  label(
    id: string,
    label: { readonly name: string | null; readonly tags: readonly string[] },
  ): Promise<WorkspaceRuntime> {
    return this.#oneByOne(async () => {
      const runtime = this.get(id)
      const { addedAt, directory: path, name, tags } = runtime
      const given = await labelWorkspace(
        this.#options.dataDirectory,
        { id, addedAt, path, name, tags },
        label,
      )
      runtime.label(given)
      this.#setChanged()
      return runtime
    })
  }

  move(id: string, path: string): Promise<WorkspaceRuntime> {
    return this.#oneByOne(async () => {
      const runtime = this.get(id)
      if (isFolder(runtime.directory))
        throw new RequestProblem(
          'conflict',
          `${runtime.directory} is still there: move it away first, or add ${path} as another workspace.`,
        )
      const moved = await moveWorkspace(this.#options.dataDirectory, id, path)
      await runtime.stop()
      this.#runtimes.delete(id)
      this.#options.log.info('The folder of a workspace was moved', { workspace: id, path: moved.path })
      const opened = await this.#open(moved)
      this.#setChanged()
      return opened
    })
  }

  async stop(): Promise<void> {
    await this.#opening.stop()
    await this.#oneByOne(() =>
      Promise.allSettled([...this.#runtimes.values()].map((runtime) => runtime.stop())),
    )
  }

  #setChanged(): void {
    this.#options.emit({ type: 'workspaces-changed' })
  }

  async #open(workspace: RegisteredWorkspace): Promise<WorkspaceRuntime> {
    await this.#opening.whenOpen(workspace.id)
    const existing = this.#runtimes.get(workspace.id)
    if (existing !== undefined) return existing
    const runtime = await openWorkspace(workspace, this.#options)
    this.#runtimes.set(workspace.id, runtime)
    this.#opening.forgetUnopened(workspace.id)
    return runtime
  }

  async #end(runtime: WorkspaceRuntime): Promise<void> {
    const { dataDirectory, clock, log } = this.#options
    await runtime.ledger
      .append({ type: 'supervision-ended' })
      .catch((error: unknown) =>
        log.warn('Who removed a workspace could not be recorded', { error: String(error) }),
      )
    await runtime.stop()
    this.#runtimes.delete(runtime.id)
    await removeWorkspace(dataDirectory, runtime.id, clock.nowMs())
    log.info('Supervision ended', { ...SUPERVISION_ENDED, workspace: runtime.id })
    await this.#forgetRecord(runtime.id)
  }

  /** Removes a workspace that could not be opened, or whose data is gone. */
  async #letGo(id: string): Promise<void> {
    const { dataDirectory, clock, log } = this.#options
    await removeWorkspace(dataDirectory, id, clock.nowMs()).catch((error: unknown) => {
      if (!(error instanceof RequestProblem && error.kind === 'not-found')) throw error
    })
    this.#opening.forgetUnopened(id)
    log.info('Supervision ended', { ...SUPERVISION_ENDED, workspace: id })
    await this.#forgetRecord(id)
  }

  /** Forgets a removed workspace's seal, so that adding the same folder again starts a new record. */
  async #forgetRecord(id: string): Promise<void> {
    await sealStore(join(this.#options.dataDirectory, 'workspaces', id)).forget()
    this.#setChanged()
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Sorted only when a workspace is added or removed, not at each request. */
class RuntimesByAge extends Map<string, WorkspaceRuntime> {
  #inOrder: readonly WorkspaceRuntime[] | null = null

  get inOrder(): readonly WorkspaceRuntime[] {
    this.#inOrder ??= [...this.values()].sort(byAge)
    return this.#inOrder
  }

  override set(id: string, runtime: WorkspaceRuntime): this {
    this.#inOrder = null
    return super.set(id, runtime)
  }

  override delete(id: string): boolean {
    this.#inOrder = null
    return super.delete(id)
  }
}

/** Orders workspaces as they were added, regardless of which was open first. */
function byAge(left: WorkspaceRuntime, right: WorkspaceRuntime): number {
  if (left.addedAt === right.addedAt) return left.id.localeCompare(right.id)
  // ISO 8601 times in UTC sort correctly as text, and `localeCompare` takes many times as long for a thousand.
  return left.addedAt < right.addedAt ? -1 : 1
}

/** Passes events on. After each that changes a workspace, also sends its new view, and its score if that changed. */
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

/** Approves the current configuration, which the operator requested without looking at it (`--trust`). */
async function approveCurrent(runtime: WorkspaceRuntime): Promise<void> {
  const { approvedHash } = runtime.ledger
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
  const refusal = approvedHash === null ? null : await refusalOfOperators()
  if (refusal !== null) throw new RequestProblem('conflict', refusal)
  await approveConfiguration(runtime, trust.currentHash)
}

/** Reports that the folder is supervised but not approved: a caller that asked for both must know. */
function notApproved({ id }: WorkspaceRuntime, error: unknown): never {
  if (!(error instanceof RequestProblem)) throw error
  throw new RequestProblem(error.kind, `The workspace ${id} is added, not approved: ${error.message}`, {
    cause: error,
    data: error.data,
  })
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
