import { describe, expect, it } from 'vitest'
import { composeCommand } from './compose-command.ts'
import { PRESET_IDS } from './programs.ts'
import { withModel } from './with-model.ts'

const agent = (command: readonly string[], preset: 'claude' | 'codex' | null) => ({
  kind: 'command' as const,
  preset,
  command,
  model: null,
  env: {},
})

describe('a model for one task', () => {
  it.each(PRESET_IDS)('uses the option of the preset %s', (id) => {
    const options = { mode: 'print' as const, arguments: ['--extra'], allow: ['edit'], deny: [] }
    const plain = composeCommand(id, { ...options, model: null })
    const kind = plain.stream === null ? 'command' : 'command'
    const { command } = withModel({ kind, preset: id, command: plain.command, model: null, env: {} }, 'm')
    if (composeCommand(id, { ...options, model: 'm' }).command.includes('m'))
      expect(command.join(' ')).toBe(composeCommand(id, { ...options, model: 'm' }).command.join(' '))
  })

  it('replaces the one that is already there', () => {
    const command = ['claude', '-p', '--model', 'opus']
    expect(withModel(agent(command, 'claude'), 'haiku').command).toEqual(['claude', '-p', '--model', 'haiku'])
    expect(withModel(agent(['claude', '--model=opus', '-p'], 'claude'), 'haiku').command).toEqual([
      'claude',
      '--model=haiku',
      '-p',
    ])
  })

  it('passes it in the environment to an unknown command', () => {
    const changed = withModel(agent(['./mine'], null), 'haiku')
    expect(changed).toMatchObject({ command: ['./mine'], env: { PULSEWARD_MODEL: 'haiku' }, model: 'haiku' })
  })
})
