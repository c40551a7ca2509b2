import type { networkInterfaces } from 'node:os'
import { expect, it } from 'vitest'
import { isOfThisMachine } from './host-proxy.ts'

const card = (address: string, family: 'IPv4' | 'IPv6') => ({ address, family })
const cards = {
  lo: [card('127.0.0.1', 'IPv4'), card('::1', 'IPv6')],
  eth0: [card('192.168.1.7', 'IPv4'), card('2001:db8::7', 'IPv6')],
} as unknown as ReturnType<typeof networkInterfaces>

it.each([
  '127.0.0.1',
  '127.0.1.1',
  '0.0.0.0',
  '169.254.169.254',
  '::1',
  '::',
  'fe80::1%eth0',
  '::ffff:127.0.0.1',
  '192.168.1.7',
  '::ffff:192.168.1.7',
  '2001:db8::7',
])('an allowed name that resolves to %s leads to this machine', (address) => {
  expect(isOfThisMachine(address, cards)).toBe(true)
})

it.each(['192.168.1.8', '::ffff:192.168.1.8', '93.184.215.14', '2001:db8::8', '128.0.0.1'])(
  'an allowed name that resolves to %s does not',
  (address) => {
    expect(isOfThisMachine(address, cards)).toBe(false)
  },
)
