import type { Hint } from '../contract/hint.ts'
import type { Measurement, ProbeReading, VerdictInput } from './types.ts'
import { valueAt } from './values.ts'

/** A check without an answer, given the current contents of its probes and files. */
export interface UnanswerableHint {
  readonly hint: Extract<Hint, { kind: 'expression' | 'probe' }>
  /** True if it had an answer before the attempt. */
  readonly wasAnswered: boolean
  readonly after: Measurement
}

/** Words that ask for data in another form: what the check reads may have been removed by the work. */
const ASKS_FOR_ANOTHER_FORM =
  /\b(?:remov|delet|drop|renam|mov|replac|convert|migrat|restructur|reformat|strip|clear|reset|empt)\w*/i

/**
 * Returns the checks of the task and its criteria that have no answer although all their probes can be read: a key is gone, or contains
 * what can't be compared. None if the task asks for data in another form. Pure; never throws.
 */
export function unanswerableHints(
  { hint, before, after, criteria = [] }: Pick<VerdictInput, 'hint' | 'before' | 'after' | 'criteria'>,
  taskText = '',
): readonly UnanswerableHint[] {
  if (ASKS_FOR_ANOTHER_FORM.test(taskText)) return []
  return [{ hint, before, after }, ...criteria].flatMap((one) =>
    (one.hint.kind === 'expression' || one.hint.kind === 'probe') && lacksAnswer(one.hint, one.after)
      ? [
          {
            hint: one.hint,
            wasAnswered: one.before !== null && hasAnswer(one.hint, one.before),
            after: one.after,
          },
        ]
      : [],
  )
}

/** Returns whether a measurement answers the check, true or false. */
export function hasAnswer(hint: Hint, { probes, expression }: Measurement): boolean {
  if (hint.kind === 'expression') return expression?.kind === 'value'
  return hint.kind === 'probe' && keyOf(hint, probes) !== undefined
}

/** Returns whether the check has no answer although its probes can be read; commands don't count. */
function lacksAnswer(hint: UnanswerableHint['hint'], { probes, expression }: Measurement): boolean {
  if (hint.kind === 'probe')
    return probes.some((one) => isRead(one, hint.name)) && keyOf(hint, probes) === undefined
  if (expression?.kind !== 'error' || expression.fault !== 'contract' || expression.command !== undefined)
    return false
  return hint.probes.every((name) => probes.some((one) => isRead(one, name)))
}

function keyOf(
  { name, path }: Extract<Hint, { kind: 'probe' }>,
  probes: readonly ProbeReading[],
): ReturnType<typeof valueAt> {
  const reading = probes.find((one) => one.name === name)
  return reading?.kind === 'value' ? valueAt(reading.value, path) : undefined
}

function isRead({ kind, name }: ProbeReading, wanted: string): boolean {
  return kind === 'value' && name === wanted
}

const FILE_CALL = /\b(?:json|contains|lines|exists)\(\s*(?:"([^"\\]*)"|'([^'\\]*)')/g

/** Returns the files whose contents or existence an expression checks, if their paths are complete literals. */
export function lookedAtPaths(source: string): readonly string[] {
  return [...source.matchAll(FILE_CALL)].flatMap((match) => match[1] ?? match[2] ?? [])
}
