import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AttemptResult } from '../../../core/record/events.ts'
import type { JudgeResult } from '../../../core/verification/types.ts'
import { runCycle } from '../loop/run-cycle.ts'
import {
  report,
  type ScriptedRun,
  type SupervisedWorkspace,
  supervise,
} from '../testing/supervised-workspace.ts'

/* When a task is claimed to be done again: which last verdicts are still valid, and which aren't. */

const PAID = { verdict: 'verified', points: 10 }
const STANDS = { verdict: 'verified', points: 0, heldBefore: true, interventions: [] }
const REFUTED = { verdict: 'not_verified', points: -15 }

/** An agent's turn: how it changes the files, and what it reports. */
interface Turn extends Pick<ScriptedRun, 'difference'> {
  readonly does?: (directory: string) => void
  readonly claims?: Readonly<Record<string, Record<string, unknown>>>
}

interface Agent {
  readonly directory: string
  heartbeat(turn?: Turn): Promise<readonly AttemptResult[]>
}

function write(directory: string, path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true })
  writeFileSync(join(directory, path), text)
}

const JUDGE = '[judge]\ncommand = ["judge"]\n'
const GOOD: JudgeResult = { kind: 'answer', verdict: 'verified', reason: 'it is there' }

async function agentOf(
  taskIds: readonly string[],
  toml = '',
  judge: JudgeResult | null = null,
): Promise<Agent> {
  let stdout = ''
  let difference: ScriptedRun['difference'] = {}
  const lines = taskIds.map((id) => `- [ ] ${id} | Write it | required | verify: good work | max_attempts: 9`)
  const workspace: SupervisedWorkspace = await supervise({
    contract: `## Tasks\n${lines.join('\n')}\n`,
    toml,
    runs: [],
    script: () => ({ stdout, difference }),
  })
  const { ports } = workspace
  const judged = {
    ...ports,
    createVerifier: (...given: Parameters<typeof ports.createVerifier>) => ({
      ...ports.createVerifier(...given),
      judge: async () => judge,
    }),
  }
  return {
    directory: ports.directory,
    heartbeat: async ({ does, difference: changed = {}, claims = {} } = {}) => {
      does?.(ports.directory)
      difference = changed
      stdout = taskIds.map((id) => report(id, { status: 'done', ...claims[id] })).join('')
      const run = await runCycle(judged, { trigger: 'manual', dueAt: null }, new AbortController().signal)
      return run.attempts
    },
  }
}

const many = Array.from({ length: 60 }, (_, index) => `out/page-${index}.html`)

/** What a verdict can rest on, besides a small file named in the report. The liar undoes it before claiming it again. */
const FOUNDATIONS: readonly {
  readonly title: string
  readonly turn: Turn
  readonly undoes: (directory: string) => void
  readonly judged?: boolean
}[] = [
  {
    title: 'a deletion',
    turn: { difference: { deleted: ['old.md'] }, claims: { a: { files: ['old.md'] } } },
    undoes: (directory) => write(directory, 'old.md', 'back'),
  },
  {
    title: 'a folder',
    turn: {
      does: (directory) => {
        write(directory, 'notes/one.md', '1')
        write(directory, 'notes/two.md', '2')
      },
      difference: { added: ['notes/one.md', 'notes/two.md'] },
      claims: { a: { files: ['notes/'] } },
    },
    undoes: (directory) => rmSync(join(directory, 'notes/two.md')),
  },
  {
    title: 'many files',
    turn: {
      does: (directory) => {
        for (const path of many) write(directory, path, path)
      },
      difference: { added: many },
      claims: { a: { files: ['out'] } },
    },
    undoes: (directory) => write(directory, 'out/page-59.html', 'another'),
  },
  {
    title: 'a large file',
    turn: {
      does: (directory) => {
        write(directory, 'dump.bin', '')
        truncateSync(join(directory, 'dump.bin'), 9 * 1024 * 1024)
      },
      difference: { added: ['dump.bin'] },
      claims: { a: { files: ['dump.bin'] } },
    },
    undoes: (directory) => truncateSync(join(directory, 'dump.bin'), 10 * 1024 * 1024),
  },
  {
    title: 'what a judge saw, with no file named',
    judged: true,
    turn: {
      does: (directory) => write(directory, 'answer.md', '42'),
      difference: { added: ['answer.md'] },
    },
    undoes: (directory) => write(directory, 'answer.md', ''),
  },
]

