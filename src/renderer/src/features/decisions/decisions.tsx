import { Suspense } from 'react'
import { isGrave } from '../../../../core/read-model/urgency.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { lazyNamed } from '../../ui/lazy-named.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { NextWords } from '../workspace/next-heartbeat.tsx'

const Inbox = lazyNamed(() => import('./inbox.tsx'), 'Inbox')

/** What needs the operator's attention; if nothing does, when the next heartbeat runs. */
export function Decisions({ workspaces }: { workspaces: readonly Workspace[] }) {
  if (workspaces.some(({ needs }) => needs.length > 0)) {
    return (
      <Suspense fallback={<Skeleton width="100%" height={96} />}>
        <Inbox workspaces={workspaces} isNamed />
      </Suspense>
    )
  }
  const next = nextOf(workspaces)
  return (
    <p className="quiet">
      {/* A workspace in lockdown needs attention even without decisions: its card below says so. */}
      {workspaces.some(isGrave) ? 'No decisions are waiting.' : 'Nothing needs your attention.'}{' '}
      {next !== null && (
        <>
          Next: <bdi>{next.name}</bdi>, <NextWords workspace={next} />.
        </>
      )}
    </p>
  )
}

/** Returns what is running now, or is due next; `null` if nothing is planned. */
function nextOf(workspaces: readonly Workspace[]): Workspace | null {
  const planned = workspaces.filter(({ next, running }) => running !== null || next.at !== null)
  const rank = ({ running, next }: Workspace) => (running !== null ? 0 : Date.parse(next.at ?? ''))
  return planned.toSorted((a, b) => rank(a) - rank(b))[0] ?? null
}
