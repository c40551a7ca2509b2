import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'

const seed = Number(process.env.PULSEWARD_TEST_SEED ?? randomInt(2 ** 30))
/** Inputs per test run; `npm run fuzz` reads a million. */
const INPUTS = 10_000

test(`reads any input from agents, files and runners without throwing or breaking a promise (PULSEWARD_TEST_SEED=${seed})`, () => {
  expect(fuzz(seed, INPUTS, { maxLength: 20_000, tooLong: null })).toEqual([])
}, 120_000)
