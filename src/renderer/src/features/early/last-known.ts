import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { formatPoints } from '../../../../core/scoring/format.ts'
import { exactTime } from '../../format/moments.ts'
import { worstFirst } from '../../format/standing.ts'
import { parseRoute } from '../../route/route.ts'
import type { AppStore } from '../../store/app-state.ts'

/** The key under which the scores are stored for the next start; `public/early-score.js` draws them before anything else has loaded. */
const REMEMBERED = 'pulseward-last-known'
/** How many can be taken in at a glance, worst first. */
const MOST = 8
const AFTER_DRAWING_MS = 500

/** A score as text, as it will be drawn again. */
interface LastKnown {
  readonly id: string
  readonly name: string
  readonly score: string
  readonly isNegative: boolean
  readonly rest: string
}

/**
 * Removes the early drawing once the host has answered, and stores each new score for the next start: after the page that shows it is
 * drawn, or when the page is hidden. (An app that quits only hides it.)
 */
export function rememberScores(store: AppStore): () => void {
  let written: readonly Workspace[] | null = null
  let unwritten: readonly Workspace[] | null = null
  const writeDown = (): void => {
    if (unwritten !== null) write(worstFirst(unwritten).slice(0, MOST).map(lastKnown))
    unwritten = null
  }
  const writeDownIfHidden = (): void => {
    if (document.visibilityState === 'hidden') writeDown()
  }
  window.addEventListener('pagehide', writeDown)
  document.addEventListener('visibilitychange', writeDownIfHidden)
  const stop = store.subscribe(({ version, connection, workspaces, opening }) => {
    if (version !== null || connection.kind === 'lost') document.getElementById('early')?.remove()
    // While a workspace is still being opened, keep the scores from the last session.
    if (version === null || opening.length > 0 || !isNews(workspaces, written)) return
    written = workspaces
    if (unwritten === null) setTimeout(writeDown, AFTER_DRAWING_MS)
    unwritten = workspaces
  })
  return () => {
    stop()
    window.removeEventListener('pagehide', writeDown)
    document.removeEventListener('visibilitychange', writeDownIfHidden)
    writeDown()
  }
}

function isNews(now: readonly Workspace[], written: readonly Workspace[] | null): boolean {
  // What is stored comes from the last session, and some of its workspaces may be gone.
  if (written === null) return true
  const words = (workspaces: readonly Workspace[]) =>
    workspaces.map(({ id, name, score }) => [id, name, score.score, score.target].join(' ')).join('\n')
  return now !== written && words(now) !== words(written)
}

function lastKnown({ id, name, score }: Workspace): LastKnown {
  return {
    id,
    name,
    score: formatPoints(score.score),
    isNegative: score.score < 0,
    rest: `of ${formatPoints(score.target)} target, as known on ${exactTime(Date.now())}`,
  }
}

/**
 * Returns the workspace that is likely to be on screen once the host has answered: the one in the address, or the only one of the last
 * session. `null` if there is none. Allows requesting it before the host has listed the workspaces.
 */
export function likelyWorkspace(address: string): string | null {
  const route = parseRoute(address)
  if (route.screen === 'workspace') return route.workspaceId
  const [only, ...others] = route.screen === 'start' ? remembered() : []
  return only !== undefined && others.length === 0 ? only.id : null
}

function remembered(): readonly Pick<LastKnown, 'id'>[] {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(REMEMBERED) ?? '[]')
    return Array.isArray(known) ? known.filter((each) => typeof each?.id === 'string') : []
  } catch {
    return []
  }
}

function write(known: readonly LastKnown[]): void {
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify(known))
  } catch {
    // A browser may refuse storage; the next start then shows only an outline.
  }
}
