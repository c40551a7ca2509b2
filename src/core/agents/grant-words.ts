import type { PermissionRule, ToolKind } from '../activity/permission-rule.ts'

const CHANGES: readonly ToolKind[] = ['edit', 'delete', 'move']
/** What programs have permissions for; the others are parts of these or known to us alone. */
export const COMMON_TOOLS: readonly ToolKind[] = ['edit', 'execute', 'fetch', 'read', 'search']

/** Whether a tool is granted, or refused, without a limit. */
export function hasWhole(rules: readonly PermissionRule[], tool: ToolKind): boolean {
  return rules.some((rule) => rule.tool === tool && rule.pattern === null)
}

/** A rule as it is written in `pulseward.toml`, as a code span. */
export function inWords({ tool, pattern }: PermissionRule): string {
  return `\`${pattern === null ? tool : `${tool}:${pattern}`}\``
}

/** A sentence for each rule that a program has no permission for. */
export function unknownTools(
  program: string,
  rules: readonly PermissionRule[],
  known: readonly ToolKind[] = COMMON_TOOLS,
): readonly string[] {
  return rules
    .filter(({ tool }) => !known.includes(tool))
    .map((rule) =>
      CHANGES.includes(rule.tool)
        ? `${program} knows no permission of its own for ${inWords(rule)}: \`edit\` covers it.`
        : `${program} knows no permission for ${inWords(rule)}: it has no effect.`,
    )
}
