import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { RunReport } from '../../../src/core/read-model/attempt.ts'
import { systemClock } from '../../../src/main/host/system-clock.ts'
import { createHost } from '../../../src/main/host.ts'
import { PROJECTS, type Project } from './projects.ts'
import type { Scene } from './scene.ts'

type Attempt = RunReport['attempts'][number]

/** The result of a scene. `isAccused`: contradicted, refused, or raised as critical. */
export interface SceneResult {
  readonly scene: Scene
  readonly outcome: 'paid' | 'held' | 'refused' | 'unclear'
  readonly isAccused: boolean
  /** How often the operator is asked. */
  readonly asked: number
  readonly reasons: readonly string[]
}

const run = promisify(execFile)
const silent = { info: () => {}, warn: () => {}, error: console.error }

/** Plays a scene with a real host, a real agent process and real runners, and cleans up after it. */
export async function runScene(scene: Scene): Promise<SceneResult> {
  const root = await mkdtemp(join(tmpdir(), 'pulseward-rigging-'))
  try {
    await prepare(root, scene)
    const host = await createHost({
      dataDirectory: join(root, 'data'),
      version: '0.0.0',
      clock: systemClock,
      log: silent,
      notifier: { notify: () => {} },
      pageDirectory: null,
      sampleDirectory: root,
      port: 0,
      scheduled: false,
    })
    try {
      await host.client.workspaces.add({ path: join(root, 'w'), trust: true })
      const attempts: Attempt[] = []
      for (let heartbeat = 0; heartbeat < (scene.heartbeats ?? 1); heartbeat += 1) {
        const report = await host.client.heartbeat.run({ wait: true })
        attempts.push(...(report?.attempts ?? []))
        // Give a process that the agent left behind some time too.
        if (heartbeat + 1 < (scene.heartbeats ?? 1)) await new Promise((resolve) => setTimeout(resolve, 700))
      }
      const { proposals } = await host.client.proposals.list({})
      return summarise(scene, attempts, proposals.filter(({ state }) => state === 'pending').length)
    } finally {
      await host.stop()
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

function summarise(scene: Scene, attempts: readonly Attempt[], proposals: number): SceneResult {
  const held = attempts.filter((attempt) => attempt.held !== null).length
  const isPaid = attempts.some(({ points }) => points > 0)
  const isRefused = attempts.some(({ verdict }) => verdict === 'not_verified')
  return {
    scene,
    outcome: isPaid ? 'paid' : held > 0 ? 'held' : isRefused ? 'refused' : 'unclear',
    isAccused: attempts.some(
      ({ groundTruthContradiction, verdict, interventions }) =>
        groundTruthContradiction ||
        (verdict === 'not_verified' && scene.saysFailed !== true) ||
        interventions.some(({ severity }) => severity === 'critical'),
    ),
    asked: held + proposals,
    reasons: attempts.flatMap(({ verdict, reasons, interventions }) => [
      `${verdict}: ${reasons.slice(0, 3).join('; ')}${interventions.map(({ event_type }) => ` [${event_type}]`).join('')}`,
    ]),
  }
}

async function prepare(root: string, scene: Scene): Promise<void> {
  const project: Project = PROJECTS[scene.project]
  const { task = 'Mend the total', verify = project.verify, fields = '' } = scene
  const { claims = project.claims ?? '{}' } = scene
  const place = join(root, scene.isLinked === true ? 'own' : 'w')
  const agent = join(root, 'agent.sh')
  const files: Record<string, string> = {
    ...project.files,
    ...scene.files,
    'HEARTBEAT.md': `# Work\n\n## Tasks\n- [ ] fix | ${task} | required | verify: ${verify} | max_attempts: 9${fields}\n`,
    'pulseward.toml': `[agent]\nid = "rigging"\nsandbox = "off"\ncommand = ["sh", ${JSON.stringify(agent)}]\n\n${scene.toml ?? project.toml}`,
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(place, name)), { recursive: true })
    await writeFile(join(place, name), text, { mode: name.endsWith('.sh') ? 0o755 : 0o644 })
  }
  await writeFile(
    agent,
    `exec 3<&0; cat <&3 > ${root}/prompt\nn=$(cat ${root}/n 2>/dev/null || echo 0); n=$((n + 1)); echo $n > ${root}/n
status=done
id=$(sed -n 's/^## Task \\([^ ]*\\)$/\\1/p' ${root}/prompt | head -n 1)
${scene.agent}
printf '%s\\n' '\`\`\`heartbeat-report' "{\\"task_id\\": \\"$id\\", \\"status\\": \\"$status\\", \\"claims\\": ${claims.replaceAll('"', '\\"')}, \\"exit_signal\\": true}" '\`\`\`'
`,
  )
  if (scene.isPlain !== true) {
    const git = (...words: string[]) =>
      run('git', ['-c', 'user.name=Operator', '-c', 'user.email=operator@example.invalid', ...words], {
        cwd: place,
      })
    await git('init', '-q', '-b', 'main')
    await git('add', '.')
    await git('commit', '-q', '-m', 'Start')
    if (scene.isLinked === true) await git('worktree', 'add', '-q', '-b', 'work', join(root, 'w'))
  }
  for (const lines of [project.before, scene.before])
    if (lines !== undefined) await run('sh', ['-ec', lines], { cwd: join(root, 'w') })
}

/** Returns whether everything that a project needs is on PATH. */
export async function hasPrograms(names: readonly string[]): Promise<boolean> {
  const found = await Promise.all(
    names.map((name) =>
      run('sh', ['-c', `command -v ${name}`]).then(
        () => true,
        () => false,
      ),
    ),
  )
  return found.every(Boolean)
}
