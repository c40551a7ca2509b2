import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AgentDiscovery, agentDiscoverySchema } from '../../core/read-model/agent.ts'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})

afterEach(() => cli.close())

async function install(name: string, script: string): Promise<void> {
  await cli.write({ [`bin/${name}`]: `#!/bin/sh\n${script}\n` })
  await chmod(join(cli.root, 'bin', name), 0o755)
}

async function agents(environment: Record<string, string> = {}) {
  const path = `${join(cli.root, 'bin')}:/bin:/usr/bin`
  const result = await cli.run(['agents', '--json'], { environment: { PATH: path, ...environment } })
  const discovery: AgentDiscovery = agentDiscoverySchema.parse(JSON.parse(result.stdout))
  return { ...result, of: (preset: string) => discovery.agents.find((agent) => agent.preset === preset) }
}

describe('agents', () => {
  it('shows version and login of installed agents', async () => {
    await install('claude', '[ "$1" = --version ] && echo "2.1.197 (Claude Code)" || exit 1')
    await install(
      'codex',
      '[ "$1" = --version ] && echo "codex-cli 0.169.0" || echo "Logged in using ChatGPT"',
    )
    await install('opencode', 'echo 1.18.33')
    await cli.write({ '.local/share/opencode/auth.json': '{"anthropic":{}}' })
    const { exitCode, of } = await agents()
    expect(exitCode).toBe(0)
    expect(of('claude')).toMatchObject({
      found: true,
      version: '2.1.197',
      login: 'logged-out',
      hint: expect.stringContaining('/login'),
    })
    expect(of('codex')).toMatchObject({ version: '0.169.0', login: 'logged-in', hint: null })
    expect(of('opencode')).toMatchObject({
      version: '1.18.33',
      login: 'logged-in',
      path: join(cli.root, 'bin/opencode'),
    })
  })

  it('accepts a key in the environment as a login', async () => {
    await install('gemini', 'echo 0.61.0')
    expect((await agents()).of('gemini')).toMatchObject({ login: 'unknown' })
    expect((await agents({ GEMINI_API_KEY: 'k' })).of('gemini')).toMatchObject({ login: 'logged-in' })
  })

  it('says how to install missing agents, after the agents that were found', async () => {
    await install('kimi', 'exit 3')
    const { stdout, of } = await agents()
    expect(of('cursor')).toMatchObject({
      found: false,
      path: null,
      hint: expect.stringContaining('cursor.com/cli'),
    })
    expect(of('kimi')).toMatchObject({ found: true, version: null, capabilities: null })
    expect(stdout.indexOf('"kimi"')).toBeLessThan(stdout.indexOf('"cursor"'))
  })

  it('asks the running host', async () => {
    const host = await cli.serve()
    const { stdout } = await cli.run(['agents', '--json'])
    expect(JSON.parse(stdout).agents).toEqual((await host.client.agents.discover()).agents)
  })
})
