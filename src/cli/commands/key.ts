import type { Command } from 'commander'
import { RequestProblem } from '../../api/request-problem.ts'
import { usageError } from '../cli-error.ts'
import type { RunCommand } from '../context.ts'
import type { RingKey } from '../machine.ts'

interface RevokeOptions {
  readonly from?: string
  readonly until?: string
  readonly reason?: string
}

/** Adds `key show`, `key export`, `key rotate` and `key revoke`, which manage the keys that sign verdicts. */
export function addKeyCommand(program: Command, run: RunCommand): void {
  const key = program.command('key').description('manage the keys that sign verdicts')
  key
    .command('show')
    .description('show all keys, the signing one last; creates the first one')
    .action(
      run(async ({ machine, output, dataDirectory }) => {
        const keys = await (await machine.attestations()).ensureKey(dataDirectory)
        output.answer({ keys }, () => keys.map(describe))
        return 0
      }),
    )
  key
    .command('export')
    .description(
      'print the public signing key as PEM (SPKI); with --json, also its id, dates and revocations',
    )
    .argument('[KEYID]', 'a key other than the signing one')
    .option('--all', 'all of them (with --json)')
    .action(
      run(async ({ machine, output, dataDirectory }, id: string | undefined, options: { all?: boolean }) => {
        const keys = await (await machine.attestations()).ensureKey(dataDirectory)
        if (options.all === true) {
          output.answer({ keys: keys.map(exported) }, () => keys.map(({ publicKey }) => publicKey.trim()))
          return 0
        }
        const chosen = id === undefined ? keys.at(-1) : keys.find(({ keyid }) => keyid === id)
        if (chosen === undefined)
          throw new RequestProblem('not-found', `There is no key ${id}. \`pulseward key show\` lists them.`)
        output.answer(exported(chosen), () => chosen.publicKey.trim().split('\n'))
        return 0
      }),
    )
  key
    .command('rotate')
    .description('retire the signing key and create another; what the old one signed stays valid')
    .action(
      run(async ({ machine, output, dataDirectory }) => {
        const made = await (await machine.attestations()).rotate(dataDirectory)
        output.answer(made, () => [describe(made)])
        return 0
      }),
    )
  key
    .command('revoke')
    .description('distrust what a key signed: everything, or within a time range')
    .argument('<KEYID>')
    .option('--from <DATE>', 'ISO 8601 (default: from its beginning)')
    .option('--until <DATE>', 'ISO 8601 (default: no end)')
    .option('--reason <TEXT>', 'shown when a check rejects it')
    .action(
      run(async ({ machine, output, dataDirectory }, id: string, options: RevokeOptions) => {
        const revocation = {
          from: dateOf('--from', options.from, '00:00:00.000'),
          until: dateOf('--until', options.until, '23:59:59.999'),
          reason: options.reason ?? '',
        }
        const revoked = await (await machine.attestations()).revoke(dataDirectory, id, revocation)
        output.answer(revoked, () => [describe(revoked)])
        return 0
      }),
    )
}

/** Parses a date option. A date without a time gets `timeOfDay`, in local time, so that a range includes the whole day. */
function dateOf(option: string, value: string | undefined, timeOfDay: string): string | null {
  if (value === undefined) return null
  const at = Date.parse(/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T${timeOfDay}` : value)
  if (Number.isNaN(at))
    throw usageError(`${option}: ${JSON.stringify(value)} is no date. Write it as 2026-11-25T21:00:00Z.`)
  return new Date(at).toISOString()
}

/** Returns the public part that others need to trust the key, without where it is stored. */
function exported({ keptIn: _keptIn, ...key }: RingKey) {
  return key
}

function describe({ keyid, createdAt, retiredAt, revoked, keptIn }: RingKey): string {
  const parts = [
    retiredAt === null ? 'signs' : `retired ${retiredAt}`,
    `made ${createdAt}`,
    `private key in ${keptIn === 'key-store' ? 'the system’s key store' : 'the data folder'}`,
    ...revoked.map(
      ({ from, until, reason }) =>
        `revoked ${from ?? ''}…${until ?? ''}${reason === '' ? '' : ` (${reason})`}`,
    ),
  ]
  return `${keyid}  ${parts.join(', ')}`
}
