import { useState } from 'react'
import { helpAddress } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { Section } from './setting-row.tsx'
import styles from './settings.module.css'

/** Shows the version, and diagnostics to attach to a bug report. They are shown in full before they are copied, and never sent. */
export function AboutSection() {
  const api = useApp((state) => state.api)
  const version = useApp((state) => state.version)
  const [text, setText] = useState<string | null>(null)
  const [isCopied, setCopied] = useState(false)
  const { busy, problem, submit } = useSubmit()
  const show = () =>
    submit(async () => {
      setText((await api.diagnostics.get()).text)
      setCopied(false)
    })
  const copy = () =>
    submit(async () => {
      await navigator.clipboard.writeText(text ?? '')
      setCopied(true)
    })
  return (
    <Section id="about">
      <p>
        Pulseward {version}. MIT license; those of its components are in <code>LICENSES.third-party.txt</code>{' '}
        in each package.
      </p>
      <p>
        <a href={helpAddress()}>Documentation</a> of this version, read without a network.
      </p>
      <p className={styles.note}>
        Logs and crash reports stay on this machine and are never sent. Diagnostics are what to attach to a
        bug report: versions, platform, what doctor finds, errors in the log. They contain no secrets and no
        memory dump.
      </p>
      <div className={styles.choices}>
        <Button aria-disabled={busy} onClick={() => void show()}>
          {busy ? 'One moment…' : 'Show diagnostics'}
        </Button>
        {text !== null && (
          <Button aria-disabled={busy} onClick={() => void copy()}>
            {isCopied ? 'Copied' : 'Copy diagnostics'}
          </Button>
        )}
      </div>
      {text !== null && (
        <textarea className={styles.diagnostics} aria-label="Diagnostics" readOnly rows={16} value={text} />
      )}
      <ProblemNote text={problem} />
    </Section>
  )
}
