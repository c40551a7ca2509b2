import { CircleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useApp } from '../store/use-app.ts'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import styles from './not-fetched.module.css'

export interface Missed<Props> {
  /** The props of the part that is missing. */
  readonly props: Props
  readonly retry: () => void
}

/** Shown instead of a part of the page whose code could not be loaded. Retries by itself once the host is reachable again. */
export function NotFetched({ retry }: Missed<unknown>) {
  const isLost = useApp(({ connection }) => connection.kind === 'lost')
  const wasLost = useRef(false)
  useEffect(() => {
    if (wasLost.current && !isLost) retry()
    wasLost.current = isLost
  }, [isLost, retry])
  return (
    <div className={styles.missed} role="alert">
      <Banner
        tone="problem"
        icon={<CircleAlert size={16} />}
        action={
          isLost ? undefined : (
            <Button look="quiet" onClick={() => window.location.reload()}>
              Load the page again
            </Button>
          )
        }
      >
        <strong>This part of the page could not be loaded.</strong>{' '}
        {isLost ? 'It loads once Pulseward answers again.' : 'Pulseward may have been updated.'}
      </Banner>
    </div>
  )
}
