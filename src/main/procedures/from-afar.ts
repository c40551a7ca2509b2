import { createRouterClient } from '@orpc/server'
import type { ApiClient } from '../../api/client.ts'
import { RequestProblem } from '../../api/request-problem.ts'
import type { Ask } from '../../core/fleet/ask.ts'
import type { AskOutcome } from '../../core/vocabulary/fleet.ts'
import { verdictInWords } from '../../core/vocabulary/verdict.ts'
import { asAskedBy } from '../authority/request-origin.ts'
import type { HostParts } from '../host/host-parts.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { workspaceView } from '../host/workspace-views.ts'
import type { AskedDesk } from '../ports/fleet.ts'
import { router } from './router.ts'

/** A heartbeat that has not started after this time is reported as requested. */
const QUEUED_MS = 20_000
const OPENING_MS = 500
const OPENING_TRIES = 240

/**
 * Carries out what an operator requested remotely, in their name and with the same procedures that local callers use. The record has the
 * request and its result; the answer says what was observed.
 */
export function fromAfar(host: HostParts): AskedDesk {
  const client = createRouterClient(router, { context: { host } })
  return {
    carryOut: async (ask) => {
      await host.workspaces.whenOpen(undefined)
      const runtime = workspaceOf(host, ask.workspace)
      const effect = ask.action === 'look' ? '' : await recorded(host, client, runtime, ask)
      // The path of its folder stays here.
      return { workspace: { ...workspaceView(runtime), path: '' }, effect }
    },
    interrupted: async ({ id, operator, workspace, action }) => {
      const effect = 'Pulseward ended before it answered. Check whether it was done.'
      const runtime = await onceOpen(host, workspace)
      if (runtime === null || (await isAnswered(runtime, id))) return
      await runtime.ledger.append({
        type: 'answered-from-afar',
        id,
        operator,
        action,
        outcome: 'interrupted',
        effect,
      })
    },
  }
}

/** Returns the workspace once it is open, since a starting host opens them one after another. `null`: it is gone, or the host stops. */
async function onceOpen(
  { workspaces, clock, ending }: HostParts,
  named: string,
): Promise<WorkspaceRuntime | null> {
  for (let tries = 0; tries < OPENING_TRIES && !ending.aborted; tries += 1) {
    const found = workspaces.all().find(({ id, name }) => id === named || name === named)
    if (found !== undefined) return found
    await clock.sleep(OPENING_MS, ending)
  }
  return null
}

/** The last events that are searched for a request that was answered just before the host ended. */
const LAST_EVENTS = 500

/** True if the record already has the result of a request; then only the list of open ones was not saved in time. */
async function isAnswered({ ledger }: WorkspaceRuntime, id: string): Promise<boolean> {
  const last = await ledger.read(Math.max(1, ledger.state.seq - LAST_EVENTS + 1), LAST_EVENTS)
  return last.some((event) => event.type === 'answered-from-afar' && event.id === id)
}

async function recorded(
  host: HostParts,
  client: ApiClient,
  runtime: WorkspaceRuntime,
  ask: Ask,
): Promise<string> {
  const { id, operator, action, about, reason } = ask
  await runtime.ledger.append({ type: 'asked-from-afar', id, operator, action, about, reason })
  const answer = (outcome: AskOutcome, effect: string) =>
    runtime.ledger.append({ type: 'answered-from-afar', id, operator, action, outcome, effect })
  try {
    const origin = { who: 'operator', from: operator, pid: null } as const
    const effect = await asAskedBy(origin, () => carryOut(host, client, runtime, ask))
    await answer('done', effect)
    return effect
  } catch (error) {
    await answer('failed', error instanceof Error ? error.message : String(error))
    throw error
  }
}

function workspaceOf({ workspaces }: HostParts, named: string): WorkspaceRuntime {
  const found = workspaces.all().filter(({ id, name }) => id === named || name === named)
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  // Looks it up by its id, or throws the reason.
  return workspaces.get(named)
}

/** Carries out a request. Returns what was observed, as a sentence; rejects with a `RequestProblem` if nothing was done. */
async function carryOut(
  host: HostParts,
  client: ApiClient,
  runtime: WorkspaceRuntime,
  ask: Ask,
): Promise<string> {
  const { id: workspace, name, ledger } = runtime
  const { until } = ask
  const reason = ask.reason ?? undefined
  switch (ask.action) {
    case 'look':
      return ''
    case 'pause': {
      const { paused } = await client.heartbeat.pause({ workspace, until })
      if (paused === null) throw new RequestProblem('conflict', `${name} was not paused.`)
      const running = ledger.state.running?.cycle
      const still =
        running === undefined ? '' : ` Heartbeat ${running} is still running and is finished first.`
      return `${name} is paused${paused.until === null ? ' until it is resumed' : ` until ${paused.until}`}.${still}`
    }
    case 'resume':
      return resume(client, runtime, ask)
    case 'run':
      return run(host, client, runtime)
    case 'stop':
      return stop(client, runtime)
    case 'unblock': {
      const id = aboutOf(ask, 'task')
      await client.tasks.unblock({ workspace, id, ...(reason !== undefined && { reason }) })
      return `${id} is unblocked: it has its attempts back.`
    }
    case 'accept':
    case 'refuse':
      return answerWork(client, runtime, ask)
  }
}

