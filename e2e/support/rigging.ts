import { execFileSync } from 'node:child_process'
import { writeFiles } from './files.ts'

/**
 * An agent that, at `rig…`, reverses the expected value in the test instead of fixing the sum; at `edit…`, makes the
 * contract ask less of the task `hard`, and adds one; at `lie…`, names a file that it never wrote; at `setting…`, changes the
 * configuration; at `lose…`, removes the contract; at `garble…`, leaves a configuration that cannot be read. Only at these
 * last four does it write what it is asked for.
 */
const agentScript = `
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
let prompt = ''
for await (const chunk of process.stdin) prompt += chunk
const task = /^##+ Task (\\S+)/m.exec(prompt)[1]
appendFileSync('.git/prompts.txt', prompt + '\\n')
const change = (file, from, to) => writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
const files = []
if (task.startsWith('rig')) {
  change('test/sum.test.mjs', '3)', '-1)')
  files.push('test/sum.test.mjs')
}
if (task.startsWith('lie')) files.push('out/report.md')
if (task.startsWith('edit')) {
  change('HEARTBEAT.md', 'required | verify: exists("never.md")', 'optional | verify: exists("HEARTBEAT.md")')
  change('HEARTBEAT.md', /$/, '- [ ] extra | A task that it added | optional | verify: exists("extra.md")\\n')
}
if (/^(?:edit|lose|garble|setting)/.test(task)) writeFileSync(task + '.md', 'done\\n')
if (task.startsWith('lose')) rmSync('HEARTBEAT.md')
if (task.startsWith('garble')) writeFileSync('pulseward.toml', '[agent\\nid = 3')
if (task.startsWith('setting')) change('pulseward.toml', 'stall_minutes = 7', 'stall_minutes = 70')
const report = { task_id: task, status: 'done', files, exit_signal: true }
console.log('\`\`\`heartbeat-report\\n' + JSON.stringify(report) + '\\n\`\`\`')
`

const SUM = 'export const sum = (a, b) => a - b\n'
const TEST = `import assert from 'node:assert'
import test from 'node:test'
import { sum } from '../sum.mjs'

test('adds', () => {
  assert.equal(sum(1, 2), 3)
})
`

/** Writes a git repository with a wrong sum, a test for it as the gate, an agent that rigs, and these lines as its tasks. */
export async function writeRiggedWorkspace(directory: string, ...tasks: readonly string[]): Promise<string> {
  await writeFiles(directory, {
    'HEARTBEAT.md': `# Sums\n\n## Tasks\n\n${tasks.join('\n')}\n`,
    'pulseward.toml': `[agent]\nid = "scripted"\ncommand = [${JSON.stringify(process.execPath)}, "agent.mjs"]\nsandbox = "off"\n\n[interventions]\nstall_minutes = 7\n\n[gates]\ncommands = [[${JSON.stringify(process.execPath)}, "--test"]]\n`,
    'agent.mjs': agentScript,
    'sum.mjs': SUM,
    'test/sum.test.mjs': TEST,
  })
  const git = (...args: string[]) => execFileSync('git', ['-C', directory, ...args])
  git('init', '--quiet')
  git('add', '--all')
  git('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '--quiet', '--message', 'start')
  return directory
}
