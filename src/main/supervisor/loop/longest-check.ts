import type { WorkspaceConfig } from '../../ports/workspace-config.ts'

type Checks = Pick<WorkspaceConfig, 'gates' | 'probes' | 'judge' | 'approvedCommands'>

/** Returns the longest time that any check may take, in ms; 0 if there are none. */
export function longestCheckMs({ gates, probes, judge, approvedCommands }: Checks): number {
  const ofGates = gates.commands.map((_command, at) => gates.timeoutsMs?.[at] ?? gates.timeoutMs)
  const ofProbes = Object.values(probes).map(({ timeoutMs }) => timeoutMs)
  return Math.max(
    0,
    ...ofGates,
    ...ofProbes,
    ...(approvedCommands.length > 0 ? [gates.timeoutMs] : []),
    ...(judge === null ? [] : [judge.timeoutMs]),
  )
}
