import { expect, test } from 'vitest'
import { extractClaims } from '../claims/extract.ts'
import { NO_CLAIM } from '../claims/types.ts'
import { DEFAULT_SCORING } from '../configuration/scoring.ts'
import { initialScore } from '../scoring/ratchet.ts'
import { resolveStanding } from '../scoring/standing.ts'
import { buildPrompt } from './prompt.ts'
import { buildScorePromptSection } from './score-section.ts'

// Some agents print their prompt first. One that then does nothing must not count as having reported.
test.each([-40, 0, 10, 60])('an agent that only repeats its prompt claims nothing (score %i)', (score) => {
  const start = initialScore('2025-03-10', DEFAULT_SCORING)
  const state = {
    ...start,
    today: { ...start.today, score, judgedCount: 6, verifiedCount: 4, failedCount: 2 },
  }
  const standing = resolveStanding(state, DEFAULT_SCORING, 15)
  const prompt = buildPrompt({
    workspaceName: 'backend',
    cycle: 12,
    session: 'task',
    tasks: [
      {
        id: 'check_email',
        description: 'Read the new mail and write a summary to notes/inbox.md',
        required: true,
        criteria: [{ text: 'notes/inbox.md names every sender', checked: null }],
        attemptNumber: 2,
        maxAttempts: 3,
      },
    ],
    context: '# Backend\n\nUse the scripts in bin/.\n',
    scoreSection: buildScorePromptSection(state, standing, DEFAULT_SCORING),
    feedbackSection: '',
    timeoutSeconds: 180,
  })
  const claims = extractClaims(prompt, { taskIds: ['check_email'], probeNames: ['email_count'] })
  expect(claims.get('check_email')).toEqual(NO_CLAIM)
})
