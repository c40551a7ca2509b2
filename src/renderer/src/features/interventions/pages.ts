import type { Intervention } from '../../../../api/schemas/intervention.ts'

/** What is loaded of a timeline, newest first; `nextCursor` leads on, `null` at its end. */
export interface TimelinePages {
  readonly interventions: readonly Intervention[]
  readonly nextCursor: string | null
}

/**
 * The timeline with its newest page fetched again: new entries on top, known ones as they are now, older ones kept. Where the
 * page no longer reaches what was loaded, or reaches the end, it alone counts.
 */
export function withNewest(loaded: TimelinePages | null, page: TimelinePages): TimelinePages {
  const last = page.interventions.at(-1)
  if (loaded === null || page.nextCursor === null || last === undefined) return page
  const at = loaded.interventions.findIndex(({ id }) => id === last.id)
  if (at === -1) return page
  return {
    interventions: [...page.interventions, ...loaded.interventions.slice(at + 1)],
    nextCursor: at + 1 < loaded.interventions.length ? loaded.nextCursor : page.nextCursor,
  }
}

/** The timeline with the page that follows on it. */
export function withOlder(loaded: TimelinePages, page: TimelinePages): TimelinePages {
  const known = new Set(loaded.interventions.map(({ id }) => id))
  return {
    interventions: [...loaded.interventions, ...page.interventions.filter(({ id }) => !known.has(id))],
    nextCursor: page.nextCursor,
  }
}
