import { Bell } from 'lucide-react'
import { counted } from '../../format/counted.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Prose } from '../../ui/prose.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './messages.module.css'

/** Recent messages, to read again: one may have disappeared before it was read. */
export function Messages({
  className,
  labelClass,
}: {
  className: string | undefined
  labelClass: string | undefined
}) {
  const said = useApp((state) => state.said)
  const unread = useApp((state) => state.unread)
  const readSaid = useApp((state) => state.readSaid)
  const clearSaid = useApp((state) => state.clearSaid)
  return (
    <Popover
      label="Messages so far"
      align="start"
      onOpen={readSaid}
      trigger={
        <button type="button" className={className}>
          <Bell size={18} strokeWidth={1.75} aria-hidden />
          <span className={labelClass}>Messages</span>
          {unread > 0 && (
            <span className={styles.unread}>
              {unread}
              <VisuallyHidden> new</VisuallyHidden>
            </span>
          )}
        </button>
      }
    >
      <div className="row gap-4 spread quiet">
        <p role="status">{said.length === 0 ? 'No messages.' : counted(said.length, 'message')}</p>
        {said.length > 0 && (
          <Button look="quiet" onClick={clearSaid}>
            Clear
          </Button>
        )}
      </div>
      {said.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        <ul className={styles.list} aria-label="Messages so far" tabIndex={0}>
          {said.map(({ id, tone, text, at, address, addressLabel = 'Show' }) => (
            <li key={id} className={styles.message} data-tone={tone}>
              <p dir="auto">
                <Prose text={text} />
              </p>
              <p className={styles.when}>
                <RelativeTime at={at} />
                {address !== undefined && <a href={address}>{addressLabel}</a>}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Popover>
  )
}
