import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { systemClock } from '../host/system-clock.ts'
import { runProgram } from './program.ts'

it('prepares a clean room inside its check’s sandbox, which wraps the room', async () => {
  const entered: (readonly string[])[] = []
  await runProgram(
    {
      directory: tmpdir(),
      clock: systemClock,
      room: {
        copy: null,
        enter: (command) => {
          entered.push(command)
          return { command, directory: tmpdir() }
        },
        prepared: (command) => ['sh', 'prepare.sh', ...command],
      },
      contain: async () => ({
        kind: 'contained',
        containment: {
          means: 'bubblewrap',
          wrap: async (start) => ({ ...start, command: ['env', 'SANDBOX=closed', ...start.command] }),
        },
      }),
    },
    ['echo', 'checked'],
    { timeoutMs: 20_000, signal: new AbortController().signal },
  )
  expect(entered).toEqual([
    ['env', 'SANDBOX=closed', expect.stringMatching(/sh$/), 'prepare.sh', 'echo', 'checked'],
  ])
})
