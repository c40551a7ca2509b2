import { writeFiles } from './files.ts'

/**
 * An agent that does what the task's name says: `hold…` hangs until it is ended; all others are done honestly, by writing `out/TASK.txt`
 * with the agent's argument in it.
 */
const agentScript = `
import { mkdirSync, writeFileSync } from 'node:fs'
let prompt = ''
for await (const chunk of process.stdin) prompt += chunk
const task = /^##+ Task (\\S+)/m.exec(prompt)[1]
console.log('Working on ' + task)
if (task.startsWith('hold')) await new Promise(() => setInterval(() => {}, 1000))
mkdirSync('out', { recursive: true })
writeFileSync('out/' + task + '.txt', process.argv[2] + ' at ' + process.hrtime.bigint() + '\\n')
const report = { task_id: task, status: 'done', files: ['out/' + task + '.txt'], exit_signal: true }
console.log('\`\`\`heartbeat-report\\n' + JSON.stringify(report) + '\\n\`\`\`')
`

/** Returns a contract with these tasks, each checked by the file that the agent writes for it. */
export function contractOf(...tasks: readonly string[]): string {
  const lines = tasks.map(
    (task) => `- [ ] ${task} | Do ${task} | required | verify: changed("out/${task}.txt")`,
  )
  return `# A test\n\n## Tasks\n\n${lines.join('\n')}\n`
}

/** Returns a configuration with the scripted agent, which writes `name` into its files. */
export function configurationOf(name: string): string {
  return `[agent]\nid = "scripted"\ncommand = [${JSON.stringify(process.execPath)}, "agent.mjs", "${name}"]\n\n[probes.count]\nfile = "count.txt"\nparse = "number"\n\n[gates]\ncommands = [["true"]]\n`
}

/** Writes a workspace with the scripted agent and these tasks, not approved yet; returns its folder. */
export function writeWorkspace(directory: string, ...tasks: readonly string[]): Promise<string> {
  return writeFiles(directory, {
    'HEARTBEAT.md': contractOf(...tasks),
    'pulseward.toml': configurationOf('first'),
    'agent.mjs': agentScript,
    'count.txt': '1\n',
  })
}