describe.each(FOUNDATIONS)('a verdict that relies on $title', ({ turn, undoes, judged = false }) => {
  const begin = () => agentOf(['a'], judged ? JUDGE : '', judged ? GOOD : null)

  it('remains for an honest agent that only repeats that the work is done', async () => {
    const agent = await begin()
    expect(await agent.heartbeat(turn)).toMatchObject([PAID])
    expect(await agent.heartbeat()).toMatchObject([STANDS])
    expect(await agent.heartbeat()).toMatchObject([STANDS])
  })

  it('does not remain for a liar that claims work that has been undone', async () => {
    const agent = await begin()
    expect(await agent.heartbeat(turn)).toMatchObject([PAID])
    undoes(agent.directory)
    expect(await agent.heartbeat()).toMatchObject([REFUTED])
  })
})

describe('next to other work in the same run', () => {
  const CYCLE = '[heartbeat]\nsession = "cycle"\ntimezone = "Europe/Berlin"\n'
  const both: Turn = {
    does: (directory) => {
      write(directory, 'a.md', 'a')
      write(directory, 'b.md', 'b')
    },
    difference: { added: ['a.md', 'b.md'] },
    claims: { a: { files: ['a.md'] }, b: { files: ['b.md'] } },
  }

  it('a verdict remains for an honest agent that has nothing new, and the other task is paid', async () => {
    const agent = await agentOf(['a', 'b'], CYCLE)
    expect(await agent.heartbeat(both)).toMatchObject([PAID, PAID])
    const again: Turn = {
      does: (directory) => write(directory, 'b.md', 'more'),
      difference: { modified: ['b.md'] },
      claims: { b: { files: ['b.md'] } },
    }
    expect(await agent.heartbeat(again)).toMatchObject([STANDS, PAID])
  })

  it('a verdict does not remain for a liar whose file has been emptied since', async () => {
    const agent = await agentOf(['a', 'b'], CYCLE)
    await agent.heartbeat(both)
    const spoilt: Turn = {
      does: (directory) => write(directory, 'a.md', ''),
      difference: { modified: ['a.md'] },
    }
    expect(await agent.heartbeat(spoilt)).toMatchObject([{ verdict: 'unclear', points: -2 }, { points: 0 }])
  })
})

describe('a change beside earlier verified work', () => {
  const first: Turn = {
    does: (directory) => write(directory, 'one.md', '1'),
    difference: { added: ['one.md'] },
    claims: { a: { files: ['one.md'] } },
  }
  const second: Turn = {
    does: (directory) => write(directory, 'two.md', '2'),
    difference: { added: ['two.md'] },
  }

  it('is new work, and paid, if the agent names it', async () => {
    const agent = await agentOf(['a'])
    await agent.heartbeat(first)
    expect(await agent.heartbeat({ ...second, claims: { a: { files: ['two.md'] } } })).toMatchObject([PAID])
  })

  it('leaves the verdict in place if someone else may have made it', async () => {
    const agent = await agentOf(['a'])
    await agent.heartbeat(first)
    expect(await agent.heartbeat(second)).toMatchObject([STANDS])
  })

  it('is reviewed by the judge if there is one', async () => {
    const bad: JudgeResult = { kind: 'answer', verdict: 'not_verified', reason: 'it is spoilt' }
    const agent = await agentOf(['a'], JUDGE, bad)
    expect(await agent.heartbeat(first)).toMatchObject([REFUTED])
    const paid = await agentOf(['a'], JUDGE, GOOD)
    await paid.heartbeat(first)
    expect(await paid.heartbeat(second)).toMatchObject([PAID])
  })
})
