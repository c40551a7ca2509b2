import { z } from 'zod'
import { command, environment, number, table } from './expect.ts'
import { TEST_SECONDS } from './limits.ts'

/** A gate: a bare command, or one with variables of its own. */
export interface GateEntry {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const withEnvironment = table({ command: command(), env: environment().default({}) })

/** Each form by its own rules, so that a mistake in one is not told as if the other had been meant. */
const gateSchema = z.unknown().transform((value, context): GateEntry => {
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value)
  const parsed = isTable ? withEnvironment.safeParse(value) : command().safeParse(value)
  if (parsed.success) return Array.isArray(parsed.data) ? { command: parsed.data, env: {} } : parsed.data
  for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: value } as never)
  return z.NEVER
})

/** `[gates]`: `commands = [["npm", "test"], { command = ["pytest"], env = { CI = "1" } }]`. */
export function gatesSchema(maxSeconds: number) {
  return table({
    commands: z
      .array(gateSchema, { error: 'a list of commands, such as [["npm", "test"]]' })
      .max(50, { error: 'at most 50 commands' })
      .default([]),
    timeout_seconds: number({ from: 0, to: maxSeconds, above: true }).default(TEST_SECONDS),
  }).prefault({})
}
