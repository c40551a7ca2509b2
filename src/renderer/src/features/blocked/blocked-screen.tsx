import { useRef, useState } from 'react'
import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { counted } from '../../format/counted.ts'
import { routeTo } from '../../route/route.ts'
import { navigate } from '../../route/use-route.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Term } from '../../ui/term.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useLongList } from '../../ui/use-long-list.tsx'
import styles from './blocked.module.css'
import { BlockedActions } from './blocked-actions.tsx'
import { BlockedCard } from './blocked-card.tsx'
import { BlockedFilterFields } from './blocked-filter.tsx'
import { filterBlocked, NO_FILTER } from './filter.ts'
import { type Sweeping, useSweep } from './use-sweep.ts'

/** The tasks without attempts left: why, what was tried, and the suggested next step for each. */
export function BlockedScreen({ workspaceId }: { workspaceId: string }) {
  const freshness = useApp((state) => state.details[workspaceId]?.marks.blocked)
  const {
    value: tasks,
    problem,
    retry,
  } = useAnswer((api) => api.tasks.blocked, { workspace: workspaceId, suggest: true }, freshness)
  const sweeping = useSweep(workspaceId, tasks?.length ?? 0, retry)
  const heading = useRef<HTMLHeadingElement>(null)
  // When an unblocked task's card disappears, its focus would fall to the page.
  const onUnblocked = () => heading.current?.focus()
  if (tasks === null) {
    if (problem === null) return <Skeleton width="60%" />
    return <NotLoaded what="The blocked tasks" problem={problem} retry={retry} />
  }
  return (
    <section className="stack gap-4" aria-label="Blocked tasks">
      <h2 className={styles.title} ref={heading} tabIndex={-1}>
        {tasks.length === 0 ? 'No task is blocked' : `${counted(tasks.length, 'task')} with no attempts left`}
      </h2>
      {tasks.length > 0 && <Swept sweeping={sweeping} isOne={tasks.length === 1} />}
      <Queue workspaceId={workspaceId} tasks={tasks} onUnblocked={onUnblocked} />
    </section>
  )
}

/** Shows when the tasks' checks were last measured. */
function Swept({ sweeping, isOne }: { sweeping: Sweeping; isOne: boolean }) {
  return (
    <p className={styles.measured} role="status" aria-label="Checks">
      {sweeping.kind === 'checking' &&
        `Measuring ${isOne ? 'whether its check passes' : 'which of their checks pass'} now…`}
      {sweeping.kind === 'checked' && (
        <>
          {isOne ? 'Its check was' : 'Their checks were'} measured <RelativeTime at={sweeping.at} />, without
          the agent.
        </>
      )}
      {sweeping.kind === 'failed' && `Could not measure which checks pass now. ${sweeping.reason}`}
    </p>
  )
}

/** How many blocked tasks are drawn at first, because each has a chart. */
const FIRST_CARDS = 50
/** Fewer tasks are easier to find by eye. */
const FILTER_FROM = 4

function Queue({
  workspaceId,
  tasks,
  onUnblocked,
}: {
  workspaceId: string
  tasks: readonly BlockedTask[]
  onUnblocked: () => void
}) {
  const [filter, setFilter] = useState(NO_FILTER)
  const isFilterable = tasks.length >= FILTER_FROM
  const found = isFilterable ? filterBlocked(tasks, filter) : tasks
  const { shown, more } = useLongList(found, FIRST_CARDS)
  return (
    <>
      {isFilterable && <BlockedFilterFields tasks={tasks} filter={filter} onChange={setFilter} />}
      <BlockedActions workspaceId={workspaceId} tasks={tasks} shown={found} />
      {tasks.length === 0 && <NothingBlocked workspaceId={workspaceId} />}
      {tasks.length > 0 && found.length === 0 && (
        <p className={styles.empty}>
          No blocked task matches the filter.{' '}
          <Button look="quiet" onClick={() => setFilter(NO_FILTER)}>
            Show all {tasks.length}
          </Button>
        </p>
      )}
      {shown.length > 0 && (
        <ul className="stack gap-4">
          {shown.map((task) => (
            <BlockedCard key={task.taskId} workspaceId={workspaceId} task={task} onUnblocked={onUnblocked} />
          ))}
        </ul>
      )}
      {more}
    </>
  )
}

function NothingBlocked({ workspaceId }: { workspaceId: string }) {
  return (
    <div className={styles.empty}>
      <p>
        A task that fails as often as its <code>max_attempts</code> allows is{' '}
        <Term name="blocked">blocked</Term> and waits here, with what was tried and what would likely help.
      </p>
      <Button onClick={() => navigate(routeTo(workspaceId))}>View today’s tasks</Button>
    </div>
  )
}
