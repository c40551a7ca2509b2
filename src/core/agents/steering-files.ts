import picomatch from 'picomatch'

/*
 * Files of a repository that steer the known programs, anywhere in the tree: rules, settings, hooks, commands, plugins and
 * servers. If such a program judges an agent's work, the agent must not be able to write them.
 */

const FOLDERS = [
  ...['.claude', '.claude-plugin', '.codex', '.gemini', '.copilot', '.opencode', '.goose', '.qwen', '.kimi'],
  ...['.cursor', '.cline', '.clinerules', '.augment', '.factory', '.amp', '.agents', '.crush', '.continue'],
  ...['.roo', '.windsurf', '.devin', '.zed', '.github/instructions', '.github/hooks', '.github/agents'],
  ...['.github/prompts', '.github/skills', '.github/chatmodes'],
]

const FILES = [
  ...['CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md', 'AGENTS.override.md', 'AGENT.md', 'GEMINI.md', 'QWEN.md'],
  ...['OPENCODE.md', 'CRUSH.md', 'CRUSH.local.md', 'KIMI.md', 'CONVENTIONS.md', 'GOOSE.md', '.goosehints'],
  ...[
    '.mcp.json',
    'mcp.json',
    'opencode.json',
    'opencode.jsonc',
    '.opencode.json',
    'crush.json',
    '.crush.json',
  ],
  ...['.cursorrules', '.windsurfrules', '.roorules', '.augment-guidelines', '.claude.json', '.codex.toml'],
  ...[
    '.claudeignore',
    '.geminiignore',
    '.cursorignore',
    '.gooseignore',
    '.augmentignore',
    '.continuerc.json',
  ],
  ...['.github/copilot-instructions.md', '.vscode/mcp.json', '.vscode/settings.json', 'claude_plugin.json'],
]

/** Also matches the folder itself, which may be a link. */
const matches = picomatch(
  [...FILES, ...FOLDERS, ...FOLDERS.map((folder) => `${folder}/**`)].map((one) => `**/${one}`),
  { dot: true, nocase: true },
)

/** Returns whether a file steers a known program. `path` is relative to the top of the tree. */
export function steersAgents(path: string): boolean {
  return matches(path)
}
