import { useState } from 'react'
import type { NotificationSettings } from '../../../../api/schemas/settings.ts'
import { quietHoursSchema } from '../../../../core/configuration/app.ts'
import { NOTIFICATION_KINDS, NOTIFICATION_ROWS } from '../../../../core/vocabulary/notification.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ToggleField } from '../../ui/toggle-field.tsx'
import { Section } from './setting-row.tsx'
import styles from './settings.module.css'
import type { ChangeSettings } from './use-settings.ts'

const USUAL_NIGHT = { from: '22:00', to: '08:00' }

export function NotificationSection({
  settings,
  change,
}: {
  settings: NotificationSettings
  change: ChangeSettings
}) {
  const { kinds, quietHours, reportAt } = settings
  const [problem, setProblem] = useState<string | null>(null)
  const write = async (changes: Parameters<ChangeSettings>[0]) => setProblem(await change(changes))
  return (
    <Section id="notifications">
      <fieldset className="stack gap-3">
        <legend className={styles.legend}>Notify me about</legend>
        {NOTIFICATION_KINDS.map((kind) => (
          <ToggleField
            key={kind}
            label={NOTIFICATION_ROWS[kind].title}
            hint={NOTIFICATION_ROWS[kind].meaning}
            checked={kinds[kind]}
            onChange={(event) =>
              void write({ notifications: { kinds: { [kind]: event.currentTarget.checked } } })
            }
          />
        ))}
      </fieldset>
      <ToggleField
        label="Quiet hours"
        hint="Nothing is shown between these times, in this machine’s local time; the timeline has it all."
        checked={quietHours !== null}
        onChange={(event) =>
          void write({ notifications: { quietHours: event.currentTarget.checked ? USUAL_NIGHT : null } })
        }
      />
      {quietHours !== null && <QuietHours hours={quietHours} change={change} />}
      <TextField
        label="Daily report at"
        type="time"
        hint="Sent to channels, in this machine’s local time. Empty: no report."
        value={reportAt ?? ''}
        onChange={(event) => {
          const at = event.target.value === '' ? null : event.target.value
          void write({ notifications: { reportAt: at } })
        }}
      />
      <ProblemNote text={problem} />
    </Section>
  )
}

function QuietHours({
  hours,
  change,
}: {
  hours: NonNullable<NotificationSettings['quietHours']>
  change: ChangeSettings
}) {
  const [draft, setDraft] = useState(hours)
  const [shown, setShown] = useState(hours)
  const [refusal, setRefusal] = useState<string | null>(null)
  if (shown.from !== hours.from || shown.to !== hours.to) {
    // Changed elsewhere, or by us: show the value in effect.
    setShown(hours)
    setDraft(hours)
  }
  const parsed = quietHoursSchema.safeParse(draft)
  const problemOf = (name: 'from' | 'to') => {
    const issue = parsed.success ? undefined : parsed.error.issues.find(({ path }) => path[0] === name)
    if (issue === undefined) return name === 'to' ? refusal : null
    return issue.code === 'custom' ? `It ${issue.message}.` : `Expected ${issue.message}.`
  }
  const take = async (next: typeof hours) => {
    setDraft(next)
    const whole = quietHoursSchema.safeParse(next)
    if (whole.success) setRefusal(await change({ notifications: { quietHours: whole.data } }))
  }
  return (
    <div className={styles.pair}>
      <TextField
        label="From"
        type="time"
        value={draft.from}
        problem={problemOf('from')}
        onChange={(event) => void take({ ...draft, from: event.target.value })}
      />
      <TextField
        label="To"
        type="time"
        value={draft.to}
        problem={problemOf('to')}
        onChange={(event) => void take({ ...draft, to: event.target.value })}
      />
    </div>
  )
}
