import { z } from 'zod'

/** The notices about a workspace that stay until their cause is gone. */
export const DIAGNOSTIC_CODES = [
  'tick-contradicted',
  'hollow-hint',
  'gate-unavailable',
  'edit-not-granted',
  'parallel-without-trees',
  'configuration-changed',
  'contract-unreadable',
  'budget-not-kept',
  'base-lost',
  'proposal-conflict',
  'tasks-left-out',
  'approval-lost',
  'record-broken',
  'check-not-repeatable',
] as const

export type DiagnosticCode = (typeof DIAGNOSTIC_CODES)[number]

export const diagnosticCodeSchema = z.enum(DIAGNOSTIC_CODES)

/** As the beginning of a line. */
export const DIAGNOSTIC_WORDS: Readonly<Record<DiagnosticCode, string>> = {
  'tick-contradicted': 'A checked task fails its check',
  'hollow-hint': 'A check measures nothing',
  'gate-unavailable': 'A gate could not run',
  'edit-not-granted': 'The agent may not write',
  'parallel-without-trees': 'Tasks run one at a time',
  'configuration-changed': 'Configuration changed',
  'contract-unreadable': 'Contract cannot be read',
  'budget-not-kept': 'The budget cannot be kept',
  'base-lost': 'The approved contract is lost',
  'proposal-conflict': 'Your edit waits',
  'tasks-left-out': 'Added tasks wait',
  'approval-lost': 'The approval is lost',
  'record-broken': 'The record is incomplete',
  'check-not-repeatable': 'A check answered differently',
}
