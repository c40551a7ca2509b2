import { expect, test } from 'vitest'
import { type ProposalItem, sayItem } from './proposal-items.ts'

const item = (some: Partial<ProposalItem>): ProposalItem => ({
  kind: 'hint',
  taskId: 'mail',
  before: null,
  after: null,
  ...some,
})

test.each<[Partial<ProposalItem>, string]>([
  [{ before: 'mails == 0', after: 'true' }, 'Task "mail": check changed from "mails == 0" to "true".'],
  [
    { before: 'exists("never.md")', after: null },
    'Task "mail": check changed from “exists("never.md")” to nothing.',
  ],
  [{ kind: 'note_added', after: 'he said “"no"”' }, 'A note was added: ‘he said “"no"”’.'],
  [{ kind: 'note_added', after: 'it’s “"no"”' }, 'A note was added: «it’s “"no"”».'],
  [{ kind: 'task_removed', taskId: 'the "first"' }, 'Task “the "first"” was removed.'],
])('uses quotation marks other than the quotes inside: %o', (some, words) => {
  expect(sayItem(item(some))).toBe(words)
})

test.each<[Partial<ProposalItem>, string]>([
  [{ after: 'agent.id = "mine"' }, 'A setting was added: “agent.id = "mine"”.'],
  [{ before: 'agent.id = "mine"' }, 'A setting was removed: “agent.id = "mine"”.'],
  [{ before: 'a = 7', after: 'a = 70' }, 'A setting was changed from "a = 7" to "a = 70".'],
])('does not say that a setting “becomes” anything if it was added or removed: %o', (some, words) => {
  expect(sayItem(item({ kind: 'setting', taskId: null, ...some }))).toBe(words)
})
