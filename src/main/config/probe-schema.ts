import { z } from 'zod'
import { PROBE_SETTINGS, PROBE_SOURCES } from '../../core/configuration/checks.ts'
import { sectionSchema } from '../../core/configuration/setting.ts'
import { steersChecks } from '../../core/custody/steering-variables.ts'

/** Reserved words of expressions (CEL): a probe with such a name could never be read. */
const reservedNames = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if'],
  ...['import', 'let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while'],
])

/**
 * Returns a problem if `names` contains a variable that affects programs: such a variable must be given with its value, so that the
 * approval covers it. `null` if there is none.
 */
export function steeringProblem(names: readonly string[] = []): string | null {
  const name = names.find(steersChecks)
  return name === undefined
    ? null
    : `names ${name}, which affects programs: set its value with env = { ${name} = "…" }.`
}

const probeSchema = sectionSchema(PROBE_SETTINGS).superRefine((probe, context) => {
  const sources = PROBE_SOURCES.filter((name) => probe[name] !== undefined)
  const complain = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
  if (sources.length === 0) {
    complain([], 'expected one of command = ["program"], file = "path" or url = "http…".')
  } else if (sources.length > 1) {
    complain([sources[1] ?? ''], `expected only one source, found ${sources.join(' and ')}.`)
  }
  if (probe.path !== undefined && probe.parse !== 'json') {
    complain(['path'], 'needs parse = "json".')
  }
  if (probe.parse === 'exit' && sources.length === 1 && probe.command === undefined) {
    complain(['parse'], `"exit" reads a command's exit code, and a ${sources[0]} has none.`)
  }
  if (probe.tolerance !== undefined && !['number', 'json'].includes(probe.parse)) {
    complain(['tolerance'], 'is for numbers: it needs parse = "number" or "json".')
  }
  if (probe.env !== undefined && sources.length === 1 && probe.command === undefined) {
    complain(['env'], `is for commands, and a ${sources[0]} runs none.`)
  }
  if (probe.env_from !== undefined && sources.length === 1 && probe.command === undefined) {
    complain(['env_from'], `is for commands, and a ${sources[0]} runs none.`)
  }
  if (probe.reads !== undefined && sources.length === 1 && probe.command === undefined) {
    complain(['reads'], `is for commands, and a ${sources[0]} runs none.`)
  }
  const steering = steeringProblem(probe.env_from)
  if (steering !== null) complain(['env_from'], steering)
})

const nameExpectation = 'a name of letters, digits and "_" that does not start with a digit'

/** `[probes.NAME]`: the names are identifiers in expressions. */
export const probesSchema = z
  .record(
    z
      .string()
      .max(100, { error: 'a name of at most 100 characters' })
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: nameExpectation })
      .refine((name) => !reservedNames.has(name), {
        error: 'a name that is not a reserved word of expressions',
      }),
    probeSchema,
    { error: 'a table of probes, each as [probes.NAME]' },
  )
  .refine((probes) => Object.keys(probes).length <= 200, {
    error: 'more than 200 probes. Keep those that checks use.',
  })
  .default({})
