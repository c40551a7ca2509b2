import type { AppStore, Said } from './app-state.ts'

const KEPT = 'pulseward-messages'
const TONES: readonly unknown[] = ['plain', 'notice', 'problem'] satisfies Said['tone'][]

/**
 * Shows the messages of before the last restart again, and keeps those to come, those of other windows among them. Returns what ends
 * that.
 */
export function keepMessages(store: AppStore): () => void {
  const show = () => store.setState({ said: readKept() })
  const showOthers = ({ key }: StorageEvent) => key === KEPT && show()
  show()
  window.addEventListener('storage', showOthers)
  const stop = store.subscribe(({ said }, before) => {
    if (said !== before.said) write(said)
  })
  return () => {
    stop()
    window.removeEventListener('storage', showOthers)
  }
}

/** Without their numbers, which mean something in one window only: the same messages are the same text. */
function write(said: readonly Said[]): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(said.map(({ id: _number, ...words }) => words)))
  } catch {
    // A browser may refuse storage: they hold until the page is left.
  }
}

/** Anyone who can write into this browser's storage may have written it: what is no message is left out. */
function readKept(): readonly Said[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]')
    // The numbers of those to come begin at 1.
    return Array.isArray(kept) ? kept.filter(isSaid).map((said, index) => ({ ...said, id: -1 - index })) : []
  } catch {
    return []
  }
}

function isSaid(value: unknown): value is Said {
  if (typeof value !== 'object' || value === null) return false
  const { tone, text, at, address, addressLabel } = value as Record<string, unknown>
  return (
    TONES.includes(tone) &&
    typeof text === 'string' &&
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at)) &&
    (address === undefined || (typeof address === 'string' && address.startsWith('#/'))) &&
    (addressLabel === undefined || typeof addressLabel === 'string')
  )
}
