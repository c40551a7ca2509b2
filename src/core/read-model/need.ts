import { z } from 'zod'
import { type ProposalItem, sayItem } from '../contract/proposal-items.ts'
import { isBlocked } from '../cycle/progress.ts'
import { commonCause } from '../pacing/unblock.ts'
import { taskHistory } from '../record/fold-task-history.ts'
import type { WorkspaceState } from '../record/state.ts'
import { quoteAgent } from '../text/quote.ts'
import { sentence } from '../text/sentence.ts'
import { HELD_WORDS } from '../vocabulary/held.ts'
import { NEED_ACTIONS, NEED_KINDS, type NeedKind } from '../vocabulary/need.ts'
import { SESSION_AGENT_NAMES } from '../vocabulary/session.ts'
import type { TrustName } from '../vocabulary/trust.ts'
import { countOthers, unreviewedCount } from '../vocabulary/unreviewed.ts'
import { allNotices, FOLDER_MISSING, isFolderMissing, type Notice } from './notice.ts'
import type { PermissionRequest } from './permission.ts'
import { unreviewedWords } from './unreviewed.ts'

/** One thing that needs the operator's attention. */
export const needSchema = z.object({
  kind: z.enum(NEED_KINDS),
  workspace: z.string(),
  /** The id of its subject: a task, an attempt, a request, a proposal; otherwise the workspace's. */
  id: z.string(),
  /** Why, as one sentence. */
  reason: z.string(),
  /** What to do, as a button label. */
  action: z.string(),
  /** For contradictions: how many in the workspace are unreviewed. */
  count: z.int().min(1).optional(),
  /** How many of these are not contradictions: rigged checks and refused requests. */
  others: z.int().min(0).optional(),
})

export type Need = z.infer<typeof needSchema>

/** What is needed besides the state to find a workspace's needs. */
export interface NeedFacts {
  readonly id: string
  readonly trust: TrustName
  readonly permissions: readonly PermissionRequest[]
  /** Notices that don't come from the ledger. */
  readonly notices: readonly Notice[]
}

type Asked = Pick<Need, 'kind' | 'reason' | 'count' | 'others'> & { readonly id?: string }

/** Each lists the current needs of its kinds; a new kind is a line in the vocabulary and a function here. */
const ASKERS: readonly ((state: WorkspaceState, facts: NeedFacts) => readonly Asked[])[] = [
  ({ suspended }) =>
    suspended === null ? [] : [{ kind: 'suspension', reason: sentence(`suspended: ${suspended.reason}`) }],
  askAboutUnreviewed,
  (_state, { permissions }) =>
    permissions.map(({ id, agentId, tool, target }) => ({
      kind: 'permission',
      id,
      reason: `${agentId} asks for permission: ${quoteAgent(`${tool} ${target}`)}`,
    })),
  // Both files are gone with their folder; nothing suggests that anyone meant to remove them.
  ({ proposals }, { trust, notices }) => (isFolderMissing(notices) ? [] : askForTrust(trust, proposals)),
  ({ proposals }, { notices }) =>
    proposals
      .filter(({ state }) => state === 'pending' && !isFolderMissing(notices))
      .map(({ id, file, during, asksLess, items }) => ({
        kind: 'proposal',
        id,
        reason: `${file} was changed while ${during}${asksLess ? ', and was weakened' : ''}: ${changesInWords(items)}`,
      })),
  ({ held }) => askForReview(held),
  ({ landings }) => askAboutLanding(landings),
  ({ sessions }) => askAboutSessions(sessions),
  (state) =>
    Object.values(state.progress.tasks).flatMap((task) => (isBlocked(task) ? [blocked(state, task)] : [])),
  (state, { notices }) => allNotices(state, notices).flatMap(aboutNotice),
  ({ progress }) =>
    Object.values(progress.tasks)
      .filter(({ waiting }) => waiting === 'fix_gate')
      .map(({ taskId, lastResult }) => ({
        kind: 'finding',
        id: taskId,
        reason: `${taskId} does not run until its check is repaired.${lastResult === null ? '' : ` ${sentence(lastResult)}`}`,
      })),
]

/**
 * Returns everything in a workspace that needs the operator's attention, the most urgent first. Badge, tray, sidebar, overview
 * and command line show its length. A standing is not a separate need: its cause is, if something can be done about it.
 */
export function needs(state: WorkspaceState, facts: NeedFacts): Need[] {
  return ASKERS.flatMap((ask) => ask(state, facts))
    .map(({ kind, reason, id = facts.id, ...about }) => ({
      kind,
      workspace: facts.id,
      id,
      reason,
      action: NEED_ACTIONS[kind],
      ...about,
    }))
    .toSorted((a, b) => NEED_KINDS.indexOf(a.kind) - NEED_KINDS.indexOf(b.kind))
}

