import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../core/activity/types.ts'
import { type Contain, DEFAULT_SANDBOX } from '../ports/containment.ts'
import { containmentOf } from './agent-containment.ts'
import { agentConfig } from './testing/agent-config.ts'

const contained = { kind: 'contained', containment: { means: 'bubblewrap' } } as unknown as Awaited<
  ReturnType<Contain>
>
const contain: Contain = async () => contained
const write = ['codex', 'exec', '--json', '-s', 'workspace-write', '-']

describe('a program with its own sandbox, when agents are sandboxed', () => {
  const of = async (overrides: Parameters<typeof agentConfig>[0], command = write) => {
    const events: AgentEvent[] = []
    const config = agentConfig({ preset: 'codex', ...overrides })
    const found = await containmentOf(contain, config, command, { onEvent: (event) => events.push(event) })
    return { ...found, events }
  }

  it('disables it in print mode, and runs in ours', async () => {
    const { answer, command } = await of({})
    expect(answer).toBe(contained)
    expect(command).toEqual(['codex', 'exec', '--json', '-s', 'danger-full-access', '-'])
  })

  it('leaves its own sandbox by an ACP session mode, and runs in ours', async () => {
    const { answer, command, mode } = await of({ kind: 'acp', allow: ['edit'] }, ['codex-acp'])
    expect({ answer, command, mode }).toEqual({
      answer: contained,
      command: ['codex-acp'],
      mode: 'agent-full-access',
    })
  })

  it.each([
    ['over ACP if it may not write', { kind: 'acp' as const, allow: [] }, ['codex-acp']],
    ['if it may not write', {}, ['codex', 'exec', '-s', 'read-only', '-']],
    ['if no mode is configured', {}, ['codex', 'exec', '-']],
  ])('keeps its own sandbox instead of ours %s, and says so', async (_where, overrides, given) => {
    const { answer, command, events } = await of(overrides, given)
    expect({ answer, command }).toEqual({ answer: { kind: 'open' }, command: given })
    expect(events).toMatchObject([{ kind: 'warning', text: expect.stringContaining('its own sandbox') }])
  })

  it.each([
    ['it is required', { sandbox: 'required' as const }],
    ['it may not use the network', { network: 'none' as const }],
    ['it may reach only some hosts', { network: ['api.example.org'] }],
  ])('does not run without our sandbox if %s', async (_why, changed) => {
    const containment = { ...DEFAULT_SANDBOX, ...changed }
    expect((await of({ kind: 'acp', containment, allow: [] }, ['codex-acp'])).answer).toMatchObject({
      kind: 'refused',
      remedy: expect.stringMatching(/\.$/),
    })
    expect((await of({ kind: 'acp', containment, allow: ['edit'] }, ['codex-acp'])).answer).toBe(contained)
  })

  it('any program without its own sandbox is started unchanged', async () => {
    const { answer, command } = await of({ preset: 'claude' }, ['claude', '-p'])
    expect({ answer, command }).toEqual({ answer: contained, command: ['claude', '-p'] })
  })
})
