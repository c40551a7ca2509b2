import { useState } from 'react'
import type { DesktopCapabilities } from '../../../../api/schemas/desktop.ts'
import type { Settings, SettingsDocument } from '../../../../api/schemas/settings.ts'
import { APP_SETTINGS } from '../../../../core/configuration/app.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { ToggleField } from '../../ui/toggle-field.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { APP_SETTING_NAMES, AppSetting, type AppSettingName } from './app-setting.tsx'
import { Section } from './setting-row.tsx'
import styles from './settings.module.css'
import type { ChangeSettings } from './use-settings.ts'

interface SectionProps {
  readonly settings: Settings
  readonly change: ChangeSettings
  /** `null` until they are loaded. */
  readonly capabilities: DesktopCapabilities | null
}

export function AppearanceSection({ settings, change, capabilities }: SectionProps) {
  return (
    <Section id="appearance">
      <AppSetting name="theme" settings={settings} change={change} />
      {capabilities?.zoom === false ? (
        <p className={styles.note}>
          Zoom: use your browser’s (Ctrl or ⌘ with + and −). The desktop app has its own zoom.
        </p>
      ) : (
        <div className={styles.narrow}>
          <AppSetting name="zoom" settings={settings} change={change} />
        </div>
      )}
    </Section>
  )
}

/** Settings with a dedicated place; every other setting of the app is listed under "Running". */
const PLACED: readonly AppSettingName[] = ['theme', 'zoom', 'startAtLogin', 'lookForUpdates']

export function RunningSection({ settings, change, capabilities }: SectionProps) {
  const others = APP_SETTING_NAMES.filter((name) => !PLACED.includes(name))
  return (
    <Section id="running">
      <StartAtLogin settings={settings} change={change} capabilities={capabilities} />
      <div className={styles.pair}>
        {others.map((name) => (
          <AppSetting key={name} name={name} settings={settings} change={change} />
        ))}
      </div>
    </Section>
  )
}

/** The system has the final say on this setting, and its state may differ. */
function StartAtLogin({ settings, change, capabilities }: SectionProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const atLogin = capabilities?.startAtLogin ?? null
  const { label, hint } = APP_SETTINGS.startAtLogin
  return (
    <ToggleField
      label={label}
      hint={
        atLogin === null
          ? 'Not available here: the desktop app can be started at login, pulseward serve by your system’s service manager.'
          : atLogin === settings.startAtLogin
            ? hint
            : 'The system’s setting differs: turn it off and on again here to fix that.'
      }
      problem={problem}
      checked={atLogin === null ? false : settings.startAtLogin}
      disabled={atLogin === null}
      onChange={async (event) => setProblem(await change({ startAtLogin: event.currentTarget.checked }))}
    />
  )
}

export function DataSection({
  document,
  capabilities,
}: {
  document: SettingsDocument
  capabilities: DesktopCapabilities | null
}) {
  const api = useApp((state) => state.api)
  const { busy, problem, submit } = useSubmit()
  const open = (kind: 'data-folder' | 'log') =>
    submit(async () => void (await api.desktop.openPath({ target: { kind } })))
  return (
    <Section id="data">
      <div className="row flow gap-3 spread">
        <code className="breaks">
          <bdi>{document.dataDirectory}</bdi>
        </code>
        {capabilities?.openPath === true && (
          <>
            <Button onClick={() => open('data-folder')} aria-disabled={busy}>
              Open
            </Button>
            <Button onClick={() => open('log')} aria-disabled={busy}>
              Open the log
            </Button>
          </>
        )}
      </div>
      <ProblemNote text={problem} />
      <p className={styles.note}>
        Scores, history, the log (<code>pulseward.log</code>) and these settings (<code>settings.json</code>)
        are kept here. To use another folder, start Pulseward with <code>--data-dir DIR</code>, or set{' '}
        <code>PULSEWARD_HOME</code>. What is here stays here: copy the folder while Pulseward is not running
        to take it along.
      </p>
    </Section>
  )
}
