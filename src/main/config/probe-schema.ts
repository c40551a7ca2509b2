import { z } from 'zod'
import { REPORT_FORMATS } from '../../core/reports/test-report.ts'
import { command, environment, number, oneOf, table, text } from './expect.ts'

/** Words that an expression (CEL) keeps for itself: a probe of that name could never be read. */
const reservedNames = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if'],
  ...['import', 'let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while'],
])

const probeSchema = table({
  command: command().optional(),
  file: text('the path of a file').optional(),
  url: z
    .url({ protocol: /^https?$/, error: 'an address that starts with http:// or https://' })
    .max(4096, { error: 'an address of at most 4096 characters' })
    .optional(),
  parse: oneOf(['number', 'text', 'json', 'exit', ...REPORT_FORMATS]).default('text'),
  path: text('the place of the value in the JSON, such as "tests.passed"').optional(),
  timeout_seconds: number({ from: 0, to: 3600, above: true }).optional(),
  env: environment().optional(),
}).superRefine((probe, context) => {
  const sources = ['command', 'file', 'url'].filter((name) => probe[name as keyof typeof probe] !== undefined)
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
  if (probe.env !== undefined && sources.length === 1 && probe.command === undefined) {
    complain(['env'], `is for commands, and a ${sources[0]} runs none.`)
  }
})

const nameExpectation = 'a name of letters, digits and "_" that does not start with a digit'

/** `[probes.NAME]`: the names are the identifiers of expressions. */
export const probesSchema = z
  .record(
    z
      .string()
      .max(100, { error: 'a name of at most 100 characters' })
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: nameExpectation })
      .refine((name) => !reservedNames.has(name), { error: 'a name that expressions do not use themselves' }),
    probeSchema,
    { error: 'a table of probes, each as [probes.NAME]' },
  )
  .refine((probes) => Object.keys(probes).length <= 200, {
    error: 'more than 200 probes. Keep those that hints use.',
  })
  .default({})
