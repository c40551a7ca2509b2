import { z } from 'zod'
import { each } from '../../core/vocabulary/each.ts'
import { NOTIFICATION_KINDS } from '../../core/vocabulary/notification.ts'

/*
 * `settings.json` in the data folder: what holds for the whole app. The page validates with the same schemas while one types.
 */

export const clockTimeSchema = z
  .string({ error: 'a time of day such as 22:00' })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'a time of day from 00:00 to 23:59, such as 22:00' })

/** In the machine's local time, `to` exclusive; `from` later than `to` spans midnight. */
export const quietHoursSchema = z
  .object({ from: clockTimeSchema, to: clockTimeSchema })
  .refine(({ from, to }) => from !== to, {
    error: 'ends when it begins: choose another time, or turn quiet hours off',
    path: ['to'],
  })

const kindsSchema = z.object(each(NOTIFICATION_KINDS, () => z.boolean()))

export const themeSchema = z.enum(['system', 'light', 'dark'], { error: '"system", "light" or "dark"' })

export type Theme = z.infer<typeof themeSchema>

function wholeNumber(from: number, to: number): z.ZodNumber {
  const error = `a whole number from ${from} to ${to}`
  return z.number({ error }).int({ error }).min(from, { error }).max(to, { error })
}

/** Each setting with its bounds, without a default: what a single field is checked with. */
export const settingFields = {
  theme: themeSchema,
  /** Percent; applied by the desktop window. A browser has a zoom of its own. */
  zoom: wholeNumber(50, 300),
  /** What the operator asked for; the desktop tells the system so. */
  startAtLogin: z.boolean(),
  /** Loopback port, from the next start on; 0 takes any free one. */
  port: wholeNumber(0, 65_535),
  /** Heartbeats of different workspaces that may run at once. */
  maxConcurrentCycles: wholeNumber(1, 64),
  notifications: z.object({
    kinds: kindsSchema.partial(),
    /** Nothing is shown between these times. `null`: notifications come at any time. */
    quietHours: quietHoursSchema.nullable(),
  }),
} as const

export const DEFAULT_SETTINGS = {
  theme: 'system',
  zoom: 100,
  startAtLogin: false,
  port: 0,
  maxConcurrentCycles: 2,
  notifications: {
    kinds: each(NOTIFICATION_KINDS, () => true),
    quietHours: null,
  },
} as const

/** The whole of it, with every default filled in. Unknown fields belong to another version: they are left out here and kept in the file. */
export const settingsSchema = z.object({
  theme: settingFields.theme.default(DEFAULT_SETTINGS.theme),
  zoom: settingFields.zoom.default(DEFAULT_SETTINGS.zoom),
  startAtLogin: settingFields.startAtLogin.default(DEFAULT_SETTINGS.startAtLogin),
  port: settingFields.port.default(DEFAULT_SETTINGS.port),
  maxConcurrentCycles: settingFields.maxConcurrentCycles.default(DEFAULT_SETTINGS.maxConcurrentCycles),
  notifications: z
    .object({
      kinds: z.object(each(NOTIFICATION_KINDS, () => z.boolean().default(true))).prefault({}),
      quietHours: quietHoursSchema.nullable().default(null),
    })
    .prefault({}),
})

export type Settings = z.infer<typeof settingsSchema>

export type NotificationSettings = Settings['notifications']

/** Some settings to change; what is left out stays as it is. */
export const settingsChangesSchema = z
  .strictObject({ ...settingFields, notifications: settingFields.notifications.partial() })
  .partial()

export type SettingsChanges = z.infer<typeof settingsChangesSchema>

export const settingsDocumentSchema = z.object({
  settings: settingsSchema,
  /** SHA-256 of the file in hex; sent back with a change. */
  hash: z.string(),
  /** Of `settings.json`. */
  path: z.string(),
  dataDirectory: z.string(),
})

export type SettingsDocument = z.infer<typeof settingsDocumentSchema>
