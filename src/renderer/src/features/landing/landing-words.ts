import type { LandingView } from '../../../../core/read-model/landing.ts'
import { isOpenLanding, type LandingAnswer } from '../../../../core/vocabulary/landing.ts'

export const ANSWER_WORDS: Readonly<Record<LandingAnswer, string>> = {
  land: 'Land',
  drop: 'Drop',
  retry: 'Retry',
}

/** Splits work into what is still waiting to land and the rest, each newest first. */
export function onItsWay(entries: readonly LandingView[]): {
  readonly open: readonly LandingView[]
  readonly past: readonly LandingView[]
} {
  const isOpen = ({ state }: LandingView) => isOpenLanding(state) || state === 'conflict'
  return { open: entries.filter(isOpen), past: entries.filter((entry) => !isOpen(entry)) }
}

/** Returns an https address; `null` for anything else, which a page must not link to. */
export function webAddress(url: string): string | null {
  try {
    const { protocol, href } = new URL(url)
    return protocol === 'https:' || protocol === 'http:' ? href : null
  } catch {
    return null
  }
}
