import { Suspense, useState } from 'react'
import { isFolderMissing } from '../../../../core/read-model/notice.ts'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import type { NeedKind } from '../../../../core/vocabulary/need.ts'
import { asksForApproval, dayAddress, lineOf, pathToAllow, type WorkspaceRoute } from '../../route/route.ts'
import { useApp, useWorkspaceDetail } from '../../store/use-app.ts'
import { lazyNamed } from '../../ui/lazy-named.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Connecting } from '../connection/connecting.tsx'
import { gravestOf, madeGoodBy } from '../decisions/gravest.ts'
import { LieFirst, UnreviewedFirst } from '../decisions/lie-first.tsx'
import { HeartbeatStrip } from '../heartbeats/heartbeat-strip.tsx'
import { HistoryChart } from '../history/history-chart.tsx'
import { NotesPanel } from '../notes/notes-panel.tsx'
import { Notices } from '../notices/notices.tsx'
import { ScoreCard } from '../score/score-card.tsx'
import { SessionRows } from '../sessions/session-rows.tsx'
import { SuspensionPanel } from '../suspension/suspension-panel.tsx'
import { TaskList } from '../tasks/task-list.tsx'
import { DetailProblem } from './detail-problem.tsx'
import { FileMissing, FolderMissing } from './folder-missing.tsx'
import { Tabs } from './tabs.tsx'
import styles from './workspace.module.css'
import { WorkspaceHeader } from './workspace-header.tsx'

const AgentScreen = lazyNamed(() => import('../agent/agent-screen.tsx'), 'AgentScreen')
const AttemptScreen = lazyNamed(() => import('../attempt/attempt-screen.tsx'), 'AttemptScreen')
const BlockedScreen = lazyNamed(() => import('../blocked/blocked-screen.tsx'), 'BlockedScreen')
const ContractScreen = lazyNamed(() => import('../contract/contract-screen.tsx'), 'ContractScreen')
const LandingScreen = lazyNamed(() => import('../landing/landing-screen.tsx'), 'LandingScreen')
const SessionScreen = lazyNamed(() => import('../sessions/session-screen.tsx'), 'SessionScreen')
const TimelineScreen = lazyNamed(() => import('../timeline/timeline-screen.tsx'), 'TimelineScreen')
const VerifyScreen = lazyNamed(() => import('../verify/verify-screen.tsx'), 'VerifyScreen')
const WorkspaceSettingsScreen = lazyNamed(
  () => import('../workspace-settings/workspace-settings-screen.tsx'),
  'WorkspaceSettingsScreen',
)
const Inbox = lazyNamed(() => import('../decisions/inbox.tsx'), 'Inbox')
const TrustPanel = lazyNamed(() => import('../trust/trust-panel.tsx'), 'TrustPanel')

/** Everything about one workspace. */
export function WorkspaceScreen({ route }: { route: WorkspaceRoute }) {
  const { workspaceId: id, tab } = route
  const detail = useWorkspaceDetail(id)
  const problem = useApp((state) => state.detailProblems[id])
  if (detail === undefined)
    return problem === undefined ? <Connecting /> : <DetailProblem problem={problem} />
  return (
    <div className={styles.screen} data-tab={tab}>
      <WorkspaceHeader
        workspace={detail}
        runLook={
          tab === 'blocked' || tab === 'setup' || tab === 'contract' || tab === 'verify' ? 'plain' : 'primary'
        }
      />
      <SuspensionPanel workspace={detail} isFolded={tab !== 'today'} />
      {isFolderMissing(detail.notices) && <FolderMissing detail={detail} />}
      <Notices
        detail={detail}
        isFolded={tab !== 'today'}
        isApprovalAsked={asksForApproval(route)}
        saidBelow={tab === 'contract' ? ['contract-unreadable'] : []}
      />
      <Tabs detail={detail} tab={tab} />
      <Suspense fallback={<Skeleton width="100%" height={240} />}>
        <Screen detail={detail} route={route} />
      </Suspense>
    </div>
  )
}

