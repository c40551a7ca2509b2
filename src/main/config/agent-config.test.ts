import { describe, expect, it } from 'vitest'
import { PRESET_IDS } from '../../core/agents/programs.ts'
import { parseWorkspaceConfig } from './parse-config.ts'

function agentOf(lines: string) {
  const reading = parseWorkspaceConfig(`[agent]\n${lines}`)
  if (!reading.ok) throw new Error(`expected a configuration, found ${JSON.stringify(reading.problems)}`)
  return reading.config.agent
}

function problemsOf(lines: string): string[] {
  const reading = parseWorkspaceConfig(`[agent]\n${lines}`)
  if (reading.ok) throw new Error('expected problems, found a configuration')
  return reading.problems.map(({ line, message }) => `${line}: ${message}`)
}

describe('a preset', () => {
  it.each(PRESET_IDS)('needs no other setting: %s', (preset) => {
    const agent = agentOf(`preset = "${preset}"`)
    expect(agent).toMatchObject({ id: preset, preset, prompt: 'stdin', allow: ['edit'], deny: [], notes: [] })
    expect(agent.command.length).toBeGreaterThan(1)
  })

  it.each([
    [
      'claude',
      'command',
      'claude -p --output-format stream-json --verbose --permission-mode acceptEdits --allowedTools=Edit,Write,NotebookEdit',
    ],
    ['codex', 'command', 'codex exec --json --skip-git-repo-check -s workspace-write -'],
    [
      'copilot',
      'command',
      'copilot --output-format json --no-ask-user --no-color --no-auto-update --allow-tool=write',
    ],
    ['gemini', 'command', 'gemini -o stream-json --skip-trust --approval-mode auto_edit'],
    ['opencode', 'command', 'opencode run --format json --print-logs --log-level ERROR'],
    ['goose', 'acp', 'goose acp'],
    // Both modes of this program are supported, and it reports more over ACP.
    ['qwen', 'acp', 'qwen --acp'],
  ])('runs %s as a %s', (preset, kind, command) => {
    const agent = agentOf(`preset = "${preset}"`)
    expect({ kind: agent.kind, command: agent.command.join(' ') }).toEqual({ kind, command })
    expect(agent.stream).toBe(kind === 'acp' ? null : preset)
  })

  it.each([
    ['claude', 'claude-agent-acp'],
    ['codex', 'codex-acp'],
    ['copilot', 'copilot --acp --stdio'],
    ['gemini', 'gemini --acp'],
    ['opencode', 'opencode acp --print-logs --log-level ERROR'],
  ])('speaks ACP with %s if configured', (preset, command) => {
    const agent = agentOf(`preset = "${preset}"\nmode = "acp"\nmodel = "m"`)
    expect(agent).toMatchObject({ kind: 'acp', stream: null, model: 'm' })
    expect(agent.command.join(' ')).toBe(command)
  })

  it('takes a model, arguments, an environment and a custom id', () => {
    const agent = agentOf(
      'preset = "codex"\nid = "c"\nmodel = "gpt-5.4"\nargs = ["-c", "x=1"]\nenv = { LANG = "C" }\npass_env = ["MY_TOKEN"]',
    )
    expect(agent.id).toBe('c')
    expect(agent.command.join(' ')).toBe(
      'codex exec --json --skip-git-repo-check -m gpt-5.4 -s workspace-write -c x=1 -',
    )
    expect(agent.env).toEqual({ LANG: 'C' })
    expect(agent.passEnvironment).toEqual(['CODEX_API_KEY', 'OPENAI_API_KEY', 'MY_TOKEN'])
  })

  it.each([
    ['kind = "command"', 'agent.kind: is set by the preset: leave it out, or leave preset out.'],
    ['command = ["claude"]', 'agent.command: is set by the preset: leave it out, or leave preset out.'],
    ['prompt = "stdin"', 'agent.prompt: is set by the preset: leave it out, or leave preset out.'],
    ['model = "--yolo"', 'agent.model: expected the name of a model, found "--yolo".'],
  ])('conflicts with %s', (setting, message) => {
    expect(problemsOf(`preset = "claude"\n${setting}`)).toEqual([`3: ${message}`])
  })

  it('lists the presets if the name is unknown, and says if a preset has no print mode', () => {
    expect(problemsOf('preset = "clade"')).toEqual([expect.stringContaining('expected "claude" or "codex"')])
    expect(problemsOf('preset = "goose"\nmode = "print"')).toEqual([
      '3: agent.mode: Goose is run over ACP only: leave mode out.',
    ])
  })
})

