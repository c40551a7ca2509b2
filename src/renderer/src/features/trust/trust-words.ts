import type { TrustItem } from '../../../../core/read-model/trust.ts'
import { counted } from '../../format/counted.ts'

/** A grant is not something that Pulseward does. */
type Deed = Exclude<TrustItem['kind'], 'grant'>

const DEEDS: Readonly<Record<Deed, readonly [verb: string, one: string, many: string]>> = {
  command: ['run', 'command', 'commands'],
  file: ['read', 'file', 'files'],
  url: ['fetch', 'address', 'addresses'],
}

/** Returns, for example, "run 3 commands, read 1 file and fetch 1 address". */
export function deedsInWords(items: readonly TrustItem[]): string {
  const parts = Object.entries(DEEDS).flatMap(([kind, [verb, one, many]]) => {
    const count = items.filter((item) => item.kind === kind).length
    return count === 0 ? [] : [`${verb} ${counted(count, one, many)}`]
  })
  const last = parts.pop()
  if (last === undefined) return 'run nothing'
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

/** In the order in which they happen. An item without text here would not be shown for approval, so the type requires all of them. */
export const MOMENTS: Readonly<Record<TrustItem['when'], string>> = {
  attempt: 'At each attempt',
  measurement: 'Before and after each attempt, to measure',
  gate: 'After each attempt, as a gate',
  judge: 'Where nothing can be measured, to judge',
  hint: 'When a check asks for it',
}
