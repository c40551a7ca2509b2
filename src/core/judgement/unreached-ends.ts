import type { CheckScript } from '../custody/failing-end.ts'
import type { TestReport } from '../reports/test-report.ts'
import { commandWords, shellCommand } from '../text/command-words.ts'
import type { VerdictInput } from '../verification/types.ts'
import { type Asking, ask } from './asking.ts'
import { isOfProgram } from './exit-code-alone.ts'
import type { Setting } from './questions.ts'

/** Limited, because each one is run again. */
const MAX_SCRIPTS = 3

type UnreachedInput = Pick<VerdictInput, 'after' | 'criteria' | 'gates'>

interface PassedCheck {
  readonly command: readonly string[]
  readonly said: string
  /** The gate's index; `null` for a command of `succeeds`. */
  readonly gate: number | null
}

/** Returns the sentence that these commands don't reach their end. */
export function sayUnreached(commands: readonly string[]): string {
  const said = commands.slice(0, 5).map((command) => `\`${command}\``)
  return `something makes the check succeed before it reaches its end, or replaces its comparisons: ${said.join(', ')}`
}

/**
 * Returns the checks without a report, or with one that names whole programs, that pass even if a script that they run fails
 * at its end: something ends the script before it has checked everything. Omits a check that passes even with a script that
 * only fails, because it ignores the script's result. `room`: paths that are as in the baseline.
 */
export function* findUnreachedEnds(
  input: UnreachedInput,
  room: readonly string[],
): Asking<readonly string[]> {
  const unreached: string[] = []
  let left = MAX_SCRIPTS
  for (const check of passedChecks(input)) {
    const scripts = left > 0 ? yield* ask({ kind: 'scripts', command: check.command }) : []
    for (const script of scripts.slice(0, left)) {
      left -= 1
      if (!(yield* passesWith(check, script, false, room))) continue
      if (!(yield* passesWith(check, script, true, room))) unreached.push(check.said)
    }
  }
  return [...new Set(unreached)]
}

function passedChecks({ after, criteria = [], gates }: UnreachedInput): readonly PassedCheck[] {
  const commands = [{ after }, ...criteria].flatMap(({ after: { expression } }) =>
    expression?.kind === 'value'
      ? [
          ...(expression.byExitCodeAlone ?? []),
          ...Object.entries(expression.reports ?? {}).flatMap(([said, report]) =>
            isOfPrograms(report) ? [said] : [],
          ),
        ]
      : [],
  )
  return [
    ...[...new Set(commands)].map((said) => ({ command: commandWords(said), said, gate: null })),
    ...gates.flatMap(({ status, report, runner, command }, gate) =>
      status === 'passed' && (report === undefined ? runner === undefined : isOfPrograms(report))
        ? [{ command, said: shellCommand(command), gate }]
        : [],
    ),
  ]
}

function isOfPrograms({ names }: TestReport): boolean {
  return names.passed.some(isOfProgram)
}

function* passesWith(
  { said, gate }: PassedCheck,
  script: CheckScript,
  atOnce: boolean,
  room: readonly string[],
): Asking<boolean> {
  const setting: Setting = {
    room: room.filter((path) => path !== script.path),
    earlier: { kind: 'failing-end', ...script, atOnce },
  }
  if ((yield* ask({ kind: 'room', setting })).kind === 'none') return false
  if (gate !== null) {
    const [result] = yield* ask({ kind: 'gates', setting, turn: 1, only: gate })
    return result?.status === 'passed'
  }
  const [answer] = yield* ask({ kind: 'commands', commands: [said], setting, turn: 1 })
  return answer?.kind === 'value' && answer.holds
}
