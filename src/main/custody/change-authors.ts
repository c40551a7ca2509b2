import { join } from 'node:path'
import { CUSTODY_FILES } from '../../core/vocabulary/proposal.ts'
import type { CustodyOptions } from './contract-parts.ts'
import type { Author } from './file-custody.ts'

/** An agent, or what an agent left running, as the author of a change. */
export type AgentAuthor = Extract<Author, { kind: 'agent' }>

export function isAgent(author: Author | null): author is AgentAuthor {
  return author?.kind === 'agent'
}

/** Most of what outlives a run ends within a moment; what doesn't is looked for less and less often, because all processes are read. */
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 60_000

/** Finds out who changed the contract or the configuration of one workspace. */
export class ChangeAuthors {
  private readonly options: Pick<
    CustodyOptions,
    'agentsAtWork' | 'workspaceId' | 'directory' | 'ledger' | 'leftBehind' | 'log'
  >
  private readonly onceGone: (forget: () => void) => Promise<void>
  /** Describes processes that outlived the last run or were found by the last look, until they have ended. */
  private outlived: string | null = null
  private waiting: NodeJS.Timeout | null = null
  private isClosed = false

  /**
   * `onceGone` is called when what was left behind has ended: it looks at the files a last time, and then calls `forget`, so that later
   * changes are the operator's.
   */
  constructor(options: ChangeAuthors['options'], onceGone: ChangeAuthors['onceGone']) {
    this.options = options
    this.onceGone = onceGone
  }

  /** Notes what is still running after an agent's run, because it may go on changing files. */
  async noteLeftBehind(): Promise<void> {
    this.outlived = await this.leftBehind()
    if (this.outlived !== null && this.waiting === null) this.waitForEnd(FIRST_PAUSE_MS)
  }

  close(): void {
    this.isClosed = true
    if (this.waiting !== null) clearTimeout(this.waiting)
  }

  private waitForEnd(pauseMs: number): void {
    if (this.isClosed) return
    const lookAgain = async (): Promise<void> => {
      if ((await this.leftBehind()) !== null) return this.waitForEnd(Math.min(pauseMs * 2, MAX_PAUSE_MS))
      this.waiting = null
      await this.onceGone(() => {
        // Another run may have left something in the meantime.
        if (this.waiting === null) this.outlived = null
      })
    }
    this.waiting = setTimeout(() => {
      lookAgain().catch((error: unknown) => {
        this.waiting = null
        this.options.log.warn('Could not find out whether what an agent left running has ended', {
          error: String(error),
        })
      })
    }, pauseMs).unref()
  }

  /**
   * Returns who made a change that is found now; `isRunning`: this workspace's own agent has been started and has not ended. Considered in
   * this order: an agent within reach of the files, an attempt that was cut off with the supervisor, processes that an agent left behind,
   * and otherwise the operator, outside the app. Looks at the machine's processes only if nothing is known before.
   */
  async find(isRunning: boolean): Promise<Author> {
    const { agentsAtWork, workspaceId, ledger } = this.options
    const other = agentsAtWork.otherInReach(workspaceId)
    const found = agentsAtWork.inReach(workspaceId)
    const isAnnounced = found?.workspaceId === workspaceId && !isRunning
    // This workspace's agent is announced but not started, so it has changed nothing; another's agent may have.
    if (isAnnounced && other === null) return { kind: 'operator', by: 'outside' }
    const agent = isAnnounced ? other : found
    if (agent !== null) {
      const isOwn = agent.workspaceId === workspaceId
      const whose = isOwn ? `${agent.agentId} ran` : `${agent.agentId} ran in ${agent.workspaceName}`
      return {
        kind: 'agent',
        attemptIds: isOwn ? agent.attemptIds : [],
        during: whose,
        cycle: isOwn ? agent.cycle : null,
      }
    }
    const { running } = ledger.state
    // The supervisor was killed while an attempt ran, so nothing watched that agent when this changed.
    if (running?.attempt != null && !isRunning) {
      const during = 'an attempt was cut off'
      return { kind: 'agent', attemptIds: [running.attempt.attemptId], during, cycle: running.cycle }
    }
    const left = this.outlived ?? (await this.leftBehind())
    if (left === null) return { kind: 'operator', by: 'outside' }
    await this.noteLeftBehind()
    return { kind: 'agent', attemptIds: [], during: left, cycle: null }
  }

  private leftBehind(): Promise<string | null> {
    const { directory, leftBehind } = this.options
    return leftBehind(CUSTODY_FILES.map((name) => join(directory, name)))
  }
}
