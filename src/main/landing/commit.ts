import type { LandingRecord } from '../../core/record/landing-record.ts'
import { type Git, type GitResult, tryAsk } from './git.ts'

/** The metadata of a commit. */
export interface CommitFacts {
  readonly tree: string
  readonly parent: string
  /** The author of the agent's commit as `name <mail>`; `null` uses the operator's git configuration. */
  readonly author: string | null
}

/** The values of the trailers. */
interface TrailerFacts {
  readonly tree: string
  /** Position in the record, for the trailer `Pulseward-Record`. */
  readonly record: string
  /** The name of work that hosts share, for the trailer `Pulseward-Shared`; `null` if it is not shared. */
  readonly shared: string | null
}

const MAX_SUBJECT = 72

/** Returns the message of the commit that lands the work. */
export function messageOf(
  { taskId, attemptId, description }: Pick<LandingRecord, 'taskId' | 'attemptId' | 'description'>,
  { tree, record, shared }: TrailerFacts,
): string {
  const words = description.replace(/[\s\p{Cc}]+/gu, ' ').trim() || taskId
  const subject = words.length <= MAX_SUBJECT ? words : `${words.slice(0, MAX_SUBJECT - 1).trimEnd()}…`
  const body = words === subject ? '' : `${words}\n\n`
  return `${subject}\n\n${body}${trailersOf({ taskId, attemptId }, { tree, record, shared })}\n`
}

/** Names the shared work, so that another host sees how much of it has landed. */
export const SHARED_TRAILER = 'Pulseward-Shared'

export function taskInTrailer(taskId: string): string {
  return taskId.replace(/[\s\p{Cc}]+/gu, ' ')
}

function trailersOf(
  { taskId, attemptId }: Pick<LandingRecord, 'taskId' | 'attemptId'>,
  { tree, record, shared }: TrailerFacts,
): string {
  return [
    `Pulseward-Task: ${taskInTrailer(taskId)}`,
    `Pulseward-Attempt: ${attemptId}`,
    'Pulseward-Verdict: verified',
    `Pulseward-Tree: ${tree}`,
    `Pulseward-Record: ${record}`,
    ...(shared === null ? [] : [`${SHARED_TRAILER}: ${shared}`]),
  ].join('\n')
}

/** Rejects `makeCommit`: the operator's key did not sign. */
export class SigningProblem extends Error {
  /** Whether the program that signs was killed because it did not end. */
  readonly hasHung: boolean

  constructor(message: string, hasHung: boolean) {
    super(message)
    this.hasHung = hasHung
  }
}

/** How to create a commit. `isSigned`: with the operator's key. */
export interface Making {
  readonly isSigned: boolean
  readonly signal?: AbortSignal
}

/** Creates the commit that lands. Rejects if it cannot be created, with a `SigningProblem` if it could not be signed. */
export async function makeCommit(
  git: Git,
  message: string,
  { tree, parent, author }: CommitFacts,
  { isSigned, signal }: Making,
): Promise<string> {
  const words = ['commit-tree', tree, '-p', parent, ...(isSigned ? ['-S'] : []), '-F', '-']
  const [, name, mail] = /^(.*) <(.*)>$/.exec(author ?? '') ?? []
  const env = { ...(name !== undefined && mail !== undefined && identity('AUTHOR', name, mail)) }
  const made = await git(words, { input: message, env, signal })
  if (made.ok) return made.stdout.trim()
  // Git refuses to commit for an operator who has not told it a name.
  if ((await tryAsk(git, 'var', 'GIT_COMMITTER_IDENT')) !== null) throw problemOf(made, isSigned)
  const ours = {
    ...identity('COMMITTER', OUR_NAME, OUR_ADDRESS),
    ...identity('AUTHOR', OUR_NAME, OUR_ADDRESS),
    ...env,
  }
  const again = await git(words, { input: message, env: ours, signal })
  if (!again.ok) throw problemOf(again, isSigned)
  return again.stdout.trim()
}

/** Git says in its first lines why a program could not sign. Anything else fails without a signature, too. */
const NOT_SIGNED = /sign|gpg|ssh-keygen|(?:secret|private|public) key/i

function problemOf({ error, timedOut }: GitResult, isSigned: boolean): Error {
  if (!isSigned || !(timedOut || NOT_SIGNED.test(error))) return new Error(`git commit-tree failed: ${error}`)
  const because = error.replace(/^(?:error|fatal): /gm, '').replace(/\s*\n\s*/g, '; ')
  return new SigningProblem(
    `Its commit could not be signed (${because}). It lands once your key signs, or commit.gpgSign is off`,
    timedOut,
  )
}

/** Who commits if the operator has not told git a name. */
export const OUR_NAME = 'Pulseward'
export const OUR_ADDRESS = 'pulseward@localhost'

function identity(role: string, name: string, mail: string): Record<string, string> {
  return { [`GIT_${role}_NAME`]: name, [`GIT_${role}_EMAIL`]: mail }
}

/** Returns whether the operator signs their commits. */
export async function asksForSignature(git: Git): Promise<boolean> {
  return (await tryAsk(git, 'config', '--type=bool', '--get', 'commit.gpgSign')) === 'true'
}
