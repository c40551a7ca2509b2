import { expect, it } from 'vitest'
import { tasksWithoutEditGrant } from './missing-edit-grant.ts'

const TASKS = [
  { id: 'write', verify: 'exists("a.txt")', writesNoFiles: false },
  { id: 'count', verify: 'mails > 3', writesNoFiles: false },
  { id: 'look', verify: 'exists("a.txt")', writesNoFiles: true },
]

it.each([
  [{ allow: ['execute:npm test'], managesPermissions: true }, ['write']],
  [{ allow: [], managesPermissions: true }, ['write']],
  [{ allow: ['edit'], managesPermissions: true }, []],
  [{ allow: ['edit:src/**'], managesPermissions: true }, []],
  [{ allow: [], managesPermissions: false }, []],
  [{ allow: [], managesPermissions: true, writesUnasked: true }, []],
] as const)('%j lacks an edit for %j', (grants, tasks) => {
  expect(tasksWithoutEditGrant(grants, TASKS, ['mails'])).toEqual(tasks)
})
