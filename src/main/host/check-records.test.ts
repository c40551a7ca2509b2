import { describe, expect, it } from 'vitest'
import { checkRecord } from './check-records.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

/** What is told of a record of which the readings say this, one after the other. */
async function told(...readings: readonly (readonly string[])[]): Promise<readonly string[]> {
  const left = [...readings]
  let found: readonly string[] = []
  await checkRecord(
    {
      id: 'one',
      dataDirectory: '/nowhere',
      foundBroken: async (problems) => {
        found = problems
      },
    },
    { verify: async () => left.shift() ?? [], clock: { sleep: async () => {} }, log },
    new AbortController().signal,
  )
  return found
}

describe('a record that is read whole', () => {
  it('is told of where the same is wrong twice', async () => {
    expect(await told(['line 3 was changed'], ['line 3 was changed'])).toEqual(['line 3 was changed'])
  })

  it('is not if it was only being written to at the same time', async () => {
    expect(await told(['a torn line'], [])).toEqual([])
    expect(await told(['a torn line', 'line 3 was changed'], ['line 3 was changed'])).toEqual([
      'line 3 was changed',
    ])
    expect(await told([])).toEqual([])
  })
})
