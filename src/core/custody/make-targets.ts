/** The recipes of targets and their prerequisites, and the included files. */
export interface MakeReach {
  readonly recipes: readonly string[]
  readonly includes: readonly string[]
  /** What the targets depend on, directly or indirectly. */
  readonly needs: readonly string[]
  /** Targets that count as done if a file with their name exists: those of make that are not declared phony. */
  readonly files: readonly string[]
}

interface Rule {
  readonly prerequisites: string[]
  readonly recipe: string[]
}

/**
 * Returns what the given targets of a makefile or justfile run, including their prerequisites; without targets, what the
 * first one runs. Expands only variables to which the file itself gives a plain value; the caller reports the others as
 * unresolved. Linear in the text.
 */
export function expandMake(text: string, targets: readonly string[], tool: 'make' | 'just'): MakeReach {
  const expand = tool === 'make' ? expanderOf(text) : (line: string) => line
  const rules = new Map<string, Rule>()
  const includes: string[] = []
  let current: Rule[] = []
  for (const raw of text.replaceAll('\\\n', ' ').split('\n')) {
    const line = expand(raw)
    const include = /^\s*(?:-include|sinclude|include|import\??|mod\??)\s+['"]?([^'"#]+?)['"]?\s*$/.exec(line)
    const header = /^([^\s#:=@][^:=]*?)\s*::?(?!=)(.*)$/.exec(line)
    if (/^(?:\t| {2,})/.test(line) && current.length > 0)
      for (const rule of current) rule.recipe.push(line.trim().replace(/^[@\-+]+/, ''))
    else if (include !== null) includes.push(...(include[1] ?? '').split(/\s+/))
    else if (header !== null) {
      const [prerequisites = '', ...inline] = (header[2] ?? '').split(';')
      const names = (header[1] ?? '').split(/\s+/)
      current = (tool === 'just' ? names.slice(0, 1) : names).map((name) => {
        const rule = rules.get(name) ?? { prerequisites: [], recipe: [] }
        rule.prerequisites.push(...prerequisites.split(/[\s|&()]+/).filter((word) => word !== ''))
        if (inline.length > 0) rule.recipe.push(inline.join(';').trim())
        rules.set(name, rule)
        return rule
      })
    } else if (line.trim() !== '' && !/^\s*#/.test(line)) current = []
  }
  const { recipes, names, needs } = reachedBy(rules, targets)
  const phony = new Set(rules.get('.PHONY')?.prerequisites)
  const files = names.filter((name) => /^\w[\w./-]*$/.test(name) && !phony.has(name))
  return { recipes, includes, needs, files: tool === 'make' ? files : [] }
}

/** The values of these variables if the file sets none. */
const DEFAULTS = { CC: 'cc', CXX: 'g++' }

/** Returns a function that writes out `$(NAME)`, `${NAME}` and `$(NAME:.c=.o)` if the file gives NAME a value without variables. */
function expanderOf(text: string): (line: string) => string {
  const values = new Map<string, string>(Object.entries(DEFAULTS))
  const expand = (line: string): string =>
    line.replace(
      /\$(?:\(([\w.-]+)(?::([\w.%]*)=([\w.%]*))?\)|\{([\w.-]+)\})/g,
      (all, name, from, to, braced) => {
        const value = values.get(name ?? braced)
        if (value === undefined || from === undefined) return value ?? all
        const [ending, other] = [from, to].map((part: string) => part.replace('%', ''))
        const words = value.split(/\s+/)
        return words
          .map((word) =>
            word.endsWith(ending ?? '') ? word.slice(0, word.length - (ending ?? '').length) + other : word,
          )
          .join(' ')
      },
    )
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    const [, name = '', operator, words = ''] = /^([\w.-]+)\s*(\+|::?|\?)?=\s*([^#]*)/.exec(line) ?? []
    const value = expand(words).trim()
    if (name === '' || value.includes('$') || value.length > MAX_VALUE) continue
    values.set(
      name,
      operator === '+' ? `${values.get(name) ?? ''} ${value}`.trim().slice(0, MAX_VALUE) : value,
    )
  }
  return expand
}

/** A longer value of a variable is not expanded. */
const MAX_VALUE = 20_000

function reachedBy(
  rules: ReadonlyMap<string, Rule>,
  targets: readonly string[],
): {
  readonly recipes: readonly string[]
  readonly names: readonly string[]
  readonly needs: readonly string[]
} {
  const first = [...rules.keys()].find((name) => !name.startsWith('.'))
  const pending = targets.length > 0 ? [...targets] : first === undefined ? [] : [first]
  const seen = new Set<string>()
  const recipes: string[] = []
  const names: string[] = []
  const needs = new Set<string>()
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    const rule = rules.get(name)
    if (rule === undefined) continue
    recipes.push(...rule.recipe)
    if (rule.recipe.length + rule.prerequisites.length > 0) names.push(name)
    pending.push(...rule.prerequisites)
    for (const need of [name, ...rule.prerequisites]) needs.add(need)
  }
  return { recipes, names, needs: [...needs] }
}
