import { useEffect } from 'react'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { WithHelp } from '../../ui/help-link.tsx'
import { goToSection, SectionList } from '../../ui/section-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AboutSection } from './about-section.tsx'
import { AppearanceSection, DataSection, RunningSection } from './app-sections.tsx'
import { ChannelsSection } from './channels-section.tsx'
import { LimitsSection } from './limits-section.tsx'
import { NotificationSection } from './notification-section.tsx'
import { idOfSection, SETTINGS_SECTIONS } from './setting-row.tsx'
import styles from './settings.module.css'
import { UpdatesSection } from './updates-section.tsx'
import { useSettings } from './use-settings.ts'

/** Settings for the whole app. Each change is saved at once and appears in every window. */
export function SettingsScreen({ section }: { section: string | null }) {
  const { document: settings, change } = useSettings()
  const refresh = useApp((state) => state.refreshSettings)
  const { value: capabilities } = useAnswer(
    (api) => api.desktop.capabilities,
    undefined,
    settings?.hash ?? null,
  )
  const isThere = settings !== null
  useEffect(() => {
    // The file may have been edited by hand since.
    void refresh()
  }, [refresh])
  useEffect(() => {
    if (!isThere || section === null) return
    goToSection(idOfSection(section))
  }, [section, isThere])
  return (
    <div className={styles.screen}>
      <header>
        <WithHelp page="configuration" about="settings and configuration">
          <h1 className="title">Settings</h1>
        </WithHelp>
        <p className={styles.lead}>App-wide settings. Per-folder settings are under Setup.</p>
      </header>
      {settings === null ? (
        <Waiting onRetry={() => void refresh()} />
      ) : (
        <>
          <SectionList label="Sections of the settings" sections={SETTINGS_SECTIONS} />
          <AppearanceSection settings={settings.settings} change={change} capabilities={capabilities} />
          <NotificationSection settings={settings.settings.notifications} change={change} />
          <ChannelsSection />
          <LimitsSection limits={settings.settings.limits} change={change} />
          <RunningSection settings={settings.settings} change={change} capabilities={capabilities} />
          <DataSection document={settings} capabilities={capabilities} />
          <UpdatesSection settings={settings.settings} change={change} />
          <AboutSection />
        </>
      )}
    </div>
  )
}

function Waiting({ onRetry }: { onRetry: () => void }) {
  const connection = useApp((state) => state.connection)
  if (connection.kind !== 'online') return <Skeleton width="100%" height={160} />
  return (
    <p className={styles.note}>
      The settings have not arrived. <Button onClick={onRetry}>Try again</Button>
    </p>
  )
}
