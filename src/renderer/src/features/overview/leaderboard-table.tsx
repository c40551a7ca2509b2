import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { formatPoints } from '../../../../core/scoring/format.ts'
import { counted } from '../../format/counted.ts'
import { shortDay } from '../../format/moments.ts'
import { shareInWords } from '../../format/share.ts'
import { routeTo } from '../../route/route.ts'
import tableStyles from '../../ui/table.module.css'
import { TableHead } from '../../ui/table-head.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import type { RankedDay } from '../history/seven-days.tsx'
import styles from './leaderboard.module.css'
import type { Ranked } from './ranking.ts'

/** The leaderboard's figures; only for screen readers while the charts are shown. */
export function LeaderboardTable({
  ranked,
  workspaces,
  isShown,
}: {
  ranked: readonly Ranked[]
  workspaces: ReadonlyMap<string, Workspace>
  isShown: boolean
}) {
  const days = ranked[0]?.days ?? []
  const table = (
    <table className={`${tableStyles.table} ${styles.table}`}>
      <caption>
        <VisuallyHidden>Points of the last seven days and of today, each with its target</VisuallyHidden>
      </caption>
      <TableHead
        columns={['Rank', 'Workspace', 'Share', ...days.map(({ date }) => shortDay(date)), 'Floor']}
      />
      <tbody>
        {ranked.map((row) => (
          <tr key={row.workspace}>
            <td>{row.rank ?? '–'}</td>
            <th scope="row">
              <a href={routeTo(row.workspace)} tabIndex={isShown ? 0 : -1}>
                <bdi>{workspaces.get(row.workspace)?.name ?? row.workspace}</bdi>
              </a>
            </th>
            <td>{shareInWords(row.share)}</td>
            {row.days.map((day) => (
              <td key={day.date} data-today={day.isToday}>
                {dayInWords(day)}
              </td>
            ))}
            <td>{formatPoints(row.floor)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
  if (!isShown) return <VisuallyHidden>{table}</VisuallyHidden>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways has to be reached by the keyboard
    <section className={tableStyles.box} aria-label="Figures of the seven days" tabIndex={0}>
      {table}
    </section>
  )
}

function dayInWords({ score, target, isToday, overruled, contradictions }: RankedDay): string {
  if (score === null || target === null) return '–'
  const figures = `${formatPoints(score)} of ${formatPoints(target)}`
  const lies = contradictions === 0 ? '' : `, ${counted(contradictions, 'contradiction')}`
  return `${figures}${lies}${isToday ? ', running' : ''}${overruled ? ', overruled' : ''}`
}
