const CI_PATHS =
  /^(?:.*\/)?(?:\.github\/(?:workflows|actions)\/|\.circleci\/|\.buildkite\/|\.woodpecker\/|\.forgejo\/workflows\/|\.gitea\/workflows\/|\.semaphore\/|\.gitlab\/ci\/|\.husky\/)|(?:^|\/)(?:\.gitlab-ci\.ya?ml|\.travis\.yml|azure-pipelines[^/]*\.ya?ml|Jenkinsfile[^/]*|bitbucket-pipelines\.yml|\.drone\.yml|\.woodpecker\.ya?ml|\.?appveyor\.ya?ml|\.cirrus\.(?:ya?ml|star)|buildspec[^/]*\.ya?ml|cloudbuild\.yaml|lefthook\.ya?ml|\.pre-commit-config\.yaml)$/

/** Returns whether a path is configuration of a CI system, or of hooks used instead of one. */
export function isCiFile(path: string): boolean {
  return CI_PATHS.test(path)
}

/** A benchmark, which no run of the tests loads. */
const BENCHMARK = /\.bench\.[cm]?[jt]sx?$/

/** Returns whether a file decides no check and affects no agent: a benchmark, or below `.github` sponsors, owners, templates, labels. */
export function runsNothing(path: string): boolean {
  if (BENCHMARK.test(path)) return true
  const [, inside] = /(?:^|\/)\.github\/(.*)$/.exec(path) ?? []
  if (inside === undefined || isCiFile(path)) return false
  const isText = /\.(?:ya?ml|md|json|txt|toml)$|^(?:.*\/)?(?:CODEOWNERS|FUNDING|SECURITY)$/.test(inside)
  return isText && !/^(?:hooks|scripts|agents|instructions|prompts|skills|chatmodes)\/|^copilot-/.test(inside)
}

