import type { LandingRecord } from '../../core/record/landing-record.ts'
import { type Git, tryAsk } from './git.ts'

/** The metadata of a commit. */
export interface CommitFacts {
  readonly tree: string
  readonly parent: string
  /** `name <mail>` of the agent's commit; `null` uses the operator's configuration. */
  readonly author: string | null
}

/** What the trailers say. */
interface TrailerFacts {
  readonly tree: string
  /** Position in the record, for the trailer `Pulseward-Record`. */
  readonly record: string
  /** The name of work that hosts share, for the trailer `Pulseward-Shared`; `null`: it is not shared. */
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

/** Names the shared work, so that another host sees what has landed of it. */
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

/** Creates the commit that lands, signed if the operator's configuration says so. Rejects if it cannot be created. */
export async function makeCommit(git: Git, message: string, facts: CommitFacts): Promise<string> {
  return commitTree(git, message, facts, asksForSignature(git))
}

/** Creates an unsigned commit that only keeps the work. */
export function makeKeptCommit(git: Git, message: string, facts: CommitFacts): Promise<string> {
  return commitTree(git, message, facts, Promise.resolve(false))
}

async function asksForSignature(git: Git): Promise<boolean> {
  return (await tryAsk(git, 'config', '--type=bool', '--get', 'commit.gpgSign')) === 'true'
}

async function commitTree(
  git: Git,
  message: string,
  facts: CommitFacts,
  signing: Promise<boolean>,
): Promise<string> {
  const [isSigned, committer] = await Promise.all([signing, tryAsk(git, 'var', 'GIT_COMMITTER_IDENT')])
  const nobody = { GIT_COMMITTER_NAME: 'Pulseward', GIT_COMMITTER_EMAIL: 'pulseward@localhost' }
  const [, name, mail] = /^(.*) <(.*)>$/.exec(facts.author ?? '') ?? []
  const env = {
    ...(committer === null && {
      ...nobody,
      GIT_AUTHOR_NAME: 'Pulseward',
      GIT_AUTHOR_EMAIL: 'pulseward@localhost',
    }),
    ...(name !== undefined && mail !== undefined && { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: mail }),
  }
  const { ok, stdout, error } = await git(
    ['commit-tree', facts.tree, '-p', facts.parent, ...(isSigned ? ['-S'] : []), '-F', '-'],
    { input: message, env },
  )
  if (!ok) throw new Error(`git commit-tree failed: ${error}`)
  return stdout.trim()
}
