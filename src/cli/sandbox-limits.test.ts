import { expect, it } from 'vitest'
import { limitsOf } from './inspect-data.ts'

it('doctor reports if agents can still reach keyrings', () => {
  const guard = { perl: '/usr/bin/perl', isScoped: true }
  const bubblewrap = { means: 'bubblewrap', program: '/usr/bin/bwrap', hasLayers: false } as const
  expect(limitsOf({ ...bubblewrap, guard }, 'x64')).toBe('')
  expect(limitsOf({ ...bubblewrap, guard }, 'riscv64')).toMatch(/keyrings.* perl, and a kernel that allows/)
  expect(limitsOf(bubblewrap, 'x64')).toMatch(/keyrings/)
  expect(limitsOf({ means: 'seatbelt' })).toBe('')
})
