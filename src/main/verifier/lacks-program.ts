import { isAbsolute, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { checkEnvironment } from '../process/check-environment.ts'
import type { ProcessRun } from '../process/run-process.ts'
import { type ProgramRequest, runProgram, type VerifierWorld } from './program.ts'

/** The exit code of a shell that does not find a program. */
export const NO_SUCH_PROGRAM = 127
/** What shells print then: dash and bash `sh: 1: ruff: not found`, zsh `command not found: ruff`. */
const NOT_FOUND =
  /(?:^|[\s:])([\w.+-]{1,60}): (?:command )?not found\s*$|command not found: ([\w.+-]{1,60})\s*$/m

/**
 * Returns whether a check's shell ended because a program is nowhere on this machine. A measured program may print and exit as it
 * likes. Therefore the check itself must name the program, and a shell of ours must not find it either, in folders that are all
 * outside the workspace.
 */
export async function lacksProgram(
  world: VerifierWorld,
  command: readonly string[],
  run: Pick<ProcessRun, 'exitCode' | 'stdout' | 'stderr'>,
  request: ProgramRequest,
): Promise<boolean> {
  if (run.exitCode !== NO_SUCH_PROGRAM || process.platform === 'win32') return false
  const found = NOT_FOUND.exec(stripVTControlCharacters(run.stderr.text.slice(-4000)))
  const program = found?.[1] ?? found?.[2]
  const words = command.flatMap((word) => word.split(/[^\w.+-]+/))
  if (program === undefined || !words.includes(program) || words.includes('PATH')) return false
  const folders = ({ ...process.env, ...checkEnvironment(request) }.PATH ?? '').split(':')
  const isInside = (folder: string): boolean => !relative(world.directory, folder).startsWith('..')
  if (folders.some((folder) => !isAbsolute(folder) || isInside(folder))) return false
  const look = await runProgram(world, ['sh', '-c', 'command -v "$1"', 'sh', program], request)
  return look.failure === null && look.exitCode !== null && look.exitCode !== 0
}
