import { isContractProcedure } from '@orpc/contract'
import { expect, test } from 'vitest'
import { contract } from '../../../../api/api.ts'
import { NEED_KINDS } from '../../../../core/vocabulary/need.ts'
import { actionsFor } from '../decisions/need-actions.ts'
import type { Command } from './command.ts'
import { paletteCommands } from './commands.ts'
import { workspaceDetail } from './testing/workspace-detail.ts'

/*
 * Every action of the app is in the palette. The list is not written here: it consists of everything that the API can change, and the items
 * of the application menu and of a workspace's menu.
 */

const MENUS = import.meta.glob<string>(
  ['../../../../main/desktop/app-menu.ts', '../workspace-menu/workspace-menu.tsx'],
  { query: '?raw', import: 'default', eager: true },
)

const needs = NEED_KINDS.map((kind) => ({
  kind,
  workspace: 'w',
  id: 'x',
  reason: `Why ${kind}.`,
  action: '',
}))
const all = { files: true, keys: () => [] }
const commands: readonly Command[] = [
  workspaceDetail({ needs }),
  workspaceDetail({ running: { cycle: 1 } }),
  workspaceDetail({ paused: { since: '', until: null } }),
].flatMap((shown) => paletteCommands([shown], shown, 0, [], all))

/** The command for an action: the action itself, or the screen on which it is done to a selection. */
const PLACES: Readonly<Record<string, string>> = {
  'attempts/stop': 'stop w',
  'attempts/seen': 'decide w contradiction x s',
  'seen/all': 'decide w contradiction x s',
  'seen/undo': 'decide w contradiction x s',
  'attempts/undo': 'tab today',
  'attempts/redo': 'tab today',
  'attempts/overrule': 'tab today',
  'changes/verify': 'verify w',
  'changes/cancel': 'verify w',
  'changes/attest': 'verify w',
  'channels/put': 'setting channels',
  'channels/remove': 'setting channels',
  'channels/change': 'setting channels',
  'channels/test': 'setting channels',
  'configuration/check': 'tab setup',
  'configuration/put': 'tab setup',
  'configuration/tryProbe': 'tab setup',
  'configuration/tryGates': 'tab setup',
  'configuration/tryJudge': 'tab setup',
  'contract/put': 'tab contract',
  'contract/check': 'tab contract',
  'contract/preview': 'tab contract',
  'contract/tryHint': 'tab contract',
  'contract/dryRun': 'tab contract',
  'desktop/chooseFolder': 'setup',
  'desktop/edit': 'openInEditor w',
  'desktop/openPath': 'openFolder w',
  'heartbeat/pause': 'pause w',
  'heartbeat/resume': 'resume w',
  'heartbeat/run': 'run w',
  'heartbeat/stop': 'stop w',
  'heartbeat/liftSuspension': 'decide w suspension x v',
  'interventions/reset': 'tab agent',
  'interventions/restore': 'tab agent',
  'notes/add': 'tab today',
  'permissions/answer': 'decide w permission x a',
  'proposals/answer': 'decide w proposal x a',
  'proposals/undo': 'decide w proposal x a',
  'review/answer': 'decide w held x a',
  'review/undo': 'decide w held x a',
  'score/feedback': 'tab today',
  'score/undoFeedback': 'tab today',
  'sessions/see': 'decide w session x v',
  'settings/put': 'settings',
  'setup/folders': 'setup',
  'setup/inspect': 'setup',
  'setup/check': 'setup',
  'setup/tryOut': 'setup',
  'setup/create': 'setup',
  'workspaces/move': 'tab today',
  'tasks/unblock': 'decide w blocked x u',
  'tasks/undoUnblock': 'decide w blocked x u',
  'tasks/unblockLevel': 'tab blocked',
  'tasks/unblockMany': 'tab blocked',
  'tasks/retryBlocked': 'tab blocked',
  'tasks/sweep': 'tab blocked',
  'updates/check': 'setting updates',
  'updates/install': 'setting updates',
  'updates/rollBack': 'setting updates',
  'workspaces/add': 'setup',
  'workspaces/openSample': 'setup',
  'workspaces/label': 'rename w',
  'workspaces/remove': 'remove w',
  'workspaces/restore': 'remove w',
  'workspaces/acceptRecord': 'decide w record-not-whole x v',
  'workspaces/approve': 'decide w approve x v',
}

/** Only available on the command line and over HTTP; no screen has them. */
const NOT_OF_THE_APP = /^(attestations\/|fleet\/|hooks\/|landing\/|score\/import|sessions\/(?:hook|name))/u

function changing(part: object, prefix = ''): string[] {
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    if (isContractProcedure(value)) {
      const { method } = value['~orpc'].route
      return method === undefined || method === 'GET' ? [] : [`${prefix}${name}`]
    }
    return typeof value === 'object' && value !== null ? changing(value, `${prefix}${name}/`) : []
  })
}

const ids = new Set(commands.map(({ id }) => id))

test('contains everything that the app can change, or the screen for it', () => {
  const actions = changing(contract).filter((name) => !NOT_OF_THE_APP.test(name))
  expect(actions.length).toBeGreaterThan(40)
  expect(actions.filter((name) => PLACES[name] === undefined)).toEqual([])
  expect(Object.keys(PLACES).filter((name) => !actions.includes(name))).toEqual([])
  expect(Object.entries(PLACES).filter(([, id]) => !ids.has(id))).toEqual([])
})

test('contains each answer to each decision', () => {
  const answers = NEED_KINDS.flatMap((kind) =>
    actionsFor({ kind }).map(({ key }) => `decide w ${kind} x ${key}`),
  )
  expect(answers.filter((id) => !ids.has(id))).toEqual([])
})

/** Items that belong to the window, not to the page. */
const OF_THE_WINDOW: readonly string[] = [
  'new-window',
  'quit',
  'zoom-in',
  'zoom-in-too',
  'zoom-out',
  'zoom-reset',
  'palette',
  'about',
  'diagnostics',
]

test('contains what the application menu does', () => {
  const menu = MENUS['../../../../main/desktop/app-menu.ts'] ?? ''
  const items = [...menu.matchAll(/\bid: '([^']+)'/gu)].map(([, id = '']) => id)
  expect(items.length).toBeGreaterThan(15)
  const missing = items.filter(
    (id) =>
      ![id, `${id} w`, `setting ${id}`, id.replace('go:', ''), id.replace('go:', 'tab ')].some((each) =>
        ids.has(each),
      ),
  )
  expect(missing.filter((id) => !OF_THE_WINDOW.includes(id))).toEqual([])
})

test('contains what a workspace’s own menu does, with the same labels', () => {
  const menu = MENUS['../workspace-menu/workspace-menu.tsx'] ?? ''
  const items = [...menu.matchAll(/<MenuItem[^\n]*>([A-Z][^<{]+)<\/MenuItem>/gu)].map(([, label]) => label)
  const labels = new Set(commands.map(({ label }) => label))
  expect(items.length).toBeGreaterThan(4)
  expect(items.filter((label) => !labels.has(label ?? ''))).toEqual([])
})
