/** A text that is not saved, and what it was made from. */
export interface Draft {
  readonly text: string
  readonly base: { readonly text: string; readonly hash: string }
  /** Epoch ms, wall clock. */
  readonly atMs: number
}

const PREFIX = 'pulseward.contract-draft.'
/** Of all text in one draft: the storage of an origin holds about 5 million characters, for all workspaces. */
const MAX_LENGTH = 1_500_000
/** More workspaces with unsaved contracts than this: the oldest draft goes. */
const MAX_DRAFTS = 20

export function draftKey(workspaceId: string): string {
  return PREFIX + workspaceId
}

/** A draft out of storage; `null` if there is none or it cannot be read. */
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

/** Keeps the draft of a workspace, or with `null` none. Answers false where it is too large or the storage is full. */
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
