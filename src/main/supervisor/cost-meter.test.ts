import { expect, it } from 'vitest'
import type { MeasuredCheck } from '../../core/record/costs.ts'
import { inMeter, startMeter } from './cost-meter.ts'

const test: MeasuredCheck = { kind: 'gate', name: 'npm test' }

it('times checks in place, the clean room and its checks, failing ones too, and counts the rest as its own', async () => {
  let nowMs = 5000
  const pass = async (ms: number): Promise<number> => {
    nowMs += ms
    return ms
  }
  const meter = startMeter({ monotonicMs: () => nowMs })
  await pass(10)
  expect(await meter.watch('in-place')(test, () => pass(200))).toBe(200)
  await pass(1000)
  expect(await inMeter(meter, () => pass(40))).toBe(40)
  const failing = meter.watch('clean-room')(test, async () => {
    await pass(300)
    throw new Error('it ended')
  })
  await expect(failing).rejects.toThrow('it ended')
  await pass(5)
  expect(meter.costs(1000)).toEqual({
    agentMs: 1000,
    checksMs: 200,
    cleanRoomMs: 340,
    pulsewardMs: 15,
    byCheck: [{ kind: 'gate', name: 'npm test', runs: 2, ms: 500 }],
  })
  expect(await inMeter(undefined, () => pass(1))).toBe(1)
})
