import { spawnSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'

/** A small file system of its own for a test. */
export interface SmallDisk {
  readonly directory: string
  makeReadOnly(): void
  makeWritable(): void
  unmount(): void
}

/** Mounts a file system in memory of so many bytes; a sentence says why not where that is not permitted. */
export async function mountSmallDisk(directory: string, bytes: number): Promise<SmallDisk | string> {
  if (process.platform !== 'linux') return `There is no tmpfs on ${process.platform}.`
  await mkdir(directory, { recursive: true })
  const refused = mount('-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', directory)
  if (refused !== null) return `A small disk cannot be mounted here: ${refused}`
  const remount = (how: 'ro' | 'rw'): void => {
    const problem = mount('-o', `remount,${how}`, directory)
    if (problem !== null) throw new Error(problem)
  }
  return {
    directory,
    makeReadOnly: () => remount('ro'),
    makeWritable: () => remount('rw'),
    // Lazily: a program that a failed test left behind must not keep it.
    unmount: () => spawnSync('umount', ['--lazy', directory]),
  }
}

function mount(...args: string[]): string | null {
  const { status, stderr, error } = spawnSync('mount', args, { encoding: 'utf8' })
  return status === 0 ? null : (error?.message ?? stderr.trim())
}
