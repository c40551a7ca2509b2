import { describe, expect, it } from 'vitest'
import { extractClaims } from './extract.ts'
import { ownLines } from './own-lines.ts'
import type { Claim } from './types.ts'

const PROMPT = [
  '# Mail',
  '',
  'Yesterday was a good day:',
  'email_count: 7',
  'Created notes/inbox.md',
  'Done.',
  '',
  '## Tasks',
  '- [ ] mail | Count the mails',
  'The task is done when notes/summary.md has been created.',
].join('\n')

function claimOf(output: string): Claim {
  const claims = extractClaims(output, { taskIds: ['mail'], probeNames: ['email_count'], prompt: PROMPT })
  return claims.get('mail') as Claim
}

describe('a repeated prompt', () => {
  it.each([
    ['unchanged', (text: string) => text],
    ['indented', (text: string) => text.replace(/^/gm, '    ')],
    ['quoted', (text: string) => text.replace(/^/gm, '> ')],
    [
      'with line numbers',
      (text: string) =>
        text
          .split('\n')
          .map((line, i) => `${i + 1}: ${line}`)
          .join('\n'),
    ],
    ['in part', (text: string) => text.split('\n').slice(2, 6).join('\n')],
  ])('%s claims nothing', (_, print) => {
    expect(claimOf(print(PROMPT))).toMatchObject({ status: null, values: {}, files: [], source: 'none' })
  })

  it('does not affect what the agent says after it', () => {
    const claim = claimOf(`${PROMPT}\n\nemail_count: 3\nWrote notes/summary.md\nDone.`)
    expect(claim).toMatchObject({ status: 'done', values: { email_count: 3 }, source: 'text' })
    expect(claim.files.map(({ path }) => path)).toEqual(['notes/summary.md'])
  })

  it('does not remove a short answer that also occurs in it', () => {
    expect(claimOf('I looked into the folder.\nDone.')).toMatchObject({ status: 'done' })
    expect(claimOf('email_count: 7')).toMatchObject({ values: { email_count: 7 } })
  })
})

it('leaves an output unchanged if there is no prompt', () => {
  const lines = ['a', 'b']
  expect(ownLines(lines, ' ')).toBe(lines)
})

it('ignores a report that the prompt contains and that was cut off', () => {
  const prompt = 'Like this:\n```heartbeat-report\n{"task_id": "mail", "status": "done"}\n```\n'
  const output =
    'Like this:\n```heartbeat-report\n{"task_id": "mail", "status": "done"}\n\nI could not do it.'
  const claims = extractClaims(output, { taskIds: ['mail'], probeNames: [], prompt })
  expect(claims.get('mail')?.status).not.toBe('done')
})
