import { type PermissionRule, splitCommandPattern, type ToolKind } from '../activity/permission-rule.ts'

const CHANGES: readonly ToolKind[] = ['edit', 'delete', 'move']
/** The tools that programs have permissions for. Others are part of these, or known only to Pulseward. */
export const COMMON_TOOLS: readonly ToolKind[] = ['edit', 'execute', 'fetch', 'read', 'search']

/** Returns whether a tool is granted, or denied, without a limit. */
export function hasWhole(rules: readonly PermissionRule[], tool: ToolKind): boolean {
  return rules.some((rule) => rule.tool === tool && rule.pattern === null)
}

/**
 * Returns a rule of `deny` as the rules that a program needs for it: a denied command is also denied with further words, but programs read
 * one without a `*` as exactly this line.
 */
export function refusals(rule: PermissionRule): readonly PermissionRule[] {
  const { tool, pattern } = rule
  if (tool !== 'execute' || pattern === null) return [rule]
  const { command } = splitCommandPattern(pattern)
  return command === '' ? [rule] : [command, `${command} *`].map((each) => ({ tool, pattern: each }))
}

/** Returns a rule as written in `pulseward.toml`, as a code span. */
export function inWords({ tool, pattern }: PermissionRule): string {
  return `\`${pattern === null ? tool : `${tool}:${pattern}`}\``
}

/** Returns a sentence for each rule that a program has no permission for. */
export function unknownTools(
  program: string,
  rules: readonly PermissionRule[],
  known: readonly ToolKind[] = COMMON_TOOLS,
): readonly string[] {
  return rules
    .filter(({ tool }) => !known.includes(tool))
    .map((rule) =>
      CHANGES.includes(rule.tool)
        ? `${program} has no separate permission for ${inWords(rule)}: \`edit\` covers it.`
        : `${program} has no permission for ${inWords(rule)}: it has no effect.`,
    )
}
