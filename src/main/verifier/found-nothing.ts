import { interpretedScript } from '../../core/custody/interpreters.ts'
import { splitShell } from '../../core/custody/shell-words.ts'
import type { ProcessRun } from '../process/run-process.ts'

/** Programs that exit with 1 if they found nothing, and with 2 or more on errors. */
const SEARCHERS = /^(?:[efz]?grep|rg|ag|ack)$/
const COUNTS = /^(?:--count(?:-matches)?|-[a-zA-Z]*c[a-zA-Z]*)$/

/**
 * Returns the value of a search that exited with 1, since that code only means "nothing found": 0 if it counts, as `grep -c`
 * does, otherwise an empty text. For a shell, its last command counts. `null`: no value. Output on stderr, or any other output,
 * means a real error; and for other programs the meaning of the code is unknown.
 */
export function foundNothing(
  command: readonly string[],
  { exitCode, stdout, stderr }: Pick<ProcessRun, 'exitCode' | 'stdout' | 'stderr'>,
): string | null {
  if (exitCode !== 1 || stderr.text.trim() !== '') return null
  const [program = '', ...words] = lastCommand(command)
  if (!SEARCHERS.test(nameOf(program)) && !(nameOf(program) === 'git' && words[0] === 'grep')) return null
  const printed = stdout.text.trim()
  // Of several commands in a row, an earlier one may have silently ended the script.
  if (printed === '' && isInTurn(command)) return null
  const nothing = words.some((word) => COUNTS.test(word)) ? '0' : ''
  return ['', nothing].includes(printed) ? nothing : null
}

/** Commands that may precede it in a script and fail only with a message. */
const BEGINNING = /^(?:\s*(?:cd|set|export)\b[^&|;\n]*(?:&&|[;\n]))*/

/** Returns whether a shell runs commands one after another, not only in a pipe. */
function isInTurn(command: readonly string[]): boolean {
  const script = scriptOf(command)
  return script?.kind === 'shell' && /&&|\|\||[;\n]/.test(script.text.trim().replace(BEGINNING, ''))
}

function scriptOf([program = '', ...words]: readonly string[]) {
  return interpretedScript(nameOf(program), words)
}

function lastCommand(command: readonly string[]): readonly string[] {
  const script = scriptOf(command)
  return script?.kind === 'shell' ? (splitShell(script.text).at(-1) ?? []) : command
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1)
}
