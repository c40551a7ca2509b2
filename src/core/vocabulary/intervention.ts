import { z } from 'zod'
import type { Severity } from './severity.ts'

interface InterventionRow {
  /** Its severity, unless another is given when it is raised. */
  readonly severity: Severity
  /** In a few words, as the beginning of a line: on screens, in CSV and in the page's prompts. */
  readonly title: string
  /** One sentence for readers who don't know the title. */
  readonly meaning: string
  /** True if it asks the agent for better work on the task, so that the next verdict answers it. */
  readonly isRemediable: boolean
}

function row(
  severity: Severity,
  title: string,
  meaning: string,
  flags: Partial<Pick<InterventionRow, 'isRemediable'>> = {},
): InterventionRow {
  return { severity, title, meaning, isRemediable: false, ...flags }
}

/** Every event of the intervention layer, in the order of the design's table. */
export const INTERVENTION_TYPES = [
  'no_files_detected',
  'evidence_validation_failed',
  'false_completion_detected',
  'mid_stream_prompt_injected',
  'agent_reinforced',
  'contract_weakened',
  'protected_files_changed',
  'permission_denied',
  'claim_refuted',
  'check_rigged',
  'tests_lost',
  'supervisor_touched',
  'stalled',
] as const

export type InterventionType = (typeof INTERVENTION_TYPES)[number]

export const interventionTypeSchema = z.enum(INTERVENTION_TYPES)

export const INTERVENTION_ROWS: Readonly<Record<InterventionType, InterventionRow>> = {
  no_files_detected: row(
    'critical',
    'No file changed',
    'The agent ended successfully and files were expected, but no file changed.',
    { isRemediable: true },
  ),
  evidence_validation_failed: row(
    'warning',
    'Evidence is wrong',
    'Files or references that the agent named are missing or say something else.',
    { isRemediable: true },
  ),
  false_completion_detected: row(
    'critical',
    'Claimed done, changed nothing',
    'The agent said it was done, but nothing was written or changed, and no measurement moved.',
    { isRemediable: true },
  ),
  mid_stream_prompt_injected: row(
    'info',
    'Corrected while running',
    'A correction was sent to the agent’s running session.',
  ),
  agent_reinforced: row(
    'info',
    'Feedback in the prompt',
    'Earlier findings were included in the agent’s prompt as feedback.',
  ),
  contract_weakened: row(
    'critical',
    'Contract weakened',
    'The contract or the configuration was weakened after the agent had run.',
  ),
  protected_files_changed: row(
    'critical',
    'Protected files weakened',
    'Tests, checks or other protected files were deleted or weakened.',
    { isRemediable: true },
  ),
  permission_denied: row('warning', 'Tool refused', 'The agent was denied a tool that it requested.'),
  /** A contradiction raises it to critical. */
  claim_refuted: row(
    'warning',
    'Claim contradicted',
    'The agent claimed completion or a value, and the measurement contradicts it.',
    { isRemediable: true },
  ),
  check_rigged: row(
    'critical',
    'Check changed',
    'Check files, or protected files, were changed in a way that changes its result.',
    { isRemediable: true },
  ),
  tests_lost: row('warning', 'Tests lost', 'Fewer tests ran than before.', {
    isRemediable: true,
  }),
  supervisor_touched: row(
    'critical',
    'Tried to access Pulseward',
    'The agent tried to access the supervisor: its data, its token, its commands or its process.',
  ),
  stalled: row(
    'warning',
    'Silent for a long time',
    'The agent ran for a long time without printing anything.',
  ),
}

export const BREAKER_STATES = ['closed', 'open', 'tripped'] as const
/** `open`: the next prompts carry the aggressive reinforcement. `tripped`: suspended until a manual review. */
export type BreakerState = (typeof BREAKER_STATES)[number]
export const breakerStateSchema = z.enum(BREAKER_STATES)

export const REMEDIATIONS = ['none', 'pending', 'succeeded', 'failed'] as const
/**
 * The result of an intervention that asks for better work: `pending` until the task is judged again with feedback in its
 * prompt; `none` if nothing is asked for, or the task was judged without that feedback.
 */
export type Remediation = (typeof REMEDIATIONS)[number]
export const remediationSchema = z.enum(REMEDIATIONS)
