import { DEFAULT_ADAPTIVE_TIMEOUT } from '../../src/core/configuration/adaptive-timeout.ts'
import { isBlocked, openTasks } from '../../src/core/cycle/progress.ts'
import { selectForRetry } from '../../src/core/pacing/unblock.ts'
import type { AttemptResult, EventBody } from '../../src/core/record/events.ts'
import { applyEvent, initialState } from '../../src/core/record/fold.ts'
import { taskHistory } from '../../src/core/record/fold-task-history.ts'
import { planNextTimeout } from '../../src/core/record/next-timeout.ts'
import type { WorkspaceState } from '../../src/core/record/state.ts'
import { attemptFinished, contractRead, cycleStarted } from '../../src/core/record/testing/sample-events.ts'
import { type QueueFigures, type QueueResult, type QueueRun, queueTasks } from './queue.ts'
import { workSeconds } from './work-time.ts'

/** The retry limit of a workspace that sets none. */
const AUTO_UNBLOCKS = 1
const MAX_CYCLES = 50

/**
 * Calculates the queue instead of running it: applies the supervisor's own rules (progress, timeouts, blocking, what is learned
 * from durations) to the same random work times, without processes or a clock. An attempt whose work takes longer than its
 * timeout is wasted, except for the share that is kept.
 */
export function calculateQueue(run: QueueRun): QueueResult {
  const book = new Book(run)
  book.workOff()
  const byItself = book.figures()
  book.retryBlocked()
  book.workOff()
  return { ...run, byItself, afterRetry: book.figures() }
}

class Book {
  readonly #run: QueueRun
  readonly #tasks = queueTasks()
  readonly #attempts: { taskId: string; verified: boolean; seconds: number }[] = []
  /** Seconds of work done in attempts that were stopped. */
  readonly #kept = new Map<string, number>()
  #state: WorkspaceState = initialState()

  constructor(run: QueueRun) {
    this.#run = run
  }

  workOff(): void {
    const { seed, workTimes, timeouts, uiKeywords = [] } = this.#run
    const { complexity } = DEFAULT_ADAPTIVE_TIMEOUT
    const keywords = [...complexity.ui_heavy.keywords, ...uiKeywords]
    const rules = {
      ...DEFAULT_ADAPTIVE_TIMEOUT,
      complexity: { ...complexity, ui_heavy: { ...complexity.ui_heavy, keywords } },
      enabled: timeouts === 'adaptive',
    }
    for (let round = 0; round < MAX_CYCLES; round += 1) {
      this.#readContract()
      const cycle = this.#state.progress.cycleCount + 1
      this.#record(cycleStarted(cycle))
      const open = openTasks(
        this.#state.progress,
        this.#tasks.map(({ id }) => id),
      )
      for (const task of this.#tasks.filter(({ id }) => open.includes(id))) {
        const plan = planNextTimeout({ ...task, criteria: [] }, this.#state, rules)
        this.#attempt(cycle, task.id, plan, workSeconds(workTimes, `${seed}/${task.id}`, task.isUi))
      }
      this.#record({ type: 'cycle-finished', cycle, ending: 'completed' })
      if (open.length === 0) return
    }
  }

  retryBlocked(): void {
    const blocked = this.#blocked().map((taskId) => ({
      taskId,
      autoUnblocks: taskHistory(this.#state, taskId).autoUnblocks,
    }))
    for (const taskId of selectForRetry(blocked, AUTO_UNBLOCKS).unblocked)
      this.#record({
        type: 'task-unblocked',
        taskId,
        reason: 'retried',
        by: 'auto',
        timeoutSeconds: null,
        attemptLimit: null,
      })
  }

  figures(): QueueFigures {
    const blocked = new Set(this.#blocked())
    const completed = this.#completed()
    const ui = this.#tasks.filter(({ isUi }) => isUi)
    return {
      attempts: this.#attempts.length,
      wasted: this.#attempts.filter(({ verified }) => !verified).length,
      blocked: blocked.size,
      uiBlocked: ui.filter(({ id }) => blocked.has(id)).length,
      uiCompleted: ui.filter(({ id }) => completed.has(id)).length,
      uiTasks: ui.length,
      falseAccusations: 0,
      agentSeconds: this.#attempts.reduce((sum, { seconds }) => sum + seconds, 0),
    }
  }

  /** Rewrites the contract as the operator does between heartbeats: checks off what is verified. */
  #readContract(): void {
    const read = contractRead('h', ...this.#tasks.map(({ id }) => id))
    if (read.type !== 'contract-read') return
    const completed = this.#completed()
    const tasks = read.tasks.map((task) => ({
      ...task,
      maxAttempts: this.#run.maxAttempts,
      checked: completed.has(task.id),
    }))
    this.#record({ ...read, hash: `h${this.#state.seq}`, tasks })
  }

  #attempt(
    cycle: number,
    taskId: string,
    { seconds: timeoutSeconds, level }: ReturnType<typeof planNextTimeout>,
    work: number,
  ): void {
    const wanted = work - (this.#kept.get(taskId) ?? 0)
    const verified = wanted <= timeoutSeconds
    const seconds = Math.min(wanted, timeoutSeconds)
    const timedOut: Partial<AttemptResult> = {
      outcome: 'timeout',
      verdict: 'not_verified',
      fault: 'agent',
      points: -15,
    }
    this.#attempts.push({ taskId, verified, seconds })
    this.#kept.set(taskId, this.#keptOf(work, this.#kept.get(taskId) ?? 0, seconds))
    this.#record(
      attemptFinished({
        attemptId: `${cycle}-${taskId}`,
        cycle,
        taskId,
        timeoutSeconds,
        durationMs: seconds * 1000,
        complexity: level,
        ...(verified ? {} : timedOut),
      }),
    )
  }

  /** Returns how much of the work remains after an attempt of this many seconds. */
  #keptOf(work: number, before: number, seconds: number): number {
    const { keptShare01 = 0, parts } = this.#run
    if (parts === undefined) return before + seconds * keptShare01
    const part = work / parts
    return Math.floor((before + seconds) / part + 1e-9) * part
  }

  #completed(): ReadonlySet<string> {
    return new Set(this.#attempts.filter(({ verified }) => verified).map(({ taskId }) => taskId))
  }

  #blocked(): readonly string[] {
    return Object.values(this.#state.progress.tasks)
      .filter(isBlocked)
      .map(({ taskId }) => taskId)
  }

  #record(body: EventBody): void {
    const seq = this.#state.seq + 1
    this.#state = applyEvent(this.#state, { ...body, seq, at: '2026-01-05T10:00:00Z', day: '2026-01-05' })
  }
}
