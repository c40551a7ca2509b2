/* Programs that run the tasks of a file, in a language or format that is not followed word by word. */

interface TaskRunner {
  readonly files: readonly string[]
  /** The words with which it runs tasks, joined by spaces; omitted: any. */
  readonly runs?: RegExp
  /** Files that it uses in addition to the others if they exist. */
  readonly andIfThere?: readonly string[]
}

/** `OPTIONS run …`. */
const first = (words: string): RegExp => new RegExp(`^(?:-\\S+\\s+)*(?:${words})(?:\\s|$)`)
const RUN = first('run')
/** Exits with the status of the command in a container; others only start or describe containers, which may be the work. */
const RUNS_IN_CONTAINER =
  '(?:.*\\s)?(?:(?:run|exec)\\s|up\\s.*--(?:exit-code-from|abort-on-container-(?:exit|failure)))'
const COMPOSE: TaskRunner = {
  files: ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'],
  runs: new RegExp(`^${RUNS_IN_CONTAINER}`),
  andIfThere: ['compose', 'docker-compose'].flatMap((name) => [
    `${name}.override.yaml`,
    `${name}.override.yml`,
  ]),
}
const WITH_COMPOSE: TaskRunner = {
  ...COMPOSE,
  runs: new RegExp(`^(?:-\\S+\\s+)*compose\\s${RUNS_IN_CONTAINER}`),
}
const TASK_RUNNERS: ReadonlyMap<string, TaskRunner> = new Map<string, TaskRunner>(
  Object.entries({
    rake: { files: ['Rakefile', 'rakefile', 'Rakefile.rb', 'rakefile.rb'] },
    nox: { files: ['noxfile.py'] },
    tox: { files: ['tox.ini', 'pyproject.toml', 'setup.cfg'] },
    inv: { files: ['tasks.py'] },
    invoke: { files: ['tasks.py'] },
    doit: { files: ['dodo.py'] },
    fab: { files: ['fabfile.py'] },
    poe: { files: ['pyproject.toml'] },
    pdm: { files: ['pyproject.toml'], runs: RUN },
    hatch: { files: ['pyproject.toml', 'hatch.toml'], runs: RUN },
    rye: { files: ['pyproject.toml'], runs: RUN },
    pixi: { files: ['pixi.toml', 'pyproject.toml'], runs: RUN },
    task: { files: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml'] },
    mise: { files: ['mise.toml', '.mise.toml', 'mise.local.toml'], runs: first('run|r') },
    composer: {
      files: ['composer.json'],
      runs: /^(?!(?:install|update|require|remove|audit|show|outdated|validate|dump-autoload)(?:\s|$))/,
    },
    deno: { files: ['deno.json', 'deno.jsonc'], runs: first('task') },
    nx: { files: ['project.json'] },
    moon: { files: ['moon.yml'] },
    gulp: { files: ['gulpfile.js', 'gulpfile.mjs', 'gulpfile.cjs', 'gulpfile.ts'] },
    grunt: { files: ['Gruntfile.js', 'Gruntfile.cjs'] },
    'pre-commit': { files: ['.pre-commit-config.yaml'] },
    prek: { files: ['.pre-commit-config.yaml'] },
    lefthook: { files: ['lefthook.yml', 'lefthook.yaml'] },
    earthly: { files: ['Earthfile'] },
    ant: { files: ['build.xml'] },
    docker: WITH_COMPOSE,
    podman: WITH_COMPOSE,
    'docker-compose': COMPOSE,
    'podman-compose': COMPOSE,
    scons: { files: ['SConstruct'] },
    waf: { files: ['wscript'] },
    zig: { files: ['build.zig'], runs: first('build') },
  }),
)

/** Options that name such a file. */
const FILE_OPTION = /^--?(?:f|c|t|file|config|rakefile|taskfile|noxfile|buildfile)$/

/**
 * Returns the task files that a command uses: those that it names, else those in its folder and in folders that its words name (`-d web`).
 * Paths are from the folder in which it runs.
 */
export function taskFilesIn(
  program: string,
  words: readonly string[],
  isFile: (path: string) => boolean,
): readonly string[] {
  const runner = runnerOf(program, words)
  if (runner === null) return []
  const given = words.map((word, at) => {
    const [, option = words[at - 1] ?? '', value = word] = /^(-[^=]*)=(.*)$/.exec(word) ?? []
    return { option, value: value.replace(/\/+$/, '') }
  })
  const named = given.filter(({ option, value }) => FILE_OPTION.test(option) && isFile(value))
  if (named.length > 0) return named.map(({ value }) => value)
  const folders = given.flatMap(({ value }) => (/^(?:-|$)/.test(value) ? [] : [`${value}/`]))
  const names = [...runner.files, ...(runner.andIfThere ?? [])]
  return ['', ...folders].flatMap((folder) => names.map((name) => folder + name)).filter(isFile)
}

/** Returns the files that a command would also use if they existed. Paths are from the folder in which it runs. */
export function missingTaskFiles(
  program: string,
  words: readonly string[],
  isFile: (path: string) => boolean,
): readonly string[] {
  const runner = runnerOf(program, words)
  const isNamed = words.some((word) => FILE_OPTION.test(word.replace(/=.*$/, '')))
  return isNamed ? [] : (runner?.andIfThere ?? []).filter((path) => !isFile(path))
}

function runnerOf(program: string, words: readonly string[]): TaskRunner | null {
  const runner = TASK_RUNNERS.get(program)
  return runner === undefined || runner.runs?.test(words.join(' ')) === false ? null : runner
}

const CODE =
  /(?:\.(?:[cm]?[jt]sx?|py|sh|bash|zsh|fish|bats|rb|pl|php|lua|go|rs|awk|sed|jq|ps1|mk|groovy|kts|exs)|\/[^./]+)$/
const MAX_MENTIONED = 100

/** Returns the files of code that a text mentions by their paths, at most 100. */
export function mentionedCode(text: string, isFile: (path: string) => boolean): readonly string[] {
  const words = [...text.matchAll(/[\w@./+-]+/g)].map(([word]) => word.replace(/^(?:\.\/)+/, ''))
  return [...new Set(words)].filter((path) => CODE.test(path) && isFile(path)).slice(0, MAX_MENTIONED)
}
