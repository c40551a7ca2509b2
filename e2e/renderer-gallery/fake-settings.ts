import {
  type SettingsChanges,
  type SettingsDocument,
  settingsSchema,
  type Theme,
} from '../../src/api/schemas/settings.ts'

/** The calls about settings and the desktop, over settings in memory. */
export function settingsCalls(theme: Theme) {
  let settings = settingsSchema.parse({ theme })
  const document = (): SettingsDocument => ({
    settings,
    hash: JSON.stringify(settings),
    path: '~/.pulseward/settings.json',
    dataDirectory: '~/.pulseward',
  })
  return {
    settings: {
      get: async () => document(),
      put: async ({ changes }: { changes: SettingsChanges }) => {
        const notifications = { ...settings.notifications, ...changes.notifications }
        const kinds = { ...settings.notifications.kinds, ...changes.notifications?.kinds }
        settings = settingsSchema.parse({
          ...settings,
          ...changes,
          notifications: { ...notifications, kinds },
        })
        return document()
      },
    },
    desktop: {
      capabilities: async () => ({ chooseFolder: true, openPath: true, startAtLogin: false, zoom: true }),
    },
  }
}
