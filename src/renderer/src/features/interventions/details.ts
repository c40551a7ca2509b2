import type { AttemptDetail } from '../../../../core/read-model/attempt.ts'
import { counted } from '../../format/counted.ts'

/** What one intervention rests on, as the host sends it. */
export type RaisedIntervention = AttemptDetail['interventions'][number]

interface ClaimedAndFound {
  readonly claimed: string
  readonly found: readonly string[]
  /** Whether the claim says what was found not to be so; `false`: nothing of the sort was claimed. */
  readonly contradicts: boolean
}

interface DetailLine {
  readonly name: string
  readonly values: readonly string[]
}

/** Claim and finding where an intervention has both; `null` if it has nothing to set side by side. */
export function claimedAndFound({ details }: RaisedIntervention): ClaimedAndFound | null {
  const { claimed } = details
  const found = texts(details.found)
  if (typeof claimed !== 'string' || found.length === 0) return null
  // An agent that said nothing, or only that it is not done, is not to be shown as having lied.
  const saidSo =
    details.completion_claimed !== false ||
    details.expected_because === 'the agent claims to have written files'
  return { claimed, found, contradicts: claimed !== 'nothing' && saidSo }
}

/** What happened, where it is no claim against a finding: the contract's changes, the feedback given. Empty where it is. */
export function happening({ event_type, details }: RaisedIntervention): readonly string[] {
  if (event_type === 'agent_reinforced' && typeof details.messages === 'number') {
    const isStrict = details.aggressive === true
    if (isStrict && details.messages === 0) return ['The strict reminder']
    const about = `${counted(details.messages, 'message')} about earlier attempts`
    return [isStrict ? `${about}, with the strict reminder` : about]
  }
  return texts(details.changes)
}

/** Shown elsewhere: the task beside the entry, the others in the open. */
const SHOWN_APART = new Set([
  'task_id',
  'agent_return_code',
  'claimed',
  'found',
  'changes',
  'messages',
  'aggressive',
])

const NAMES: Readonly<Record<string, string>> = {
  return_code: 'Exit code',
  outcome: 'Ended',
  exit_signal_claimed: 'EXIT_SIGNAL claimed',
  exit_signal_ignored: 'EXIT_SIGNAL ignored',
  uncommitted_changes: 'Uncommitted changes',
  files_written: 'Files changed',
  evidence_count: 'Pieces of evidence',
  completion_claimed: 'Claimed to be done',
  expected_because: 'Files expected because',
  missing_files: 'Missing files',
  note: 'Note',
}

/** The rest of the details as a list: names in words, values as text. Nulls and empty lists say nothing and are left out. */
export function detailLines({ details }: RaisedIntervention): DetailLine[] {
  return Object.entries(details)
    .filter(([name]) => !SHOWN_APART.has(name))
    .map(([name, value]) => ({ name: nameInWords(name), values: texts(value) }))
    .filter(({ values }) => values.length > 0)
}

function nameInWords(name: string): string {
  if (Object.hasOwn(NAMES, name)) return NAMES[name] ?? name
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A value of JSON as text, each item of a list by itself. */
function texts(value: unknown): readonly string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap(texts)
  if (typeof value === 'boolean') return [value ? 'yes' : 'no']
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)]
}
