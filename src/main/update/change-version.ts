import { RequestProblem } from '../../api/request-problem.ts'
import { type Feed, fileFor, type ReleaseFile } from '../../core/update/feed.ts'
import type { UpdateOutcome } from '../../core/update/status.ts'
import { download, isWhole } from './download.ts'
import { asRoot, type Installation, installCommand, runInstaller } from './installation.ts'
import { dropPackages, readKept, updatesDirectory, writeKept } from './kept.ts'
import type { UpdatesOptions } from './options.ts'

const RESTART = 'It takes effect after a restart: quit Pulseward and start it again.'

/**
 * Downloads a version of the feed and the package to roll back to, then installs it while nothing runs. Rejects with a
 * `RequestProblem`; then the previous version is still installed, unless the installer says otherwise.
 */
export async function changeVersion(
  options: UpdatesOptions,
  target: string,
  feed: Feed,
  signal: AbortSignal,
): Promise<UpdateOutcome> {
  const installation = await options.installation()
  const file = fileOf(feed, target, installation)
  if (installation.form === 'mac' || installation.form === 'windows') return byDesktop(options, target, file)
  const { dataDirectory, version } = options
  const directory = updatesDirectory(dataDirectory)
  const path = await download(file, directory, signal)
  // Downloaded before it is needed, because the new version may not be able to.
  const wayBack = fileFor(
    feed.releases.find((each) => each.version === version),
    installation,
  )
  if (wayBack !== null) await download(wayBack, directory, signal)
  const noWayBack = `The feed no longer has ${version}: there is no package to roll back to.`
  return whileNothingRuns(options, async () => {
    const backup = await options.backUp()
    if (!(await isWhole(path, file))) {
      throw new RequestProblem(
        'conflict',
        `${path} has changed since it was downloaded. Nothing was installed.`,
      )
    }
    const outcome = await install(options, installation, path)
    const before = wayBack === null ? null : { version, backup }
    await writeKept(dataDirectory, { ...(await readKept(dataDirectory)), before })
    await dropPackages(dataDirectory, wayBack === null ? [file.name] : [file.name, wayBack.name])
    const notes = wayBack === null ? [RESTART, noWayBack] : [RESTART]
    return { ...outcome, version: target, file: path, notes }
  })
}

function byDesktop(options: UpdatesOptions, target: string, file: ReleaseFile): Promise<UpdateOutcome> {
  const { dataDirectory, version, installByDesktop } = options
  if (installByDesktop === undefined) {
    throw new RequestProblem('unprocessable', 'Updates are installed by the app: open it to install them.')
  }
  return whileNothingRuns(options, async () => {
    const backup = await options.backUp()
    await writeKept(dataDirectory, { ...(await readKept(dataDirectory)), before: { version, backup } })
    await installByDesktop(target, (path) => isWhole(path, file)).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      throw new RequestProblem('unprocessable', `${target} was not installed: ${why}.`, { cause: error })
    })
    return { version: target, file: null, installed: true, command: [], notes: [RESTART] }
  })
}

async function install(
  { environment, userId }: UpdatesOptions,
  installation: Installation,
  path: string,
): Promise<Pick<UpdateOutcome, 'installed' | 'command'>> {
  const { form } = installation
  const command = await installCommand(installation, path, environment)
  if (command === null) throw byHand(form)
  // A user's own folder is changed without root; a running unpacked archive is not replaced.
  const isOwn = form === 'npm' || form === 'archive'
  const run = form === 'npm' ? command : await asRoot(command, environment, userId)
  const told = isOwn ? [...command] : ['sudo', ...command]
  if (form === 'archive' || run === null) return { installed: false, command: told }
  const problem = await runInstaller(run, environment)
  if (problem === null) return { installed: true, command: [...run] }
  throw new RequestProblem(
    'unprocessable',
    `\`${run.join(' ')}\` failed: ${problem}. The package is in ${path}: \`${told.join(' ')}\`.`,
  )
}

async function whileNothingRuns<T>({ hold }: UpdatesOptions, work: () => Promise<T>): Promise<T> {
  const release = hold()
  if (release === null) {
    throw new RequestProblem(
      'conflict',
      "A heartbeat is running and can't be replaced: wait for its end, or stop it. Nothing was installed.",
    )
  }
  try {
    return await work()
  } finally {
    release()
  }
}

function fileOf(feed: Feed, target: string, installation: Installation): ReleaseFile {
  if (installation.form === 'checkout' || installation.form === 'appimage') throw byHand(installation.form)
  const release = feed.releases.find((each) => each.version === target)
  const file = fileFor(release, installation)
  if (file !== null) return file
  throw new RequestProblem(
    'unprocessable',
    `Pulseward ${target} has no ${installation.form} package for ${installation.arch}.`,
  )
}

function byHand(form: Installation['form']): RequestProblem {
  const how =
    form === 'checkout'
      ? 'this is a checkout: `git pull`, and start it again'
      : 'download the newer file and replace this one'
  return new RequestProblem('unprocessable', `Pulseward did not install this itself: ${how}.`)
}
