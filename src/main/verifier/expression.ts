import { type Context, createContext, Script } from 'node:vm'
import { Environment, EvaluationError } from '@marcbachmann/cel-js'
import { registerMixedNumbers } from '../../core/contract/mixed-numbers.ts'
import type { TestReport } from '../../core/reports/test-report.ts'
import type { ExpressionResult, LackingRun, ProbeReading } from '../../core/verification/types.ts'
import type { CheckFault } from '../../core/vocabulary/fault.ts'
import type { ProbeValues } from '../ports/verifier.ts'
import { type CommandResult, celFunctions, type FunctionContext } from './cel-functions.ts'
import { toCel } from './cel-values.ts'
import { createFacts } from './facts.ts'

/** For the pure part: nested loops over lists, and regular expressions that explode. */
const EVALUATION_TIMEOUT_MS = 1000
/** How many facts an expression may ask for; each round determines one. */
const MAX_ROUNDS = 100

export interface Evaluation extends Omit<FunctionContext, 'facts' | 'onNoJson' | 'onCommand' | 'links'> {
  readonly source: string
  readonly readings: readonly ProbeReading[]
}

/**
 * Evaluates a CEL expression over probes. Measures only what the result depends on: `a || succeeds("…")` runs nothing if `a`
 * is true. CEL's own rules apply, including integer division.
 *
 * Returns an `error` with the reason in words if a probe can't be read, a function fails, the result is not true or false, or
 * evaluation takes more than a second. An expression that fails because a JSON file it reads doesn't exist (or isn't JSON) is
 * false: the task was to write that file. Never rejects.
 */
export async function evaluateExpression(evaluation: Evaluation): Promise<ExpressionResult> {
  const facts = createFacts()
  let lacksJson = false
  let linksAreThere = false
  /** Links that lead out of the repository or to nothing, and whether the expression asked about the link itself. */
  const links = new Map<string, boolean>()
  const commands = new Map<string, CommandResult>()
  const environment = createEnvironment({
    ...evaluation,
    facts,
    onCommand: (command, answer) => commands.set(command, answer),
    onNoJson: () => {
      lacksJson = true
    },
    links: {
      get areThere() {
        return linksAreThere
      },
      met: (path, isTold) => links.set(path, isTold),
    },
  })
  const values = probeValues(evaluation.readings)
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (evaluation.signal.aborted) return failed('it was stopped with the supervisor', 'environment')
    facts.begin()
    lacksJson = false
    links.clear()
    const outcome = evaluateOnce(environment, evaluation.source, values)
    const result = outcome.ok ? withLinks(outcome.result, linksAreThere, links) : null
    if (result !== null) return withCommands(result, commands)
    if (outcome.ok) linksAreThere = true
    if (outcome.ok) continue
    if (await facts.findOut()) continue
    if (facts.failure !== null) {
      const { ok: _, ...failure } = facts.failure
      return { kind: 'error', ...failure }
    }
    return lacksJson ? { kind: 'value', holds: false } : explain(outcome.error, evaluation.readings)
  }
  return failed('it asks for too many things', 'contract')
}

/**
 * Returns the result, given the links that were met: it must be true both if they count as nothing and if their targets count
 * as existing. `null`: only one of the two is known yet.
 */
function withLinks(
  result: ExpressionResult,
  linksAreThere: boolean,
  links: ReadonlyMap<string, boolean>,
): ExpressionResult | null {
  if (result.kind !== 'value' || links.size === 0) return result
  if (result.holds) return linksAreThere ? result : null
  const [untold] = [...links].find(([, isTold]) => !isTold) ?? []
  // If it is false without them, the link's target counts as missing.
  if (!linksAreThere || untold === undefined) return { ...result, links: [...links.keys()] }
  return failed(`${untold} leads out of the repository through a link, and nothing is read there`, 'contract')
}

