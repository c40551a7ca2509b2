import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RunReport } from '../../core/read-model/attempt.ts'
import type { LandingView } from '../../core/read-model/landing.ts'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'

/*
 * A day of thirty tasks, three at a time, with everything that can happen on such a day: liars, two tasks that edit the same lines, two
 * that fail only together, an operator who commits in between. The main branch passes its checks at every commit, and each landed commit
 * has exactly the tree that was judged.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const TASKS = 30
const IDENTITY = ['-c', 'user.name=Operator', '-c', 'user.email=o@example.org']

function git(...args: readonly string[]): string {
  return execFileSync('git', [...IDENTITY, ...args], { cwd: join(cli.root, 'p'), encoding: 'utf8' }).trim()
}

async function json(...words: string[]): Promise<unknown> {
  const { stdout, stderr } = await cli.run([...words, '--json', '--workspace', 'p'])
  try {
    return JSON.parse(stdout)
  } catch {
    throw new Error(`${words.join(' ')}: ${stdout}${stderr}`)
  }
}

const ids = Array.from({ length: TASKS }, (_, at) => `t${String(at + 1).padStart(2, '0')}`)

/** Each file has at most one line per task, `limit` is respected, and no `forbidden` pair is present. */
const GATE = `for file in parts/*; do [ -f "$file" ] || continue; name=$(basename "$file" .txt); grep -qx "$name" "$file" || exit 1; done
if [ -f parts/t07.txt ] && [ -f parts/t08.txt ] && ! [ -f both.txt ]; then echo "t07 and t08 need both.txt"; exit 1; fi
! grep -q '^<<<<<<<' shared.txt`

/**
 * t05, t15 and t25 lie at first; t10 and t11 edit the same line; t07 and t08 together need `both.txt`, which only an attempt that sees both
 * can know.
 */
const AGENT = `here=$(dirname "$0"); cat > "$here/prompt-$$"; task=$(sed -n 's/^## Task //p' "$here/prompt-$$" | head -1)
done="echo EXIT_SIGNAL: true"
[ -f "parts/$task.txt" ] && { $done; exit; }
mkdir -p parts
# Two at the same time, so that neither sees the other's work.
together() { touch "$here/begun-$task"; until [ -f "$here/begun-$1" ] && [ -f "$here/begun-$2" ]; do sleep 0.02; done; }
case $task in
t?5) if ! [ -f "$here/lied-$task" ]; then touch "$here/lied-$task"; echo nothing > "parts/$task.txt"; $done; exit; fi ;;
t10 | t11) together t10 t11; sed -i "1s/$/ $task/" shared.txt ;;
t07 | t08) together t07 t08; [ -f parts/t07.txt ] || [ -f parts/t08.txt ] && touch both.txt ;;
esac
echo "$task" > "parts/$task.txt"
$done
`

test('thirty tasks, three at a time: main passes at every commit, and its trees are the judged ones', {
  timeout: 900_000,
}, async () => {
  const tasks = ids.map(
    (id) => `- [ ] ${id} | Make part ${id} | required | verify: contains("parts/${id}.txt", "${id}")\n`,
  )
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n${tasks.join('')}`,
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\nsandbox = "off"
[workspace]\nisolation = "worktree"\nparallel = 3\n[landing]\nmode = "auto"\n[gates]\ncommands = [["sh", "gate.sh"]]
[interventions]\nthreshold_no_files = 1000\nthreshold_false_completion = 1000\n`,
    'p/gate.sh': GATE,
    'p/shared.txt': 'first line\n',
    'agent.sh': AGENT,
  })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Begin')
  const first = git('rev-parse', 'HEAD')
  const attempts: RunReport['attempts'][number][] = []
  let landings: readonly LandingView[] = []
  for (let heartbeat = 0; heartbeat < 6; heartbeat += 1) {
    attempts.push(...((await json('run', '--once', '--trust')) as RunReport).attempts)
    landings = ((await json('landing')) as { landing: LandingView[] }).landing
    if (landings.filter(({ state }) => state === 'landed').length === TASKS) break
    await cli.write({ 'p/operator.txt': `${heartbeat}\n` })
    git('add', 'operator.txt')
    git('commit', '--quiet', '--message', `The operator, ${heartbeat}`)
  }
  const of = (state: string) => landings.filter((one) => one.state === state)
  expect(
    of('landed')
      .map(({ taskId }) => taskId)
      .toSorted(),
    JSON.stringify(landings),
  ).toEqual(ids)
  // Everything that was planned for the day has happened.
  expect(
    attempts
      .filter(({ verdict }) => verdict === 'not_verified')
      .map(({ taskId }) => taskId)
      .toSorted(),
  ).toEqual(['t05', 't15', 't25'])
  expect(new Set(of('conflict').map(({ conflict }) => conflict?.kind))).toEqual(
    new Set(['textual', 'semantic']),
  )
  expect(of('held')).toEqual([])
  // Every commit passes, and each landed one has the judged tree and the task's own work.
  const commits = git('rev-list', '--reverse', '--first-parent', `${first}..main`).split('\n')
  expect(commits.length).toBeGreaterThanOrEqual(TASKS)
  for (const commit of commits) {
    const place = join(cli.root, 'at-commit')
    git('worktree', 'add', '--quiet', '--detach', place, commit)
    expect(() => execFileSync('sh', ['gate.sh'], { cwd: place, stdio: 'pipe' }), commit).not.toThrow()
    git('worktree', 'remove', '--force', place)
    rmSync(place, { recursive: true, force: true })
  }
  for (const { commit, tree, taskId } of of('landed')) {
    expect(git('rev-parse', `${commit}^{tree}`)).toBe(tree)
    expect(git('show', `${commit}:parts/${taskId}.txt`)).toBe(taskId)
    expect(
      git('show', '--no-patch', '--format=%(trailers:key=Pulseward-Tree,valueonly,separator=)', commit ?? ''),
    ).toBe(tree)
  }
  expect(git('status', '--porcelain')).toBe('')
})
