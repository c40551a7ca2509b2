import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settle } from './linux-tree.ts'
import type { Plan } from './plan.ts'
import { run } from './run.ts'

const SUMMARY = 'Supervisor of unattended AI agents'
const DESCRIPTION = [
  'Runs the agent of a folder at every heartbeat on the open tasks of a contract,',
  'and checks its claims against reality. With a shield in the',
  'tray, the same supervisor without a desktop, and a command.',
]

const DEBIAN_NEEDS = [
  'libgtk-3-0 | libgtk-3-0t64',
  'libnotify4',
  'libnss3',
  'libxss1',
  'libxtst6',
  'xdg-utils',
  'libatspi2.0-0 | libatspi2.0-0t64',
  'libuuid1',
  'libsecret-1-0',
  'libasound2 | libasound2t64',
  'libgbm1',
]
const RPM_NEEDS = [
  'gtk3',
  'libnotify',
  'nss',
  'libXScrnSaver',
  '(libXtst or libXtst6)',
  'xdg-utils',
  'at-spi2-core',
]

/** Builds a `.deb` of the tree; returns its name. */
export function makeDeb(plan: Plan, tree: string): string {
  const arch = plan.arch === 'x64' ? 'amd64' : 'arm64'
  const name = `pulseward_${plan.version}_${arch}.deb`
  const control = join(tree, 'DEBIAN')
  mkdirSync(control)
  const kib = Number(/^\d+/.exec(run('du', ['-sk', '--apparent-size', '--exclude=DEBIAN', tree]))?.[0])
  const fields = [
    'Package: pulseward',
    `Version: ${plan.version}`,
    `Architecture: ${arch}`,
    'Maintainer: The Pulseward developers <pulseward@localhost>',
    `Installed-Size: ${kib}`,
    `Depends: ${DEBIAN_NEEDS.join(', ')}`,
    'Recommends: bubblewrap, git',
    'Suggests: apparmor',
    'Section: devel',
    'Priority: optional',
    `Description: ${SUMMARY}`,
    ...DESCRIPTION.map((line) => ` ${line}`),
  ]
  writeFileSync(join(control, 'control'), `${fields.join('\n')}\n`)
  for (const script of ['postinst', 'postrm']) {
    cpSync(join(plan.root, 'packaging/linux', script), join(control, script))
  }
  settle(control, plan)
  const options = ['--root-owner-group', '-Zzstd', '-z9', '--build', tree, join(plan.dist, name)]
  run('dpkg-deb', options, { env: { SOURCE_DATE_EPOCH: String(plan.epoch) } })
  rmSync(control, { recursive: true })
  return name
}

/** Builds a `.rpm` of the tree; returns its name. */
export function makeRpm(plan: Plan, tree: string, work: string): string {
  const arch = plan.arch === 'x64' ? 'x86_64' : 'aarch64'
  const name = `pulseward-${plan.version}-1.${arch}.rpm`
  const spec = join(work, 'pulseward.spec')
  mkdirSync(work, { recursive: true })
  const script = (file: string): string => join(plan.root, 'packaging/linux', file)
  writeFileSync(
    spec,
    [
      'Name: pulseward',
      `Version: ${plan.version}`,
      'Release: 1',
      `Summary: ${SUMMARY}`,
      'License: MIT',
      'AutoReqProv: no',
      ...RPM_NEEDS.map((need) => `Requires: ${need}`),
      'Recommends: bubblewrap',
      'Recommends: git',
      '%description',
      ...DESCRIPTION,
      `%install\ncp -a ${tree}/. %{buildroot}/`,
      `%post -f ${script('postinst')}`,
      `%postun -f ${script('postrm')}`,
      '%files',
      '%defattr(-,root,root,-)',
      ...installedFiles(tree),
      '',
    ].join('\n'),
  )
  run('rpmbuild', ['-bb', '--target', arch, ...rpmDefinitions(plan, work), spec], {
    env: { SOURCE_DATE_EPOCH: String(plan.epoch), HOME: work },
  })
  return name
}

/** Sets everything that would otherwise put the time, the host or the number of cores into the package. */
function rpmDefinitions(plan: Plan, work: string): readonly string[] {
  const definitions = [
    `_topdir ${work}`,
    `_rpmdir ${plan.dist}`,
    '_rpmfilename %{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm',
    '_buildhost pulseward',
    'use_source_date_epoch_as_buildtime 1',
    'clamp_mtime_to_source_date_epoch 1',
    'source_date_epoch_from_changelog 0',
    '_build_id_links none',
    '_binary_payload w9.zstdio',
    // Programs are packaged as they are: not stripped, compiled to byte code or given another first line.
    '__os_install_post %{nil}',
    'debug_package %{nil}',
  ]
  return definitions.flatMap((definition) => ['--define', definition])
}

/** Returns what the package owns: our own folders as a whole, and single files in the system's folders. */
function installedFiles(tree: string): readonly string[] {
  const whole = ['/usr/lib/pulseward', '/usr/share/pulseward', '/usr/share/doc/pulseward']
  const files = (readdirSync(tree, { recursive: true, withFileTypes: true }) as import('node:fs').Dirent[])
    .filter((entry) => !entry.isDirectory())
    .map((entry) => `/${join(entry.parentPath, entry.name).slice(tree.length + 1)}`)
    .filter((path) => !whole.some((folder) => path.startsWith(`${folder}/`)))
  return [...whole, ...files.sort()]
}

/** Builds the plain archive: one folder that can be put anywhere; returns its name. */
export function makeArchive(plan: Plan, unpacked: string, work: string): string {
  const folder = `pulseward-${plan.version}-linux-${plan.arch}`
  const name = `${folder}.tar.gz`
  mkdirSync(work, { recursive: true })
  const tree = join(work, folder)
  run('cp', ['-a', '--reflink=auto', unpacked, tree])
  cpSync(join(plan.root, 'packaging/linux/apparmor'), join(tree, 'apparmor'))
  settle(tree, plan)
  const sameAlways = ['--sort=name', `--mtime=@${plan.epoch}`, '--owner=0', '--group=0', '--numeric-owner']
  const pax = ['--format=posix', '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime']
  run('tar', [...sameAlways, ...pax, '-I', 'gzip -n -6', '-cf', join(plan.dist, name), '-C', work, folder])
  rmSync(tree, { recursive: true })
  return name
}
