/*
 * Variables of the program we run under that must not reach programs we start: an agent that finds an outer agent's variables
 * thinks it is nested, and refuses to run or behaves differently; an Electron program would start as plain Node.
 */
const NOT_INHERITED = [/^CLAUDECODE$/, /^CLAUDE_CODE_/, /^ELECTRON_RUN_AS_NODE$/]

/**
 * Returns the environment for a child process: what we inherited, without what belongs to an outer agent, plus `added` (which may
 * name such a variable on purpose). An `undefined` in `added` removes a variable.
 */
export function childEnvironment(
  added: Readonly<Record<string, string | undefined>>,
  inherited: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const kept = Object.entries(inherited).filter(([name]) => !NOT_INHERITED.some((rule) => rule.test(name)))
  const merged = { ...Object.fromEntries(kept), ...added }
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
