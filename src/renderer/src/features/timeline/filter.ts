import type { TimelineFilterInput } from '../../../../api/schemas/timeline.ts'
import { SEVERITY_WORDS, type Severity } from '../../../../core/vocabulary/severity.ts'
import { TIMELINE_KINDS, type TimelineKind } from '../../../../core/vocabulary/timeline.ts'

/** The timeline's filter, as in the address. */
export interface ShownFilter {
  /** Empty means all. */
  readonly kinds: readonly TimelineKind[]
  readonly types: readonly string[]
  readonly severity: Severity | null
  readonly task: string
  readonly text: string
  readonly cycle: number | null
}

type Query = Readonly<Record<string, string>>

/** Returns the filter in an address; ignores unknown parts. */
export function filterOf(query: Query): ShownFilter {
  const kinds = wordsOf(query.kinds)
  const cycle = Number.parseInt(query.cycle ?? '', 10)
  return {
    kinds: TIMELINE_KINDS.filter((kind) => kinds.includes(kind)),
    types: wordsOf(query.types),
    severity: severityOf(query.severity),
    task: query.task ?? '',
    text: query.text ?? '',
    cycle: Number.isNaN(cycle) ? null : cycle,
  }
}

function wordsOf(list = ''): string[] {
  return list.split(',').filter((word) => word !== '')
}

function severityOf(word = ''): Severity | null {
  return Object.hasOwn(SEVERITY_WORDS, word) ? (word as Severity) : null
}

/** Returns the filter for an address; empty if it matches everything. */
export function queryOf({ kinds, types, severity, task, text, cycle }: ShownFilter): Query {
  return {
    ...(kinds.length > 0 && { kinds: kinds.join(',') }),
    ...(types.length > 0 && { types: types.join(',') }),
    ...(severity !== null && { severity }),
    ...(task !== '' && { task }),
    ...(cycle !== null && { cycle: String(cycle) }),
    ...(text !== '' && { text }),
  }
}

/** Returns the filter in the host's format. */
export function inputOf({ kinds, types, severity, task, text, cycle }: ShownFilter): TimelineFilterInput {
  return {
    ...(kinds.length > 0 && { kinds: [...kinds] }),
    ...(types.length > 0 && { types: [...types] }),
    ...(severity !== null && { severity }),
    ...(task !== '' && { task }),
    ...(cycle !== null && { cycle }),
    ...(text !== '' && { text: text.slice(0, 200) }),
  }
}

export const KIND_WORDS: Readonly<Record<TimelineKind, string>> = {
  verdict: 'Verdicts',
  intervention: 'Interventions',
  feedback: 'Your feedback',
  standing: 'Standing',
  contract: 'Contract edits',
  unblock: 'Unblocks',
  pause: 'Pauses',
  gap: 'Gaps',
  trust: 'Trust',
  landing: 'Landing',
  notice: 'Notices',
  session: 'Sessions',
}
