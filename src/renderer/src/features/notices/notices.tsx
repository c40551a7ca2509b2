import { CircleAlert, FileWarning, Plug, ShieldQuestion, TriangleAlert } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { FOLDER_MISSING, type Notice } from '../../../../core/read-model/notice.ts'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { counted } from '../../format/counted.ts'
import { contractLineAddress, routeTo } from '../../route/route.ts'
import { navigate, replaceAddress } from '../../route/use-route.ts'
import { useApp } from '../../store/use-app.ts'
import { Banner, type BannerTone } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { lazyNamed } from '../../ui/lazy-named.tsx'
import { Prose } from '../../ui/prose.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import styles from './notices.module.css'

const TrustDialog = lazyNamed(() => import('../trust/trust-dialog.tsx'), 'TrustDialog')

/** More banners than this would bury the score: the others open on request. */
const SHOWN = 3

/** Shown elsewhere: a changed configuration is shown from the trust state; a suspension and a missing folder have panels. */
const SHOWN_ELSEWHERE: readonly string[] = ['configuration-changed', 'suspended', FOLDER_MISSING]

/** The notices of the workspace, each with its most likely action. */
export function Notices({
  detail,
  isFolded = false,
  saidBelow = [],
  isApprovalAsked,
}: {
  detail: WorkspaceDetail
  /** True if the operator opened this screen to approve the configuration. */
  isApprovalAsked: boolean
  /** Folded to one line with a link to all of them. */
  isFolded?: boolean
  /** Codes of notices that the screen already shows. */
  saidBelow?: readonly string[]
}) {
  const [showAll, setShowAll] = useState(false)
  const notices = detail.notices.filter(({ code }) => ![...SHOWN_ELSEWHERE, ...saidBelow].includes(code))
  const shown = showAll ? notices : notices.slice(0, SHOWN)
  // An agent's change is a proposed change, which is answered elsewhere.
  const isChanged = detail.trust === 'changed' && detail.needs.some(({ kind }) => kind === 'approve')
  const mistakes = detail.diagnostics.filter(({ severity }) => severity === 'error')
  if (notices.length === 0 && !isChanged && (isFolded || mistakes.length === 0)) return null
  if (isFolded) return <FoldedNotices workspaceId={detail.id} notices={notices} isChanged={isChanged} />
  return (
    <section className="stack" aria-label="Notices">
      {isChanged && <ConfigurationChanged detail={detail} isAsked={isApprovalAsked} />}
      <ContractMistakes workspaceId={detail.id} mistakes={mistakes} />
      {shown.map((notice) => (
        <NoticeBanner
          key={`${notice.code}/${notice.taskId}/${notice.at}`}
          notice={notice}
          workspaceId={detail.id}
        />
      ))}
      {notices.length > shown.length && (
        <Button look="quiet" className={styles.more} onClick={() => setShowAll(true)}>
          {notices.length - shown.length} more
        </Button>
      )}
    </section>
  )
}

/** The worst notice on one line, with the number of all. */
function FoldedNotices({
  workspaceId,
  notices,
  isChanged,
}: {
  workspaceId: string
  notices: readonly Notice[]
  isChanged: boolean
}) {
  const [first] = notices
  const count = notices.length + (isChanged ? 1 : 0)
  return (
    <section className={styles.folded} aria-label="Notices">
      <TriangleAlert size={14} aria-hidden />
      <p className="shrinks cut" dir="auto">
        {isChanged || first === undefined ? 'pulseward.toml has changed.' : <Prose text={first.message} />}
      </p>
      <a href={routeTo(workspaceId)}>{count === 1 ? 'View' : `View all ${count}`}</a>
    </section>
  )
}

function ConfigurationChanged({ detail, isAsked }: { detail: WorkspaceDetail; isAsked: boolean }) {
  const [reviewing, setReviewing] = useState(false)
  useEffect(() => {
    if (!isAsked) return
    setReviewing(true)
    replaceAddress(routeTo(detail.id))
  }, [isAsked, detail.id])
  return (
    <Banner
      tone="warning"
      icon={<ShieldQuestion size={16} />}
      action={<Button onClick={() => setReviewing(true)}>Review</Button>}
    >
      <strong>pulseward.toml has changed.</strong> The approved copy stays in effect until you approve the new
      one.
      {reviewing && (
        <Suspense>
          <TrustDialog detail={detail} onClose={() => setReviewing(false)} />
        </Suspense>
      )}
    </Banner>
  )
}

/** Lines of the contract that have no effect as written, until they are fixed. */
function ContractMistakes({
  workspaceId,
  mistakes,
}: {
  workspaceId: string
  mistakes: WorkspaceDetail['diagnostics']
}) {
  const [first] = mistakes
  if (first === undefined) return null
  return (
    <Banner
      tone="problem"
      icon={<FileWarning size={16} />}
      action={
        <Button look="quiet" onClick={() => navigate(contractLineAddress(workspaceId, first.line))}>
          Go to line {first.line}
        </Button>
      }
    >
      <strong>{counted(mistakes.length, 'line')} of HEARTBEAT.md cannot count as written.</strong>{' '}
      <span dir="auto">
        Line {first.line}: <Prose text={first.message} />
      </span>
    </Banner>
  )
}

function NoticeBanner({ notice, workspaceId }: { notice: Notice; workspaceId: string }) {
  const { icon, tone } = lookOf(notice.code)
  return (
    <Banner tone={tone} icon={icon} action={<NoticeAction notice={notice} workspaceId={workspaceId} />}>
      <span dir="auto">
        {notice.taskId !== null && !notice.message.includes(notice.taskId) && (
          <>
            <code>{notice.taskId}</code>:{' '}
          </>
        )}
        <Prose text={notice.message} />
        {notice.remedy !== null && (
          <strong className="strong">
            {' '}
            <Prose text={notice.remedy} />
          </strong>
        )}
      </span>{' '}
      <span className="faint nowrap">
        <RelativeTime at={notice.at} />
      </span>
    </Banner>
  )
}

function lookOf(code: string): { tone: BannerTone; icon: ReactNode } {
  switch (code) {
    case 'backed-off':
    case 'gate-unavailable':
      return { tone: 'environment', icon: <Plug size={16} /> }
    case 'contract-unreadable':
      return { tone: 'problem', icon: <FileWarning size={16} /> }
    case 'contract_weakened':
      return { tone: 'problem', icon: <CircleAlert size={16} /> }
    default:
      return { tone: 'warning', icon: <TriangleAlert size={16} /> }
  }
}

function NoticeAction({ notice, workspaceId }: { notice: Notice; workspaceId: string }) {
  const runNow = useApp((state) => state.runNow)
  switch (notice.code) {
    case 'backed-off':
      return (
        <Button look="quiet" onClick={() => void runNow(workspaceId)}>
          Try again now
        </Button>
      )
    case 'contract-unreadable':
    case 'tick-contradicted':
    case 'hollow-hint':
      return (
        <Button look="quiet" onClick={() => navigate(routeTo(workspaceId, 'contract'))}>
          View contract
        </Button>
      )
    default:
      return null
  }
}
