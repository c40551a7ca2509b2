import { spawnSync } from 'node:child_process'

/** Runs a build program to its end and returns what it printed. Throws with its error output if it fails. */
export function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): string {
  const result = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
  })
  if (result.error !== undefined) {
    throw new Error(`${program} could not be started: ${result.error.message}. Is its package installed?`)
  }
  if (result.status !== 0) {
    throw new Error(
      `${program} ${args[0] ?? ''} failed (${result.status}):\n${result.stdout}${result.stderr}`,
    )
  }
  return result.stdout
}
