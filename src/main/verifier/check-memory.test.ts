import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CheckMemory, ReuseCheck } from '../ports/check-memory.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { createCheckMemory } from './check-memory.ts'

/*
 * The memory of one workspace with a check that takes a second, on a clock that stands still otherwise. `says` is the check's answer.
 */

// Only compared, so its type does not matter.
const CONFIG = { gates: {} } as unknown as WorkspaceConfig

interface World {
  readonly directory: string
  readonly bin: string
  readonly memory: CheckMemory
  readonly told: string[]
  runs: number
  says: string
  /** What the check's own code does. */
  does: () => void
  settings: string
  outside: string
  isDrawn: boolean
  takesMs: number
  ask(reuse: ReuseCheck): Promise<string>
  /** Runs an attempt: an agent works, its work is judged, and the attempt ends. */
  attempt(agent?: () => void): Promise<string>
  /** Returns the check's known answer before the next agent. */
  before(config?: WorkspaceConfig): Promise<string>
}

function world(): World {
  const root = mkdtempSync(join(tmpdir(), 'pulseward-memory-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const directory = join(root, 'w')
  const bin = join(root, 'bin')
  for (const folder of [join(directory, 'src'), join(directory, 'node_modules'), bin])
    mkdirSync(folder, { recursive: true })
  writeFileSync(join(directory, 'src', 'a.js'), 'one')
  writeFileSync(join(bin, 'node'), '')
  let nowMs = 0
  const told: string[] = []
  const memory = createCheckMemory({
    directory,
    top: () => directory,
    excluded: [],
    version: '1',
    clock: { monotonicMs: () => nowMs },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    outside: async () => made.outside,
    areIgnored: async (paths) => paths.map((path) => path.startsWith('node_modules/')),
    draw: () => made.isDrawn,
    differed: async ({ name }) => void told.push(name),
  })
  const made: World = {
    directory,
    bin,
    memory,
    told,
    runs: 0,
    says: 'red',
    does: () => {},
    settings: 'npm test',
    outside: '',
    isDrawn: false,
    takesMs: 1000,
    ask: (reuse) =>
      reuse(
        {
          kind: 'probe',
          name: 'tests',
          program: 'npm',
          settings: made.settings,
          searchPath: bin,
          said: (answer) => answer,
          ranMs: () => made.takesMs,
        },
        async () => {
          made.runs += 1
          nowMs += made.takesMs
          made.does()
          return made.says
        },
      ),
    attempt: async (agent = () => {}) => {
      memory.agentStarts()
      agent()
      const answer = await made.ask(await memory.measuring(CONFIG))
      await memory.settle()
      return answer
    },
    before: (config = CONFIG) => made.ask(memory.recalling(config)),
  }
  return made
}

/** Returns the world after a first attempt, which showed that the check takes long. */
async function steady(): Promise<World> {
  const made = world()
  await made.before()
  await made.attempt()
  made.runs = 0
  return made
}

const write = ({ directory }: World, path: string, text: string) => writeFileSync(join(directory, path), text)

describe('CheckMemory', () => {
  it('runs a check once per attempt in the steady state', async () => {
    const made = await steady()
    for (const text of ['two', 'three', 'four']) {
      expect(await made.before()).toBe(made.says)
      made.says = text
      expect(await made.attempt(() => write(made, 'src/a.js', text))).toBe(text)
    }
    expect(made.runs).toBe(3)
    expect(made.told).toEqual([])
  })

  it('runs it once for everyone who asks between two agents', async () => {
    const made = world()
    const reuse = made.memory.recalling(CONFIG)
    await Promise.all([made.ask(reuse), made.ask(reuse)])
    expect(made.runs).toBe(1)
  })

  it('always measures what an agent left, never reusing an earlier answer', async () => {
    const made = await steady()
    const reuse = made.memory.recalling(CONFIG)
    await made.ask(reuse)
    expect(made.runs).toBe(0)
    made.memory.agentStarts()
    made.says = 'green'
    expect(await made.ask(reuse)).toBe('green')
    expect(await made.ask(await made.memory.measuring(CONFIG))).toBe('green')
  })

  it.each<[string, (made: World) => void]>([
    ['a source file', (made) => write(made, 'src/a.js', 'two')],
    ['an ignored file', (made) => write(made, 'node_modules/p.js', 'two')],
    ['a file mode', ({ directory }) => chmodSync(join(directory, 'src/a.js'), 0o755)],
    ['the links in the tree', ({ directory }) => symlinkSync('a.js', join(directory, 'src/b.js'))],
    ['a tool on PATH', ({ bin }) => writeFileSync(join(bin, 'node'), 'newer')],
    ['the programs on PATH', ({ bin }) => writeFileSync(join(bin, 'shadow'), '')],
    ['a setting outside of the tree', (made) => void Object.assign(made, { outside: 'other' })],
    ['its command or environment', (made) => void Object.assign(made, { settings: 'npm test -- --all' })],
  ])('runs it again after a change of %s', async (_, change) => {
    const made = await steady()
    change(made)
    made.says = 'green'
    expect(await made.before()).toBe('green')
    expect(made.runs).toBe(1)
  })

  it('runs it again with another configuration', async () => {
    const made = await steady()
    // Only compared, so its type does not matter.
    await made.before({ gates: { timeoutMs: 1 } } as unknown as WorkspaceConfig)
    expect(made.runs).toBe(1)
  })

  it('keeps the answer of a check that writes a cache', async () => {
    const made = world()
    made.does = () => write(made, 'node_modules/cache', `${made.runs}`)
    await made.before()
    await made.attempt()
    expect(made.runs).toBe(2)
    await made.before()
    expect(made.runs).toBe(2)
  })

  it('keeps no answer of a check that writes files that git sees, because its own code may have changed the answer', async () => {
    const made = world()
    made.does = () => write(made, 'src/state.json', `${made.runs}`)
    await made.before()
    await made.attempt()
    await made.before()
    expect(made.runs).toBe(3)
  })

  it('notices an ignored file that is changed after the check, even with the same size', async () => {
    const made = world()
    write(made, 'node_modules/flag', 'green')
    await made.before()
    made.says = 'green'
    await made.attempt()
    write(made, 'node_modules/flag', 'reddd')
    made.says = 'red'
    expect(await made.before()).toBe('red')
  })

  it('reports a check that answers differently when rerun at random, and never reuses its answers again', async () => {
    const made = await steady()
    made.isDrawn = true
    expect(await made.before()).toBe('red')
    expect([made.runs, made.told]).toEqual([1, []])
    made.says = 'green'
    expect(await made.before()).toBe('green')
    expect(made.told).toEqual(['tests'])
    made.isDrawn = false
    await made.attempt()
    made.runs = 0
    await made.before()
    await made.before()
    expect([made.runs, made.told]).toEqual([2, ['tests']])
  })

  it('reports a check that answers differently after an agent that touched nothing', async () => {
    const made = await steady()
    await made.before()
    made.says = 'green'
    await made.attempt()
    expect(made.told).toEqual(['tests'])
  })

  it('reports nothing if the agent changed a file', async () => {
    const made = await steady()
    await made.before()
    made.says = 'green'
    await made.attempt(() => write(made, 'src/a.js', 'two'))
    expect(made.told).toEqual([])
  })

  it('keeps no answers from an attempt that needed a second look', async () => {
    const made = await steady()
    made.memory.agentStarts()
    await made.ask(await made.memory.measuring(CONFIG))
    made.memory.doubt()
    await made.memory.settle()
    made.runs = 0
    await made.before()
    expect(made.runs).toBe(1)
  })

  it('keeps no answers from an attempt that did not end', async () => {
    const made = await steady()
    made.memory.agentStarts()
    await made.ask(await made.memory.measuring(CONFIG))
    made.runs = 0
    await made.before()
    expect(made.runs).toBe(1)
  })

  it('keeps no answer of a quick check', async () => {
    const made = world()
    made.takesMs = 10
    await made.before()
    await made.attempt()
    await made.before()
    expect(made.runs).toBe(3)
  })
})
