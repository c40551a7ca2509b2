import { parseFileReference } from './file-reference.ts'
import type { FileReference } from './types.ts'

/** A path in running text, and its position. */
export interface SpokenPath {
  readonly file: FileReference
  readonly start: number
  readonly end: number
}

/** Extensions that make a word without a slash a file name; `config.timeout` and `Node.js` in running text are not files. */
const EXTENSIONS = new Set(
  (
    'md mdx txt rst adoc org tex pdf doc docx odt rtf log csv tsv xls xlsx ods ppt pptx json jsonl json5 ndjson yaml yml toml ini ' +
    'cfg conf env properties xml xsd html htm css scss sass less js jsx ts tsx mjs cjs mts cts vue svelte astro py pyi ipynb ' +
    'rb go rs java kt kts scala groovy gradle swift m mm h hpp hh c cc cpp cxx cs fs vb php pl pm lua r jl dart ex exs erl hs ' +
    'clj elm ml nim zig sh bash zsh fish ps1 bat cmd sql db sqlite graphql gql proto prisma tf hcl nix lock patch diff png jpg ' +
    'jpeg gif svg webp ico bmp mp3 mp4 wav webm zip gz tar tgz bz2 xz 7z wasm snap map ics eml mbox'
  ).split(' '),
)
const NAMED_FILES =
  /^(?:Dockerfile|Makefile|Procfile|Jenkinsfile|Gemfile|Rakefile|\.gitignore|\.gitattributes|\.dockerignore|\.editorconfig|\.npmrc|\.nvmrc|\.prettierrc|\.env)$/
/** Names that mean other things in running text. */
const NAMED_WHEN_MARKED = /^(?:LICENSE|README|CHANGELOG|\.[a-z][\w.-]{2,40})$/
/** `Node.js`, `Socket.io`: product names, unless a folder in the path or quotes show that a file is meant. */
const PRODUCT = /^[A-Z]\w*\.(?:js|ts|net|io|ai)$/

/*
 * In this order: a link's URL, a Markdown link, quoted text (backticks and the quotation marks of several languages), a bare
 * word with dots or slashes and optional line numbers. A quotation is one candidate: the paths inside a quoted command are not
 * paths of the sentence. Every part repeats disjoint character classes, so matching is linear.
 */
const CANDIDATE = new RegExp(
  [
    '\\b[a-z]{2,10}://\\S+',
    '\\[[^\\]\\n]{1,200}\\]\\(([^)\\s]{1,500})\\)',
    '`([^`\\n]{1,500})`',
    '"([^"\\n]{1,500})"',
    '[„“]([^„“”"\\n]{1,500})[“”"]',
    '[«»]([^«»\\n]{1,500})[«»]',
    "(?<!\\w)'([^'\\s]{1,500})'",
    '((?:[A-Za-z]:)?[\\w.@~+/\\\\-][\\w.@~+/\\\\\\[\\]-]{0,500}(?:(?::|#L)\\d[\\d:L–-]{0,30})?)',
  ].join('|'),
  'g',
)

/** Returns all file and folder paths that a text names, in order. Never throws. */
export function findPaths(text: string): readonly SpokenPath[] {
  const paths: SpokenPath[] = []
  for (const match of text.matchAll(CANDIDATE)) {
    const bare = match[7]
    const quoted = match.slice(1, 7).find((group) => group !== undefined)
    const candidate = (quoted ?? bare)?.replace(/[.,:;]+$/, '')
    if (candidate === undefined) continue
    const end = bare === undefined ? match.index + match[0].length : match.index + candidate.length
    // `foo.json()` is a call.
    if (bare !== undefined && text[end] === '(') continue
    const file = parseFileReference(candidate)
    if (isPath(file.path, quoted !== undefined)) paths.push({ file, start: match.index, end })
  }
  return paths
}

function isPath(path: string, isQuoted: boolean): boolean {
  if (/[\s*?<>|{}$=,]|:\/\//.test(path) || /^[-@]/.test(path) || !/\w/.test(path)) return false
  const name = path.split(/[\\/]/).at(-1) ?? ''
  if (name === '') return /^[\w.@~/\\[\]()+-]+$/.test(path) && path.length > 2
  const hasFolder = name.length < path.length
  if (NAMED_FILES.test(name)) return true
  if (NAMED_WHEN_MARKED.test(name)) return hasFolder || isQuoted
  if (!isQuoted && !hasFolder && PRODUCT.test(name)) return false
  const extension = /^[^.].*\.([A-Za-z0-9]{1,6})$/.exec(name)?.[1]?.toLowerCase()
  return extension !== undefined && EXTENSIONS.has(extension)
}
