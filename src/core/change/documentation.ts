import type { TextChange } from './test-changes.ts'

const DOCUMENTS =
  /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|org|tex|pod|rdoc|png|jpe?g|gif|svg|webp|ico|drawio|puml|mmd)$|(?:^|\/)(?:docs?|documentation|website|site|man)\/|(?:^|\/)(?:LICEN[CS]E|NOTICE|AUTHORS|CONTRIBUTORS|CHANGELOG|CHANGES|README|CODEOWNERS|\.mailmap)[^/]*$|(?:^|\/)(?:mkdocs\.ya?ml|\.readthedocs\.ya?ml|typedoc\.json|\.markdownlint[^/]*|\.github\/(?:ISSUE_TEMPLATE|PULL_REQUEST_TEMPLATE)[^/]*(?:\/.*)?|\.changeset\/.*)$/i
/** Text files that count as code because tools act on them, such as requirements files. */
const NO_DOCUMENT = /(?:^|\/)(?:requirements[^/]*|constraints[^/]*|CMakeLists|robots)\.txt$/i

/** Returns whether a file is documentation, by its path. */
export function isDocumentation(path: string): boolean {
  return DOCUMENTS.test(path) && !NO_DOCUMENT.test(path)
}

/** Returns whether a change touches only documentation: a document, or the comments and docstrings of a source file. */
export function isOnlyDocumentation({ path, before, after }: TextChange): boolean {
  if (isDocumentation(path)) return true
  if (before === null || after === null) return false
  const strip = stripper(path)
  return strip !== null && strip(before) === strip(after)
}

/** Returns a function that removes comments and white space from a source; `null` for an unsupported language. */
function stripper(path: string): ((text: string) => string) | null {
  if (
    /\.(?:[cm]?[jt]sx?|java|kt|kts|scala|groovy|go|rs|swift|c|cc|cpp|cxx|h|hpp|cs|php|dart|css|scss|less)$/i.test(
      path,
    )
  )
    return (text) => plain(text.replace(/\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/[^\n]*/g, ''))
  if (/\.pyi?$/i.test(path))
    return (text) =>
      plain(
        text
          .replace(/^[ \t]*[rRuU]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?''')[ \t]*$/gm, '')
          .replace(/(?<=^|\s)#[^\n]*/g, ''),
      )
  if (/\.(?:rb|sh|bash|ya?ml|toml|ini|cfg|ex|exs|r|pl|pm)$|(?:^|\/)(?:Makefile|Dockerfile)$/i.test(path))
    return (text) => plain(text.replace(/(?<=^|\s)#[^\n]*/gm, ''))
  return null
}

function plain(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}
