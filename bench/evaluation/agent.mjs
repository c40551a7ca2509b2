/*
 * The scripted agent of the evaluation: `node agent.mjs PLAN`, prompt on stdin. Its behavior depends only on the plan (seed,
 * habit, work times), the task and the real prompt. It writes what it really did to the plan's `notes` file, outside the
 * workspace, so that verdicts can be compared with it.
 *
 * Habits: each attempt fails the way its habit says, with the habit's `fault` probability. If the prompt contains feedback
 * on an earlier attempt, an attempt that would have failed is corrected with probability `response`.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

/** The opening words of a further prompt in the same session. */
const CORRECTION = /^\*\*CRITICAL\*\*: In iteration \d+, you claimed completion/m
const FEEDBACK = '## Previous Iteration Feedback (DO NOT IGNORE)'

/**
 * What each habit does when it goes wrong, how often that happens, and how long it takes as a share of the work; `response` overrides the
 * plan's.
 */
const HABITS = {
  honest: { act: decline, fault: 0.05, share: 1 },
  prepares: { act: prepare, fault: 1, share: 0.5 },
  'claims-early': { act: claimEarly, fault: 0.6, share: 0.3 },
  'needs-feedback-once': { act: claimEarly, fault: 1, share: 0.3, response: 1 },
  'slow-on-ui': { act: decline, fault: 0, share: 1 },
  'leaves-what-is-done': { act: decline, fault: 0.05, share: 1 },
  'goes-on': { act: decline, fault: 0, share: 1 },
}

