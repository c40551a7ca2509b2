import { describe, expect, it } from 'vitest'
import { parseContract } from '../contract/parse.ts'
import { readScoreFile } from './history.ts'
import { parseLenientJson } from './lenient-json.ts'
import { readStories, readTaskList, type TakenTasks } from './ralph.ts'
import { readRalphConfig } from './ralph-config.ts'

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

describe('ArgentOS’s score', () => {
  it('is imported day by day, newest first, with the floor of its target', () => {
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
    expect(taken).toMatchObject({ history: { targetFloor: 75, lifetime: { totalVerified: 9 } } })
    expect(typeof taken === 'string' ? taken : taken.history.days.map(({ date }) => date)).toEqual([
      '2026-01-03',
      '2026-01-02',
      '2026-01-01',
    ])
  })

  it.each([['nonsense'], ['{"history":[{"date":"yesterday","score":1}]}'], ['{}']])(
    'is rejected with the reason: %s',
    (text) => {
      expect(typeof readScoreFile(text)).toBe('string')
    },
  )
})

describe("ralph's tasks", () => {
  it('are imported as task lines with their criteria, by priority', () => {
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
    const taken = readStories({ userStories: stories })
    const { tasks, diagnostics } = tasksOf(taken)
    expect(
      tasks.map(({ id, description, checked, criteria }) => [id, description, checked, criteria.length]),
    ).toEqual([
      ['us-001', 'First: Do it', false, 2],
      ['us-002', 'Later | with a pipe', false, 1],
    ])
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(typeof taken === 'string' ? [] : taken.left).toEqual([
      'That "us-002" was finished: it will be verified again.',
    ])
  })

  it('keep their steps, and name every field that no task has', () => {
    const taken = readStories([
      { category: 'functional', description: 'New chat', steps: ['Click it', 'See it'], passes: false },
      { id: 'b', title: 'B', notes: 'only text', estimate: null, tags: [], criteria: ['C'], steps: ['S'] },
      { id: 'c', title: 'C', description: 'D', notes: 'mind the gap' },
    ])
    expect(tasksOf(taken).tasks.map(({ criteria }) => criteria.map(({ text }) => text))).toEqual([
      ['Click it', 'See it'],
      ['C', 'S'],
      [],
    ])
    expect(typeof taken === 'string' ? [] : taken.left).toEqual([
      'item 1: `category` "functional" was not read.',
      'c: `notes` "mind the gap" was not read.',
    ])
  })

  it('are imported from a fix plan, each with its own id', () => {
    const plan = '# Plan\n- [ ] **Fix** the parser\n- [x] Fix the parser\n* [ ] Another `one`\nnot a task\n'
    const { tasks } = tasksOf(readTaskList(plan))
    expect(tasks.map(({ id }) => id)).toEqual(['fix_the_parser', 'fix_the_parser_2', 'another_one'])
    expect(tasks.every(({ checked }) => !checked)).toBe(true)
  })

  it.each([[readStories({})], [readTaskList('# nothing')]])('are empty if there are none', (taken) => {
    expect(typeof taken).toBe('string')
  })
})

describe('stories as people write them', () => {
  const read = (text: string) => readStories(parseLenientJson(text))
  const lines = (taken: TakenTasks | string) =>
    tasksOf(taken).tasks.map(({ id, criteria }) => [id, criteria.map(({ text }) => text)])

  it.each<[string, string]>([
    ['a bare list', '[{"id":"a","title":"A","acceptance":["c"]}]'],
    ['`stories`', '{"project":"p","stories":[{"id":"a","title":"A","acceptance":["c"]}]}'],
    ['snake case', '{"user_stories":[{"story_id":"a","title":"A","acceptance_criteria":["c"]}]}'],
    ['a wrapping object', '{"prd":{"tasks":[{"id":"a","title":"A","acceptance":["c"]}]}}'],
    ['criteria as objects', '[{"id":"a","title":"A","acceptance":[{"text":"c","done":false}]}]'],
    ['criteria as lines', '[{"id":"a","title":"A","acceptance":"- c"}]'],
    [
      'trailing commas and comments',
      '[\n// first\n{"id":"a","title":"A","acceptance":["c",],}, /* end */\n]',
    ],
    ['a leading byte order mark', '\ufeff[{"id":"a","title":"A","acceptance":["c"]}]'],
  ])('are imported from %s', (_, text) => expect(lines(read(text))).toEqual([['a', ['c']]]))

  it('lose only an invalid field, which is named', () => {
    const taken = readStories([
      { id: 'a', title: 'A', priority: 'someday', passes: null, acceptance: ['c', {}] },
      { id: 'b', title: 'B', priority: 'high' },
      7,
      { id: 'c' },
      { id: 'd', title: 'D', priority: '2', passes: true },
      { id: 'e', title: 'E', status: 'blocked', blocked_reason: 'no key', depends_on: ['a'] },
    ])
    expect(lines(taken)).toEqual([
      ['b', []],
      ['d', []],
      ['a', ['c']],
      ['e', []],
    ])
    expect(typeof taken === 'string' ? [] : taken.left).toEqual([
      'a: `passes` null was not read.',
      'a: `acceptance` {} was not read.',
      'a: `priority` "someday" was not read.',
      'Item 3: expected an object, found 7.',
      'c: it has no title and no description.',
      'That "d" was finished: it will be verified again.',
      'That "e" depends on a: order the tasks instead.',
      'That "e" was blocked (no key): it waits until you remove its `when: false`.',
    ])
    expect(tasksOf(taken).tasks.at(-1)?.when).toBe('false')
  })
})

