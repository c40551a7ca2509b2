import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { entriesOf } from '../files/names.ts'
import type { Power } from '../ports/power.ts'

/**
 * Reads power supplies on Linux: on battery if one discharges and nothing is plugged in. Other systems report it only to the desktop app,
 * and count as plugged in here.
 */
export function systemPower(directory = '/sys/class/power_supply'): Power {
  return {
    onBattery: () => {
      const supplies = entriesOf(directory).map(({ name }) => ({
        type: textOf(join(directory, name, 'type')),
        scope: textOf(join(directory, name, 'scope')),
        online: textOf(join(directory, name, 'online')),
        status: textOf(join(directory, name, 'status')),
      }))
      const isPlugged = supplies.some(({ type, online }) => type !== 'Battery' && online === '1')
      // A mouse has a battery too, with the scope `Device`.
      const isDischarging = supplies.some(
        ({ type, scope, status }) => type === 'Battery' && scope !== 'Device' && status === 'Discharging',
      )
      return isDischarging && !isPlugged
    },
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
