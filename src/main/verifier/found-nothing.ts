import { interpretedScript } from '../../core/custody/interpreters.ts'
import { splitShell } from '../../core/custody/shell-words.ts'
import type { ProcessRun } from '../process/run-process.ts'

/** Programs that exit with 1 where they found nothing, with 2 or more where something is wrong. */
const SEARCHERS = /^(?:[efz]?grep|rg|ag|ack)$/
const COUNTS = /^(?:--count(?:-matches)?|-[a-zA-Z]*c[a-zA-Z]*)$/

/**
 * What a search that exited with 1 gives for its value all the same, since that code says no more than "nothing found": 0 where it counts,
 * as `grep -c` does, else no text. The last command of a shell's words counts for the shell. `null`: it has no value. Whoever complains
 * on stderr, or prints anything else, found trouble; and of any other program nobody knows what the code says.
 */
export function foundNothing(
  command: readonly string[],
  { exitCode, stdout, stderr }: Pick<ProcessRun, 'exitCode' | 'stdout' | 'stderr'>,
): string | null {
  if (exitCode !== 1 || stderr.text.trim() !== '') return null
  const [program = '', ...words] = lastCommand(command)
  if (!SEARCHERS.test(nameOf(program)) && !(nameOf(program) === 'git' && words[0] === 'grep')) return null
  const printed = stdout.text.trim()
  // Of several commands in turn an earlier one may have ended it all without a word.
  if (printed === '' && isInTurn(command)) return null
  const nothing = words.some((word) => COUNTS.test(word)) ? '0' : ''
  return ['', nothing].includes(printed) ? nothing : null
}

/** What goes before in a script and ends it with words only. */
const BEGINNING = /^(?:\s*(?:cd|set|export)\b[^&|;\n]*(?:&&|[;\n]))*/

/** Whether a shell runs commands after each other, and not only side by side in a pipe. */
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
