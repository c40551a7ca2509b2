import { planReport } from './report-plan.ts'
import type { ReportFormat } from './test-report.ts'

/** What a folder reveals about how its tests are run. */
export interface ProjectFiles {
  /** From package.json; null if there is none. */
  readonly node: NodeProject | null
  readonly python: PythonProject | null
  /** How each other ecosystem in the folder runs its tests, determined by its files: the preferred command first. */
  readonly others: readonly Commands[]
}

type Commands = readonly (readonly string[])[]

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

export interface NodeProject {
  readonly manager: PackageManager
  readonly scripts: Readonly<Record<string, string>>
  /** Names of packages that it depends on, including development dependencies. */
  readonly dependencies: ReadonlySet<string>
  /** True if there are files that `bun test` finds. */
  readonly hasTestFiles: boolean
}

export interface PythonProject {
  readonly usesPytest: boolean
  /** True if unittest finds tests by itself. */
  readonly hasUnittests: boolean
  /** How python is invoked here: `.venv/bin/python`, `uv run python`. */
  readonly python: readonly string[]
}

/** A probe that reads the report of the folder's tests. */
export interface TestProbe {
  readonly name: 'tests'
  /** The runner's usual name: "vitest", "go test". */
  readonly runner: string
  readonly command: readonly string[]
  readonly parse: ReportFormat
}

/** Returns the probe for the folder's tests; null if there is no runner with a report that we read. Pure. */
export function detectRunner(project: ProjectFiles): TestProbe | null {
  const scripts = project.node?.scripts ?? {}
  for (const command of candidates(project)) {
    const plan = planReport(command, { scripts, reportFile: 'report' })
    if (plan !== null) return { name: 'tests', runner: plan.runner, command, parse: plan.format }
  }
  return null
}

/** Returns one probe for each ecosystem in the folder, in order of preference; see `detectRunner`. Pure. */
export function detectRunners(project: ProjectFiles): readonly TestProbe[] {
  const none = { node: null, python: null, others: [] }
  const alone: readonly ProjectFiles[] = [
    { ...none, node: project.node },
    { ...none, python: project.python },
    ...project.others.map((commands) => ({ ...none, others: [commands] })),
  ]
  return alone.flatMap((one) => detectRunner(one) ?? [])
}

/** Returns the command that runs the folder's tests, with or without a report; null if none is known. Pure. */
export function detectTestCommand(project: ProjectFiles): readonly string[] | null {
  const probe = detectRunner(project)
  if (probe !== null) return probe.command
  const { node } = project
  return node !== null && isMeant(node.scripts.test) ? [node.manager, 'run', 'test'] : null
}

function candidates({ node, python, others }: ProjectFiles): Commands {
  return [
    ...(node === null ? [] : nodeCandidates(node)),
    ...(python?.usesPytest ? [[...python.python, '-m', 'pytest']] : []),
    ...(python?.hasUnittests ? [[...python.python, '-m', 'unittest']] : []),
    ...others.flat(),
  ]
}

/** Package scripts that run tests, the most common name first. */
const TEST_SCRIPTS = ['test', 'test:unit', 'unit', 'test:ci', 'tests']

/** Runners that a package can depend on and run without a script. */
const INSTALLED: readonly (readonly [dependency: string, ...command: string[]])[] = [
  ['vitest', 'vitest', 'run'],
  ['jest', 'jest'],
  ['mocha', 'mocha'],
]

function nodeCandidates({ manager, scripts, dependencies, hasTestFiles }: NodeProject): Commands {
  const named = TEST_SCRIPTS.filter((name) => Object.hasOwn(scripts, name))
  const installed = INSTALLED.filter(([dependency]) => dependencies.has(dependency))
  return [
    ...named.map((name) =>
      // `bun test` is bun's built-in runner.
      name === 'test' && manager !== 'bun' ? [manager, 'test'] : [manager, 'run', name],
    ),
    ...installed.map(([, ...command]) => [...EXECUTE[manager], ...command]),
    ...(manager === 'bun' && hasTestFiles ? [['bun', 'test']] : []),
  ]
}

const EXECUTE: Readonly<Record<PackageManager, readonly string[]>> = {
  npm: ['npx'],
  pnpm: ['pnpm', 'exec'],
  yarn: ['yarn', 'exec'],
  bun: ['bunx'],
}

/** Returns false for the failing script that `npm init` writes. */
function isMeant(script: string | undefined): boolean {
  return script !== undefined && !script.includes('no test specified')
}
