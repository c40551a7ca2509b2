import type { Need } from '../../../../core/read-model/need.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { actionsFor, addressOfNeed } from '../decisions/need-actions.ts'
import type { Command } from './command.ts'

/** More are in the overview. */
const MAX_LISTED = 6

/** The answers to what asks for the operator, each as its row in the inbox has it. */
export function decisionCommands(workspaces: readonly Workspace[]): Command[] {
  const asking = workspaces.flatMap((workspace) => workspace.needs.map((need) => ({ workspace, need })))
  return asking.flatMap(({ workspace, need }, index) =>
    actionsFor(need).map(({ label, does, key }): Command => {
      const isListed = index < MAX_LISTED && (does.kind === 'deed' || actionsFor(need).length === 1)
      return {
        id: `decide ${need.workspace} ${need.kind} ${need.id} ${key}`,
        label: labelOf(label, need),
        hint: `${workspace.name} · ${need.reason.replaceAll('`', '')}`,
        group: 'Decisions',
        keywords: [need.reason, workspace.name, 'decision', 'needs attention'],
        shield: workspace.shield,
        unreviewed: workspace.unreviewed,
        act:
          does.kind === 'go'
            ? { kind: 'go', address: addressOfNeed(need) }
            : { kind: 'decide', need, deed: does.deed },
        ...(!isListed && { isQuiet: true }),
      }
    }),
  )
}

function labelOf(label: string, { kind, id }: Need): string {
  return kind === 'blocked' ? `${label} ${id}` : label
}