/** Keys whose value is executed. */
const RUN_KEY = /^(?:-\s+)?(?:run|script|before_script|after_script|commands?|sh|bash|install)\s*:\s*(.*)$/
const USES_KEY = /^(?:-\s+)?uses\s*:\s*['"]?([^'"\s@#]+)/
/** Commands that print or do nothing: a step with only these checks nothing. */
const NO_WORK =
  /^(?:echo|printf|true|:|exit\s+0|sleep|cd|set|export|ls|pwd|which|date|uname|whoami)(?:\s|$)|^\S+\s+(?:--version|version|--help)$/
/** The end of a command, from its last `||`, that hides its failure. */
const SWALLOWED = /^\|\|\s*(?:true|:|exit\s+0|echo\b.*)$/
/** Events that only a person triggers: a workflow with no others no longer runs automatically. */
const BY_HAND = /^(?:workflow_dispatch|repository_dispatch)$/
/** Options that disable the step or job they belong to, or make its failure not count. */
const SWITCHED_OFF =
  /^(?:-\s+)?(?:continue-on-error|continueOnError|allow_failure|soft_fail)\s*:\s*(?!false)\S|^(?:-\s+)?(?:if|condition)\s*:\s*['"]?(?:\$\{\{\s*)?(?:false\b|.*&&\s*false\b)|^(?:-\s+)?failure\s*:\s*ignore\b|^(?:-\s+)?when\s*:\s*(?:never|manual)\b/
const WITHOUT_CONDITION = /^-\s+when\b/

/** Returns whether a line of a CI file is an option that disables its step or job, or makes its failure not count. */
export function disablesStep(line: string): boolean {
  return SWITCHED_OFF.test(line)
}

interface Line {
  readonly text: string
  readonly indent: number
}

/**
 * Returns what a CI file runs with a visible failure: each command of its steps, and each action without its version, in order. Two steps
 * joined into one give the same commands; a step that may fail gives none. Reads lines instead of YAML, because every CI system has its own
 * form. Linear.
 */
export function ciSteps(text: string): readonly string[] {
  const lines = text
    .split('\n')
    .map((raw): Line => ({ text: raw.trim(), indent: raw.length - raw.trimStart().length }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'))
  if (isByHand(lines)) return []
  const isOff = switchedOff(lines)
  const steps: string[] = []
  for (const [at, line] of lines.entries()) {
    if (isOff.has(at)) continue
    const [, action] = USES_KEY.exec(line.text) ?? []
    if (action !== undefined) steps.push(action)
    const [, inline] = RUN_KEY.exec(line.text) ?? []
    if (inline === undefined) continue
    steps.push(...(/^[|>][+-]?\d*$|^$/.test(inline) ? blockBelow(lines, at) : [inline]).flatMap(commandsOf))
  }
  return steps
}

/** Returns whether a workflow lists its triggers and only a person can start it. */
function isByHand(lines: readonly Line[]): boolean {
  const at = lines.findIndex(({ text, indent }) => indent === 0 && /^(['"]?)on\1\s*:/.test(text))
  if (at < 0) return false
  const inline = (lines[at]?.text ?? '').replace(/^[^:]*:/, '').trim()
  const events = inline === '' ? keysBelow(lines, at) : inline.replace(/^[[{]|[\]}]$/g, '').split(',')
  const names = events.map((event) =>
    event
      .trim()
      .replace(/:.*$/, '')
      .replace(/^(['"])(.*)\1$/, '$2'),
  )
  return names.length > 0 && names.every((name) => BY_HAND.test(name))
}

/** Returns the keys, or items, of the block below a line. */
function keysBelow(lines: readonly Line[], at: number): readonly string[] {
  const own = lines[at + 1]?.indent ?? 0
  const isList = lines[at + 1]?.text.startsWith('- ') === true
  if (own === 0 && !isList) return []
  const keys: string[] = []
  for (let below = at + 1; below < lines.length; below += 1) {
    const { text, indent } = lines[below] ?? { text: '', indent: -1 }
    if (indent < own || (isList && indent === own && !text.startsWith('- '))) break
    if (indent === own) keys.push(text.replace(/^-\s+/, ''))
  }
  return keys
}

function blockBelow(lines: readonly Line[], at: number): readonly string[] {
  const { indent = 0, text = '' } = lines[at] ?? {}
  const own = text.startsWith('- ') ? indent + 1 : indent
  const block: string[] = []
  for (let below = at + 1; below < lines.length; below += 1) {
    const line = lines[below]
    if (line === undefined || line.indent < own || (line.indent === own && !line.text.startsWith('- '))) break
    block.push(line.text.replace(/^-\s+/, ''))
  }
  return block.join('\n').replace(/\\\n/g, ' ').split('\n')
}

function commandsOf(line: string): readonly string[] {
  const plain = line.replace(/^(['"])(.*)\1$/, '$2')
  return plain
    .split(/&&|;/)
    .map((command) => command.replace(/\s+/g, ' ').trim())
    .filter((command) => command !== '' && !NO_WORK.test(command) && !isSwallowed(command))
}

function isSwallowed(command: string): boolean {
  const at = command.lastIndexOf('||')
  return at >= 0 && SWALLOWED.test(command.slice(at))
}

/** Returns the lines of mappings that an option disables. */
function switchedOff(lines: readonly Line[]): ReadonlySet<number> {
  const off = new Set<number>()
  for (const [place, line] of lines.entries()) {
    // An option inside a disabled mapping changes nothing, so each mapping is read once.
    if (off.has(place) || !disablesStep(line.text)) continue
    // The first of a job's rules applies to the job if it has no condition.
    const isRule = WITHOUT_CONDITION.test(line.text) && lines[place - 1]?.text === 'rules:'
    const at = isRule ? place - 1 : place
    const { text, indent } = lines[at] ?? line
    const isItem = /^-\s/.test(text)
    const own = isItem ? indent + 1 : indent
    let start = at
    // An item's mapping starts at its dash.
    while (!isItem && start > 0 && (lines[start - 1]?.indent ?? 0) >= own) start -= 1
    if (!isItem && /^-\s/.test(lines[start - 1]?.text ?? '')) start -= 1
    let end = at + 1
    while (end < lines.length && (lines[end]?.indent ?? 0) >= own) end += 1
    for (let line = start; line < end; line += 1) off.add(line)
  }
  return off
}

/** Returns the steps of `before` that are missing from `after`, each as often as it is missing. */
export function missingSteps(before: readonly string[], after: readonly string[]): readonly string[] {
  const left = new Map<string, number>()
  for (const step of after) left.set(step, (left.get(step) ?? 0) + 1)
  return before.filter((step) => {
    const count = left.get(step) ?? 0
    if (count > 0) left.set(step, count - 1)
    return count === 0
  })
}
