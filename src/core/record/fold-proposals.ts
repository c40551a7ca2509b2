import type { EventOf } from './events.ts'
import { dropNotices } from './fold-notices.ts'
import type { FileCustody, LastAnswer, Proposal, WorkspaceState } from './state.ts'

const KEPT_ANSWERED = 50

/** Records a file's state after an edit: its hash and, if the edit was the operator's, that it counts. */
export function noteEdit(state: WorkspaceState, event: EventOf<'contract-edited'>): WorkspaceState {
  const { file = 'HEARTBEAT.md', hash, base } = event
  const known = state.custody[file]
  const isBaseKnown = base !== undefined && file === 'HEARTBEAT.md'
  const before = withoutAnswer(state, file)
  return withCustody(isBaseKnown ? dropNotices(before, ({ code }) => code === 'base-lost') : before, file, {
    base: base ?? known?.base ?? null,
    seen: hash,
  })
}

export function makeProposal(state: WorkspaceState, event: EventOf<'proposal-made'>): WorkspaceState {
  const { id, file, attemptIds, during, at, adds, asksLess, items, diff } = event
  const proposal: Proposal = {
    id,
    file,
    attemptIds,
    during,
    at,
    adds,
    asksLess,
    items,
    diff,
    state: 'pending',
    answeredAt: null,
  }
  const before = withoutAnswer(state, file)
  return withProposals(before, [proposal, ...state.proposals.filter((each) => each.id !== id)])
}

/** Removes the answered part of a proposal; the rest, if any, keeps waiting. */
export function answerProposal(state: WorkspaceState, event: EventOf<'proposal-answered'>): WorkspaceState {
  const { id, answer, items, left, base, seen, at } = event
  const proposal = state.proposals.find((each) => each.id === id)
  if (proposal === undefined) return state
  const answered: Proposal =
    left.length > 0 ? { ...proposal, items: left } : { ...proposal, items, state: answer, answeredAt: at }
  const { file } = proposal
  const known = state.custody[file]
  const after = { base: base ?? known?.base ?? null, seen: seen ?? known?.seen ?? null }
  const next = withProposals(
    state,
    state.proposals.map((each) => (each.id === id ? answered : each)),
  )
  return withCustody(withAnswer(next, state, event, { file, after }), file, after)
}

/** Undoes the latest answer: what was answered waits again, and what counted before counts again. */
export function undoProposalAnswer(
  state: WorkspaceState,
  event: EventOf<'proposal-answer-undone'>,
): WorkspaceState {
  const { lastAnswer, ...rest } = state
  if (lastAnswer?.id !== event.id) return state
  const { file, proposals } = lastAnswer
  const others = state.proposals.filter((each) => each.file !== file)
  const { base, seen } = event
  return withCustody(withProposals(rest, [...proposals, ...others]), file, { base, seen })
}

/**
 * Keeps the answer so that it can be undone. Accepting a proposed configuration approves it, and is revoked like any approval; a settled
 * proposal has no answer to undo.
 */
function withAnswer(
  next: WorkspaceState,
  before: WorkspaceState,
  { id, answer, items, at }: EventOf<'proposal-answered'>,
  { file, after }: Pick<LastAnswer, 'file' | 'after'>,
): WorkspaceState {
  if (answer === 'settled') return next
  const known = before.custody[file]
  if (known === undefined || (file === 'pulseward.toml' && answer === 'accepted'))
    return withoutAnswer(next, file)
  const proposals = before.proposals.filter((each) => each.file === file)
  return { ...next, lastAnswer: { id, file, answer, items, at, before: known, after, proposals } }
}

/** Forgets the last answer, because the file is no longer as it left it. */
function withoutAnswer(state: WorkspaceState, file: Proposal['file']): WorkspaceState {
  if (state.lastAnswer?.file !== file) return state
  const { lastAnswer: _gone, ...rest } = state
  return rest
}

/** Records that the approved content counts as the operator's. */
export function noteApproval(
  state: WorkspaceState,
  { hash }: EventOf<'configuration-approved'>,
): WorkspaceState {
  return withCustody(withoutAnswer(state, 'pulseward.toml'), 'pulseward.toml', { base: hash, seen: hash })
}

function withCustody(state: WorkspaceState, file: Proposal['file'], custody: FileCustody): WorkspaceState {
  return { ...state, custody: { ...state.custody, [file]: custody } }
}

function withProposals(state: WorkspaceState, proposals: readonly Proposal[]): WorkspaceState {
  let answered = 0
  return {
    ...state,
    proposals: proposals.filter((each) => each.state === 'pending' || ++answered <= KEPT_ANSWERED),
  }
}
