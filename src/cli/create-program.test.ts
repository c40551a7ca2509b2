import { describe, expect, it } from 'vitest'
import { createProgram } from './create-program.ts'

const options = { version: '1.2.3', streams: { stdout: { write: () => true } } }

async function namesFor(...args: string[]): Promise<readonly string[]> {
  const { commands } = await createProgram(options, async () => {}, args)
  return commands.map((command) => command.name())
}

describe('the commands to load', () => {
  it('are all if none is named, or if help is asked for', async () => {
    const all = await namesFor()
    expect(all).toContain('status')
    expect(all).toContain('run')
    expect(await namesFor('stattus')).toEqual(all)
    expect(await namesFor('help', 'status')).toEqual(all)
    expect(await namesFor('status', '--help')).toEqual(all)
  })

  it('include each named command, and the others of its file', async () => {
    for (const name of await namesFor()) expect(await namesFor('--json', name), name).toContain(name)
    expect(await namesFor('status')).toEqual(['status', 'pause', 'resume'])
  })

  it('include one too many rather than miss one if a value has the name of a command', async () => {
    expect(await namesFor('--workspace', 'score', 'status')).toEqual(
      expect.arrayContaining(['score', 'status']),
    )
  })
})
