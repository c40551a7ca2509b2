import { sep } from 'node:path'
import { COMMAND_HEADER } from '../../api/endpoints.ts'
import type { Takes } from '../../api/procedures/base.ts'
import { quoteAgent } from '../../core/text/quote.ts'
import { CONFIRMATION } from '../../core/vocabulary/permission.ts'
import type { Authority } from '../authority/authority.ts'
import { takeRefusedCommands } from '../authority/refused-commands.ts'
import { type Asked, asAskedBy, type RequestOrigin } from '../authority/request-origin.ts'
import { takesAt } from '../authority/takes.ts'
import type { Admit, Arriving } from '../ports/admission.ts'
import type { Log } from '../ports/log.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { Operator } from '../ports/operator.ts'
import { isAnythingStarted } from '../process/started-programs.ts'
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

/** A request in words: the method and path, or the command of the program that sent it. */
interface Request extends Pick<Arriving, 'pathname'> {
  readonly words: string
}

/**
 * Admits or refuses requests by their sender. Each procedure checks its own declaration again, whatever its path looked like;
 * deciding here saves the host from reading the bodies of refused requests.
 */
export function createAdmission(options: AdmissionOptions): Admit {
  const { authority, log } = options
  const notified = new Set<string>()
  return async ({ request, pathname, isPage }) => {
    const origin = await authority.originOf(request, isPage)
    const asked = { pathname, words: wordsOf(request, pathname) }
    const record = (): Promise<void> =>
      recordOnce(options, origin, asked, notified).catch((error: unknown) =>
        log.error('A request that was refused could not be recorded', { error: String(error) }),
      )
    const own = ownWorkspace(options, origin)
    const refuse = async ({ takes, workspace }: Asked): Promise<string | null> => {
      const refusal = isAgents(options, origin)
        ? refusalOfAgents(takes, workspace, own)
        : takes === 'operator'
          ? await confirmIfRunning(options, origin, asked)
          : null
      if (refusal !== null) await record()
      return refusal
    }
    const inName = <T>(work: () => T): T => asAskedBy(origin, work, { refuse, workspace: own?.id })
    const takes = takesAt(request.method, pathname)
    if (isAgents(options, origin)) {
      if (takes === 'agent') return { refusal: null, isAgents: true, inName }
      await record()
      return { refusal: REFUSED, inName }
    }
    // Every other operator-only request is a procedure, which checks the sender itself.
    return {
      refusal: pathname === SESSION_CODE ? await refuse({ takes: 'operator', workspace: undefined }) : null,
      inName,
    }
  }
}

const REFUSED =
  'This is a process of an agent that Pulseward supervises, of a check, or of what either left behind. It may report and read its own task, and nothing else. The operator has been notified.'

/** True if the request comes from an agent, or may: while one runs, a sender that cannot be traced could be one. */
function isAgents(options: AdmissionOptions, { who }: RequestOrigin): boolean {
  return who === 'agent' || (who === 'unknown' && (runningIn(options) !== undefined || isAnythingStarted()))
}

function runningIn({ workspaces }: AdmissionOptions): WorkspaceRuntime | undefined {
  return workspaces().find(({ ledger }) => ledger.state.running?.attempt != null)
}

/** Returns why a request is refused: an agent's process may only ask about its own workspace. */
function refusalOfAgents(
  takes: Takes,
  workspace: string | undefined,
  own: WorkspaceRuntime | undefined,
): string | null {
  if (takes !== 'agent' || own === undefined) return REFUSED
  return workspace === undefined || workspace === own.id ? null : REFUSED
}

/** Returns the workspace of an agent's process; `undefined` for another program, or if it can't be determined. */
function ownWorkspace(options: AdmissionOptions, origin: RequestOrigin): WorkspaceRuntime | undefined {
  if (!isAgents(options, origin)) return undefined
  const all = options.workspaces()
  return workspaceAt(all, origin.directory ?? null) ?? (all.length === 1 ? all[0] : undefined)
}

/** Returns the innermost workspace that contains the directory. */
function workspaceAt(
  all: readonly WorkspaceRuntime[],
  directory: string | null,
): WorkspaceRuntime | undefined {
  if (directory === null) return undefined
  return all
    .filter((one) => isWithin(directory, one.directory))
    .toSorted((left, right) => right.directory.length - left.directory.length)[0]
}

/** The command line's own name for the request, if it sends one. Any program can send it, so it doesn't identify the sender. */
const COMMAND_WORDS = /^[a-z][\w -]{0,79}$/

