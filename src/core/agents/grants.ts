import { type PermissionRule, splitCommandPattern, type ToolKind } from './permission-rule.ts'
import type { Grants, Permissions } from './types.ts'

/*
 * `allow` and `deny` in the words of each program. What is not allowed is refused: nobody is there to be asked. A limit that a
 * program cannot keep is not widened in silence; it is left out, and a note says so.
 */

const CHANGES: readonly ToolKind[] = ['edit', 'delete', 'move']

export function claudeGrants({ allow, deny }: Permissions): Grants {
  const mode = hasWhole(allow, 'edit') ? ['--permission-mode', 'acceptEdits'] : []
  const allowed = allow.flatMap(claudeTools)
  const denied = deny.flatMap(claudeTools)
  return {
    arguments: [
      ...mode,
      ...(allowed.length === 0 ? [] : [`--allowedTools=${allowed.join(',')}`]),
      ...(denied.length === 0 ? [] : [`--disallowedTools=${denied.join(',')}`]),
    ],
    env: {},
    notes: unknownTools('claude', [...allow, ...deny], ['edit', 'execute', 'fetch', 'read', 'search']),
  }
}

function claudeTools({ tool, pattern }: PermissionRule): string[] {
  switch (tool) {
    case 'edit':
      // Claude's rules for a path are those of Edit, whichever tool writes.
      return pattern === null ? ['Edit', 'Write', 'NotebookEdit'] : [`Edit(${pattern})`]
    case 'execute': {
      if (pattern === null) return ['Bash']
      const { command, open } = splitCommandPattern(pattern)
      return [open ? `Bash(${command}:*)` : `Bash(${command})`]
    }
    case 'fetch':
      return pattern === null ? ['WebFetch', 'WebSearch'] : [`WebFetch(domain:${pattern})`]
    case 'read':
      return pattern === null ? ['Read'] : [`Read(${pattern})`]
    case 'search':
      return ['Glob', 'Grep']
    default:
      return []
  }
}

/** Codex grants by sandbox: whoever may edit may also run any command in it, and no rule reaches further down. */
export function codexGrants({ allow, deny }: Permissions): Grants {
  const mayWrite = (hasWhole(allow, 'edit') || hasWhole(allow, 'execute')) && !hasWhole(deny, 'edit')
  const network = hasWhole(allow, 'fetch') && !hasWhole(deny, 'fetch')
  const limited = allow.filter(({ pattern }) => pattern !== null)
  const refused = deny.filter(({ tool, pattern }) => pattern !== null || tool === 'execute')
  return {
    arguments: [
      '-s',
      mayWrite ? 'workspace-write' : 'read-only',
      ...(mayWrite && network ? ['-c', 'sandbox_workspace_write.network_access=true'] : []),
    ],
    env: {},
    notes: [
      ...limited.map(
        (rule) =>
          `codex grants by sandbox and cannot keep to ${inWords(rule)}: not granted beyond the sandbox.`,
      ),
      ...refused.map((rule) => `codex cannot refuse ${inWords(rule)}: commands run within its sandbox.`),
      ...unknownTools('codex', allow, ['edit', 'execute', 'fetch', 'read', 'search']),
    ],
  }
}

export function copilotGrants({ allow, deny }: Permissions): Grants {
  const allowed = allow.flatMap(copilotTools)
  const denied = deny.flatMap(copilotTools)
  return {
    arguments: [
      ...allowed.map((tool) => `--allow-tool=${tool}`),
      ...denied.map((tool) => `--deny-tool=${tool}`),
    ],
    env: {},
    notes: unknownTools('copilot', [...allow, ...deny], ['edit', 'execute', 'fetch', 'read', 'search']),
  }
}

function copilotTools({ tool, pattern }: PermissionRule): string[] {
  switch (tool) {
    case 'edit':
      return [pattern === null ? 'write' : `write(${pattern})`]
    case 'execute': {
      if (pattern === null) return ['shell']
      const { command, open } = splitCommandPattern(pattern)
      return [open ? `shell(${command}:*)` : `shell(${command})`]
    }
    case 'fetch':
      return [pattern === null ? 'url' : `url(${pattern})`]
    default:
      return []
  }
}

