import { isUtf8 } from 'node:buffer'
import { namesTests } from '../../../core/change/test-cases.ts'
import { findTestChanges, type TextChange } from '../../../core/change/test-changes.ts'
import type { RenamedTest } from '../../../core/reports/renamed-tests.ts'
import { EMPTY_DIFFERENCE, type FileDifference } from '../../../core/verification/types.ts'
import { groundOf, readBeneath } from '../../files/beneath.ts'
import type { KeptTexts } from '../../ports/snapshotter.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'

/** Larger sources are not read. */
const MAX_SOURCE_BYTES = 1024 * 1024

/** Returns which tests in these files have the body that they had before the work, under another name or in another file. */
export async function findRenamed(
  { directory, snapshotter }: Pick<WorkspacePorts, 'directory' | 'snapshotter'>,
  work: { readonly difference: FileDifference; readonly textsBefore: KeptTexts },
  paths: readonly string[],
): Promise<readonly RenamedTest[]> {
  const { modified, renamed } = work.difference
  const deleted = [...work.difference.deleted, ...renamed.map(({ from }) => from)]
  const added = [...work.difference.added, ...renamed.map(({ to }) => to)]
  const sources = new Set(paths.filter(namesTests))
  const isSource = (path: string): boolean => sources.has(path)
  const before = await snapshotter.filesBefore(work.textsBefore, {
    ...EMPTY_DIFFERENCE,
    modified: modified.filter(isSource),
    deleted: deleted.filter(isSource),
  })
  const earlier = new Map(before?.write.map(({ path, bytes }) => [path, bytes]))
  const changes: TextChange[] = []
  for (const path of [...modified, ...added, ...deleted].filter(isSource)) {
    const now = await readBeneath(groundOf(directory), path, MAX_SOURCE_BYTES)
    changes.push({ path, before: textOf(earlier.get(path)), after: textOf(now.ok ? now.bytes : undefined) })
  }
  return findTestChanges(changes).renamed
}

function textOf(bytes: Buffer | undefined): string | null {
  const isText = bytes !== undefined && bytes.length <= MAX_SOURCE_BYTES && isUtf8(bytes)
  return isText ? bytes.toString('utf8') : null
}
