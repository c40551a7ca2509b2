import {
  chmodSync,
  cpSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { CommandWords } from './command-words.ts'
import { bashCompletion, fishCompletion, zshCompletion } from './completions.ts'
import { manualPage } from './manual.ts'
import type { Plan } from './plan.ts'
import { run } from './run.ts'

const INSTALLED = 'usr/lib/pulseward'

/** Chromium's helper for systems without user namespaces. It must belong to root and run as root. */
const SETUID_HELPER = 'chrome-sandbox'

/** Gives every file of a tree the plan's time and its installation mode, whatever the umask was. */
export function settle(tree: string, { epoch }: Plan): void {
  for (const entry of readdirSync(tree, { withFileTypes: true })) {
    const path = join(tree, entry.name)
    if (entry.isDirectory()) settle(path, { epoch } as Plan)
    else if (entry.isFile()) chmodSync(path, modeOf(entry.name, lstatSync(path).mode))
    lutimesSync(path, epoch, epoch)
  }
  chmodSync(tree, 0o755)
  lutimesSync(tree, epoch, epoch)
}

function modeOf(name: string, mode: number): number {
  if (name === SETUID_HELPER) return 0o4755
  return (mode & 0o111) === 0 ? 0o644 : 0o755
}

/** Creates below `tree` what a package installs below `/`. */
export function layOutLinuxTree(plan: Plan, words: CommandWords, unpacked: string, tree: string): void {
  // `settle` sets the setuid helper's mode at the end.
  run('cp', ['-a', '--reflink=auto', unpacked, made(join(tree, INSTALLED))])
  const bin = join(tree, 'usr/bin')
  mkdirSync(bin, { recursive: true })
  for (const name of ['pulseward', 'pulseward-desktop'])
    symlinkSync(`../lib/pulseward/${name}`, join(bin, name))
  layOutShared(plan, words, join(tree, 'usr/share'))
  settle(tree, plan)
}

function layOutShared(plan: Plan, words: CommandWords, share: string): void {
  const linux = join(plan.root, 'packaging/linux')
  const date = new Date(plan.epoch * 1000).toISOString().slice(0, 10)
  const write = (path: string, content: string | Buffer): void =>
    writeFileSync(made(join(share, path)), content)
  cpSync(join(linux, 'pulseward.desktop'), made(join(share, 'applications/pulseward.desktop')))
  const metainfo = readFileSync(join(linux, 'dev.pulseward.Pulseward.metainfo.xml'), 'utf8')
  write(
    'metainfo/dev.pulseward.Pulseward.metainfo.xml',
    metainfo.replace('@VERSION@', plan.version).replace('@DATE@', date),
  )
  const icons = join(plan.root, 'packaging/icons')
  for (const name of readdirSync(icons)) {
    const folder = name === 'icon.svg' ? 'scalable' : name.replace(/\.png$/, '')
    const ending = name === 'icon.svg' ? 'svg' : 'png'
    cpSync(join(icons, name), made(join(share, `icons/hicolor/${folder}/apps/pulseward.${ending}`)))
  }
  cpSync(join(linux, 'apparmor'), made(join(share, 'pulseward/apparmor')))
  cpSync(join(linux, 'pulseward.service'), made(join(share, '../lib/systemd/user/pulseward.service')))
  cpSync(join(plan.root, 'LICENSE'), made(join(share, 'doc/pulseward/copyright')))
  write('man/man1/pulseward.1.gz', gzipSync(manualPage(words, plan.version, date), { level: 9 }))
  write('bash-completion/completions/pulseward', bashCompletion(words))
  write('zsh/site-functions/_pulseward', zshCompletion(words))
  write('fish/vendor_completions.d/pulseward.fish', fishCompletion(words))
}

function made(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  return path
}
