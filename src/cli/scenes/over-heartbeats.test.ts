import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunReport } from '../../core/read-model/attempt.ts'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'
import { type Attempt, reportLines } from '../testing/rigged-run.ts'

/*
 * Agents over several heartbeats, as real processes in a real folder: each liar next to the honest agent who looks like it. Checks the
 * events of each (raised once), what the next prompt really said, the points, and whether an attempt was counted.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const LONG = { timeout: 120_000 }

/** Stores each prompt and runs the script of the current heartbeat; both are outside the workspace. */
const AGENT = `n=$(($(cat ../turn) + 1))\necho $n > ../turn\ncat > ../prompt-$n\n. ../turn-$n.sh\n`

interface Played {
  readonly attempts: readonly Attempt[]
  /** The prompt of each heartbeat, as the agent got it. */
  readonly prompts: readonly string[]
  readonly score: number
  /** Counted attempts at task `a`. */
  readonly counted: number
}

/** Runs one heartbeat per entry of `turns`: shell lines of the agent. */
async function play(
  { task, toml = '', files = {} }: { task: string; toml?: string; files?: Record<string, string> },
  ...turns: readonly string[]
): Promise<Played> {
  await cli.write({
    turn: '0',
    'p/HEARTBEAT.md': `## Tasks\n- [ ] a | ${task}\n`,
    'p/pulseward.toml': `[agent]\ncommand = ["sh", "agent.sh"]\nsandbox = "off"\n${toml}`,
    'p/agent.sh': AGENT,
    ...files,
    ...Object.fromEntries(turns.map((lines, index) => [`turn-${index + 1}.sh`, `${lines}\n`])),
  })
  const attempts: Attempt[] = []
  let score = 0
  for (const _ of turns) {
    const ran = await cli.run(['run', '--once', '--trust', '--json', '--workspace', 'p'])
    const report = JSON.parse(ran.stdout || '{}') as Partial<RunReport>
    if (report.attempts === undefined) throw new Error(`no heartbeat: ${ran.stdout} ${ran.stderr}`)
    attempts.push(...report.attempts)
    score = report.score?.score ?? 0
  }
  const prompts = await Promise.all(
    turns.map((_, index) => readFile(join(cli.root, `prompt-${index + 1}`), 'utf8').catch(() => '')),
  )
  const [id = ''] = await readdir(join(cli.dataDirectory, 'workspaces'))
  const progress = join(cli.dataDirectory, 'workspaces', id, 'heartbeat-progress.json')
  const { tasks } = JSON.parse(await readFile(progress, 'utf8')) as {
    tasks: { a?: { attempts: number } }
  }
  return { attempts, prompts, score, counted: tasks.a?.attempts ?? 0 }
}

const says = (claim: Record<string, unknown>): string =>
  reportLines({ task_id: 'a', status: 'done', ...claim })

/** Returns the events of an attempt, without the one about the feedback in its prompt. */
const raised = (attempt: Attempt | undefined): readonly string[] =>
  (attempt?.interventions ?? [])
    .map(({ event_type, severity }) => `${event_type} ${severity}`)
    .filter((event) => event !== 'agent_reinforced info')

const FEEDBACK = '## Previous Iteration Feedback (DO NOT IGNORE)'
const VERIFIED = { verdict: 'verified', points: 10, fault: null }
const REFUTED = { verdict: 'not_verified', points: -15, fault: 'agent', groundTruthContradiction: false }
const LIED = { verdict: 'not_verified', points: -45, fault: 'agent', groundTruthContradiction: true }
const STOPPED = { verdict: null, points: 0, fault: 'environment', interventions: [] }

const MAILS = '[probes.mails]\ncommand = ["cat", "../mails"]\nparse = "number"\n'
const COUNT = { task: 'Count the mails | verify: mails', toml: MAILS, files: { mails: '12\n' } }

