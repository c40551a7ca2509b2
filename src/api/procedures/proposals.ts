import { z } from 'zod'
import { proposalDecisionSchema, proposalItemKindSchema } from '../../core/vocabulary/proposal.ts'
import { proposalListSchema, proposalSchema } from '../schemas/proposal.ts'
import { base, forPrograms, get, post, workspaceInput } from './base.ts'

/** An item by its index in the proposal, from 0, or by its subject. */
const itemChoice = z.union([
  z.int().min(0),
  z.object({ kind: proposalItemKindSchema, taskId: z.string().nullable().optional() }),
])

export const proposalsProcedures = {
  list: forPrograms
    .route(
      get(
        '/proposals',
        'Pending changes of contract and configuration; with `all`, also the last answered ones',
      ),
    )
    .input(workspaceInput.extend({ all: z.union([z.boolean(), z.stringbool()]).optional() }))
    .output(proposalListSchema),
  answer: base
    .route(post('/proposals/{id}', 'Accepts a change, or reverts the file; `items` names a part of it'))
    .input(
      workspaceInput.extend({
        id: z.string(),
        answer: proposalDecisionSchema,
        items: z.array(itemChoice).min(1).max(1000).optional(),
      }),
    )
    .output(proposalSchema),
  undo: base
    .route(
      post('/proposals/{id}/undo', 'Undoes the last answer within a minute: the change is pending again'),
    )
    .input(workspaceInput.extend({ id: z.string() }))
    .output(proposalSchema),
}
