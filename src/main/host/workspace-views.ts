import { quote } from 'shlex'
import { RequestProblem } from '../../api/request-problem.ts'
import type { WholeWorkspace } from '../../api/schemas/live-event.ts'
import { DEFAULT_ADAPTIVE_TIMEOUT } from '../../core/configuration/adaptive-timeout.ts'
import { encodingProblem } from '../../core/contract/other-encoding.ts'
import { runnableTasks } from '../../core/contract/parse.ts'
import type { Contract } from '../../core/contract/types.ts'
import { localDay, timestamp } from '../../core/pacing/schedule.ts'
import { agentLine } from '../../core/read-model/agent.ts'
import { clockNotice } from '../../core/read-model/clock-notice.ts'
import { type ContractDocument, contractView } from '../../core/read-model/contract-document.ts'
import { FOLDER_MISSING, type Notice } from '../../core/read-model/notice.ts'
import { type Score, scoreView } from '../../core/read-model/score.ts'
import { type Task, taskView } from '../../core/read-model/task.ts'
import type { Trust } from '../../core/read-model/trust.ts'
import {
  workspaceView as viewOfWorkspace,
  type Workspace,
  type WorkspaceDetail,
  type WorkspaceFacts,
  workspaceDetailView,
} from '../../core/read-model/workspace.ts'
import { planNextTimeout } from '../../core/record/next-timeout.ts'
import { readContractFile } from '../config/contract-file.ts'
import { describeConfigText } from '../config/describe.ts'
import { findExitCodeChecks } from '../config/exit-code-checks.ts'
import { parseWorkspaceConfig } from '../config/parse-config.ts'
import { readApprovedText } from '../config/trust.ts'
import { isFolderThere } from '../files/durable-file.ts'
import { sha256 } from '../files/sha256.ts'
import type { ProbeConfig, TrustState } from '../ports/workspace-config.ts'
import { marksOf } from './marks.ts'
import { acceptRecord, type WorkspaceRuntime } from './workspace-runtime.ts'

export function scoreOf(runtime: WorkspaceRuntime): Score {
  const { loop, ledger } = runtime
  return scoreView(runtime.id, ledger.state, loop.standing, loop.next.dueMs, runtime.zone())
}

export function workspaceView(runtime: WorkspaceRuntime): Workspace {
  return viewOfWorkspace(runtime.ledger.state, factsOf(runtime))
}

/** Returns facts about a workspace that are not in its ledger. */
export function factsOf(runtime: WorkspaceRuntime): WorkspaceFacts {
  const { id, name, tags, directory: path, loop, zone } = runtime
  return {
    id,
    name,
    tags,
    path,
    agentId: loop.config?.agent.id ?? null,
    trust: loop.trust.kind,
    standing: loop.standing,
    next: loop.next,
    zone: zone(),
    nowMs: Date.now(),
    permissions: runtime.permissions(),
    notices: [...missingNotices(runtime), ...recordNotices(runtime)],
  }
}

/** Returns notices about a damaged record, until the operator has answered, and about a day that doesn't advance. */
function recordNotices(runtime: WorkspaceRuntime): Notice[] {
  const nowMs = Date.now()
  const at = timestamp(nowMs, runtime.zone())
  const clock = clockNotice(runtime.ledger.state.day, localDay(nowMs, runtime.zone()))
  return [
    ...brokenNotices(runtime, at),
    ...runtime.fleetNotices(),
    ...(clock === null ? [] : [{ ...clock, at }]),
  ]
}

function brokenNotices(runtime: WorkspaceRuntime, at: string): Notice[] {
  const problems = runtime.brokenRecord()
  const isRecorded = runtime.ledger.state.notices.some(({ code }) => code === 'record-broken')
  if (problems.length === 0 || isRecorded) return []
  return [
    {
      code: 'record-broken',
      taskId: null,
      message: `The record is incomplete: ${problems.join('; ')}`,
      remedy: acceptRecord(runtime.id),
      at,
    },
  ]
}

interface ContractOnDisk {
  readonly text: string
  readonly hash: string
  readonly path: string
  readonly lossy: boolean
  readonly contract: Contract
}

/** Reads the current contract from disk. Rejects with a `RequestProblem` if it cannot be read. */
async function readContract(runtime: WorkspaceRuntime): Promise<ContractOnDisk> {
  const file = await readContractFile(runtime.directory)
  if (!file.ok) throw new RequestProblem('unprocessable', file.reason)
  return { ...file, contract: await parseOnce(parsed, runtime, file.text, file.hash) }
}

type Parsed = WeakMap<WorkspaceRuntime, { readonly key: string; readonly contract: Promise<Contract> }>

