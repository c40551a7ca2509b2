import { cp, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import { errorCode, explainCode } from '../files/storage-error.ts'

/**
 * Writes the embedded sample workspace into `targetDirectory`, which must be empty or not exist. Rejects with a `RequestProblem`:
 * `conflict` if it contains anything (then nothing is changed), `unprocessable` if it cannot be written.
 */
export async function writeSample(targetDirectory: string, resourcesDirectory: string): Promise<void> {
  try {
    await mkdir(dirname(targetDirectory), { recursive: true })
    await mkdir(targetDirectory).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
    if ((await readdir(targetDirectory)).length > 0) {
      throw new RequestProblem('conflict', `${targetDirectory} is not empty; choose another folder.`)
    }
    for (const name of await readdir(resourcesDirectory)) {
      await cp(join(resourcesDirectory, name), join(targetDirectory, name), { recursive: true })
    }
  } catch (error) {
    if (error instanceof RequestProblem) throw error
    throw new RequestProblem(
      'unprocessable',
      `Cannot write ${targetDirectory}: ${explainCode(errorCode(error))}`,
      {
        cause: error,
      },
    )
  }
}
