import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const FILES_PER_FOLDER = 100

/** `lying`: names a file that doesn't exist, which must be searched for in the whole workspace; `idle`: does and says nothing. */
export type Agent = 'honest' | 'lying' | 'idle'

/** Test files, which custody examines whenever something is checked by running it. */
const PROTECTED = 500

/** Returns what the agent prints: 64 KiB of text about its work, then its report. */
export function output(agent: Agent): string {
  if (agent === 'idle') return ''
  const file = agent === 'honest' ? 'notes.md' : 'summary.md'
  return `${'Read src/00001/file-0042.txt:12 and compared its total with the one before.\n'.repeat(860)}
\`\`\`heartbeat-report
{"task_id": "write", "status": "done", "files": ["${file}", "src/00000/file-0000.txt"], "evidence": ["${file}:1-2 the totals", "src/00000/file-0000.txt:1"], "exit_signal": true}
\`\`\`
`
}

const CONTRACT = `# Work

## Tasks
- [ ] write | Add the totals | required | verify: changed("notes.md") && exists("notes.md") | max_attempts: 1000
`

/** Creates a repository with one commit, some work in progress, and an agent that changes two files. */
export async function makeRepository(directory: string, files: number): Promise<void> {
  for (let folder = 0; folder * FILES_PER_FOLDER < files; folder += 1) {
    const path = join(directory, 'src', String(folder).padStart(5, '0'))
    await mkdir(path, { recursive: true })
    await Promise.all(
      Array.from({ length: FILES_PER_FOLDER }, (_, index) =>
        writeFile(
          join(path, `file-${String(index).padStart(4, '0')}.txt`),
          `${folder} ${index}\n`.repeat(20),
        ),
      ),
    )
  }
  await mkdir(join(directory, 'tests'))
  for (let index = 0; index < PROTECTED; index += 1)
    await writeFile(join(directory, 'tests', `case-${index}.sh`), `[ ${index} = ${index} ]\n`.repeat(20))
  await writeFile(join(directory, 'check.sh'), 'test -f notes.md\n')
  await writeFile(join(directory, '.gitignore'), 'agent/\n')
  await git(directory, 'init', '--quiet')
  await git(directory, 'config', 'gc.auto', '0')
  await git(directory, 'add', '.')
  const author = ['-c', 'user.name=Operator', '-c', 'user.email=operator@example.invalid']
  await git(directory, ...author, 'commit', '--quiet', '-m', 'Start')
  for (let index = 1; index <= 10; index += 1)
    await writeFile(
      join(directory, 'src', '00000', `file-${String(index).padStart(4, '0')}.txt`),
      'in progress\n',
    )
  await mkdir(join(directory, 'agent'))
  for (const agent of ['honest', 'lying'] as const)
    await writeFile(join(directory, 'agent', `${agent}.txt`), output(agent))
  await writeFile(
    join(directory, 'agent', 'agent.sh'),
    'cat > /dev/null\necho "$$ $(date)" >> notes.md\necho "$$" >> src/00000/file-0000.txt\ncat "$1"\n',
  )
  await writeFile(join(directory, 'HEARTBEAT.md'), CONTRACT)
}

/** Sets the agent of the workspace, and whether a script decides in addition to its check. The breaker is kept from tripping. */
export async function configure(directory: string, agent: Agent, isChecked: boolean): Promise<void> {
  await writeFile(
    join(directory, 'pulseward.toml'),
    `[agent]
command = ${agent === 'idle' ? '["true"]' : `["sh", "agent/agent.sh", "agent/${agent}.txt"]`}
[interventions]
threshold_no_files = 1000
threshold_false_completion = 1000
${isChecked ? '[gates]\ncommands = [["sh", "check.sh"]]\n' : ''}`,
  )
}

export function git(directory: string, ...args: string[]): Promise<unknown> {
  return promisify(execFile)('git', args, { cwd: directory, maxBuffer: 64 * 1024 * 1024 })
}
