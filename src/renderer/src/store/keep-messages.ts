import type { AppStore, Said } from './app-state.ts'

const KEPT = 'pulseward-messages'
const TONES: readonly unknown[] = ['plain', 'notice', 'problem'] satisfies Said['tone'][]

/**
 * Shows the messages from before the last restart again, and stores new ones, including those of other windows. Returns a function that
 * stops this.
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

/** Stores messages without their numbers, which are only valid in one window, so that equal messages have equal text. */
function write(said: readonly Said[]): void {
  try {
    localStorage.setItem(KEPT, JSON.stringify(said.map(({ id: _number, ...words }) => words)))
  } catch {
    // A browser may refuse storage; the messages then last until the page is left.
  }
}

/** Reads the stored messages. Anyone who can write to this browser's storage may have changed them, so invalid ones are skipped. */
function readKept(): readonly Said[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]')
    // New messages are numbered from 1.
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
