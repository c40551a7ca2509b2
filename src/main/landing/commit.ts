import type { LandingRecord } from '../../core/record/landing-record.ts'
import { type Git, tryAsk } from './git.ts'

/** What a commit says beside its contents. */
export interface CommitFacts {
  readonly tree: string
  readonly parent: string
  /** `name <mail>`, as the agent committed; `null`: as the operator's configuration says. */
  readonly author: string | null
  /** Where the record stands: what the trailer `Pulseward-Record` names. */
  readonly record: string
}

const MAX_SUBJECT = 72

/** Returns the message of the commit by which work lands. */
export function messageOf(
  { taskId, attemptId, description }: Pick<LandingRecord, 'taskId' | 'attemptId' | 'description'>,
  { tree, record }: Pick<CommitFacts, 'tree' | 'record'>,
): string {
  const words = description.replace(/[\s\p{Cc}]+/gu, ' ').trim() || taskId
  const subject = words.length <= MAX_SUBJECT ? words : `${words.slice(0, MAX_SUBJECT - 1).trimEnd()}…`
  const body = words === subject ? '' : `${words}\n\n`
  return `${subject}\n\n${body}${trailersOf({ taskId, attemptId }, { tree, record })}\n`
}

export function trailersOf(
  { taskId, attemptId }: Pick<LandingRecord, 'taskId' | 'attemptId'>,
  { tree, record }: Pick<CommitFacts, 'tree' | 'record'>,
): string {
  return [
    `Pulseward-Task: ${taskId.replace(/[\s\p{Cc}]+/gu, ' ')}`,
    `Pulseward-Attempt: ${attemptId}`,
    'Pulseward-Verdict: verified',
    `Pulseward-Tree: ${tree}`,
    `Pulseward-Record: ${record}`,
  ].join('\n')
}

/** Makes the commit that lands, signed where the operator's configuration asks for that. Rejects where it cannot be made. */
export async function makeCommit(git: Git, message: string, facts: CommitFacts): Promise<string> {
  return commitTree(git, message, facts, await asksForSignature(git))
}

/** Makes a commit that only keeps work: nobody signs it. */
export function makeKeptCommit(
  git: Git,
  message: string,
  facts: Omit<CommitFacts, 'record'>,
): Promise<string> {
  return commitTree(git, message, facts, false)
}

async function asksForSignature(git: Git): Promise<boolean> {
  return (await tryAsk(git, 'config', '--type=bool', '--get', 'commit.gpgSign')) === 'true'
}

async function commitTree(
  git: Git,
  message: string,
  facts: Omit<CommitFacts, 'record'>,
  isSigned: boolean,
): Promise<string> {
  const committer = await tryAsk(git, 'var', 'GIT_COMMITTER_IDENT')
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
