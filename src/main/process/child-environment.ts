/*
 * Variables of the program we run under that must not reach one we start: an agent that finds those of an outer agent takes
 * itself for nested and refuses or changes its manners; an Electron program would start as plain Node.
 */
const NOT_INHERITED = [/^CLAUDECODE$/, /^CLAUDE_CODE_/, /^ELECTRON_RUN_AS_NODE$/]

/**
 * The environment for a child process: what we inherited, less what belongs to an outer agent, plus `added` (which may name
 * such a variable on purpose). An `undefined` in `added` takes a variable out.
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
