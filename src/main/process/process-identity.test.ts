import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readProcess } from './process-identity.ts'

it.runIf(process.platform === 'linux')(
  'reads a process whose name ends within a character, and contains a parenthesis',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pulseward-identity-'))
    const script = 'name=$(printf "half)\\303"); cp "$(command -v sleep)" "./$name"; exec "./$name" 600'
    const child = spawn('sh', ['-c', script], { cwd: folder, stdio: 'ignore' })
    onTestFinished(async () => {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    })
    await expect.poll(() => readProcess(child.pid ?? 0)?.name, { timeout: 20_000 }).toMatch(/^half\)/)
    expect(readProcess(child.pid ?? 0)).toMatchObject({ parent: process.pid, isZombie: false })
  },
)
