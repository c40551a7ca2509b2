import { type Landing, landOnce } from './land-once.ts'

/* Lands in a process of its own that ends itself by SIGKILL at a step: `land-and-die.ts STEP LANDING`, the latter as JSON. */

const [step = '', landing = '{}'] = process.argv.slice(2)
await landOnce(JSON.parse(landing) as Landing, async (at) => {
  if (at === step) process.kill(process.pid, 'SIGKILL')
})
