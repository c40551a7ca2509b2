import type { HeldLease } from '../../core/fleet/status.ts'
import { NOT_SHARED, type WorkLease } from '../ports/work-lease.ts'
import type { Leases, LeasesOptions } from './leases.ts'

/** Returns a host's leases; loads nothing of NATS before a workspace asks for one. */
export function lazyLeases(options: LeasesOptions): {
  readonly of: (workspace: string) => WorkLease
  readonly list: () => readonly HeldLease[]
  readonly stop: () => Promise<void>
} {
  let opened: Leases | null = null
  const open = async (): Promise<Leases> => {
    const { Leases: Opened } = await import('./leases.ts')
    opened ??= new Opened(options)
    return opened
  }
  return {
    list: () => opened?.list() ?? [],
    stop: async () => opened?.stop(),
    of: (workspace) => {
      let lease = NOT_SHARED
      return {
        hold: async (terms, forMs) => {
          if (lease === NOT_SHARED && terms.lease !== null) lease = (await open()).of(workspace)
          return lease.hold(terms, forMs)
        },
        rest: () => lease.rest(),
        release: () => lease.release(),
        get epoch() {
          return lease.epoch
        },
      }
    },
  }
}
