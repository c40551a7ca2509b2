import { expect, it } from 'vitest'
import { steersAgents } from './steering-files.ts'

it.each([
  'CLAUDE.md',
  'docs/CLAUDE.md',
  'claude.md',
  'AGENTS.md',
  'packages/a/AGENTS.md',
  'GEMINI.md',
  '.claude',
  '.claude/settings.json',
  '.claude/hooks/x.sh',
  'app/.claude/commands/deep/x.md',
  '.codex/config.toml',
  '.gemini/settings.json',
  '.mcp.json',
  'opencode.json',
  '.opencode/plugin/x.ts',
  '.cursor/rules/x.mdc',
  '.cursorrules',
  '.github/copilot-instructions.md',
  '.clinerules/x.md',
  '.factory/droids/x.md',
])('%s steers a known program', (path) => {
  expect(steersAgents(path)).toBe(true)
})

it.each(['README.md', 'src/claude.ts', 'claude/notes.md', 'docs/agents.md.txt', 'package.json'])(
  '%s does not steer any',
  (path) => {
    expect(steersAgents(path)).toBe(false)
  },
)
