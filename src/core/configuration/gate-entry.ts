import { z } from 'zod'
import { command, environment, environmentNames, number, table } from './expect.ts'

/** A gate: a bare command, or one with its own settings. */
export interface GateEntry {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly envFrom: readonly string[]
  /** `null`: uses the timeout for all gates. */
  readonly timeoutSeconds: number | null
}

const withSettings = table({
  command: command(),
  env: environment().default({}),
  env_from: environmentNames().default([]),
  timeout_seconds: number({ from: 0, to: 86_400, above: true }).optional(),
})

/** Parses each form by its own rules, so that an error in one isn't reported in terms of the other. */
export const gateSchema = z.unknown().transform((value, context): GateEntry => {
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value)
  const parsed = isTable ? withSettings.safeParse(value) : command().safeParse(value)
  if (!parsed.success) {
    for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: value } as never)
    return z.NEVER
  }
  if (Array.isArray(parsed.data)) return { command: parsed.data, env: {}, envFrom: [], timeoutSeconds: null }
  const { command: words, env, env_from: envFrom, timeout_seconds: seconds = null } = parsed.data
  return { command: words, env, envFrom, timeoutSeconds: seconds }
})
