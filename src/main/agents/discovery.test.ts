import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../host/system-clock.ts'
import { createTestMark, type TestMark } from '../process/testing/running-processes.ts'
import { createAgentDiscovery } from './discovery.ts'

let home: string
let mark: TestMark

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pulseward-home-'))
  mkdirSync(join(home, '.local', 'bin'), { recursive: true })
  mark = createTestMark()
})

afterEach(() => {
  mark.endAll()
  rmSync(home, { recursive: true, force: true })
})

function install(name: string, script: string): string {
  const path = join(home, '.local', 'bin', name)
  writeFileSync(path, `#!/bin/sh\nexport PULSEWARD_TEST=${mark.env.PULSEWARD_TEST}\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

function createDiscovery(clock: Pick<typeof systemClock, 'monotonicMs' | 'sleep'> = systemClock) {
  return createAgentDiscovery({ environment: { PATH: '/usr/bin:/bin' }, homeDirectory: home, clock })
}

describe('looking for installed agents', () => {
  it('finds one in a usual install folder outside PATH', async () => {
    const path = install('kimi', 'echo kimi 1.2.3-beta.1')
    const [first] = await createDiscovery().discover()
    expect(first).toMatchObject({
      preset: 'kimi',
      found: true,
      path,
      version: '1.2.3-beta.1',
      modes: ['acp'],
    })
  })

  it('does not wait for a program that prints nothing, and leaves none of its processes running', async () => {
    install('kimi', 'exec sleep 1000')
    const impatient = { ...systemClock, sleep: async () => {} }
    const [first] = await createDiscovery(impatient).discover()
    expect(first).toMatchObject({ preset: 'kimi', found: true, version: null })
    expect(mark.running()).toEqual([])
  })

  it('shares one search between callers, and ends it when it is stopped', async () => {
    install('kimi', 'exec sleep 1000')
    const discovery = createDiscovery()
    const [one, two] = [discovery.discover(), discovery.discover()]
    await discovery.stop()
    expect(await one).toBe(await two)
    expect(mark.running()).toEqual([])
  })

  it('treats an emptied login file as no login', async () => {
    install('opencode', 'echo 1.0.0')
    const file = join(home, '.local', 'share', 'opencode', 'auth.json')
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, '{}')
    expect((await createDiscovery().discover())[0]).toMatchObject({ preset: 'opencode', login: 'unknown' })
    writeFileSync(file, '{"a":{"type":"api"}}')
    expect((await createDiscovery().discover())[0]).toMatchObject({ preset: 'opencode', login: 'logged-in' })
  })
})
