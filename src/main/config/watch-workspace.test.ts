import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { watchWorkspace } from './watch-workspace.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

it('tells that a contract or a configuration appeared or changed, and nothing else', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pulseward-watch-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const onChange = vi.fn()
  const stop = watchWorkspace(directory, onChange, log)
  onTestFinished(stop)

  await writeFile(join(directory, 'other.md'), 'x')
  await writeFile(join(directory, 'HEARTBEAT.md'), '## Tasks\n')
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1), { timeout: 10_000 })
  await writeFile(join(directory, 'pulseward.toml'), '[agent]\n')
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2), { timeout: 10_000 })
})
