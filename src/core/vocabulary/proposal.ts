import { z } from 'zod'

/** The files of a workspace that count as the operator left them. */
export const CUSTODY_FILES = ['HEARTBEAT.md', 'pulseward.toml'] as const

export type CustodyFile = (typeof CUSTODY_FILES)[number]

export const custodyFileSchema = z.enum(CUSTODY_FILES)

/** The kinds of changes to contract or configuration, most serious first. */
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
  'unreadable',
  'setting',
  'task_added',
  'criterion_added',
  'note_added',
  'criterion_box',
] as const

export type ProposalItemKind = (typeof PROPOSAL_ITEM_KINDS)[number]

export const proposalItemKindSchema = z.enum(PROPOSAL_ITEM_KINDS)

/** The outcome of a proposed change; `settled`: replaced by an edit of the operator's or a later proposed change. */
export const PROPOSAL_ANSWERS = ['accepted', 'reverted', 'settled'] as const

export type ProposalOutcome = (typeof PROPOSAL_ANSWERS)[number]

export const proposalAnswerSchema = z.enum(PROPOSAL_ANSWERS)

export const PROPOSAL_STATES = ['pending', ...PROPOSAL_ANSWERS] as const

export const proposalStateSchema = z.enum(PROPOSAL_STATES)

export type ProposalState = (typeof PROPOSAL_STATES)[number]

/** The operator's possible answers to a proposed change. */
export const PROPOSAL_DECISIONS = ['accept', 'revert'] as const

export type ProposalDecision = (typeof PROPOSAL_DECISIONS)[number]

export const proposalDecisionSchema = z.enum(PROPOSAL_DECISIONS)

/** Who edited a file; `outside`: on disk, while no agent ran. */
const EDIT_AUTHORS = ['operator', 'agent', 'outside'] as const

export type EditAuthor = (typeof EDIT_AUTHORS)[number]

export const editAuthorSchema = z.enum(EDIT_AUTHORS)
