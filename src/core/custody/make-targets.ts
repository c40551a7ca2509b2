/** The recipes that targets run, with those of their prerequisites, and the files that are included. */
export interface MakeReach {
  readonly recipes: readonly string[]
  readonly includes: readonly string[]
  /** Targets that count as done where a file of their name stands there: those of make that are not declared phony. */
  readonly files: readonly string[]
}

interface Rule {
  readonly prerequisites: string[]
  readonly recipe: string[]
}

/**
 * What the given targets of a makefile or justfile run, in turn; the first target if none is given. Variables are not expanded:
 * what stands behind one is for the reader to call unresolved. Linear in the text.
 */
export function expandMake(text: string, targets: readonly string[], tool: 'make' | 'just'): MakeReach {
  const rules = new Map<string, Rule>()
  const includes: string[] = []
  let current: Rule[] = []
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
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
  const { recipes, names } = reachedBy(rules, targets)
  const phony = new Set(rules.get('.PHONY')?.prerequisites)
  const files = names.filter((name) => /^\w[\w./-]*$/.test(name) && !phony.has(name))
  return { recipes, includes, files: tool === 'make' ? files : [] }
}

function reachedBy(
  rules: ReadonlyMap<string, Rule>,
  targets: readonly string[],
): { readonly recipes: readonly string[]; readonly names: readonly string[] } {
  const first = [...rules.keys()].find((name) => !name.startsWith('.'))
  const pending = targets.length > 0 ? [...targets] : first === undefined ? [] : [first]
  const seen = new Set<string>()
  const recipes: string[] = []
  const names: string[] = []
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    const rule = rules.get(name)
    if (rule === undefined) continue
    recipes.push(...rule.recipe)
    if (rule.recipe.length + rule.prerequisites.length > 0) names.push(name)
    pending.push(...rule.prerequisites)
  }
  return { recipes, names }
}
