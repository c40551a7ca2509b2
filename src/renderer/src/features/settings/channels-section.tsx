import { useState } from 'react'
import { CHANNEL_ROWS } from '../../../../core/vocabulary/channel.ts'
import { exactTime, timeOfDay } from '../../format/moments.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { ChannelForm } from './channel-form.tsx'
import type { ChannelRow } from './channel-row.ts'
import { Section } from './setting-row.tsx'
import styles from './settings.module.css'

/** Where notifications go when the operator is away. */
export function ChannelsSection() {
  const [changes, setChanges] = useState(0)
  const { value: channels } = useAnswer((api) => api.channels.list, undefined, changes)
  /** The channel being edited; `null`: a new one. */
  const [edited, setEdited] = useState<ChannelRow | null | undefined>(undefined)
  const changed = () => setChanges((count) => count + 1)
  return (
    <Section id="channels">
      <p className={styles.note}>
        By webhook, ntfy, Slack, e-mail or Apprise, and a ping per heartbeat for an uptime monitor. Nothing is
        sent that is not set up here. Addresses and secrets are kept in a private file and never shown again.
      </p>
      {channels !== null && channels.length > 0 && (
        <ul className="stack gap-4">
          {channels.map((channel) => (
            <Channel
              key={channel.name}
              channel={channel}
              onEdit={() => setEdited(channel)}
              onChange={changed}
            />
          ))}
        </ul>
      )}
      <div>
        <Button onClick={() => setEdited(null)}>Add a channel</Button>
      </div>
      {edited !== undefined && (
        <Dialog
          title={edited === null ? 'Add a channel' : `Notifications to ${edited.name}`}
          onClose={() => setEdited(undefined)}
        >
          <ChannelForm
            channel={edited}
            onDone={() => {
              setEdited(undefined)
              changed()
            }}
          />
        </Dialog>
      )}
    </Section>
  )
}

function Channel({
  channel,
  onEdit,
  onChange,
}: {
  channel: ChannelRow
  onEdit: () => void
  onChange: () => void
}) {
  const api = useApp((state) => state.api)
  const { busy, problem, submit } = useSubmit()
  const { name, type, to } = channel
  const send = () =>
    submit(async () => {
      await api.channels.test({ name })
      onChange()
    })
  const remove = () =>
    submit(async () => {
      await api.channels.remove({ name })
      onChange()
    })
  return (
    <li className="flow gap-3 spread shrinks breaks">
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        {CHANNEL_ROWS[type].title}
        {type === 'webhook' && (channel.hasSecret ? ', signed' : ', not signed')}, <bdi>{to}</bdi>
        <p className={styles.note}>
          <LastReceipt last={channel.last} />
        </p>
        <ProblemNote text={problem} />
      </div>
      <div className={styles.choices}>
        <Button aria-disabled={busy} onClick={() => void send()}>
          {busy ? 'Sending…' : 'Send a test'}
        </Button>
        {type !== 'ping' && (
          <Button aria-label={`Edit notifications to ${name}`} onClick={onEdit}>
            Edit
          </Button>
        )}
        <Button aria-label={`Remove ${name}`} aria-disabled={busy} onClick={() => void remove()}>
          Remove
        </Button>
      </div>
    </li>
  )
}

/** The last answer of the service; it never means that anyone has read the message. */
function LastReceipt({ last }: Pick<ChannelRow, 'last'>) {
  if (last === null) return <>Nothing was sent yet.</>
  const atMs = Date.parse(last.at)
  return (
    <>
      <time dateTime={last.at} title={exactTime(atMs)}>
        {timeOfDay(atMs)}
      </time>{' '}
      {last.isAccepted ? 'answered' : 'failed'}: {last.answer}
      {last.nextTryAt !== null && `, again at ${timeOfDay(Date.parse(last.nextTryAt))}`}
    </>
  )
}
