import type { SettingsChanges, SettingsDocument } from '../../api/schemas/settings.ts'
import type { SettingsStore } from '../config/settings.ts'

/** The app's settings, and who is notified of changes. */
export type AppSettings = Pick<SettingsStore, 'read' | 'change'>

/** Creates the app's settings. Calls `onChange` for every change, made here or by hand in the file. */
export function createAppSettings(
  store: SettingsStore,
  onChange: (document: SettingsDocument) => void,
): AppSettings {
  let knownHash: string | null = null
  const notified = (document: SettingsDocument): SettingsDocument => {
    if (document.hash !== knownHash) onChange(document)
    knownHash = document.hash
    return document
  }
  return {
    read: async () => notified(await store.read()),
    change: async (changes: SettingsChanges, hash) => notified(await store.change(changes, hash)),
  }
}
