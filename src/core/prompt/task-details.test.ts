import { expect, test } from 'vitest'
import { parseContract } from '../contract/parse.ts'
import { buildPrompt } from './prompt.ts'
import { taskDetails } from './task-details.ts'

const TEXT = `# Mail

## Tasks

- [ ] check_email | Read the new mail | required | verify: email_count > 0 && exists("notes/inbox.md")
  Use the script in bin/.

  - [ ] name every sender
- [ ] tidy | Tidy up
`

function promptOf(text: string, index: number): string {
  const contract = parseContract(text, { probeNames: ['email_count'] })
  const task = contract.tasks[index]
  if (task === undefined) throw new Error(`Expected a task at ${index}`)
  return buildPrompt({
    workspaceName: 'mail',
    cycle: 1,
    session: 'task',
    tasks: [{ ...task, details: taskDetails(task, text), attemptNumber: 1 }],
    context: contract.context,
    scoreSection: '',
    feedbackSection: '',
    timeoutSeconds: 120,
  })
}

test.each(['\n', '\r\n'])(
  'puts the lines below a task line into the prompt, but never its check (%j)',
  (newline) => {
    const text = TEXT.replaceAll('\n', newline)
    const prompt = promptOf(text, 0)
    expect(prompt).toContain(`  Use the script in bin/.${newline}${newline}  - [ ] name every sender`)
    expect(prompt).not.toContain('email_count')
    expect(prompt).not.toContain('exists(')
    expect(prompt).not.toContain('verify')
    expect(prompt).not.toContain('tidy')
  },
)

test('returns nothing if there is nothing below the task line', () => {
  const contract = parseContract(TEXT, { probeNames: [] })
  expect(contract.tasks.map((task) => taskDetails(task, TEXT) === '')).toEqual([false, true])
})
