import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ORPCError } from '@orpc/client'
import { afterAll, describe, expect, it } from 'vitest'
import type { ApiClient } from '../../api/client.ts'
import { workspaceId } from '../config/registry.ts'
import { sha256 } from '../files/sha256.ts'
import { CONFIGURATION, SEEDED } from '../testing/seeded-workspaces.ts'
import { type TemporaryHost, temporaryFolder, temporaryHost } from '../testing/temporary-host.ts'

/*
 * Every domain with a real host, in process and over plain HTTP: the answers, the errors and their messages. Anything that takes a whole
 * heartbeat is tested in separate files next to this one.
 */

interface Case {
  readonly title: string
  readonly call: (client: ApiClient) => Promise<unknown>
  readonly http: readonly [method: string, path: string, body?: unknown]
  /** The existing workspaces; `one` by default. */
  readonly workspaces?: readonly (keyof typeof SEEDED)[]
  readonly value?: unknown
  readonly error?: { readonly code: string; readonly status: number; readonly message: unknown }
}

/** Known in advance, because ids are derived from the path. */
const root = await temporaryFolder()
const idOf = (name: string): string => workspaceId(join(root, name))

const badRequest = (message: unknown) => ({ code: 'BAD_REQUEST', status: 400, message })
const notFound = (message: unknown) => ({ code: 'NOT_FOUND', status: 404, message })
const conflict = (message: unknown) => ({ code: 'CONFLICT', status: 409, message })
const unprocessable = (message: unknown) => ({ code: 'UNPROCESSABLE_CONTENT', status: 422, message })

const noSuchWorkspace = notFound(expect.stringMatching(/^There is no workspace "nowhere"; known are one/))
/** The file does not exist yet. */
const DEFAULT_SETTINGS_HASH = sha256('')
const several = ['one', 'two'] as const

