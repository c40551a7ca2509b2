/*
 * Source text as its interpreter will understand it: words assembled from pieces, and aliases of `process`, `os` or `sys`,
 * are written out. So one pattern matches all spellings. Whatever is still computed has a separate pattern.
 */

const PIECE = `(["'\`])([^"'\`\\\\\\n]{0,40})`
const CONCATENATED = new RegExp(
  `${PIECE}\\1(?:\\s{0,9}\\+\\s{0,9}["'\`][^"'\`\\\\\\n]{0,40}["'\`]){1,40}`,
  'g',
)
const JOINED =
  /\[((?:\s{0,9}["']\w{0,20}["']\s{0,9},?){1,40})\]\s{0,9}\.\s{0,9}join\s{0,9}\(\s{0,9}["']{2}\s{0,9}\)/g
const JOINED_BY = /["']{2}\.join\(\s{0,9}[[(]((?:\s{0,9}["']\w{0,20}["']\s{0,9},?){1,40})[\])]\s{0,9}\)/g
const MAX_NAMES = 20

/** Returns the text with concatenated literals written as one. Never throws. */
export function withWholeWords(text: string): string {
  const whole = (pieces: string): string => `'${pieces.replace(/["'`\s+,]/g, '')}'`
  return text
    .replace(/\\x([4-7][0-9a-fA-F])|\\u00([4-7][0-9a-fA-F])/g, (_all, short: string, long: string) =>
      String.fromCharCode(Number.parseInt(short ?? long, 16)),
    )
    .replace(CONCATENATED, (all) => whole(all))
    .replace(JOINED, (_all, pieces: string) => whole(pieces))
    .replace(JOINED_BY, (_all, pieces: string) => whole(pieces))
}

/** Returns the text with aliases replaced by their values. */
function withoutNames(text: string, names: Iterable<readonly [name: string, meaning: string]>): string {
  let written = text
  for (const [name, meaning] of [...names].slice(0, MAX_NAMES))
    if (name !== meaning)
      written = written.replace(
        new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g'),
        meaning,
      )
  return written
}

