import { basename } from 'node:path'
import { nameFromRemote } from '../../core/attestation/keys.ts'
import { sha256 } from './envelope.ts'

/** Runs git so that nothing of the repository is run. */
export type Git = (
  args: readonly string[],
  options?: { readonly input?: Buffer; readonly settings?: readonly (readonly [string, string])[] },
) => Promise<{ readonly ok: boolean; readonly stdout: Buffer; readonly error: string }>

/** One envelope a line. */
export const NOTES_REF = 'refs/notes/pulseward'

const OBJECT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

export interface CommitWithTree {
  readonly commit: string
  readonly tree: string
}

/** The commit that a revision names, with its tree; `null` where there is none, or no repository. */
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

/** The repository's name in statements: that of its remote, else of its folder. Never with credentials. */
export async function readRepositoryName(git: Git, directory: string): Promise<string> {
  const { ok, stdout } = await git(['config', '--get', 'remote.origin.url'])
  return (ok ? nameFromRemote(lastLine(stdout)) : null) ?? basename(directory)
}

/** Hex SHA-256 of a file of a commit; `null` where the commit has none. */
export async function digestOfFile(git: Git, commit: string, path: string): Promise<string | null> {
  const { ok, stdout } = await git(['cat-file', 'blob', `${commit}:${path}`])
  return ok ? sha256(stdout) : null
}

/** Where the folder lies in its repository: empty at the top, else with a `/` at the end. */
export async function readPrefix(git: Git): Promise<string> {
  const { ok, stdout } = await git(['rev-parse', '--show-prefix'])
  return ok ? lastLine(stdout) : ''
}

/** The envelopes beside a commit; `null` where there is no note. */
export async function readNote(git: Git, commit: string): Promise<string | null> {
  const { ok, stdout } = await git(['notes', `--ref=${NOTES_REF}`, 'show', commit])
  return ok ? stdout.toString('utf8') : null
}

/** Adds envelopes to a commit's note; those that are there stay, and none stands twice. Answers what went wrong, or `null`. */
export async function addToNote(git: Git, commit: string, lines: readonly string[]): Promise<string | null> {
  const before = (await readNote(git, commit))?.split('\n').filter(Boolean) ?? []
  const all = [...new Set([...before, ...lines])]
  const { ok, error } = await git(['notes', `--ref=${NOTES_REF}`, 'add', '--force', '--file=-', commit], {
    input: Buffer.from(`${all.join('\n')}\n`),
    // Who wrote a note says nothing: the envelopes are signed.
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
