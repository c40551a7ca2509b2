import { GIT_INDEX } from '../../core/custody/git-view.ts'
import { isMixed, withSteeringOf } from '../../core/custody/steering.ts'
import type { EarlierFiles } from '../ports/custody.ts'
import type { RoomPlan, RoomRequest } from './clean-room.ts'
import { besideTree, type GitPlaces } from './git-places.ts'
import type { IndexCustody } from './index-custody.ts'
import type { GuardedFiles } from './scan.ts'
import type { WorkspaceBase } from './workspace-base.ts'

export interface PlanOptions {
  readonly base: WorkspaceBase
  readonly index: IndexCustody
  /** Guarded files in the baseline, and as last seen. */
  readonly before: GuardedFiles
  readonly now: GuardedFiles
  /** True if a check uses git. */
  readonly asksGit: boolean
  /** Returns whether to remove a file that would be loaded instead of the baseline's source, because it was compiled from another one. */
  readonly isLeftOut: (path: string) => boolean
}

/** Plans how to restore these paths (from the workspace) to the baseline; returns the reason if one of them cannot be restored. */
export async function planRoom(options: PlanOptions, paths: readonly string[]): Promise<RoomPlan | string> {
  const { base, index, before, now, asksGit, isLeftOut } = options
  const write: RoomPlan['write'][number][] = []
  const remove: string[] = []
  for (const given of paths) {
    const path = base.topPath(given)
    if (path === null) return `${given} is outside the workspace and its repository, and has changed`
    const file = before.get(path) ?? null
    const current = now.get(path) ?? null
    if (path === GIT_INDEX) {
      const { files, index: bytes } = await index.planRoom(file, current, asksGit)
      write.unshift(...[...files].map(([name, content]) => ({ path: name, ...content })))
      write.push({ path, bytes, isExecutable: false })
      continue
    }
    if (file === null || isLeftOut(path)) {
      remove.push(path)
      continue
    }
    const kept = await base.contentOf(file)
    if (kept === null)
      return `the content of ${given} in the base is not kept: it is too large, a link, or was cleared`
    const texts = isMixed(path) && current !== null ? await base.textsOf(file, current) : null
    const joined =
      texts === null ? kept : Buffer.from(withSteeringOf(path, kept.toString('utf8'), texts.after ?? ''))
    write.push({ path, bytes: joined, isExecutable: file.content.endsWith(':x') })
  }
  return { write, remove }
}

/** Adds earlier files to the plan; the baseline's files take precedence. */
export function withEarlier(
  plan: RoomPlan,
  earlier: EarlierFiles | undefined,
  topPath: (path: string) => string | null,
): RoomPlan {
  if (earlier === undefined) return plan
  const known = new Set([...plan.remove, ...plan.write.map(({ path }) => path)])
  const isNew = (path: string | null): path is string => path !== null && !known.has(path)
  return {
    write: [
      ...earlier.write.flatMap((file) => {
        const path = topPath(file.path)
        return isNew(path) ? [{ ...file, path }] : []
      }),
      ...plan.write,
    ],
    remove: [...earlier.remove.map(topPath).filter(isNew), ...plan.remove],
  }
}

/** Moves files beside the tree into a separate layer. */
export function splitPlan(plan: RoomPlan, places: GitPlaces): Pick<RoomRequest, 'plan' | 'beside'> {
  if (places.beside === null) return { plan, beside: null }
  const beside = {
    write: plan.write.flatMap((file) => {
      const path = besideTree(places, file.path)
      return path === null ? [] : [{ ...file, path }]
    }),
    remove: plan.remove.flatMap((path) => besideTree(places, path) ?? []),
  }
  const isBelow = (path: string): boolean => !path.startsWith('.git/')
  return {
    plan: {
      write: plan.write.filter(({ path }) => isBelow(path)),
      remove: plan.remove.filter(isBelow),
    },
    beside: { top: places.beside.common, plan: beside },
  }
}
