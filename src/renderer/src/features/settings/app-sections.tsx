import { useState } from 'react'
import type { DesktopCapabilities } from '../../../../api/schemas/desktop.ts'
import { type Settings, type SettingsDocument, settingFields } from '../../../../api/schemas/settings.ts'
import { toProblem } from '../../api-client/problem.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { ToggleField } from '../../ui/toggle-field.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { NumberSetting, Section } from './setting-row.tsx'
import styles from './settings.module.css'
import type { ChangeSettings } from './use-settings.ts'

interface SectionProps {
  readonly settings: Settings
  readonly change: ChangeSettings
  /** `null` until they have been fetched. */
  readonly capabilities: DesktopCapabilities | null
}

const THEMES = [
  { theme: 'system', label: 'As the system' },
  { theme: 'light', label: 'Light' },
  { theme: 'dark', label: 'Dark' },
] as const

export function AppearanceSection({ settings, change, capabilities }: SectionProps) {
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <Section id="appearance" title="Appearance">
      <fieldset className={styles.group}>
        <legend className={styles.legend}>Theme</legend>
        <div className={styles.choices}>
          {THEMES.map(({ theme, label }) => (
            <label key={theme} className={styles.choice}>
              <input
                type="radio"
                name="theme"
                checked={settings.theme === theme}
                onChange={async () => setProblem(await change({ theme }))}
              />
              {label}
            </label>
          ))}
        </div>
        {problem !== null && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
      </fieldset>
      {capabilities?.zoom === false ? (
        <p className={styles.note}>
          Zoom: use your browser’s (Ctrl or ⌘ with + and −). The desktop app keeps one of its own.
        </p>
      ) : (
        <div className={styles.narrow}>
          <NumberSetting
            label="Zoom, in percent"
            hint="50 to 300. Ctrl or ⌘ with +, − and 0 do the same."
            value={settings.zoom}
            schema={settingFields.zoom}
            onCommit={(zoom) => change({ zoom })}
          />
        </div>
      )}
    </Section>
  )
}

export function RunningSection({ settings, change, capabilities }: SectionProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const atLogin = capabilities?.startAtLogin ?? null
  return (
    <Section id="running" title="Running">
      <ToggleField
        label="Start at login"
        hint={
          atLogin === null
            ? 'Not available here: the desktop app can be started at login, pulseward serve by your system’s service manager.'
            : atLogin === settings.startAtLogin
              ? 'Pulseward waits in the tray. Heartbeats run only while it does.'
              : 'The system has it otherwise: turn it off and on again here to put that right.'
        }
        problem={problem}
        checked={atLogin === null ? false : settings.startAtLogin}
        disabled={atLogin === null}
        onChange={async (event) => setProblem(await change({ startAtLogin: event.currentTarget.checked }))}
      />
      <div className={styles.pair}>
        <NumberSetting
          label="Heartbeats at once"
          hint="Of different workspaces. The rest waits its turn."
          value={settings.maxConcurrentCycles}
          schema={settingFields.maxConcurrentCycles}
          onCommit={(maxConcurrentCycles) => change({ maxConcurrentCycles })}
        />
        <NumberSetting
          label="Port"
          hint="On this machine only; 0 takes any free one. From the next start on."
          value={settings.port}
          schema={settingFields.port}
          onCommit={(port) => change({ port })}
        />
      </div>
    </Section>
  )
}

const explain = (error: unknown) => toProblem(error).message

export function DataSection({
  document,
  capabilities,
}: {
  document: SettingsDocument
  capabilities: DesktopCapabilities | null
}) {
  const api = useApp((state) => state.api)
  const version = useApp((state) => state.version)
  const { busy, problem, submit } = useSubmit(explain)
  const open = () =>
    submit(async () => void (await api.desktop.openPath({ target: { kind: 'data-folder' } })))
  return (
    <Section id="data" title="Data folder">
      <div className={styles.folder}>
        <code className={styles.path}>
          <bdi>{document.dataDirectory}</bdi>
        </code>
        {capabilities?.openPath === true && (
          <Button onClick={open} aria-disabled={busy}>
            Open
          </Button>
        )}
      </div>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <p className={styles.note}>
        Scores, history and these settings (<code>settings.json</code>) are kept here. To use another folder,
        start Pulseward with <code>--data-dir DIR</code>, or set <code>PULSEWARD_HOME</code>. What is here
        stays here: copy the folder while Pulseward is not running to take it along.
      </p>
      {version !== null && <p className={styles.note}>Pulseward {version}</p>}
    </Section>
  )
}
