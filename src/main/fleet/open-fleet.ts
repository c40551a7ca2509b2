import { randomUUID } from 'node:crypto'
import { RequestProblem } from '../../api/request-problem.ts'
import { passOf } from '../../core/fleet/join-token.ts'
import type { FleetStatus, Join, Membership } from '../../core/fleet/status.ts'
import { exists } from '../files/durable-file.ts'
import type { AskedDesk, Fleet } from '../ports/fleet.ts'
import { createSerializer } from '../process/serialize.ts'
import type { RunningCentre } from './centre.ts'
import { lazyLeases } from './lazy-leases.ts'
import type { Member, MemberOptions } from './member.ts'
import {
  type MemberFile,
  memberPath,
  readMemberFile,
  removeMemberFile,
  writeMemberFile,
} from './pass-file.ts'

export interface FleetOptions extends Omit<MemberOptions, 'leases' | 'desk'> {
  /** The folder of the hub whose center this host is; omitted if it is not a center. */
  readonly hubDirectory?: string
  /** False: this process ends with its command and sends nothing. */
  readonly isResident: boolean
  /** Called when a center's view of its fleet changes. */
  readonly fleetChanged: () => void
}

/**
 * Opens a host's fleet. Loads nothing of NATS if it is in none. Notifies the operator of an unusable file, and the host works as
 * if there were no hub. Rejects with a `RequestProblem` if it should be the center of a folder without a hub.
 */
export async function openFleet(options: FleetOptions): Promise<Fleet> {
  const { dataDirectory, isResident, log } = options
  let member: Member | null = null
  const centre = await openCentre(options)
  let idle: MemberFile | null = null
  const change = createSerializer()
  let desk = NO_DESK
  const shared = lazyLeases({
    clock: options.clock,
    log,
    onLost: (lost) => tellLost(lost, options),
    link: () =>
      member?.link() ?? 'This host is in no fleet: join one with `pulseward fleet join URL --token …`.',
  })
  const start = async (file: MemberFile): Promise<void> => {
    await member?.stop()
    idle = isResident ? null : file
    if (!isResident) return
    const { startMember } = await import('./member.ts')
    member = startMember(file, { ...options, leases: shared.list, desk: () => desk })
    // Without a desk this is done later, once something can record it.
    if (desk !== NO_DESK) void member.tellInterrupted()
  }
  const status = (): FleetStatus => ({
    member: member?.status() ?? (idle === null ? null : idleMembership(idle)),
    isCentre: centre !== null,
  })
  if (await exists(memberPath(dataDirectory))) {
    await readMemberFile(dataDirectory)
      .then((file) => (file === null ? undefined : start(file)))
      .catch((error: unknown) => tellUnusable(error, options))
  }
  return {
    status,
    join: (asked) =>
      change(async () => {
        const file = fileOf(asked)
        const { connectHub } = await import('./connect-hub.ts')
        const connection = await connectHub(file)
        await connection.close()
        await writeMemberFile(dataDirectory, file)
        await start(file)
        return status()
      }),
    leave: () =>
      change(async () => {
        const isMember = member !== null || idle !== null || (await exists(memberPath(dataDirectory)))
        await member?.stop()
        member = null
        idle = null
        await removeMemberFile(dataDirectory)
        return isMember
      }),
    centre,
    leaseOf: shared.of,
    notices: (workspace) => member?.notices(workspace) ?? [],
    changed: () => member?.changed(),
    answerBy: (given) => {
      desk = given
      void member?.tellInterrupted()
    },
    stop: () =>
      change(async () => {
        await shared.stop()
        await member?.stop()
        await centre?.stop()
      }),
  }
}

const NO_DESK: AskedDesk = {
  carryOut: async () => {
    throw new RequestProblem('unavailable', 'The host is starting: ask again.')
  },
  interrupted: async () => {},
}

/** Notifies the operator that this host lost the lease of shared work, so two hosts may have worked on it. */
function tellLost(
  {
    name,
    workspace,
    holder,
  }: { readonly name: string; readonly workspace: string; readonly holder: string | null },
  { clock, notifier }: FleetOptions,
): void {
  notifier.notify({
    key: `lease-lost:${workspace}:${name}:${clock.nowMs()}`,
    about: 'trouble',
    severity: 'warning',
    workspaceId: workspace,
    title: `${holder ?? 'Another host'} took over ${name} while this host had it`,
    body: 'This host did not renew its lease in time: it was asleep or disconnected. Both may have worked on it, so compare their results.',
  })
}

function tellUnusable(error: unknown, { log, notifier }: FleetOptions): void {
  const problem = error instanceof Error ? error.message : String(error)
  log.error('This host is in no fleet until its file is usable', { problem })
  notifier.notify({
    key: 'fleet-file',
    about: 'trouble',
    workspaceId: '',
    title: 'The fleet was not joined',
    body: problem,
  })
}

async function openCentre({ hubDirectory, ...options }: FleetOptions): Promise<RunningCentre | null> {
  if (hubDirectory === undefined) return null
  const { startCentre } = await import('./centre.ts')
  return startCentre({ ...options, hubDirectory })
}

function idleMembership({ name, url, group, labels }: MemberFile): Membership {
  return {
    host: name,
    url,
    group,
    labels: [...labels],
    state: 'idle',
    problem: null,
    workspaces: [],
    leases: [],
    refusedAsks: [],
    content: null,
  }
}

function fileOf({ url, token, group, labels }: Join): MemberFile {
  const pass = passOf(token, (text) => Buffer.from(text, 'base64url').toString('utf8'))
  if ('problem' in pass) throw new RequestProblem('bad-request', `That is not a hub token. ${pass.problem}`)
  return { ...pass, url, group, labels: [...labels], instance: randomUUID() }
}
