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

test('a sandboxed agent reaches the workspaces of its repository', async () => {
  const { agents } = watching()
  await agents.begin(agent(['/w/a', '/w']))
  expect(agents.inReach('b')?.agentId).toBe('bot')
})

test('a second one that reaches everything looks at nothing as it begins, and at all as it ends', async () => {
  const { agents, looked } = watching()
  await agents.begin(agent('everywhere'))
  await agents.begin({ ...agent('everywhere'), workspaceId: 'b', agentId: 'other' })
  expect(looked).toEqual(['b'])
  await agents.end('a')
  expect([looked, agents.inReach('a')?.agentId]).toEqual([['b', 'b'], 'other'])
  await agents.end('b')
  expect(looked).toEqual(['b', 'b', 'a'])
})

test('one that is contained in a folder leaves the others to look at', async () => {
  const { agents, looked } = watching()
  await agents.begin(agent(['/w/a', '/w']))
  await agents.begin({ ...agent('everywhere'), workspaceId: 'c' })
  expect(looked).toEqual(['b', 'a', 'b'])
})

test.each(['c', 'd', 'e'])(
  'of several that begin and end in one moment none is forgotten: %s runs on',
  async (last) => {
    const { agents } = watching()
    const names = ['c', 'd', 'e']
    const later = Date.now() + 86_400_000
    await Promise.all(names.map((workspaceId) => agents.begin({ ...agent('everywhere'), workspaceId })))
    await Promise.all(names.filter((each) => each !== last).map((each) => agents.end(each)))
    // It has not ended: what changes is an agent's.
    expect((await agents.ranElsewhere('b'))(later)).toBe(true)
    await agents.end(last)
    expect((await agents.ranElsewhere('b'))(later)).toBe(false)
  },
)

test('looks that were asked for while one was running are one look, which begins after they were asked for', async () => {
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

test('a workspace whose file system does not answer keeps no agent from beginning and ending, and its changes stay the agent’s', async () => {
  let answers = (): void => {}
  const answered = new Promise<void>((resolve) => {
    answers = resolve
  })
  const agents = createAgentsAtWork(null, undefined, 1)
  agents.watch({ id: 'hung', directory: '/w/hung', look: () => answered })
  agents.watch({ id: 'b', directory: '/w/b', look: async () => {} })
  await agents.begin(agent('everywhere'))
  await agents.end('a')
  // What it changed there was not seen yet; elsewhere it was.
  expect([agents.inReach('hung')?.agentId, agents.otherInReach('hung')?.agentId]).toEqual(['bot', 'bot'])
  expect([agents.inReach('a'), agents.inReach('b')]).toEqual([null, null])
  answers()
  await expect.poll(() => agents.inReach('hung')).toBeNull()
})