describe('a list of boxes', () => {
  it('is imported from any depth and bullet, with nested items as criteria; the rest is named', () => {
    const text = [
      '# Fix plan',
      '- a plain remark',
      '    - [ ] deep first',
      '        - [x] its criterion',
      '        - and a plain one',
      '1. [ ] numbered',
      '   - [ ] inside',
      '- [-] stuck',
      '- [~] begun',
      '- [x] finished',
      '```',
      '- [ ] in a fence',
      '```',
    ].join('\r\n')
    const taken = readTaskList(text)
    expect(
      tasksOf(taken).tasks.map(({ id, when, criteria }) => [id, when, criteria.map((one) => one.text)]),
    ).toEqual([
      ['deep_first', null, ['its criterion', 'and a plain one']],
      ['numbered', null, ['inside']],
      ['stuck', 'false', []],
      ['begun', null, []],
      ['finished', null, []],
    ])
    expect(typeof taken === 'string' ? [] : taken.left).toEqual([
      'Line 2 has no box: "a plain remark".',
      'That "stuck" was blocked: it waits until you remove its `when: false`.',
      'That "finished" was finished: it will be verified again.',
    ])
  })

  it('is limited to the section Tasks if there is one', () => {
    const text = '## Why\n- [ ] no\n## Tasks\n### Part\n- [ ] yes\n## Notes\n- [ ] no\n'
    expect(tasksOf(readTaskList(text)).tasks.map(({ id }) => id)).toEqual(['yes'])
  })
})

describe('ralph-gold’s configuration', () => {
  it('is imported as a draft that names what was left out', () => {
    const draft = readRalphConfig(
      '[loop]\nrunner_timeout_seconds = 900\nmax_attempts_per_task = 5\n[runners.codex]\nargv = ["codex", "exec", "-"]\n[runners.claude]\nargv = ["claude", "-p"]\n[gates]\ncommands = ["uv run pytest -q", "a | b", 3]\n[git]\nauto_commit = true\n',
    )
    expect(draft).toMatchObject({ runner: 'codex', gates: 2 })
    if (typeof draft === 'string') throw new Error(draft)
    expect(draft.toml).toContain('command = ["codex", "exec", "-"]\nprompt = "stdin"')
    expect(draft.toml).toContain('["uv", "run", "pytest", "-q"],\n  ["sh", "-c", "a | b"],')
    expect(draft.toml).toContain('mode_timeout = 900')
    expect(draft.left).toHaveLength(4)
  })

  it.each(['[gates', '[loop]\nmode = "speed"\n'])(
    'is rejected with the reason if it has neither: %j',
    (text) => {
      expect(typeof readRalphConfig(text)).toBe('string')
    },
  )
})

describe('a score file with an invalid day', () => {
  it('loses only that day', () => {
    const text = JSON.stringify({ history: [day('2026-01-02', 5), { date: 'x' }, day('2026-01-01', 4)] })
    const reading = readScoreFile(text)
    expect(reading).toMatchObject({ left: [expect.stringMatching(/^day 2/)] })
    expect(typeof reading === 'string' ? 0 : reading.history.days).toHaveLength(2)
  })
})
