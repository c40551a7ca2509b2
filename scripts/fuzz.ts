/*
 * `npm run fuzz -- [--inputs N] [--seed N]`: reads a million inputs, compared with ten thousand in the tests; meant for nightly
 * runs. If an input breaks a promise, prints it with its seed and exits with 1.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { fuzz } from '../bench/fuzz/fuzz.ts'

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(randomInt(2 ** 30)) },
  },
})
const inputs = Number(values.inputs)
const STEP = 50_000
/** What is linear takes a hundredth of this. */
const TRIAL = { maxLength: 200_000, tooLong: 1000 }
const findings = []
for (let done = 0; done < inputs && findings.length < 10; done += STEP) {
  const count = Math.min(STEP, inputs - done)
  findings.push(...fuzz(Number(values.seed) + done, count, TRIAL))
  console.log(`${done + count} inputs, seed ${values.seed}: ${findings.length} findings`)
}
for (const { target, seed, problem, input } of findings)
  console.error(`${target}, seed ${seed}: ${problem}\n${JSON.stringify(input.slice(0, 2000))}`)
process.exitCode = findings.length === 0 ? 0 : 1
