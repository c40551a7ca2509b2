import { randomInt } from 'node:crypto'
import { EMPTY_DIFFERENCE } from '../../core/verification/types.ts'
import type { CheckMemory } from '../ports/check-memory.ts'
import { IGNORED_BY_GIT } from '../ports/snapshotter.ts'
import { findTop } from '../snapshot/git-command.ts'
import type { WorkspacePorts } from '../supervisor/workspace-ports.ts'
import { createCheckMemory } from '../verifier/check-memory.ts'
import type { RuntimeOptions } from './runtime-options.ts'

/** One in this many checks runs although its result is known. */
const ONE_IN = 20

/** Opens the memory of check results in one workspace. */
export function openCheckMemory(
  { directory, custody, snapshotter, ledger }: Omit<WorkspacePorts, 'isolation'>,
  { dataDirectory, version, clock, log, drawn }: RuntimeOptions,
): CheckMemory {
  return createCheckMemory({
    directory,
    top: () => findTop(directory) ?? directory,
    excluded: [dataDirectory],
    version,
    clock,
    log,
    outside: () => custody.outsideNow(),
    areIgnored: async (paths) => {
      const seen = await snapshotter.measurable(directory, paths, EMPTY_DIFFERENCE)
      return seen.map((answer) => answer === IGNORED_BY_GIT)
    },
    draw: drawn ?? (() => randomInt(ONE_IN) === 0),
    differed: async ({ name }) => {
      await ledger.append({
        type: 'diagnostic-raised',
        code: 'check-not-repeatable',
        taskId: null,
        message: `The check ${name} gave two different answers although no file, setting or program had changed. Until Pulseward is restarted its answers are not used again. If it depends on more than files of the repository, set reads = "world" for its probe; if it fails only sometimes, fix it.`,
      })
    },
  })
}
