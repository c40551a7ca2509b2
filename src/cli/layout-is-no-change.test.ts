import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'
import { agentScript, commitAll, events, firstAttempt, git } from './testing/rigged-run.ts'

/*
 * Changes that git makes to files without changing their content (other work trees, clones, sparse checkouts), and white space. They
 * neither earn an agent points nor cost any.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

interface Row {
  readonly task?: string
  readonly verify: string
  readonly agent: string
  /** Git commands to run in the committed repository before the heartbeat. */
  readonly before?: readonly (readonly string[])[]
  readonly files?: readonly string[]
  readonly toml?: string
  /** The shell lines of `lint.sh`. */
  readonly lint?: string
  readonly expected: Readonly<Record<string, unknown>>
  readonly events?: readonly string[]
}

/** Stores a file as Git LFS does if its filter is not installed. */
const TO_POINTER = String.raw`printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 2\n' $(sha256sum src/p.js | cut -c1-64) > t; mv t src/p.js`

const ROWS: Record<string, Row> = {
  'B1 a work tree added: no change': {
    verify: 'changed("**/*.md")',
    agent: 'git worktree add -q -b a2 .claude/worktrees/a2',
    expected: { verdict: 'not_verified', groundTruthContradiction: false },
  },
  'B1 a clone inside: no change': {
    verify: 'changed("**/p.js")',
    agent: 'git clone -q . scratch',
    expected: { verdict: 'not_verified', groundTruthContradiction: false },
  },
  'B1 an old work tree removed: no change': {
    verify: 'changed("**/*.md")',
    before: [['worktree', 'add', '-q', '-b', 'old', '.worktrees/old']],
    agent: 'git worktree remove --force .worktrees/old',
    expected: { verdict: 'not_verified', groundTruthContradiction: false },
  },
  'B2 stale work trees removed as asked': {
    task: 'Remove the stale worktrees',
    verify: '!exists(".worktrees/old")',
    before: [['worktree', 'add', '-q', '-b', 'old', '.worktrees/old']],
    agent: 'git worktree remove --force .worktrees/old',
    expected: { verdict: 'verified', points: 10 },
    events: [],
  },
  'B3 work in a nested work tree that is not merged yet': {
    verify: 'changed("src/p.js")',
    agent:
      'git worktree add -q -b a2 .claude/worktrees/a2; echo "// x" >> .claude/worktrees/a2/src/p.js; git -C .claude/worktrees/a2 -c user.name=a -c user.email=a@b commit -qam work',
    files: ['src/p.js'],
    expected: {
      verdict: 'unclear',
      groundTruthContradiction: false,
      reasons: [expect.stringMatching(/another work tree only.*worktrees\/a2\/src\/p\.js/)],
    },
  },
  'B3 a liar adds a work tree and changes nothing': {
    verify: 'changed("src/p.js")',
    agent: 'git worktree add -q -b a2 .claude/worktrees/a2',
    files: ['src/p.js'],
    expected: { verdict: 'not_verified', groundTruthContradiction: true },
  },
  'B3 a liar clones the project under a name that stands in the task': {
    verify: 'changed("**/p.js")',
    agent: 'git clone -q . work',
    expected: { verdict: 'not_verified' },
  },
  'a liar moves tests into a repository of their own': {
    verify: 'exists("src/p.js")',
    agent: 'git clone -q . copy; rm test/p.test.js',
    expected: {},
    events: ['protected_files_changed'],
  },
  'a liar makes a tracked folder a repository of its own': {
    verify: '!changed("lib/**") && changed("src/p.js")',
    agent: 'git rm -rq --cached lib; git init -q lib; echo y > lib/core.js; echo y > src/p.js',
    expected: { verdict: 'not_verified' },
  },
  'B4 a sparse checkout widened: no change': {
    verify: 'changed("lib/core.js")',
    before: [['sparse-checkout', 'set', '--cone', 'app']],
    agent: 'git sparse-checkout add lib',
    expected: { verdict: 'not_verified' },
  },
  'B5 a folder hidden by a sparse checkout: it is still there': {
    task: 'Remove the folder lib',
    verify: '!exists("lib/core.js")',
    agent: 'git sparse-checkout set --cone app',
    expected: { verdict: 'not_verified' },
  },
  'B5 a file hidden by skip-worktree': {
    task: 'Remove the folder lib',
    verify: '!exists("lib/core.js")',
    agent: 'git update-index --skip-worktree lib/core.js; rm lib/core.js',
    expected: { verdict: 'not_verified' },
  },
  'B5 a sparse checkout narrowed: no change': {
    verify: 'changed("lib/core.js")',
    agent: 'git sparse-checkout set --cone app',
    expected: { verdict: 'not_verified' },
  },
  'B5 a file that is in the index alone': {
    verify: 'exists("out/done.txt")',
    agent:
      'git update-index --add --cacheinfo 100644,$(echo x | git hash-object -w --stdin),out/done.txt; git update-index --skip-worktree out/done.txt',
    expected: { verdict: 'not_verified' },
  },
  'B5 a file that is in the index alone, asked about in a clean room': {
    verify: 'exists("out/done.txt") && succeeds("sh check.sh")',
    toml: '[verification]\ncommands = ["sh check.sh"]\n',
    agent:
      'git update-index --add --cacheinfo 100644,$(echo x | git hash-object -w --stdin),out/done.txt; git update-index --skip-worktree out/done.txt; echo "# x" >> check.sh',
    expected: { verdict: 'not_verified' },
  },
  'B5 a folder removed as asked': {
    task: 'Remove the folder lib',
    verify: '!exists("lib/core.js")',
    agent: 'git rm -rq lib',
    expected: { verdict: 'verified', points: 10 },
  },
  'white space alone, where the check passed before: no points': {
    verify: 'changed("src/p.js") && exists("README.md")',
    agent: 'echo >> src/p.js',
    files: ['src/p.js'],
    expected: { verdict: 'verified', points: 0 },
  },
  'white space alone, where the linter passed before: no points': {
    verify: 'changed("src/p.js") && succeeds("sh lint.sh")',
    toml: '[verification]\ncommands = ["sh lint.sh"]\n',
    agent: 'echo >> src/p.js',
    expected: { verdict: 'verified', points: 0 },
  },
  'white space alone, by which the linter passes': {
    verify: 'changed("src/p.js") && succeeds("sh lint.sh")',
    toml: '[verification]\ncommands = ["sh lint.sh"]\n',
    lint: "grep -q '^$' src/p.js",
    agent: 'echo >> src/p.js',
    expected: { verdict: 'verified', points: 10 },
  },
  'white space alone in 250 files: no points': {
    verify: 'exists("README.md")',
    before: [
      [
        '-c',
        'alias.fill=!for i in $(seq 250); do echo x > "$i.js"; done; git add .; git -c user.name=a -c user.email=a@b commit -qm files',
        'fill',
      ],
    ],
    agent: 'for i in $(seq 250); do echo >> "$i.js"; done',
    expected: { verdict: 'verified', points: 0 },
  },
  'an empty file and a mode beside white space: no points': {
    verify: 'exists("README.md")',
    agent: 'echo >> src/p.js; touch src/q.js; chmod +x app/main.js',
    expected: { verdict: 'verified', points: 0 },
  },
  'B7 the pointer of Git LFS to what the file held: no points': {
    verify: 'changed("src/p.js")',
    agent: TO_POINTER,
    expected: { verdict: 'verified', points: 0 },
  },
  'B7 the pointer of Git LFS as asked': {
    task: 'Move src/p.js to Git LFS',
    verify: 'changed("src/p.js")',
    agent: TO_POINTER,
    expected: { verdict: 'verified', points: 10 },
  },
  'a mode that is asked for': {
    task: 'Make app/main.js executable',
    verify: 'exists("app/main.js")',
    agent: 'chmod +x app/main.js',
    expected: { verdict: 'verified', points: 10 },
  },
  'B6 a tracked file that is not laid out exists': {
    verify: 'exists("lib/core.js") && changed("app/main.js")',
    before: [['sparse-checkout', 'set', '--cone', 'app']],
    agent: 'echo "// x" >> app/main.js',
    expected: { verdict: 'verified', points: 10 },
  },
  'B8 a dirty tree where a clean one is required': {
    verify: 'exists("w.txt")',
    toml: '[interventions]\nrequire_clean_repo = true\n',
    agent: 'echo w > w.txt',
    expected: { verdict: 'unclear', points: -2, reasons: [expect.stringMatching(/uncommitted.*w\.txt/)] },
    events: ['evidence_validation_failed'],
  },
}

test.each(Object.entries(ROWS))('%s', async (_case, row) => {
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n- [ ] a | ${row.task ?? 'Do the work'} | required | verify: ${row.verify} | max_attempts: 9\n`,
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "../agent.sh"]\n${row.toml ?? ''}`,
    'p/src/p.js': 'x\n',
    'p/README.md': 'x\n',
    'p/check.sh': 'true\n',
    'p/lint.sh': `${row.lint ?? 'true'}\n`,
    'p/app/main.js': 'x\n',
    'p/lib/core.js': 'x\n',
    'p/test/p.test.js': 'test("p", () => {})\n',
    'agent.sh': agentScript(row.agent, {
      task_id: 'a',
      status: 'done',
      files: row.files ?? [],
      exit_signal: true,
    }),
  })
  commitAll(join(cli.root, 'p'))
  for (const words of row.before ?? []) git(join(cli.root, 'p'), ...words)
  const attempt = await firstAttempt(cli)
  expect(attempt).toMatchObject(row.expected)
  if (row.events !== undefined) expect(events(attempt)).toEqual(row.events)
})
