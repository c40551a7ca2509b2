import { type GitOptions, runGit } from './git-command.ts'

/** Of one call, so that its answer fits into the memory that it is given. */
const MAX_GROUP_BYTES = 128 * 1024 * 1024

export interface NamedBlob {
  /** As git takes it: an id, or `commit:path`. Without a line break. */
  readonly name: string
  /** In bytes. */
  readonly size: number
}

/**
 * The sizes of blobs in bytes, one for each name; `null` for what is not there or no blob. All of them by one call, however many they are:
 * a process for each costs milliseconds. `null` in place of the list where git does not answer. Never rejects.
 */
export async function blobSizes(
  directory: string,
  names: readonly string[],
  repository?: GitOptions['repository'],
): Promise<readonly (number | null)[] | null> {
  const answer = await runGit(directory, ['cat-file', '--batch-check'], {
    input: lines(names),
    ...(repository !== undefined && { repository }),
  })
  const said = answer.stdout.toString('utf8').split('\n').slice(0, -1)
  if (!answer.ok || said.length !== names.length) return null
  return said.map((line) => {
    const size = / blob (\d+)$/.exec(line)?.[1]
    return size === undefined ? null : Number(size)
  })
}

/** The bytes of blobs, in the order asked for; it ends early where git breaks off. Never rejects. */
export async function* readBlobs(
  directory: string,
  blobs: readonly NamedBlob[],
  repository?: GitOptions['repository'],
): AsyncGenerator<Buffer> {
  for (const group of groupsOf(blobs)) {
    const { stdout } = await runGit(directory, ['cat-file', '--batch'], {
      input: lines(group.map(({ name }) => name)),
      ...(repository !== undefined && { repository }),
    })
    let at = 0
    for (const { size } of group) {
      const start = stdout.indexOf(0x0a, at) + 1
      if (start === 0 || start + size > stdout.length) return
      yield stdout.subarray(start, start + size)
      at = start + size + 1
    }
  }
}

function* groupsOf(blobs: readonly NamedBlob[]): Generator<readonly NamedBlob[]> {
  let group: NamedBlob[] = []
  let bytes = 0
  for (const blob of blobs) {
    if (group.length > 0 && bytes + blob.size > MAX_GROUP_BYTES) {
      yield group
      group = []
      bytes = 0
    }
    group.push(blob)
    bytes += blob.size
  }
  if (group.length > 0) yield group
}

function lines(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((text) => `${text}\n`).join(''))
}
