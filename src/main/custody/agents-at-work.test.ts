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

test('an agent without a sandbox can write in every workspace', async () => {
  const { agents, looked } = watching()
  await agents.begin(agent('everywhere'))
  expect([agents.inReach('a')?.agentId, agents.inReach('b')?.agentId, looked]).toEqual(['bot', 'bot', ['b']])
  await agents.end('a')
  expect([agents.inReach('a'), agents.inReach('b')]).toEqual([null, null])
})

test('a sandboxed agent can write in its own workspace; the operator made any changes elsewhere', async () => {
  const { agents, looked } = watching()
  await agents.begin(agent(['/w/a']))
  expect([agents.inReach('a')?.agentId, agents.inReach('b'), looked]).toEqual(['bot', null, []])
})

test('a sandboxed agent can write in all workspaces of its repository', async () => {
  const { agents } = watching()
  await agents.begin(agent(['/w/a', '/w']))
  expect(agents.inReach('b')?.agentId).toBe('bot')
})

test('looks at no workspace when a second agent that can write everywhere begins, and at all of them when it ends', async () => {
  const { agents, looked } = watching()
  await agents.begin(agent('everywhere'))
  await agents.begin({ ...agent('everywhere'), workspaceId: 'b', agentId: 'other' })
  expect(looked).toEqual(['b'])
  await agents.end('a')
  expect([looked, agents.inReach('a')?.agentId]).toEqual([['b', 'b'], 'other'])
  await agents.end('b')
  expect(looked).toEqual(['b', 'b', 'a'])
})

test('looks at all workspaces when an agent that can write everywhere begins, if only a sandboxed one is at work', async () => {
  const { agents, looked } = watching()
  await agents.begin(agent(['/w/a', '/w']))
  await agents.begin({ ...agent('everywhere'), workspaceId: 'c' })
  expect(looked).toEqual(['b', 'a', 'b'])
})

test.each(['c', 'd', 'e'])(
  'no agent is forgotten if several begin and end at once: %s is still running',
  async (last) => {
    const { agents } = watching()
    const names = ['c', 'd', 'e']
    const later = Date.now() + 86_400_000
    await Promise.all(names.map((workspaceId) => agents.begin({ ...agent('everywhere'), workspaceId })))
    await Promise.all(names.filter((each) => each !== last).map((each) => agents.end(each)))
    // It has not ended, so changes are attributed to an agent.
    expect((await agents.ranElsewhere('b'))(later)).toBe(true)
    await agents.end(last)
    expect((await agents.ranElsewhere('b'))(later)).toBe(false)
  },
)

test('looks requested while one is running share the next look', async () => {
  let finish = (): void => {}
  let looks = 0
  const agents = createAgentsAtWork()
  agents.watch({
    id: 'looked-at',
    directory: '/w/looked-at',
    look: () => {
      looks += 1
      return new Promise<void>((resolve) => {
        finish = resolve
      })
    },
  })
  const first = agents.begin(agent('everywhere'))
  await expect.poll(() => looks).toBe(1)
  const others = ['b', 'c'].map((workspaceId) => agents.begin({ ...agent('everywhere'), workspaceId }))
  finish()
  await first
  await expect.poll(() => looks).toBe(2)
  expect(agents.inReach('b')?.workspaceId).toBe('a')
  finish()
  await Promise.all(others)
  expect(looks).toBe(2)
})

test('a file system that does not answer delays no agent, and changes there are still attributed to the agent', async () => {
  let answers = (): void => {}
  const answered = new Promise<void>((resolve) => {
    answers = resolve
  })
  const agents = createAgentsAtWork(null, undefined, 1)
  agents.watch({ id: 'hung', directory: '/w/hung', look: () => answered })
  agents.watch({ id: 'b', directory: '/w/b', look: async () => {} })
  await agents.begin(agent('everywhere'))
  await agents.end('a')
  // What the agent changed there has not been seen yet, but elsewhere it has.
  expect([agents.inReach('hung')?.agentId, agents.otherInReach('hung')?.agentId]).toEqual(['bot', 'bot'])
  expect([agents.inReach('a'), agents.inReach('b')]).toEqual([null, null])
  answers()
  await expect.poll(() => agents.inReach('hung')).toBeNull()
})
