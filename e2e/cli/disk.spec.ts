import { join } from 'node:path'
import { getApi, hostAddress } from '../support/api.ts'
import { endProcess, expect } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { diskTest as test } from '../support/small-disk.ts'
import { writeWorkspace } from '../support/workspaces.ts'

/* The data folder on a full or read-only disk: a clear line, nothing lost, and it continues where it can. */

test('commands on a full or read-only disk say so in one line, and lose nothing', async ({
  folder,
  disk,
}) => {
  const directory = await writeWorkspace(join(folder, 'job'), 'write')
  await pulseward(folder, ['run', '--once', '--trust'], { cwd: directory })
  const refused = async (words: RegExp): Promise<void> => {
    for (const command of [['score'], ['run', '--once'], ['feedback', 'up']]) {
      const { exitCode, stdout, stderr } = await pulseward(folder, command, { cwd: directory })
      expect({ exitCode, stdout }, command.join(' ')).toEqual({ exitCode: 3, stdout: '' })
      expect(stderr).toMatch(/^pulseward: [^\n]+\n$/)
      expect(stderr).toMatch(words)
    }
  }

  const free = await disk.fill()
  await refused(/the disk is full \(ENOSPC\): free some space/)
  await free()
  disk.makeReadOnly()
  await refused(/read-only \(EROFS\): make it writable, or choose another data folder/)
  disk.makeWritable()

  const { stdout } = await pulseward(folder, ['run', '--once', '--json'], { cwd: directory })
  expect(JSON.parse(stdout)).toMatchObject({ cycle: 2, score: { score: 20, verified: 2 } })
})

test('a host whose disk fills up refuses what it cannot save, and continues once there is space', async ({
  folder,
  disk,
  startHost,
}) => {
  const directory = await writeWorkspace(join(folder, 'job'), 'write')
  await pulseward(folder, ['run', '--once', '--trust'], { cwd: directory })
  const { child } = await startHost()
  const { url, token } = await hostAddress(disk.directory)
  const thumbsUp = () =>
    fetch(`${url}/api/score/feedback`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"feedback":"up"}',
    })

  const free = await disk.fill()
  // Whatever fits into the rest of the last block is still accepted.
  let accepted = 0
  let answer = await thumbsUp()
  for (; answer.status === 200; answer = await thumbsUp()) accepted += 1
  expect(await answer.text()).toMatch(/disk is full/)
  expect(await getApi(disk.directory, 'score')).toMatchObject({ score: 10 + 3 * accepted })
  await free()

  expect((await thumbsUp()).status).toBe(200)
  expect(await getApi(disk.directory, 'score')).toMatchObject({ score: 10 + 3 * (accepted + 1) })
  expect(await endProcess(child)).toBe(0)
  const { stdout } = await pulseward(folder, ['score', '--json'], { cwd: directory })
  expect(JSON.parse(stdout)).toMatchObject({ score: 10 + 3 * (accepted + 1) })
  expect((await pulseward(folder, ['doctor'])).stdout).toContain('unbroken')
})
