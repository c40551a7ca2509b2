import { randomBytes } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import { syncDirectory } from './durable-file.ts'
import { errorCode, explainCode } from './storage-error.ts'

/**
 * Creates the file at `path` whole, and never in the place of another: rejects with a `RequestProblem`, `conflict` where
 * anything stands there (a dangling link included), `unprocessable` where it cannot be written. Nothing is left behind then.
 */
export async function createFile(path: string, text: string, mode: number): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`
  try {
    await writeNew(temporary, text, mode)
    // A link fails where a name is taken, a rename would replace it.
    await link(temporary, path).catch(async (error: unknown) => {
      if (errorCode(error) === 'EEXIST') throw error
      // Some file systems have no links: there a crash in this moment may leave a part of the file.
      await writeNew(path, text, mode)
    })
    await syncDirectory(dirname(path))
  } catch (error) {
    const code = errorCode(error)
    throw code === 'EEXIST'
      ? new RequestProblem('conflict', `${path} is there already. Look at it first.`, { cause: error })
      : new RequestProblem('unprocessable', `Cannot write ${path}: ${explainCode(code)}`, { cause: error })
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined)
  }
}

async function writeNew(path: string, text: string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
