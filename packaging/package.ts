/*
 * `npm run package`: builds everything we distribute into dist/, with checksums and a bill of materials. On Linux: the npm
 * package, `.deb`, `.rpm` and the plain archive, without a network; on macOS and Windows the npm package and electron-builder's
 * own formats. Two builds of one commit are identical, byte for byte. SOURCE_DATE_EPOCH sets the time of the files,
 * ELECTRON_OVERRIDE_DIST_PATH the Electron runtime, PULSEWARD_NODE the included Node.js program, PULSEWARD_ARCH the
 * architecture of both.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  createReadStream,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { billOfMaterials } from './bill-of-materials.ts'
import { licencesText } from './bundled.ts'
import { commandWords } from './command-words.ts'
import { assertFuses } from './fuses.ts'
import { layOutLinuxTree, settle } from './linux-tree.ts'
import { makeArchive, makeDeb, makeRpm } from './packages.ts'
import { nodeName, type Plan, readPlan } from './plan.ts'
import { run } from './run.ts'

const plan = readPlan(process.env)
const work = join(plan.dist, 'work')
rmSync(plan.dist, { recursive: true, force: true })
mkdirSync(work, { recursive: true })
// As in `npm pack`: build what is missing or older than its sources.
run(process.execPath, [join(plan.root, 'scripts/prepack.mjs')])

const packed = step('npm package', () => packNpm(plan))
step('command', () => layOutCommand(plan, packed))
const made = [packed, ...(process.platform === 'linux' ? await makeForLinux(plan) : makeForDesktop(plan))]
writeFileSync(
  join(plan.dist, 'sbom.cdx.json'),
  step('bill of materials', () => billOfMaterials(plan)),
)
const sums = []
for (const name of [...made, 'sbom.cdx.json'].sort())
  sums.push(`${await sha256(join(plan.dist, name))}  ${name}`)
writeFileSync(join(plan.dist, 'SHA256SUMS'), `${sums.join('\n')}\n`)
rmSync(work, { recursive: true })
console.log(sums.join('\n'))

async function makeForLinux(plan: Plan): Promise<readonly string[]> {
  const unpacked = step('electron-builder', () => unpackElectron(plan))
  const fuses = await assertFuses(join(unpacked, 'pulseward-desktop'))
  console.log(`fuses: ${fuses.join(', ')}`)
  const tree = join(work, 'tree')
  const words = await commandWords(plan.version)
  step('tree', () => layOutLinuxTree(plan, words, unpacked, tree))
  return [
    step('.deb', () => makeDeb(plan, tree)),
    step('.rpm', () => makeRpm(plan, tree, join(work, 'rpm'))),
    step('archive', () => makeArchive(plan, unpacked, join(work, 'archive'))),
  ]
}

/** Builds dmg and zip, or the Windows installer, with electron-builder's own targets, and the files that electron-updater reads. */
function makeForDesktop(plan: Plan): readonly string[] {
  const system = process.platform === 'darwin' ? '--mac' : '--win'
  step('electron-builder', () => buildElectron(plan, [system]))
  dropLaidOut(plan)
  const unpacked = join(plan.dist, 'unpacked')
  const names = readdirSync(unpacked).filter((name) => /\.(dmg|zip|exe|blockmap)$|^latest.*\.yml$/.test(name))
  for (const name of names) renameSync(join(unpacked, name), join(plan.dist, name))
  return names
}

/** Runs `npm pack` on the build; returns the file's name in dist. */
function packNpm({ root, dist }: Plan): string {
  // npm packs the modes it finds. Files built under a strict umask would be unreadable for other users.
  const packed = ['bin', 'out', 'resources', 'LICENSE', 'README.md', 'package.json']
  run('chmod', ['-R', 'u=rwX,go=rX', ...packed], { cwd: root })
  // Use npm's own program if npm runs this: on Windows `npm` is a script that only a shell starts.
  const npm = process.env.npm_execpath
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', dist]
  const answer =
    npm === undefined ? run('npm', pack, { cwd: root }) : run(process.execPath, [npm, ...pack], { cwd: root })
  return JSON.parse(answer)[0].filename
}

/** Unpacks the same files for the command, and adds what only the desktop shows. */
function layOutCommand(plan: Plan, tarball: string): void {
  const { root, dist, node } = plan
  const command = join(dist, 'command')
  mkdirSync(command)
  run('tar', ['-xzf', join(dist, tarball), '--strip-components=1', '-C', command])
  cpSync(join(root, 'resources'), join(command, 'resources'), { recursive: true })
  const program = join(dist, 'runtime', nodeName())
  mkdirSync(join(dist, 'runtime'))
  cpSync(node, program)
  chmodSync(program, 0o755)
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licencesText(root))
}

/** Returns electron-builder's unpacked folder, with the fuses set. */
function unpackElectron(plan: Plan): string {
  buildElectron(plan, ['--linux', 'dir'])
  const made = readdirSync(join(plan.dist, 'unpacked')).filter((name) => name.endsWith('unpacked'))
  const unpacked = join(plan.dist, 'unpacked', made[0] ?? '')
  dropLaidOut(plan)
  settle(unpacked, plan)
  return unpacked
}

function buildElectron({ root, arch, electron, electronVersion }: Plan, target: readonly string[]): void {
  const cli = join(root, 'node_modules/electron-builder/cli.js')
  const config = ['--config', 'packaging/electron-builder.yml', `-c.electronDist=${electron}`]
  const what = [...target, `--${arch}`, '--publish', 'never', `-c.electronVersion=${electronVersion}`]
  run(process.execPath, [cli, ...what, ...config], { cwd: root })
}

/** Removes what was created only for electron-builder. */
function dropLaidOut({ dist }: Plan): void {
  for (const part of ['command', 'runtime']) rmSync(join(dist, part), { recursive: true })
}

function step<T>(name: string, work: () => T): T {
  const startedAt = performance.now()
  const result = work()
  console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  return result
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
