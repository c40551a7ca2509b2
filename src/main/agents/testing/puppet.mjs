// An agent that does what its first argument says: see `Behaviour` in agent-runner-contract.ts. It takes its prompt on stdin, or as its
// last argument if there is one more.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'

const [, , behaviour, promptArgument] = process.argv

/** Creates the file `ready` in the workspace: a test that waits for it may end the agent now. */
const ready = () => writeFileSync('ready', '')
const runForEver = () => setInterval(() => {}, 1000)

async function readPrompt() {
  if (promptArgument !== undefined) return Buffer.from(promptArgument)
  const chunks = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const behaviours = {
  'echo-prompt': async () => {
    const prompt = await readPrompt()
    console.log(prompt.length, createHash('sha256').update(prompt).digest('hex'))
  },
  'finish-without-reading': () => console.log('All done.'),
  'print-environment': () => console.log(JSON.stringify(process.env)),
  'print-directory': () => console.log(process.cwd()),
  crash: () => {
    console.error('it went wrong')
    process.exitCode = 3
  },
  hang: () => {
    console.log('thinking')
    runForEver()
    ready()
  },
  'ignore-sigterm': () => {
    process.on('SIGTERM', () => {})
    behaviours.hang()
  },
  'exit-zero-on-sigterm': () => {
    process.on('SIGTERM', () => process.exit(0))
    behaviours.hang()
  },
  flood: () => {
    process.stdout.write('first\n')
    for (let megabyte = 0; megabyte < 50; megabyte++) process.stdout.write('x'.repeat(1_000_000))
    process.stdout.write('\nlast\n')
  },
  'hang-with-stubborn-child': () => {
    spawn(process.execPath, [process.argv[1], 'ignore-sigterm'], { stdio: 'inherit' })
    runForEver()
  },
  'hang-with-escaped-child': () => {
    spawn(process.execPath, [process.argv[1], 'ignore-sigterm'], { stdio: 'inherit', detached: true })
    runForEver()
  },
  'leave-child-behind': () => {
    spawn(process.execPath, [process.argv[1], 'ignore-sigterm'], { stdio: 'inherit' }).unref()
    console.log('All done.')
  },
}

await behaviours[behaviour]()
