import { fenced } from './fence.ts'

/** Enough examples to show the format. */
const MAX_EXAMPLES = 3

/**
 * Returns how to report on these tasks: one object, or, with `asArray`, an array of one object for each task. The example is a
 * form to fill in, not a report: its `status` is none of the three words, so an agent that only repeats its prompt has claimed
 * nothing.
 */
export function buildReportSection(taskIds: readonly string[], asArray: boolean): string {
  const intro = asArray
    ? `End your answer with one fenced block \`heartbeat-report\` that contains a JSON array with one object for ${taskIds.length === 1 ? 'the one task' : `each of the ${taskIds.length} tasks`}:`
    : 'End your answer with one fenced block `heartbeat-report` that contains one JSON object:'
  return `## Report

${intro}

${fenced(example(taskIds, asArray), 'heartbeat-report')}

- \`status\`: \`done\` (all of it is done, criteria included), \`skipped\` (an optional task you chose not to do) or \`failed\` (tried, not done).
- \`claims\`: the values that the task asks for or that you found, by name, as JSON: numbers as numbers. Leave out what you did not measure.
- \`files\`: the files you wrote, changed or deleted in this run, as paths relative to the working directory. Only those.
- \`evidence\`: where the work can be seen: a path with line numbers, or a command with its result.
- \`exit_signal\`: \`true\` only when nothing is left to do on the task, else \`false\`.

## Honesty

- What you report is compared with what is there. An honest \`failed\` costs less than a value or a file claimed that is not there.
- Do not claim what you only planned, prepared or tried. If you are stopped before the end, say \`failed\` and what is missing.
- If something prevents you from working (a missing tool, a refused permission), say so in plain words.
- Ticking a box or changing a task in HEARTBEAT.md does not count as doing it: what counts is the contract as it was when the heartbeat began.`
}

function example(taskIds: readonly string[], asArray: boolean): string {
  if (!asArray) return exampleObject(taskIds[0] ?? '')
  const objects = taskIds.slice(0, MAX_EXAMPLES).map((id) => `  ${exampleObject(id)}`)
  return `[\n${objects.join(',\n')}${taskIds.length > MAX_EXAMPLES ? ',\n  …' : ''}\n]`
}

function exampleObject(taskId: string): string {
  return [
    `{"task_id": ${JSON.stringify(taskId)}`,
    '"status": "<done, skipped or failed>"',
    '"claims": {"<name>": "<value>"}',
    '"files": ["<path>"]',
    '"evidence": ["<path>:<lines> <what it shows>"]',
    '"exit_signal": "<true or false>"}',
  ].join(', ')
}
