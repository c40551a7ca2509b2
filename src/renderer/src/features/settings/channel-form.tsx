import { type FormEvent, useState } from 'react'
import { CHANNEL_ROWS, CHANNEL_TYPES, type ChannelType } from '../../../../core/vocabulary/channel.ts'
import {
  NOTIFICATION_KINDS,
  NOTIFICATION_ROWS,
  type NotificationSubject,
} from '../../../../core/vocabulary/notification.ts'
import { SEVERITIES, type Severity } from '../../../../core/vocabulary/severity.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ToggleField } from '../../ui/toggle-field.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import type { ChannelRow } from './channel-row.ts'
import styles from './settings.module.css'

const SUBJECTS: readonly (readonly [NotificationSubject, string])[] = [
  ...NOTIFICATION_KINDS.map((kind) => [kind, NOTIFICATION_ROWS[kind].title] as const),
  ['trouble', 'Pulseward errors'],
  ['permission', 'Permission requests'],
  ['report', 'Daily report'],
]

const SEVERITY_LABELS: Readonly<Record<Severity, string>> = {
  critical: 'critical only',
  warning: 'warnings and critical',
  info: 'everything',
}

const NOWHERE: Place = { name: '', type: 'ntfy', address: '', secret: '', from: '', to: '' }

/** Returns the state of the form and a function that submits it. */
function useChannelForm(channel: ChannelRow | null, onDone: () => void) {
  const api = useApp((state) => state.api)
  const { busy, problem, submit } = useSubmit()
  const [place, setPlace] = useState(NOWHERE)
  const [rules, setRules] = useState({
    kinds: channel?.kinds ?? ([] as readonly string[]),
    workspaces: channel?.workspaces ?? ([] as readonly string[]),
    severity: channel?.severity ?? ('info' as Severity),
    quietHours: channel?.quietHours ?? null,
    link: channel?.link ?? '',
    answers: channel?.answers ?? false,
  })
  const type = channel?.type ?? place.type
  const send = (event: FormEvent) => {
    event.preventDefault()
    const asked = {
      ...rules,
      kinds: SUBJECTS.flatMap(([kind]) => (rules.kinds.includes(kind) ? [kind] : [])),
      workspaces: [...rules.workspaces],
      answers: rules.answers && CHANNEL_ROWS[type].hasButtons,
      link: rules.link.trim() === '' ? null : rules.link.trim(),
    }
    void submit(async () => {
      if (channel === null) await api.channels.put({ ...placeGiven(place), ...asked })
      else await api.channels.change({ name: channel.name, ...asked })
      onDone()
    })
  }
  const change = (changed: Partial<typeof rules>) => setRules({ ...rules, ...changed })
  return { busy, problem, place, setPlace, rules, change, send, type }
}

function placeGiven({ name, type, address, secret, from, to }: Place) {
  return {
    name: name.trim(),
    type,
    address: address.trim(),
    secret: secret === '' ? null : secret,
    from: from.trim() === '' ? null : from.trim(),
    to: to.split(/[\s,]+/).filter((each) => each !== ''),
  }
}

