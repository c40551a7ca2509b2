import picomatch from 'picomatch'

/*
 * Files of a repository by which the known programs are steered, wherever in the tree they lie: rules, settings, hooks, commands, plugins
 * and servers. Whoever asks such a program to judge an agent's work must not let the agent write them.
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

/** The folder itself too: it may be a link. */
const matches = picomatch(
  [...FILES, ...FOLDERS, ...FOLDERS.map((folder) => `${folder}/**`)].map((one) => `**/${one}`),
  { dot: true, nocase: true },
)

/** Whether a known program would be steered by the file, named by its path from the top of the tree. */
export function steersAgents(path: string): boolean {
  return matches(path)
}
