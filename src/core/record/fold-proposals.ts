import type { EventOf } from './events.ts'
import { dropNotices } from './fold-notices.ts'
import type { FileCustody, Proposal, WorkspaceState } from './state.ts'

const KEPT_ANSWERED = 50

/** What is known of the file from here on: how it was seen, and where the edit was the operator's, that it counts so. */
export function noteEdit(state: WorkspaceState, event: EventOf<'contract-edited'>): WorkspaceState {
  const { file = 'HEARTBEAT.md', hash, base } = event
  const known = state.custody[file]
  const isBaseKnown = base !== undefined && file === 'HEARTBEAT.md'
  return withCustody(isBaseKnown ? dropNotices(state, ({ code }) => code === 'base-lost') : state, file, {
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
  return withProposals(state, [proposal, ...state.proposals.filter((each) => each.id !== id)])
}

/** The answered part of a proposal is over; it waits on as long as something of it is left. */
export function answerProposal(state: WorkspaceState, event: EventOf<'proposal-answered'>): WorkspaceState {
  const { id, answer, items, left, base, seen, at } = event
  const proposal = state.proposals.find((each) => each.id === id)
  if (proposal === undefined) return state
  const answered: Proposal =
    left.length > 0 ? { ...proposal, items: left } : { ...proposal, items, state: answer, answeredAt: at }
  const known = state.custody[proposal.file]
  return withCustody(
    withProposals(
      state,
      state.proposals.map((each) => (each.id === id ? answered : each)),
    ),
    proposal.file,
    { base: base ?? known?.base ?? null, seen: seen ?? known?.seen ?? null },
  )
}

/** The approved content counts as the operator's. */
export function noteApproval(
  state: WorkspaceState,
  { hash }: EventOf<'configuration-approved'>,
): WorkspaceState {
  return withCustody(state, 'pulseward.toml', { base: hash, seen: hash })
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