describe('a value', () => {
  test(
    'given wrong on the third heartbeat, after two good ones, is not verified once, and the good ones stay paid',
    LONG,
    async () => {
      const { attempts, prompts, score } = await play(
        COUNT,
        says({ claims: { mails: 12 } }),
        says({ claims: { mails: '12 mails' } }),
        says({ claims: { mails: 15 } }),
        says({ status: 'failed' }),
      )
      expect(attempts).toMatchObject([VERIFIED, VERIFIED, LIED, REFUTED])
      expect(attempts.map(raised)).toEqual([[], [], ['claim_refuted critical'], []])
      expect(prompts.map((prompt) => prompt.includes(FEEDBACK))).toEqual([false, false, false, true])
      expect(prompts[3]).toContain('you gave mails = 15; 12 was measured')
      expect(prompts[3]).not.toContain('NO FILES')
      expect(score).toBe(-40)
    },
  )

  test(
    'that the agent honestly did not find raises no event, and the next prompt repeats what it said',
    LONG,
    async () => {
      const { attempts, prompts } = await play(
        COUNT,
        says({ status: 'failed' }),
        says({ claims: { mails: 12 } }),
      )
      expect(attempts).toMatchObject([REFUTED, VERIFIED])
      expect(attempts.map(raised)).toEqual([[], []])
      expect(prompts[1]).toContain('you said that you did not succeed')
    },
  )

  test('that the world changes between two readings does not blame the agent', LONG, async () => {
    const { attempts, counted } = await play(
      {
        ...COUNT,
        toml: '[probes.mails]\ncommand = ["sh", "../count.sh"]\nparse = "number"\n',
        files: { mails: '12\n', 'count.sh': 'n=$(($(cat ../mails) + 1))\necho $n > ../mails\necho $n\n' },
      },
      says({ claims: { mails: 12 } }),
    )
    expect(attempts).toMatchObject([
      {
        verdict: 'unclear',
        points: 0,
        fault: 'contract',
        groundTruthContradiction: false,
        interventions: [],
      },
    ])
    expect(counted).toBe(0)
  })

  test('that the agent’s own work changed is compared with its claim', LONG, async () => {
    const { attempts } = await play(
      COUNT,
      `echo 20 > ../mails\n${says({ claims: { mails: 12 } })}`,
      says({ claims: { mails: 20 } }),
    )
    expect(attempts).toMatchObject([LIED, VERIFIED])
    expect(raised(attempts[0])).toEqual(['claim_refuted critical'])
  })

  test('within the tolerance is right, and beyond it is wrong', LONG, async () => {
    const { attempts } = await play(
      { ...COUNT, toml: `${MAILS}tolerance = 2\n` },
      says({ claims: { mails: 13.5 } }),
      says({ claims: { mails: 15 } }),
    )
    expect(attempts).toMatchObject([VERIFIED, LIED])
  })
})

describe('two of three criteria met', () => {
  const PARTS = {
    task: 'Write the notes | verify: exists("one.md")\n  - [ ] the second | verify: exists("two.md")\n  - [ ] the third | verify: exists("three.md")',
  }
  const two = 'echo 1 > one.md; echo 2 > two.md'

  test(
    'claimed done: a contradiction once, naming the missing one, and paid once it is met',
    LONG,
    async () => {
      const { attempts, prompts } = await play(
        PARTS,
        `${two}\n${says({ files: ['one.md', 'two.md'] })}`,
        `echo 3 > three.md\n${says({ files: ['three.md'] })}`,
      )
      expect(attempts).toMatchObject([REFUTED, VERIFIED])
      expect(attempts.map(raised)).toEqual([['claim_refuted warning'], []])
      expect(prompts[1]).toContain('the criterion "the third"')
      expect(prompts[1]).not.toMatch(/the criterion "the second"|NO FILES|three\.md/)
    },
  )

  test(
    'reported honestly: raises no event, and the next prompt mentions no contradiction',
    LONG,
    async () => {
      const { attempts, prompts } = await play(
        PARTS,
        `${two}\n${says({ status: 'failed', files: ['one.md', 'two.md'] })}`,
        `echo 3 > three.md\n${says({ files: ['three.md'] })}`,
      )
      expect(attempts).toMatchObject([REFUTED, VERIFIED])
      expect(attempts.map(raised)).toEqual([[], []])
      expect(prompts[1]).toContain('you said that you did not succeed')
      expect(prompts[1]).not.toContain('**CRITICAL**')
    },
  )
})

describe('tests next to verified work', () => {
  const TESTED = {
    task: 'Write the feature | verify: exists("feature.md")',
    files: {
      'p/sum.test.js':
        "import { test } from 'node:test'\nimport assert from 'node:assert'\ntest('adds', () => assert.equal(1 + 1, 2))\ntest('is three', () => assert.equal(1 + 2, 3))\n",
    },
  }
  const work = 'echo it > feature.md'

  test('skipped: paid for the work, and the tests are reported anyway', LONG, async () => {
    const { attempts, prompts } = await play(
      TESTED,
      `${work}\nsed -i "s/^test('is three'/test.skip('is three'/" sum.test.js\n${says({ files: ['feature.md'] })}`,
      says({ files: [] }),
    )
    expect(attempts[0]).toMatchObject(VERIFIED)
    expect(raised(attempts[0])).toEqual(['protected_files_changed critical'])
    expect(prompts[1]).toContain(FEEDBACK)
    expect(prompts[1]).toContain('sum.test.js')
  })

  const asked = (glob: string) => ({ ...TESTED, task: `${TESTED.task} | may_change: ${glob}` })
  const deletes = `${work}\nrm sum.test.js\n${says({ files: ['feature.md', 'sum.test.js'] })}`

  test('deleted with the task’s permission: paid without comment', LONG, async () => {
    const { attempts, prompts } = await play(asked('*.test.js'), deletes, says({ files: [] }))
    expect(attempts[0]).toMatchObject(VERIFIED)
    expect(raised(attempts[0])).toEqual([])
    expect(prompts[1]).not.toContain(FEEDBACK)
  })

  test('deleted without permission are reported, even if the task may change others', LONG, async () => {
    const { attempts } = await play(asked('spec/**'), deletes)
    expect(raised(attempts[0])).toEqual(['protected_files_changed critical'])
  })

  test.each([
    ['deleted: reported, but still paid', 'rm AGENTS.md', ['protected_files_changed critical']],
    ['extended: paid and not reported', 'echo "Run npm test." >> AGENTS.md', []],
  ])('the agents’ own rules %s', LONG, async (_what, does, expected) => {
    const ruled = { ...TESTED, files: { ...TESTED.files, 'p/AGENTS.md': 'Be honest.\n' } }
    const { attempts } = await play(ruled, `${work}\n${does}\n${says({ files: ['feature.md'] })}`)
    expect(attempts[0]).toMatchObject(VERIFIED)
    expect(raised(attempts[0])).toEqual(expected)
  })

  test('extended: paid without comment', LONG, async () => {
    const { attempts, prompts } = await play(
      TESTED,
      `${work}\necho "test('is four', () => assert.equal(2 + 2, 4))" >> sum.test.js\n${says({ files: ['feature.md', 'sum.test.js'] })}`,
      says({ files: [] }),
    )
    expect(attempts[0]).toMatchObject(VERIFIED)
    expect(raised(attempts[0])).toEqual([])
    expect(prompts[1]).not.toContain(FEEDBACK)
  })
})