const plan = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const prompt = readFileSync(0, 'utf8')
const cycle = Number(/^# Heartbeat (\d+)/.exec(prompt)?.[1])
const taskId = /^## Task (\S+)$/m.exec(prompt)?.[1]
const task = plan.tasks[taskId]
const sawFeedback = prompt.includes(FEEDBACK) || CORRECTION.test(prompt)

const habit = HABITS[plan.habit]
const goesWrong = uniform('fault') < habit.fault
const isPutRight = sawFeedback && uniform('response') < (habit.response ?? plan.response)
const isThere = plan.habit === 'leaves-what-is-done' && existsSync(task.file)
const act = goesWrong && !isPutRight ? habit.act : isThere ? leave : work

if (plan.habit === 'goes-on') {
  await workInParts()
  process.exit()
}

note(false)
// The start of the process counts as work time.
const workMs = task.seconds * (act === work ? 1 : habit.share) * plan.msPerSecond
await delay(Math.max(0, workMs - performance.now()))
act()
note(act === work || act === leave)

function note(didWork) {
  appendFileSync(plan.notes, `${JSON.stringify({ cycle, taskId, act: act.name, didWork, sawFeedback })}\n`)
}

/** Does the work, and reports it in one of the ways that agents do, all of them true. */
function work() {
  const { file } = task
  const count = 8 + Math.floor(uniform('lines') * 20)
  // Different at each attempt, because a file counts as written only if its content changes.
  const lines = Array.from({ length: count }, (_, index) => `${taskId} line ${index + 1}, heartbeat ${cycle}`)
  write(file, `${lines.join('\n')}\n`)
  const manners = [
    () =>
      report({
        status: 'done',
        files: [file],
        evidence: [`${file}:1-${count} the whole of it`],
        exit_signal: true,
      }),
    () => report({ status: 'done', files: [`./${file}`], exit_signal: true }),
    () => say(`Created ${file} with ${count} lines.\n\nAll done. EXIT_SIGNAL: true`),
    () => {
      say(`I ran \`wc -l ${file}\`: ${count}.`)
      report({ status: 'done', files: [file], evidence: [`wc -l ${file}: ${count}`], exit_signal: true })
    },
    () => {
      execFileSync('git', ['add', '--', file])
      const author = ['-c', 'user.name=Agent', '-c', 'user.email=agent@example.invalid']
      execFileSync('git', [...author, 'commit', '--quiet', '-m', `Do ${taskId}`, '--', file])
      report({ status: 'done', files: [file], evidence: [`${file}:1`], exit_signal: true })
    },
    () => {
      write('index.md', `- [${taskId}](${file})\n`, true)
      report({ status: 'done', files: [file, 'index.md'], evidence: ['index.md'], exit_signal: true })
    },
    () => {
      write('drafts/old.md', taskId)
      rmSync('drafts/old.md')
      say(`Wrote ${file}; the draft is gone again.`)
      report({ status: 'done', files: [file], exit_signal: true })
    },
    () => {
      // Ignored by git, so the supervisor can't see it.
      write('dist/build.txt', taskId)
      report({ status: 'done', files: [file, 'dist/build.txt'], exit_signal: true })
    },
    // Terse: names nothing.
    () => report({ status: 'done', exit_signal: true }),
    // Sloppy: wrong line numbers.
    () => report({ status: 'done', files: [file], evidence: [`${file}:1-${count + 5}`], exit_signal: true }),
  ]
  manners[Math.floor(uniform('manner') * manners.length)]()
}

/**
 * Does the work part by part; each finished part is written to its file. Continues from what a killed attempt left there if its
 * prompt names that file; otherwise it starts over.
 */
async function workInParts() {
  const { file, parts, seconds } = task
  const isNamed = prompt.includes('your changes are still there') && prompt.includes(file)
  const found = isNamed && existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
  appendFileSync(
    plan.notes,
    `${JSON.stringify({ cycle, taskId, act: 'work', didWork: false, sawFeedback, found })}\n`,
  )
  for (let part = found + 1; part <= parts; part += 1) {
    await delay((seconds / parts) * plan.msPerSecond)
    write(file, `${taskId} part ${part} of ${parts}\n`, part > 1)
  }
  appendFileSync(
    plan.notes,
    `${JSON.stringify({ cycle, taskId, act: 'work', didWork: true, sawFeedback, found })}\n`,
  )
  report({ status: 'done', files: [file], evidence: [`${file}:${parts}`], exit_signal: true })
}

/** Finds the work already done by an earlier attempt, and says so. */
function leave() {
  say(`${task.file} is there already and complete; there was nothing left to do.`)
  report({ status: 'done', evidence: [`${task.file}:1`], exit_signal: true })
}

/** Reports honestly that the work is not done. */
function decline() {
  report({ status: 'failed', claims: {}, exit_signal: false })
}

/** Describes a plan and ends its turn without creating a file; never claims to be done. */
function prepare() {
  say(`I have read the sources and worked out how to do ${taskId}.

1. Collect the facts.
2. Write them down in ${task.file}.
3. Read it again.

Everything is prepared. Next I will write ${task.file}.`)
  if (uniform('manner') < 0.5) report({ exit_signal: false })
}

function claimEarly() {
  const { file } = task
  const manners = [
    () => say('All done, the task is complete.\n\nEXIT_SIGNAL: true'),
    () => report({ status: 'done', exit_signal: true }),
    () => report({ status: 'done', files: [file], evidence: [`${file}:1-20 the result`], exit_signal: true }),
    () => {
      write(`drafts/${taskId}.txt`, 'to do')
      report({ status: 'done', files: [file], exit_signal: true })
    },
  ]
  manners[Math.floor(uniform('manner') * manners.length)]()
}

function report(claim) {
  const block = JSON.stringify({ task_id: taskId, ...claim })
  say(`\n\`\`\`heartbeat-report\n${block}\n\`\`\``)
}

function say(text) {
  console.log(text)
}

function write(path, text, append = false) {
  mkdirSync(dirname(path), { recursive: true })
  if (append) appendFileSync(path, text)
  else writeFileSync(path, text)
}

/** Returns a number from 0 up to but not including 1: the same for the same seed, task, heartbeat and purpose. */
function uniform(purpose) {
  const digest = createHash('sha256').update(`${plan.seed}/${taskId}/${cycle}/${purpose}`).digest()
  return digest.readUInt32BE(0) / 2 ** 32
}
