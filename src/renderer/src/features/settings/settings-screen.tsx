/** What holds for the whole app. */
export function SettingsScreen({ section }: { section: string | null }) {
  return <h1 data-section={section}>Settings</h1>
}
