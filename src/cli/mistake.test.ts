import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ORPCError } from '@orpc/client'
import { expect, test } from 'vitest'
import { createMachine, type Machine } from './machine.ts'
import { runCli } from './program.ts'

/** Runs the command line on this machine with the given parts replaced. */
async function runOn(parts: Partial<Machine>) {
  const written = { stdout: '', stderr: '' }
  const streamOf = (name: keyof typeof written) => ({
    isTTY: false,
    write: (text: string) => {
      written[name] += text
    },
  })
  const mistakes: unknown[] = []
  const directory = join(tmpdir(), 'pulseward-no-data-folder')
  const unused = { environment: {}, homeDirectory: directory, version: '1.2.3' }
  const places = { sampleDirectory: directory, reportServer: directory, pageDirectory: directory }
  const exitCode = await runCli({
    args: ['agents'],
    version: '1.2.3',
    machine: { ...createMachine({ ...unused, ...places }), ...parts },
    streams: { stdout: streamOf('stdout'), stderr: streamOf('stderr') },
    environment: { PULSEWARD_HOME: directory },
    currentDirectory: directory,
    signal: new AbortController().signal,
    onMistake: (error) => mistakes.push(error),
  })
  return { ...written, exitCode, mistakes }
}

test('a bug in Pulseward ends with a dedicated exit code, one line, and its cause for the log', async () => {
  const mistake = new TypeError('programs is not iterable')
  const ended = await runOn({ lookForAgents: () => Promise.reject(mistake) })
  expect(ended).toEqual({
    exitCode: 70,
    stdout: '',
    stderr: 'pulseward: programs is not iterable. This is a bug in Pulseward.\n',
    mistakes: [mistake],
  })
})

test('a bug in the host counts as our bug, but a system error or a caller’s mistake does not', async () => {
  const ends = async (error: Error) => (await runOn({ lookForAgents: () => Promise.reject(error) })).exitCode
  expect(await ends(new ORPCError('INTERNAL', { message: 'the host made a mistake' }))).toBe(70)
  expect(await ends(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))).toBe(3)
  expect(await ends(new ORPCError('NOT_FOUND', { message: 'there is none' }))).toBe(2)
})
