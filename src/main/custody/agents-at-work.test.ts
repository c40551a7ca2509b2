import { expect, test } from 'vitest'
import { type AgentAtWork, createAgentsAtWork } from './agents-at-work.ts'

const agent = (reach: AgentAtWork['reach']): AgentAtWork => ({
  workspaceId: 'a',
  workspaceName: 'A',
  attemptIds: ['1-0-x'],
  agentId: 'bot',
  cycle: 1,
  reach,
})

function watching() {
  const looked: string[] = []
  const agents = createAgentsAtWork()
  for (const id of ['a', 'b'])
    agents.watch({ id, directory: `/w/${id}`, look: async () => void looked.push(id) })
  return { agents, looked }
}

test('an agent that is not contained can write in every workspace', async () => {
  const { agents, looked } = watching()
  await agents.begin(agent('everywhere'))
  expect([agents.inReach('a')?.agentId, agents.inReach('b')?.agentId, looked]).toEqual(['bot', 'bot', ['b']])
  await agents.end('a')
  expect([agents.inReach('a'), agents.inReach('b')]).toEqual([null, null])
})

test('a contained one can write in its own: what changes elsewhere is the operator’s', async () => {
  const { agents, looked } = watching()
  await agents.begin(agent(['/w/a']))
  expect([agents.inReach('a')?.agentId, agents.inReach('b'), looked]).toEqual(['bot', null, []])
})

test('a contained one reaches the workspaces of its own repository', async () => {
  const { agents } = watching()
  await agents.begin(agent(['/w/a', '/w']))
  expect(agents.inReach('b')?.agentId).toBe('bot')
})
