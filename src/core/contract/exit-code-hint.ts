import { parseHint } from './hint.ts'

/** The checks known to return only an exit code. */
export interface ExitCodeChecks {
  /** Probes whose value is an exit code. */
  readonly probes: readonly string[]
  /** Commands of `succeeds` whose runner writes no report that we can read. */
  readonly commands: readonly string[]
}

const COMMAND = /\bsucceeds\s*\(\s*(["'])((?:(?!\1).)*)\1\s*\)/g

/** Returns whether only exit codes decide a check. Any check that also reads a file or a diff doesn't. Pure. */
export function restsOnExitCode(
  source: string,
  probeNames: readonly string[],
  { probes, commands }: ExitCodeChecks,
): boolean {
  const hint = parseHint(source, probeNames)
  if (hint.kind === 'probe') return probes.includes(hint.name)
  if (hint.kind !== 'expression' || hint.functions.some((name) => name !== 'succeeds')) return false
  const called = [...source.matchAll(COMMAND)].map(([, , command = '']) => command.trim())
  if (called.length + hint.probes.length === 0) return false
  return (
    called.every((command) => commands.includes(command)) &&
    hint.probes.every((name) => probes.includes(name))
  )
}
