import { type ASTNode, Environment, ParseError } from '@marcbachmann/cel-js'
import { BUILT_IN_FUNCTIONS } from './built-in-functions.ts'
import { registerMixedNumbers } from './mixed-numbers.ts'

/** What a CEL expression refers to. Immutable, so all callers that ask for the same source can share it. */
export interface CelExpression {
  /** `tests.passed` → `['tests', 'passed']` if the expression is only a name; otherwise `null`. */
  readonly path: readonly string[] | null
  /** True if the expression is only names joined by `-`, such as `well-done`. */
  readonly isHyphenated: boolean
  /** Names that the expression doesn't bind itself, in order of appearance. */
  readonly names: readonly string[]
  /** Functions and macros called without a receiver. */
  readonly functions: readonly string[]
  readonly unknownFunctions: readonly string[]
  /** The first call with a pattern instead of a single path; `null` if there is none. */
  readonly pattern: PathPattern | null
  /** Why it can never evaluate to true or false, whatever the probes return; `null` if it can. */
  readonly typeProblem: string | null
}

export interface PathPattern {
  readonly function: string
  readonly path: string
}

export type CelReading =
  | { readonly ok: true; readonly expression: CelExpression }
  | { readonly ok: false; readonly problem: CelProblem }

/** Where and why a source is not a CEL expression. Offsets count from 0. */
export interface CelProblem {
  readonly code: string
  readonly summary: string
  readonly from: number
  readonly to: number
}

/** All probes and built-in functions are `dyn`, so a reported type error occurs with every possible value. */
const environment = createEnvironment()
const definitions = environment.getDefinitions()
const functionNames = new Set(
  definitions.functions.filter((one) => one.receiverType === null).map(({ name }) => name),
)
const methodNames = new Set(
  definitions.functions.filter((one) => one.receiverType !== null).map(({ name }) => name),
)
/** List macros whose first argument names a variable used in the others. */
const BINDING_MACROS = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

function createEnvironment(): Environment {
  const created = new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false })
  for (const { name, signature } of BUILT_IN_FUNCTIONS) {
    const parameters = signature.slice(signature.indexOf('(') + 1, signature.indexOf(')')).split(',')
    created.registerFunction(`${name}(${parameters.map(() => 'dyn').join(', ')}): dyn`, () => null)
  }
  // Arithmetic that the verifier's environment supports is not a type problem.
  registerMixedNumbers(created)
  return created
}

/** Returns whether CEL itself defines the name (`int`, `string`, `cel`), so it can't be a probe. */
export function isTypeName(name: string): boolean {
  return environment.hasVariable(name)
}

/** Limits the cache: a contract is parsed at every keystroke, but its checks seldom change. The oldest entries are evicted first. */
const MAX_CACHED = 1_000
const cache = new Map<string, CelReading>()

/**
 * Returns what an expression refers to, or why it is not an expression. Never throws. The caller must limit the source's
 * length.
 */
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
      // The only other failure is a stack overflow: thousands of operators in a row.
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
  if (!check.valid) return check.error?.summary ?? 'the types do not match'
  return check.type === 'bool' || check.type === 'dyn' ? null : `it returns ${check.type}, not true or false`
}

interface Found {
  readonly names: Set<string>
  readonly functions: Set<string>
  readonly unknownFunctions: Set<string>
  readonly patterns: PathPattern[]
}

/** Functions whose first argument is the path of a single file or folder. */
const PATH_FUNCTIONS = new Set(['exists', 'contains', 'lines', 'json'])

/**
 * Returns the pattern in a path argument. Other pattern characters are common in file names (`[id]`, `(main)`, `{{name}}`); this one is
 * very rare.
 */
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

/** Collects the names in a method's arguments. `list.all(x, …)` and `cel.bind(x, value, …)` bind their first argument in the last ones. */
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
