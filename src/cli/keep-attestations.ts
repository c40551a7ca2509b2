import { join, resolve } from 'node:path'
import { RequestProblem } from '../api/request-problem.ts'
import {
  type AttestationCheck,
  checkAttestation,
  type Surroundings,
} from '../core/attestation/check-attestation.ts'
import type { Revocation } from '../core/attestation/keys.ts'
import { statementSchema, VERDICT } from '../core/attestation/statement.ts'
import { readJson } from '../core/text/json.ts'
import { attestChange } from '../main/attestation/attest-change.ts'
import { MAX_ATTESTATION_BYTES, openEnvelopes } from '../main/attestation/envelope.ts'
import { KeyRing, type RingKey } from '../main/attestation/key-ring.ts'
import {
  addToNote,
  type CommitWithTree,
  digestOfFile,
  type Git,
  NOTES_REF,
  readCommit,
  readNote,
} from '../main/attestation/repository.ts'
import { isIdOfAnother, readKeyFile, readTrustedKeys } from '../main/attestation/trusted-keys.ts'
import { readBoundedFile } from '../main/files/bounded-file.ts'
import { exists, writeFileAtomically } from '../main/files/durable-file.ts'
import { sha256 } from '../main/files/sha256.ts'
import { hashOfEvent } from '../main/ledger/read-events.ts'
import { systemKeyStore } from '../main/process/key-store.ts'
import { runGit } from '../main/snapshot/git-command.ts'
import { treeOfWork } from '../main/snapshot/tree-of-work.ts'
import { usageError } from './cli-error.ts'

/*
 * Attestations on this machine, without a host: keys, notes and checking. Checking needs only a key; a repository and a record are compared
 * too if they are here.
 */

export type { RingKey }

export interface CheckRequest {
  /** A file of envelopes, or a revision of the repository around `directory`. */
  readonly of: string
  readonly directory: string
  /** Files are named from here. */
  readonly currentDirectory: string
  readonly dataDirectory: string
  /** Trusted instead of the data folder's keys. */
  readonly keyFile: string | undefined
  /** True if the attestation must be about the checked-out tree. */
  readonly isTreeExpected: boolean
}

export interface CheckAnswer extends AttestationCheck {
  /** The number of note lines left out because their keys are not trusted here. */
  readonly ignored: number
}

function ringOf(dataDirectory: string): KeyRing {
  return new KeyRing({
    dataDirectory,
    keyStore: systemKeyStore(process.platform, process.env, 'attestation-key'),
    nowMs: Date.now,
  })
}

function gitIn(directory: string): Git {
  return (args, options) => runGit(directory, args, options)
}

export const attestationKeeper = {
  /** Makes the first key if there is none. */
  ensureKey: async (dataDirectory: string): Promise<readonly RingKey[]> => {
    const ring = ringOf(dataDirectory)
    await ring.signingKey()
    return ring.list()
  },
  rotate: (dataDirectory: string): Promise<RingKey> => ringOf(dataDirectory).rotate(),
  revoke: (dataDirectory: string, keyid: string, revocation: Revocation): Promise<RingKey> =>
    ringOf(dataDirectory).revoke(keyid, revocation),

  /** Writes envelopes, one per line. */
  write: (path: string, envelopes: readonly string[]): Promise<void> =>
    writeFileAtomically(resolve(path), `${envelopes.join('\n')}\n`, { mode: 0o644 }),

  /** Adds envelopes to the note of a commit; returns the ref. */
  note: async (directory: string, commit: string, envelopes: readonly string[]): Promise<string> => {
    const problem = await addToNote(gitIn(directory), commit, envelopes)
    if (problem === null) return NOTES_REF
    throw new RequestProblem('unprocessable', `git could not write the note of ${commit}: ${problem}`)
  },

  /** Signs the result of `pulseward verify`; returns none if nothing was judged. `document`: as `verify --json` prints it. */
  attestChange: async (
    document: unknown,
    { directory, dataDirectory }: { readonly directory: string; readonly dataDirectory: string },
  ): Promise<readonly string[]> =>
    attestChange(document, {
      directory,
      git: gitIn(directory),
      key: await ringOf(dataDirectory).signingKey(),
    }),

  check: async (request: CheckRequest): Promise<CheckAnswer> => {
    const { of, directory, currentDirectory, dataDirectory, keyFile, isTreeExpected } = request
    const trusted =
      keyFile === undefined
        ? await readTrustedKeys(dataDirectory, ringOf(dataDirectory))
        : await readKeyFile(resolve(currentDirectory, keyFile))
    if (trusted.length === 0)
      throw usageError(
        'No key is trusted here: name one with --key FILE, or list verifiers in trusted-verifiers.toml of the data folder.',
      )
    const git = gitIn(directory)
    const { text, commit } = await textOf(git, resolve(currentDirectory, of), of)
    const { opened, problems } = openEnvelopes(text, trusted)
    if (opened.length === 0 && problems.length === 0) throw usageError(`${of} has no envelope.`)
    // A note may have envelopes signed by other machines; leave them out if our own can be checked.
    const isOthers = (keyid: string, isSigned: boolean): boolean =>
      commit !== null && !isSigned && trusted.every((key) => isIdOfAnother(keyid, key))
    const own = opened.filter(({ keyid, signedBy }) => !isOthers(keyid, signedBy.length > 0))
    const compared = own.length === 0 ? opened : own
    const expected = isTreeExpected ? await treeHere(directory) : commit
    const checked = checkAttestation(compared, {
      trusted,
      expected,
      sha256,
      ...(await whatIsHere(
        compared.map(({ payload }) => payload),
        git,
        dataDirectory,
      )),
    })
    return {
      ...checked,
      problems: [...problems, ...checked.problems].toSorted((left, right) => left.line - right.line),
      ignored: opened.length - compared.length,
    }
  },
}

