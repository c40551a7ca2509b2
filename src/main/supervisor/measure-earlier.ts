import type { Hint } from '../../core/contract/hint.ts'
import type { Measurement } from '../../core/verification/types.ts'
import type { CheckRoom, EarlierFiles } from '../ports/custody.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import type { CycleContext } from './cycle-context.ts'
import { hintProbes, measure } from './measure.ts'

/** Where what a hint's probes read comes from. */
export function probeSources(
  hint: Hint,
  { probes }: Pick<WorkspaceConfig, 'probes'>,
): readonly WorkspaceConfig['probes'][string]['source'][] {
  return hintProbes(hint).flatMap((name) => probes[name]?.source ?? [])
}

/** Whether anything is run to measure a hint. */
export function runsCommands(hint: Hint, config: Pick<WorkspaceConfig, 'probes'>): boolean {
  return (
    probeSources(hint, config).some(({ kind }) => kind === 'command') ||
    (hint.kind === 'expression' && hint.functions.includes('succeeds'))
  )
}

/**
 * What a hint comes to where these files stand as they were; `null` where no room can be made for what it runs. `disputed`: paths that
 * stand in that room as in the base.
 */
export async function measureEarlier(
  { ports, config, probeNames, signal }: CycleContext,
  hint: Hint,
  files: EarlierFiles,
  disputed: readonly string[],
  changedPaths: readonly string[] = [],
): Promise<Measurement | null> {
  const measureIn = (room?: CheckRoom): Promise<Measurement> =>
    measure(ports.createVerifier(config, room, files), hint, null, probeNames, changedPaths, signal)
  if (!runsCommands(hint, config)) return measureIn()
  const opened = await ports.custody.openRoom(disputed, signal, files)
  if (opened.kind === 'none') return null
  try {
    return await measureIn(opened.room)
  } finally {
    await opened.room.close()
  }
}
