import { CloudOff, Eye } from 'lucide-react'
import { relativeTime } from '../../format/moments.ts'
import { useApp } from '../../store/use-app.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/use-now.ts'
import styles from './connection.module.css'

/** Says that the host was lost, what that means for the content on screen, and when it will try again; or that this page is read-only. */
export function ConnectionBanner() {
  const connection = useApp((state) => state.connection)
  const retry = useApp((state) => state.retryConnection)
  const readsOnly = useApp((state) => state.readsOnly)
  const nowMs = useNow()
  if (connection.kind !== 'lost') return readsOnly ? <ReadsOnly /> : null
  return (
    <div className={styles.banner} role="status">
      <Banner
        tone="warning"
        icon={<CloudOff size={16} />}
        action={
          <Button look="quiet" onClick={retry}>
            Try now
          </Button>
        }
      >
        <strong>Connection lost.</strong> {connection.problem.message} What you see may be out of date, and
        you can’t change anything from here. Trying again{' '}
        {relativeTime(Math.max(connection.retryAtMs, nowMs), nowMs)}.
      </Banner>
    </div>
  )
}

function ReadsOnly() {
  return (
    <div className={styles.banner}>
      <Banner tone="plain" icon={<Eye size={16} />}>
        This page shows everything and changes nothing: it was opened with a token for reading.
      </Banner>
    </div>
  )
}
