import { join } from 'node:path'
import { z } from 'zod'
import { explainCode, readBoundedFile, setAside } from '../files/bounded-file.ts'
import type { Log } from '../ports/log.ts'

const MAXIMUM_BYTES = 64 * 1024

/** `settings.json`: what holds for the whole app. Unknown settings are kept out of the way of newer versions: ignored. */
const settingsSchema = z.object({
  /** Cycles of different workspaces that may run at once. */
  maxConcurrentCycles: z.number().int().min(1).max(64).default(2),
  /** Loopback port; 0 takes any free one. */
  port: z.number().int().min(0).max(65_535).default(0),
})

export type Settings = z.infer<typeof settingsSchema>

/**
 * The settings, with the defaults where the file is missing. One that cannot be read is set aside, logged, and replaced by
 * the defaults; never rejects.
 */
export async function readSettings(dataDirectory: string, log: Log): Promise<Settings> {
  const path = join(dataDirectory, 'settings.json')
  const reading = await readBoundedFile(path, MAXIMUM_BYTES)
  if (!reading.ok && reading.code === 'ENOENT') return settingsSchema.parse({})
  const parsed = reading.ok ? parseSettings(reading.bytes.toString('utf8')) : explainCode(reading.code)
  if (typeof parsed !== 'string') return parsed
  const aside = await setAside(path, Date.now())
  log.warn(
    `${path} cannot be used: ${parsed} The defaults apply${aside === null ? '' : `; it is now ${aside}`}.`,
  )
  return settingsSchema.parse({})
}

function parseSettings(text: string): Settings | string {
  try {
    const parsed = settingsSchema.safeParse(JSON.parse(text))
    if (parsed.success) return parsed.data
    const issue = parsed.error.issues[0]
    return `${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'not valid'}.`
  } catch (error) {
    return `it is not valid JSON (${error instanceof Error ? error.message : String(error)}).`
  }
}