/** Returns the result with the reports of the commands that were run, or a note that they had none. */
function withCommands(
  result: ExpressionResult,
  commands: ReadonlyMap<string, CommandResult>,
): ExpressionResult {
  if (result.kind !== 'value') return result
  const byExitCodeAlone: string[] = []
  const reports: [string, TestReport][] = []
  const lacking: [string, LackingRun][] = []
  for (const [command, answer] of commands) {
    if (answer.report === null) byExitCodeAlone.push(command)
    else reports.push([command, answer.report])
    if (answer.lacking !== undefined) lacking.push([command, answer.lacking])
  }
  return {
    ...result,
    ...(byExitCodeAlone.length > 0 && { byExitCodeAlone }),
    ...(reports.length > 0 && { reports: Object.fromEntries(reports) }),
    ...(lacking.length > 0 && { lacking: Object.fromEntries(lacking) }),
  }
}

type Outcome =
  | { readonly ok: true; readonly result: ExpressionResult }
  | { readonly ok: false; readonly error: unknown }

function evaluateOnce(environment: Environment, source: string, values: Record<string, unknown>): Outcome {
  try {
    const evaluate = (): unknown => environment.evaluate(source, values)
    const value = PLAIN_CALLS.test(source) ? evaluate() : withinTime(evaluate)
    if (typeof value === 'boolean') return { ok: true, result: { kind: 'value', holds: value } }
    return { ok: true, result: failed('it returns a value, not true or false', 'contract') }
  } catch (error) {
    return { ok: false, error }
  }
}

/**
 * Matches checks that only ask whether files with literal names exist or changed, as most do. They need no timeout, and so no
 * thread. Loops over lists and globs do, because they may explode.
 */
const PLAIN_CALLS = /^(?:[\s()!]|&&|\|\||(?:exists|changed)\((?:"[\w./ -]*"|'[\w./ -]*')\))*$/

/**
 * Exists only for the timeout, which stops everything called from it, including a regular expression. Shared, because each
 * context costs a megabyte.
 */
const timed: { evaluate: () => unknown } = { evaluate: () => undefined }
let timedContext: Context | null = null
const timedCall = new Script('evaluate()')

function withinTime(evaluate: () => unknown): unknown {
  timed.evaluate = evaluate
  timedContext ??= createContext(timed)
  try {
    return timedCall.runInContext(timedContext, { timeout: EVALUATION_TIMEOUT_MS })
  } finally {
    timed.evaluate = () => undefined
  }
}

function createEnvironment(context: FunctionContext): Environment {
  const environment = new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false })
  for (const [signature, handler] of Object.entries(celFunctions(context)))
    environment.registerFunction(signature, handler)
  registerMixedNumbers(environment)
  return environment
}

function probeValues(readings: readonly ProbeReading[]): Record<string, unknown> {
  const values: ProbeValues = Object.fromEntries(
    readings.flatMap((reading) => (reading.kind === 'value' ? [[reading.name, reading.value]] : [])),
  )
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toCel(value)]))
}

function explain(error: unknown, readings: readonly ProbeReading[]): ExpressionResult {
  if (error instanceof EvaluationError && error.code === 'unknown_variable') {
    const name = error.node?.op === 'id' ? String(error.node.args) : ''
    const reading = readings.find((candidate) => candidate.name === name)
    if (reading?.kind === 'unreadable')
      return failed(
        reading.configured ? `the probe ${name} could not be read: ${reading.reason}` : reading.reason,
        reading.fault ?? 'contract',
      )
    return failed(`there is no probe ${name}`, 'contract')
  }
  if (isTimeout(error)) return failed(`it took more than ${EVALUATION_TIMEOUT_MS} ms`, 'contract')
  return failed(summaryOf(error), 'contract')
}

/** The timeout's error comes from the other context, so it is not an `Error` of ours. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  )
}

/** CEL's messages show the source with a marker below; its summaries are one line. */
function summaryOf(error: unknown): string {
  if (error instanceof Error && 'summary' in error) return String(error.summary)
  return error instanceof Error ? error.message : String(error)
}

function failed(reason: string, fault: CheckFault): Extract<ExpressionResult, { kind: 'error' }> {
  return { kind: 'error', reason, fault }
}
