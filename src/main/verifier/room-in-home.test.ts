import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRoomMaker } from '../custody/clean-room.ts'
import { systemClock } from '../host/system-clock.ts'
import {
  type ContainedWorld,
  containedWorld,
  keysByAnyMount,
  meansHere,
} from '../sandbox/testing/contained-world.ts'
import { runProgram } from './program.ts'

/*
 * Most people have both their repositories and Pulseward's data in their home folder. A clean room then mounts something in it, and the
 * check's sandbox puts a layer over it.
 */

const means = await meansHere()

it.skipIf(means.length > 0)('has a sandbox to test with', ({ skip }) => {
  skip('This machine has no sandbox.')
})

describe.each(means)('a check in a clean room, sandboxed by %s,', (_name, found) => {
  let world: ContainedWorld
  beforeEach(() => {
    world = containedWorld(found)
    vi.stubEnv('HOME', world.home)
  })
  afterEach(() => world.remove())

  it.each([
    ['the workspace and the data folder', 'src/job', '.pulseward'],
    ['the workspace', 'src/job', null],
    ['the data folder', null, '.pulseward'],
    ['nothing', null, null],
  ])('runs with %s in the home folder', async (_what, job, data) => {
    const top = job === null ? world.workspace : join(world.home, job)
    const dataFolder = data === null ? world.data : join(world.home, data)
    mkdirSync(top, { recursive: true })
    writeFileSync(join(top, 'tests'), 'weakened')
    writeFileSync(join(top, 'source'), 'work')
    writeFileSync(join(world.home, 'notes.txt'), 'mine')
    const maker = createRoomMaker({
      directory: join(dataFolder, 'rooms'),
      clock: systemClock,
      ways: ['namespace'],
    })
    const signal = new AbortController().signal
    const opened = await maker.open({
      top,
      directory: top,
      plan: { write: [{ path: 'tests', bytes: Buffer.from('base'), isExecutable: false }], remove: [] },
      signal,
    })
    if (opened.kind === 'none') throw new Error(opened.reason)
    const script =
      'cat tests source "$HOME/notes.txt"; echo its > "$HOME/notes.txt"; cat "$HOME/notes.txt"; echo x > made'
    // Twice: the second run must not see what the first did.
    for (let round = 0; round < 2; round += 1) {
      const run = await runProgram(
        {
          directory: top,
          clock: systemClock,
          contain: world.containing({}, null, top),
          room: opened.room,
        },
        ['/bin/sh', '-c', `test ! -e made || exit 3; ${keysByAnyMount(world.home)}; ${script}`],
        { timeoutMs: 60_000, signal, env: { HOME: world.home } },
      )
      expect({ failure: run.failure, code: run.exitCode, said: run.stdout.text }).toEqual({
        failure: null,
        code: 0,
        said: 'baseworkmineits\n',
      })
    }
    await opened.room.close()
    expect(readFileSync(join(world.home, 'notes.txt'), 'utf8')).toBe('mine')
    expect(readFileSync(join(top, 'tests'), 'utf8')).toBe('weakened')
  })
})
