import { MapPinOff } from 'lucide-react'
import type { Route } from '../../route/route.ts'
import { START_ADDRESS } from '../../route/route.ts'
import { replaceAddress } from '../../route/use-route.ts'
import { useApp } from '../../store/use-app.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './missing.module.css'

/** Explains why something else is shown for an address that does not exist here; `asked` is that address. */
export function MissingPlace({ asked }: { asked: Route }) {
  const unopened = useApp((state) => state.unopened)
  const words = wordsOf(asked, unopened)
  if (words === null) return null
  return (
    <div className={styles.missing} role="status">
      <Banner
        tone="plain"
        icon={<MapPinOff size={16} />}
        action={
          <Button look="quiet" onClick={() => replaceAddress(START_ADDRESS)}>
            Close
          </Button>
        }
      >
        {words}
      </Banner>
    </div>
  )
}

function wordsOf(
  asked: Route,
  unopened: readonly { readonly id: string; readonly name: string; readonly reason: string }[],
) {
  if (asked.screen === 'fleet') {
    return (
      <>
        <strong>This Pulseward has no fleet to show.</strong> The link is from a machine that is a fleet
        center.
      </>
    )
  }
  if (asked.screen !== 'workspace') return null
  const closed = unopened.find(({ id }) => id === asked.workspaceId)
  if (closed !== undefined) {
    return (
      <>
        <strong>
          <bdi>{closed.name}</bdi> could not be opened.
        </strong>{' '}
        {closed.reason}
      </>
    )
  }
  return (
    <>
      <strong>
        There is no workspace <bdi>{asked.workspaceId}</bdi> here.
      </strong>{' '}
      It may have been removed, or the link is from another machine. You can open one of these instead.
    </>
  )
}
