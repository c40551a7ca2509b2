import { describe, expect, it } from 'vitest'
import { parseContract } from '../contract/parse.ts'
import { readScoreFile } from './history.ts'
import { readFixPlan, readStories, type TakenTasks } from './ralph.ts'

const day = (date: string, score: number) => ({
  date,
  score,
  peakScore: score,
  verifiedCount: 3,
  failedCount: 1,
})

const tasksOf = (taken: TakenTasks | string) => {
  if (typeof taken === 'string') throw new Error(taken)
  return parseContract(taken.contract)
}

describe("ArgentOS's score", () => {
  it('comes over day by day, the newest first, with the floor of its target', () => {
    const text = JSON.stringify({
      today: day('2026-01-03', 40),
      history: [
        day('2026-01-01', 60),
        day('2026-01-02', -5),
        day('2026-01-02', 7),
        { date: '2025-12-31', score: 0 },
      ],
      lifetime: { targetFloor: 75, totalVerified: 9 },
    })
    const taken = readScoreFile(text)
    expect(taken).toMatchObject({ targetFloor: 75 })
    expect(typeof taken === 'string' ? taken : taken.days.map(({ date }) => date)).toEqual([
      '2026-01-03',
      '2026-01-02',
      '2026-01-01',
    ])
  })

  it.each([['nonsense'], ['{"history":[{"date":"yesterday","score":1}]}'], ['{}']])(
    'is refused in words: %s',
    (text) => {
      expect(typeof readScoreFile(text)).toBe('string')
    },
  )
})

describe("ralph's tasks", () => {
  it('come over as task lines with their criteria, by priority', () => {
    const stories = [
      {
        id: 'US-002',
        title: 'Later | with a pipe',
        acceptanceCriteria: ['It works'],
        priority: 2,
        passes: true,
      },
      { id: 'US-001', title: 'First', description: 'Do it', acceptanceCriteria: ['A', 'B'], priority: 1 },
    ]
    const taken = readStories(JSON.stringify({ userStories: stories }))
    const { tasks, diagnostics } = tasksOf(taken)
    expect(
      tasks.map(({ id, description, checked, criteria }) => [id, description, checked, criteria.length]),
    ).toEqual([
      ['us-001', 'First: Do it', false, 2],
      ['us-002', 'Later | with a pipe', false, 1],
    ])
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(typeof taken === 'string' ? [] : taken.left).toEqual([
      'That "us-002" was finished: it is checked anew.',
    ])
  })

  it('come over from a fix plan, each with an id of its own', () => {
    const plan = '# Plan\n- [ ] **Fix** the parser\n- [x] Fix the parser\n* [ ] Another `one`\nnot a task\n'
    const { tasks } = tasksOf(readFixPlan(plan))
    expect(tasks.map(({ id }) => id)).toEqual(['fix_the_parser', 'fix_the_parser_2', 'another_one'])
    expect(tasks.every(({ checked }) => !checked)).toBe(true)
  })

  it.each([
    [readStories, '{}'],
    [readFixPlan, '# nothing'],
  ] as const)('are none where there are none', (read, text) => {
    expect(typeof read(text)).toBe('string')
  })
})