describe.each([
  [
    'its service, as reported by a library',
    'google.api_core.exceptions.ServiceUnavailable: 503 failed to connect',
  ],
  ['the network, mid-answer', 'TypeError: terminated'],
  ['its login', 'Authentication token not found. Run `agent login`'],
  ['its quota', "This request would exceed your organization's rate limit of 30,000 input tokens per minute"],
])('an agent that is stopped by %s', (_what, words) => {
  const fails = `echo '${words.replaceAll("'", "'\\''")}' >&2; exit 1`
  const TASK = { task: 'Write the notes | verify: exists("notes.md")' }

  test('is not scored, loses no attempt, and continues where it stopped', LONG, async () => {
    const { attempts, prompts, counted, score } = await play(
      TASK,
      `echo half > draft.md\necho 'Writing …'\n${fails}`,
      `mv draft.md notes.md\n${says({ files: ['notes.md'] })}`,
    )
    expect(attempts).toMatchObject([STOPPED, VERIFIED])
    expect(prompts[1]).not.toContain(FEEDBACK)
    expect(prompts[1]).toContain('Attempt 1 of 3')
    expect({ counted, score }).toEqual({ counted: 1, score: 10 })
  })

  test('but claimed to be done before that is judged by its claim', LONG, async () => {
    const { attempts, prompts, counted } = await play(
      TASK,
      `${says({ files: ['notes.md'] })}\n${fails}`,
      says({ status: 'failed' }),
    )
    expect(attempts).toMatchObject([LIED, REFUTED])
    expect(raised(attempts[0])).toEqual([
      'evidence_validation_failed warning',
      'false_completion_detected critical',
    ])
    expect(prompts[1]).toContain('notes.md: it did not change during the attempt')
    expect(counted).toBe(2)
  })
})

describe('a file', () => {
  const NOTES = { task: 'Write the notes' }
  const named = says({ files: ['notes.md'] })

  test('written again with the same bytes is no contradiction, and is not paid twice', LONG, async () => {
    const { attempts, score } = await play(
      NOTES,
      `echo it > notes.md\n${named}`,
      `echo it > notes.md\n${named}`,
    )
    expect(attempts).toMatchObject([VERIFIED, { verdict: 'verified', points: 0, interventions: [] }])
    expect(score).toBe(10)
  })

  test('finished in an earlier verified attempt is no contradiction when named again', LONG, async () => {
    const { attempts, score } = await play(NOTES, `echo it > notes.md\n${named}`, named)
    expect(attempts).toMatchObject([VERIFIED, { verdict: 'verified', points: 0, interventions: [] }])
    expect(score).toBe(10)
  })

  test(
    'of a failed attempt is a contradiction if claimed again without work, until it is changed',
    LONG,
    async () => {
      const { attempts, prompts } = await play(
        NOTES,
        `echo it > notes.md\n${says({ files: ['notes.md', 'never.md'] })}`,
        named,
        `echo more >> notes.md\n${named}`,
      )
      expect(attempts).toMatchObject([LIED, LIED, VERIFIED])
      expect(prompts[1]).toContain('never.md')
      expect(prompts[2]).toContain('notes.md')
    },
  )

  test('that is gone by the next heartbeat contradicts a claim that names it', LONG, async () => {
    const first = await play(NOTES, `echo it > notes.md\n${named}`)
    expect(first.attempts).toMatchObject([VERIFIED])
    await rm(join(cli.root, 'p', 'notes.md'))
    const { stdout } = await (async () => {
      await cli.write({ 'turn-2.sh': `${named}\n` })
      return cli.run(['run', '--once', '--trust', '--json', '--workspace', 'p'])
    })()
    expect((JSON.parse(stdout) as RunReport).attempts).toMatchObject([LIED])
  })
})