async function textOf(
  git: Git,
  path: string,
  given: string,
): Promise<{ readonly text: string; readonly commit: CommitWithTree | null }> {
  const file = await readBoundedFile(path, MAX_ATTESTATION_BYTES)
  if (file.ok) return { text: file.bytes.toString('utf8'), commit: null }
  if (file.code !== 'ENOENT') throw usageError(`Cannot read ${path} (${file.code}).`)
  const commit = await readCommit(git, given)
  if (commit === null) throw usageError(`${given} is neither a file nor a commit.`)
  const text = await readNote(git, commit.commit)
  if (text !== null) return { text, commit }
  throw usageError(
    `Commit ${commit.commit} has no attestation in ${NOTES_REF}. Fetch them with \`git fetch origin ${NOTES_REF}:${NOTES_REF}\`.`,
  )
}

async function treeHere(directory: string): Promise<Surroundings['expected']> {
  const state = await treeOfWork(directory)
  if (state === null) throw usageError(`--tree: ${directory} is in no git repository with a commit.`)
  // The commit doesn't matter: the same tree is the same work.
  return { commit: null, tree: state.tree }
}

/** Collects in advance what the pure comparison needs. */
async function whatIsHere(
  payloads: readonly string[],
  git: Git,
  dataDirectory: string,
): Promise<Pick<Surroundings, 'treeOf' | 'fileOf' | 'lineOf'>> {
  const trees = new Map<string, string | null>()
  const files = new Map<string, string | null | undefined>()
  const lines = new Map<string, string | null | undefined>()
  const treeOf = async (commit: string): Promise<string | null> => {
    if (!trees.has(commit)) trees.set(commit, (await readCommit(git, commit))?.tree ?? null)
    return trees.get(commit) ?? null
  }
  for (const payload of payloads) {
    const statement = readJson(statementSchema, payload)
    if (statement === null) continue
    const { gitCommit } = statement.subject[0].digest
    if (gitCommit !== undefined) await treeOf(gitCommit)
    if (statement.predicateType !== VERDICT) continue
    for (const { annotations } of statement.predicate.policies.value) {
      if (annotations === undefined) continue
      const { commit, path } = annotations
      const isHere = (await treeOf(commit)) !== null
      files.set(`${commit}:${path}`, isHere ? await digestOfFile(git, commit, path) : undefined)
    }
    const record = statement.predicate.record.value
    if (record === null || !/^[\w.-]+$/.test(record.workspace)) continue
    const ledger = join(dataDirectory, 'workspaces', record.workspace, 'ledger')
    const isHere = await exists(ledger).catch(() => false)
    lines.set(
      `${record.workspace}:${record.seq}`,
      isHere ? await hashOfEvent(ledger, record.seq).catch(() => undefined) : undefined,
    )
  }
  return {
    treeOf: (commit) => trees.get(commit) ?? null,
    fileOf: (commit, path) => files.get(`${commit}:${path}`),
    lineOf: (workspace, seq) => lines.get(`${workspace}:${seq}`),
  }
}