const PROCESS_MODULE =
  /\brequire\s{0,9}\(\s{0,9}["'](?:node:)?process["']\s{0,9}\)|\b(?:globalThis|global)\s{0,9}\.\s{0,9}process\b/g
const NAMES_OF_PROCESS = [
  /\b(?:const|let|var)\s{1,9}([\w$]{1,40})\s{0,9}=\s{0,9}process\s{0,9}(?=[;,\n]|$)/g,
  /\bimport\s{1,9}(?:\*\s{0,9}as\s{1,9})?([\w$]{1,40})\s{1,9}from\s{0,9}["'](?:node:)?process["']/g,
]
const PARTS_OF_PROCESS =
  /\{([^}\n]{0,200})\}\s{0,9}(?:=\s{0,9}process\b|from\s{0,9}["'](?:node:)?process["'])/g
const EXIT_AS = /\bexit\b(?:\s{0,9}(?::|\bas\b)\s{0,9}([\w$]{1,40}))?/

/** Returns JavaScript or TypeScript with aliases of `process` and its members written out. Never throws. */
export function foldedJavaScript(text: string): string {
  const plain = withWholeWords(text)
    .replace(/\?\.(?=[[(])/g, '')
    .replace(/\?\./g, '.')
    .replace(/\[\s{0,9}(["'`])([\w$]{1,40})\1\s{0,9}\]/g, '.$2')
    .replace(PROCESS_MODULE, 'process')
  const written = withoutNames(plain, namesBy(NAMES_OF_PROCESS, plain, 'process'))
  const exits = [...written.matchAll(PARTS_OF_PROCESS)].flatMap(([, parts = '']) => {
    const found = EXIT_AS.exec(parts)
    return found === null ? [] : [[found[1] ?? 'exit', 'process.exit'] as const]
  })
  return withoutNames(written, exits)
}

const PYTHON_MODULE =
  /\b(?:__import__|(?:importlib\s{0,9}\.\s{0,9})?import_module)\s{0,9}\(\s{0,9}["'](os|sys|posix)["']\s{0,9}\)/g
const PYTHON_MEMBER =
  /\bgetattr\s{0,9}\(\s{0,9}(os|sys|posix)\s{0,9},\s{0,9}["'](\w{1,40})["'](?:\s{0,9},[^\n)]{0,40})?\)|\b(?:vars\s{0,9}\(\s{0,9}(os|sys|posix)\s{0,9}\)|(os|sys|posix)\s{0,9}\.\s{0,9}__dict__)\s{0,9}\[\s{0,9}["'](\w{1,40})["']\s{0,9}\]/g

/** Matches code that doesn't run when the module is imported. */
const OF_PROGRAM =
  /^if[ \t]{1,9}__name__[ \t]{0,9}==[ \t]{0,9}['"]__main__['"][ \t]{0,9}:[^\n]*\n(?:[ \t]+[^\n]*(?:\n|$)|\n)*/gm

/** Returns Python as it runs when imported, with aliases of `os`, `sys` and their members written out. Never throws. */
export function foldedPython(text: string): string {
  const plain = withWholeWords(text.replace(OF_PROGRAM, '')).replace(PYTHON_MODULE, '$1')
  const names = ['os', 'sys', 'posix'].flatMap((module) =>
    namesBy(
      [
        new RegExp(`\\bimport[ \\t]{1,9}${module}[ \\t]{1,9}as[ \\t]{1,9}(\\w{1,40})`, 'g'),
        new RegExp(`^[ \\t]{0,40}(\\w{1,40})[ \\t]{0,9}=[ \\t]{0,9}${module}[ \\t]{0,9}$`, 'gm'),
      ],
      plain,
      module,
    ),
  )
  const written = withoutNames(plain, names).replace(
    PYTHON_MEMBER,
    (_all, one?: string, member?: string, two?: string, three?: string, item?: string) =>
      `${one ?? two ?? three ?? ''}.${member ?? item ?? ''}`,
  )
  const parts = [
    ...written.matchAll(
      /^[ \t]{0,40}from[ \t]{1,9}(os|sys|posix)[ \t]{1,9}import[ \t]{1,9}([^\n]{1,200})$/gm,
    ),
  ]
  const ends = parts.flatMap(([, module = '', imported = '']) =>
    [...imported.matchAll(/\b(_?exit)\b(?:[ \t]{1,9}as[ \t]{1,9}(\w{1,40}))?/g)].map(
      ([, member = '', name = member]) => [name, `${module}.${member}`] as const,
    ),
  )
  return withoutNames(written, ends)
}

function namesBy(
  patterns: readonly RegExp[],
  text: string,
  meaning: string,
): readonly (readonly [name: string, meaning: string])[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([, name]) => (name === undefined ? [] : [[name, meaning] as const])),
  )
}

/** Returns shell text without the quotes and backslashes that split a word into pieces. Never throws. */
export function foldedShell(text: string): string {
  return text.replace(/(?<=\w)(?:''|""|\\(?=[a-z]))(?=\w)/g, '')
}

/** Comments, and literals (captured), which cannot contain comments. One without an end reaches to the end of the text. */
const PARTS_LIKE_C =
  /("(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\.[^'\n]{0,6}|[^'\\\n])'|`[^`]*`?)|\/\*[\s\S]*?(?:\*\/|$)|\/\/(?!go:)[^\n]*/g

/** Returns the text of a language with C-style comments, without its comments. Never throws. */
export function withoutComments(text: string): string {
  return text.replace(PARTS_LIKE_C, (_all, literal?: string) => literal ?? ' ')
}

type NamesOf = (match: RegExpMatchArray) => readonly (readonly [name: string, meaning: string])[]

/** Returns the text without these imports, with the full names written out where they are used. */
function withImports(text: string, imports: RegExp, namesOf: NamesOf): string {
  const names = [...text.matchAll(imports)].flatMap(namesOf).slice(0, MAX_NAMES)
  return names.reduce(
    (written, [name, meaning]) =>
      written.replace(new RegExp(`(?<![\\w$.:])${name}(?=\\s{0,9}[.(:])`, 'g'), meaning),
    names.length === 0 ? text : text.replace(imports, ' '),
  )
}

const OS_AS = /^\s{0,9}(?:import\s{1,9})?(\w{1,40}|\.)[ \t]{1,9}"(os|syscall)"/gm
/** Returns Go without comments, with its renamed imports written out. Never throws. */
export function foldedGo(text: string): string {
  return withImports(withoutComments(text), OS_AS, ([, name = '', module = '']) =>
    name === '.' ? [['Exit', `${module}.Exit`]] : [[name, module]],
  )
}

const PROCESS_OF_RUST =
  /\buse\s{1,9}(?:::)?std::process(?:\s{1,9}as\s{1,9}(\w{1,40})|::(\*|\{[^}]{0,200}\}|exit\s{1,9}as\s{1,9}\w{1,40}))\s{0,9};/g
/** Like `foldedGo`, for Rust, but keeps comments. */
export function foldedRust(text: string): string {
  return withImports(text, PROCESS_OF_RUST, ([, module, parts = '']) => {
    if (module !== undefined) return [[module, 'process']]
    const [exit, name = 'exit'] = /\bexit\b(?:\s{1,9}as\s{1,9}(\w{1,40}))?/.exec(parts) ?? []
    return exit === undefined && parts !== '*' ? [] : [[name, 'process::exit']]
  })
}

const ENVIRONMENT =
  /\busing\s{1,9}(?:static\s{1,9}System\.Environment|(\w{1,40})\s{0,9}=\s{0,9}System\.Environment)\s{0,9};/g
/** Like `foldedGo`, for C#. */
export function foldedCSharp(text: string): string {
  return withImports(withoutComments(text), ENVIRONMENT, ([, name]) =>
    name === undefined ? [['Exit', 'Environment.Exit']] : [[name, 'Environment']],
  )
}

const SYSTEM_OF_ELIXIR = /\bimport\s{1,9}System\b|\balias\s{1,9}System\s{0,9},\s{0,9}as:\s{0,9}(\w{1,40})/g
/** Like `foldedGo`, for Elixir, but keeps comments. */
export function foldedElixir(text: string): string {
  return withImports(text, SYSTEM_OF_ELIXIR, ([, name]) =>
    name === undefined
      ? ['halt', 'stop'].map((each) => [each, `System.${each}`] as const)
      : [[name, 'System']],
  )
}

/** Returns C without comments, and without conditional blocks with a main function, which tests leave out. Never throws. */
export function foldedC(text: string): string {
  const kept: string[] = []
  let block: string[] = []
  let depth = 0
  for (const line of withoutComments(text).split('\n')) {
    if (/^\s*#\s*if/.test(line)) depth += 1
    if (depth === 0) kept.push(line)
    else block.push(line)
    if (!/^\s*#\s*endif/.test(line) || depth === 0) continue
    depth -= 1
    if (depth > 0) continue
    if (!block.some((one) => /\bmain\s*\(/.test(one))) for (const one of block) kept.push(one)
    block = []
  }
  return [...kept, ...block].join('\n')
}

/** Like `PARTS_LIKE_C`; text outside of the tags is printed, not executed. */
const PARTS_OF_PHP =
  /^[\s\S]*?(?:<\?(?:php\b|=)?|$(?![\s\S]))|("(?:\\[\s\S]|[^"\\])*"?|'(?:\\[\s\S]|[^'\\])*'?|<<<[ \t]*(["']?)(\w+)\2\r?\n[\s\S]*?(?:\n[ \t]*\3\b|$))|\?>[\s\S]*?(?:<\?(?:php\b|=)?|$)|\/\*[\s\S]*?(?:\*\/|$)|(?:\/\/|#(?!\[))(?:(?!\?>)[^\n])*/g

/** Returns what PHP executes of a text, without comments. Never throws. */
export function foldedPhp(text: string): string {
  return text.replace(PARTS_OF_PHP, (_all, literal?: string) => literal ?? ' ')
}

/** Returns Perl without its manual and its comments. Never throws. */
export function foldedPerl(text: string): string {
  return text
    .replace(
      /^=(?:pod|head\d|over|item|back|begin|end|for|encoding)\b[\s\S]*?(?:^=cut\b[^\n]*|$(?![\s\S]))/gm,
      '',
    )
    .replace(/^[ \t]*#[^\n]*/gm, '')
}

const STRINGS = `"(?:\\\\[\\s\\S]|[^"\\\\\\n])*"?|'(?:\\\\[\\s\\S]|[^'\\\\\\n])*'?`
const PARTS_OF_PYTHON = new RegExp(
  `([fF]?)(?:"""[\\s\\S]*?(?:"""|$)|'''[\\s\\S]*?(?:'''|$)|${STRINGS})|#[^\\n]*`,
  'g',
)
const PARTS_OF_RUBY = new RegExp(`${STRINGS}|(?<![$])#(?!\\{)[^\\n]*`, 'g')
/** A slash starts a regular expression unless a value ends before it. */
const PARTS_OF_JAVASCRIPT = new RegExp(
  `/\\*[\\s\\S]*?(?:\\*/|$)|//[^\\n]*|(?<=(?:^|[=(,:;!&|?{}[+\\n]|\\breturn)[ \\t]{0,9})/(?:\\\\.|\\[(?:\\\\.|[^\\]\\\\\\n])*\\]|[^/[\\\\\\n])+/|\`(?:\\\\[\\s\\S]|[^\`\\\\])*\`?|${STRINGS}`,
  'g',
)

/** Returns Python without comments, and with its literals emptied, except those that contain code. Never throws. */
export function codeOfPython(text: string): string {
  return text.replace(PARTS_OF_PYTHON, (part: string, formats?: string) =>
    part.startsWith('#') ? '' : formats ? part : "''",
  )
}

/** Like `codeOfPython`, for Ruby. */
export function codeOfRuby(text: string): string {
  return text.replace(PARTS_OF_RUBY, (part) =>
    part.startsWith('#') ? '' : part.includes('#{') ? part : "''",
  )
}

/** Like `codeOfPython`, for JavaScript and TypeScript. */
export function codeOfJavaScript(text: string): string {
  return text.replace(PARTS_OF_JAVASCRIPT, (part) =>
    part.startsWith('/') ? ' ' : part.startsWith('`') && part.includes('${') ? part : "''",
  )
}
