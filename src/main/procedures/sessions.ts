import { RequestProblem } from '../../api/request-problem.ts'
import { sessionViews } from '../../core/read-model/session.ts'
import { SESSION_AGENT_NAMES } from '../../core/vocabulary/session.ts'
import { askedBy } from '../authority/request-origin.ts'
import { textPatch } from '../files/text-patch.ts'
import type { HostParts } from '../host/host-parts.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { projectsOfWorkspace } from '../sessions/hook-index.ts'
import { installReviewed } from '../sessions/install-reviewed.ts'
import { type HookChange, hookStatus, planInstall, setMode, uninstallHook } from '../sessions/installation.ts'
import { os, workspaceOf } from './implementer.ts'
import { taskIds } from './notes.ts'

const MAX_PATCH_BYTES = 64 * 1024
const MOST = 50

export const sessions = {
  list: os.sessions.list.handler(({ input, context }) => ({
    sessions: viewsOf(workspaceOf(input, context), context.host, input.last),
  })),
  turn: os.sessions.turn.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const [event] = await runtime.ledger.read(input.seq, 1)
    if (event?.type !== 'turn-judged' || event.seq !== input.seq)
      throw new RequestProblem('not-found', `There is no turn ${input.seq} in the record of ${runtime.name}.`)
    return event
  }),
  name: os.sessions.name.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    await refuseUnknownTask(runtime, input.task)
    const session = await context.host.sessions.nameTask(runtime.id, input.session, input.task)
    if (session === null) throw noSession(runtime, input.session)
    context.host.workspaces.changed(runtime)
    return oneOf(runtime, context.host, session)
  }),
  see: os.sessions.see.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const { ledger } = runtime
    const { sessions: all, unreviewed } = ledger.state
    const undecided = all.flatMap(({ sessionId, needsDecision }) => (needsDecision ? [sessionId] : []))
    // Of a session that is no longer kept, too.
    const contradicted = unreviewed.waiting.flatMap(({ session }) => session?.id ?? [])
    const waiting = new Set([...undecided, ...contradicted])
    const isKept = all.some(({ sessionId }) => sessionId === input.session)
    if (input.session !== undefined && !isKept && !waiting.has(input.session))
      throw noSession(runtime, input.session)
    for (const sessionId of waiting)
      if (input.session === undefined || sessionId === input.session)
        await ledger.append({ type: 'session-seen', sessionId })
    context.host.workspaces.changed(runtime)
    return { sessions: viewsOf(runtime, context.host, MOST) }
  }),
  hook: os.sessions.hook.handler(async ({ input, context }) => {
    const who = askedBy()?.who
    // A supervised agent is judged by its heartbeat, and by nothing that it says here.
    if (who === 'agent' || who === 'unknown') return { document: null }
    return { document: await context.host.sessions.answer(input) }
  }),
}

export const hooks = {
  status: os.hooks.status.handler(({ context }) => statusOf(context.host)),
  plan: os.hooks.plan.handler(async ({ input, context: { host } }) => {
    const { path, before, after } = await planInstall(host.hookPlace, input.agent)
    // Without a difference it is already installed.
    if (before === after) return { path, patch: null }
    const patch = textPatch(path, before ?? '', after ?? '', MAX_PATCH_BYTES)
    return { path, patch: patch ?? '\\ The difference is too large to be shown\n' }
  }),
  install: os.hooks.install.handler(async ({ input, context: { host } }) => {
    await installReviewed(host.hookPlace, input.agent, { mode: input.mode, version: host.version })
    return statusOf(host)
  }),
  uninstall: os.hooks.uninstall.handler(async ({ input, context: { host } }) => {
    await recordRemoval(host, await uninstallHook(host.hookPlace, input.agent))
    return statusOf(host)
  }),
  mode: os.hooks.mode.handler(async ({ input, context: { host } }) => {
    await setMode(host.hookPlace, input.agent, input.mode)
    return statusOf(host)
  }),
}

async function statusOf(host: HostParts) {
  const projects = host.workspaces.all().flatMap(({ directory }) => projectsOfWorkspace(directory))
  return { agents: [...(await hookStatus(host.hookPlace, projects))] }
}

/** Records the hook's removal in workspaces where a session of the program is running. */
async function recordRemoval(host: HostParts, { agent, path, before, after }: HookChange): Promise<void> {
  if (before === after) return
  const from = askedBy()?.from ?? ''
  for (const runtime of host.workspaces.all()) {
    const session = viewsOf(runtime, host, MOST).find((one) => one.agent === agent && one.running)
    if (session === undefined) continue
    await runtime.ledger.append({
      type: 'hook-removed',
      ...{ agent, path, sessionId: session.sessionId, what: 'uninstalled', prevented: false },
      reason: `It was removed from ${SESSION_AGENT_NAMES[agent]} by \`pulseward hook uninstall\`${from === '' ? '' : ` (${from})`}.`,
    })
    host.workspaces.changed(runtime)
  }
}

function viewsOf(runtime: WorkspaceRuntime, { clock }: HostParts, last: number) {
  return sessionViews(runtime.ledger.state, { workspace: runtime.id, nowMs: clock.nowMs(), last })
}

function oneOf(runtime: WorkspaceRuntime, host: HostParts, sessionId: string) {
  const view = viewsOf(runtime, host, MOST).find((one) => one.sessionId === sessionId)
  if (view === undefined) throw noSession(runtime, sessionId)
  return view
}

function noSession({ name }: WorkspaceRuntime, session: string | undefined): RequestProblem {
  return new RequestProblem(
    'not-found',
    session === undefined
      ? `There is no session in ${name} yet. Install the hook with \`pulseward hook install\`, then start your agent there.`
      : `There is no session ${JSON.stringify(session)} in ${name}. See \`pulseward sessions\`.`,
  )
}

async function refuseUnknownTask(runtime: WorkspaceRuntime, task: string | null): Promise<void> {
  if (task === null) return
  const known = await taskIds(runtime)
  if (!known.includes(task))
    throw new RequestProblem(
      'not-found',
      `There is no task ${JSON.stringify(task)} in ${runtime.name}; its tasks are: ${known.join(', ') || 'none'}.`,
    )
}
