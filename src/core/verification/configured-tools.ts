/** The purpose of a tool: its configuration can be replaced by that of another tool of the same kind. */
export type ToolKind =
  | 'JavaScript style'
  | 'JavaScript tests'
  | 'JavaScript coverage'
  | 'JavaScript build'
  | 'Python'
  | 'Ruby style'
  | 'CI'

const PACKAGE_SECTIONS: Readonly<Record<string, ToolKind>> = {
  jest: 'JavaScript tests',
  vitest: 'JavaScript tests',
  mocha: 'JavaScript tests',
  ava: 'JavaScript tests',
  tap: 'JavaScript tests',
  eslintConfig: 'JavaScript style',
  prettier: 'JavaScript style',
  stylelint: 'JavaScript style',
  xo: 'JavaScript style',
  biome: 'JavaScript style',
  nyc: 'JavaScript coverage',
  c8: 'JavaScript coverage',
}
const PYTHON_SECTION =
  /^\[tool\.(?:pytest|tox|setuptools|flake8|pylint|isort|mypy|pydocstyle|pycodestyle|coverage|bandit|ruff|nose)\b/m

/** Returns the kinds of tools that a file with other contents configures in its sections. Never throws. */
export function configuredIn(path: string, text: string): readonly ToolKind[] {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name === 'package.json') return sectionsOf(text)
  if (name === 'pyproject.toml') return PYTHON_SECTION.test(text) ? ['Python'] : []
  if (/^vite\.config\./.test(name)) return /\btest\s?:/.test(text) ? ['JavaScript tests'] : []
  return /^vitest\.config\./.test(name) && /\bcoverage\s?:/.test(text) ? ['JavaScript coverage'] : []
}

function sectionsOf(text: string): readonly ToolKind[] {
  try {
    const value: unknown = JSON.parse(text)
    const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
    return [
      ...new Set(
        keys.flatMap((key) => (Object.hasOwn(PACKAGE_SECTIONS, key) ? (PACKAGE_SECTIONS[key] ?? []) : [])),
      ),
    ]
  } catch {
    return []
  }
}
