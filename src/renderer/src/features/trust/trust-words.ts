import type { TrustItem } from '../../../../core/read-model/trust.ts'
import { counted } from '../../format/counted.ts'

const KINDS = [
  { kind: 'command', verb: 'run', one: 'command', many: 'commands' },
  { kind: 'file', verb: 'read', one: 'file', many: 'files' },
  { kind: 'url', verb: 'fetch', one: 'address', many: 'addresses' },
] as const

/** "run 3 commands, read 1 file and fetch 1 address". */
export function deedsInWords(items: readonly TrustItem[]): string {
  const parts = KINDS.flatMap(({ kind, verb, one, many }) => {
    const count = items.filter((item) => item.kind === kind).length
    return count === 0 ? [] : [`${verb} ${counted(count, one, many)}`]
  })
  const last = parts.pop()
  if (last === undefined) return 'run nothing'
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

/** In the order in which they happen. */
export const MOMENTS: readonly { readonly when: TrustItem['when']; readonly words: string }[] = [
  { when: 'attempt', words: 'At each attempt' },
  { when: 'measurement', words: 'Before and after each attempt, to measure' },
  { when: 'gate', words: 'After each attempt, as a gate' },
  { when: 'judge', words: 'Where nothing can be measured, to judge' },
  { when: 'hint', words: 'Where a hint asks for it' },
]