/** Stops the attempt. One that ends by itself at the same moment is judged, and then nothing was stopped. */
async function stop(client: ApiClient, { id: workspace, name, ledger }: WorkspaceRuntime): Promise<string> {
  const { seq, running } = ledger.state
  await client.heartbeat.stop({ workspace })
  const since = await ledger.read(seq + 1, LAST_EVENTS)
  const ended = since.find((event) => event.type === 'cycle-finished')
  const cycle = ended?.cycle ?? running?.cycle
  const heartbeat = cycle === undefined ? 'The heartbeat' : `Heartbeat ${cycle}`
  if (ended === undefined || ended.ending === 'stopped')
    return `${heartbeat} of ${name} was stopped. The stopped attempt is not scored.`
  throw new RequestProblem('conflict', `${heartbeat} of ${name} ended by itself before it could be stopped.`)
}

/** Does what `pulseward resume` does: ends both a pause and a suspension. */
async function resume(
  client: ApiClient,
  { id: workspace, name, ledger, loop }: WorkspaceRuntime,
  { operator, reason }: Ask,
): Promise<string> {
  const { suspended, paused } = ledger.state
  if (suspended === null && paused === null)
    throw new RequestProblem('conflict', `${name} is neither suspended nor paused. ${loop.next.reason}`)
  if (suspended !== null)
    await client.heartbeat.liftSuspension({ workspace, reason: reason ?? `Resumed from afar by ${operator}` })
  if (paused !== null) await client.heartbeat.resume({ workspace })
  const lifted = [...(suspended === null ? [] : ['suspended']), ...(paused === null ? [] : ['paused'])]
  return `${name} is no longer ${lifted.join(' or ')}. ${loop.next.reason}`
}

/** Resolves once a heartbeat has started, or waits for its slot; rejects if it does not start. */
async function run(host: HostParts, client: ApiClient, runtime: WorkspaceRuntime): Promise<string> {
  const { id: workspace, name, ledger } = runtime
  const before = ledger.state.progress.cycleCount
  const begun = (): number | null => {
    const { running } = ledger.state
    return running !== null && running.cycle > before ? running.cycle : null
  }
  const ended = new AbortController()
  let unobserve = (): void => {}
  const started = new Promise<string>((resolve) => {
    const look = (): void => {
      const cycle = begun()
      if (cycle !== null) resolve(`Heartbeat ${cycle} of ${name} has begun.`)
    }
    unobserve = host.hub.observe(look)
  })
  const done = client.heartbeat.run({ workspace, wait: true }).then((report) => {
    const cycle = report?.cycle ?? before
    if (cycle > before) return `Heartbeat ${cycle} of ${name} has run.`
    throw new RequestProblem('conflict', `No heartbeat of ${name} began: there was nothing to do.`)
  })
  // Failures after the start are in its record.
  done.catch(() => undefined)
  const queued = host.clock
    .sleep(QUEUED_MS, ended.signal)
    .then(() => `A heartbeat of ${name} was requested and has not begun yet. ${runtime.loop.next.reason}`)
  try {
    return await Promise.race([started, done, queued])
  } finally {
    ended.abort()
    unobserve()
  }
}

async function answerWork(
  client: ApiClient,
  { id: workspace, ledger }: WorkspaceRuntime,
  ask: Ask,
): Promise<string> {
  const { action, reason } = ask
  const id = aboutOf(ask, 'attempt or proposal')
  const isAccepted = action === 'accept'
  const proposal = ledger.state.proposals.find((each) => each.id === id)
  if (proposal === undefined) {
    const answer = isAccepted ? 'accept' : 'refuse'
    await client.review.answer({ workspace, id, answer, ...(reason !== null && { reason }) })
    const verdict = ledger.state.attempts.find((each) => each.attemptId === id)?.verdict
    return `${id} was ${answer === 'accept' ? 'accepted' : 'refused'}${verdict == null ? '' : `: ${verdictInWords(verdict)}`}.`
  }
  if (isAccepted && proposal.file === 'pulseward.toml')
    throw new RequestProblem(
      'conflict',
      `${id} changes the configuration, which is approved on its host alone: pulseward proposals accept ${id}`,
    )
  await client.proposals.answer({ workspace, id, answer: isAccepted ? 'accept' : 'revert' })
  return `The change ${id} of ${proposal.file} was ${isAccepted ? 'accepted' : 'reverted'}.`
}

function aboutOf({ about, action }: Ask, what: string): string {
  if (about !== null) return about
  throw new RequestProblem('bad-request', `Which ${what} is to ${action}? Name its id.`)
}
