import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { documents, fencedCommands } from '../../scripts/document-commands.ts'
import { getApi, hostAddress } from '../support/api.ts'
import { dataDirectoryOf, expect, markedEnvironment, root, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'

import { writeFiles } from '../support/files.ts'

/* Runs the commands in the documents exactly as written; only names of folders, ids and ports are filled in. */

/** Blocks that run elsewhere, or take longer than a test may. */
const NOT_HERE: readonly [RegExp, string][] = [
  [/^npm ci && npm start$/, 'start.spec.ts in both folders runs `npm start`'],
  [/^npm ci && npm test$/, 'it is what runs this'],
  [/^npm run bench -- evaluation/, 'ten minutes to an hour; bench/evaluation has tests of its own'],
  [
    /^pulseward service /,
    'it would change what this machine starts: service.test.ts has a manager of its own',
  ],
  [/^pulseward update /, 'this build names no feed: updates.test.ts has servers of its own'],
  [/^ssh /, 'it needs another machine'],
  [
    /npm run package|^podman |podman build/,
    'minutes, and tools that not every machine has: npm run package:test',
  ],
  [/\/api\/permissions\/ID/, 'needs an agent that waits for an answer: acp.spec.ts'],
  [/^npx pulseward verify/, 'needs a git repository: verify-change.test.ts has its own'],
  [
    /^pulseward attest|^git (push|fetch|notes)/,
    'needs an attempt in a git repository with a remote: the tests of src/main/attestation have their own',
  ],
]

/** An agent that leaves some of everything: honest work, a blocked task, and changes to the contract that wait for review. */
const agentScript = `
import { readFileSync, writeFileSync } from 'node:fs'
let prompt = ''
for await (const chunk of process.stdin) prompt += chunk
const task = /^##+ Task (\\S+)/m.exec(prompt)[1]
const isHonest = task === 'fetch_mail'
if (isHonest) {
  writeFileSync('mail.txt', process.hrtime.bigint() + '\\n')
  writeFileSync('HEARTBEAT.md', readFileSync('HEARTBEAT.md', 'utf8').replaceAll('exists(', '!exists('))
}
const report = { task_id: task, status: isHonest ? 'done' : 'failed', files: isHonest ? ['mail.txt'] : [] }
console.log('\`\`\`heartbeat-report\\n' + JSON.stringify(report) + '\\n\`\`\`')
`

const inbox = {
  'HEARTBEAT.md': `## Tasks

- [ ] fetch_mail | Fetch the mail | required | verify: changed("mail.txt")
- [ ] draw_chart | Draw the Chart | required | verify: exists("chart.svg") | max_attempts: 1
- [ ] draw_view | Draw the View | required | verify: exists("view.svg") | max_attempts: 1
- [ ] tidy_up | Fix the folder | required | verify: exists("tidy.txt") | max_attempts: 1
`,
  'pulseward.toml': `[agent]\nid = "scripted"\ncommand = ["node", "agent.mjs"]\nsandbox = "off"\n`,
  'agent.mjs': agentScript,
}

interface Run {
  readonly exitCode: number
  readonly output: string
}

/** Runs lines in one shell, as a person does who copies them one after another; stops at the first that fails. */
async function runLines(folder: string, lines: readonly string[]): Promise<Run> {
  const bin = join(folder, 'bin')
  await mkdir(bin, { recursive: true })
  await writeFile(
    join(bin, 'pulseward'),
    `#!/bin/sh\nexec "${process.execPath}" "${root}/bin/pulseward" "$@"\n`,
  )
  await chmod(join(bin, 'pulseward'), 0o755)
  const script = ['set -eE', `trap 'echo "this failed: $BASH_COMMAND"' ERR`, ...lines].join('\n')
  const env = {
    ...markedEnvironment(folder),
    HOME: folder,
    PULSEWARD_HOME: dataDirectoryOf(folder),
    PATH: `${bin}:${process.env.PATH}`,
  }
  return new Promise((resolve) => {
    execFile('bash', ['-c', script], { cwd: join(folder, 'inbox'), env }, (error, stdout, stderr) => {
      resolve({ exitCode: Number(error?.code ?? 0), output: stdout + stderr })
    })
  })
}

/** Fills in the reader's placeholders, and ends commands that would otherwise run forever. */
function fillIn(command: string, names: Readonly<Record<string, string>>): string {
  const filled = Object.entries(names).reduce((text, [from, to]) => text.replaceAll(from, to), command)
  const failing = filled.replace(/^curl /, 'curl --fail-with-body ')
  if (/^pulseward serve|^curl .* -N /.test(failing)) {
    return `timeout --preserve-status 3 ${failing} || test $? -eq 143`
  }
  return failing
}

const runnable = documents()
  .map((document) => ({
    document,
    commands: fencedCommands(document)
      .map(({ command }) => command)
      .filter((command) => !NOT_HERE.some(([pattern]) => pattern.test(command))),
  }))
  .filter(({ commands }) => commands.length > 0)

test('there are commands in the documents', () => {
  expect(runnable.flatMap(({ commands }) => commands).length).toBeGreaterThan(20)
})

for (const { document, commands } of runnable) {
  test(`the commands in ${document} work as written`, async ({ folder, startHost }) => {
    test.skip(process.platform === 'win32', 'the documents speak to a POSIX shell')
    const directory = await writeFiles(join(folder, 'inbox'), inbox)
    const names: Record<string, string> = { 'bin/pulseward': 'pulseward', DIR: directory }
    // A reader of the README has nothing yet; a reader of the other documents has a running host and one heartbeat done.
    if (document !== 'README.md') {
      const done = await pulseward(folder, ['run', '--once', '--trust', '--workspace', directory])
      expect(done.exitCode, done.stderr).toBe(0)
      await startHost()
      const data = dataDirectoryOf(folder)
      const { attempts } = await getApi<{ attempts: { attemptId: string }[] }>(data, 'attempts')
      const { proposals } = await getApi<{ proposals: { id: string; items: unknown[] }[] }>(data, 'proposals')
      expect(proposals[0]?.items).toHaveLength(3)
      const { port } = new URL((await hostAddress(data)).url)
      names['1-4-0gtv'] = attempts[0]?.attemptId ?? ''
      names['p-1f0c22d4'] = proposals[0]?.id ?? ''
      names[':PORT'] = `:${port}`
      names[':43091'] = `:${port}`
    }
    const { exitCode, output } = await runLines(
      folder,
      commands.map((command) => fillIn(command, names)),
    )
    expect(exitCode, output).toBe(0)
  })
}
