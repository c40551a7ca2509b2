import type { ProcessRun } from '../process/run-process.ts'

/** Programs that exit with 1 where they found nothing, with 2 or more where something is wrong. */
const SEARCHERS = /^(?:[efz]?grep|rg|ag|ack)$/
const COUNTS = /^(?:--count(?:-matches)?|-[a-zA-Z]*c[a-zA-Z]*)$/

/**
 * What a command that exited with 1 gives for its value all the same, since that code says no more than "nothing found": 0 where it
 * counts, as `grep -c` does directly or at the end of a script; no text where a search is the command itself. `null`: it has no
 * value. Whoever complains on stderr found trouble.
 */
export function foundNothing(
  command: readonly string[],
  { exitCode, stdout, stderr }: Pick<ProcessRun, 'exitCode' | 'stdout' | 'stderr'>,
): string | null {
  if (exitCode !== 1 || stderr.text.trim() !== '') return null
  const printed = stdout.text.trim()
  if (printed === '0') return printed
  const [program = '', ...words] = command
  const isSearch = SEARCHERS.test(program.replace(/^.*\//, '')) || (program === 'git' && words[0] === 'grep')
  if (!isSearch || printed !== '') return null
  return words.some((word) => COUNTS.test(word)) ? '0' : ''
}
