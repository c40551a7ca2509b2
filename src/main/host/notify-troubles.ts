import { rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { quoteAgent } from '../../core/text/quote.ts'
import { listWorkspaces } from '../config/registry.ts'
import { lostWorkspaces, sealingRefused } from '../ledger/seal.ts'
import type { Log } from '../ports/log.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { Containing } from '../sandbox/find-means.ts'
import { takesMore } from '../sandbox/sandbox.ts'
import type { HostOptions } from './host-options.ts'
import type { Workspaces } from './workspaces.ts'

/** Notifies that another process has taken over the data folder, so that nothing more is recorded. */
export function notifyOfLostFolder({ log, notifier }: HostOptions, reason: string): void {
  log.error('The data folder is no longer ours; nothing more is recorded', { reason })
  notifier.notify({
    key: 'data-folder-lost',
    about: 'trouble',
    workspaceId: '',
    title: 'Pulseward records nothing any more',
    body: `Another process has taken the data folder away: ${reason}. Find out which, end it, and start Pulseward again.`,
  })
}

/** Notifies of each settings file that was set aside, because the operator's daily limits and quiet hours are lost with it. */
export function notifyOfSettings(notifier: Notifier, reason: string): void {
  notifier.notify({
    key: `settings-set-aside:${reason}`,
    about: 'trouble',
    workspaceId: '',
    title: 'Your settings do not count',
    body: `${reason} Its limits and quiet hours are off: correct the file and give it its name back.`,
  })
}

/**
 * Notifies of a workspace whose data folder is gone although it was not removed. Workspaces may come and go at the same time: `opened` are
 * the ids that were there before; any of them that are missing now are just being removed.
 */
export async function notifyOfLostWorkspaces(
  { dataDirectory, log }: Pick<HostOptions, 'dataDirectory' | 'log'>,
  workspaces: Pick<Workspaces, 'all' | 'unopened' | 'noteUnopened'>,
  opened: readonly string[] = [],
): Promise<void> {
  const there = async (): Promise<readonly string[]> => {
    const known = [...workspaces.all(), ...workspaces.unopened()].map(({ id }) => id)
    return [...known, ...(await listWorkspaces(dataDirectory, log)).map(({ id }) => id)]
  }
  const lost = await lostWorkspaces(dataDirectory, [...opened, ...(await there())])
  const came = new Set(lost.length === 0 ? [] : await there())
  for (const { id, events } of lost) {
    if (came.has(id)) continue
    workspaces.noteUnopened({
      id,
      name: id,
      path: '',
      reason: `Its record is gone: it had ${events} events, and no one removed it. Restore its folder in the data folder from a backup, or give it up with \`pulseward doctor --accept ${id}\`.`,
    })
  }
}

type Told = Pick<HostOptions, 'dataDirectory' | 'log' | 'notifier'>

/** Warns that agents run without a sandbox, which makes "auto" mean none: in the log at each start, to the operator once. */
export async function notifyWithoutSandbox(told: Told, find: () => Promise<Containing>): Promise<void> {
  const { found, failed } = await find()
  if (found === null)
    told.log.warn(`Agents run without a sandbox on this machine. ${takesMore()}`, { tried: failed })
  await notifyOnce(told, found === null, {
    key: 'without-sandbox',
    title: 'Agents run without a sandbox on this machine',
    body: `They and their checks run with all your rights. ${takesMore()} \`pulseward doctor\` says what was tried.`,
  })
}

/** Warns that without seals nothing outside the data folder knows where its records end: as often as for a missing sandbox. */
export async function notifyWithoutSeals(
  told: Told,
  refused: () => Promise<string | null> = sealingRefused,
): Promise<void> {
  const reason = await refused()
  if (reason !== null) told.log.warn('Records cannot be sealed', { reason })
  await notifyOnce(told, reason !== null, {
    key: 'without-seals',
    title: 'Records cannot be sealed on this machine',
    body: `${reason} Until then, a record that is cut or rewritten may go unnoticed.`,
  })
}

/** Notifies once, and again only after the problem was gone. Rejects if it was notified already, or the mark cannot be written. */
async function notifyOnce(
  { dataDirectory, notifier }: Told,
  isSo: boolean,
  { key, title, body }: { readonly key: string; readonly title: string; readonly body: string },
): Promise<void> {
  const mark = join(dataDirectory, `notified-${key}`)
  if (!isSo) return rm(mark, { force: true })
  await writeFile(mark, '', { flag: 'wx', mode: 0o600 })
  notifier.notify({ key, about: 'trouble', workspaceId: '', title, body })
}

export function notifyOfSetAside(notifier: Notifier, log: Log, workspace: string, path: string): void {
  log.warn('What an agent left in a repository for git to obey was set aside', { workspace, path })
  notifier.notify({
    key: `set-aside:${path}`,
    about: 'trouble',
    workspaceId: '',
    title: `${basename(workspace)}: an agent left other settings for git`,
    body: `Your own git would have run programs that ${quoteAgent(path)} names. It is now ${quoteAgent(`${basename(path)}.set-aside`)}: look at it, and delete it.`,
  })
}