function Screen({ detail, route }: { detail: WorkspaceDetail; route: WorkspaceRoute }) {
  const isMissing = isFolderMissing(detail.notices)
  if (isMissing && (route.tab === 'contract' || route.tab === 'setup')) return <FileMissing tab={route.tab} />
  switch (route.tab) {
    case 'today':
      return <Today detail={detail} isApprovalAsked={asksForApproval(route)} />
    case 'contract':
      return <ContractScreen detail={detail} taskId={route.item} line={lineOf(route)} />
    case 'timeline':
      return <TimelineScreen detail={detail} route={route} />
    case 'blocked':
      return <BlockedScreen workspaceId={detail.id} />
    case 'landing':
      return <LandingScreen workspaceId={detail.id} opened={route.item} />
    case 'session':
      return <SessionScreen workspaceId={detail.id} sessionId={route.item ?? ''} />
    case 'agent':
      return <AgentScreen workspaceId={detail.id} />
    case 'setup':
      return (
        <WorkspaceSettingsScreen workspaceId={detail.id} section={route.item} allow={pathToAllow(route)} />
      )
    case 'verify':
      return <VerifyScreen key={detail.id} workspaceId={detail.id} />
    case 'attempt':
      return <AttemptScreen workspaceId={detail.id} attemptId={route.item ?? ''} />
  }
}

/** Decisions without a dedicated panel on this screen. */
const DECIDED_IN_ROWS: readonly NeedKind[] = ['proposal', 'held', 'landing', 'landed-differs', 'session']

function Decisions({ detail }: { detail: WorkspaceDetail }) {
  if (!detail.needs.some(({ kind }) => DECIDED_IN_ROWS.includes(kind))) return null
  return <Inbox workspaces={[detail]} kinds={DECIDED_IN_ROWS} isNamed={false} />
}

function Today({ detail, isApprovalAsked }: { detail: WorkspaceDetail; isApprovalAsked: boolean }) {
  const [cycle, setCycle] = useState<number | null>(null)
  const isMissing = isFolderMissing(detail.notices)
  const place = { workspaceId: detail.id, agentId: detail.agentId, running: detail.running !== null }
  const unreviewed = detail.contradictions.length > 0 && (
    <UnreviewedFirst
      {...place}
      contradictions={detail.contradictions}
      count={detail.unreviewed}
      otherFindings={detail.unreviewedOthers}
    />
  )
  if (detail.trust === 'unapproved' || detail.trust === 'missing')
    return (
      <div className="stack gap-6">
        {unreviewed}
        {isMissing ? <FileMissing tab="today" /> : <TrustPanel detail={detail} isAsked={isApprovalAsked} />}
      </div>
    )
  const lie = cycle === null && !unreviewed ? gravestOf(detail) : null
  return (
    <div className="stack gap-6">
      {unreviewed}
      {lie !== null && <LieFirst {...place} attempt={lie} goodSince={madeGoodBy(lie, detail.attempts)} />}
      <Decisions detail={detail} />
      <div className={styles.hero}>
        <ScoreCard workspace={detail} />
        {/* Hidden without any day to show, because it would be an empty box above the tasks. */}
        {detail.history.history.length > 0 && (
          <HistoryChart history={detail.history} addressOf={(date) => dayAddress(detail.id, date)} />
        )}
      </div>
      <SessionRows workspaceId={detail.id} />
      <HeartbeatStrip detail={detail} selectedCycle={cycle} onSelect={setCycle} />
      {isMissing && detail.tasks.length === 0 ? (
        <FileMissing tab="today" />
      ) : (
        <TaskList detail={detail} cycle={cycle} onShowAll={() => setCycle(null)} />
      )}
      <NotesPanel workspaceId={detail.id} agentId={detail.agentId} />
    </div>
  )
}
