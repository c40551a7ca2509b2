import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { listSegments, readLines } from '../../ledger/segments.ts'

/** Returns the complete lines of each record in a data folder, by workspace; recording may continue. */
export async function recordedLines(dataDirectory: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const workspace of await readdir(join(dataDirectory, 'workspaces'))) {
    const directory = join(dataDirectory, 'workspaces', workspace, 'ledger')
    const lines: string[] = []
    for (const { firstSeq } of await listSegments(directory))
      for await (const line of readLines(directory, firstSeq))
        if (line.terminated) lines.push(line.bytes.toString('utf8'))
    found.set(workspace, lines)
  }
  return found
}
