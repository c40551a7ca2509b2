import { type Authority, mayAsk } from '../authority/authority.ts'
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
const MAX_TOLD = 1_000

/** What changes score or trust, as a plain path or as a procedure's. */
const CHANGES_TRUST_OR_SCORE =
  /^\/(?:api|rpc)\/(?:score\/feedback|attempts\/(?:[^/]+\/)?overrule|workspaces\/(?:[^/]+\/trust|approve)|tasks\/(?:[^/]+\/)?(?:unblock|retry|undo)[^/]*|proposals\/.+|review\/.+|contract(?:\/put)?|configuration(?:\/put)?|interventions\/(?:reset|lift)[^/]*)$/i

/** Lets in what the one who asks may ask for: an agent's process its own task alone, everybody else everything. */
export function createAdmission(options: AdmissionOptions): Admit {
  const { authority, log } = options
  const told = new Set<string>()
  return async (arriving) => {
    const { request, pathname, isPage } = arriving
    const origin = await authority.originOf(request, isPage)
    const inName = <T>(work: () => T): T => asAskedBy(origin, work)
    if (origin.who === 'agent') {
      if (mayAsk(request.method, pathname)) return { refusal: null, inName }
      await tellTouched(options, origin, arriving, told).catch((error: unknown) =>
        log.error('A request of an agent could not be recorded', { error: String(error) }),
      )
      return { refusal: REFUSED, inName }
    }
    if (origin.who !== 'program' || !needsWord(arriving)) return { refusal: null, inName }
    const running = options.workspaces().find(({ ledger }) => ledger.state.running?.attempt != null)
    if (running === undefined) return { refusal: null, inName }
    return { refusal: await confirm(options, running, origin, arriving), inName }
  }
}

const REFUSED =
  'This is a process of an agent that Pulseward supervises, of a check, or of what either left behind. It may report and read its own task, and nothing else. The operator has been told.'

function needsWord({ request, pathname }: Arriving): boolean {
  return request.method !== 'GET' && CHANGES_TRUST_OR_SCORE.test(pathname)
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
  const answer = await operator.ask(
    {
      tool: 'pulseward',
      target: `${request.method ?? ''} ${pathname}`,
      title: `${who} wants to change score or trust while an attempt runs`,
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
  if (answer === 'allowed') return null
  return `An attempt runs, and this request (of ${who}) can be traced to no terminal, page or app: it changes score or trust, so it needs your word. Confirm it in the app, ask from a terminal, or ask again when the attempt has ended.`
}

/** Recorded and told once for each task of a heartbeat, however often it is tried. */
async function tellTouched(
  { workspaces, notifier }: AdmissionOptions,
  origin: RequestOrigin,
  { request, pathname }: Arriving,
  told: Set<string>,
): Promise<void> {
  const all = workspaces()
  const runtime = all.find(({ ledger }) => ledger.state.running?.attempt != null) ?? all[0]
  if (runtime === undefined) return
  const { running, progress } = runtime.ledger.state
  const cycle = running?.cycle ?? progress.cycleCount
  const taskId = running?.attempt?.taskId ?? null
  const key = `supervisor-touched:${runtime.id}:${cycle}:${taskId ?? ''}`
  if (told.has(key)) return
  if (told.size >= MAX_TOLD) told.clear()
  told.add(key)
  const what = `${request.method ?? ''} ${pathname}`
  notifier.notify({
    key,
    about: 'contractWeakened',
    workspaceId: runtime.id,
    title: `${runtime.name}: the agent reached for Pulseward`,
    body: `${origin.from} asked for ${what}. It was refused.`,
  })
  await runtime.ledger.append({
    type: 'intervention-raised',
    cycle,
    taskId,
    intervention: {
      event_type: 'supervisor_touched',
      severity: 'critical',
      details: { asked_for: what, process: origin.from, attempt_id: running?.attempt?.attemptId ?? null },
    },
  })
}
