import { useApp } from '../../store/use-app.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { PermissionCard } from './permission-card.tsx'
import styles from './permissions.module.css'
import { wishInWords } from './request-words.ts'

/** More would push the page away: the others appear as these are answered. */
const MAX_SHOWN = 3

/** Permission requests from agents, above every screen, because they wait and time runs out. */
export function PermissionRequests() {
  const requests = useApp((state) => state.permissions)
  const shown = requests.slice(0, MAX_SHOWN)
  const newest = requests.at(-1)
  return (
    <>
      <VisuallyHidden>
        <span role="status">
          {newest !== undefined && `${newest.agentId} asks to ${wishInWords(newest.tool)}: ${newest.target}`}
        </span>
      </VisuallyHidden>
      {shown.length > 0 && (
        <section className={styles.requests} aria-label="Permission requests">
          {shown.map((request) => (
            <PermissionCard key={request.id} request={request} />
          ))}
          {requests.length > shown.length && (
            <p className="quiet">And {requests.length - shown.length} more after these.</p>
          )}
        </section>
      )}
    </>
  )
}