const cases: readonly Case[] = [
  {
    title: 'status answers with the host and its workspaces',
    call: (client) => client.status(),
    http: ['GET', '/api/status'],
    value: expect.objectContaining({
      version: '1.2.3',
      workspaces: [expect.objectContaining({ name: 'one' })],
    }),
  },
  {
    title: 'fleet.status answers that the host is in none',
    call: (client) => client.fleet.status(),
    http: ['GET', '/api/fleet'],
    value: { member: null, isCentre: false },
  },
  ...(['hosts', 'workspaces', 'leaderboard', 'timeline'] as const).map(
    (what): Case => ({
      title: `fleet.${what} says that a host is not a center`,
      call: (client) => client.fleet[what]({}),
      http: ['GET', `/api/fleet/${what}`],
      error: conflict(expect.stringMatching(/^This host is not the center of a fleet/)),
    }),
  ),
  {
    title: 'fleet.join refuses a token that is none',
    call: (client) => client.fleet.join({ url: 'tls://127.0.0.1:4222', token: 'pwf1.x' }),
    http: ['POST', '/api/fleet', { url: 'tls://127.0.0.1:4222', token: 'pwf1.x' }],
    error: badRequest(expect.stringMatching(/^That is not a hub token\. A part of it is missing/)),
  },
  {
    title: 'fleet.leave answers that there was none to leave',
    call: (client) => client.fleet.leave(),
    http: ['DELETE', '/api/fleet'],
    value: { left: false },
  },
  {
    title: "score.get answers with the only workspace's score",
    call: (client) => client.score.get({}),
    http: ['GET', '/api/score'],
    value: expect.objectContaining({ workspace: idOf('one'), score: 10 }),
  },
  {
    title: 'score.get answers with the score of the workspace named',
    workspaces: several,
    call: (client) => client.score.get({ workspace: idOf('two') }),
    http: ['GET', `/api/score?workspace=${idOf('two')}`],
    value: expect.objectContaining({ workspace: idOf('two') }),
  },
  {
    title: 'score.get refuses to guess among several workspaces, and lists them',
    workspaces: several,
    call: (client) => client.score.get({}),
    http: ['GET', '/api/score'],
    error: badRequest(
      expect.stringMatching(/^There are several workspaces; name one of one-\w+, two-\w+\.$/),
    ),
  },
  {
    title: 'score.get does not find a workspace that is not there',
    call: (client) => client.score.get({ workspace: 'nowhere' }),
    http: ['GET', '/api/score?workspace=nowhere'],
    error: noSuchWorkspace,
  },
  {
    title: 'score.history answers with today and the days before',
    call: (client) => client.score.history({}),
    http: ['GET', '/api/score/history'],
    value: expect.objectContaining({ today: expect.objectContaining({ score: 10 }), history: [] }),
  },
  {
    title: 'score.history does not find a workspace that is not there',
    call: (client) => client.score.history({ workspace: 'nowhere' }),
    http: ['GET', '/api/score/history?workspace=nowhere'],
    error: noSuchWorkspace,
  },
  {
    title: 'score.feedback answers with the points and the new score',
    workspaces: several,
    call: (client) => client.score.feedback({ workspace: idOf('two'), feedback: 'up', attemptId: 'a-1' }),
    http: ['POST', `/api/score/feedback?workspace=${idOf('two')}`, { feedback: 'up', attemptId: 'a-1' }],
    value: { delta: 3, score: 13 },
  },
  {
    title: 'score.feedback takes the workspace from the body too',
    workspaces: several,
    call: (client) => client.score.feedback({ workspace: idOf('two'), feedback: 'down' }),
    http: ['POST', '/api/score/feedback', { workspace: idOf('two'), feedback: 'down' }],
    value: { delta: -10, score: 0 },
  },
  {
    title: 'score.feedback says which field is wrong',
    // @ts-expect-error -- what a client without types may send
    call: (client) => client.score.feedback({ feedback: 'sideways' }),
    http: ['POST', '/api/score/feedback', { feedback: 'sideways' }],
    error: badRequest(expect.stringMatching(/^feedback: .*"up"\|"down"/)),
  },
  {
    title: 'score.feedback does not find an attempt that is not there',
    call: (client) => client.score.feedback({ feedback: 'up', attemptId: 'a-9' }),
    http: ['POST', '/api/score/feedback', { feedback: 'up', attemptId: 'a-9' }],
    error: notFound(expect.stringMatching(/^There is no attempt "a-9" in one; the latest is a-3\.$/)),
  },
  {
    title: 'permissions.answer takes yes or no',
    // @ts-expect-error -- what a client without types may send
    call: (client) => client.permissions.answer({ id: 'p-1', answer: 'always' }),
    http: ['POST', '/api/permissions/p-1', { answer: 'always' }],
    error: badRequest(expect.stringMatching(/^answer: /)),
  },
  {
    title: 'workspaces.list answers with all of them',
    workspaces: several,
    call: (client) => client.workspaces.list(),
    http: ['GET', '/api/workspaces'],
    value: [expect.objectContaining({ name: 'one' }), expect.objectContaining({ name: 'two' })],
  },
  {
    title: 'workspaces.list answers with a page of them',
    workspaces: several,
    call: (client) => client.workspaces.list({ limit: 1 }),
    http: ['GET', '/api/workspaces?limit=1'],
    value: [expect.objectContaining({ name: 'one' })],
  },
  {
    title: 'workspaces.list answers with the page after one of them',
    workspaces: several,
    call: (client) => client.workspaces.list({ limit: 1, after: idOf('one') }),
    http: ['GET', `/api/workspaces?limit=1&after=${idOf('one')}`],
    value: [expect.objectContaining({ name: 'two' })],
  },
  {
    title: 'workspaces.list refuses a page after one that is not there',
    call: (client) => client.workspaces.list({ after: 'nowhere' }),
    http: ['GET', '/api/workspaces?after=nowhere'],
    error: badRequest('There is no workspace "nowhere" to go on from. Start without it.'),
  },
  {
    title: 'workspaces.get answers with one, whole',
    call: (client) => client.workspaces.get({ id: idOf('one') }),
    http: ['GET', `/api/workspaces/${idOf('one')}`],
    value: expect.objectContaining({
      name: 'one',
      tasks: ['check_email', 'draw_chart'].map((id) => expect.objectContaining({ id })),
    }),
  },
  {
    title: 'workspaces.get does not find one that is not there',
    call: (client) => client.workspaces.get({ id: 'nowhere' }),
    http: ['GET', '/api/workspaces/nowhere'],
    error: noSuchWorkspace,
  },
  {
    title: 'workspaces.add adds a folder',
    call: (client) => client.workspaces.add({ path: join(root, 'new') }),
    http: ['POST', '/api/workspaces', { path: join(root, 'new') }],
    value: expect.objectContaining({ name: 'new', trust: 'missing' }),
  },
  {
    title: 'workspaces.add refuses an empty path',
    call: (client) => client.workspaces.add({ path: '' }),
    http: ['POST', '/api/workspaces', { path: '' }],
    error: badRequest(expect.stringMatching(/^path: /)),
  },
  {
    title: 'workspaces.add refuses a path from where the host was started',
    call: (client) => client.workspaces.add({ path: 'src' }),
    http: ['POST', '/api/workspaces', { path: 'src' }],
    error: badRequest('path: src is not an absolute path.'),
  },
  {
    title: 'workspaces.add says that the folder is missing',
    call: (client) => client.workspaces.add({ path: '/folders/missing' }),
    http: ['POST', '/api/workspaces', { path: '/folders/missing' }],
    error: unprocessable('There is no folder /folders/missing. Check the path.'),
  },
  {
    title: 'workspaces.add answers with the workspace that a folder is already',
    call: (client) => client.workspaces.add({ path: join(root, 'one') }),
    http: ['POST', '/api/workspaces', { path: join(root, 'one') }],
    value: expect.objectContaining({ name: 'one', trust: 'approved' }),
  },
  {
    title: 'workspaces.remove answers with what it removed',
    call: (client) => client.workspaces.remove({ id: idOf('one') }),
    http: ['DELETE', `/api/workspaces/${idOf('one')}`],
    value: { removed: idOf('one') },
  },
  {
    title: 'workspaces.remove does not find one that is not there',
    call: (client) => client.workspaces.remove({ id: 'nowhere' }),
    http: ['DELETE', '/api/workspaces/nowhere'],
    error: noSuchWorkspace,
  },
  {
    workspaces: ['unapproved'],
    title: 'workspaces.trust shows the commands',
    call: (client) => client.workspaces.trust({ id: idOf('unapproved') }),
    http: ['GET', `/api/workspaces/${idOf('unapproved')}/trust`],
    value: expect.objectContaining({
      commands: expect.arrayContaining([expect.objectContaining({ command: ['true'] })]),
    }),
  },
  {
    title: 'workspaces.trust does not find a workspace that is not there',
    call: (client) => client.workspaces.trust({ id: 'nowhere' }),
    http: ['GET', '/api/workspaces/nowhere/trust'],
    error: noSuchWorkspace,
  },
  {
    workspaces: ['unapproved'],
    title: 'workspaces.approve approves what was shown',
    call: (client) => client.workspaces.approve({ id: idOf('unapproved'), hash: sha256(CONFIGURATION) }),
    http: ['POST', `/api/workspaces/${idOf('unapproved')}/trust`, { hash: sha256(CONFIGURATION) }],
    value: expect.objectContaining({ state: 'approved' }),
  },
  {
    workspaces: ['unapproved'],
    title: 'workspaces.approve refuses what has changed since',
    call: (client) => client.workspaces.approve({ id: idOf('unapproved'), hash: 'h0' }),
    http: ['POST', `/api/workspaces/${idOf('unapproved')}/trust`, { hash: 'h0' }],
    error: conflict(expect.stringMatching(/pulseward\.toml has changed since/)),
  },
  {
    title: 'workspaces.openSample answers with the sample',
    call: (client) => client.workspaces.openSample(),
    http: ['POST', '/api/sample'],
    value: expect.objectContaining({ name: 'sample' }),
  },
  {
    title: 'contract.get answers with the text and its hash',
    call: (client) => client.contract.get({}),
    http: ['GET', '/api/contract'],
    value: expect.objectContaining({
      text: expect.any(String),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    }),
  },
  {
    title: 'contract.get does not find a workspace that is not there',
    call: (client) => client.contract.get({ workspace: 'nowhere' }),
    http: ['GET', '/api/contract?workspace=nowhere'],
    error: noSuchWorkspace,
  },
  {
    title: 'contract.put refuses a text made from an older one',
    call: (client) => client.contract.put({ text: 'new', hash: 'stale' }),
    http: ['PUT', '/api/contract', { text: 'new', hash: 'stale' }],
    error: conflict(expect.stringMatching(/HEARTBEAT\.md has changed since it was read/)),
  },
  {
    title: 'settings.put changes what is named and answers with all of it',
    call: async (client) =>
      client.settings.put({ changes: { theme: 'dark' }, hash: (await client.settings.get()).hash }),
    http: ['PUT', '/api/settings', { changes: { theme: 'dark' }, hash: DEFAULT_SETTINGS_HASH }],
    value: expect.objectContaining({
      settings: expect.objectContaining({ theme: 'dark', maxConcurrentCycles: 2 }),
    }),
  },
  {
    title: 'settings.put refuses a change made over older settings',
    call: (client) => client.settings.put({ changes: { theme: 'dark' }, hash: 'stale' }),
    http: ['PUT', '/api/settings', { changes: { theme: 'dark' }, hash: 'stale' }],
    error: conflict(expect.stringMatching(/settings\.json has changed since it was read/)),
  },
  {
    title: 'settings.put names the setting that is wrong',
    call: (client) => client.settings.put({ changes: { port: 99_999 }, hash: 'any' }),
    http: ['PUT', '/api/settings', { changes: { port: 99_999 }, hash: 'any' }],
    error: badRequest('changes.port: expected a whole number from 0 to 65535'),
  },
  {
    title: 'updates.status asks nobody, and says that a checkout names no place for them',
    call: (client) => client.updates.status(),
    http: ['GET', '/api/updates'],
    value: expect.objectContaining({ version: '1.2.3', form: 'checkout', feed: null, newer: [] }),
  },
  {
    title: 'updates.check says that there is nowhere to look',
    call: (client) => client.updates.check(),
    http: ['POST', '/api/updates/check'],
    error: unprocessable(expect.stringMatching(/This build has no update source/)),
  },
  {
    title: 'updates.install says that there is nowhere to look',
    call: (client) => client.updates.install({}),
    http: ['POST', '/api/updates/install', {}],
    error: unprocessable(expect.stringMatching(/This build has no update source/)),
  },
  {
    title: 'desktop.chooseFolder says that there is no desktop',
    call: (client) => client.desktop.chooseFolder(),
    http: ['POST', '/api/desktop/choose-folder'],
    error: unprocessable(expect.stringMatching(/not available here.*Type the path/)),
  },
  {
    title: 'configuration.put refuses a text made from an older file',
    call: (client) => client.configuration.put({ text: '', hash: 'stale' }),
    http: ['PUT', '/api/configuration', { text: '', hash: 'stale' }],
    error: conflict(expect.stringMatching(/pulseward\.toml has changed since it was read/)),
  },
  {
    title: 'setup.create approves only what was shown',
    call: (client) =>
      client.setup.create({ path: join(root, 'one'), contract: null, configuration: null, approve: 'other' }),
    http: [
      'POST',
      '/api/setup/create',
      { path: join(root, 'one'), contract: null, configuration: null, approve: 'other' },
    ],
    error: conflict(expect.stringMatching(/is not the one that was shown/)),
  },
  {
    title: 'contract.put names every missing field',
    // @ts-expect-error -- what a client without types may send
    call: (client) => client.contract.put({}),
    http: ['PUT', '/api/contract', {}],
    error: badRequest(expect.stringMatching(/^text: .*; hash: /)),
  },
  {
    title: 'landing.list answers with work on its way, of which there is none in place',
    call: (client) => client.landing.list({}),
    http: ['GET', '/api/landing'],
    value: { landing: [] },
  },
  {
    title: 'landing.show does not find an attempt that left no work',
    call: (client) => client.landing.show({ id: 'nothing' }),
    http: ['GET', '/api/landing/nothing'],
    error: { code: 'NOT_FOUND', status: 404, message: expect.stringContaining('nothing') },
  },
  {
    title: 'landing.answer does not find an attempt that left no work',
    call: (client) => client.landing.answer({ id: 'nothing', answer: 'land' }),
    http: ['POST', '/api/landing/nothing', { answer: 'land' }],
    error: { code: 'NOT_FOUND', status: 404, message: expect.stringContaining('nothing') },
  },
  {
    title: 'contract.preview answers with the prompt of a task, of a text that is not saved',
    call: (client) => client.contract.preview({ taskId: 'draft', text: '## Tasks\n- [ ] draft' }),
    http: ['POST', '/api/contract/preview', { taskId: 'draft', text: '## Tasks\n- [ ] draft' }],
    value: { prompt: expect.stringContaining('draft'), taskIds: ['draft'], timeoutSeconds: 180 },
  },
  {
    title: 'contract.preview does not find a task that the text lacks',
    call: (client) => client.contract.preview({ taskId: 'nothing' }),
    http: ['POST', '/api/contract/preview', { taskId: 'nothing' }],
    error: {
      code: 'NOT_FOUND',
      status: 404,
      message: 'The contract has no task "nothing"; it has check_email, draw_chart.',
    },
  },
  {
    title: 'contract.tryHint answers with what was measured',
    call: (client) => client.contract.tryHint({ taskId: 'check_email' }),
    http: ['POST', '/api/contract/try-hint', { taskId: 'check_email' }],
    value: expect.objectContaining({ holds: null, probes: [expect.objectContaining({ value: null })] }),
  },
  {
    title: 'contract.tryHint does not try a task that is not named',
    // @ts-expect-error -- what a client without types may send
    call: (client) => client.contract.tryHint({}),
    http: ['POST', '/api/contract/try-hint', {}],
    error: badRequest(expect.stringMatching(/^taskId: /)),
  },
  {
    title: 'contract.dryRun answers with every task',
    call: (client) => client.contract.dryRun({}),
    http: ['POST', '/api/contract/dry-run', {}],
    value: { tasks: ['check_email', 'draw_chart'].map((taskId) => expect.objectContaining({ taskId })) },
  },
  {
    title: 'contract.check answers with the diagnostics',
    call: (client) => client.contract.check({ text: 'nothing to do' }),
    http: ['POST', '/api/contract/check', { text: 'nothing to do' }],
    value: expect.objectContaining({ diagnostics: [expect.objectContaining({ code: 'no-tasks' })] }),
  },
  {
    title: 'contract.check refuses a text that is none',
    // @ts-expect-error -- what a client without types may send
    call: (client) => client.contract.check({ text: 7 }),
    http: ['POST', '/api/contract/check', { text: 7 }],
    error: badRequest(expect.stringMatching(/^text: expected a text, found a number/)),
  },
  {
    title: 'tasks.list answers with the tasks',
    call: (client) => client.tasks.list({}),
    http: ['GET', '/api/tasks'],
    value: [
      expect.objectContaining({ id: 'check_email', status: 'pending' }),
      expect.objectContaining({ id: 'draw_chart', blocked: true }),
    ],
  },
  {
    title: 'tasks.list does not find a workspace that is not there',
    call: (client) => client.tasks.list({ workspace: 'nowhere' }),
    http: ['GET', '/api/tasks?workspace=nowhere'],
    error: noSuchWorkspace,
  },
  {
    title: 'tasks.blocked answers with the blocked tasks and what to do about them',
    call: (client) => client.tasks.blocked({}),
    http: ['GET', '/api/tasks/blocked'],
    value: [
      expect.objectContaining({
        taskId: 'draw_chart',
        reason: expect.stringMatching(/^1 of 1 attempts failed: /),
        history: [
          expect.objectContaining({ kind: 'attempt' }),
          expect.objectContaining({ kind: 'unblock' }),
          expect.anything(),
        ],
        suggestion: expect.objectContaining({ kind: 'increase_timeout', timeoutSeconds: 810 }),
      }),
    ],
  },
  {
    title: 'tasks.blocked leaves the suggestions out where it is told so',
    call: (client) => client.tasks.blocked({ suggest: false }),
    http: ['GET', '/api/tasks/blocked?suggest=false'],
    value: [expect.objectContaining({ taskId: 'draw_chart', suggestion: null })],
  },
  {
    title: 'tasks.blocked refuses a suggest that is neither yes nor no',
    // @ts-expect-error -- what a client without types may send
    call: (client) => client.tasks.blocked({ suggest: 7 }),
    http: ['GET', '/api/tasks/blocked?suggest=7'],
    error: badRequest(expect.stringMatching(/^suggest: /)),
  },
  {
    title: 'tasks.unblock answers with the timeout of the next attempt',
    workspaces: several,
    call: (client) =>
      client.tasks.unblock({ workspace: idOf('two'), id: 'draw_chart', timeoutSeconds: 1800 }),
    http: ['POST', `/api/tasks/draw_chart/unblock?workspace=${idOf('two')}`, { timeoutSeconds: 1800 }],
    value: expect.objectContaining({ taskId: 'draw_chart', timeoutSeconds: 1800 }),
  },
  {
    title: 'tasks.unblock multiplies the planned timeout',
    call: (client) => client.tasks.unblock({ id: 'draw_chart', timeoutMultiplier: 2 }),
    http: ['POST', '/api/tasks/draw_chart/unblock', { timeoutMultiplier: 2 }],
    value: expect.objectContaining({ timeoutSeconds: 1620 }),
  },
  {
    title: 'tasks.unblock needs neither reason nor timeout',
    call: (client) => client.tasks.unblock({ id: 'draw_chart' }),
    http: ['POST', '/api/tasks/draw_chart/unblock'],
    value: expect.objectContaining({ timeoutSeconds: 810 }),
  },
  {
    title: 'tasks.unblock refuses a task that is not blocked',
    call: (client) => client.tasks.unblock({ id: 'check_email', reason: 'again' }),
    http: ['POST', '/api/tasks/check_email/unblock', { reason: 'again' }],
    error: conflict('check_email is not blocked: it is pending. Blocked are draw_chart.'),
  },
  {
    title: 'tasks.unblock does not find a task that is not there',
    call: (client) => client.tasks.unblock({ id: 'no/such' }),
    http: ['POST', '/api/tasks/no%2Fsuch/unblock'],
    error: notFound('The last heartbeat had no task "no/such". Blocked are draw_chart.'),
  },
  ...[0, 86_401, 1.5].map((timeoutSeconds) => ({
    title: `tasks.unblock refuses a timeout of ${timeoutSeconds} s`,
    call: (client: ApiClient) => client.tasks.unblock({ id: 'draw_chart', timeoutSeconds }),
    http: ['POST', '/api/tasks/draw_chart/unblock', { timeoutSeconds }] as const,
    error: badRequest(expect.stringMatching(/^timeoutSeconds: /)),
  })),
  {
    title: 'tasks.unblock refuses a reason without words',
    call: (client) => client.tasks.unblock({ id: 'draw_chart', reason: ' ' }),
    http: ['POST', '/api/tasks/draw_chart/unblock', { reason: ' ' }],
    error: badRequest(expect.stringMatching(/^reason: /)),
  },
  {
    title: 'tasks.unblockLevel multiplies the timeouts of all blocked tasks of a kind',
    call: (client) => client.tasks.unblockLevel({ filter: 'ui_heavy', timeoutMultiplier: 3 }),
    http: ['POST', '/api/tasks/unblock', { filter: 'ui_heavy', timeoutMultiplier: 3 }],
    value: { unblocked: [expect.objectContaining({ timeoutSeconds: 2430 })], refused: [] },
  },
  {
    title: 'tasks.unblockLevel gives all blocked tasks of a kind one timeout',
    call: (client) => client.tasks.unblockLevel({ filter: 'ui_heavy', timeoutSeconds: 900 }),
    http: ['POST', '/api/tasks/unblock', { filter: 'ui_heavy', timeoutSeconds: 900 }],
    value: { unblocked: [expect.objectContaining({ timeoutSeconds: 900 })], refused: [] },
  },
  {
    title: 'tasks.unblockLevel is content with finding none',
    call: (client) => client.tasks.unblockLevel({ filter: 'simple' }),
    http: ['POST', '/api/tasks/unblock', { filter: 'simple' }],
    value: { unblocked: [], refused: [] },
  },
  {
    title: 'tasks.unblockLevel names the kinds there are',
    // @ts-expect-error -- what a client without types may send
    call: (client) => client.tasks.unblockLevel({ filter: 'heavy' }),
    http: ['POST', '/api/tasks/unblock', { filter: 'heavy' }],
    error: badRequest(expect.stringMatching(/^filter: .*ui_heavy/)),
  },
  {
    title: 'tasks.unblockLevel refuses a multiplier of nothing',
    call: (client) => client.tasks.unblockLevel({ filter: 'simple', timeoutMultiplier: 0 }),
    http: ['POST', '/api/tasks/unblock', { filter: 'simple', timeoutMultiplier: 0 }],
    error: badRequest(expect.stringMatching(/^timeoutMultiplier: /)),
  },
  {
    title: 'tasks.unblockMany unblocks those named and says why it unblocked others not',
    call: (client) => client.tasks.unblockMany({ ids: ['draw_chart', 'tidy'], timeoutMultiplier: 2 }),
    http: ['POST', '/api/tasks/unblock-many', { ids: ['draw_chart', 'tidy'], timeoutMultiplier: 2 }],
    value: {
      unblocked: [expect.objectContaining({ taskId: 'draw_chart', timeoutSeconds: 1620 })],
      refused: [{ taskId: 'tidy', reason: 'The last heartbeat had no task "tidy". Blocked are draw_chart.' }],
    },
  },
  {
    title: 'tasks.unblockMany refuses to unblock nothing',
    call: (client) => client.tasks.unblockMany({ ids: [] }),
    http: ['POST', '/api/tasks/unblock-many', { ids: [] }],
    error: badRequest(expect.stringMatching(/^ids: /)),
  },
  {
    title: 'tasks.undoUnblock refuses where no unblock can be taken back',
    call: (client) => client.tasks.undoUnblock({ ids: ['draw_chart'] }),
    http: ['POST', '/api/tasks/undo-unblock', { ids: ['draw_chart'] }],
    error: conflict(
      expect.stringMatching(/^draw_chart stays open\. It has been tried or judged since it was unblocked/),
    ),
  },
  {
    title: 'tasks.undoUnblock refuses to take back more than any contract has',
    call: (client) => client.tasks.undoUnblock({ ids: Array(1001).fill('a') }),
    http: ['POST', '/api/tasks/undo-unblock', { ids: Array(1001).fill('a') }],
    error: badRequest(expect.stringMatching(/^ids: /)),
  },
  {
    title: 'tasks.undoUnblock does not find a workspace that is not there',
    call: (client) => client.tasks.undoUnblock({ workspace: 'nowhere', ids: ['draw_chart'] }),
    http: ['POST', '/api/tasks/undo-unblock', { workspace: 'nowhere', ids: ['draw_chart'] }],
    error: noSuchWorkspace,
  },
  {
    title: 'tasks.retryBlocked answers with what it unblocked, and needs no body',
    call: (client) => client.tasks.retryBlocked({}),
    http: ['POST', '/api/tasks/retry-blocked'],
    value: { unblocked: [expect.objectContaining({ taskId: 'draw_chart' })], refused: [] },
  },
  {
    title: 'tasks.retryBlocked gives as many attempts as asked for',
    call: (client) => client.tasks.retryBlocked({ maxAttempts: 2 }),
    http: ['POST', '/api/tasks/retry-blocked', { maxAttempts: 2 }],
    value: { unblocked: [expect.objectContaining({ taskId: 'draw_chart', maxAttempts: 2 })], refused: [] },
  },
  {
    title: 'tasks.retryBlocked refuses to grant no attempts',
    call: (client) => client.tasks.retryBlocked({ maxAttempts: 0 }),
    http: ['POST', '/api/tasks/retry-blocked', { maxAttempts: 0 }],
    error: badRequest(expect.stringMatching(/^maxAttempts: /)),
  },
  {
    title: 'tasks.sweep answers with what it found',
    call: (client) => client.tasks.sweep({}),
    http: ['POST', '/api/tasks/sweep'],
    value: [{ taskId: 'draw_chart', holds: false, reason: '`exists("chart.svg")` fails' }],
  },
  {
    title: 'tasks.sweep does not find a workspace that is not there',
    call: (client) => client.tasks.sweep({ workspace: 'nowhere' }),
    http: ['POST', '/api/tasks/sweep', { workspace: 'nowhere' }],
    error: noSuchWorkspace,
  },
  {
    title: 'heartbeat.run answers at once when not asked to wait',
    call: (client) => client.heartbeat.run({ wait: false }),
    http: ['POST', '/api/heartbeat/run', { wait: false }],
    value: null,
  },
  {
    title: 'heartbeat.run refuses a wait that is neither yes nor no',
    // @ts-expect-error -- what a client without types may send
    call: (client) => client.heartbeat.run({ wait: 'maybe' }),
    http: ['POST', '/api/heartbeat/run', { wait: 'maybe' }],
    error: badRequest(expect.stringMatching(/^wait: /)),
  },
  {
    title: 'heartbeat.stop has nothing to stop where nothing is running',
    call: (client) => client.heartbeat.stop({}),
    http: ['POST', '/api/heartbeat/stop'],
    error: conflict('Nothing is running in one.'),
  },
  {
    title: 'heartbeat.pause pauses until resumed where no time is given, and needs no body',
    call: (client) => client.heartbeat.pause({}),
    http: ['POST', '/api/heartbeat/pause'],
    value: expect.objectContaining({ paused: expect.objectContaining({ until: null }) }),
  },
  {
    title: 'heartbeat.pause takes the workspace beside an empty body',
    workspaces: several,
    call: (client) => client.heartbeat.pause({ workspace: idOf('two') }),
    http: ['POST', `/api/heartbeat/pause?workspace=${idOf('two')}`],
    value: expect.objectContaining({ name: 'two' }),
  },
  {
    title: 'heartbeat.pause refuses to guess among several workspaces',
    workspaces: several,
    call: (client) => client.heartbeat.pause({}),
    http: ['POST', '/api/heartbeat/pause', {}],
    error: badRequest(
      expect.stringMatching(/^There are several workspaces; name one of one-\w+, two-\w+\.$/),
    ),
  },
  {
    title: 'heartbeat.resume resumes',
    call: (client) => client.heartbeat.resume({}),
    http: ['POST', '/api/heartbeat/resume'],
    value: expect.objectContaining({ paused: null }),
  },
  {
    title: 'heartbeat.resume does not find a workspace that is not there',
    call: (client) => client.heartbeat.resume({ workspace: 'nowhere' }),
    http: ['POST', '/api/heartbeat/resume', { workspace: 'nowhere' }],
    error: noSuchWorkspace,
  },
  {
    title: 'attestations.create refuses an attempt whose tree the record does not know',
    call: (client) => client.attestations.create({ of: 'a-1' }),
    http: ['POST', '/api/attestations', { of: 'a-1' }],
    error: unprocessable(expect.stringMatching(/^The record does not say which tree attempt a-1 left/)),
  },
  {
    title: 'attestations.create refuses what is neither an attempt nor a commit',
    call: (client) => client.attestations.create({ of: 'nowhere' }),
    http: ['POST', '/api/attestations', { of: 'nowhere' }],
    error: notFound(expect.stringMatching(/nowhere/)),
  },
  {
    title: 'sessions.list answers with none where no agent has called',
    call: (client) => client.sessions.list({}),
    http: ['GET', '/api/sessions'],
    value: { sessions: [] },
  },
  {
    title: 'sessions.turn does not find what is no turn',
    call: (client) => client.sessions.turn({ seq: 1 }),
    http: ['GET', '/api/sessions/turns/1'],
    error: notFound(expect.stringMatching(/^There is no turn 1 in the record of one\.$/)),
  },
  {
    title: 'sessions.name does not find a task that is not there',
    call: (client) => client.sessions.name({ task: 'nothing' }),
    http: ['POST', '/api/sessions/task', { task: 'nothing' }],
    error: notFound(expect.stringMatching(/^There is no task "nothing" in one; its tasks are: /)),
  },
  {
    title: 'sessions.see does not find a session that is not there',
    call: (client) => client.sessions.see({ session: 's' }),
    http: ['POST', '/api/sessions/seen', { session: 's' }],
    error: notFound(expect.stringMatching(/^There is no session "s" in one\./)),
  },
  {
    title: 'sessions.hook says nothing about a folder of no workspace',
    call: (client) =>
      client.sessions.hook({ agent: 'claude', event: 'stop', text: '{}', directory: '/', waitMs: 0 }),
    http: [
      'POST',
      '/api/sessions/hook',
      { agent: 'claude', event: 'stop', text: '{}', directory: '/', waitMs: 0 },
    ],
    value: { document: null },
  },
  {
    title: 'hooks.status answers with every known program',
    call: (client) => client.hooks.status(),
    http: ['GET', '/api/hooks'],
    value: { agents: expect.arrayContaining([expect.objectContaining({ agent: 'claude' })]) },
  },
  ...(
    [
      ['plan', 'GET', '/plan', {}],
      ['install', 'POST', '', {}],
      ['uninstall', 'POST', '/uninstall', {}],
      ['mode', 'POST', '/mode', { mode: 'gate' }],
    ] as const
  ).map(
    ([name, method, path, body]): Case => ({
      title: `hooks.${name} refuses a program that is none`,
      call: (client) => client.hooks[name]({ agent: 'nobody', ...body } as never),
      http:
        method === 'POST' ? [method, `/api/hooks/nobody${path}`, body] : [method, `/api/hooks/nobody${path}`],
      error: badRequest(expect.stringMatching(/^agent: /)),
    }),
  ),
  {
    title: 'attempts.list answers with a page of them and where the next begins',
    call: (client) => client.attempts.list({ limit: 2 }),
    http: ['GET', '/api/attempts?limit=2'],
    value: {
      attempts: [
        expect.objectContaining({ attemptId: 'a-3' }),
        expect.objectContaining({ attemptId: 'a-2' }),
      ],
      nextCursor: 'a-2',
    },
  },
  {
    title: 'attempts.list goes on from the cursor',
    call: (client) => client.attempts.list({ cursor: 'a-2' }),
    http: ['GET', '/api/attempts?cursor=a-2'],
    value: { attempts: [expect.objectContaining({ attemptId: 'a-1' })], nextCursor: null },
  },
  {
    title: 'attempts.list refuses a limit of none',
    call: (client) => client.attempts.list({ limit: 0 }),
    http: ['GET', '/api/attempts?limit=0'],
    error: badRequest(expect.stringMatching(/^limit: /)),
  },
  {
    title: 'attempts.get answers with one, whole',
    call: (client) => client.attempts.get({ id: 'a-2' }),
    http: ['GET', '/api/attempts/a-2'],
    value: expect.objectContaining({ attemptId: 'a-2', timeoutSeconds: 240, output: null }),
  },
  {
    title: 'attempts.get does not find one that is not there',
    call: (client) => client.attempts.get({ id: 'a-9' }),
    http: ['GET', '/api/attempts/a-9'],
    error: notFound(expect.stringMatching(/^There is no attempt "a-9" in one; the latest is a-3\.$/)),
  },
  {
    title: 'attempts.stop stops no attempt that has ended',
    call: (client) => client.attempts.stop({ id: 'a-1' }),
    http: ['POST', '/api/attempts/a-1/stop'],
    error: conflict('Nothing is running in one.'),
  },
  {
    title: 'attempts.overrule answers with the points and the new score',
    call: (client) => client.attempts.overrule({ id: 'a-1', verdict: 'not_verified', reason: 'I looked' }),
    http: ['POST', '/api/attempts/a-1/overrule', { verdict: 'not_verified', reason: 'I looked' }],
    value: { delta: -25, score: -15 },
  },
  {
    title: 'attempts.seen marks a contradiction as reviewed, once',
    call: (client) => client.attempts.seen({ id: 'a-1' }),
    http: ['POST', '/api/attempts/a-1/seen', {}],
    value: { seen: [], others: 0, unreviewed: 0, unreviewedOthers: 0 },
  },
  {
    title: 'attempts.seen of an attempt that is not known is 404',
    call: (client) => client.attempts.seen({ id: 'never' }),
    http: ['POST', '/api/attempts/never/seen', {}],
    error: notFound(expect.stringContaining('never')),
  },
  {
    title: 'seen.all marks all of a workspace',
    call: (client) => client.seen.all({}),
    http: ['POST', '/api/seen', {}],
    value: { seen: [], others: 0, unreviewed: 0, unreviewedOthers: 0 },
  },
  {
    title: 'seen.undo has nothing to undo where nothing was seen',
    call: (client) => client.seen.undo({ ids: ['a-1'] }),
    http: ['POST', '/api/seen/undo', { ids: ['a-1'] }],
    error: conflict('None of these was marked as seen, so there is nothing to undo.'),
  },
  {
    title: 'attempts.overrule wants a reason',
    call: (client) => client.attempts.overrule({ id: 'a-1', verdict: 'verified', reason: '  ' }),
    http: ['POST', '/api/attempts/a-1/overrule', { verdict: 'verified', reason: '  ' }],
    error: badRequest(expect.stringMatching(/^reason: /)),
  },
  {
    title: 'interventions.list answers with the newest, and where to go on',
    call: (client) => client.interventions.list({ last: 1 }),
    http: ['GET', '/api/interventions?last=1'],
    value: {
      interventions: [
        expect.objectContaining({ id: '8-0', event_type: 'no_files_detected', severity: 'critical' }),
      ],
      nextCursor: '8-0',
    },
  },
  {
    title: 'interventions.list goes on from a cursor',
    call: (client) => client.interventions.list({ cursor: '8-0' }),
    http: ['GET', '/api/interventions?cursor=8-0'],
    value: { interventions: [expect.objectContaining({ id: '4-0' })], nextCursor: null },
  },
  {
    title: 'interventions.list keeps to a type and a severity',
    workspaces: several,
    call: (client) =>
      client.interventions.list({ workspace: idOf('two'), type: 'stalled', severity: 'critical' }),
    http: ['GET', `/api/interventions?workspace=${idOf('two')}&type=stalled&severity=critical`],
    value: { interventions: [], nextCursor: null },
  },
  {
    title: 'interventions.list refuses a type that there is not',
    // @ts-expect-error -- what a client without types may send
    call: (client) => client.interventions.list({ type: 'guesses' }),
    http: ['GET', '/api/interventions?type=guesses'],
    error: badRequest(expect.stringMatching(/^type: .*"no_files_detected"/)),
  },
  {
    title: 'interventions.list refuses a number that is none',
    call: (client) => client.interventions.list({ last: 'all' }),
    http: ['GET', '/api/interventions?last=all'],
    error: badRequest(expect.stringMatching(/^last: /)),
  },
  {
    title: 'interventions.list refuses a cursor that is none',
    call: (client) => client.interventions.list({ cursor: '9-9' }),
    http: ['GET', '/api/interventions?cursor=9-9'],
    error: badRequest('There is no intervention "9-9" to go on from. Start without a cursor.'),
  },
  {
    title: 'interventions.metrics answers with the numbers',
    call: (client) => client.interventions.metrics({}),
    http: ['GET', '/api/interventions/metrics'],
    value: {
      total_interventions: 2,
      interventions_by_type: { no_files_detected: 2 },
      interventions_by_severity: { critical: 2 },
      intervention_rate_per_100_iterations: 100,
      avg_remediation_success_rate: 0,
    },
  },
  {
    title: 'interventions.metrics does not find a workspace that is not there',
    call: (client) => client.interventions.metrics({ workspace: 'nowhere' }),
    http: ['GET', '/api/interventions/metrics?workspace=nowhere'],
    error: noSuchWorkspace,
  },
  {
    title: 'interventions.reset ends a suspension and answers with the workspace',
    workspaces: ['held'],
    call: (client) => client.interventions.reset({}),
    http: ['POST', '/api/interventions/reset'],
    value: expect.objectContaining({ name: 'held', suspended: null }),
  },
  {
    title: 'agents.list answers with each agent’s profile and circuit breaker',
    call: (client) => client.agents.list({}),
    http: ['GET', '/api/agents'],
    value: [
      expect.objectContaining({
        configured: true,
        breaker: expect.objectContaining({ state: 'closed', noFiles: 2 }),
      }),
    ],
  },
  {
    title: 'agents.list does not find a workspace that is not there',
    call: (client) => client.agents.list({ workspace: 'nowhere' }),
    http: ['GET', '/api/agents?workspace=nowhere'],
    error: noSuchWorkspace,
  },
  {
    title: 'agents.figures answers with the days, and with what tasks used',
    call: (client) => client.agents.figures({}),
    http: ['GET', '/api/agents/figures'],
    value: expect.objectContaining({
      days: [expect.objectContaining({ agents: [expect.objectContaining({ medianSeconds: 240 })] })],
      tasks: [],
    }),
  },
  {
    title: 'agents.figures refuses to guess among several workspaces',
    workspaces: several,
    call: (client) => client.agents.figures({}),
    http: ['GET', '/api/agents/figures'],
    error: badRequest(
      expect.stringMatching(/^There are several workspaces; name one of one-\w+, two-\w+\.$/),
    ),
  },
  {
    title: 'score.histories answers with the history of every workspace',
    workspaces: several,
    call: (client) => client.score.histories(),
    http: ['GET', '/api/score/histories'],
    value: ['one', 'two'].map((workspace) =>
      expect.objectContaining({ workspace: idOf(workspace), history: [] }),
    ),
  },
  {
    title: 'score.histories answers with the page after a workspace, and with nothing after the last',
    workspaces: several,
    call: (client) => client.score.histories({ limit: 10, after: idOf('two') }),
    http: ['GET', `/api/score/histories?limit=10&after=${idOf('two')}`],
    value: [],
  },
  {
    title: 'agents.profile answers with how an agent works',
    call: (client) => client.agents.profile({ id: 'agent' }),
    http: ['GET', '/api/agents/agent/profile'],
    value: expect.objectContaining({ agent_id: 'agent', no_files_count: 2 }),
  },
  {
    title: 'agents.profile does not find an agent that never was',
    call: (client) => client.agents.profile({ id: 'nobody' }),
    http: ['GET', '/api/agents/nobody/profile'],
    error: notFound('No agent "nobody" has run in one; known are agent.'),
  },
  {
    title: 'workspaces.list shows a suspension with its reason',
    workspaces: ['held'],
    call: (client) => client.workspaces.list(),
    http: ['GET', '/api/workspaces'],
    value: [
      expect.objectContaining({
        shield: 'suspended',
        suspended: { since: expect.any(String), reason: '3 times no files' },
      }),
    ],
  },
  {
    title: 'heartbeat.liftSuspension lifts it',
    workspaces: ['held'],
    call: (client) => client.heartbeat.liftSuspension({ reason: 'looked at it' }),
    http: ['POST', '/api/heartbeat/lift-suspension', { reason: 'looked at it' }],
    value: expect.objectContaining({ name: 'held', suspended: null }),
  },
  {
    title: 'heartbeat.liftSuspension refuses where nothing is suspended',
    call: (client) => client.heartbeat.liftSuspension({ reason: 'looked at it' }),
    http: ['POST', '/api/heartbeat/lift-suspension', { reason: 'looked at it' }],
    error: conflict('one is not suspended.'),
  },
  {
    title: 'heartbeat.liftSuspension wants a reason',
    workspaces: ['held'],
    call: (client) => client.heartbeat.liftSuspension({ reason: ' ' }),
    http: ['POST', '/api/heartbeat/lift-suspension', { reason: ' ' }],
    error: badRequest(expect.stringMatching(/^reason: /)),
  },
]

