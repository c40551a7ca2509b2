import { isUtf8 } from 'node:buffer'
import { containsTests, type FormerTests, findFormerTests } from '../../../core/change/own-tests.ts'
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
  ports: Ports,
  work: Work,
  paths: readonly string[],
): Promise<readonly RenamedTest[]> {
  return findTestChanges(await readChanges(ports, work, paths)).renamed
}

/** New files that tests may have moved to; more were written by a program. */
const MAX_ADDED = 200

/** Returns the sources whose own tests the work did more to than add, move or rename some, each with these tests as before the work. */
export async function readFormerTests(ports: Ports, work: Work): Promise<readonly FormerTests[]> {
  const { added, modified, deleted, renamed } = work.difference
  if (!(await someTests(ports, modified))) return []
  const came = [...renamed.map(({ to }) => to), ...added].filter(namesTests).slice(0, MAX_ADDED)
  const paths = [...modified, ...deleted, ...renamed.map(({ from }) => from), ...came]
  return findFormerTests(await readChanges(ports, work, paths))
}

/** Whether one of these files says `test`: git is not asked about files that never had any. */
async function someTests({ directory }: Ports, paths: readonly string[]): Promise<boolean> {
  for (const path of paths.filter(containsTests)) {
    const reading = await readBeneath(groundOf(directory), path, MAX_SOURCE_BYTES)
    if (reading.ok && reading.bytes.includes('test')) return true
  }
  return false
}

type Ports = Pick<WorkspacePorts, 'directory' | 'snapshotter'>
interface Work {
  readonly difference: FileDifference
  readonly textsBefore: KeptTexts
}

async function readChanges(
  { directory, snapshotter }: Ports,
  work: Work,
  paths: readonly string[],
): Promise<readonly TextChange[]> {
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
  return changes
}

function textOf(bytes: Buffer | undefined): string | null {
  const isText = bytes !== undefined && bytes.length <= MAX_SOURCE_BYTES && isUtf8(bytes)
  return isText ? bytes.toString('utf8') : null
}
