import pLimit from 'p-limit'
import { type RegisteredWorkspace, readRegistry } from '../config/registry.ts'
import type { RuntimeOptions } from './runtime-options.ts'
import { openWorkspace, type WorkspaceRuntime } from './workspace-runtime.ts'

/** A known workspace that is not under supervision, and why. */
export interface UnopenedWorkspace {
  readonly id: string
  readonly name: string
  /** Empty if unknown. */
  readonly path: string
  readonly reason: string
}

/** Opens the workspaces of a data folder. */
export interface Opening {
  /** Starts opening them; the host already answers by then. */
  begin(): void
  /** Known workspaces that are not open yet. */
  opening(): readonly RegisteredWorkspace[]
  /** Workspaces that could not be opened, and why. */
  unopened(): readonly UnopenedWorkspace[]
  /** Adds a workspace that was found in another way to the unopened ones, and notifies the operator. */
  noteUnopened(workspace: UnopenedWorkspace): void
  /** Resolves when the workspace is open, or could not be. If there is none with this id, or none is named, resolves when all are. */
  whenOpen(id?: string): Promise<void>
  /** Resolves when all are open if they are few, else immediately. */
  whenFewAreOpen(): Promise<void>
}

/** Workspaces opened at the same time, because most of it is waiting for the disk. */
const OPENED_AT_ONCE = 6
/** This few open within a moment, so a request for all of them waits until all are open. */
const FEW = 16
const LONGEST_WAIT_MS = 5_000
/** How often viewers are told that more are open. */
const ANNOUNCE_EVERY_MS = 250

/*
 * Invariants:
 * 1. Each workspace is opened once: in its turn, or earlier if it is requested.
 * 2. Nothing is opened after `stop`, which resolves once every workspace that was already being opened is in
 *    `runtimes`.
 * 3. `whenOpen` never hangs: a workspace that cannot be opened counts as answered.
 */
export class OpeningWorkspaces implements Opening {
  private readonly options: RuntimeOptions
  private readonly runtimes: Map<string, WorkspaceRuntime>
  private readonly onAllOpen: () => Promise<void>
  /** Workspaces that wait or are being opened, by id. */
  private readonly pending = new Map<string, RegisteredWorkspace>()
  private readonly begun = new Map<string, Promise<void>>()
  private readonly failed = new Map<string, UnopenedWorkspace>()
  private listing: Promise<void> = Promise.resolve()
  private all: Promise<void> = Promise.resolve()
  private isStopped = false

  constructor(
    options: RuntimeOptions,
    runtimes: Map<string, WorkspaceRuntime>,
    onAllOpen: () => Promise<void>,
  ) {
    this.options = options
    this.runtimes = runtimes
    this.onAllOpen = onAllOpen
  }

  begin(): void {
    this.listing = this.list()
    this.all = this.listing.then(() => this.openAll())
  }

  opening(): readonly RegisteredWorkspace[] {
    return [...this.pending.values()]
  }

  unopened(): readonly UnopenedWorkspace[] {
    return [...this.failed.values()]
  }

  /** Forgets a failure, because the workspace was opened in another way or is no longer known. */
  forgetUnopened(id: string): void {
    this.failed.delete(id)
  }

  async whenOpen(id?: string): Promise<void> {
    if (id !== undefined && this.runtimes.has(id)) return
    await this.listing
    const workspace = id === undefined ? undefined : this.pending.get(id)
    if (workspace !== undefined) await this.open(workspace)
    else if (id === undefined || !this.runtimes.has(id)) await this.all
  }

  async whenFewAreOpen(): Promise<void> {
    await this.listing
    if (this.pending.size === 0 || this.pending.size > FEW) return
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LONGEST_WAIT_MS)
    })
    await Promise.race([this.all, late])
    clearTimeout(timer)
  }

  /** Adds it to the unopened workspaces and notifies the operator. */
  noteUnopened({ id, name, path, reason }: UnopenedWorkspace): void {
    this.failed.set(id, { id, name, path, reason })
    this.options.log.error('A workspace could not be opened', { workspace: id, reason })
    this.options.notifier.notify({
      key: `unopened:${id}`,
      about: 'trouble',
      workspaceId: id,
      title: `${name} could not be opened`,
      body: reason,
    })
  }

  /** Stops opening, and resolves when nothing is being opened. */
  async stop(): Promise<void> {
    this.isStopped = true
    await this.all
    await Promise.all(this.begun.values())
  }

  private async list(): Promise<void> {
    const { dataDirectory, log } = this.options
    try {
      const { workspaces, unreadable } = await readRegistry(dataDirectory)
      for (const workspace of workspaces) this.pending.set(workspace.id, workspace)
      for (const each of unreadable) this.noteUnopened({ ...each, path: '' })
    } catch (error) {
      // The folder itself was checked before the host started to answer.
      log.error('The workspaces could not be listed', { error: String(error) })
    }
  }

  private async openAll(): Promise<void> {
    const limit = pLimit(OPENED_AT_ONCE)
    const isMany = this.pending.size > 1
    const announce = () => this.options.emit({ type: 'workspaces-changed' })
    const announcing = setInterval(announce, ANNOUNCE_EVERY_MS)
    await Promise.all([...this.pending.values()].map((workspace) => limit(() => this.open(workspace))))
    clearInterval(announcing)
    if (isMany) announce()
    if (this.isStopped) return
    await this.onAllOpen().catch((error: unknown) =>
      this.options.log.error('Failed after opening all workspaces', { error: String(error) }),
    )
  }

  /** Never rejects. */
  private open(workspace: RegisteredWorkspace): Promise<void> {
    const before = this.begun.get(workspace.id)
    if (before !== undefined) return before
    const opened = this.isStopped ? Promise.resolve() : this.openOne(workspace)
    this.begun.set(workspace.id, opened)
    return opened
  }

  private async openOne(workspace: RegisteredWorkspace): Promise<void> {
    try {
      this.runtimes.set(workspace.id, await openWorkspace(workspace, this.options))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.noteUnopened({ ...workspace, reason })
    } finally {
      this.pending.delete(workspace.id)
    }
  }
}
