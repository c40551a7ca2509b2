import type { TimelineFilterInput } from '../../../../api/schemas/timeline.ts'
import { SEVERITY_WORDS, type Severity } from '../../../../core/vocabulary/severity.ts'
import { TIMELINE_KINDS, type TimelineKind } from '../../../../core/vocabulary/timeline.ts'

/** What the timeline is narrowed to, as the address has it. */
export interface ShownFilter {
  /** Empty: all of them. */
  readonly kinds: readonly TimelineKind[]
  readonly types: readonly string[]
  readonly severity: Severity | null
  readonly task: string
  readonly text: string
  readonly cycle: number | null
}

type Query = Readonly<Record<string, string>>

/** The filter of an address; unknown parts are ignored. */
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

/** The filter as an address has it; nothing where it lets everything through. */
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

/** The filter as the host takes it. */
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
