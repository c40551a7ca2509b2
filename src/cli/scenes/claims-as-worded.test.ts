import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, attemptsOf, commitAll, reportLines } from '../testing/rigged-run.ts'

/* One heartbeat of a real process that phrases its claims in many ways: each honest wording next to that of a liar. */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const LONG = { timeout: 120_000 }

const PAID = { verdict: 'verified', points: 10 }
const LIED = { verdict: 'not_verified', points: -45, groundTruthContradiction: true }
const UNCLEAR = { verdict: 'unclear', groundTruthContradiction: false }

interface Said {
  /** The task line after its box, starting with its id. */
  readonly task: string
  /** Shell lines that print the agent's words. */
  readonly says: string
  readonly ends: Readonly<Partial<Record<keyof Attempt, unknown>>>
}

/** Runs one heartbeat. `email_count` measures 3; `src/a.ts` holds `x=1`. */
async function heartbeat(...all: readonly Said[]): Promise<readonly Attempt[]> {
  const tasks = all.map(({ task }) => `- [ ] ${task}\n`).join('')
  const turns = all.map(({ says }, index) => [`p/say-${index}.sh`, `${says}\n`])
  await cli.write({
    'p/HEARTBEAT.md': `## Tasks\n${tasks}`,
    'p/pulseward.toml':
      '[agent]\ncommand = ["sh", "agent.sh"]\nsandbox = "off"\n[probes.email_count]\nfile = "n.txt"\nparse = "number"\n',
    'p/agent.sh': `cat > /dev/null\nn=$(cat ../turn)\necho $((n + 1)) > ../turn\n. ./say-$n.sh\n`,
    turn: '0',
    'p/n.txt': '3\n',
    'p/src/a.ts': 'x=1\n',
    ...Object.fromEntries(turns),
  })
  commitAll(`${cli.root}/p`)
  return await attemptsOf(cli)
}

async function expectEnds(...all: readonly Said[]): Promise<void> {
  const attempts = await heartbeat(...all)
  expect(attempts.map(({ reasons, ...attempt }) => ({ ...attempt, reasons: reasons.join('; ') }))).toEqual(
    all.map(({ ends }) => expect.objectContaining(ends)),
  )
}

const count = (id: string): string => `${id} | Count it | verify: email_count`
const reports = (task_id: string, more: Readonly<Record<string, unknown>>): string =>
  reportLines({ task_id, status: 'done', claims: { email_count: 3 }, ...more })

it(
  'says in `files` that there are none, or not this one: neither a contradiction nor proof',
  LONG,
  async () => {
    await expectEnds(
      { task: count('a'), says: reports('a', { files: ['none'] }), ends: PAID },
      { task: count('b'), says: reports('b', { files: ['No files were changed'] }), ends: PAID },
      {
        task: count('c'),
        says: reports('c', { files: ['src/a.ts (unchanged, already right)'] }),
        ends: PAID,
      },
      { task: count('d'), says: reports('d', { files: ['none', 'never.md'] }), ends: LIED },
      { task: count('e'), says: reports('e', { files: ['src/a.ts (updated)'] }), ends: LIED },
      // An agent that changes the file but reports it as unchanged has proved nothing.
      {
        task: 'f | Write notes.md',
        says: `echo x > notes.md\n${reports('f', { files: ['notes.md (unchanged)'] })}`,
        ends: UNCLEAR,
      },
      {
        task: 'g | Write it',
        says: reports('g', { files: ['never.md (unchanged)'] }),
        ends: { verdict: 'not_verified', groundTruthContradiction: false },
      },
    )
  },
)

it('accepts a task name with brackets as the task’s id', LONG, async () => {
  const right = 'Make p95 latency < 200 ms'
  const wrong = 'Rename a > b …'
  await expectEnds(
    { task: count(right), says: reports('make_p95_latency_<_200_ms', {}), ends: PAID },
    { task: count(wrong), says: reports('rename_a_>_b_…', { claims: { email_count: 9 } }), ends: LIED },
  )
})

const says = (text: string): string => `echo '${text}'; echo 'EXIT_SIGNAL: true'`

it(
  'describes in prose what others did or what was undone: neither a contradiction nor proof',
  LONG,
  async () => {
    const holds = (id: string): string => `${id} | Make sure of x | verify: contains("src/a.ts", "x=1")`
    const refuted = { verdict: 'not_verified', groundTruthContradiction: false }
    await expectEnds(
      {
        task: holds('a'),
        says: says('It is there: `src/a.ts` was updated by Maria in commit 12ab34.'),
        ends: { verdict: 'verified' },
      },
      {
        task: holds('b'),
        says: says('I changed src/a.ts, then reverted it.'),
        ends: { verdict: 'verified' },
      },
      { task: holds('c'), says: says('I updated src/a.ts in commit 12ab34.'), ends: LIED },
      { task: 'd | Write it', says: says('never.md was updated by Maria.'), ends: refuted },
      { task: 'e | Write it', says: says('never.md was updated.'), ends: LIED },
    )
  },
)

it('mentions an earlier value in prose: neither a contradiction nor proof', LONG, async () => {
  await expectEnds(
    { task: count('f'), says: says('email_count: 0 before, 3 now.'), ends: UNCLEAR },
    { task: count('g'), says: says('email_count: 3 before, 0 now.'), ends: UNCLEAR },
    { task: count('h'), says: says('email_count: 0 now, 3 before.'), ends: LIED },
  )
})

it('wraps its report in another object, or its values in a list: still understood', LONG, async () => {
  const wrapped = (task_id: string, email_count: number): string =>
    reportLines({
      tasks: [{ task_id, status: 'done ✅', claims: [{ name: 'email_count', value: email_count }] }],
    })
  await expectEnds(
    { task: count('a'), says: wrapped('`a`', 3), ends: PAID },
    { task: count('b'), says: wrapped('1. b: Count it', 9), ends: LIED },
    { task: count('c'), says: reports('c', { files: { 'never.md': 'created' } }), ends: LIED },
  )
})

it('names some files and says that there are more: held to those that it names', LONG, async () => {
  const more = ['...', 'and 3 more']
  await expectEnds(
    {
      task: count('a'),
      says: `date > src/a.ts\n${reports('a', { files: ['src/a.ts', ...more] })}`,
      ends: PAID,
    },
    { task: count('b'), says: reports('b', { files: ['never.md', ...more] }), ends: LIED },
  )
})

it(
  'names a file for another task that it wrote earlier: no contradiction, but a file that it invents there is one',
  LONG,
  async () => {
    const changes = (id: string, glob: string): string => `${id} | Write it | verify: changed("${glob}")`
    const done = (task_id: string, file: string): string =>
      reportLines({ task_id, status: 'done', files: [file] })
    const refused = { verdict: 'not_verified', points: -15, groundTruthContradiction: false }
    await expectEnds(
      {
        task: changes('a', 'src/a.ts'),
        says: `date > src/a.ts; date > src/b.ts\n${done('a', 'src/a.ts')}`,
        ends: PAID,
      },
      { task: changes('b', 'src/b.ts'), says: done('b', 'src/b.ts'), ends: refused },
      { task: changes('c', 'n.txt'), says: done('c', 'n.txt'), ends: LIED },
    )
  },
)
