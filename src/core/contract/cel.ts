import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js'
import { BUILT_IN_FUNCTIONS } from './built-in-functions.ts'
import { registerMixedNumbers } from './mixed-numbers.ts'

/** What a CEL expression refers to. Immutable, so it may be shared by all who ask for the same source. */
export interface CelExpression {
  /** `tests.passed` → `['tests', 'passed']` where the expression is nothing but a name; else `null`. */
  readonly path: readonly string[] | null
  /** It is names joined by `-` and nothing else, as `well-done` is. */
  readonly isHyphenated: boolean
  /** Names that nothing inside the expression binds, in the order in which they come. */
  readonly names: readonly string[]
  /** Functions and macros that are called without a receiver. */
  readonly functions: readonly string[]
  readonly unknownFunctions: readonly string[]
  /** The first call that is given a pattern where one path belongs; `null` where there is none. */
  readonly pattern: PathPattern | null
  /** Why it can never come out true or false, whatever the probes say; `null` where it can. */
  readonly typeProblem: string | null
}

export interface PathPattern {
  readonly function: string
  readonly path: string
}

export type CelReading =
  | { readonly ok: true; readonly expression: CelExpression }
  | { readonly ok: false; readonly problem: CelProblem }

/** Where and why a source is no CEL expression; offsets count from 0. */
export interface CelProblem {
  readonly code: string
  readonly summary: string
  readonly from: number
  readonly to: number
}

/** All probes and built-in functions are `dyn`: what is found wrong is wrong whatever they give. */
const environment = createEnvironment()
const definitions = environment.getDefinitions()
const functionNames = new Set(
  definitions.functions.filter((one) => one.receiverType === null).map(({ name }) => name),
)
const methodNames = new Set(
  definitions.functions.filter((one) => one.receiverType !== null).map(({ name }) => name),
)
/** Macros of lists whose first argument names a variable for the others. */
const BINDING_MACROS = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

function createEnvironment(): Environment {
  const created = new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false })
  for (const { name, signature } of BUILT_IN_FUNCTIONS) {
    const parameters = signature.slice(signature.indexOf('(') + 1, signature.indexOf(')')).split(',')
    created.registerFunction(`${name}(${parameters.map(() => 'dyn').join(', ')}): dyn`, () => null)
  }
  // What the verifier's environment can do is no type problem.
  registerMixedNumbers(created)
  return created
}

/** Whether a name means something in CEL itself (`int`, `string`, `cel`), and so is no probe. */
export function isTypeName(name: string): boolean {
  return environment.hasVariable(name)
}

/** A contract is read at every keystroke and its hints seldom change; the least recently added go first. */
const MAX_CACHED = 1_000
const cache = new Map<string, CelReading>()

/** What an expression refers to, or why it is none. Throws for no source; its length is the caller's to bound. */
export function readCel(source: string): CelReading {
  const known = cache.get(source)
  if (known !== undefined) return known
  const reading = read(source)
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value ?? '')
  cache.set(source, reading)
  return reading
}

function read(source: string): CelReading {
  try {
    const parsed = environment.parse(source)
    const found: Found = { names: new Set(), functions: new Set(), unknownFunctions: new Set(), patterns: [] }
    collect(parsed.ast, new Set(), found)
    const expression: CelExpression = {
      path: pathOf(parsed.ast),
      isHyphenated: isHyphenated(parsed.ast),
      names: [...found.names],
      functions: [...found.functions],
      unknownFunctions: [...found.unknownFunctions],
      pattern: found.patterns[0] ?? null,
      typeProblem: findTypeProblem(parsed.check()),
    }
    return { ok: true, expression }
  } catch (error) {
    if (!(error instanceof ParseError)) {
      // A stack overflow is the only other way to fail: thousands of operators in a row.
      return {
        ok: false,
        problem: { code: 'too_deep', summary: 'It is nested too deeply', from: 0, to: source.length },
      }
    }
    const { code, summary, range } = error
    return { ok: false, problem: { code, summary, from: range?.start ?? 0, to: range?.end ?? source.length } }
  }
}

function findTypeProblem(check: {
  valid: boolean
  type?: string
  error?: { summary: string }
}): string | null {
  if (!check.valid) return check.error?.summary ?? 'its types do not fit'
  return check.type === 'bool' || check.type === 'dyn' ? null : `it gives ${check.type}, not true or false`
}

interface Found {
  readonly names: Set<string>
  readonly functions: Set<string>
  readonly unknownFunctions: Set<string>
  readonly patterns: PathPattern[]
}

/** Functions that look at the one file, or folder, of their first argument. */
const PATH_FUNCTIONS = new Set(['exists', 'contains', 'lines', 'json'])

/** Other signs of patterns stand in many a file's name (`[id]`, `(main)`, `{{name}}`); this one hardly ever does. */
function patternIn(name: string, [path]: readonly ASTNode[]): readonly PathPattern[] {
  if (!PATH_FUNCTIONS.has(name) || path?.op !== 'value' || typeof path.args !== 'string') return []
  return path.args.includes('*') ? [{ function: name, path: path.args }] : []
}

function collectAll(nodes: readonly ASTNode[], bound: ReadonlySet<string>, found: Found): void {
  for (const node of nodes) collect(node, bound, found)
}

function collect(node: ASTNode, bound: ReadonlySet<string>, found: Found): void {
  switch (node.op) {
    case 'value':
      break
    case 'id':
      if (!bound.has(node.args)) found.names.add(node.args)
      break
    case '.':
    case '.?':
      collect(node.args[0], bound, found)
      break
    case '!_':
    case '-_':
      collect(node.args, bound, found)
      break
    case 'call':
      found.functions.add(node.args[0])
      if (!functionNames.has(node.args[0])) found.unknownFunctions.add(node.args[0])
      found.patterns.push(...patternIn(node.args[0], node.args[1]))
      collectAll(node.args[1], bound, found)
      break
    case 'rcall':
      if (!methodNames.has(node.args[0])) found.unknownFunctions.add(node.args[0])
      collect(node.args[1], bound, found)
      collectArguments(node.args[0], node.args[2], bound, found)
      break
    case 'map':
      collectAll(node.args.flat(), bound, found)
      break
    default:
      collectAll(node.args, bound, found)
  }
}

/** The arguments of a method; `list.all(x, …)` and `cel.bind(x, value, …)` bind their first one in the last ones. */
function collectArguments(
  method: string,
  args: readonly ASTNode[],
  bound: ReadonlySet<string>,
  found: Found,
): void {
  const [variable, ...others] = args
  const isBind = method === 'bind'
  if (variable?.op !== 'id' || !(isBind || BINDING_MACROS.has(method))) {
    collectAll(args, bound, found)
    return
  }
  if (isBind) collectAll(others.splice(0, 1), bound, found)
  collectAll(others, new Set(bound).add(variable.args), found)
}

function pathOf(node: ASTNode): readonly string[] | null {
  if (node.op === 'id') return [node.args]
  if (node.op !== '.') return null
  const parent = pathOf(node.args[0])
  return parent === null ? null : [...parent, node.args[1]]
}

function isHyphenated(node: ASTNode): boolean {
  if (node.op !== '-') return false
  const [left, right] = node.args
  const isWord = (part: ASTNode) => part.op === 'id' || part.op === 'value'
  return (isWord(left) || isHyphenated(left)) && isWord(right)
}
