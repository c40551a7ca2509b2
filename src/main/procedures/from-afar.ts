import { createRouterClient } from '@orpc/server'
import type { ApiClient } from '../../api/client.ts'
import { RequestProblem } from '../../api/request-problem.ts'
import type { Ask } from '../../core/fleet/ask.ts'
import type { Workspace } from '../../core/read-model/workspace.ts'
import { asAskedBy } from '../authority/request-origin.ts'
import type { HostParts } from '../host/host-parts.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { workspaceView } from '../host/workspace-views.ts'
import { router } from './router.ts'

/**
 * Does what an operator asked for from afar, by the procedures that everybody here asks, and in his name. Answers with the workspace as it is then;
 * the path of its folder stays here. Rejects with what the procedure says.
 */
export function fromAfar(host: HostParts): (ask: Ask) => Promise<Workspace> {
  const client = createRouterClient(router, { context: { host } })
  return async (ask) => {
    await host.workspaces.whenOpen(undefined)
    const runtime = workspaceOf(host, ask.workspace)
    if (ask.action !== 'look') {
      const { id, operator, action, about } = ask
      await runtime.ledger.append({ type: 'asked-from-afar', id, operator, action, about })
      const origin = { who: 'operator', from: operator, pid: null } as const
      await asAskedBy(origin, () => carryOut(client, runtime, ask))
    }
    return { ...workspaceView(runtime), path: '' }
  }
}

function workspaceOf({ workspaces }: HostParts, named: string): WorkspaceRuntime {
  const found = workspaces.all().filter(({ id, name }) => id === named || name === named)
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  // By its id, or in words why not.
  return workspaces.get(named)
}

async function carryOut(
  client: ApiClient,
  { id: workspace, ledger }: WorkspaceRuntime,
  ask: Ask,
): Promise<void> {
  const { action, until } = ask
  const reason = ask.reason ?? undefined
  switch (action) {
    case 'look':
      return
    case 'pause':
      await client.heartbeat.pause({ workspace, until })
      return
    case 'resume':
      await client.heartbeat.resume({ workspace })
      return
    case 'run':
      await client.heartbeat.run({ workspace, wait: false })
      return
    case 'stop':
      await client.heartbeat.stop({ workspace })
      return
    case 'unblock':
      await client.tasks.unblock({
        workspace,
        id: aboutOf(ask, 'task'),
        ...(reason !== undefined && { reason }),
      })
      return
    case 'accept':
    case 'refuse': {
      const id = aboutOf(ask, 'attempt or proposal')
      const proposal = ledger.state.proposals.find((each) => each.id === id)
      if (proposal === undefined) {
        await client.review.answer({ workspace, id, answer: action, ...(reason !== undefined && { reason }) })
        return
      }
      if (action === 'accept' && proposal.file === 'pulseward.toml')
        throw new RequestProblem(
          'conflict',
          `${id} changes the configuration, which is approved on its host alone: pulseward proposals accept ${id}`,
        )
      await client.proposals.answer({ workspace, id, answer: action === 'accept' ? 'accept' : 'revert' })
    }
  }
}

function aboutOf({ about, action }: Ask, what: string): string {
  if (about !== null) return about
  throw new RequestProblem('bad-request', `Which ${what} is to ${action}? Name its id.`)
}
