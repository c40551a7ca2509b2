import { z } from 'zod'

/** The files of a workspace that count as the operator left them. */
export const CUSTODY_FILES = ['HEARTBEAT.md', 'pulseward.toml'] as const

export type CustodyFile = (typeof CUSTODY_FILES)[number]

export const custodyFileSchema = z.enum(CUSTODY_FILES)

/** The kinds of change of the contract or the configuration, gravest first. */
export const PROPOSAL_ITEM_KINDS = [
  'task_removed',
  'required',
  'hint',
  'box',
  'criterion_removed',
  'max_attempts',
  'may_change',
  'files',
  'when',
  'model',
  'description',
  'details',
  'note_changed',
  'setting',
  'task_added',
  'criterion_added',
  'note_added',
  'criterion_box',
] as const

export type ProposalItemKind = (typeof PROPOSAL_ITEM_KINDS)[number]

export const proposalItemKindSchema = z.enum(PROPOSAL_ITEM_KINDS)

/** What became of a proposal; `settled`: an edit by the operator, or a later proposal, has taken its place. */
export const PROPOSAL_ANSWERS = ['accepted', 'reverted', 'settled'] as const

export type ProposalOutcome = (typeof PROPOSAL_ANSWERS)[number]

export const proposalAnswerSchema = z.enum(PROPOSAL_ANSWERS)

export const PROPOSAL_STATES = ['pending', ...PROPOSAL_ANSWERS] as const

export const proposalStateSchema = z.enum(PROPOSAL_STATES)

export type ProposalState = (typeof PROPOSAL_STATES)[number]

/** What the operator can answer to a proposal. */
export const PROPOSAL_DECISIONS = ['accept', 'revert'] as const

export type ProposalDecision = (typeof PROPOSAL_DECISIONS)[number]

export const proposalDecisionSchema = z.enum(PROPOSAL_DECISIONS)

/** Whose an edit of a file is; `outside`: on disk, while no agent ran. */
const EDIT_AUTHORS = ['operator', 'agent', 'outside'] as const

export type EditAuthor = (typeof EDIT_AUTHORS)[number]

export const editAuthorSchema = z.enum(EDIT_AUTHORS)
