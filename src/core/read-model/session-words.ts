import { counted } from '../scoring/format.ts'
import { type ShownVerdict, VERDICT_WORDS } from '../vocabulary/verdict.ts'
import type { SessionView } from './session.ts'

type Turn = SessionView['turns'][number]

/** Returns how a turn's verdict is shown; `null`: it was not judged. */
export function shownTurn({
  verdict,
  contradiction,
}: Pick<Turn, 'verdict' | 'contradiction'>): ShownVerdict | null {
  return contradiction ? 'contradiction' : verdict
}

/** Returns a turn's result in words. */
export function turnWords({ verdict, contradiction, blocked, wouldBlock, deferred, stopped }: Turn): string {
  const kind = shownTurn({ verdict, contradiction })
  // Its first reason says why. A verdict that came too late for its stop still counts as a verdict.
  if (kind === null && deferred) return 'Not judged'
  const outcome = kind === null ? 'Nothing to judge' : VERDICT_WORDS[kind].title
  const then = blocked
    ? 'sent back'
    : stopped
      ? 'stopped, not verified'
      : wouldBlock
        ? 'would have been sent back'
        : null
  return then === null ? outcome : `${outcome}: ${then}`
}

/** Returns how many turns a session has had, and how many of them were or would have been sent back, in words. */
export function turnsInWords({ turns }: Pick<SessionView, 'turns'>): string {
  const blocked = turns.filter((turn) => turn.blocked).length
  const would = turns.filter((turn) => turn.wouldBlock && !turn.blocked).length
  return [
    counted(turns.length, 'turn'),
    ...(blocked > 0 ? [`${blocked} sent back`] : []),
    ...(would > 0 ? [`${would} would have been sent back`] : []),
  ].join(', ')
}

/** Returns what shadow mode would have done since it was installed, over all given sessions, in words; `null`: it judged no turn. */
export function shadowInWords(sessions: readonly Pick<SessionView, 'turns'>[]): string | null {
  const turns = sessions
    .flatMap(({ turns }) => turns)
    .filter(({ mode, verdict }) => mode === 'shadow' && verdict !== null)
  if (turns.length === 0) return null
  return `would have blocked ${turns.filter(({ wouldBlock }) => wouldBlock).length} of ${counted(turns.length, 'turn')}`
}
