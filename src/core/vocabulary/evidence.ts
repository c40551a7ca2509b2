import { z } from 'zod'

/** The kinds of evidence about an attempt. */
const EVIDENCE_KINDS = ['file', 'test-run', 'value'] as const

export const evidenceKindSchema = z.enum(EVIDENCE_KINDS)

/** How reports from the agent's own program can contradict a claim. */
const REFUTATIONS = ['test-run-unseen', 'command-failed', 'edit-unseen', 'edit-denied'] as const

export const refutationSchema = z.enum(REFUTATIONS)

/** Where a claim was read: in a report, in the text, or nowhere. */
const CLAIM_SOURCES = ['report', 'text', 'none'] as const

export type ClaimSource = (typeof CLAIM_SOURCES)[number]

export const claimSourceSchema = z.enum(CLAIM_SOURCES)

/** What an agent's program says it did to a file. */
const EDIT_KINDS = ['created', 'modified', 'deleted'] as const

export type EditKind = (typeof EDIT_KINDS)[number]

export const editKindSchema = z.enum(EDIT_KINDS)

/** How a file differs from the baseline. */
export type DifferenceKind = 'added' | 'modified' | 'deleted'
