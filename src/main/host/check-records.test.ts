import { describe, expect, it } from 'vitest'
import { checkRecord } from './check-records.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

/** Returns what is reported about a record whose successive readings find these problems. */
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

describe('a record that is checked', () => {
  it('is reported if the same problem is found twice', async () => {
    expect(await told(['line 3 was changed'], ['line 3 was changed'])).toEqual(['line 3 was changed'])
  })

  it('is not reported for an event that was just being written', async () => {
    expect(await told(['a torn line'], [])).toEqual([])
    expect(await told(['a torn line', 'line 3 was changed'], ['line 3 was changed'])).toEqual([
      'line 3 was changed',
    ])
    expect(await told([])).toEqual([])
  })
})
