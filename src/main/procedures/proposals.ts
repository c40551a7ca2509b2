import type { ProposalView } from '../../api/schemas/proposal.ts'
import { sayItem } from '../../core/contract/proposal-items.ts'
import type { Proposal } from '../../core/record/state.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import type { Workspaces } from '../host/workspaces.ts'
import { named, os } from './implementer.ts'

/** Lists the proposed changes of contract and configuration that need an answer, and answers them. */
export const proposals = {
  list: os.proposals.list.handler(({ input, context }) => {
    const { workspaces } = context.host
    const id = named(input, context)
    const runtimes = id === undefined ? workspaces.all() : [workspaces.get(id)]
    return { proposals: runtimes.flatMap((runtime) => proposalsOf(runtime, input.all ?? false)) }
  }),
  answer: os.proposals.answer.handler(async ({ input, context }) => {
    const { workspaces } = context.host
    const id = named(input, context)
    const runtime = id === undefined ? ownerOf(workspaces, input.id) : workspaces.get(id)
    const proposal = await runtime.contractCustody.answer(input.id, input.answer, input.items)
    await runtime.loop.refresh()
    return proposalView(runtime, proposal)
  }),
  undo: os.proposals.undo.handler(async ({ input, context }) => {
    const { workspaces, clock } = context.host
    const id = named(input, context)
    const runtime = id === undefined ? ownerOf(workspaces, input.id) : workspaces.get(id)
    const proposal = await runtime.contractCustody.undoAnswer(input.id, clock.nowMs())
    await runtime.loop.refresh()
    return proposalView(runtime, proposal)
  }),
}

function proposalsOf(runtime: WorkspaceRuntime, all: boolean): ProposalView[] {
  return runtime.ledger.state.proposals
    .filter(({ state }) => all || state === 'pending')
    .map((proposal) => proposalView(runtime, proposal))
}

/** Finds the workspace by the proposal's id, which is unique across all workspaces, so that an answer need not name one. */
function ownerOf(workspaces: Workspaces, proposalId: string): WorkspaceRuntime {
  const owner = workspaces
    .all()
    .find(({ ledger }) => ledger.state.proposals.some(({ id }) => id === proposalId))
  return owner ?? workspaces.get(undefined)
}

function proposalView({ id: workspace }: WorkspaceRuntime, proposal: Proposal): ProposalView {
  return {
    ...proposal,
    workspace,
    attemptIds: [...proposal.attemptIds],
    items: proposal.items.map((item) => ({ ...item, words: sayItem(item) })),
  }
}
