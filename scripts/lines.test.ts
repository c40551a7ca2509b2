import { expect, it } from 'vitest'
import { type Budget, budgetSchema, type Lines, linesByFolder, linesTable, overBudget } from './lines.ts'

const budget: Budget = { core: { product: 100, tests: 20, reason: 'small' } }
const core = (product: number, tests: number) => ({ core: { product, tests } })

it.each<[what: string, path: string, counts: keyof Lines]>([
  ['a module', 'core/a.ts', 'product'],
  ['a component', 'core/b/a.tsx', 'product'],
  ['a stylesheet', 'core/a.module.css', 'product'],
  ['a test', 'core/a.test.ts', 'tests'],
  ['a component test', 'core/b/a.test.tsx', 'tests'],
  ['a type test', 'core/a.test-d.ts', 'tests'],
  ['a test helper', 'core/b/testing/a.ts', 'tests'],
  ['a fixture', 'core/fixtures/a.ts', 'tests'],
  ['a module named like a test', 'core/latest.ts', 'product'],
])('counts %s', (_what, path, kind) => {
  expect(linesByFolder([[path, 'a\nb\n']])).toEqual({ core: { product: 0, tests: 0, [kind]: 2 } })
})

it('adds up files by top folder', () => {
  expect(
    linesByFolder([
      ['a.ts', '1\n'],
      ['core/a.ts', '1\n2\n'],
      ['core/b/c.ts', '1\n'],
      ['main/a.test.ts', '1\n'],
    ]),
  ).toEqual({
    '.': { product: 1, tests: 0 },
    core: { product: 3, tests: 0 },
    main: { product: 0, tests: 1 },
  })
})

it.each<[what: string, folders: Readonly<Record<string, Lines>>, problems: readonly RegExp[]]>([
  ['the same number', core(100, 20), []],
  ['fewer lines', core(1, 0), []],
  ['10% more', core(110, 22), []],
  [
    'over 10% more product code',
    core(1111, 20),
    [/^src\/core has 1,111 lines of product, 1,001 more than its limit of 110: .*raise "product" of "core"/],
  ],
  ['over 10% more test code', core(100, 23), [/^src\/core has 23 lines of tests, 1 more .* limit of 22/]],
  ['both', core(200, 200), [/of product/, /of tests/]],
  [
    'a folder without a budget',
    { ...core(1, 1), main: { product: 1, tests: 0 } },
    [/^src\/main has no budget/],
  ],
  ['a missing folder', {}, [/^src\/core does not exist/]],
])('judges %s', (_what, folders, problems) => {
  expect(overBudget(folders, budget)).toEqual(problems.map((problem) => expect.stringMatching(problem)))
})

it.each([
  ['no reason', { core: { product: 1, tests: 1 } }],
  ['an empty reason', { core: { product: 1, tests: 1, reason: ' ' } }],
  ['a fraction', { core: { product: 1.5, tests: 1, reason: 'small' } }],
  ['a negative number', { core: { product: -1, tests: 1, reason: 'small' } }],
])('rejects a budget with %s', (_what, value) => {
  expect(budgetSchema.safeParse(value).success).toBe(false)
})

it('prints the lines, the budget and the total', () => {
  expect(
    linesTable(core(1099, 7), budget)
      .split('\n')
      .map((line) => line.split(/\s{2,}/)),
  ).toEqual([
    ['src/', 'product', 'tests'],
    ['core', '1,099 (100)', '7 (20)'],
    ['total', '1,099', '7'],
  ])
})
