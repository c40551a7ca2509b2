import { expect, it } from 'vitest'
import { createStreamReader } from './read-stream.ts'

it('a last event that quotes more than eight million characters still ends the turn', () => {
  const reader = createStreamReader('claude')
  const result = `${'x'.repeat(9 * 1024 * 1024)} done`
  const line = `${JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result })}\n`
  // In pieces, as pipes deliver it.
  for (let at = 0; at < line.length; at += 65_536) reader.stdout(line.slice(at, at + 65_536))
  reader.end()
  expect(reader.reading().final).toMatchObject({ status: 'success' })
})
