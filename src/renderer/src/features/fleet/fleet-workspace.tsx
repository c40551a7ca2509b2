import { ArrowLeft } from 'lucide-react'
import { useCallback } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import { askAbout } from '../../../../core/fleet/ask-about.ts'
import type { FleetDetail, FleetFilter } from '../../../../core/fleet/view.ts'
import type { Need } from '../../../../core/read-model/need.ts'
import { standingTitle } from '../../../../core/read-model/standing-title.ts'
import { formatPoints, formatSignedPoints } from '../../../../core/scoring/format.ts'
import { HEARD_WORDS } from '../../../../core/vocabulary/fleet.ts'
import { shownVerdict, VERDICT_WORDS } from '../../../../core/vocabulary/verdict.ts'
import { counted } from '../../format/counted.ts'
import { sentence } from '../../format/sentence.ts'
import { isUntouched } from '../../format/standing.ts'
import { fleetAddress } from '../../route/route.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Prose } from '../../ui/prose.tsx'
import screenStyles from '../../ui/screen.module.css'
import { Shield } from '../../ui/shield.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useLongList } from '../../ui/use-long-list.tsx'
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx'
import { Comparisons } from '../attempt/comparisons.tsx'
import { HistoryChart } from '../history/history-chart.tsx'
import styles from './fleet.module.css'
import { Missing } from './missing.tsx'
import { useFleet } from './use-fleet.ts'

/** One workspace of one host, with what the center knows about it: its standing, its needs, and claim next to measurement. */
export function FleetWorkspace({
  host,
  workspace,
  filter,
}: {
  host: string
  workspace: string
  filter: FleetFilter
}) {
  const found = useFleet(
    useCallback(
      (api: ApiClient, signal: AbortSignal) => api.fleet.workspace({ host, workspace }, { signal }),
      [host, workspace],
    ),
  )
  return (
    <div className={`${screenStyles.screen} ${styles.screen}`}>
      <a className={styles.back} href={fleetAddress('workspaces', null, { ...filter })}>
        <ArrowLeft size={14} aria-hidden /> All workspaces
      </a>
      <Missing of={found} what="The workspace">
        {(detail) => <Whole detail={detail} />}
      </Missing>
    </div>
  )
}

function Whole({ detail }: { detail: FleetDetail }) {
  const { host, group, heard, seq, lastAt, view, history } = detail
  const { name, shield, score, unreviewed } = view
  return (
    <>
      <header className="stack">
        <h1 className={styles.heading}>
          <Shield level={shield} unreviewed={unreviewed} size={28} />
          <bdi>{name}</bdi>
        </h1>
        <p className={styles.where}>
          on <a href={fleetAddress('hosts', null, { host })}>{host}</a>
          {group !== null && ` in ${group}`} · {view.agentId ?? 'no agent'} · {counted(seq, 'line')} received
          {lastAt !== null && (
            <>
              , the last <RelativeTime at={lastAt} />
            </>
          )}
        </p>
        {(heard === 'late' || heard === 'down') && <p className={styles.where}>{HEARD_WORDS[heard]}</p>}
        <p className={styles.score}>
          <strong data-negative={score.score < 0}>
            {isUntouched(view) ? '–' : formatPoints(score.score)}
          </strong>
          <span>
            of {formatPoints(score.target)} today · {standingTitle(view)}
          </span>
        </p>
        {view.standingMessage !== '' && (
          <p className="measure small faint figures pretty">{view.standingMessage}</p>
        )}
      </header>
      <Needs detail={detail} />
      {history.history.length > 0 && <HistoryChart history={history} />}
      <Attempts detail={detail} />
      <p className="measure small faint figures pretty">
        The contract and the files stay on <bdi>{host}</bdi>, whose own page has them; so do prompts, output
        and differences, unless its configuration lets them go: <code>pulseward fleet content</code>.
      </p>
    </>
  )
}

function Needs({ detail: { host, view } }: { detail: FleetDetail }) {
  if (view.needs.length === 0) return null
  return (
    <section className={styles.section} aria-label="Needs attention">
      <h2>Needs attention</h2>
      <ul className={styles.list}>
        {view.needs.map((need) => (
          <NeedRow key={`${need.kind} ${need.id} ${need.reason}`} host={host} need={need} />
        ))}
      </ul>
    </section>
  )
}

function NeedRow({ host, need }: { host: string; need: Need }) {
  const command = askAbout(host, need)
  return (
    <li>
      <p dir="auto">
        <Prose text={sentence(need.reason)} />
      </p>
      {command === null ? (
        <p className={styles.where}>
          This can only be decided on <bdi>{host}</bdi>.
        </p>
      ) : (
        <p className={styles.command}>
          <code>{command}</code>
          <CopyButton text={command} />
        </p>
      )}
    </li>
  )
}

function Attempts({ detail: { attempts } }: { detail: FleetDetail }) {
  const { shown, more } = useLongList(attempts, 20)
  return (
    <section className={styles.section} aria-label="Last attempts">
      <h2>Last attempts</h2>
      {attempts.length === 0 && <p className="empty">No attempt was made yet.</p>}
      <ol className={styles.list}>
        {shown.map((attempt) => (
          <Attempt key={attempt.attemptId} of={attempt} />
        ))}
      </ol>
      {more}
    </section>
  )
}

function Attempt({ of }: { of: FleetDetail['attempts'][number] }) {
  const { taskId, startedAt, cycle, verdict, points, comparisons, reasons } = of
  const kind = shownVerdict(of)
  return (
    <li>
      <p className={styles.attemptHead}>
        <VerdictGlyph kind={kind} size={16} />
        <bdi className={styles.name}>{taskId}</bdi>
        <span>{VERDICT_WORDS[kind].title}</span>
        <span className="quiet nowrap">{verdict === null ? '–' : formatSignedPoints(points)}</span>
        <span className={styles.where}>
          heartbeat {cycle}, <RelativeTime at={startedAt} />
        </span>
      </p>
      {comparisons.length > 0 ? (
        <Comparisons
          comparisons={comparisons}
          label={`Claim and measurement of ${taskId}`}
          isContradiction={kind === 'contradiction'}
        />
      ) : (
        reasons[0] !== undefined && (
          <p className={styles.where} dir="auto">
            <Prose text={sentence(reasons[0])} />
          </p>
        )
      )}
    </li>
  )
}