/** The last parsed contract of each workspace, on disk and in effect. */
const parsed: Parsed = new WeakMap()
const inForceParsed: Parsed = new WeakMap()

/** Requested at every event of a heartbeat but rarely edited, so parsed only when it has changed. */
async function parseOnce(
  cache: Parsed,
  runtime: WorkspaceRuntime,
  text: string,
  hash: string,
): Promise<Contract> {
  const probeNames = Object.keys(runtime.loop.config?.probes ?? {})
  const key = `${hash} ${probeNames.join(' ')}`
  const known = cache.get(runtime)
  if (known?.key === key) return known.contract
  const contract = runtime.contracts.parse(text, { probeNames })
  cache.set(runtime, { key, contract })
  // A failed read is tried again next time.
  contract.catch(() => cache.delete(runtime))
  return contract
}

export async function contractDocument(runtime: WorkspaceRuntime): Promise<ContractDocument> {
  const { text, hash, path, lossy, contract } = await readContract(runtime)
  const { probes = {}, approvedCommands = [] } = runtime.loop.config ?? {}
  const exitCodes = await findExitCodeChecks({ probes, approvedCommands }, runtime.directory)
  return {
    ...contractView(contract),
    path,
    text,
    hash,
    lossy,
    probes: Object.entries(probes).map(([name, probe]) => probeView(name, probe)),
    approvedCommands: [...approvedCommands],
    exitCodes: { probes: [...exitCodes.probes], commands: [...exitCodes.commands] },
  }
}

function probeView(name: string, { source, parse }: ProbeConfig): ContractDocument['probes'][number] {
  switch (source.kind) {
    case 'command':
      return { name, parse, source: source.command.map(quote).join(' ') }
    case 'file':
      return { name, parse, source: source.file }
    case 'url':
      return { name, parse, source: source.url }
  }
}

export async function taskViews(runtime: WorkspaceRuntime): Promise<Task[]> {
  const inForce = await contractInForce(runtime, await contractOnDisk(runtime))
  if (inForce instanceof RequestProblem) throw inForce
  return tasksOf(runtime, inForce)
}

/** Returns the current contract on disk, or why it cannot be read. */
async function contractOnDisk(runtime: WorkspaceRuntime): Promise<ContractOnDisk | RequestProblem> {
  return readContract(runtime).catch((error: unknown) => {
    if (error instanceof RequestProblem) return error
    throw error
  })
}

