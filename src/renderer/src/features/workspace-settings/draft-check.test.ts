import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ConfigurationEdit, ConfigurationReport } from '../../../../api/schemas/configuration.ts'
import { DraftCheck } from './draft-check.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A host that appends the edits to the text, and answers when told to. */
function checkedDraft() {
  const waiting: (() => void)[] = []
  const reports: string[] = []
  const problems: unknown[] = []
  const check = new DraftCheck({
    check: (text: string, edits: ConfigurationEdit[]) =>
      new Promise((resolve, reject) => {
        const edited = text + edits.map(({ path, value }) => `;${path.join('.')}=${String(value)}`).join('')
        waiting.push(() =>
          text === 'broken' ? reject(new Error('gone')) : resolve({ text: edited } as ConfigurationReport),
        )
      }),
    onReport: ({ text }) => {
      reports.push(text)
      check.follow(text, text)
    },
    onProblem: (error) => problems.push(error),
  })
  const answer = async () => {
    await vi.advanceTimersByTimeAsync(500)
    waiting.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { check, waiting, reports, problems, answer }
}

test('checks a text once after a pause, however many keystrokes there were', async () => {
  const { check, waiting, reports, answer } = checkedDraft()
  for (const text of ['a', 'ab', 'abc']) check.follow(text, '')
  await answer()
  expect(reports).toEqual(['abc'])
  expect(waiting).toEqual([])
})

test('sends edits of the form together, the newest for each setting', async () => {
  const { check, reports, answer } = checkedDraft()
  check.follow('t', 't')
  check.edit(['a'], 1)
  check.edit(['b'], 2)
  check.edit(['a'], 3)
  await answer()
  expect(reports).toEqual(['t;b=2;a=3'])
})

test('drops an answer about outdated text, and applies its edit to the new text', async () => {
  const { check, reports, answer } = checkedDraft()
  check.follow('old', 'old')
  check.edit(['a'], 1)
  await vi.advanceTimersByTimeAsync(0)
  check.follow('new', 'old')
  await answer()
  expect(reports).toEqual([])
  await answer()
  expect(reports).toEqual(['new;a=1'])
})

test('reports a failed check once, and checks again at the next change', async () => {
  const { check, reports, problems, answer } = checkedDraft()
  check.follow('broken', '')
  await answer()
  await answer()
  expect(problems).toHaveLength(1)
  check.follow('fine', '')
  await answer()
  expect(reports).toEqual(['fine'])
})

test('reports nothing once stopped', async () => {
  const { check, reports, answer } = checkedDraft()
  check.follow('a', '')
  check.stop()
  await answer()
  expect(reports).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})
