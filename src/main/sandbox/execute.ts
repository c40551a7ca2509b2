import { execFile } from 'node:child_process'

const PATIENCE_MS = 10_000

/** Runs a program for at most ten seconds. Resolves with what it printed and, if it failed, why. Never rejects. */
export function execute(
  [program = '', ...args]: readonly string[],
  env?: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<{ readonly stdout: string; readonly problem: string | null }> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      { env: env ?? process.env, cwd, timeout: PATIENCE_MS, killSignal: 'SIGKILL' },
      (error, stdout, stderr) =>
        resolve({
          stdout,
          problem: error === null ? null : (stderr.trim().split('\n').at(-1) ?? '') || error.message,
        }),
    )
  })
}
