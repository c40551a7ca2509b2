import { expect, expectTypeOf, test } from 'vitest'
import { type AdaptiveTimeoutRules, DEFAULT_ADAPTIVE_TIMEOUT } from './adaptive-timeout.ts'
import { AGENT_SETTINGS } from './agent.ts'
import { DEFAULT_SCORING, SCORING_SETTINGS } from './scoring.ts'
import { FILE_SECTIONS } from './sections.ts'
import { defaultsOf, numberSetting, sectionSchema, toggleSetting, valuesOf } from './setting.ts'

const ROWS = {
  long_name: numberSetting({ from: 0, to: 10, default: 3, meaning: 'a number' }),
  renamed: numberSetting({ from: 0, to: 10, as: 'seconds', meaning: 'without a default' }),
  on: toggleSetting({ default: false, meaning: 'a switch' }),
}

test('a row defines schema, default, name and type of its setting', () => {
  const values = valuesOf(ROWS, sectionSchema(ROWS).parse({ on: true }))
  expect(values).toEqual({ longName: 3, seconds: null, on: true })
  expectTypeOf(values).toEqualTypeOf<{
    readonly longName: number
    readonly seconds: number | null
    readonly on: boolean
  }>()
  expect(defaultsOf(ROWS)).toEqual({ longName: 3, seconds: null, on: false })
})

test('rejects a value beyond its limits and a misspelled name, with the reason', () => {
  const problems = sectionSchema(ROWS).safeParse({ long_name: 11, lon_name: 1 }).error?.issues
  expect(problems?.map(({ message }) => message)).toEqual([
    'a number from 0 to 10',
    'unknown name. Did you mean "long_name"?',
  ])
})

test('every default is within the limits of the same row', () => {
  for (const { name, settings } of FILE_SECTIONS) {
    for (const [key, { schema, default: value }] of Object.entries(settings)) {
      if (value === undefined) continue
      expect(schema.safeParse(value).error?.issues ?? [], `${name}.${key}`).toEqual([])
    }
  }
})

test('points keep their sign: a cost cannot become a reward', () => {
  const { verified_required, not_verified } = SCORING_SETTINGS
  expect(verified_required.schema.safeParse(-1).success).toBe(false)
  expect(not_verified.schema.safeParse(1).success).toBe(false)
  expect(DEFAULT_SCORING).toMatchObject({ verifiedRequired: 10, notVerified: -15, lockdownShare: 0.2 })
})

test('a level has its own seconds only if they are set', () => {
  expectTypeOf<AdaptiveTimeoutRules['modeTimeoutSeconds']>().toEqualTypeOf<number>()
  expect(DEFAULT_ADAPTIVE_TIMEOUT.complexity.ui_heavy).toEqual({
    baseSeconds: null,
    multiplier: 3,
    keywords: ['UI', 'View', 'Chart', 'Dashboard', 'SwiftUI'],
  })
})

test.each([
  ['all', true],
  ['none', true],
  [['api.example.org', '*.example.org', 'localhost:8080'], true],
  [[], false],
  ['some', false],
  [['https://example.org/'], false],
])('network = %j is valid: %s', (value, isRight) => {
  expect(AGENT_SETTINGS.network.schema.safeParse(value).success).toBe(isRight)
})
