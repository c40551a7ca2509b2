import { expect, it } from 'vitest'
import type { AttemptCosts, CheckCost } from '../record/costs.ts'
import { checkCostInWords, checkInWords, costsInWords } from './cost-words.ts'

it.each<[string, Omit<AttemptCosts, 'byCheck'>]>([
  [
    'agent 41 s · checks 5.4 s · clean room 0 · Pulseward 0.3 s',
    { agentMs: 41_200, checksMs: 5430, cleanRoomMs: 0, pulsewardMs: 310 },
  ],
  [
    'agent 20 min 15 s · checks 10 s · clean room 9.9 s · Pulseward 4 ms',
    { agentMs: 1_215_000, checksMs: 9951, cleanRoomMs: 9949, pulsewardMs: 4 },
  ],
])('says %s', (words, costs) => expect(costsInWords(costs)).toBe(words))

it.each<[string, CheckCost]>([
  ['gate npm test: 5.4 s in 3 runs', { kind: 'gate', name: 'npm test', runs: 3, ms: 5430 }],
  ['judge: 20 s in 1 run', { kind: 'judge', name: 'judge', runs: 1, ms: 20_000 }],
  // From a run that several tasks shared.
  ['probe mail: 30 ms in 1 run', { kind: 'probe', name: 'mail', runs: 1 / 3, ms: 30 }],
])('says %s', (words, cost) => expect(`${checkInWords(cost)}: ${checkCostInWords(cost)}`).toBe(words))
