import type { Need } from '../../../../core/read-model/need.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { actionsFor, addressOfNeed } from '../decisions/need-actions.ts'
import type { Command } from './command.ts'

/** The rest are in the overview. */
const MAX_LISTED = 6

/** Returns commands for the answers to what needs the operator, the same as in the inbox rows. */
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
