import { expect, test } from 'vitest'
import type { RecordedEvent } from './events.ts'
import { fold } from './fold.ts'

const DAY = '2026-03-02'

function given(feedback: 'up' | 'down', points: number, note: string | null): RecordedEvent {
  return {
    type: 'feedback-given',
    seq: 1,
    at: `${DAY}T09:00:00Z`,
    day: DAY,
    attemptId: null,
    taskId: null,
    feedback,
    note,
    points,
  } as RecordedEvent
}

test('a thumb that is undone leaves nothing of itself: no points, no count, no note', () => {
  const thumb = given('down', -10, 'Wrong file')
  const before = fold([thumb])
  expect([before.score.today.score, before.notes.length]).toEqual([-10, 1])
  const { lastThumb } = before
  if (lastThumb === undefined) throw new Error('It was not kept.')
  const after = fold([
    thumb,
    {
      type: 'feedback-undone',
      seq: 2,
      at: `${DAY}T09:00:30Z`,
      day: DAY,
      attemptId: null,
      taskId: null,
      feedback: 'down',
      points: lastThumb.points,
      previous: lastThumb.previous,
      noteId: lastThumb.noteId,
    } as RecordedEvent,
  ])
  const { score, thumbsDown } = after.score.today
  expect([score, thumbsDown, after.score.lifetime.totalPoints, after.notes]).toEqual([0, 0, 0, []])
  expect(after.lastThumb).toBeUndefined()
})
