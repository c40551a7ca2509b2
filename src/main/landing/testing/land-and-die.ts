import { type Landing, landOnce } from './land-once.ts'

/* Lands in a separate process that kills itself at a step: `land-and-die.ts STEP LANDING`, LANDING as JSON. */

const [step = '', landing = '{}'] = process.argv.slice(2)
await landOnce(JSON.parse(landing) as Landing, async (at) => {
  if (at === step) process.kill(process.pid, 'SIGKILL')
})