/** Gemini takes no refusals on its command line, and reads a command as the beginning of one. */
export function geminiGrants({ allow, deny }: Permissions): Grants {
  const isRefused = (tool: ToolKind): boolean => hasWhole(deny, tool)
  const commands = allow.filter(({ tool }) => tool === 'execute' && !isRefused('execute'))
  const tools = [
    ...commands.map(({ pattern }) =>
      pattern === null ? 'run_shell_command' : `run_shell_command(${splitCommandPattern(pattern).command})`,
    ),
    ...(hasWhole(allow, 'fetch') && !isRefused('fetch') ? ['web_fetch'] : []),
  ]
  return {
    arguments: [
      '--approval-mode',
      hasWhole(allow, 'edit') && !isRefused('edit') ? 'auto_edit' : 'default',
      ...tools.map((tool) => `--allowed-tools=${tool}`),
    ],
    env: {},
    notes: [
      ...allow
        .filter(({ tool, pattern }) => pattern !== null && tool !== 'execute')
        .map((rule) => `gemini cannot keep to ${inWords(rule)} in print mode: not granted.`),
      ...commands
        .filter(({ pattern }) => pattern !== null && !splitCommandPattern(pattern).open)
        .map((rule) => `gemini takes ${inWords(rule)} as the beginning of a command: more words may follow.`),
      ...deny
        .filter(({ pattern }) => pattern !== null)
        .map((rule) => `gemini cannot refuse ${inWords(rule)} in print mode; set mode = "acp".`),
      ...unknownTools('gemini', [...allow, ...deny], ['edit', 'execute', 'fetch', 'read', 'search']),
    ],
  }
}

/**
 * OpenCode allows everything unless told otherwise; its last matching rule counts, so refusals come last. A tool that is denied
 * altogether is never offered, and nothing shows; one that it would have to ask for is refused in plain sight, but that ends the
 * turn. So edits are asked for, without which there is no work, and commands are not offered.
 */
export function opencodeGrants({ allow, deny }: Permissions): Grants {
  const rulesOf = (tool: ToolKind, others: 'ask' | 'deny'): Record<string, 'allow' | 'ask' | 'deny'> => ({
    '*': others,
    ...Object.fromEntries(
      allow.filter((rule) => rule.tool === tool).map((rule) => [rule.pattern ?? '*', 'allow']),
    ),
    ...Object.fromEntries(
      deny.filter((rule) => rule.tool === tool).map((rule) => [rule.pattern ?? '*', 'deny']),
    ),
  })
  const permission = {
    edit: rulesOf('edit', 'ask'),
    bash: rulesOf('execute', 'deny'),
    webfetch: rulesOf('fetch', 'deny'),
    external_directory: 'deny',
  }
  return {
    arguments: [],
    env: { OPENCODE_PERMISSION: JSON.stringify(permission) },
    notes: unknownTools('opencode', [...allow, ...deny], ['edit', 'execute', 'fetch', 'read', 'search']),
  }
}

function hasWhole(rules: readonly PermissionRule[], tool: ToolKind): boolean {
  return rules.some((rule) => rule.tool === tool && rule.pattern === null)
}

function inWords({ tool, pattern }: PermissionRule): string {
  return `\`${pattern === null ? tool : `${tool}:${pattern}`}\``
}

function unknownTools(
  program: string,
  rules: readonly PermissionRule[],
  known: readonly ToolKind[],
): readonly string[] {
  return rules
    .filter(({ tool }) => !known.includes(tool))
    .map((rule) =>
      CHANGES.includes(rule.tool)
        ? `${program} knows no permission of its own for ${inWords(rule)}: \`edit\` covers it.`
        : `${program} knows no permission for ${inWords(rule)}: it has no effect.`,
    )
}
