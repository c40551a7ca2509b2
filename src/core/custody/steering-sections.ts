/*
 * Files that steer a check by lines: sections of INI files and of git's configuration, directives of go files.
 */

/** The steering parts of a file as text, in a form that is the same however they are written; by part. */
export type SteeringParts = ReadonlyMap<string, string>

/** Tells by its name, or its path, whether a part steers. */
export type IsSteering = (part: string) => boolean

/** The end of a line to some readers, and a mistake to others. */
export const LONE_RETURN = /\r(?!\n)/

/** By name of the file: which sections of an INI file steer. */
const INI_SECTIONS: Readonly<Record<string, RegExp>> = {
  'setup.cfg':
    /^(?:tool:pytest|pytest|nosetests|behave|coverage(?::|$)|flake8|pycodestyle|pydocstyle|pylint|mypy|isort|aliases|options\.packages)/,
}
/** Sections of git's configuration that decide neither what it shows nor what it runs. */
const GIT_NEUTRAL =
  /^(?:user|author|committer|remote|branch|push|pull|fetch|credential|gpg|commit|tag|color|column|init|rebase|merge|gc|maintenance|safe|lfs|https?|url|submodule|advice|rerere|help|gui|pack|receive|transfer)\b/i
const GIT_CONFIG = /(?:^|\/)\.git\/config(?:\.worktree)?$/

/** Directives of go files that decide which code is meant. */
const GO_DIRECTIVES = /^(?:module|go|toolchain|replace|exclude|ignore|tool|godebug|use)\b/

/** What steers in a file of sections or directives; `null` if it is none, or cannot be told apart. */
export function steeringLines(path: string, text: string): SteeringParts | null {
  const isSection = sectionsOf(path)
  if (isSection !== null) return steeringSections(text, isSection)
  return isOfGo(path) ? goDirectives(text) : null
}

/** Whether it is a file of sections or directives of which only some steer. */
export function isOfLines(path: string): boolean {
  return sectionsOf(path) !== null || isOfGo(path)
}

/** The agent's file with the base's sections that steer; `null` if the two cannot be joined. */
export function withSectionsOf(path: string, base: string, now: string): string | null {
  const isSection = sectionsOf(path)
  if (isSection === null) return null
  const before = blocksOf(base)
  const after = blocksOf(now)
  if (before === null || after === null) return null
  const kept = after.filter(({ section }) => !isSection(section))
  const restored = before.filter(({ section }) => isSection(section))
  return [...kept, ...restored]
    .map(({ text }) => (text.endsWith('\n') || text === '' ? text : `${text}\n`))
    .join('')
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Which sections of an INI file steer; `null` if it is none. */
function sectionsOf(path: string): IsSteering | null {
  if (GIT_CONFIG.test(path)) return (section) => section !== '' && !GIT_NEUTRAL.test(section)
  const name = nameOf(path)
  const sections = Object.hasOwn(INI_SECTIONS, name) ? INI_SECTIONS[name] : undefined
  return sections === undefined ? null : (section) => sections.test(section)
}

function isOfGo(path: string): boolean {
  const name = nameOf(path)
  return name === 'go.mod' || name === 'go.work'
}

interface Block {
  /** Empty before the first section. */
  readonly section: string
  readonly text: string
}

/**
 * Beginnings of lines that some readers take for a section and others for the end of a value: nothing is told apart by them.
 * A line may be an agent's, and megabytes long: nothing that repeats here matches what comes after it.
 */
const DOUBTFUL_HEADER = /^(?:[ \t]+\[|\[(?![ \t]*[^\]\s][^\]\n]*\][ \t]*(?:[#;].*)?\r?$))|\\\r?\n\[/m

const HEADER = /^\[[ \t]*([^\]\s][^\]\n]*)\]/

/** An INI file cut at the lines that begin a section; `null` if it cannot be told which do. */
function blocksOf(text: string): readonly Block[] | null {
  if (DOUBTFUL_HEADER.test(text) || LONE_RETURN.test(text)) return null
  const blocks: { section: string; lines: string[] }[] = [{ section: '', lines: [] }]
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const header = HEADER.exec(line)
    if (header !== null) blocks.push({ section: (header[1] ?? '').trim().replaceAll(/["']/g, ''), lines: [] })
    blocks.at(-1)?.lines.push(line)
  }
  return blocks.map(({ section, lines }) => ({ section, text: lines.join('') }))
}

function steeringSections(text: string, isSection: IsSteering): SteeringParts | null {
  const blocks = blocksOf(text)
  if (blocks === null) return null
  const parts = new Map<string, string>()
  for (const block of blocks) {
    if (!isSection(block.section)) continue
    parts.set(block.section, `${parts.get(block.section) ?? ''}${withoutBlanks(block.text)}`)
  }
  return parts
}

/** Removes whole-line comments, blank lines and white space at either end: none of them steers. */
function withoutBlanks(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[#;]/.test(line))
    .join('\n')
}

function goDirectives(text: string): SteeringParts {
  const parts = new Map<string, string>()
  let block: string | null = null
  for (const line of text.split('\n').map((each) => withoutComment(each).trim())) {
    if (block !== null && line === ')') block = null
    else if (block !== null) parts.set(block, `${parts.get(block) ?? ''}\n${line}`)
    else if (GO_DIRECTIVES.test(line)) {
      const directive = /^\w+/.exec(line)?.[0] ?? ''
      parts.set(directive, `${parts.get(directive) ?? ''}\n${line}`)
      if (line.endsWith('(')) block = directive
    }
  }
  return parts
}

function withoutComment(line: string): string {
  const start = line.indexOf('//')
  return start < 0 ? line : line.slice(0, start)
}
