import { join, resolve } from 'node:path'
import type { ApprovedCommands } from '../core/change/consent.ts'
import { encodingProblem } from '../core/contract/other-encoding.ts'
import { parseContract } from '../core/contract/parse.ts'
import { shellCommand } from '../core/text/command-words.ts'
import { readContractFile } from '../main/config/contract-file.ts'
import { problemOfDataDirectory, writeProblemOfDataDirectory } from '../main/config/data-directory-problem.ts'
import { newerFormat } from '../main/config/data-format.ts'
import { type RegisteredWorkspace, readRegistry } from '../main/config/registry.ts'
import { settingsProblem } from '../main/config/settings.ts'
import { readTrust } from '../main/config/trust.ts'
import { exists } from '../main/files/durable-file.ts'
import { createFileLog } from '../main/host/log.ts'
import { claimDataFolder } from '../main/ledger/data-folder.ts'
import { documentProblems } from '../main/ledger/documents.ts'
import { RECORD_ACCEPTED } from '../main/ledger/log-witness.ts'
import { lostWorkspaces, sealingRefused, sealStore } from '../main/ledger/seal.ts'
import { inspectLedger } from '../main/ledger/verify.ts'
import type { TrustState } from '../main/ports/workspace-config.ts'
import { findMeans } from '../main/sandbox/find-means.ts'
import { type FoundMeans, traitsOf } from '../main/sandbox/means.ts'
import { refusingCalls } from '../main/sandbox/refused-calls.ts'
import { takesMore } from '../main/sandbox/sandbox.ts'
import type { Finding } from './finding.ts'

/** What `doctor` needs to know about one workspace. */
export interface WorkspaceFindings {
  readonly id: string
  readonly path: string
  /** Why its HEARTBEAT.md cannot be read; null if it can. */
  readonly contractProblem: string | null
  readonly trust: Finding
  /** Why documents derived from the record cannot be read, one sentence each. */
  readonly documents: readonly string[]
  readonly ledger: Awaited<ReturnType<typeof inspectLedger>>
}

/** Checks that the data folder exists and can be used. */
export async function inspectDataDirectory(path: string): Promise<Finding & { readonly exists: boolean }> {
  const problem = await problemOfDataDirectory(path)
  if (problem !== null) return { exists: false, status: 'error', message: problem }
  const writeProblem = await writeProblemOfDataDirectory(path)
  if (!(await exists(path))) {
    if (writeProblem !== null) return { exists: false, status: 'error', message: writeProblem.message }
    return { exists: false, status: 'ok', message: `${path} does not exist yet; the first start creates it` }
  }
  const newer = await newerFormat(path)
  // Don't look inside: unreadable files would be set aside.
  if (newer !== null) return { exists: false, status: 'error', message: newer }
  return writeProblem === null
    ? { exists: true, status: 'ok', message: path }
    : { exists: true, status: 'error', message: writeProblem.message }
}

/** Reports whether and how agents are sandboxed on this machine, and what it takes to get more. */
export async function inspectSandbox(): Promise<Finding> {
  const { found, cutsNetwork, failed } = await findMeans()
  const tried = failed.map(({ means, problem }) => `${means}: ${problem}`).join('; ')
  if (found === null) {
    const why = tried === '' ? '' : ` (${tried})`
    return {
      status: 'warning',
      message: `none: agents, checks and git run with all your rights${why}. ${takesMore()}`,
    }
  }
  const network = (await cutsNetwork()) ? '' : ' It cannot keep a process off the network on this machine.'
  const limits = limitsOf(found)
  return { status: 'ok', message: `${found.means} contains agents, checks and git.${network}${limits}` }
}

/** Describes what the sandbox leaves open on this machine, and how to close it. */
export function limitsOf(found: FoundMeans, processor: string = process.arch): string {
  const { guard, hasNamespaces } = traitsOf(found)
  if (!hasNamespaces) return ''
  return [
    guard?.isScoped !== true &&
      ' With network = "all", agents can still reach sockets without a file (for example of X11); blocking them takes Linux 6.12 with Landlock, and perl.',
    (guard === undefined || refusingCalls(processor) === null) &&
      ' Agents can still reach keys in the kernel’s keyrings; blocking them takes perl, and a kernel that allows it (x86-64, ARM64).',
  ]
    .filter((limit) => limit !== false)
    .join('')
}

/** Returns the process that owns the data folder, or null if none does. */
export async function findOwner(dataDirectory: string): Promise<{ readonly pid: number | null } | null> {
  // Only claiming it tells for sure; it is released immediately.
  const claim = await claimDataFolder(dataDirectory).catch(() => null)
  if (claim === null) return null
  if (claim.kind === 'owned') return { pid: claim.pid }
  await claim.release()
  return null
}

/** Returns what is wrong with the settings; `null`: nothing. */
export async function inspectSettings(dataDirectory: string): Promise<Finding | null> {
  const problem = await settingsProblem(dataDirectory)
  if (problem === null) return null
  return { status: 'error', message: `${problem} The next start sets it aside, and the defaults apply.` }
}

