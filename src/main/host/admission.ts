import { sep } from 'node:path'
import { CONFIRMATION } from '../../core/vocabulary/permission.ts'
import { type Authority, mayAsk } from '../authority/authority.ts'
import { needsWord } from '../authority/needs-word.ts'
import { takeRefusedCommands } from '../authority/refused-commands.ts'
import { asAskedBy, type RequestOrigin } from '../authority/request-origin.ts'
import type { Admit, Arriving } from '../ports/admission.ts'
import type { Log } from '../ports/log.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { Operator } from '../ports/operator.ts'
import type { WorkspaceRuntime } from './workspace-runtime.ts'

export interface AdmissionOptions {
  readonly authority: Authority
  readonly workspaces: () => readonly WorkspaceRuntime[]
  readonly operator: Operator
  readonly notifier: Notifier
  readonly log: Log
}

const CONFIRMATION_MS = 60_000
const MAX_NOTIFIED = 1_000
const SESSION_CODE = '/api/session/code'

/** Lets in what the one who asks may ask for: an agent's process its own task alone, everybody else everything. */
export function createAdmission(options: AdmissionOptions): Admit {
  const { authority, log } = options
  const notified = new Set<string>()
  return async (arriving) => {
    const { request, pathname, isPage } = arriving
    const origin = await authority.originOf(request, isPage)
    const confirmed = (): Promise<string | null> => confirmIfRunning(options, origin, arriving)
    const inName = <T>(work: () => T): T => asAskedBy(origin, confirmed, work)
    if (origin.who === 'agent') {
      if (mayAsk(request.method, pathname)) return { refusal: null, isAgents: true, inName }
      await recordOnce(options, origin, arriving, notified).catch((error: unknown) =>
        log.error('A request of an agent could not be recorded', { error: String(error) }),
      )
      return { refusal: REFUSED, inName }
    }
    return { refusal: needsWord(request.method, pathname) ? await confirmed() : null, inName }
  }
}

const REFUSED =
  'This is a process of an agent that Pulseward supervises, of a check, or of what either left behind. It may report and read its own task, and nothing else. The operator has been notified.'

/** What cannot be traced to the operator waits for him while an attempt runs. `null`: it may go on. */
async function confirmIfRunning(
  options: AdmissionOptions,
  origin: RequestOrigin,
  arriving: Arriving,
): Promise<string | null> {
  if (origin.who !== 'program') return null
  const running = options.workspaces().find(({ ledger }) => ledger.state.running?.attempt != null)
  return running === undefined ? null : confirm(options, running, origin, arriving)
}

/** `null` where the operator allows it. */
async function confirm(
  { operator }: AdmissionOptions,
  runtime: WorkspaceRuntime,
  { from }: RequestOrigin,
  { request, pathname }: Arriving,
): Promise<string | null> {
  const attempt = runtime.ledger.state.running?.attempt
  const who = from === '' ? 'a program that is gone' : from
  const refused = `An attempt runs, and this request (of ${who}) can be traced to no terminal, page or app: it changes score or trust, so it needs your word. Confirm it in the app, ask from a terminal, or ask again when the attempt has ended.`
  // A desktop asks again by itself; and its own stream of events must not count as somebody who could allow it.
  if (pathname === SESSION_CODE) return refused
  const answer = await operator.ask(
    {
      tool: CONFIRMATION,
      target: `${request.method ?? ''} ${pathname}`,
      title:
        'An attempt runs, and this program can be traced to no terminal, page or app: it may be the agent’s. Allow it only if it is yours.',
      grant: null,
      workspaceId: runtime.id,
      workspaceName: runtime.name,
      attemptId: attempt?.attemptId ?? '',
      taskId: attempt?.taskId ?? '',
      agentId: who,
      allow: [],
    },
    CONFIRMATION_MS,
    new AbortController().signal,
  )
  return answer === 'allowed' ? null : refused
}

/** Recorded and notified once for each task of a heartbeat, however often it is tried. */
async function recordOnce(
  { workspaces, notifier }: AdmissionOptions,
  origin: RequestOrigin,
  { request, pathname }: Arriving,
  notified: Set<string>,
): Promise<void> {
  const all = workspaces()
  const runtime = all.find(({ ledger }) => ledger.state.running?.attempt != null) ?? all[0]
  if (runtime === undefined) return
  const { running } = runtime.ledger.state
  const key = `${runtime.id}:${running?.cycle ?? ''}:${running?.attempt?.taskId ?? ''}`
  if (notified.has(key)) return
  if (notified.size >= MAX_NOTIFIED) notified.clear()
  notified.add(key)
  await recordTouched(runtime, notifier, {
    asked_for: `${request.method ?? ''} ${pathname}`,
    process: origin.from,
  })
}

async function recordTouched(
  { id, name, ledger }: WorkspaceRuntime,
  notifier: Notifier,
  what: { readonly asked_for: string; readonly process: string; readonly at?: string },
): Promise<void> {
  const { running, progress } = ledger.state
  const cycle = running?.cycle ?? progress.cycleCount
  const taskId = running?.attempt?.taskId ?? null
  notifier.notify({
    key: `supervisor-touched:${id}:${cycle}:${taskId ?? ''}`,
    about: 'contractWeakened',
    workspaceId: id,
    title: `${name}: the agent reached for Pulseward`,
    body: `${what.process} asked for ${what.asked_for}. It was refused.`,
  })
  await ledger.append({
    type: 'intervention-raised',
    cycle,
    taskId,
    intervention: {
      event_type: 'supervisor_touched',
      severity: 'critical',
      details: { ...what, attempt_id: running?.attempt?.attemptId ?? null },
    },
  })
}

/** What agents' processes were refused while no host ran is recorded and notified now. Never rejects. */
export async function recordRefusedCommands(
  dataDirectory: string,
  { workspaces, notifier, log }: Pick<AdmissionOptions, 'workspaces' | 'notifier' | 'log'>,
): Promise<void> {
  const all = workspaces()
  for (const { at, command, pid, directory } of await takeRefusedCommands(dataDirectory)) {
    const runtime = all.find((one) => isWithin(directory, one.directory)) ?? all[0]
    if (runtime === undefined) return
    await recordTouched(runtime, notifier, {
      asked_for: `pulseward ${command}`,
      process: `process ${pid}`,
      at,
    }).catch((error: unknown) =>
      log.error('A command of an agent could not be recorded', { error: String(error) }),
    )
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep)
}
