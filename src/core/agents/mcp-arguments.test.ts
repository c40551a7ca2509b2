import { expect, it } from 'vitest'
import { withMcpServer } from './compose-command.ts'

const server = {
  name: 'pulseward',
  command: '/bin/node',
  args: ['/a b/server.js'],
  env: { SOCKET: '/tmp/s', TOKEN: 'a"b' },
}

it('gives Claude Code the server and permission for its tools', () => {
  const { command, env } = withMcpServer('claude', ['claude', '-p'], server) ?? { command: [], env: null }
  expect(command.slice(0, 2)).toEqual(['claude', '-p'])
  expect(JSON.parse((command[3] ?? '').replace('--mcp-config=', ''))).toEqual({
    mcpServers: { pulseward: { type: 'stdio', command: '/bin/node', args: server.args, env: server.env } },
  })
  expect(command[2]).toBe('--allowedTools=mcp__pulseward')
  expect(env).toEqual({})
})

it.each([
  [
    ['claude', '--allowedTools=Edit,Bash(npm test)', '-p'],
    '--allowedTools=Edit,Bash(npm test),mcp__pulseward',
  ],
  [['claude', '--allowed-tools', 'Edit', '-p'], '--allowed-tools'],
])('does not repeat what Claude Code already allows: %j', (given, option) => {
  const command = withMcpServer('claude', given, server)?.command ?? []
  expect(command[1]).toBe(option)
  expect(command).toHaveLength(given.length + 1)
})

it('gives Codex the server as settings, before the word that makes it read its prompt', () => {
  expect(withMcpServer('codex', ['codex', 'exec', '--json', '-'], server)?.command).toEqual([
    'codex',
    'exec',
    '--json',
    '-c',
    'mcp_servers.pulseward.command="/bin/node"',
    '-c',
    'mcp_servers.pulseward.args=["/a b/server.js"]',
    '-c',
    'mcp_servers.pulseward.env={SOCKET="/tmp/s",TOKEN="a\\"b"}',
    '-c',
    'mcp_servers.pulseward.default_tools_approval_mode="approve"',
    '-',
  ])
})

it('gives OpenCode the server in its environment, and Copilot in an argument', () => {
  const opencode = withMcpServer('opencode', ['opencode', 'run'], server)
  expect(opencode?.command).toEqual(['opencode', 'run'])
  expect(JSON.parse(opencode?.env.OPENCODE_CONFIG_CONTENT ?? '')).toEqual({
    mcp: {
      pulseward: {
        type: 'local',
        command: ['/bin/node', '/a b/server.js'],
        environment: server.env,
        enabled: true,
      },
    },
  })
  expect(withMcpServer('copilot', ['copilot'], server)?.command).toContain('--allow-tool=pulseward')
})

it('gives Gemini CLI nothing, because it reads servers only from its settings', () => {
  expect(withMcpServer('gemini', ['gemini'], server)).toBeNull()
})
