import type { Hint } from '../contract/hint.ts'
import { checkHint } from './hint-checks.ts'
import { EMPTY_DIFFERENCE, type Measurement } from './types.ts'
import { showValue, valueAt } from './values.ts'

/** The result of a check while no agent works on its task, worded for the task's author. */
export interface HintTrialWords {
  /** `null` if it can't be measured, or only with an agent's claim. */
  readonly holds: boolean | null
  readonly finding: string
  /** What the attempt must achieve for the verdict `verified`. */
  readonly needs: string
  /** What can't work, with the remedy; `null` if there is no problem. */
  readonly problem: string | null
}

/** Describes a check's current measurement, by the same rules as a verdict. `hasJudge`: a `[judge]` is configured. */
export function describeHintTrial(hint: Hint, now: Measurement, hasJudge: boolean): HintTrialWords {
  const check = checkHint(hint, now, [], EMPTY_DIFFERENCE)
  if (check.kind === 'uncheckable') {
    const finding = `${upper(check.reason)}.`
    return {
      holds: null,
      finding,
      needs: 'Until that is corrected every verdict is unclear.',
      problem: check.remedy,
    }
  }
  if (check.kind === 'none' && check.undefinedProbe !== null)
    return describeUndefined(check.undefinedProbe, hasJudge)
  if (hint.kind === 'probe') return describeProbe(hint, now)
  if (hint.kind === 'expression' && now.expression?.kind === 'value')
    return describeExpression(hint, now.expression.holds)
  return {
    holds: null,
    finding: `\`${hint.source}\` measures nothing.`,
    needs: `${judgedOn(hasJudge)}; a condition or a probe would be surer.`,
    problem: null,
  }
}

function judgedOn(hasJudge: boolean): string {
  return hasJudge
    ? 'The judge decides on what the agent says and what the snapshot shows'
    : 'The agent has to name files or lines that the snapshot shows'
}

/** An undefined name is judged like words until it is defined, and what stays open is not held against the agent. */
function describeUndefined(name: string, hasJudge: boolean): HintTrialWords {
  return {
    holds: null,
    finding: `There is no probe ${name}, so nothing is measured.`,
    needs: `${judgedOn(hasJudge)}; if nothing is confirmed, the verdict is unclear.`,
    problem: `Define it: \`pulseward probe add ${name} --command … --parse number\`, or correct the check in HEARTBEAT.md.`,
  }
}

function describeExpression(hint: Extract<Hint, { kind: 'expression' }>, holds: boolean): HintTrialWords {
  const asksChanges = hint.functions.includes('changed')
  const noAttempt = asksChanges ? ' No attempt has run, so nothing counts as changed.' : ''
  return {
    holds,
    finding: `\`${hint.source}\` ${holds ? 'passes now' : 'fails now'}.${noAttempt}`,
    needs: holds
      ? 'It already passes, before any work: ask for something that the work has to produce.'
      : 'It must pass after the attempt, no matter what the agent says.',
    problem: null,
  }
}

function describeProbe(hint: Extract<Hint, { kind: 'probe' }>, now: Measurement): HintTrialWords {
  const reading = now.probes.find(({ name }) => name === hint.name)
  const value = reading?.kind === 'value' ? valueAt(reading.value, hint.path) : undefined
  const name = [hint.name, ...hint.path].join('.')
  return {
    holds: null,
    finding: `\`${name}\` reads ${showValue(value ?? null)} now.`,
    needs: `The agent has to claim what \`${name}\` reads after its attempt: today that would be ${showValue(value ?? null)}.`,
    problem: null,
  }
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