const outcomeOf = async (answer: Promise<unknown>): Promise<unknown> => {
  try {
    return { value: await answer }
  } catch (error) {
    if (!(error instanceof ORPCError)) throw error
    return { error: { code: error.code, status: error.status, message: error.message } }
  }
}

const ways = {
  'in process': ({ call }: Case, host: TemporaryHost) => outcomeOf(call(host.client)),
  'over HTTP': async ({ http: [method, path, body] }: Case, { server }: TemporaryHost) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const answer = await response.json()
    return response.ok ? { value: answer } : { error: { ...answer.error, status: response.status } }
  },
}

describe.each(Object.entries(ways))('the API %s', (name, send) => {
  let host: TemporaryHost | null = null
  let opened = ''

  const open = async (names: readonly (keyof typeof SEEDED)[]): Promise<TemporaryHost> => {
    if (host !== null && opened === names.join()) return host
    await host?.remove()
    await rm(root, { recursive: true, force: true })
    await mkdir(join(root, 'new'), { recursive: true })
    await writeFile(join(root, 'new/HEARTBEAT.md'), '## Tasks\n')
    host = await temporaryHost(Object.fromEntries(names.map((name) => [name, SEEDED[name]])), { root })
    opened = names.join()
    return host
  }
  afterAll(async () => {
    await host?.remove()
    host = null
    await rm(root, { recursive: true, force: true })
  })

  it.each(cases)('$title', async (each) => {
    const outcome = await send(each, await open(each.workspaces ?? ['one']))
    // A request that only reads, or was refused, leaves the host to the next one.
    if (each.error === undefined && each.http[0] !== 'GET') opened = ''
    expect(outcome).toEqual(each.error === undefined ? { value: each.value } : { error: each.error })
  })

  it.runIf(name === 'over HTTP')('refuses a body that names another workspace than the address', async () => {
    const { server } = await open(several)
    const add = (beside: string, inside: string): Promise<Response> =>
      fetch(`${server.url}/api/notes?workspace=${idOf(beside)}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ workspace: idOf(inside), text: 'Slowly.' }),
      })
    expect((await add('one', 'two')).status).toBe(400)
    expect((await add('two', 'two')).status).toBe(200)
    opened = ''
  })
})
