/** An unsaved text and the file version that it is based on. */
export interface Draft {
  readonly text: string
  readonly base: { readonly text: string; readonly hash: string }
  /** Epoch ms, wall clock. */
  readonly atMs: number
}

const PREFIX = 'pulseward.contract-draft.'
/** Limit for all text in one draft: an origin can store about 5 million characters, for all workspaces. */
const MAX_LENGTH = 1_500_000
/** If more workspaces than this have unsaved contracts, the oldest draft is deleted. */
const MAX_DRAFTS = 20

export function draftKey(workspaceId: string): string {
  return PREFIX + workspaceId
}

/** Parses a stored draft; `null` if there is none or it cannot be read. */
export function parseDraft(stored: string | null): Draft | null {
  if (stored === null) return null
  try {
    const draft: unknown = JSON.parse(stored)
    return isDraft(draft) ? draft : null
  } catch {
    return null
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const { text, base, atMs } = value as Partial<Record<keyof Draft, unknown>>
  if (typeof text !== 'string' || typeof atMs !== 'number') return false
  if (typeof base !== 'object' || base === null) return false
  const { text: baseText, hash } = base as Partial<Record<'text' | 'hash', unknown>>
  return typeof baseText === 'string' && typeof hash === 'string'
}

/** Stores a workspace's draft, or deletes it if `null`. Returns false if it is too large or the storage is full. */
export function storeDraft(storage: Storage, workspaceId: string, draft: Draft | null): boolean {
  const key = draftKey(workspaceId)
  try {
    if (draft === null || draft.text.length + draft.base.text.length > MAX_LENGTH) {
      storage.removeItem(key)
      return draft === null
    }
    storage.setItem(key, JSON.stringify(draft))
    dropOldest(storage)
    return true
  } catch {
    return false
  }
}

function dropOldest(storage: Storage): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
  const drafts = keys
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ key, atMs: parseDraft(storage.getItem(key))?.atMs ?? 0 }))
    .toSorted((one, other) => other.atMs - one.atMs)
  for (const { key } of drafts.slice(MAX_DRAFTS)) storage.removeItem(key)
}
