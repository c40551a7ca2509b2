import { describe, expect, it } from 'vitest'
import { createLiveRenderer, renderLog } from './render-log.ts'

const lines = (...events: object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('')
const claude = lines(
  { type: 'system', subtype: 'init', session_id: 's' },
  { type: 'assistant', message: { model: 'm', content: [{ type: 'text', text: 'First\nI look.' }] } },
  {
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'npm test' } }] },
  },
  {
    type: 'user',
    message: {
      content: [{ type: 'tool_result', tool_use_id: 't', is_error: true, content: 'Exit code 1\nx' }],
    },
  },
  { type: 'result', subtype: 'success', is_error: false, session_id: 's' },
)

describe('the log of an attempt', () => {
  it('shows what the agent said and did, not the events', () => {
    const shown = renderLog(`a banner\n${claude}a last word\n`)
    expect(shown.split('\n').filter((line) => line !== '')).toEqual([
      'a banner',
      'First',
      'I look.',
      '[command] npm test',
      '[command] npm test (exit code 1)',
      '[end] success: it ended its turn',
      'a last word',
    ])
  })

  it.each([
    '',
    'Working…\nAll done.\n',
    '{"type":"note","text":"mine"}\n{"type":"other"}\n',
    '{"type":"result"}\n{"a":1}\n{"type":"b"}\n{"type":"c"}\n',
    '{not json\n',
  ])('is unchanged if it contains no events of a known program: %j', (log) => {
    expect(renderLog(log)).toBe(log)
  })

  it('shows what is left of a log that was truncated in the middle', () => {
    const cut = `${claude.slice(0, 300)}\n… 12 MB left out …\n${claude.slice(-200)}`
    expect(renderLog(cut)).toContain('12 MB left out')
  })
})

describe('the output of an agent at work', () => {
  const log = `a banner\n${claude}a last word\n`

  it('reads the same as its log will, wherever it is split', () => {
    for (const size of [1, 7, 100, log.length]) {
      const show = createLiveRenderer('claude')
      let shown = ''
      for (let at = 0; at < log.length; at += size) shown += show(log.slice(at, at + size))
      expect(shown).toBe(renderLog(log))
    }
  })

  it('is shown line by line, and drops a line that never ends', () => {
    const show = createLiveRenderer('claude')
    expect(show('{"type":"assistant",')).toBe('')
    expect(show('x'.repeat(3_000_000))).toBe('')
    expect(show('\nplain\n')).toMatch(/^\{"type":"assistant",x+\nplain\n$/)
  })
})
