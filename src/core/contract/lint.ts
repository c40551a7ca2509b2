import type { DiagnosticList } from './diagnostic-list.ts'
import { restsOnExitCode } from './exit-code-hint.ts'
import { parseHint } from './hint.ts'
import { hintsOf } from './hints-of.ts'
import { meantField, nearestOf, REPORT_KEYS, unknownKeys } from './near-words.ts'
import type { ParseOptions } from './parse-options.ts'
import type { SourceRange, TaskDefinition } from './types.ts'

/** Checks that don't say anything measurable. */
const VAGUE_HINTS = new Set(['done', 'ok', 'task_completed'])

/**
 * Adds warnings about contracts that work, but not well: checks that measure nothing, and names that are not configured probes. Without
 * `probeNames`, no name counts as unknown.
 */
export function lintTasks(
  tasks: readonly TaskDefinition[],
  diagnostics: DiagnosticList,
  { probeNames, exitCodes, reportProbes = [] }: ParseOptions = {},
): void {
  const known = new Set(probeNames)
  for (const task of tasks) {
    const range = task.fields.find((field) => field.kind === 'verify')?.range
    if (range === undefined) {
      const message =
        'This task has no check, so nothing is measured. Add one, such as "verify: tests.failed == 0".'
      diagnostics.add('vague-hint', message, task.range)
    } else if (VAGUE_HINTS.has(task.verify.toLowerCase()) && !known.has(task.verify)) {
      const message = `"${task.verify}" measures nothing. Name a probe or an expression, such as "verify: exists('report.md')".`
      diagnostics.add('vague-hint', message, range)
    } else if (!lintSlip(task.verify, range, diagnostics, known)) {
      lintHint(task.verify, range, diagnostics, probeNames)
    }
    lintKeys(task.verify, range ?? task.range, diagnostics, reportProbes)
    // A criterion with a real measurement makes up for the task's check.
    const hints = hintsOf(task)
    if (exitCodes !== undefined && hints.every((hint) => restsOnExitCode(hint, probeNames ?? [], exitCodes)))
      diagnostics.add('exit-code-only', EXIT_CODE_ONLY, range ?? task.range)
    lintCondition(task, diagnostics, probeNames)
    for (const { verify, range: place } of task.criteria) {
      if (verify === null) continue
      lintHint(verify, place, diagnostics, probeNames)
      lintKeys(verify, place, diagnostics, reportProbes)
    }
  }
}

/** Warns if a check is a misspelled field, such as `requird` or `max_attempt: 3`. Returns true if it warned. */
function lintSlip(
  source: string,
  range: SourceRange,
  diagnostics: DiagnosticList,
  probeNames: ReadonlySet<string>,
): boolean {
  const meant = meantField(source)
  if (meant === null || probeNames.has(source)) return false
  const message = `"${source}" is read as the task's check. Did you mean "${meant}"?`
  diagnostics.add('unknown-field', message, range)
  return true
}

/** Warns about keys that no test report has, such as `tests.faild`. */
function lintKeys(
  source: string,
  range: SourceRange,
  diagnostics: DiagnosticList,
  reportProbes: readonly string[],
): void {
  for (const { probe, key } of unknownKeys(source, reportProbes)) {
    const near = nearestOf(key, REPORT_KEYS)
    const remedy = near === null ? `it has ${REPORT_KEYS.join(', ')}` : `did you mean "${near}"?`
    diagnostics.add('unknown-key', `The report of "${probe}" has no "${key}": ${remedy}`, range)
  }
}

/** Warns about a `when` that can't be measured before an attempt. It must be an expression over probes and files. */
function lintCondition(
  { when, fields, range }: TaskDefinition,
  diagnostics: DiagnosticList,
  probeNames: readonly string[] | undefined,
): void {
  if (when === null) return
  const place = fields.find((field) => field.kind === 'when')?.range ?? range
  const hint = parseHint(when, probeNames ?? [])
  if (
    hint.kind === 'broken' ||
    hint.kind === 'words' ||
    (hint.kind === 'expression' && hint.functions.includes('changed'))
  ) {
    const message = `"when: ${when}" cannot be measured before an attempt, so the task always runs. Write a condition over probes or files, such as "when: inbox > 0".`
    diagnostics.add('broken-hint', message, place)
    return
  }
  lintHint(when, place, diagnostics, probeNames)
}

const EXIT_CODE_ONLY =
  'This check depends only on an exit code, and a script can exit with any code. Count tests from the test runner’s report instead (`pulseward probe add tests`), such as "verify: tests.failed == 0".'

/** Reports any check that can't be parsed, and unknown probes if the known ones are given. */
function lintHint(
  source: string,
  range: SourceRange,
  diagnostics: DiagnosticList,
  probeNames: readonly string[] | undefined,
): void {
  const hint = parseHint(source, probeNames ?? [])
  if (hint.kind === 'broken') {
    const message = `This check can't be run, so every verdict will be unclear: ${hint.reason}`
    diagnostics.add('broken-hint', message, range)
  }
  if (probeNames === undefined) return
  for (const name of unknownProbes(source, probeNames)) {
    const message = `There is no probe called "${name}". Define it with \`pulseward probe add ${name}\`, or correct the name.`
    diagnostics.add('unknown-probe', message, range)
  }
}

function unknownProbes(source: string, probeNames: readonly string[]): readonly string[] {
  const hint = parseHint(source, probeNames)
  if (hint.kind === 'probe') return probeNames.includes(hint.name) ? [] : [hint.name]
  return hint.kind === 'expression' ? hint.probes.filter((name) => !probeNames.includes(name)) : []
}