/** What a channel is notified about and, for a new channel, its destination. */
export function ChannelForm({ channel, onDone }: { channel: ChannelRow | null; onDone: () => void }) {
  const workspaces = useApp((state) => state.workspaces)
  const { busy, problem, place, setPlace, rules, change, send, type } = useChannelForm(channel, onDone)
  const isPing = type === 'ping'
  return (
    <form className="stack gap-4" onSubmit={send}>
      {channel === null && <PlaceFields place={place} onChange={setPlace} />}
      {!isPing && (
        <>
          <Chosen
            legend="Notify about (none = all)"
            all={SUBJECTS}
            chosen={rules.kinds}
            onChange={(kinds) => change({ kinds })}
          />
          <SelectField
            label="Minimum severity"
            value={rules.severity}
            onChange={(event) =>
              change({ severity: SEVERITIES.find((each) => each === event.target.value) ?? 'info' })
            }
          >
            {SEVERITIES.map((each) => (
              <option key={each} value={each}>
                {SEVERITY_LABELS[each]}
              </option>
            ))}
          </SelectField>
          <QuietFields quiet={rules.quietHours} onChange={(quietHours) => change({ quietHours })} />
          <TextField
            label="Address of this Pulseward from there"
            hint="Your own server or tunnel; messages link to it. Empty: no link."
            placeholder="https://pulseward.example.org"
            value={rules.link}
            onChange={(event) => change({ link: event.target.value })}
          />
          {CHANNEL_ROWS[type].hasButtons && (
            <ToggleField
              label="Buttons that answer"
              hint="Allow once, unblock and pause from there, through the address above. Anyone who can read the topic can press them."
              checked={rules.answers}
              onChange={(event) => change({ answers: event.currentTarget.checked })}
            />
          )}
        </>
      )}
      {workspaces.length > 1 && (
        <Chosen
          legend="Workspaces (none = all)"
          all={workspaces.map(({ id, name }) => [id, name] as const)}
          chosen={rules.workspaces}
          onChange={(chosen) => change({ workspaces: chosen })}
        />
      )}
      <ProblemNote text={problem} />
      <div>
        <Button type="submit" look="primary" aria-disabled={busy}>
          {channel === null ? 'Add' : 'Save'}
        </Button>
      </div>
    </form>
  )
}

interface Place {
  readonly name: string
  readonly type: ChannelType
  readonly address: string
  readonly secret: string
  readonly from: string
  readonly to: string
}

function PlaceFields({ place, onChange }: { place: Place; onChange: (place: Place) => void }) {
  const { type } = place
  const { address, secret } = CHANNEL_ROWS[type]
  const field = (name: Exclude<keyof Place, 'type'>) => ({
    value: place[name],
    onChange: (event: { target: { value: string } }) => onChange({ ...place, [name]: event.target.value }),
  })
  return (
    <>
      <SelectField
        label="Type"
        value={type}
        onChange={(event) =>
          onChange({ ...place, type: CHANNEL_TYPES.find((each) => each === event.target.value) ?? type })
        }
      >
        {CHANNEL_TYPES.map((each) => (
          <option key={each} value={each}>
            {CHANNEL_ROWS[each].title}
          </option>
        ))}
      </SelectField>
      <TextField label="Name" placeholder="phone" autoComplete="off" required {...field('name')} />
      <TextField
        label="Address"
        placeholder={address}
        autoComplete="off"
        spellCheck={false}
        required
        {...field('address')}
      />
      {secret !== null && (
        <TextField
          label={secret}
          type="password"
          autoComplete="off"
          hint="May be left empty."
          {...field('secret')}
        />
      )}
      {type === 'email' && (
        <>
          <TextField label="From" placeholder="pulseward@example.org" required {...field('from')} />
          <TextField label="To" placeholder="me@example.org" required {...field('to')} />
        </>
      )}
    </>
  )
}

function Chosen({
  legend,
  all,
  chosen,
  onChange,
}: {
  legend: string
  all: readonly (readonly [value: string, label: string])[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}) {
  return (
    <fieldset className="stack gap-3">
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.choices}>
        {all.map(([value, label]) => (
          <label key={value} className="row small">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked ? [...chosen, value] : chosen.filter((each) => each !== value),
                )
              }
            />
            <bdi>{label}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type Quiet = ChannelRow['quietHours']

function QuietFields({ quiet, onChange }: { quiet: Quiet; onChange: (quiet: Quiet) => void }) {
  return (
    <>
      <ToggleField
        label="Quiet hours"
        hint="Messages during these hours are sent when they end."
        checked={quiet !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? { from: '22:00', to: '07:00' } : null)}
      />
      {quiet !== null && (
        <div className={styles.pair}>
          <TextField
            label="From"
            type="time"
            value={quiet.from}
            onChange={(event) => onChange({ ...quiet, from: event.target.value })}
          />
          <TextField
            label="To"
            type="time"
            value={quiet.to}
            onChange={(event) => onChange({ ...quiet, to: event.target.value })}
          />
        </div>
      )}
    </>
  )
}
