import { describe, expect, it } from 'vitest'
import { refusingCalls } from './refused-calls.ts'

/** Runs the filter like the kernel: it gets the program's architecture, the call's number and its second argument. */
function answerTo(kind: number, call: number, argument = 0): 'allowed' | 'refused' {
  const [, text = ''] = /pack\("\(SCCL\)\*", ([\d,]+)\)/.exec(refusingCalls('x64') ?? '') ?? []
  const numbers = text.split(',').map(Number)
  const memory = new Map([
    [0, call],
    [4, kind],
    [24, argument],
  ])
  let kept = 0
  for (let at = 0; ; at += 1) {
    const [code, yes = 0, no = 0, value = 0] = numbers.slice(at * 4, at * 4 + 4)
    if (code === 0x20) kept = memory.get(value) ?? Number.NaN
    else if (code === 0x54) kept = (kept & value) >>> 0
    else if (code === 0x15) at += kept === value ? yes : no
    else if (code === 0x06) return value === 0x7fff0000 ? 'allowed' : 'refused'
    else throw new Error(`step ${at} is none: ${code}`)
  }
}

const PASTING = 0x541c
const TYPING = 0x5412
const SIZE = 0x5413

describe.each([
  ['x86-64', 0xc000003e, [248, 249, 250], 16],
  ['x32', 0xc000003e, [248, 249, 250].map((call) => call + 0x40000000), 514 + 0x40000000],
  ['i386', 0x40000003, [286, 287, 288], 54],
  ['arm64', 0xc00000b7, [217, 218, 219], 29],
  ['arm', 0x40000028, [309, 310, 311], 54],
])('a program for %s', (_, kind, keys, ioctl) => {
  it('cannot use keyrings or type into a terminal', () => {
    for (const call of keys) expect(answerTo(kind, call), String(call)).toBe('refused')
    for (const request of [TYPING, PASTING]) expect(answerTo(kind, ioctl, request)).toBe('refused')
  })

  it('may do everything else', () => {
    const first = keys[0] ?? 0
    for (let call = first - 200; call < first + 400; call += 1)
      if (!keys.includes(call)) expect(answerTo(kind, call, SIZE), String(call)).toBe('allowed')
    expect(answerTo(kind, ioctl, SIZE)).toBe('allowed')
    expect(answerTo(kind, ioctl + 1, TYPING)).toBe('allowed')
  })
})

it('refuses nothing if the kernel’s numbers are unknown', () => {
  expect(refusingCalls('riscv64')).toBeNull()
})