function wordsOf({ method = '', headers }: Arriving['request'], pathname: string): string {
  const command = headers[COMMAND_HEADER]
  return typeof command === 'string' && COMMAND_WORDS.test(command)
    ? `pulseward ${command}`
    : `${method} ${pathname}`.slice(0, 300)
}

/** Asks the operator to confirm a request that can't be traced to them while an attempt runs. `null`: it may proceed. */
async function confirmIfRunning(
  options: AdmissionOptions,
  origin: RequestOrigin,
  asked: Request,
): Promise<string | null> {
  if (origin.who !== 'program') return null
  const running = runningIn(options)
  return running === undefined ? null : confirm(options, running, origin, asked)
}

/** Returns `null` if the operator allows it. */
async function confirm(
  { operator }: AdmissionOptions,
  runtime: WorkspaceRuntime,
  { from }: RequestOrigin,
  { words, pathname }: Request,
): Promise<string | null> {
  const attempt = runtime.ledger.state.running?.attempt
  const who = from === '' ? UNTRACED : from
  const refused = `An attempt is running, and this request (from ${who}) can’t be traced to a terminal, page or app, so it needs your confirmation. Confirm it in the app, ask from a terminal, or ask again when the attempt has ended.`
  // A desktop retries by itself, and its own event stream must not count as an operator who could allow it.
  if (pathname === SESSION_CODE) return refused
  const answer = await operator.ask(
    {
      tool: CONFIRMATION,
      target: words,
      title:
        'An attempt is running, and this program can’t be traced to a terminal, page or app: it may be the agent’s. Allow it only if you started it.',
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

const UNTRACED = 'a program that could not be traced'

/**
 * Records and notifies once per task of a heartbeat, no matter how often it is tried; requests that may not be an agent's are counted
 * separately.
 */
async function recordOnce(
  options: AdmissionOptions,
  { who, from, directory }: RequestOrigin,
  { words }: Request,
  notified: Set<string>,
): Promise<void> {
  const all = options.workspaces()
  const own = who === 'agent' ? workspaceAt(all, directory ?? null) : undefined
  const runtime = own ?? runningIn(options) ?? all[0]
  if (runtime === undefined) return
  const { running } = runtime.ledger.state
  const key = `${runtime.id}:${running?.cycle ?? ''}:${running?.attempt?.taskId ?? ''}:${who === 'agent'}`
  if (notified.has(key)) return
  if (notified.size >= MAX_NOTIFIED) notified.clear()
  notified.add(key)
  await recordTouched(runtime, options.notifier, {
    asked_for: words,
    process: from === '' ? UNTRACED : from,
    ...(who !== 'agent' && { attributed: false }),
  })
}

async function recordTouched(
  { id, name, ledger }: WorkspaceRuntime,
  notifier: Notifier,
  what: {
    readonly asked_for: string
    readonly process: string
    readonly at?: string
    /** `false`: the request may come from the agent or the operator. Omitted: it comes from the agent. */
    readonly attributed?: boolean
  },
): Promise<void> {
  const { running, progress } = ledger.state
  const cycle = running?.cycle ?? progress.cycleCount
  const taskId = running?.attempt?.taskId ?? null
  const isAgents = what.attributed !== false
  notifier.notify({
    key: `supervisor-touched:${id}:${cycle}:${taskId ?? ''}:${isAgents}`,
    about: 'contractWeakened',
    // Nothing was done, and it may have been the operator.
    ...(!isAgents && { severity: 'warning' as const }),
    workspaceId: id,
    title: isAgents ? `${name}: the agent reached for Pulseward` : `${name}: a request was refused`,
    body: isAgents
      ? `${what.process} asked for ${quoteAgent(what.asked_for)}. It was refused. Look at what the agent did before you rely on it.`
      : `While an attempt ran, ${what.process} asked for ${quoteAgent(what.asked_for)}. It was refused: it may be yours or the agent’s.`,
  })
  await ledger.append({
    type: 'intervention-raised',
    cycle,
    // Without a task, so that a request that may not be the agent's doesn't hide one that is.
    taskId: isAgents ? taskId : null,
    intervention: {
      event_type: 'supervisor_touched',
      severity: isAgents ? 'critical' : 'warning',
      details: { ...what, attempt_id: running?.attempt?.attemptId ?? null },
    },
  })
}

/** Records and notifies what agents' processes were refused while no host ran. Never rejects. */
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
