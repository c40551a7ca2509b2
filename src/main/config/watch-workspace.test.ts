import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { watchWorkspace } from './watch-workspace.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

it('reports that a contract or a configuration appeared or changed, and nothing else', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pulseward-watch-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const told: string[] = []
  const onChange = (...[what, path]: unknown[]): void => void told.push(`${what} ${basename(String(path))}`)
  const stop = watchWorkspace(directory, onChange, log)
  onTestFinished(stop)
  /** Writes again until the change is reported, because the watch takes a moment to start and does not report existing files. */
  const write = (name: string, text: string, event: 'add' | 'change') =>
    expect
      .poll(
        async () => {
          if (told.includes(`${event} ${name}`)) return true
          await writeFile(join(directory, 'other.md'), text)
          await writeFile(join(directory, name), text)
          return false
        },
        // Longer than the quiet period of a file.
        { interval: 1_000 },
      )
      .toBe(true)

  await write('HEARTBEAT.md', '## Tasks\n', 'add')
  await write('pulseward.toml', '[agent]\n', 'add')
  await write('HEARTBEAT.md', '## Tasks and more\n', 'change')
  expect(told.filter((each) => !/ (?:HEARTBEAT\.md|pulseward\.toml)$/.test(each))).toEqual([])
})

it.runIf(process.platform === 'linux')(
  'reports that the folder was renamed, and when it is back',
  async () => {
    const above = await mkdtemp(join(tmpdir(), 'pulseward-watch-'))
    onTestFinished(() => rm(above, { recursive: true, force: true }))
    const [here, elsewhere] = [join(above, 'inbox'), join(above, 'archive')]
    await mkdir(here)
    let onTold = () => {}
    const stop = watchWorkspace(here, () => onTold(), log)
    onTestFinished(stop)
    const moved = async (from: string, to: string): Promise<void> => {
      const told = new Promise<void>((resolve) => {
        onTold = resolve
      })
      await rename(from, to)
      await told
    }
    await moved(here, elsewhere)
    await moved(elsewhere, here)
  },
)
