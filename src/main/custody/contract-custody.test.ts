import { expect, test } from 'vitest'
import { type SupervisedWorkspace, supervise } from '../supervisor/testing/supervised-workspace.ts'
import { createAgentsAtWork } from './agents-at-work.ts'

/* Tests who made a change of the contract at the moment when the workspace's own agent is announced. */

const CONTRACT = '## Tasks\n- [ ] fix | Fix it | required | verify: exists("fixed.txt")\n'
const WEAKER = CONTRACT.replace('exists("fixed.txt")', 'true')
const RUN = { attemptIds: ['1-0-a'], agentId: 'bot', cycle: 1, reach: 'everywhere' } as const

/** Returns the items that need an answer after the contract changed and the workspace's agent was announced. */
async function waitingAfter(
  workspace: SupervisedWorkspace,
): Promise<readonly (readonly [string, string | null])[]> {
  workspace.contract = WEAKER
  await workspace.contractCustody.begin(RUN)
  return workspace.ledger.state.proposals.flatMap(({ items }) =>
    items.map(({ kind, after }) => [kind, after] as const),
  )
}

test('attributes what the agent of another workspace wrote just before to that agent', async () => {
  const agentsAtWork = createAgentsAtWork()
  const workspace = await supervise({ contract: CONTRACT, runs: [], agentsAtWork })
  await workspace.contractCustody.look()
  await agentsAtWork.begin({ ...RUN, workspaceId: 'v', workspaceName: 'v' })
  expect(await waitingAfter(workspace)).toEqual([['hint', 'true']])
})

test('attributes what the operator wrote just before to the operator', async () => {
  const workspace = await supervise({ contract: CONTRACT, runs: [] })
  await workspace.contractCustody.look()
  expect(await waitingAfter(workspace)).toEqual([])
  expect(await workspace.contractCustody.inForce()).toMatchObject({ ok: true, text: WEAKER })
})

test('attributes an edit in the app during a run to the operator, even if a look comes right after the write', async () => {
  const workspace = await supervise({ contract: CONTRACT, runs: [] })
  const { contractCustody, ledger } = workspace
  await contractCustody.begin(RUN)
  const looks: Promise<void>[] = []
  await contractCustody.edit(async () => {
    workspace.contract = WEAKER
    looks.push(contractCustody.look())
  })
  await Promise.all(looks)
  await contractCustody.end()
  expect(ledger.state.proposals).toEqual([])
  expect(await contractCustody.inForce()).toMatchObject({ ok: true, text: WEAKER })
})

test('attributes what the agent wrote before an edit in the app to the agent', async () => {
  const workspace = await supervise({ contract: CONTRACT, runs: [] })
  const { contractCustody, ledger } = workspace
  await contractCustody.begin(RUN)
  workspace.contract = WEAKER
  await contractCustody.edit(async () => {
    workspace.contract = `${WEAKER}- [ ] more | More\n`
  })
  await contractCustody.end()
  expect(ledger.state.proposals).toMatchObject([{ state: 'pending', items: [{ kind: 'hint' }] }])
})
