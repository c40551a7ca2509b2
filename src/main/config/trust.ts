import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import { readBoundedFile, replaceFile } from '../files/bounded-file.ts'
import { setAside } from '../files/durable-file.ts'
import { readOperatorFile } from '../files/operator-file.ts'
import { sha256 } from '../files/sha256.ts'
import { explainCode, isOfTheMoment } from '../files/storage-error.ts'
import type { ConfigProblem, TrustState, WorkspaceConfig } from '../ports/workspace-config.ts'
import { MAXIMUM_CONFIG_BYTES, parseWorkspaceConfig, tooLarge } from './parse-config.ts'

const CONFIG_NAME = 'pulseward.toml'
const APPROVED_NAME = 'approved-config.toml'

/** The workspace's current `pulseward.toml`; if it cannot be read, `text` is empty and `problems` say why. */
interface CurrentFile {
  readonly text: string
  readonly hash: string
  readonly problems: readonly ConfigProblem[]
  readonly config: WorkspaceConfig | null
  readonly exists: boolean
}

/**
 * Returns the approval state of the workspace's configuration. The approved copy in the workspace's data folder counts: an
 * edited, broken or deleted file leaves it in effect (`changed`). Never rejects for the content of the two files; an unusable
 * approved copy is set aside and counts as no approval. The hash in the ledger decides: a copy without `approvedHash` does not
 * count. `undefined` if there is no ledger to ask. With `onlyLooks`, moves nothing.
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
 * Approves exactly the content whose SHA-256 (hex, of the bytes) the operator was shown, and returns the new state. Rejects with
 * a `RequestProblem`: `conflict` if the file has changed, `unprocessable` if it has problems or the approval cannot be written.
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
 * Returns the text approved last, to show it and what changed since; `null` if there is none, or the copy does not have `approvedHash`, the
 * hash in the ledger. Never rejects.
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
    // An existing file that is too large is shown with a problem; an unreadable one counts as missing.
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

/** Returns whether decoding lost no bytes; otherwise the approved text would differ from the file. */
function isUtf8(bytes: Buffer, text: string): boolean {
  return Buffer.from(text, 'utf8').equals(bytes)
}

async function readApproved(
  dataDirectory: string,
  onlyLooks: boolean,
): Promise<{ text: string; hash: string; config: WorkspaceConfig } | null> {
  const path = join(dataDirectory, APPROVED_NAME)
  const reading = await readBoundedFile(path, MAXIMUM_CONFIG_BYTES)
  if (!reading.ok && (reading.code === 'ENOENT' || isOfTheMoment(reading.code))) return null
  if (reading.ok) {
    const text = reading.bytes.toString('utf8')
    const parsed = parsedConfig(text)
    if (parsed.ok) return { text, hash: sha256(reading.bytes), config: parsed.config }
  }
  if (!onlyLooks) await setAside(path, Date.now())
  return null
}

/** How many parsed texts to keep: opening a workspace parses the same text several times, and many workspaces have the same text. */
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
    ? `There is no ${path}. Create one that names the agent: [agent] with command = ["program", "argument"].`
    : `Cannot read ${path}: ${explainCode(code)}`
}