/** Returns why records cannot be sealed here; `null`: they can. */
export async function inspectSeals(): Promise<Finding | null> {
  const reason = await sealingRefused()
  return reason === null ? null : { status: 'warning', message: reason }
}

/** Returns all known workspaces with their findings, and the problems of those that could not be read. */
export async function inspectWorkspaces(
  dataDirectory: string,
): Promise<{ workspaces: WorkspaceFindings[]; problems: string[] }> {
  const registry = await readRegistry(dataDirectory, true)
  const problems = registry.unreadable.map(({ reason }) => reason)
  const workspaces: WorkspaceFindings[] = []
  for (const workspace of registry.workspaces) {
    workspaces.push(await inspectWorkspace(dataDirectory, workspace))
  }
  // A workspace whose folder is unknown still has a record.
  const known = [...registry.workspaces, ...registry.unreadable].map(({ id }) => id)
  for (const { id, events } of await lostWorkspaces(dataDirectory, known))
    problems.push(
      `the record of ${id} is gone: it had ${events} events, and no one removed it. Restore its folder from a backup, or give it up with \`pulseward doctor --accept ${id}\``,
    )
  return { workspaces, problems }
}

async function inspectWorkspace(
  dataDirectory: string,
  { id, path }: RegisteredWorkspace,
): Promise<WorkspaceFindings> {
  const folder = join(dataDirectory, 'workspaces', id)
  const [contract, documents, ledger] = await Promise.all([
    readContractFile(path),
    documentProblems(folder),
    inspectLedger(folder, sealStore(folder)).catch((error: unknown) => ({
      events: 0,
      approvedHash: null,
      dayCosts: null,
      problems: [
        { file: 'ledger', line: 0, message: error instanceof Error ? error.message : String(error) },
      ],
    })),
  ])
  const trust = await readTrust(path, folder, ledger.approvedHash, true)
  return {
    id,
    path,
    contractProblem: contract.ok
      ? encodingProblem(parseContract(contract.text), contract.text)
      : contract.reason,
    trust: trustFinding(path, trust),
    documents: documents.map(
      (one) =>
        `${one.path} cannot be used: ${one.problem.replace(/\s*\n\s*/g, ' ')}. The next start sets it aside and rebuilds it from the record.`,
    ),
    ledger,
  }
}

/** Returns the commands that the operator has approved for the workspaces in these folders. Changes nothing; never rejects. */
export async function readApprovedCommands(
  dataDirectory: string,
  directories: readonly string[],
): Promise<readonly ApprovedCommands[]> {
  const workspaces = await readRegistry(dataDirectory, true).then(
    (registry) => registry.workspaces,
    () => [],
  )
  const approved: ApprovedCommands[] = []
  for (const { id, path } of workspaces.filter((each) => directories.includes(each.path))) {
    const folder = join(dataDirectory, 'workspaces', id)
    const approvedHash = await inspectLedger(folder, sealStore(folder)).then(
      (ledger) => ledger.approvedHash,
      () => null,
    )
    const trust = await readTrust(path, folder, approvedHash, true)
    if (approvedHash !== null && (trust.kind === 'approved' || trust.kind === 'changed'))
      approved.push({ directory: path, configSha256: approvedHash, gates: trust.config.gates.commands })
  }
  return approved
}

function trustFinding(path: string, trust: TrustState): Finding {
  const remedy = `Look at it and approve it with \`${shellCommand(['pulseward', 'trust', path])}\`.`
  switch (trust.kind) {
    case 'approved':
      return { status: 'ok', message: 'pulseward.toml is approved' }
    case 'changed':
      return {
        status: 'warning',
        message: `pulseward.toml has changed; the approved copy is used. ${remedy}`,
      }
    case 'missing':
      return { status: 'warning', message: trust.reason }
    case 'unapproved': {
      const [problem] = trust.problems
      if (trust.isCopyLost === true)
        return {
          status: 'error',
          message: `the approved copy in the data folder is gone or is not what you approved, so nothing runs. ${remedy}`,
        }
      if (problem === undefined)
        return { status: 'warning', message: `pulseward.toml is not approved. ${remedy}` }
      return {
        status: 'error',
        message: `${path}/pulseward.toml:${problem.line}:${problem.column}: ${problem.message}`,
      }
    }
  }
}

/** Returns the id of the workspace with this id or folder; `null` if there is none. */
export async function findWorkspace(dataDirectory: string, given: string): Promise<string | null> {
  const { workspaces, unreadable } = await readRegistry(dataDirectory, true)
  const found =
    workspaces.find(({ id, path }) => id === given || path === resolve(given)) ??
    unreadable.find(({ id }) => id === given)
  if (found !== undefined) return found.id
  return (await lostWorkspaces(dataDirectory, [])).find(({ id }) => id === given)?.id ?? null
}

/** Accepts the record of a workspace as it is. */
export async function acceptRecord(dataDirectory: string, id: string): Promise<void> {
  await sealStore(join(dataDirectory, 'workspaces', id)).accept()
  createFileLog(dataDirectory, process.env).info('A record was accepted in its current state', {
    ...RECORD_ACCEPTED,
    workspace: id,
  })
}
