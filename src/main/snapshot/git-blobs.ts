import { type GitOptions, runGit } from './git-command.ts'

/** Per call, so that the answer fits into its memory limit. */
const MAX_GROUP_BYTES = 128 * 1024 * 1024

export interface NamedBlob {
  /** As git accepts it: an id, or `commit:path`, without a line break. */
  readonly name: string
  /** In bytes. */
  readonly size: number
}

/**
 * Returns the sizes of blobs in bytes, one per name; `null` for what does not exist or is not a blob. Uses one call for all
 * names, because each process costs milliseconds. `null` instead of the list if git does not answer. Never rejects.
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

/** Yields the bytes of blobs in the requested order; ends early if git fails. Never rejects. */
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
