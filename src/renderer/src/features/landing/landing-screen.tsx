import type { LandingView } from '../../../../core/read-model/landing.ts'
import type { Need } from '../../../../core/read-model/need.ts'
import { counted } from '../../format/counted.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useLongList } from '../../ui/use-long-list.tsx'
import styles from './landing.module.css'
import { LandingRow } from './landing-row.tsx'
import { onItsWay } from './landing-words.ts'

/** Verified work waiting to land on the target branch, and what became of earlier work; `opened`: the attempt shown in full. */
export function LandingScreen({ workspaceId, opened }: { workspaceId: string; opened: string | null }) {
  const freshness = useApp((state) => state.details[workspaceId]?.marks.landing)
  const waiting = useApp((state) => state.details[workspaceId]?.needs.filter(isAboutLanding).length ?? 0)
  const { value, problem, retry } = useAnswer(
    (api) => api.landing.list,
    { workspace: workspaceId },
    freshness,
  )
  if (value === null) {
    if (problem === null) return <Skeleton width="60%" />
    return <NotLoaded what="The landing queue" problem={problem} retry={retry} />
  }
  const { open, past } = onItsWay(value.landing)
  const place = { workspaceId, opened }
  return (
    <div className="stack gap-6">
      <section className="stack gap-3" aria-label="In the queue">
        <h2 className="normal">
          {open.length === 0 ? 'Nothing is on its way' : `${counted(open.length, 'change')} on the way`}
          {waiting > 0 && `, ${waiting} ${waiting === 1 ? 'waits' : 'wait'} for you`}
        </h2>
        {value.landing.length === 0 && (
          <p className={styles.note}>
            Each attempt works in its own work tree. Verified work waits here, and lands on the target branch
            as [landing] in pulseward.toml says.
          </p>
        )}
        <Rows {...place} entries={open} />
      </section>
      {past.length > 0 && (
        <section className="stack gap-3" aria-label="Landed and dropped">
          <h2 className="normal">Landed and dropped</h2>
          <Rows {...place} entries={past} />
        </section>
      )}
    </div>
  )
}

/** As the tab counts them. */
function isAboutLanding({ kind }: Need): boolean {
  return kind === 'landing' || kind === 'landed-differs'
}

const FIRST_SHOWN = 30

function Rows({
  workspaceId,
  entries,
  opened,
}: {
  workspaceId: string
  entries: readonly LandingView[]
  opened: string | null
}) {
  const { shown, more } = useLongList(entries, FIRST_SHOWN)
  if (entries.length === 0) return null
  return (
    <>
      <ul className="card rows">
        {shown.map((entry) => (
          <LandingRow
            key={entry.attemptId}
            workspaceId={workspaceId}
            entry={entry}
            isOpened={entry.attemptId === opened}
          />
        ))}
      </ul>
      {more}
    </>
  )
}
