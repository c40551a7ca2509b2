import { z } from 'zod'
import { APP_SETTINGS, LIMIT_SETTINGS, NOTIFICATION_SETTINGS } from '../../core/configuration/app.ts'
import { shapeOf } from '../../core/configuration/setting.ts'
import { each } from '../../core/vocabulary/each.ts'
import { NOTIFICATION_KINDS } from '../../core/vocabulary/notification.ts'

/*
 * `settings.json` in the data folder: the app-wide settings. The rows are defined in core/configuration; the page uses their
 * schemas to validate input as you type.
 */

/**
 * All settings, with every default filled in. Unknown fields belong to another version: they are left out here and kept in the
 * file.
 */
export const settingsSchema = z.object({
  ...shapeOf(APP_SETTINGS),
  limits: z.object(shapeOf(LIMIT_SETTINGS)).prefault({}),
  notifications: z.object(shapeOf(NOTIFICATION_SETTINGS)).prefault({}),
})

export type Settings = z.infer<typeof settingsSchema>

export type Theme = Settings['theme']

export type NotificationSettings = Settings['notifications']

/** What applies if the file doesn't say. */
export const DEFAULT_SETTINGS: Settings = settingsSchema.parse({})

/** Some settings to change; those left out stay as they are. */
export const settingsChangesSchema = z
  .strictObject({
    ...rowSchemas(APP_SETTINGS),
    limits: z.object(rowSchemas(LIMIT_SETTINGS)).partial(),
    notifications: z
      .object({
        kinds: z.object(each(NOTIFICATION_KINDS, () => z.boolean())).partial(),
        quietHours: NOTIFICATION_SETTINGS.quietHours.schema,
        reportAt: NOTIFICATION_SETTINGS.reportAt.schema,
      })
      .partial(),
  })
  .partial()

export type SettingsChanges = z.infer<typeof settingsChangesSchema>

/** Returns each row's schema without its default, because a change contains only what it changes. */
function rowSchemas<S extends AppRows>(settings: S): { [Name in keyof S]: S[Name]['schema'] } {
  const schemas = Object.entries(settings).map(([name, { schema }]) => [name, schema])
  // Each row has the schema that the type says.
  return Object.fromEntries(schemas) as { [Name in keyof S]: S[Name]['schema'] }
}

type AppRows = Readonly<Record<string, { readonly schema: z.ZodType }>>

export const settingsDocumentSchema = z.object({
  settings: settingsSchema,
  /** SHA-256 of the file in hex; sent back with a change. */
  hash: z.string(),
  /** Of `settings.json`. */
  path: z.string(),
  dataDirectory: z.string(),
})

export type SettingsDocument = z.infer<typeof settingsDocumentSchema>
