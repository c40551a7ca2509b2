import type { AgentProfile } from '../../../../core/read-model/agent.ts'

/** One field of a profile: its name, its value in words, and one sentence about it. */
interface ProfileField {
  readonly name: string
  /** `at`: a date and time in ISO 8601. */
  readonly value: { readonly text: string } | { readonly at: string }
  readonly sentence: string
}

/** Every field of the profile, in the order of the document. */
export function profileFields(profile: AgentProfile): ProfileField[] {
  const number = (value: number) => ({ text: value.toLocaleString('en') })
  return [
    {
      name: 'Agent',
      value: { text: profile.agent_id },
      sentence: 'Its name in pulseward.toml: [agent] id.',
    },
    {
      name: 'Heartbeats',
      value: number(profile.total_iterations),
      sentence: 'Heartbeats in which it ran, without those that the environment stopped.',
    },
    {
      name: 'No file changed',
      value: number(profile.no_files_count),
      sentence: 'Attempts that ended well, were expected to write, and changed no file.',
    },
    {
      name: 'False claims',
      value: number(profile.false_completion_count),
      sentence:
        'Contradictions, and claims to be done that the check did not confirm. The circuit breaker counts the same.',
    },
    {
      name: 'Files per heartbeat',
      value: number(profile.avg_files_per_iteration),
      sentence: 'Files changed, on average over its heartbeats.',
    },
    {
      name: 'Evidence per attempt',
      value: number(profile.avg_evidence_count),
      sentence: 'References, commands and claimed files that it offered, on average over its attempts.',
    },
    {
      name: 'Last feedback',
      value: profile.last_reinforcement === null ? { text: 'never' } : { at: profile.last_reinforcement },
      sentence: 'When its prompt last included earlier findings.',
    },
    {
      name: 'Threshold exceeded',
      value: { text: profile.intervention_threshold_exceeded ? 'yes' : 'no' },
      sentence: 'Whether its circuit breaker warns or has tripped.',
    },
  ]
}