describe('an agent that speaks ACP', () => {
  it('needs only a command', () => {
    expect(agentOf('kind = "acp"\ncommand = ["./my-agent", "--acp"]')).toMatchObject({
      id: 'my-agent',
      kind: 'acp',
      preset: null,
      command: ['./my-agent', '--acp'],
      stream: null,
      allow: [],
      deny: [],
      permissionTimeoutSeconds: 60,
    })
  })

  it('takes permissions, a timeout for questions and a budget', () => {
    const permissions = 'allow = ["edit", "execute:npm test"]\ndeny = ["fetch", "edit:.github/**"]'
    expect(
      agentOf(
        `kind = "acp"\ncommand = ["a"]\n${permissions}\npermission_timeout_seconds = 5\ndaily_budget_usd = 2.5`,
      ),
    ).toMatchObject({
      allow: ['edit', 'execute:npm test'],
      deny: ['fetch', 'edit:.github/**'],
      permissionTimeoutSeconds: 5,
      dayLimits: { usd: 2.5, tokens: null, atLimit: 'pause' },
    })
  })

  it.each(['', 'write', 'execute:', 'execute: ', 'Edit', 'edit:a\\nb', `edit:${'x'.repeat(500)}`])(
    'rejects the permission %j, with an example',
    (entry) => {
      expect(problemsOf(`kind = "acp"\ncommand = ["a"]\nallow = ["${entry}"]`)).toEqual([
        expect.stringMatching(
          /^4: agent\.allow\[0\]: .* is not a permission\. Expected a tool \(read, .*"execute:npm test"/,
        ),
      ])
    },
  )

  it.each([
    ['permission_timeout_seconds = 0', 'expected a whole number from 1 to 3600, found 0.'],
    ['daily_budget_usd = 0', 'expected a number greater than 0, at most 1000000, found 0.'],
    ['prompt = "argument"', 'has no effect over ACP: leave it out.'],
    ['mode = "acp"', 'belongs to a preset: put it into command instead.'],
    ['acp_version = 3', 'expected a whole number from 1 to 2, found 3.'],
    [
      'pass_env = ["A B"]',
      'expected the name of an environment variable (letters, digits and "_"), found "A B".',
    ],
  ])('rejects %s', (setting, message) => {
    expect(problemsOf(`kind = "acp"\ncommand = ["a"]\n${setting}`)).toEqual([
      expect.stringContaining(message),
    ])
  })
})

it.each([
  ['kind = "acp"\ncommand = ["a"]', 1],
  ['kind = "acp"\ncommand = ["a"]\nacp_version = 2', 2],
  ['preset = "kimi"\nacp_version = 2', 2],
  ['preset = "gemini"\nmode = "acp"\nacp_version = 2', 2],
])('%j uses version %s of the protocol', (agent, version) => {
  expect(agentOf(agent).acpVersion).toBe(version)
})

it.each([
  ['preset = "claude"', 'has no effect in print mode: add mode = "acp".'],
  ['command = ["a"]', 'has no effect on a plain command'],
])('%j rejects a version of the protocol', (agent, message) => {
  expect(problemsOf(`${agent}\nacp_version = 2`)).toEqual([expect.stringContaining(message)])
})

describe('a plain command', () => {
  it.each([
    [['claude', '-p', '--output-format', 'stream-json', '--verbose'], 'claude'],
    [['/opt/bin/claude', '--output-format=stream-json'], 'claude'],
    [['claude', '-p'], null],
    [['claude', '-p', '--output-format', 'json'], null],
    [['codex', 'exec', '--json', '-'], 'codex'],
    [['codex', 'exec', '-'], null],
    [['copilot', '--output-format', 'json'], 'copilot'],
    [['gemini', '-o', 'stream-json'], 'gemini'],
    [['C:\\tools\\OpenCode.CMD', 'run', '--format', 'json'], 'opencode'],
    [['./agent', '--output-format', 'stream-json'], null],
  ])('%j reads the events of %s', (command, stream) => {
    expect(agentOf(`command = ${JSON.stringify(command)}`).stream).toBe(stream)
  })

  it('rejects permissions that would have no effect', () => {
    expect(problemsOf('command = ["claude", "-p"]\nallow = ["edit"]')).toEqual([
      '3: agent.allow: has no effect on a plain command: put the grant among its arguments, or use a preset or kind = "acp".',
    ])
  })
})
