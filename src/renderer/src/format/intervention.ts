import type { Intervention } from '../../../api/schemas/intervention.ts'

export type InterventionType = Intervention['event_type']
export type InterventionSeverity = Intervention['severity']

/** Each is explained by the sentence of the same name in `TERMS`. */
export const INTERVENTION_WORDS: Readonly<Record<InterventionType, string>> = {
  no_files_detected: 'No file changed',
  evidence_validation_failed: 'Evidence does not hold',
  false_completion_detected: 'False completion',
  mid_stream_prompt_injected: 'Corrected while running',
  agent_reinforced: 'Feedback in the prompt',
  contract_weakened: 'Contract asks for less',
  protected_files_changed: 'Protected files weakened',
  permission_denied: 'Tool refused',
  stalled: 'Silent for long',
}

export const SEVERITY_WORDS: Readonly<Record<InterventionSeverity, string>> = {
  critical: 'Critical',
  warning: 'Warning',
  info: 'Info',
}