interface ContractInForce {
  readonly contract: Contract
  /** Tasks that an agent added and the operator has not accepted. */
  readonly proposed: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/** Returns the contract in effect, even if an agent changed or deleted the file; `onDisk` is what the file says. */
async function contractInForce(
  runtime: WorkspaceRuntime,
  onDisk: ContractOnDisk | RequestProblem,
): Promise<ContractInForce | RequestProblem> {
  const inForce = await runtime.contractCustody.glance()
  if (inForce === null || !inForce.ok)
    return onDisk instanceof RequestProblem ? onDisk : readable(onDisk.contract, onDisk.text, NONE)
  const { text, hash, proposed = NONE } = inForce
  return readable(await parseOnce(inForceParsed, runtime, text, hash), text, proposed)
}

/** Returns the contract as a heartbeat uses it: in another encoding it runs nothing. */
function readable(
  contract: Contract,
  text: string,
  proposed: ReadonlySet<string>,
): ContractInForce | RequestProblem {
  const problem = encodingProblem(contract, text)
  return problem === null ? { contract, proposed } : new RequestProblem('unprocessable', problem)
}

function tasksOf(runtime: WorkspaceRuntime, { contract, proposed }: ContractInForce): Task[] {
  const { state } = runtime.ledger
  const rules = runtime.loop.config?.adaptiveTimeout ?? DEFAULT_ADAPTIVE_TIMEOUT
  return runnableTasks(contract).map((task) =>
    taskView(task, state, planNextTimeout(task, state, rules), proposed.has(task.id)),
  )
}

export async function currentTrust(runtime: WorkspaceRuntime): Promise<Trust> {
  const { trust, config } = runtime.loop
  const asked = trust.kind === 'changed' || trust.kind === 'unapproved' ? trust.currentText : null
  const parsed = asked === null ? null : parseWorkspaceConfig(asked)
  const described = parsed?.ok === true ? parsed.config : config
  const checks = described === null ? [] : await runtime.custody.describe(described)
  return {
    ...trustView(trust),
    checks: checks.map(({ check, command, executes, reads, unresolved }) => ({
      check,
      command: [...command],
      executes: [...executes],
      reads: [...reads],
      unresolved: [...unresolved],
    })),
  }
}

/** Returns the approval with what an approved file runs too. Only for explicit requests: no screen shows that, so pushes leave it out. */
export async function shownTrust(runtime: WorkspaceRuntime): Promise<Trust> {
  const trust = await currentTrust(runtime)
  if (trust.state !== 'approved') return trust
  const text = await readApprovedText(runtime.dataDirectory, runtime.ledger.approvedHash)
  if (text === null) return trust
  return { ...trust, text, approvedText: text, hash: sha256(text), commands: describeConfigText(text, text) }
}

/** Looking for check files reads the workspace, so pushes reuse the result until the next approval or attempt. */
const lastTrust = new WeakMap<TrustState, { readonly attempts: object; readonly trust: Trust }>()

async function knownTrust(runtime: WorkspaceRuntime): Promise<Trust> {
  const { attempts } = runtime.ledger.state
  const { trust } = runtime.loop
  const known = lastTrust.get(trust)
  if (known?.attempts === attempts) return known.trust
  const current = await currentTrust(runtime)
  lastTrust.set(trust, { attempts, trust: current })
  return current
}

let lastNumber = 0

/** Returns the workspace for a screen that is kept up to date. What changes without an event is as it was last read. */
export async function pushedWorkspace(runtime: WorkspaceRuntime): Promise<WholeWorkspace> {
  const detail = await detailWith(runtime, knownTrust)
  lastNumber += 1
  return { number: lastNumber, detail }
}

/** Reads the workspace again, for a screen that starts to follow it. */
export async function wholeWorkspace(runtime: WorkspaceRuntime): Promise<WholeWorkspace> {
  lastTrust.delete(runtime.loop.trust)
  return pushedWorkspace(runtime)
}

export function workspaceDetail(runtime: WorkspaceRuntime): Promise<WorkspaceDetail> {
  return detailWith(runtime, currentTrust)
}

async function detailWith(
  runtime: WorkspaceRuntime,
  trustOf: (runtime: WorkspaceRuntime) => Promise<Trust>,
): Promise<WorkspaceDetail> {
  const contract = await contractOnDisk(runtime)
  const isReadable = !(contract instanceof RequestProblem)
  const trustDetail = await trustOf(runtime)
  // Not every system reports that a folder disappeared or came back, so it is checked here too.
  if ((await isFolderThere(runtime.directory)) !== runtime.loop.isFolderThere) await runtime.loop.refresh()
  const inForce = await contractInForce(runtime, contract)
  // No awaits below, so that everything is from the same state.
  const { state } = runtime.ledger
  const facts = factsOf(runtime)
  const isLost = inForce instanceof RequestProblem
  const unreadable = isLost && runtime.loop.isFolderThere ? unreadableNotices(runtime, inForce) : []
  const notices = [...unreadable, ...facts.notices]
  return workspaceDetailView(
    state,
    { ...facts, notices },
    {
      tasks: isLost ? [] : tasksOf(runtime, inForce),
      diagnostics: isReadable ? contractView(contract.contract).diagnostics : [],
      trustDetail,
      agent: agentLine(state, runtime.loop.config),
      marks: marksOf(runtime, isReadable ? contract.hash : contract.message),
    },
  )
}

/** Returns a notice if the folder itself is gone, whatever was in it. */
function missingNotices({ directory, loop, zone }: WorkspaceRuntime): Notice[] {
  if (loop.isFolderThere) return []
  return [
    {
      code: FOLDER_MISSING,
      taskId: null,
      message: `The folder ${directory} does not exist.`,
      remedy: 'Bring the folder back, or remove the workspace.',
      at: timestamp(Date.now(), zone()),
    },
  ]
}

/** Returns a notice about an unreadable contract, unless a heartbeat has recorded it. */
function unreadableNotices(runtime: WorkspaceRuntime, { message }: RequestProblem): Notice[] {
  const code = 'contract-unreadable'
  if (runtime.ledger.state.notices.some((notice) => notice.code === code)) return []
  return [{ code, taskId: null, message, remedy: null, at: timestamp(Date.now(), runtime.zone()) }]
}

function trustView(trust: TrustState): Omit<Trust, 'checks'> {
  const none = { commands: [], hash: null, text: null, approvedText: null, problems: [], reason: null }
  switch (trust.kind) {
    case 'missing':
      return { ...none, state: 'missing', reason: trust.reason }
    case 'approved':
      return { ...none, state: 'approved' }
    case 'unapproved':
    case 'changed':
      return {
        state: trust.kind,
        commands: describeConfigText(trust.currentText, trust.kind === 'changed' ? trust.approvedText : null),
        hash: trust.currentHash,
        text: trust.currentText,
        approvedText: trust.kind === 'changed' ? trust.approvedText : null,
        problems: [...trust.problems],
        reason: null,
      }
  }
}
