import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { dataDirectoryOf, markedEnvironment, root } from './app.ts'

export interface CliResult {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs one command of the built program with the test's data folder, unless `args` name another. */
export async function pulseward(
  folder: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, [join(root, 'bin/pulseward'), ...args], {
    cwd: options.cwd ?? folder,
    env: { ...markedEnvironment(folder), ...options.env, PULSEWARD_HOME: dataDirectoryOf(folder) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { exitCode, stdout, stderr }
}
