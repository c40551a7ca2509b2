import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Power } from '../ports/power.ts'

/**
 * What Linux says of its power supplies: on battery where one discharges and nothing is plugged in. Other systems say it to the
 * desktop app alone; there it counts as plugged in.
 */
export function systemPower(directory = '/sys/class/power_supply'): Power {
  return {
    onBattery: () => {
      const supplies = namesIn(directory).map((name) => ({
        type: textOf(join(directory, name, 'type')),
        scope: textOf(join(directory, name, 'scope')),
        online: textOf(join(directory, name, 'online')),
        status: textOf(join(directory, name, 'status')),
      }))
      const isPlugged = supplies.some(({ type, online }) => type !== 'Battery' && online === '1')
      // A mouse has a battery too.
      const isDischarging = supplies.some(
        ({ type, scope, status }) => type === 'Battery' && scope !== 'Device' && status === 'Discharging',
      )
      return isDischarging && !isPlugged
    },
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
