import { useCallback } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { worstFirst } from '../../format/standing.ts'
import { useFetched } from '../../store/use-fetched.ts'
import { type Gravest, gravestAmong } from '../decisions/gravest.ts'

/** Only this many workspaces are fetched in full for a single line: the worst claim is in one of those with the worst standing. */
const MAX_FETCHED = 8

/**
 * Returns the worst contradiction of all workspaces: an unreviewed one if there is any, else the worst of today; `null` if there is none,
 * or until it is known.
 */
export function useGravest(workspaces: readonly Workspace[]): Gravest | null {
  const unseen = workspaces.filter(({ unreviewed }) => unreviewed > 0)
  const among = unseen.length > 0 ? unseen : workspaces.filter(({ score }) => score.contradictions > 0)
  const lying = worstFirst(among).slice(0, MAX_FETCHED)
  const ids = lying.map(({ id }) => id).join('\n')
  const load = useCallback(
    async (api: ApiClient, signal: AbortSignal) => {
      const wanted = ids.split('\n').filter((id) => id !== '')
      // A workspace removed during the request must not lose the others' answers.
      const answers = await Promise.allSettled(wanted.map((id) => api.workspaces.get({ id }, { signal })))
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    },
    [ids],
  )
  // Correcting or overruling a contradiction changes the day's figures.
  const freshness = lying
    .map(({ score, unreviewed }) => `${score.score} ${score.contradictions} ${score.verified} ${unreviewed}`)
    .join('\n')
  const { value } = useFetched(load, freshness)
  return lying.length === 0 || value === null ? null : gravestAmong(value)
}
