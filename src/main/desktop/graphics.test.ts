import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lacksGraphics } from './graphics.ts'

async function devices(...names: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pulseward-devices-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'dri'))
  for (const name of names) await writeFile(join(folder, name), '')
  return folder
}

test('a machine with a render node, or an NVIDIA or WSL device, draws with it', async () => {
  for (const name of ['dri/renderD128', 'nvidiactl', 'dxg']) {
    expect(lacksGraphics('linux', await devices(name)), name).toBe(false)
  }
})

test('a display alone is not a graphics processor, and neither is an empty /dev', async () => {
  expect(lacksGraphics('linux', await devices('dri/card0', 'nvidia-caps'))).toBe(true)
  expect(lacksGraphics('linux', await devices())).toBe(true)
  expect(lacksGraphics('linux', '/nowhere')).toBe(true)
})

test('leaves other systems to Chromium', async () => {
  expect(lacksGraphics('darwin', await devices())).toBe(false)
  expect(lacksGraphics('win32', await devices())).toBe(false)
})
