/* Files that code of a check takes in by name. Which of them are its helpers and which the work cannot be told from the code. */

interface Language {
  readonly path: RegExp
  /** Each finds a name in its first group that took part. */
  readonly imports: readonly RegExp[]
  /** What is put behind a name to make it a path. */
  readonly endings: readonly string[]
  /** `a.b` means `a/b`. */
  readonly isDotted?: true
}

const LANGUAGES: readonly Language[] = [
  {
    path: /\.[cm]?[jt]sx?$/,
    imports: [
      /\b(?:import|export)\b[^'"`;]*?\bfrom\s*['"](\.{1,2}\/[^'"]+)['"]/g,
      /\b(?:import|require)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g,
    ],
    endings: ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.tsx', '.jsx', '/index.js', '/index.ts'],
  },
  {
    path: /\.py$/,
    imports: [/^[ \t]*from[ \t]+\.*([\w.]+)[ \t]+import\b/gm, /^[ \t]*import[ \t]+([\w.]+)/gm],
    endings: ['.py', '/__init__.py'],
    isDotted: true,
  },
  { path: /\.rb$/, imports: [/\brequire_relative\s*\(?\s*['"]([^'"]+)['"]/g], endings: ['.rb', ''] },
  {
    path: /\.php$/,
    imports: [/\b(?:require|include)(?:_once)?\b[^;'"]*['"]\/?([^'"]+\.php)['"]/g],
    endings: [''],
  },
  { path: /\.(?:pl|t)$/, imports: [/\b(?:require|do)\s+['"]([^'"]+\.p[lm])['"]/g], endings: [''] },
  {
    path: /\.lua$/,
    imports: [/\b(?:require|dofile)\s*\(?\s*['"]([^'"]+)['"]/g],
    endings: ['', '.lua'],
    isDotted: true,
  },
]

/** Returns the names that code takes in from beside it, each as the paths that it may mean, from the folder of the code. */
export function importsOf(path: string, text: string): readonly (readonly string[])[] {
  const language = LANGUAGES.find((each) => each.path.test(path))
  if (language === undefined) return []
  const names = language.imports.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = '']) => name),
  )
  return [...new Set(names)].map((name) =>
    language.endings.map(
      (ending) => (language.isDotted && ending !== '' ? name.replaceAll('.', '/') : name) + ending,
    ),
  )
}

const COMPILERS =
  /^(?:(?:[\w]+-)*(?:cc|gcc|g\+\+|clang|clang\+\+|c\+\+|gfortran)(?:-\d+)?|tcc|rustc|javac|kotlinc|swiftc|ghc|ocamlc|ocamlopt|dmd|ldc2)$/

/** Returns whether a program turns the sources that it is given into one that a check runs. */
export function isCompiler(program: string): boolean {
  return COMPILERS.test(program)
}

const SOURCE = /\.(?:c|cc|cpp|cxx|c\+\+|m|s|f90|rs|java|kt|swift|hs|ml|d)$/

/** Returns the sources that a word of a compiler or makefile may mean: `cart.c`, `cart.o`, the program `cart`. */
export function sourcesOf(word: string): readonly string[] {
  if (SOURCE.test(word)) return [word]
  const stem = /^([\w./-]+?)(?:\.l?o|\.obj|\.exe)?$/.exec(word)?.[1]
  return stem === undefined ? [] : ['.c', '.cc', '.cpp', '.cxx'].map((ending) => stem + ending)
}
