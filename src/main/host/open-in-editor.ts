import { spawn } from 'node:child_process'
import { isAbsolute, join, parse, sep } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import { realpath, stat } from '../files/names.ts'
import { childEnvironment } from '../process/child-environment.ts'
import { findProgram } from '../process/find-program.ts'

const ROOT = parse(process.execPath).root

/** Tried in this order if none is set; editors that can open a file at a line come first. */
const KNOWN_EDITORS: readonly (readonly [string, ...string[]])[] = [
  ['code', '--goto', '{file}:{line}'],
  ['codium', '--goto', '{file}:{line}'],
  ['cursor', '--goto', '{file}:{line}'],
  ['zed', '{file}:{line}'],
  ['subl', '{file}:{line}'],
  ['kate', '--line', '{line}', '{file}'],
  ['gedit', '+{line}', '{file}'],
  ['gnome-text-editor', '{file}'],
  ['mousepad', '{file}'],
]

/**
 * Opens a file of a workspace at a line in the operator's editor, and returns its path. Rejects with a `RequestProblem` if it is not in the
 * workspace, there is no editor, or it does not start.
 */
export async function openInEditor(
  directory: string,
  { path, line }: { readonly path: string; readonly line: number },
  editor: readonly string[] | null,
): Promise<string> {
  const file = await fileWithin(directory, path)
  const command = editor ?? (await firstKnown())
  if (command === null)
    throw new RequestProblem(
      'unprocessable',
      `No editor was found to open ${file}. Name yours in Settings, as in: code --goto {file}:{line}`,
    )
  const [name = '', ...args] = command
  const filled = args.map((word) => word.replaceAll('{file}', file).replaceAll('{line}', String(line)))
  // Not looked up from the workspace, whose files an agent can write: a program found there is not the operator's editor.
  const program = await findProgram(name, ROOT, process.env)
  if (typeof program !== 'string')
    throw new RequestProblem('unprocessable', `The editor ${name} was not found. Look at it in Settings.`)
  await started(program, filled, directory)
  return file
}

/** Returns the file's real path if it is within the workspace, because a link may lead out of it. */
async function fileWithin(directory: string, path: string): Promise<string> {
  const root = await realpath(directory)
  const asked = isAbsolute(path) ? path : join(root, path)
  const file = await realpath(asked).catch((error: unknown) => {
    throw new RequestProblem('unprocessable', `There is no ${path} in ${directory}.`, { cause: error })
  })
  if (file !== root && !file.startsWith(root + sep))
    throw new RequestProblem(
      'unprocessable',
      `${path} does not lie in ${directory}: only its files are opened.`,
    )
  const found = await stat(file)
  if (!found.isFile() && !found.isDirectory())
    throw new RequestProblem('unprocessable', `${path} is no file that an editor could open.`)
  return file
}

async function firstKnown(): Promise<readonly string[] | null> {
  for (const [name, ...args] of KNOWN_EDITORS) {
    const program = await findProgram(name, ROOT, process.env)
    if (typeof program === 'string') return [program, ...args]
  }
  return null
}

/** Resolves when the editor has started, without waiting for it to close. */
function started(program: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: childEnvironment({}),
      detached: true,
      stdio: 'ignore',
      shell: false,
    })
    child.once('error', (error) =>
      reject(
        new RequestProblem(
          'unprocessable',
          `The editor ${program} could not be started: ${error.message}. Look at it in Settings.`,
          {
            cause: error,
          },
        ),
      ),
    )
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}
