// The sample's agent: a script that works like an agent program. It reads its prompt from standard input, does the one task
// named there, and ends with a report. It does some tasks well, lies about a number, claims a file it never writes, and is
// slow on one task. What it does depends on the heartbeat's number only, so every first heartbeat looks the same.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const messages = [
  ['Lena Fischer', 'Invoice for March', true],
  ['Jonas Weber', 'Lunch on Thursday', false],
  ['Facilities', 'The lift is out of order', true],
  ['Mira Novak', 'Slides for the review', true],
  ['Newsletter', 'Ten things about tea', false],
]
/** The agent's habits come round every six heartbeats. */
const PERIOD = 6

const prompt = await readInput()
const heartbeat = Number(/^# Heartbeat (\d+)/m.exec(prompt)?.[1] ?? 1)
const phase = (heartbeat - 1) % PERIOD
const tasks = {
  fetch_mail: fetchMail,
  write_summary: writeSummary,
  answer_urgent: answerUrgent,
  weekly_report: writeReport,
  check_calendar: checkCalendar,
  pack_attachments: packAttachments,
}
const taskId = /^##+ Task (\S+)/m.exec(prompt)?.[1] ?? ''
if (tasks[taskId] === undefined) {
  await say(`I know no task "${taskId}".`)
  report({ status: 'failed' })
} else {
  await tasks[taskId]()
}

/** Honest: the number it reports is the number of files that are there. */
async function fetchMail() {
  const count = 2 + (heartbeat % (messages.length - 1))
  await say('Connecting to the mailbox in mail/inbox …')
  rmSync('mail/inbox', { recursive: true, force: true })
  const files = messages.slice(0, count).map(([sender, subject, urgent], index) => {
    const path = `mail/inbox/message-${index + 1}.txt`
    write(
      path,
      `From: ${sender}\nSubject: ${subject}\nUrgent: ${urgent ? 'yes' : 'no'}\nHeartbeat: ${heartbeat}\n`,
    )
    return path
  })
  await say(`${count} messages are unread.`)
  report({
    status: 'done',
    claims: { unread_mail: count },
    files,
    evidence: [`${count} files in mail/inbox`],
  })
}

/** Honest: writes the file it says it writes. */
async function writeSummary() {
  await say('Reading the unread mail …')
  const names = readdirSync('mail/inbox')
  const lines = names.map((name, index) => `- ${name}: from ${messages[index % messages.length][0]}`)
  await say(`Writing ${lines.length} lines to notes/summary.md`)
  write(
    'notes/summary.md',
    ['# Unread mail', '', `As of heartbeat ${heartbeat}:`, '', ...lines, ''].join('\n'),
  )
  report({
    status: 'done',
    files: ['notes/summary.md'],
    evidence: ['notes/summary.md:1-6 one line a message'],
  })
}

/** In the first and last heartbeat of its round it lies about the number: it has written no draft. */
async function answerUrgent() {
  const isHonest = phase !== 0 && phase !== PERIOD - 1
  await say('Looking for urgent mail: 3 messages.')
  rmSync('drafts', { recursive: true, force: true })
  const urgent = messages.filter(([, , isUrgent]) => isUrgent)
  for (const [sender, subject] of urgent) {
    await say(`Drafting an answer to ${sender} …`, 70)
    if (isHonest)
      write(`drafts/${slug(sender)}.md`, `Dear ${sender},\n\nthank you for "${subject}" (${heartbeat}).\n`)
  }
  await say('All three answers are drafted.')
  report({ status: 'done', claims: { drafts_written: urgent.length } })
}

/** In the first heartbeat of its round it claims a file that it never writes. */
async function writeReport() {
  await say('Collecting the numbers of the week …')
  await say('Writing reports/week.md')
  if (phase !== 0) write('reports/week.md', `# The week\n\nHeartbeats so far: ${heartbeat}.\n`)
  report({
    status: 'done',
    files: ['reports/week.md'],
    evidence: ['reports/week.md:1-3 the week in numbers'],
  })
}

/** Often forgets to say what it found: then there is no number to compare. */
async function checkCalendar() {
  await say('Opening the calendar …')
  write('notes/calendar.md', `# Calendar\n\nLooked at all meetings of the day (heartbeat ${heartbeat}).\n`)
  await say('Looked at all meetings of the day.')
  const isSilent = phase < 2 || phase === 4
  report({
    status: 'done',
    claims: isSilent ? {} : { clashes_today: 1 },
    files: ['notes/calendar.md'],
  })
}

/** Far too slow in the first heartbeat of its round; it is ended by the timeout. */
async function packAttachments() {
  await say('Packing the attachments of the last year …')
  if (phase === 0) {
    await say('This takes a while.')
    await pause(60_000)
  }
  write('archive/attachments.txt', `Packed at heartbeat ${heartbeat}.\n`)
  report({ status: 'done', files: ['archive/attachments.txt'] })
}

function report(fields) {
  const whole = {
    task_id: taskId,
    claims: {},
    files: [],
    evidence: [],
    exit_signal: fields.status === 'done',
    ...fields,
  }
  console.log(`\n\`\`\`heartbeat-report\n${JSON.stringify(whole)}\n\`\`\``)
}

/** Prints a line and takes its time over it, as a real agent would. */
async function say(line, milliseconds = 120) {
  console.log(line)
  await pause(milliseconds)
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function slug(name) {
  return name.toLowerCase().replaceAll(' ', '-')
}

async function readInput() {
  const chunks = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
