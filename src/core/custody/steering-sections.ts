/*
 * Files with some lines that steer a check: sections of INI files and of git's configuration, directives of go files.
 */

/** The steering parts of a file, each as text in a normalized form. */
export type SteeringParts = ReadonlyMap<string, string>

/** Returns whether a part steers, by its name or its path. */
export type IsSteering = (part: string) => boolean

/** A line break to some readers, and an error to others. */
export const LONE_RETURN = /\r(?!\n)/

/** The sections of INI files that steer, by the file's name. */
const INI_SECTIONS: Readonly<Record<string, RegExp>> = {
  'setup.cfg':
    /^(?:tool:pytest|pytest|nosetests|behave|coverage(?::|$)|flake8|pycodestyle|pydocstyle|pylint|mypy|isort|aliases|options\.packages)/,
}
/** Sections of git's configuration that affect neither what it shows nor what it runs. */
const GIT_NEUTRAL =
  /^(?:user|author|committer|remote|branch|push|pull|fetch|credential|gpg|commit|tag|color|column|init|rebase|merge|gc|maintenance|safe|lfs|https?|url|submodule|advice|rerere|help|gui|pack|receive|transfer)\b/i
const GIT_CONFIG = /(?:^|\/)\.git\/config(?:\.worktree)?$/

/** Directives of go files that decide which code is used. */
const GO_DIRECTIVES = /^(?:module|go|toolchain|replace|exclude|ignore|tool|godebug|use)\b/

/** Returns the steering parts of a file of sections or directives; `null` if it is not one, or its parts can't be told apart. */
export function steeringLines(path: string, text: string): SteeringParts | null {
  const isSection = sectionsOf(path)
  if (isSection !== null) return steeringSections(text, isSection)
  return isOfGo(path) ? goDirectives(text) : null
}

/** Returns whether it is a file of sections or directives of which only some steer. */
export function isOfLines(path: string): boolean {
  return sectionsOf(path) !== null || isOfGo(path)
}

/** Returns the agent's file with the base's steering sections; `null` if the two can't be joined. */
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

/** Returns the last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Returns a test for the sections of an INI file that steer; `null` if it is not one. */
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
  /** The section's name; empty before the first section. */
  readonly section: string
  readonly text: string
}

/**
 * Matches lines that some readers take for a section and others for the end of a value, so the file can't be split reliably. A line may
 * come from an agent and be megabytes long, so no repetition here matches what comes after it.
 */
const DOUBTFUL_HEADER = /^(?:[ \t]+\[|\[(?![ \t]*[^\]\s][^\]\n]*\][ \t]*(?:[#;].*)?\r?$))|\\\r?\n\[/m

const HEADER = /^\[[ \t]*([^\]\s][^\]\n]*)\]/

/** Returns an INI file split at the lines that begin a section; `null` if it is unclear which do. */
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

/** Removes whole-line comments, blank lines and surrounding white space, which steer nothing. */
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