/** Returns one need for all unreviewed contradictions, which describes the latest. */
function askAboutUnreviewed(state: WorkspaceState): readonly Asked[] {
  const { waiting } = state.unreviewed
  const latest = waiting.at(-1)
  if (latest === undefined) return []
  const { length: count } = waiting
  const others = countOthers(waiting)
  const reason = `${unreviewedCount(count, others)}. ${count === 1 ? '' : 'The latest: '}${unreviewedWords(state, latest)}`
  return [{ kind: 'contradiction', count, ...(others > 0 && { others }), reason }]
}

function changesInWords(items: readonly ProposalItem[]): string {
  const [first, ...others] = items
  if (first === undefined) return 'accept or revert it.'
  return `${sayItem(first)}${others.length === 0 ? '' : ` And ${others.length} more.`}`
}

/** Returns one need for each held work; work held together with another is answered with it. */
function askForReview(held: WorkspaceState['held']): readonly Asked[] {
  const roots = held.filter((one) => !held.some(({ attemptId }) => attemptId === one.with))
  return roots.map(({ attemptId, taskId, because }) => {
    const others = held.filter((one) => one.with === attemptId).map((one) => one.taskId)
    const more =
      others.length === 0 ? '' : ` ${listed(others)} ${others.length === 1 ? 'waits' : 'wait'} with it.`
    return {
      kind: 'held',
      id: attemptId,
      reason: `${taskId} waits for your review. ${HELD_WORDS[because]}${more}`,
    }
  })
}

/**
 * Returns landings that need the operator to approve them or to solve why they failed. Those that wait for anything else
 * continue automatically.
 */
function askAboutLanding(landings: WorkspaceState['landings']): readonly Asked[] {
  return landings.flatMap(
    ({ state, attemptId, taskId, target, because, waitsFor, differs, verified }): Asked[] => {
      if (differs) return [{ kind: 'landed-differs', id: attemptId, reason: sentence(because) }]
      if (state === 'held' && verified)
        return [
          {
            kind: 'landing',
            id: attemptId,
            reason: `${taskId} could not land on ${target}. ${sentence(because)}`,
          },
        ]
      return state === 'waiting' && waitsFor === 'operator'
        ? [{ kind: 'landing', id: attemptId, reason: `${taskId} is verified. ${sentence(because)}` }]
        : []
    },
  )
}

/** Returns the sessions that were contradicted and allowed to stop. */
function askAboutSessions(sessions: WorkspaceState['sessions']): readonly Asked[] {
  return sessions
    .filter(({ needsDecision }) => needsDecision)
    .map(({ sessionId, agent, turns }) => {
      const [why] = turns.findLast(({ stopped }) => stopped)?.reasons ?? []
      return {
        kind: 'session',
        id: sessionId,
        reason: `${SESSION_AGENT_NAMES[agent]} stopped, not verified.${why === undefined ? '' : ` ${sentence(why)}`}`,
      }
    })
}

function listed(names: readonly string[]): string {
  if (names.length > 3) return `${names.length} others`
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}

function askForTrust(trust: TrustName, proposals: WorkspaceState['proposals']): readonly Asked[] {
  const isAgents = proposals.some(({ state, file }) => state === 'pending' && file === 'pulseward.toml')
  switch (trust) {
    case 'unapproved':
      return [{ kind: 'approve', reason: 'Nothing runs until you approve its commands.' }]
    case 'changed':
      // An agent's edit is listed as a proposal; accepting that approves it.
      if (isAgents) return []
      return [{ kind: 'approve', reason: 'pulseward.toml has changed since you approved it.' }]
    case 'missing':
      return [{ kind: 'no-configuration', reason: 'It has no pulseward.toml yet.' }]
    case 'approved':
      return []
  }
}

function blocked(state: WorkspaceState, { taskId }: { readonly taskId: string }): Asked {
  const cause = commonCause(taskHistory(state, taskId).entries)
  const why = cause === null ? '' : ` ${sentence(cause)}`
  return { kind: 'blocked', id: taskId, reason: `${taskId} has no attempts left.${why}` }
}

const KIND_OF_NOTICE: Readonly<Record<string, NeedKind | null>> = {
  // Listed under their own subjects already.
  suspended: null,
  'configuration-changed': null,
  'record-broken': 'record-not-whole',
  'record-forked': 'record-not-whole',
  contract_weakened: 'contract-weakened',
  'contract-unreadable': 'contract-unreadable',
  [FOLDER_MISSING]: 'contract-unreadable',
  'backed-off': 'agent-unavailable',
  'budget-reached': 'budget',
  'budget-not-kept': 'budget',
  // Only reported; nothing needs to be done yet.
  'budget-near': null,
}

function aboutNotice({ code, taskId, message, remedy }: Notice): readonly Asked[] {
  const kind = Object.hasOwn(KIND_OF_NOTICE, code) ? KIND_OF_NOTICE[code] : 'finding'
  if (kind == null) return []
  const reason = remedy === null ? sentence(message) : `${sentence(message)} ${remedy}`
  return [{ kind, reason, ...(taskId !== null && { id: taskId }) }]
}
