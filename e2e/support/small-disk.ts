import { spawnSync } from 'node:child_process'
import { mkdir, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dataDirectoryOf, expect, test } from './app.ts'

/** A small separate file system that holds the test's data folder. */
interface SmallDisk {
  readonly directory: string
  /** Fills the disk; the returned function frees the space again. */
  fill(): Promise<() => Promise<void>>
  makeReadOnly(): void
  makeWritable(): void
}

const SIZE_BYTES = 2 * 1024 * 1024

/** Tests with their data folder on a 2 MB disk; skipped with the reason if none can be mounted. */
export const diskTest = test.extend<{ disk: SmallDisk }>({
  disk: async ({ folder }, use) => {
    test.skip(process.platform !== 'linux', 'a small disk is a tmpfs, which Linux alone has')
    const directory = dataDirectoryOf(folder)
    await mkdir(directory, { recursive: true })
    const refused = mount('-t', 'tmpfs', '-o', `size=${SIZE_BYTES}`, 'tmpfs', directory)
    test.skip(refused !== null, `a small disk cannot be mounted here: ${refused}`)
    await use(createSmallDisk(directory))
    // Lazily, so that a program left behind by a failed test cannot prevent it.
    spawnSync('umount', ['--lazy', directory])
  },
})

function createSmallDisk(directory: string): SmallDisk {
  const remount = (how: 'ro' | 'rw'): void => {
    const problem = mount('-o', `remount,${how}`, directory)
    if (problem !== null) throw new Error(problem)
  }
  let fillings = 0
  return {
    directory,
    fill: async () => {
      const names: string[] = []
      // Files written while the disk fills up replace older ones, whose space then becomes free again.
      do {
        const path = join(directory, `filling-${fillings++}`)
        names.push(path)
        await takeAll(path)
        await expect.poll(() => isBeingWritten(directory)).toBe(false)
      } while ((await statfs(directory)).bavail > 0)
      return async () => {
        for (const path of names) await rm(path)
      }
    },
    makeReadOnly: () => remount('ro'),
    makeWritable: () => remount('rw'),
  }
}

async function takeAll(path: string): Promise<void> {
  await writeFile(path, Buffer.alloc(2 * SIZE_BYTES)).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  })
}

async function isBeingWritten(directory: string): Promise<boolean> {
  return (await readdir(directory, { recursive: true })).some((name) => name.endsWith('.tmp'))
}

/** Runs a mount; returns the error message, or `null`. */
function mount(...args: string[]): string | null {
  const { status, stderr, error } = spawnSync('mount', args, { encoding: 'utf8' })
  return status === 0 ? null : (error?.message ?? stderr.trim())
}
