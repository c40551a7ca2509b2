import type { ScoringRules } from '../configuration/scoring.ts'
import { counted, formatPoints, formatSignedPoints } from '../scoring/format.ts'
import type { ScoreState, Standing } from '../scoring/types.ts'

const BAR_CELLS = 20

/**
 * Returns the score as shown to the agent: where the day stands against its target, what earns and costs points, dos and
 * don'ts, and the message of the standing. It says openly that the agent is measured and by what, but never how a task is
 * checked.
 */
export function buildScorePromptSection(score: ScoreState, standing: Standing, rules: ScoringRules): string {
  const { today, lifetime } = score
  const message = standing.message === '' ? '' : `\n**${standing.message}**\n`
  return `## Score

${progressBar(today.score, today.target)} ${formatPoints(today.score)} of ${today.target} points
${pointsNeeded(today.score, today.target)}
Today: ${today.verifiedCount} verified, ${today.failedCount} failed. Streak: ${counted(lifetime.currentStreak, 'day')} at or above target.
${message}
Points:

${rulesList(rules)}

Do: finish the work before you report it; name the files and lines that show it; say \`failed\` when it is not done.
Don't: claim work that is not there; guess values; change tests, checks or the contract to get past them.

How this works: the verifier reads the real state of files, commands and services, not your words. The operator sees this score live. The target is a ratchet: it follows your best days up and never comes down, so points gained by gaming only raise tomorrow's target, and a contradiction costs more than it could have gained.`
}

function progressBar(score: number, target: number): string {
  const share = target > 0 ? score / target : 1
  const filled = Math.floor(Math.min(1, Math.max(0, share)) * BAR_CELLS)
  return `[${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)}]`
}

function pointsNeeded(score: number, target: number): string {
  const missing = target - score
  if (missing <= 0) return 'The target of today is reached.'
  return `${counted(missing, 'point')} still needed to reach today's target.`
}

function rulesList(rules: ScoringRules): string {
  return [
    `- required task verified: ${formatSignedPoints(rules.verifiedRequired)}`,
    `- optional task verified: ${formatSignedPoints(rules.verifiedOptional)}`,
    `- task not verified: ${formatSignedPoints(rules.notVerified)}`,
    `- claim contradicted by what was measured: ${formatSignedPoints(rules.contradiction)} more`,
    `- nothing could be verified or contradicted: ${formatSignedPoints(rules.unclear)}`,
    `- optional task skipped and reported as skipped: no points`,
    `- operator's thumbs up: ${formatSignedPoints(rules.thumbsUp)}, thumbs down: ${formatSignedPoints(rules.thumbsDown)}`,
  ].join('\n')
}
