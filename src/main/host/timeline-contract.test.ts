import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventOf } from '../../core/record/events.ts'
import { type TemporaryLedger, temporaryLedger } from '../ledger/testing/temporary-ledger.ts'
import type { Ledger } from '../ports/ledger.ts'
import { createContractJournal } from './timeline-contract.ts'

let place: TemporaryLedger
let ledger: Ledger
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

beforeEach(async () => {
  place = await temporaryLedger()
  ledger = await place.open()
})
afterEach(() => place.remove())

const journal = () => createContractJournal({ directory: place.directory, ledger, log })
const contract = (...lines: string[]) => {
  const text = `# Work\n\n## Tasks\n\n${lines.join('\n')}\n`
  return { text, hash: createHash('sha256').update(text).digest('hex') }
}
const MAIL = '- [ ] mail | Read the mail | required | verify: unread == 0'
const LOOSE = '- [x] mail | Read the mail | optional | verify: task_completed'

async function edits(): Promise<EventOf<'contract-edited'>[]> {
  const events = await ledger.read(1, 100)
  return events.filter((event) => event.type === 'contract-edited')
}

test('an edit is recorded once with its tasks and its lines, also by a journal that was opened later', async () => {
  await journal().note(contract(MAIL))
  const later = journal()
  await Promise.all([later.note(contract(LOOSE)), later.note(contract(LOOSE))])
  const [first, edit, ...others] = await edits()
  expect(others).toEqual([])
  expect(first).toMatchObject({ previousHash: null, changes: ['Task "mail" was added.'], patch: null })
  expect(edit).toMatchObject({ by: 'outside', cycle: null, previousHash: contract(MAIL).hash })
  expect(edit?.changes).toEqual([
    'Task "mail": hint changed from "unread == 0" to "task_completed".',
    'Task "mail": optional now.',
    'Task "mail": its box was checked.',
  ])
  expect(edit?.patch).toContain(`-${MAIL}\n+${LOOSE}\n`)
})

test('who edited is the operator where Pulseward wrote, the agent while one runs', async () => {
  const noted = journal()
  await noted.note(contract(MAIL))
  await noted.note(contract(MAIL, MAIL.replaceAll('mail', 'post')), 'operator')
  await ledger.append(
    {
      type: 'cycle-started',
      cycle: 1,
      trigger: 'manual',
      dueAt: null,
      contractHash: 'h',
      forceAllRequired: false,
      contradictedTasks: [],
    },
    {
      type: 'attempt-started',
      attemptId: 'a',
      cycle: 1,
      taskId: 'mail',
      agentId: 'x',
      timeoutSeconds: 1,
      required: true,
    },
  )
  await noted.note(contract(LOOSE))
  expect((await edits()).slice(1).map(({ by, cycle }) => [by, cycle])).toEqual([
    ['operator', null],
    ['agent', 1],
  ])
})

test('data of an older version: the tasks it knew stand for the text', async () => {
  const tasks = [
    {
      id: 'mail',
      description: 'Read the mail',
      required: true,
      verify: 'unread == 0',
      maxAttempts: 3,
      checked: false,
      criteria: [],
      line: 5,
    },
  ]
  await ledger.append({ type: 'contract-read', hash: contract(MAIL).hash, tasks })
  const noted = journal()
  await noted.note(contract(MAIL))
  expect(await edits()).toEqual([])
  await noted.note(contract(LOOSE))
  expect((await edits())[0]?.patch).toContain(`-${MAIL}`)
})

test('a contract far too long is recorded without its lines', async () => {
  const noted = journal()
  const many = (letter: string) =>
    contract(...Array.from({ length: 9000 }, (_, n) => `- [ ] ${letter}${n} | ${'w'.repeat(60)} | required`))
  await noted.note(many('a'))
  await noted.note(many('b'))
  const [, edit] = await edits()
  expect(edit?.patch).toBeNull()
  expect(edit?.changes).toHaveLength(50)
})
