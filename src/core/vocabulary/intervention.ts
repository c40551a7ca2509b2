import { z } from 'zod'
import type { Severity } from './severity.ts'

interface InterventionRow {
  /** How much it weighs, unless it is raised with a severity of its own. */
  readonly severity: Severity
  /** In a few words, as it begins a line: screens, CSV and prompts of the page alike. */
  readonly title: string
  /** One sentence for whoever does not know the title. */
  readonly meaning: string
  /** It asks the agent for better work on the task, so that its next verdict answers it. */
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
    'The agent ended well and files were expected, and no file changed.',
    { isRemediable: true },
  ),
  evidence_validation_failed: row(
    'warning',
    'Evidence does not hold',
    'Files or references that the agent named are missing or say something else.',
    { isRemediable: true },
  ),
  false_completion_detected: row(
    'critical',
    'False completion',
    'The agent said it was done, and nothing was written, changed or measured to have moved.',
    { isRemediable: true },
  ),
  mid_stream_prompt_injected: row(
    'info',
    'Corrected while running',
    'A correction went into the agent’s running session.',
  ),
  agent_reinforced: row(
    'info',
    'Feedback in the prompt',
    'What was found earlier stood in the agent’s prompt as feedback.',
  ),
  contract_weakened: row(
    'critical',
    'Contract asks for less',
    'The contract or the configuration asked for less after the agent had run.',
  ),
  protected_files_changed: row(
    'critical',
    'Protected files weakened',
    'Tests, checks or other protected files were deleted or asked for less.',
    { isRemediable: true },
  ),
  permission_denied: row('warning', 'Tool refused', 'The agent was refused a tool that it asked for.'),
  /** With a contradiction it is raised as critical. */
  claim_refuted: row(
    'warning',
    'Claim refuted',
    'The agent claimed completion or a value, and what was measured says otherwise.',
    { isRemediable: true },
  ),
  check_rigged: row(
    'critical',
    'Check changed',
    'What a check executes, or protected files, were changed so that its answer changes.',
    { isRemediable: true },
  ),
  tests_lost: row('warning', 'Tests lost', 'Fewer tests were executed than had been before.', {
    isRemediable: true,
  }),
  supervisor_touched: row(
    'critical',
    'Reached for Pulseward',
    'The agent reached for the supervisor: its data, its token, its commands or its process.',
  ),
  stalled: row('warning', 'Silent for long', 'The agent ran for a long time without printing anything.'),
}

export const BREAKER_STATES = ['closed', 'open', 'tripped'] as const
/** `open`: the next prompts carry the aggressive reinforcement. `tripped`: suspended for manual review. */
export type BreakerState = (typeof BREAKER_STATES)[number]
export const breakerStateSchema = z.enum(BREAKER_STATES)

export const REMEDIATIONS = ['none', 'pending', 'succeeded', 'failed'] as const
/**
 * What followed on an intervention that asks for better work: `pending` until the task is judged again with feedback in its
 * prompt; `none` where nothing is asked for, or the task was judged without that feedback.
 */
export type Remediation = (typeof REMEDIATIONS)[number]
export const remediationSchema = z.enum(REMEDIATIONS)
