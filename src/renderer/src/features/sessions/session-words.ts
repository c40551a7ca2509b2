import type { SessionView } from '../../../../core/read-model/session.ts'
import type { HookState } from '../../../../core/vocabulary/session.ts'

export const HOOK_WORDS: Readonly<Record<HookState, string>> = {
  guarded: 'Installed and guarded',
  present: 'Installed',
  silenced: 'Silenced',
  absent: 'Not installed',
}

/** Older ones are only on the timeline. */
const MAX_ROWS = 5

/** Returns the sessions for the Today screen: those that need a decision, then running ones. */
export function rowsOf<S extends Pick<SessionView, 'running' | 'needsDecision'>>(
  sessions: readonly S[],
): readonly S[] {
  const decisions = sessions.filter(({ needsDecision }) => needsDecision)
  const running = sessions.filter((one) => one.running && !one.needsDecision)
  return [...decisions, ...running].slice(0, MAX_ROWS)
}

/** Whether the reason only says what a comparison shows above it. */
export function repeatsComparison(
  reason: string,
  shown: readonly { readonly claimed: string | null; readonly measured: string | null }[],
): boolean {
  const said = reason.replace(/\.$/u, '')
  return shown.some(({ claimed, measured }) =>
    said.endsWith(`claimed "${claimed}", measured: ${measured ?? 'nothing'}`),
  )
}
