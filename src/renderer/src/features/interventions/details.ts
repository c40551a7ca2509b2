import type { AttemptDetail } from '../../../../core/read-model/attempt.ts'
import { counted } from '../../format/counted.ts'

/** An intervention's details, as the host sends them. */
export type RaisedIntervention = AttemptDetail['interventions'][number]

interface ClaimedAndFound {
  readonly claimed: string
  readonly found: readonly string[]
  /** Whether the claim says the opposite of what was found; `false`: nothing like that was claimed. */
  readonly contradicts: boolean
}

interface DetailLine {
  readonly name: string
  readonly values: readonly string[]
}

/** Returns claim and finding if an intervention has both; `null` if there is nothing to compare. */
export function claimedAndFound({ details }: RaisedIntervention): ClaimedAndFound | null {
  const { claimed } = details
  const found = texts(details.found)
  if (typeof claimed !== 'string' || found.length === 0) return null
  // An agent that said nothing, or only that it is not done, must not be shown as having lied.
  const saidSo =
    details.completion_claimed !== false ||
    details.expected_because === 'the agent claims to have written files'
  return { claimed, found, contradicts: claimed !== 'nothing' && saidSo }
}

/** Describes what happened if there is no claim to compare with a finding: the contract's changes, the feedback given. Otherwise empty. */
export function happening({ event_type, details }: RaisedIntervention): readonly string[] {
  if (event_type === 'agent_reinforced' && typeof details.messages === 'number') {
    const isStrict = details.aggressive === true
    if (isStrict && details.messages === 0) return ['The strict reminder']
    const about = `${counted(details.messages, 'message')} about earlier attempts`
    return [isStrict ? `${about}, with the strict reminder` : about]
  }
  return texts(details.changes)
}

/** Details shown elsewhere: the task next to the entry, the others openly. */
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

/** Returns the rest of the details as a list: names in words, values as text. Omits nulls and empty lists. */
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

/** Returns a JSON value as texts, one per list item. */
function texts(value: unknown): readonly string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap(texts)
  if (typeof value === 'boolean') return [value ? 'yes' : 'no']
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)]
}
