import { join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import type { VerdictFacts } from '../../core/attestation/facts.ts'
import { factsOfAttempt } from '../../core/attestation/facts-of-attempt.ts'
import { type Policy, VERIFIER_ID } from '../../core/attestation/statement.ts'
import { judgedTrees } from '../../core/landing/steps.ts'
import type { AttemptResult, RecordedEvent } from '../../core/record/events.ts'
import { fold } from '../../core/record/fold.ts'
import type { AttemptSummary } from '../../core/record/state.ts'
import { KeyRing } from '../attestation/key-ring.ts'
import {
  digestOfFile,
  type Git,
  readCommit,
  readPrefix,
  readRepositoryName,
} from '../attestation/repository.ts'
import { signFacts } from '../attestation/sign-facts.ts'
import { sha256 } from '../files/sha256.ts'
import { hashOfEvent } from '../ledger/read-events.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ledger } from '../ports/ledger.ts'
import { systemKeyStore } from '../process/key-store.ts'
import { runGit } from '../snapshot/git-command.ts'

/** A workspace whose record can be attested. */
export interface AttestedWorkspace {
  readonly id: string
  readonly name: string
  readonly directory: string
  /** The data folder of the workspace. */
  readonly dataDirectory: string
  readonly ledger: Ledger
}

/** Who attests: the data folder with the keys, and the version to name. */
export interface Attesting {
  readonly dataDirectory: string
  readonly clock: Clock
  readonly version: string
}

/**
 * Signs the record's facts about an attempt, or about the attempts that left the tree of a commit or landed as it; `null`: there is no such
 * attempt or commit. `landedAs`: the commit as which the attempt's work landed. Rejects with a `RequestProblem`.
 */
export async function attestRecorded(
  workspace: AttestedWorkspace,
  by: Attesting,
  of: string,
  landedAs: string | null = null,
) {
  const git = gitOf(workspace)
  const judged = await findJudged(workspace, git, of, landedAs)
  if (judged === null) return null
  const key = await ringOf(by).signingKey()
  // Taken after the key was made, because a key is trusted only from its creation on.
  const nowIso = new Date(by.clock.nowMs()).toISOString()
  const name = await readRepositoryName(git, workspace.directory)
  const facts: VerdictFacts[] = []
  for (const one of judged)
    facts.push(await factsOf(workspace, git, one, { name, version: by.version, nowIso }))
  const [first] = facts
  if (first === undefined) throw noVerdict(of)
  return {
    attempts: judged.map(({ result }, index) => ({
      attemptId: result.attemptId,
      taskId: result.taskId,
      verdict: facts[index]?.verdict ?? first.verdict,
    })),
    directory: workspace.directory,
    commit: first.subject.commit,
    tree: first.subject.tree,
    keyid: key.keyid,
    envelopes: facts.flatMap((one) => signFacts(one, key)),
  }
}

/** Returns git for a workspace's folder. */
export function gitOf({ directory }: Pick<AttestedWorkspace, 'directory'>): Git {
  return (args, options) => runGit(directory, args, options)
}

export function ringOf({ dataDirectory, clock }: Pick<Attesting, 'dataDirectory' | 'clock'>): KeyRing {
  return new KeyRing({
    dataDirectory,
    keyStore: systemKeyStore(process.platform, process.env, 'attestation-key'),
    nowMs: clock.nowMs,
  })
}

/** An attempt with the commit and tree that are attested. */
interface Judged {
  readonly seq: number
  readonly result: AttemptResult
  readonly subject: { readonly commit: string | null; readonly tree: string }
  /** Whether the operator accepted this tree when it was held. */
  readonly isAccepted?: boolean
}

async function findJudged(
  runtime: AttestedWorkspace,
  git: Git,
  of: string,
  landedAs: string | null,
): Promise<readonly Judged[] | null> {
  const result = await runtime.ledger.attempt(of)
  const landed = landedAs === null ? null : await readCommit(git, landedAs)
  if (result !== null) {
    const isAccepted = landed !== null && (await wasHeld(runtime.ledger, of, landed.tree))
    return [{ ...(await judgedAttempt(runtime, of)), ...(landed && { subject: landed }), isAccepted }]
  }
  const commit = await readCommit(git, of)
  if (commit === null) return null
  const judged = await findRecorded(runtime.ledger, ({ tree }) => tree?.tree === commit.tree)
  if (judged.length > 0) return judged.map((one) => ({ ...one, subject: commit }))
  // A combination with the target is the tree of no attempt.
  const landing = runtime.ledger.state.landings.find(
    (one) => one.state === 'landed' && one.commit === commit.commit && judgedTrees(one).includes(commit.tree),
  )
  if (landing !== undefined) return findJudged(runtime, git, landing.attemptId, commit.commit)
  throw new RequestProblem(
    'not-found',
    `No attempt in the record of ${runtime.name} left the tree of commit ${commit.commit}, or landed as it. \`pulseward verify --base REV --attest FILE\` judges and attests any commit.`,
  )
}

async function judgedAttempt(runtime: AttestedWorkspace, id: string): Promise<Judged> {
  const [recorded] = await findRecorded(runtime.ledger, ({ attemptId }) => attemptId === id)
  if (recorded === undefined || recorded.result.verdict === null) throw noVerdict(id)
  const { tree } = recorded.result
  if (tree === undefined)
    throw new RequestProblem(
      'unprocessable',
      `The record does not say which tree attempt ${id} left: the folder was in no git repository with a commit, or an older version recorded it. Only a tree can be attested.`,
    )
  return { ...recorded, subject: { commit: tree.isDirty ? null : tree.commit, tree: tree.tree } }
}

/** Returns whether the combination of an attempt's work with its target was held, so that it landed because the operator accepted it. */
async function wasHeld(ledger: Ledger, attemptId: string, tree: string): Promise<boolean> {
  for await (const events of backwards(ledger, ledger.state.seq)) {
    const isHeld = events.some(
      (event) =>
        event.type === 'landing-changed' &&
        event.landing.attemptId === attemptId &&
        event.landing.heldTree === tree,
    )
    if (isHeld) return true
    const hasBegun = events.some(
      (event) => event.type === 'attempt-finished' && event.result.attemptId === attemptId,
    )
    if (hasBegun) return false
  }
  return false
}

function noVerdict(of: string): RequestProblem {
  return new RequestProblem('unprocessable', `${of} has no verdict, so there is nothing to attest.`)
}

const CHUNK = 2000

/** Finds matching judged attempts in the newest part of the record that has any, newest last. */
async function findRecorded(
  ledger: Ledger,
  fits: (result: AttemptResult) => boolean,
): Promise<readonly Omit<Judged, 'subject'>[]> {
  for await (const events of backwards(ledger, ledger.state.seq)) {
    const found = events.flatMap((event) =>
      event.type === 'attempt-finished' && event.result.verdict !== null && fits(event.result)
        ? [{ seq: event.seq, result: event.result }]
        : [],
    )
    if (found.length > 0) return found
  }
  return []
}

/** Yields the record in pieces, from `seq` back to its beginning; within a piece the oldest event comes first. */
async function* backwards(ledger: Ledger, seq: number): AsyncGenerator<readonly RecordedEvent[]> {
  for (let end = seq; end > 0; end -= CHUNK) {
    const from = Math.max(1, end - CHUNK + 1)
    yield (await ledger.read(from, end - from + 1)).filter((event) => event.seq <= end)
  }
}

async function factsOf(
  { id, ledger, dataDirectory }: AttestedWorkspace,
  git: Git,
  { seq, result, subject, isAccepted = false }: Judged,
  { name, version, nowIso }: { readonly name: string; readonly version: string; readonly nowIso: string },
): Promise<VerdictFacts> {
  const lineSha256 = await hashOfEvent(join(dataDirectory, 'ledger'), seq)
  if (lineSha256 === null)
    throw new RequestProblem(
      'unprocessable',
      `Event ${seq} of the record cannot be read. \`pulseward doctor\` says why.`,
    )
  const facts = factsOfAttempt(result, await standingOf(ledger, seq, result.attemptId), {
    verifier: { id: VERIFIER_ID, version },
    subject: { name, ...subject },
    isAccepted,
    policies: await policiesOf(ledger, git, {
      seq,
      cycle: result.cycle,
      commit: result.tree?.commit ?? null,
    }),
    record: { workspace: id, attempt: result.attemptId, seq, lineSha256 },
    taskSha256: sha256(`${result.taskId}\n${result.description}\n${result.verify}\n`),
    nowIso,
  })
  if (facts === null) throw noVerdict(result.attemptId)
  return facts
}

/** Returns an attempt with what the operator decided about it. The state keeps only the latest attempts, the record all of them. */
async function standingOf(
  ledger: Ledger,
  seq: number,
  attemptId: string,
): Promise<AttemptSummary | undefined> {
  const kept = ledger.state.attempts.find((attempt) => attempt.attemptId === attemptId)
  if (kept !== undefined) return kept
  const about: RecordedEvent[] = []
  for (let from = seq; from <= ledger.state.seq; from += CHUNK)
    about.push(
      ...(await ledger.read(from, CHUNK)).filter(
        (event) => event.seq < from + CHUNK && isAbout(event, attemptId),
      ),
    )
  return fold(about).attempts[0]
}

function isAbout(event: RecordedEvent, attemptId: string): boolean {
  if (event.type === 'attempt-finished') return event.result.attemptId === attemptId
  const decides =
    event.type === 'verdict-overruled' || event.type === 'review-answered' || event.type === 'review-undone'
  return decides && event.attemptId === attemptId
}

/** Returns the contract and configuration that were in effect, with the commit if it has the same file. */
async function policiesOf(
  ledger: Ledger,
  git: Git,
  { seq, cycle, commit }: { readonly seq: number; readonly cycle: number; readonly commit: string | null },
): Promise<readonly Policy[]> {
  let contract: string | null = null
  let configuration: string | null = null
  for await (const events of backwards(ledger, seq)) {
    for (const event of events.toReversed()) {
      if (event.type === 'cycle-started' && event.cycle === cycle) contract ??= event.contractHash
      if (event.type === 'configuration-approved') configuration ??= event.hash
    }
    if (contract !== null && configuration !== null) break
  }
  const prefix = await readPrefix(git)
  const policy = async (file: string, digest: string | null): Promise<Policy[]> => {
    if (digest === null || !/^[0-9a-f]{64}$/.test(digest)) return []
    const path = `${prefix}${file}`
    const isCommitted = commit !== null && (await digestOfFile(git, commit, path)) === digest
    return [{ name: file, digest: { sha256: digest }, ...(isCommitted && { annotations: { commit, path } }) }]
  }
  return [
    ...(await policy('HEARTBEAT.md', contract)),
    ...(await policy('pulseward.toml', configuration ?? ledger.approvedHash)),
  ]
}
