import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import { readBoundedFile, replaceFile } from '../files/bounded-file.ts'
import { setAside } from '../files/durable-file.ts'
import { readOperatorFile } from '../files/operator-file.ts'
import { explainCode } from '../files/storage-error.ts'
import type { ConfigProblem, TrustState, WorkspaceConfig } from '../ports/workspace-config.ts'
import { sha256 } from './contract-file.ts'
import { MAXIMUM_CONFIG_BYTES, parseWorkspaceConfig, tooLarge } from './parse-config.ts'

const CONFIG_NAME = 'pulseward.toml'
const APPROVED_NAME = 'approved-config.toml'

/** The workspace's `pulseward.toml` as found; `text` is empty and `problems` say why where it cannot be read. */
interface CurrentFile {
  readonly text: string
  readonly hash: string
  readonly problems: readonly ConfigProblem[]
  readonly config: WorkspaceConfig | null
  readonly exists: boolean
}

/**
 * How the workspace's configuration stands with respect to the operator's approval. The approved copy in the
 * workspace's data folder is what counts: an edited, broken or deleted file leaves it in force (`changed`). Never
 * rejects for what the two files hold; an approved copy that cannot be used any more is set aside and counts as no
 * approval. The hash in the ledger decides: a copy that is not the one with `approvedHash` is none. `undefined`
 * where there is no ledger to ask. Who only looks leaves an approved copy of no use where it is.
 */
export async function readTrust(
  workspaceDirectory: string,
  dataDirectory: string,
  approvedHash?: string | null,
  onlyLooks = false,
): Promise<TrustState> {
  const current = await readCurrent(workspaceDirectory)
  const copy = await readApproved(dataDirectory, onlyLooks)
  const isApproved = approvedHash === undefined || copy?.hash === approvedHash
  const approved = isApproved ? copy : null
  const isCopyLost = approvedHash != null && approved === null
  if (approved !== null) {
    if (current.exists && current.text === approved.text) return { kind: 'approved', config: approved.config }
    return {
      kind: 'changed',
      config: approved.config,
      approvedText: approved.text,
      currentText: current.text,
      currentHash: current.hash,
      problems: current.problems,
    }
  }
  if (!current.exists) {
    return { kind: 'missing', reason: current.problems[0]?.message ?? `There is no ${CONFIG_NAME}.` }
  }
  return {
    kind: 'unapproved',
    currentText: current.text,
    currentHash: current.hash,
    problems: current.problems,
    ...(isCopyLost ? { isCopyLost } : {}),
  }
}

/**
 * Approves exactly the content whose SHA-256 (hex, of the bytes) the operator was shown, and answers with the new
 * state. Rejects with a `RequestProblem`: `conflict` where the file is another one by now, `unprocessable` where
 * it has problems or the approval cannot be written.
 */
export async function approve(
  workspaceDirectory: string,
  dataDirectory: string,
  hash: string,
): Promise<TrustState> {
  const path = join(workspaceDirectory, CONFIG_NAME)
  const current = await readCurrent(workspaceDirectory)
  if (!current.exists) throw new RequestProblem('unprocessable', current.problems[0]?.message ?? path)
  if (current.hash !== hash) {
    throw new RequestProblem('conflict', `${path} has changed since it was shown. Look at it again first.`)
  }
  const problem = current.problems[0]
  if (current.config === null || problem !== undefined) {
    throw new RequestProblem(
      'unprocessable',
      `${path}:${problem?.line ?? 1}:${problem?.column ?? 1}: ${problem?.message ?? 'not valid'}`,
    )
  }
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 }).catch(() => undefined)
  await replaceFile(join(dataDirectory, APPROVED_NAME), current.text, 0o600)
  return { kind: 'approved', config: current.config }
}

/**
 * The text approved last, to show it and what changed since; `null` where none was, or where the copy is not the
 * one with `approvedHash`, which is the ledger's. Never rejects.
 */
export async function readApprovedText(
  dataDirectory: string,
  approvedHash: string | null,
): Promise<string | null> {
  const reading = await readBoundedFile(join(dataDirectory, APPROVED_NAME), MAXIMUM_CONFIG_BYTES)
  return reading.ok && sha256(reading.bytes) === approvedHash ? reading.bytes.toString('utf8') : null
}

async function readCurrent(workspaceDirectory: string): Promise<CurrentFile> {
  const path = join(workspaceDirectory, CONFIG_NAME)
  const reading = await readOperatorFile(workspaceDirectory, CONFIG_NAME, MAXIMUM_CONFIG_BYTES)
  if (!reading.ok) {
    const problem =
      reading.code === 'TOO_LARGE'
        ? tooLarge(reading.sizeBytes)
        : { message: unreadable(path, reading.code), line: 1, column: 1 }
    // A file that is there but too large is shown as a file with a problem; one that cannot be had counts as missing.
    const exists = reading.code === 'TOO_LARGE'
    return { text: '', hash: sha256(''), problems: [problem], config: null, exists }
  }
  const text = reading.bytes.toString('utf8')
  const parsed = isUtf8(reading.bytes, text)
    ? parsedConfig(text)
    : { ok: false as const, problems: [{ message: 'The file is not UTF-8 text.', line: 1, column: 1 }] }
  return {
    text,
    hash: sha256(reading.bytes),
    problems: parsed.ok ? [] : parsed.problems,
    config: parsed.ok ? parsed.config : null,
    exists: true,
  }
}

/** Another text than the bytes would be approved if some of them were lost in decoding. */
function isUtf8(bytes: Buffer, text: string): boolean {
  return Buffer.from(text, 'utf8').equals(bytes)
}

async function readApproved(
  dataDirectory: string,
  onlyLooks: boolean,
): Promise<{ text: string; hash: string; config: WorkspaceConfig } | null> {
  const path = join(dataDirectory, APPROVED_NAME)
  const reading = await readBoundedFile(path, MAXIMUM_CONFIG_BYTES)
  if (!reading.ok && reading.code === 'ENOENT') return null
  if (reading.ok) {
    const text = reading.bytes.toString('utf8')
    const parsed = parsedConfig(text)
    if (parsed.ok) return { text, hash: sha256(reading.bytes), config: parsed.config }
  }
  if (!onlyLooks) await setAside(path, Date.now())
  return null
}

/** A workspace is opened with some readings of one text, and of many workspaces many have the same. */
const KEPT_CONFIGS = 32
const kept = new Map<string, ReturnType<typeof parseWorkspaceConfig>>()

function parsedConfig(text: string): ReturnType<typeof parseWorkspaceConfig> {
  const before = kept.get(text)
  if (before !== undefined) return before
  const parsed = parseWorkspaceConfig(text)
  const [oldest] = kept.keys()
  if (kept.size >= KEPT_CONFIGS && oldest !== undefined) kept.delete(oldest)
  kept.set(text, parsed)
  return parsed
}

function unreadable(path: string, code: string): string {
  return code === 'ENOENT'
    ? `There is no ${path}. Write one that names the agent: [agent] with command = ["program", "argument"].`
    : `Cannot read ${path}: ${explainCode(code)}`
}
