import { randomUUID } from 'node:crypto'
import type { ChangeRequest, Changes, Verification } from '../../api/procedures/changes.ts'
import { RequestProblem } from '../../api/request-problem.ts'
import { changeView } from '../../core/change/change-view.ts'
import { type ApprovedCommands, type AskedCommands, mayRun } from '../../core/change/consent.ts'
import type { ChangeStep } from '../../core/change/steps.ts'
import type { ChangeVerdict } from '../../core/change/types.ts'
import { timestamp } from '../../core/pacing/schedule.ts'
import { verifyHere } from '../change/open-verify.ts'
import { ChangeProblem } from '../change/repository.ts'
import type { Log } from '../ports/log.ts'
import type { EventHub } from './event-hub.ts'
import type { Closers, OwnerOptions } from './host-options.ts'
import { installationOf } from './open-host-updates.ts'
import type { WorkspaceRuntime } from './workspace-runtime.ts'
import type { Workspaces } from './workspaces.ts'

/** Verifies changes in workspaces' repositories, one at a time per workspace, and keeps each last verdict in memory. */
export interface ChangeDesk {
  state(workspace: string): Changes
  /**
   * Starts immediately. Throws a `RequestProblem` if one is running. `consentTo`: the last verification, whose question the operator has
   * answered with yes.
   */
  start(runtime: WorkspaceRuntime, request: ChangeRequest, consentTo?: string): void
  /** Resolves once nothing of it is running. */
  cancel(workspace: string): Promise<void>
  /** Returns the full verdict of the verification with that id; `null` if it is not the last one, or has none. */
  verdict(workspace: string, id: string): ChangeVerdict | null
}

interface Running extends Pick<Verification, 'id' | 'request' | 'startedAt'> {
  readonly abort: AbortController
  step: ChangeStep
  done: Promise<void>
}

interface Kept extends Result {
  readonly verification: Verification
}

export function openChangeDesk(
  options: OwnerOptions,
  {
    workspaces,
    hub,
    closers,
  }: { readonly workspaces: Workspaces; readonly hub: EventHub; readonly closers: Closers },
): ChangeDesk {
  const changed = (workspace: string): void => hub.emit({ type: 'change-updated', workspace })
  const running = new Map<string, Running>()
  const kept = new Map<string, Kept>()

  const cancel = async (workspace: string): Promise<void> => {
    const one = running.get(workspace)
    one?.abort.abort()
    await one?.done
  }
  const unobserve = hub.observe(({ type }) => {
    if (type !== 'workspaces-changed') return
    const ids = new Set(workspaces.all().map(({ id }) => id))
    for (const id of running.keys()) if (!ids.has(id)) void cancel(id)
    for (const id of kept.keys()) if (!ids.has(id)) kept.delete(id)
  })
  closers.push(async () => {
    unobserve()
    await Promise.all([...running.keys()].map(cancel))
  })

  return {
    state: (workspace) => {
      const one = running.get(workspace)
      return {
        running:
          one === undefined
            ? null
            : { id: one.id, request: one.request, startedAt: one.startedAt, step: one.step },
        last: kept.get(workspace)?.verification ?? null,
      }
    },
    start: (runtime, request, consentTo) => {
      if (running.has(runtime.id))
        throw new RequestProblem(
          'conflict',
          `A change of ${runtime.name} is being verified. Wait for its verdict, or cancel it.`,
        )
      const one: Running = {
        ...{ id: randomUUID(), request, abort: new AbortController(), step: 'reading' },
        startedAt: timestamp(options.clock.nowMs(), 'local'),
        done: Promise.resolve(),
      }
      const last = kept.get(runtime.id)
      const allowed = last?.verification.id === consentTo ? (last?.asked ?? []) : []
      running.set(runtime.id, one)
      one.done = verify({ ...options, changed }, runtime, one, allowed).then((result) => {
        const { id, startedAt } = one
        running.delete(runtime.id)
        kept.set(runtime.id, {
          ...result,
          verification: { ...{ id, request, startedAt }, outcome: result.outcome },
        })
        changed(runtime.id)
      })
      changed(runtime.id)
    },
    cancel,
    verdict: (workspace, id) => {
      const last = kept.get(workspace)
      return last?.verification.id === id ? last.verdict : null
    },
  }
}

interface Result {
  readonly outcome: Verification['outcome']
  readonly verdict: ChangeVerdict | null
  /** Commands that were not allowed to run. */
  readonly asked: readonly AskedCommands[]
}

/** Judges with the same function as the command line. Never rejects. */
async function verify(
  options: OwnerOptions & { readonly changed: (workspace: string) => void },
  runtime: WorkspaceRuntime,
  one: Running,
  allowed: readonly AskedCommands[],
): Promise<Result> {
  const { dataDirectory, version, log, changed } = options
  const { base, head, worktree, measure, claims } = one.request
  const installation = installationOf(options)
  let asked: readonly AskedCommands[] = []
  try {
    const verdict = await verifyHere({
      directory: runtime.directory,
      ...{ base, head, worktree, claims, dataDirectory, installation, version },
      part: measure ? 'all' : 'custody',
      taskIds: [],
      config: undefined,
      useCache: true,
      consents: async (folders) => {
        if (mayRun(folders, approvedOf(runtime), allowed)) return true
        asked = folders
        return false
      },
      onStep: (step) => {
        one.step = step
        changed(runtime.id)
      },
      signal: one.abort.signal,
    })
    if (one.abort.signal.aborted) return { outcome: { kind: 'canceled' }, verdict: null, asked }
    return { outcome: { kind: 'judged', change: changeView(verdict) }, verdict, asked }
  } catch (error) {
    return { outcome: outcomeOf(error, one.abort.signal, asked, log), verdict: null, asked }
  }
}

function outcomeOf(
  error: unknown,
  signal: AbortSignal,
  asked: readonly AskedCommands[],
  log: Log,
): Verification['outcome'] {
  if (signal.aborted) return { kind: 'canceled' }
  if (asked.length > 0)
    return { kind: 'needs-consent', commands: [...new Set(asked.flatMap(({ commands }) => commands))] }
  if (error instanceof ChangeProblem)
    return {
      kind: 'problem',
      problem: error.exitCode === 2 ? 'usage' : 'unavailable',
      message: error.message,
    }
  const message = error instanceof Error ? error.message : String(error)
  log.error('A change could not be verified', { error: error instanceof Error ? error.stack : message })
  return { kind: 'problem', problem: 'unavailable', message: `Pulseward failed: ${message}` }
}

function approvedOf({ directory, ledger, loop }: WorkspaceRuntime): readonly ApprovedCommands[] {
  const configSha256 = ledger.approvedHash
  if (configSha256 === null || loop.config === null) return []
  return [{ directory, configSha256, gates: loop.config.gates.commands }]
}
