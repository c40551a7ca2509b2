import { basename } from 'node:path'
import { nameFromRemote } from '../../core/attestation/keys.ts'
import { sha256 } from '../files/sha256.ts'

/** Runs git without running anything from the repository. */
export type Git = (
  args: readonly string[],
  options?: { readonly input?: Buffer; readonly settings?: readonly (readonly [string, string])[] },
) => Promise<{ readonly ok: boolean; readonly stdout: Buffer; readonly error: string }>

/** One envelope per line. */
export const NOTES_REF = 'refs/notes/pulseward'

const OBJECT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

export interface CommitWithTree {
  readonly commit: string
  readonly tree: string
}

/** Returns the commit that a revision names, with its tree; `null` if there is none, or no repository. */
export async function readCommit(git: Git, revision: string): Promise<CommitWithTree | null> {
  const [commit, tree] = await Promise.all([
    readObject(git, `${revision}^{commit}`),
    readObject(git, `${revision}^{tree}`),
  ])
  return commit === null || tree === null ? null : { commit, tree }
}

async function readObject(git: Git, revision: string): Promise<string | null> {
  const { ok, stdout } = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', revision])
  const object = lastLine(stdout)
  return ok && OBJECT.test(object) ? object : null
}

/** Returns the repository's name for statements: from its remote, otherwise from its folder. Never includes credentials. */
export async function readRepositoryName(git: Git, directory: string): Promise<string> {
  const { ok, stdout } = await git(['config', '--get', 'remote.origin.url'])
  return (ok ? nameFromRemote(lastLine(stdout)) : null) ?? basename(directory)
}

/** Returns the hex SHA-256 of a commit's file; `null` if the commit does not have it. */
export async function digestOfFile(git: Git, commit: string, path: string): Promise<string | null> {
  const { ok, stdout } = await git(['cat-file', 'blob', `${commit}:${path}`])
  return ok ? sha256(stdout) : null
}

/** Returns the folder's path in its repository: empty at the top, otherwise with a `/` at the end. */
export async function readPrefix(git: Git): Promise<string> {
  const { ok, stdout } = await git(['rev-parse', '--show-prefix'])
  return ok ? lastLine(stdout) : ''
}

/** Returns a commit's envelopes; `null` if there is no note. */
export async function readNote(git: Git, commit: string): Promise<string | null> {
  const { ok, stdout } = await git(['notes', `--ref=${NOTES_REF}`, 'show', commit])
  return ok ? stdout.toString('utf8') : null
}

/** Adds envelopes to a commit's note, keeping the existing ones and skipping duplicates. Returns what went wrong, or `null`. */
export async function addToNote(git: Git, commit: string, lines: readonly string[]): Promise<string | null> {
  const before = (await readNote(git, commit))?.split('\n').filter(Boolean) ?? []
  const all = [...new Set([...before, ...lines])]
  const { ok, error } = await git(['notes', `--ref=${NOTES_REF}`, 'add', '--force', '--file=-', commit], {
    input: Buffer.from(`${all.join('\n')}\n`),
    // The author of a note does not matter: the envelopes are signed.
    settings: [
      ['user.name', 'Pulseward'],
      ['user.email', 'pulseward@localhost'],
    ],
  })
  return ok ? null : error
}

function lastLine(stdout: Buffer): string {
  return stdout.toString('utf8').replace(/\r?\n$/, '')
}
